// SPDX-License-Identifier: GPL-2.0-only
/* --format=prom: the text that Prometheus reads, all samples of a name together. */
#include <inttypes.h>
#include <math.h>

#include "report/own.h"

#define NS_PER_S 1000000000

/* Return: false when there is no sample; else its number is appended. */
typedef bool (*sample_fn)(struct report *r, const struct series *s, int bucket);

static bool is_state(const struct report *r, const struct series *s)
{
	const struct event *e = r->events[s->event].event;

	return e->snapshot || e->retire_latency;
}

static bool print_total(struct report *r, const struct series *s, int bucket)
{
	int at = s->event * r->nr_buckets + bucket;
	double scale = r->events[s->event].event->scale;
	uint64_t total = r->own->totals[at];

	if (!r->own->counted[at])
		return false;
	if (scale == 1)
		sb__printf(&r->text, "%" PRIu64, total);
	else
		number__print(&r->text, total * scale);
	return true;
}

static bool value(struct report *r, const struct series *s, int bucket)
{
	size_t before = r->text.len;

	number__print(&r->text, own__cell(r, s, bucket)->value);
	return r->text.len > before;
}

static bool event_total(struct report *r, const struct series *s, int bucket)
{
	return !is_state(r, s) && print_total(r, s, bucket);
}

static bool event_state(struct report *r, const struct series *s, int bucket)
{
	if (r->events[s->event].event->retire_latency)
		return value(r, s, bucket);
	return is_state(r, s) && print_total(r, s, bucket);
}

static bool running_ratio(struct report *r, const struct series *s, int bucket)
{
	size_t before = r->text.len;

	number__print(&r->text, own__cell(r, s, bucket)->percent / 100);
	return r->text.len > before;
}

static bool coverage_ratio(struct report *r, const struct series *s, int bucket)
{
	size_t before = r->text.len;

	number__print(&r->text, own__cell(r, s, bucket)->coverage / 100);
	return r->text.len > before;
}

static bool error(struct report *r, const struct series *s, int bucket)
{
	size_t before = r->text.len;

	if (r->opts.error)
		number__print(&r->text, own__cell(r, s, bucket)->error);
	return r->text.len > before;
}

static bool one(struct report *r, const struct series *s, int bucket)
{
	(void)s;
	(void)bucket;
	sb__putc(&r->text, '1');
	return true;
}

static bool threshold(struct report *r, const struct series *s, int bucket)
{
	int passed = own__cell(r, s, bucket)->threshold;

	if (passed < 0)
		return false;
	sb__printf(&r->text, "%d", passed);
	return true;
}

/*
 * @of_metrics: of metrics, not of events
 * @has_unit:   the number has the unit of the event or metric
 * @has_status: what became of it and why are labels
 */
static const struct family {
	const char *name, *type, *help;
	bool of_metrics, has_unit, has_status;
	sample_fn print;
} families[] = {
	{ "tma_event_count_total", "counter", "Events counted since the start.", false, true, false,
	  event_total },
	{ "tma_event_state", "gauge", "Events whose value is a state and no count.", false, true,
	  false, event_state },
	{ "tma_event_running_ratio", "gauge",
	  "Share of the last row's time in which the event had a counter.", false, false, false,
	  running_ratio },
	{ "tma_event_coverage_ratio", "gauge",
	  "Share of the last row's time in which all CPUs counted the event.", false, false, false,
	  coverage_ratio },
	{ "tma_event_error", "gauge",
	  "Half the width of the 90 % interval of the event's count in the last row.", false, true,
	  false, error },
	{ "tma_event_status", "gauge", "What became of the event in the last row, and why.", false,
	  false, true, one },
	{ "tma_metric", "gauge", "Metrics of the last row.", true, true, false, value },
	{ "tma_metric_error", "gauge", "Half the width of the 90 % interval of the metric.", true,
	  true, false, error },
	{ "tma_metric_threshold_passed", "gauge",
	  "Whether the metric's value is one to look into.", true, false, false, threshold },
	{ "tma_metric_running_ratio", "gauge",
	  "Least share of the last row's time in which an event of the metric had a counter.", true,
	  false, false, running_ratio },
	{ "tma_metric_status", "gauge", "What became of the metric in the last row, and why.", true,
	  false, true, one },
};

static void put_label(struct report *r, const char *name, const char *text)
{
	if (*text)
		sb__printf(&r->text, ",%s=\"%s\"", name, text);
}

static void put_keys(struct report *r, const struct spot *spot)
{
	for (int i = 0; i < r->own->nr_keys; i++) {
		enum key_id key = r->own->keys[i];
		size_t start = r->text.len, before;

		/* When it was is the time of reading; how many CPUs are added up may change. */
		if (key < KEY_PLACE || key == KEY_CPUS)
			continue;
		sb__printf(&r->text, ",%s=\"", key__name(key));
		before = r->text.len;
		key__print(r, key, spot, NULL);
		if (r->text.len > before)
			sb__putc(&r->text, '"');
		else
			r->text.len = start;
	}
}

static void put_status(struct report *r, const struct cell *cell)
{
	struct sb *reason = &r->own->scratch;

	put_label(r, "status", cell__status_name(cell->status));
	if (!cell->reason)
		return;
	sb__clear(reason);
	cell__print_reason(reason, cell);
	sb__puts(&r->text, ",reason=\"");
	r->writer->dress(r, sb__str(reason), &r->text);
	sb__putc(&r->text, '"');
}

static void put_labels(struct report *r, const struct family *f, const struct series *s,
		       const struct spot *spot)
{
	const struct cell *cell = own__cell(r, s, spot->bucket);

	sb__printf(&r->text, "%s{%s=\"%s\"", f->name, f->of_metrics ? "name" : "event", s->name);
	put_label(r, "pmu", s->pmu);
	put_label(r, "event", s->of);
	if (f->has_unit)
		put_label(r, "unit", s->unit);
	put_keys(r, spot);
	if (f->has_status)
		put_status(r, cell);
	sb__puts(&r->text, "} ");
}

static void put_help(struct report *r, const char *name, const char *type, const char *help)
{
	sb__printf(&r->text, "# HELP %s %s\n# TYPE %s %s\n", name, help, name, type);
}

/* Return: whether there was a sample. */
static bool put_sample(struct report *r, const struct family *f, const struct series *s,
		       const struct spot *spot)
{
	size_t start = r->text.len;

	if (own__cell(r, s, spot->bucket)->status == CELL_ABSENT)
		return false;
	put_labels(r, f, s, spot);
	if (f->print(r, s, spot->bucket)) {
		sb__putc(&r->text, '\n');
		return true;
	}
	r->text.len = start;
	return false;
}

static bool put_samples(struct report *r, const struct family *f, const struct spot *spot)
{
	const struct own_cgroup *cgroup = &r->own->cgroups[spot->cgroup];
	bool some = false;

	for (int i = cgroup->first; i < cgroup->first + cgroup->nr; i++) {
		const struct series *s = &r->own->series[i];

		if ((s->kind != SERIES_EVENT) == f->of_metrics)
			some |= put_sample(r, f, s, spot);
	}
	return some;
}

static void put_family(struct report *r, const struct family *f)
{
	size_t start = r->text.len;
	struct spot spot;
	bool some = false;

	put_help(r, f->name, f->type, f->help);
	for (spot.cgroup = 0; spot.cgroup < r->own->nr_cgroups; spot.cgroup++)
		for (spot.bucket = 0; spot.bucket < r->nr_buckets; spot.bucket++)
			if (own__is_shown(r, &spot))
				some |= put_samples(r, f, &spot);
	if (!some)
		r->text.len = start;
}

static void put_seconds(struct report *r, const char *name, const char *type, const char *help,
			uint64_t ns)
{
	if (!ns)
		return;
	put_help(r, name, type, help);
	sb__printf(&r->text, "%s %" PRIu64 ".%09" PRIu64 "\n", name, ns / NS_PER_S, ns % NS_PER_S);
}

void prom__rows(struct report *r)
{
	put_seconds(r, "tma_measured_seconds_total", "counter", "Time since the start.",
		    r->time->since_start_ns);
	put_seconds(r, "tma_row_seconds", "gauge", "Length of the last row.", r->time->elapsed_ns);
	for (size_t i = 0; i < sizeof(families) / sizeof(*families); i++)
		put_family(r, &families[i]);
}
