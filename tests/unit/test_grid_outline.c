// SPDX-License-Identifier: GPL-2.0-only
/* Lines of a tree: their order, their branches, and which of them are folded. */
#include "base/auto.h"
#include "base/sb.h"
#include "grid/outline.h"
#include "unit.h"

/*
 * The order of the columns, in which a child may precede its parent:
 *
 * 0 top     2 top
 * ├ 1       └ 4
 * │ └ 3
 * └ 5
 */
#define NR 6

static struct outline_line lines[NR];
static int order[NR];
static struct outline tree;

static void arrange(void)
{
	static const int parents[NR] = {-1, 0, -1, 1, 2, 0};

	for (int i = 0; i < NR; i++)
		lines[i] = (struct outline_line){
			.parent = parents[i], .is_part = true, .there = true};
	tree = (struct outline){.lines = lines, .order = order};
	outline__arrange(&tree, 0, NR);
}

/* Check the lines of the page: branches and number of each. */
static void expect(const char *page)
{
	auto_free(sb) sb = SB_INIT;

	for (int n = 0; n < NR; n++) {
		if (!outline__is_shown(&tree, order[n]))
			continue;
		outline__put_branches(&tree, order[n], &outline_ascii, &sb);
		sb__printf(&sb, "%d\n", order[n]);
	}
	ck_assert_str_eq(sb__str(&sb), page);
}

START_TEST(children_are_below_their_parent)
{
	arrange();
	outline__fold(&tree, 0, NR, false);
	expect("0\n|-1\n| `-3\n`-5\n2\n`-4\n");
	ck_assert_int_eq(lines[3].depth, 2);
	ck_assert(lines[0].has_parts && !lines[3].has_parts);
	ck_assert_int_eq(lines[0].nr_below, 3);
}
END_TEST

START_TEST(parts_are_in_the_order_of_their_ranks)
{
	arrange();
	lines[0].rank = 2;
	lines[2].rank = 1;
	lines[1].rank = 7;
	lines[5].rank = 3;
	tree.nr = 0;
	outline__arrange(&tree, 0, NR);
	outline__fold(&tree, 0, NR, true);
	expect("2\n`-4\n0\n|-5\n`-1\n  `-3\n");
}
END_TEST

START_TEST(a_line_under_its_threshold_hides_its_children)
{
	arrange();
	lines[0].under = lines[2].under = true;
	outline__fold(&tree, 0, NR, false);
	expect("0\n2\n");
	ck_assert_int_eq(lines[0].nr_below, 3);
	ck_assert(!lines[0].parts);
	outline__fold(&tree, 0, NR, true);
	expect("0\n|-1\n| `-3\n`-5\n2\n`-4\n");
}
END_TEST

START_TEST(a_part_over_its_threshold_shows_the_way_to_it)
{
	arrange();
	lines[0].under = lines[1].under = lines[2].under = true;
	lines[3].over = true;
	outline__fold(&tree, 0, NR, false);
	expect("0\n|-1\n| `-3\n`-5\n2\n");
}
END_TEST

START_TEST(a_missing_line_does_not_end_a_branch)
{
	arrange();
	lines[5].there = false;
	outline__fold(&tree, 0, NR, false);
	expect("0\n`-1\n  `-3\n2\n`-4\n");
	ck_assert_int_eq(lines[0].nr_below, 2);
}
END_TEST

TMA_TEST_MAIN(grid_outline, children_are_below_their_parent,
	      parts_are_in_the_order_of_their_ranks,
	      a_line_under_its_threshold_hides_its_children,
	      a_part_over_its_threshold_shows_the_way_to_it,
	      a_missing_line_does_not_end_a_branch)
