/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Add counts up to sums, and compute the values of metrics from sums.
 *
 * The input is the samples of a row (struct counts) and its times; the output is a sum, with its
 * status, for each event and row, and the outputs of the plan's program. It reads neither files nor
 * clocks, and allocates nothing after sums__new().
 */
#ifndef TMA_AGGREGATE_SUMS_H
#define TMA_AGGREGATE_SUMS_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

#include "aggregate/options.h"
#include "base/vec.h"
#include "base/xalloc.h"
#include "count/count.h"
#include "grid/grid.h"
#include "plan/plan.h"

struct err;

/**
 * struct row_time - the times of a row, all measured
 * @since_start_ns: end of the row since the start
 * @elapsed_ns:     length of the row (of the run for the last summary); 0 if unknown
 * @off_ns: time in it during which all counters were off; rates are of the rest
 * @missed: rows of intervals before it that were left out, since the program was too late for them
 * @pass_spread: how much the counts of events that several of @nr_passes runs counted differ
 *           between them, as a share of the counts; NAN without any
 * @pass_ns: length of each of @nr_passes runs, whose mean the other times are; or NULL
 * @user_ns, @system_ns: CPU time of the workload; @has_cpu_time: whether they are printed
 * @peak_bytes: its maximum resident memory; 0 if unknown
 * @is_cut: the interval of the row was ended early
 */
struct row_time {
	uint64_t since_start_ns, elapsed_ns, off_ns, user_ns, system_ns, missed,
		peak_bytes;
	bool has_cpu_time, is_cut;
	const uint64_t *pass_ns;
	double pass_spread;
	int nr_passes;
};

/** row_time__on_ns() - return the time of a row during which counters were on. */
static inline uint64_t row_time__on_ns(const struct row_time *t)
{
	return t->elapsed_ns > t->off_ns ? t->elapsed_ns - t->off_ns : 0;
}

/**
 * struct sum - an event over the units of a row
 * @value:   estimates added up; for a latency, its number of samples
 * @latency: (:R) in cycles, by the mode; NAN if there is none
 * @enabled, @running: ns, added up
 * @nr:      number of units added up, as printed, including unreadable ones
 * @counters: number of counters that there should be, one for each box of a unit, including refused
 *           ones
 * @ran:     how many of them were on a hardware counter for some time
 * @present: the event is opened on a unit of the row
 * @supported: the kernel opened it on a unit of the row
 * @was_enabled: a unit was enabled, whatever happened to the others
 * @failed:  a part is missing, so that the sum is invalid
 * @failure: the status of that part
 * @withheld: valid, but it ran for too small a share of the time (report_options.min_running)
 * @is_latency: @latency is the value
 * @assumed: the latency is the vendor's, since there was no sample
 * @lacks:   parts of the row are not in it (struct lacking), but the rest is valid
 * @dead:    it is 0 although cores executed instructions: the counter does not count
 */
struct sum {
	uint64_t value, enabled, running;
	double latency;
	int nr, counters, ran;
	bool present, supported, was_enabled, failed, withheld, is_latency, assumed, lacks,
		dead;
	enum sample_status failure;
};

/**
 * struct summed_metric - a metric of the plan
 * @core:  on a hybrid machine, the core PMU that counts some of its events; else NULL
 * @where: index of the first event on @core; else of the one it is printed with
 * @scale: factor of its output
 * @latencies, @nr_latencies: events whose retire latencies its value is made of
 */
struct summed_metric {
	const struct plan_metric *metric;
	const struct pmu *core;
	int where;
	double scale;
	int *latencies, nr_latencies;
};

/**
 * struct lacking - parts of the machine in which an event was not counted, but was in others
 *
 * A row of everything keeps the sum of the other parts, which covers less than all. In other kinds
 * of rows such a part makes the event not counted.
 *
 * @nr_idle: number of units where it was enabled and never ran (sums.idle); @enabled: for how long,
 *           in ns, added up
 * @some:    these are worth reporting; @all: it is a box, and was not counted at all
 * @key:     the same number for events that lack the same parts; 0 if none is lacking
 * @words_key: the key that @words were made for
 * @words:   which parts, and why: "without CPU 3 (no counter was free)"
 * @differs: the same, for a value whose events cover different parts
 * @told:    @words were reported to the user
 */
struct lacking {
	int nr_idle;
	uint64_t enabled, key, words_key;
	bool some, all, told;
	char *words, *differs;
};

/**
 * struct summed_event - an event of the plan, for all rows
 * @refusal:  why the kernel does not count it, or NULL
 * @obstacle: why it may never have a counter although the kernel accepts it, or NULL
 * @merged:   its counts are added to those of event->first, so it has no sums of its own
 * @instances: events whose counts its column of the program adds up
 * @metrics, @nr_metrics: the metrics printed with it, in the plan's order
 * @has_own_values: one of several instances, whose metrics are computed for it alone
 * @supported: it was opened somewhere; known after the counts were added up
 * @assumed:  the vendor's latency was used in some row
 * @starved:  a metric's event that had no turn on a counter in some row
 * @took_turns: a metric's event that was multiplexed
 * @busy:     a pinned event that had no counter in some row
 * @withheld: it had a counter for too small a share of the time in some row
 * @runs_always: it cannot be 0 if cores executed instructions; @doubtful: a host may not give its
 *            guests the register that it needs; @moved: one of these was above 0 in some row
 * @dead:     it was 0 in some row where it cannot be, or others were that cannot be
 * @lacking:  of the row of everything
 */
struct summed_event {
	const struct event *event;
	char *refusal, *obstacle;
	struct lacking lacking;
	const struct summed_metric *metrics;
	int instances, nr_metrics;
	bool merged, has_own_values, supported, assumed, starved, took_turns, busy, withheld,
		runs_always, doubtful, moved, dead;
};

/**
 * struct share - the part of a task's time on cores of a type
 * @enabled: time for which the longest enabled event of the type was enabled, in ns
 * @running, @least: the longest and the shortest time for which an event ran
 * @all:     how long its groups ran, one after the other: at least the task's time on the type, as
 *           long as there was a counter for one of them
 *           long as there was a counter for one of them
 */
struct share {
	uint64_t enabled, running, least, all;
};

/** struct spread - the mean and sum of squared differences of several values (Welford's method) */
struct spread {
	int nr;
	double mean, squares;
};

/**
 * struct runs - several runs, added up
 * @values:  the spread of each sum, indexed as sums.at
 * @sums:    sums over all runs; an event that is missing in one run is missing here
 * @latencies: the latencies of all runs, merged; NULL without any
 * @nr: how many runs; @elapsed: length of a run in ns; @lengths: each one's, passes apart
 */
struct runs {
	struct spread *values, elapsed;
	struct sum *sums;
	struct latency *latencies;
	int nr;
	VEC(uint64_t) lengths;
};

/**
 * struct sums - the sums of all events in all rows
 * @memory: holds everything but the rows; @row_memory: holds these, and changes with each run
 * @at: [event * nr_rows + row]; @events: as many as the plan has
 * @nr_cells: allocated number of sums, which limits the rows of later runs
 * @metrics: by the events they are printed with
 * @rows: places, in order; @nr_units: how many CPUs or threads; @row_of: the row of each
 * @unit_ids: numbers of these CPUs or threads
 * @idle: [event * nr_units + unit]: it was enabled there, and never ran; NULL unless the row is of
 *           everything
 * @core_of: (-A, percore) the first CPU of each CPU's core; else NULL
 * @weight_of: how many CPUs each unit represents
 * @package_of: the first unit of each unit's package and die, -1 if unknown; @package_taken: for
 *           such a first unit, 1 + the event last counted there
 * @per_cpu: units are CPUs; @uncounted: it is unknown how many CPUs a unit represents
 * @shares: parts of tasks' time on a hybrid machine (share.c), else NULL; @nr_types: its core PMUs
 * @latencies: indexed as @at; NULL if no event has one (:R)
 * @row_counts: [enum row_count * nr_rows + row]: which part of the machine a row is; NULL: all of
 *          it
 * @in, @sources: the program's columns; @out: its outputs
 * @estimated: values used in columns instead of sums of counts, indexed as @at: NAN for none; NULL
 *           without any. Owned by the caller who set them
 * @own_in, @own_sources, @own_out: the same with the counts of one uncore unit's PMU; NULL if no
 *           event has_own_values
 * @time: the times of the current row
 * @watchdog_hint: an event had no counter, and the NMI watchdog may hold one
 * @merges: counts of an event may be added to those of another
 * @lacks: an event lacks a part of its row; @may_lack: whether to check that
 * @packages: how many the machine has; NAN if no metric asks, or counters are not assigned to one
 * @uses: at[output * nr_events + event]: whether that event is in the output; made at first use
 */
struct sums {
	struct arena memory, row_memory;
	struct machine *machine;
	const struct plan *plan;
	const struct report_options *opts;
	struct sum *at;
	struct summed_event *events;
	int nr_events, nr_cells;
	struct summed_metric *metrics;
	int nr_metrics;
	struct grid_row *rows;
	int nr_rows, nr_units;
	int *row_of, *unit_ids, *core_of, *weight_of, *package_of, *package_taken;
	bool per_cpu, uncounted, watchdog_hint, merges, may_lack, lacks;
	struct share *shares;
	int nr_types;
	struct latency *latencies;
	struct runs runs;
	bool *idle;
	unsigned char *uses;
	double *row_counts;
	double *in, *out, *own_in, *own_out, *estimated;
	double *sources, *own_sources, packages;
	const struct row_time *time;
};

/**
 * sums__new() - assign units to rows, and allocate everything
 * @machine, @plan, @opts: must outlive them
 *
 * Return: what sums__free() releases.
 */
struct sums *sums__new(struct machine *machine, const struct plan *plan, const struct units *units,
		       const struct report_options *opts);
/** sums__free() - release them; NULL is allowed. */
void sums__free(struct sums *s);
/** sums__set_reasons() - set why an event is not counted; NULL if it is. Texts are copied. */
void sums__set_reasons(struct sums *s, int event, const char *refusal, const char *obstacle);

/**
 * sums__take() - add up the counts of a row
 * @is_total: the counts are of the whole run, whose time is in earlier rows already
 */
void sums__take(struct sums *s, const struct counts *counts, bool is_total);
/**
 * sums__evaluate() - compute metrics from the sums, and withhold sums with too small a share of the
 * time, which do not count from then on
 * @time: must live until the next call
 */
void sums__evaluate(struct sums *s, const struct row_time *time);
/**
 * sums__evaluate_own() - compute sums.own_out: metrics from the counts of @event's PMU alone
 *
 * With -A each box of an uncore unit has rows of its own, and the metrics beside them are the
 * box's.
 */
void sums__evaluate_own(struct sums *s, int event);

/**
 * sums__add_run() - add one run of several
 * @units: the units of this run, whose threads may differ from those of the run before
 *
 * Return: 0; -ESTALE if the CPUs are not those of the first run.
 */
int sums__add_run(struct sums *s, const struct units *units, const struct counts *counts,
		  const struct row_time *time, struct err *err);
/** sums__take_runs() - set the sums to the means of all runs added. */
void sums__take_runs(struct sums *s);
/**
 * sums__run_spread() - compute the standard error of an event's mean over runs, as a share of it.
 */
double sums__run_spread(const struct sums *s, int event, int row);
/** spread__error() - compute the standard error of the mean; spread__percent() - in % of it. */
double spread__error(const struct spread *s);
double spread__percent(const struct spread *s);

/** sums__at() - return the sum of an event in a row. */
static inline struct sum *sums__at(const struct sums *s, int event, int row)
{
	return &s->at[event * s->nr_rows + row];
}

/** sums__nr_outputs() - return how many values sums.out has. */
size_t sums__nr_outputs(const struct sums *s);
/** sum__is_counted() - return whether it is valid. */
static inline bool sum__is_counted(const struct sum *s)
{
	if (s->is_latency)
		return !isnan(s->latency);
	return s->enabled && s->running && !s->failed;
}

/** sum__status() - return the status of a sum. */
enum sample_status sum__status(const struct sum *s);
/** sum__percent() - return the share of time that it ran, in %; NAN if it was never enabled. */
double sum__percent(const struct sum *s);
/** sums__value() - return a sum as printed, multiplied by the event's scale; or the latency. */
double sums__value(const struct sums *s, int event, int row);
/** sums__is_percore() - return whether the sums of an event are of whole cores. */
bool sums__is_percore(const struct sums *s, int event);

/**
 * sums__odd_event() - find an event of a value which lacks parts that the value's other events have
 * @value: an output of the plan's program
 *
 * Return: its number; -1 if all events cover the same, or rows are not of everything.
 */
int sums__odd_event(struct sums *s, const struct plan_metric *pm, int value);
/** sums__lacking_event() - find the first event of a metric that lacks a part of the machine. */
int sums__lacking_event(struct sums *s, const struct plan_metric *pm);
/** sums__dead_event() - find the first event of a metric whose counter did not count; or -1. */
int sums__dead_event(const struct sums *s, const struct plan_metric *pm, int row);
/** sums__has_same_parts() - return whether two events cover the same parts of the machine. */
bool sums__has_same_parts(const struct sums *s, int a, int b);
/**
 * sums__has_same_time() - return whether two events were on for the same time of a row
 *
 * One of them may be off for a part of it (--control). Sets, passes, and tasks on each type of core
 * are measured at different times, which are not compared.
 */
bool sums__has_same_time(const struct sums *s, int a, int b, int row);

enum share_kind {
	SHARE_UNKNOWN,
	SHARE_NONE,
	SHARE_PART,
	SHARE_ALL,
};

/** pmu__place() - number of a core PMU on a hybrid machine, one more for other PMUs; else 0. */
int pmu__place(const struct machine *machine, const struct pmu *pmu);
/** share__kind() - find out whether the tasks of a row ran on core type @type (pmu__place()). */
enum share_kind share__kind(const struct sums *s, int type, int row);
/**
 * share__is_little() - return whether the tasks of a row ran on a type of core, but for less than
 * 1 % of their time, too little to conclude anything from its counts
 */
bool share__is_little(const struct sums *s, int type, int row);
/** share__is_nearly_all() - return whether they ran at least 99 % of their time there. */
bool share__is_nearly_all(const struct sums *s, int type, int row);
/** share__is_all_counted() - return whether @percent of the time is all of the type's part. */
bool share__is_all_counted(const struct sums *s, int type, int row, double percent);
/** share__of() - return the part of their time that the tasks of a row ran on core type @type. */
struct grid_share share__of(const struct sums *s, int type, int row);
/**
 * shares__describe() - append a sentence: on which types of core the tasks of all rows ran
 * @metrics_alone: no counts are printed
 *
 * "the task ran 65.0 % of its time on cpu_core, 35.0 % on cpu_atom; ..."; nothing if CPUs are
 * counted, the machine has one type of core, or every counted type was counted all the time.
 */
void shares__describe(const struct sums *s, bool metrics_alone, struct sb *sb);

/**
 * latency__of_metric() - find the first event of a metric whose latency is assumed there, or -1.
 */
int latency__of_metric(const struct sums *s, const struct summed_metric *m, int row);
/** latency__reason() - return which of the vendor's values is used for an event, and why. */
enum grid_reason latency__reason(const struct sums *s, int event);

#endif
