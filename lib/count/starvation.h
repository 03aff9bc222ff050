/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Groups that the kernel accepts and never schedules: the workaround of an erratum, a virtual
 * machine or other users of counters leave no room for them, which shows only in their times
 * (attached if count_options.watch_groups asks for it and there are groups). Times that were read
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
 * They are split before the next wait. At the end of the run they are only reported.
 */
void starvation__find(void *self, struct counts *total);
/** starvation__take() - use times that were read for another reason: @n bytes of a reading. */
void starvation__take(struct starvation *v, const struct reading *r, ssize_t n);

#endif
