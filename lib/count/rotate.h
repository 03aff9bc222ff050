/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Sets of events, which are counted one at a time (attached if the sets take turns). Counters and
 * the time come in. At the end of a turn the counters of the next set are enabled, and after a read
 * the samples are estimates for the time of all turns.
 */
#ifndef TMA_COUNT_ROTATE_H
#define TMA_COUNT_ROTATE_H

#include "count/count.h"

struct counter_list;
struct rotation;

/**
 * counters__leave_out() - split a group if only a part of it is in some set
 *
 * If the sets take no turns, the counters of all sets except the counted set are left out.
 */
void counters__leave_out(struct counter_list *counters, const struct count_options *opts);
/**
 * rotation__open_each() - open the counters of each set once, and close those of the previous set
 *
 * Later, counters are closed and opened when the turn changes. This call shows, before the start,
 * what the kernel refuses of any set.
 */
int rotation__open_each(struct rotation *r, struct err *err);
/** rotation__enabled_ns() - return how long a unit was enabled. */
uint64_t rotation__enabled_ns(struct rotation *r, int unit);
/** rotation__finish() - (step of a read) scale the counts of turns to the whole time. */
void rotation__finish(void *self, struct counts *total);

#endif
