// SPDX-License-Identifier: GPL-2.0-only
/* The model's tree: what came of each metric in the last minute. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "base/xalloc.h"
#include "screen/internal.h"

#define NS_PER_S 1e9

bool top__is_retiring(const char *name)
{
	return text__has_suffix(name, "retiring");
}

int top__find(const struct top *t, const char *name, const char *core)
{
	for (int i = 0; i < t->nodes.nr; i++)
		if (!strcmp(t->nodes.at[i].name, name) && !strcmp(t->nodes.at[i].core, core))
			return i;
	return -1;
}

static const char *top_tree__core_of(const struct grid_column *c)
{
	return c->core_name ?: "";
}

static int top_tree__add_node(struct top *t, const struct grid_column *c)
{
	struct top_node node = {
		.name = xstrdup(c->name),
		.core = xstrdup(top_tree__core_of(c)),
		.unit = xstrdup(c->kind == GRID_EVENT ? "/s" : c->unit),
		.above = -1,
		.level = c->level,
		.history = xcalloc(t->nr_history, sizeof(*node.history)),
	};

	for (int i = 0; i < t->nr_history; i++)
		node.history[i] = NAN;
	vec__push(&t->nodes, node);
	return t->nodes.nr - 1;
}

/* Events are shown where there are no metrics; CPU time stands in the first line. */
static bool top_tree__is_shown(const struct grid *g, const struct grid_column *c)
{
	if (c->kind == GRID_METRIC)
		return true;
	if (c->kind != GRID_EVENT || text__is_any(c->name, "user_time", "system_time"))
		return false;
	for (int i = 0; i < g->nr_columns; i++)
		if (g->columns[i].kind == GRID_METRIC)
			return false;
	return true;
}

static bool has_value(const struct grid_cell *cell)
{
	return cell->status < CELL_NOT_COUNTED && isfinite(cell->value);
}

/* Of an event a rate is shown. */
static double top_tree__value_of(const struct grid *g, const struct grid_column *c,
				 const struct grid_cell *cell)
{
	if (c->kind != GRID_EVENT)
		return cell->value;
	return g->elapsed_ns ? cell->value / g->elapsed_ns * NS_PER_S : NAN;
}

static void take_cell(struct top *t, const struct grid *g, int column, int node)
{
	const struct grid_cell *cell = grid__cell(g, column, 0);
	struct top_node *n = &t->nodes.at[node];

	n->now = true;
	n->has_value = has_value(cell);
	if (!n->has_value) {
		n->why = cell__words(cell) ?: cell_status__name(cell->status);
		return;
	}
	n->value = top_tree__value_of(g, &g->columns[column], cell);
	n->error = cell->more->error;
	n->share = cell->more->percent;
	n->threshold = cell->threshold;
	n->history[t->interval % t->nr_history] = n->value;
}

/* A part that came may stand before what it is a part of. */
static void find_above(struct top *t, const struct grid *g)
{
	for (int i = 0; i < g->nr_columns; i++) {
		const struct grid_column *c = &g->columns[i], *above;
		int node = top__find(t, c->name, top_tree__core_of(c));

		if (node < 0 || c->kind != GRID_METRIC || c->parent < 0)
			continue;
		above = &g->columns[c->parent];
		t->nodes.at[node].above = top__find(t, above->name, top_tree__core_of(above));
	}
}

/* Nodes that have no parent but a level below the first are parts of what was not counted now. */
static void arrange(struct top *t)
{
	free(t->outline.lines);
	free(t->outline.order);
	t->outline = (struct outline){
		.lines = xcalloc(t->nodes.nr + 1, sizeof(*t->outline.lines)),
		.order = xcalloc(t->nodes.nr + 1, sizeof(*t->outline.order)),
	};
	for (int i = 0; i < t->nodes.nr; i++) {
		t->outline.lines[i].parent = t->nodes.at[i].above;
		t->outline.lines[i].is_part = t->nodes.at[i].level > 0;
	}
	outline__arrange(&t->outline, 0, t->nodes.nr);
}

/* What is of one core type stands together, in the order in which the types came. */
static void push_type(struct top *t, const char *core)
{
	for (int n = 0; n < t->nodes.nr; n++) {
		int i = t->outline.order[n];

		if (outline__is_shown(&t->outline, i) && !strcmp(t->nodes.at[i].core, core))
			vec__push(&t->lines, i);
	}
}

void top__find_lines(struct top *t)
{
	for (int i = 0; i < t->nodes.nr; i++) {
		struct outline_line *line = &t->outline.lines[i];
		const struct top_node *n = &t->nodes.at[i];

		line->there = true;
		line->over = n->has_value && n->threshold > 0;
		line->under = n->has_value && !n->threshold;
	}
	outline__fold(&t->outline, 0, t->nodes.nr, !t->folds);
	t->lines.nr = 0;
	for (int i = 0; i < t->nodes.nr; i++) {
		bool first = true;

		for (int j = 0; j < i; j++)
			first &= strcmp(t->nodes.at[j].core, t->nodes.at[i].core) != 0;
		if (first)
			push_type(t, t->nodes.at[i].core);
	}
}

static void begin_interval(struct top *t)
{
	t->interval++;
	for (int i = 0; i < t->nodes.nr; i++) {
		t->nodes.at[i].now = false;
		t->nodes.at[i].history[t->interval % t->nr_history] = NAN;
	}
}

/* What came while the screen stood still is a gap. */
static void skip_missed(struct top *t)
{
	if (t->missed > (uint64_t)t->nr_history)
		t->missed = t->nr_history;
	for (; t->missed; t->missed--)
		begin_interval(t);
}

void top__take_tree(struct top *t, const struct grid *g)
{
	int before = t->nodes.nr;

	if (t->held) {
		t->missed++;
		return;
	}
	skip_missed(t);
	begin_interval(t);
	for (int i = 0; i < g->nr_columns; i++) {
		const struct grid_column *c = &g->columns[i];
		int node = top__find(t, c->name, top_tree__core_of(c));

		if (!top_tree__is_shown(g, c) || grid__cell(g, i, 0)->status == CELL_ABSENT)
			continue;
		take_cell(t, g, i, node < 0 ? top_tree__add_node(t, c) : node);
	}
	t->busy = top__cpu_time(g, 0, 0);
	if (t->nodes.nr == before)
		return;
	find_above(t, g);
	arrange(t);
	if (t->cursor < 0 && t->nodes.nr)
		t->cursor = t->outline.order[0];
}
