// SPDX-License-Identifier: GPL-2.0-only
/* A cell: the value of an event or a metric in a bucket, or why it has none, in words. */
#include <inttypes.h>
#include <math.h>

#include "report/error.h"
#include "report/own.h"
#include "report/reason.h"

static const char *const status_names[] = {
	[CELL_COUNTED] = "counted",
	[CELL_SCALED] = "scaled",
	[CELL_PARTIAL] = "partial",
	[CELL_ASSUMED] = "assumed",
	[CELL_NOT_COUNTED] = "not counted",
	[CELL_NOT_SUPPORTED] = "not supported",
	[CELL_BUSY] = "busy",
	[CELL_LOST] = "lost",
	[CELL_NO_VALUE] = "no value",
	[CELL_ABSENT] = "absent",
};

const char *cell__status_name(enum cell_status status)
{
	return status_names[status];
}

static double coverage_of(const struct report *r, int event, int bucket)
{
	const struct event *e = r->events[event].event;
	const struct sum *s = sum__at(r, event, bucket);
	double percent;

	if (!r->per_cpu || e->cgroup || e->tool || e->retire_latency || !r->time->elapsed_ns ||
	    s->nr < 1)
		return NAN;
	percent = 100.0 * s->running / ((double)r->time->elapsed_ns * s->nr);
	return percent < 100 ? percent : 100;
}

static void event__cell(const struct report *r, int event, int bucket, struct cell *out)
{
	const struct sum *s = sum__at(r, event, bucket);

	out->status = reason__status(r, s);
	out->reason = reason__of(r, event, bucket, out->status);
	out->enabled = s->enabled;
	out->running = s->running;
	out->percent = sum__percent(s);
	out->coverage = coverage_of(r, event, bucket);
	if (!sum__counted(s))
		return;
	out->value = event__value(r, event, bucket);
	out->count = s->value;
	out->is_count = r->events[event].event->scale == 1 && !s->is_latency;
	if (r->opts.error)
		out->error = error__of_event(r, event, bucket);
	if (r->opts.runs)
		out->spread_percent = runs__percent(r, event, bucket);
}

/* The event that is counted there for a metric: of an uncore box, that of the box's own PMU. */
static int served_by(const struct report *r, const struct series *s, const struct event *event)
{
	const struct shown_event *at = &r->events[s->event];

	for (int i = 0; at->own_values && i < r->nr_events; i++)
		if (r->events[i].event->first == event && r->events[i].event->pmu == at->event->pmu)
			return i;
	return event->index;
}

/* A value depends on an event: on the share of its time, and on its being counted at all. */
static void cell__depend(const struct report *r, const struct series *s, int event, int bucket,
			 struct cell *out)
{
	const struct sum *sum = sum__at(r, event, bucket);
	double percent = sum__percent(sum), coverage = coverage_of(r, event, bucket);

	if (!isnan(coverage) && !(coverage >= out->coverage))
		out->coverage = coverage;
	if (out->status != CELL_COUNTED)
		return;
	if (sum__counted(sum)) {
		/* What is assumed was not counted for any time. */
		if (!sum->assumed && !(percent >= out->percent))
			out->percent = percent;
		return;
	}
	/* A value there is all the same: only its threshold, or a branch not taken, needs it. */
	if (!isnan(out->value))
		return;
	out->percent = percent;
	out->status = reason__status(r, sum);
	out->reason = reason__of(r, event, bucket, out->status);
	if (out->status == CELL_ABSENT)
		out->status = CELL_NOT_COUNTED;
	if (event != s->event || s->kind == SERIES_METRIC)
		out->culprit = r->events[event].event->name;
}

static void cell__conclude(const struct report *r, const struct series *s, int bucket,
			   struct cell *out)
{
	int assumed = s->metric ? report_latencies__assumed(r, s->metric, bucket) : -1;

	if (out->status != CELL_COUNTED)
		return;
	if (isnan(out->value))
		out->status = CELL_NO_VALUE;
	else if (s->metric && s->metric->metric->over_passes && assumed < 0 &&
		 !(out->percent < 100)) {
		out->reason = "its events were counted in several runs of the command";
		return;
	} else if (assumed >= 0)
		out->status = CELL_ASSUMED;
	else if (out->percent < 100)
		out->status = r->opts.no_scale ? CELL_PARTIAL : CELL_SCALED;
	if (out->status == CELL_ASSUMED) {
		out->reason = reason__of(r, assumed, bucket, out->status);
		out->culprit = r->events[assumed].event->name;
		return;
	}
	if (out->status == CELL_SCALED || out->status == CELL_PARTIAL)
		out->reason = reason__of_part(r, series__pmu(r, s), bucket, out->percent);
	else
		out->reason = reason__of(r, s->event, bucket, out->status);
}

static void metric__cell(const struct report *r, const struct series *s, int bucket,
			 struct cell *out)
{
	const struct plan_metric *m = s->metric->metric;
	struct figure figure;

	metric__figure(r, s->metric, bucket, &figure);
	if (isfinite(figure.value)) {
		out->value = figure.value;
		out->error = figure.error;
	}
	if (!isnan(out->value) && figure.colour != COLOUR_NONE)
		out->threshold = figure.colour == COLOUR_RED;
	for (int i = 0; m->events && i < plan_metric__nr_events(m); i++)
		if (m->events[i])
			cell__depend(r, s, served_by(r, s, m->events[i]), bucket, out);
	cell__conclude(r, s, bucket, out);
}

static void ratio__cell(const struct report *r, const struct series *s, int bucket,
			struct cell *out)
{
	const struct shown_event *e = &r->events[s->event];
	const int needs[] = { s->event, s->ratio == SHADOW_STALLED ? e->front : e->over,
			      s->ratio == SHADOW_STALLED ? e->back : -1 };
	struct figure figures[2];
	int nr = 0;

	if (sum__counted(sum__at(r, s->event, bucket)))
		nr = shadow__figures(r, e, bucket, figures);
	for (int i = 0; i < nr; i++)
		if (figures[i].ratio == s->ratio && !figures[i].empty &&
		    isfinite(figures[i].value)) {
			out->value = figures[i].value;
			out->error = figures[i].error;
		}
	for (size_t i = 0; i < sizeof(needs) / sizeof(*needs); i++)
		if (needs[i] >= 0)
			cell__depend(r, s, needs[i], bucket, out);
	cell__conclude(r, s, bucket, out);
}

/* An event that is counted nowhere at all has no other row to say why in. */
static void tell_nowhere(const struct report *r, const struct series *s, struct cell *out)
{
	const struct shown_event *e = &r->events[s->event];

	if (s->kind != SERIES_EVENT || !e->refusal || r->opts.aggr != AGGR_GLOBAL)
		return;
	out->status = CELL_NOT_COUNTED;
	out->reason = e->refusal;
}

void cell__fill(const struct report *r, const struct series *s, int bucket, struct cell *out)
{
	const struct sum *shown = sum__at(r, s->metric ? s->metric->where : s->event, bucket);

	*out = (struct cell){ .value = NAN, .percent = NAN, .coverage = NAN, .error = NAN,
			      .spread_percent = NAN, .threshold = -1, .nr = shown->nr };
	if (!shown->present) {
		out->status = CELL_ABSENT;
		tell_nowhere(r, s, out);
		return;
	}
	switch (s->kind) {
	case SERIES_EVENT:
		event__cell(r, s->event, bucket, out);
		break;
	case SERIES_RATIO:
		ratio__cell(r, s, bucket, out);
		break;
	case SERIES_METRIC:
		metric__cell(r, s, bucket, out);
		break;
	}
}

void cell__print_reason(struct sb *sb, const struct cell *cell)
{
	if (!cell->reason)
		return;
	if (cell->culprit)
		sb__printf(sb, "%s: ", cell->culprit);
	sb__puts(sb, cell->reason);
}

void number__print(struct sb *sb, double number)
{
	if (isfinite(number))
		sb__printf(sb, "%.15g", number);
}

void cell__print_value(struct sb *sb, const struct cell *cell)
{
	if (cell->is_count)
		sb__printf(sb, "%" PRIu64, cell->count);
	else
		number__print(sb, cell->value);
}
