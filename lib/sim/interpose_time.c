// SPDX-License-Identifier: GPL-2.0-only
/* With a stepped clock: what time it is, and waiting. */
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/select.h>
#include <sys/time.h>
#include <sys/times.h>
#include <unistd.h>

#include "sim/child.h"
#include "sim/clock.h"
#include "sim/interpose.h"
#include "sim/raw.h"
#include "sim/sim.h"

#define FOREVER (-1)
#define SIGNALS_SIZE sizeof(unsigned long) /* of the kernel's sigset_t */
#define SIGCHLD_BIT (1UL << (SIGCHLD - 1))

int __poll_chk(struct pollfd *fds, nfds_t nr, int timeout, size_t room);
int __ppoll_chk(struct pollfd *fds, nfds_t nr, const struct timespec *timeout, const sigset_t *mask,
		size_t room);

static bool is_stepped(void)
{
	return sim.on && clock__is_stepped();
}

static bool held;

static unsigned long change_mask(int how, unsigned long mask)
{
	unsigned long old = 0;

	RAW(SYS_rt_sigprocmask, how, &mask, &old, SIGNALS_SIZE);
	return old;
}

void interpose__hold_sigchld(void)
{
	/* A program which blocks it itself has its own way to learn of children. */
	if (clock__is_stepped() && child__is_observed() && !held)
		held = !(change_mask(SIG_BLOCK, SIGCHLD_BIT) & SIGCHLD_BIT);
}

void interpose__release_sigchld(void)
{
	if (held)
		change_mask(SIG_UNBLOCK, SIGCHLD_BIT);
	held = false;
}

void interpose__let_children_end(void)
{
	if (!child__any_running())
		interpose__release_sigchld();
}

void interpose__wait_mask(unsigned long *mask)
{
	*mask = change_mask(SIG_BLOCK, 0);
	if (held)
		*mask &= ~SIGCHLD_BIT;
}

static int64_t timespec_ns(const struct timespec *ts)
{
	return ts->tv_sec * 1000000000LL + ts->tv_nsec;
}

static long kernel_poll(struct pollfd *fds, nfds_t nr, int64_t ns, const unsigned long *mask)
{
	struct timespec ts = { ns / 1000000000, ns % 1000000000 };

	return raw_syscall(SYS_ppoll, (long)fds, nr, (long)(ns == FOREVER ? NULL : &ts),
			   (long)mask, SIGNALS_SIZE, 0);
}

/*
 * Without a child nothing but the clock can end the wait, which is then over at once. With one, the
 * wait is real, and takes as long as was asked for, or a step when the child or a signal ends it.
 */
static long wait_stepped(struct pollfd *fds, nfds_t nr, int64_t ns, const unsigned long *program)
{
	unsigned long mask;
	bool children = child__any_running();
	long rc;

	interpose__wait_mask(&mask);
	if (program)
		mask = held ? *program & ~SIGCHLD_BIT : *program;
	rc = kernel_poll(fds, nr, children || ns == FOREVER ? ns : 0, &mask);
	if (!child__see_ends()) {
		if (!rc)
			clock__pass(ns);
		else if (rc == -EINTR)
			clock__pass(clock__step_ns());
	}
	interpose__let_children_end();
	return rc;
}

INTERPOSE int ppoll(struct pollfd *fds, nfds_t nr, const struct timespec *timeout,
		    const sigset_t *mask)
{
	if (!is_stepped())
		return NEXT(ppoll)(fds, nr, timeout, mask);
	return interpose__result(wait_stepped(fds, nr, timeout ? timespec_ns(timeout) : FOREVER,
					      (const unsigned long *)mask));
}

INTERPOSE int poll(struct pollfd *fds, nfds_t nr, int timeout)
{
	if (!is_stepped())
		return NEXT(poll)(fds, nr, timeout);
	return interpose__result(
		wait_stepped(fds, nr, timeout < 0 ? FOREVER : timeout * 1000000LL, NULL));
}

INTERPOSE int __poll_chk(struct pollfd *fds, nfds_t nr, int timeout, size_t room)
{
	if (room / sizeof(*fds) < nr)
		abort();
	return poll(fds, nr, timeout);
}

INTERPOSE int __ppoll_chk(struct pollfd *fds, nfds_t nr, const struct timespec *timeout,
			  const sigset_t *mask, size_t room)
{
	if (room / sizeof(*fds) < nr)
		abort();
	return ppoll(fds, nr, timeout, mask);
}

INTERPOSE int epoll_wait(int fd, struct epoll_event *events, int max, int timeout)
{
	struct pollfd ready = { .fd = fd, .events = POLLIN };
	int rc;

	if (!is_stepped())
		return NEXT(epoll_wait)(fd, events, max, timeout);
	rc = poll(&ready, 1, timeout);
	return rc > 0 ? NEXT(epoll_wait)(fd, events, max, 0) : rc;
}

INTERPOSE int epoll_pwait(int fd, struct epoll_event *events, int max, int timeout,
			  const sigset_t *mask)
{
	struct timespec ts = { timeout / 1000, timeout % 1000 * 1000000L };
	struct pollfd ready = { .fd = fd, .events = POLLIN };
	int rc;

	if (!is_stepped())
		return NEXT(epoll_pwait)(fd, events, max, timeout, mask);
	rc = ppoll(&ready, 1, timeout < 0 ? NULL : &ts, mask);
	return rc > 0 ? NEXT(epoll_wait)(fd, events, max, 0) : rc;
}

static int sleep_stepped(int64_t ns)
{
	long rc = ns > 0 ? wait_stepped(NULL, 0, ns, NULL) : 0;

	return rc < 0 ? (int)-rc : 0;
}

INTERPOSE int clock_nanosleep(clockid_t id, int flags, const struct timespec *request,
			      struct timespec *left)
{
	struct timespec now;
	int64_t ns;
	int rc;

	if (!is_stepped() || !clock__read(id, &now))
		return NEXT(clock_nanosleep)(id, flags, request, left);
	if (request->tv_nsec < 0 || request->tv_nsec > 999999999 || request->tv_sec < 0)
		return EINVAL;
	ns = timespec_ns(request);
	if (flags & TIMER_ABSTIME)
		ns -= timespec_ns(&now);
	rc = sleep_stepped(ns);
	if (rc == EINTR && left && !(flags & TIMER_ABSTIME))
		*left = (struct timespec){ 0 };
	return rc;
}

INTERPOSE int nanosleep(const struct timespec *request, struct timespec *left)
{
	int rc;

	if (!is_stepped())
		return NEXT(nanosleep)(request, left);
	rc = clock_nanosleep(CLOCK_MONOTONIC, 0, request, left);
	return interpose__result(-rc);
}

INTERPOSE int usleep(useconds_t us)
{
	return is_stepped() ? (int)interpose__result(-sleep_stepped(us * 1000LL))
			    : NEXT(usleep)(us);
}

INTERPOSE unsigned int sleep(unsigned int seconds)
{
	if (!is_stepped())
		return NEXT(sleep)(seconds);
	sleep_stepped(seconds * 1000000000LL);
	return 0;
}

INTERPOSE int clock_gettime(clockid_t id, struct timespec *ts)
{
	if (is_stepped() && clock__read(id, ts))
		return 0;
	return NEXT(clock_gettime)(id, ts);
}

INTERPOSE int gettimeofday(struct timeval *tv, void *zone)
{
	struct timespec ts;

	if (!is_stepped())
		return NEXT(gettimeofday)(tv, zone);
	clock__read(CLOCK_REALTIME, &ts);
	tv->tv_sec = ts.tv_sec;
	tv->tv_usec = ts.tv_nsec / 1000;
	return 0;
}

INTERPOSE time_t time(time_t *out)
{
	struct timespec ts;

	if (!is_stepped())
		return NEXT(time)(out);
	clock__read(CLOCK_REALTIME, &ts);
	if (out)
		*out = ts.tv_sec;
	return ts.tv_sec;
}

/* The program itself takes no time. */
INTERPOSE int getrusage(__rusage_who_t who, struct rusage *usage)
{
	if (!is_stepped())
		return NEXT(getrusage)(who, usage);
	memset(usage, 0, sizeof(*usage));
	return 0;
}

INTERPOSE clock_t times(struct tms *out)
{
	if (!is_stepped() || !out)
		return NEXT(times)(out);
	memset(out, 0, sizeof(*out));
	return clock__now() / 10000000;
}
