/* SPDX-License-Identifier: GPL-2.0-only */
/* Counts to rows: aggregation, metrics, and a writer for each format. */
#ifndef TMA_REPORT_REPORT_H
#define TMA_REPORT_REPORT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "count/count.h"
#include "plan/plan.h"

struct err;
struct sets;

/* The first three are perf's; tma-formats(5) describes all. */
enum report_format {
	REPORT_TEXT,
	REPORT_CSV,
	REPORT_JSON,
	REPORT_WIDE,   /* CSV: a line for each row, a column for each event and metric */
	REPORT_VALUES, /* JSON: an object for each value */
	REPORT_PROM,   /* Prometheus: what holds now */
	REPORT_NR_FORMATS,
};

/** report_format__name() - the name of --format. */
const char *report_format__name(enum report_format format);
/** report_format__find() - the format of that name, or -1. */
int report_format__find(const char *name);
/** report_format__has_verdict() - whether a verdict stands among what is printed. */
bool report_format__has_verdict(enum report_format format);

/* What one row stands for. */
enum report_aggr {
	AGGR_GLOBAL, /* everything */
	AGGR_NONE,   /* a CPU (-A) */
	AGGR_SOCKET,
	AGGR_DIE,
	AGGR_CLUSTER,
	AGGR_CACHE,
	AGGR_CORE,
	AGGR_NODE,
	AGGR_THREAD,
	AGGR_NR,
};

/**
 * struct report_options
 * @separator:  of CSV
 * @header:     (REPORT_CSV, REPORT_WIDE) a line of column names comes first, once
 * @path:       (REPORT_PROM) file that is replaced at each print; NULL to use the stream
 * @metric_only: one line of metrics
 * @interval:   rows carry a time stamp and differences are printed
 * @big_num:    thousands separators in text, as the locale has them
 * @colour:     metrics over and under their thresholds in colour
 * @head:       what is measured, for the heading: "'system wide'", "'true'", "process id '12'"
 * @topdown:    columns of --metric-only in the order of the TopDown tree
 * @no_threshold: no colours of metrics
 * @no_scale:   counts of events that took turns are no estimates
 * @latency_mode: what stands for the retire latencies of a row
 * @cache_level: of AGGR_CACHE: 1 to 4, 0 for the last
 * @default_events: the plan's events are those of a run without -e
 * @percore_threads: rows of events with the term percore stand for threads all the same
 * @turns:      how far off each value of events that took turns may be is found out from their
 *              turns (struct counts.slices), for whoever asks (error.h)
 * @error:      it is printed too, and looked at before a metric is called over its threshold;
 *              needs @turns
 * @verdict:    report__print_verdict() will be called, which asks; intervals are looked at for it
 * @skip_idle:  no rows for counts of 0: most of all threads did not run
 * @runs:       several runs are counted (report__add_run()): every row says how far they spread
 * @run_table:  list the length of each of them
 * @nr_passes:  events were counted in so many runs of the command, each in its own; 0: in one
 * @passes:     which events were in each of them; NULL without
 * @rotated:    sets of events took turns
 * @clear:      clear the terminal before each interval's rows
 * @summary_mark: rows of CSV which are no interval's begin with the field "summary"
 * @reasons:    why what is no number, or no exact one, is not: of REPORT_TEXT below the rows, of
 *              REPORT_JSON a key more
 * @no_merge:   -A: instances of uncore PMUs stay apart
 */
struct report_options {
	enum report_format format;
	enum report_aggr aggr;
	const char *separator, *path;
	bool header;
	bool metric_only, interval, big_num, colour, topdown, no_merge, no_threshold, no_scale;
	bool turns, error, verdict, percore_threads, skip_idle, clear, runs, run_table;
	bool summary_mark, default_events, rotated, reasons;
	enum latency_mode latency_mode;
	int cache_level, nr_passes;
	const struct sets *passes;
	char *head;
};

/**
 * struct report_time - the times of a row, all measured
 * @since_start_ns: end of the row since the start
 * @elapsed_ns:     length of the row (of the run for the last summary); 0 when it is not known
 * @pass_spread: by how much what was counted in several of @nr_passes runs differed in them, as a
 *           share of it; NAN when nothing was
 * @pass_ns: length of each of @nr_passes runs, of which the others are the mean; or NULL
 * @user_ns, @system_ns: CPU time of the workload; @has_cpu_time: whether they are printed
 */
struct report_time {
	uint64_t since_start_ns, elapsed_ns, user_ns, system_ns;
	bool has_cpu_time;
	const uint64_t *pass_ns;
	double pass_spread;
	int nr_passes;
};

/**
 * struct report_units - what the samples of struct counts belong to
 * @nr:   how many
 * @ids:  CPU or thread numbers, as counts has them
 * @comms: name of each thread; NULL when units are CPUs
 * @weights: how many CPUs each stands for; NULL for one
 * @uncounted: nobody knows how many CPUs a unit stands for
 */
struct report_units {
	int nr;
	const int *ids;
	const char *const *comms;
	const int *weights;
	bool uncounted;
};

struct report;
struct sb;

/**
 * report__new() - build the buckets and the columns
 * @machine, @plan: must outlive the report
 * @session: opened; the CPUs or threads that counts are of
 * @opts: copied; the strings must outlive the report
 * @out:  stream the rows go to; stays the caller's
 *
 * Return: 0, -ENOMEM, or what machine__topology() returns.
 */
int report__new(struct machine *machine, const struct plan *plan, const struct session *session,
		const struct report_options *opts, FILE *out, struct report **report,
		struct err *err);
/** report__new_units() - report__new() for counts that no session of this program has made. */
int report__new_units(struct machine *machine, const struct plan *plan,
		      const struct report_units *units, const struct report_options *opts,
		      FILE *out, struct report **report, struct err *err);
/** report__free() - release it; NULL is allowed. */
void report__free(struct report *r);
/** report__take_refusals() - why a session that counts other events of the plan refuses some. */
void report__take_refusals(struct report *r, const struct session *session);
/**
 * report__set_reasons() - why an event is not counted, as session__refusal() and
 * session__obstacle() tell; NULL for nothing. The texts are copied.
 */
void report__set_reasons(struct report *r, int event, const char *refusal, const char *obstacle);

/**
 * report__print() - print an interval's rows, or the summary of the run
 * @counts: of the interval, or of the run
 *
 * Everything of one call is put together in memory and written with one write. Allocates nothing
 * after the first call.
 *
 * Return: 0, or -errno when it could not be written whole.
 */
int report__print(struct report *r, const struct counts *counts, const struct report_time *time,
		  struct err *err);

/**
 * report__print_total() - print the counts of the whole run behind the rows of its intervals
 *
 * The last call; as report__print(), without a heading.
 */
int report__print_total(struct report *r, const struct counts *counts,
			const struct report_time *time, struct err *err);

/**
 * report__print_verdict() - say which part of the pipeline is the bottleneck, and how sure that is
 * @counts: of the whole run, with its slices where there are any
 * @lines:  lines are appended for a format which has no place for it; else it is printed
 *
 * Behind all rows. Return: as report__print().
 */
int report__print_verdict(struct report *r, const struct counts *counts,
			  const struct report_time *time, struct sb *lines, struct err *err);

/**
 * report__assumed() - whether the vendor's latency stood for event @index in a row printed so far
 *
 * It does where an event with :R has no sample. Such values, and the metrics made of them, are
 * marked in every format.
 */
bool report__assumed(const struct report *r, int index);

/**
 * report__starved() - how many events of metrics had no turn on a counter in a row printed so far
 *
 * The metrics made of them have no value there.
 */
int report__starved(const struct report *r);

/**
 * report__took_turns() - whether metrics' events of a core PMU had a counter for a part of the time
 *
 * Nothing is known of tasks on a hybrid machine, which are elsewhere for the rest.
 */
bool report__took_turns(const struct report *r, const struct pmu *pmu);

/**
 * report__add_run() - one run of several, which are printed together
 * @session: opened for this run; its threads may be others than those of the run before
 *
 * Return: 0; -ENOMEM; -ESTALE when the CPUs are not those of the first run.
 */
int report__add_run(struct report *r, const struct session *session, const struct counts *counts,
		    const struct report_time *time, struct err *err);
/**
 * report__print_runs() - print the means of all runs added, and how far they spread
 *
 * The spread is the standard error of the mean, as a share of the mean, as in perf. A count missing
 * in one run is missing in the mean.
 *
 * Return: as report__print().
 */
int report__print_runs(struct report *r, struct err *err);

/**
 * report__shares() - append on which types of core the tasks of all rows ran, in words
 *
 * "the task ran 65.0 % of its time on cpu_core, 35.0 % on cpu_atom; ..."; nothing when CPUs are counted, the
 * machine has one type of core, or every type counted was counted all of the time.
 */
void report__shares(const struct report *r, struct sb *sb);

#endif
