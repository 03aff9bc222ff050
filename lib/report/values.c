// SPDX-License-Identifier: GPL-2.0-only
/* --format=json: an object a line for each event and metric, valid and typed whatever happens. */
#include <inttypes.h>
#include <math.h>

#include "report/own.h"

static void put_text(struct report *r, const char *key, const char *text)
{
	sb__printf(&r->text, ",\"%s\":\"%s\"", key, text);
}

/* A value that may be none: null. @start: where the key begins. */
static void or_null(struct report *r, size_t before)
{
	if (r->text.len == before)
		sb__puts(&r->text, "null");
}

static void put_number(struct report *r, const char *key, double number)
{
	size_t before;

	sb__printf(&r->text, ",\"%s\":", key);
	before = r->text.len;
	number__print(&r->text, number);
	or_null(r, before);
}

void values__keys(struct report *r, const struct spot *spot, const struct cell *cell)
{
	for (int i = 0; i < r->own->nr_keys; i++) {
		enum key_id key = r->own->keys[i];
		const char *quote = key__is_text(key) ? "\"" : "";
		size_t before;

		sb__printf(&r->text, ",\"%s\":%s", key__name(key), quote);
		before = r->text.len;
		key__print(r, key, spot, cell);
		if (!*quote)
			or_null(r, before);
		sb__puts(&r->text, quote);
	}
}

static void put_value(struct report *r, const struct cell *cell)
{
	size_t before;

	sb__puts(&r->text, ",\"value\":");
	before = r->text.len;
	cell__print_value(&r->text, cell);
	or_null(r, before);
}

static void put_status(struct report *r, const struct cell *cell)
{
	struct sb *reason = &r->own->scratch;

	put_number(r, "running_percent", cell->percent);
	put_text(r, "status", cell__status_name(cell->status));
	sb__clear(reason);
	cell__print_reason(reason, cell);
	sb__puts(&r->text, ",\"reason\":\"");
	r->writer->dress(r, sb__str(reason), &r->text);
	sb__putc(&r->text, '"');
}

static void put_event(struct report *r, const struct series *s, const struct cell *cell)
{
	if (r->events[s->event].event->retire_latency)
		sb__printf(&r->text, ",\"samples\":%" PRIu64, cell->count);
	sb__printf(&r->text, ",\"enabled_ns\":%" PRIu64 ",\"running_ns\":%" PRIu64, cell->enabled,
		   cell->running);
	put_number(r, "coverage_percent", cell->coverage);
	if (r->opts.runs)
		put_number(r, "spread_percent", cell->spread_percent);
}

static void put_metric(struct report *r, const struct series *s, const struct cell *cell)
{
	static const char *const passed[] = { "null", "false", "true" };

	put_text(r, "event", s->of);
	sb__printf(&r->text, ",\"threshold_passed\":%s", passed[cell->threshold + 1]);
}

static void put_object(struct report *r, const struct series *s, const struct spot *spot,
		       const struct cell *cell)
{
	sb__printf(&r->text, "{\"schema\":%d,\"type\":\"%s\"", OWN_SCHEMA,
		   s->kind == SERIES_EVENT ? "event" : "metric");
	values__keys(r, spot, cell);
	put_text(r, "name", s->name);
	put_text(r, "pmu", s->pmu);
	put_value(r, cell);
	if (r->opts.error)
		put_number(r, "error", cell->error);
	put_text(r, "unit", s->unit);
	if (s->kind == SERIES_EVENT)
		put_event(r, s, cell);
	else
		put_metric(r, s, cell);
	put_status(r, cell);
	sb__puts(&r->text, "}\n");
}

void values__rows(struct report *r)
{
	struct spot spot;

	for (spot.cgroup = 0; spot.cgroup < r->own->nr_cgroups; spot.cgroup++)
		for (spot.bucket = 0; spot.bucket < r->nr_buckets; spot.bucket++) {
			const struct own_cgroup *cgroup = &r->own->cgroups[spot.cgroup];

			if (!own__is_shown(r, &spot))
				continue;
			for (int i = cgroup->first; i < cgroup->first + cgroup->nr; i++) {
				const struct series *s = &r->own->series[i];
				const struct cell *cell = own__cell(r, s, spot.bucket);

				if (cell->status != CELL_ABSENT)
					put_object(r, s, &spot, cell);
			}
		}
}
