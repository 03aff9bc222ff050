/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Time, events, metrics and the nodes of the TopDown trees are compared. In come the grids of runs
 * of two or more sides; out go rows with the values of each side, and how it differs from the
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

/* A quantity is one of these, in the order in which they are printed. */
enum compared_kind {
	COMPARED_NOTHING, /* it is not printed: nobody asked for it */
	COMPARED_TIME,
	COMPARED_COUNT,	 /* of an event, or the peak of memory */
	COMPARED_METRIC, /* in no tree */
	COMPARED_NODE,
	COMPARED_SITE,	    /* a function or file, by its time */
	COMPARED_SITE_NODE, /* a node of the tree there */
	COMPARED_KINDS,
};

#define PEAK_MEMORY "peak-memory" /* the row of the most memory that a command had resident */

/**
 * struct compared - a quantity
 * @name:   "time", "user", "sys", PEAK_MEMORY, that of an event (with "/s" where it is a rate, of
 *          intervals), or of a metric
 * @unit:   "s" for times, "B" for memory, or as of the event or metric
 * @core_name, @cgroup: whose it is; NULL for none
 * @object: (sites) name of the file that it is in; else NULL
 * @level:  of a node in its tree; else 0
 * @parent: number of the row that it is a part of, or -1; @depth: how many parents there are
 * @series: one for each side; @intervals: the same
 * @with:   the difference of each side from the first, whose own stays empty
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
 * struct comparison - of @nr_sides, which the caller sets with what is wanted; else zeroed first
 * @counts:  events are compared, and not only where there is no tree (@counts_without_tree)
 * @only:    names of events, separated by commas, and of no others; NULL for all
 * @first_is_clock: but for the first event, which is counted for rows of code
 * @metrics: metrics that are in no tree are compared
 * @memory:  the peak of memory is; @least_memory: which is not known below so many bytes
 * @most_level: deepest level of the tree, 0 for any
 * @order: numbers of the rows as they are printed, and -1: by kinds, each tree from its root down;
 *         without those of sites
 * @sites: that were taken of the runs; @all_sites, @others: rows of all of them together and of
 *         those that have none, -1 where there are no such; @site_orders: (of each side but the
 *         first) numbers of their rows as they are printed, and -1
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
 * @points: of percentages; @time: of times, in percent of the first side's time; @counts: of all
 *          others, in percent of the first side's value
 */
struct comparison_margins {
	double points, time, counts;
};

/**
 * comparison__add() - add the value of a run that no grid has
 * @grain: as in struct series
 *
 * Return: the number of its row.
 */
int comparison__add(struct comparison *c, int side, enum compared_kind kind, const char *name,
		    const char *unit, double value, double grain);
/**
 * comparison__row() - find a row of another's, or add one; its texts are copied
 *
 * Return: its number.
 */
int comparison__row(struct comparison *c, const char *name, const char *core_name,
		    const char *cgroup);
/** comparison__new_row() - add a row that may be of the same names as another. Return: its number.
 */
int comparison__new_row(struct comparison *c, const char *name, const char *core_name,
			const char *cgroup);
/**
 * comparison__set_spread() - a value that was taken is a mean of several runs, see
 * series__set_spread()
 * @column: of an event; NULL for the time
 */
void comparison__set_spread(struct comparison *c, int side, const struct grid_column *column,
			    double percent);
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
 */
void comparison__judge(struct comparison *c, const struct comparison_margins *margins);
/**
 * comparison__find() - the row of this name behind @after (-1: the first one), or NULL
 *
 * Sites are not looked at, whose names may be anything.
 */
const struct compared *comparison__find(const struct comparison *c, const char *name, int after);
/**
 * comparison__tell() - append one line: what changed on a side, and by how much the time did
 * @first, @other: what the first and this side are called
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
 * comparison__explained() - tell which part of the difference of all sites the one of a site is, in
 * percent; NAN where it is not certain that there is a difference
 */
double comparison__explained(const struct comparison *c, const struct compared *row, int side);

/* A site may be on one side alone. */
enum site_presence {
	SITE_ON_BOTH, /* or nobody knows */
	SITE_APPEARED,
	SITE_GONE,
};
/** compared__presence() - tell whether a site certainly has time, and no sample on the other side.
 */
enum site_presence compared__presence(const struct compared *row, int side);
/** comparison__tell_sites() - append which sites changed on a side, or that none did. */
void comparison__tell_sites(const struct comparison *c, int side, struct sb *sb);

#endif
