/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Compare time, events, metrics and the nodes of TopDown trees. The input is the grids of runs of
 * two or more sides. The output is rows with the values of each side, and how each side differs
 * from the first one. Pure bookkeeping.
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

/** struct compared_rates - values in the intervals of a recording that is being read */
struct compared_rates {
	double *at;
	int nr, cap;
};

/* Kinds of quantities, in the order in which they are printed. */
enum compared_kind {
	COMPARED_NOTHING, /* not printed, since the user did not ask for it */
	COMPARED_TIME,
	COMPARED_COUNT,	 /* the count of an event, or the peak of memory */
	COMPARED_METRIC, /* a metric that is not in a tree */
	COMPARED_NODE,
	COMPARED_SITE,	    /* the time of a function or file */
	COMPARED_SITE_NODE, /* a node of the tree of a function or file */
	COMPARED_KINDS,
};

#define PEAK_MEMORY "peak-memory" /* name of the row of a command's maximum resident memory */

/**
 * struct compared - a quantity that is compared
 * @name:   "time", "user", "sys", PEAK_MEMORY, or the name of an event or metric; with intervals,
 *          events are rates, and "/s" follows their names
 * @unit:   "s" for times, "B" for memory, else the unit of the event or metric
 * @core_name, @cgroup: the core type and cgroup where it was counted; NULL without distinction
 * @object: (sites) name of the file that the site is in; else NULL
 * @level:  (nodes) level in the tree; else 0
 * @parent: number of the parent's row, or -1; @depth: number of ancestors
 * @series: values of each side; @intervals: values of each side in the intervals of the recording
 *          that is being read
 * @with:   (for each side but the first) difference of the side from the first one
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
 * @counts:  compare events; @counts_without_tree: compare events only if there is no tree
 * @only:    names of the events to compare, separated by commas; NULL for all
 * @first_is_clock: leave out the first event, which is a clock counted for rows of code
 * @metrics: compare metrics that are not in a tree
 * @memory:  compare the peak of memory; a peak up to @least_memory bytes is unknown
 * @most_level: deepest level of the tree, 0 for any
 * @order: numbers of the rows except sites in printed order, then -1; rows are sorted by kind, and
 *         each tree begins at its root
 * @sites: the sites of the runs
 * @all_sites: number of the row that sums up all sites, or -1
 * @others: number of the row that sums up the sites without a row of their own, or -1
 * @site_orders: (for each side but the first) numbers of the rows of sites in printed order, then
 *         -1
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
 * @points: margin for percentages, in points; @time: margin for times, in % of the first side's
 *          time; @counts: margin for everything else, in % of the first side's value
 */
struct comparison_margins {
	double points, time, counts;
};

/**
 * comparison__add() - add a value of a run without a grid
 * @grain: as in struct series
 *
 * Return: number of the quantity's row.
 */
int comparison__add(struct comparison *c, int side, enum compared_kind kind, const char *name,
		    const char *unit, double value, double grain);
/**
 * comparison__row() - find the row of a quantity, or add it; the texts are copied
 *
 * Return: number of the row.
 */
int comparison__row(struct comparison *c, const char *name, const char *core_name,
		    const char *cgroup);
/**
 * comparison__new_row() - add a row even if a row with the same names exists. Return: number of the
 * row.
 */
int comparison__new_row(struct comparison *c, const char *name, const char *core_name,
			const char *cgroup);
/**
 * comparison__set_spread() - set the standard error of a value that is a mean of several runs, see
 * series__set_spread()
 * @column: column of an event; NULL for the time
 */
void comparison__set_spread(struct comparison *c, int side, const struct grid_column *column,
			    double percent);
/**
 * comparison__take() - add a run of one side: its times, counts, metrics and nodes of verdicts
 *
 * After enough intervals (comparison__take_row()) the run has up to ten values, each the mean of a
 * part of the run: successive intervals are correlated, and long parts are less so.
 */
void comparison__take(struct comparison *c, int side, const struct grid *g);
/**
 * comparison__take_row() - keep the row of an interval for comparison__take(); ignore any other
 * row.
 */
void comparison__take_row(struct comparison *c, int side, const struct grid *g);
/**
 * comparison__judge() - find the differences, a word for each difference, and the order of rows.
 */
void comparison__judge(struct comparison *c, const struct comparison_margins *margins);
/**
 * comparison__find() - find the first row of this name after row number @after, or NULL; with -1
 * the first of all rows
 *
 * Rows of sites are skipped, since their names may be anything.
 */
const struct compared *comparison__find(const struct comparison *c, const char *name, int after);
/**
 * comparison__tell() - append one line: how much the time of a side differs, and what else changed
 * @first, @other: names of the first side and of side @side
 */
void comparison__tell(const struct comparison *c, int side, const char *first, const char *other,
		      struct sb *sb);
void comparison__free(struct comparison *c);

/* --- Sites: site_rows.c ---------------------------------------------------------------------- */

/** comparison__put_sites() - match the sites that were taken, and add their rows. */
void comparison__put_sites(struct comparison *c);
/**
 * comparison__order_sites() - put the rows of sites into order; they must be judged
 *
 * The row that sums up all sites comes first. Then come the sites, sorted by the difference of
 * their times, each with its nodes that certainly changed. The row of the other sites is last.
 */
void comparison__order_sites(struct comparison *c);
/**
 * comparison__find_explained() - compute the part of the difference of all sites that comes from
 * one site, in %; NAN unless the difference of all sites is certain
 */
double comparison__find_explained(const struct comparison *c, const struct compared *row, int side);

/* The sides, of the two compared, that have a site. */
enum site_presence {
	SITE_ON_BOTH, /* on both sides, or unknown */
	SITE_APPEARED,
	SITE_GONE,
};
/**
 * compared__find_presence() - find out whether a site certainly has time on one side, and has no
 * samples on the other
 */
enum site_presence compared__find_presence(const struct compared *row, int side);
/** comparison__tell_sites() - append which sites changed on a side, or that no site changed. */
void comparison__tell_sites(const struct comparison *c, int side, struct sb *sb);

#endif
