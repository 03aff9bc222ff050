// SPDX-License-Identifier: GPL-2.0-only
#include <limits.h>
#include <math.h>
#include <stdio.h>

#include "base/json.h"
#include "base/sb.h"
#include "unit.h"

/* Put the same values in a given style. */
static void write_all(struct sb *sb, enum json_style style)
{
	struct json j = JSON_INIT(sb, style);

	json__open(&j, NULL, '[');
	json__open(&j, NULL, '{');
	json__text(&j, "name", "x");
	json__open(&j, "list", '[');
	json__int(&j, NULL, 1);
	json__text(&j, NULL, "two");
	json__close(&j, ']');
	json__open(&j, "none", '[');
	json__close(&j, ']');
	json__bool(&j, "is", true);
	json__close(&j, '}');
	json__open(&j, NULL, '{');
	json__close(&j, '}');
	json__close(&j, ']');
}

START_TEST(each_style_has_its_blanks_and_lines)
{
	static const char *const want[] = {
		[JSON_COMPACT] = "[{\"name\":\"x\",\"list\":[1,\"two\"],\"none\":[],\"is\":true},{}]\n",
		[JSON_SPACED] = "[{\"name\" : \"x\", \"list\" : [1, \"two\"], \"none\" : [], "
				"\"is\" : true}, {}]\n",
		[JSON_INDENTED] = "[\n{\n\t\"name\": \"x\",\n\t\"list\": [\n\t\t1,\n\t\t\"two\"\n"
				  "\t],\n\t\"none\": [],\n\t\"is\": true\n},\n{}\n]\n",
	};

	for (int style = 0; style <= JSON_INDENTED; style++) {
		struct sb sb = SB_INIT;

		write_all(&sb, style);
		ck_assert_str_eq(sb__str(&sb), want[style]);
		sb__free(&sb);
	}
}
END_TEST

START_TEST(an_empty_outermost_array)
{
	struct sb sb = SB_INIT;
	struct json j = JSON_INIT(&sb, JSON_INDENTED);

	json__open(&j, NULL, '[');
	json__close(&j, ']');
	ck_assert_str_eq(sb__str(&sb), "[]\n");
	sb__free(&sb);
}
END_TEST

START_TEST(outermost_objects_have_a_line_each)
{
	struct sb sb = SB_INIT;
	struct json j = JSON_INIT(&sb, JSON_COMPACT);

	for (int i = 0; i < 2; i++) {
		json__open(&j, NULL, '{');
		json__int(&j, "i", i);
		json__close(&j, '}');
	}
	ck_assert_str_eq(sb__str(&sb), "{\"i\":0}\n{\"i\":1}\n");
	sb__free(&sb);
}
END_TEST

START_TEST(the_style_may_change_for_a_value_in_between)
{
	struct sb sb = SB_INIT;
	struct json j = JSON_INIT(&sb, JSON_SPACED);

	json__open(&j, NULL, '{');
	json__open(&j, "verdict", '{');
	j.style = JSON_COMPACT;
	json__text(&j, "place", "");
	json__int(&j, "intervals", 5);
	json__close(&j, '}');
	j.style = JSON_SPACED;
	json__text(&j, "behind", "y");
	json__close(&j, '}');
	ck_assert_str_eq(sb__str(&sb),
			 "{\"verdict\" : {\"place\":\"\",\"intervals\":5}, \"behind\" : \"y\"}\n");
	sb__free(&sb);
}
END_TEST

START_TEST(deep_nesting_closes_at_its_own_margin)
{
	struct sb sb = SB_INIT;
	struct json j = JSON_INIT(&sb, JSON_INDENTED);

	json__open(&j, NULL, '[');
	json__open(&j, NULL, '{');
	json__open(&j, "a", '[');
	json__open(&j, NULL, '{');
	json__int(&j, "b", 1);
	json__close(&j, '}');
	json__open(&j, NULL, '{');
	json__close(&j, '}');
	json__close(&j, ']');
	json__close(&j, '}');
	json__close(&j, ']');
	ck_assert_str_eq(sb__str(&sb), "[\n{\n\t\"a\": [\n\t\t{\n\t\t\t\"b\": 1\n\t\t},\n"
				       "\t\t{}\n\t]\n}\n]\n");
	sb__free(&sb);
}
END_TEST

START_TEST(the_greatest_depth)
{
	struct sb sb = SB_INIT;
	struct json j = JSON_INIT(&sb, JSON_COMPACT);

	for (int i = 0; i < 32; i++)
		json__open(&j, NULL, '[');
	json__int(&j, NULL, 1);
	json__int(&j, NULL, 2);
	for (int i = 0; i < 32; i++)
		json__close(&j, ']');
	ck_assert_str_eq(sb__str(&sb), "[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[1,2"
				       "]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]\n");
	sb__free(&sb);
}
END_TEST

START_TEST(texts_are_escaped_once)
{
	struct sb sb = SB_INIT;
	struct json j = JSON_INIT(&sb, JSON_COMPACT);

	json__open(&j, NULL, '[');
	json__text(&j, NULL, "a\"b\\c\nd\x01\xff");
	json__escaped(&j, NULL, "a\\\"b");
	json__text_if(&j, NULL, "");
	json__text_if(&j, NULL, "z");
	json__begin_text(&j, NULL);
	sb__puts(&sb, "12.50");
	json__end_text(&j);
	json__close(&j, ']');
	ck_assert_str_eq(sb__str(&sb),
			 "[\"a\\\"b\\\\c\\nd\\u0001\\ufffd\",\"a\\\"b\",\"z\",\"12.50\"]\n");
	sb__free(&sb);
}
END_TEST

/* Return: the text of one number by itself. */
#define ck_assert_written(want, ...)                                                               \
	do {                                                                                       \
		struct sb sb = SB_INIT;                                                            \
		struct json j = JSON_INIT(&sb, JSON_COMPACT);                                      \
												   \
		__VA_ARGS__;                                                                       \
		ck_assert_str_eq(sb__str(&sb), want);                                              \
		sb__free(&sb);                                                                     \
	} while (0)

START_TEST(integers)
{
	ck_assert_written("0", json__u64(&j, NULL, 0));
	ck_assert_written("18446744073709551615", json__u64(&j, NULL, UINT64_MAX));
	ck_assert_written("-2147483648", json__int(&j, NULL, INT_MIN));
	ck_assert_written("2147483647", json__int(&j, NULL, INT_MAX));
}
END_TEST

START_TEST(doubles_have_15_digits_and_may_be_null)
{
	static const double numbers[] = { 0,	-0.0,	 1,	   100,	   999999999999999,
					  1e15, 1e16,	 -1,	   -2.5,   0.1,
					  1.0 / 3, 1e300, 5.55e-15, 1e-300, 123456789.125 };

	for (size_t i = 0; i < sizeof(numbers) / sizeof(*numbers); i++) {
		char want[64];

		snprintf(want, sizeof(want), "%.15g", numbers[i]);
		ck_assert_written(want, json__double(&j, NULL, numbers[i]));
	}
	ck_assert_written("null", json__double(&j, NULL, NAN));
	ck_assert_written("null", json__double(&j, NULL, -INFINITY));
}
END_TEST

START_TEST(numbers_as_tables_write_them)
{
	ck_assert_written("0.1", json__number(&j, NULL, 0.1));
	ck_assert_written("0.30000000000000004", json__number(&j, NULL, 0.1 + 0.2));
	ck_assert_written("1e3", json__number(&j, NULL, 1000));
	ck_assert_written("null", json__number(&j, NULL, NAN));
	ck_assert_written("null", json__number(&j, NULL, INFINITY));
}
END_TEST

START_TEST(printed_values_are_not_changed)
{
	struct sb sb = SB_INIT;
	struct json j = JSON_INIT(&sb, JSON_SPACED);

	json__open(&j, NULL, '{');
	json__bare(&j, "percent", "12.50");
	json__bare(&j, "passed", "null");
	json__bool(&j, "all", false);
	json__key(&j, "own");
	sb__puts(&sb, "7.0");
	json__begin_text(&j, "quoted");
	sb__puts(&sb, "8.0");
	json__end_text(&j);
	json__close(&j, '}');
	ck_assert_str_eq(sb__str(&sb), "{\"percent\" : 12.50, \"passed\" : null, \"all\" : false, "
				       "\"own\" : 7.0, \"quoted\" : \"8.0\"}\n");
	sb__free(&sb);
}
END_TEST

TMA_TEST_MAIN(json, each_style_has_its_blanks_and_lines, an_empty_outermost_array,
	      outermost_objects_have_a_line_each, the_style_may_change_for_a_value_in_between,
	      deep_nesting_closes_at_its_own_margin, the_greatest_depth,
	      texts_are_escaped_once, integers, doubles_have_15_digits_and_may_be_null,
	      numbers_as_tables_write_them, printed_values_are_not_changed)
