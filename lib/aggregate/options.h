/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A report's options go through the floors that its rows go through: sums, verdicts and the report
 * itself each look at what concerns them.
 */
#ifndef TMA_AGGREGATE_OPTIONS_H
#define TMA_AGGREGATE_OPTIONS_H

#include "count/count.h"
#include "grid/grid.h"

struct site_counts;
struct sets;

/* A metric is made of one of these where an event had a counter for a part of the time. */
enum estimate_method {
	ESTIMATE_TIME,	/* its count, scaled by time */
	ESTIMATE_JOINT, /* what follows from all that the groups have in common */
	ESTIMATE_NR,
};

/**
 * struct report_options - what is computed
 * @wants:      what the writer asks for, see enum grid_want
 * @aggr:       what a row stands for; @cache_level: of AGGR_CACHE: 1 to 4, 0 for the last
 * @by_process: (AGGR_THREAD) threads of one process share a row, whose number is the process's
 * @sites:      rows are of these, and made of their samples; else NULL
 * @metric_only: counts are not printed; @topdown: and columns are in the order of the TopDown tree
 * @no_merge:   instances of uncore PMUs stay apart
 * @no_threshold: metrics are not held against their thresholds
 * @no_scale:   counts of events that took turns are not scaled to all of the time
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
 * @perf7:      names in rows of -A are perf 7's ("cpu/inst_retired.any/"), a row's number is that of
 *              counters, with each box of a unit, and the program's own times have no unit
 * @rotated:    sets of events took turns
 * @latency_mode: what stands for the retire latencies of a row
 * @restarts, @lost_ns: of the grid: this measurement is one of several, one after the other
 * @min_running: least share of its time, in percent, that an event must have had a counter for
 * @hint:       what a verdict says of a recording whose first level does not add up; or NULL
 * @again:      the command that counts the same, up to its metrics, which a verdict says to run
 *              next; NULL for "tma stat"
 * @read:       the one that reads the recording, up to its metrics; NULL for "tma stat report"
 * @program:    what comes after the metrics, " -- ./program"; NULL for nothing
 * @nr_passes:  events were counted in so many runs of the command, each in its own; 0: in one
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

/** report_options__apart() - tell whether each instance of an uncore event has sums of its own. */
static inline bool report_options__apart(const struct report_options *o)
{
	return (o->aggr == AGGR_NONE || o->no_merge) && !o->metric_only;
}

/** report_options__asks_errors() - tell whether somebody will ask how far off values are. */
static inline bool report_options__asks_errors(const struct report_options *o)
{
	return o->error || o->verdict || o->turns;
}

#endif
