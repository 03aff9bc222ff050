// SPDX-License-Identifier: GPL-2.0-only
/*
 * A child announces its places in the memory of an unnamed file, which is sealed so that it cannot
 * shrink. A command can write any value into it: stays are only accepted up to the command's CPU
 * time.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "base/announce.h"
#include "base/num.h"
#include "sim/announced.h"
#include "sim/clock.h"
#include "sim/observe.h"
#include "sim/raw.h"
#include "sim/sim.h"

#define MAX_MARKS 4096 /* with more marks, those that every context has passed are dropped */
#define FIRST_FD 201   /* lowest descriptor used here: low numbers are the program's */
#define NOWHERE 0      /* means no place; other values are the number of a place plus 1 */

/* The memory of each child, indexed by the child's number; @fd: -1 without memory. */
struct prepared {
	int fd;
	char path[40];
};

static VEC(struct prepared) prepared;
static char own_path[40];

/*
 * The state of a thread; threads are in the order of their first announcements.
 * @met: the time before the thread's first announcement is in the trail
 * @ahead: the part of its present stay that is in the trail already
 * @total: all of its time that is in the trail; @ran: how long it had run at the last check
 */
struct thread_state {
	bool met;
	uint64_t ahead, total, ran;
};

/*
 * The state of a child that announces.
 * @now: its CPU time; @covered: CPU time at the end of the trail
 * @nowhere: time in the trail at no place, which no thread has
 * @place: for each name, the machine's number of the place plus 1; -1: no such place; 0: not
 *         searched for yet
 */
struct announced {
	const struct sim_child *child;
	pid_t pid;
	struct announce *memory;
	struct sim_trail trail;
	uint64_t now, covered, nowhere;
	struct thread_state threads[ANNOUNCE_THREADS];
	int place[ANNOUNCE_NAMES];
};

static VEC(struct announced *) all;

static bool is_on(void)
{
	return sim.on && sim.m.places.nr && !clock__is_stepped() &&
	       !sim_machine__script(&sim.m, -1);
}

static int make_file(void)
{
	long low = RAW(SYS_memfd_create, "tma-places", MFD_CLOEXEC | MFD_ALLOW_SEALING, 0, 0), fd;

	if (raw_failed(low))
		return -1;
	fd = RAW(SYS_fcntl, low, F_DUPFD_CLOEXEC, FIRST_FD, 0);
	RAW(SYS_close, low, 0, 0, 0);
	if (raw_failed(fd))
		return -1;
	if (RAW(SYS_ftruncate, fd, sizeof(struct announce), 0, 0) ||
	    RAW(SYS_fcntl, fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL, 0)) {
		RAW(SYS_close, fd, 0, 0, 0);
		return -1;
	}
	return fd;
}

static void close_prepared(struct prepared *p)
{
	if (p->fd >= 0)
		RAW(SYS_close, p->fd, 0, 0, 0);
	p->fd = -1;
}

void announced__prepare(int number)
{
	struct prepared *p;

	if (!is_on() || number < 0)
		return;
	while (prepared.nr <= number)
		if (vec__push(&prepared, ((struct prepared){.fd = -1})))
			return;
	p = &prepared.at[number];
	close_prepared(p);
	p->fd = make_file();
	snprintf(p->path, sizeof(p->path), "/proc/%ld/fd/%d", RAW(SYS_getpid, 0, 0, 0, 0), p->fd);
}

void announced__become(int number)
{
	struct prepared *p;

	*own_path = '\0';
	if (number >= 0 && number < prepared.nr && prepared.at[number].fd >= 0)
		memcpy(own_path, prepared.at[number].path, sizeof(own_path));
	vec__for_each(p, &prepared)
		close_prepared(p);
	prepared.nr = 0;
}

char *announced__variable(int number)
{
	const char *path = number == ANNOUNCED_SELF ? own_path : "";
	char *variable;

	if (number >= 0 && number < prepared.nr && prepared.at[number].fd >= 0)
		path = prepared.at[number].path;
	return *path && asprintf(&variable, ANNOUNCE_VARIABLE "=%s", path) >= 0 ? variable : NULL;
}

static struct announce *map_memory(const struct sim_child *child)
{
	int number = child__number(child);
	long at;

	if (number >= prepared.nr || prepared.at[number].fd < 0)
		return NULL;
	at = raw_syscall(SYS_mmap, 0, sizeof(struct announce), PROT_READ | PROT_WRITE, MAP_SHARED,
			 prepared.at[number].fd, 0);
	return raw_failed(at) ? NULL : (struct announce *)at;
}

static bool is_in_use(const struct announced *a)
{
	return vec__find(ctx, &sim.contexts, (*ctx)->course.trail == &a->trail);
}

static void drop_unused(void)
{
	for (int i = 0; i < all.nr; i++) {
		struct announced *a = all.at[i];

		if (is_in_use(a))
			continue;
		RAW(SYS_munmap, a->memory, sizeof(*a->memory), 0, 0);
		vec__free(&a->trail.marks);
		free(a);
		all.at[i--] = all.at[--all.nr];
	}
}

static struct announced *get_announced(const struct sim_child *child)
{
	struct announced **found =
		vec__find(a, &all, (*a)->child == child && (*a)->pid == child->pid);
	struct announce *memory = found ? NULL : map_memory(child);
	struct announced *a;

	if (found || !memory)
		return found ? *found : NULL;
	drop_unused();
	a = calloc(1, sizeof(*a));
	if (!a || vec__push(&all, a)) {
		RAW(SYS_munmap, memory, sizeof(*memory), 0, 0);
		free(a);
		return NULL;
	}
	*a = (struct announced){.child = child, .pid = child->pid, .memory = memory};
	a->trail.announce = memory;
	return a;
}

/* Return: the machine's number of an announced place, or -1. */
static int announced__place(struct announced *a, uint32_t name)
{
	char text[ANNOUNCE_NAME_SIZE];

	if (!a->place[name]) {
		memcpy(text, a->memory->names[name].name, sizeof(text));
		text[sizeof(text) - 1] = '\0';
		a->place[name] = sim_machine__place(&sim.m, text) + 1;
		if (a->place[name] > 0)
			sim.follows = SIM_FOLLOWS_COMMAND;
		a->place[name] = a->place[name] ? a->place[name] : -1;
	}
	return a->place[name] < 0 ? -1 : a->place[name] - 1;
}

/* Append a stay to the trail, cut off at the child's CPU time. Return: the time appended, in ns. */
static uint64_t append(struct announced *a, int thread, uint32_t at, uint64_t ns)
{
	struct sim_mark mark = {.from = a->covered}, *last = NULL;

	if (ns > a->now - a->covered)
		ns = a->now - a->covered;
	if (!ns)
		return 0;
	mark.stay = sim_machine__stay(&sim.m, at ? announced__place(a, at - 1) : -1);
	mark.stay.thread = thread + 1;
	mark.stay.spot = at ? (int)(at - 1) : -1;
	a->covered += ns;
	a->threads[thread].total += ns;
	if (a->trail.marks.nr)
		last = &a->trail.marks.at[a->trail.marks.nr - 1];
	/* If memory runs out, the previous stay is extended. */
	if (!last || last->stay.spot != mark.stay.spot || last->stay.thread != mark.stay.thread)
		(void)!vec__push(&a->trail.marks, mark);
	return ns;
}

static uint64_t lesser(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

/* Add the time that a thread spent at no place. A part of this time may be in the trail already. */
static void take_nowhere(struct announced *a, int thread, uint64_t ns)
{
	uint64_t known = lesser(ns, a->nowhere);

	a->nowhere -= known;
	a->threads[thread].total += known;
	append(a, thread, NOWHERE, ns - known);
}

/* Append the part of a finished stay that is not in the trail yet. */
static void take_over_stay(struct announced *a, int thread, uint32_t at, uint64_t ns)
{
	struct thread_state *t = &a->threads[thread];
	uint64_t known;

	if (at == NOWHERE || at > ANNOUNCE_NAMES) {
		take_nowhere(a, thread, ns);
		return;
	}
	known = lesser(ns, t->ahead);
	t->ahead -= known;
	append(a, thread, at, ns - known);
}

/*
 * Add the time before a thread's first announcement: the thread was at no place, or in a program
 * that the process executed before.
 */
static void add_time_before(struct announced *a, int thread)
{
	const struct announcer *threads = a->memory->threads;
	uint64_t known = 0, began = threads[thread].began;
	int before = -1;

	a->threads[thread].met = true;
	for (int i = 0; i < thread; i++)
		if (threads[i].tid == threads[thread].tid) {
			known += a->threads[i].total;
			before = i;
		}
	if (began <= known)
		return;
	/* The earlier program did not announce the end of its last stay. */
	if (before >= 0 && threads[before].at && threads[before].at <= ANNOUNCE_NAMES)
		append(a, before, threads[before].at, began - known);
	else
		take_nowhere(a, thread, began - known);
}

static void take_stays(struct announced *a, int thread)
{
	struct announcer *t = &a->memory->threads[thread];
	uint64_t written = __atomic_load_n(&t->written, __ATOMIC_ACQUIRE), read = t->read;

	if (written - read > ANNOUNCE_STAYS)
		read = written - ANNOUNCE_STAYS;
	for (; read != written; read++) {
		const struct announced_stay *stay = &t->stays[read % ANNOUNCE_STAYS];

		take_over_stay(a, thread, stay->name, stay->ns);
	}
	__atomic_store_n(&t->read, read, __ATOMIC_RELEASE);
	for (uint32_t at = 0; at <= ANNOUNCE_NAMES; at++)
		if (__atomic_load_n(&t->spilled[at], __ATOMIC_RELAXED))
			take_over_stay(a, thread, at,
				       __atomic_exchange_n(&t->spilled[at], 0, __ATOMIC_RELAXED));
}

/*
 * Return: the place of a thread; NOWHERE if its process has executed another program that
 * announces.
 */
static uint32_t present_place(const struct announced *a, int nr_threads, int thread)
{
	const struct announcer *threads = a->memory->threads;
	uint32_t at = __atomic_load_n(&threads[thread].at, __ATOMIC_ACQUIRE);

	for (int i = thread + 1; i < nr_threads && at; i++)
		if (threads[i].tid == threads[thread].tid)
			return NOWHERE;
	return threads[thread].pid == (uint32_t)a->pid && at <= ANNOUNCE_NAMES ? at : NOWHERE;
}

/* Read how long a thread has run, in ns, up to the kernel's last tick. */
static uint64_t ran_ns(pid_t pid, uint32_t tid)
{
	char path[64], text[64];
	uint64_t ns = 0;

	snprintf(path, sizeof(path), "/proc/%d/task/%u/schedstat", pid, tid);
	raw_read_file(path, text, sizeof(text));
	return num__scan_u64(text, 10, &ns) ? ns : 0;
}

/*
 * Find how long each thread at a place has run since the last check. Return: the sum of these
 * times.
 */
static uint64_t look_at_threads(struct announced *a, int nr_threads, uint64_t *parts)
{
	uint64_t sum = 0;

	for (int i = 0; i < nr_threads; i++) {
		uint64_t ran = present_place(a, nr_threads, i)
				       ? ran_ns(a->pid, a->memory->threads[i].tid)
				       : 0;

		parts[i] = ran > a->threads[i].ran ? ran - a->threads[i].ran : 0;
		a->threads[i].ran = ran ? ran : a->threads[i].ran;
		sum += parts[i];
	}
	return sum;
}

/*
 * Divide the rest of the CPU time among the threads that are at a place now, in proportion to the
 * times that they have run.
 */
static void take_present(struct announced *a, int nr_threads)
{
	uint64_t rest = a->now - a->covered, parts[ANNOUNCE_THREADS], sum = 0;
	int nr_at = 0, last = 0;

	for (int i = 0; i < nr_threads; i++)
		if (present_place(a, nr_threads, i)) {
			nr_at++;
			last = i;
		}
	if (nr_at > 1)
		sum = look_at_threads(a, nr_threads, parts);
	for (int i = 0; i < nr_threads && nr_at > 1; i++) {
		uint32_t at = present_place(a, nr_threads, i);
		uint64_t part = sum ? (unsigned __int128)rest * parts[i] / sum : rest / nr_at;

		if (at)
			a->threads[i].ahead += append(a, i, at, part);
	}
	rest = a->now - a->covered;
	if (nr_at)
		a->threads[last].ahead +=
			append(a, last, present_place(a, nr_threads, last), rest);
	else
		a->nowhere += append(a, 0, NOWHERE, rest);
}

/*
 * Drop marks that no context needs any more. Samples may report a slightly earlier place, so keep
 * its marks.
 */
static void prune(struct announced *a)
{
	const uint64_t margin = SAMPLING_TICK_NS;
	struct sim_context **ctx;
	uint64_t passed = UINT64_MAX;
	int first = 0;

	if (a->trail.marks.nr < MAX_MARKS)
		return;
	vec__for_each(ctx, &sim.contexts)
		if ((*ctx)->course.trail == &a->trail && (*ctx)->now < passed && !(*ctx)->frozen)
			passed = (*ctx)->now;
	while (first + 1 < a->trail.marks.nr &&
	       a->trail.marks.at[first + 1].from + margin <= passed)
		first++;
	a->trail.marks.nr -= first;
	memmove(a->trail.marks.at, a->trail.marks.at + first,
		a->trail.marks.nr * sizeof(*a->trail.marks.at));
}

/*
 * Find out whether a child's CPU time includes the time of a thread. The child's own children are
 * included after they were waited for.
 */
static bool has_time_of(const struct announced *a, int thread)
{
	return a->memory->threads[thread].pid == (uint32_t)a->pid || a->child->reaped;
}

const struct sim_trail *announced__trail(const struct sim_child *child, uint64_t cpu_ns)
{
	struct announced *a = is_on() ? get_announced(child) : NULL;
	int nr_threads;

	if (!a)
		return NULL;
	if (cpu_ns > a->now)
		a->now = cpu_ns;
	nr_threads = announce__nr_threads(a->memory);
	prune(a);
	for (int i = 0; i < nr_threads; i++) {
		if (!__atomic_load_n(&a->memory->threads[i].tid, __ATOMIC_ACQUIRE) ||
		    !has_time_of(a, i))
			continue;
		if (!a->threads[i].met)
			add_time_before(a, i);
		take_stays(a, i);
	}
	take_present(a, nr_threads);
	return &a->trail;
}
