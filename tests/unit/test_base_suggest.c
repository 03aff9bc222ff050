// SPDX-License-Identifier: GPL-2.0-only
#include <string.h>

#include "base/sb.h"
#include "base/suggest.h"
#include "unit.h"

/*
 * Return: the words suggested for @want. @names ends with NULL; the next call overwrites the
 * result.
 */
static const char *suggested(const char *want, const char *const *names)
{
	static char text[256];
	struct suggest s;
	struct sb sb = SB_INIT;

	suggest__init(&s, want);
	for (; *names; names++)
		suggest__offer(&s, *names);
	suggest__print(&s, &sb);
	ck_assert_uint_lt(sb.len, sizeof(text));
	strcpy(text, sb__str(&sb));
	sb__free(&sb);
	return text;
}

#define NAMES(...) ((const char *const[]){ __VA_ARGS__, NULL })

START_TEST(the_nearest_comes_first)
{
	ck_assert_str_eq(suggested("cycels", NAMES("cpu-cycles", "cycles", "bus-cycles")),
			 "; did you mean 'cycles'?");
	ck_assert_str_eq(suggested("branchs", NAMES("branches", "branch", "faults")),
			 "; did you mean 'branches' or 'branch'?");
	ck_assert_str_eq(suggested("aaaa", NAMES("aabb", "aaab", "AAAA", "zzzz")),
			 "; did you mean 'AAAA' or 'aaab'?");
}
END_TEST

START_TEST(a_part_of_a_word_finds_the_whole)
{
	ck_assert_str_eq(suggested("dram", NAMES("mem.local_dram_hits", "tma_dram_bound", "dream")),
			 "; did you mean 'dream' or 'tma_dram_bound'?");
	ck_assert_str_eq(suggested("l3_miss", NAMES("L3_HIT", "MEM_LOAD.L3_MISS", "l3", "miss")),
			 "; did you mean 'MEM_LOAD.L3_MISS'?");
	ck_assert_str_eq(suggested("mispredicts", NAMES("BrMispredicts", "branch_mispredict")),
			 "; did you mean 'BrMispredicts' or 'branch_mispredict'?");
	ck_assert_str_eq(suggested("mispedict", NAMES("br_misp", "tma_branch_mispredicts")),
			 "; did you mean 'tma_branch_mispredicts'?");
	ck_assert_str_eq(suggested("tma_drm", NAMES("tma_dsb", "tma_dram_bound", "tma_x")),
			 "; did you mean 'tma_dsb' or 'tma_dram_bound'?");
	ck_assert_str_eq(suggested("branchmiss", NAMES("branches", "branch-misses")),
			 "; did you mean 'branch-misses'?");
}
END_TEST

START_TEST(short_words_must_be_nearly_right)
{
	ck_assert_str_eq(suggested("foo", NAMES("Cor", "Fed", "OS", "for")),
			 "; did you mean 'for'?");
	ck_assert_str_eq(suggested("tpo", NAMES("stat", "top", "tap")), "; did you mean 'top'?");
	ck_assert_str_eq(suggested("x", NAMES("xy", "a_x")), "");
	ck_assert_str_eq(suggested("%%%", NAMES("retiring", "tma_cisc")), "");
	ck_assert_str_eq(suggested("\xef\xbc\xa4", NAMES("retiring", "tma_cisc")), "");
}
END_TEST

START_TEST(nodes_of_the_tree_come_first_and_have_plain_words)
{
	struct suggest s;

	suggest__init(&s, "stores");
	suggest__offer(&s, "stores.all");
	suggest__offer(&s, "tma_store_bound");
	suggest__offer_node(&s, "tma_store_bound", "stores");
	suggest__offer_node(&s, "tma_divider", "division");
	ck_assert_int_eq(s.nr, 2);
	ck_assert_str_eq(s.best[0], "tma_store_bound");
	ck_assert_str_eq(s.best[1], "stores.all");
}
END_TEST

START_TEST(no_more_than_three)
{
	ck_assert_str_eq(suggested("abcdef", NAMES("abcdeX", "abcdXX", "abcdeY", "ABCdef")),
			 "; did you mean 'ABCdef', 'abcdeX' or 'abcdeY'?");
}
END_TEST

START_TEST(distant_names_are_left_out)
{
	ck_assert_str_eq(suggested("cycles", NAMES("faults", "instructions")), "");
	ck_assert_str_eq(suggested("xy", NAMES("stat", "list")), "");
}
END_TEST

START_TEST(case_is_no_difference_and_a_name_comes_once)
{
	ck_assert_str_eq(suggested("INST_RETIRED.ANX", NAMES("inst_retired.any", "inst_retired.any")),
			 "; did you mean 'inst_retired.any'?");
}
END_TEST

START_TEST(the_typed_name_is_not_offered)
{
	ck_assert_str_eq(suggested("pm_cyc", NAMES("pm_cyc")), "");
	ck_assert_str_eq(suggested("pm_cyc", NAMES("pm_cyc", "pm_cycx")),
			 "; did you mean 'pm_cycx'?");
}
END_TEST

START_TEST(long_names_are_compared_by_their_beginning)
{
	char want[500], name[500];

	memset(want, 'a', sizeof(want) - 1);
	want[sizeof(want) - 1] = '\0';
	memcpy(name, want, sizeof(name));
	name[400] = 'b';
	name[498] = '\0';
	{
		struct suggest s;

		suggest__init(&s, want);
		suggest__offer(&s, name);
		ck_assert_int_eq(s.nr, 1);
		ck_assert_int_eq(s.cost[0], 0);
		suggest__offer(&s, "");
		ck_assert_int_eq(s.nr, 1);
	}
}
END_TEST

TMA_TEST_MAIN(suggest, the_nearest_comes_first, a_part_of_a_word_finds_the_whole,
	      short_words_must_be_nearly_right, nodes_of_the_tree_come_first_and_have_plain_words,
	      no_more_than_three, distant_names_are_left_out,
	      case_is_no_difference_and_a_name_comes_once, the_typed_name_is_not_offered,
	      long_names_are_compared_by_their_beginning)
