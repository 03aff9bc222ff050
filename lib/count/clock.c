// SPDX-License-Identifier: GPL-2.0-only
/* The interval clock: absolute deadlines, and what may end a wait before. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "base/xalloc.h"
#include "count/sampler.h"
#include "count/session.h"

#define NS_PER_S 1000000000ULL
#define LOOK_NS 100000000ULL /* how often a process without a pidfd is looked for */
#define LOOK_AT_CPUS_NS 5000000000ULL /* how often it is looked which CPUs are online */
#ifndef PIDFD_THREAD
#define PIDFD_THREAD O_EXCL
#endif

uint64_t clock__now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * NS_PER_S + t.tv_nsec;
}

uint64_t session__elapsed_ns(const struct session *s)
{
	uint64_t now = s->end_ns ? s->end_ns : clock__now_ns();

	return s->start_ns && now > s->start_ns ? now - s->start_ns : 0;
}

/* A thread which is not the first of its process needs a flag of Linux 6.9. */
static int open_pidfd(pid_t pid)
{
	int fd = syscall(SYS_pidfd_open, pid, 0);

	return fd < 0 && errno != ESRCH ? syscall(SYS_pidfd_open, pid, PIDFD_THREAD) : fd;
}

void watched__open(struct session *s)
{
	s->fds = xcalloc(s->watched.nr + 1, sizeof(*s->fds));
	s->fds[s->watched.nr].fd = s->opts.control_fd ? s->opts.control_fd : -1;
	s->fds[s->watched.nr].events = POLLIN;
	for (int i = 0; i < s->watched.nr; i++) {
		s->fds[i].fd = open_pidfd(s->watched.at[i].pid);
		s->fds[i].events = POLLIN;
		if (s->fds[i].fd >= 0)
			continue;
		/* poll() passes over a negative one. */
		s->watched.at[i].gone = errno == ESRCH;
		s->unpolled += !s->watched.at[i].gone;
	}
}

void watched__free(struct session *s)
{
	for (int i = 0; s->fds && i < s->watched.nr; i++)
		if (s->fds[i].fd >= 0)
			close(s->fds[i].fd);
	free(s->fds);
	vec__free(&s->watched);
}

/* Whether all watched processes are gone; @look: also those without a pidfd. */
static bool all_gone(struct session *s, bool look)
{
	int alive = 0;

	for (int i = 0; i < s->watched.nr; i++) {
		struct watched *w = &s->watched.at[i];

		if (!w->gone && s->fds[i].fd >= 0 && s->fds[i].revents) {
			w->gone = true;
			close(s->fds[i].fd);
			s->fds[i].fd = -1;
		} else if (!w->gone && s->fds[i].fd < 0 && look) {
			w->gone = task_stat__has_ended(s->machine->procfs, w->pid);
			s->unpolled -= w->gone;
		}
		alive += !w->gone;
	}
	return s->watched.nr && !alive;
}

static bool has_ended(struct session *s)
{
	return s->workload.pid ? workload__poll(s) : all_gone(s, s->unpolled > 0);
}

/* Sleep, with signals let in, for @ns at most; UINT64_MAX is for ever. */
static void sleep_ns(struct session *s, uint64_t ns)
{
	struct timespec t = { .tv_sec = ns / NS_PER_S, .tv_nsec = ns % NS_PER_S };
	/* Beside a command, the end of a watched process ends nothing. */
	int first = s->workload.pid ? s->watched.nr : 0, nr = s->watched.nr + 1 - first;
	int n = ppoll(s->fds + first, nr, ns == UINT64_MAX ? NULL : &t, &s->signals.wait_mask);

	/* revents are as they were when it was interrupted. */
	for (int i = first; n < 0 && i < first + nr; i++)
		s->fds[i].revents = 0;
}

static bool has_command(struct session *s)
{
	struct pollfd *control = &s->fds[s->watched.nr];
	bool ready = control->fd >= 0 && control->revents;

	control->revents = 0;
	return ready;
}

void session__close_control(struct session *s)
{
	s->fds[s->watched.nr].fd = -1;
}

static void look_at_cpus(struct session *s)
{
	uint64_t now = clock__now_ns() - s->start_ns;

	if (now < s->looked_ns + LOOK_AT_CPUS_NS)
		return;
	s->looked_ns = now;
	hotplug__look(s);
	hotplug__probe(s, now);
}

/* From one time to another; nothing when that has passed, UINT64_MAX when it never comes. */
static uint64_t until(uint64_t due_ns, uint64_t now_ns)
{
	if (due_ns == UINT64_MAX)
		return UINT64_MAX;
	return due_ns > now_ns ? due_ns - now_ns : 0;
}

static void shorten(uint64_t *rest, uint64_t other)
{
	if (*rest > other)
		*rest = other;
}

/* How long to sleep at @now_ns; UINT64_MAX is for ever. */
static uint64_t rest_of(const struct session *s, uint64_t now_ns, uint64_t next_read_ns)
{
	uint64_t rest = until(next_read_ns, now_ns);

	if (s->unpolled && !s->workload.pid)
		shorten(&rest, LOOK_NS);
	if (s->per_cpu)
		shorten(&rest, LOOK_AT_CPUS_NS);
	if (s->sampler)
		shorten(&rest, sampler__rest_ns(s));
	if (rotation__is_used(s))
		shorten(&rest, until(s->rotation.next_ns, now_ns));
	return rest;
}

enum wait_result session__wait(struct session *s, uint64_t deadline_ns)
{
	for (;;) {
		uint64_t now = clock__now_ns() - s->start_ns, next_read;

		if (session__signal())
			return WAIT_SIGNAL;
		if (has_ended(s))
			return WAIT_EXITED;
		if (now >= deadline_ns)
			return WAIT_DEADLINE;
		if (has_command(s))
			return WAIT_CONTROL;
		if (rotation__is_used(s))
			rotation__turn(s, now);
		next_read = between__read(s, now, deadline_ns);
		sleep_ns(s, rest_of(s, now, next_read));
		if (s->sampler)
			sampler__tick(s);
		if (s->per_cpu)
			look_at_cpus(s);
	}
}
