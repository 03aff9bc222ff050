// SPDX-License-Identifier: GPL-2.0-only
/*
 * The covariance of differences between turns is factored as Cholesky does: each known member in
 * turn has news, which is what those before it do not tell of it, and every member's difference is
 * a sum of loads times news. So a regression on any number of known members is one substitution,
 * and one that is known from few groups only adds to what those known from many have told.
 */
#include "verdict/relation.h"

#include <math.h>
#include <string.h>

#include "base/xalloc.h"

#define KEPT 0.98     /* part of what was seen so far that the next difference leaves */
#define LEAST_MOVES 2 /* with fewer, any two events would go with each other */
#define RIDGE 0.01    /* part of a variance that is taken for noise: rates come in grains */
#define CHANCE 1      /* an F of this size is what chance alone comes to */

void relation__init(struct relation *r, int nr, int nr_known, struct arena *memory)
{
	size_t cells = (size_t)nr * nr_known;

	*r = (struct relation){.nr = nr, .nr_known = nr_known};
	r->moves = arena__calloc(memory, 2 * cells + 2 * (size_t)(nr + nr_known), sizeof(double));
	r->loads = r->moves + cells;
	r->squares = r->loads + cells;
	r->last = r->squares + nr;
	r->news = r->last + nr;
	r->scratch = r->news + nr_known;
}

void relation__learn(struct relation *r, const double *rates)
{
	double *last = r->last, *row;

	for (int m = r->nr - 1; m >= 0 && r->has_last; m--) {
		double move = rates[m] - last[m];
		int known = m < r->nr_known ? m + 1 : r->nr_known;

		row = r->moves + (size_t)m * r->nr_known;
		r->squares[m] = KEPT * r->squares[m] + move * move;
		for (int j = 0; j < known; j++)
			row[j] = KEPT * row[j] + move * (rates[j] - last[j]);
	}
	if (r->has_last)
		r->turns = KEPT * r->turns + 1;
	memcpy(last, rates, r->nr * sizeof(*last));
	r->has_last = true;
}

/* Subtracts from the product of two members what known ones before @end say of both. */
static double left_of(const struct relation *r, int a, int b, int end, double sum)
{
	const double *x = r->loads + (size_t)a * r->nr_known;
	const double *y = r->loads + (size_t)b * r->nr_known;

	for (int i = 0; i < end; i++)
		sum -= x[i] * y[i];
	return sum;
}

static double *load_at(const struct relation *r, int member, int known)
{
	return &r->loads[(size_t)member * r->nr_known + known];
}

static void factor(struct relation *r)
{
	for (int j = 0; j < r->nr_known; j++) {
		double noise = RIDGE * r->squares[j];
		double left = left_of(r, j, j, j, r->squares[j] + noise);
		double pivot = sqrt(fmax(left, noise));

		*load_at(r, j, j) = pivot;
		for (int m = j + 1; m < r->nr; m++) {
			double move = r->moves[(size_t)m * r->nr_known + j];

			*load_at(r, m, j) = pivot > 0 ? left_of(r, m, j, j, move) / pivot : 0;
		}
	}
}

/*
 * The part of what is left of a member that a load explains is held against what chance makes of so
 * few turns, as James and Stein shrink a mean.
 */
static void shrink(struct relation *r, int member)
{
	double left = r->squares[member];

	for (int j = 0; j < r->nr_known && j < member; j++) {
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
	memset(r->news, 0, r->nr_known * sizeof(*r->news));
	if (!r->usable)
		return;
	factor(r);
	for (int m = 0; m < r->nr; m++)
		shrink(r, m);
}

double relation__explained(const struct relation *r, int member)
{
	const double *loads = load_at(r, member, 0);
	int known = member < r->nr_known ? member : r->nr_known;
	double sum = 0;

	for (int j = 0; j < known; j++)
		sum += loads[j] * r->news[j];
	return sum;
}

void relation__tell(struct relation *r, int known, double off)
{
	double pivot = *load_at(r, known, known);

	r->news[known] = pivot > 0 ? (off - relation__explained(r, known)) / pivot : 0;
}

void relation__take_out(const struct relation *r, double *rates, const double *remains)
{
	double *news = r->scratch;

	for (int j = 0; j < r->nr_known; j++) {
		double pivot = *load_at(r, j, j), left = rates[j];

		for (int i = 0; i < j; i++)
			left -= *load_at(r, j, i) * news[i];
		news[j] = pivot > 0 ? left / pivot : 0;
	}
	for (int m = 0; m < r->nr; m++)
		for (int j = 0; j < r->nr_known && j <= m; j++)
			rates[m] -= (1 - remains[j]) * *load_at(r, m, j) * news[j];
}

double relation__fitted(const struct relation *r)
{
	double freedom = r->turns - r->nr_known;

	return r->turns / (freedom > 1 ? freedom : 1);
}

double relation__leverage(const struct relation *r)
{
	double sum = 0;

	for (int j = 0; j < r->nr_known; j++)
		sum += r->news[j] * r->news[j];
	return sum;
}
