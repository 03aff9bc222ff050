/* SPDX-License-Identifier: GPL-2.0-only */
/* The samples of a window of time. There may be too many to keep each sample. */
#ifndef TMA_WHERE_SITE_TIME_H
#define TMA_WHERE_SITE_TIME_H

#include "where/sites.h"

#define MOST_SAMPLES (1 << 20) /* the most samples of a window */

/**
 * struct site_time - the samples of a window
 * @block_ns: length of the blocks within which samples are added up; 0: samples are not added up
 * @idle:  for each event, its count while CPUs were idle
 * @random: state of the generator that decides which of two samples represents both
 */
struct site_time {
	struct site_samples samples;
	uint64_t block_ns, random;
	double *idle;
};

/**
 * site_time__thin_out() - keep fewer samples, at most half of MOST_SAMPLES
 *
 * Samples of an event at one address within a short time are added up. If this is not enough, the
 * time is longer. If there are still too many samples, one of two samples represents both.
 */
void site_time__thin_out(struct site_time *t);

#endif
