// SPDX-License-Identifier: GPL-2.0-only
/* Rows of a comparison, from made-up grids. */
#include <math.h>
#include <string.h>

#include "base/auto.h"
#include "base/sb.h"
#include "grid/grid.h"
#include "verdict/comparison.h"
#include "unit.h"

enum { MEMORY, BACKEND, NR };

static struct grid_node nodes[NR];
static struct grid_verdict verdict = {.nodes = nodes, .nr_nodes = NR};
static struct grid_column columns[2];
static struct grid_cell cells[2];
static struct grid grid;
static struct comparison comparison;
static const struct comparison_margins margins = {.points = 0.5, .time = 1, .counts = 0.5};

static void begin(void)
{
	nodes[MEMORY] =
		(struct grid_node){.name = "memory", .unit = "%", .level = 2, .parent = BACKEND};
	nodes[BACKEND] =
		(struct grid_node){.name = "backend", .unit = "%", .level = 1, .parent = -1};
	columns[0] = (struct grid_column){.kind = GRID_METRIC, .name = "memory"};
	columns[1] = (struct grid_column){.kind = GRID_METRIC, .name = "elsewhere"};
	grid = (struct grid){.verdicts = &verdict,
			     .nr_verdicts = 1,
			     .columns = columns,
			     .nr_columns = 2,
			     .nr_rows = 1,
			     .cells = cells,
			     .elapsed_ns = 1000000000,
			     .span = SPAN_RUN};
	comparison = (struct comparison){.nr_sides = 2};
}

static void take(int side, double backend, double memory, double seconds)
{
	nodes[BACKEND].value = backend;
	nodes[MEMORY].value = memory;
	grid.elapsed_ns = seconds * 1e9;
	comparison__take(&comparison, side, &grid);
}

START_TEST(rows_stand_in_the_order_of_the_tree)
{
	begin();
	for (int i = 0; i < 4; i++) {
		take(0, 40 + 0.01 * i, 20 + 0.01 * i, 1 + 0.001 * i);
		take(1, 30 + 0.01 * i, 11 + 0.01 * i, 0.8 + 0.001 * i);
	}
	comparison__judge(&comparison, &margins);
	ck_assert_str_eq(comparison.at[comparison.order[0]].name, "time");
	ck_assert_str_eq(comparison.at[comparison.order[1]].name, "backend");
	ck_assert_str_eq(comparison.at[comparison.order[2]].name, "memory");
	ck_assert_int_eq(comparison.at[comparison.order[2]].depth, 1);
	ck_assert_int_eq(comparison.order[3], -1);
	comparison__free(&comparison);
}
END_TEST

START_TEST(one_line_names_time_and_the_part_that_changed)
{
	auto_free(sb) sb = SB_INIT;

	begin();
	for (int i = 0; i < 4; i++) {
		take(0, 40 + 0.01 * i, 20 + 0.01 * i, 1 + 0.001 * i);
		take(1, 30 + 0.01 * i, 11 + 0.01 * i, 0.8 + 0.001 * i);
	}
	comparison__judge(&comparison, &margins);
	comparison__tell(&comparison, 1, "A", "B", &sb);
	ck_assert_str_eq(sb__str(&sb), "B ran 1.25 +- 0.00 times faster than A: B takes 20.0 % +- 0.2 less time; memory -9.0");
	comparison__free(&comparison);
}
END_TEST

START_TEST(a_node_that_was_not_measured_has_no_word)
{
	begin();
	for (int i = 0; i < 4; i++) {
		take(0, 40, 20, 1);
		take(1, 40, NAN, 1);
	}
	comparison__judge(&comparison, &margins);
	ck_assert_int_eq(comparison__find(&comparison, "memory", -1)->with[1].change,
			 CHANGE_UNKNOWN);
	ck_assert_int_eq(comparison__find(&comparison, "backend", -1)->with[1].change, CHANGE_NONE);
	comparison__free(&comparison);
}
END_TEST

static void take_rows(int side, int nr)
{
	grid.span = SPAN_INTERVAL;
	for (int i = 0; i < nr; i++) {
		cells[0].value = i;
		cells[1].value = 7;
		comparison__take_row(&comparison, side, &grid);
	}
	grid.span = SPAN_RUN;
	take(side, 40, 20, nr);
}

/*
 * 25 intervals make ten parts, of which the last has seven. Metrics outside the tree are left out.
 */
START_TEST(intervals_become_parts)
{
	const struct compared *memory;

	begin();
	take_rows(0, 25);
	take_rows(1, 25);
	comparison__judge(&comparison, &margins);
	memory = comparison__find(&comparison, "memory", -1);
	ck_assert_int_eq(memory->series[0].nr, 10);
	ck_assert_double_eq(memory->series[0].at[0], 0.5);
	ck_assert_double_eq(memory->series[0].at[9], 21);
	ck_assert_ptr_null(comparison__find(&comparison, "elsewhere", -1));
	ck_assert_ptr_null(comparison__find(&comparison, "time", -1));
	comparison__free(&comparison);
}
END_TEST

START_TEST(few_intervals_are_one_value)
{
	begin();
	take_rows(0, 3);
	ck_assert_int_eq(comparison__find(&comparison, "memory", -1)->series[0].nr, 1);
	ck_assert_double_eq(comparison__find(&comparison, "memory", -1)->series[0].at[0], 20);
	comparison__free(&comparison);
}
END_TEST

/* A column of an event that the user asked for, and one of an event that only a metric needs. */
static void begin_counts(void)
{
	begin();
	columns[0] = (struct grid_column){.kind = GRID_EVENT, .name = "faults", .unit = ""};
	columns[1] = (struct grid_column){.kind = GRID_EVENT, .name = "slots", .of_metrics = true};
	comparison.counts = true;
}

START_TEST(events_are_compared_that_were_asked_for)
{
	const struct compared *faults;

	begin_counts();
	for (int i = 0; i < 8; i++) {
		cells[0] = (struct grid_cell){
			.value = 100 + 10 * (i % 2), .counted = true, .is_count = true};
		take(i % 2, 40, 20, 1);
	}
	comparison__judge(&comparison, &margins);
	faults = comparison__find(&comparison, "faults", -1);
	ck_assert_int_eq(faults->kind, COMPARED_COUNT);
	ck_assert_double_eq(faults->with[1].by, 10);
	ck_assert_double_eq(faults->with[1].margin, 0.5);
	ck_assert_int_eq(faults->with[1].change, CHANGE_MORE);
	ck_assert_str_eq(comparison.at[comparison.order[1]].name, "faults");
	ck_assert_ptr_null(comparison__find(&comparison, "slots", -1));
	comparison__free(&comparison);
}
END_TEST

START_TEST(events_of_intervals_are_rates)
{
	const struct compared *faults;

	begin_counts();
	verdict.nr_nodes = 0;
	grid.span = SPAN_INTERVAL;
	grid.elapsed_ns = 500000000;
	cells[0] = (struct grid_cell){.value = 100, .counted = true, .is_count = true};
	for (int i = 0; i < 20; i++)
		comparison__take_row(&comparison, i % 2, &grid);
	for (int side = 0; side < 2; side++)
		comparison__take(&comparison, side, &grid);
	verdict.nr_nodes = NR;
	faults = comparison__find(&comparison, "faults/s", -1);
	ck_assert_int_eq(faults->series[0].nr, 5);
	ck_assert_double_eq(faults->series[0].at[4], 200);
	ck_assert_ptr_null(comparison__find(&comparison, "time", -1));
	comparison__free(&comparison);
}
END_TEST

START_TEST(memory_is_known_above_that_of_the_parent)
{
	begin();
	comparison.memory = true;
	comparison.least_memory = 10000000;
	grid.peak_bytes = 9000000;
	take(0, 40, 20, 1);
	grid.peak_bytes = 20000000;
	take(1, 40, 20, 1);
	ck_assert_int_eq(comparison__find(&comparison, PEAK_MEMORY, -1)->series[0].nr, 0);
	ck_assert_double_eq(comparison__find(&comparison, PEAK_MEMORY, -1)->series[1].at[0], 2e7);
	comparison__free(&comparison);
}
END_TEST

TMA_TEST_MAIN(verdict_comparison, events_are_compared_that_were_asked_for,
	      events_of_intervals_are_rates, memory_is_known_above_that_of_the_parent,
	      rows_stand_in_the_order_of_the_tree,
	      one_line_names_time_and_the_part_that_changed,
	      a_node_that_was_not_measured_has_no_word, intervals_become_parts,
	      few_intervals_are_one_value)
