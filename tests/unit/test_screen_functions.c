// SPDX-License-Identifier: GPL-2.0-only
/* tma top's model shows functions: the tests put in grids and keys, and check the canvases. */
#include <math.h>
#include <string.h>

#include "base/sb.h"
#include "base/text.h"
#include "grid/grid.h"
#include "screen/canvas.h"
#include "screen/screen.h"
#include "screen/top.h"
#include "unit.h"

enum { SHARE, RETIRING, FRONTEND, BAD, BACKEND, MEMORY, NR_COLUMNS };
enum { F0, F1, F2, OTHERS, NR_ROWS };

static const char *const names[NR_COLUMNS] = {
	"share", "tma_retiring", "tma_frontend_bound", "tma_bad_speculation", "tma_backend_bound",
	"tma_memory_bound"};
static struct grid grid;
static struct grid_row rows[NR_ROWS];
static struct top *top;
static struct top_options options;
static struct sb screen = SB_INIT;

static int no_parts(void *arg, const char *name)
{
	(void)arg;
	(void)name;
	return 0;
}

static struct grid_cell *cell(int column, int row)
{
	return grid__cell(&grid, column, row);
}

static void fill(int column, int row, double value, double error, int threshold)
{
	struct grid_cell *c = cell(column, row);

	*c = (struct grid_cell){.value = value, .threshold = threshold, .more = c->more,
				.status = isnan(value) ? CELL_NO_VALUE : CELL_COUNTED};
	c->more->error = error;
}

/* Set a function's share of cycles, its slots at level 1, and the slots that it loses to memory. */
static void fill_row(int row, const double *values)
{
	for (int i = 0; i < NR_COLUMNS; i++)
		fill(i, row, values[i], 2, i > RETIRING && values[i] > 20);
}

static void make_grid(void)
{
	grid = (struct grid){.aggr = AGGR_FUNCTION, .wants = WANT_ERRORS, .rows = rows,
			     .nr_rows = NR_ROWS};
	for (int i = 0; i < NR_COLUMNS; i++) {
		struct grid_column *c = grid__add(&grid, GRID_METRIC);

		c->name = names[i];
		c->unit = "%";
		c->parent = i == MEMORY ? BACKEND : -1;
		c->level = i == SHARE ? 0 : i == MEMORY ? 2 : 1;
		c->part = i == SHARE ? PART_NONE : i == MEMORY ? PART_BACKEND : (enum grid_part)i;
	}
	/* Children are in the order of their columns. */
	ck_assert_int_eq(grid.columns[BACKEND].part, PART_BACKEND);
	grid__allocate(&grid);
}

static void begin(enum top_rows of)
{
	rows[F0] = (struct grid_row){.comm = (char *)"parse", .object = "/usr/bin/program"};
	rows[F1] = (struct grid_row){.comm = (char *)"walk", .object = "/usr/lib/libwalk.so.1",
				     .bottleneck = "tma_memory_bound"};
	rows[F2] = (struct grid_row){.comm = (char *)"memcpy", .object = "/usr/lib/libc.so.6",
				     .near = true};
	rows[OTHERS] = (struct grid_row){.comm = (char *)"7 others", .object = ""};
	make_grid();
	fill_row(F0, (double[]){30, 80, 5, 3, 12, 4});
	fill_row(F1, (double[]){45.5, 20, 8, 2, 70, 61});
	fill_row(F2, (double[]){15, NAN, NAN, NAN, NAN, NAN});
	fill_row(OTHERS, (double[]){9.5, NAN, NAN, NAN, NAN, NAN});
	options = (struct top_options){.interval_ms = 1000, .functions_ms = 10000, .rows = of,
				       .utf8 = true, .machine = "cpu", .cpus = 2,
				       .nr_parts = no_parts};
	top = top__new(&options);
}

static void end(void)
{
	top__free(top);
	grid__free(&grid);
	sb__free(&screen);
}

/* Return: the screen as text. Its lines are checked not to be too wide. */
static const char *look(int width, int height)
{
	struct canvas canvas = {.width = 0};

	sb__clear(&screen);
	canvas__resize(&canvas, width, height);
	top__draw(top, &canvas);
	for (int i = 0; i < height; i++) {
		size_t before = screen.len;

		canvas__line(&canvas, i, &screen);
		ck_assert_int_le(text__width(sb__str(&screen) + before), width);
		sb__putc(&screen, '\n');
	}
	canvas__free(&canvas);
	return sb__str(&screen);
}

/* Find the line of the screen that begins with a text. */
static const char *line_of(const char *text, const char *begins)
{
	static char line[512];
	size_t len;

	for (; *text; text += strcspn(text, "\n"), text += *text == '\n')
		if (text__has_prefix(text, begins)) {
			len = strcspn(text, "\n");
			memcpy(line, text, len);
			line[len] = '\0';
			return line;
		}
	ck_abort_msg("no line begins with '%s'", begins);
	return "";
}

static int place_of(const char *text, const char *words)
{
	const char *at = strstr(text, words);

	ck_assert_msg(at, "no '%s' in '%s'", words, text);
	return at - text;
}

START_TEST(functions_have_their_share_and_slots_and_are_sorted_by_share)
{
	const char *text, *head;

	begin(TOP_FUNCTIONS);
	top__take_rows(top, &grid);
	text = look(120, 30);
	ck_assert(strstr(text, "functions of all processes, estimated from samples of the last 10 s"));
	ck_assert_int_lt(place_of(text, "\nwalk "), place_of(text, "\nparse "));
	ck_assert_int_lt(place_of(text, "\nparse "), place_of(text, "\nmemcpy "));
	head = line_of(text, "FUNCTION");
	ck_assert_int_lt(place_of(head, "RETIRING"), place_of(head, "FRONT END"));
	ck_assert_int_lt(place_of(head, "FRONT END"), place_of(head, "BAD SPEC"));
	ck_assert_int_lt(place_of(head, "BAD SPEC"), place_of(head, "BACK END"));
	/* On AMD, a different child is the largest. */
	ck_assert(!strstr(head, "OTHER"));
	head = line_of(text, "walk");
	ck_assert_int_lt(place_of(head, "45.5 %"), place_of(head, " 20 "));
	ck_assert_int_lt(place_of(head, " 70 "), place_of(head, "tma_memory_bound"));
	ck_assert_int_lt(place_of(head, "tma_memory_bound"), place_of(head, "61.0 %"));
	ck_assert_int_lt(place_of(head, "61.0 %"), place_of(head, "libwalk.so.1"));
	end();
}
END_TEST

START_TEST(shares_and_others_are_all)
{
	begin(TOP_FUNCTIONS);
	top__take_rows(top, &grid);
	ck_assert(strstr(line_of(look(100, 30), "others"), " 9.5 %"));
	/* The rest includes functions for which there is no room. */
	ck_assert(strstr(line_of(look(100, 12), "others"), " 24.5 %"));
	end();
}
END_TEST

START_TEST(near_functions_have_no_values)
{
	const char *line;

	begin(TOP_FUNCTIONS);
	top__take_rows(top, &grid);
	line = line_of(look(120, 30), "memcpy");
	ck_assert(strstr(line, "15.0 %"));
	ck_assert(strstr(line, "near: samples may be another function's"));
	ck_assert(strstr(line, "libc.so.6"));
	line = line_of(look(40, 18), "memcpy");
	ck_assert_str_eq(line + strlen(line) - 4, "near");
	end();
}
END_TEST

START_TEST(words_stand_where_nothing_is_certain)
{
	const char *text;

	begin(TOP_FUNCTIONS);
	rows[F1].bottleneck = NULL;
	fill_row(F0, (double[]){30, NAN, NAN, NAN, NAN, NAN});
	top__take_rows(top, &grid);
	text = look(100, 30);
	ck_assert(strstr(line_of(text, "walk"), "not certain"));
	ck_assert(strstr(line_of(text, "parse"), "few samples"));
	end();
}
END_TEST

START_TEST(useful_work_is_named_where_all_else_is_known)
{
	begin(TOP_FUNCTIONS);
	top__take_rows(top, &grid);
	ck_assert(strstr(line_of(look(100, 30), "parse"), "tma_retiring"));
	fill(BACKEND, F0, NAN, NAN, -1);
	top__take_rows(top, &grid);
	ck_assert(strstr(line_of(look(100, 30), "parse"), "not certain"));
	fill(BACKEND, F0, 12, 2, 0);
	fill(RETIRING, F0, 80, 30, -1);
	top__take_rows(top, &grid);
	ck_assert(strstr(line_of(look(100, 30), "parse"), "not certain"));
	end();
}
END_TEST

START_TEST(values_below_0_by_their_error_are_0)
{
	begin(TOP_FUNCTIONS);
	fill(BAD, F1, -1.6, 2, 0);
	top__take_rows(top, &grid);
	ck_assert(strstr(line_of(look(120, 30), "walk"), " 0 "));
	fill(BAD, F1, -2.6, 2, 0);
	top__take_rows(top, &grid);
	ck_assert(strstr(line_of(look(120, 30), "walk"), " -3 "));
	end();
}
END_TEST

START_TEST(no_size_cuts_words_of_functions)
{
	static const int sizes[][2] = {{40, 12}, {60, 15},  {80, 24}, {90, 30},
				       {100, 30}, {120, 40}, {200, 50}, {1, 1}, {20, 5}};

	begin(TOP_FUNCTIONS);
	for (int taken = 0; taken < 2; taken++) {
		for (size_t i = 0; i < sizeof(sizes) / sizeof(*sizes); i++) {
			const char *text = look(sizes[i][0], sizes[i][1]);

			ck_assert(sizes[i][0] < 40 || !strstr(text, "…"));
			ck_assert(sizes[i][0] < 40 || strstr(text, "functions of all processes"));
			ck_assert(sizes[i][0] < 90 || strstr(text, "  FILE"));
		}
		top__take_rows(top, &grid);
	}
	end();
}
END_TEST

START_TEST(a_hybrid_machine_shows_the_type_that_the_bottleneck_is_on)
{
	begin(TOP_FUNCTIONS);
	/*
	 * The first level in the grid belongs to the second core type; the first core type has no
	 * values.
	 */
	vec__push(&grid.cores, "cpu_atom");
	vec__push(&grid.cores, "cpu_core");
	for (int i = RETIRING; i < NR_COLUMNS; i++)
		grid.columns[i].core = 1;
	top__take_rows(top, &grid);
	ck_assert(strstr(line_of(look(120, 30), "walk"), "tma_memory_bound"));
	ck_assert(strstr(line_of(look(120, 30), "walk"), " 70 "));
	end();
}
END_TEST

/* --- Keys ------------------------------------------------------------------------------------ */

/* Rows are processes: a grid of threads whose counts are added up. */
static void take_processes(void)
{
	static struct grid_row places[2];
	struct grid g = {.aggr = AGGR_THREAD, .wants = WANT_ERRORS, .rows = places, .nr_rows = 2,
			 .elapsed_ns = 1000000000};
	struct grid_column *c = grid__add(&g, GRID_EVENT);

	c->name = "task-clock";
	for (int i = 0; i < 2; i++) {
		places[i] = (struct grid_row){.comm = (char *)(i ? "busy" : "lazy")};
		places[i].at[PLACE_THREAD] = 100 + i;
	}
	grid__allocate(&g);
	for (int i = 0; i < 2; i++) {
		struct grid_cell *at = grid__cell(&g, 0, i);

		at->count = at->value = 100000000 * (1 + 8 * i);
	}
	top__take_rows(top, &g);
	grid__free(&g);
}

START_TEST(f_shows_functions_of_all_and_goes_back)
{
	begin(TOP_PROCESSES);
	take_processes();
	ck_assert_int_eq(top__rows(top), TOP_PROCESSES);
	ck_assert_int_eq(top__key(top, 'f'), TOP_ROWS);
	ck_assert_int_eq(top__rows(top), TOP_FUNCTIONS);
	ck_assert_int_eq(top__process(top), 0);
	ck_assert(!strstr(look(80, 24), "busy"));
	ck_assert(strstr(look(80, 24), "functions come with the next interval"));
	ck_assert_int_eq(top__key(top, 'f'), TOP_ROWS);
	ck_assert_int_eq(top__rows(top), TOP_PROCESSES);
	ck_assert_int_eq(top__key(top, KEY_ESCAPE), TOP_NOTHING);
	end();
}
END_TEST

START_TEST(the_selected_process_shows_its_functions)
{
	begin(TOP_PROCESSES);
	take_processes();
	/* Without Tab, keys do not move in the rows. */
	ck_assert_int_eq(top__key(top, KEY_ENTER), TOP_NOTHING);
	top__key(top, KEY_TAB);
	top__key(top, KEY_DOWN);
	ck_assert_int_eq(top__key(top, KEY_ENTER), TOP_ROWS);
	ck_assert_int_eq(top__process(top), 100);
	ck_assert(strstr(look(80, 24), "functions of 100 lazy"));
	/* Going back leads to the old place. */
	ck_assert_int_eq(top__key(top, KEY_ESCAPE), TOP_ROWS);
	take_processes();
	ck_assert_int_eq(top__key(top, 'f'), TOP_ROWS);
	ck_assert_int_eq(top__process(top), 100);
	end();
}
END_TEST

START_TEST(a_process_that_ended_leaves_the_functions_of_all)
{
	const char *text;

	begin(TOP_PROCESSES);
	take_processes();
	top__key(top, KEY_TAB);
	top__key(top, KEY_ENTER);
	ck_assert_int_eq(top__process(top), 101);
	top__take_rows(top, &grid);
	top__leave_process(top);
	ck_assert_int_eq(top__process(top), 0);
	ck_assert_int_eq(top__rows(top), TOP_FUNCTIONS);
	text = look(80, 24);
	ck_assert(strstr(text, "101 busy has ended: functions of all processes are shown"));
	ck_assert(!strstr(text, "walk"));
	end();
}
END_TEST

START_TEST(arrows_move_in_the_rows_after_tab_and_keep_them_in_sight)
{
	begin(TOP_FUNCTIONS);
	top__take_rows(top, &grid);
	/* There is room for two rows and the rest. */
	ck_assert(!strstr(look(100, 12), "memcpy"));
	top__key(top, KEY_TAB);
	top__key(top, KEY_END);
	ck_assert(strstr(look(100, 12), "memcpy"));
	ck_assert(!strstr(look(100, 12), "walk"));
	top__key(top, KEY_HOME);
	ck_assert(strstr(look(100, 12), "walk"));
	end();
}
END_TEST

START_TEST(functions_are_filtered_by_name_and_file_and_sorted)
{
	begin(TOP_FUNCTIONS);
	top__take_rows(top, &grid);
	top__key(top, '/');
	for (const char *key = "libwalk"; *key; key++)
		top__key(top, *key);
	top__key(top, KEY_ENTER);
	ck_assert(strstr(look(100, 30), "\nwalk "));
	ck_assert(!strstr(look(100, 30), "\nparse "));
	top__key(top, '/');
	top__key(top, KEY_ESCAPE);
	ck_assert(strstr(look(160, 30), "sorted by SHARE"));
	top__key(top, 's');
	ck_assert(strstr(look(160, 30), "sorted by name"));
	ck_assert_int_lt(place_of(look(100, 30), "\nmemcpy "), place_of(look(100, 30), "\nwalk "));
	end();
}
END_TEST

START_TEST(the_title_says_what_may_not_be_sampled)
{
	begin(TOP_FUNCTIONS);
	top__set_user_part(top, true);
	top__take_rows(top, &grid);
	ck_assert(strstr(look(100, 30), "functions of all processes, user part alone, estimated"));
	end();
}
END_TEST

TMA_TEST_MAIN(functions, functions_have_their_share_and_slots_and_are_sorted_by_share,
	      shares_and_others_are_all, near_functions_have_no_values,
	      words_stand_where_nothing_is_certain, useful_work_is_named_where_all_else_is_known,
	      values_below_0_by_their_error_are_0, no_size_cuts_words_of_functions,
	      a_hybrid_machine_shows_the_type_that_the_bottleneck_is_on,
	      f_shows_functions_of_all_and_goes_back, the_selected_process_shows_its_functions,
	      a_process_that_ended_leaves_the_functions_of_all,
	      arrows_move_in_the_rows_after_tab_and_keep_them_in_sight,
	      functions_are_filtered_by_name_and_file_and_sorted,
	      the_title_says_what_may_not_be_sampled)
