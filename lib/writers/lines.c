// SPDX-License-Identifier: GPL-2.0-only
/*
 * Choose which events have lines in which rows, the order of these lines, and their metrics. The
 * choices are perf's.
 */
#include <string.h>

#include "writers/perfs.h"

#define LEAST_UNIT_WIDTH 4 /* width of the heading's column */

/* Divide a rate by 1000 until few digits are left. Return: the number of divisions. */
static int thousands(struct figure *f)
{
	int nr = 0;

	for (; nr < 3 && f->value > 1000; nr++) {
		f->value /= 1000;
		f->error /= 1000;
	}
	return nr;
}

/* Make the number that follows a count. Return: false for a ratio that is not printed. */
static bool make_figure(const struct writer *w, int number, const struct line *line,
			struct figure *out)
{
	const struct grid_column *c = &w->grid->columns[number];
	const struct grid_cell *cell = grid__cell(w->grid, number, line->number);

	*out = figure__make(c, cell);
	if (c->optional && out->empty)
		return false;
	out->unit = w->perfs->names[number].figure;
	out->group = w->perfs->names[number].group;
	if (c->kind == GRID_RATE && c->form == FORM_RATE)
		out->unit = w->perfs->rates[thousands(out)];
	return true;
}

/* Make built-in ratios, then metrics. For an event that was not counted make one blank figure. */
static void make_figures(struct writer *w, int event, struct line *line)
{
	const struct grid *g = w->grid;
	int nr = 0;

	line->figures = w->perfs->figures;
	if (!line->cell->counted)
		w->perfs->figures[nr++] = (struct figure){ .empty = true, .unit = "" };
	for (int i = event + 1; line->cell->counted && i < g->nr_columns &&
	     g->columns[i].event == line->column->event; i++)
		if (!line->column->in_default || g->columns[i].kind == GRID_METRIC)
			nr += make_figure(w, i, line, &w->perfs->figures[nr]);
	line->nr_figures = nr;
	line->figure = nr ? line->figures : NULL;
}

/*
 * Whether an event of the default group has no line. In a run that prints counts, only the line of
 * the cycles reports that a counter is missing.
 */
static bool is_without_line(const struct grid *g, int event, const struct line *line)
{
	const struct grid_column *c = line->column;
	bool has_metrics = false;

	if (!c->in_default || !c->with_count)
		return c->in_default && !line->cell->counted;
	for (int i = event + 1; i < g->nr_columns && g->columns[i].event == c->event; i++)
		has_metrics |= g->columns[i].kind == GRID_METRIC;
	return !has_metrics || (!line->cell->counted && !c->supported && !c->is_cycles);
}

/* Whether an event has a line in a row; if so, @line is filled. */
static bool make_line(struct writer *w, int event, int row, struct line *line)
{
	const struct grid *g = w->grid;
	const struct grid_column *c = &g->columns[event];
	const struct grid_cell *cell = grid__cell(g, event, row);

	*line = (struct line){ .row = &g->rows[row], .number = row, .nr = cell->nr, .column = c,
			       .cell = cell, .names = &w->perfs->names[event],
			       .cgroup = w->perfs->names[event].cgroup, .of_core = c->of_cores };
	if (!cell->present)
		return false;
	/* Most threads of a machine did not run. */
	if (g->skip_idle && !cell->count)
		return false;
	if (is_without_line(g, event, line))
		return false;
	make_figures(w, event, line);
	return !c->in_default || line->nr_figures;
}

/*
 * Whether metrics of a row need the heading of their group, because the metrics before them belong
 * to another group.
 */
static bool group_is_new(struct perfs *p, const char *group)
{
	if (p->group && !strcmp(p->group, group))
		return false;
	p->group = group;
	return true;
}

static void end_line(struct writer *w)
{
	if (w->perfs->form != IN_JSON)
		sb__putc(&w->text, '\n');
}

/* Print the metrics of a run without -e under the name of their group, without counts. */
static void put_default(struct writer *w, struct line *line)
{
	struct perfs *p = w->perfs;
	const char *before = NULL;

	for (int i = 0; i < line->nr_figures; i++) {
		const char *group = line->figures[i].group;
		bool first = !before || strcmp(group, before);

		before = group;
		if (i)
			end_line(w);
		line->figure = &line->figures[i];
		if (first && group_is_new(p, group)) {
			perfs__line(w, line, LINE_GROUP);
			if (p->form == IN_TEXT)
				continue;
			end_line(w);
			perfs__line(w, line, LINE_METRIC);
		} else {
			perfs__line(w, line, first ? LINE_GROUP_MORE : LINE_METRIC);
		}
	}
}

static void put_counts(struct writer *w, struct line *line)
{
	perfs__line(w, line, LINE_EVENT);
	for (int i = 1; i < line->nr_figures; i++) {
		line->figure = &line->figures[i];
		end_line(w);
		perfs__line(w, line, LINE_METRIC);
	}
}

static void lines__put_row(struct writer *w, int event, int row)
{
	struct line line;

	if (w->grid->columns[event].kind != GRID_EVENT || !make_line(w, event, row, &line))
		return;
	if (line.column->in_default && !line.column->with_count)
		put_default(w, &line);
	else
		put_counts(w, &line);
	if (w->perfs->form == IN_TEXT)
		text__tail(w, &line);
	end_line(w);
}

void lines__measure(struct writer *w)
{
	struct perfs *p = w->perfs;

	p->unit_width = LEAST_UNIT_WIDTH;
	for (int i = 0; i < w->grid->nr_columns; i++) {
		const struct grid_column *c = &w->grid->columns[i];

		if (c->kind == GRID_EVENT && c->supported && p->names[i].unit_width > p->unit_width)
			p->unit_width = p->names[i].unit_width;
	}
}

/*
 * Rows of CPUs and threads: all rows of an event, then those of the next event. Other rows: all
 * events of a place, then those of the next place. With several cgroups, all lines of a cgroup come
 * before those of the next.
 */
static void put_rows(struct writer *w)
{
	const struct grid *g = w->grid;
	bool by_event = !row_kinds[g->aggr].adds_cpus;

	for (int i = 0; by_event && i < g->nr_columns; i++)
		for (int row = 0; row < g->nr_rows; row++)
			lines__put_row(w, i, row);
	for (int b = 0; !by_event && b < g->nr_blocks; b++)
		for (int row = 0; row < g->nr_rows; row++)
			for (int i = 0; i < g->blocks[b].nr; i++)
				lines__put_row(w, g->blocks[b].first + i, row);
}

void lines__heads(struct writer *w)
{
	perfs__lay_out(w);
	lines__measure(w);
	if (w->opts.metric_only) {
		metric_only__heads(w);
	} else if (w->opts.header) {
		fields__heads(w, LINE_EVENT);
		sb__putc(&w->text, '\n');
	}
}

void lines__rows(struct writer *w)
{
	perfs__lay_out(w);
	lines__measure(w);
	w->perfs->group = NULL;
	if (w->opts.metric_only)
		metric_only__rows(w);
	else
		put_rows(w);
}
