/* SPDX-License-Identifier: GPL-2.0-only */
/* Declarations that the files of lib/report share. */
#ifndef TMA_REPORT_INTERNAL_H
#define TMA_REPORT_INTERNAL_H

#include "report/report.h"
#include "report/slots.h"

/*
 * Built-in ratios, by their index in a table. Each ratio before RATIO_QUOTIENTS has its own
 * formula.
 */
enum ratio {
	RATIO_CPUS,
	RATIO_STALLED,
	RATIO_RATE,
	RATIO_SAMPLES,
	RATIO_MEGABYTES, /* the first of four ratios, one for each direction at a root port */
	/* This ratio and those after it are one event divided by another. */
	RATIO_QUOTIENTS = RATIO_MEGABYTES + 4,
};

/**
 * struct ratio_use - a ratio of an event, with the other events that it needs
 * @over, @also: numbers of the events that divide, or -1; for RATIO_STALLED, of the events for the
 *               two kinds of stalls
 */
struct ratio_use {
	int ratio, over, also;
};

#define MAX_RATIOS 2

/* Columns of sites that are not made of events. */
enum site_value {
	SITE_VALUE_NONE,
	SITE_VALUE_SHARE,   /* the site's share of all cycles, or of the time */
	SITE_VALUE_SAMPLES,
};

/**
 * struct origin - the source of a column of the grid
 * @event:  number of the column's event, or of the event that the column is printed with
 * @where:  number of the event that shows on which CPUs and threads the column was counted
 * @ratio:  the ratio or rate of the event in the column
 * @metric: the column's metric; else NULL
 * @site:   the value of a site in the column
 * @pmu:    the core PMU of a metric on a hybrid machine; else the PMU of @event
 */
struct origin {
	int event, where;
	struct ratio_use ratio;
	const struct summed_metric *metric;
	enum site_value site;
	const struct pmu *pmu;
};

/**
 * struct report - a grid, and everything that the grid is filled from
 * @sources: the source of each column
 * @kinds:   bits of the kinds of events in the plan: most runs have no event that ratios need
 * @errors, @verdicts: NULL if not needed
 * @out:     values of metrics for the current columns: sums.out or sums.own_out
 * @slots:   NULL if not needed
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

/** columns__build() - make the columns of the grid, and the source of each column. */
void columns__build(struct report *r);
/**
 * ratios__list() - find the ratios of an event. @out: receives up to MAX_RATIOS. Return: number of
 * ratios.
 */
int ratios__list(const struct report *r, int event, struct ratio_use *out);
/** ratio__describe() - fill in the members of a column that describe its ratio. */
void ratio__describe(const struct ratio_use *use, struct grid_column *c);
/**
 * ratio__has_value() - return whether the events of a ratio were counted in the same parts and
 * time.
 */
bool ratio__has_value(const struct report *r, int event, const struct ratio_use *use, int row);
/**
 * ratio__fill() - compute the value and error of a ratio in a row in which the event was counted.
 */
void ratio__fill(const struct report *r, int event, const struct ratio_use *use, int row,
		 struct grid_cell *cell);
/** cells__fill() - fill in all cells of the grid, from the sums and values of a row. */
void cells__fill(struct report *r);
/** sites__add_columns() - (rows of sites) add the columns that are not made of events. */
void sites__add_columns(struct report *r, int event);
/** sites__fill_cell() - fill in a cell of a column that is not made of events. */
void sites__fill_cell(const struct report *r, const struct origin *from, int row,
		      struct grid_cell *cell);
/** sites__judge() - (rows of sites) find the bottlenecks of all sites. */
void sites__judge(struct report *r);
/** columns__add() - add a column, and fill in the members that all kinds of columns have. */
struct grid_column *columns__add(struct report *r, enum grid_kind kind, struct origin from);
/** cells__sort_threads() - sort threads by the time for which they ran. */
void cells__sort_threads(struct report *r);

/** reason__set() - set the status and the reason of a cell from an event's sum. */
void reason__set(const struct report *r, int event, int row, struct grid_cell *cell);
/**
 * reason__of_part() - return why a value covers only a part of the time: events were multiplexed,
 * the task was elsewhere, or both
 * @pmu: core PMU of the value, or NULL; @percent: share of the time
 */
enum grid_reason reason__of_part(const struct report *r, const struct pmu *pmu, int row,
				 double percent);

#endif
