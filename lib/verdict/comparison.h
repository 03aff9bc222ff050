/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What is compared: time, and the nodes of the TopDown trees. In come the grids of runs of two or
 * more sides; out go rows with the values of each side, and how it differs from the first. Pure
 * bookkeeping.
 */
#ifndef TMA_VERDICT_COMPARISON_H
#define TMA_VERDICT_COMPARISON_H

#include <stdbool.h>

#include "verdict/difference.h"

struct grid;
struct sb;

#define COMPARISON_INTERVALS 8 /* at least, that are taken as several values */

/**
 * struct compared_rates - the values of the intervals of a recording that is being read
 */
struct compared_rates {
	double *at;
	int nr, cap;
};

/**
 * struct compared - a quantity
 * @name:   "time", "user", "sys", or that of a metric; @unit: "s", or as of the metric
 * @core_name, @cgroup: whose tree it is of; NULL for none
 * @level:  in the tree; 0 for times (@is_time), and for metrics that are in none
 * @parent: number of the row that it is a part of, or -1; @depth: how many parents there are
 * @series: one for each side; @intervals: the same
 * @with:   the difference of each side from the first, whose own stays empty
 */
struct compared {
	char *name, *unit, *core_name, *cgroup;
	int level, parent, depth;
	bool is_time;
	struct series *series;
	struct compared_rates *intervals;
	struct difference *with;
};

/**
 * struct comparison - of @nr_sides, which the caller sets; else zeroed at first
 * @order: numbers of the rows as they are printed: times, then each tree from its root down
 */
struct comparison {
	struct compared *at;
	int nr, cap, nr_sides;
	int *order;
};

/**
 * comparison__take() - add a run of one side: its times, and the values that its verdicts have
 *
 * Where comparison__take_row() was given enough intervals before, the values are the means of at
 * most ten parts of the run: intervals that follow each other are much alike, and long parts less
 * so.
 */
void comparison__take(struct comparison *c, int side, const struct grid *g);
/** comparison__take_row() - look at a row: that of an interval is kept for comparison__take(). */
void comparison__take_row(struct comparison *c, int side, const struct grid *g);
/**
 * comparison__judge() - find differences, words and order
 * @points:  differences of percentages that do not matter
 * @percent: differences of times that do not matter, of the time of the first side
 */
void comparison__judge(struct comparison *c, double points, double percent);
/** comparison__find() - the row of this name behind @after (-1: the first one), or NULL. */
const struct compared *comparison__find(const struct comparison *c, const char *name, int after);
/**
 * comparison__tell() - append one line: what changed on a side, and by how much the time did
 * @first, @other: what the first and this side are called
 */
void comparison__tell(const struct comparison *c, int side, const char *first, const char *other,
		      struct sb *sb);
void comparison__free(struct comparison *c);

#endif
