/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Sets of events, of which one is counted at a time (attached where they take turns). Counters and
 * the time come in; at the end of a turn the counters of the next set run, and after a read the
 * samples are estimates for the time of all turns.
 */
#ifndef TMA_COUNT_ROTATE_H
#define TMA_COUNT_ROTATE_H

#include "count/count.h"

struct counter_list;
struct rotation;

/**
 * counters__leave_out() - split groups of which only a part is in each of several sets
 *
 * If sets take no turns, the counters of all sets but the counted one are left out.
 */
void counters__leave_out(struct counter_list *counters, const struct count_options *opts);
/**
 * rotation__open_each() - open the counters of each set once, closing those of the one before
 *
 * Later, counters are closed and opened with turns. This shows, before the start, what the kernel
 * refuses of any set.
 *
 * Return: 0 or -errno.
 */
int rotation__open_each(struct rotation *r, struct err *err);
/** rotation__enabled_ns() - return how long a unit was enabled. */
uint64_t rotation__enabled_ns(struct rotation *r, int unit);
/** rotation__finish() - (step of a read) scale what was counted in turns to the whole time. */
void rotation__finish(void *self, struct counts *total);

#endif
