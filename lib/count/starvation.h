/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Groups that the kernel accepts and never schedules: the workaround of an erratum, a virtual
 * machine or other users of counters leave no room for them. Such a group shows only in its times
 * (attached if count_options.watch_groups is set and there are groups). The times that were read
 * come in; split groups, and messages on them, go out.
 */
#ifndef TMA_COUNT_STARVATION_H
#define TMA_COUNT_STARVATION_H

#include <sys/types.h>

#include "count/count.h"

struct reading;
struct starvation;

/**
 * starvation__find() - (step of a read) find groups whose turn never came
 *
 * The groups are split before the next wait. At the end of the run they are only reported.
 */
void starvation__find(void *self, struct counts *total);
/** starvation__take() - use the times in @n bytes that were read for another reason. */
void starvation__take(struct starvation *v, const struct reading *r, ssize_t n);

#endif
