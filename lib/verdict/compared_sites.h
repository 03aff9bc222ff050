/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Gather the functions or files (sites) of several sides, run by run, and match them between sides.
 * The input is grids whose rows are sites. The output is each site's time in each run, and its
 * values of the nodes of the TopDown tree. Pure bookkeeping.
 */
#ifndef TMA_VERDICT_COMPARED_SITES_H
#define TMA_VERDICT_COMPARED_SITES_H

#include <stdbool.h>

#include "base/vec.h"
#include "verdict/difference.h"

struct grid;

/* Numbers for compared_sites__series() that select several matches. */
#define SITES_ALL -1
#define SITES_FOLDED -2

/**
 * struct site_values - values of a site on one side: one value for each run, or for each row of a
 * run
 */
struct site_values {
	double *at;
	int nr, cap;
};

/**
 * struct site_node - a node of the tree at a site
 * @parent: name of its parent node, or NULL; @core_name: core type of its tree, or NULL
 * @series: for each side, the node's values in the runs that have a value
 * @rows:   the node's values in the rows of the current run; @error: sum of the errors of @rows
 */
struct site_node {
	char *name, *unit, *parent, *core_name;
	int level;
	struct series *series;
	struct site_values rows;
	double error;
};

/**
 * struct compared_site - a function or file under the name that the sides give it
 * @name:   name; "" for the row that sums up all other sites of a run
 * @object: name of the site's file, which distinguishes functions of the same name; "" for the
 *          program that a side runs
 * @runs:   (for each side) the site's time in each run; 0 in runs after the last element
 * @rows:   the site's time in each row of the current run; 0 in rows after the last element
 * @error:  sum of the errors of @rows
 * @errors: (for each side) error of the site's time if the side has only one run
 * @is_program: the site is the whole program that a side runs, or code without a symbol in this
 *          program
 * @match:  number of the site's match; set by compared_sites__match()
 */
struct compared_site {
	char *name, *object;
	struct site_values *runs, rows;
	double error, *errors;
	bool is_program;
	int match;
	VEC(struct site_node) nodes;
};

/**
 * struct site_match - sites that are the same function or file on different sides
 * @name:  name that is printed; @object: name of the file of the first site, or "the program" for
 *         the program that a side runs
 * @share: sum over all sides of the match's share of the side's time; @folded: it is one of the
 *         small matches, which are summed up
 */
struct site_match {
	char *name;
	const char *object;
	double share;
	bool folded;
};

/**
 * struct compared_sites - all sites; the caller zeroes it and sets @nr_sides
 * @kind:    noun for a row, "function"; NULL before the first row
 * @unit:    unit of times: "s", "cycles", "s/s" or "cycles/s"
 * @nr_runs: (for each side) number of runs so far; @nr_rows: number of rows of the current run
 * @grains:  (for each side) sum over @nr_grains rows of the time that one sample represents
 * @mixed:   a side was left out, since its times have another unit
 */
struct compared_sites {
	struct compared_site *at;
	int nr, cap, nr_sides;
	const char *kind, *unit;
	int *nr_runs, *nr_grains, nr_rows;
	double *grains;
	bool mixed;
	VEC(struct site_match) matches;
};

/**
 * struct sites_taken - how to read a row of code
 * @program:  name of the file that the side runs, or NULL
 * @cpu_time: sites have shares of the CPU time of a command; else the cycles of sites were counted
 */
struct sites_taken {
	const char *program;
	bool cpu_time;
};

/** compared_sites__take() - take a row of a side: of a whole run, or of one interval. */
void compared_sites__take(struct compared_sites *s, int side, const struct grid *g,
			  const struct sites_taken *taken);
/**
 * compared_sites__end_run() - end a run of a side
 *
 * Each site gets one value for the run, or with many intervals a value for each part of the run
 * (series__add_parts()).
 *
 * @single: the side has no other run, so errors come from the samples alone
 */
void compared_sites__end_run(struct compared_sites *s, int side, bool single);
/**
 * compared_sites__add() - find a site by its name, or add it, for sites that are not in a grid
 * @name: name in a row; suffixes that compilers give to clones of functions are cut off
 *
 * Return: number of the site.
 */
int compared_sites__add(struct compared_sites *s, const char *name, const char *object);
/** compared_site__node() - find a node of a site, or add it. Return: number of the node. */
int compared_site__node(struct compared_site *site, int nr_sides, const char *name,
			const char *core_name);
/**
 * compared_sites__set_runs() - set how many runs a side has, after the values of the runs were
 * added one by one
 * @unit: unit of the times; if the other sides have another unit, the side is left out
 *
 * Return: whether the side is used.
 */
bool compared_sites__set_runs(struct compared_sites *s, int side, int nr, const char *kind,
			      const char *unit, double grain);
/**
 * compared_sites__match() - find which sites are the same on different sides, and which are small
 *
 * Functions of the same name are the same. If a side has several functions of a name, functions in
 * files of the same name match; the rest match if no side has two of them. Matches with less than 1
 * % of the time of each side are folded together, and so are matches after the 32 largest. All
 * sides are ranked together, so the choice does not favour any difference.
 */
void compared_sites__match(struct compared_sites *s);
/**
 * compared_sites__series() - make the times of a match in each run of a side
 * @match: number of the match, SITES_ALL or SITES_FOLDED
 * @out:   zeroed by the caller, who frees it
 */
void compared_sites__series(const struct compared_sites *s, int match, int side,
			    struct series *out);
/**
 * compared_sites__main() - find the site that has at least 90 % of a match's time on a side: the
 * match gets the nodes of this site. Return: number of the site, or -1.
 */
int compared_sites__main(const struct compared_sites *s, int match, int side);
/** compared_sites__nr_folded() - count the matches that are folded; -1 if the number is unknown. */
int compared_sites__nr_folded(const struct compared_sites *s);
void compared_sites__free(struct compared_sites *s);

#endif
