// SPDX-License-Identifier: GPL-2.0-only
/*
 * Functions of two sides, from made-up grids: how they are matched, added up, judged and described.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/auto.h"
#include "base/sb.h"
#include "grid/grid.h"
#include "verdict/comparison.h"
#include "unit.h"

enum { SHARE, SAMPLES, BACKEND, MEMORY, NR_COLUMNS };

#define MOST_ROWS 4 /* and the others */

static struct grid_column columns[NR_COLUMNS];
static struct grid_cell cells[NR_COLUMNS * (MOST_ROWS + 1)];
static struct cell_more more = {.error = 1};
static struct grid_row rows[MOST_ROWS + 1];
static struct grid grid;
static struct comparison comparison;
static const struct comparison_margins margins = {.points = 0.5, .time = 1, .counts = 0.5};
static const struct sites_taken command = {.cpu_time = true};

static void begin(void)
{
	columns[SHARE] =
		(struct grid_column){.kind = GRID_METRIC, .name = "share", .unit = "%", .rank = -2};
	columns[SAMPLES] = (struct grid_column){
		.kind = GRID_METRIC, .name = "samples", .unit = "", .rank = -1};
	columns[BACKEND] = (struct grid_column){
		.kind = GRID_METRIC, .name = "backend", .unit = "%", .level = 1, .parent = -1};
	columns[MEMORY] = (struct grid_column){
		.kind = GRID_METRIC, .name = "memory", .unit = "%", .level = 2, .parent = BACKEND};
	memset(rows, 0, sizeof(rows));
	memset(cells, 0, sizeof(cells));
	for (size_t i = 0; i < sizeof(cells) / sizeof(*cells); i++)
		cells[i].more = &more;
	rows[MOST_ROWS].comm = "0 others";
	grid = (struct grid){.aggr = AGGR_FUNCTION,
			     .columns = columns,
			     .nr_columns = NR_COLUMNS,
			     .rows = rows,
			     .nr_rows = MOST_ROWS + 1,
			     .cells = cells,
			     .has_cpu_time = true,
			     .elapsed_ns = 1000000000,
			     .span = SPAN_RUN};
	comparison = (struct comparison){.nr_sides = 2, .sites.nr_sides = 2};
}

static void set_cell(int column, int row, double value)
{
	struct grid_cell *cell = grid__cell(&grid, column, row);

	cell->present = !isnan(value);
	cell->value = value;
}

/* Add a function to the current row, which covers a run of 10 s. */
static void set_row(int row, const char *name, const char *object, double seconds)
{
	rows[row].comm = (char *)name;
	rows[row].object = object;
	set_cell(SHARE, row, 10 * seconds);
	set_cell(SAMPLES, row, 100 * seconds);
}

static void set_nodes(int row, double backend, double memory)
{
	set_cell(BACKEND, row, backend);
	set_cell(MEMORY, row, memory);
}

static void take_of(int side, const struct sites_taken *taken)
{
	grid.user_ns = 9000000000;
	grid.system_ns = 1000000000;
	compared_sites__take(&comparison.sites, side, &grid, taken);
}

static void take(int side)
{
	take_of(side, &command);
	compared_sites__end_run(&comparison.sites, side, false);
}

static const struct compared *row_of(const char *name)
{
	for (int i = 0; i < comparison.nr; i++)
		if (comparison.at[i].kind >= COMPARED_SITE && !strcmp(comparison.at[i].name, name))
			return &comparison.at[i];
	return NULL;
}

static double mean_of(const char *name, int side)
{
	const struct compared *row = row_of(name);

	return row ? series__mean(&row->series[side]) : NAN;
}

static void judge(void)
{
	comparison__judge(&comparison, &margins);
}

/* Four runs of each side. walk() is slower on the second side, and varies a little. */
static void take_slower(double by, double sum)
{
	for (int i = 0; i < 4; i++)
		for (int side = 0; side < 2; side++) {
			double walk = 4 + side * by + 0.02 * i;

			set_row(0, "walk", side ? "/b/after" : "/a/before", walk);
			set_row(1, "sum", side ? "/b/after" : "/a/before", 3 - side * sum);
			set_row(2, "memcpy", "/lib/libc.so.6", 7 + side * sum - walk);
			take(side);
		}
}

START_TEST(functions_of_a_name_are_the_same_in_programs_of_two_names)
{
	begin();
	take_slower(1, 0);
	judge();
	ck_assert_double_eq_tol(mean_of("walk", 0), 4.03, 1e-9);
	ck_assert_double_eq_tol(mean_of("walk", 1), 5.03, 1e-9);
	ck_assert_double_eq_tol(mean_of("sum", 1), 3, 1e-9);
	ck_assert_double_eq_tol(mean_of("all", 0), 10, 1e-9);
	ck_assert_int_eq(row_of("walk")->with[1].change, CHANGE_MORE);
	ck_assert_int_eq(row_of("sum")->with[1].change, CHANGE_NONE);
	ck_assert_int_eq(row_of("memcpy")->with[1].change, CHANGE_LESS);
	comparison__free(&comparison);
}
END_TEST

START_TEST(rows_are_in_the_order_of_their_differences_after_their_sum)
{
	const int *order;

	begin();
	take_slower(1, 0.3);
	judge();
	order = comparison.site_orders[1];
	ck_assert_str_eq(comparison.at[order[0]].name, "all");
	ck_assert_str_eq(comparison.at[order[1]].name, "walk");
	ck_assert_str_eq(comparison.at[order[2]].name, "memcpy");
	ck_assert_str_eq(comparison.at[order[3]].name, "sum");
	ck_assert_int_eq(order[4], -1);
	ck_assert_int_eq(comparison.order[0], -1);
	comparison__free(&comparison);
}
END_TEST

START_TEST(a_function_of_one_side_alone_appeared_or_is_gone)
{
	auto_free(sb) sb = SB_INIT;

	begin();
	for (int i = 0; i < 4; i++)
		for (int side = 0; side < 2; side++) {
			set_row(0, side ? "fast_walk" : "walk", "/p", 4 - side + 0.01 * i);
			set_row(1, "sum", "/p", 6 + side - 0.01 * i);
			take(side);
		}
	judge();
	ck_assert_int_eq(compared__find_presence(row_of("walk"), 1), SITE_GONE);
	ck_assert_int_eq(compared__find_presence(row_of("fast_walk"), 1), SITE_APPEARED);
	ck_assert_int_eq(compared__find_presence(row_of("sum"), 1), SITE_ON_BOTH);
	ck_assert_double_eq(mean_of("walk", 1), 0);
	comparison__tell_sites(&comparison, 1, &sb);
	ck_assert_str_eq(
		sb__str(&sb),
		"; walk takes less (gone), fast_walk takes more (appeared), sum takes more");
	comparison__free(&comparison);
}
END_TEST

/* It has one sample in one of four runs, which is not enough to be reported as new. */
START_TEST(sites_with_few_samples_have_not_appeared)
{
	begin();
	for (int i = 0; i < 4; i++)
		for (int side = 0; side < 2; side++) {
			bool seen = side && i == 2;

			set_row(0, "walk", "/p", seen ? 9 : 10);
			set_row(1, "rare", "/p", seen ? 1 : 0);
			take(side);
		}
	judge();
	ck_assert_double_eq_tol(mean_of("rare", 1), 0.25, 1e-9);
	ck_assert_int_eq(row_of("rare")->with[1].change, CHANGE_UNDECIDED);
	ck_assert_int_eq(compared__find_presence(row_of("rare"), 1), SITE_ON_BOTH);
	comparison__free(&comparison);
}
END_TEST

START_TEST(small_functions_are_among_the_others_and_rows_add_up)
{
	double sum = 0;

	begin();
	for (int side = 0; side < 2; side++)
		for (int i = 0; i < 2; i++) {
			set_row(0, "walk", "/p", 9.9);
			set_row(1, side ? "tiny" : "small", "/p", 0.03);
			set_row(2, "least", "/p", 0.02);
			set_row(MOST_ROWS, "7 others", "", 0.05);
			take(side);
		}
	judge();
	ck_assert_ptr_null(row_of("tiny"));
	ck_assert_double_eq_tol(mean_of("others", 1), 0.1, 1e-9);
	for (int i = 0; i < comparison.nr; i++)
		if (i != comparison.all_sites)
			sum += series__mean(&comparison.at[i].series[0]);
	ck_assert_double_eq_tol(sum, mean_of("all", 0), 1e-9);
	comparison__free(&comparison);
}
END_TEST

START_TEST(others_are_counted_where_they_are_known)
{
	begin();
	for (int side = 0; side < 2; side++)
		for (int i = 0; i < 2; i++) {
			set_row(0, "walk", "/p", 9.95);
			set_row(1, "small", "/p", 0.03);
			set_row(2, "least", "/p", 0.02);
			take(side);
		}
	judge();
	ck_assert_double_eq_tol(mean_of("2 others", 0), 0.05, 1e-9);
	comparison__free(&comparison);
}
END_TEST

/* If a run has several functions of one name, their files distinguish them. */
START_TEST(functions_of_one_name_in_two_files_are_two)
{
	begin();
	for (int i = 0; i < 2; i++)
		for (int side = 0; side < 2; side++) {
			const char *program = side ? "/b/after" : "/a/before";

			set_row(0, side ? "init (after)" : "init (before)", program, 5 + side);
			set_row(1, "init (libc.so.6)", "/lib/libc.so.6", 5 - side);
			take(side);
		}
	judge();
	ck_assert_double_eq_tol(mean_of("init (libc.so)", 0), 5, 1e-9);
	ck_assert_double_eq_tol(mean_of("init (libc.so)", 1), 4, 1e-9);
	ck_assert_double_eq_tol(mean_of("init (before)", 0), 5, 1e-9);
	ck_assert_double_eq_tol(mean_of("init (before)", 1), 6, 1e-9);
	comparison__free(&comparison);
}
END_TEST

START_TEST(clones_are_the_function_that_they_were_made_of)
{
	begin();
	for (int i = 0; i < 2; i++)
		for (int side = 0; side < 2; side++) {
			set_row(0, side ? "walk.isra.0" : "walk.constprop.1", "/p", 6);
			set_row(1, side ? "walk.cold" : "walk.llvm.123456", "/p", 4);
			take(side);
		}
	judge();
	ck_assert_double_eq_tol(mean_of("walk", 0), 10, 1e-9);
	ck_assert_double_eq_tol(mean_of("walk", 1), 10, 1e-9);
	ck_assert_ptr_null(row_of("walk.isra.0"));
	comparison__free(&comparison);
}
END_TEST

START_TEST(the_program_of_each_side_is_one_file)
{
	begin();
	grid.aggr = AGGR_OBJECT;
	for (int i = 0; i < 2; i++)
		for (int side = 0; side < 2; side++) {
			const struct sites_taken taken = {.cpu_time = true,
							  .program = side ? "after" : "before"};

			set_row(0, side ? "after" : "before", side ? "/b/after" : "/a/before", 7);
			set_row(1, side ? "libm.so.7" : "libm.so.6",
				side ? "/lib/libm.so.7" : "/lib/libm.so.6", 3);
			take_of(side, &taken);
			compared_sites__end_run(&comparison.sites, side, false);
		}
	judge();
	ck_assert_str_eq(comparison.sites.kind, "object");
	ck_assert_double_eq_tol(mean_of("the program", 0), 7, 1e-9);
	ck_assert_double_eq_tol(mean_of("the program", 1), 7, 1e-9);
	comparison__free(&comparison);
}
END_TEST

static void take_with_nodes(void)
{
	for (int i = 0; i < 8; i++)
		for (int side = 0; side < 2; side++) {
			set_row(0, "walk", "/p", 4 + side + 0.01 * i);
			set_nodes(0, 40 + 20 * side + i, 20 + 19 * side + i);
			set_row(1, "sum", "/p", 6 - 0.8 * side - 0.01 * i);
			set_nodes(1, 30, side ? 10 : NAN);
			set_row(2, "rest", "/p", 0.2 - 0.2 * side);
			take(side);
		}
}

START_TEST(nodes_of_a_function_that_changed_stand_below_it)
{
	auto_free(sb) sb = SB_INIT;
	const int *order;

	begin();
	take_with_nodes();
	judge();
	order = comparison.site_orders[1];
	ck_assert_str_eq(comparison.at[order[1]].name, "walk");
	ck_assert_str_eq(comparison.at[order[2]].name, "backend");
	ck_assert_str_eq(comparison.at[order[3]].name, "memory");
	ck_assert_int_eq(comparison.at[order[3]].depth, 1);
	ck_assert_double_eq_tol(comparison.at[order[2]].with[1].by, 20, 1e-9);
	comparison__tell_sites(&comparison, 1, &sb);
	ck_assert_str_eq(sb__str(&sb), "; walk takes more (memory +19.0), sum takes less, "
				       "rest takes less (gone)");
	comparison__free(&comparison);
}
END_TEST

START_TEST(a_node_that_one_side_lacks_is_not_compared)
{
	int nr = 0;

	begin();
	take_with_nodes();
	judge();
	for (int i = 0; i < comparison.nr; i++)
		nr += comparison.at[i].kind == COMPARED_SITE_NODE &&
		      !strcmp(comparison.at[i].name, "memory");
	ck_assert_int_eq(nr, 1);
	ck_assert_ptr_null(comparison__find(&comparison, "memory", -1));
	comparison__free(&comparison);
}
END_TEST

START_TEST(parts_of_the_difference_are_told_where_there_is_one)
{
	auto_free(sb) sb = SB_INIT;

	begin();
	for (int i = 0; i < 4; i++)
		for (int side = 0; side < 2; side++) {
			double all = 10 + side + 0.01 * i;

			set_row(0, "walk", "/p", 0);
			set_row(1, "sum", "/p", 0);
			set_cell(SHARE, 0, 100 * (4 + 0.9 * side) / all);
			set_cell(SHARE, 1, 100 * (6 + 0.1 * side + 0.01 * i) / all);
			set_cell(SAMPLES, 0, 500);
			set_cell(SAMPLES, 1, 500);
			grid.user_ns = all * 1e9;
			grid.system_ns = 0;
			compared_sites__take(&comparison.sites, side, &grid, &command);
			compared_sites__end_run(&comparison.sites, side, false);
		}
	judge();
	ck_assert_double_eq_tol(comparison__find_explained(&comparison, row_of("walk"), 1), 90, 0.1);
	ck_assert_double_nan(comparison__find_explained(&comparison, row_of("all"), 1));
	comparison__tell_sites(&comparison, 1, &sb);
	ck_assert_ptr_nonnull(strstr(sb__str(&sb), "; walk explains 90 % of the difference"));
	comparison__free(&comparison);
}
END_TEST

START_TEST(the_time_of_a_run_without_samples_is_of_others)
{
	begin();
	for (int i = 0; i < 2; i++)
		for (int side = 0; side < 2; side++) {
			set_row(0, "walk", "/p", side ? 10 : 0);
			take(side);
		}
	judge();
	ck_assert_double_eq_tol(mean_of("others", 0), 10, 1e-9);
	ck_assert_double_eq_tol(mean_of("all", 0), 10, 1e-9);
	ck_assert_double_eq_tol(mean_of("walk", 1), 10, 1e-9);
	comparison__free(&comparison);
}
END_TEST

/*
 * A recording with 20 intervals of half a second. Each interval is a rate, and the mean rates of
 * ten parts are the values.
 */
START_TEST(intervals_are_rates_and_become_parts)
{
	begin();
	grid.span = SPAN_INTERVAL;
	grid.elapsed_ns = 500000000;
	for (int side = 0; side < 2; side++) {
		for (int i = 0; i < 20; i++) {
			set_row(0, "walk", "/p", 4);
			set_row(1, "sum", "/p", 6);
			take_of(side, &command);
		}
		compared_sites__end_run(&comparison.sites, side, true);
	}
	judge();
	ck_assert_str_eq(comparison.sites.unit, "s/s");
	ck_assert_int_eq(row_of("walk")->series[0].nr, 10);
	ck_assert_double_eq_tol(mean_of("walk", 0), 8, 1e-9);
	comparison__free(&comparison);
}
END_TEST

/* Two recordings without intervals have one value each, with the error of its samples. */
START_TEST(a_single_run_has_the_error_of_its_samples)
{
	begin();
	for (int side = 0; side < 2; side++) {
		set_row(0, "walk", "/p", 4 + 2 * side);
		set_row(1, "sum", "/p", 6 - 2 * side);
		take_of(side, &command);
		compared_sites__end_run(&comparison.sites, side, true);
	}
	judge();
	ck_assert_int_eq(row_of("walk")->with[1].change, CHANGE_MORE);
	ck_assert_double_eq_tol(row_of("walk")->with[1].half, 0.1 * sqrt(2), 1e-3);
	comparison__free(&comparison);
}
END_TEST

/* If the command's time is unknown, cycles of functions are compared. */
START_TEST(without_a_time_cycles_are_compared)
{
	const struct sites_taken cpus = {.program = NULL};

	begin();
	columns[BACKEND] = (struct grid_column){
		.kind = GRID_EVENT, .name = "cycles", .unit = "", .is_cycles = true};
	for (int i = 0; i < 2; i++)
		for (int side = 0; side < 2; side++) {
			set_row(0, "walk", "/p", 4);
			set_cell(BACKEND, 0, 4e9);
			set_row(1, "sum", "/p", 6);
			set_cell(BACKEND, 1, 6e9);
			take_of(side, &cpus);
			compared_sites__end_run(&comparison.sites, side, false);
		}
	judge();
	ck_assert_str_eq(comparison.sites.unit, "cycles");
	ck_assert_double_eq_tol(mean_of("walk", 0), 4e9, 1);
	ck_assert_double_eq_tol(mean_of("all", 1), 1e10, 1);
	comparison__free(&comparison);
}
END_TEST

/* --- How often it is wrong ------------------------------------------------------------------- */

#define FUNCTIONS 12
#define COMPARISONS 400

static uint64_t random_state = 1;

static double uniform(void)
{
	random_state = random_state * 6364136223846793005 + 1442695040888963407;
	return ((random_state >> 11) + 0.5) / (1ULL << 53);
}

static double normal(void)
{
	return sqrt(-2 * log(uniform())) * cos(2 * M_PI * uniform());
}

static int poisson(double mean)
{
	double product = uniform(), limit = exp(-mean);
	int nr = 0;

	for (; product > limit; nr++)
		product *= uniform();
	return nr;
}

/* Make one run. Functions are entered at random times, so their samples vary. */
static void take_random(int side, double slower)
{
	static const double times[FUNCTIONS] = {40, 25, 20, 12, 8, 6, 4, 3, 2, 1.5, 1, 0.5};
	static struct grid_row many[FUNCTIONS + 1];
	static struct grid_cell values[NR_COLUMNS * (FUNCTIONS + 1)];
	static char names[FUNCTIONS][8];
	double sum = 0, all = 0, samples[FUNCTIONS];

	grid.rows = many;
	grid.nr_rows = FUNCTIONS + 1;
	grid.cells = values;
	many[FUNCTIONS].comm = (char *)"0 others";
	for (int i = 0; i < FUNCTIONS; i++) {
		double time = times[i] * (i == 2 ? 1 + side * slower : 1);

		samples[i] = poisson(time);
		sum += samples[i];
		all += time;
	}
	for (size_t i = 0; i < sizeof(values) / sizeof(*values); i++)
		values[i].more = &more;
	for (int i = 0; i < FUNCTIONS; i++) {
		snprintf(names[i], sizeof(names[i]), "f%d", i);
		many[i] = (struct grid_row){.comm = names[i], .object = "/p"};
		set_cell(SHARE, i, 100 * samples[i] / sum);
		set_cell(SAMPLES, i, samples[i]);
		set_cell(BACKEND, i,
			 samples[i] >= 10 ? 40 + 60 * normal() / sqrt(samples[i]) : NAN);
		set_cell(MEMORY, i, samples[i] >= 10 ? 20 + 60 * normal() / sqrt(samples[i]) : NAN);
	}
	grid.user_ns = all * 1e7 * (1 + 0.02 * normal());
	grid.system_ns = 0;
	compared_sites__take(&comparison.sites, side, &grid, &command);
	compared_sites__end_run(&comparison.sites, side, false);
}

/*
 * Compare this many runs. Return: how often an unchanged row is reported as changed; @found: how
 * often f2 is.
 */
static bool compare_random(int runs, double slower, bool *found)
{
	bool wrong = false;

	begin();
	for (int run = 0; run < runs; run++)
		for (int side = 0; side < 2; side++)
			take_random(side, slower);
	judge();
	*found = row_of("f2") && row_of("f2")->with[1].change == CHANGE_MORE;
	for (int i = 0; i < comparison.nr; i++) {
		const struct compared *row = &comparison.at[i];
		bool certain = row->kind && (row->with[1].change == CHANGE_MORE ||
					     row->with[1].change == CHANGE_LESS);

		wrong |= certain && !(slower && (row == row_of("f2") || row == row_of("all")));
	}
	comparison__free(&comparison);
	return wrong;
}

START_TEST(identical_programs_are_called_so)
{
	static const int runs[] = {2, 3, 5, 10, 30};

	more.error = NAN;
	for (int i = 0; i < (int)(sizeof(runs) / sizeof(*runs)); i++) {
		int wrong = 0;
		bool found;

		for (int j = 0; j < COMPARISONS; j++)
			wrong += compare_random(runs[i], 0, &found);
		ck_assert_msg(wrong <= COMPARISONS * 5 / 100,
			      "%d of %d comparisons of %d runs are wrong", wrong, COMPARISONS,
			      runs[i]);
	}
	more.error = 1;
}
END_TEST

START_TEST(a_function_that_is_slower_is_found)
{
	static const struct {
		int runs, least; /* percent of changes that are found */
		double slower;
	} tries[] = {{10, 1, 0.2}, {30, 20, 0.2}, {10, 90, 1}};

	more.error = NAN;
	for (int i = 0; i < (int)(sizeof(tries) / sizeof(*tries)); i++) {
		int wrong = 0, nr = 0;
		bool found;

		for (int j = 0; j < COMPARISONS; j++) {
			wrong += compare_random(tries[i].runs, tries[i].slower, &found);
			nr += found;
		}
		/*
		 * If 5 of 100 were wrong, 400 comparisons would have at most 28 wrong, within two
		 * standard deviations.
		 */
		ck_assert_int_le(wrong, 28);
		ck_assert_int_ge(nr * 100, tries[i].least * COMPARISONS);
	}
	more.error = 1;
}
END_TEST

TMA_TEST_MAIN(verdict_compared_sites, functions_of_a_name_are_the_same_in_programs_of_two_names,
	      rows_are_in_the_order_of_their_differences_after_their_sum,
	      a_function_of_one_side_alone_appeared_or_is_gone,
	      sites_with_few_samples_have_not_appeared,
	      small_functions_are_among_the_others_and_rows_add_up,
	      others_are_counted_where_they_are_known, functions_of_one_name_in_two_files_are_two,
	      clones_are_the_function_that_they_were_made_of, the_program_of_each_side_is_one_file,
	      nodes_of_a_function_that_changed_stand_below_it,
	      a_node_that_one_side_lacks_is_not_compared,
	      parts_of_the_difference_are_told_where_there_is_one,
	      the_time_of_a_run_without_samples_is_of_others, intervals_are_rates_and_become_parts,
	      a_single_run_has_the_error_of_its_samples, without_a_time_cycles_are_compared,
	      identical_programs_are_called_so, a_function_that_is_slower_is_found)
