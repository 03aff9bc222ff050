// SPDX-License-Identifier: GPL-2.0-only
/* --format=csv-wide: a line for each row, a column for each event and metric. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/strmap.h"
#include "report/own.h"

#define NAMES_MAX 3   /* columns that are named with one reason */
#define REASONS_MAX 8 /* reasons that are told in one line */

/* What stands beside a column: how far several runs spread, of events; or how far off it is. */
static bool has_spread(const struct report *r, const struct series *s)
{
	return r->opts.error || (r->opts.runs && s->kind == SERIES_EVENT);
}

static int column__name(struct report *r, const struct series *s, int column)
{
	struct own *own = r->own;
	struct sb sb = SB_INIT;

	own->columns[column] = dress(r, s->heading);
	if (!own->columns[column])
		return -ENOMEM;
	if (!has_spread(r, s))
		return 0;
	sb__printf(&sb, r->opts.error ? "%s error" : "%s spread (%%)", s->heading);
	own->spreads[column] = sb.err ? NULL : dress(r, sb__str(&sb));
	sb__free(&sb);
	return own->spreads[column] ? 0 : -ENOMEM;
}

/* The same heading in several cgroups is one column: each cgroup has lines of its own. */
int wide__build(struct report *r)
{
	struct own *own = r->own;
	struct strmap *headings = strmap__new();
	int err = 0;

	own->columns = calloc(own->nr_series + 1, sizeof(*own->columns));
	own->spreads = calloc(own->nr_series + 1, sizeof(*own->spreads));
	own->line = calloc(own->nr_series + 1, sizeof(*own->line));
	if (!headings || !own->columns || !own->spreads || !own->line)
		err = -ENOMEM;
	for (int i = 0; i < own->nr_series && !err; i++) {
		struct series *s = &own->series[i];

		s->column = strmap__add(headings, s->heading, own->nr_columns);
		if (s->column < 0)
			err = s->column;
		else if (s->column == own->nr_columns)
			err = column__name(r, s, own->nr_columns++);
	}
	strmap__free(headings);
	return err;
}

void wide__free(struct report *r)
{
	struct own *own = r->own;

	for (int i = 0; i < own->nr_columns; i++) {
		free(own->columns[i]);
		free(own->spreads[i]);
	}
	free(own->columns);
	free(own->spreads);
	free(own->line);
}

/* Where CPUs are counted, which may go and come. */
static bool has_coverage(const struct report *r)
{
	return r->per_cpu;
}

void wide__heads(struct report *r)
{
	const char *separator = r->opts.separator;
	const struct own *own = r->own;

	if (!r->opts.header)
		return;
	for (int i = 0; i < own->nr_keys; i++)
		sb__printf(&r->text, "%s%s", key__name(own->keys[i]), separator);
	sb__printf(&r->text, "status%srunning_percent%s", separator, separator);
	for (int i = 0; i < own->nr_columns; i++) {
		sb__printf(&r->text, "%s%s", own->columns[i], separator);
		if (own->spreads[i])
			sb__printf(&r->text, "%s%s", own->spreads[i], separator);
	}
	sb__puts(&r->text, "reason");
	if (has_coverage(r))
		sb__printf(&r->text, "%scoverage_percent", separator);
	sb__putc(&r->text, '\n');
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

static struct standing standing_of(const struct report *r, const struct spot *spot)
{
	const struct own_cgroup *cgroup = &r->own->cgroups[spot->cgroup];
	struct standing worst = { .status = CELL_COUNTED, .percent = NAN, .coverage = NAN };

	for (int i = cgroup->first; i < cgroup->first + cgroup->nr; i++) {
		const struct cell *cell = own__cell(r, &r->own->series[i], spot->bucket);

		if (cell->status == CELL_ABSENT)
			continue;
		take_least(&worst.percent, cell->percent);
		take_least(&worst.coverage, cell->coverage);
		if (cell->status > worst.status)
			worst.status = cell->status;
	}
	return worst;
}

static void put_cells(struct report *r, const struct spot *spot)
{
	const struct own *own = r->own;
	const struct own_cgroup *cgroup = &own->cgroups[spot->cgroup];

	memset(own->line, 0, own->nr_columns * sizeof(*own->line));
	for (int i = cgroup->first; i < cgroup->first + cgroup->nr; i++)
		own->line[own->series[i].column] = &own->series[i];
	for (int i = 0; i < own->nr_columns; i++) {
		const struct series *s = own->line[i];
		const struct cell *cell = s ? own__cell(r, s, spot->bucket) : NULL;

		if (cell)
			cell__print_value(&r->text, cell);
		sb__puts(&r->text, r->opts.separator);
		if (!own->spreads[i])
			continue;
		if (cell)
			number__print(&r->text,
				      r->opts.error ? cell->error : cell->spread_percent);
		sb__puts(&r->text, r->opts.separator);
	}
}

static bool is_same_text(const char *a, const char *b)
{
	return a == b || (a && b && !strcmp(a, b));
}

static bool has_same_reason(const struct cell *a, const struct cell *b)
{
	return a->status == b->status && is_same_text(a->reason, b->reason) &&
	       is_same_text(a->culprit, b->culprit);
}

/* Whether there is something to tell of a cell. */
static bool has_reason(const struct cell *cell)
{
	return cell->status != CELL_ABSENT && cell->status != CELL_COUNTED && cell->reason;
}

/* "cycles, branches and 3 more: no counter was free for it", of what has the reason of @first */
static void put_one_reason(const struct report *r, const struct spot *spot, int first, int end,
			   struct sb *sb)
{
	const struct cell *cell = own__cell(r, &r->own->series[first], spot->bucket);
	int nr = 0;

	for (int i = first; i < end; i++) {
		const struct series *s = &r->own->series[i];
		const struct cell *other = own__cell(r, s, spot->bucket);

		if (!has_reason(other) || !has_same_reason(other, cell) || nr++ >= NAMES_MAX)
			continue;
		sb__printf(sb, "%s%s", nr > 1 ? ", " : "", s->heading);
	}
	if (nr > NAMES_MAX)
		sb__printf(sb, " and %d more", nr - NAMES_MAX);
	sb__puts(sb, ": ");
	cell__print_reason(sb, cell);
}

/**
 * struct reasons - those of a line that have been told
 * @at: a series with each
 * @more: how many cells have others, for which there is no room
 */
struct reasons {
	int at[REASONS_MAX];
	int nr, more;
};

static bool is_told(const struct report *r, const struct spot *spot, const struct reasons *told,
		    const struct cell *cell)
{
	for (int i = 0; i < told->nr; i++)
		if (has_same_reason(own__cell(r, &r->own->series[told->at[i]], spot->bucket), cell))
			return true;
	return false;
}

static void put_reasons_of(struct report *r, const struct spot *spot, enum cell_status status,
			   struct reasons *told)
{
	const struct own_cgroup *cgroup = &r->own->cgroups[spot->cgroup];
	int end = cgroup->first + cgroup->nr;

	for (int i = cgroup->first; i < end; i++) {
		const struct cell *cell = own__cell(r, &r->own->series[i], spot->bucket);

		if (cell->status != status || !has_reason(cell) || is_told(r, spot, told, cell))
			continue;
		if (told->nr == REASONS_MAX) {
			told->more++;
			continue;
		}
		sb__puts(&r->own->scratch, told->nr ? "; " : "");
		put_one_reason(r, spot, i, end, &r->own->scratch);
		told->at[told->nr++] = i;
	}
}

/* Each reason once, the worst first. */
static void put_reasons(struct report *r, const struct spot *spot, enum cell_status worst)
{
	struct sb *text = &r->own->scratch;
	struct reasons told = { .nr = 0 };

	sb__clear(text);
	for (enum cell_status status = worst; status > CELL_COUNTED; status--)
		put_reasons_of(r, spot, status, &told);
	if (told.more)
		sb__printf(text, "; and %d more", told.more);
	if (text->len)
		r->writer->dress(r, sb__str(text), &r->text);
}

static void put_line(struct report *r, const struct spot *spot)
{
	const char *separator = r->opts.separator;
	const struct standing standing = standing_of(r, spot);

	for (int i = 0; i < r->own->nr_keys; i++) {
		key__print(r, r->own->keys[i], spot, NULL);
		sb__puts(&r->text, separator);
	}
	sb__printf(&r->text, "%s%s", cell__status_name(standing.status), separator);
	number__print(&r->text, standing.percent);
	sb__puts(&r->text, separator);
	put_cells(r, spot);
	put_reasons(r, spot, standing.status);
	if (has_coverage(r)) {
		sb__puts(&r->text, separator);
		number__print(&r->text, standing.coverage);
	}
	sb__putc(&r->text, '\n');
}

void wide__rows(struct report *r)
{
	struct spot spot;

	for (spot.cgroup = 0; spot.cgroup < r->own->nr_cgroups; spot.cgroup++)
		for (spot.bucket = 0; spot.bucket < r->nr_buckets; spot.bucket++)
			if (own__is_shown(r, &spot))
				put_line(r, &spot);
}
