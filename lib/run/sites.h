/* SPDX-License-Identifier: GPL-2.0-only */
/* Declarations for the files of lib/run that make rows of code. */
#ifndef TMA_RUN_SITES_H
#define TMA_RUN_SITES_H

#include "aggregate/site_counts.h"
#include "base/sb.h"
#include "run/internal.h"
#include "where/sites.h"

#define MOST_ROWS 256 /* most sites with a row of their own; all others share one */

/**
 * struct sites_past - the run's own counts over the last few rows, if a row has the samples of
 * several
 * @at:    all counts since the start, at the end of each row, [row % nr]
 * @since: time of each, ns since the start
 * @nr:    rows; 0 if a row covers only its own time; @row: rows so far
 * @counts: of the combined rows
 */
struct sites_past {
	struct counts *at;
	uint64_t *since, row;
	int nr;
	struct counts counts;
};

struct source_row;

/** sites_past__begin() - begin, with the counts at the start. sites_past__free() it. */
void sites_past__begin(struct sites_past *p, const struct session *session, int nr);
void sites_past__free(struct sites_past *p);
/** sites_past__take() - add a row. @wide: set to the counts and times over the combined rows. */
void sites_past__take(struct sites_past *p, const struct event_list *events,
		      const struct source_row *row, struct source_row *wide);

/**
 * struct run_sites - the sites of a run
 * @sites:   the samples; NULL if they are only recorded
 * @sums:    of everything, to choose periods from
 * @report:  has a row for each slot, and a last one for all others
 * @slots:   row of each site, or -1; @nr_slots: number of rows in use; @names: of the rows
 * @most:    most sites with a row of their own in this run; @least_share: of the time, to get one
 * @row_of:  row of each sample; @ids, @comms: of the units, which are sites
 * @has_cycles: some group has cycles; @nr_pools: kinds of cycles
 * @past:    counts of the rows that a row combines
 * @read_ns: when names were read last, @reading_ns: how long that took
 * @sampling: settings and totals, as of the last row
 * @noted_lost, @noted_throttled, @noted_user, @noted_precision, @noted_frequency: a note reported
 *          it
 * @told:    notes so far on missing names
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
	bool has_cycles, noted_lost, noted_throttled, noted_user, noted_precision, noted_frequency;
	struct sites_past past;
	uint64_t read_ns, reading_ns;
	struct recorded_sampling sampling;
	struct sb told;
};

/* Rows are made from the samples of a session, or of a recording (sites_source.c). */

/** run_sites__is_sampled() - whether an event has samples. */
bool run_sites__is_sampled(const struct run *run, int event);
/** run_sites__leader() - return the leader of the group that an event was counted in. */
int run_sites__leader(const struct run *run, int event);
/** run_sites__counts_cycles() - whether it counts the cycles of cores. */
bool run_sites__counts_cycles(const struct run *run, int event);
/** run_sites__supported() - whether an event was counted. */
bool run_sites__supported(const struct run *run, int event);
/** run_sites__is_precise() - whether its samples have the address where it happened. */
bool run_sites__is_precise(const struct run *run, int event);
/** run_sites__is_of_cpus() - whether CPUs were sampled, whatever ran there. */
bool run_sites__is_of_cpus(const struct run *run);
/** run_sites__sampling() - return how events were sampled, and the totals so far. */
struct recorded_sampling run_sites__sampling(const struct run *run);
/** run_sites__take() - record samples, and attribute them to sites. @self: struct run_sites */
void run_sites__take(void *self, struct sample_records *records);

#endif
