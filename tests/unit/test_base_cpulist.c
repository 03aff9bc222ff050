// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <string.h>

#include "base/cpulist.h"
#include "base/err.h"
#include "base/sb.h"
#include "unit.h"

/* Parse a list and format it again, in a buffer that the next call overwrites. */
static const char *parsed(const char *text)
{
	static char printed[256];
	struct cpulist list = CPULIST_INIT;
	struct err err = ERR_INIT;
	struct sb sb = SB_INIT;

	ck_assert_msg(!cpulist__parse("-C", text, &list, &err), "'%s': %s", text, err.msg);
	cpulist__print(&list, &sb);
	ck_assert_uint_lt(sb.len, sizeof(printed));
	strcpy(printed, sb__str(&sb));
	sb__free(&sb);
	cpulist__free(&list);
	return printed;
}

START_TEST(a_list_is_sorted_and_has_each_cpu_once)
{
	ck_assert_str_eq(parsed("0"), "0");
	ck_assert_str_eq(parsed("0-3,8,10-11\n"), "0-3,8,10-11");
	ck_assert_str_eq(parsed("8,0-2,1-3,8"), "0-3,8");
	ck_assert_str_eq(parsed("3,2,1,0"), "0-3");
	ck_assert_str_eq(parsed(" 5-5 "), "5");
	ck_assert_str_eq(parsed("65535"), "65535");
	ck_assert_str_eq(parsed("0,2,4"), "0,2,4");
}
END_TEST

START_TEST(an_empty_text_is_the_empty_list)
{
	ck_assert_str_eq(parsed(""), "");
	ck_assert_str_eq(parsed("\n"), "");
}
END_TEST

START_TEST(texts_that_are_not_lists)
{
	static const struct {
		const char *text;
		int rc;
	} bad[] = {
		{ ",", -EINVAL },     { "0,", -EINVAL },      { "0,,1", -EINVAL },
		{ "3-1", -EINVAL },   { "-1", -EINVAL },      { "1-", -EINVAL },
		{ "a", -EINVAL },     { "0-3x", -EINVAL },    { "0 1", -EINVAL },
		{ "0x1", -EINVAL },   { "1.5", -EINVAL },     { "0-3:2", -EINVAL },
		{ "65536", -ERANGE }, { "0-65536", -ERANGE }, { "99999999999999999999", -ERANGE },
	};

	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		struct cpulist list = CPULIST_INIT;
		struct err err = ERR_INIT;
		int rc = cpulist__parse("-C", bad[i].text, &list, &err);

		ck_assert_msg(rc == bad[i].rc, "'%s' gave %d", bad[i].text, rc);
		ck_assert_int_eq(err.code, -rc);
		ck_assert_msg(!strncmp(err.msg, "-C: ", 4), "%s", err.msg);
		ck_assert_int_eq(list.nr, 0);
		ck_assert_ptr_null(list.at);
	}
}
END_TEST

START_TEST(a_cpu_is_found_at_its_place)
{
	struct cpulist list = CPULIST_INIT;

	ck_assert_int_eq(cpulist__parse("cpus", "2-3,8", &list, NULL), 0);
	ck_assert_int_eq(cpulist__index(&list, 2), 0);
	ck_assert_int_eq(cpulist__index(&list, 8), 2);
	ck_assert_int_eq(cpulist__index(&list, 4), -1);
	ck_assert_int_eq(cpulist__index(&list, 9), -1);
	ck_assert_int_eq(cpulist__index(&list, -1), -1);
	ck_assert(cpulist__has(&list, 3));
	ck_assert(!cpulist__has(&list, 0));
	cpulist__free(&list);
	ck_assert(!cpulist__has(&list, 3));
}
END_TEST

/* Parse two lists, and check their intersection, their union and how they compare. */
static void check_pair(const char *a, const char *b, const char *both, const char *either)
{
	struct cpulist la = CPULIST_INIT, lb = CPULIST_INIT, and = CPULIST_INIT, or = CPULIST_INIT;
	struct sb sb = SB_INIT;

	ck_assert_int_eq(cpulist__parse("a", a, &la, NULL), 0);
	ck_assert_int_eq(cpulist__parse("b", b, &lb, NULL), 0);
	ck_assert_int_eq(cpulist__and(&la, &lb, &and), 0);
	ck_assert_int_eq(cpulist__or(&la, &lb, &or), 0);
	cpulist__print(&and, &sb);
	ck_assert_str_eq(sb__str(&sb), both);
	sb__clear(&sb);
	cpulist__print(&or, &sb);
	ck_assert_str_eq(sb__str(&sb), either);
	ck_assert_int_eq(cpulist__subset(&la, &lb), !strcmp(both, a));
	ck_assert_int_eq(cpulist__equal(&la, &lb), !strcmp(a, b));
	ck_assert(cpulist__subset(&and, &la) && cpulist__subset(&lb, &or));
	sb__free(&sb);
	cpulist__free(&la);
	cpulist__free(&lb);
	cpulist__free(&and);
	cpulist__free(&or);
}

START_TEST(intersection_and_union_of_two_lists)
{
	check_pair("0-3", "2-5", "2-3", "0-5");
	check_pair("0-15", "16-23", "", "0-23");
	check_pair("0,2,4", "1,3", "", "0-4");
	check_pair("0-3", "0-3", "0-3", "0-3");
	check_pair("1", "0-3", "1", "0-3");
	check_pair("", "0-3", "", "0-3");
	check_pair("0-3", "", "", "0-3");
	check_pair("", "", "", "");
}
END_TEST

START_TEST(a_copy_is_its_own)
{
	struct cpulist list = CPULIST_INIT, copy = CPULIST_INIT;

	ck_assert_int_eq(cpulist__parse("cpus", "0-3", &list, NULL), 0);
	ck_assert_int_eq(cpulist__copy(&list, &copy), 0);
	ck_assert(cpulist__equal(&list, &copy));
	ck_assert_int_eq(cpulist__add(&copy, 9), 0);
	ck_assert_int_eq(list.nr, 4);
	ck_assert_int_eq(copy.nr, 5);
	cpulist__free(&list);
	ck_assert_int_eq(copy.at[4], 9);
	cpulist__free(&copy);
}
END_TEST

START_TEST(cpus_may_come_in_any_order)
{
	struct cpulist list = CPULIST_INIT;
	int *cpu, last = -1;

	/* 37 and 101 have no common factor, so this visits each of 0..100 once. */
	for (int i = 0; i < 101; i++)
		ck_assert_int_eq(cpulist__add(&list, i * 37 % 101), 0);
	ck_assert_int_eq(cpulist__add(&list, 50), 0);
	ck_assert_int_eq(list.nr, 101);
	cpulist__for_each(cpu, &list)
		ck_assert_int_eq(*cpu, ++last);
	ck_assert_int_eq(last, 100);
	cpulist__free(&list);
}
END_TEST

TMA_TEST_MAIN(cpulist, a_list_is_sorted_and_has_each_cpu_once, an_empty_text_is_the_empty_list,
	      texts_that_are_not_lists, a_cpu_is_found_at_its_place,
	      intersection_and_union_of_two_lists, a_copy_is_its_own,
	      cpus_may_come_in_any_order)
