// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <locale.h>
#include <math.h>
#include <string.h>

#include "base/err.h"
#include "base/num.h"
#include "unit.h"

START_TEST(unsigned_numbers_of_each_base)
{
	uint64_t n = 0;

	ck_assert_int_eq(num__parse_u64("n", "0", 0, UINT64_MAX, &n, NULL), 0);
	ck_assert_uint_eq(n, 0);
	ck_assert_int_eq(num__parse_u64("n", "1000", 0, UINT64_MAX, &n, NULL), 0);
	ck_assert_uint_eq(n, 1000);
	ck_assert_int_eq(num__parse_u64("n", "0x1aF", 0, UINT64_MAX, &n, NULL), 0);
	ck_assert_uint_eq(n, 0x1af);
	ck_assert_int_eq(num__parse_u64("n", "010", 0, UINT64_MAX, &n, NULL), 0);
	ck_assert_uint_eq(n, 10);
	ck_assert_int_eq(num__parse_u64("n", "18446744073709551615", 0, UINT64_MAX, &n, NULL), 0);
	ck_assert_uint_eq(n, UINT64_MAX);
}
END_TEST

START_TEST(texts_that_are_not_unsigned_numbers)
{
	static const char *const texts[] = { "",   " 1", "1 ", "-1", "+1",  "1k", "0x",
					     "x1", "1.", "1e", "--1", "\t1", "1\n", "0xg" };

	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++) {
		struct err err = ERR_INIT;
		uint64_t n = 7;

		ck_assert_msg(num__parse_u64("count", texts[i], 0, UINT64_MAX, &n, &err) == -EINVAL,
			      "'%s' was taken", texts[i]);
		ck_assert_uint_eq(n, 7);
		ck_assert_int_eq(err.code, EINVAL);
	}
}
END_TEST

START_TEST(number_past_32_bits_is_refused)
{
	struct err err = ERR_INIT;
	uint64_t n = 7;

	ck_assert_int_eq(num__parse_u64("interval, in ms", "4294967296", 1, UINT32_MAX, &n, &err),
			 -ERANGE);
	ck_assert_str_eq(err.msg, "interval, in ms: 4294967296 is not between 1 and 4294967295");
	ck_assert_uint_eq(n, 7);
}
END_TEST

START_TEST(number_past_64_bits_is_refused_and_not_cut)
{
	struct err err = ERR_INIT;
	uint64_t n = 7;

	ck_assert_int_eq(num__parse_u64("config", "18446744073709551616", 0, UINT64_MAX, &n, &err),
			 -ERANGE);
	ck_assert_int_eq(num__parse_u64("config", "0", 1, 5, &n, NULL), -ERANGE);
	ck_assert_uint_eq(n, 7);
}
END_TEST

START_TEST(limits_belong_to_the_range)
{
	uint64_t n;

	ck_assert_int_eq(num__parse_u64("n", "3", 3, 5, &n, NULL), 0);
	ck_assert_int_eq(num__parse_u64("n", "5", 3, 5, &n, NULL), 0);
	ck_assert_int_eq(num__parse_u64("n", "2", 3, 5, &n, NULL), -ERANGE);
	ck_assert_int_eq(num__parse_u64("n", "6", 3, 5, &n, NULL), -ERANGE);
}
END_TEST

START_TEST(signed_numbers)
{
	int64_t n = 7;

	ck_assert_int_eq(num__parse_i64("n", "-1", -1, 1, &n, NULL), 0);
	ck_assert_int_eq(n, -1);
	ck_assert_int_eq(num__parse_i64("n", "9223372036854775807", INT64_MIN, INT64_MAX, &n, NULL),
			 0);
	ck_assert_int_eq(n, INT64_MAX);
	ck_assert_int_eq(num__parse_i64("n", "9223372036854775808", INT64_MIN, INT64_MAX, &n, NULL),
			 -ERANGE);
	ck_assert_int_eq(num__parse_i64("n", "-2", -1, 1, &n, NULL), -ERANGE);
	ck_assert_int_eq(num__parse_i64("n", "- 1", -1, 1, &n, NULL), -EINVAL);
	ck_assert_int_eq(num__parse_i64("n", "", -1, 1, &n, NULL), -EINVAL);
	ck_assert_int_eq(num__parse_i64("n", "-", -1, 1, &n, NULL), -EINVAL);
	ck_assert_int_eq(n, INT64_MAX);
}
END_TEST

START_TEST(a_decimal_at_the_start_of_a_text)
{
	double d = -1;

	ck_assert_int_eq(num__scan_double("1.5 + x", &d), 3);
	ck_assert(d == 1.5);
	ck_assert_int_eq(num__scan_double("2e3)", &d), 3);
	ck_assert(d == 2000);
	ck_assert_int_eq(num__scan_double("1e-9*", &d), 4);
	ck_assert(d == 1e-9);
	ck_assert_int_eq(num__scan_double(".25", &d), 3);
	ck_assert(d == .25);
	ck_assert_int_eq(num__scan_double("4.", &d), 2);
	ck_assert(d == 4);
	/* An 'e' that no digits follow belongs to the text after the number. */
	ck_assert_int_eq(num__scan_double("3else", &d), 1);
	ck_assert(d == 3);
	ck_assert_int_eq(num__scan_double("3e+", &d), 1);
	/* Hexadecimal is not read: "0x..." is a zero and a text. */
	ck_assert_int_eq(num__scan_double("0x10", &d), 1);
	ck_assert(d == 0);
}
END_TEST

START_TEST(texts_that_do_not_begin_with_a_decimal)
{
	static const char *const texts[] = { "", ".", "-1", "+1", " 1", "inf", "nan", "e5", ".e5" };
	double d = 7;

	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++)
		ck_assert_msg(!num__scan_double(texts[i], &d), "'%s' was taken", texts[i]);
	ck_assert(d == 7);
}
END_TEST

START_TEST(a_decimal_does_not_depend_on_the_locale)
{
	double d = 0;

	/* If the locale is not installed, this tests the C locale. */
	setlocale(LC_ALL, "de_DE.UTF-8");
	ck_assert_int_eq(num__parse_double("scale", "2.3283064365386962890625e-10", &d, NULL), 0);
	ck_assert(d == ldexp(1, -32));
	ck_assert_int_eq(num__parse_double("scale", "2,5", &d, NULL), -EINVAL);
}
END_TEST

START_TEST(a_whole_decimal)
{
	struct err err = ERR_INIT;
	double d = 7;

	ck_assert_int_eq(num__parse_double("scale", "-0.5", &d, NULL), 0);
	ck_assert(d == -0.5);
	ck_assert_int_eq(num__parse_double("scale", "1.5x", &d, &err), -EINVAL);
	ck_assert_str_eq(err.msg, "scale: '1.5x' is not a number");
	ck_assert(d == -0.5); /* only set on success */
	ck_assert_int_eq(num__parse_double("scale", "", &d, NULL), -EINVAL);
	ck_assert_int_eq(num__parse_double("scale", "--1", &d, NULL), -EINVAL);
	ck_assert_int_eq(num__parse_double("scale", "-1e999", &d, &err), -ERANGE);
	ck_assert_str_eq(err.msg, "scale: -1e999 is too large");
}
END_TEST

START_TEST(a_decimal_too_long_to_be_one_is_refused)
{
	char text[200];
	double d = 7;

	memset(text, '1', sizeof(text));
	text[sizeof(text) - 1] = '\0';
	ck_assert_int_eq(num__scan_double(text, &d), 0);
	ck_assert(d == 7);
}
END_TEST

START_TEST(an_unsigned_number_at_the_start_of_a_text)
{
	uint64_t n = 7;

	ck_assert_int_eq(num__scan_u64("0x1f,umask", 0, &n), 4);
	ck_assert_uint_eq(n, 0x1f);
	ck_assert_int_eq(num__scan_u64("1a8:u", 16, &n), 3);
	ck_assert_uint_eq(n, 0x1a8);
	ck_assert_int_eq(num__scan_u64("12-15", 10, &n), 2);
	ck_assert_uint_eq(n, 12);
	ck_assert_int_eq(num__scan_u64("ffffffffffffffff", 16, &n), 16);
	ck_assert_uint_eq(n, UINT64_MAX);
	n = 7;
	ck_assert_int_eq(num__scan_u64("10000000000000000", 16, &n), 0);
	ck_assert_int_eq(num__scan_u64("-1", 0, &n), 0);
	ck_assert_int_eq(num__scan_u64("u", 16, &n), 0);
	ck_assert_int_eq(num__scan_u64("a", 0, &n), 0);
	ck_assert_int_eq(num__scan_u64("", 0, &n), 0);
	ck_assert_uint_eq(n, 7);
}
END_TEST

TMA_TEST_MAIN(num, unsigned_numbers_of_each_base, texts_that_are_not_unsigned_numbers,
	      number_past_32_bits_is_refused, number_past_64_bits_is_refused_and_not_cut,
	      limits_belong_to_the_range, signed_numbers, a_decimal_at_the_start_of_a_text,
	      texts_that_do_not_begin_with_a_decimal, a_decimal_does_not_depend_on_the_locale,
	      a_whole_decimal,
	      a_decimal_too_long_to_be_one_is_refused, an_unsigned_number_at_the_start_of_a_text)
