/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Find when a run changed: the input is the rows of its intervals, each a vector of values; the
 * output is the phases of the run, between which the values changed. Pure calculation.
 */
#ifndef TMA_VERDICT_PHASES_H
#define TMA_VERDICT_PHASES_H

#include <stdbool.h>
#include <stdint.h>

struct arena;

#define PHASES_MOST_POINTS 512 /* kept of any number of rows */
#define PHASES_MOST 16	       /* phases of a run */

/**
 * struct phases_point - one row, or several successive rows
 * @start_ns, @end_ns: since the start of the run; @rows: how many rows
 */
struct phases_point {
	uint64_t start_ns, end_ns;
	int rows;
};

/**
 * struct phases - the rows of a run, thinned
 * @nr_values: values of a row; the first @nr_compared distinguish phases, and have the same unit
 * @least:   the least difference of such a value between phases
 * @points:  @values are the sums of their rows, @nr_values for each
 * @rows_of_point: rows that a point is made of when it is full
 *
 * When there is no room for a row, every two points become one, and from then on twice as many rows
 * make a point. So a run of any length needs the same memory, and its phases are known to a 256th
 * of it or better.
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
 * phases__add() - add the next row: its times, and nr_values values, the compared ones finite.
 * Allocates nothing.
 */
void phases__add(struct phases *p, uint64_t start_ns, uint64_t end_ns, const double *values);
/**
 * phases__find() - find the points at which a phase begins
 * @starts: room for PHASES_MOST numbers of points; the first is 0
 *
 * A change is looked for where the energy distance between the parts before and after is largest
 * (E-divisive), in the whole run and in short parts of it, and again on both sides. It is accepted
 * if Student's t-test finds a value of the phase before different from that of the phase after, by
 * @least or more, with an error of 5 % for all points and values together. The least certain change
 * is dropped until all are certain. Nothing is random: the same rows have the same phases. The time
 * is quadratic in the number of points, which is at most PHASES_MOST_POINTS.
 *
 * Return: how many phases there are; 0 without rows.
 */
int phases__find(const struct phases *p, int *starts);
/** phases__mean() - compute a value's mean over the rows of points @from to before @to. */
double phases__mean(const struct phases *p, int value, int from, int to);

#endif
