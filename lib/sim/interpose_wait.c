// SPDX-License-Identifier: GPL-2.0-only
/* Answer calls that wait: a wait moves a stepped clock, and samples end it. */
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <unistd.h>

#include "sim/child.h"
#include "sim/clock.h"
#include "sim/interpose.h"
#include "sim/raw.h"
#include "sim/sim.h"

#define FOREVER (-1)
/* During a wait, ring buffers are updated after each slice, by which a stepped clock moves. */
#define SLICE_NS ((int64_t)SAMPLING_TICK_NS)
/* With a stepped clock, each slice of a wait without a timeout takes this real time. */
#define BREATH_NS 1000000
/* Interval of checks for the end of a child, in case no signal reports it. */
#define PATIENCE_NS 20000000
/* A child has this many times BREATH_NS to execute a program; some children never execute one. */
#define NR_BREATHS 5000

int __poll_chk(struct pollfd *fds, nfds_t nr, int timeout, size_t room);
int __ppoll_chk(struct pollfd *fds, nfds_t nr, const struct timespec *timeout, const sigset_t *mask,
		size_t room);

static bool has_buffers(void)
{
	return sim.on && __atomic_load_n(&sim.rings.nr, __ATOMIC_RELAXED);
}

static void pump(void)
{
	if (!has_buffers())
		return;
	SIM_HOLD();
	sim__pump();
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

/* Write pending samples. Return: whether POLLHUP is due for an event. */
static bool look_after_buffers(const struct pollfd *fds, nfds_t nr)
{
	bool hangs_up = false;

	SIM_HOLD();
	sim__pump();
	for (nfds_t i = 0; i < nr; i++) {
		struct sim_event *event = sim__event(fds[i].fd);

		if (event && sim__hangs_up(event))
			hangs_up = true;
	}
	return hangs_up;
}

/*
 * Set the results of events in fds as the kernel does. Return: number of descriptors with a result.
 */
static long interpose_wait__settle(struct pollfd *fds, nfds_t nr)
{
	long ready = 0;

	SIM_HOLD();
	for (nfds_t i = 0; i < nr; i++) {
		struct sim_event *event = sim__event(fds[i].fd);

		if (event)
			fds[i].revents = sim__hangs_up(event)
						 ? POLLHUP
						 : sim__take_ready(event) & fds[i].events;
		ready += fds[i].revents != 0;
	}
	return ready;
}

/*
 * Return: the time for waits. Only the first thread's waits are stepped: other threads wait in real
 * time.
 */
static int64_t now(bool stepped)
{
	return stepped ? clock__now() : raw_clock(CLOCK_MONOTONIC);
}

/*
 * Wait in slices, so that a buffer can end the wait. @stepped: the wait takes no real time, since
 * no child is running
 */
static long wait_for_samples(struct pollfd *fds, nfds_t nr, int64_t ns, const unsigned long *mask,
			     bool stepped)
{
	int64_t start = now(stepped);

	for (;;) {
		int64_t rest = ns == FOREVER ? SLICE_NS : ns - (now(stepped) - start);
		int64_t slice = rest < 0 ? 0 : rest < SLICE_NS ? rest : SLICE_NS;
		bool hangs_up = look_after_buffers(fds, nr);
		int64_t real = hangs_up || (stepped && ns != FOREVER) ? 0
			       : stepped			      ? BREATH_NS
								      : slice;
		long rc = kernel_poll(fds, nr, real, mask), ready = 0;

		if (rc < 0)
			return rc;
		if (rc || hangs_up)
			ready = interpose_wait__settle(fds, nr);
		if (ready || rest <= 0)
			return ready;
		if (stepped)
			clock__pass(slice);
	}
}

static long wait_real(struct pollfd *fds, nfds_t nr, int64_t ns, const unsigned long *mask)
{
	if (nr && has_buffers())
		return wait_for_samples(fds, nr, ns, mask, false);
	return kernel_poll(fds, nr, ns, mask);
}

/*
 * Find out whether a wait ends before any child does. Then only the clock and samples can end it,
 * as without children.
 */
static bool ends_before_children(int64_t ns)
{
	uint64_t next = child__next_end(), now = clock__now();

	return next != CHILD_ENDS_AS_IT_DOES && ns != FOREVER && now + ns < next;
}

/*
 * Wait in real time until started children have executed their programs: their events count from
 * then on.
 */
static long wait_for_starts(struct pollfd *fds, nfds_t nr, const unsigned long *mask)
{
	long rc = 0;

	for (int i = 0; !rc && i < NR_BREATHS && child__any_starting(); i++)
		rc = kernel_poll(fds, nr, BREATH_NS, mask);
	return rc;
}

/*
 * Wait until a child has really ended, or a descriptor or signal ends the wait. Perhaps no signal
 * reports the end of the child.
 */
static long interpose_wait__wait_for_end(struct pollfd *fds, nfds_t nr, const unsigned long *mask)
{
	bool ended;
	long rc;

	/*
	 * A signal that comes with the end of the child is delivered in this wait, not in the next
	 * one.
	 */
	do {
		ended = child__has_ended();
		rc = kernel_poll(fds, nr, ended ? 0 : PATIENCE_NS, mask);
	} while (!rc && !ended);
	return rc;
}

/*
 * Wait with a stepped clock. Without a child, only the clock and samples can end the wait, which
 * returns immediately. With a child the wait is real. Stepped time advances by the timeout, or by a
 * step if the child or a signal ends the wait. If children have lengths, it advances to the end of
 * the next child. Waits of further threads are real and do not move the clock: two threads would
 * move it without limit.
 */
static long wait_stepped(struct pollfd *fds, nfds_t nr, int64_t ns, const unsigned long *program)
{
	unsigned long mask;
	bool have_lengths = child__next_end() != CHILD_ENDS_AS_IT_DOES;
	bool early = ends_before_children(ns);
	bool children = child__any_running() && !early, samples = nr && has_buffers();
	long rc;

	if (raw_gettid() != RAW(SYS_getpid, 0, 0, 0, 0))
		return wait_real(fds, nr, ns, program);
	if (has_buffers() && ns)
		sideband__await();
	interpose__wait_mask(&mask);
	if (program)
		mask = interpose__is_held() ? *program & ~SIGCHLD_BIT : *program;
	if (early)
		mask |= SIGCHLD_BIT;
	rc = early ? wait_for_starts(fds, nr, &mask) : 0;
	if (rc)
		return rc;
	if (samples && !children)
		rc = wait_for_samples(fds, nr, ns, &mask, true);
	else if (have_lengths && children)
		rc = interpose_wait__wait_for_end(fds, nr, &mask);
	else
		rc = kernel_poll(fds, nr, children || ns == FOREVER ? ns : 0, &mask);
	/* If a descriptor ended the wait and no child did, the clock does not move. */
	if (early || (have_lengths && rc > 0) || !child__see_ends()) {
		if (!rc && !(samples && !children))
			clock__pass(ns);
		if (!rc && ns != FOREVER && ns)
			clock__pass(faults__lateness(&sim.faults));
		else if (rc == -EINTR)
			clock__pass(clock__step_ns());
	}
	interpose__let_children_end();
	pump();
	return rc > 0 && samples && children ? interpose_wait__settle(fds, nr) : rc;
}

INTERPOSE int ppoll(struct pollfd *fds, nfds_t nr, const struct timespec *timeout,
		    const sigset_t *mask)
{
	bool stepped = interpose__is_stepped();

	if (!stepped && !has_buffers())
		return NEXT(ppoll)(fds, nr, timeout, mask);
	return interpose__result((stepped ? wait_stepped : wait_real)(
		fds, nr, timeout ? timespec_ns(timeout) : FOREVER, (const unsigned long *)mask));
}

INTERPOSE int poll(struct pollfd *fds, nfds_t nr, int timeout)
{
	struct timespec ts = { timeout / 1000, timeout % 1000 * 1000000L };

	if (!interpose__is_stepped() && !has_buffers())
		return NEXT(poll)(fds, nr, timeout);
	return ppoll(fds, nr, timeout < 0 ? NULL : &ts, NULL);
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

INTERPOSE int epoll_pwait(int fd, struct epoll_event *events, int max, int timeout,
			  const sigset_t *mask)
{
	struct timespec ts = { timeout / 1000, timeout % 1000 * 1000000L };
	struct pollfd ready = { .fd = fd, .events = POLLIN };
	int rc;

	if (!interpose__is_stepped() && !has_buffers())
		return NEXT(epoll_pwait)(fd, events, max, timeout, mask);
	rc = ppoll(&ready, 1, timeout < 0 ? NULL : &ts, mask);
	if (rc > 0)
		rc = NEXT(epoll_wait)(fd, events, max, 0);
	if (rc > 0 && has_buffers()) {
		SIM_HOLD();
		sim__take_all_ready();
	}
	return rc;
}

INTERPOSE int epoll_wait(int fd, struct epoll_event *events, int max, int timeout)
{
	if (!interpose__is_stepped() && !has_buffers())
		return NEXT(epoll_wait)(fd, events, max, timeout);
	return epoll_pwait(fd, events, max, timeout, NULL);
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

	if (!interpose__is_stepped() || !clock__read(id, &now)) {
		rc = NEXT(clock_nanosleep)(id, flags, request, left);
		pump();
		return rc;
	}
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
	return interpose__result(-clock_nanosleep(CLOCK_MONOTONIC, 0, request, left));
}

INTERPOSE int usleep(useconds_t us)
{
	struct timespec request = { us / 1000000, us % 1000000 * 1000L };

	return nanosleep(&request, NULL);
}

INTERPOSE unsigned int sleep(unsigned int seconds)
{
	unsigned int left = 0;

	if (interpose__is_stepped())
		sleep_stepped(seconds * 1000000000LL);
	else
		left = NEXT(sleep)(seconds);
	pump();
	return left;
}
