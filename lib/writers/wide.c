// SPDX-License-Identifier: GPL-2.0-only
/* --format=csv-wide prints a line for each row, with a column for each event and metric. */
#include <math.h>
#include <string.h>

#include "base/fixed.h"
#include "base/strmap.h"
#include "base/text.h"
#include "writers/own.h"

#define NAMES_MAX 3	   /* columns that are named with a reason; the others are counted */
#define REASONS_PER_LINE 8

/* Whether metrics may be estimated by another method than by time. */
static bool has_estimates(const struct writer *w)
{
	for (int i = 0; w->grid->estimate && i < w->own->nr_columns; i++)
		if (own__column(w, i)->kind == GRID_METRIC)
			return true;
	return false;
}

/* The coverage matters if CPUs are counted, which may go offline and online. */
static enum wide_column wide__columns(const struct writer *w)
{
	return WIDE_ALWAYS | (w->opts.error ? WIDE_ERRORS : 0) | (w->grid->runs ? WIDE_RUNS : 0) |
	       (w->grid->per_cpu ? WIDE_CPUS : 0) | (has_estimates(w) ? WIDE_ESTIMATES : 0);
}

/* Choose the field beside a column: the first field that the column can have. */
static const struct cell_field *aside_of(const struct writer *w, int column)
{
	cell_fields__for_each(f)
		if (f->aside && f->wide & w->own->wide &&
		    cell_field__is_of(f, own__column(w, column)))
			return f;
	return NULL;
}

/* A line has its fields in the opposite order of a JSON object's. */
#define line__for_each(f, own)                                                                     \
	cell_fields__for_each_backward(f) if (!(f)->aside && (f)->wide & (own)->wide)

/*
 * Columns of several cgroups with the same heading become one column, since each cgroup has its own
 * lines.
 */
static void wide__begin(struct writer *w)
{
	struct strmap *headings = strmap__new();
	struct own *own;

	own__begin(w);
	own = w->own;
	own->wide = wide__columns(w);
	own->headings = arena__calloc(&w->memory, own->nr_columns, sizeof(*own->headings));
	own->asides = arena__calloc(&w->memory, own->nr_columns, sizeof(*own->asides));
	own->line = arena__calloc(&w->memory, own->nr_columns, sizeof(*own->line));
	for (int i = 0; i < own->nr_columns; i++) {
		struct own_column *c = &own->columns[i];

		/* The unit is not a part of the name by which columns are distinguished. */
		if (!w->opts.full_header)
			c->heading = c->label;
		c->place = strmap__add(headings, c->heading, own->nr_headings);
		if (c->place < own->nr_headings)
			continue;
		own->headings[own->nr_headings] = c;
		own->asides[own->nr_headings++] = aside_of(w, i);
	}
	strmap__free(headings);
}

static void wide__put_heading(struct writer *w, const struct own_column *c,
			      const struct cell_field *aside)
{
	const char *unit = aside && aside->is_percent && w->opts.full_header ? " (%)" : "";

	sb__clear(&w->scratch);
	sb__printf(&w->scratch, "%s%s%s", c->heading, aside ? aside->aside : "", unit);
	dress__csv(w, sb__str(&w->scratch), &w->text);
	sb__puts(&w->text, w->opts.separator);
}

static void heads(struct writer *w)
{
	const char *separator = w->opts.separator;
	const struct own *own = w->own;

	if (!w->opts.header)
		return;
	for (int i = 0; i < own->nr_keys; i++)
		sb__printf(&w->text, "%s%s", own_keys[own->keys[i]].name, separator);
	line__for_each(f, own)
		sb__printf(&w->text, "%s%s", f->key, separator);
	for (int i = 0; i < own->nr_headings; i++) {
		wide__put_heading(w, own->headings[i], NULL);
		if (own->asides[i])
			wide__put_heading(w, own->headings[i], own->asides[i]);
	}
	sb__puts(&w->text, "reason");
	if (w->grid->simulated)
		sb__printf(&w->text, "%ssimulated", separator);
	sb__putc(&w->text, '\n');
}

/* Find the least number, or the word of the worst cell. @worst: the worst status so far. */
static struct own_value value_of_line(struct writer *w, const struct cell_field *f,
				      const struct own_place *at, enum cell_status *worst)
{
	struct own_value found = OWN_ABSENT;

	own__for_each(i, w, at) {
		const struct own_cell cell = own_cell__at(w, i, at->row);
		bool worse = cell.cell->status > *worst;
		struct own_value v;

		if (cell.cell->status == CELL_ABSENT)
			continue;
		if (worse)
			*worst = cell.cell->status;
		v = cell_field__value(w, f, &cell);
		if (v.type == VALUE_REAL ? !isnan(v.real) && !(found.type && v.real >= found.real)
					 : v.type && (!found.type || worse))
			found = v;
	}
	return found;
}

static void wide__put_value(struct writer *w, const struct own_value *v)
{
	if (v->type >= VALUE_TEXT)
		sb__puts(&w->text, v->text);
	else if (v->type == VALUE_WHOLE)
		fixed__print_u64(&w->text, v->whole, 1);
	else if (own_value__is_number(v) && w->opts.precise)
		number__print(&w->text, v->real);
	/* Six digits exceed the precision of a counter; digits before the point are never cut. */
	else if (own_value__is_number(v))
		sb__printf(&w->text, fabs(v->real) < 1e6 ? "%.6g" : "%.0f", v->real);
	sb__puts(&w->text, w->opts.separator);
}

static void wide__put_cell(struct writer *w, int column, int row, const struct cell_field *aside)
{
	struct own_value value = OWN_ABSENT, beside = OWN_ABSENT;

	if (column >= 0 && own__cell(w, column, row)->status != CELL_ABSENT) {
		const struct own_cell cell = own_cell__at(w, column, row);

		value = own_cell__value(cell.cell);
		if (aside)
			beside = cell_field__value(w, aside, &cell);
	}
	wide__put_value(w, &value);
	if (aside)
		wide__put_value(w, &beside);
}

static void put_cells(struct writer *w, const struct own_place *at)
{
	struct own *own = w->own;

	memset(own->line, -1, own->nr_headings * sizeof(*own->line));
	own__for_each(i, w, at)
		own->line[own->columns[i].place] = i;
	for (int i = 0; i < own->nr_headings; i++)
		wide__put_cell(w, own->line[i], at->row, own->asides[i]);
}

/*
 * Append "cycles, branches and 3 more: no counter was free for it", with all columns that have the
 * reason of @cell.
 */
static void put_reason(const struct writer *w, const struct own_place *at,
		       const struct grid_cell *cell, struct sb *sb)
{
	int nr = 0;

	own__for_each(i, w, at)
		if (cell__has_same_reason(own__cell(w, i, at->row), cell) && nr++ < NAMES_MAX)
			sb__printf(sb, "%s%s", nr > 1 ? ", " : "", w->own->columns[i].heading);
	if (nr > NAMES_MAX)
		sb__printf(sb, " and %d more", nr - NAMES_MAX);
	sb__puts(sb, ": ");
	cell__print_reason(sb, cell);
}

/* Append each reason once, the worst first. */
static void wide__put_reasons(struct writer *w, const struct own_place *at, enum cell_status worst)
{
	struct reasons printed = { .most = REASONS_PER_LINE };

	sb__clear(&w->scratch);
	for (enum cell_status status = worst; status > CELL_COUNTED; status--)
		own__for_each(i, w, at) {
			const struct grid_cell *cell = own__cell(w, i, at->row);

			if (cell->status != status || !reasons__add(&printed, cell))
				continue;
			sb__puts(&w->scratch, printed.nr > 1 ? "; " : "");
			put_reason(w, at, cell, &w->scratch);
		}
	if (printed.more)
		sb__printf(&w->scratch, "; and %d more", printed.more);
	if (w->scratch.len)
		dress__csv(w, sb__str(&w->scratch), &w->text);
}

static void wide__put_line(struct writer *w, const struct own_place *at)
{
	enum cell_status worst = CELL_COUNTED;

	for (int i = 0; i < w->own->nr_keys; i++) {
		own_key__print(w, w->own->keys[i], at, NULL, &w->text);
		sb__puts(&w->text, w->opts.separator);
	}
	line__for_each(f, w->own) {
		const struct own_value v = value_of_line(w, f, at, &worst);

		wide__put_value(w, &v);
	}
	put_cells(w, at);
	wide__put_reasons(w, at, worst);
	if (w->grid->simulated) {
		sb__puts(&w->text, w->opts.separator);
		dress__csv(w, w->grid->simulated, &w->text);
	}
	sb__putc(&w->text, '\n');
}

static void wide__rows(struct writer *w)
{
	struct own_place at = { .row = -1 };

	while (own__next(w, &at))
		wide__put_line(w, &at);
}

const struct format format_wide = {
	.name = "csv-wide",
	.traits = FORMAT_CSV | FORMAT_HEADER,
	.wants = WANT_EVENTS | WANT_RATIOS | WANT_METRICS | WANT_STATUS,
	.metric_only_wants = WANT_RATIOS | WANT_METRICS | WANT_STATUS,
	.dress = dress__csv,
	.begin = wide__begin,
	.heads = heads,
	.rows = wide__rows,
};
