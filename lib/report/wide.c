// SPDX-License-Identifier: GPL-2.0-only
/* --format=csv-wide: a line for each row, a column for each event and metric. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/strmap.h"
#include "report/own.h"

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
	sb__puts(&r->text, "reason\n");
}

/*
 * A line's status is that of its worst cell, its share of the time the least of all.
 * Return: the series of that cell, or NULL.
 */
static const struct series *worst_of(const struct report *r, const struct spot *spot, int *more,
				     double *percent)
{
	const struct own_cgroup *cgroup = &r->own->cgroups[spot->cgroup];
	enum cell_status status = CELL_COUNTED;
	const struct series *worst = NULL;

	*more = 0;
	*percent = NAN;
	for (int i = cgroup->first; i < cgroup->first + cgroup->nr; i++) {
		const struct series *s = &r->own->series[i];
		const struct cell *cell = own__cell(r, s, spot->bucket);

		if (cell->status == CELL_ABSENT)
			continue;
		if (!(cell->percent >= *percent) && !isnan(cell->percent))
			*percent = cell->percent;
		if (cell->status == CELL_COUNTED)
			continue;
		++*more;
		if (!worst || cell->status > status) {
			worst = s;
			status = cell->status;
		}
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

/* "cycles: no counter was free for it (and 3 more)" */
static void put_reason(struct report *r, const struct spot *spot, const struct series *worst,
		       int more)
{
	struct sb *reason = &r->own->scratch;

	if (!worst)
		return;
	sb__clear(reason);
	sb__printf(reason, "%s: ", worst->heading);
	cell__print_reason(reason, own__cell(r, worst, spot->bucket));
	if (more > 1)
		sb__printf(reason, " (and %d more)", more - 1);
	r->writer->dress(r, sb__str(reason), &r->text);
}

static void put_line(struct report *r, const struct spot *spot)
{
	const char *separator = r->opts.separator;
	const struct series *worst;
	enum cell_status status;
	double percent;
	int more;

	for (int i = 0; i < r->own->nr_keys; i++) {
		key__print(r, r->own->keys[i], spot, NULL);
		sb__puts(&r->text, separator);
	}
	worst = worst_of(r, spot, &more, &percent);
	status = worst ? own__cell(r, worst, spot->bucket)->status : CELL_COUNTED;
	sb__printf(&r->text, "%s%s", cell__status_name(status), separator);
	number__print(&r->text, percent);
	sb__puts(&r->text, separator);
	put_cells(r, spot);
	put_reason(r, spot, worst, more);
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
