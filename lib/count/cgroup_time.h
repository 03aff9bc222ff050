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
 * A counter that ran whenever it was enabled is counted in any case. Of any other the share of time
 * is not known then: its sample is lost (SAMPLE_LOST), and a warning says so.
 */
void cgroup_times__bound(void *self, struct counts *total);

#endif
