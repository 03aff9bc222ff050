/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A grid holds what is printed, as data: values in rows and columns.
 *
 * lib/report fills it from the counts of one span of time, or of a program's regions; every writer
 * prints from it. A column is an event, a ratio or a metric; a row is a place (a CPU, a core,
 * everything); a cell is a value with its status and reason. A grid holds the present span of time
 * and no history. Names are stored unchanged: writers quote or escape them.
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
 * @at:       its number for each kind of place; -1 if that does not tell rows apart, or the machine
 *            does not report it
 * @comm:     the name of a thread, region or site; else NULL
 * @object:   path of the file that a site is in, or NULL; @near: the site is so near to another one
 *            that samples may belong to either
 * @bottleneck: the bottleneck of a site, if it is certain; or NULL
 * @nr_units: number of CPUs or threads in it
 * @nr_unseen: how many of its CPUs have been offline since the start
 * @nr_away:  how many of its CPUs were offline for a part of the time
 * @core:     (-A, if columns are of cores) numbers of the CPU's core
 * @leads_core: (the same) it is the first CPU of that core, and its row represents the core
 * @notes:    remarks to print with the row
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

/* Kinds of columns. */
enum grid_kind {
	GRID_EVENT,
	GRID_RATIO,  /* built in: instructions per cycle and the like */
	GRID_RATE,   /* built in: an event per second of a clock, or the samples of a latency */
	GRID_METRIC, /* of the tables, or the user's */
	GRID_WHOLE,  /* all slots or cycles, of which the nodes of a TopDown tree are shares */
	GRID_NR_KINDS,
};

/* How a number is printed: its digits, and what follows them. */
enum grid_form {
	FORM_SCALED,  /* a metric with a unit of its own */
	FORM_PLAIN,   /* a metric without a unit */
	FORM_RATIO,
	FORM_PERCENT,
	FORM_RATE,
	FORM_COUNT,   /* a whole number */
};

/**
 * struct grid_column - an event, a ratio or a metric
 *
 * report/columns.c makes columns: it finds all that writers need to know of an event or metric.
 *
 * @name:    the user's name of the event or metric; of a ratio a name like "insn_per_cycle"
 * @label:   the name in perf's formats: an event's has its PMU where perf prints it, a ratio's is
 *           in words, "insn per cycle"
 * @unit:    the unit of its numbers, or ""
 * @share_of: (metrics in percent) what they are a share of: "slots", "clocks"; NULL if unknown
 * @pmu:     the PMU of its counts, if it needs to be printed; else ""
 * @cgroup:  name of the cgroup that is counted; NULL for none
 * @group:   (metrics of a run without -e) the heading that it is printed under; else ""
 * @of:      (ratios) name of the event it belongs to; else ""
 * @event:   number of the event that it is printed with; columns of an event are adjacent
 * @cgroup_number: index in grid.cgroups
 * @core:    index of its core PMU in grid.cores; grid.nr_cores for others; 0 without core types
 * @core_name: the name of that core PMU on a hybrid machine; else NULL
 * @rank:    position in the TopDown tree, where columns are in the tree's order
 * @form:    how its numbers are written
 * @scale:   (events) the factor of a count
 * @limits:  (ratios) the limits above which a value is red, magenta and yellow; or NULL
 * @fraction: (events) counts have two digits after the point
 * @apart:   one of several instances of an uncore event that are printed separately
 * @of_cores: counts are of whole cores: the row of a core's first CPU has them
 * @in_default: it is in the default group of a run without -e, printed under @group without counts
 * @with_count: (@in_default) its count is printed, but only if it has metrics
 * @parent:  (metrics, WANT_TREE or WANT_SLOTS) number of the column of its parent, or of its
 *           nearest counted ancestor; else -1
 * @level:   (metrics, likewise) its level in the TopDown tree; else 0
 * @part:    (metrics, likewise) its node of the first level, itself or an ancestor, whether that is
 *           counted or not
 * @plain:   (metrics, likewise) its name in plain English: "back end"; NULL for none
 * @whole:   (metrics, WANT_SLOTS) number of the column of all slots; else -1
 * @tree_pmu: (WANT_SLOTS) the PMU that counts the slots; else NULL
 * @in_cycles: (WANT_SLOTS) these are cycles, not slots
 * @may_assume: (metrics) its value may rest on retire latencies, or on corrections taken as 0
 * @of_metrics: (events) it was not asked for, but is counted for metrics
 * @is_cycles: (events) it counts the cycles of a core
 * @is_latency: the values are retire latencies, and the counts are of samples
 * @is_state: the value is a state, which is not added up over time
 * @in_metric_only: (ratios) perf's --metric-only has a column for it
 * @possible: (ratios) the events of its formula are counted
 * @optional: (ratios) it is left out if it has no value
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

/* The status of a value, from good to bad. */
enum cell_status {
	CELL_COUNTED,
	CELL_SCALED,
	CELL_PARTIAL,	  /* unscaled, of a part of the time; or of a part of the row's CPUs */
	CELL_ASSUMED,	  /* the vendor's latency, or computed from it */
	CELL_APPROXIMATE, /* computed without an event of its formula */
	CELL_NOT_COUNTED,
	CELL_NOT_SUPPORTED,
	CELL_BUSY,
	CELL_LOST,
	CELL_NO_VALUE, /* everything was counted, but the formula has no value */
	CELL_ABSENT,   /* not counted in this row, and not printed at all */
	CELL_NR_STATUS,
};

/* The reason for a status; cell__words() returns its text. */
enum grid_reason {
	REASON_NONE,
	REASON_TOLD, /* the text is cell_more.told, from the kernel or the event's opener */
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
	/* The vendor's mean, least or greatest latency is used, each for one of three reasons. */
	REASON_VENDOR_UNMEASURED,
	REASON_VENDOR_NO_SAMPLE = REASON_VENDOR_UNMEASURED + 3,
	REASON_VENDOR_REFUSED = REASON_VENDOR_NO_SAMPLE + 3,
	REASON_NR = REASON_VENDOR_REFUSED + 3,
};

/**
 * struct cell_more - parts of a cell that few writers need
 * @percent: share of the time in which it had a counter; of a metric, the least of its events; NAN
 *           if it was never enabled
 * @coverage: share of the row's time, in percent, in which all its CPUs counted it: less than
 *            @percent if one was offline for a while; of a metric, the least of its events. NAN if
 *            CPUs are not counted
 * @spread_percent: (events) error of the mean of several runs; else NAN
 * @error:   half the width of the value's confidence interval; 0 if the value is exact, NAN if the
 *           error is unknown
 * @total:   (events) count since the start, before the scale; @has_total: it is known
 * @slots:   (WANT_SLOTS) slots of a node of a TopDown tree since the start, or all slots; never
 *           less than in the row before; NAN before it had any
 * @error_slots: (the same, WANT_ERRORS) sum of its errors
 * @told:    the text of REASON_TOLD
 * @culprit: the event that the reason is about, if it is not the column's own; or NULL
 */
struct cell_more {
	double percent, coverage, spread_percent, error, slots, error_slots;
	uint64_t total;
	bool has_total;
	const char *told, *culprit;
};

/* The initial state of a cell. */
#define CELL_MORE_NONE                                                                        \
	((struct cell_more){.percent = NAN, .coverage = NAN, .spread_percent = NAN,           \
			    .slots = NAN, .error_slots = NAN})

/**
 * struct grid_cell - a column in a row
 * @value:   NAN or infinite if there is none
 * @count:   (events) the value as a whole number, before the scale; of a latency, its samples
 * @enabled, @running: (events) ns, summed over CPUs or threads
 * @more:    further parts if a writer wants them (WANT_MORE); otherwise one that all cells share
 * @nr:      how many CPUs or threads are summed
 * @status, @reason: (WANT_STATUS, WANT_REASONS) whether it was counted, and why not or not exactly
 * @threshold: (metrics) 1 if the value passes it, 0 if not, -1 if there is none
 * @present: the event is opened on some CPU or thread of the row
 * @counted: the count, or that of the event it is printed with, is a number
 * @is_count: @count is the value, exactly
 * @assumed: it rests on a value that was not measured here: a vendor's latency, or a correction of
 *           0
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

/* Parts of a grid that a writer asks for; parts that no writer wants are not computed. */
enum grid_want {
	WANT_EVENTS = 1 << GRID_EVENT,
	WANT_RATIOS = 1 << GRID_RATIO,
	WANT_RATES = 1 << GRID_RATE,
	WANT_METRICS = 1 << GRID_METRIC,
	WANT_SLOTS = 1 << GRID_WHOLE,	  /* slots since the start, of nodes of TopDown trees */
	WANT_STATUS = 1 << GRID_NR_KINDS, /* share of the time, coverage, and status */
	WANT_REASONS = WANT_STATUS << 1,  /* status of events, and the reasons */
	WANT_TOTALS = WANT_STATUS << 2,	  /* counts since the start */
	WANT_ERRORS = WANT_STATUS << 3,	  /* errors of values */
	WANT_SPREADS = WANT_STATUS << 4,  /* differences between runs */
	WANT_TREE = WANT_STATUS << 5,	  /* parents of metrics */
	WANT_MORE = WANT_STATUS | WANT_REASONS | WANT_TOTALS | WANT_ERRORS | WANT_SPREADS |
		    WANT_SLOTS,
};

/**
 * struct grid_block - columns of one cgroup of --for-each-cgroup; all blocks have the same columns
 * @cgroup: the cgroup of its first event; NULL for none
 * @first, @nr: its first column, and how many it has
 */
struct grid_block {
	const char *cgroup;
	int first, nr;
};

/* The span of time of the cells. */
enum grid_span {
	SPAN_INTERVAL,
	SPAN_RUN,
	SPAN_MEAN, /* of several runs */
};

/**
 * struct grid_share - the part of a task's time on cores of a type
 * @percent: the share of the time; @at_least: it may be more, since events were multiplexed
 * @known: the share is known
 */
struct grid_share {
	double percent;
	bool known, at_least;
};

/**
 * struct grid_lengths - how long each of several runs took
 * @at, @nr: their lengths in ns; @mean, @error: in seconds; @percent: the error as a share of the
 *           mean
 */
struct grid_lengths {
	const uint64_t *at;
	int nr;
	double mean, error, percent;
};

/**
 * struct grid_misfit - an impossible value, or one that differs from the sum of its parts
 * @row, @column: place of the value; @text: a sentence that explains it
 */
struct grid_misfit {
	int row, column;
	char *text;
};

/**
 * struct grid_notes - remarks that are printed below the cells
 * @assumed:   a value so far rests on a latency that was not measured here
 * @uncorrected: a value was computed without these events, which only correct it; or NULL
 * @one_thread: a value was computed from these events of one thread of a core, not of all; or NULL
 * @nr_away:   CPUs that were offline for a part of the time; @coverage: share of it that was
 *             counted
 * @over_passes: names of the metrics whose events were counted in several runs of the command
 * @misfits:   (of a run, if a writer prints reasons) impossible values, even within the errors
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
 * @whole:   it was counted all the time; @groups: number of groups of its events that were
 *           multiplexed
 * @parent:  number of its parent node; -1 for none
 * @has_threshold: the tables have one; @useful: its slots did useful work
 * @limit:   the number that its threshold compares it with; NAN for none
 * @open:    its threshold needs a value that was not measured
 * @has_parts: the tables have children of it; @nr_parts: how many, one level below it
 */
struct grid_node {
	const char *name, *unit;
	double value, error, share, limit;
	int level, groups, parent, nr_parts;
	bool whole, has_threshold, useful, open, has_parts, impossible;
};

/* A list of nodes of a verdict, by their numbers. */
struct grid_nodes {
	int *at, nr;
};

/* Results of a verdict. */
enum grid_outcome {
	OUTCOME_NOTHING_MEASURED,
	OUTCOME_BOTTLENECK,
	OUTCOME_UNCERTAIN,
	OUTCOME_NOTHING_OVER,
	OUTCOME_UNKNOWN,    /* no threshold could be checked */
	OUTCOME_TOO_LITTLE, /* a task ran on cores of this type for too little of its time */
	OUTCOME_IMPOSSIBLE, /* values of the first level are impossible */
	OUTCOME_NOT_WHOLE,  /* the first level does not add up to all slots */
	OUTCOME_NOT_ALL,    /* a part is missing, as @reason explains */
};

/* Results for the children of the bottleneck. */
enum grid_parts {
	PARTS_NONE, /* it has no children */
	PARTS_UNDER,
	PARTS_UNCERTAIN,
	PARTS_NOT_MEASURED,
	PARTS_IMPOSSIBLE,   /* their measured values are impossible */
	PARTS_NOT_COMPUTED, /* the recording has their events, but the user did not ask for them */
};

/**
 * struct grid_doubt - why it is unknown whether a metric is over its threshold
 * @why, @remedy: texts with the reason, and with a remedy
 */
struct grid_doubt {
	const char *why, *remedy;
};

/**
 * struct grid_phase - a part of a run in which the first level changed little
 * @start_ns, @end_ns: since the start; @intervals: how many of them had all of the first level
 * @path:   nodes down to its bottleneck, ignoring errors; @values: the values of these, as printed
 */
struct grid_phase {
	uint64_t start_ns, end_ns;
	int intervals;
	struct grid_nodes path;
	double *values;
};

/**
 * struct grid_words - the bottleneck in plain English; NULL members are unknown
 * @plain: a name; @means: a sentence that explains it; @remedy: a sentence that says what to try
 */
struct grid_words {
	const char *plain, *means, *remedy;
};

/**
 * struct grid_verdict - the findings of a TopDown tree in a row
 * @row:     number of the row; @cgroup, @cgroup_number: as of a column
 * @core_name: core PMU of the tree on a hybrid machine, else NULL; @share: of the task's time on it
 * @nodes, @nr_nodes: the metrics of the tree
 * @top:     sum of the values of its first level, in percent; NAN if there is none
 * @missing: the metrics of its first level without a value, each with the events it lacks; NULL if
 *           the first level is complete
 * @misfits, @nr_misfits: sentences about impossible values, even within the errors
 * @hint:    (of a recording) another possible cause of these; or NULL
 * @path:    the nodes from the first level to the bottleneck, which is the last one
 * @others:  other nodes over their thresholds; @uncertain: those that may be; @may_be_over: those
 *           of them whose values are at the threshold; @open: those whose thresholds need a value
 *           that was not measured
 * @larger:  siblings of nodes of the path that are larger, but not over their thresholds; then, if
 *           no child of the last one is over its threshold, the largest child
 * @between: candidates for the next node of the path, the largest first; @or_none: there may be
 *           none
 * @doubts, @nr_doubts: why it is uncertain; @reason: the worst of them, allocated in @own_reason or
 *                      a constant
 * @times:   counting for about this many times as long would decide it; NAN if unknown
 * @less_level: deepest level needed to decide it, if deeper ones are counted as well; or 0
 * @intervals: how many had all of the first level; @same: how many of them had this bottleneck;
 *             @short_of: how many had too little counted to decide
 * @other, @same_other: the most frequent bottleneck of the other intervals, or -1, and how many had
 *                      it
 * @phases, @nr_phases: phases of a run that had several; else none
 * @passes:  in how many runs of the command events were counted; 0 for one
 * @assumes: counts were read only at the end: errors rest on assumptions about rates
 * @words:   the bottleneck in plain English
 * @bound:   upper limit of the speedup without the bottleneck, as a factor; NAN if unknown
 * @parts:   what is known of the bottleneck's children
 * @next:    command that measures them, quoted for a shell; @next_group: the metric group; or ""
 * @sample:  events whose samples show the place; @record: these as arguments of perf record
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
 * struct grid_ran - how long each of many threads ran, most of which did not run
 * @ns:    for each row; @total_ns: sum over all rows
 * @order: numbers of the rows, the longest running first; NULL if rows are not of many threads
 */
struct grid_ran {
	uint64_t *ns, total_ns;
	int *order;
};

/**
 * struct grid - rows and columns, and facts about the run
 * @aggr:    what a row represents
 * @wants:   what is computed, bits of enum grid_want
 * @rows, @nr_rows: places, in order; owned by the code that counts
 * @columns, @nr_columns: each event followed by its ratios and metrics, in the order of the plan
 * @cells:   at[column * nr_rows + row], see grid__cell(); @more: with the same indices, or one for
 *           all
 * @blocks, @nr_blocks: parts of the columns
 * @present: at[block * nr_rows + row]: something is counted there
 * @cgroups, @nr_cgroups: names in the order of the events; "" for events in no cgroup
 * @has_ports: names of cgroups are those of PCIe root ports instead
 * @has_events: there are events; @has_cgroups: one is counted in a cgroup
 * @cores, @nr_cores: names of the core PMUs of a hybrid machine; @cores_by_column: they are printed
 *                    in the order of their first columns, not in this one
 * @shares:  at[core * nr_rows + row], of tasks on a hybrid machine; else NULL
 * @bottlenecks: likewise, of sites: the bottleneck on such cores, or NULL; else NULL
 * @per_cpu: rows are of CPUs; @counts_cpus: and the number of CPUs is known
 * @has_latencies: an event is a retire latency
 * @skip_idle: rows in which nothing ran are not printed; @ran: which threads ran
 * @runs:    several runs are counted
 * @span:    the time of the cells; @is_total: it is the sum of all intervals so far
 * @since_start_ns, @elapsed_ns: end and length of that time; 0 if unknown
 * @is_cut: an interval began or ended other than on time, and is shorter than was asked for
 * @missed: intervals without a row in that time, see grid__has_gap(); @missed_total: of the run
 * @lost_ns: time since the start without measurement, because it was restarted; @restarts: how
 *           often
 * @user_ns, @system_ns: CPU time of the command; @has_cpu_time: it is known
 * @peak_bytes: largest resident memory of the command; 0 if unknown
 * @lengths: how long each of several runs (@runs) took, or each pass
 * @verdicts, @nr_verdicts: at the end of the run
 * @named:    how often rows got names after the grid was made
 * @estimate: the method of estimating metrics of multiplexed events; NULL if each count is scaled
 *            by time
 * @simulated: name of the simulated machine that made these synthetic counts; NULL for a real one
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

/** grid__free_misfits() - remove the misfits of an earlier row. */
void grid__free_misfits(struct grid *g);
/** grid__free() - release all that the grid owns, which excludes the rows. */
void grid__free(struct grid *g);
/**
 * grid__add() - append a column, zeroed but for its kind. Return: valid until the next is added.
 */
struct grid_column *grid__add(struct grid *g, enum grid_kind kind);
/** grid__cmp_cores() - compare two core types by the order in which they are printed. */
int grid__cmp_cores(const struct grid *g, int a, int b);
/** grid__keep() - move a text from a buffer into the grid's memory; the buffer is empty then. */
const char *grid__keep(struct grid *g, struct sb *text);
/** grid__allocate() - allocate the cells, once all rows and columns are known. */
void grid__allocate(struct grid *g);
/** grid__knows_any() - tell whether any cell was counted, even if its formula has no value. */
bool grid__knows_any(const struct grid *g);
/**
 * grid__has_gap() - tell whether an interval is so late that a message should explain it
 *
 * Intervals before it were left out, and it is at least half a second long, or of code. Others of
 * a few milliseconds are often late on a busy computer; their times, and "missed", show that.
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
 * grid__share() - find the share of a task's time on a core type in a row; NULL if there is none.
 */
const struct grid_share *grid__share(const struct grid *g, int core, int row);

/**
 * grid_share__print() - append a share in percent; nothing if it is not known
 * @at_least: printed before a share that is only a lower limit
 */
void grid_share__print(struct grid_share share, const char *at_least, struct sb *sb);

/** cell_status__name() - get the name of a status: "counted", "scaled" ... */
const char *cell_status__name(enum cell_status status);
/**
 * cell__words() - explain why a cell has no number, or not an exact one; NULL if it needs no
 * reason.
 */
const char *cell__words(const struct grid_cell *cell);
/** grid_row__place() - get a number of a row; -1 if the machine does not report it. */
int grid_row__place(const struct grid_row *row, enum grid_place place);

#endif
