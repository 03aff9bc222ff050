// SPDX-License-Identifier: GPL-2.0-only
/* Reads between those that are asked for, of which slices are made. */
#include <errno.h>
#include <stdlib.h>

#include "base/file.h"
#include "count/session.h"

#define USUAL_TURN_MS 4 /* the kernel's, where sysfs does not tell: a PMU of tasks' clocks */

static int turn_ms(const struct session *s, const struct event *e)
{
	int ms;

	if (!e->pmu ||
	    file__read_int(&ms, "%s/bus/event_source/devices/%s/perf_event_mux_interval_ms",
			   s->machine->sysfs, e->pmu->name) ||
	    ms <= 0)
		return USUAL_TURN_MS;
	return ms;
}

/* With each turn the kernel puts the first of a PMU's groups behind all others. */
static uint64_t rotation_ns(const struct session *s, int event)
{
	const struct event *e = s->counters[event].event;
	uint64_t groups = 0;

	for (int i = 0; i < s->nr_counters; i++) {
		const struct counter *c = &s->counters[i];

		if (c->leader == i && c->opened && c->event->pmu == e->pmu &&
		    c->event->cgroup == e->cgroup)
			groups++;
	}
	return groups * turn_ms(s, e) * 1000000;
}

int slice_reads__new(struct session *s)
{
	struct slice_reads *r = &s->slices;
	const struct slice_options *o = &s->opts.slices;

	if (!o->step_ns)
		return 0;
	r->rotation_ns = calloc(s->nr_counters + 1, sizeof(*r->rotation_ns));
	if (!r->rotation_ns || counts__init(&r->counts, s) ||
	    slices__init(&r->interval, s->nr_counters, s->units.nr, o->step_ns) ||
	    (o->of_run && slices__init(&r->run, s->nr_counters, s->units.nr, o->step_ns)))
		return -ENOMEM;
	for (int i = 0; i < s->nr_counters; i++)
		r->rotation_ns[i] = rotation_ns(s, i);
	r->interval.rotation_ns = r->run.rotation_ns = r->rotation_ns;
	return 0;
}

void slice_reads__free(struct session *s)
{
	slices__free(&s->slices.interval);
	slices__free(&s->slices.run);
	counts__free(&s->slices.counts);
	free(s->slices.rotation_ns);
	s->slices.rotation_ns = NULL;
}

void slice_reads__take(struct session *s, const struct counts *total)
{
	if (!s->slices.on)
		return;
	slices__add(&s->slices.interval, total);
	if (s->slices.run.nr)
		slices__add(&s->slices.run, total);
}

uint64_t slice_reads__due_ns(const struct session *s, uint64_t deadline_ns)
{
	uint64_t due_ns;

	if (!s->slices.on)
		return UINT64_MAX;
	due_ns = slices__due_ns(&s->slices.interval);
	return due_ns < deadline_ns ? due_ns : UINT64_MAX;
}

void slice_reads__read(struct session *s)
{
	session__read(s, &s->slices.counts);
}

const struct slices *session__slices(const struct session *s, bool of_run)
{
	const struct slices *slices = of_run && s->slices.run.nr ? &s->slices.run
								 : &s->slices.interval;

	return slices->nr ? slices : NULL;
}

void session__end_row(struct session *s)
{
	if (s->slices.interval.nr)
		slices__restart(&s->slices.interval);
}
