// SPDX-License-Identifier: GPL-2.0-only
/*
 * --format=json prints a line with an object for each event and metric. Lines are valid JSON, and
 * the types of members never change.
 */
#include "writers/own.h"

static void writers_json__put_keys(struct writer *w, struct json *j, const struct own_place *at,
				   const struct grid_cell *cell)
{
	for (int i = 0; i < w->own->nr_keys; i++) {
		enum own_key key = w->own->keys[i];
		const char *name = own_keys[key].name;
		size_t len;

		if (own_keys[key].is_text) {
			json__begin_text(j, name);
			own_key__print(w, key, at, cell, &w->text);
			json__end_text(j);
			continue;
		}
		json__key(j, name);
		len = w->text.len;
		own_key__print(w, key, at, cell, &w->text);
		if (w->text.len == len)
			sb__puts(&w->text, "null");
	}
}

static void put_object(struct writer *w, int column, const struct own_place *at)
{
	const struct own_cell cell = own_cell__at(w, column, at->row);
	struct json j = JSON_INIT(&w->text, JSON_COMPACT);

	json__open(&j, NULL, '{');
	json__int(&j, "schema", OWN_SCHEMA);
	json__escaped(&j, "type", cell.column->kind == GRID_EVENT ? "event" : "metric");
	writers_json__put_keys(w, &j, at, cell.cell);
	if (w->grid->missed)
		json__u64(&j, "missed_rows", w->grid->missed);
	if (w->grid->is_cut)
		json__bool(&j, "cut", true);
	cell_fields__for_each(f) {
		if (!f->key || !cell_field__is_of(f, cell.column))
			continue;
		const struct own_value v = cell_field__value(w, f, &cell);

		own_value__json(&v, &j, f->key);
	}
	json__close(&j, '}');
}

/* Append the line before the first row, with the facts that hold for all rows. */
static void put_run(struct writer *w)
{
	struct json j = JSON_INIT(&w->text, JSON_COMPACT);
	bool says_cpu = w->opts.cpuid && *w->opts.cpuid;

	if (w->own->printed_run || (!says_cpu && !w->grid->simulated))
		return;
	w->own->printed_run = true;
	json__open(&j, NULL, '{');
	json__int(&j, "schema", OWN_SCHEMA);
	json__escaped(&j, "type", "run");
	if (says_cpu)
		json__text(&j, "cpuid", w->opts.cpuid);
	if (w->grid->simulated)
		json__text(&j, "simulated", w->grid->simulated);
	json__close(&j, '}');
}

static void writers_json__rows(struct writer *w)
{
	struct own_place at = { .row = -1 };

	put_run(w);
	while (own__next(w, &at)) {
		own__for_each(i, w, &at)
			if (own__cell(w, i, at.row)->status != CELL_ABSENT)
				put_object(w, i, &at);
	}
}

static void writers_json__verdicts(struct writer *w)
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
		writers_json__put_keys(w, &j, &at, NULL);
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
	.rows = writers_json__rows,
	.verdicts = writers_json__verdicts,
};
