// SPDX-License-Identifier: GPL-2.0-only
/* Answer calls for the time with a stepped clock, and hold the signals of children. */
#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/times.h>

#include "sim/child.h"
#include "sim/clock.h"
#include "sim/interpose.h"
#include "sim/raw.h"
#include "sim/sim.h"

#define PUMP_NS 1000000

static bool held; /* this library has blocked SIGCHLD */

bool interpose__is_stepped(void)
{
	return sim.on && clock__is_stepped();
}

bool interpose__is_held(void)
{
	return held;
}

static unsigned long change_mask(int how, unsigned long mask)
{
	unsigned long old = 0;

	RAW(SYS_rt_sigprocmask, how, &mask, &old, SIGNALS_SIZE);
	return old;
}

void interpose__hold_sigchld(void)
{
	/* A program that has blocked SIGCHLD notices the end of children by other means. */
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

/*
 * Update buffers when the program reads the clock, since it may read buffers without a further
 * call.
 */
static void pump_now_and_then(void)
{
	static uint64_t last;
	uint64_t now;

	if (!sim.on || !__atomic_load_n(&sim.rings.nr, __ATOMIC_RELAXED))
		return;
	now = raw_clock(CLOCK_MONOTONIC);
	if (now - last < PUMP_NS || !sim__try_lock())
		return;
	last = now;
	sim__pump();
	sim__unlock();
}

INTERPOSE int clock_gettime(clockid_t id, struct timespec *ts)
{
	if (interpose__is_stepped() && clock__read(id, ts))
		return 0;
	pump_now_and_then();
	return NEXT(clock_gettime)(id, ts);
}

INTERPOSE int gettimeofday(struct timeval *tv, void *zone)
{
	struct timespec ts;

	if (!interpose__is_stepped())
		return NEXT(gettimeofday)(tv, zone);
	clock__read(CLOCK_REALTIME, &ts);
	tv->tv_sec = ts.tv_sec;
	tv->tv_usec = ts.tv_nsec / 1000;
	return 0;
}

INTERPOSE time_t time(time_t *out)
{
	struct timespec ts;

	if (!interpose__is_stepped())
		return NEXT(time)(out);
	clock__read(CLOCK_REALTIME, &ts);
	if (out)
		*out = ts.tv_sec;
	return ts.tv_sec;
}

/* The program's own computations take no stepped time. */
INTERPOSE int getrusage(__rusage_who_t who, struct rusage *usage)
{
	if (!interpose__is_stepped())
		return NEXT(getrusage)(who, usage);
	memset(usage, 0, sizeof(*usage));
	return 0;
}

INTERPOSE clock_t times(struct tms *out)
{
	if (!interpose__is_stepped() || !out)
		return NEXT(times)(out);
	memset(out, 0, sizeof(*out));
	return clock__now() / 10000000;
}
