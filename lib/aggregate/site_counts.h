/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Make counts of events at each site, with their errors, in the form of counts of CPUs and threads.
 * The input is samples of events, each with the row of its site, and the counts of the whole run.
 * Pure calculation.
 *
 * If an event's group counts cycles, the event's count at a site is a ratio times the cycles of the
 * site. The ratio is the event's samples divided by the samples of the group's cycles. So it does
 * not matter for which part of the time the group had a turn. The count of any other event is
 * divided among sites by its own samples.
 */
#ifndef TMA_AGGREGATE_SITE_COUNTS_H
#define TMA_AGGREGATE_SITE_COUNTS_H

#include "count/count.h"
#include "where/sites.h"

#define SITE_BLOCKS 32 /* number of parts of a row's time whose differences show the errors */
#define SITE_LEAST_SAMPLES 10 /* a site with fewer samples of cycles has no ratios */

/**
 * struct site_event - how an event is sampled
 * @cycles: number of the event that counts cycles in the same group; or -1
 * @pool:   number of the event's core type, over whose groups cycles are added up
 * @sampled: the event has samples of its own; other events have no counts at sites
 */
struct site_event {
	int cycles, pool;
	bool sampled;
};

/**
 * struct site_layout - the rows and events of counts at sites
 * @events, @nr_events: how each event is sampled
 * @nr_rows: number of sites; the last one may be the sum of many small ones
 * @nr_pools: number of core types
 */
struct site_layout {
	const struct site_event *events;
	int nr_events, nr_rows, nr_pools;
};

/**
 * struct site_sum - the samples of an event at all sites, and what the event counted there
 * @weight: number of events that the samples represent; @idle: the part of @weight on idle CPUs
 * @samples: number of samples, without those on idle CPUs
 * @count: the count; @time_ns: how long the event counted, added up over threads or CPUs
 */
struct site_sum {
	double weight, idle, samples, count, time_ns;
};

/**
 * struct site_counts - counts of events at sites during one span of time
 * @counts:  for each event and site; @blocks: how they vary, for counts.blocks
 * @near:    for each site: it may have samples that belong to another site, so its ratios are
 *           unknown; set by the caller
 * @samples: number of samples of cycles at each site; without cycles, samples of the clock
 * @shares:  each site's share of all cycles, 0 to 1; @share_errors: half the widths of the 90 %
 *           intervals of @shares
 * @sampled: for each event, the sum over all sites; 0 if the event is not sampled
 */
struct site_counts {
	struct site_layout layout;
	struct counts counts;
	struct count_blocks blocks;
	double *samples, *shares, *share_errors;
	struct site_sum *sampled;
	double *steps, *weights, *numbers, *pooled, *moves, *grains;
	int *used;
	bool *near;
};

/**
 * site_counts__init() - allocate room, which site_counts__free() releases. @layout: its events must
 * outlive @c.
 */
void site_counts__init(struct site_counts *c, const struct site_layout *layout);
void site_counts__free(struct site_counts *c);
/**
 * site_counts__make() - compute the counts of sites
 * @samples: in any order; @row_of: row of each sample, or -1 to leave the sample out
 * @whole:  what the events counted over all sites
 * @idle:   for each event, the part of its count that samples on idle CPUs represent
 */
void site_counts__make(struct site_counts *c, const struct site_samples *samples,
		       const int *row_of, const struct counts *whole, const double *idle);
/** site_sum__add() - add the sum over another span of time. */
void site_sum__add(struct site_sum *to, const struct site_sum *from);
/** site_sum__part() - return the part of the count that samples represent; NAN if unknown. */
double site_sum__part(const struct site_sum *s);

#endif
