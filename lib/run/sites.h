/* SPDX-License-Identifier: GPL-2.0-only */
/* The files of lib/run which make rows of code share this. */
#ifndef TMA_RUN_SITES_H
#define TMA_RUN_SITES_H

#include "aggregate/site_counts.h"
#include "base/sb.h"
#include "run/internal.h"
#include "where/sites.h"

#define MOST_ROWS 256 /* sites with a row of their own at most; all others share one */

/**
 * struct run_sites - the sites of a run
 * @sites:   what was sampled
 * @sums:    of everything, for the choice of periods
 * @report:  has a row for each slot, and one for all others, the last
 * @slots:   the row of each site, or -1; @nr_slots: of them; @names: of the rows
 * @most:    sites with a row of their own in this run; @least_share: of the time, for that
 * @row_of:  of each sample its row; @ids, @comms: of the units that are sites
 * @has_cycles: some group has them; @nr_pools: kinds of cycles
 * @totals:  of what was sampled; @told_lost, @told_throttled, @told_user, @told_precision: that was
 *           said
 * @told:    what was said of names that are missing
 */
struct run_sites {
	struct run *run;
	struct sites *sites;
	struct site_event *events;
	struct site_counts counts;
	struct locate_sink sink;
	struct sums *sums;
	struct report *report;
	VEC(int) slots;
	int nr_slots, nr_pools, most;
	double least_share;
	char *names[MOST_ROWS + 1];
	VEC(int) row_of;
	int ids[MOST_ROWS + 1];
	const char *comms[MOST_ROWS + 1];
	bool has_cycles, told_lost, told_throttled, told_user, told_precision;
	struct located_totals totals;
	struct sb told;
};

#endif
