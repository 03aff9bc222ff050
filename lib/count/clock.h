/* SPDX-License-Identifier: GPL-2.0-only */
/* The clock of a run, and the processes other than the command whose end a wait notices. */
#ifndef TMA_COUNT_CLOCK_H
#define TMA_COUNT_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

struct watch;

/**
 * struct run_clock - when a run began and ended
 * @start_ns, @end_ns: times on the monotonic clock; @end_ns is 0 while the run lasts
 * @counting: the run has started, and its delay is over
 */
struct run_clock {
	uint64_t start_ns, end_ns;
	bool counting;
};

/** clock__now_ns() - return the time now, on the monotonic clock. */
uint64_t clock__now_ns(void);
/**
 * run_clock__elapsed_ns() - return the time from the start to now, or to the end of an ended run; 0
 * before the start.
 */
uint64_t run_clock__elapsed_ns(const struct run_clock *clock);
/** watch__open() - open pidfds of the watched processes, and listen to @control_fd (0: none). */
void watch__open(struct watch *w, int control_fd);
void watch__free(struct watch *w);

#endif
