/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Compare time, events, metrics and the nodes of TopDown trees. The input is the grids of runs of
 * two or more sides; the output is rows with the values of each side, and how it differs from the
 * first. Pure bookkeeping.
 */
#ifndef TMA_VERDICT_COMPARISON_H
#define TMA_VERDICT_COMPARISON_H

#include <stdbool.h>
#include <stdint.h>

#include "verdict/compared_sites.h"
#include "verdict/difference.h"

struct grid;
struct grid_column;
struct sb;

/**
 * struct compared_rates - the values of the intervals of a recording that is being read
 */
struct compared_rates {
	double *at;
	int nr, cap;
};

/* Kinds of quantities, in the order in which they are printed. */
enum compared_kind {
	COMPARED_NOTHING, /* not printed: it was not asked for */
	COMPARED_TIME,
	COMPARED_COUNT,	 /* of an event, or the peak of memory */
	COMPARED_METRIC, /* a metric that is not in a tree */
	COMPARED_NODE,
	COMPARED_SITE,	    /* a function or file, by its time */
	COMPARED_SITE_NODE, /* a node of the tree of a function or file */
	COMPARED_KINDS,
};

#define PEAK_MEMORY "peak-memory" /* the row of a command's maximum resident memory */

/**
 * struct compared - a quantity
 * @name:   "time", "user", "sys", PEAK_MEMORY, the name of an event (with "/s" if it is a rate, of
 *          intervals), or of a metric
 * @unit:   "s" for times, "B" for memory, else the event's or metric's
 * @core_name, @cgroup: the core type and cgroup it was counted on; NULL if not by core or cgroup
 * @object: (sites) name of the file that it is in; else NULL
 * @level:  (nodes) its level in the tree; else 0
 * @parent: number of its parent's row, or -1; @depth: how many ancestors it has
 * @series: the values of each side; @intervals: those of the intervals of each side's recording
 * @with:   (for each side but the first) its difference from the first
 */
struct compared {
	char *name, *unit, *core_name, *cgroup, *object;
	enum compared_kind kind;
	int level, parent, depth;
	struct series *series;
	struct compared_rates *intervals;
	struct difference *with;
};

/**
 * struct comparison - all rows; the caller zeroes it, then sets @nr_sides and the choices below
 * @counts:  compare events; @counts_without_tree: compare them only if there is no tree
 * @only:    names of the events to compare, separated by commas; NULL for all
 * @first_is_clock: leave out the first event, a clock that is counted for rows of code
 * @metrics: compare metrics that are not in a tree
 * @memory:  compare the peak of memory, which is unknown up to @least_memory bytes
 * @most_level: deepest level of the tree, 0 for any
 * @order: numbers of the rows as they are printed, and -1: by kinds, each tree from its root down;
 *         without those of sites
 * @sites: the sites of the runs; @all_sites, @others: numbers of the rows that sum up all sites,
 *         and those without a row of their own; -1 if there are none; @site_orders: (for each side
 *         but the first) numbers of the rows of sites as they are printed, and -1
 */
struct comparison {
	struct compared *at;
	int nr, cap, nr_sides;
	bool counts, counts_without_tree, metrics, memory, first_is_clock;
	const char *only;
	uint64_t least_memory;
	int most_level;
	int *order;
	struct compared_sites sites;
	int all_sites, others, **site_orders;
};

/**
 * struct comparison_margins - differences that do not matter
 * @points: for percentages, in points; @time: for times, in % of the first side's time; @counts:
 *          for all others, in % of the first side's value
 */
struct comparison_margins {
	double points, time, counts;
};

/**
 * comparison__add() - add a value of a run that is not in a grid
 * @grain: as in struct series
 *
 * Return: the number of its row.
 */
int comparison__add(struct comparison *c, int side, enum compared_kind kind, const char *name,
		    const char *unit, double value, double grain);
/**
 * comparison__row() - find the row of a quantity, or add one; the texts are copied
 *
 * Return: its number.
 */
int comparison__row(struct comparison *c, const char *name, const char *core_name,
		    const char *cgroup);
/** comparison__new_row() - add a row even if one of the same names exists. Return: its number. */
int comparison__new_row(struct comparison *c, const char *name, const char *core_name,
			const char *cgroup);
/**
 * comparison__set_spread() - set the standard error of a value that is a mean of several runs, see
 * series__set_spread()
 * @column: the event's; NULL for the time
 */
void comparison__set_spread(struct comparison *c, int side, const struct grid_column *column,
			    double percent);
/**
 * comparison__take() - add a run of one side: its times, and the values of its verdicts
 *
 * If comparison__take_row() got enough intervals before, the values are the means of at most ten
 * parts of the run: successive intervals are correlated, long parts less so.
 */
void comparison__take(struct comparison *c, int side, const struct grid *g);
/** comparison__take_row() - keep the row of an interval for comparison__take(); ignore others. */
void comparison__take_row(struct comparison *c, int side, const struct grid *g);
/** comparison__judge() - find the differences, the word for each, and the order of rows. */
void comparison__judge(struct comparison *c, const struct comparison_margins *margins);
/**
 * comparison__find() - find the first row of this name after row @after (-1: of all), or NULL
 *
 * Rows of sites are skipped, since their names may be anything.
 */
const struct compared *comparison__find(const struct comparison *c, const char *name, int after);
/**
 * comparison__tell() - append one line: what changed on a side, and by how much the time did
 * @first, @other: names of the first and of this side
 */
void comparison__tell(const struct comparison *c, int side, const char *first, const char *other,
		      struct sb *sb);
void comparison__free(struct comparison *c);

/* --- Sites: site_rows.c ---------------------------------------------------------------------- */

/** comparison__put_sites() - match the sites that were taken, and add their rows. */
void comparison__put_sites(struct comparison *c);
/**
 * comparison__order_sites() - put the rows of sites into order, after they were judged
 *
 * All sites come first, then each with the nodes that certainly changed, by how much its time
 * differs, then the others.
 */
void comparison__order_sites(struct comparison *c);
/**
 * comparison__find_explained() - compute the part of the difference of all sites that a site
 * accounts for, in %; NAN if it is not certain that there is a difference
 */
double comparison__find_explained(const struct comparison *c, const struct compared *row, int side);

/* On which of two sides a site is. */
enum site_presence {
	SITE_ON_BOTH, /* also if it is unknown */
	SITE_APPEARED,
	SITE_GONE,
};
/**
 * compared__find_presence() - find out whether a site certainly has time on one side and no samples
 * on the other
 */
enum site_presence compared__find_presence(const struct compared *row, int side);
/** comparison__tell_sites() - append which sites changed on a side, or that none did. */
void comparison__tell_sites(const struct comparison *c, int side, struct sb *sb);

#endif
