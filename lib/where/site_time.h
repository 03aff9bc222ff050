/* SPDX-License-Identifier: GPL-2.0-only */
/* The samples of a window of time; there may be too many to keep each. */
#ifndef TMA_WHERE_SITE_TIME_H
#define TMA_WHERE_SITE_TIME_H

#include "where/sites.h"

#define MOST_SAMPLES (1 << 20) /* most samples of a window */

/**
 * struct site_time - the samples of a window
 * @block_ns: samples within a block of this length are added up; 0: not at all
 * @idle:  of each event, what it counted while CPUs were idle
 * @random: the state of the generator that chooses samples, where one represents two
 */
struct site_time {
	struct site_samples samples;
	uint64_t block_ns, random;
	double *idle;
};

/**
 * site_time__thin_out() - keep fewer samples, at most half of MOST_SAMPLES
 *
 * Samples of an event at an address within a short time are added up; within a longer time if that
 * is not enough. If there are still too many, one of two samples represents both.
 */
void site_time__thin_out(struct site_time *t);

#endif
