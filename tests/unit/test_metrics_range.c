// SPDX-License-Identifier: GPL-2.0-only
/* Ranges of values: the result of each operator is in the range that is computed for it. */
#include <math.h>
#include <stdlib.h>

#include "metrics/expr_op.h"
#include "metrics/range.h"
#include "unit.h"

static unsigned int seed = 1;

static double pick(const double *from, int nr)
{
	return from[rand_r(&seed) % nr];
}

static struct range random_range(void)
{
	static const double bounds[] = { -INFINITY, -7, -1, -0.5, 0, 0.25, 1, 3, 100, INFINITY };
	double a = pick(bounds, 10), b = pick(bounds, 10);
	struct range r = range__between(fmin(a, b), fmax(a, b));

	if (r.lo == r.hi && isinf(r.lo))
		r = range__between(0, INFINITY);
	r.nan = rand_r(&seed) % 4 == 0;
	return r;
}

static double random_value(const struct range *r)
{
	static const double values[] = { -1e6, -7, -2.5, -1, -0.5, 0,	0.1, 0.25,
					 0.7,  1,  2,	 3,  50,   100, 1e6 };
	double v = pick(values, 15);

	if (r->nan && rand_r(&seed) % 5 == 0)
		return NAN;
	return range__has(r, v) ? v : isfinite(r->lo) ? r->lo : isfinite(r->hi) ? r->hi : 0;
}

START_TEST(values_are_within_their_range)
{
	static const enum expr_op ops[] = { EXPR_IF,   EXPR_OR,	     EXPR_XOR, EXPR_AND,
					    EXPR_LESS, EXPR_GREATER, EXPR_SUB, EXPR_ADD,
					    EXPR_MUL,  EXPR_DIV,     EXPR_MOD, EXPR_MIN,
					    EXPR_MAX,  EXPR_D_RATIO, EXPR_NEG };
	int narrower = 0;

	for (int i = 0; i < 300000; i++) {
		enum expr_op op = ops[rand_r(&seed) % 15];
		struct range a = random_range(), b = random_range(), c = random_range();
		struct range r = range__apply(op, &a, &b, &c), of_a, of_b;
		double x = random_value(&a), y = random_value(&b), z = random_value(&c);
		double v = expr_op__apply(op, x, y, z);

		if (isnan(v)) {
			ck_assert_msg(r.nan, "op %d of %g %g %g", op, x, y, z);
			continue;
		}
		ck_assert_msg(range__has(&r, v), "op %d of %g %g %g: %g is not in %g..%g", op, x, y,
			      z, v, r.lo, r.hi);
		narrower += isfinite(r.lo) || isfinite(r.hi);
		/*
		 * Solve for the operands too: from the result, each operand must be in its range.
		 */
		r = range__of(v);
		of_a = range__solve(op, 0, &r, &b, &a);
		of_b = range__solve(op, 1, &r, &a, &b);
		ck_assert_msg(isnan(x) || range__has(&of_a, x), "op %d of %g %g", op, x, y);
		ck_assert_msg(op == EXPR_NEG || isnan(y) || range__has(&of_b, y), "op %d of %g %g",
			      op, x, y);
	}
	ck_assert_int_gt(narrower, 100000);
}
END_TEST

TMA_TEST_MAIN(metrics_range, values_are_within_their_range)
