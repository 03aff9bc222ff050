/* SPDX-License-Identifier: GPL-2.0-only */
/* What the files of lib/report share: sums, figures, rows, and the table of fields. */
#ifndef TMA_REPORT_INTERNAL_H
#define TMA_REPORT_INTERNAL_H

#include <locale.h>

#include "base/sb.h"
#include "base/vec.h"
#include "report/report.h"

#define REPORT_NR_PERFS (REPORT_JSON + 1) /* formats made of lines of fields (fields.c) */
#define METRIC_ONLY_WIDTH 20 /* least width of a column of --metric-only */

#define ASSUMED_MARK "~" /* in text, before a number made with a latency nobody measured here */

/* Columns of text. */
#define COUNT_WIDTH 18
#define CPUS_WIDTH 4
#define COMM_WIDTH 16
#define PID_WIDTH 7
#define CGROUP_WIDTH 16
#define ERROR_WIDTH 18	       /* " +- 1,234,567,890 " behind a count */
#define METRIC_ERROR_WIDTH 10 /* " +- 12.34" behind a metric */

/**
 * struct spread - values of several runs: Welford's mean and sum of squared differences
 */
struct spread {
	int nr;
	double mean, squares;
};

/**
 * struct runs - what is kept of several runs
 * @values:  of each sum, at[event * nr_buckets + bucket]
 * @sums:    of all runs added up; what is missing in one is missing here
 * @latencies: of all runs merged; NULL when there are none
 * @nr: how many; @elapsed: length of a run in ns; @lengths: of each, passes apart
 */
struct runs {
	struct spread *values, elapsed;
	struct sum *sums;
	struct latency *latencies;
	int nr;
	VEC(uint64_t) lengths;
};

/* Where a bucket is: what tells it apart from others, in the order buckets come in. */
enum place_part {
	PLACE_NODE,
	PLACE_SOCKET,
	PLACE_DIE,
	PLACE_CLUSTER,
	PLACE_CACHE_LEVEL,
	PLACE_CACHE,
	PLACE_CORE,
	PLACE_CPU,
	PLACE_THREAD,
	PLACE_NR,
};

/**
 * struct bucket - one row's worth of CPUs or threads
 * @label: what it is called, in the format's form: "S0-D0-C1", "CPU3  " (padded in text)
 * @comm:  of a thread, its name, in the format's form
 * @at:    its numbers, -1 where a kind of bucket is not told apart by it, or the machine has none
 * @nr_units: CPUs or threads in it
 * @nr_unseen: of them, CPUs that have been offline since the start; @nr_away: those that were
 *            offline for a part of the row's time
 */
struct bucket {
	char *label, *comm;
	int at[PLACE_NR];
	int nr_units, nr_unseen, nr_away;
};

/**
 * struct sum - an event over the units of a bucket
 * @value:   estimates added up; of a latency, its samples
 * @latency: (:R) in cycles, by the mode of the report; NAN where there is none
 * @enabled, @running: ns, added up
 * @nr:      units added up, as printed; those that could not be read count too
 * @present: some unit of the bucket is one the event is opened on
 * @supported: the kernel opened it on some unit of the bucket
 * @was_enabled: some unit was enabled, whatever became of the rest
 * @failed:  a part is missing, so the whole is no number
 * @failure: what became of that part
 * @is_latency: @latency is what the sum stands for
 * @assumed: it is the vendor's, since there was no sample
 */
struct sum {
	uint64_t value, enabled, running;
	double latency;
	int nr;
	bool present, supported, was_enabled, failed, is_latency, assumed;
	enum sample_status failure;
};

enum colour { COLOUR_NONE, COLOUR_GREEN, COLOUR_RED, COLOUR_MAGENTA, COLOUR_YELLOW };

/* How a figure's number is written; figure.c says width, digits and what follows. */
enum figure_form {
	FORM_SCALED, /* a metric with a unit of its own */
	FORM_PLAIN,  /* a metric without */
	FORM_RATIO,
	FORM_PERCENT,
	FORM_RATE,
	FORM_COUNT, /* a whole number */
};

/* Units of the built-in ratios. */
enum shadow_unit {
	SHADOW_CPUS,
	SHADOW_GHZ,
	SHADOW_IPC,
	SHADOW_STALLED,
	SHADOW_FRONT,
	SHADOW_BACK,
	SHADOW_BRANCHES,
	SHADOW_CACHE,
	SHADOW_L1D,
	SHADOW_L1I,
	SHADOW_LL,
	SHADOW_DTLB,
	SHADOW_ITLB,
	SHADOW_RATE,
	SHADOW_RATE_K,
	SHADOW_RATE_M,
	SHADOW_RATE_G,
	SHADOW_SAMPLES, /* of a latency: how many it was made of */
	SHADOW_NR_UNITS,
};

/**
 * struct figure - a metric, computed
 * @unit:  what is printed behind the number, in the format's form; NULL for "there is none"
 * @group: of the default metrics of a run without -e: the group they are printed under
 * @error: half the width of its interval; 0 when it is exact, NAN when that is not known
 * @empty: no number could be computed: only room is left
 * @assumed: made with the vendor's latency of an event
 * @ratio: of the built-in ratios: which
 */
struct figure {
	double value, error;
	enum figure_form form;
	enum shadow_unit ratio;
	enum colour colour;
	bool empty, assumed;
	const char *unit, *group;
};

/* What an event is to the built-in ratios (shadow.c). */
enum stat_kind {
	STAT_NONE,
	STAT_NSECS,
	STAT_CYCLES,
	STAT_INSTRUCTIONS,
	STAT_STALLED_FRONT,
	STAT_STALLED_BACK,
	STAT_BRANCHES,
	STAT_BRANCH_MISSES,
	STAT_CACHE_REFS,
	STAT_CACHE_MISSES,
	STAT_L1D,
	STAT_L1I,
	STAT_LL,
	STAT_DTLB,
	STAT_ITLB,
	STAT_L1D_MISSES,
	STAT_L1I_MISSES,
	STAT_LL_MISSES,
	STAT_DTLB_MISSES,
	STAT_ITLB_MISSES,
};

/**
 * struct shown_event - an event as it is printed
 * @name, @unit, @cgroup: in the format's form; @unit_width: of the unit on the screen
 * @refusal:  why the kernel does not count it, or NULL
 * @obstacle: why it may never have a counter though the kernel takes it, or NULL
 * @merged:   its counts are added to those of event->first, so it has no rows
 * @fraction: counts are printed with two digits behind the point
 * @supported: opened somewhere; known after the counts were added up
 * @instances: events whose counts its column of the program adds up
 * @own_values: one of several instances, whose metrics are computed for it alone
 * @assumed:  the vendor's latency stood for it in some row
 * @starved:  it is a metric's, and had no turn on a counter in some row
 * @took_turns: it is a metric's, and had a counter for a part of the time
 * @kind:     for the built-in ratios
 * @nsecs, @over, @front, @back: the events the ratios divide by, as indices, -1 when there is none
 * @metrics, @nr_metrics: what is printed with it
 */
struct shown_event {
	const struct event *event;
	char *name, *unit, *cgroup;
	char *refusal, *obstacle;
	bool merged, fraction, supported, own_values, assumed, starved, took_turns;
	int unit_width, instances;
	enum stat_kind kind;
	int nsecs, over, front, back;
	struct shown_metric *metrics;
	int nr_metrics;
};

/**
 * struct share - the part of a task's time on cores of a type
 * @enabled: of the event of that type that was enabled longest, ns
 * @running, @least: of those that ran longest and least
 */
struct share {
	uint64_t enabled, running, least;
};

enum share_kind {
	SHARE_UNKNOWN,
	SHARE_NONE,
	SHARE_PART,
	SHARE_ALL,
};

/**
 * struct shown_metric - a metric as it is printed
 * @core:  on a hybrid machine, the core PMU that counts some of its events; else NULL
 * @where: index of the first event on @core; else of that it is printed with
 * @unit:  text behind the number, "%  tma_retiring"
 * @group: heading among the default metrics, or NULL
 * @latencies, @nr_latencies: events whose latencies its value is made of
 */
struct shown_metric {
	const struct plan_metric *metric;
	const struct pmu *core;
	int where;
	char *unit, *group;
	int *latencies, nr_latencies;
	enum figure_form form;
	double scale;
};

/**
 * struct column - a column of --metric-only
 * @name:   its heading
 * @width:  of the column in text
 * @event:  index of the event it is printed with
 * @where:  index of the one whose CPUs and threads it is of
 * @metric: NULL for the event's built-in ratio
 * @pmu:    place of the event's core PMU on a hybrid machine, else 0
 * @rank:   place in the TopDown tree
 * @slot:   the heading it stands under: its own, or in a row for each core type that of the first
 *          column of the same name
 */
struct column {
	char *name;
	int width, event, where;
	const struct shown_metric *metric;
	int pmu, rank, order, slot;
};

/**
 * struct heading - what stands above the values of one slot
 * @name: of the first column there
 */
struct heading {
	const char *name;
	int width;
};

/* The kinds of line an event can give. */
enum line {
	LINE_EVENT,	 /* the count, and its first metric */
	LINE_METRIC,	 /* another metric of the same event */
	LINE_GROUP,	 /* heading of a default metric group */
	LINE_GROUP_MORE, /* metrics of the group headed before, from another event */
	LINE_NR,
};

#define LINE_MAX_FIELDS 16 /* with those of the prefix */

/** struct layout - the fields of a kind of line, by number (fields.c), in order */
struct layout {
	unsigned char at[LINE_MAX_FIELDS];
	int nr;
};

/**
 * struct row - an event in a bucket, ready to be printed
 * @figures: its metrics; @figure: the one the line at hand shows, NULL when it has none
 * @nr:      units added up
 * @spread_percent: of several runs, how far the mean may be off
 * @error:   of the count, as of a figure
 * @core: label of the core it stands for, instead of the bucket's; NULL mostly
 */
struct row {
	const struct shown_event *event;
	const struct bucket *bucket;
	const struct sum *sum;
	double value, spread_percent, error;
	const char *core;
	bool counted;
	const struct figure *figures, *figure;
	int nr_figures, nr;
};

struct errors;
struct report;
struct verdicts;

/**
 * struct writer - a format
 * @name:  of --format
 * @perfs: perf prints it too; the others print cells (own.h)
 * @dress: append a text as it stands in this format
 * @heads: append what comes above the first rows, and in text above every 26th; may be NULL
 * @rows:  append the rows
 * @foot:  append what comes below them; may be NULL
 * @verdict: append the verdict of all rows; NULL where nothing but rows may be
 */
struct writer {
	const char *name;
	bool perfs;
	void (*dress)(const struct report *r, const char *text, struct sb *sb);
	void (*heads)(struct report *r);
	void (*rows)(struct report *r);
	void (*foot)(struct report *r);
	void (*verdict)(struct report *r);
};

extern const struct writer writers[REPORT_NR_FORMATS];

/* Everything up to @text is made by report__new() and keeps its size. */
struct report {
	struct machine *machine;
	const struct plan *plan;
	struct report_options opts;
	const struct writer *writer;
	FILE *out;
	locale_t c_locale;
	struct own *own; /* what the formats of tma's own need; NULL in perf's */
	bool per_cpu;	 /* units are CPUs */
	bool uncounted;	 /* how many CPUs a unit stands for is not known */

	struct bucket *buckets;
	int nr_buckets, nr_units;
	int *bucket_of;	    /* unit -> bucket */
	int *core_of;	    /* -A, percore: CPU -> first CPU of its core; else NULL */
	char **core_labels; /* of each CPU's core */
	int *weight_of;	    /* unit -> CPUs it stands for */
	int *package_of;    /* unit -> first unit of its package and die; -1 unknown */
	int *package_taken; /* by that first unit: number of the event last counted there */
	double *row_counts; /* [enum row_count * nr_buckets + bucket]; NULL: of the machine */

	struct shown_event *events;
	int nr_events;
	struct shown_metric *metrics;
	int nr_metrics;
	struct column *columns;
	int nr_columns;
	struct heading *headings;
	int nr_headings;
	bool has_cgroups; /* -G or --for-each-cgroup: rows say which */
	int cgroup_events; /* of one cgroup; all of them where there are not several */
	bool row_per_pmu; /* --metric-only in text on a hybrid machine */
	int pmu_width;	  /* of the column that names the core type then */
	char *shadow_units[SHADOW_NR_UNITS]; /* in the format's form */

	struct errors *errors; /* NULL where they are not wanted */
	struct verdicts *verdicts; /* the same */
	struct sum *sums; /* [event * nr_buckets + bucket] */
	struct share *shares;	   /* of tasks on a hybrid machine (share.c); else NULL */
	int nr_types;		   /* core PMUs that they are of */
	bool shares_are_total;	   /* the row at hand is of time that was in others */
	struct latency *latencies; /* in the same places; NULL when no event is one (:R) */
	bool assumes;		   /* a column of --metric-only can be made of a latency */
	struct runs runs;
	/* The program's columns and outputs; and anew with the counts of one uncore unit's PMU. */
	double *in, *values, *own_in, *own_values;
	int *sources, *own_sources;
	bool has_own_values;
	const double *shown_values; /* @values or @own_values: those of the rows at hand */
	struct figure *figures;

	struct layout layouts[LINE_NR];
	struct layout prefix; /* of --metric-only: time and label, and the cgroup */
	struct sb text;
	const struct report_time *time;
	int unit_width;
	int nr_prints;	       /* since the last heading */
	bool has_heads;	       /* --header's line stands above */
	bool watchdog_hint;    /* an event did not get a counter */
	const char *group_head; /* heading of default metrics printed last */
};

/**
 * row_counts__build() - how many packages, dies, cores and CPUs each bucket is of
 *
 * After buckets__build(). Of tasks, and where the machine does not say where its CPUs are, nothing
 * is known. Return: 0, -ENOMEM, or that of machine__topology().
 */
int row_counts__build(struct report *r, struct err *err);
/** buckets__build() - units to buckets. Return: 0, -ENOMEM, or that of machine__topology(). */
int buckets__build(struct report *r, const struct report_units *units, struct err *err);
/** buckets__free() - release them, half-built too. */
void buckets__free(struct report *r);

/** shown__build() - names, units and columns, each dressed for the format once. 0 or -ENOMEM. */
int shown__build(struct report *r);
/** instances__apart() - whether each instance of an uncore event has rows of its own. */
bool instances__apart(const struct report *r);
/** pmu__place() - place of a core PMU on a hybrid machine, behind them for others; else 0. */
int pmu__place(const struct machine *machine, const struct pmu *pmu);
/** shown__free() - release them, half-built too. */
void shown__free(struct report *r);

/** dress() - a text as the format must have it: a new string, NULL when memory ran out. */
char *dress(const struct report *r, const char *text);
/** dress__text() - without what a terminal would act on. */
void dress__text(const struct report *r, const char *text, struct sb *sb);
/** dress__csv() - quoted where it must be. */
void dress__csv(const struct report *r, const char *text, struct sb *sb);
/** dress__json() - what stands between the quotes of a string. */
void dress__json(const struct report *r, const char *text, struct sb *sb);
/** dress__label() - what stands between the quotes of a Prometheus label. */
void dress__label(const struct report *r, const char *text, struct sb *sb);
/** dress__width() - columns a text takes on the screen. */
int dress__width(const char *text);
/** dress__left() - append a text and blanks up to a width; dress__right() - blanks, then it. */
void dress__left(struct sb *sb, const char *text, int width);
void dress__right(struct sb *sb, const char *text, int width);

/** aggregate__counts() - samples to r->sums. */
void aggregate__counts(struct report *r, const struct counts *counts);
/** aggregate__metrics() - r->sums to r->values, the outputs of the plan's program. */
void aggregate__metrics(struct report *r);
/** aggregate__own_metrics() - r->own_values: with the counts of the PMU of @event alone. */
void aggregate__own_metrics(struct report *r, int event);
/* Where a unit belongs; parts the mode does not tell apart are -1. */
struct place {
	int at[PLACE_NR];
	int unit; /* never compared */
};

/** place__of() - where a CPU belongs among rows of a kind. */
struct place place__of(const struct report *r, enum report_aggr aggr, int cpu, int unit);
/** place__compare() - the order of rows; 0 when both belong to one. */
int place__compare(const struct place *a, const struct place *b);
/** place__sort() - the same for qsort(), those of one by their units. */
int place__sort(const void *a, const void *b);
/** place__dressed_label() - a row's label in the format's form; NULL when memory ran out. */
char *place__dressed_label(const struct report *r, enum report_aggr aggr, const struct place *p);

/** percore__build() - cores of the CPUs, when an event wants them. Return: as buckets__build(). */
int percore__build(struct report *r, const struct report_units *units, struct err *err);
/** percore__free() - release them. */
void percore__free(struct report *r);
/** percore__is() - whether the rows of an event are of cores, or its counts at least. */
bool percore__is(const struct report *r, int event);
/** percore__add_up() - give each CPU the count of its core. */
void percore__add_up(struct report *r, int event);
/** report_latencies__allocate() - room for those of all buckets. Return: 0 or -ENOMEM. */
int report_latencies__allocate(struct report *r);
/** report_latencies__free() - release it, half-built too. */
void report_latencies__free(struct report *r);
/** report_latencies__aggregate() - samples of an event (:R) to r->latencies, and its sums. */
void report_latencies__aggregate(struct report *r, const struct counts *counts, int event);
/** report_latencies__conclude() - what stands for them; without a sample, the vendor's. */
void report_latencies__conclude(struct report *r, int event);
/** report_latencies__add_run() - to those of all runs. */
void report_latencies__add_run(struct report *r);
/** report_latencies__take_runs() - those of all runs to the sums. */
void report_latencies__take_runs(struct report *r);
/** report_latencies__of_metric() - which of them a metric is made of. Return: 0 or -ENOMEM. */
int report_latencies__of_metric(const struct report *r, struct shown_metric *m);
/** report_latencies__assumed() - the first event of these whose sum there is assumed, or -1. */
int report_latencies__assumed(const struct report *r, const struct shown_metric *m, int bucket);
/** latency__why_assumed() - which of the vendor's values stands for an event, and why, in words. */
const char *latency__why_assumed(const struct report *r, const struct shown_event *e);

/** shares__allocate() - room for those of all buckets. Return: 0 or -ENOMEM. */
int shares__allocate(struct report *r);
/** shares__free() - release it. */
void shares__free(struct report *r);
/** shares__measure() - from r->sums of each core type, before any are merged. */
void shares__measure(struct report *r);
/** share__kind() - whether the tasks of a bucket ran on core type @type (pmu__place()) at all. */
enum share_kind share__kind(const struct report *r, int type, int bucket);
/** share__is_all_counted() - whether @percent of the time is all of the type's part. */
bool share__is_all_counted(const struct report *r, int type, int bucket, double percent);
/**
 * share__print() - append it in percent
 * @at_least: stands before what is only known to be a lower limit, since events took turns
 *
 * Return: false when nothing is known.
 */
bool share__print(const struct report *r, int type, int bucket, const char *at_least,
		  struct sb *sb);

/** sum__counted() - whether it is a number. */
bool sum__counted(const struct sum *s);
/** sum__status() - what became of it. */
enum sample_status sum__status(const struct sum *s);
/** event__value() - a sum as printed, multiplied by the event's scale; or the latency. */
double event__value(const struct report *r, int event, int bucket);

/** runs__allocate() - room for what is kept of several runs. Return: 0 or -ENOMEM. */
int runs__allocate(struct report *r);
/** runs__free() - release it. */
void runs__free(struct report *r);
/** runs__percent() - spread of an event's sums over the runs, as a share of their mean. */
double runs__percent(const struct report *r, int event, int bucket);
/** runs__footer() - the length of the runs, below the rows of text. */
void runs__footer(struct report *r);
/** runs__pass_table() - the length of each pass, when it is asked for. */
void runs__pass_table(struct report *r);
/** report__put() - print what the sums and the row's time hold. */
int report__put(struct report *r, const struct report_time *time, struct err *err);
/** report__units() - the units of a session, report_units__free() them. Return: 0 or -ENOMEM. */
int report__units(const struct session *session, struct report_units *units);
void report_units__free(struct report_units *units);

/** shadow__build() - what each event is to the built-in ratios. Return: 0 or -ENOMEM. */
int shadow__build(struct report *r);
/** shadow__free() - release what it made. */
void shadow__free(struct report *r);
/** shadow__column() - heading of an event's ratio in --metric-only; NULL when it has none there. */
const char *shadow__column(const struct shown_event *e);
/** shadow__figures() - an event's ratios, of room for two. Return: how many. */
int shadow__figures(const struct report *r, const struct shown_event *e, int bucket,
		    struct figure *out);

/** shadow__ratios() - ratios an event can have, but no rates; room for two. Return: how many. */
int shadow__ratios(const struct shown_event *e, enum shadow_unit *out);
/** shadow__name() - what a ratio is called; shadow__unit() - its unit, or "". */
const char *shadow__name(enum shadow_unit ratio);
const char *shadow__unit(enum shadow_unit ratio);

/** metric__figure() - a metric's value and colour, from r->shown_values. */
void metric__figure(const struct report *r, const struct shown_metric *m, int bucket,
		    struct figure *out);
/** rows__print() - append the rows of all events and buckets. */
void rows__print(struct report *r);

/** verdicts__text(), verdicts__perf_json(), verdicts__json() - of all trees and buckets. */
void verdicts__text(struct report *r);
void verdicts__perf_json(struct report *r);
void verdicts__json(struct report *r);

/** fields__lay_out() - choose the fields of each kind of line, once. */
void fields__lay_out(struct report *r);
/** fields__line() - append a line, without its end. */
void fields__line(struct report *r, const struct row *row, enum line line);
/** fields__heads() - append the names of a line's fields, with separators between them. */
void fields__heads(struct report *r, const struct layout *l);
/** fields__prefix() - append the time and the label alone, and in machine formats the cgroup. */
void fields__prefix(struct report *r, const struct row *row);
/** fields__tail() - append, in text, how far runs spread, and the share of the time if not all. */
void fields__tail(struct report *r, const struct row *row);

/** figure__error() - append " +- X" with the digits of a figure; nothing when it is exact. */
void figure__error(const struct report *r, struct sb *sb, const struct figure *f);
/** figure__shown_error() - with so many digits: what is not exact is never shown as 0. */
double figure__shown_error(double error, int digits);
/** figure__error_bare() - append it for machines: nothing when it is not known. */
void figure__error_bare(struct sb *sb, double error);
/** figure__text() - append a number for text. Return: columns it takes on the screen. */
int figure__text(const struct report *r, struct sb *sb, const struct figure *f);
/** figure__bare() - append its digits alone, for machines; nothing when it is no number. */
void figure__bare(struct sb *sb, const struct figure *f);

/** csv__heads() - the line of --header; of --metric-only with or without it. */
void csv__heads(struct report *r);
/** text__heading() - what stands above the rows; text__footer() - and below them. */
void text__heading(struct report *r);
void text__footer(struct report *r);
/** text__label_width() - columns of a row's label, with its number of CPUs and blanks behind. */
int text__label_width(const struct report *r);

/** metric_only__heads() - append the names of the columns; JSON has them in every line instead. */
void metric_only__heads(struct report *r);
/** metric_only__print() - append a line for each bucket. */
void metric_only__print(struct report *r);

/**
 * struct aggr_info - how a kind of bucket is headed and labelled
 * @key:    of JSON
 * @head:   heading of text; @width: of the label there
 * @counts_units: the number of units stands behind the label
 */
struct aggr_info {
	const char *key, *head;
	int width;
	bool counts_units;
};

extern const struct aggr_info aggr_infos[AGGR_NR];

#endif
