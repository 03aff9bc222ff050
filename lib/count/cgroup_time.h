/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Times of counters which count one cgroup on CPUs. The times that were read come in; none is
 * longer afterwards than it was between two reads.
 */
#ifndef TMA_COUNT_CGROUP_TIME_H
#define TMA_COUNT_CGROUP_TIME_H

#include "count/count.h"

/**
 * cgroup_times__bound() - (a step of a read) leave out what a time went on by more than the clock
 *
 * Software events run whenever they are enabled. Of hardware events that waited for a counter, the
 * whole row is taken for the time that they were enabled.
 */
void cgroup_times__bound(void *self, struct counts *total);

/** cgroup_times__follow() - count cgroups that were made again under their names. */
void cgroup_times__follow(void *self, struct counts *total);
/** cgroup_times__before_sleep() - (attachment) the same each second, while nothing is read. */
uint64_t cgroup_times__before_sleep(void *self, uint64_t now_ns, uint64_t deadline_ns);

#endif
