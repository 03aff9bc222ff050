/* SPDX-License-Identifier: GPL-2.0-only */
/* Declarations for the files of lib/run that make rows of code. */
#ifndef TMA_RUN_SITES_H
#define TMA_RUN_SITES_H

#include "aggregate/site_counts.h"
#include "base/sb.h"
#include "run/internal.h"
#include "where/sites.h"

#define MOST_ROWS 256 /* most sites with their own rows; all other sites share a row */

/**
 * struct sites_past - the counts of a run over its last few rows, if a row combines the samples of
 * several rows
 * @at:    counts since the start, at the end of each row: [row % nr]
 * @since: end of each row, in ns since the start
 * @nr:    number of rows that are combined; 0 without combining; @row: number of rows so far
 * @counts: counts of the combined rows
 */
struct sites_past {
	struct counts *at;
	uint64_t *since, row;
	int nr;
	struct counts counts;
};

struct source_row;

/** sites_past__begin() - begin with the counts at the start; sites_past__free() releases @p. */
void sites_past__begin(struct sites_past *p, const struct session *session, int nr);
void sites_past__free(struct sites_past *p);
/** sites_past__take() - add a row. @wide: set to the counts and times of the combined rows. */
void sites_past__take(struct sites_past *p, const struct event_list *events,
		      const struct source_row *row, struct source_row *wide);

/**
 * struct run_sites - the sites of a run
 * @sites:   the samples and their sites; NULL if samples are only recorded
 * @sums:    sums of everything, from which periods are chosen
 * @report:  report with a row for each slot, then a row for all other sites
 * @slots:   row of each site, or -1; @nr_slots: number of rows in use; @names: names of the rows
 * @most:    most sites with their own rows in this run; @least_share: least share of the time for a
 *           row
 * @row_of:  row of each sample; @ids, @comms: numbers and names of the units, which are sites
 * @sampled: for each event, the sum over all rows of time
 * @has_cycles: a group counts cycles; @nr_pools: number of kinds of cycles
 * @past:    counts over the rows that a row combines
 * @read_ns: when names were last read; @reading_ns: how long reading took
 * @retry_ns: when names that were not read in time are read again, or 0; @nr_doubled: how often the
 *           time for reading was doubled
 * @sampling: settings and totals at the last row
 * @noted_lost, @noted_throttled, @noted_user, @noted_precision, @noted_frequency: a note was made
 *           on lost samples, throttling, user space, events that are not precise, or a high
 *           frequency
 * @noted_names: notes on missing names so far
 */
struct run_sites {
	struct run *run;
	struct sites *sites;
	struct site_event *events;
	struct site_counts counts;
	struct site_sum *sampled;
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
	uint64_t retry_ns;
	int nr_doubled;
	struct recorded_sampling sampling;
	struct sb noted_names;
};

/**
 * run_sites__name() - find names for the samples of a window, unless reading would take a large
 * part of the time; note missing names
 */
void run_sites__name(struct run_sites *s, enum site_window window);

/* Facts on samples, which come from a session or from a recording (sites_source.c). */

/** run_sites__is_sampled() - whether an event has samples. */
bool run_sites__is_sampled(const struct run *run, int event);
/** run_sites__leader() - return the leader of the group that an event was counted in. */
int run_sites__leader(const struct run *run, int event);
/** run_sites__counts_cycles() - whether an event counts the cycles of cores. */
bool run_sites__counts_cycles(const struct run *run, int event);
/** run_sites__supported() - whether an event was counted. */
bool run_sites__supported(const struct run *run, int event);
/** run_sites__is_precise() - whether the samples of an event have the address where it happened. */
bool run_sites__is_precise(const struct run *run, int event);
/** run_sites__is_of_cpus() - whether everything on CPUs was sampled, not only tasks. */
bool run_sites__is_of_cpus(const struct run *run);
/** run_sites__sampling() - return the settings of the sampling, and totals so far. */
struct recorded_sampling run_sites__sampling(const struct run *run);
/** run_sites__take() - record samples, and attribute them to sites. @self: struct run_sites */
void run_sites__take(void *self, struct sample_records *records);

#endif
