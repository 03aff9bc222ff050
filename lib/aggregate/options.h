/* SPDX-License-Identifier: GPL-2.0-only */
/* Options of a report, some of which lib/aggregate and lib/verdict use, too. */
#ifndef TMA_AGGREGATE_OPTIONS_H
#define TMA_AGGREGATE_OPTIONS_H

#include "count/count.h"
#include "grid/grid.h"

struct site_counts;
struct sets;

/* How counts of multiplexed events are estimated for metrics. */
enum estimate_method {
	ESTIMATE_TIME,	/* each event's count, scaled by time */
	ESTIMATE_JOINT, /* estimates from events that several groups have in common */
	ESTIMATE_NR,
};

/**
 * struct report_options - what is computed
 * @wants:      values that the writer asks for, see enum grid_want
 * @aggr:       the kind of rows; @cache_level: (AGGR_CACHE) 1 to 4, 0 for the last level
 * @by_process: (AGGR_THREAD) threads of one process share a row, which has the process's number
 * @sites:      counts of sites, made from samples, if rows are sites; else NULL
 * @metric_only: counts are not printed; @topdown: like @metric_only, with columns in the order of
 *              the TopDown tree
 * @no_merge:   each instance of an uncore PMU has its own columns
 * @no_threshold: metrics are not compared with their thresholds
 * @no_scale:   counts of multiplexed events are not scaled to the whole time
 * @turns:      errors of multiplexed events are computed from their turns (struct counts.slices)
 * @recorded:   counts come from a recording, which has no slices: the variation of rates is assumed
 * @estimate:   how counts of multiplexed events are estimated for metrics
 * @error:      errors are printed, and decide whether a metric is certainly over its threshold;
 *              needs @turns
 * @verdict:    report__conclude() will be called; intervals are evaluated for the verdict
 * @fit:        check whether the values of a run fit each other (grid.notes.misfits)
 * @percore_threads: a row is a thread even for events with the term percore
 * @skip_idle:  counts of 0 have no rows, since most of the threads did not run
 * @runs:       several runs are counted (report__add_run()): every row has the spread of the runs
 * @interval:   each row covers an interval
 * @default_events: the plan has the events of a run without -e
 * @no_ratios:  the ratios that need no table, such as instructions per cycle, are left out
 * @perf7:      names in rows of -A are those of perf 7 ("cpu/inst_retired.any/"); the number of a
 *              row is its number of counters, which includes each box of a unit; the program's own
 *              times have no unit
 * @rotated:    tma itself multiplexed sets of events
 * @latency_mode: which statistic is used as the retire latency of a row
 * @restarts, @lost_ns: copied to the grid: the measurement was restarted this often, with this much
 *              time lost
 * @min_running: an event is not counted if it had a counter for a smaller share of its time, in %
 * @hint:       remedy that the verdict names if the first level of a recording does not add up; or
 *              NULL
 * @again:      the command, up to its metrics, that measures the same target, for the verdict's
 *              advice; NULL for "tma stat"
 * @read:       the command, up to its metrics, that reads the recording; NULL for "tma stat report"
 * @program:    the end of these commands, after the metrics, " -- ./program"; NULL for nothing
 * @nr_passes:  number of runs of the command over which the events were distributed; 0: one run
 * @passes:     which events each of these runs counted; NULL for one run
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
