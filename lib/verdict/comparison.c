// SPDX-License-Identifier: GPL-2.0-only
/* Gather the rows of a comparison from grids, and judge them. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/auto.h"
#include "base/sb.h"
#include "base/text.h"
#include "base/vec.h"
#include "base/xalloc.h"
#include "grid/grid.h"
#include "grid/unit.h"
#include "verdict/comparison.h"

#define NS_PER_S 1e9
#define NS 1e-9 /* s */
#define US 1e-6
#define PAGE_BYTES 4096.0
#define MOST_DEPTH 32 /* ends the recursion: in saved runs rows may be parents of each other */
#define MOST_NAMED 5 /* greatest number of changes in one line */

/* --- Rows ---------------------------------------------------------------------------------- */

int comparison__row(struct comparison *c, const char *name, const char *core_name,
		    const char *cgroup)
{
	for (int i = 0; i < c->nr; i++)
		if (!strcmp(c->at[i].name, name) && text__same(c->at[i].core_name, core_name) &&
		    text__same(c->at[i].cgroup, cgroup))
			return i;
	return comparison__new_row(c, name, core_name, cgroup);
}

int comparison__new_row(struct comparison *c, const char *name, const char *core_name,
			const char *cgroup)
{
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

static void set_unit(struct compared *row, enum compared_kind kind, const char *unit)
{
	row->kind = kind;
	free(row->unit);
	row->unit = xstrdup(unit);
}

int comparison__add(struct comparison *c, int side, enum compared_kind kind, const char *name,
		    const char *unit, double value, double grain)
{
	int index = comparison__row(c, name, NULL, NULL);
	struct compared *row = &c->at[index];

	set_unit(row, kind, unit);
	row->series[side].grain = grain;
	series__add(&row->series[side], value, 0);
	return index;
}

static void take_parts(struct compared *row, int side)
{
	series__add_parts(&row->series[side], row->intervals[side].at, row->intervals[side].nr);
	vec__free(&row->intervals[side]);
}

void comparison__set_spread(struct comparison *c, int side, const struct grid_column *column,
			    double percent)
{
	const char *name = column ? column->name : "time";

	for (int i = 0; i < c->nr; i++)
		if (c->at[i].kind == (column ? COMPARED_COUNT : COMPARED_TIME) &&
		    !strcmp(c->at[i].name, name) &&
		    (!column || text__same(c->at[i].cgroup, column->cgroup)))
			series__set_spread(&c->at[i].series[side], percent);
}

/* --- The tree ------------------------------------------------------------------------------ */

static void take_node(struct comparison *c, int side, const struct grid_verdict *v, int number)
{
	const struct grid_node *n = &v->nodes[number];
	int index = comparison__row(c, n->name, v->core_name, v->cgroup);
	struct compared *row = &c->at[index];

	set_unit(row, COMPARED_NODE, n->unit);
	row->level = n->level;
	if (row->intervals[side].nr >= SERIES_INTERVALS)
		take_parts(row, side);
	else
		series__add(&row->series[side], n->value, n->error);
	vec__free(&row->intervals[side]);
	if (n->parent >= 0) {
		/* Adding the parent's row may move all rows in memory, so use the index. */
		int parent = comparison__row(c, v->nodes[n->parent].name, v->core_name, v->cgroup);

		c->at[index].parent = parent;
	}
}

static void take_tree(struct comparison *c, int side, const struct grid_verdict *v)
{
	for (int i = 0; !v->row && i < v->nr_nodes; i++)
		if (!c->most_level || v->nodes[i].level <= c->most_level)
			take_node(c, side, v, i);
}

/* --- Events and metrics -------------------------------------------------------------------- */

static bool is_wanted_event(const struct comparison *c, const struct grid_column *column)
{
	if (column->kind != GRID_EVENT || column->of_metrics ||
	    (c->first_is_clock && !column->event))
		return false;
	if (c->only)
		return text__has_item(c->only, ",", column->name);
	return c->counts || c->counts_without_tree;
}

/* Find or add the row of an event, whose name may contain its PMU: "cpu_core/cycles/". */
static int count_row(struct comparison *c, const struct grid_column *column, const char *name)
{
	const char *core = column->core_name;

	if (core && text__has_prefix(name, core) && name[strlen(core)] == '/')
		core = NULL;
	return comparison__row(c, name, core, column->cgroup);
}

static void take_count(struct comparison *c, int side, const struct grid *g, int number)
{
	const struct grid_column *column = &g->columns[number];
	const struct grid_cell *cell = grid__cell(g, number, 0);
	int index = count_row(c, column, column->name);
	struct compared *row = &c->at[index];

	set_unit(row, COMPARED_COUNT, column->unit);
	row->series[side].grain = cell->is_count;
	if (cell->counted && isfinite(cell->value))
		series__add(&row->series[side], cell->value, 0);
}

static void take_metric(struct comparison *c, int side, const struct grid *g, int number)
{
	const struct grid_column *column = &g->columns[number];
	const struct grid_cell *cell = grid__cell(g, number, 0);
	int index = comparison__row(c, column->name, column->core_name, column->cgroup);
	struct compared *row = &c->at[index];

	if (row->kind == COMPARED_NODE)
		return;
	set_unit(row, COMPARED_METRIC, column->unit);
	if (row->intervals[side].nr)
		take_parts(row, side);
	else if (isfinite(cell->value))
		series__add(&row->series[side], cell->value, cell->more->error);
}

/* --- Runs ---------------------------------------------------------------------------------- */

static void take_times(struct comparison *c, int side, const struct grid *g)
{
	if (g->elapsed_ns)
		comparison__add(c, side, COMPARED_TIME, "time", "s", g->elapsed_ns / NS_PER_S, NS);
	if (!g->has_cpu_time)
		return;
	comparison__add(c, side, COMPARED_TIME, "user", "s", g->user_ns / NS_PER_S, US);
	comparison__add(c, side, COMPARED_TIME, "sys", "s", g->system_ns / NS_PER_S, US);
}

/* The kernel's peak for a command includes the memory of the process that forked the command. */
static void take_memory(struct comparison *c, int side, const struct grid *g)
{
	bool known = g->peak_bytes > c->least_memory;

	comparison__add(c, side, COMPARED_COUNT, PEAK_MEMORY, "B",
			known ? (double)g->peak_bytes : (double)NAN, PAGE_BYTES);
}

/* With intervals, the user chose the length of the measurement, so times are not compared. */
static bool take_intervals(struct comparison *c, int side)
{
	bool some = false;

	for (int i = 0; i < c->nr; i++) {
		struct compared *row = &c->at[i];

		if (!row->intervals[side].nr)
			continue;
		some = true;
		if (row->kind == COMPARED_COUNT)
			take_parts(row, side);
	}
	return some;
}

void comparison__take(struct comparison *c, int side, const struct grid *g)
{
	bool intervals = take_intervals(c, side);

	if (!intervals)
		take_times(c, side, g);
	if (c->memory)
		take_memory(c, side, g);
	for (int i = 0; i < g->nr_verdicts; i++)
		take_tree(c, side, &g->verdicts[i]);
	for (int i = 0; i < g->nr_columns; i++) {
		if (!intervals && is_wanted_event(c, &g->columns[i]))
			take_count(c, side, g, i);
		else if (c->metrics && g->columns[i].kind == GRID_METRIC)
			take_metric(c, side, g, i);
	}
}

static void keep_value(struct comparison *c, int side, const struct grid *g, int number)
{
	const struct grid_column *column = &g->columns[number];
	double value = grid__cell(g, number, 0)->value;
	int row;

	if (column->kind != GRID_METRIC || !isfinite(value))
		return;
	row = comparison__row(c, column->name, column->core_name, column->cgroup);
	vec__push(&c->at[row].intervals[side], value);
}

/* Keep the rate of an event: intervals may differ in length, so counts cannot be compared. */
static void keep_rate(struct comparison *c, int side, const struct grid *g, int number)
{
	const struct grid_column *column = &g->columns[number];
	const struct grid_cell *cell = grid__cell(g, number, 0);
	auto_text name = xasprintf("%s/s", column->name);
	int row;

	if (!g->elapsed_ns || !cell->counted || !isfinite(cell->value))
		return;
	row = count_row(c, column, name);
	set_unit(&c->at[row], COMPARED_COUNT, column->unit);
	vec__push(&c->at[row].intervals[side], cell->value / (g->elapsed_ns / NS_PER_S));
}

void comparison__take_row(struct comparison *c, int side, const struct grid *g)
{
	if (g->span != SPAN_INTERVAL || g->is_total)
		return;
	for (int i = 0; i < g->nr_columns; i++) {
		if (is_wanted_event(c, &g->columns[i]))
			keep_rate(c, side, g, i);
		else
			keep_value(c, side, g, i);
	}
}

/* --- Judging ------------------------------------------------------------------------------- */

static void add_with_parts(struct comparison *c, int row, int depth, int *nr)
{
	c->order[(*nr)++] = row;
	c->at[row].depth = depth;
	for (int i = 0; depth < MOST_DEPTH && i < c->nr; i++)
		if (c->at[i].parent == row && c->at[i].level)
			add_with_parts(c, i, depth + 1, nr);
}

static bool comparison__is_root(const struct compared *row)
{
	return row->parent < 0 && row->level > 0;
}

/* Whether a row is the first root of its tree. */
static bool comparison__begins_tree(const struct comparison *c, int row)
{
	for (int i = 0; i < row; i++)
		if (comparison__is_root(&c->at[i]) &&
		    text__same(c->at[i].core_name, c->at[row].core_name) &&
		    text__same(c->at[i].cgroup, c->at[row].cgroup))
			return false;
	return comparison__is_root(&c->at[row]);
}

/* Add the rows of a tree, with the first level in the order of all views. */
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

/* Times come first, then counts, metrics that are not in a tree, and trees. */
static void put_in_order(struct comparison *c)
{
	int nr = 0;

	free(c->order);
	c->order = xcalloc(c->nr + 1, sizeof(*c->order));
	for (enum compared_kind kind = COMPARED_TIME; kind < COMPARED_SITE; kind++)
		for (int i = 0; i < c->nr; i++) {
			if (c->at[i].parent >= 0 || c->at[i].kind != kind)
				continue;
			if (kind != COMPARED_NODE)
				add_with_parts(c, i, 0, &nr);
			else if (comparison__begins_tree(c, i))
				add_tree(c, i, &nr);
		}
	c->order[nr] = -1;
}

/* If a recording has a tree, its events were counted for the tree, and are not compared. */
static void drop_counts_of_tree(struct comparison *c)
{
	bool tree = false;

	for (int i = 0; i < c->nr; i++)
		tree |= c->at[i].kind == COMPARED_NODE;
	for (int i = 0; tree && !c->counts && !c->only && i < c->nr; i++)
		if (c->at[i].kind == COMPARED_COUNT && strcmp(c->at[i].name, PEAK_MEMORY))
			c->at[i].kind = COMPARED_NOTHING;
}

static bool comparison__is_node(const struct compared *row)
{
	return row->kind == COMPARED_NODE || row->kind == COMPARED_SITE_NODE;
}

static double margin_of(const struct comparison *c, const struct compared *row,
			const struct comparison_margins *margins)
{
	const struct compared *whole = comparison__find(c, "time", -1);

	if (row->kind == COMPARED_SITE)
		return margins->time / 100 * series__mean(&c->at[c->all_sites].series[0]);
	if (row->kind == COMPARED_TIME)
		return margins->time / 100 *
		       (whole ? series__mean(&whole->series[0]) : (double)NAN);
	if (comparison__is_node(row) || unit__is_share(row->unit))
		return margins->points;
	return margins->counts / 100 * fabs(series__mean(&row->series[0]));
}

void comparison__judge(struct comparison *c, const struct comparison_margins *margins)
{
	struct difference **all;
	int nr = 0;

	drop_counts_of_tree(c);
	comparison__put_sites(c);
	put_in_order(c);
	all = xcalloc((size_t)c->nr * c->nr_sides + 1, sizeof(*all));
	for (int i = 0; i < c->nr; i++)
		for (int side = 1; side < c->nr_sides && c->at[i].kind; side++) {
			struct compared *row = &c->at[i];
			struct difference *d = &row->with[side];

			difference__measure(&row->series[0], &row->series[side], d);
			d->margin = margin_of(c, row, margins);
			all[nr++] = d;
		}
	differences__judge(all, nr);
	free(all);
	comparison__order_sites(c);
}

const struct compared *comparison__find(const struct comparison *c, const char *name, int after)
{
	for (int i = after + 1; i < c->nr; i++)
		if (!strcmp(c->at[i].name, name) && c->at[i].kind && c->at[i].kind < COMPARED_SITE)
			return &c->at[i];
	return NULL;
}

/* --- In one line --------------------------------------------------------------------------- */

/* Append a ratio; a small ratio has one digit more. */
static void put_ratio(double ratio, double half, struct sb *sb)
{
	int digits = ratio < 1.1 ? 3 : 2;

	sb__printf(sb, "%.*f +- %.*f times faster", digits, ratio, digits, half);
}

/* Append "B ran 1.25 +- 0.01 times faster than A: it takes 20.0 % +- 0.2 less time". */
static void tell_faster(const struct difference *d, const char *first, const char *other,
			struct sb *sb)
{
	double half, ratio = difference__ratio(d, &half);
	bool slower = ratio < 1;

	if (isfinite(ratio)) {
		sb__printf(sb, "%s ran ", slower ? first : other);
		put_ratio(slower ? 1 / ratio : ratio, slower ? half / ratio / ratio : half, sb);
		sb__printf(sb, " than %s: ", slower ? other : first);
	}
	sb__printf(sb, "%s takes %.1f %% +- %.1f %s time", other, fabs(100 * d->by / d->a),
		   100 * d->half / d->a, d->by > 0 ? "more" : "less");
}

static void tell_unknown_time(const struct difference *d, const char *first, const char *other,
			      struct sb *sb)
{
	if (isnan(d->a) || isnan(d->b))
		sb__printf(sb, "the time of %s is not known", isnan(d->a) ? first : other);
	else
		sb__printf(sb, "%s and %s: only one time of each is known (%+.1f %%)", first, other,
			   d->a > 0 ? 100 * d->by / d->a : 0);
}

static void tell_time(const struct compared *row, int side, const char *first, const char *other,
		      struct sb *sb)
{
	const struct difference *d = &row->with[side];
	double percent = d->a > 0 ? 100 * d->by / d->a : NAN;

	switch (d->change) {
	case CHANGE_MORE:
	case CHANGE_LESS:
		tell_faster(d, first, other, sb);
		break;
	case CHANGE_NONE:
		sb__printf(sb, "%s takes as long as %s", other, first);
		break;
	case CHANGE_PROBABLY_MORE:
	case CHANGE_PROBABLY_LESS:
		sb__printf(sb,
			   "%s is probably %s than %s, but that is not certain yet "
			   "(%+.1f %% +- %.1f)",
			   other, percent > 0 ? "slower" : "faster", first, percent,
			   100 * d->half / d->a);
		break;
	case CHANGE_UNDECIDED:
		sb__printf(sb,
			   "it is not certain yet whether %s is faster than %s "
			   "(%+.1f %% +- %.1f)",
			   other, first, percent, 100 * d->half / d->a);
		break;
	case CHANGE_UNKNOWN:
		tell_unknown_time(d, first, other, sb);
		break;
	}
}

static bool is_changed(const struct compared *row, enum compared_kind kind, int side)
{
	return row->kind == kind &&
	       (row->with[side].change == CHANGE_MORE || row->with[side].change == CHANGE_LESS);
}

/* Whether a child is named instead of a node, since most of the node's change is the child's. */
static bool is_named_by_part(const struct comparison *c, int number, int side)
{
	double by = c->at[number].with[side].by;

	for (int i = 0; i < c->nr; i++)
		if (c->at[i].parent == number && is_changed(&c->at[i], COMPARED_NODE, side) &&
		    c->at[i].with[side].by / by > 0.5)
			return true;
	return false;
}

static int comparison__largest(const struct comparison *c, int side, const bool *named)
{
	int best = -1;

	for (int i = 0; i < c->nr; i++)
		if (!named[i] && is_changed(&c->at[i], COMPARED_NODE, side) &&
		    !is_named_by_part(c, i, side) &&
		    (best < 0 || fabs(c->at[i].with[side].by) > fabs(c->at[best].with[side].by)))
			best = i;
	return best;
}

static void put_name(const struct compared *row, int nr, struct sb *sb)
{
	sb__printf(sb, "%s%s%s%s ", nr ? ", " : "; ", row->core_name ?: "",
		   row->core_name ? " " : "", row->name);
}

/* Append the events whose counts changed. Return: how many were appended. */
static int tell_counts(const struct comparison *c, int side, struct sb *sb)
{
	int nr = 0;

	for (int i = 0; nr < MOST_NAMED && c->order[i] >= 0; i++) {
		const struct compared *row = &c->at[c->order[i]];
		const struct difference *d = &row->with[side];

		if (!is_changed(row, COMPARED_COUNT, side) &&
		    !is_changed(row, COMPARED_METRIC, side))
			continue;
		put_name(row, nr++, sb);
		if (d->a > 0 && !unit__is_share(row->unit))
			sb__printf(sb, "%+.1f %%", 100 * d->by / d->a);
		else
			sb__printf(sb, "%+.4g", d->by);
	}
	return nr;
}

static void tell_nodes(const struct comparison *c, int side, int nr, struct sb *sb)
{
	bool *named = xcalloc(c->nr + 1, sizeof(*named));
	int row, before = nr;

	for (; nr < MOST_NAMED && (row = comparison__largest(c, side, named)) >= 0; nr++) {
		named[row] = true;
		put_name(&c->at[row], nr, sb);
		sb__printf(sb, "%+.1f", c->at[row].with[side].by);
	}
	if (nr == before && nr < MOST_NAMED)
		sb__puts(sb, "; no node of the tree is certain to have changed");
	free(named);
}

void comparison__tell(const struct comparison *c, int side, const char *first, const char *other,
		      struct sb *sb)
{
	const struct compared *time = comparison__find(c, "time", -1);
	bool tree = false, counts = false;
	int nr;

	for (int i = 0; i < c->nr; i++) {
		tree |= c->at[i].kind == COMPARED_NODE;
		counts |= c->at[i].kind == COMPARED_COUNT || c->at[i].kind == COMPARED_METRIC;
	}
	if (time)
		tell_time(time, side, first, other, sb);
	else
		sb__printf(sb, "%s against %s", other, first);
	nr = tell_counts(c, side, sb);
	if (tree)
		tell_nodes(c, side, nr, sb);
	else if (!time && counts && !nr)
		sb__puts(sb, "; nothing is certain to have changed");
	comparison__tell_sites(c, side, sb);
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
		free(row->object);
	}
	for (int side = 0; c->site_orders && side < c->nr_sides; side++)
		free(c->site_orders[side]);
	free(c->site_orders);
	c->site_orders = NULL;
	compared_sites__free(&c->sites);
	free(c->order);
	c->order = NULL;
	vec__free(c);
}
