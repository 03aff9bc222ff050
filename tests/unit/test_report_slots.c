// SPDX-License-Identifier: GPL-2.0-only
/*
 * Shares of slots become counters: they never decrease, and children are not more than their
 * parent.
 */
#include <math.h>

#include "grid/grid.h"
#include "report/slots.h"
#include "unit.h"

enum { TOTAL, BACKEND, RETIRING, MEMORY, CORE, NR };

static struct grid_column columns[NR];
static struct grid_cell cells[NR];
static struct cell_more more[NR];
static struct grid grid;
static struct slots *slots;

static void begin(void)
{
	static const int parents[NR] = {-1, -1, -1, BACKEND, BACKEND};

	grid = (struct grid){.columns = columns,
			     .nr_columns = NR,
			     .nr_rows = 1,
			     .cells = cells,
			     .span = SPAN_INTERVAL};
	for (int i = 0; i < NR; i++) {
		columns[i] = (struct grid_column){.kind = i ? GRID_METRIC : GRID_WHOLE,
						  .unit = i ? "%" : "",
						  .parent = parents[i],
						  .whole = TOTAL,
						  .level = i > RETIRING ? 2 : 1};
		cells[i].more = &more[i];
		more[i] = (struct cell_more){.error = NAN, .percent = 100};
	}
	slots = slots__new(&grid);
}

static void add(double all, double backend, double retiring, double memory, double core)
{
	const double values[NR] = {all, backend, retiring, memory, core};

	for (int i = 0; i < NR; i++)
		cells[i].value = values[i];
	slots__add(slots, &grid);
	ck_assert(!(more[MEMORY].slots + more[CORE].slots > more[BACKEND].slots + 1e-6));
	ck_assert(!(more[BACKEND].slots + more[RETIRING].slots > more[TOTAL].slots + 1e-6));
}

static void expect(int column, double expected)
{
	if (isnan(expected))
		ck_assert_msg(isnan(more[column].slots), "%d: %f", column, more[column].slots);
	else
		ck_assert_double_eq_tol(more[column].slots, expected, 1e-6);
}

START_TEST(rows_add_up)
{
	begin();
	add(1000, 40, 60, 30, 10);
	add(3000, 20, 80, 5, 15);
	expect(TOTAL, 4000);
	expect(BACKEND, 1000);
	expect(RETIRING, 3000);
	expect(MEMORY, 450);
	expect(CORE, 550);
	slots__free(slots);
}
END_TEST

START_TEST(negative_slots_are_held_back_and_added_later)
{
	begin();
	add(1000, 40, 60, 30, 10);
	add(1000, 40, 60, -5, 40);
	expect(MEMORY, 300);
	/* its estimate is 500, and its parent has room for exactly 500 */
	expect(CORE, 500);
	add(1000, 40, 60, 3, 37);
	expect(MEMORY, 300);
	add(1000, 40, 60, 12, 28);
	expect(MEMORY, 400);
	expect(CORE, 1150);
	slots__free(slots);
}
END_TEST

START_TEST(siblings_that_overlap_get_less_in_proportion)
{
	begin();
	add(1000, 40, 60, 60, 20);
	expect(MEMORY, 300);
	expect(CORE, 100);
	/* nothing is left to add in a later row */
	add(1000, 40, 60, 10, 10);
	expect(MEMORY, 400);
	expect(CORE, 200);
	slots__free(slots);
}
END_TEST

static void take_turns(void)
{
	for (int i = 0; i < NR; i++)
		more[i].percent = 50;
}

/*
 * The sum of the estimates is alternately too large and too small: in the end nothing is missing.
 */
START_TEST(slots_that_estimates_lacked_are_added_later)
{
	begin();
	take_turns();
	for (int i = 0; i < 50; i++) {
		add(1000, 60, 60, 40, 20);
		add(1000, 40, 40, 30, 10);
	}
	expect(TOTAL, 100000);
	expect(BACKEND, 50000);
	expect(RETIRING, 50000);
	ck_assert_double_eq_tol(more[MEMORY].slots + more[CORE].slots, 50000, 1e-6);
	slots__free(slots);
}
END_TEST

/*
 * The room may belong to slots without a name: no more than one row's share is kept for later rows.
 */
START_TEST(no_more_is_made_up_for_than_a_row)
{
	begin();
	take_turns();
	for (int i = 0; i < 100; i++)
		add(1000, 60, 60, 0, 0);
	expect(BACKEND, 50000);
	for (int i = 0; i < 100; i++)
		add(1000, 20, 20, 0, 0);
	expect(BACKEND, 50000 + 500 + 20000);
	slots__free(slots);
}
END_TEST

START_TEST(counters_without_a_value_stay_as_they_are)
{
	begin();
	add(1000, 40, 60, NAN, 10);
	expect(MEMORY, NAN);
	expect(CORE, 100);
	add(1000, 40, 60, 10, 10);
	add(NAN, NAN, NAN, NAN, NAN);
	expect(TOTAL, 2000);
	expect(MEMORY, 100);
	expect(CORE, 200);
	slots__free(slots);
}
END_TEST

START_TEST(a_whole_run_has_the_place_of_its_rows)
{
	begin();
	add(1000, 40, 60, 30, 10);
	grid.span = SPAN_RUN;
	add(2000, 40, 60, 25, 15);
	expect(TOTAL, 2000);
	expect(MEMORY, 500);
	add(2000, 40, 60, 10, 15);
	expect(MEMORY, 500);
	slots__free(slots);
}
END_TEST

START_TEST(errors_are_added_up_in_slots)
{
	begin();
	grid.wants = WANT_ERRORS;
	more[MEMORY].error = 2;
	add(1000, 40, 60, 30, 10);
	ck_assert_double_eq_tol(more[MEMORY].error_slots, 20, 1e-9);
	ck_assert(isnan(more[CORE].error_slots));
	add(500, 40, 60, 30, 10);
	ck_assert_double_eq_tol(more[MEMORY].error_slots, 30, 1e-9);
	slots__free(slots);
}
END_TEST

/* No counter decreases, in whatever rows. */
START_TEST(random_rows_are_monotonic)
{
	double last[NR] = {0};

	srand(1);
	begin();
	for (int i = 0; i < 10000; i++) {
		add(rand() % 1000, rand() % 60 - 5, rand() % 60 - 5, rand() % 60 - 20,
		    rand() % 60 - 20);
		for (int k = 0; k < NR; k++) {
			ck_assert(more[k].slots >= last[k]);
			last[k] = more[k].slots;
		}
	}
	slots__free(slots);
}
END_TEST

TMA_TEST_MAIN(report_slots, rows_add_up, negative_slots_are_held_back_and_added_later,
	      siblings_that_overlap_get_less_in_proportion,
	      slots_that_estimates_lacked_are_added_later, no_more_is_made_up_for_than_a_row,
	      counters_without_a_value_stay_as_they_are, a_whole_run_has_the_place_of_its_rows,
	      errors_are_added_up_in_slots, random_rows_are_monotonic)
