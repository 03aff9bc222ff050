// SPDX-License-Identifier: GPL-2.0-only
/*
 * --format=json prints an object a line for each event and metric, which is valid and typed
 * whatever happens.
 */
#include <math.h>

#include "writers/own.h"

static void put_keys(struct writer *w, struct json *j, const struct own_place *at,
		     const struct grid_cell *cell)
{
	for (int i = 0; i < w->own->nr_keys; i++) {
		enum own_key key = w->own->keys[i];
		const char *name = own_keys[key].name;

		if (own_keys[key].is_text) {
			json__begin_text(j, name);
			own_key__print(w, key, at, cell, &w->text);
			json__end_text(j);
			continue;
		}
		sb__clear(&w->scratch);
		own_key__print(w, key, at, cell, &w->scratch);
		json__bare(j, name, w->scratch.len ? sb__str(&w->scratch) : "null");
	}
}

static void put_value(struct json *j, const struct grid_cell *cell)
{
	if (cell->is_count)
		json__u64(j, "value", cell->count);
	else
		json__double(j, "value", cell->value);
}

static void put_event(const struct writer *w, struct json *j, const struct grid_column *c,
		      const struct grid_cell *cell)
{
	if (c->is_latency)
		json__u64(j, "samples", cell->count);
	json__u64(j, "enabled_ns", cell->enabled);
	json__u64(j, "running_ns", cell->running);
	json__double(j, "coverage_percent", cell->more->coverage);
	if (w->grid->runs)
		json__double(j, "spread_percent", cell->more->spread_percent);
}

static void put_misfits(const struct writer *w, struct json *j, const struct grid_column *c,
			int row)
{
	const struct grid_misfit *m;

	vec__for_each(m, &w->grid->notes.misfits)
	{
		if (m->row != row || &w->grid->columns[m->column] != c)
			continue;
		json__text(j, "contradiction", m->text);
		return;
	}
}

static void put_metric(const struct writer *w, struct json *j, const struct grid_column *c,
		       const struct own_column *names, const struct grid_cell *cell, int row)
{
	/* Built-in ratios are made of counts as they are printed. */
	if (w->grid->estimate && c->kind == GRID_METRIC && cell->status == CELL_SCALED)
		json__text(j, "estimate", w->grid->estimate);
	put_misfits(w, j, c, row);
	json__escaped(j, "event", names->of);
	if (cell->threshold < 0 || !isfinite(cell->value))
		json__bare(j, "threshold_passed", "null");
	else
		json__bool(j, "threshold_passed", cell->threshold);
}

static void put_status(struct writer *w, struct json *j, const struct grid_cell *cell)
{
	struct sb *reason = &w->scratch;

	json__double(j, "running_percent", cell->more->percent);
	json__escaped(j, "status", cell_status__name(cell->status));
	sb__clear(reason);
	cell__print_reason(reason, cell);
	json__text(j, "reason", sb__str(reason));
}

static void put_object(struct writer *w, int column, const struct own_place *at)
{
	const struct own_column *names = &w->own->columns[column];
	const struct grid_column *c = own__column(w, column);
	const struct grid_cell *cell = own__cell(w, column, at->row);
	bool is_event = c->kind == GRID_EVENT;
	struct json j = JSON_INIT(&w->text, JSON_COMPACT);

	json__open(&j, NULL, '{');
	json__int(&j, "schema", OWN_SCHEMA);
	json__escaped(&j, "type", is_event ? "event" : "metric");
	put_keys(w, &j, at, cell);
	if (w->grid->missed)
		json__u64(&j, "missed_rows", w->grid->missed);
	json__escaped(&j, "name", names->name);
	json__escaped(&j, "pmu", names->pmu);
	put_value(&j, cell);
	if (w->opts.error)
		json__double(&j, "error", cell__error(cell));
	json__escaped(&j, "unit", names->unit);
	if (is_event)
		put_event(w, &j, c, cell);
	else
		put_metric(w, &j, c, names, cell, at->row);
	put_status(w, &j, cell);
	json__close(&j, '}');
}

/* What holds for all rows comes before the first. */
static void put_run(struct writer *w)
{
	struct json j = JSON_INIT(&w->text, JSON_COMPACT);

	if (w->own->said || !w->opts.cpuid || !*w->opts.cpuid)
		return;
	w->own->said = true;
	json__open(&j, NULL, '{');
	json__int(&j, "schema", OWN_SCHEMA);
	json__escaped(&j, "type", "run");
	json__text(&j, "cpuid", w->opts.cpuid);
	json__close(&j, '}');
}

static void rows(struct writer *w)
{
	struct own_place at = { .row = -1 };

	put_run(w);
	while (own__next(w, &at)) {
		own__for_each(i, w, &at)
			if (own__cell(w, i, at.row)->status != CELL_ABSENT)
				put_object(w, i, &at);
	}
}

static void verdicts(struct writer *w)
{
	const struct grid *g = w->grid;

	for (int i = 0; i < g->nr_verdicts; i++) {
		const struct grid_verdict *v = &g->verdicts[i];
		const struct own_place at = { .row = v->row, .cgroup = v->cgroup_number };
		struct json j = JSON_INIT(&w->text, JSON_COMPACT);

		if (v->outcome == OUTCOME_NOTHING_MEASURED)
			continue;
		json__open(&j, NULL, '{');
		json__int(&j, "schema", OWN_SCHEMA);
		json__escaped(&j, "type", "verdict");
		put_keys(w, &j, &at, NULL);
		grid_verdict__members(&j, v);
		json__close(&j, '}');
	}
}

const struct format format_json = {
	.name = "json",
	.traits = FORMAT_JSON | FORMAT_VERDICT,
	.wants = WANT_EVENTS | WANT_RATIOS | WANT_METRICS | WANT_STATUS,
	.metric_only_wants = WANT_RATIOS | WANT_METRICS | WANT_STATUS,
	.dress = dress__json,
	.begin = own__begin,
	.rows = rows,
	.verdicts = verdicts,
};
