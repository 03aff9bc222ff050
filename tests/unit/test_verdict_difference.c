// SPDX-License-Identifier: GPL-2.0-only
/* Differences of made-up runs: the verdicts on them, and how often a verdict is wrong. */
#include <math.h>
#include <stdlib.h>

#include "base/array.h"
#include "verdict/difference.h"
#include "unit.h"

#define MOST_RUNS 40

static struct series series_of(const double *values, int nr)
{
	struct series s = {0};

	for (int i = 0; i < nr; i++)
		series__add(&s, values[i], 0);
	return s;
}

#define SERIES(...)                              \
	series_of((const double[]){__VA_ARGS__}, \
		  sizeof((const double[]){__VA_ARGS__}) / sizeof(double))

static struct difference judge(struct series *a, struct series *b, double margin)
{
	struct difference d = {.margin = margin}, *all = &d;

	difference__measure(a, b, &d);
	differences__judge(&all, 1);
	series__free(a);
	series__free(b);
	return d;
}

/* Values of Student's t from published tables. */
START_TEST(t_is_that_of_the_tables)
{
	ck_assert_double_eq_tol(student__limit(0.10, 1), 6.314, 0.001);
	ck_assert_double_eq_tol(student__limit(0.05, 4), 2.776, 0.001);
	ck_assert_double_eq_tol(student__limit(0.10, 8), 1.860, 0.001);
	ck_assert_double_eq_tol(student__limit(0.001, 30), 3.646, 0.001);
	ck_assert_double_eq_tol(student__limit(0.05, 1e9), 1.960, 0.001);
	ck_assert_double_eq_tol(student__both_tails(2.0, 10), 0.07339, 0.00001);
	ck_assert_double_eq_tol(student__both_tails(0, 3), 1, 1e-9);
}
END_TEST

/* Computed by hand: means 3 and 6, variances 2.5 and 10, and 5 runs of each side. */
START_TEST(welch_is_that_of_the_formula)
{
	struct series a = SERIES(1, 2, 3, 4, 5), b = SERIES(2, 4, 6, 8, 10);
	struct difference d = judge(&a, &b, 0.5);

	ck_assert_double_eq_tol(d.by, 3, 1e-9);
	ck_assert_double_eq_tol(d.se, sqrt(2.5), 1e-9);
	ck_assert_double_eq_tol(d.df, 5.882, 0.001);
	ck_assert_double_eq_tol(d.p, 0.1075, 0.001);
	ck_assert_int_eq(d.change, CHANGE_UNDECIDED);
	ck_assert_int_gt(d.needed, 5);
	ck_assert_int_lt(d.needed, 20);
}
END_TEST

START_TEST(words_follow_from_interval_and_margin)
{
	struct series a = SERIES(10.0, 10.1, 9.9, 10.0), b = SERIES(12.0, 12.1, 11.9, 12.0);
	struct series same = SERIES(10.1, 10.2, 10.0, 10.1), copy = SERIES(10.0, 10.1, 9.9, 10.0);
	struct series less = SERIES(8.0, 8.1, 7.9, 8.0), again = SERIES(10.0, 10.1, 9.9, 10.0);

	ck_assert_int_eq(judge(&a, &b, 0.5).change, CHANGE_MORE);
	ck_assert_int_eq(judge(&copy, &same, 0.5).change, CHANGE_NONE);
	ck_assert_int_eq(judge(&again, &less, 0.5).change, CHANGE_LESS);
}
END_TEST

START_TEST(values_without_spread_are_exact)
{
	struct series a = SERIES(0.1, 0.1, 0.1), b = SERIES(0.1, 0.1, 0.1);
	struct series c = SERIES(0.1, 0.1, 0.1), e = SERIES(0.7, 0.7, 0.7);

	ck_assert_int_eq(judge(&a, &b, 0).change, CHANGE_NONE);
	ck_assert_int_eq(judge(&c, &e, 0.5).change, CHANGE_MORE);
}
END_TEST

/*
 * Four equal values have no spread, perhaps by chance: the error of a side is then at least that of
 * its values.
 */
START_TEST(errors_of_single_values_count)
{
	struct series a = {0}, b = {0};

	for (int i = 0; i < 4; i++) {
		series__add(&a, 20, 8);
		series__add(&b, 22, 8);
	}
	ck_assert_int_eq(judge(&a, &b, 0.5).change, CHANGE_UNDECIDED);
}
END_TEST

START_TEST(one_value_without_an_error_says_nothing)
{
	struct series a = SERIES(1), b = SERIES(2), none = {0}, c = SERIES(1, 2, 3);
	struct difference d = judge(&a, &b, 0.5);

	ck_assert_int_eq(d.change, CHANGE_UNKNOWN);
	ck_assert_double_nan(d.half);
	ck_assert_double_eq(d.by, 1);
	ck_assert_int_eq(judge(&none, &c, 0.5).change, CHANGE_UNKNOWN);
}
END_TEST

START_TEST(one_value_with_an_error_is_known_as_well_as_that)
{
	struct series a = {0}, b = {0};
	struct difference d;

	series__add(&a, 40, 0.3);
	series__add(&b, 35, 0.4);
	d = judge(&a, &b, 0.5);
	ck_assert_int_eq(d.change, CHANGE_LESS);
	ck_assert_double_eq_tol(d.half, 0.5, 0.001);
}
END_TEST

START_TEST(limits_are_passed_for_certain_only)
{
	struct series a = SERIES(10.0, 10.1, 9.9, 10.0), b = SERIES(12.0, 12.1, 11.9, 12.0);

	ck_assert_int_eq(difference__beyond(&a, &b, true, 1, false, 1), BEYOND_YES);
	ck_assert_int_eq(difference__beyond(&a, &b, true, 2, false, 1), BEYOND_UNCERTAIN);
	ck_assert_int_eq(difference__beyond(&a, &b, true, 3, false, 1), BEYOND_NO);
	ck_assert_int_eq(difference__beyond(&a, &b, false, 3, false, 1), BEYOND_YES);
	ck_assert_int_eq(difference__beyond(&a, &b, true, 0.15, true, 1), BEYOND_YES);
	ck_assert_int_eq(difference__beyond(&a, &b, true, 0.25, true, 1), BEYOND_NO);
	ck_assert_int_eq(difference__beyond(&b, &a, false, -0.10, true, 1), BEYOND_YES);
	series__free(&a);
	series__free(&b);
}
END_TEST

START_TEST(outliers_and_drift_are_found)
{
	struct series far = SERIES(10, 10.1, 9.9, 10.2, 15, 10, 9.8, 10.1);
	struct series near = SERIES(10, 10.1, 9.9, 10.2, 10.3, 10, 9.8, 10.1);
	struct series rising = SERIES(10, 11.1, 11.9, 13, 14.1, 15, 15.9, 17);

	ck_assert_int_eq(series__outliers(&far), 1);
	ck_assert_int_eq(series__outliers(&near), 0);
	ck_assert_double_eq_tol(series__drift(&rising), 7, 0.1);
	ck_assert_double_eq(series__drift(&near), 0);
	series__free(&far);
	series__free(&near);
	series__free(&rising);
}
END_TEST

/* --- How often it is wrong ----------------------------------------------------------------- */

static double normal(void)
{
	return sqrt(-2 * log(1 - drand48())) * cos(2 * M_PI * drand48());
}

/* Times of programs: their distribution has a long tail on one side. */
static double value(bool skewed)
{
	return skewed ? exp(normal()) : normal();
}

enum { NODES = 14 };

/*
 * Nodes have a part of the variation between runs in common, like siblings. Return: how many are
 * reported as changed.
 */
static int compare(int runs, bool skewed, double injected)
{
	struct series a[NODES] = {0}, b[NODES] = {0};
	struct difference d[NODES], *all[NODES];
	int claimed = 0;

	for (int run = 0; run < 2 * runs; run++) {
		double common = value(skewed);
		struct series *s = run % 4 == 0 || run % 4 == 3 ? a : b;

		for (int i = 0; i < NODES; i++)
			series__add(&s[i],
				    20 + common + value(skewed) + (s == b && !i ? injected : 0), 0);
	}
	for (int i = 0; i < NODES; i++) {
		d[i].margin = 0.5;
		difference__measure(&a[i], &b[i], &d[i]);
		all[i] = &d[i];
	}
	differences__judge(all, NODES);
	for (int i = 0; i < NODES; i++) {
		claimed += (!injected || !i) &&
			   (d[i].change == CHANGE_MORE || d[i].change == CHANGE_LESS);
		series__free(&a[i]);
		series__free(&b[i]);
	}
	return claimed;
}

/* 5 % of 1,000 comparisons are 50; chance gives 67 or more once in a hundred times. */
START_TEST(identical_sides_are_reported_as_the_same)
{
	static const int runs[] = {3, 5, 10, 30};

	srand48(4711);
	for (int skewed = 0; skewed < 2; skewed++)
		for (int i = 0; i < array__nr(runs); i++) {
			int wrong = 0;

			for (int n = 0; n < 1000; n++)
				wrong += compare(runs[i], skewed, 0) > 0;
			ck_assert_msg(wrong <= 67, "%d of 1000 with %d runs", wrong, runs[i]);
		}
}
END_TEST

/* The standard deviation is the square root of 2: 10 runs of each side find a difference of 5. */
START_TEST(large_differences_are_found)
{
	int found = 0;

	srand48(42);
	for (int n = 0; n < 200; n++)
		found += compare(10, false, 5);
	ck_assert_int_ge(found, 196);
}
END_TEST

/* With the number of runs that the verdict asks for, the difference is mostly decided. */
START_TEST(runs_that_are_needed_decide)
{
	int decided = 0, nr = 0;

	srand48(17);
	for (int n = 0; n < 200; n++) {
		struct series a = {0}, b = {0};
		struct difference d;

		for (int i = 0; i < 4; i++) {
			series__add(&a, 20 + normal(), 0);
			series__add(&b, 22 + normal(), 0);
		}
		d = judge(&a, &b, 0.5);
		if (d.change != CHANGE_UNDECIDED || d.needed > MOST_RUNS)
			continue;
		for (int i = 0; i < d.needed; i++) {
			series__add(&a, 20 + normal(), 0);
			series__add(&b, 22 + normal(), 0);
		}
		d = judge(&a, &b, 0.5);
		decided += d.change != CHANGE_UNDECIDED;
		nr++;
	}
	ck_assert_int_gt(nr, 10);
	ck_assert_int_ge(decided * 10, nr * 8);
}
END_TEST

/* p is 0.07: enough to print the interval, not enough for the word "more". */
START_TEST(an_interval_without_0_is_not_undecided)
{
	struct series a = SERIES(1, 2, 3, 4, 5), b = SERIES(2, 4.5, 7, 9.5, 12);
	struct series c = SERIES(1, 2, 3, 4, 5), d = SERIES(2, 4.5, 7, 9.5, 12);
	struct difference more = judge(&a, &b, 0.5), less = judge(&d, &c, 0.5);

	ck_assert_double_gt(more.by, more.half);
	ck_assert_double_gt(more.p, 0.05);
	ck_assert_int_eq(more.change, CHANGE_PROBABLY_MORE);
	ck_assert_int_gt(more.needed, 5);
	ck_assert_int_eq(less.change, CHANGE_PROBABLY_LESS);
}
END_TEST

/* 100 +- 1 % and 105 +- 1 %: the difference is 5, and its standard error 1.45. */
START_TEST(a_mean_of_several_runs_knows_its_error)
{
	struct series a = SERIES(100), b = SERIES(105), c = SERIES(1, 2);
	struct difference d;

	series__set_spread(&a, 1);
	series__set_spread(&b, 1);
	series__set_spread(&c, 1);
	ck_assert_int_eq(c.nr_errors, 0);
	series__free(&c);
	d = judge(&a, &b, 0.5);
	ck_assert_double_eq_tol(d.se, 1.45, 0.001);
	ck_assert_int_eq(d.change, CHANGE_MORE);
}
END_TEST

/*
 * Two runs with 49 page faults and two with 50 prove little: in the next runs it may be the
 * reverse.
 */
START_TEST(a_few_whole_numbers_are_not_exact)
{
	struct series a = SERIES(49, 49), b = SERIES(50, 50);
	struct series c = SERIES(49, 49), d = SERIES(49, 49);

	a.grain = b.grain = c.grain = d.grain = 1;
	ck_assert_int_eq(judge(&a, &b, 0.1).change, CHANGE_PROBABLY_MORE);
	ck_assert_int_eq(judge(&c, &d, 0.1).change, CHANGE_NONE);
}
END_TEST

/*
 * Means of 3 and 6 with standard errors of sqrt(0.5) and sqrt(2): the ratio is a half, with an
 * error of a third.
 */
START_TEST(a_ratio_has_the_errors_of_both)
{
	struct series a = SERIES(1, 2, 3, 4, 5), b = SERIES(2, 4, 6, 8, 10), zero = SERIES(0, 0);
	struct series c = SERIES(1, 1);
	struct difference d = judge(&a, &b, 0.5);
	double half;

	ck_assert_double_eq_tol(difference__ratio(&d, &half), 0.5, 1e-9);
	ck_assert_double_eq_tol(half, 0.5 / 3 * student__limit(0.1, d.df), 1e-9);
	d = judge(&c, &zero, 0.5);
	ck_assert_double_nan(difference__ratio(&d, &half));
}
END_TEST

TMA_TEST_MAIN(verdict_difference, an_interval_without_0_is_not_undecided,
	      a_mean_of_several_runs_knows_its_error, a_few_whole_numbers_are_not_exact,
	      a_ratio_has_the_errors_of_both, t_is_that_of_the_tables, welch_is_that_of_the_formula,
	      words_follow_from_interval_and_margin, values_without_spread_are_exact,
	      errors_of_single_values_count, one_value_without_an_error_says_nothing,
	      one_value_with_an_error_is_known_as_well_as_that, limits_are_passed_for_certain_only,
	      outliers_and_drift_are_found, identical_sides_are_reported_as_the_same,
	      large_differences_are_found, runs_that_are_needed_decide)
