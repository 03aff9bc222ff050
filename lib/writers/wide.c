// SPDX-License-Identifier: GPL-2.0-only
/* --format=csv-wide: a line for each row, a column for each event and metric. */
#include <math.h>
#include <string.h>

#include "base/strmap.h"
#include "base/text.h"
#include "writers/own.h"

#define NAMES_MAX 3   /* columns that are named with one reason */
#define REASONS_MAX 8 /* reasons that are told in one line */

/* What stands beside a column: how far several runs spread, of events; or how far off it is. */
static char *aside_of(struct writer *w, int column)
{
	const char *heading = own__of(w)->columns[column].heading;
	struct sb sb = SB_INIT;

	if (!w->opts.error && !(w->grid->runs && own__column(w, column)->kind == GRID_EVENT))
		return NULL;
	sb__printf(&sb, w->opts.error ? "%s error" : "%s spread (%%)", heading);
	return dress_sb(w, &sb);
}

/* The same heading in several cgroups is one column: each cgroup has lines of its own. */
static void begin(struct writer *w)
{
	struct strmap *headings = strmap__new();
	struct own *own;

	own__begin(w);
	own = own__of(w);
	own->headings = arena__calloc(&w->memory, own->nr_columns, sizeof(*own->headings));
	own->asides = arena__calloc(&w->memory, own->nr_columns, sizeof(*own->asides));
	own->line = arena__calloc(&w->memory, own->nr_columns, sizeof(*own->line));
	for (int i = 0; i < own->nr_columns; i++) {
		struct own_column *c = &own->columns[i];

		c->place = strmap__add(headings, c->heading, own->nr_headings);
		if (c->place < own->nr_headings)
			continue;
		own->headings[own->nr_headings] = dress(w, c->heading);
		own->asides[own->nr_headings++] = aside_of(w, i);
	}
	strmap__free(headings);
}

static void heads(struct writer *w)
{
	const char *separator = w->opts.separator;
	const struct own *own = own__of(w);

	if (!w->opts.header)
		return;
	for (int i = 0; i < own->nr_keys; i++)
		sb__printf(&w->text, "%s%s", own_key__name(own->keys[i]), separator);
	sb__printf(&w->text, "status%srunning_percent%s", separator, separator);
	for (int i = 0; i < own->nr_headings; i++) {
		sb__printf(&w->text, "%s%s", own->headings[i], separator);
		if (own->asides[i])
			sb__printf(&w->text, "%s%s", own->asides[i], separator);
	}
	sb__puts(&w->text, "reason");
	/* Where CPUs are counted, which may go and come. */
	if (w->grid->per_cpu)
		sb__printf(&w->text, "%scoverage_percent", separator);
	sb__putc(&w->text, '\n');
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
	const struct own_cgroup *cgroup = &own__of(w)->cgroups[at->cgroup];
	struct standing worst = { .status = CELL_COUNTED, .percent = NAN, .coverage = NAN };

	for (int i = cgroup->first; i < cgroup->first + cgroup->nr; i++) {
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

static void put_cell(struct writer *w, const struct grid_cell *cell, bool aside)
{
	bool printed = cell && cell->status != CELL_ABSENT;

	if (printed)
		cell__print_value(&w->text, cell);
	sb__puts(&w->text, w->opts.separator);
	if (!aside)
		return;
	if (printed)
		number__print(&w->text, w->opts.error ? cell__error(cell) :
							cell->more->spread_percent);
	sb__puts(&w->text, w->opts.separator);
}

static void put_cells(struct writer *w, const struct own_place *at)
{
	struct own *own = own__of(w);
	const struct own_cgroup *cgroup = &own->cgroups[at->cgroup];

	memset(own->line, -1, own->nr_headings * sizeof(*own->line));
	for (int i = cgroup->first; i < cgroup->first + cgroup->nr; i++)
		own->line[own->columns[i].place] = i;
	for (int i = 0; i < own->nr_headings; i++)
		put_cell(w, own->line[i] < 0 ? NULL : own__cell(w, own->line[i], at->row),
			 own->asides[i]);
}

static bool has_same_reason(const struct grid_cell *a, const struct grid_cell *b)
{
	return a->status == b->status && text__same(cell__words(a), cell__words(b)) &&
	       text__same(a->more->culprit, b->more->culprit);
}

/* Whether there is something to tell of a cell. */
static bool has_reason(const struct grid_cell *cell)
{
	return cell->status != CELL_ABSENT && cell->status != CELL_COUNTED && cell__words(cell);
}

/* "cycles, branches and 3 more: no counter was free for it", of what has the reason of @first */
static void put_one_reason(const struct writer *w, int row, int first, int end, struct sb *sb)
{
	const struct grid_cell *cell = own__cell(w, first, row);
	int nr = 0;

	for (int i = first; i < end; i++) {
		const struct grid_cell *other = own__cell(w, i, row);

		if (!has_reason(other) || !has_same_reason(other, cell) || nr++ >= NAMES_MAX)
			continue;
		sb__printf(sb, "%s%s", nr > 1 ? ", " : "", own__of(w)->columns[i].heading);
	}
	if (nr > NAMES_MAX)
		sb__printf(sb, " and %d more", nr - NAMES_MAX);
	sb__puts(sb, ": ");
	cell__print_reason(sb, cell);
}

/**
 * struct reasons - those of a line that have been told
 * @at: a cell with each
 * @more: how many cells have others, for which there is no room
 */
struct reasons {
	const struct grid_cell *at[REASONS_MAX];
	int nr, more;
};

static bool is_told(const struct reasons *told, const struct grid_cell *cell)
{
	for (int i = 0; i < told->nr; i++)
		if (has_same_reason(told->at[i], cell))
			return true;
	return false;
}

static void put_reasons_of(struct writer *w, const struct own_place *at, enum cell_status status,
			   struct reasons *told)
{
	const struct own_cgroup *cgroup = &own__of(w)->cgroups[at->cgroup];
	struct sb *scratch = &w->scratch;
	int end = cgroup->first + cgroup->nr;

	for (int i = cgroup->first; i < end; i++) {
		const struct grid_cell *cell = own__cell(w, i, at->row);

		if (cell->status != status || !has_reason(cell) || is_told(told, cell))
			continue;
		if (told->nr == REASONS_MAX) {
			told->more++;
			continue;
		}
		sb__puts(scratch, told->nr ? "; " : "");
		put_one_reason(w, at->row, i, end, scratch);
		told->at[told->nr++] = cell;
	}
}

/* Each reason once, the worst first. */
static void put_reasons(struct writer *w, const struct own_place *at, enum cell_status worst)
{
	struct sb *text = &w->scratch;
	struct reasons told = { .nr = 0 };

	sb__clear(text);
	for (enum cell_status status = worst; status > CELL_COUNTED; status--)
		put_reasons_of(w, at, status, &told);
	if (told.more)
		sb__printf(text, "; and %d more", told.more);
	if (text->len)
		dress__csv(w, sb__str(text), &w->text);
}

static void put_line(struct writer *w, const struct own_place *at)
{
	const char *separator = w->opts.separator;
	const struct standing standing = standing_of(w, at);
	const struct own *own = own__of(w);

	for (int i = 0; i < own->nr_keys; i++) {
		own_key__print(w, own->keys[i], at, NULL, &w->text);
		sb__puts(&w->text, separator);
	}
	sb__printf(&w->text, "%s%s", cell_status__name(standing.status), separator);
	number__print(&w->text, standing.percent);
	sb__puts(&w->text, separator);
	put_cells(w, at);
	put_reasons(w, at, standing.status);
	if (w->grid->per_cpu) {
		sb__puts(&w->text, separator);
		number__print(&w->text, standing.coverage);
	}
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
