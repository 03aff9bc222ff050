/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Sets of events, of which one is counted at a time (attached where they take turns). Counters and
 * the time come in; at the end of a turn the counters of the next set run, and after a read the
 * samples stand for the time of all turns.
 */
#ifndef TMA_COUNT_ROTATE_H
#define TMA_COUNT_ROTATE_H

#include "count/count.h"

struct counter_list;
struct rotation;

/**
 * counters__leave_out() - take apart groups which are in several sets in part
 *
 * Where sets take no turns, the counters of other sets than the one that is counted are left out.
 */
void counters__leave_out(struct counter_list *counters, const struct count_options *opts);
/**
 * rotation__open_each() - open the counters of each set once, closing those of the one before
 *
 * From then on counters are closed and opened with turns. What the kernel refuses of any set is so
 * known before the start.
 *
 * Return: 0 or -errno.
 */
int rotation__open_each(struct rotation *r, struct err *err);
/** rotation__enabled_ns() - for how long a unit was enabled. */
uint64_t rotation__enabled_ns(struct rotation *r, int unit);
/** rotation__finish() - a step of a read: what was counted in turns stands for all of the time. */
void rotation__finish(void *self, struct counts *total);

#endif
