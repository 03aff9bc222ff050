/* SPDX-License-Identifier: GPL-2.0-only */
/* The files of lib/run which make rows of code share this. */
#ifndef TMA_RUN_SITES_H
#define TMA_RUN_SITES_H

#include "aggregate/site_counts.h"
#include "base/sb.h"
#include "run/internal.h"
#include "where/sites.h"

#define MOST_ROWS 64 /* sites with a row of their own; all others share one */

/**
 * struct run_sites - the sites of a run
 * @sites:   what was sampled; NULL where it is recorded alone
 * @sums:    of everything, for the choice of periods
 * @report:  has a row for each slot, and one for all others, the last
 * @slots:   the row of each site, or -1; @nr_slots: of them; @names: of the rows
 * @row_of:  of each sample its row; @ids, @comms: of the units that are sites
 * @has_cycles: some group has them; @nr_pools: kinds of cycles
 * @sampling: how, and what, as of the last row
 * @told_lost, @told_throttled, @told_user, @told_precision: that was said
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
	int nr_slots, nr_pools;
	char *names[MOST_ROWS + 1];
	VEC(int) row_of;
	int ids[MOST_ROWS + 1];
	const char *comms[MOST_ROWS + 1];
	bool has_cycles, told_lost, told_throttled, told_user, told_precision;
	struct recorded_sampling sampling;
	struct sb told;
};

/* Rows are made of a session's samples, or of a recording's (sites_source.c). */

/** run_sites__is_sampled() - whether an event has samples. */
bool run_sites__is_sampled(const struct run *run, int event);
/** run_sites__leader() - the leader of the group that an event was counted in. */
int run_sites__leader(const struct run *run, int event);
/** run_sites__counts_cycles() - whether it counts the cycles of cores. */
bool run_sites__counts_cycles(const struct run *run, int event);
/** run_sites__supported() - whether an event was counted. */
bool run_sites__supported(const struct run *run, int event);
/** run_sites__is_precise() - whether its samples are where it happened. */
bool run_sites__is_precise(const struct run *run, int event);
/** run_sites__is_of_cpus() - whether CPUs were sampled, whatever ran there. */
bool run_sites__is_of_cpus(const struct run *run);
/** run_sites__sampling() - how events were sampled, and what was sampled so far. */
struct recorded_sampling run_sites__sampling(const struct run *run);
/** run_sites__take() - record samples, and put them to sites. @self: struct run_sites */
void run_sites__take(void *self, struct sample_records *records);

#endif
