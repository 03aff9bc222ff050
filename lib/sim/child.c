// SPDX-License-Identifier: GPL-2.0-only
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>

#include "base/array.h"
#include "sim/child.h"
#include "sim/clock.h"
#include "sim/raw.h"

#define MAX_CHILDREN 512

/*
 * Memory that the program and its children share. It shows the parent when a child executes a
 * program.
 */
struct board {
	uint64_t now;
	int observed;
	struct {
		unsigned int execs;
		uint64_t at_ns;
	} exec[MAX_CHILDREN];
};

static struct board *board;
static struct sim_child children[MAX_CHILDREN];
static int nr_children; /* number of entries that have been used */
static int self = -1;
static bool in_child, observed;
static uint64_t lengths[CHILD_MAX_LENGTHS];
static int nr_lengths, nr_started;

uint64_t *child__init(void)
{
	void *at = (void *)raw_syscall(SYS_mmap, 0, sizeof(*board), PROT_READ | PROT_WRITE,
				       MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	static struct board fallback;

	/*
	 * Without shared memory, events of a child with enable_on_exec are never enabled, and are
	 * reported as such.
	 */
	board = (unsigned long)at > -4096UL ? &fallback : at;
	return &board->now;
}

void child__last_for(const uint64_t *ns, int nr)
{
	memcpy(lengths, ns, nr * sizeof(*lengths));
	nr_lengths = nr;
}

int child__reserve(void)
{
	int i = 0;

	while (i < nr_children && children[i].pid && !children[i].reaped)
		i++;
	if (i == MAX_CHILDREN)
		return -1;
	if (i == nr_children)
		nr_children++;
	children[i] = (struct sim_child){.pid = -1};
	board->exec[i].execs = 0;
	return i;
}

void child__started(int number, pid_t pid)
{
	struct sim_child *child = &children[number];

	if (number < 0)
		return;
	child->pid = pid > 0 ? pid : 0;
	child->took_ns = clock__step_ns();
	child->end_ns = CHILD_ENDS_AS_IT_DOES;
	if (pid <= 0 || !nr_lengths)
		return;
	child->took_ns = lengths[nr_started++ % nr_lengths];
	child->end_ns = clock__now() + child->took_ns;
}

void child__become(int number)
{
	self = number;
	in_child = true;
	nr_children = 0;
}

struct sim_child *child__find(pid_t pid)
{
	for (int i = 0; i < nr_children && pid > 0; i++)
		if (children[i].pid == pid && !children[i].reaped)
			return &children[i];
	return NULL;
}

int child__number(const struct sim_child *child)
{
	return child - children;
}

struct sim_child *child__first_running(void)
{
	for (int i = 0; i < nr_children; i++)
		if (children[i].pid > 0 && !children[i].ended)
			return &children[i];
	return NULL;
}

uint64_t child__cpu_ns(struct sim_child *child)
{
	uint64_t now;

	if (child->ended)
		return child->cpu_ns;
	if (clock__is_stepped())
		return clock__now();
	/* The number is the child's CPU clock, as clock_getcpuclockid() returns it. */
	now = raw_clock((clockid_t)((~(unsigned int)child->pid << 3) | 2));
	if (now > child->cpu_ns)
		child->cpu_ns = now;
	return child->cpu_ns;
}

void child__executing(void)
{
	uint64_t now = clock__is_stepped() ? clock__now() : raw_clock(CLOCK_PROCESS_CPUTIME_ID);

	if (self < 0)
		return;
	board->exec[self].at_ns = now;
	__atomic_add_fetch(&board->exec[self].execs, 1, __ATOMIC_RELEASE);
}

void child__not_executed(void)
{
	if (self >= 0)
		__atomic_sub_fetch(&board->exec[self].execs, 1, __ATOMIC_RELEASE);
}

unsigned int child__execs(const struct sim_child *child, uint64_t *at_ns)
{
	int i = child - children;
	unsigned int execs = __atomic_load_n(&board->exec[i].execs, __ATOMIC_ACQUIRE);

	*at_ns = board->exec[i].at_ns;
	return execs;
}

void child__observe(void)
{
	if (in_child)
		return;
	observed = true;
	__atomic_store_n(&board->observed, 1, __ATOMIC_RELAXED);
}

bool child__is_observed(void)
{
	return observed || __atomic_load_n(&board->observed, __ATOMIC_RELAXED);
}

bool child__any_running(void)
{
	return child__first_running();
}

static bool child__is_over(const struct sim_child *child)
{
	siginfo_t info = { .si_pid = 0 };
	long rc = raw_syscall(SYS_waitid, P_PID, child->pid, (long)&info,
			      WEXITED | WNOHANG | WNOWAIT, 0, 0);

	return rc < 0 || info.si_pid == child->pid;
}

uint64_t child__next_end(void)
{
	uint64_t next = CHILD_ENDS_AS_IT_DOES;

	for (int i = 0; nr_lengths && i < MAX_CHILDREN; i++)
		if (children[i].pid > 0 && !children[i].ended && children[i].end_ns < next)
			next = children[i].end_ns;
	return next;
}

bool child__any_starting(void)
{
	for (int i = 0; nr_lengths && i < MAX_CHILDREN; i++) {
		struct sim_child *child = &children[i];
		uint64_t at_ns;

		if (child->pid > 0 && !child->ended && !child__execs(child, &at_ns) &&
		    !child__is_over(child))
			return true;
	}
	return false;
}

bool child__has_ended(void)
{
	return array__first(c, children, c->pid > 0 && !c->ended && child__is_over(c));
}

void child__signalled(pid_t pid, int signal)
{
	struct sim_child *child = child__find(pid);
	uint64_t soon = clock__now() + clock__step_ns();

	/* These signals do not end a process. */
	if (child && signal && signal != SIGCONT && signal != SIGSTOP && soon < child->end_ns &&
	    child->end_ns != CHILD_ENDS_AS_IT_DOES)
		child->end_ns = soon;
}

/* With a stepped clock, move the time to the child's end. */
static void pass_to_end(const struct sim_child *child)
{
	uint64_t now = clock__now();

	if (child->end_ns == CHILD_ENDS_AS_IT_DOES)
		clock__pass(clock__step_ns());
	else if (child->end_ns > now)
		clock__pass(child->end_ns - now);
}

bool child__see_ends(void)
{
	bool found = false;

	for (int i = 0; i < nr_children; i++) {
		struct sim_child *child = &children[i];

		if (child->pid <= 0 || child->ended || !child__is_over(child))
			continue;
		/* The clock of a zombie can still be read. */
		if (!clock__is_stepped())
			child__cpu_ns(child);
		else if (!found)
			pass_to_end(child);
		if (clock__is_stepped())
			child->cpu_ns = clock__now();
		child->ended = true;
		found = true;
	}
	return found;
}

static uint64_t timeval_ns(const struct timeval *tv)
{
	return tv->tv_sec * 1000000000ULL + tv->tv_usec * 1000ULL;
}

void child__reaped(pid_t pid, struct rusage *usage)
{
	struct sim_child *child = child__find(pid);
	uint64_t total;

	if (clock__is_stepped()) {
		/*
		 * A child counts as having run for its length or for a step, two thirds of the time
		 * in user space.
		 */
		uint64_t us = (child ? child->took_ns : clock__step_ns()) / 1000;

		memset(usage, 0, sizeof(*usage));
		usage->ru_utime.tv_sec = us * 2 / 3 / 1000000;
		usage->ru_utime.tv_usec = us * 2 / 3 % 1000000;
		usage->ru_stime.tv_sec = us / 3 / 1000000;
		usage->ru_stime.tv_usec = us / 3 % 1000000;
	}
	if (!child)
		return;
	/* No wait has seen the end yet: it takes a step, even if it comes early. */
	if (clock__is_stepped() && !child->ended)
		pass_to_end(child);
	total = timeval_ns(&usage->ru_utime) + timeval_ns(&usage->ru_stime);
	/* The sum includes the time of the child's own children, but the child's clock does not. */
	if (!clock__is_stepped() && total > child->cpu_ns)
		child->cpu_ns = total;
	child->ended = child->reaped = true;
}
