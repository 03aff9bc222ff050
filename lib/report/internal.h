/* SPDX-License-Identifier: GPL-2.0-only */
/* Declarations that the files of lib/report share. */
#ifndef TMA_REPORT_INTERNAL_H
#define TMA_REPORT_INTERNAL_H

#include "report/report.h"
#include "report/slots.h"

/*
 * Built-in ratios, by their index in a table. Those below RATIO_QUOTIENTS are each computed in
 * their own way.
 */
enum ratio {
	RATIO_CPUS,
	RATIO_STALLED,
	RATIO_RATE,
	RATIO_SAMPLES,
	RATIO_MEGABYTES, /* the first of four, one for each direction at a root port */
	/* The first of those which are one event divided by another. */
	RATIO_QUOTIENTS = RATIO_MEGABYTES + 4,
};

/**
 * struct ratio_use - a ratio of an event, with the events that it needs
 * @over, @also: numbers of the divisors, -1 if there is none; for RATIO_STALLED, the events of both
 *               kinds of stalls
 */
struct ratio_use {
	int ratio, over, also;
};

#define MAX_RATIOS 2

/* Columns of sites that are not made of events. */
enum site_value {
	SITE_VALUE_NONE,
	SITE_VALUE_SHARE,   /* of all cycles, or of the time */
	SITE_VALUE_SAMPLES,
};

/**
 * struct origin - the source of a column of the grid
 * @event:  number of its event, or of the one it is printed with
 * @where:  number of the event whose CPUs and threads it is counted on
 * @ratio:  the ratio or rate of the event that it shows
 * @metric: its metric; else NULL
 * @site:   the value of a site that it shows
 * @pmu:    the core PMU of a metric on a hybrid machine; else the PMU of its event
 */
struct origin {
	int event, where;
	struct ratio_use ratio;
	const struct summed_metric *metric;
	enum site_value site;
	const struct pmu *pmu;
};

/**
 * struct report - what fills a grid
 * @sources: the source of each column
 * @kinds:   bits of the kinds of events that exist: most runs have none that ratios need
 * @errors, @verdicts: NULL if not asked for
 * @out:     sums.out or sums.own_out: the metrics' values for the current columns
 * @slots:   NULL if not asked for
 * @totals, @has_total: (WANT_TOTALS) counts since the start, indexed as sums.at
 */
struct report {
	struct sums *sums;
	struct report_options opts;
	struct grid grid;
	VEC(struct origin) sources;
	unsigned int kinds;
	struct errors *errors;
	struct verdicts *verdicts;
	struct slots *slots;
	const double *out;
	uint64_t *totals;
	bool *has_total;
};

/** columns__build() - make the columns of the grid, and their sources. */
void columns__build(struct report *r);
/**
 * ratios__list() - find the ratios that an event has; @out: room for MAX_RATIOS. Return: how many.
 */
int ratios__list(const struct report *r, int event, struct ratio_use *out);
/** ratio__describe() - fill in the description of a ratio's column. */
void ratio__describe(const struct ratio_use *use, struct grid_column *c);
/** ratio__has_value() - return whether its events were counted in the same parts and time. */
bool ratio__has_value(const struct report *r, int event, const struct ratio_use *use, int row);
/** ratio__fill() - compute its value and error in a row in which the event was counted. */
void ratio__fill(const struct report *r, int event, const struct ratio_use *use, int row,
		 struct grid_cell *cell);
/** cells__fill() - fill in all cells of the grid, from the sums and values of a row. */
void cells__fill(struct report *r);
/** sites__add_columns() - (rows of sites) add the columns that are not made of events. */
void sites__add_columns(struct report *r, int event);
/** sites__fill_cell() - fill in a cell of such a column. */
void sites__fill_cell(const struct report *r, const struct origin *from, int row,
		      struct grid_cell *cell);
/** sites__judge() - (rows of sites) find the bottleneck of each. */
void sites__judge(struct report *r);
/** columns__add() - add a column, with the members that all kinds of columns have. */
struct grid_column *columns__add(struct report *r, enum grid_kind kind, struct origin from);
/** cells__sort_threads() - sort threads by the time for which they ran. */
void cells__sort_threads(struct report *r);

/** reason__set() - set in a cell the status of an event's sum, and its reason. */
void reason__set(const struct report *r, int event, int row, struct grid_cell *cell);
/**
 * reason__of_part() - return why a value covers a part of the time: its events were multiplexed, or
 * a task was elsewhere, or both
 * @pmu: its core PMU, or NULL; @percent: of the time
 */
enum grid_reason reason__of_part(const struct report *r, const struct pmu *pmu, int row,
				 double percent);

#endif
