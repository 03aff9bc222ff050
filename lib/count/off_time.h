/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Counters may be off for a part of a run: --control and -D -1. Times that go with counts, and what
 * they are divided by, are those in which they were on.
 */
#ifndef TMA_COUNT_OFF_TIME_H
#define TMA_COUNT_OFF_TIME_H

#include <stdbool.h>
#include <stdint.h>

/**
 * struct off_time - for how long something was off since the start
 * @ns: up to when it was last on; @since_ns: on the monotonic clock, when it went off; 0 while on
 */
struct off_time {
	uint64_t ns, since_ns;
};

/** off_time__switch() - it goes on or off now, or stays that. */
static inline void off_time__switch(struct off_time *off, bool on, uint64_t now_ns)
{
	if (on && off->since_ns)
		off->ns += now_ns - off->since_ns;
	if (on)
		off->since_ns = 0;
	else if (!off->since_ns)
		off->since_ns = now_ns;
}

/** off_time__until() - for how long it was off up to a time; 0 for what was on all along. */
static inline uint64_t off_time__until(const struct off_time *off, uint64_t now_ns)
{
	bool now_off = off->since_ns && now_ns > off->since_ns;

	return off->ns + (now_off ? now_ns - off->since_ns : 0);
}

#endif
