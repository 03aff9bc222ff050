// SPDX-License-Identifier: GPL-2.0-only
#include "sim/clock.h"
#include "sim/raw.h"

/*
 * A stepped clock starts 1000 s after boot, at 2024-01-01 00:00:00 UTC, which is recognizably not
 * the real time.
 */
#define STEPPED_START 1000000000000ULL
#define STEPPED_EPOCH 1704067200000000000ULL

static uint64_t *stepped_now;
static uint64_t step, start;
static __thread uint64_t ahead; /* time by which this thread is ahead of the others, in ns */

void clock__init(uint64_t *now, uint64_t step_ns)
{
	step = step_ns;
	stepped_now = now;
	if (step)
		__atomic_store_n(stepped_now, STEPPED_START, __ATOMIC_RELAXED);
	start = clock__now();
}

bool clock__is_stepped(void)
{
	return step;
}

uint64_t clock__now(void)
{
	return step ? __atomic_load_n(stepped_now, __ATOMIC_RELAXED) : raw_clock(CLOCK_MONOTONIC);
}

uint64_t clock__start(void)
{
	return start;
}

static bool read_at(clockid_t id, uint64_t now, struct timespec *ts)
{
	switch (id) {
	case CLOCK_REALTIME:
	case CLOCK_REALTIME_COARSE:
	case CLOCK_TAI:
		now += STEPPED_EPOCH - STEPPED_START;
		break;
	case CLOCK_MONOTONIC:
	case CLOCK_MONOTONIC_RAW:
	case CLOCK_MONOTONIC_COARSE:
	case CLOCK_BOOTTIME:
		break;
	default:
		return false;
	}
	ts->tv_sec = now / 1000000000;
	ts->tv_nsec = now % 1000000000;
	return true;
}

bool clock__read(clockid_t id, struct timespec *ts)
{
	return read_at(id, clock__now() + ahead, ts);
}

int64_t clock__offset(clockid_t id)
{
	struct timespec ts;
	uint64_t now = clock__now();

	/*
	 * Two readings of the same clock differ by a few ns, which would put records out of order.
	 */
	if (id == CLOCK_MONOTONIC)
		return 0;
	if (!step)
		return raw_clock(id) - raw_clock(CLOCK_MONOTONIC);
	if (!read_at(id, now, &ts))
		return 0;
	return ts.tv_sec * 1000000000LL + ts.tv_nsec - now;
}

void clock__pass(uint64_t ns)
{
	__atomic_fetch_add(stepped_now, ns, __ATOMIC_RELAXED);
}

void clock__run(uint64_t ns)
{
	ahead += ns;
}

uint64_t clock__step_ns(void)
{
	return step;
}
