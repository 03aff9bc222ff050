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
 * struct sites_past - the run's own counts over the last few rows, where a row has the samples of
 * these
 * @at:    all counts since the start, at the end of each row, [row % nr]
 * @since: when that was, ns since the start
 * @nr:    rows; 0 where a row is of its own time alone; @row: rows so far
 * @counts: of the rows at hand
 */
struct sites_past {
	struct counts *at;
	uint64_t *since, row;
	int nr;
	struct counts counts;
};

struct source_row;

/** sites_past__begin() - begin, with what was counted at the start. sites_past__free() it. */
void sites_past__begin(struct sites_past *p, const struct session *session, int nr);
void sites_past__free(struct sites_past *p);
/** sites_past__take() - take a row. @wide: set: its counts and times over the rows at hand. */
void sites_past__take(struct sites_past *p, const struct event_list *events,
		      const struct source_row *row, struct source_row *wide);

/**
 * struct run_sites - the sites of a run
 * @sites:   what was sampled; NULL where it is recorded alone
 * @sums:    of everything, for the choice of periods
 * @report:  has a row for each slot, and one for all others, the last
 * @slots:   the row of each site, or -1; @nr_slots: of them; @names: of the rows
 * @most:    sites with a row of their own in this run; @least_share: of the time, for that
 * @row_of:  of each sample its row; @ids, @comms: of the units that are sites
 * @has_cycles: some group has them; @nr_pools: kinds of cycles
 * @past:    the counts of the rows that a row is of
 * @read_ns: when names were read last, @reading_ns: how long that took
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
	int nr_slots, nr_pools, most;
	double least_share;
	char *names[MOST_ROWS + 1];
	VEC(int) row_of;
	int ids[MOST_ROWS + 1];
	const char *comms[MOST_ROWS + 1];
	bool has_cycles, told_lost, told_throttled, told_user, told_precision;
	struct sites_past past;
	uint64_t read_ns, reading_ns;
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
