// SPDX-License-Identifier: GPL-2.0-only
/* Print lines of text, in which every field has a fixed width, even if it is empty. */
#include <math.h>

#include "base/fixed.h"
#include "base/text.h"
#include "writers/perfs.h"

#define TIME_TEXT_WIDTH 16
#define EVENT_WIDTH 32
#define METRIC_WIDTH 38
#define METRIC_INDENT 49 /* column in which a metric without a count begins */
#define METRIC_INDENT_PER_CPU 8 /* columns that rows of CPUs add to METRIC_INDENT */

/* In perf 7, metrics without a count begin in the same column as metrics with a count. */
static int metric_indent(const struct writer *w)
{
	if (w->opts.compat7)
		return COUNT_WIDTH + 1 + w->perfs->unit_width + 1 + EVENT_WIDTH;
	return METRIC_INDENT;
}

/* columns that an error after a count adds */
static int error_columns(const struct writer *w)
{
	return w->opts.error ? ERROR_WIDTH - 1 : 0;
}

static void put_prefix(struct writer *w, const struct line *line)
{
	size_t start = w->text.len;

	if (w->grid->span == SPAN_INTERVAL) {
		seconds__print(&w->text, w->grid->since_start_ns);
		sb__indent(&w->text, start, TIME_TEXT_WIDTH - (int)(w->text.len - start));
		sb__putc(&w->text, ' ');
	}
	sb__puts(&w->text, line__label(w, line));
	if (row_kinds[w->grid->aggr].adds_cpus)
		sb__printf(&w->text, "%*d ", CPUS_WIDTH, line->nr);
}

static void text_line__put_error(struct writer *w, const struct figure *f, int width)
{
	sb__clear(&w->scratch);
	figure__error(w, &w->scratch, f);
	dress__left(&w->text, sb__str(&w->scratch), width);
}

static void text_line__put_value(struct writer *w, const struct line *line)
{
	const struct figure f = { .form = line->column->form,
				  .error = line->cell->counted ? line->cell->more->error : 0 };
	size_t start = w->text.len;

	if (line->cell->counted && line->cell->assumed)
		sb__puts(&w->text, ASSUMED_MARK);
	line__print_value(w, line, line->column->fraction ? 2 : 0);
	/* Count columns instead of bytes, since a locale's separators may have several bytes. */
	sb__indent(&w->text, start, COUNT_WIDTH - text__width(sb__str(&w->text) + start));
	if (w->opts.error)
		text_line__put_error(w, &f, ERROR_WIDTH);
	else
		sb__putc(&w->text, ' ');
}

static void text_line__put_event(struct writer *w, const struct line *line)
{
	text_line__put_value(w, line);
	dress__left(&w->text, line->names->unit, w->perfs->unit_width);
	sb__putc(&w->text, ' ');
	dress__left(&w->text, line->names->name, EVENT_WIDTH);
	if (!w->grid->has_cgroups)
		return;
	sb__putc(&w->text, ' ');
	dress__left(&w->text, line->cgroup, CGROUP_WIDTH);
}

/* In perf 7, metrics below a heading begin further left than other metrics. */
static void text_line__put_group(struct writer *w)
{
	sb__putc(&w->text, ' ');
	if (w->opts.compat7) {
		dress__right(&w->text, w->perfs->group, METRIC_ONLY_WIDTH);
		return;
	}
	dress__right(&w->text, w->perfs->group, EVENT_WIDTH);
	sb__pad(&w->text, metric_indent(w) - EVENT_WIDTH - 1 + error_columns(w));
}

static void text_line__put_metric(struct writer *w, const struct line *line)
{
	int len;

	if (!line__has_figure(line)) {
		sb__pad(&w->text, METRIC_WIDTH + (w->opts.error ? METRIC_ERROR_WIDTH : 0));
		return;
	}
	sb__puts(&w->text, " # ");
	len = 3 + figure__text(w, &w->text, line->figure);
	if (w->opts.error)
		text_line__put_error(w, line->figure, METRIC_ERROR_WIDTH);
	sb__putc(&w->text, ' ');
	dress__left(&w->text, line->figure->unit, METRIC_WIDTH - len - 1);
}

void text__line(struct writer *w, const struct line *line, enum line_kind kind)
{
	put_prefix(w, line);
	if (kind == LINE_PREFIX)
		return;
	if (kind == LINE_EVENT)
		text_line__put_event(w, line);
	else if (kind == LINE_GROUP)
		text_line__put_group(w);
	else
		sb__pad(&w->text, metric_indent(w) + error_columns(w));
	if (kind == LINE_METRIC && w->grid->aggr == AGGR_NONE)
		sb__pad(&w->text, METRIC_INDENT_PER_CPU);
	text_line__put_metric(w, line);
}

void text__tail(struct writer *w, const struct line *line)
{
	const struct grid_cell *cell = line->cell;

	if (line__spread(line))
		sb__printf(&w->text, "  ( +-%6.2f%% )", line__spread(line));
	if (cell->running == cell->enabled)
		return;
	sb__puts(&w->text, "  (");
	fixed__print(&w->text, 100.0 * cell->running / cell->enabled, 2, false);
	sb__puts(&w->text, "%)");
}
