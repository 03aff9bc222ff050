// SPDX-License-Identifier: GPL-2.0-only
/* Samples to sums, and sums to the values of metrics. No file, no clock, no allocation. */
#include <math.h>
#include <string.h>

#include "report/internal.h"

bool sum__counted(const struct sum *s)
{
	if (s->is_latency)
		return !isnan(s->latency);
	return s->enabled && s->running && !s->failed;
}

enum sample_status sum__status(const struct sum *s)
{
	if (!s->present)
		return SAMPLE_ABSENT;
	if (sum__counted(s))
		return s->running < s->enabled ? SAMPLE_SCALED : SAMPLE_COUNTED;
	if (s->failed)
		return s->failure;
	return s->supported ? SAMPLE_NOT_COUNTED : SAMPLE_NOT_SUPPORTED;
}

double event__value(const struct report *r, int event, int bucket)
{
	const struct sum *s = &r->sums[event * r->nr_buckets + bucket];

	return s->is_latency ? s->latency : s->value * r->events[event].event->scale;
}

/*
 * A part of a CPU's or core's counts is no count of it. A task's counter may well never have been
 * enabled, so where tasks, or everything, are added up only a failed read spoils the sum.
 */
static bool sample__spoils(const struct report *r, const struct sample *s)
{
	if (s->status == SAMPLE_LOST || s->status == SAMPLE_BUSY)
		return true;
	if (r->opts.aggr == AGGR_GLOBAL || r->opts.aggr == AGGR_THREAD)
		return false;
	return !s->enabled || !s->running;
}

/* Of an event counted once a package, the first CPU that ran stands for all of it. */
static bool package__taken(struct report *r, int event, int unit, const struct sample *s)
{
	int package = r->package_of[unit];

	if (!r->events[event].event->per_pkg || package < 0 || !s->enabled || !s->running)
		return false;
	if (r->package_taken[package] == event + 1)
		return true;
	r->package_taken[package] = event + 1;
	return false;
}

/* Of several failures the worst is told: the order of the statuses. */
static void sum__fail(struct sum *sum, enum sample_status failure)
{
	if (!sum->failed || failure > sum->failure)
		sum->failure = failure;
	sum->failed = true;
}

static void sum__add(struct report *r, struct sum *sum, int unit, const struct sample *s)
{
	sum->nr += r->weight_of[unit];
	sum->supported = true;
	sum->was_enabled |= s->enabled > 0;
	if (sample__spoils(r, s))
		sum__fail(sum, s->status == SAMPLE_COUNTED ? SAMPLE_NOT_COUNTED : s->status);
	sum->value += s->running ? s->scaled : 0;
	sum->enabled += s->enabled;
	sum->running += s->running;
}

static void sum__spoil(struct sum *sum)
{
	sum->value = sum->enabled = sum->running = 0;
}

static void unit__add(struct report *r, int event, int unit, const struct sample *s)
{
	struct sum *sum = &r->sums[event * r->nr_buckets + r->bucket_of[unit]];

	if (s->status == SAMPLE_ABSENT || package__taken(r, event, unit, s))
		return;
	sum->present = true;
	if (s->status == SAMPLE_NOT_SUPPORTED)
		return;
	r->events[event].supported = true;
	sum__add(r, sum, unit, s);
}

static void spoil_failed(struct report *r, int event)
{
	for (int b = 0; b < r->nr_buckets; b++) {
		struct sum *sum = &r->sums[event * r->nr_buckets + b];

		if (sum->failed)
			sum__spoil(sum);
	}
}

static void aggregate__event(struct report *r, const struct counts *counts, int event)
{
	r->events[event].supported = false;
	for (int unit = 0; unit < counts->nr_units; unit++)
		unit__add(r, event, unit, &counts->at[event * counts->nr_units + unit]);
	spoil_failed(r, event);
}

static void sample__add_part(struct sample *to, const struct sample *from)
{
	bool counted = from->status <= SAMPLE_NOT_COUNTED;

	if (counted && to->status > SAMPLE_NOT_COUNTED && to->status != SAMPLE_LOST &&
	    to->status != SAMPLE_BUSY)
		to->status = SAMPLE_NOT_COUNTED;
	if (from->status == SAMPLE_LOST || from->status == SAMPLE_BUSY ||
	    (from->status == SAMPLE_NOT_SUPPORTED && to->status == SAMPLE_ABSENT))
		to->status = from->status;
	to->value += from->value;
	to->running += from->running;
	if (from->enabled > to->enabled)
		to->enabled = from->enabled;
}

/*
 * --hybrid-merge: a task is on one core at a time, so the core types have each counted a part of
 * one count. perf adds up what it estimates from each part for all of the time.
 */
static void aggregate__core_types(struct report *r, const struct counts *counts, int first)
{
	const struct event *event = r->events[first].event;

	memset(&r->sums[first * r->nr_buckets], 0, sizeof(*r->sums) * r->nr_buckets);
	for (int unit = 0; unit < counts->nr_units; unit++) {
		struct sample s = { .status = SAMPLE_ABSENT };

		for (int i = first; i < r->nr_events; i++) {
			const struct shown_event *e = &r->events[i];

			if (i == first || (e->merged && e->event->first == event))
				sample__add_part(&s, &counts->at[i * counts->nr_units + unit]);
		}
		s.scaled = s.value;
		if (s.running < s.enabled && s.running && !r->opts.no_scale)
			s.scaled = (double)s.value * s.enabled / s.running;
		unit__add(r, first, unit, &s);
	}
	spoil_failed(r, first);
}

/* The boxes of an uncore unit count together: a missing one makes the whole no number. */
static void aggregate__merge(struct report *r, int event)
{
	const struct pmu *pmu = r->events[event].event->pmu;
	int first = r->events[event].event->first->index;

	for (int b = 0; b < r->nr_buckets; b++) {
		struct sum *to = &r->sums[first * r->nr_buckets + b];
		const struct sum *from = &r->sums[event * r->nr_buckets + b];

		to->value += from->value;
		to->enabled += from->enabled;
		to->running += from->running;
		to->present |= from->present;
		to->supported |= from->supported;
		to->was_enabled |= from->was_enabled;
		/* Boxes count on the same CPUs; core types each on their own. */
		if (pmu && pmu->is_core)
			to->nr += from->nr;
		if (from->failed)
			sum__fail(to, from->failure);
		if (to->failed)
			sum__spoil(to);
	}
	r->events[first].supported |= r->events[event].supported;
}

static void aggregate__hints(struct report *r)
{
	if (machine__is_hybrid(r->machine))
		return;
	for (int e = 0; e < r->nr_events && !r->watchdog_hint; e++)
		for (int b = 0; b < r->nr_buckets; b++) {
			const struct sum *s = &r->sums[e * r->nr_buckets + b];

			if (s->present && !sum__counted(s) && r->events[e].supported &&
			    !r->events[e].merged && r->events[e].event->pmu &&
			    r->events[e].event->pmu->is_core)
				r->watchdog_hint = true;
		}
}

/* What was enabled for metrics, and had a counter for a part of the row's time, or never. */
static void aggregate__turns(struct report *r)
{
	for (int i = 0; i < r->nr_events; i++) {
		struct shown_event *e = &r->events[i];
		int type = pmu__place(r->machine, e->event->pmu);

		if (!e->event->from_metric || e->event->retire_latency || e->refusal ||
		    !e->event->pmu || !e->event->pmu->is_core)
			continue;
		for (int b = 0; b < r->nr_buckets; b++) {
			const struct sum *s = &r->sums[i * r->nr_buckets + b];

			if (!s->was_enabled || !s->supported ||
			    (r->shares && share__kind(r, type, b) == SHARE_NONE))
				continue;
			e->starved |= !s->running;
			e->took_turns |= !r->shares && s->running < s->enabled;
		}
	}
}

static void count_presence(struct report *r, const struct counts *counts)
{
	for (int b = 0; b < r->nr_buckets; b++)
		r->buckets[b].nr_unseen = r->buckets[b].nr_away = 0;
	for (int unit = 0; counts->presence && unit < counts->nr_units; unit++) {
		const struct presence *p = &counts->presence[unit];
		struct bucket *bucket = &r->buckets[r->bucket_of[unit]];

		bucket->nr_unseen += p->unseen;
		bucket->nr_away += p->away && !p->unseen;
	}
}

void aggregate__counts(struct report *r, const struct counts *counts)
{
	count_presence(r, counts);
	memset(r->sums, 0, sizeof(*r->sums) * r->nr_events * r->nr_buckets);
	memset(r->package_taken, 0, sizeof(*r->package_taken) * r->nr_units);
	for (int e = 0; e < r->nr_events; e++) {
		bool latency = r->events[e].event->retire_latency;

		if (latency)
			report_latencies__aggregate(r, counts, e);
		else
			aggregate__event(r, counts, e);
		if (percore__is(r, e))
			percore__add_up(r, e);
		if (latency)
			report_latencies__conclude(r, e);
	}
	shares__measure(r);
	aggregate__turns(r);
	for (int e = 0; e < r->nr_events; e++) {
		const struct event *event = r->events[e].event;
		bool of_tasks = r->shares && event->merge && event->pmu && event->pmu->is_core;

		if (of_tasks && !r->events[e].merged)
			aggregate__core_types(r, counts, e);
		else if (r->events[e].merged && !of_tasks)
			aggregate__merge(r, e);
	}
	aggregate__hints(r);

	r->unit_width = 4; /* of the heading, "unit" */
	for (int e = 0; e < r->nr_events; e++)
		if (r->events[e].supported && r->events[e].unit_width > r->unit_width)
			r->unit_width = r->events[e].unit_width;
}

/* Seconds: of the row as measured, or of CPU time anywhere. The same for every bucket. */
static double tool__seconds(const struct report *r, int event)
{
	uint64_t ns = 0;

	if (r->events[event].event->tool == EVENT_DURATION_TIME)
		return r->time->elapsed_ns * 1e-9;
	for (int b = 0; b < r->nr_buckets; b++)
		ns += r->sums[event * r->nr_buckets + b].value;
	return ns * 1e-9;
}

static void column__fill(struct report *r, int event)
{
	const struct shown_event *e = &r->events[event];
	double seconds = e->event->tool ? tool__seconds(r, event) : 0;

	for (int b = 0; b < r->nr_buckets; b++) {
		int at = event * r->nr_buckets + b;
		const struct sum *s = &r->sums[at];

		r->sources[at] = e->instances;
		if (e->event->tool) {
			r->in[at] = seconds;
			r->sources[at] = 1;
		} else if (s->is_latency && !isnan(s->latency)) {
			/* The vendor's too, of an event that the kernel refused. */
			r->in[at] = s->latency;
		} else if (!e->supported) {
			r->in[at] = NAN;
			r->sources[at] = 0;
		} else {
			r->in[at] = sum__counted(s) ? (double)s->value : (double)NAN;
		}
		r->in[r->nr_events * r->nr_buckets + at] = s->enabled * 1e-9;
	}
}

void aggregate__metrics(struct report *r)
{
	if (!r->nr_metrics)
		return;
	for (int e = 0; e < r->nr_events; e++)
		column__fill(r, e);
	program__set_rows(r->plan->program, r->row_counts);
	program__eval(r->plan->program, r->nr_buckets, r->in, r->sources, r->values);
}

/*
 * With -A each box of an uncore unit has rows of its own: the metrics beside them are computed from
 * the counts of that box's PMU, where its events have some there.
 */
void aggregate__own_metrics(struct report *r, int event)
{
	const struct pmu *pmu = r->events[event].event->pmu;
	size_t cells = 2 * (size_t)r->nr_events * r->nr_buckets;

	memcpy(r->own_in, r->in, cells * sizeof(*r->in));
	memcpy(r->own_sources, r->sources, cells * sizeof(*r->sources));
	for (int e = 0; e < r->nr_events; e++) {
		const struct event *from = r->events[e].event;

		if (from->pmu != pmu || !from->first || from->first == from)
			continue;
		for (int b = 0; b < r->nr_buckets; b++) {
			int to = from->first->index * r->nr_buckets + b;

			r->own_in[to] = r->in[e * r->nr_buckets + b];
			r->own_sources[to] = 1;
		}
	}
	program__eval(r->plan->program, r->nr_buckets, r->own_in, r->own_sources, r->own_values);
}
