/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A grid holds what is printed, as data: values in rows and columns.
 *
 * lib/report fills it from the counts of one span of time, or of a program's regions; every writer
 * prints from it. A column is an event, a ratio or a metric; a row is a place (a CPU, a core,
 * everything); a cell is a value with its status and reason. A grid holds only the current span of
 * time. Names are stored unchanged: writers quote or escape them.
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
 * @at:       the row's number for each kind of place; -1 for none, or if unknown
 * @comm:     the name of a thread, region or site; else NULL
 * @object:   path of a site's file, or NULL; @near: samples may belong to a neighbouring site
 * @bottleneck: the bottleneck of a site, if it is certain; or NULL
 * @nr_units: number of CPUs or threads in the row
 * @nr_unseen: number of the row's CPUs that have been offline since the start
 * @nr_away:  number of the row's CPUs that were offline for part of the time
 * @core:     (-A, if columns count whole cores) the numbers of the CPU's core
 * @leads_core: (-A) the row has the counts of its whole core
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
	GRID_RATIO,  /* a built-in ratio, such as instructions per cycle */
	GRID_RATE,   /* a built-in rate: events per second, or samples of a latency */
	GRID_METRIC, /* a metric of the tables or the user */
	GRID_WHOLE,  /* all slots or cycles, which contain the shares of a TopDown tree's nodes */
	GRID_NR_KINDS,
};

/* Forms of printed numbers: their digits, and the text after them. */
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
 * Members for trees need WANT_TREE or WANT_SLOTS.
 *
 * @name:    the event's or metric's name as the user wrote it, or the ratio's: "insn_per_cycle"
 * @label:   name in perf's formats, with the PMU where perf prints it; a ratio's is "insn per
 *           cycle"
 * @unit:    unit of the values, or ""
 * @share_of: (metrics in percent) the whole that values are shares of: "slots", "clocks"; or NULL
 * @pmu:     PMU of the counts, if it needs to be printed; else ""
 * @cgroup:  name of the cgroup that is counted; NULL for none
 * @group:   (metrics of a run without -e) the heading above the metric; else ""
 * @of:      (ratios) name of the event that the ratio is printed with; else ""
 * @event:   number of the event that the column is printed with; columns of an event are adjacent
 * @cgroup_number: index of the cgroup in grid.cgroups
 * @core:    index of its core PMU in grid.cores; grid.nr_cores for other PMUs; 0 if not hybrid
 * @core_name: name of the column's core PMU on a hybrid machine; else NULL
 * @rank:    position of the column in the order of the TopDown tree
 * @form:    form of the printed values
 * @scale:   (events) factor that a count is multiplied by
 * @limits:  (ratios) the limits above which a value is red, magenta and yellow; or NULL
 * @fraction: (events) counts have two digits after the point
 * @apart:   the event is one of several instances of an uncore event, which are printed separately
 * @of_cores: a count covers a whole core, and the row of the core's first CPU has it
 * @in_default: (run without -e) the event's metrics are printed under @group, without a count
 * @with_count: (@in_default) the count is printed after all, if the event has metrics
 * @parent:  (metrics of trees) column of the parent or nearest counted ancestor; else -1
 * @level:   (metrics of trees) level; else 0
 * @part:    (metrics of trees) part of the first level that the metric belongs to
 * @plain:   (metrics of trees) name in plain English, "back end"; NULL for none
 * @whole:   (metrics, WANT_SLOTS) number of the column with all slots; else -1
 * @tree_pmu: (WANT_SLOTS) PMU that counts the slots; else NULL
 * @in_cycles: (WANT_SLOTS) the column has cycles instead of slots
 * @may_assume: (metrics) values may depend on assumed retire latencies or corrections
 * @of_metrics: (events) the event is counted for metrics only; the user did not name it
 * @is_cycles: (events) the event counts the cycles of a core
 * @is_latency: the values are retire latencies, and the counts are numbers of samples
 * @is_state: the value is a state, which is not added up over time
 * @in_metric_only: (ratios) perf's --metric-only has a column for the ratio
 * @possible: (ratios) the events of the ratio's formula are counted
 * @optional: (ratios) the ratio is omitted if it has no value
 * @supported: (events) the kernel can count the event on some CPU; known from the first counts on
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

/* Statuses of a value, from good to bad. */
enum cell_status {
	CELL_COUNTED,
	CELL_SCALED,
	CELL_PARTIAL,	  /* counted in part of the time, unscaled; or on some CPUs of the row */
	CELL_ASSUMED,	  /* a vendor's latency, or a value computed with one */
	CELL_APPROXIMATE, /* computed although an event of its formula was not counted */
	CELL_NOT_COUNTED,
	CELL_NOT_SUPPORTED,
	CELL_BUSY,
	CELL_LOST,
	CELL_NO_VALUE, /* every event was counted, but the formula gives no value */
	CELL_ABSENT,   /* not counted in this row; the cell is not printed */
	CELL_NR_STATUS,
};

/* Reasons for a status; cell__words() returns the text of a reason. */
enum grid_reason {
	REASON_NONE,
	REASON_TEXT, /* the text is in cell_more.reason_text: why an event could not be opened */
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
	 * Three reasons to use a vendor's latency; each has a number for the mean, the least and
	 * the greatest latency.
	 */
	REASON_VENDOR_UNMEASURED,
	REASON_VENDOR_NO_SAMPLE = REASON_VENDOR_UNMEASURED + 3,
	REASON_VENDOR_REFUSED = REASON_VENDOR_NO_SAMPLE + 3,
	REASON_NR = REASON_VENDOR_REFUSED + 3,
};

/**
 * struct cell_more - parts of a cell that few writers need
 * @percent: share of the time in which the event had a counter; for a metric, the least share of
 *           its events; NAN if it was never enabled
 * @coverage: share of the time in which all CPUs of the row counted; less than @percent if a CPU
 *            was offline for a while; NAN if CPUs are not counted
 * @spread_percent: (events) error of the mean of several runs; else NAN
 * @error:   half the width of the value's confidence interval; 0 if exact, NAN if unknown
 * @total:   (events) count since the start, before the scale is applied; @has_total: it is known
 * @slots:   (WANT_SLOTS) a tree node's slots, or all slots, since the start; the number never
 *           decreases; NAN until the first slots are counted
 * @error_slots: (WANT_SLOTS and WANT_ERRORS) sum of the errors of @slots in all rows so far
 * @reason_text: the text of REASON_TEXT
 * @culprit: the event that caused the reason, if it is not the column's own event; or NULL
 */
struct cell_more {
	double percent, coverage, spread_percent, error, slots, error_slots;
	uint64_t total;
	bool has_total;
	const char *reason_text, *culprit;
};

/* The initial state of a cell. */
#define CELL_MORE_NONE                                                                        \
	((struct cell_more){.percent = NAN, .coverage = NAN, .spread_percent = NAN,           \
			    .slots = NAN, .error_slots = NAN})

/**
 * struct grid_cell - a column in a row
 * @value:   NAN or infinite if the cell has no value
 * @count:   (events) the value before the scale is applied; for a latency, the number of samples
 * @enabled, @running: (events) times in ns, summed over CPUs or threads
 * @more:    further parts if a writer wants them (WANT_MORE); otherwise all cells share one struct
 * @nr:      number of CPUs or threads whose counts were added up
 * @status, @reason: (WANT_STATUS, WANT_REASONS) what kind of value it is, and why it is not exact
 * @threshold: (metrics) 1 if the value passes its threshold, 0 if not, -1 if the metric has none
 * @present: the event is open on some CPU or thread of the row
 * @counted: the count is a number; for a ratio, the count of the event that it is printed with
 * @is_count: @count is exactly the value
 * @assumed: the value depends on a latency or a correction that was not measured here
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
	WANT_SLOTS = 1 << GRID_WHOLE,	  /* slots of TopDown trees' nodes since the start */
	WANT_STATUS = 1 << GRID_NR_KINDS, /* share of the time, coverage, and status */
	WANT_REASONS = WANT_STATUS << 1,  /* statuses of events, with their reasons */
	WANT_TOTALS = WANT_STATUS << 2,	  /* counts since the start */
	WANT_ERRORS = WANT_STATUS << 3,	  /* errors of values */
	WANT_SPREADS = WANT_STATUS << 4,  /* differences between runs */
	WANT_TREE = WANT_STATUS << 5,	  /* parents of metrics */
	WANT_MORE = WANT_STATUS | WANT_REASONS | WANT_TOTALS | WANT_ERRORS | WANT_SPREADS |
		    WANT_SLOTS,
};

/**
 * struct grid_block - columns of one cgroup of --for-each-cgroup; all blocks have the same columns
 * @cgroup: cgroup of the block's first event; NULL for none
 * @first:  number of the block's first column; @nr: how many columns it has
 */
struct grid_block {
	const char *cgroup;
	int first, nr;
};

/* The span of time that the cells cover. */
enum grid_span {
	SPAN_INTERVAL,
	SPAN_RUN,
	SPAN_MEAN, /* of several runs */
};

/**
 * struct grid_share - the part of a task's time on cores of a type
 * @percent: the share of the time; @at_least: the share may be larger, since events were
 *           multiplexed
 * @known: the share is known
 */
struct grid_share {
	double percent;
	bool known, at_least;
};

/**
 * struct grid_lengths - how long each of several runs took
 * @at, @nr: lengths in ns; @mean, @error: in seconds; @percent: the error, in % of @mean
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
 * @assumed:   a value so far depends on a latency that was not measured here
 * @uncorrected: events that only correct a value, which was computed without them; or NULL
 * @one_thread: events of a value that were counted on one thread of a core, not all; or NULL
 * @nr_away:   number of CPUs that were offline for a while; @coverage: counted share of the time
 * @over_passes: names of the metrics whose events were counted in several runs of the command
 * @misfits:   (whole runs) values that are impossible even within their errors
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
 * @value, @error: the printed numbers
 * @share:   share of the time in which the least counted of its events was counted; NAN for none
 * @whole:   its events were counted all the time; @groups: number of multiplexed groups that have
 *           them
 * @parent:  number of its parent node; -1 for none
 * @has_threshold: the tables have a threshold for it; @useful: its slots did useful work
 * @limit:   the number that the threshold compares the value with; NAN for none
 * @open:    the threshold needs a value that was not measured
 * @has_parts: the tables have children of it; @nr_parts: number of children one level below it
 */
struct grid_node {
	const char *name, *unit;
	double value, error, share, limit;
	int level, groups, parent, nr_parts;
	bool whole, has_threshold, useful, open, has_parts, impossible;
};

/* A list of a verdict's nodes, by their numbers. */
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
	OUTCOME_NOT_ALL,    /* some events or metrics are missing, as @reason explains */
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
 * @why: text with the reason; @remedy: text with a remedy
 */
struct grid_doubt {
	const char *why, *remedy;
};

/**
 * struct grid_phase - a part of a run in which the first level changed little
 * @start_ns, @end_ns: times since the start of the run
 * @intervals: number of its intervals with all of the first level
 * @path:   nodes from the first level to the bottleneck, ignoring errors; @values: of @path
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
 * @row:     number of the row; @cgroup, @cgroup_number: as in struct grid_column
 * @core_name: core PMU of the tree on a hybrid machine, else NULL; @share: share of the task's time
 *             that it ran on this PMU's cores
 * @nodes, @nr_nodes: the metrics of the tree
 * @top:     sum of the values of the first level, in percent; NAN if there are none
 * @missing: metrics of the first level that have no value, with the events they lack; or NULL
 * @misfits, @nr_misfits: sentences about values that are impossible even within their errors
 * @hint:    (recordings) another possible cause of impossible values; or NULL
 * @path:    nodes from the first level down to the bottleneck
 * @others:  other nodes over their thresholds
 * @uncertain: nodes that may be over their thresholds
 * @may_be_over: the nodes of @uncertain whose values are at the threshold
 * @open:    nodes whose thresholds need a value that was not measured
 * @larger:  nodes that are larger than a sibling in @path, but not over their thresholds; at the
 *           end the largest child of the bottleneck, if no child is over its threshold
 * @between: candidates for the next node of @path, the largest first; @or_none: perhaps no
 *           candidate is over its threshold
 * @doubts, @nr_doubts: why the verdict is uncertain; @reason: the worst doubt, perhaps in
 *                      @own_reason
 * @times:   counting for about this many times as long would decide the verdict; NAN if unknown
 * @less_level: deepest level that the verdict needs, if deeper ones were counted; else 0
 * @intervals: number of intervals with all of the first level; @same: how many had this bottleneck;
 *             @short_of: how many were counted for too short a time
 * @other:   the most frequent bottleneck of the other intervals, or -1; @same_other: how many
 *           intervals had it
 * @phases, @nr_phases: phases of a run that has several; else none
 * @passes:  number of runs of the command in which the events were counted; 0 for one
 * @assumes: counts were read only at the end, so that errors depend on assumptions about rates
 * @words:   the bottleneck in plain English
 * @bound:   upper limit of the speedup without the bottleneck, as a factor; NAN if unknown
 * @parts:   result for the bottleneck's children
 * @next:    command that measures the children, quoted for a shell; @next_group: the children's
 *           metric group
 * @sample:  events whose samples show the place; @record: arguments of perf record for these
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
 * struct grid_ran - how long each thread ran, where many threads did not run at all
 * @ns:    time that each row's thread ran; @total_ns: sum over all rows
 * @order: numbers of the rows, the longest running thread first; NULL if rows are not many threads
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
 * @cells:   cells, [column * nr_rows + row], see grid__cell(); @more: their further parts
 * @blocks, @nr_blocks: parts of the columns
 * @present: whether something is counted in a block and row, [block * nr_rows + row]
 * @cgroups, @nr_cgroups: names in the order of the events; "" for events in no cgroup
 * @has_ports: @cgroups has the names of PCIe root ports instead
 * @has_events: there are events; @has_cgroups: an event is counted in a cgroup
 * @cores, @nr_cores: names of the core PMUs of a hybrid machine; @cores_by_column: they are printed
 *                    in the order of their first columns instead
 * @shares:  (tasks, hybrid) shares of the time on core types, [core * nr_rows + row]; or NULL
 * @bottlenecks: (sites) the bottleneck on each core type or NULL, [core * nr_rows + row]; else NULL
 * @per_cpu: rows are CPUs, or consist of CPUs; @counts_cpus: the number of CPUs of a row is known
 * @has_latencies: an event is a retire latency
 * @skip_idle: rows in which nothing ran are not printed; @ran: which threads ran
 * @runs:    several runs are counted
 * @span:    span of time of the cells; @is_total: the cells are sums of all intervals so far
 * @since_start_ns: end of the span; @elapsed_ns: length of the span; both 0 if unknown
 * @is_cut: the interval began late or ended early, so it is shorter than the user asked for
 * @missed: intervals without a row in the span, see grid__has_gap(), or (@missed_total) in the run
 * @lost_ns: time since the start that was not measured, because counting was restarted
 * @user_ns, @system_ns: CPU time of the command; @has_cpu_time: it is known
 * @peak_bytes: largest resident memory of the command; 0 if unknown
 * @lengths: how long each of several runs (@runs) or passes took
 * @verdicts, @nr_verdicts: verdicts, which are made at the end of the run
 * @named:    how often rows got names after the grid was made
 * @estimate: method of estimating metrics of multiplexed events; NULL: scale counts by time
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
/** grid__free() - release all that the grid owns; it does not own the rows. */
void grid__free(struct grid *g);
/**
 * grid__add() - append a column, zeroed except for its kind
 *
 * Return: the column, valid until the next one is added.
 */
struct grid_column *grid__add(struct grid *g, enum grid_kind kind);
/** grid__cmp_cores() - compare two core types by the order in which they are printed. */
int grid__cmp_cores(const struct grid *g, int a, int b);
/** grid__keep() - move a text from a buffer into the grid's memory, and empty the buffer. */
const char *grid__keep(struct grid *g, struct sb *text);
/** grid__allocate() - allocate the cells; called once all rows and columns are known. */
void grid__allocate(struct grid *g);
/** grid__knows_any() - tell whether any cell was counted, even if its formula has no value. */
bool grid__knows_any(const struct grid *g);
/**
 * grid__has_gap() - tell whether an interval is so late that a message should explain it
 *
 * Return: whether intervals before it have no row, and it has rows of code, or is at least half a
 * second long. Rows of a few milliseconds are often late on a busy computer; their times, and
 * "missed", show that they are late.
 */
bool grid__has_gap(const struct grid *g);
/** grid__free_verdicts() - release the verdicts. */
void grid__free_verdicts(struct grid *g);

/** grid__cell() - find the cell of a column in a row. */
static inline struct grid_cell *grid__cell(const struct grid *g, int column, int row)
{
	return &g->cells[(size_t)column * g->nr_rows + row];
}

/** grid__share() - find the share of a task's time on a core type in a row, or NULL. */
const struct grid_share *grid__share(const struct grid *g, int core, int row);

/**
 * grid_share__print() - append a share in percent; nothing if the share is unknown
 * @at_least: printed before a share that is only a lower limit
 */
void grid_share__print(struct grid_share share, const char *at_least, struct sb *sb);

/** cell_status__name() - get the name of a status: "counted", "scaled" ... */
const char *cell_status__name(enum cell_status status);
/** cell__words() - explain why a cell has no exact number; NULL if it needs no reason. */
const char *cell__words(const struct grid_cell *cell);
/**
 * grid_row__place() - get a row's number for a kind of place; -1 if the machine does not report it.
 */
int grid_row__place(const struct grid_row *row, enum grid_place place);

#endif
