// SPDX-License-Identifier: GPL-2.0-only
/* Events and buckets to lines: which are printed, in which order, with which metrics. */
#include <math.h>
#include <string.h>

#include "report/error.h"

void metric__figure(const struct report *r, const struct shown_metric *m, int bucket,
		    struct figure *out)
{
	const struct plan_metric *pm = m->metric;

	*out = (struct figure){ .form = m->form, .unit = m->unit, .group = m->group };
	out->value = r->shown_values[pm->value * r->nr_buckets + bucket] * m->scale;
	out->assumed = !isnan(out->value) && report_latencies__assumed(r, m, bucket) >= 0;
	if (r->opts.error)
		out->error = error__of_metric(r, m, bucket);
	if (pm->threshold >= 0 && !r->opts.no_threshold) {
		double over = r->shown_values[pm->threshold * r->nr_buckets + bucket];

		if (over == 0)
			out->colour = COLOUR_GREEN;
		else if (!isnan(over) && !error__may_be_under(pm->metric, out, m->scale))
			out->colour = COLOUR_RED;
	}
}

static bool is_default_row(const struct row *row)
{
	return row->event->event->default_group;
}

/* Built-in ratios first, then metrics; for an event not counted, room for one. Return: how many. */
static int row__figures(struct report *r, const struct row *row, int bucket)
{
	const struct shown_event *e = row->event;
	struct figure *out = r->figures;
	int nr = 0;

	if (!row->counted) {
		out[0] = (struct figure){ .empty = true, .unit = "" };
		return 1;
	}
	if (!is_default_row(row))
		nr = shadow__figures(r, e, bucket, out);
	for (int m = 0; m < e->nr_metrics; m++)
		metric__figure(r, &e->metrics[m], bucket, &out[nr++]);
	return nr;
}

/* Whether the event has a row there; @row is then filled. */
static bool row__fill(struct report *r, int event, int bucket, struct row *row)
{
	const struct shown_event *e = &r->events[event];
	const struct sum *s = &r->sums[event * r->nr_buckets + bucket];

	*row = (struct row){ .event = e, .bucket = &r->buckets[bucket], .sum = s, .nr = s->nr };
	if (e->merged || !s->present)
		return false;
	if (percore__is(r, event) && !r->opts.percore_threads) {
		if (r->core_of[bucket] != bucket)
			return false;
		row->core = r->core_labels[bucket];
	}
	/* As in perf 6.12, a time of 0 ns has no row, even one that was measured. */
	if (e->event->tool && !s->value)
		return false;
	/* Of all threads there are, most did not run. */
	if (r->opts.skip_idle && !s->value)
		return false;
	row->counted = sum__counted(s);
	if (is_default_row(row) && (!row->counted || !e->nr_metrics))
		return false;
	row->value = event__value(r, event, bucket);
	if (r->opts.runs && row->counted)
		row->spread_percent = runs__percent(r, event, bucket);
	if (r->opts.error && row->counted)
		row->error = error__of_event(r, event, bucket);
	row->figures = r->figures;
	row->nr_figures = row__figures(r, row, bucket);
	row->figure = row->nr_figures ? &row->figures[0] : NULL;
	return true;
}

/* Whether the metrics of a row's next group get a heading: not when it is the one above. */
static bool group__is_new(struct report *r, const char *group)
{
	if (r->group_head && !strcmp(r->group_head, group))
		return false;
	r->group_head = group;
	return true;
}

/* Metrics of a run without -e: under the name of their group, without the counts. */
static void row__print_default(struct report *r, struct row *row)
{
	for (int i = 0; i < row->nr_figures; i++) {
		const char *group = row->figures[i].group;
		bool first = !i || strcmp(group, row->figures[i - 1].group);

		if (i)
			sb__putc(&r->text, '\n');
		row->figure = &row->figures[i];
		if (first && group__is_new(r, group)) {
			fields__line(r, row, LINE_GROUP);
			if (r->opts.format == REPORT_TEXT)
				continue;
			sb__putc(&r->text, '\n');
			fields__line(r, row, LINE_METRIC);
		} else {
			fields__line(r, row, first ? LINE_GROUP_MORE : LINE_METRIC);
		}
	}
}

static void row__print_counts(struct report *r, struct row *row)
{
	fields__line(r, row, LINE_EVENT);
	for (int i = 1; i < row->nr_figures; i++) {
		row->figure = &row->figures[i];
		sb__putc(&r->text, '\n');
		fields__line(r, row, LINE_METRIC);
	}
}

static void row__print(struct report *r, int event, int bucket)
{
	struct row row;

	if (!row__fill(r, event, bucket, &row))
		return;
	if (is_default_row(&row))
		row__print_default(r, &row);
	else
		row__print_counts(r, &row);
	fields__tail(r, &row);
	sb__putc(&r->text, '\n');
}

static void event__print(struct report *r, int event)
{
	r->shown_values = r->values;
	if (r->events[event].own_values) {
		aggregate__own_metrics(r, event);
		r->shown_values = r->own_values;
	}
	for (int b = 0; b < r->nr_buckets; b++)
		row__print(r, event, b);
	r->shown_values = r->values;
}

/*
 * CPUs and threads stand together for each event; of all else, the events for each place. Each
 * cgroup of several has its turn.
 */
void rows__print(struct report *r)
{
	bool by_event = r->opts.aggr == AGGR_GLOBAL || r->opts.aggr == AGGR_NONE ||
			r->opts.aggr == AGGR_THREAD;

	r->group_head = NULL;
	if (by_event) {
		for (int e = 0; e < r->nr_events; e++)
			event__print(r, e);
		return;
	}
	for (int first = 0; first < r->nr_events; first += r->cgroup_events)
		for (int b = 0; b < r->nr_buckets; b++)
			for (int e = first; e < first + r->cgroup_events; e++)
				row__print(r, e, b);
}
