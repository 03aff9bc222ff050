/* SPDX-License-Identifier: GPL-2.0-only */
/* The files of lib/report share what is declared here. */
#ifndef TMA_REPORT_INTERNAL_H
#define TMA_REPORT_INTERNAL_H

#include "report/report.h"
#include "report/slots.h"

/*
 * Built-in ratios are numbered by their places in a table; each of these is computed in a way of
 * its own.
 */
enum ratio {
	RATIO_CPUS,
	RATIO_STALLED,
	RATIO_RATE,
	RATIO_SAMPLES,
	RATIO_MEGABYTES, /* is the first of four, one for each direction at a root port */
	/* This is the first of those which are one event over another. */
	RATIO_QUOTIENTS = RATIO_MEGABYTES + 4,
};

/**
 * struct ratio_use - a ratio of an event, with what it is divided by
 * @over, @also: numbers of events, -1 where there is none; of RATIO_STALLED, those of both kinds of
 *               stalls
 */
struct ratio_use {
	int ratio, over, also;
};

#define MAX_RATIOS 2

/* Columns of sites that are made of no event. */
enum site_value {
	SITE_VALUE_NONE,
	SITE_VALUE_SHARE,   /* of all cycles, or of the time */
	SITE_VALUE_SAMPLES,
};

/**
 * struct origin - what a column of the grid is filled from
 * @event:  number of its event, or of the one it is printed with
 * @where:  the one whose CPUs and threads it is of
 * @ratio:  which ratio or rate it is
 * @metric: the metric that it is; else NULL
 * @site:   the value of a site that it is
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
 * @sources: what each column is filled from
 * @kinds:   bits of the kinds of events there are: most runs have none that another is compared
 *           with
 * @errors:  NULL where they are not wanted; @verdicts: the same
 * @out:     sums.out or sums.own_out: the metrics' values for the columns at hand
 * @slots:   NULL where they are not wanted
 * @totals, @has_total: (WANT_TOTALS) counts since the start, in the places of sums.at
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

/** columns__build() - make the columns of the grid, and what each is filled from. */
void columns__build(struct report *r);
/**
 * ratios__of() - find the ratios that an event can have, of room for MAX_RATIOS. Return: how many.
 */
int ratios__of(const struct report *r, int event, struct ratio_use *out);
/** ratio__describe() - fill in what a column of it has. */
void ratio__describe(const struct ratio_use *use, struct grid_column *c);
/** ratio__has_value() - whether its events were counted in the same parts and for the same time. */
bool ratio__has_value(const struct report *r, int event, const struct ratio_use *use, int row);
/** ratio__fill() - compute value and error in a row in which its event was counted. */
void ratio__fill(const struct report *r, int event, const struct ratio_use *use, int row,
		 struct grid_cell *cell);
/** cells__fill() - fill in all cells of the grid, from the sums and values of a row. */
void cells__fill(struct report *r);
/** sites__add_columns() - (rows of sites) add the columns that are made of no event. */
void sites__add_columns(struct report *r, int event);
/** sites__fill_cell() - fill in a cell of one of these. */
void sites__fill_cell(const struct report *r, const struct origin *from, int row,
		      struct grid_cell *cell);
/** sites__judge() - (rows of sites) find what limits each. */
void sites__judge(struct report *r);
/** columns__add() - add a column, with all that columns of any kind have. */
struct grid_column *columns__add(struct report *r, enum grid_kind kind, struct origin from);
/** cells__sort_threads() - find the order of threads by the time for which they ran. */
void cells__sort_threads(struct report *r);

/** reason__set() - say in a cell what became of an event's sum, and why. */
void reason__set(const struct report *r, int event, int row, struct grid_cell *cell);
/**
 * reason__of_part() - tell why a number is of a part of the time: events took turns, or a task was
 * elsewhere, or both
 * @pmu: the core PMU it is of, if it is; @percent: of the time
 */
enum grid_reason reason__of_part(const struct report *r, const struct pmu *pmu, int row,
				 double percent);

#endif
