// SPDX-License-Identifier: GPL-2.0-only
/* Rows of a comparison are gathered from grids, and judged. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/sb.h"
#include "base/text.h"
#include "base/vec.h"
#include "base/xalloc.h"
#include "grid/grid.h"
#include "verdict/comparison.h"

#define NS_PER_S 1e9
#define MOST_PARTS 10
#define MOST_NAMED 5 /* changes in one line */

/* --- Rows ---------------------------------------------------------------------------------- */

/* Return: the number of the row, which may be a new one. */
static int row_of(struct comparison *c, const char *name, const char *core_name, const char *cgroup)
{
	for (int i = 0; i < c->nr; i++)
		if (!strcmp(c->at[i].name, name) && text__same(c->at[i].core_name, core_name) &&
		    text__same(c->at[i].cgroup, cgroup))
			return i;
	vec__push(c, (struct compared){
			     .name = xstrdup(name),
			     .unit = xstrdup(""),
			     .core_name = xstrdup(core_name),
			     .cgroup = xstrdup(cgroup),
			     .parent = -1,
			     .series = xcalloc(c->nr_sides, sizeof(struct series)),
			     .intervals = xcalloc(c->nr_sides, sizeof(struct compared_rates)),
			     .with = xcalloc(c->nr_sides, sizeof(struct difference)),
		     });
	return c->nr - 1;
}

static void comparison__take_time(struct comparison *c, int side, const char *name, uint64_t ns)
{
	int index = row_of(c, name, NULL, NULL);
	struct compared *row = &c->at[index];

	row->is_time = true;
	free(row->unit);
	row->unit = xstrdup("s");
	series__add(&row->series[side], ns / NS_PER_S, 0);
}

/* Intervals become the means of parts of equal length; what is left over ends the last one. */
static void take_parts(struct compared *row, int side)
{
	struct compared_rates *v = &row->intervals[side];
	int parts = v->nr / 2 < MOST_PARTS ? v->nr / 2 : MOST_PARTS;

	for (int part = 0; part < parts; part++) {
		int from = part * (v->nr / parts);
		int to = part + 1 < parts ? from + v->nr / parts : v->nr;
		double sum = 0;

		for (int i = from; i < to; i++)
			sum += v->at[i];
		series__add(&row->series[side], sum / (to - from), 0);
	}
}

static void take_node(struct comparison *c, int side, const struct grid_verdict *v, int number)
{
	const struct grid_node *n = &v->nodes[number];
	int index = row_of(c, n->name, v->core_name, v->cgroup);
	struct compared *row = &c->at[index];

	free(row->unit);
	row->unit = xstrdup(n->unit);
	row->level = n->level;
	if (row->intervals[side].nr >= COMPARISON_INTERVALS)
		take_parts(row, side);
	else
		series__add(&row->series[side], n->value, n->error);
	vec__free(&row->intervals[side]);
	if (n->parent >= 0) {
		/* The row of the parent may be a new one, and move all. */
		int parent = row_of(c, v->nodes[n->parent].name, v->core_name, v->cgroup);

		c->at[index].parent = parent;
	}
}

void comparison__take(struct comparison *c, int side, const struct grid *g)
{
	bool intervals = false;

	for (int i = 0; i < c->nr; i++)
		intervals |= c->at[i].intervals[side].nr;
	/* How long somebody counted by intervals says nothing of a program. */
	if (!intervals)
		comparison__take_time(c, side, "time", g->elapsed_ns);
	if (g->has_cpu_time) {
		comparison__take_time(c, side, "user", g->user_ns);
		comparison__take_time(c, side, "sys", g->system_ns);
	}
	for (int i = 0; i < g->nr_verdicts; i++)
		for (int n = 0; !g->verdicts[i].row && n < g->verdicts[i].nr_nodes; n++)
			take_node(c, side, &g->verdicts[i], n);
}

void comparison__take_row(struct comparison *c, int side, const struct grid *g)
{
	if (g->span != SPAN_INTERVAL || g->is_total)
		return;
	for (int i = 0; i < g->nr_columns; i++) {
		const struct grid_column *column = &g->columns[i];
		double value = grid__cell(g, i, 0)->value;
		int row;

		if (column->kind != GRID_METRIC || !isfinite(value))
			continue;
		row = row_of(c, column->name, column->core_name, column->cgroup);
		vec__push(&c->at[row].intervals[side], value);
	}
}

/* --- Judging ------------------------------------------------------------------------------- */

static void add_with_parts(struct comparison *c, int row, int depth, int *nr)
{
	c->order[(*nr)++] = row;
	c->at[row].depth = depth;
	for (int i = 0; i < c->nr; i++)
		if (c->at[i].parent == row && c->at[i].level)
			add_with_parts(c, i, depth + 1, nr);
}

static bool comparison__is_root(const struct compared *row)
{
	return row->parent < 0 && row->level > 0;
}

/* Whether a row is the first of those of its tree that nothing is above. */
static bool comparison__begins_tree(const struct comparison *c, int row)
{
	for (int i = 0; i < row; i++)
		if (comparison__is_root(&c->at[i]) &&
		    text__same(c->at[i].core_name, c->at[row].core_name) &&
		    text__same(c->at[i].cgroup, c->at[row].cgroup))
			return false;
	return comparison__is_root(&c->at[row]);
}

/* The first level has the order that it has in every view. */
static void add_tree(struct comparison *c, int first, int *nr)
{
	for (enum grid_part part = PART_NONE; part < PART_NR; part++)
		for (int i = first; i < c->nr; i++)
			if (comparison__is_root(&c->at[i]) &&
			    grid_part__of(c->at[i].name) == part &&
			    text__same(c->at[i].core_name, c->at[first].core_name) &&
			    text__same(c->at[i].cgroup, c->at[first].cgroup))
				add_with_parts(c, i, 0, nr);
}

/* Times come first. A metric that is in no tree has no level, and is left out. */
static void put_in_order(struct comparison *c)
{
	int nr = 0;

	free(c->order);
	c->order = xcalloc(c->nr + 1, sizeof(*c->order));
	for (int i = 0; i < c->nr; i++)
		if (c->at[i].parent < 0 && c->at[i].is_time)
			add_with_parts(c, i, 0, &nr);
	for (int i = 0; i < c->nr; i++)
		if (comparison__begins_tree(c, i))
			add_tree(c, i, &nr);
	c->order[nr] = -1;
}

void comparison__judge(struct comparison *c, double points, double percent)
{
	struct difference **all = xcalloc((size_t)c->nr * c->nr_sides + 1, sizeof(*all));
	const struct compared *whole = comparison__find(c, "time", -1);
	double time = whole ? series__mean(&whole->series[0]) : NAN;
	int nr = 0;

	put_in_order(c);
	for (int i = 0; c->order[i] >= 0; i++)
		for (int side = 1; side < c->nr_sides; side++) {
			struct compared *row = &c->at[c->order[i]];
			struct difference *d = &row->with[side];

			difference__measure(&row->series[0], &row->series[side], d);
			d->margin = row->level ? points : percent / 100 * time;
			all[nr++] = d;
		}
	differences__judge(all, nr);
	free(all);
}

const struct compared *comparison__find(const struct comparison *c, const char *name, int after)
{
	for (int i = after + 1; i < c->nr; i++)
		if (!strcmp(c->at[i].name, name) && (c->at[i].level || c->at[i].is_time))
			return &c->at[i];
	return NULL;
}

/* --- In one line --------------------------------------------------------------------------- */

static void tell_time(const struct compared *row, int side, const char *first, const char *other,
		      struct sb *sb)
{
	const struct difference *d = &row->with[side];
	double percent = d->a > 0 ? 100 * d->by / d->a : NAN;

	switch (d->change) {
	case CHANGE_MORE:
	case CHANGE_LESS:
		sb__printf(sb, "%s takes %.1f %% +- %.1f %s time than %s", other, fabs(percent),
			   100 * d->half / d->a, percent > 0 ? "more" : "less", first);
		break;
	case CHANGE_NONE:
		sb__printf(sb, "%s takes as long as %s", other, first);
		break;
	case CHANGE_UNDECIDED:
		sb__printf(sb, "whether %s takes longer than %s is undecided (%+.1f %% +- %.1f)",
			   other, first, percent, 100 * d->half / d->a);
		break;
	case CHANGE_UNKNOWN:
		if (isnan(d->a) || isnan(d->b)) {
			sb__printf(sb, "the time of %s is not known", isnan(d->a) ? first : other);
			break;
		}
		sb__printf(sb, "%s and %s: only one time each is known (%+.1f %%)", first, other,
			   percent);
		break;
	}
}

static bool is_changed(const struct compared *row, int side)
{
	return row->level &&
	       (row->with[side].change == CHANGE_MORE || row->with[side].change == CHANGE_LESS);
}

/* A part that changed most of what the node did says more than the node. */
static bool is_named_by_part(const struct comparison *c, int number, int side)
{
	double by = c->at[number].with[side].by;

	for (int i = 0; i < c->nr; i++)
		if (c->at[i].parent == number && is_changed(&c->at[i], side) &&
		    c->at[i].with[side].by / by > 0.5)
			return true;
	return false;
}

static int comparison__largest(const struct comparison *c, int side, const bool *named)
{
	int best = -1;

	for (int i = 0; i < c->nr; i++)
		if (!named[i] && is_changed(&c->at[i], side) && !is_named_by_part(c, i, side) &&
		    (best < 0 || fabs(c->at[i].with[side].by) > fabs(c->at[best].with[side].by)))
			best = i;
	return best;
}

void comparison__tell(const struct comparison *c, int side, const char *first, const char *other,
		      struct sb *sb)
{
	bool *named = xcalloc(c->nr + 1, sizeof(*named)), tree = false;
	const struct compared *time = comparison__find(c, "time", -1);
	int nr = 0, row;

	for (int i = 0; i < c->nr; i++)
		tree |= c->at[i].level > 0;
	if (time)
		tell_time(time, side, first, other, sb);
	else
		sb__printf(sb, "%s against %s", other, first);
	for (; nr < MOST_NAMED && (row = comparison__largest(c, side, named)) >= 0; nr++) {
		const struct compared *r = &c->at[row];

		named[row] = true;
		sb__printf(sb, "%s%s%s%s %+.1f", nr ? ", " : "; ", r->core_name ?: "",
			   r->core_name ? " " : "", r->name, r->with[side].by);
	}
	if (tree && !nr)
		sb__puts(sb, "; no node of the tree is certain to have changed");
	free(named);
}

void comparison__free(struct comparison *c)
{
	for (int i = 0; i < c->nr; i++) {
		struct compared *row = &c->at[i];

		for (int side = 0; side < c->nr_sides; side++) {
			series__free(&row->series[side]);
			vec__free(&row->intervals[side]);
		}
		free(row->series);
		free(row->intervals);
		free(row->with);
		free(row->name);
		free(row->unit);
		free(row->core_name);
		free(row->cgroup);
	}
	free(c->order);
	c->order = NULL;
	vec__free(c);
}
