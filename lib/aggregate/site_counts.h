/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Make counts of events at each site, in the form that a report takes those of CPUs and threads in,
 * with their errors. The input is samples of events, each with the row of its site, and the counts
 * of the whole run. Pure calculation.
 *
 * The count of an event in a group with cycles is, at a site, the ratio of the event's samples to
 * those of the group's cycles, times the cycles of the site: so it does not matter for which part
 * of the time the group had a turn. All other events are divided by their own samples.
 */
#ifndef TMA_AGGREGATE_SITE_COUNTS_H
#define TMA_AGGREGATE_SITE_COUNTS_H

#include "count/count.h"
#include "where/sites.h"

#define SITE_BLOCKS 32 /* parts of a row's time, from whose differences errors are found */
#define SITE_LEAST_SAMPLES 10 /* of a group's cycles at a site, below which ratios are unknown */

/**
 * struct site_event - how an event is sampled
 * @cycles: number of the event that counts cycles in its group; -1 if there is none
 * @pool:   number of its core type: cycles of all groups of a core type are added up
 * @sampled: it has samples of its own; other events have no counts at sites
 */
struct site_event {
	int cycles, pool;
	bool sampled;
};

/**
 * struct site_layout - what rows and events there are
 * @events: @nr_events of them; @nr_rows: sites, of which the last may be the sum of many others
 * @nr_pools: core types
 */
struct site_layout {
	const struct site_event *events;
	int nr_events, nr_rows, nr_pools;
};

/**
 * struct site_counts - the counts of a row of time
 * @counts:  of (event, site); @blocks: how they vary, which counts.blocks points to
 * @near:    sites that may have samples of events at other sites, so that their ratios are unknown;
 *           set by the caller
 * @samples: of cycles at each site, or of the clock without cycles
 * @shares:  of all cycles, at each site, 0 to 1; @share_errors: half the widths of their
 *           90 % intervals
 * @sampled: for each event, the sum of its samples as a share of its own count; NAN if unknown
 */
struct site_counts {
	struct site_layout layout;
	struct counts counts;
	struct count_blocks blocks;
	double *samples, *shares, *share_errors, *sampled;
	double *steps, *weights, *numbers, *pooled, *moves, *grains;
	int *used;
	bool *near;
};

/**
 * site_counts__init() - allocate room. @layout: its events must outlive @c. site_counts__free() it.
 */
void site_counts__init(struct site_counts *c, const struct site_layout *layout);
void site_counts__free(struct site_counts *c);
/**
 * site_counts__make() - find the counts of a row
 * @samples: in any order; @row_of: row of each place, or -1 to leave its samples out
 * @whole:  the run's own counts of that time
 * @idle:   for each event, the count that its samples on idle CPUs represent
 */
void site_counts__make(struct site_counts *c, const struct site_samples *samples,
		       const int *row_of, const struct counts *whole, const double *idle);

#endif
