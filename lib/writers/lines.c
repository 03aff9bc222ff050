// SPDX-License-Identifier: GPL-2.0-only
/*
 * Events in rows to lines, as perf prints them: which have one, in which order, with which metrics.
 */
#include <string.h>

#include "writers/perfs.h"

#define LEAST_UNIT_WIDTH 4 /* of the heading, "unit" */

/* Of a rate: by how much it is divided, so that few digits tell it. */
static int thousands(struct figure *f)
{
	int nr = 0;

	for (; nr < 3 && f->value > 1000; nr++) {
		f->value /= 1000;
		f->error /= 1000;
	}
	return nr;
}

/* What is printed behind a count. Return: false for a ratio that is not even mentioned. */
static bool make_figure(const struct writer *w, int number, const struct line *line,
			struct figure *out)
{
	const struct grid_column *c = &w->grid->columns[number];
	const struct grid_cell *cell = grid__cell(w->grid, number, line->number);
	const struct perfs *p = w->state;

	*out = figure__of(c, cell);
	if (c->optional && out->empty)
		return false;
	out->unit = p->names[number].figure;
	out->group = p->names[number].group;
	if (c->kind == GRID_RATE && c->form == FORM_RATE)
		out->unit = p->rates[thousands(out)];
	return true;
}

/* Built-in ratios first, then metrics; for an event not counted, room for one. */
static void make_figures(struct writer *w, int event, struct line *line)
{
	const struct grid *g = w->grid;
	struct perfs *p = w->state;
	int nr = 0;

	line->figures = p->figures;
	if (!line->cell->counted)
		p->figures[nr++] = (struct figure){ .empty = true, .unit = "" };
	for (int i = event + 1; line->cell->counted && i < g->nr_columns &&
	     g->columns[i].event == line->column->event; i++)
		if (!line->column->in_default || g->columns[i].kind == GRID_METRIC)
			nr += make_figure(w, i, line, &p->figures[nr]);
	line->nr_figures = nr;
	line->figure = nr ? line->figures : NULL;
}

/* Whether the event has a line in that row; @line is then filled. */
static bool make_line(struct writer *w, int event, int row, struct line *line)
{
	const struct grid *g = w->grid;
	const struct perfs *p = w->state;
	const struct grid_column *c = &g->columns[event];
	const struct grid_cell *cell = grid__cell(g, event, row);

	*line = (struct line){ .row = &g->rows[row], .number = row, .nr = cell->nr, .column = c,
			       .cell = cell, .names = &p->names[event],
			       .cgroup = p->names[event].cgroup, .of_core = c->of_cores };
	if (!cell->present || (c->of_cores && !line->row->leads_core))
		return false;
	/*
	 * As in perf 6.12, a time of 0 ns has no row, even one that was measured. And most of all
	 * threads there are did not run.
	 */
	if ((c->hide_zero || g->skip_idle) && !cell->count)
		return false;
	if (c->in_default && !cell->counted)
		return false;
	make_figures(w, event, line);
	return !c->in_default || line->nr_figures;
}

/* Whether the metrics of a row's next group get a heading: not when it is the one above. */
static bool group_is_new(struct perfs *p, const char *group)
{
	if (p->group && !strcmp(p->group, group))
		return false;
	p->group = group;
	return true;
}

static void end_line(struct writer *w)
{
	if (((struct perfs *)w->state)->form != IN_JSON)
		sb__putc(&w->text, '\n');
}

/* Metrics of a run without -e: under the name of their group, without the counts. */
static void put_default(struct writer *w, struct line *line)
{
	struct perfs *p = w->state;
	const char *before = NULL;

	for (int i = 0; i < line->nr_figures; i++) {
		const char *group = line->figures[i].group;
		bool first = !before || strcmp(group, before);

		before = group;
		if (i)
			end_line(w);
		line->figure = &line->figures[i];
		if (first && group_is_new(p, group)) {
			fields__line(w, line, LINE_GROUP);
			if (p->form == IN_TEXT)
				continue;
			end_line(w);
			fields__line(w, line, LINE_METRIC);
		} else {
			fields__line(w, line, first ? LINE_GROUP_MORE : LINE_METRIC);
		}
	}
}

static void put_counts(struct writer *w, struct line *line)
{
	fields__line(w, line, LINE_EVENT);
	for (int i = 1; i < line->nr_figures; i++) {
		line->figure = &line->figures[i];
		end_line(w);
		fields__line(w, line, LINE_METRIC);
	}
}

static void put_row(struct writer *w, int event, int row)
{
	struct line line;

	if (w->grid->columns[event].kind != GRID_EVENT || !make_line(w, event, row, &line))
		return;
	if (line.column->in_default)
		put_default(w, &line);
	else
		put_counts(w, &line);
	fields__tail(w, &line);
	end_line(w);
}

void lines__measure(struct writer *w)
{
	struct perfs *p = w->state;

	p->unit_width = LEAST_UNIT_WIDTH;
	for (int i = 0; i < w->grid->nr_columns; i++) {
		const struct grid_column *c = &w->grid->columns[i];

		if (c->kind == GRID_EVENT && c->supported && p->names[i].unit_width > p->unit_width)
			p->unit_width = p->names[i].unit_width;
	}
}

/*
 * CPUs and threads stand together for each event; of all else, the events for each place. Each
 * cgroup of several has its turn.
 */
static void put_rows(struct writer *w)
{
	const struct grid *g = w->grid;
	bool by_event = g->aggr == AGGR_GLOBAL || g->aggr == AGGR_NONE || g->aggr == AGGR_THREAD;

	for (int i = 0; by_event && i < g->nr_columns; i++)
		for (int row = 0; row < g->nr_rows; row++)
			put_row(w, i, row);
	for (int b = 0; !by_event && b < g->nr_blocks; b++)
		for (int row = 0; row < g->nr_rows; row++)
			for (int i = 0; i < g->blocks[b].nr; i++)
				put_row(w, g->blocks[b].first + i, row);
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
	struct perfs *p = w->state;

	perfs__lay_out(w);
	lines__measure(w);
	p->group = NULL;
	if (w->opts.metric_only)
		metric_only__rows(w);
	else
		put_rows(w);
}
