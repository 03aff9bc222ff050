// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <string.h>

#include "base/err.h"
#include "base/pattern.h"
#include "base/sb.h"
#include "unit.h"

static struct err err;

static int compile(const char *pattern)
{
	regex_t re;
	int rc;

	err = (struct err)ERR_INIT;
	rc = pattern__compile(&re, pattern, 0, &err);
	if (!rc)
		regfree(&re);
	return rc;
}

static bool matches(const char *pattern, const char *text)
{
	regex_t re;
	int rc;

	ck_assert_int_eq(pattern__compile(&re, pattern, REG_NOSUB, NULL), 0);
	rc = regexec(&re, text, 0, NULL, 0);
	regfree(&re);
	return !rc;
}

/* Return: @text repeated @nr times. */
static const char *times(const char *text, int nr)
{
	static struct sb sb;

	sb__clear(&sb);
	for (int i = 0; i < nr; i++)
		sb__puts(&sb, text);
	return sb__str(&sb);
}

START_TEST(what_the_mapfiles_have)
{
	ck_assert(matches("GenuineIntel-6-(97|9A|B7)", "GenuineIntel-6-9A"));
	ck_assert(matches("^IBM.390[67].*[13]\\.[1-5].[[:xdigit:]]+$", "IBM,3906,M,3.6,af") ==
		  false);
	ck_assert(matches("^IBM.390[67].*[13]\\.[1-5].[[:xdigit:]]+$", "IBM,3906,M,3.5,af"));
	ck_assert(matches("0x0080[[:xdigit:]]{4}", "0x00801234"));
	ck_assert(matches("[]x]{2,3}", "x]"));
}
END_TEST

START_TEST(texts_that_are_not_metrics_are_refused)
{
	ck_assert_int_eq(compile("A-("), -EINVAL);
	ck_assert_str_eq(err.msg, "pattern 'A-(': Unmatched ( or \\(");
	ck_assert_int_eq(compile("[a"), -EINVAL);
	ck_assert_int_eq(compile("[[:x"), -EINVAL);
	ck_assert_int_eq(compile("[[."), -EINVAL);
	ck_assert_int_eq(compile("a\\"), -EINVAL);
	ck_assert_int_eq(compile("a{99999}"), -EINVAL);
}
END_TEST

START_TEST(repetitions_do_not_take_all_memory)
{
	static const char *const cases[] = { "((a{255}){255}){255}",
					     "(((((a{9}){9}){9}){9}){9}){9}",
					     "((a{100}*){100}?){100}", "[a]{30000}" };

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		ck_assert_int_eq(compile(cases[i]), -EINVAL);
		ck_assert_msg(strstr(err.msg, "too large"), "%s", err.msg);
	}
	ck_assert_int_eq(compile(times("a++++++++++++++++++++++++++++++++", 1)), -EINVAL);
	ck_assert_ptr_nonnull(strstr(err.msg, "too large"));
	ck_assert_int_eq(compile(times("abc", 5000)), -EINVAL);
	ck_assert_uint_lt(strlen(err.msg), 300);
	ck_assert_int_eq(compile(times("(", 100000)), -EINVAL);
	ck_assert_ptr_nonnull(strstr(err.msg, "brackets within brackets"));
	ck_assert_int_eq(compile(times("a{50}", 50)), 0);
}
END_TEST

START_TEST(references_are_refused)
{
	ck_assert_int_eq(compile("(a*)*\\1"), -EINVAL);
	ck_assert_str_eq(err.msg, "pattern '(a*)*\\1': references to groups are not understood");
	ck_assert_int_eq(compile("a\\.1"), 0);
}
END_TEST

TMA_TEST_MAIN(base_pattern, what_the_mapfiles_have, texts_that_are_not_metrics_are_refused,
	      repetitions_do_not_take_all_memory, references_are_refused)
