/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A grid holds what is printed, as data: values in rows and columns.
 *
 * In comes what lib/report found out of the counts of one time, or of a program's regions; out of
 * it every writer prints. A column is an event, a ratio or a metric, a row is a place (a CPU, a
 * core, everything), and a cell is a value with all that is to be known of it. The grid holds the
 * time at hand, and no history. Names stand in it as they are: a writer dresses them.
 */
#ifndef TMA_GRID_GRID_H
#define TMA_GRID_GRID_H

#include <stdbool.h>
#include <stdint.h>

#include "base/vec.h"
#include "base/xalloc.h"
#include "grid/part.h"
#include "grid/rows.h"

struct sb;

/**
 * struct grid_row - a place
 * @at:       its numbers; -1 where it is not told apart by one, or the machine does not say
 * @comm:     the name of a thread, region or site; else NULL
 * @object:   path of the file that a site is in, or NULL; @near: samples are found so near to it
 *            that they may be another site's
 * @bottleneck: what limits a site, where that is certain; or NULL
 * @nr_units: CPUs or threads in it
 * @nr_unseen: how many of its CPUs have been offline since the start
 * @nr_away:  how many of them were offline for a part of the time
 * @core:     (-A, where columns are of cores) numbers of the CPU's core
 * @leads_core: (the same) it is the first CPU of that core, whose row stands for the core
 * @notes:    words to be said of the row
 */
struct grid_row {
	int at[PLACE_NR];
	char *comm;
	const char *object, *bottleneck;
	bool near;
	int nr_units, nr_unseen, nr_away;
	int core[PLACE_NR];
	bool leads_core;
	VEC(const char *) notes;
};

/* A column is one of these. */
enum grid_kind {
	GRID_EVENT,
	GRID_RATIO,  /* built in: instructions per cycle and the like */
	GRID_RATE,   /* built in: an event per second of a clock, or samples of a latency */
	GRID_METRIC, /* of the tables, or the user's */
	GRID_WHOLE,  /* all slots or cycles that the nodes of a TopDown tree are shares of */
	GRID_NR_KINDS,
};

/* The form says how many digits a number is printed with, and what follows them. */
enum grid_form {
	FORM_SCALED,  /* a metric with a unit of its own */
	FORM_PLAIN,   /* a metric without */
	FORM_RATIO,
	FORM_PERCENT,
	FORM_RATE,
	FORM_COUNT,   /* a whole number */
};

/**
 * struct grid_column - an event, a ratio or a metric
 *
 * report/columns.c makes them: what a writer is to know of an event or metric is found there.
 *
 * @name:    what the user calls the event or metric; "insn_per_cycle" is that of a ratio
 * @label:   what perf's formats print: an event's name with its PMU where they tell it, and of a
 *           ratio its words, "insn per cycle"
 * @unit:    the unit that a number is in, or ""
 * @share_of: (metrics in percent) what the whole is: "slots", "clocks"; NULL where it is not known
 * @pmu:     the PMU that its counts are of, where that is to be told; or ""
 * @cgroup:  name of the cgroup that is counted in; NULL for none
 * @group:   (metrics of a run without -e) the heading it stands under; else ""
 * @of:      (ratios) name of the event it belongs to; else ""
 * @event:   number of the event it is printed with; columns of one stand together
 * @cgroup_number: which of grid.cgroups
 * @core:    place of its core PMU among grid.cores; grid.nr_cores for others; 0 without core types
 * @core_name: the name of that core PMU on a hybrid machine; else NULL
 * @rank:    place in the TopDown tree, where columns stand in its order
 * @form:    how its numbers are written
 * @scale:   (events) what a count is multiplied with
 * @limits:  (ratios) what is worth a colour: above which it is red, magenta and yellow; or NULL
 * @fraction: (events) counts have two digits behind the point
 * @apart:   one of several instances of an uncore event, which are told apart
 * @of_cores: rows of CPUs lead their cores here
 * @in_default: it is in the default group of a run without -e, printed under @group without counts
 * @with_count: (@in_default) it is printed as elsewhere, but only if it has metrics
 * @parent:  (metrics, WANT_TREE or WANT_SLOTS) number of the column that it is a part of, or of the
 *           nearest one above that is counted; -1 for none, and elsewhere
 * @level:   (metrics, likewise) its level in the TopDown tree; 0 where it is in none,
 *           and elsewhere
 * @part:    (metrics, likewise) the part of the first level that it is, or is below, whether that
 *           is counted or not
 * @plain:   (metrics, likewise) what it is called in plain English: "back end"; NULL for none
 * @whole:   (metrics, WANT_SLOTS) number of the column of all slots; -1 for none, and elsewhere
 * @tree_pmu: (WANT_SLOTS) the PMU whose slots these are; else NULL
 * @in_cycles: (WANT_SLOTS) they are cycles
 * @may_assume: (metrics) its value is made of retire latencies, or of corrections taken as 0
 * @of_metrics: (events) nobody asked for it: it is counted for metrics
 * @is_cycles: (events) it counts the cycles of a core
 * @is_latency: the values are retire latencies, and counts their samples
 * @is_state: the value is a state, which is not added up over time
 * @in_metric_only: (ratios) perf's --metric-only has a column for it
 * @possible: (ratios) the events that it is made of are there
 * @optional: (ratios) it is not mentioned where it has no value
 * @supported: (events) the kernel counts it somewhere; known with the first counts
 */
struct grid_column {
	enum grid_kind kind;
	const char *name, *label, *unit, *share_of, *pmu, *cgroup, *group, *of;
	int event, cgroup_number, core, rank, parent, level, whole;
	const char *core_name, *tree_pmu, *plain;
	enum grid_part part;
	enum grid_form form;
	double scale;
	const double *limits;
	bool fraction, apart, of_cores, in_default, with_count, of_metrics, is_cycles,
		is_latency, is_state;
	bool in_metric_only, possible, optional, supported, may_assume, in_cycles;
};

/* The status says what became of a value, from good to bad. */
enum cell_status {
	CELL_COUNTED,
	CELL_SCALED,
	CELL_PARTIAL,	  /* of a part of the time, unscaled, or of the CPUs and boxes of the row */
	CELL_ASSUMED,	  /* it is the vendor's latency, or made of it */
	CELL_APPROXIMATE, /* made without an event of its formula */
	CELL_NOT_COUNTED,
	CELL_NOT_SUPPORTED,
	CELL_BUSY,
	CELL_LOST,
	CELL_NO_VALUE, /* everything was counted, but the formula has no value */
	CELL_ABSENT,   /* nothing of it is counted in this row: it is not printed at all */
	CELL_NR_STATUS,
};

/* The reason says why it became that; cell__words() has the words. */
enum grid_reason {
	REASON_NONE,
	REASON_TOLD, /* cell_more.told has it, from the kernel or whoever opened the event */
	REASON_NO_SAMPLE,
	REASON_NOT_SAMPLED,
	REASON_NO_PASS,
	REASON_NOT_IN_ALL_RUNS,
	REASON_SOME_OFFLINE,
	REASON_NOT_ON_ALL_CPUS,
	REASON_CGROUP_IDLE,
	REASON_CGROUP_GONE,
	REASON_CGROUP_ANOTHER,
	REASON_OFFLINE,
	REASON_NOT_ENABLED,
	REASON_TASK_IDLE,
	REASON_NO_SET_TURN,
	REASON_OTHER_TYPE,
	REASON_OTHER_TYPE_OR_NO_COUNTER,
	REASON_NO_COUNTER_ON_TYPE,
	REASON_NO_TURN,
	REASON_WATCHDOG,
	REASON_NO_COUNTER,
	REASON_TOO_LITTLE,
	REASON_TURNS,
	REASON_TURNS_UNSCALED,
	REASON_PART_ON_TYPE,
	REASON_PART_ON_TYPE_UNSCALED,
	REASON_PART_AND_TURNS,
	REASON_PART_AND_TURNS_UNSCALED,
	REASON_OVER_PASSES,
	REASON_UNSUPPORTED,
	REASON_BUSY,
	REASON_LOST,
	REASON_ABSENT,
	REASON_NO_VALUE,
	REASON_UNCORRECTED,
	REASON_ONE_THREAD,
	REASON_LITERAL,
	REASON_DEAD,
	REASON_NOT_LENT,
	REASON_OTHER_TIMES,
	REASON_NEAR,
	REASON_FEW_SAMPLES,
	/*
	 * The vendor's mean, least and greatest latency stand for it, each for one of three
	 * reasons.
	 */
	REASON_VENDOR_UNMEASURED,
	REASON_VENDOR_NO_SAMPLE = REASON_VENDOR_UNMEASURED + 3,
	REASON_VENDOR_REFUSED = REASON_VENDOR_NO_SAMPLE + 3,
	REASON_NR = REASON_VENDOR_REFUSED + 3,
};

/**
 * struct cell_more - what few writers ask of a cell
 * @percent: share of the time it had a counter; of a metric, the least of its events; NAN where it
 *           was never enabled
 * @coverage: share of the row's time, in percent, in which all its CPUs counted it: less than
 *           @percent where one was offline for a while; of a metric, the least of its events. NAN
 *           where no CPUs are counted
 * @spread_percent: (events) how far the mean of several runs may be off; else NAN
 * @error:   half the width of the interval of the value; 0 when it is exact, NAN when that is not
 *           known
 * @total:   (events) count since the start, before the scale; @has_total: there is one
 * @slots:   (WANT_SLOTS) what a node of a TopDown tree had of the slots since the start, or all of
 *           them; never less than in the row before; NAN before it had any
 * @error_slots: (the same, WANT_ERRORS) its errors, added up
 * @told:    the words of REASON_TOLD
 * @culprit: the event that the reason is about, when it is not the column's own; or NULL
 */
struct cell_more {
	double percent, coverage, spread_percent, error, slots, error_slots;
	uint64_t total;
	bool has_total;
	const char *told, *culprit;
};

/* A cell of which nothing is known yet. */
#define CELL_MORE_NONE                                                                        \
	((struct cell_more){.percent = NAN, .coverage = NAN, .spread_percent = NAN,           \
			    .slots = NAN, .error_slots = NAN})

/**
 * struct grid_cell - a column in a row
 * @value:   NAN or infinite where there is none
 * @count:   (events) the same as a whole number, before the scale; of a latency, its samples
 * @enabled, @running: (events) ns, added up over CPUs or threads
 * @more:    what there is where a writer wants it (WANT_MORE); elsewhere all cells have one in
 *           common
 * @nr:      CPUs or threads added up
 * @status, @reason: (WANT_STATUS, WANT_REASONS) what became of it, and why
 * @threshold: (metrics) 1 when it is passed, 0 when not, -1 when there is none
 * @present: the event is opened on some CPU or thread of the row
 * @counted: the count, or that of the event it is printed with, is a number
 * @is_count: @count is the value, exactly
 * @assumed: made with what nobody measured here: a latency of the vendor's, or a correction of 0
 */
struct grid_cell {
	double value;
	uint64_t count, enabled, running;
	struct cell_more *more;
	int nr;
	unsigned char status, reason;
	signed char threshold;
	bool present : 1, counted : 1, is_count : 1, assumed : 1;
};

/* A writer asks for these parts of a grid; what none asks for is not computed. */
enum grid_want {
	WANT_EVENTS = 1 << GRID_EVENT,
	WANT_RATIOS = 1 << GRID_RATIO,
	WANT_RATES = 1 << GRID_RATE,
	WANT_METRICS = 1 << GRID_METRIC,
	WANT_SLOTS = 1 << GRID_WHOLE,	  /* slots since the start, of nodes of TopDown trees */
	WANT_STATUS = 1 << GRID_NR_KINDS, /* share of the time, coverage, and what became of it */
	WANT_REASONS = WANT_STATUS << 1,  /* what became of events, and why */
	WANT_TOTALS = WANT_STATUS << 2,	  /* counts since the start */
	WANT_ERRORS = WANT_STATUS << 3,	  /* how far off values may be */
	WANT_SPREADS = WANT_STATUS << 4,  /* how far several runs differ */
	WANT_TREE = WANT_STATUS << 5,	  /* which metric is a part of which */
	WANT_MORE = WANT_STATUS | WANT_REASONS | WANT_TOTALS | WANT_ERRORS | WANT_SPREADS |
		    WANT_SLOTS,
};

/**
 * struct grid_block - one of several parts of the columns, which are alike: one for each cgroup of
 * --for-each-cgroup
 * @cgroup: the cgroup of its first event; NULL for none
 * @first, @nr: its columns
 */
struct grid_block {
	const char *cgroup;
	int first, nr;
};

/* The cells are of one of these spans of time. */
enum grid_span {
	SPAN_INTERVAL,
	SPAN_RUN,
	SPAN_MEAN, /* of several runs */
};

/**
 * struct grid_share - the part of a task's time on cores of a type
 * @percent: the share of the time; @at_least: it may be more, since events took turns
 * @known: something is
 */
struct grid_share {
	double percent;
	bool known, at_least;
};

/**
 * struct grid_lengths - how long each of several runs was
 * @at, @nr: ns; @mean, @error: of them, in seconds; @percent: the error as a share of the mean
 */
struct grid_lengths {
	const uint64_t *at;
	int nr;
	double mean, error, percent;
};

/**
 * struct grid_misfit - a value that cannot be, or one that its parts do not come to
 * @row, @column: of the value; @text: a sentence that says so
 */
struct grid_misfit {
	int row, column;
	char *text;
};

/**
 * struct grid_notes - what stands below the cells
 * @assumed:   a value so far was made with a latency which nobody measured here
 * @uncorrected: a value is made without these events, which only correct it; NULL for none
 * @one_thread: a value is made without these events of all threads of a core; NULL for none
 * @nr_away:   CPUs that were offline for a part of the time; @coverage: share of it that was
 *             counted
 * @over_passes: names of the metrics made of several runs of the command
 * @misfits:   (of a run, where a writer says reasons) what cannot be, even within the errors
 * @watchdog:  an event had no counter, and the NMI watchdog holds one
 */
struct grid_notes {
	bool assumed, watchdog;
	const char *uncorrected, *one_thread;
	int nr_away;
	double coverage;
	VEC(const char *) over_passes;
	VEC(struct grid_misfit) misfits;
};

/**
 * struct grid_node - a metric of a TopDown tree, as a verdict names it
 * @value, @error: the numbers that are printed
 * @share:   the least share of the time of any of its events; NAN for none
 * @whole:   it was counted all the time there was; @groups: groups of its events which took turns
 * @parent:  number of the node that it is a part of, -1 without one
 * @has_threshold: the tables have one; @useful: slots that did useful work
 * @limit:   the number that its threshold compares it with; NAN for none
 * @open:    its threshold needs what was not measured
 * @has_parts: the tables have metrics that are parts of it; @nr_parts: how many, one level below it
 */
struct grid_node {
	const char *name, *unit;
	double value, error, share, limit;
	int level, groups, parent, nr_parts;
	bool whole, has_threshold, useful, open, has_parts, impossible;
};

/* Some of a verdict's nodes, by their numbers, are in a list. */
struct grid_nodes {
	int *at, nr;
};

/* A verdict says one of these. */
enum grid_outcome {
	OUTCOME_NOTHING_MEASURED,
	OUTCOME_BOTTLENECK,
	OUTCOME_UNCERTAIN,
	OUTCOME_NOTHING_OVER,
	OUTCOME_UNKNOWN,    /* no threshold could be looked at */
	OUTCOME_TOO_LITTLE, /* of its time a task ran on cores of this type */
	OUTCOME_IMPOSSIBLE, /* values of the first level cannot be */
	OUTCOME_NOT_WHOLE,  /* the first level does not add up to all slots */
	OUTCOME_NOT_ALL,    /* something is missing: @reason says what */
};

/* This is known of the parts of the bottleneck. */
enum grid_parts {
	PARTS_NONE, /* it has none */
	PARTS_UNDER,
	PARTS_UNCERTAIN,
	PARTS_NOT_MEASURED,
	PARTS_IMPOSSIBLE,   /* what was measured of them cannot be */
	PARTS_NOT_COMPUTED, /* the recording has their events, and nobody asked for them */
};

/**
 * struct grid_doubt - why it is not known on which side of its threshold a metric is
 * @why, @remedy: words for why it is not known, and for what helps
 */
struct grid_doubt {
	const char *why, *remedy;
};

/**
 * struct grid_phase - a part of a run in which the first level was much the same
 * @start_ns, @end_ns: since the start; @intervals: how many had all of the first level
 * @path:   the way to its bottleneck, errors aside; @values: of the nodes in it, as printed
 */
struct grid_phase {
	uint64_t start_ns, end_ns;
	int intervals;
	struct grid_nodes path;
	double *values;
};

/**
 * struct grid_words - what is said of the bottleneck in plain words; NULL where nobody knows it
 * @plain: a name; @means: a sentence that says what happened; @remedy: one that says what to try
 */
struct grid_words {
	const char *plain, *means, *remedy;
};

/**
 * struct grid_verdict - what is said of a TopDown tree in a row
 * @row:     number of the row; @cgroup: as of a column; @cgroup_number: the same
 * @core_name: core PMU of the tree on a hybrid machine, else NULL; @share: of the task's time on it
 * @nodes, @nr_nodes: the metrics of the tree
 * @top:     what the values of its first level add up to, in percent; NAN where there is none
 * @missing: the metrics of its first level without a value, each with the events it lacks; NULL
 *           where the first level adds up
 * @misfits, @nr_misfits: sentences of what cannot be, even within the errors
 * @hint:    (of a recording) what else may be wrong then; NULL for nothing
 * @path:    the nodes from the first level to the bottleneck, the last one
 * @others:  what else is over its threshold; @uncertain: what may be; @may_be_over: what is at its
 *           value, of those; @open: whose threshold needs what was not measured
 * @larger:  siblings of nodes of the path that are larger and yet not over their thresholds; behind
 *           the path's end the largest of its parts, where none is over
 * @between: what the next node of the path may be, from large to small; @or_none: or none is
 * @doubts, @nr_doubts: why it is uncertain; @reason: the worst of them, in @own_reason if that is
 *           no constant
 * @times:   counting for about so many times as long would decide it; NAN where that is not known
 * @less_level: deepest level that it takes to decide it, where deeper ones are counted as well; or
 * 0
 * @intervals: how many had all of the first level; @same: in how many it was the bottleneck;
 *           @short_of: how many had too little counted to tell
 * @other, @same_other: node that was it most often elsewhere, or -1; and in how many
 * @phases, @nr_phases: of a run that had several; else none
 * @passes:  runs of the command that the counts are of; 0 for one
 * @assumes: nothing was read in between: errors follow from what is assumed of rates
 * @words:   what the bottleneck is
 * @bound:   without it, the program is at most so many times as fast; NAN where that is not known
 * @parts:   what is known of the bottleneck's parts
 * @next:    command that measures them, as a shell reads it; @next_group: the metric group; ""
 * where there is none
 * @sample:  events whose samples show where; @record: the same as arguments of perf record
 */
struct grid_verdict {
	int row, cgroup_number;
	const char *cgroup, *core_name;
	struct grid_share share;
	enum grid_outcome outcome;
	struct grid_node *nodes;
	int nr_nodes;
	double top;
	bool assumes;
	struct grid_nodes path, others, uncertain, may_be_over, open, larger, between;
	bool or_none;
	struct grid_doubt *doubts;
	int nr_doubts;
	const char *reason, *hint;
	char *missing, *own_reason, **misfits;
	int nr_misfits;
	double times, bound;
	int intervals, same, short_of, other, same_other, passes, less_level;
	struct grid_phase *phases;
	int nr_phases;
	struct grid_words words;
	enum grid_parts parts;
	char *next, *next_group, *sample, *record;
};

/**
 * struct grid_ran - for how long each of many threads ran, most of which did not
 * @ns:    at[row]; @total_ns: of all rows
 * @order: numbers of the rows, those that ran longest first; NULL where rows are no such threads
 */
struct grid_ran {
	uint64_t *ns, total_ns;
	int *order;
};

/**
 * struct grid - rows and columns, and what is known of the run
 * @aggr:    what a row stands for
 * @wants:   what is computed, bits of enum grid_want
 * @rows, @nr_rows: places, in order; owned by whoever counts
 * @columns, @nr_columns: an event, its ratios and its metrics in turn, in the order of the plan
 * @cells:   at[column * nr_rows + row], see grid__cell(); @more: theirs, in the same places, or one
 * @blocks, @nr_blocks: parts of the columns
 * @present: at[block * nr_rows + row]: something is counted there
 * @cgroups, @nr_cgroups: names in the order in which events have them; "" for what is in none
 * @has_ports: names of cgroups are those of PCIe root ports instead
 * @has_events: there are some; @has_cgroups: one is counted in a cgroup
 * @cores, @nr_cores: names of the core PMUs of a hybrid machine; @cores_by_column: they are told
 *         in the order of their first columns, not in this one
 * @shares:  at[core * nr_rows + row], of tasks on such a machine; else NULL
 * @bottlenecks: likewise, of sites there: what limits each on such cores, or NULL; else NULL
 * @per_cpu: rows are of CPUs; @counts_cpus: and it is known of how many
 * @has_latencies: an event is a retire latency
 * @skip_idle: rows in which nothing ran are not printed; @ran: of threads, which those are
 * @runs:    several runs are counted
 * @span:    the time that the cells are of; @is_total: it is that of all intervals before
 * @since_start_ns, @elapsed_ns: end and length of that time; 0 when it is not known
 * @is_cut: the row of an interval ends, or began, at no deadline: it is shorter than was asked for
 * @missed: rows of intervals that were left out in that time, see grid__has_gap()
 * @missed_total: those of the run so far
 * @lost_ns: time since the start in which nothing was measured, since the measurement was begun
 *           anew; @restarts: how often
 * @user_ns, @system_ns: CPU time of the command; @has_cpu_time: whether it is known
 * @peak_bytes: the most memory that the command had resident; 0 where that is not known
 * @lengths: how long each of several runs (@runs) was, or each pass
 * @verdicts, @nr_verdicts: at the end of the run
 * @named:    how often rows got names after the grid was made
 * @estimate: how metrics of events that took turns are estimated; NULL where each count is scaled
 *           by time
 * @simulated: name of the simulated machine whose counts these are: they are synthetic; NULL for
 *           those of a real one
 * @memory:  what the grid owns: names, @cells and @more, @blocks, @present and @shares
 */
struct grid {
	enum grid_aggr aggr;
	unsigned int wants;
	const struct grid_row *rows;
	int nr_rows;
	struct grid_column *columns;
	int nr_columns;
	struct grid_cell *cells;
	struct cell_more *more;
	struct grid_block *blocks;
	int nr_blocks;
	bool *present;
	VEC(const char *) cgroups;
	VEC(const char *) cores;
	struct grid_share *shares;
	bool has_events, has_cgroups, has_ports, per_cpu, counts_cpus, has_latencies, skip_idle,
		runs, cores_by_column;
	bool is_total, has_cpu_time, is_cut;
	enum grid_span span;
	unsigned int named;
	uint64_t since_start_ns, elapsed_ns, user_ns, system_ns, peak_bytes, missed, missed_total,
		lost_ns, restarts;
	struct grid_lengths lengths;
	struct grid_notes notes;
	struct grid_ran ran;
	struct grid_verdict *verdicts;
	int nr_verdicts;
	const char *estimate, *simulated, **bottlenecks;
	struct arena memory;
};

/** grid__free_misfits() - forget those of an earlier row. */
void grid__free_misfits(struct grid *g);
/** grid__free() - release what it owns: all but the rows. */
void grid__free(struct grid *g);
/** grid__add() - add a column, zeroed but for its kind. Valid until the next one is added. */
struct grid_column *grid__add(struct grid *g, enum grid_kind kind);
/** grid__cmp_cores() - compare the places of two core types in what is told. */
int grid__cmp_cores(const struct grid *g, int a, int b);
/** grid__keep() - make a text live as long as the grid; the buffer is empty then. */
const char *grid__keep(struct grid *g, struct sb *text);
/** grid__allocate() - memory for the cells, when all rows and columns stand. */
void grid__allocate(struct grid *g);
/** grid__knows_any() - whether any cell was counted, even if its formula has no value. */
bool grid__knows_any(const struct grid *g);
/**
 * grid__has_gap() - tell whether a row of an interval is so late that a person is to be told: rows
 * were left out before it, and it is half a second long or longer
 *
 * A row of a few milliseconds is often late on a busy computer; its time says so, and "missed".
 */
bool grid__has_gap(const struct grid *g);
/** grid__free_verdicts() - release the verdicts. */
void grid__free_verdicts(struct grid *g);

/** grid__cell() - find the cell of a column in a row. */
static inline struct grid_cell *grid__cell(const struct grid *g, int column, int row)
{
	return &g->cells[(size_t)column * g->nr_rows + row];
}

/**
 * grid__share() - find the share of a task's time in a row that was on a core type; NULL where
 * there is none.
 */
const struct grid_share *grid__share(const struct grid *g, int core, int row);

/**
 * grid_share__print() - append it in percent; nothing when it is not known
 * @at_least: stands before what is only known to be a lower limit
 */
void grid_share__print(struct grid_share share, const char *at_least, struct sb *sb);

/** cell_status__name() - "counted", "scaled" ... */
const char *cell_status__name(enum cell_status status);
/**
 * cell__words() - say why a cell is no number, or no exact one; NULL where there is nothing to say.
 */
const char *cell__words(const struct grid_cell *cell);
/** grid_row__place() - look up a number of a row; -1 where the machine does not say it. */
int grid_row__place(const struct grid_row *row, enum grid_place place);

#endif
