// SPDX-License-Identifier: GPL-2.0-only
/* Keep the model's tree, with the history of each metric in the last minute. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "base/xalloc.h"
#include "screen/internal.h"

#define NS_PER_S 1e9
#define PERCENT 100
#define STEADY 3   /* intervals with the same bottleneck before its children are counted */
#define CHANGED 10 /* such intervals if children of another node are counted already */

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
		.plain = c->plain ? xstrdup(c->plain) : NULL,
		.above = -1,
		.level = c->level,
		.part = c->part,
		.history = xcalloc(t->nr_history, sizeof(*node.history)),
	};

	for (int i = 0; i < t->nr_history; i++)
		node.history[i] = NAN;
	vec__push(&t->nodes, node);
	return t->nodes.nr - 1;
}

static bool is_rate(const struct grid_column *c)
{
	return c->kind == GRID_METRIC && text__is_any(c->name, TOP_IPC, TOP_GHZ);
}

/*
 * Whether the tree shows a column. Without metrics it shows events, except CPU time and clock
 * rates, which are in the first lines.
 */
static bool top_tree__is_shown(const struct grid *g, const struct grid_column *c)
{
	if (c->kind == GRID_METRIC)
		return !is_rate(c);
	if (c->kind != GRID_EVENT || text__is_any(c->name, "user_time", "system_time"))
		return false;
	for (int i = 0; i < g->nr_columns; i++)
		if (g->columns[i].kind == GRID_METRIC && !is_rate(&g->columns[i]))
			return false;
	return true;
}

static bool has_value(const struct grid_cell *cell)
{
	return cell->status < CELL_NOT_COUNTED && isfinite(cell->value);
}

/* Return: the value of a column in a row; for an event, its rate. */
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
	t->has_errors |= isfinite(n->error) && n->error > 0;
	t->has_shares |= isfinite(n->share) && n->share < PERCENT - 0.5;
	n->history[t->interval % t->nr_history] = n->value;
}

/* Find the parents of all nodes, after all nodes were added: a child may come before its parent. */
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

/*
 * Arrange the nodes in an outline. A node below the first level without a parent is a child of a
 * metric that is not counted now.
 */
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
		t->outline.lines[i].rank = t->nodes.at[i].part;
	}
	outline__arrange(&t->outline, 0, t->nodes.nr);
}

/* Append the lines of a core type, so that nodes of one type are adjacent. */
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

/* Leave a gap in histories for the intervals that came while the display was frozen. */
static void skip_missed(struct top *t)
{
	if (t->missed > (uint64_t)t->nr_history)
		t->missed = t->nr_history;
	for (; t->missed; t->missed--)
		begin_interval(t);
}

/* --- Rates ----------------------------------------------------------------------------------- */

static void set_ipc(struct top *t, const char *core, double value)
{
	struct top_ipc *ipc = vec__find(x, &t->ipc, !strcmp(x->core, core));

	if (ipc)
		ipc->value = value;
	else
		vec__push(&t->ipc, ((struct top_ipc){.core = xstrdup(core), .value = value}));
}

static void take_rates(struct top *t, const struct grid *g)
{
	double cycles = 0;
	bool known = false;

	for (int i = 0; i < g->nr_columns; i++) {
		const struct grid_column *c = &g->columns[i];
		const struct grid_cell *cell = grid__cell(g, i, 0);

		if (!is_rate(c) || cell->status == CELL_ABSENT)
			continue;
		if (!strcmp(c->name, TOP_IPC))
			set_ipc(t, top_tree__core_of(c),
				has_value(cell) ? cell->value : (double)NAN);
		if (strcmp(c->name, TOP_GHZ) || !has_value(cell))
			continue;
		cycles += cell->value;
		known = true;
	}
	t->cycles = known ? cycles : (double)NAN;
}

/* --- The next level -------------------------------------------------------------------------- */

/* Return: the largest child of a node that is over its threshold, or -1. */
static int largest_below(const struct top *t, int above)
{
	int best = -1;

	for (int i = 0; i < t->nodes.nr; i++) {
		const struct top_node *n = &t->nodes.at[i];

		if (n->above == above && n->level && n->now && n->has_value && n->threshold &&
		    n->part != PART_RETIRING && (best < 0 || n->value > t->nodes.at[best].value))
			best = i;
	}
	return best;
}

static int find_deepest(const struct top *t)
{
	int deepest = -1;

	for (int next = -1; (next = largest_below(t, next)) >= 0;)
		deepest = next;
	/* Keep the node whose children are counted if a child of it is the deepest node. */
	if (deepest >= 0 && t->deeper >= 0 && t->nodes.at[deepest].above == t->deeper)
		return t->deeper;
	return deepest;
}

static void watch_deepest(struct top *t)
{
	int deepest = find_deepest(t);

	t->nr_deepest = deepest == t->deepest ? t->nr_deepest + 1 : 1;
	t->deepest = deepest;
}

const char *top__deeper(struct top *t)
{
	int steady = t->deeper < 0 ? STEADY : CHANGED;
	const char *name = t->deepest < 0 ? NULL : t->nodes.at[t->deepest].name;
	int nr;

	/* Counting other children would lose the samples of functions. */
	if (t->shows == TOP_FUNCTIONS)
		return NULL;
	if (t->held || t->branch >= 0 || t->deepest == t->deeper || t->nr_deepest < steady)
		return NULL;
	nr = name ? t->opts.nr_parts(t->opts.arg, name) : 0;
	if (name && (!nr || nr > t->free_lines))
		return NULL;
	t->deeper = t->deepest;
	return name ?: "";
}

/* --- An interval ----------------------------------------------------------------------------- */

static void top_tree__grow(struct top *t, const struct grid *g)
{
	find_above(t, g);
	arrange(t);
	if (t->cursor < 0 && t->nodes.nr)
		t->cursor = t->outline.order[0];
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
	take_rates(t, g);
	if (t->nodes.nr != before)
		top_tree__grow(t, g);
	watch_deepest(t);
}
