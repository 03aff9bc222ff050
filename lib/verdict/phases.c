// SPDX-License-Identifier: GPL-2.0-only
/* Find phases of a run by the energy distance between parts of the run, confirmed by a t-test. */
#include "verdict/phases.h"

#include <math.h>
#include <string.h>

#include "base/xalloc.h"

#define WINDOW 48      /* points of the first window; each further window is half as long */
#define LEAST_POINTS 3 /* of a phase */
#define ALPHA 0.05     /* chance that any change is reported in a run without changes */
#define NOT_CERTAIN 1  /* probability that is returned if a change is impossible */
#define FINEST 0.05    /* least deviation of values that is assumed, in points of % */

/* --- Rows ------------------------------------------------------------------------------------ */

void phases__init(struct phases *p, int nr_values, int nr_compared, double least,
		  struct arena *memory)
{
	*p = (struct phases){
		.nr_values = nr_values,
		.nr_compared = nr_compared,
		.least = least,
		.rows_of_point = 1,
	};
	p->points = arena__calloc(memory, PHASES_MOST_POINTS, sizeof(*p->points));
	p->values = arena__calloc(memory, (size_t)PHASES_MOST_POINTS * nr_values,
				  sizeof(*p->values));
}

static double *values_of(const struct phases *p, int point)
{
	return &p->values[(size_t)point * p->nr_values];
}

/* Merge each two points into one. */
static void thin(struct phases *p)
{
	for (int i = 0; i < p->nr / 2; i++) {
		const struct phases_point *a = &p->points[2 * i], *b = a + 1;
		double *to = values_of(p, i);

		for (int v = 0; v < p->nr_values; v++)
			to[v] = values_of(p, 2 * i)[v] + values_of(p, 2 * i + 1)[v];
		p->points[i] = (struct phases_point){a->start_ns, b->end_ns, a->rows + b->rows};
	}
	p->nr /= 2;
	p->rows_of_point *= 2;
}

void phases__add(struct phases *p, uint64_t start_ns, uint64_t end_ns, const double *values)
{
	struct phases_point *last = p->nr ? &p->points[p->nr - 1] : NULL;
	double *to;

	if (!last || last->rows == p->rows_of_point) {
		if (p->nr == PHASES_MOST_POINTS)
			thin(p);
		last = &p->points[p->nr++];
		*last = (struct phases_point){.start_ns = start_ns};
		memset(values_of(p, p->nr - 1), 0, p->nr_values * sizeof(double));
	}
	last->end_ns = end_ns;
	last->rows++;
	to = values_of(p, p->nr - 1);
	for (int v = 0; v < p->nr_values; v++)
		to[v] += values[v];
}

double phases__mean(const struct phases *p, int value, int from, int to)
{
	double sum = 0;
	int rows = 0;

	for (int i = from; i < to; i++) {
		sum += values_of(p, i)[value];
		rows += p->points[i].rows;
	}
	return rows ? sum / rows : NAN;
}

static double phases__value_of(const struct phases *p, int point, int value)
{
	return values_of(p, point)[value] / p->points[point].rows;
}

/* --- Where a change may be ------------------------------------------------------------------- */

static double distance(const struct phases *p, int a, int b)
{
	double squares = 0;

	for (int v = 0; v < p->nr_compared; v++) {
		double off = phases__value_of(p, a, v) - phases__value_of(p, b, v);

		squares += off * off;
	}
	return sqrt(squares);
}

static double sum_of_distances(const struct phases *p, int point, int from, int to)
{
	double sum = 0;

	for (int i = from; i < to; i++)
		sum += distance(p, point, i);
	return sum;
}

/*
 * Return: the energy distance: twice the mean distance between the sides minus the mean distances
 * within each side, scaled by the sizes of the sides.
 */
static double energy(double between, double before, double after, double n, double m)
{
	double e = 2 * between / (n * m);

	e -= 2 * before / (n * (n - 1)) + 2 * after / (m * (m - 1));
	return e * n * m / (n + m);
}

/*
 * Find the place where the points before differ most from the points after. To update sums of
 * distances, points move one by one from the second side to the first. Return: the first point of
 * the second side; or -1.
 */
static int divide(const struct phases *p, int from, int to)
{
	double between = 0, before = 0, after = 0, most = 0;
	int best = -1;

	for (int i = from; i < to; i++)
		after += sum_of_distances(p, i, i + 1, to);
	for (int i = from; i < to - LEAST_POINTS; i++) {
		double left = sum_of_distances(p, i, from, i);
		double right = sum_of_distances(p, i, i + 1, to), found;

		before += left;
		after -= right;
		between += right - left;
		if (i + 1 - from < LEAST_POINTS)
			continue;
		found = energy(between, before, after, i + 1 - from, to - i - 1);
		if (found > most) {
			most = found;
			best = i + 1;
		}
	}
	return best;
}

/* --- Whether it is a change ------------------------------------------------------------------ */

/* Return: the probability that |t| is at least @t (Wallace's normal approximation). */
static double chance_of_t(double t, double freedom)
{
	double z = sqrt(freedom * log1p(t * t / freedom));

	return erfc(z * (8 * freedom + 1) / (8 * freedom + 3) / sqrt(2));
}

static double squares_around(const struct phases *p, int value, int from, int to, double mean)
{
	double squares = 0;

	for (int i = from; i < to; i++)
		squares += (phases__value_of(p, i, value) - mean) *
			   (phases__value_of(p, i, value) - mean);
	return squares;
}

/*
 * Return: the probability that chance makes a value differ as much as observed between the sides of
 * @at.
 */
static double chance_of_same(const struct phases *p, int value, int from, int at, int to)
{
	double n = at - from, m = to - at, freedom = n + m - 2;
	double a = phases__mean(p, value, from, at), b = phases__mean(p, value, at, to);
	double variance;

	if (n < LEAST_POINTS || m < LEAST_POINTS || fabs(a - b) < p->least)
		return NOT_CERTAIN;
	variance = squares_around(p, value, from, at, a) + squares_around(p, value, at, to, b);
	variance = variance / freedom + FINEST * FINEST;
	return chance_of_t((a - b) / sqrt(variance * (1 / n + 1 / m)), freedom);
}

/* Return: the probability that chance makes any value differ as much as observed at any point. */
static double chance_of_none(const struct phases *p, int from, int at, int to)
{
	double least = NOT_CERTAIN;

	for (int v = 0; v < p->nr_compared; v++)
		least = fmin(least, chance_of_same(p, v, from, at, to));
	return least < NOT_CERTAIN ? least * p->nr_compared * p->nr : NOT_CERTAIN;
}

/* --- All changes ----------------------------------------------------------------------------- */

/* Mark the changes in a part of the run, then on both sides of each change. */
static void mark(const struct phases *p, bool *marks, int from, int to, int depth)
{
	int at = to - from >= 2 * LEAST_POINTS ? divide(p, from, to) : -1;

	if (at < 0 || !depth || chance_of_none(p, from, at, to) >= ALPHA)
		return;
	marks[at] = true;
	mark(p, marks, from, at, depth - 1);
	mark(p, marks, at, to, depth - 1);
}

static int list_marks(const struct phases *p, const bool *marks, int *list)
{
	int nr = 0;

	list[nr++] = 0;
	for (int i = 1; i < p->nr; i++)
		if (marks[i])
			list[nr++] = i;
	list[nr] = p->nr;
	return nr;
}

/* Drop the least certain change. Return: whether one was dropped. */
static bool drop_one(const struct phases *p, int *list, int *nr)
{
	double worst = -1;
	int at = 0;

	for (int i = 1; i < *nr; i++) {
		double chance = chance_of_none(p, list[i - 1], list[i], list[i + 1]);

		if (chance > worst) {
			worst = chance;
			at = i;
		}
	}
	if (!at || (worst < ALPHA && *nr <= PHASES_MOST))
		return false;
	memmove(&list[at], &list[at + 1], (*nr - at) * sizeof(*list));
	--*nr;
	return true;
}

int phases__find(const struct phases *p, int *starts)
{
	bool marks[PHASES_MOST_POINTS] = {false};
	int list[PHASES_MOST_POINTS + 1], nr;

	if (!p->nr)
		return 0;
	mark(p, marks, 0, p->nr, PHASES_MOST);
	for (int from = 0; from + WINDOW / 2 < p->nr; from += WINDOW / 2)
		mark(p, marks, from, from + WINDOW < p->nr ? from + WINDOW : p->nr, PHASES_MOST);
	nr = list_marks(p, marks, list);
	while (drop_one(p, list, &nr))
		;
	memcpy(starts, list, nr * sizeof(*starts));
	return nr;
}
