/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Options of a report, for the floors that its rows pass through: sums, verdicts and the report
 * each use those that concern them.
 */
#ifndef TMA_AGGREGATE_OPTIONS_H
#define TMA_AGGREGATE_OPTIONS_H

#include "count/count.h"
#include "grid/grid.h"

struct site_counts;
struct sets;

/* How counts of multiplexed events are estimated for metrics. */
enum estimate_method {
	ESTIMATE_TIME,	/* its count, scaled by time */
	ESTIMATE_JOINT, /* from the common events of groups */
	ESTIMATE_NR,
};

/**
 * struct report_options - what is computed
 * @wants:      values that the writer asks for, see enum grid_want
 * @aggr:       the kind of rows; @cache_level: of AGGR_CACHE: 1 to 4, 0 for the last level
 * @by_process: (AGGR_THREAD) threads of one process share a row, whose number is the process's
 * @sites:      the sites that rows are of, whose counts are made from samples; else NULL
 * @metric_only: counts are not printed; @topdown: and columns are in the order of the TopDown tree
 * @no_merge:   instances of uncore PMUs have columns of their own
 * @no_threshold: metrics are not compared with their thresholds
 * @no_scale:   counts of multiplexed events are not scaled to the whole time
 * @turns:      errors of multiplexed events are found from their turns (struct counts.slices)
 * @recorded:   counts are of a recording, which has no slices: the variation of rates is assumed
 * @estimate:   how counts of multiplexed events are estimated for metrics
 * @error:      errors are printed, and considered before a metric is reported over its threshold;
 *              needs @turns
 * @verdict:    report__conclude() will be called; intervals are evaluated for its verdict
 * @fit:        check whether the values of a run fit each other (grid.notes.misfits)
 * @percore_threads: rows of events with the term percore are threads nevertheless
 * @skip_idle:  no rows for counts of 0, as most of all threads did not run
 * @runs:       several runs are counted (report__add_run()): every row has their spread
 * @interval:   rows are of intervals
 * @default_events: the plan's events are those of a run without -e
 * @no_ratios:  events have none of the ratios that need no table
 * @perf7:      names in rows of -A are perf 7's ("cpu/inst_retired.any/"), a row's number is that
 *              of counters, with each box of a unit, and the program's own times have no unit
 * @rotated:    tma itself multiplexed sets of events
 * @latency_mode: which statistic is used as the retire latency of a row
 * @restarts, @lost_ns: of the grid: this measurement is one of several, one after the other
 * @min_running: least share of its time, in %, that an event must have had a counter for
 * @hint:       remedy in verdicts of a recording whose first level does not add up; or NULL
 * @again:      the command, up to its metrics, that measures the same, for the verdict's advice on
 *              what to run next; NULL for "tma stat"
 * @read:       the command, up to its metrics, that reads the recording; NULL for "tma stat report"
 * @program:    what follows the metrics, " -- ./program"; NULL for nothing
 * @nr_passes:  events were counted in so many runs of the command, each in its own; 0: in one
 * @passes:     which events were in each of them; NULL without
 * @passes:     which events were in each of them; NULL without
 */
struct report_options {
	unsigned int wants;
	enum grid_aggr aggr;
	int cache_level, nr_passes;
	const struct site_counts *sites;
	bool by_process, metric_only, topdown, no_merge, no_threshold, no_scale, turns, error,
		verdict, fit;
	bool percore_threads, skip_idle, runs, interval, default_events, no_ratios, perf7,
		rotated, recorded;
	enum latency_mode latency_mode;
	enum estimate_method estimate;
	uint64_t min_running, restarts, lost_ns;
	const struct sets *passes;
	const char *hint, *again, *read, *program;
};

/** report_options__apart() - return whether each instance of an uncore event has its own sums. */
static inline bool report_options__apart(const struct report_options *o)
{
	return (o->aggr == AGGR_NONE || o->no_merge) && !o->metric_only;
}

/** report_options__asks_errors() - return whether errors of values will be needed. */
static inline bool report_options__asks_errors(const struct report_options *o)
{
	return o->error || o->verdict || o->turns;
}

#endif
