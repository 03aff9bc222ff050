// SPDX-License-Identifier: GPL-2.0-only
/* --format=csv-wide prints a line for each row, with a column for each event and metric. */
#include <math.h>
#include <string.h>

#include "base/strmap.h"
#include "base/text.h"
#include "writers/own.h"

#define NAMES_MAX 3	   /* columns that are named with one reason */
#define REASONS_PER_LINE 8

/*
 * Names what stands beside a column: how far several runs of an event spread, or how far off a
 * value is.
 */
static const char *aside_of(struct writer *w, int column)
{
	const char *unit = w->opts.full_header ? " (%)" : "";
	struct sb sb = SB_INIT;

	if (!w->opts.error && !(w->grid->runs && own__column(w, column)->kind == GRID_EVENT))
		return NULL;
	sb__puts(&sb, w->own->columns[column].heading);
	if (w->opts.error)
		sb__puts(&sb, " error");
	else
		sb__printf(&sb, " spread%s", unit);
	return dress_sb(w, &sb);
}

/* The same heading in several cgroups is one column: each cgroup has lines of its own. */
static void begin(struct writer *w)
{
	struct strmap *headings = strmap__new();
	struct own *own;

	own__begin(w);
	own = w->own;
	own->headings = arena__calloc(&w->memory, own->nr_columns, sizeof(*own->headings));
	own->asides = arena__calloc(&w->memory, own->nr_columns, sizeof(*own->asides));
	own->line = arena__calloc(&w->memory, own->nr_columns, sizeof(*own->line));
	for (int i = 0; i < own->nr_columns; i++) {
		struct own_column *c = &own->columns[i];

		/* Names are told apart without their units. */
		if (!w->opts.full_header)
			c->heading = c->label;
		c->place = strmap__add(headings, c->heading, own->nr_headings);
		if (c->place < own->nr_headings)
			continue;
		own->headings[own->nr_headings] = dress(w, c->heading);
		own->asides[own->nr_headings++] = aside_of(w, i);
	}
	strmap__free(headings);
}

/* Whether metrics may be estimated in another way than by time. */
static bool has_estimates(const struct writer *w)
{
	for (int i = 0; w->grid->estimate && i < w->own->nr_columns; i++)
		if (own__column(w, i)->kind == GRID_METRIC)
			return true;
	return false;
}

static void heads(struct writer *w)
{
	const char *separator = w->opts.separator;
	const struct own *own = w->own;

	if (!w->opts.header)
		return;
	for (int i = 0; i < own->nr_keys; i++)
		sb__printf(&w->text, "%s%s", own_keys[own->keys[i]].name, separator);
	sb__printf(&w->text, "status%srunning_percent%s", separator, separator);
	/* The coverage matters where CPUs are counted, which may go and come. */
	if (w->grid->per_cpu)
		sb__printf(&w->text, "coverage_percent%s", separator);
	if (has_estimates(w))
		sb__printf(&w->text, "estimate%s", separator);
	for (int i = 0; i < own->nr_headings; i++) {
		sb__printf(&w->text, "%s%s", own->headings[i], separator);
		if (own->asides[i])
			sb__printf(&w->text, "%s%s", own->asides[i], separator);
	}
	sb__puts(&w->text, "reason\n");
}

/**
 * struct standing - what holds of all cells of a line
 * @status:  the worst
 * @percent, @coverage: the least; NAN where there is none
 */
struct standing {
	enum cell_status status;
	double percent, coverage;
};

static void take_least(double *least, double number)
{
	if (!isnan(number) && !(number >= *least))
		*least = number;
}

static struct standing standing_of(const struct writer *w, const struct own_place *at)
{
	struct standing worst = { .status = CELL_COUNTED, .percent = NAN, .coverage = NAN };

	own__for_each(i, w, at) {
		const struct grid_cell *cell = own__cell(w, i, at->row);

		if (cell->status == CELL_ABSENT)
			continue;
		take_least(&worst.percent, cell->more->percent);
		take_least(&worst.coverage, cell->more->coverage);
		if (cell->status > worst.status)
			worst.status = cell->status;
	}
	return worst;
}

/* Six digits tell more than a counter can; those before the point are never cut. */
static void put_number(struct writer *w, double number)
{
	if (w->opts.precise)
		number__print(&w->text, number);
	else if (isfinite(number))
		sb__printf(&w->text, fabs(number) < 1e6 ? "%.6g" : "%.0f", number);
}

static void put_value(struct writer *w, const struct grid_cell *cell)
{
	if (cell->is_count)
		cell__print_value(&w->text, cell);
	else
		put_number(w, cell->value);
}

static void put_cell(struct writer *w, const struct grid_cell *cell, bool aside)
{
	bool printed = cell && cell->status != CELL_ABSENT;

	if (printed)
		put_value(w, cell);
	sb__puts(&w->text, w->opts.separator);
	if (!aside)
		return;
	if (printed)
		put_number(w, w->opts.error ? cell__error(cell) : cell->more->spread_percent);
	sb__puts(&w->text, w->opts.separator);
}

static void put_cells(struct writer *w, const struct own_place *at)
{
	struct own *own = w->own;

	memset(own->line, -1, own->nr_headings * sizeof(*own->line));
	own__for_each(i, w, at)
		own->line[own->columns[i].place] = i;
	for (int i = 0; i < own->nr_headings; i++)
		put_cell(w, own->line[i] < 0 ? NULL : own__cell(w, own->line[i], at->row),
			 own->asides[i]);
}

/*
 * Appends "cycles, branches and 3 more: no counter was free for it", with all columns that have the
 * reason of @cell.
 */
static void put_reason(const struct writer *w, const struct own_place *at,
		       const struct grid_cell *cell, struct sb *sb)
{
	int nr = 0;

	own__for_each(i, w, at)
		if (cell__same_reason(own__cell(w, i, at->row), cell) && nr++ < NAMES_MAX)
			sb__printf(sb, "%s%s", nr > 1 ? ", " : "", w->own->columns[i].heading);
	if (nr > NAMES_MAX)
		sb__printf(sb, " and %d more", nr - NAMES_MAX);
	sb__puts(sb, ": ");
	cell__print_reason(sb, cell);
}

/* Each reason is told once, the worst first. */
static void put_reasons(struct writer *w, const struct own_place *at, enum cell_status worst)
{
	struct reasons told = { .most = REASONS_PER_LINE };

	sb__clear(&w->scratch);
	for (enum cell_status status = worst; status > CELL_COUNTED; status--)
		own__for_each(i, w, at) {
			const struct grid_cell *cell = own__cell(w, i, at->row);

			if (cell->status != status || !reasons__add(&told, cell))
				continue;
			sb__puts(&w->scratch, told.nr > 1 ? "; " : "");
			put_reason(w, at, cell, &w->scratch);
		}
	if (told.more)
		sb__printf(&w->scratch, "; and %d more", told.more);
	if (w->scratch.len)
		dress__csv(w, sb__str(&w->scratch), &w->text);
}

/* Says how metrics of events that took turns were estimated, where any was. */
static void put_estimate(struct writer *w, const struct own_place *at)
{
	bool some = false;

	own__for_each(i, w, at)
		some |= own__column(w, i)->kind == GRID_METRIC &&
			own__cell(w, i, at->row)->status == CELL_SCALED;
	sb__printf(&w->text, "%s%s", some ? w->grid->estimate : "", w->opts.separator);
}

static void put_line(struct writer *w, const struct own_place *at)
{
	const char *separator = w->opts.separator;
	const struct standing standing = standing_of(w, at);

	for (int i = 0; i < w->own->nr_keys; i++) {
		own_key__print(w, w->own->keys[i], at, NULL, &w->text);
		sb__puts(&w->text, separator);
	}
	sb__printf(&w->text, "%s%s", cell_status__name(standing.status), separator);
	put_number(w, standing.percent);
	sb__puts(&w->text, separator);
	if (w->grid->per_cpu) {
		put_number(w, standing.coverage);
		sb__puts(&w->text, separator);
	}
	if (has_estimates(w))
		put_estimate(w, at);
	put_cells(w, at);
	put_reasons(w, at, standing.status);
	sb__putc(&w->text, '\n');
}

static void rows(struct writer *w)
{
	struct own_place at = { .row = -1 };

	while (own__next(w, &at))
		put_line(w, &at);
}

const struct format format_wide = {
	.name = "csv-wide",
	.traits = FORMAT_CSV | FORMAT_HEADER,
	.wants = WANT_EVENTS | WANT_RATIOS | WANT_METRICS | WANT_STATUS,
	.metric_only_wants = WANT_RATIOS | WANT_METRICS | WANT_STATUS,
	.dress = dress__csv,
	.begin = begin,
	.heads = heads,
	.rows = rows,
};
