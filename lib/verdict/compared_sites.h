/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Gather the functions or files of several sides, run by run, and match them with each other. The
 * input is grids of rows of code; the output is, for each site, its time in each run and the values
 * of its tree's nodes. Pure bookkeeping.
 */
#ifndef TMA_VERDICT_COMPARED_SITES_H
#define TMA_VERDICT_COMPARED_SITES_H

#include <stdbool.h>

#include "base/vec.h"
#include "verdict/difference.h"

struct grid;

/* Numbers that select several matches. */
#define SITES_ALL -1
#define SITES_FOLDED -2

/** struct site_values - the values of a site on one side: one for each run, or each row of a run */
struct site_values {
	double *at;
	int nr, cap;
};

/**
 * struct site_node - a node of the tree at a site
 * @parent: name of its parent node, or NULL; @core_name: core type of its tree, or NULL
 * @series: for each side, its values in the runs that have one
 * @rows:   its values in the rows of the current run; @error: sum of their errors
 */
struct site_node {
	char *name, *unit, *parent, *core_name;
	int level;
	struct series *series;
	struct site_values rows;
	double error;
};

/**
 * struct compared_site - a function or file, as the sides name it
 * @name:   "" for the row in which a run sums up all other sites
 * @object: name of its file, which distinguishes functions of the same name; "" for the program
 *          that a side runs
 * @runs:   (for each side) its time in each run; 0 in runs after the last element
 * @rows:   its time in each row of the current run, 0 likewise; @error: sum of the errors of these;
 *          @errors: (for each side) error of its time if the side has only one run
 * @is_program: it is that program as a whole, or code without a symbol in it
 * @match:  number of the match that it belongs to; set by compared_sites__match()
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
 * @name:  as it is printed; @object: name of the file of its first site, "the program" for the
 *         program that a side runs
 * @share: sum of its shares of the time of each side; @folded: it is summed up with the others
 */
struct site_match {
	char *name;
	const char *object;
	double share;
	bool folded;
};

/**
 * struct compared_sites - all sites; the caller zeroes it and sets @nr_sides
 * @kind:    the noun for a row, "function"; NULL before the first row was taken
 * @unit:    of the times: "s", "cycles", "s/s" or "cycles/s"
 * @nr_runs: (for each side) runs taken so far; @nr_rows: rows of the current run
 * @grains:  (for each side) sum of the time that one sample represents, over @nr_grains rows
 * @mixed:   a side has another unit, and was left out
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
 * @cpu_time: shares of sites are of the CPU time of a command; else their cycles were counted
 */
struct sites_taken {
	const char *program;
	bool cpu_time;
};

/** compared_sites__take() - take a row of a side: that of a whole run, or of one interval. */
void compared_sites__take(struct compared_sites *s, int side, const struct grid *g,
			  const struct sites_taken *taken);
/**
 * compared_sites__end_run() - end a run of a side
 *
 * The rows of a run become one value, or the means of parts as intervals of other rows do.
 *
 * @single: the side has no other run, so that only the errors of samples are known
 */
void compared_sites__end_run(struct compared_sites *s, int side, bool single);
/**
 * compared_sites__add() - find a site by its name, or add it; for sites that are not in a grid
 * @name: as in a row; suffixes that compilers give to clones of functions are cut off
 *
 * Return: its number.
 */
int compared_sites__add(struct compared_sites *s, const char *name, const char *object);
/** compared_site__node() - find a node of a site, or add one. Return: its number. */
int compared_site__node(struct compared_site *site, int nr_sides, const char *name,
			const char *core_name);
/**
 * compared_sites__set_runs() - set how many runs a side has, whose values were added one by one
 * @unit: of the times; if it differs from the unit of other sides, the side is left out
 *
 * Return: whether the side is used.
 */
bool compared_sites__set_runs(struct compared_sites *s, int side, int nr, const char *kind,
			      const char *unit, double grain);
/**
 * compared_sites__match() - find which sites are the same on different sides, and which are small
 *
 * Functions of the same name are the same. If a side has several of a name, those in files of the
 * same name match; the rest match if no side has two of them. Sites with less than 1 % of the time
 * of any side are folded into the others, and so are those beyond the 32 largest: as all sides are
 * ranked together, the choice does not favour any difference.
 */
void compared_sites__match(struct compared_sites *s);
/**
 * compared_sites__series() - make the times of a match in each run of a side
 * @match: its number, SITES_ALL or SITES_FOLDED
 * @out:   zeroed by the caller, who frees it
 */
void compared_sites__series(const struct compared_sites *s, int match, int side,
			    struct series *out);
/**
 * compared_sites__main() - find the site that has at least 90 % of a match's time on a side, whose
 * nodes are used for the whole match. Return: its number, or -1.
 */
int compared_sites__main(const struct compared_sites *s, int match, int side);
/** compared_sites__nr_folded() - count the matches that are folded; -1 if that is unknown. */
int compared_sites__nr_folded(const struct compared_sites *s);
void compared_sites__free(struct compared_sites *s);

#endif
