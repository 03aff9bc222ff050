/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Add counts up, and compute the values of metrics from the sums.
 *
 * The input is the counts of a span of time (struct counts) and its length. The output is a sum
 * with a status for each event and row, and the outputs of the plan's program. No file and no clock
 * is read, and nothing is allocated after sums__new().
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
 * struct row_time - the measured times of a row
 * @since_start_ns: time from the start to the end of the row
 * @elapsed_ns:     length of the row, or of the run for the last summary; 0 if unknown
 * @off_ns: part of @elapsed_ns during which all counters were off; rates are computed without it
 * @missed: number of intervals before the row that have no row, since the program was too late
 * @pass_spread: how much counts of the same event differ between the @nr_passes runs of the
 *           command, as a share of the counts; NAN if no event was in two runs
 * @pass_ns: length of each of @nr_passes runs, or NULL; the other times are means over these runs
 * @user_ns, @system_ns: CPU time of the workload, printed if @has_cpu_time
 * @peak_bytes: the workload's maximum resident memory; 0 if unknown
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
 * struct sum - the counts of an event, added up over the units of a row
 * @value:   sum of the counts, each scaled to the whole time; for a latency, its number of samples
 * @latency: (:R) retire latency in cycles, by the mode; NAN without a latency
 * @enabled, @running: sums of the times in ns
 * @nr:      number of units of the sum as printed, including unreadable units
 * @counters: number of counters that should run, one for each box of a unit, including refused
 *           counters
 * @ran:     number of counters that ran for some time
 * @present: the event was to be opened on a unit of the row
 * @supported: the kernel opened the event on a unit of the row
 * @was_enabled: the event was enabled on at least one unit
 * @failed:  the sum is invalid, since a part is missing
 * @failure: the status of the missing part
 * @withheld: not used, since the event ran for less than report_options.min_running
 * @is_latency: @latency is the value of the sum
 * @assumed: the latency is the vendor's, since there was no sample
 * @lacks:   the sum is valid, but lacks parts of the row (struct lacking)
 * @dead:    the counter does not count: it stayed at 0 although cores executed instructions
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
 * @core:  the core PMU that counts some of the metric's events on a hybrid machine; else NULL
 * @where: index of the first event on @core; without @core, of the event it is printed with
 * @scale: factor by which the program's output is multiplied
 * @latencies, @nr_latencies: events whose retire latencies the metric is computed from
 */
struct summed_metric {
	const struct plan_metric *metric;
	const struct pmu *core;
	int where;
	double scale;
	int *latencies, nr_latencies;
};

/**
 * struct lacking - parts of the machine in which an event was not counted, while other parts
 * counted it
 *
 * A row of everything keeps the sum of the other parts. In rows of any other kind, a missing part
 * makes the event "not counted".
 *
 * @nr_idle: number of units where the event was enabled and never ran (sums.idle)
 * @enabled: sum of the times for which it was enabled on these units, in ns
 * @some:    the idle units are worth reporting; @all: the event counts a box, and never ran there
 * @key:     the same number for events that lack the same parts; 0 if none is lacking
 * @words_key: the value of @key for which @words was made
 * @words:   the parts and the reason: "without CPU 3 (no counter was free)"
 * @differs: @words, continued for a metric whose other events cover these parts
 * @reported: a note with @words was printed
 */
struct lacking {
	int nr_idle;
	uint64_t enabled, key, words_key;
	bool some, all, reported;
	char *words, *differs;
};

/**
 * struct summed_event - what is known of an event of the plan in all rows
 * @refusal:  why the kernel does not count the event, or NULL
 * @obstacle: why it may never have a counter although the kernel accepts it, or NULL
 * @merged:   its counts are added to those of event->first, and it has no sums of its own
 * @instances: number of events whose counts are added up in its column of the program
 * @metrics, @nr_metrics: the metrics printed with the event, in the plan's order
 * @has_own_values: it is one of several instances, and its metrics are computed from its own counts
 * @supported: it was opened somewhere; known after the counts were added up
 * @assumed:  the vendor's latency was used in some row
 * @starved:  it is a metric's event that had no turn on a counter in some row
 * @took_turns: it is a metric's event that was multiplexed
 * @busy:     it is pinned, and had no counter in some row
 * @withheld: it had a counter for too small a share of the time in some row
 * @runs_always: it cannot be 0 if cores executed instructions; @doubtful: it needs a register that
 *            a host may not give its guests
 * @moved:    an event that @runs_always or is @doubtful was above 0 in some row
 * @dead:     its counts of 0 are not believed: an event that cannot be 0 was 0 in some row
 * @lacking:  parts of the machine that the event was not counted in
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
 * @enabled: longest time for which an event of the type was enabled, in ns
 * @running, @least: the longest and the shortest time for which an event ran
 * @all:     sum of the times for which the type's groups ran. It is not less than the task's time
 *           on the type, if a group had a counter at any time
 */
struct share {
	uint64_t enabled, running, least, all;
};

/**
 * struct spread - mean of several values and sum of squared differences from it (Welford's method)
 */
struct spread {
	int nr;
	double mean, squares;
};

/**
 * struct runs - sums over several runs
 * @values:  the spread of each sum, indexed as sums.at
 * @sums:    sums of @sums over all runs; an event that was not counted in a run is not counted here
 * @latencies: the merged latencies of all runs; NULL if no event has one
 * @nr: number of runs; @elapsed: spread of their lengths in ns; @lengths: the length of each run,
 *           or of each pass of a run
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
 * @memory: holds everything but the rows; @row_memory: holds the rows, which each run replaces
 * @at: [event * nr_rows + row]; @events: the events of the plan
 * @nr_cells: number of sums that are allocated, which later runs cannot exceed
 * @metrics: sorted by the events that they are printed with
 * @rows: places, in order; @nr_units: number of CPUs or threads; @row_of: the row of each unit
 * @unit_ids: numbers of the CPUs or threads
 * @idle: [event * nr_units + unit]: the event was enabled on the unit, and never ran; NULL unless
 *           rows add up CPUs or cover everything
 * @core_of: (-A, percore) the first CPU of each CPU's core; else NULL
 * @weight_of: how many CPUs each unit represents
 * @package_of: the first unit of each unit's package and die, -1 if unknown
 * @package_taken: for such a first unit, 1 + the event that was last counted in the package
 * @per_cpu: units are CPUs; @uncounted: the number of CPUs that a unit represents is unknown
 * @shares: parts of tasks' time on a hybrid machine (share.c), else NULL; @nr_types: number of core
 *           PMUs
 * @latencies: indexed as @at; NULL if no event is a latency (:R)
 * @row_counts: [enum row_count * nr_rows + row]: how many packages, dies, cores and CPUs a row has;
 *          NULL if rows cover the machine
 * @in, @sources: the columns of the plan's program; @out: the program's outputs
 * @estimated: better estimates of counts than the sums, indexed as @at, NAN where there is no
 *           estimate; or NULL. Set and owned by the caller
 * @own_in, @own_sources, @own_out: like @in, @sources and @out, from the counts of one uncore PMU;
 *           NULL if no event has_own_values
 * @time: the times of the current row
 * @watchdog_hint: an event had no counter, perhaps because the NMI watchdog holds one
 * @merges: counts of some event are added to the counts of another
 * @lacks: an event lacks a part of its row; @may_lack: this has to be checked
 * @packages: number of packages of the machine; NAN if no metric needs it, or if units are not
 *           single CPUs
 * @uses: at[output * nr_events + event]: whether the output depends on the event; made at first use
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
 * @machine, @plan, @opts: must outlive the sums
 *
 * Return: the sums, which sums__free() releases.
 */
struct sums *sums__new(struct machine *machine, const struct plan *plan, const struct units *units,
		       const struct report_options *opts);
/** sums__free() - release sums; NULL is allowed. */
void sums__free(struct sums *s);
/**
 * sums__set_reasons() - set why the kernel refuses an event, and why the event may never have a
 * counter
 * @refusal, @obstacle: texts, which are copied; NULL leaves the reason as it is
 */
void sums__set_reasons(struct sums *s, int event, const char *refusal, const char *obstacle);

/**
 * sums__take() - add up the counts of a row of time
 * @is_total: the counts are of the whole run, whose time is in earlier rows already
 */
void sums__take(struct sums *s, const struct counts *counts, bool is_total);
/**
 * sums__evaluate() - compute metrics from the sums, without sums whose events ran for too small a
 * share of the time
 * @time: must live until the next call
 */
void sums__evaluate(struct sums *s, const struct row_time *time);
/**
 * sums__evaluate_own() - compute sums.own_out: metrics from the counts of @event's PMU alone
 *
 * With -A each box of an uncore unit has its own rows, and metrics of this box alone.
 */
void sums__evaluate_own(struct sums *s, int event);

/**
 * sums__add_run() - add the counts of one of several runs
 * @units: the units of this run, which may have other threads than the run before
 *
 * Return: 0; -ESTALE if the CPUs are not those of the first run.
 */
int sums__add_run(struct sums *s, const struct units *units, const struct counts *counts,
		  const struct row_time *time, struct err *err);
/** sums__take_runs() - set the sums to the means of all runs added. */
void sums__take_runs(struct sums *s);
/**
 * sums__run_spread() - compute the standard error of an event's mean over runs, in % of the mean.
 */
double sums__run_spread(const struct sums *s, int event, int row);
/**
 * spread__error() - compute the standard error of the mean; spread__percent() - the same in % of
 * the mean.
 */
double spread__error(const struct spread *s);
double spread__percent(const struct spread *s);

/** sums__at() - return the sum of an event in a row. */
static inline struct sum *sums__at(const struct sums *s, int event, int row)
{
	return &s->at[event * s->nr_rows + row];
}

/** sums__nr_outputs() - return how many values sums.out has. */
size_t sums__nr_outputs(const struct sums *s);
/** sum__is_counted() - return whether a sum is valid. */
static inline bool sum__is_counted(const struct sum *s)
{
	if (s->is_latency)
		return !isnan(s->latency);
	return s->enabled && s->running && !s->failed;
}

/** sum__status() - return the status of a sum. */
enum sample_status sum__status(const struct sum *s);
/**
 * sum__percent() - return how much of its enabled time the event ran, in %; NAN without such time.
 */
double sum__percent(const struct sum *s);
/**
 * sums__value() - return the number that is printed: a latency, or the sum times the event's scale.
 */
double sums__value(const struct sums *s, int event, int row);
/** sums__is_percore() - return whether the sums of an event cover whole cores. */
bool sums__is_percore(const struct sums *s, int event);

/**
 * sums__odd_event() - find an event which lacks parts that other events of the same value cover
 * @value: an output of the plan's program
 *
 * Return: number of the event; -1 if all events cover the same parts, or rows do not cover
 * everything.
 */
int sums__odd_event(struct sums *s, const struct plan_metric *pm, int value);
/** sums__lacking_event() - find the first event of a metric that lacks a part of the machine. */
int sums__lacking_event(struct sums *s, const struct plan_metric *pm);
/** sums__dead_event() - find the first event of a metric whose counter did not count; or -1. */
int sums__dead_event(const struct sums *s, const struct plan_metric *pm, int row);
/** sums__has_same_parts() - return whether two events cover the same parts of the machine. */
bool sums__has_same_parts(const struct sums *s, int a, int b);
/**
 * sums__has_same_time() - return whether two events were enabled for the same time of a row
 *
 * With --control an event may be off for a part of the time. Times that differ by design are not
 * compared: those of sets, of passes, and of tasks on several types of core.
 */
bool sums__has_same_time(const struct sums *s, int a, int b, int row);

enum share_kind {
	SHARE_UNKNOWN,
	SHARE_NONE,
	SHARE_PART,
	SHARE_ALL,
};

/**
 * pmu__place() - return the number of a core PMU on a hybrid machine. Any other PMU gets the next
 * number after the core PMUs; on other machines all get 0.
 */
int pmu__place(const struct machine *machine, const struct pmu *pmu);
/**
 * share__kind() - return how much of their time the tasks of a row ran on core type @type
 * (pmu__place()).
 */
enum share_kind share__kind(const struct sums *s, int type, int row);
/**
 * share__is_little() - return whether the tasks of a row ran on core type @type, but for less than
 * 1 % of their time: its counts show nothing
 */
bool share__is_little(const struct sums *s, int type, int row);
/**
 * share__is_nearly_all() - return whether the tasks of a row ran at least 99 % of their time on
 * @type.
 */
bool share__is_nearly_all(const struct sums *s, int type, int row);
/**
 * share__is_all_counted() - return whether an event that ran for @percent of the time ran whenever
 * the tasks were on core type @type.
 */
bool share__is_all_counted(const struct sums *s, int type, int row, double percent);
/** share__of() - return the share of their time that the tasks of a row ran on core type @type. */
struct grid_share share__of(const struct sums *s, int type, int row);
/**
 * shares__describe() - append a sentence on which types of core the tasks ran on
 * @metrics_alone: no counts are printed
 *
 * "the task ran 65.0 % of its time on cpu_core, 35.0 % on cpu_atom; ...". Nothing is appended if
 * CPUs are counted, if the machine has one type of core, or if every counted type was counted all
 * the time.
 */
void shares__describe(const struct sums *s, bool metrics_alone, struct sb *sb);

/**
 * latency__of_metric() - find the first event of a metric whose latency is assumed in a row, or -1.
 */
int latency__of_metric(const struct sums *s, const struct summed_metric *m, int row);
/** latency__reason() - return the reason for using one of the vendor's latencies for an event. */
enum grid_reason latency__reason(const struct sums *s, int event);

#endif
