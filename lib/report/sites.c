// SPDX-License-Identifier: GPL-2.0-only
/*
 * Set the names of rows of sites, which are made of samples, and fill their columns without events.
 */
#include <math.h>
#include <string.h>

#include "aggregate/site_counts.h"
#include "metrics/metrics.h"
#include "report/internal.h"

void sites__add_columns(struct report *r, int event)
{
	struct origin from = {.event = event, .where = event, .site = SITE_VALUE_SHARE};
	struct grid_column *c;

	if (!(r->opts.wants & WANT_METRICS))
		return;
	c = columns__add(r, GRID_METRIC, from);
	c->name = c->label = "share";
	c->unit = "%";
	c->form = FORM_SCALED;
	c->rank = -2;
	from.site = SITE_VALUE_SAMPLES;
	c = columns__add(r, GRID_METRIC, from);
	c->name = c->label = "samples";
	c->unit = "";
	c->form = FORM_COUNT;
	c->rank = -1;
}

void sites__fill_cell(const struct report *r, const struct origin *from, int row,
		      struct grid_cell *cell)
{
	const struct site_counts *sites = r->opts.sites;

	cell->present = sites->samples[row] > 0;
	cell->status = cell->present ? CELL_COUNTED : CELL_ABSENT;
	cell->counted = cell->present;
	if (!cell->present)
		return;
	if (from->site == SITE_VALUE_SAMPLES) {
		cell->value = sites->samples[row];
		cell->count = llround(cell->value);
		cell->is_count = true;
		return;
	}
	cell->value = 100 * sites->shares[row];
	if (r->grid.wants & WANT_MORE)
		cell->more->error = 100 * sites->share_errors[row];
}

void report__name_row(struct report *r, int row, const char *name, const char *object)
{
	struct grid_row *at = &r->sums->rows[row];

	r->grid.named += !at->comm || strcmp(at->comm, name);
	at->comm = (char *)name;
	at->object = object;
}

/* Find the bottleneck of a site on each type of core. */
static void judge_cores(struct report *r, int row, bool sampled)
{
	struct grid *g = &r->grid;

	for (int core = 0; g->bottlenecks && core < g->cores.nr; core++)
		g->bottlenecks[core * g->nr_rows + row] =
			sampled ? verdicts__bottleneck(r->verdicts, row, g->cores.at[core]) : NULL;
}

void sites__judge(struct report *r)
{
	for (int row = 0; row < r->sums->nr_rows; row++) {
		struct grid_row *at = &r->sums->rows[row];
		bool sampled = r->opts.sites->samples[row] > 0;
		const char *found = sampled ? verdicts__bottleneck(r->verdicts, row, NULL) : NULL;

		judge_cores(r, row, sampled);
		if (found == at->bottleneck)
			continue;
		at->bottleneck = found;
		r->grid.named++;
	}
}

void report__set_near(struct report *r, int row, bool near)
{
	r->grid.named += r->sums->rows[row].near != near;
	r->sums->rows[row].near = near;
}

/* Return: the share of the slots of a site that retired, 0 to 1; NAN if unknown. */
static double useful_part(const struct report *r, int row)
{
	const struct sums *s = r->sums;

	for (int i = 0; i < s->nr_metrics; i++) {
		const struct summed_metric *m = &s->metrics[i];
		const struct metric_info *info = &m->metric->metric->info;
		double value = s->out[m->metric->value * s->nr_rows + row] * m->scale / 100;

		if (metrics__topdown_level(info) == 1 && metrics__topdown_is_useful(info) &&
		    isfinite(value))
			return value;
	}
	return NAN;
}

double report__find_lost(const struct report *r, int row)
{
	const struct site_counts *sites = r->opts.sites;
	double useful = useful_part(r, row), known = 0, lost = 0;

	for (int i = 0; i < r->sums->nr_rows && isnan(useful); i++) {
		double other = useful_part(r, i);

		known += isnan(other) ? 0 : sites->shares[i];
		lost += isnan(other) ? 0 : sites->shares[i] * (1 - other);
	}
	if (isnan(useful))
		useful = known > 0 ? 1 - lost / known : 0;
	return sites->shares[row] * (1 - useful);
}
