// SPDX-License-Identifier: GPL-2.0-only
/* The way down, from made-up verdicts. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/array.h"
#include "base/auto.h"
#include "base/sb.h"
#include "grid/grid.h"
#include "verdict/way.h"
#include "unit.h"

enum { BACKEND, FRONTEND, MEMORY, CORE, NR };

static struct grid_node nodes[NR];
static struct grid_doubt doubt = { "it is too short", "count for longer" };
static int path[NR], uncertain[NR];
static struct grid_verdict verdict;
static struct grid grid = { .verdicts = &verdict, .nr_verdicts = 1 };
static struct ways ways;

static void begin(void)
{
	static const struct grid_node all[NR] = {
		[BACKEND] = { .name = "backend", .unit = "%", .value = 50, .level = 1, .parent = -1 },
		[FRONTEND] = { .name = "frontend", .unit = "%", .value = 5, .level = 1,
			       .parent = -1 },
		[MEMORY] = { .name = "memory", .unit = "%", .value = 30, .level = 2,
			     .parent = BACKEND },
		[CORE] = { .name = "core", .unit = "%", .value = 8, .level = 2, .parent = BACKEND },
	};

	memcpy(nodes, all, sizeof(nodes));
	ways = (struct ways){ .tries = 1 };
	verdict = (struct grid_verdict){
		.outcome = OUTCOME_BOTTLENECK, .nodes = nodes, .nr_nodes = NR, .path.at = path,
		.uncertain.at = uncertain, .reason = "", .next_group = (char *)"",
		.sample = (char *)"", .record = (char *)"",
	};
}

/* Add a measurement whose path has @depth nodes: first backend, then memory. */
static void take(int depth, enum grid_parts parts, const char *next)
{
	verdict.path.nr = depth;
	path[0] = BACKEND;
	path[1] = MEMORY;
	verdict.parts = parts;
	verdict.next_group = (char *)next;
	ways__take(&ways, &grid);
}

static const char *next(void)
{
	static char text[64];
	auto_free(sb) groups = SB_INIT;
	bool again;

	if (!ways__next(&ways, &groups, &again))
		return "the end";
	snprintf(text, sizeof(text), "%s%s", sb__str(&groups), again ? " again" : "");
	return text;
}

START_TEST(children_are_measured_until_there_are_none)
{
	begin();
	take(2, PARTS_NOT_MEASURED, "memory_group");
	ck_assert_str_eq(next(), "memory_group");
	take(2, PARTS_NONE, "");
	ck_assert_str_eq(next(), "the end");
	ck_assert_int_eq(ways.at[0].state, WAY_LEAF);
	ck_assert_int_eq(ways.at[0].out.nr, 2);
	ways__free(&ways);
}
END_TEST

START_TEST(uncertain_nodes_are_measured_again_once)
{
	begin();
	verdict.uncertain.nr = 1;
	uncertain[0] = MEMORY;
	verdict.doubts = &doubt;
	verdict.nr_doubts = 1;
	take(1, PARTS_UNCERTAIN, "");
	ck_assert_str_eq(next(), "backend_group again");
	take(1, PARTS_UNCERTAIN, "");
	ck_assert_str_eq(next(), "backend_group again");
	take(1, PARTS_UNCERTAIN, "");
	ck_assert_str_eq(next(), "the end");
	ck_assert_int_eq(ways.at[0].state, WAY_UNDECIDED);
	ck_assert_int_eq(ways.at[0].between.nr, 1);
	ck_assert_str_eq(ways.at[0].between.at[0].name, "memory");
	ck_assert_str_eq(ways.at[0].remedy, "count for longer");
	ways__free(&ways);
}
END_TEST

START_TEST(impossible_values_end_the_way_and_are_reported_once)
{
	char *misfits[] = {(char *)"memory is 130.0 %, above 100 %"};

	begin();
	nodes[MEMORY].value = 130;
	nodes[MEMORY].impossible = nodes[CORE].impossible = true;
	nodes[FRONTEND].value = -1;
	verdict.misfits = misfits;
	verdict.nr_misfits = 1;
	take(1, PARTS_NOT_MEASURED, "backend_group");
	ck_assert_str_eq(next(), "backend_group");
	take(1, PARTS_IMPOSSIBLE, "");
	ck_assert_str_eq(next(), "the end");
	ck_assert_int_eq(ways.at[0].state, WAY_IMPOSSIBLE);
	ck_assert_str_eq(ways.at[0].misfits, misfits[0]);
	/* The children of this node are still possible. A value a little below 0 counts as 0. */
	ck_assert_int_eq(ways.at[0].out.nr, 1);
	ck_assert_str_eq(ways.at[0].out.at[0].name, "frontend");
	ck_assert_double_eq(ways.at[0].out.at[0].value, 0);
	ways__free(&ways);
}
END_TEST

START_TEST(the_better_of_two_measurements_stays)
{
	begin();
	nodes[BACKEND].error = 1;
	take(1, PARTS_NOT_MEASURED, "backend_group");
	nodes[BACKEND].value = 55;
	nodes[BACKEND].error = 3;
	take(2, PARTS_NOT_MEASURED, "memory_group");
	ck_assert(ways.at[0].path.at[0].value == 50 && ways.at[0].path.at[0].step == 1);
	nodes[BACKEND].error = 0.5;
	take(2, PARTS_NONE, "");
	ck_assert(ways.at[0].path.at[0].value == 55 && ways.at[0].path.at[0].step == 3);
	ways__free(&ways);
}
END_TEST

START_TEST(a_measurement_of_nothing_changes_nothing)
{
	begin();
	take(2, PARTS_NOT_MEASURED, "memory_group");
	verdict.outcome = OUTCOME_NOTHING_MEASURED;
	take(0, PARTS_NONE, "");
	ck_assert_int_eq(ways.at[0].path.nr, 2);
	ck_assert_int_eq(ways.at[0].state, WAY_GOES_ON);
	ways__free(&ways);
}
END_TEST

START_TEST(each_core_type_has_a_way)
{
	begin();
	verdict.core_name = "cpu_core";
	take(2, PARTS_NOT_MEASURED, "memory_group");
	verdict.core_name = "cpu_atom";
	take(1, PARTS_NOT_MEASURED, "backend_group");
	ck_assert_int_eq(ways.nr, 2);
	ck_assert_str_eq(next(), "memory_group,backend_group");
	ways__free(&ways);
}
END_TEST

START_TEST(what_is_measured_for_another_way_changes_nothing)
{
	begin();
	take(2, PARTS_NOT_MEASURED, "memory_group");
	/* The first node has one child, which is another node. */
	nodes[MEMORY].value = NAN;
	path[1] = CORE;
	verdict.parts = PARTS_NONE;
	ways__take(&ways, &grid);
	ck_assert_str_eq(ways.at[0].path.at[1].name, "memory");
	ck_assert_str_eq(next(), "memory_group again");
	nodes[MEMORY].value = 30;
	path[1] = MEMORY;
	take(2, PARTS_UNDER, "");
	ck_assert_int_eq(ways.at[0].state, WAY_UNDER);
	take(2, PARTS_NONE, "");
	ck_assert_int_eq(ways.at[0].state, WAY_UNDER);
	ways__free(&ways);
}
END_TEST

START_TEST(of_contradicting_measurements_the_common_part_stays)
{
	begin();
	take(2, PARTS_NOT_MEASURED, "memory_group");
	/* Now no node below the first is over its threshold, and this is certain. */
	take(1, PARTS_UNDER, "");
	ck_assert_int_eq(ways.at[0].state, WAY_UNDECIDED);
	ck_assert_int_eq(ways.at[0].path.nr, 1);
	ck_assert_int_eq(ways.at[0].between.nr, 1);
	ck_assert_str_eq(ways.at[0].between.at[0].name, "memory");
	ck_assert_str_eq(next(), "backend_group again");
	take(2, PARTS_NOT_MEASURED, "memory_group");
	ck_assert_str_eq(next(), "memory_group");
	/* After a measurement that contradicts two others, there are no more measurements. */
	take(1, PARTS_UNDER, "");
	ck_assert_str_eq(next(), "the end");
	ck_assert_int_eq(ways.at[0].state, WAY_UNDECIDED);
	ck_assert_int_eq(ways.at[0].path.nr, 1);
	ways__free(&ways);
}
END_TEST

START_TEST(a_worse_measurement_leaves_the_way_as_it_was)
{
	begin();
	take(2, PARTS_NOT_MEASURED, "memory_group");
	verdict.uncertain.nr = 1;
	uncertain[0] = MEMORY;
	take(1, PARTS_UNCERTAIN, "");
	ck_assert_int_eq(ways.at[0].state, WAY_UNDECIDED);
	ck_assert_int_eq(ways.at[0].path.nr, 2);
	ck_assert_str_eq(next(), "memory_group again");
	ways__free(&ways);
}
END_TEST

/* Add a window of ten intervals with this first level. */
static void measure(int window, double backend, double frontend)
{
	static struct grid_column columns[] = {{.kind = GRID_METRIC, .name = "backend"},
					{.kind = GRID_METRIC, .name = "frontend"}};
	struct grid_cell cells[2] = {{0}};
	struct grid rows = {.columns = columns,
			    .nr_columns = 2,
			    .cells = cells,
			    .nr_rows = 1,
			    .span = SPAN_INTERVAL,
			    .elapsed_ns = 100};

	ways__begin(&ways, window * 1000);
	for (int i = 1; i <= 10; i++) {
		cells[0].value = backend + i % 3;
		cells[1].value = frontend - i % 3;
		rows.since_start_ns = i * 100;
		ways__take_row(&ways, &rows);
	}
	grid.columns = columns;
	grid.nr_columns = 2;
	grid.since_start_ns = 1000;
}

START_TEST(a_way_is_of_one_phase)
{
	begin();
	ways.goes_on = true;
	ways.first_groups = "first";
	measure(0, 50, 5);
	take(2, PARTS_NOT_MEASURED, "memory_group");
	measure(1, 51, 4);
	take(2, PARTS_NOT_MEASURED, "memory_group");
	ck_assert_int_eq(ways.at[0].phases.nr, 0);
	/* The way leads elsewhere, which is not a contradiction. */
	measure(2, 20, 35);
	take(1, PARTS_NOT_MEASURED, "backend_group");
	ck_assert_int_eq(ways.at[0].phases.nr, 2);
	ck_assert_uint_eq(ways.at[0].phases.at[1].start_ns, 2000);
	ck_assert(fabs(ways.at[0].phases.at[0].values[0] - 51.5) < 0.01);
	ck_assert_int_eq(ways.at[0].turns_back, 0);
	ck_assert_int_eq(ways.at[0].path.nr, 1);
	ck_assert_uint_eq(ways.at[0].since_ns, 2000);
	ck_assert_str_eq(next(), "backend_group");
	ways__free(&ways);
}
END_TEST

START_TEST(a_measurement_of_two_phases_is_made_again)
{
	begin();
	ways.goes_on = true;
	ways.first_groups = "first";
	for (int change = 0; change < 2; change++) {
		measure(2 * change, change ? 50 : 20, 5);
		take(2, PARTS_NOT_MEASURED, "memory_group");
		measure(2 * change + 1, change ? 20 : 50, 5);
		ways.begin_ns -= 300; /* it began before the first level changed */
		take(2, PARTS_NONE, "");
		ck_assert(way__is_mixed(&ways.at[0]));
		ck_assert_str_eq(next(), "first");
	}
	/* A first level that always changes is accepted. */
	measure(4, 50, 5);
	take(2, PARTS_NONE, "");
	ck_assert_int_eq(ways.at[0].state, WAY_LEAF);
	ck_assert_int_gt(ways.at[0].phases.nr, 2);
	ways__free(&ways);
}
END_TEST

START_TEST(runs_of_a_command_have_the_phases_of_the_first)
{
	begin();
	measure(0, 50, 5);
	take(2, PARTS_NOT_MEASURED, "memory_group");
	measure(1, 20, 5);
	take(2, PARTS_NONE, "");
	ck_assert_int_eq(ways.at[0].phases.nr, 0);
	ck_assert_int_eq(ways.at[0].state, WAY_LEAF);
	ways__free(&ways);
}
END_TEST

START_TEST(children_of_what_may_be_next_come_along)
{
	auto_free(sb) groups = SB_INIT;

	begin();
	nodes[MEMORY].has_parts = true;
	take(1, PARTS_NOT_MEASURED, "backend_group");
	ck_assert(!ways__add_branches(&ways, &groups));
	verdict.uncertain.nr = 2;
	uncertain[0] = MEMORY;
	uncertain[1] = CORE;
	take(1, PARTS_UNCERTAIN, "");
	sb__puts(&groups, "backend_group");
	ck_assert(ways__add_branches(&ways, &groups));
	ck_assert_str_eq(sb__str(&groups), "backend_group,memory_group");
	ways__free(&ways);
}
END_TEST

START_TEST(a_whole_that_is_smaller_than_its_part_is_not_certain)
{
	begin();
	nodes[BACKEND].error = 0.1;
	nodes[MEMORY].error = 0.5;
	take(2, PARTS_NOT_MEASURED, "memory_group");
	ck_assert_double_eq(ways.at[0].path.at[0].error, 0.1);
	nodes[BACKEND].value = 92;
	nodes[BACKEND].error = 0.4;
	nodes[MEMORY].value = 90;
	nodes[MEMORY].error = 0.3;
	take(2, PARTS_NONE, "");
	ck_assert_double_eq(ways.at[0].path.at[0].value, 50);
	ck_assert_double_eq(ways.at[0].path.at[1].value, 90);
	ck_assert(isnan(ways.at[0].path.at[0].error));
	ways__free(&ways);
}
END_TEST

TMA_TEST_MAIN(verdict_way, children_of_what_may_be_next_come_along, a_way_is_of_one_phase,
	      a_measurement_of_two_phases_is_made_again,
	      runs_of_a_command_have_the_phases_of_the_first,
	      of_contradicting_measurements_the_common_part_stays,
	      a_worse_measurement_leaves_the_way_as_it_was,
	      children_are_measured_until_there_are_none, uncertain_nodes_are_measured_again_once,
	      impossible_values_end_the_way_and_are_reported_once,
	      the_better_of_two_measurements_stays,
	      a_whole_that_is_smaller_than_its_part_is_not_certain,
	      a_measurement_of_nothing_changes_nothing, each_core_type_has_a_way,
	      what_is_measured_for_another_way_changes_nothing)
