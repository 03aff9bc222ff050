// SPDX-License-Identifier: GPL-2.0-only
/*
 * The covariance of moves between turns is factored by Cholesky's method. Each common member has an
 * innovation: the part of its move that the common members before it do not explain. The move of
 * every member is a sum of loads times innovations. So a regression on any number of common members
 * is one substitution. The common members of many groups come first, and a member of few groups
 * adds what is left to explain.
 */
#include "verdict/relation.h"

#include <math.h>
#include <string.h>

#include "base/xalloc.h"

#define KEPT 0.98     /* weight that earlier moves keep at each further move */
#define LEAST_MOVES 2 /* with fewer moves, any two events seem correlated */
#define RIDGE 0.01    /* part of a variance that is taken as noise, since rates have steps */
#define CHANCE 1      /* value of F that chance alone gives */

void relation__init(struct relation *r, int nr, int nr_common, struct arena *memory)
{
	size_t cells = (size_t)nr * nr_common;

	*r = (struct relation){.nr = nr, .nr_common = nr_common};
	r->moves = arena__calloc(memory, 2 * cells + 2 * (size_t)(nr + nr_common), sizeof(double));
	r->loads = r->moves + cells;
	r->squares = r->loads + cells;
	r->last = r->squares + nr;
	r->innovations = r->last + nr;
	r->scratch = r->innovations + nr_common;
}

void relation__learn(struct relation *r, const double *rates)
{
	double *last = r->last, *row;

	for (int m = r->nr - 1; m >= 0 && r->has_last; m--) {
		double move = rates[m] - last[m];
		int known = m < r->nr_common ? m + 1 : r->nr_common;

		row = r->moves + (size_t)m * r->nr_common;
		r->squares[m] = KEPT * r->squares[m] + move * move;
		for (int j = 0; j < known; j++)
			row[j] = KEPT * row[j] + move * (rates[j] - last[j]);
	}
	if (r->has_last)
		r->turns = KEPT * r->turns + 1;
	memcpy(last, rates, r->nr * sizeof(*last));
	r->has_last = true;
}

/*
 * Return: the sum of products of two members without the part that common members before @end
 * explain.
 */
static double left_of(const struct relation *r, int a, int b, int end, double sum)
{
	const double *x = r->loads + (size_t)a * r->nr_common;
	const double *y = r->loads + (size_t)b * r->nr_common;

	for (int i = 0; i < end; i++)
		sum -= x[i] * y[i];
	return sum;
}

static double *load_at(const struct relation *r, int member, int known)
{
	return &r->loads[(size_t)member * r->nr_common + known];
}

static void factor(struct relation *r)
{
	for (int j = 0; j < r->nr_common; j++) {
		double noise = RIDGE * r->squares[j];
		double left = left_of(r, j, j, j, r->squares[j] + noise);
		double pivot = sqrt(fmax(left, noise));

		*load_at(r, j, j) = pivot;
		for (int m = j + 1; m < r->nr; m++) {
			double move = r->moves[(size_t)m * r->nr_common + j];

			*load_at(r, m, j) = pivot > 0 ? left_of(r, m, j, j, move) / pivot : 0;
		}
	}
}

/*
 * Reduce each load, as James and Stein shrink a mean: after few turns, a part of the load is
 * chance.
 */
static void shrink(struct relation *r, int member)
{
	double left = r->squares[member];

	for (int j = 0; j < r->nr_common && j < member; j++) {
		double *load = load_at(r, member, j), square = *load * *load;
		double freedom = r->turns - j - 1;

		if (square <= 0)
			continue;
		left = fmax(left - square, 0);
		*load *= freedom > 0 ? fmax(0, 1 - CHANCE * left / (freedom * square)) : 0;
	}
}

void relation__solve(struct relation *r)
{
	r->usable = r->turns >= LEAST_MOVES - KEPT / 2;
	memset(r->innovations, 0, r->nr_common * sizeof(*r->innovations));
	if (!r->usable)
		return;
	factor(r);
	for (int m = 0; m < r->nr; m++)
		shrink(r, m);
}

double relation__explained(const struct relation *r, int member)
{
	const double *loads = load_at(r, member, 0);
	int known = member < r->nr_common ? member : r->nr_common;
	double sum = 0;

	for (int j = 0; j < known; j++)
		sum += loads[j] * r->innovations[j];
	return sum;
}

void relation__set_deviation(struct relation *r, int known, double off)
{
	double pivot = *load_at(r, known, known);

	r->innovations[known] = pivot > 0 ? (off - relation__explained(r, known)) / pivot : 0;
}

void relation__take_out(const struct relation *r, double *rates, const double *remains)
{
	double *innovations = r->scratch;

	for (int j = 0; j < r->nr_common; j++) {
		double pivot = *load_at(r, j, j), left = rates[j];

		for (int i = 0; i < j; i++)
			left -= *load_at(r, j, i) * innovations[i];
		innovations[j] = pivot > 0 ? left / pivot : 0;
	}
	for (int m = 0; m < r->nr; m++)
		for (int j = 0; j < r->nr_common && j <= m; j++)
			rates[m] -= (1 - remains[j]) * *load_at(r, m, j) * innovations[j];
}

double relation__fitted(const struct relation *r)
{
	double freedom = r->turns - r->nr_common;

	return r->turns / (freedom > 1 ? freedom : 1);
}

double relation__leverage(const struct relation *r)
{
	double sum = 0;

	for (int j = 0; j < r->nr_common; j++)
		sum += r->innovations[j] * r->innovations[j];
	return sum;
}
