// SPDX-License-Identifier: GPL-2.0-only
/* Values that the nodes of a tree cannot have together. */
#include <math.h>

#include "base/sb.h"
#include "unit.h"
#include "verdict/misfit.h"

enum { BACKEND, FRONTEND, MEMORY, CORE, L3, DRAM, NR };

static struct grid_node nodes[NR];

/* All values fit: memory and core add up to the back end; l3 and dram are less than memory. */
static void begin(void)
{
	static const struct grid_node fits[NR] = {
		[BACKEND] = {"tma_backend_bound", "%", 50, 1, .level = 1, .parent = -1, .nr_parts = 2},
		[FRONTEND] = {"Frontend_Bound", "%", 20, 1, .level = 1, .parent = -1, .nr_parts = 2},
		[MEMORY] = {"tma_memory_bound", "%", 30, 1, .level = 2, .parent = BACKEND, .nr_parts = 2},
		[CORE] = {"tma_core_bound", "%", 20, 1, .level = 2, .parent = BACKEND},
		[L3] = {"tma_l3_bound", "%", 40, 1, .level = 3, .parent = MEMORY},
		[DRAM] = {"tma_dram_bound", "%", 40, 1, .level = 3, .parent = MEMORY},
	};

	for (int i = 0; i < NR; i++)
		nodes[i] = fits[i];
}

/* Return: all the messages, separated by "; ". */
static const char *said(void)
{
	static struct sb sb;
	struct misfit found[2 * NR];
	int nr = misfits__find(nodes, NR, found);

	sb__clear(&sb);
	for (int i = 0; i < nr; i++) {
		sb__puts(&sb, i ? "; " : "");
		misfit__print(&found[i], nodes, &sb);
	}
	return sb__str(&sb);
}

static void set(int node, double value, double error)
{
	nodes[node].value = value;
	nodes[node].error = error;
}

START_TEST(what_fits_is_not_mentioned)
{
	begin();
	ck_assert_str_eq(said(), "");
	/* The cycles of l3 and dram overlap, so together they may be more than memory ... */
	set(L3, 90, 0);
	ck_assert_str_eq(said(), "");
}
END_TEST

START_TEST(shares_are_from_0_to_100)
{
	begin();
	set(DRAM, -3.5, 1);
	ck_assert_str_eq(said(), "tma_dram_bound is -3.5 %, below 0 % (errors: 1.0)");
	set(DRAM, -3.5, 1.6);
	ck_assert_str_eq(said(), "");
	set(DRAM, 102.5, 0);
	ck_assert_str_eq(said(), "tma_dram_bound is 102.5 %, above 100 %");
	set(DRAM, 104, 3);
	ck_assert_str_eq(said(), "");
	set(DRAM, 150, NAN);
	ck_assert_str_eq(said(), "");
	nodes[DRAM].unit = "percent of slots";
	set(DRAM, 150, 1);
	ck_assert_str_eq(said(), "tma_dram_bound is 150.0 %, above 100 % (errors: 1.0)");
	nodes[DRAM].unit = "";
	ck_assert_str_eq(said(), "");
}
END_TEST

START_TEST(children_add_up)
{
	begin();
	set(CORE, 26, 1);
	ck_assert_str_eq(said(), "the children of tma_backend_bound add up to 56.0 %, not to 50.0 % "
				 "(errors: 3.0)");
	set(CORE, 24.9, 1); /* within two percent and the errors of all three */
	ck_assert_str_eq(said(), "");
	set(CORE, 14, 1);
	ck_assert_str_eq(said(), "the children of tma_backend_bound add up to 44.0 %, not to 50.0 % "
				 "(errors: 3.0)");
	set(CORE, 14, NAN);
	ck_assert_str_eq(said(), "");
}
END_TEST

START_TEST(what_was_not_measured_may_be_anything)
{
	begin();
	set(CORE, NAN, NAN);
	ck_assert_str_eq(said(), "");
	/* ... but no single child can be more than its parent. */
	set(MEMORY, 60, 1);
	ck_assert_str_eq(said(), "the children of tma_backend_bound add up to 60.0 %, not to 50.0 % "
				 "(errors: 2.0)");
	set(BACKEND, NAN, NAN);
	ck_assert_str_eq(said(), "");
	/* If all children are known, they must add up to their parent. */
	begin();
	nodes[CORE].parent = -1;
	nodes[BACKEND].nr_parts = 1;
	ck_assert_str_eq(said(), "the children of tma_backend_bound add up to 30.0 %, not to 50.0 % "
				 "(errors: 2.0)");
}
END_TEST

/* Return: the first letters of the marked nodes: b f m c l d. */
static const char *marked(void)
{
	static char text[NR + 1];
	struct misfit found[2 * NR];
	int nr = misfits__find(nodes, NR, found), at = 0;

	misfits__mark(nodes, NR, found, nr);
	for (int i = 0; i < NR; i++)
		if (nodes[i].impossible)
			text[at++] = "bfmcld"[i];
	text[at] = '\0';
	return text;
}

START_TEST(nothing_is_computed_from_impossible_values)
{
	begin();
	ck_assert_str_eq(marked(), "");
	/* If a node may overlap its siblings, it is compared without them. */
	set(DRAM, -9, 1);
	ck_assert_str_eq(marked(), "d");
	/* This is also true if the error is unknown, and the excess is too large for rounding. */
	set(DRAM, 150, NAN);
	ck_assert_str_eq(marked(), "d");
	set(DRAM, 101, NAN);
	ck_assert_str_eq(marked(), "");
	/* All children of a sum are marked. */
	set(MEMORY, 60, 1);
	ck_assert_str_eq(marked(), "mc");
	begin();
	set(CORE, -20, 1);
	set(MEMORY, 70, 1);
	ck_assert_str_eq(marked(), "mc");
	/* The nodes of the first level add up to all slots. */
	begin();
	set(FRONTEND, -20, 1);
	ck_assert_str_eq(marked(), "bf");
}
END_TEST

TMA_TEST_MAIN(verdict_misfit, what_fits_is_not_mentioned, shares_are_from_0_to_100, children_add_up,
	      what_was_not_measured_may_be_anything, nothing_is_computed_from_impossible_values)
