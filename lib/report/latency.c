// SPDX-License-Identifier: GPL-2.0-only
/* Retire latencies (:R) in rows: those of their samples, or the vendor's where there are none. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "report/internal.h"

enum vendor_value { VENDOR_MEAN, VENDOR_MIN, VENDOR_MAX };

static int nr_sums(const struct report *r)
{
	return r->nr_events * r->nr_buckets;
}

static struct latency *allocate(const struct report *r)
{
	return latencies__new(&r->plan->events, r->nr_buckets, r->opts.latency_mode);
}

int report_latencies__allocate(struct report *r)
{
	bool wanted = false;

	for (int e = 0; e < r->nr_events; e++)
		wanted |= r->events[e].event->retire_latency;
	if (!wanted)
		return 0;
	r->latencies = allocate(r);
	if (r->opts.runs)
		r->runs.latencies = allocate(r);
	return r->latencies && (r->runs.latencies || !r->opts.runs) ? 0 : -ENOMEM;
}

void report_latencies__free(struct report *r)
{
	latencies__free(r->latencies, nr_sums(r));
	latencies__free(r->runs.latencies, nr_sums(r));
}

void report_latencies__aggregate(struct report *r, const struct counts *counts, int event)
{
	bool sampled = r->events[event].event->sampled;

	for (int b = 0; b < r->nr_buckets; b++)
		latency__clear(&r->latencies[event * r->nr_buckets + b]);
	/* One that is not even to be sampled is said to be not counted. */
	r->events[event].supported = !sampled;
	for (int unit = 0; unit < counts->nr_units; unit++) {
		int from = event * counts->nr_units + unit;
		int to = event * r->nr_buckets + r->bucket_of[unit];
		const struct sample *s = &counts->at[from];
		struct sum *sum = &r->sums[to];

		if (s->status == SAMPLE_ABSENT)
			continue;
		sum->present = true;
		sum->supported |= !sampled || s->status != SAMPLE_NOT_SUPPORTED;
		r->events[event].supported |= sum->supported;
		/* A unit without samples takes nothing from those of the others. */
		sum->nr += r->weight_of[unit];
		sum->was_enabled |= s->enabled > 0;
		sum->enabled += s->enabled;
		sum->running += s->running;
		if (counts->latencies)
			latency__merge(&r->latencies[to], &counts->latencies[from]);
	}
	for (int b = 0; percore__is(r, event) && b < r->nr_buckets; b++)
		if (r->core_of[b] != b)
			latency__merge(&r->latencies[event * r->nr_buckets + r->core_of[b]],
				       &r->latencies[event * r->nr_buckets + b]);
}

/* Which of the vendor's values stands for the mode; the mean where there is no better one. */
static enum vendor_value vendor_value(const struct report *r, const struct event *e)
{
	if (r->opts.latency_mode == LATENCY_MIN && e->vendor_latency.min > 0)
		return VENDOR_MIN;
	if (r->opts.latency_mode == LATENCY_MAX && e->vendor_latency.max > 0)
		return VENDOR_MAX;
	return VENDOR_MEAN;
}

static double vendor_cycles(const struct report *r, const struct event *e)
{
	const double values[] = { e->vendor_latency.mean, e->vendor_latency.min,
				  e->vendor_latency.max };
	double cycles = values[vendor_value(r, e)];

	return cycles > 0 ? cycles : (double)NAN;
}

const char *latency__why_assumed(const struct report *r, const struct shown_event *e)
{
	static const char *const unmeasured[] = {
		[VENDOR_MEAN] = "the vendor's mean latency, not measured here",
		[VENDOR_MIN] = "the vendor's least latency, not measured here",
		[VENDOR_MAX] = "the vendor's greatest latency, not measured here",
	};
	static const char *const without_sample[] = {
		[VENDOR_MEAN] = "the vendor's mean latency, since no sample came",
		[VENDOR_MIN] = "the vendor's least latency, since no sample came",
		[VENDOR_MAX] = "the vendor's greatest latency, since no sample came",
	};

	static const char *const refused[] = {
		[VENDOR_MEAN] = "the vendor's mean latency, since the kernel does not sample it here",
		[VENDOR_MIN] = "the vendor's least latency, since the kernel does not sample it here",
		[VENDOR_MAX] = "the vendor's greatest latency, since the kernel does not sample it here",
	};
	enum vendor_value value = vendor_value(r, e->event);

	if (!e->event->sampled)
		return unmeasured[value];
	return (e->refusal ? refused : without_sample)[value];
}

void report_latencies__conclude(struct report *r, int event)
{
	struct shown_event *e = &r->events[event];

	for (int b = 0; b < r->nr_buckets; b++) {
		int core = percore__is(r, event) ? r->core_of[b] : b;
		const struct latency *l = &r->latencies[event * r->nr_buckets + core];
		struct sum *sum = &r->sums[event * r->nr_buckets + b];

		sum->is_latency = true;
		sum->value = l->nr;
		sum->latency = sum->present ? latency__value(l, r->opts.latency_mode) : (double)NAN;
		sum->assumed = false;
		if (!sum->present || !isnan(sum->latency))
			continue;
		sum->latency = vendor_cycles(r, e->event);
		sum->assumed = !isnan(sum->latency);
		e->assumed |= sum->assumed;
	}
}

void report_latencies__add_run(struct report *r)
{
	for (int i = 0; r->latencies && i < nr_sums(r); i++)
		latency__merge(&r->runs.latencies[i], &r->latencies[i]);
}

void report_latencies__take_runs(struct report *r)
{
	for (int i = 0; r->latencies && i < nr_sums(r); i++) {
		latency__clear(&r->latencies[i]);
		latency__merge(&r->latencies[i], &r->runs.latencies[i]);
	}
	for (int e = 0; r->latencies && e < r->nr_events; e++) {
		if (!r->events[e].event->retire_latency)
			continue;
		r->events[e].assumed = false;
		report_latencies__conclude(r, e);
	}
}

int report_latencies__of_metric(const struct report *r, struct shown_metric *m)
{
	const struct plan_metric *pm = m->metric;

	m->latencies = calloc(pm->metric->nr_ids + 1, sizeof(*m->latencies));
	if (!m->latencies)
		return -ENOMEM;
	for (int i = 0; pm->events && i < pm->metric->nr_ids; i++) {
		const struct event *e = pm->events[i];
		int used = 0;

		if (e && e->retire_latency)
			used = program__uses(r->plan->program, pm->value, e->index);
		if (used < 0)
			return used;
		if (used)
			m->latencies[m->nr_latencies++] = e->index;
	}
	return 0;
}

int report_latencies__assumed(const struct report *r, const struct shown_metric *m, int bucket)
{
	for (int i = 0; i < m->nr_latencies; i++)
		if (r->sums[m->latencies[i] * r->nr_buckets + bucket].assumed)
			return m->latencies[i];
	return -1;
}
