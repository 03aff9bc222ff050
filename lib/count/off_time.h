/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Counters may be off for a part of a run (--control, -D -1). Times in a struct counts, and times
 * that counts are divided by, cover only the time in which the counters were on.
 */
#ifndef TMA_COUNT_OFF_TIME_H
#define TMA_COUNT_OFF_TIME_H

#include <stdbool.h>
#include <stdint.h>

/**
 * struct off_time - how long a counter was off since the start
 * @ns: sum of the times off that have ended
 * @since_ns: when the counter went off, on the monotonic clock; 0 while it is on
 */
struct off_time {
	uint64_t ns, since_ns;
};

/**
 * off_time__switch() - record that the counter is on or off from now; nothing changes if it already
 * was.
 */
static inline void off_time__switch(struct off_time *off, bool on, uint64_t now_ns)
{
	if (on && off->since_ns)
		off->ns += now_ns - off->since_ns;
	if (on)
		off->since_ns = 0;
	else if (!off->since_ns)
		off->since_ns = now_ns;
}

/** off_time__until() - return how long the counter was off up to a time; 0 if it was always on. */
static inline uint64_t off_time__until(const struct off_time *off, uint64_t now_ns)
{
	bool now_off = off->since_ns && now_ns > off->since_ns;

	return off->ns + (now_off ? now_ns - off->since_ns : 0);
}

#endif
