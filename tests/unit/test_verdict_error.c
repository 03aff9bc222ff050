// SPDX-License-Identifier: GPL-2.0-only
/*
 * The use of errors: rounding is not an error, and a value that exceeds its threshold by less than
 * its error is not over it.
 */
#include <math.h>

#include "metrics/expr.h"
#include "metrics/metrics.h"
#include "unit.h"
#include "verdict/error.h"

START_TEST(what_rounding_makes_of_a_value_is_noise)
{
	for (int i = 1; i < 1000; i++) {
		double value = i / 7.0, moved = value * 1.1 / (3 * 1.1) * 3;

		ck_assert(error__is_noise(moved - value, value));
		ck_assert(error__is_noise(value - moved, -value));
	}
	ck_assert(error__is_noise(0, 0));
	ck_assert(error__is_noise(0, 5));
}
END_TEST

START_TEST(what_a_count_more_or_less_makes_is_no_noise)
{
	ck_assert(!error__is_noise(1, 1e11));
	ck_assert(!error__is_noise(-1e-9, 0.5));
	ck_assert(!error__is_noise(1e-300, 0));
	/* If the error is unknown, rounding is not assumed. */
	ck_assert(!error__is_noise(NAN, 1));
}
END_TEST

static const struct {
	const char *threshold;
	double value, error;
	bool may_be_under;
} over[] = {
	{ "m > 0.2", 25, 4, false },
	{ "m > 0.2", 25, 5, true },
	{ "m > 0.2", 25, 0, false },
	{ "m > 0.2", 25, NAN, true },
	{ "0.2 < m", 25, 5, true },
	{ "m < 0.2", 15, 4, false },
	{ "m < 0.2", 15, 5, true },
	/* m is not over its own limit: the other condition is true. */
	{ "m > 0.2 | n > 0.1", 15, 10, false },
	/* m is not compared with a number. */
	{ "n > 0.1", 25, 20, false },
	{ "m > n", 25, 20, false },
};

START_TEST(over_by_no_more_than_its_error_may_be_under)
{
	for (size_t i = 0; i < sizeof(over) / sizeof(*over); i++) {
		struct metric metric = { .info = { .name = "m" } };

		ck_assert_int_eq(expr__parse("m", over[i].threshold, &metric.threshold, NULL), 0);
		ck_assert_msg(error__may_be_under(&metric, over[i].value, over[i].error, 100) ==
				      over[i].may_be_under,
			      "%s: %g +- %g", over[i].threshold, over[i].value, over[i].error);
		expr__free(metric.threshold);
	}
}
END_TEST

TMA_TEST_MAIN(verdict_error, what_rounding_makes_of_a_value_is_noise,
	      what_a_count_more_or_less_makes_is_no_noise,
	      over_by_no_more_than_its_error_may_be_under)
