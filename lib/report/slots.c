// SPDX-License-Identifier: GPL-2.0-only
/* Turn shares of slots into counters of slots, which are monotonic. */
#include "report/slots.h"
#include "grid/unit.h"

#include <math.h>
#include <stdlib.h>

#include "base/text.h"
#include "base/xalloc.h"
#include "grid/grid.h"

#define WHOLE_PERCENT 100.0

/**
 * struct node_count - the counter of a node, or of all slots, in one place
 * @estimate: sum of the estimated slots of all rows
 * @shown:    value of the counter, which never decreases
 * @error:    sum of the errors; @has_error: an error was known
 * @cut:      slots by which earlier rows gave the node less than its formula, since its parent had
 *            too few
 * @begun:    the node had a value in some row
 */
struct node_count {
	double estimate, shown, error, cut;
	bool begun, has_error;
};

/**
 * struct node_row - a node in the current row
 * @slots: slots that the row adds to the node's estimate
 * @parts: sum of the children's positive slots, by their formulas
 * @cut:   sum of the children's node_count.cut from earlier rows
 * @owed:  sum of the slots by which counters of children are below their estimates
 * @taken: sum of the counters of children
 */
struct node_row {
	double slots, parts, cut, owed, taken;
};

/**
 * struct slots - counters of slots
 * @order, @nr: columns of nodes, each column after its parent
 * @above: for each column the column of its parent; -1 for the column of all slots
 * @counts: at[column * nr_rows + row]
 * @rows:  memory for the current row, for each column
 */
struct slots {
	int *order, nr, *above;
	struct node_count *counts;
	struct node_row *rows;
};

static bool is_node(const struct grid_column *c)
{
	return c->whole >= 0;
}

/* Count the steps from a node up to all slots. */
static int depth_of(const struct slots *s, int column)
{
	int depth = 0;

	while ((column = s->above[column]) >= 0)
		depth++;
	return depth;
}

static int slots__compare(const void *a, const void *b, void *slots)
{
	int i = *(const int *)a, k = *(const int *)b;
	int by_depth = depth_of(slots, i) - depth_of(slots, k);

	return by_depth ?: i - k;
}

struct slots *slots__new(const struct grid *g)
{
	struct slots *s = xcalloc(1, sizeof(*s));

	s->order = xcalloc(g->nr_columns + 1, sizeof(*s->order));
	s->above = xcalloc(g->nr_columns + 1, sizeof(*s->above));
	s->rows = xcalloc(g->nr_columns + 1, sizeof(*s->rows));
	s->counts = xcalloc((size_t)g->nr_columns * g->nr_rows + 1, sizeof(*s->counts));
	for (int i = 0; i < g->nr_columns; i++) {
		const struct grid_column *c = &g->columns[i];
		bool has_parent = c->parent >= 0 && g->columns[c->parent].whole == c->whole;

		s->above[i] = c->kind == GRID_WHOLE ? -1 : has_parent ? c->parent : c->whole;
		if (is_node(c))
			s->order[s->nr++] = i;
	}
	qsort_r(s->order, s->nr, sizeof(*s->order), slots__compare, s);
	return s;
}

void slots__free(struct slots *s)
{
	if (!s)
		return;
	free(s->order);
	free(s->above);
	free(s->rows);
	free(s->counts);
	free(s);
}

/* In tables, shares without a unit are fractions. */
double slots__scale(const struct grid_column *c)
{
	return unit__is_share(c->unit) ? 1 / WHOLE_PERCENT : 1;
}

static double finite_or_0(double value)
{
	return isfinite(value) ? value : 0;
}

/* Set the slots of each node by its formula. A node without a value gets no slots. */
static void share_out(struct slots *s, const struct grid *g, int row)
{
	for (int i = 0; i < s->nr; i++) {
		int column = s->order[i], above = s->above[column];
		const struct grid_column *c = &g->columns[column];
		double all = finite_or_0(grid__cell(g, c->whole, row)->value);
		double value = finite_or_0(grid__cell(g, column, row)->value);
		struct node_row *of = &s->rows[column];

		*of = (struct node_row){
			.slots = c->kind == GRID_WHOLE ? value : value * slots__scale(c) * all,
		};
		if (above < 0)
			continue;
		s->rows[above].parts += fmax(of->slots, 0);
		s->rows[above].cut += s->counts[column * g->nr_rows + row].cut;
	}
}

/*
 * Reduce the slots of siblings until their sum is at most the slots of the parent. Formulas of
 * siblings may overlap. Estimates are too large in one row and too small in another: then a cut is
 * made up for in later rows in which the parent has room, or it would be missing for ever. A cut is
 * remembered up to the node's own slots in the row, since the room may also be slots that belong to
 * no child.
 */
static void fit(struct node_row *of, const struct node_row *above, struct node_count *count,
		bool is_estimate)
{
	double most = fmax(above->slots, 0), more = 0;

	if (above->parts > most)
		more = fmax(of->slots, 0) * (most / above->parts - 1);
	else if (above->cut > 0)
		more = count->cut * fmin((most - above->parts) / above->cut, 1);
	of->slots += more;
	if (more < 0)
		count->cut = is_estimate ? fmin(count->cut - more, of->slots) : 0;
	else
		count->cut -= more;
}

/* Fit a node into its parent before the node's children are fitted into the node. */
static void fit_into_parents(struct slots *s, const struct grid *g, int row)
{
	for (int i = 0; i < s->nr; i++) {
		int column = s->order[i], above = s->above[column];
		bool is_estimate = g->span == SPAN_INTERVAL &&
				   grid__cell(g, column, row)->more->percent < WHOLE_PERCENT;

		if (above >= 0)
			fit(&s->rows[column], &s->rows[above],
			    &s->counts[column * g->nr_rows + row], is_estimate);
	}
}

/* Add the slots of the row to the estimates. */
static void add_estimates(struct slots *s, const struct grid *g, int row, bool anew)
{
	for (int i = 0; i < s->nr; i++) {
		int column = s->order[i], above = s->above[column];
		struct node_count *count = &s->counts[column * g->nr_rows + row];

		count->estimate = (anew ? 0 : count->estimate) + s->rows[column].slots;
		count->begun |= isfinite(grid__cell(g, column, row)->value);
		if (above < 0)
			continue;
		s->rows[above].owed += fmax(count->estimate - count->shown, 0);
		s->rows[above].taken += count->shown;
	}
}

/* Increase counters towards the estimates, as far as the parent's counter has room. */
static void show(struct slots *s, const struct grid *g, int row)
{
	for (int i = 0; i < s->nr; i++) {
		int column = s->order[i], above = s->above[column];
		struct node_count *count = &s->counts[column * g->nr_rows + row];
		double more = fmax(count->estimate - count->shown, 0), room;

		if (above >= 0) {
			room = fmax(s->counts[above * g->nr_rows + row].shown -
					    s->rows[above].taken,
				    0);
			if (s->rows[above].owed > room)
				more *= room / s->rows[above].owed;
		}
		count->shown += more;
	}
}

static void slots__fill_row(struct slots *s, struct grid *g, int row, bool anew)
{
	for (int i = 0; i < s->nr; i++) {
		int column = s->order[i];
		const struct grid_column *c = &g->columns[column];
		struct node_count *count = &s->counts[column * g->nr_rows + row];
		struct cell_more *more = grid__cell(g, column, row)->more;
		double error = g->wants & WANT_ERRORS && c->kind != GRID_WHOLE ? more->error : NAN;

		error *= slots__scale(c) * finite_or_0(grid__cell(g, c->whole, row)->value);
		if (isfinite(error)) {
			count->error = (anew ? 0 : count->error) + error;
			count->has_error = true;
		}
		more->slots = count->begun ? count->shown : NAN;
		more->error_slots = count->has_error ? count->error : NAN;
	}
}

void slots__add(struct slots *s, struct grid *g)
{
	bool anew = g->span != SPAN_INTERVAL;

	for (int row = 0; s && row < g->nr_rows; row++) {
		share_out(s, g, row);
		fit_into_parents(s, g, row);
		add_estimates(s, g, row, anew);
		show(s, g, row);
		slots__fill_row(s, g, row, anew);
	}
}
