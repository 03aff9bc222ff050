// SPDX-License-Identifier: GPL-2.0-only
/*
 * Counters of the whole, of cgroups that come and go, and of the rest: they add up, and never
 * decrease.
 */
#include <math.h>
#include <string.h>

#include "grid/grid.h"
#include "report/cgroup_slots.h"
#include "unit.h"

enum { TOTAL, BACKEND, RETIRING, NODES, OTHER_METRIC = NODES, NR };
enum { MOST = 8 };

/*
 * A grid like that of a measurement: nodes of each cgroup, or nodes of the whole and one metric
 * more.
 */
struct counted {
	struct grid grid;
	struct grid_column columns[MOST * NODES];
	struct grid_cell cells[MOST * NODES];
	struct cell_more more[MOST * NODES];
};

static struct counted whole, cgroups;
static struct grid_row rows[1];
static struct cgroup_slots *slots;

static void add_column(struct counted *c, int node, int first, const char *cgroup)
{
	static const char *const names[NR] = {"total", "backend", "retiring", "ipc"};
	int i = c->grid.nr_columns++;

	c->columns[i] = (struct grid_column){
		.kind = node == TOTAL ? GRID_WHOLE : GRID_METRIC,
		.name = names[node],
		.unit = node == TOTAL ? "" : "%",
		.cgroup = cgroup,
		.tree_pmu = "cpu",
		.parent = -1,
		.whole = node == OTHER_METRIC ? -1 : first,
	};
	c->cells[i] = (struct grid_cell){.more = &c->more[i]};
	c->more[i] = (struct cell_more){.slots = NAN, .percent = 100, .error_slots = NAN};
}

static void begin_grid(struct counted *c)
{
	*c = (struct counted){.grid = {.columns = c->columns,
				       .cells = c->cells,
				       .rows = rows,
				       .nr_rows = 1,
				       .wants = WANT_SLOTS,
				       .span = SPAN_INTERVAL}};
}

static void begin(int remembered)
{
	begin_grid(&whole);
	/* Columns and cgroups are in different orders. */
	add_column(&whole, OTHER_METRIC, 0, NULL);
	for (int node = 0; node < NODES; node++)
		add_column(&whole, node, 1, NULL);
	slots = cgroup_slots__new(&whole.grid, "other", remembered);
}

/* The state in which "tma stat --for-each-cgroup" starts: all its counters are 0. */
static void choose(const char *const *names, int nr)
{
	begin_grid(&cgroups);
	for (int i = 0; i < nr; i++)
		for (int node = 0; node < NODES; node++)
			add_column(&cgroups, node, i * NODES, names[i]);
	cgroup_slots__choose(slots, names, nr);
}

static void put(struct counted *c, int first, double backend, double retiring)
{
	const double more[NODES] = {backend + retiring, backend, retiring};

	for (int node = 0; node < NODES; node++) {
		double *to = &c->more[first + node].slots;

		*to = (isfinite(*to) ? *to : 0) + more[node];
		c->cells[first + node].value = 1;
	}
}

static double slots_of(const char *cgroup, const char *name)
{
	const struct grid *g = cgroup_slots__grid(slots);

	for (int i = 0; i < g->nr_columns; i++)
		if (!strcmp(g->columns[i].name, name) &&
		    !strcmp(g->columns[i].cgroup ?: "", cgroup) &&
		    grid__cell(g, i, 0)->status != CELL_ABSENT)
			return grid__cell(g, i, 0)->more->slots;
	return NAN;
}

static void expect(const char *cgroup, double backend, double retiring)
{
	ck_assert_double_eq_tol(slots_of(cgroup, "backend"), backend, 1e-6);
	ck_assert_double_eq_tol(slots_of(cgroup, "retiring"), retiring, 1e-6);
	ck_assert_double_eq_tol(slots_of(cgroup, "total"), backend + retiring, 1e-6);
}

START_TEST(the_rest_is_what_no_cgroup_has)
{
	static const char *const names[] = {"a", "b"};

	begin(10);
	choose(names, 2);
	put(&whole, 1, 600, 400);
	put(&cgroups, 0, 100, 200);
	put(&cgroups, NODES, 300, 50);
	cgroup_slots__add(slots, &cgroups.grid);
	expect("", 600, 400);
	expect("a", 100, 200);
	expect("b", 300, 50);
	expect("other", 200, 150);
	cgroup_slots__free(slots);
}
END_TEST

START_TEST(one_that_returns_goes_on_where_it_was)
{
	static const char *const first[] = {"a"}, *const second[] = {"b"};

	begin(10);
	choose(first, 1);
	put(&whole, 1, 600, 400);
	put(&cgroups, 0, 100, 200);
	cgroup_slots__add(slots, &cgroups.grid);
	choose(second, 1);
	put(&whole, 1, 600, 400);
	put(&cgroups, 0, 10, 20);
	cgroup_slots__add(slots, &cgroups.grid);
	/* The cgroup's series ends. Its slots are not added to the rest. */
	ck_assert(isnan(slots_of("a", "total")));
	expect("b", 10, 20);
	expect("other", 1090, 580);
	choose(first, 1);
	put(&whole, 1, 600, 400);
	put(&cgroups, 0, 1, 2);
	cgroup_slots__add(slots, &cgroups.grid);
	expect("a", 101, 202);
	expect("other", 1689, 978);
	cgroup_slots__free(slots);
}
END_TEST

START_TEST(a_forgotten_cgroup_begins_at_0_and_is_not_in_the_rest)
{
	static const char *const names[] = {"a", "b", "c"};

	begin(1);
	for (int i = 0; i < 3; i++) {
		choose(&names[i], 1);
		put(&whole, 1, 600, 400);
		put(&cgroups, 0, 100, 200);
		cgroup_slots__add(slots, &cgroups.grid);
		expect("other", 500 * (i + 1), 200 * (i + 1));
	}
	choose(names, 1);
	put(&whole, 1, 600, 400);
	put(&cgroups, 0, 1, 2);
	cgroup_slots__add(slots, &cgroups.grid);
	expect("a", 1, 2);
	expect("other", 2099, 998);
	cgroup_slots__free(slots);
}
END_TEST

START_TEST(a_row_without_cgroups_is_the_rest_s)
{
	static const char *const names[] = {"a"};

	begin(10);
	choose(names, 1);
	put(&whole, 1, 600, 400);
	cgroup_slots__add(slots, NULL);
	ck_assert(isnan(slots_of("a", "total")));
	expect("other", 600, 400);
	cgroup_slots__free(slots);
}
END_TEST

/*
 * Estimates of cgroups may add up to more slots than the whole machine had. The total of all other
 * tasks then does not increase for some rows.
 */
START_TEST(the_rest_never_runs_backwards)
{
	static const char *const names[] = {"a"};

	begin(10);
	choose(names, 1);
	put(&whole, 1, 600, 400);
	put(&cgroups, 0, 500, 350);
	cgroup_slots__add(slots, &cgroups.grid);
	expect("other", 100, 50);
	put(&whole, 1, 600, 400);
	put(&cgroups, 0, 650, 450);
	cgroup_slots__add(slots, &cgroups.grid);
	expect("other", 100, 50);
	put(&whole, 1, 600, 400);
	put(&cgroups, 0, 450, 300);
	cgroup_slots__add(slots, &cgroups.grid);
	expect("other", 200, 100);
	cgroup_slots__free(slots);
}
END_TEST

START_TEST(random_rows_are_monotonic_and_bounded)
{
	static const char *const all[] = {"a", "b", "c", "d", "e"};
	double last[6][NODES] = {{0}};

	srand(1);
	begin(3);
	for (int i = 0; i < 5000; i++) {
		const char *chosen[2] = {all[rand() % 2], all[2 + rand() % 3]};
		const struct grid *g;

		if (i % 7 == 0)
			choose(chosen, 2);
		put(&whole, 1, rand() % 1000, rand() % 1000);
		put(&cgroups, 0, rand() % 600, rand() % 600);
		put(&cgroups, NODES, rand() % 600, rand() % 600);
		cgroup_slots__add(slots, i % 11 ? &cgroups.grid : NULL);
		g = cgroup_slots__grid(slots);
		ck_assert_int_eq(g->nr_columns, NR + 3 * NODES);
		for (int node = 0; node < NODES; node++) {
			const char *name = whole.columns[1 + node].name;
			double rest = slots_of("other", name);

			ck_assert(rest >= last[5][node]);
			last[5][node] = rest;
		}
		ck_assert_double_eq_tol(slots_of("other", "total"), slots_of("other", "backend") +
					slots_of("other", "retiring"), 1);
	}
	cgroup_slots__free(slots);
}
END_TEST

TMA_TEST_MAIN(report_cgroup_slots, the_rest_is_what_no_cgroup_has,
	      one_that_returns_goes_on_where_it_was,
	      a_forgotten_cgroup_begins_at_0_and_is_not_in_the_rest,
	      a_row_without_cgroups_is_the_rest_s, the_rest_never_runs_backwards,
	      random_rows_are_monotonic_and_bounded)
