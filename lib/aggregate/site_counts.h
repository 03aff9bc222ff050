/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Samples of events, each with the row of its site, and the run's own counts come in; counts of
 * events at each site go out, as a report takes those of CPUs and threads, with how far off they
 * may be. Pure calculation.
 *
 * An event of a group that has cycles is, at a site, the ratio of its samples to those of the
 * group's cycles, times the cycles of the site: so that it does not matter for which part of the
 * time the group had a turn. All other events are shared out by their own samples.
 */
#ifndef TMA_AGGREGATE_SITE_COUNTS_H
#define TMA_AGGREGATE_SITE_COUNTS_H

#include "count/count.h"
#include "where/sites.h"

#define SITE_BLOCKS 32 /* of the time of a row, which errors are found from */
#define SITE_LEAST_SAMPLES 10 /* of cycles of a group at a site, for any ratio to be known */

/**
 * struct site_event - what is known of an event
 * @cycles: number of the event that counts cycles in its group; -1 for none
 * @pool:   number of what its cycles are of, a core type: those of all its groups are put together
 * @sampled: it samples itself; others are not known of sites
 */
struct site_event {
	int cycles, pool;
	bool sampled;
};

/**
 * struct site_layout - what rows and events there are
 * @events: @nr_events of them; @nr_rows: sites, of which the last one may stand for many others
 * @nr_pools: core types
 */
struct site_layout {
	const struct site_event *events;
	int nr_events, nr_rows, nr_pools;
};

/**
 * struct site_counts - the counts of a row of time
 * @counts:  of (event, site); @blocks: how they vary; counts.blocks points there
 * @near:    sites where samples may be found of what happened at others: no ratio is known of
 *           them; set by the caller
 * @samples: of cycles at each site; of the clock where there are no cycles
 * @shares:  of all cycles, at each site, 0 to 1; @share_errors: half the widths of their
 *           intervals of 90 %
 * @sampled: of each event, the sum of its samples as a share of what it counted itself; NAN where
 *           that is not known
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

/** site_counts__init() - make room. @layout: its events must outlive it. site_counts__free() it. */
void site_counts__init(struct site_counts *c, const struct site_layout *layout);
void site_counts__free(struct site_counts *c);
/**
 * site_counts__make() - find the counts of a row
 * @samples: in any order; @row_of: of each by its place, or -1 for one that is left out
 * @whole:  what the run's own counters counted in that time
 * @idle:   of each event, what its samples of idle CPUs stand for
 */
void site_counts__make(struct site_counts *c, const struct site_samples *samples,
		       const int *row_of, const struct counts *whole, const double *idle);

#endif
