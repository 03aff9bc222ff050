// SPDX-License-Identifier: GPL-2.0-only
#include "report/cgroup_slots.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "base/vec.h"
#include "base/xalloc.h"
#include "grid/grid.h"
#include "report/slots.h"

/**
 * struct kept_cgroup - a cgroup that is or was counted
 * @before: for each node, slots in measurements that have ended
 * @now:    for each node, slots in the current measurement
 * @begun:  for each node, whether it had a value in some row
 * @chosen: number of the last choice that contained the cgroup
 */
struct kept_cgroup {
	char *name;
	double *before, *now;
	bool *begun;
	unsigned int chosen;
};

/**
 * struct cgroup_slots - the state between rows
 * @nodes, @nr_nodes: the columns of the whole that are nodes or all slots
 * @kept: cgroups, of which the last @nr are counted now
 * @found: at[cgroup * nr_nodes + node]: the column in the current measurement; -1 if absent
 * @found_in: grid of the measurement that @found is for
 * @last:  for each node, slots of the whole minus slots of the kept cgroups, in the previous row
 * @owed:  for each node, slots of the rest that are not in its counters yet
 * @rest:  a grid of the nodes of the rest; @slots: the counters of this grid
 * @all:   the resulting grid: the columns of the whole, then the nodes of each cgroup and of the
 *         rest
 */
struct cgroup_slots {
	const struct grid *whole;
	const char *rest_name;
	int remembered, *nodes, nr_nodes, nr, *found;
	const struct grid *found_in;
	VEC(struct kept_cgroup) kept;
	unsigned int choices;
	double *last, *owed;
	struct grid rest, all;
	struct slots *slots;
};

/* --- The grids ------------------------------------------------------------------------------- */

/* Add the nodes of a cgroup, in the order of @nodes, after column @first. */
static void add_nodes(const struct cgroup_slots *s, struct grid *g, const char *cgroup, int number)
{
	int first = g->nr_columns;

	for (int i = 0; i < s->nr_nodes; i++) {
		const struct grid_column *from = &s->whole->columns[s->nodes[i]];
		struct grid_column *c = grid__add(g, from->kind);

		*c = *from;
		c->cgroup = cgroup;
		c->cgroup_number = number;
		c->parent = -1;
		for (int k = 0; k < s->nr_nodes; k++) {
			if (s->nodes[k] == from->whole)
				c->whole = first + k;
			if (s->nodes[k] == from->parent)
				c->parent = first + k;
		}
	}
}

static void begin_grid(const struct cgroup_slots *s, struct grid *g)
{
	*g = (struct grid){.aggr = s->whole->aggr,
			   .wants = s->whole->wants & ~WANT_ERRORS,
			   .rows = s->whole->rows,
			   .nr_rows = 1,
			   .span = SPAN_INTERVAL};
}

/*
 * Make the grid of everything. Formats use some facts in it, which are copied from the whole's
 * grid.
 */
static void make_all(struct cgroup_slots *s)
{
	const struct grid *whole = s->whole;
	struct grid *g = &s->all;

	grid__free(g);
	begin_grid(s, g);
	g->wants = whole->wants;
	g->has_events = whole->has_events;
	g->counts_cpus = whole->counts_cpus;
	g->has_cgroups = true;
	vec__push(&g->cgroups, "");
	for (int i = 0; i < whole->nr_columns; i++)
		*grid__add(g, whole->columns[i].kind) = whole->columns[i];
	for (int i = 0; i <= s->nr; i++) {
		const char *name = i < s->nr ? s->kept.at[s->kept.nr - s->nr + i].name
					     : s->rest_name;

		vec__push(&g->cgroups, name);
		add_nodes(s, g, name, i + 1);
	}
	grid__allocate(g);
	for (int i = whole->nr_columns; i < g->nr_columns; i++) {
		*g->cells[i].more = s->rest.more[0];
		g->cells[i].status = CELL_ABSENT;
	}
}

struct cgroup_slots *cgroup_slots__new(const struct grid *whole, const char *rest, int remembered)
{
	struct cgroup_slots *s = xcalloc(1, sizeof(*s));

	s->whole = whole;
	s->rest_name = rest;
	s->remembered = remembered;
	s->nodes = xcalloc(whole->nr_columns + 1, sizeof(*s->nodes));
	for (int i = 0; i < whole->nr_columns; i++)
		if (whole->columns[i].whole >= 0)
			s->nodes[s->nr_nodes++] = i;
	s->last = xcalloc(s->nr_nodes + 1, sizeof(*s->last));
	s->owed = xcalloc(s->nr_nodes + 1, sizeof(*s->owed));
	begin_grid(s, &s->rest);
	add_nodes(s, &s->rest, rest, 0);
	grid__allocate(&s->rest);
	for (int i = 0; i < s->nr_nodes; i++)
		*s->rest.cells[i].more = s->rest.more[0];
	s->slots = slots__new(&s->rest);
	make_all(s);
	return s;
}

static void free_kept(struct kept_cgroup *k)
{
	free(k->name);
	free(k->before);
	free(k->now);
	free(k->begun);
}

void cgroup_slots__free(struct cgroup_slots *s)
{
	struct kept_cgroup *k;

	if (!s)
		return;
	vec__for_each(k, &s->kept)
		free_kept(k);
	vec__free(&s->kept);
	slots__free(s->slots);
	grid__free(&s->rest);
	grid__free(&s->all);
	free(s->found);
	free(s->nodes);
	free(s->last);
	free(s->owed);
	free(s);
}

/* --- Which are counted ----------------------------------------------------------------------- */

static void cgroup_slots__keep(struct cgroup_slots *s, const char *name)
{
	struct kept_cgroup *was = vec__find(k, &s->kept, !strcmp(k->name, name)), cgroup;

	if (was) {
		/* Move the cgroup to the end, after cgroups that are not counted. */
		cgroup = *was;
		memmove(was, was + 1, (s->kept.at + --s->kept.nr - was) * sizeof(*was));
	} else {
		cgroup = (struct kept_cgroup){
			.name = xstrdup(name),
			.before = xcalloc(s->nr_nodes + 1, sizeof(*cgroup.before)),
			.now = xcalloc(s->nr_nodes + 1, sizeof(*cgroup.now)),
			.begun = xcalloc(s->nr_nodes + 1, sizeof(*cgroup.begun)),
		};
	}
	cgroup.chosen = s->choices;
	vec__push(&s->kept, cgroup);
}

/*
 * Forget the cgroups that were chosen longest ago, which come first. The rest does not get their
 * former slots.
 */
static void cgroup_slots__forget(struct cgroup_slots *s)
{
	int nr = s->kept.nr - s->remembered;

	while (nr-- > 0 && s->kept.at[0].chosen != s->choices) {
		for (int i = 0; i < s->nr_nodes; i++)
			s->last[i] += s->kept.at[0].before[i];
		free_kept(&s->kept.at[0]);
		memmove(s->kept.at, s->kept.at + 1, --s->kept.nr * sizeof(*s->kept.at));
	}
}

void cgroup_slots__choose(struct cgroup_slots *s, const char *const *names, int nr)
{
	struct kept_cgroup *k;

	vec__for_each(k, &s->kept)
		for (int i = 0; i < s->nr_nodes; i++) {
			k->before[i] += k->now[i];
			k->now[i] = 0;
		}
	s->choices++;
	for (int i = 0; i < nr; i++)
		cgroup_slots__keep(s, names[i]);
	s->nr = nr;
	cgroup_slots__forget(s);
	s->found_in = NULL;
	make_all(s);
}

/* --- Rows ------------------------------------------------------------------------------------ */

static bool is_same_node(const struct grid_column *a, const struct grid_column *b)
{
	return a->kind == b->kind && b->whole >= 0 && !strcmp(a->name, b->name) &&
	       text__same(a->tree_pmu, b->tree_pmu);
}

/*
 * Find the nodes in the grid of a measurement of cgroups, whose columns may differ from the
 * whole's.
 */
static void find_columns(struct cgroup_slots *s, const struct grid *counted)
{
	s->found = xreallocarray(s->found, (size_t)s->nr * s->nr_nodes + 1, sizeof(*s->found));
	s->found_in = counted;
	for (int i = 0; i < s->nr * s->nr_nodes; i++) {
		const char *name = s->kept.at[s->kept.nr - s->nr + i / s->nr_nodes].name;
		const struct grid_column *like = &s->whole->columns[s->nodes[i % s->nr_nodes]];
		int column = counted->nr_columns - 1;

		while (column >= 0 && (!text__same(counted->columns[column].cgroup, name) ||
				       !is_same_node(like, &counted->columns[column])))
			column--;
		s->found[i] = column;
	}
}

static void take_cgroup(struct cgroup_slots *s, int cgroup, const struct grid *counted)
{
	struct kept_cgroup *k = &s->kept.at[s->kept.nr - s->nr + cgroup];

	for (int i = 0; i < s->nr_nodes; i++) {
		int column = counted ? s->found[cgroup * s->nr_nodes + i] : -1;
		const struct grid_cell *from = column < 0 ? NULL : grid__cell(counted, column, 0);
		struct grid_cell *to =
			&s->all.cells[s->whole->nr_columns + cgroup * s->nr_nodes + i];
		struct cell_more *more = to->more;

		if (!from) {
			to->status = CELL_ABSENT;
			continue;
		}
		if (isfinite(from->more->slots)) {
			k->now[i] = from->more->slots;
			k->begun[i] = true;
		}
		*to = *from;
		to->more = more;
		*more = *from->more;
		more->slots = k->begun[i] ? k->before[i] + k->now[i] : NAN;
		more->error_slots = NAN;
	}
}

/* Give the rest the slots since the last row that the whole had and the cgroups did not have. */
static void find_rest(struct cgroup_slots *s)
{
	for (int i = 0; i < s->nr_nodes; i++) {
		double own = grid__cell(s->whole, s->nodes[i], 0)->more->slots;
		struct kept_cgroup *k;

		own = isfinite(own) ? own : 0;
		vec__for_each(k, &s->kept)
			own -= k->before[i] + k->now[i];
		s->owed[i] += own - s->last[i];
		s->last[i] = own;
	}
}

/*
 * Hold back the nodes of a tree until the rest has slots of the tree: before, they are shares of 0.
 */
static void take_rest(struct cgroup_slots *s)
{
	struct grid *g = &s->rest;

	for (int i = 0; i < s->nr_nodes; i++) {
		const struct grid_column *c = &g->columns[i];
		double all = s->owed[c->whole];

		g->cells[i].status = CELL_SCALED;
		if (c->kind == GRID_WHOLE)
			g->cells[i].value = fmax(all, 0);
		else
			g->cells[i].value = all > 0 ? s->owed[i] / all / slots__scale(c) : 0;
	}
	slots__add(s->slots, g);
	for (int i = s->nr_nodes - 1; i >= 0; i--)
		if (g->columns[i].kind != GRID_WHOLE && s->owed[g->columns[i].whole] > 0)
			s->owed[i] = 0;
	for (int i = 0; i < s->nr_nodes; i++)
		if (g->columns[i].kind == GRID_WHOLE && s->owed[i] > 0)
			s->owed[i] = 0;
}

static void cgroup_slots__take_whole(struct cgroup_slots *s)
{
	const struct grid *whole = s->whole;
	struct grid *g = &s->all;

	g->since_start_ns = whole->since_start_ns;
	g->elapsed_ns = whole->elapsed_ns;
	g->missed = whole->missed;
	g->missed_total = whole->missed_total;
	g->lost_ns = whole->lost_ns;
	g->restarts = whole->restarts;
	g->span = whole->span;
	for (int i = 0; i < whole->nr_columns; i++)
		g->cells[i] = *grid__cell(whole, i, 0);
}

void cgroup_slots__add(struct cgroup_slots *s, const struct grid *counted)
{
	int rest = s->whole->nr_columns + s->nr * s->nr_nodes;

	if (counted && counted != s->found_in)
		find_columns(s, counted);
	cgroup_slots__take_whole(s);
	for (int i = 0; i < s->nr; i++)
		take_cgroup(s, i, counted);
	find_rest(s);
	take_rest(s);
	for (int i = 0; i < s->nr_nodes; i++)
		s->all.cells[rest + i] = s->rest.cells[i];
}

const struct grid *cgroup_slots__grid(const struct cgroup_slots *s)
{
	return &s->all;
}
