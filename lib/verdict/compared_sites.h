/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Functions or files of several sides are gathered, run by run, and matched with each other. In
 * come the grids of rows of code; out go, for each site, its time in each run, and what its nodes
 * were. Pure bookkeeping.
 */
#ifndef TMA_VERDICT_COMPARED_SITES_H
#define TMA_VERDICT_COMPARED_SITES_H

#include <stdbool.h>

#include "base/vec.h"
#include "verdict/difference.h"

struct grid;

/* These stand for several matches. */
#define SITES_ALL -1
#define SITES_FOLDED -2

/** struct site_values - of one side: a value for each run, or row of a run */
struct site_values {
	double *at;
	int nr, cap;
};

/**
 * struct site_node - a node of the tree at a site
 * @parent: name of the node that it is a part of, or NULL; @core_name: whose tree it is, or NULL
 * @series: one for each side, of the runs in which it had a value
 * @rows:   (of the run at hand) where it had one; @error: the sum of their errors
 */
struct site_node {
	char *name, *unit, *parent, *core_name;
	int level;
	struct series *series;
	struct site_values rows;
	double error;
};

/**
 * struct compared_site - a function or file as a side has it
 * @name:   "" for what a run puts together itself as others
 * @object: name of its file, by which functions of one name are told apart; "" for the program that
 *          a side runs
 * @runs:   (of each side) its time in each run; those after the last one are 0
 * @rows:   its time in each row of the run at hand, likewise; @error: of these, the sum of the
 *          errors; @errors: (of each side) of its only run
 * @is_program: it is that program itself, or what has no name in it
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
 * @name:  as it is printed; @object: name of the file of its first site, "the program" for the one
 * that a side runs
 * @share: sum of its shares of the time of each side; @folded: it is among the others
 */
struct site_match {
	char *name;
	const char *object;
	double share;
	bool folded;
};

/**
 * struct compared_sites - zeroed but for @nr_sides first
 * @kind:    the noun for a row, "function"; NULL where none was taken
 * @unit:    of the times: "s", "cycles", or these by second
 * @nr_runs: (of each side) taken so far; @nr_rows: of the run at hand
 * @grains:  (of each side) sum of what a sample stands for, over @nr_grains rows
 * @mixed:   some side has another unit, and was left out
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
 * struct sites_taken - what is said of a row of code
 * @program:  name of the file that the side runs, or NULL
 * @cpu_time: the sites share the CPU time of a command; else the cycles that were counted
 */
struct sites_taken {
	const char *program;
	bool cpu_time;
};

/** compared_sites__take() - take a row of a side: that of a run, or of an interval of it. */
void compared_sites__take(struct compared_sites *s, int side, const struct grid *g,
			  const struct sites_taken *taken);
/**
 * compared_sites__end_run() - the run is over
 *
 * Its rows become one value, or the means of parts as those of other rows of intervals do.
 *
 * @single: there is no other run, so that the errors of its samples are all that is known
 */
void compared_sites__end_run(struct compared_sites *s, int side, bool single);
/**
 * compared_sites__add() - find a site, or add one, that was not taken of a grid
 * @name: as in a row; what compilers add to the names of clones is left out
 *
 * Return: its number.
 */
int compared_sites__add(struct compared_sites *s, const char *name, const char *object);
/** compared_site__node() - find a node of a site, or add one. Return: its number. */
int compared_site__node(struct compared_site *site, int nr_sides, const char *name,
			const char *core_name);
/**
 * compared_sites__set_runs() - say how many runs a side has, which were added one by one
 * @unit: of the times; one that differs from that of other sides leaves the side out
 *
 * Return: whether it is taken.
 */
bool compared_sites__set_runs(struct compared_sites *s, int side, int nr, const char *kind,
			      const char *unit, double grain);
/**
 * compared_sites__match() - find which sites are the same on different sides, and which are small
 *
 * Functions of a name are the same. Where a side has several of a name, those in a file of one name
 * are, and the rest if no side has two. Sites with less than 1 % of the time of any side are folded
 * into the others, and so are those beyond the 32 largest: as this goes by all sides together, it
 * prefers no difference.
 */
void compared_sites__match(struct compared_sites *s);
/**
 * compared_sites__series() - give the times of a match in each run of a side
 * @match: its number, SITES_ALL or SITES_FOLDED
 * @out:   zeroed; the caller's
 */
void compared_sites__series(const struct compared_sites *s, int match, int side,
			    struct series *out);
/**
 * compared_sites__main() - find the site of a match that has nine tenths of its time on a side,
 * whose nodes stand for all of it. Return: its number, -1 for none.
 */
int compared_sites__main(const struct compared_sites *s, int match, int side);
/** compared_sites__nr_folded() - count the matches that are folded; -1 where nobody knows. */
int compared_sites__nr_folded(const struct compared_sites *s);
void compared_sites__free(struct compared_sites *s);

#endif
