/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The formats of tma's own: csv-wide, json, prom. All three print the same cells, made of the same
 * sums and metrics as perf's formats: a series is an event or a metric in one cgroup, and has a
 * cell in each bucket.
 */
#ifndef TMA_REPORT_OWN_H
#define TMA_REPORT_OWN_H

#include "report/internal.h"

/* Goes up when something that was there is taken away or means something else. */
#define OWN_SCHEMA 1

enum series_kind {
	SERIES_EVENT,
	SERIES_RATIO,  /* built in: instructions per cycle and the like */
	SERIES_METRIC, /* of the tables, or the user's */
};

/**
 * struct series - an event or a metric in one cgroup
 * @name:   in the format's form, as @unit, @pmu and @of; one that the cgroup has already on that
 *          PMU gets " #2", " #3" ... behind it
 * @heading: "NAME [PMU] (UNIT)", not dressed
 * @pmu:    of an event; of a metric, on a hybrid machine, that of its events; or ""
 * @of:     of a ratio: the event it belongs to; else ""
 * @event:  index of the event, or the one the metric is shown at
 * @ratio, @metric: which
 * @cgroup: index in own.cgroups
 * @column: of csv-wide
 * @core, @rank, @order: places of its PMU, in the TopDown tree, and in the plan
 */
struct series {
	enum series_kind kind;
	char *name, *unit, *pmu, *of, *heading;
	int event;
	enum shadow_unit ratio;
	const struct shown_metric *metric;
	int cgroup, column;
	int core, rank, order;
};

/* What became of a cell: of samples, and of what is computed from them. */
enum cell_status {
	CELL_COUNTED,
	CELL_SCALED,
	CELL_PARTIAL, /* ran part of the time, and no estimate was asked for */
	CELL_ASSUMED, /* the vendor's latency, or made of it */
	CELL_NOT_COUNTED,
	CELL_NOT_SUPPORTED,
	CELL_BUSY,
	CELL_LOST,
	CELL_NO_VALUE, /* everything was counted, but the formula has no value */
	CELL_ABSENT,   /* nothing of it is counted in this bucket: it is not printed at all */
};

/**
 * struct cell - a series in a bucket
 * @value:   NAN where there is none
 * @count:   the same of an event without a scale, exactly; @is_count. Of a latency, its samples
 * @enabled, @running: (events) ns, added up over the CPUs or threads
 * @percent: share of the time; of a metric, the least of its events; NAN where it was never enabled
 * @coverage: share of the row's time, in percent, in which all its CPUs counted it: less than
 *           @percent where one was offline for a while; of a metric, the least of its events. NAN
 *           where no CPUs are counted
 * @nr:      CPUs or threads added up
 * @spread_percent: of several runs; NAN where there is none
 * @error:   half the width of the interval of @value; NAN where it is not known
 * @reason:  of everything but CELL_COUNTED, in words
 * @culprit: the event that @reason is about, when it is not the cell's own, not dressed; or NULL
 * @threshold: of a metric: 1 passed, 0 not, -1 there is none
 */
struct cell {
	enum cell_status status;
	double value, percent, coverage, spread_percent, error;
	uint64_t count, enabled, running;
	bool is_count;
	int nr, threshold;
	const char *reason, *culprit;
};

/* Where a line is of. */
struct spot {
	int bucket, cgroup;
};

/**
 * struct own_cgroup - a cgroup
 * @name: in the format's form; "" for what is counted in none
 * @first, @nr: its series
 */
struct own_cgroup {
	char *name;
	int first, nr;
};

/* What says when and where a line is of. */
enum key_id {
	KEY_TIME,
	KEY_LENGTH,
	KEY_ROW,
	KEY_PLACE, /* the first of PLACE_NR */
	KEY_COMM = KEY_PLACE + PLACE_NR,
	KEY_CPUS,
	KEY_CGROUP,
	KEY_NR,
};

/**
 * struct own - what the formats of tma's own need; made by report__new()
 * @series:  those of a cgroup together
 * @cells:   at[series * nr_buckets + bucket]
 * @keys:    what lines of this report have, in order
 * @columns: (csv-wide) names in the format's form; @spreads: those of the columns beside
 *          them
 * @line:    (csv-wide) the series behind each column in the line at hand, or NULL
 * @scratch: for texts that are dressed as a whole
 * @totals:  (prom) counts since the start, at[event * nr_buckets + bucket]; @counted: there are
 */
struct own {
	struct series *series;
	int nr_series;
	struct cell *cells;
	enum key_id keys[KEY_NR];
	int nr_keys;
	struct own_cgroup *cgroups;
	int nr_cgroups;
	char **columns, **spreads;
	int nr_columns;
	const struct series **line;
	struct sb scratch;
	uint64_t *totals;
	bool *counted;
};

/** own__build() - the series, their names and the memory for cells. Return: 0 or -ENOMEM. */
int own__build(struct report *r);
/** own__free() - release them, half-built too. */
void own__free(struct report *r);
/** own__fill() - all cells from the sums and values of a row. */
void own__fill(struct report *r);
/** own__cell() - a series in a bucket. */
const struct cell *own__cell(const struct report *r, const struct series *s, int bucket);
/** own__is_shown() - whether anything is counted there; with skip_idle, whether anything ran. */
bool own__is_shown(const struct report *r, const struct spot *spot);

/** series__pmu() - of a metric on a hybrid machine the core PMU it is of; else its event's. */
const struct pmu *series__pmu(const struct report *r, const struct series *s);

/** cell__fill() - compute one. */
void cell__fill(const struct report *r, const struct series *s, int bucket, struct cell *out);
/** cell__status_name() - "counted", "scaled" ... */
const char *cell__status_name(enum cell_status status);
/** cell__print_reason() - append why, not dressed; nothing when there is nothing to say. */
void cell__print_reason(struct sb *sb, const struct cell *cell);
/** cell__print_value() - append the number; nothing when there is none. */
void cell__print_value(struct sb *sb, const struct cell *cell);
/** number__print() - append a number with at most 15 digits; nothing when it is none. */
void number__print(struct sb *sb, double number);

/** keys__choose() - own->keys. */
void keys__choose(struct report *r);
/** key__name() - what a key is called; key__is_text() - whether its values are words. */
const char *key__name(enum key_id key);
bool key__is_text(enum key_id key);
/**
 * key__print() - append its value, nothing when it has none
 * @cell: the number of CPUs is that of what was added up here; NULL for that of the bucket
 */
void key__print(struct report *r, enum key_id key, const struct spot *spot,
		const struct cell *cell);

/** values__keys() - append them as members of an object, behind others; @cell as above. */
void values__keys(struct report *r, const struct spot *spot, const struct cell *cell);

/** wide__build() - the columns, and which series stands in which. Return: 0 or -ENOMEM. */
int wide__build(struct report *r);
/** wide__free() - release them, half-built too. */
void wide__free(struct report *r);

/* The writers. */
void wide__heads(struct report *r);
void wide__rows(struct report *r);
void values__rows(struct report *r);
void prom__rows(struct report *r);


#endif
