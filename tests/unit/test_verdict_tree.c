// SPDX-License-Identifier: GPL-2.0-only
/* Which node of a tree is the bottleneck, and how certain this is, for made-up values. */
#include <math.h>
#include <string.h>

#include "base/xalloc.h"
#include "metrics/expr.h"
#include "verdict/tree.h"
#include "unit.h"

enum { BACKEND, FRONTEND, RETIRING, MEMORY, CORE, L3, DRAM, NR };

#define IN_MEMORY "(memory > 0.2 & backend > 0.2)"

static const struct {
	const char *name, *threshold;
	int parent, level;
} table[NR] = {
	[BACKEND] = { "backend", "backend > 0.2", -1, 1 },
	[FRONTEND] = { "frontend", "frontend > 0.15", -1, 1 },
	[RETIRING] = { "retiring", "retiring > 0.7 | heavy > 0.1", -1, 1 },
	[MEMORY] = { "memory", "memory > 0.2 & backend > 0.2", BACKEND, 2 },
	[CORE] = { "core", "core > 0.1 & backend > 0.2", BACKEND, 2 },
	[L3] = { "l3", "l3 > 0.05 & " IN_MEMORY, MEMORY, 3 },
	[DRAM] = { "dram", "dram > 0.1 & " IN_MEMORY, MEMORY, 3 },
};

static struct verdict_node nodes[NR];
static struct verdict_tree tree;
static struct arena memory;

/*
 * All values are exact. All nodes down to l3 are over their thresholds, but not the front end and
 * the core.
 */
static void begin(bool thresholds)
{
	static const double values[NR] = { 0.5, 0.1, 0.3, 0.4, 0.08, 0.2, 0.05 };

	tree = (struct verdict_tree){ .nodes = nodes, .nr = NR };
	for (int i = 0; i < NR; i++) {
		struct expr *e = NULL;

		if (thresholds)
			ck_assert_int_eq(expr__parse("a test", table[i].threshold, &e, NULL), 0);
		nodes[i] = (struct verdict_node){ .name = table[i].name,
						  .threshold = e,
						  .parent = table[i].parent,
						  .level = table[i].level,
						  .useful = i == RETIRING,
						  .value = values[i] };
	}
	verdict_tree__init(&tree, &memory);
}

static void set(int node, double value, double error)
{
	nodes[node].value = value;
	nodes[node].error = error;
}

/* Return: the nodes on the way down, as text. */
static const char *path(bool certain)
{
	static char text[256];
	int node = -1;

	*text = '\0';
	verdict_tree__judge(&tree);
	while ((node = verdict_tree__next(&tree, node, certain)) >= 0) {
		strcat(text, *text ? " " : "");
		strcat(text, nodes[node].name);
	}
	return text;
}

static void end(void)
{
	for (int i = 0; i < NR; i++)
		expr__free((struct expr *)nodes[i].threshold);
	arena__free(&memory);
}

START_TEST(the_way_leads_through_what_is_over_its_threshold)
{
	begin(true);
	ck_assert_str_eq(path(true), "backend memory l3");
	ck_assert_int_eq(nodes[FRONTEND].state, VERDICT_UNDER);
	ck_assert_int_eq(nodes[L3].state, VERDICT_OVER);
	ck_assert_int_eq(nodes[DRAM].state, VERDICT_UNDER);
	set(BACKEND, 0.2, 0);
	ck_assert_str_eq(path(true), "");
	/* If the parent is not over its threshold, neither is its child. */
	ck_assert_int_eq(nodes[L3].state, VERDICT_UNDER);
	end();
}
END_TEST

START_TEST(of_several_the_largest_is_named)
{
	begin(true);
	set(FRONTEND, 0.51, 0);
	ck_assert_str_eq(path(true), "frontend");
	ck_assert_int_eq(nodes[BACKEND].state, VERDICT_OVER);
	set(FRONTEND, 0.49, 0);
	set(CORE, 0.41, 0);
	ck_assert_str_eq(path(true), "backend core");
	end();
}
END_TEST

START_TEST(over_by_no_more_than_its_error_is_no_bottleneck)
{
	begin(true);
	set(L3, 0.0625, 0.0125); /* exactly as much */
	ck_assert_str_eq(path(true), "backend memory");
	ck_assert_int_eq(nodes[L3].state, VERDICT_UNCERTAIN);
	ck_assert(nodes[L3].over);
	ck_assert_str_eq(path(false), "backend memory l3");
	set(L3, 0.0625, 0.0124);
	ck_assert_str_eq(path(true), "backend memory l3");
	/* The node is not certainly under its threshold either. */
	set(L3, 0.04, 0.02);
	ck_assert_str_eq(path(true), "backend memory");
	ck_assert_int_eq(nodes[L3].state, VERDICT_UNCERTAIN);
	ck_assert(!nodes[L3].over);
	set(L3, 0.04, 0.01);
	path(true);
	ck_assert_int_eq(nodes[L3].state, VERDICT_UNDER);
	end();
}
END_TEST

START_TEST(the_error_of_a_parent_makes_its_parts_uncertain)
{
	begin(true);
	set(MEMORY, 0.22, 0.05);
	ck_assert_str_eq(path(true), "backend");
	ck_assert_int_eq(nodes[L3].state, VERDICT_UNCERTAIN);
	/* A child's own condition fails, whatever its parent's value is. */
	ck_assert_int_eq(nodes[DRAM].state, VERDICT_UNDER);
	set(MEMORY, 0.26, 0.05);
	ck_assert_str_eq(path(true), "backend memory l3");
	end();
}
END_TEST

START_TEST(what_may_be_larger_is_not_passed_over)
{
	begin(true);
	set(MEMORY, 0.22, 0.05);
	set(CORE, 0.15, 0.01);
	ck_assert_str_eq(path(true), "backend");
	ck_assert_int_eq(nodes[CORE].state, VERDICT_OVER);
	ck_assert_str_eq(path(false), "backend memory l3");
	/* The same happens if the value is below the threshold. */
	set(MEMORY, 0.19, 0.05);
	ck_assert_str_eq(path(true), "backend");
	ck_assert_str_eq(path(false), "backend core");
	set(CORE, 0.23, 0.01);
	ck_assert_str_eq(path(true), "backend core");
	end();
}
END_TEST

START_TEST(an_error_that_is_not_known_leaves_nothing_certain)
{
	begin(true);
	set(BACKEND, 0.9, NAN);
	ck_assert_str_eq(path(true), "");
	ck_assert_int_eq(nodes[BACKEND].state, VERDICT_UNCERTAIN);
	ck_assert_int_eq(nodes[MEMORY].state, VERDICT_UNCERTAIN);
	ck_assert_int_eq(nodes[DRAM].state, VERDICT_UNDER);
	ck_assert_str_eq(path(false), "backend memory l3");
	end();
}
END_TEST

START_TEST(either_side_of_an_or_is_enough)
{
	begin(true);
	set(BACKEND, 0.1, 0);
	path(true);
	ck_assert_int_eq(nodes[RETIRING].state, VERDICT_OPEN);
	/* "heavy" is not measured, but here it makes no difference. */
	set(RETIRING, 0.75, 0.04);
	ck_assert_str_eq(path(true), "retiring");
	set(RETIRING, 0.75, 0.06);
	ck_assert_str_eq(path(true), "");
	ck_assert_int_eq(nodes[RETIRING].state, VERDICT_UNCERTAIN);
	end();
}
END_TEST

START_TEST(useful_work_is_named_last)
{
	begin(true);
	set(RETIRING, 0.8, 0);
	set(BACKEND, 0.21, 0);
	set(MEMORY, 0.1, 0);
	ck_assert_str_eq(path(true), "backend");
	ck_assert_int_eq(nodes[RETIRING].state, VERDICT_OVER);
	end();
}
END_TEST

START_TEST(what_has_no_value_is_neither)
{
	begin(true);
	set(MEMORY, NAN, NAN);
	ck_assert_str_eq(path(true), "backend");
	ck_assert_int_eq(nodes[MEMORY].state, VERDICT_NOT_MEASURED);
	ck_assert_int_eq(nodes[L3].state, VERDICT_OPEN);
	ck_assert(verdict_tree__has_parts(&tree, BACKEND));
	set(CORE, NAN, NAN);
	ck_assert(!verdict_tree__has_parts(&tree, BACKEND));
	for (int i = 0; i < NR; i++)
		set(i, NAN, NAN);
	ck_assert_str_eq(path(false), "");
	end();
}
END_TEST

START_TEST(without_thresholds_the_largest_share_is_named)
{
	begin(false);
	ck_assert_str_eq(path(true), "backend memory l3");
	ck_assert_int_eq(nodes[FRONTEND].state, VERDICT_UNDER);
	ck_assert_int_eq(nodes[RETIRING].state, VERDICT_UNDER);
	/* If a node's range overlaps another node's range, it is not certain which is larger. */
	set(L3, 0.2, 0.08);
	set(DRAM, 0.1, 0.01);
	ck_assert_str_eq(path(true), "backend memory l3");
	set(DRAM, 0.1, 0.02);
	ck_assert_str_eq(path(true), "backend memory");
	ck_assert_int_eq(nodes[DRAM].state, VERDICT_UNCERTAIN);
	ck_assert_str_eq(path(false), "backend memory l3");
	/* A node that was not measured could be larger. */
	set(DRAM, NAN, NAN);
	ck_assert_str_eq(path(true), "backend memory");
	end();
}
END_TEST

START_TEST(coarse_values_are_not_certain_within_a_step)
{
	begin(true);
	set(BACKEND, 0.201, 0);
	nodes[BACKEND].resolution = 0.002;
	ck_assert_str_eq(path(true), "");
	ck_assert_int_eq(nodes[BACKEND].state, VERDICT_UNCERTAIN);
	ck_assert_str_eq(path(false), "backend memory l3");
	set(BACKEND, 0.203, 0);
	ck_assert_str_eq(path(true), "backend memory l3");
	/* Now only the error is larger. */
	set(BACKEND, 0.21, 0.008);
	ck_assert_str_eq(path(true), "backend memory l3");
	end();
}
END_TEST

TMA_TEST_MAIN(verdict_tree, coarse_values_are_not_certain_within_a_step,
	      the_way_leads_through_what_is_over_its_threshold, of_several_the_largest_is_named,
	      over_by_no_more_than_its_error_is_no_bottleneck,
	      the_error_of_a_parent_makes_its_parts_uncertain,
	      what_may_be_larger_is_not_passed_over,
	      an_error_that_is_not_known_leaves_nothing_certain, either_side_of_an_or_is_enough,
	      useful_work_is_named_last, what_has_no_value_is_neither,
	      without_thresholds_the_largest_share_is_named)
