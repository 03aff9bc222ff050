// SPDX-License-Identifier: GPL-2.0-only
/* Functions and their relation to a way, from a made-up grid. */
#include <math.h>
#include <string.h>

#include "base/array.h"
#include "base/auto.h"
#include "base/sb.h"
#include "grid/grid.h"
#include "grid/part.h"
#include "verdict/way_functions.h"
#include "where/where.h"
#include "unit.h"

enum { SHARE, SAMPLES, RETIRING, BACKEND, MEMORY, CORE, DRAM, NR };
enum { SORT, WALK, SHORT, OTHERS, ROWS };

static struct grid_column columns[NR];
static struct grid_row rows[ROWS];
static struct grid_cell cells[NR * ROWS];
static struct cell_more more[NR * ROWS];
static struct grid grid;
static struct way_node path[] = {
	{.name = (char *)"backend", .unit = (char *)"%", .level = 1, .has_parts = true},
	{.name = (char *)"memory", .unit = (char *)"%", .level = 2, .has_parts = true},
	{.name = (char *)"dram", .unit = (char *)"% stalls", .level = 3},
};
static struct way way;
static struct ways ways;

static void set(int row, int column, double value, double error)
{
	struct grid_cell *cell = grid__cell(&grid, column, row);

	*cell = (struct grid_cell){
		.value = value, .more = &more[column * ROWS + row], .present = true};
	*cell->more = CELL_MORE_NONE;
	cell->more->error = error;
}

/* walk() loses most to memory; sort() loses most of the rest to the core. */
static void begin(int length)
{
	static const struct grid_column all[NR] = {
		[SHARE] = {.name = "share", .unit = "%"},
		[SAMPLES] = {.name = "samples", .unit = ""},
		[RETIRING] = {.name = "retiring", .unit = "%", .share_of = "slots", .level = 1,
			      .parent = -1, .part = PART_RETIRING},
		[BACKEND] = {.name = "backend", .unit = "%", .share_of = "slots", .level = 1,
			     .parent = -1, .part = PART_BACKEND},
		[MEMORY] = {.name = "memory", .unit = "%", .share_of = "slots", .level = 2,
			    .parent = BACKEND, .part = PART_BACKEND},
		[CORE] = {.name = "core", .unit = "%", .share_of = "slots", .level = 2,
			  .parent = BACKEND, .part = PART_BACKEND},
		[DRAM] = {.name = "dram", .unit = "%", .share_of = "stalls", .level = 3,
			  .parent = MEMORY, .part = PART_BACKEND},
	};
	static const struct {
		double values[NR];
	} of[ROWS] = {[SORT] = {{30, 100, 10, 80, 15, 65, 5}},
		      [WALK] = {{60, 200, 12, 85, 75, 10, 60}},
		      [SHORT] = {{8, 30}},
		      [OTHERS] = {{2, 9}}};

	memcpy(columns, all, sizeof(columns));
	for (int i = 0; i < NR; i++)
		columns[i].kind = GRID_METRIC;
	grid = (struct grid){.rows = rows, .nr_rows = ROWS, .columns = columns, .nr_columns = NR,
			     .cells = cells};
	rows[WALK] = (struct grid_row){
		.comm = (char *)"walk", .object = "/bin/walk", .bottleneck = "dram"};
	rows[SORT] = (struct grid_row){
		.comm = (char *)"sort", .object = "/bin/walk", .bottleneck = "core"};
	rows[SHORT] = (struct grid_row){
		.comm = (char *)"short", .object = "/bin/walk", .bottleneck = "core", .near = true};
	rows[OTHERS] = (struct grid_row){.comm = (char *)"7 others", .object = ""};
	for (int row = 0; row < ROWS; row++)
		for (int i = 0; i < NR; i++)
			set(row, i, of[row].values[i], 2);
	way = (struct way){.path.at = path, .path.nr = length};
	ways = (struct ways){.at = &way, .nr = 1};
}

START_TEST(functions_stand_beside_the_way_by_their_own_bottleneck)
{
	const struct way_function *walk, *sort, *last;

	begin(2);
	ways__take_functions(&ways, &grid);
	ck_assert_int_eq(way.functions.nr, 3);
	walk = &way.functions.at[0];
	sort = &way.functions.at[1];
	last = &way.functions.at[2];
	ck_assert_str_eq(walk->name, "walk");
	ck_assert_double_eq(walk->share, 60);
	ck_assert_double_eq(walk->samples, 200);
	/* Its bottleneck is a descendant of the way's end. */
	ck_assert_int_eq(walk->side, FUNCTION_ON_WAY);
	ck_assert_str_eq(walk->nodes.at[walk->limit].name, "dram");
	ck_assert_str_eq(walk->nodes.at[walk->limit].unit, "% stalls");
	ck_assert_int_eq(sort->side, FUNCTION_ASIDE);
	ck_assert_str_eq(sort->nodes.at[sort->limit].name, "core");
	ck_assert(last->near && !last->nodes.nr && last->limit < 0);
	ck_assert_int_eq(last->side, FUNCTION_UNKNOWN);
	way__free_functions(&way);
}
END_TEST

START_TEST(nodes_come_before_what_is_below_them)
{
	static const char *const order[] = {"retiring", "backend", "memory", "dram", "core"};
	const struct way_nodes *nodes;

	begin(2);
	ways__take_functions(&ways, &grid);
	nodes = &way.functions.at[0].nodes;
	ck_assert_int_eq(nodes->nr, array__nr(order));
	for (int i = 0; i < nodes->nr; i++)
		ck_assert_str_eq(nodes->at[i].name, order[i]);
	ck_assert(nodes->at[0].useful && !nodes->at[1].useful);
	way__free_functions(&way);
}
END_TEST

START_TEST(the_deepest_share_of_slots_is_told)
{
	const struct way_node *n;

	begin(3);
	ways__take_functions(&ways, &grid);
	n = way_function__find_telling(&way, &way.functions.at[0]);
	ck_assert_str_eq(n->name, "memory");
	ck_assert_double_eq(n->value, 75);
	way__free_functions(&way);
	/* If the error of a bottleneck is unknown, the bottleneck is not named. */
	set(WALK, MEMORY, 75, NAN);
	ways__take_functions(&ways, &grid);
	ck_assert_str_eq(way_function__find_telling(&way, &way.functions.at[0])->name, "backend");
	way__free_functions(&way);
	begin(0);
	ways__take_functions(&ways, &grid);
	ck_assert_ptr_null(way_function__find_telling(&way, &way.functions.at[0]));
	ck_assert_int_eq(way.functions.at[1].side, FUNCTION_UNKNOWN);
	way__free_functions(&way);
}
END_TEST

START_TEST(each_core_type_has_its_own_bottleneck)
{
	const char *limits[2 * ROWS] = {NULL};
	const char *names[] = {"P", "E"};

	begin(2);
	for (int i = RETIRING; i < NR; i++)
		columns[i].core_name = "E";
	grid.cores.at = names;
	grid.cores.nr = 2;
	grid.bottlenecks = limits;
	limits[ROWS + WALK] = "core";
	way.core_name = (char *)"P";
	ways__take_functions(&ways, &grid);
	ck_assert_int_eq(way.functions.nr, 0);
	way.core_name = (char *)"E";
	ways__take_functions(&ways, &grid);
	ck_assert_str_eq(way.functions.at[0].name, "walk");
	ck_assert_int_eq(way.functions.at[0].side, FUNCTION_ASIDE);
	ck_assert_int_eq(way.functions.at[1].side, FUNCTION_UNKNOWN);
	/* A measurement of another cgroup does not remove these functions. */
	for (int i = RETIRING; i < NR; i++)
		columns[i].cgroup = "/other";
	ways__take_functions(&ways, &grid);
	ck_assert_int_eq(way.functions.nr, 3);
	way__free_functions(&way);
}
END_TEST

START_TEST(siblings_of_each_node_are_measured_once)
{
	auto_free(sb) groups = SB_INIT;
	struct way two[] = {{.path.at = path, .path.nr = 3}, {.path.at = path, .path.nr = 3}};

	ways = (struct ways){.at = two, .nr = 2};
	sb__puts(&groups, "TopdownL1");
	ck_assert(ways__add_siblings(&ways, 1, &groups));
	ck_assert_str_eq(sb__str(&groups), "TopdownL1,backend_group");
	ck_assert(ways__add_siblings(&ways, 2, &groups));
	ck_assert_str_eq(sb__str(&groups), "TopdownL1,backend_group,memory_group");
	ck_assert(!ways__add_siblings(&ways, 2, &groups));
	ck_assert(!ways__add_siblings(&ways, 3, &groups));
}
END_TEST

static struct where_place place(const char *function, const char *into, double weight)
{
	return (struct where_place){.function = (char *)function, .into = (char *)into,
				    .object = (char *)"/bin/walk", .weights = {weight, 1}};
}

START_TEST(the_largest_function_is_of_all_its_lines)
{
	struct where_place at[] = {
		place("walk", "", 30), place("", "", 25), place("", "", 20), place("next", "walk", 25),
	};
	struct where w = {.at = at, .nr = array__nr(at), .weights = {100, 0}};

	ck_assert_double_eq(where__largest_function(&w, 0), 55);
	ck_assert_double_eq(where__largest_function(&w, 1), 0);
}
END_TEST

TMA_TEST_MAIN(verdict_way_functions, functions_stand_beside_the_way_by_their_own_bottleneck,
	      nodes_come_before_what_is_below_them, the_deepest_share_of_slots_is_told,
	      each_core_type_has_its_own_bottleneck, siblings_of_each_node_are_measured_once,
	      the_largest_function_is_of_all_its_lines)
