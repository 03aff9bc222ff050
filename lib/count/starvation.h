/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Groups that the kernel takes and never schedules: an erratum's workaround, a virtual machine or
 * others who hold counters leave it no room for them, which shows in their times alone (attached
 * where count_options.watch_groups asks for it and there are groups). Times that were read come in;
 * groups that were taken apart, and words on them, go out.
 */
#ifndef TMA_COUNT_STARVATION_H
#define TMA_COUNT_STARVATION_H

#include <sys/types.h>

#include "count/count.h"

struct reading;
struct starvation;

/**
 * starvation__look() - a step of a read: find groups whose turn never came
 *
 * They are taken apart before the next wait. At the end of the run they are told of only.
 */
void starvation__look(void *self, struct counts *total);
/** starvation__take() - take the times that were read for another reason: @n bytes of a reading. */
void starvation__take(struct starvation *v, const struct reading *r, ssize_t n);

#endif
