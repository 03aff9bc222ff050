/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Find when a run changed. The input is the rows of the run's intervals, each a vector of values;
 * the output is the phases of the run. Pure calculation.
 */
#ifndef TMA_VERDICT_PHASES_H
#define TMA_VERDICT_PHASES_H

#include <stdbool.h>
#include <stdint.h>

struct arena;

#define PHASES_MOST_POINTS 512 /* number of points that are kept, for any number of rows */
#define PHASES_MOST 16	       /* greatest number of phases of a run */

/**
 * struct phases_point - one row, or several successive rows
 * @start_ns, @end_ns: times since the start of the run; @rows: number of rows
 */
struct phases_point {
	uint64_t start_ns, end_ns;
	int rows;
};

/**
 * struct phases - the rows of a run, thinned
 * @nr_values: number of values of a row; the first @nr_compared values distinguish phases, and have
 *             the same unit
 * @least:   at least one of these values differs by @least between phases
 * @points:  rows, thinned; @values: for each point the sums over its rows, @nr_values numbers
 * @rows_of_point: number of rows in a point that is full
 *
 * When there is no room for a row, every two points become one, and from then on a point has twice
 * as many rows. So a run of any length needs the same memory, and the begin of a phase is known to
 * a 256th of the run or better.
 */
struct phases {
	int nr_values, nr_compared;
	double least;
	struct phases_point *points;
	double *values;
	int nr, rows_of_point;
};

/** phases__init() - allocate room from @memory. */
void phases__init(struct phases *p, int nr_values, int nr_compared, double least,
		  struct arena *memory);
/**
 * phases__add() - add the next row: its times and nr_values values, of which the compared values
 * are finite. Allocates nothing.
 */
void phases__add(struct phases *p, uint64_t start_ns, uint64_t end_ns, const double *values);
/**
 * phases__find() - find the points at which a phase begins
 * @starts: receives up to PHASES_MOST numbers of points; the first is 0
 *
 * A change is looked for where the energy distance between the parts before and after is largest
 * (E-divisive): in the whole run, in short parts of the run, and again on both sides of each
 * change. Student's t-test accepts a change if a value differs by @least or more between the phases
 * before and after, with an error of 5 % for all points and values together. The least certain
 * change is dropped until all changes are certain. Nothing is random: the same rows have the same
 * phases. The time is quadratic in the number of points, which is at most PHASES_MOST_POINTS.
 *
 * Return: number of phases; 0 without rows.
 */
int phases__find(const struct phases *p, int *starts);
/** phases__mean() - compute a value's mean over the rows of points @from to before @to. */
double phases__mean(const struct phases *p, int value, int from, int to);

#endif
