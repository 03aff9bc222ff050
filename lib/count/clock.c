// SPDX-License-Identifier: GPL-2.0-only
/* The clock of intervals. A wait has an absolute deadline, and may end early for other reasons. */
#include "count/clock.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "base/xalloc.h"
#include "count/cpu_time.h"
#include "count/session.h"

#define NS_PER_S 1000000000ULL
#define LOOK_NS 100000000ULL /* time between two checks of a process without a pidfd */
#ifndef PIDFD_THREAD
#define PIDFD_THREAD O_EXCL
#endif

uint64_t clock__now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * NS_PER_S + t.tv_nsec;
}

uint64_t run_clock__elapsed_ns(const struct run_clock *clock)
{
	uint64_t now = clock->end_ns ? clock->end_ns : clock__now_ns();

	return clock->start_ns && now > clock->start_ns ? now - clock->start_ns : 0;
}

uint64_t session__elapsed_ns(const struct session *s)
{
	return run_clock__elapsed_ns(&s->clock);
}

/*
 * For a thread that is not the first of its process, pidfd_open() needs a flag that Linux 6.9
 * added.
 */
static int open_pidfd(pid_t pid)
{
	int fd = syscall(SYS_pidfd_open, pid, 0);

	return fd < 0 && errno != ESRCH ? syscall(SYS_pidfd_open, pid, PIDFD_THREAD) : fd;
}

void watch__open(struct watch *w, int control_fd)
{
	w->fds = xcalloc(w->nr + 1, sizeof(*w->fds));
	w->fds[w->nr].fd = control_fd ? control_fd : -1;
	w->fds[w->nr].events = POLLIN;
	for (int i = 0; i < w->nr; i++) {
		w->fds[i].fd = open_pidfd(w->at[i].pid);
		w->fds[i].events = POLLIN;
		if (w->fds[i].fd >= 0)
			continue;
		/* poll() skips a negative descriptor. */
		w->at[i].gone = errno == ESRCH;
		w->unpolled += !w->at[i].gone;
	}
}

void watch__free(struct watch *w)
{
	for (int i = 0; w->fds && i < w->nr; i++)
		if (w->fds[i].fd >= 0)
			close(w->fds[i].fd);
	free(w->fds);
	vec__free(w);
}

/* Whether all watched processes have ended; procfs shows it for processes without a pidfd. */
static bool all_gone(struct watch *w, const char *procfs)
{
	int alive = 0;

	for (int i = 0; i < w->nr; i++) {
		struct watched *at = &w->at[i];

		if (!at->gone && w->fds[i].fd >= 0 && w->fds[i].revents) {
			at->gone = true;
			close(w->fds[i].fd);
			w->fds[i].fd = -1;
		} else if (!at->gone && w->fds[i].fd < 0) {
			at->gone = task_stat__has_ended(procfs, at->pid);
			w->unpolled -= at->gone;
		}
		alive += !at->gone;
	}
	return w->nr && !alive;
}

static bool clock__has_ended(struct session *s)
{
	return s->workload.pid ? workload__poll(&s->workload) :
				 all_gone(&s->watch, s->machine->procfs);
}

/* Sleep until a time after @now_ns, with signals admitted. UINT64_MAX: sleep for ever. */
static void sleep_until(struct session *s, uint64_t until_ns, uint64_t now_ns)
{
	struct watch *w = &s->watch;
	/* If a command runs, the end of a watched process does not end the run. */
	int first = s->workload.pid ? w->nr : 0, nr = w->nr + 1 - first, n;
	struct timespec t;
	uint64_t ns;

	if (w->unpolled && !s->workload.pid && until_ns > now_ns + LOOK_NS)
		until_ns = now_ns + LOOK_NS;
	ns = until_ns > now_ns ? until_ns - now_ns : 0;
	t = (struct timespec){ .tv_sec = ns / NS_PER_S, .tv_nsec = ns % NS_PER_S };
	n = signals__poll(w->fds + first, nr, until_ns == UINT64_MAX ? NULL : &t);
	/* An interrupted poll() leaves revents unchanged. */
	for (int i = first; n < 0 && i < first + nr; i++)
		w->fds[i].revents = 0;
}

static bool has_command(struct watch *w)
{
	struct pollfd *control = &w->fds[w->nr];
	bool ready = control->fd >= 0 && control->revents;

	control->revents = 0;
	return ready;
}

void session__close_control(struct session *s)
{
	s->watch.fds[s->watch.nr].fd = -1;
}

/* Let all attachments do their due work. Return: when work is due again, or the deadline. */
static uint64_t do_due(struct session *s, uint64_t now_ns, uint64_t deadline_ns)
{
	uint64_t first_ns = deadline_ns;

	attached__for_each(i, s, before_sleep) {
		uint64_t due_ns = attachments[i]->before_sleep(s->attached[i], now_ns, deadline_ns);

		if (due_ns < first_ns)
			first_ns = due_ns;
	}
	return first_ns;
}

void session__accompany(struct session *s, struct session *other)
{
	s->beside = other;
}

/*
 * Let the session beside this session do its due work. Return: when work is due again, on this
 * session's clock.
 */
static uint64_t do_due_beside(struct session *s, uint64_t deadline_ns)
{
	const struct run_clock *clock = &s->beside->clock;
	uint64_t due_ns = do_due(s->beside, run_clock__elapsed_ns(clock), UINT64_MAX);

	if (due_ns == UINT64_MAX || due_ns + clock->start_ns >= deadline_ns + s->clock.start_ns)
		return deadline_ns;
	return due_ns + clock->start_ns - s->clock.start_ns;
}

enum wait_result session__wait(struct session *s, uint64_t deadline_ns)
{
	/* If the deadline has passed already, look all the same whether processes have ended. */
	if (clock__now_ns() - s->clock.start_ns >= deadline_ns)
		sleep_until(s, 0, 0);
	for (;;) {
		uint64_t now = clock__now_ns() - s->clock.start_ns, due;
		bool beside = s->beside && s->beside->clock.counting;

		if (session__signal())
			return WAIT_SIGNAL;
		if (clock__has_ended(s))
			return WAIT_EXITED;
		if (now >= deadline_ns)
			return WAIT_DEADLINE;
		if (signals__take_asked())
			return WAIT_ASKED;
		if (has_command(&s->watch))
			return WAIT_CONTROL;
		due = do_due(s, now, deadline_ns);
		if (beside)
			due = do_due_beside(s, due);
		sleep_until(s, due, now);
		attached__call(s, after_sleep);
		if (beside)
			attached__call(s->beside, after_sleep);
	}
}
