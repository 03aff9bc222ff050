/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A report puts sums, values and verdicts into a grid, once for each row of time.
 *
 * In come a plan, and then the samples of rows and their times; out comes a grid (grid/grid.h),
 * which writers print. The report owns it all.
 */
#ifndef TMA_REPORT_REPORT_H
#define TMA_REPORT_REPORT_H

#include "aggregate/sums.h"
#include "grid/grid.h"
#include "verdict/verdicts.h"

struct report;

/**
 * struct report_options - what is computed
 * @wants:      what the writer asks for, see enum grid_want
 * @aggr:       what a row stands for; @cache_level: of AGGR_CACHE: 1 to 4, 0 for the last
 * @by_process: (AGGR_THREAD) threads of one process share a row
 * @metric_only: counts are not printed; @topdown: and columns are in the order of the TopDown tree
 * @no_merge:   instances of uncore PMUs stay apart
 * @no_threshold: metrics are not held against their thresholds
 * @no_scale:   counts of events that took turns are no estimates
 * @turns:      how far off each value of events that took turns may be is found out from their
 *              turns (struct counts.slices), for whoever asks
 * @recorded:   counts are of a recording, which has no slices: it is assumed how rates vary
 * @estimate:   what metrics are made of when events took turns
 * @error:      it is printed too, and looked at before a metric is called over its threshold;
 *              needs @turns
 * @verdict:    report__conclude() will be called, which asks; intervals are looked at for it
 * @fit:        it is looked whether the values of a run fit each other (grid.notes.misfits)
 * @percore_threads: rows of events with the term percore stand for threads all the same
 * @skip_idle:  no rows for counts of 0: most of all threads did not run
 * @runs:       several runs are counted (report__add_run()): every row says how far they spread
 * @interval:   rows are of intervals
 * @default_events: the plan's events are those of a run without -e
 * @no_ratios:  an event has no ratios that need no table
 * @rotated:    sets of events took turns
 * @latency_mode: what stands for the retire latencies of a row
 * @restarts, @lost_ns: of the grid: this measurement is one of several, one after the other
 * @min_running: least share of its time, in percent, that an event must have had a counter for
 * @hint:       what a verdict says of a recording whose first level does not add up; or NULL
 * @again, @read, @program: parts of the command that a verdict says to run next, see struct
 *              verdicts_options
 * @nr_passes:  events were counted in so many runs of the command, each in its own; 0: in one
 * @passes:     which events were in each of them; NULL without
 */
struct report_options {
	unsigned int wants;
	enum grid_aggr aggr;
	int cache_level, nr_passes;
	bool by_process, metric_only, topdown, no_merge, no_threshold, no_scale, turns, error,
		verdict, fit;
	bool percore_threads, skip_idle, runs, interval, default_events, no_ratios, rotated,
		recorded;
	enum latency_mode latency_mode;
	enum estimate_method estimate;
	uint64_t min_running, restarts, lost_ns;
	const struct sets *passes;
	const char *hint, *again, *read, *program;
};

/**
 * report__new() - make the rows and columns of a plan
 * @machine, @plan: must outlive the report
 * @session: opened, to tell why events are refused; NULL for counts of others
 * @units: the CPUs or threads that counts are of
 * @opts: copied
 *
 * Return: what report__free() releases.
 */
struct report *report__new(struct machine *machine, const struct plan *plan,
			   const struct session *session, const struct units *units,
			   const struct report_options *opts);
/** report__free() - release it; NULL is allowed. */
void report__free(struct report *r);
/**
 * report__take_refusals() - take over why a session that counts other events of the plan refuses
 * some.
 */
void report__take_refusals(struct report *r, const struct session *session);
/** report__regroup() - the session has taken groups apart: take over its groups and reasons. */
void report__regroup(struct report *r, const struct session *session);
/** report__grid() - give the grid, which lives as long as the report. */
const struct grid *report__grid(const struct report *r);
/** report__sums() - give what it is filled from, of the row at hand; it is the report's. */
struct sums *report__sums(const struct report *r);

/**
 * report__fill() - fill in the cells of an interval, of the run, or of the run behind its intervals
 * @is_total: the latter
 *
 * Allocates nothing, but for what does not fit in a run (@fit).
 */
void report__fill(struct report *r, const struct counts *counts, const struct row_time *time,
		  enum grid_span span, bool is_total);
/**
 * report__conclude() - make the verdicts: which part of the pipeline is the bottleneck, and how
 * sure that is
 * @counts: those of the whole run, with its slices where there are any
 */
void report__conclude(struct report *r, const struct counts *counts, const struct row_time *time);

/**
 * report__add_run() - add one run of several, which are printed together
 * @units: the units of this run: its threads may be others than those of the run before
 *
 * Return: 0; -ESTALE when the CPUs are not those of the first run.
 */
int report__add_run(struct report *r, const struct units *units, const struct counts *counts,
		    const struct row_time *time, struct err *err);
/**
 * report__fill_mean() - fill in the cells of the means of all runs added, and how far they spread
 *
 * The spread is the standard error of the mean, as a share of the mean, as in perf. A count missing
 * in one run is missing in the mean.
 */
void report__fill_mean(struct report *r);

#endif
