// SPDX-License-Identifier: GPL-2.0-only
#include "verdict/way_functions.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/sb.h"
#include "base/text.h"
#include "base/xalloc.h"
#include "grid/grid.h"
#include "grid/unit.h"
#include "verdict/way_phases.h"

#define SLOTS "slots"
#define PARENT "parent"

/* --- What is measured ------------------------------------------------------------------------ */

bool ways__add_siblings(const struct ways *w, int depth, struct sb *groups)
{
	const struct way *way;
	bool any = false;

	vec__for_each (way, w) {
		char *group;

		if (depth >= way->path.nr || !way->path.at[depth - 1].has_parts)
			continue;
		group = xasprintf("%s_group", way->path.at[depth - 1].name);
		if (!text__has_item(sb__str(groups), ",", group)) {
			sb__printf(groups, "%s%s", groups->len ? "," : "", group);
			any = true;
		}
		free(group);
	}
	return any;
}

/* --- What comes of it ------------------------------------------------------------------------ */

/** struct function_row - a row of a grid, to be compared with a path */
struct function_row {
	const struct grid *g;
	const struct way *way;
	int row;
};

/* Whether a column is a node of the tree that the path is in. */
static bool is_of_tree(const struct function_row *r, int column)
{
	const struct grid_column *c = &r->g->columns[column];

	return c->kind == GRID_METRIC && c->level && text__same(c->core_name, r->way->core_name) &&
	       text__same(c->cgroup, r->way->cgroup);
}

static const struct grid_cell *named_cell(const struct function_row *r, const char *name)
{
	for (int i = 0; i < r->g->nr_columns; i++) {
		const struct grid_column *c = &r->g->columns[i];
		const struct grid_cell *cell = grid__cell(r->g, i, r->row);

		if (c->kind == GRID_METRIC && !c->level && !strcmp(c->name, name) &&
		    cell->present)
			return cell;
	}
	return NULL;
}

/*
 * Return: the unit of a node in a path: "%" for a share of all slots, else "% clocks" and the like.
 */
static char *unit_of(const struct grid_column *c)
{
	if (!unit__is_share(c->unit))
		return xstrdup(c->unit);
	if (!c->share_of || !strcmp(c->share_of, SLOTS))
		return xstrdup(SHARE_UNIT);
	if (!strcmp(c->share_of, PARENT))
		return xstrdup(PARENT_UNIT);
	return xasprintf("%% %s", c->share_of);
}

static void add_node(const struct function_row *r, int column, struct way_function *f)
{
	const struct grid_column *c = &r->g->columns[column];
	const struct grid_cell *cell = grid__cell(r->g, column, r->row);
	char *unit;

	if (!cell->present || !isfinite(cell->value) || f->near)
		return;
	unit = unit_of(c);
	way_nodes__add(&f->nodes,
		       &(struct grid_node){.name = c->name,
					   .unit = unit,
					   .value = cell->value,
					   .error = cell->more->error,
					   .level = c->level,
					   .useful = c->part == PART_RETIRING,
					   .has_threshold = cell->threshold >= 0},
		       0);
	free(unit);
}

/* Add the children of a node in the order of views, each followed by its own children. */
static void add_below(const struct function_row *r, int parent, struct way_function *f)
{
	for (int part = PART_NONE; part < PART_NR; part++)
		for (int i = 0; i < r->g->nr_columns; i++) {
			const struct grid_column *c = &r->g->columns[i];

			if (!is_of_tree(r, i) || c->parent != parent || (int)c->part != part)
				continue;
			add_node(r, i, f);
			add_below(r, i, f);
		}
}

static int way_functions__find(const struct way_nodes *list, const char *name)
{
	for (int i = 0; name && i < list->nr; i++)
		if (!strcmp(list->at[i].name, name))
			return i;
	return -1;
}

static const char *bottleneck_of(const struct function_row *r)
{
	const struct grid *g = r->g;

	if (!r->way->core_name)
		return g->rows[r->row].bottleneck;
	for (int core = 0; g->bottlenecks && core < g->cores.nr; core++)
		if (text__same(g->cores.at[core], r->way->core_name))
			return g->bottlenecks[core * g->nr_rows + r->row];
	return NULL;
}

/* Whether a node is below the path's end. Parents precede their children in @nodes. */
static bool is_below_end(const struct way *way, const struct way_nodes *nodes, int node)
{
	const char *end = way->path.at[way->path.nr - 1].name;
	int level = nodes->at[node].level;

	for (int i = node - 1; i >= 0 && level > 1; i--) {
		if (nodes->at[i].level >= level)
			continue;
		level = nodes->at[i].level;
		if (!strcmp(nodes->at[i].name, end))
			return true;
	}
	return false;
}

static enum function_side way_functions__side_of(const struct way *way,
						 const struct way_function *f)
{
	if (f->limit < 0 || !way->path.nr)
		return FUNCTION_UNKNOWN;
	if (way_functions__find(&way->path, f->nodes.at[f->limit].name) >= 0 ||
	    is_below_end(way, &f->nodes, f->limit))
		return FUNCTION_ON_WAY;
	return FUNCTION_ASIDE;
}

static void add_function(const struct function_row *r, struct way *way)
{
	const struct grid_row *row = &r->g->rows[r->row];
	const struct grid_cell *share = named_cell(r, "share"), *samples = named_cell(r, "samples");
	struct way_function f = {.near = row->near, .limit = -1};

	/* Skip the row that sums up all other functions: it has no file. */
	if (!share || !row->comm || !row->object || !*row->object)
		return;
	f.name = xstrdup(row->comm);
	f.object = xstrdup(row->object);
	f.share = share->value;
	f.error = share->more->error;
	f.samples = samples ? samples->value : (double)NAN;
	add_below(r, -1, &f);
	f.limit = f.near ? -1 : way_functions__find(&f.nodes, bottleneck_of(r));
	f.side = way_functions__side_of(way, &f);
	vec__push(&way->functions, f);
}

static int by_cycles(const void *va, const void *vb)
{
	const struct way_function *a = va, *b = vb;

	return (a->share < b->share) - (a->share > b->share);
}

void ways__take_functions(struct ways *w, const struct grid *g)
{
	struct way *way;

	vec__for_each (way, w) {
		struct function_row r = {.g = g, .way = way};
		bool any = false;

		for (int i = 0; i < g->nr_columns; i++)
			any |= is_of_tree(&r, i);
		if (!any)
			continue;
		way__free_functions(way);
		for (; r.row < g->nr_rows; r.row++)
			add_function(&r, way);
		if (way->functions.nr)
			qsort(way->functions.at, way->functions.nr, sizeof(*way->functions.at),
			      by_cycles);
	}
}

const struct way_node *way_function__find_telling(const struct way *way,
						  const struct way_function *f)
{
	for (int i = way->path.nr - 1; i >= 0; i--) {
		int node = way_functions__find(&f->nodes, way->path.at[i].name);

		if (node >= 0 && !strcmp(f->nodes.at[node].unit, SHARE_UNIT) &&
		    isfinite(f->nodes.at[node].error))
			return &f->nodes.at[node];
	}
	return NULL;
}

void way__free_functions(struct way *way)
{
	struct way_function *f;

	vec__for_each (f, &way->functions) {
		free(f->name);
		free(f->object);
		way_nodes__free(&f->nodes);
	}
	vec__free(&way->functions);
}
