/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Times of counters that count one cgroup on CPUs. The times that were read come in, and are
 * corrected: no time grows by more than the time between two reads.
 */
#ifndef TMA_COUNT_CGROUP_TIME_H
#define TMA_COUNT_CGROUP_TIME_H

#include "count/count.h"

/**
 * cgroup_times__limit() - (a step of a read) limit the growth of each time to what the clock says
 *
 * Software events run whenever they are enabled. A hardware event that waited for a counter is
 * assumed to have been enabled for the whole row.
 */
void cgroup_times__limit(void *self, struct counts *total);

/**
 * cgroup_times__follow() - count cgroups again that were removed and made again with the same name.
 */
void cgroup_times__follow(void *self, struct counts *total);
/** cgroup_times__before_sleep() - (attachment) follow cgroups each second while nothing is read. */
uint64_t cgroup_times__before_sleep(void *self, uint64_t now_ns, uint64_t deadline_ns);

#endif
