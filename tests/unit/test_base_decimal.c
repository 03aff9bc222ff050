// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <math.h>
#include <string.h>

#include "base/decimal.h"
#include "base/sb.h"
#include "unit.h"

static void check_print(struct decimal n, const char *want)
{
	struct sb sb = SB_INIT;

	decimal__print(&n, &sb);
	ck_assert_str_eq(sb__str(&sb), want);
	sb__free(&sb);
}

START_TEST(digits_are_the_fewest_that_read_back)
{
	check_print((struct decimal){ .d = 0.1 }, "0.1");
	check_print((struct decimal){ .d = 1.0 / 3 }, "0.3333333333333333");
	check_print((struct decimal){ .d = -0.05 }, "-0.05");
	check_print((struct decimal){ .d = 1001 }, "1001");
	check_print((struct decimal){ .d = 1500 }, "1.5e3");
	check_print((struct decimal){ .d = 1e9 }, "1e9");
	check_print((struct decimal){ .d = 2.5e-7 }, "250e-9");
	check_print((struct decimal){ .d = -0.0 }, "-0");
	check_print((struct decimal){ .is_int = true, .i = INT64_MIN }, "-9223372036854775808");
}
END_TEST

START_TEST(whole_numbers_are_read_as_integers)
{
	struct decimal n;

	ck_assert_int_eq(decimal__scan("0012+", &n), 4);
	ck_assert(n.is_int && n.i == 12);
	ck_assert_int_eq(decimal__scan("9223372036854775807", &n), 19);
	ck_assert(n.is_int && n.i == INT64_MAX);
	ck_assert_int_eq(decimal__scan("9223372036854775808", &n), 19);
	ck_assert(!n.is_int && n.d == 0x1p63);
	ck_assert_int_eq(decimal__scan("1.5e3)", &n), 5);
	ck_assert(!n.is_int && n.d == 1500);
	ck_assert_int_eq(decimal__scan("x", &n), 0);
	ck_assert_int_eq(decimal__scan("1e999", &n), 0);
}
END_TEST

/* Integers stay exact as long as they fit. A number without a finite value is refused. */
START_TEST(operators)
{
	const struct decimal seven = { .is_int = true, .i = 7 }, zero = { .is_int = true };
	const struct decimal three = { .is_int = true, .i = -3 }, half = { .d = 0.5 };
	const struct decimal most = { .is_int = true, .i = INT64_MAX };
	struct decimal n;

	ck_assert_int_eq(decimal__compute('+', &seven, &three, &n), 0);
	ck_assert(n.is_int && n.i == 4);
	ck_assert_int_eq(decimal__compute('%', &seven, &three, &n), 0);
	ck_assert(n.is_int && n.i == -2);
	ck_assert_int_eq(decimal__compute('/', &seven, &half, &n), 0);
	ck_assert(!n.is_int && n.d == 14);
	ck_assert_int_eq(decimal__compute('*', &most, &most, &n), 0);
	ck_assert(!n.is_int && n.d == 0x1p126);
	ck_assert_int_eq(decimal__compute('/', &seven, &zero, &n), -EINVAL);
	ck_assert_int_eq(decimal__compute('%', &seven, &zero, &n), -EINVAL);
	ck_assert_int_eq(decimal__compute('&', &seven, &half, &n), -EINVAL);
	n = (struct decimal){ .is_int = true, .i = INT64_MIN };
	decimal__negate(&n);
	ck_assert(!n.is_int && n.d == 0x1p63);
	ck_assert(decimal__equal(&(struct decimal){ .d = 7 }, &seven));
	ck_assert(decimal__is(&seven, 7) && !decimal__is(&half, 0));
}
END_TEST

TMA_TEST_MAIN(base_decimal, digits_are_the_fewest_that_read_back,
	      whole_numbers_are_read_as_integers, operators)
