// SPDX-License-Identifier: GPL-2.0-only
/* Show functions in the model, of one process or of all. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/auto.h"
#include "base/text.h"
#include "base/xalloc.h"
#include "screen/internal.h"

#define WELL_KNOWN 10 /* a share of slots with at most this error, in points, counts as known */

/* --- Rows ------------------------------------------------------------------------------------ */

/* Return: the value of a cell; NAN without a value. */
static double number_in(const struct grid_cell *cell)
{
	return cell->status < CELL_NOT_COUNTED && isfinite(cell->value) ? cell->value
									: (double)NAN;
}

static void take_share(struct top_row *to, const struct grid *g, int row)
{
	to->share = to->share_error = NAN;
	for (int i = 0; i < g->nr_columns; i++) {
		const struct grid_column *c = &g->columns[i];
		const struct grid_cell *cell = grid__cell(g, i, row);

		if (c->kind != GRID_METRIC || c->level || strcmp(c->name, "share") ||
		    isnan(number_in(cell)))
			continue;
		to->share = cell->value;
		to->share_error = cell->more->error;
		return;
	}
}

/*
 * Take the values of the first level on core type @core. A negative value within its error becomes
 * 0. Return: whether a value is known.
 */
static bool take_parts(struct top_row *to, const struct grid *g, int row, int core)
{
	bool known = false;

	for (int i = 0; i < PART_NR; i++)
		to->parts[i] = NAN;
	for (int i = 0; i < g->nr_columns; i++) {
		const struct grid_column *c = &g->columns[i];
		double value = number_in(grid__cell(g, i, row));

		if (c->kind != GRID_METRIC || c->level != 1 || c->core != core || isnan(value))
			continue;
		to->parts[c->part] = value < 0 && value >= -grid__cell(g, i, row)->more->error ?
					     0 :
					     value;
		known = true;
	}
	return known;
}

/* Take the bottleneck if it is certain. Return: whether it has a value on core type @core. */
static bool take_bottleneck(struct top_row *to, const struct grid *g, int row, int core)
{
	const char *name = g->rows[row].bottleneck;

	to->value = to->error = NAN;
	top__set_bottleneck(to, name);
	for (int i = 0; name && i < g->nr_columns; i++) {
		const struct grid_column *c = &g->columns[i];
		const struct grid_cell *cell = grid__cell(g, i, row);

		if (c->kind != GRID_METRIC || c->core != core || strcmp(c->name, name) ||
		    isnan(number_in(cell)))
			continue;
		to->value = cell->value;
		to->error = cell->more->error;
		return true;
	}
	return false;
}

/*
 * Take useful work in place of a bottleneck if its error is small and all losses are certainly
 * under their thresholds.
 */
static void take_useful(struct top_row *to, const struct grid *g, int row, int core)
{
	int useful = -1;

	for (int i = 0; i < g->nr_columns; i++) {
		const struct grid_column *c = &g->columns[i];
		const struct grid_cell *cell = grid__cell(g, i, row);

		if (c->kind != GRID_METRIC || c->level != 1 || c->core != core)
			continue;
		if (isnan(number_in(cell)) || (c->part != PART_RETIRING && cell->threshold))
			return;
		useful = c->part == PART_RETIRING ? i : useful;
	}
	if (useful < 0 || !(grid__cell(g, useful, row)->more->error <= WELL_KNOWN))
		return;
	top__set_bottleneck(to, g->columns[useful].name);
	to->value = grid__cell(g, useful, row)->value;
	to->error = grid__cell(g, useful, row)->more->error;
	to->useful = true;
}

/*
 * Take the values of a function. On a hybrid machine, use the core type of the bottleneck, or
 * without a bottleneck the first core type with values.
 */
static void take_values(struct top_row *to, const struct grid *g, int row)
{
	int cores = g->cores.nr ? g->cores.nr : 1, core = -1;

	for (int i = 0; i < cores && core < 0; i++)
		if (take_parts(to, g, row, i) &&
		    (!g->rows[row].bottleneck || take_bottleneck(to, g, row, i)))
			core = i;
	to->useful = false;
	if (core < 0) {
		take_parts(to, g, row, -1);
		take_bottleneck(to, g, row, -1);
	} else if (!g->rows[row].bottleneck) {
		take_bottleneck(to, g, row, core);
		take_useful(to, g, row, core);
	}
	to->unsure = core >= 0 && !to->bottleneck;
	to->why = core >= 0 ? NULL : "few samples";
}

static void take_function(struct top *t, const struct grid *g, int row)
{
	const struct grid_row *at = &g->rows[row];
	struct top_row *to = top__row_for(t, 0, at->comm ?: "");

	to->now = true;
	to->cpus = to->lost = to->switches = to->faults = NAN;
	to->near = at->near;
	if (!to->object || strcmp(to->object, at->object ?: "")) {
		free(to->object);
		to->object = xstrdup(at->object ?: "");
	}
	take_share(to, g, row);
	if (!t->opts.software)
		take_values(to, g, row);
}

/* Whether a row is the last one of the grid, which sums up other functions, and has no file. */
static bool is_others(const struct grid *g, int row)
{
	return row == g->nr_rows - 1 && g->rows[row].object && !*g->rows[row].object;
}

void top__take_functions(struct top *t, const struct grid *g)
{
	struct top_row of = {.key = 0};

	for (int row = 0; row < g->nr_rows; row++) {
		take_share(&of, g, row);
		if (isfinite(of.share) && !is_others(g, row))
			take_function(t, g, row);
	}
}

/* --- From one view to another ---------------------------------------------------------------- */

static void turn_to(struct top *t, enum top_rows rows)
{
	t->shows = rows;
	t->held = false;
	t->sort = top__sort_first(t);
	top__forget_rows(t);
	top__set_rows_message(t, "functions come with the next interval");
}

void top__show_functions(struct top *t, int process, const char *name)
{
	auto_free(sb) of = SB_INIT;

	if (process)
		sb__printf(&of, "%d %s", process, name);
	else
		sb__puts(&of, t->opts.of_functions ?: "all processes");
	sb__clear(&t->of);
	sb__puts(&t->of, sb__str(&of));
	t->process = process;
	t->row_key = 0;
	sb__clear(&t->row_name);
	turn_to(t, TOP_FUNCTIONS);
}

void top__show_base(struct top *t)
{
	/* Select the process whose functions were shown. */
	t->row_key = t->process;
	t->process = 0;
	turn_to(t, t->base);
	top__set_rows_message(t, "rows come with the next interval");
}

void top__leave_process(struct top *t)
{
	auto_free(sb) said = SB_INIT;

	sb__printf(&said, "%s has ended: functions of all processes are shown", sb__str(&t->of));
	top__show_functions(t, 0, NULL);
	top__set_message(t, sb__str(&said), true);
}

void top__set_functions_of(struct top *t, const char *text)
{
	sb__clear(&t->of);
	sb__puts(&t->of, text);
}

void top__set_user_part(struct top *t, bool alone)
{
	t->user_part = alone;
}

enum top_rows top__rows(const struct top *t)
{
	return t->shows;
}

int top__process(const struct top *t)
{
	return t->process;
}

/* --- The title ------------------------------------------------------------------------------- */

static void put_samples(const struct top *t, int width, struct sb *sb)
{
	auto_free(sb) samples = SB_INIT;

	sb__printf(&samples, ", estimated from samples of the last %g s",
		   t->opts.functions_ms / 1000.0);
	if (text__width(sb__str(sb)) + text__width(sb__str(&samples)) > width) {
		sb__clear(&samples);
		sb__puts(&samples, ", estimated");
	}
	if (text__width(sb__str(sb)) + text__width(sb__str(&samples)) <= width)
		sb__puts(sb, sb__str(&samples));
}

void top__title_functions(const struct top *t, int width, struct sb *sb)
{
	sb__printf(sb, "functions of %s%s", sb__str(&t->of),
		   t->user_part ? ", user part alone" : "");
	put_samples(t, width, sb);
}
