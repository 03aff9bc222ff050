/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Counts are added up to sums, and sums give the values of metrics.
 *
 * In come the samples of a row (struct counts) and its times; out of it come, for each event and
 * each place that a row stands for, a sum with what became of it, and the outputs of the plan's
 * program. It reads no file and no clock, and allocates nothing after sums__new().
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
 * @elapsed_ns:     length of the row (of the run for the last summary); 0 when it is not known
 * @off_ns: for how much of it all counters were off: rates are of the rest
 * @missed: rows of intervals that were left out before it, since they were due while nobody looked
 * @pass_spread: by how much the events that several of @nr_passes runs counted differ between them,
 *           as a share of the counts; NAN when there are none
 * @pass_ns: length of each of @nr_passes runs, whose mean the other times are; or NULL
 * @user_ns, @system_ns: CPU time of the workload; @has_cpu_time: whether they are printed
 * @peak_bytes: the most memory that it had resident; 0 where that is not known
 * @is_cut: the row of an interval is not a whole one
 */
struct row_time {
	uint64_t since_start_ns, elapsed_ns, off_ns, user_ns, system_ns, missed,
		peak_bytes;
	bool has_cpu_time, is_cut;
	const uint64_t *pass_ns;
	double pass_spread;
	int nr_passes;
};

/** row_time__on_ns() - for how much of a row counters were on. */
static inline uint64_t row_time__on_ns(const struct row_time *t)
{
	return t->elapsed_ns > t->off_ns ? t->elapsed_ns - t->off_ns : 0;
}

/**
 * struct sum - an event over the units of a row
 * @value:   estimates added up; for a latency, how many samples it has
 * @latency: (:R) in cycles, by the mode; NAN where there is none
 * @enabled, @running: ns, added up
 * @nr:      how many units were added up, as printed, unreadable ones included
 * @counters: how many counters these are to be: a unit has one in each box, refused ones included
 * @ran:     how many of them had a counter of the hardware for some time
 * @present: some unit of the row is one the event is opened on
 * @supported: the kernel opened it on some unit of the row
 * @was_enabled: some unit was enabled, whatever became of the rest
 * @failed:  a part is missing, so the whole is no number
 * @failure: what became of that part
 * @withheld: it is one, but of too small a share of the time (report_options.min_running)
 * @is_latency: @latency is what the sum stands for
 * @assumed: it is the vendor's, since there was no sample
 * @lacks:   parts of the row are not in it (struct lacking), and the rest is a number
 * @dead:    it is 0 though cores executed something meanwhile: the counter does not count
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
 * @scale: its output is multiplied with it
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
 * struct lacking - parts of the whole in which an event was not counted, though it was in others
 *
 * A row of everything keeps the sum of the rest, which covers less than all. Other rows with such a
 * part are not counted.
 *
 * @nr_idle: in how many units it was enabled and never ran (sums.idle); @enabled: for so many ns,
 *           added up
 * @some:    these are worth a word; @all: it is a box, and was not counted at all
 * @key:     the same number for events that lack the same parts; 0 where nothing is lacking
 * @said:    the key that @words are of
 * @words:   which parts, and why: "without CPU 3 (no counter was free)"
 * @differs: the same, of a value whose events cover different parts
 * @told:    the user was told of @words
 */
struct lacking {
	int nr_idle;
	uint64_t enabled, key, said;
	bool some, all, told;
	char *words, *differs;
};

/**
 * struct summed_event - an event of the plan, in all rows
 * @refusal:  why the kernel does not count it, or NULL
 * @obstacle: why it may never have a counter though the kernel takes it, or NULL
 * @merged:   its counts are added to those of event->first, so it has no sums of its own
 * @instances: events whose counts its column of the program adds up
 * @metrics, @nr_metrics: the metrics printed with it, in the plan's order
 * @has_own_values: one of several instances, whose metrics are computed for it alone
 * @supported: opened somewhere; known after the counts were added up
 * @assumed:  the vendor's latency stood for it in some row
 * @starved:  it is a metric's, and had no turn on a counter in some row
 * @took_turns: it is a metric's, and had a counter for a part of the time
 * @busy:     it is pinned, and had no counter in some row
 * @withheld: it had one for too small a share of the time in some row
 * @runs_always: it cannot be 0 where cores executed something; @doubtful: a host may not lend the
 *            register that it needs; @moved: one of these was not 0, in some row
 * @dead:     it was 0 in some row, and cannot be, or others were that cannot be
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
 * @enabled: how long the longest enabled event of the type was so, in ns
 * @running, @least: how long the events ran that ran longest and least
 * @all:     how long its groups ran, one after the other: no less than the task was on the type, as
 *           long as there was a counter for one of them
 */
struct share {
	uint64_t enabled, running, least, all;
};

/** struct spread - the mean and sum of squared differences of several values, by Welford */
struct spread {
	int nr;
	double mean, squares;
};

/**
 * struct runs - several runs, added up
 * @values:  how each sum spreads, in its place
 * @sums:    sums over all runs; an event that is missing in one run is missing here
 * @latencies: the latencies of all runs, merged; NULL when there are none
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
 * @nr_cells: for how many sums there is room, whatever the rows of a later run
 * @metrics: by the events they are printed with
 * @rows: places, in order; @nr_units: how many CPUs or threads; @row_of: the row of each
 * @unit_ids: numbers of these CPUs or threads
 * @idle: [event * nr_units + unit]: it was enabled there, and never ran; NULL but of everything
 * @core_of: (-A, percore) the first CPU of each CPU's core; else NULL
 * @weight_of: how many CPUs each unit stands for
 * @package_of: the first unit of each unit's package and die, -1 for unknown; @package_taken: for
 *           such a first unit, 1 + the event last counted there
 * @per_cpu: units are CPUs; @uncounted: how many CPUs a unit stands for is not known
 * @shares: parts of tasks' time on a hybrid machine (share.c), else NULL; @nr_types: its core PMUs
 * @latencies: in the places of @at; NULL when no event is one (:R)
 * @row_counts: [enum row_count * nr_rows + row]: how much of the machine a row is; NULL: all of it
 * @in, @sources: the program's columns; @out: its outputs
 * @estimated: values that stand in columns for sums of counts, in the places of @at: NAN for none;
 *           NULL where there are none. They are of whoever set them
 * @own_in, @own_sources, @own_out: the same with the counts of one uncore unit's PMU; NULL where no
 *           event has_own_values
 * @time: the times of the row at hand
 * @watchdog_hint: an event did not get a counter which the NMI watchdog may hold
 * @merges: counts of some event may be added to those of another
 * @lacks: some event lacks a part of its row; @may_lack: it is to be looked for
 * @packages: how many the machine has; NAN where no metric asks, or counters are not told apart
 * @uses: at[output * nr_events + event]: whether that event is in the output, once somebody asked
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
 * sums__new() - put units into rows, and make room for everything
 * @machine, @plan, @opts: must outlive them
 *
 * Return: what sums__free() releases.
 */
struct sums *sums__new(struct machine *machine, const struct plan *plan, const struct units *units,
		       const struct report_options *opts);
/** sums__free() - release them; NULL is allowed. */
void sums__free(struct sums *s);
/** sums__set_reasons() - set why an event is not counted; NULL for nothing. Texts are copied. */
void sums__set_reasons(struct sums *s, int event, const char *refusal, const char *obstacle);

/**
 * sums__take() - add up the counts of a row
 * @is_total: they are of time which was in the rows before
 */
void sums__take(struct sums *s, const struct counts *counts, bool is_total);
/**
 * sums__evaluate() - compute metrics from sums that stand, and withhold those with too small a
 * share of the time, which are not counted from here on
 * @time: kept until the next call
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
 * @units: the units of this run, whose threads may be others than in the run before
 *
 * Return: 0; -ESTALE when the CPUs are not those of the first run.
 */
int sums__add_run(struct sums *s, const struct units *units, const struct counts *counts,
		  const struct row_time *time, struct err *err);
/** sums__take_runs() - make the sums the means of all runs added. */
void sums__take_runs(struct sums *s);
/** sums__run_spread() - how far an event's sums spread over the runs, as a share of their mean. */
double sums__run_spread(const struct sums *s, int event, int row);
/** spread__error() - standard error of the mean; spread__percent() - the same as a share of it. */
double spread__error(const struct spread *s);
double spread__percent(const struct spread *s);

/** sums__at() - the sum of an event in a row. */
static inline struct sum *sums__at(const struct sums *s, int event, int row)
{
	return &s->at[event * s->nr_rows + row];
}

/** sums__nr_outputs() - how many values sums.out has. */
size_t sums__nr_outputs(const struct sums *s);
/** sum__counted() - whether it is a number. */
static inline bool sum__counted(const struct sum *s)
{
	if (s->is_latency)
		return !isnan(s->latency);
	return s->enabled && s->running && !s->failed;
}

/** sum__status() - what became of it. */
enum sample_status sum__status(const struct sum *s);
/** sum__percent() - share of the time it was enabled; NAN where it never was. */
double sum__percent(const struct sum *s);
/** sums__value() - a sum as printed, multiplied by the event's scale; or the latency. */
double sums__value(const struct sums *s, int event, int row);
/** sums__is_percore() - whether the sums of an event count whole cores. */
bool sums__is_percore(const struct sums *s, int event);

/**
 * sums__odd_event() - find an event of a value which lacks parts that others of its events have
 * @value: an output of the plan's program
 *
 * Return: its number; -1 where all events cover the same, or rows are not of everything.
 */
int sums__odd_event(struct sums *s, const struct plan_metric *pm, int value);
/** sums__lacking_event() - the first event of a metric's value that lacks a part of the whole. */
int sums__lacking_event(struct sums *s, const struct plan_metric *pm);
/** sums__dead_event() - the first event of a metric whose counter did not count; or -1. */
int sums__dead_event(const struct sums *s, const struct plan_metric *pm, int row);
/** sums__same_parts() - whether two events cover the same of the whole. */
bool sums__same_parts(const struct sums *s, int a, int b);
/**
 * sums__same_time() - whether two events were on for the same time of a row
 *
 * One of them may be off for a part of it (--control). Sets, passes and tasks on each type of core
 * are measured at times of their own, which are not compared.
 */
bool sums__same_time(const struct sums *s, int a, int b, int row);

enum share_kind {
	SHARE_UNKNOWN,
	SHARE_NONE,
	SHARE_PART,
	SHARE_ALL,
};

/** pmu__place() - number of a core PMU on a hybrid machine, for others one more; else 0. */
int pmu__place(const struct machine *machine, const struct pmu *pmu);
/** share__kind() - whether the tasks of a row ran on core type @type (pmu__place()) at all. */
enum share_kind share__kind(const struct sums *s, int type, int row);
/**
 * share__is_little() - whether the tasks of a row ran so little on a type of core, and yet did,
 * that nothing is to be concluded from its counts: less than 1 % of their time
 */
bool share__is_little(const struct sums *s, int type, int row);
/** share__is_nearly_all() - whether they ran nearly all of their time there: 99 % and more. */
bool share__is_nearly_all(const struct sums *s, int type, int row);
/** share__is_all_counted() - whether @percent of the time is all of the type's part. */
bool share__is_all_counted(const struct sums *s, int type, int row, double percent);
/** share__of() - the part of their time that the tasks of a row ran on core type @type. */
struct grid_share share__of(const struct sums *s, int type, int row);
/**
 * shares__say() - append on which types of core the tasks of all rows ran, in words
 * @metrics_alone: no counts are printed
 *
 * "the task ran 65.0 % of its time on cpu_core, 35.0 % on cpu_atom; ..."; nothing when CPUs are
 * counted, the machine has one type of core, or every type counted was counted all of the time.
 */
void shares__say(const struct sums *s, bool metrics_alone, struct sb *sb);

/** latency__of_metric() - the first event of a metric whose latency there is assumed, or -1. */
int latency__of_metric(const struct sums *s, const struct summed_metric *m, int row);
/** latency__reason() - which of the vendor's values stands for an event, and why. */
enum grid_reason latency__reason(const struct sums *s, int event);

#endif
