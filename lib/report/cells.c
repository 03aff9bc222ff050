// SPDX-License-Identifier: GPL-2.0-only
/* A cell: the value of an event or a metric in a bucket, or why it has none, in words. */
#include <inttypes.h>
#include <math.h>

#include "report/error.h"
#include "report/own.h"

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

static const enum cell_status status_of_sample[] = {
	[SAMPLE_COUNTED] = CELL_COUNTED,
	[SAMPLE_SCALED] = CELL_SCALED,
	[SAMPLE_NOT_COUNTED] = CELL_NOT_COUNTED,
	[SAMPLE_NOT_SUPPORTED] = CELL_NOT_SUPPORTED,
	[SAMPLE_BUSY] = CELL_BUSY,
	[SAMPLE_LOST] = CELL_LOST,
	[SAMPLE_ABSENT] = CELL_ABSENT,
};

static enum cell_status status_of(const struct report *r, const struct sum *s)
{
	enum cell_status status = status_of_sample[sum__status(s)];

	if (s->assumed)
		return CELL_ASSUMED;
	return status == CELL_SCALED && r->opts.no_scale ? CELL_PARTIAL : status;
}

const char *cell__status_name(enum cell_status status)
{
	return status_names[status];
}

static const struct sum *sum_at(const struct report *r, int event, int bucket)
{
	return &r->sums[event * r->nr_buckets + bucket];
}

/* Share of the time, from what was added up; NAN where nothing was enabled. */
static double percent_of(const struct sum *s)
{
	return s->enabled ? 100.0 * s->running / s->enabled : NAN;
}

static const char *why_not_on_type(const struct report *r, const struct shown_event *e, int bucket)
{
	switch (share__kind(r, pmu__place(r->machine, e->event->pmu), bucket)) {
	case SHARE_NONE:
		return "the task did not run on a core of this type";
	case SHARE_PART:
		return "no counter was free for it while the task ran on a core of this type";
	case SHARE_ALL:
		return "no counter was free for it";
	case SHARE_UNKNOWN:
		break;
	}
	return "the task did not run on a core of this type, or no counter was free for it";
}

static const char *why_not_counted(const struct report *r, const struct shown_event *e,
				   const struct sum *s, int bucket)
{
	bool core = e->event->pmu && e->event->pmu->is_core;

	if (s->is_latency && !(e->event->sampled && e->refusal))
		return e->event->sampled ? "no latency was sampled, and the tables have none for it"
					 : "it was not sampled, and the tables have no latency for it";
	if (e->refusal)
		return e->refusal;
	if (r->opts.nr_passes && !s->was_enabled)
		return "the command failed before the pass in which it is counted";
	if (r->opts.runs)
		return "it was not counted in every run";
	if (s->failed && s->nr > 1)
		return "it was not counted on every CPU of this row";
	if (!s->was_enabled) {
		if (e->event->cgroup)
			return "no task of the cgroup ran while it was enabled";
		return r->per_cpu ? "it was not enabled" : "the task did not run while it was enabled";
	}
	if (r->opts.rotated && !(core && r->shares))
		return "its set of groups had no turn, or no counter was free for it in its turn";
	if (core && r->shares)
		return why_not_on_type(r, e, bucket);
	if (core && r->machine->nmi_watchdog)
		return "no counter was free for it, of which the NMI watchdog holds one";
	return "no counter was free for it";
}

/*
 * A number that is of @percent of the time: events took turns, or a task was elsewhere, or both.
 * @pmu: the core PMU it is of, if it is
 */
static const char *why_part(const struct report *r, const struct pmu *pmu, int bucket,
			    double percent, bool scaled)
{
	int type = pmu__place(r->machine, pmu);

	if (!r->shares || share__kind(r, type, bucket) != SHARE_PART)
		return scaled ? "an estimate, since events took turns" :
				"events took turns, and what was counted is not scaled up";
	if (share__is_all_counted(r, type, bucket, percent))
		return scaled ? "an estimate for all of the task's time, from the part of it on cores "
				"of this type" :
				"the task ran a part of its time on cores of this type, and what was "
				"counted is not scaled up";
	return scaled ? "an estimate for all of the task's time: it ran a part of it on cores of this "
			"type, where events took turns" :
			"the task ran a part of its time on cores of this type, where events took "
			"turns, and what was counted is not scaled up";
}

static const char *why(const struct report *r, int event, int bucket, enum cell_status status)
{
	const struct shown_event *e = &r->events[event];
	const struct sum *s = sum_at(r, event, bucket);

	switch (status) {
	case CELL_COUNTED:
		return NULL;
	case CELL_SCALED:
	case CELL_PARTIAL:
		return why_part(r, e->event->pmu, bucket, percent_of(s), status == CELL_SCALED);
	case CELL_ASSUMED:
		return latency__why_assumed(r, e);
	case CELL_NOT_COUNTED:
		return why_not_counted(r, e, s, bucket);
	case CELL_NOT_SUPPORTED:
		return e->refusal ? e->refusal : "the kernel does not count it here";
	case CELL_BUSY:
		return "it is pinned, and its counter was taken";
	case CELL_LOST:
		return "its counter could not be read, or ran backwards";
	case CELL_ABSENT:
		return "it is not counted in this row";
	case CELL_NO_VALUE:
		break;
	}
	return "the formula has no value for these counts";
}

static void event__cell(const struct report *r, int event, int bucket, struct cell *out)
{
	const struct sum *s = sum_at(r, event, bucket);

	out->status = status_of(r, s);
	out->reason = why(r, event, bucket, out->status);
	out->enabled = s->enabled;
	out->running = s->running;
	out->percent = percent_of(s);
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
	const struct sum *sum = sum_at(r, event, bucket);
	double percent = percent_of(sum);

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
	out->status = status_of(r, sum);
	out->reason = why(r, event, bucket, out->status);
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
		out->reason = why(r, assumed, bucket, out->status);
		out->culprit = r->events[assumed].event->name;
		return;
	}
	if (out->status == CELL_SCALED || out->status == CELL_PARTIAL)
		out->reason = why_part(r, series__pmu(r, s), bucket, out->percent,
				       out->status == CELL_SCALED);
	else
		out->reason = why(r, s->event, bucket, out->status);
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

	if (sum__counted(sum_at(r, s->event, bucket)))
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

void cell__fill(const struct report *r, const struct series *s, int bucket, struct cell *out)
{
	const struct sum *shown = sum_at(r, s->metric ? s->metric->where : s->event, bucket);

	*out = (struct cell){ .value = NAN, .percent = NAN, .spread_percent = NAN, .error = NAN,
			      .threshold = -1,			      .nr = shown->nr };
	if (!shown->present) {
		out->status = CELL_ABSENT;
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
