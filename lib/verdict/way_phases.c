// SPDX-License-Identifier: GPL-2.0-only
/* Track when the first level changes while a path is searched. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "grid/grid.h"
#include "verdict/way.h"
#include "verdict/way_phases.h"

#define LEAST_POINTS 2 /* phases that differ by fewer points of % are not reported */
#define OTHER_POINTS 5 /* a change of this many points of % restarts the path */

void ways__take_row(struct ways *w, const struct grid *g)
{
	struct way_rows *rows = &w->rows;

	if (g->span != SPAN_INTERVAL || g->is_total)
		return;
	vec__push(&rows->times,
		  ((struct way_time){.start_ns = w->begin_ns + g->since_start_ns - g->elapsed_ns,
				     .end_ns = w->begin_ns + g->since_start_ns}));
	for (int i = 0; i < g->nr_columns; i++)
		vec__push(&rows->values, grid__cell(g, i, 0)->value);
}

static int way_phases__column_of(const struct grid *g, const struct way *way, const char *name)
{
	for (int i = 0; i < g->nr_columns; i++) {
		const struct grid_column *c = &g->columns[i];

		if (c->kind == GRID_METRIC && !strcmp(c->name, name) &&
		    text__same(c->core_name, way->core_name) && text__same(c->cgroup, way->cgroup))
			return i;
	}
	return -1;
}

/* Set the nodes of the first level, which are the same in all measurements. */
static void way_phases__begin(struct ways *w, struct way *way, const struct grid_verdict *v)
{
	for (int i = 0; i < v->nr_nodes; i++)
		if (v->nodes[i].level == 1)
			way_nodes__add(&way->top, &v->nodes[i], w->steps);
	phases__init(&way->measured, way->top.nr, way->top.nr, LEAST_POINTS, &w->memory);
}

static void add_rows(struct ways *w, struct way *way, const struct grid *g)
{
	const struct way_rows *rows = &w->rows;
	double values[WAY_MOST_TOP];

	for (int row = 0; row < rows->times.nr; row++) {
		int nr = 0;

		for (; nr < way->top.nr; nr++) {
			int column = way_phases__column_of(g, way, way->top.at[nr].name);

			values[nr] = column < 0 ? (double)NAN
						: rows->values.at[row * g->nr_columns + column];
			if (!isfinite(values[nr]))
				break;
		}
		if (nr == way->top.nr)
			phases__add(&way->measured, rows->times.at[row].start_ns,
				    rows->times.at[row].end_ns, values);
	}
}

static void free_phases(struct way *way)
{
	for (int i = 0; i < way->phases.nr; i++)
		free(way->phases.at[i].values);
	vec__free(&way->phases);
}

static void tell_phases(struct way *way)
{
	int starts[PHASES_MOST + 1], nr = phases__find(&way->measured, starts);

	free_phases(way);
	starts[nr] = way->measured.nr;
	for (int i = 0; nr > 1 && i < nr; i++) {
		struct way_phase phase = {
			.start_ns = way->measured.points[starts[i]].start_ns,
			.end_ns = way->measured.points[starts[i + 1] - 1].end_ns,
			.values = xcalloc(way->top.nr, sizeof(double)),
		};

		for (int n = 0; n < way->top.nr; n++)
			phase.values[n] = phases__mean(&way->measured, n, starts[i], starts[i + 1]);
		vec__push(&way->phases, phase);
	}
}

void way__take_rows(struct ways *w, struct way *way, const struct grid *g,
		    const struct grid_verdict *v)
{
	if (!w->rows.times.nr)
		return;
	if (!way->top.nr)
		way_phases__begin(w, way, v);
	if (!way->top.nr || way->top.nr > WAY_MOST_TOP)
		return;
	add_rows(w, way, g);
	tell_phases(way);
}

bool way__has_changed(const struct way *way)
{
	const struct way_phase *last, *before;
	double most = 0;

	if (way->phases.nr < 2)
		return false;
	last = &way->phases.at[way->phases.nr - 1];
	before = last - 1;
	for (int i = 0; i < way->top.nr; i++)
		most = fmax(most, fabs(last->values[i] - before->values[i]));
	return last->start_ns > way->since_ns && most >= OTHER_POINTS;
}

bool way__is_mixed(const struct way *way)
{
	for (int i = 1; i < way->phases.nr; i++)
		if (way->phases.at[i].start_ns > way->since_ns &&
		    way->phases.at[i].start_ns < way->until_ns)
			return true;
	return false;
}

void way__free_phases(struct way *way)
{
	free_phases(way);
}
