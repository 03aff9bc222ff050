/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * When a run turned into another one: in come the rows of its intervals, each a vector of values;
 * out go the phases it had, between which the values changed. Pure calculation.
 */
#ifndef TMA_VERDICT_PHASES_H
#define TMA_VERDICT_PHASES_H

#include <stdbool.h>
#include <stdint.h>

struct arena;

#define PHASES_MOST_POINTS 512 /* that are kept of any number of rows */
#define PHASES_MOST 16	       /* phases of a run */

/**
 * struct phases_point - one row, or as many in a row as stand together
 * @start_ns, @end_ns: of the run; @rows: how many they are
 */
struct phases_point {
	uint64_t start_ns, end_ns;
	int rows;
};

/**
 * struct phases - the rows of a run, thinned
 * @nr_values: of a row; the first @nr_compared of them tell phases apart, in the same unit
 * @least:   by how much one of these must differ between phases, at least
 * @points:  @values are the sums of their rows, @nr_values for each
 * @rows_of_point: rows that a point is made of when it is full
 *
 * When there is no room for a row, each point takes in the next one: from then on twice as many
 * rows make a point. A run of any length thus needs the same memory, and what is told of it is as
 * fine as a 256th of it, at least.
 */
struct phases {
	int nr_values, nr_compared;
	double least;
	struct phases_point *points;
	double *values;
	int nr, rows_of_point;
};

/** phases__init() - make room out of @memory. */
void phases__init(struct phases *p, int nr_values, int nr_compared, double least,
		  struct arena *memory);
/**
 * phases__add() - take the next row: its times, and nr_values values, of which those compared are
 * all finite. Allocates nothing.
 */
void phases__add(struct phases *p, uint64_t start_ns, uint64_t end_ns, const double *values);
/**
 * phases__find() - find the points at which a phase begins
 * @starts: room for PHASES_MOST numbers of points; the first is 0
 *
 * Where a change may be is where the energy distance between what is before and behind is largest
 * (E-divisive), in the whole run and in short parts of it, and again on both sides. One is a
 * change if Student's t-test finds a value of the phase before different from that of the phase
 * behind, by @least or more, with an error of 5 % for all points and values together. The least
 * certain one is dropped until all are certain. Nothing is drawn at random: the same rows have
 * the same phases. It takes time as the square of the points, of which there are not more than
 * PHASES_MOST_POINTS.
 *
 * Return: how many phases there are; 0 without rows.
 */
int phases__find(const struct phases *p, int *starts);
/** phases__mean() - a value's mean over the rows of points from one to before another. */
double phases__mean(const struct phases *p, int value, int from, int to);

#endif
