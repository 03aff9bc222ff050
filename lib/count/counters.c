// SPDX-License-Identifier: GPL-2.0-only
/*
 * The only file that uses libperf's evsels, which hold the attributes and the file descriptors.
 * lib/count opens and reads events itself: libperf 6.12 opens an event on all CPUs together and
 * without close-on-exec, and reads only the leader of a group. perf, too, opens and reads events
 * itself.
 */
#include "count/counters.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <internal/evsel.h>
#include <internal/xyarray.h>
#include <perf/core.h>
#include <perf/evsel.h>

#include "base/xalloc.h"

#define NS_PER_MS 1000000
#define USUAL_TURN_MS 4 /* the kernel's usual turn, if sysfs does not have the PMU's */

static int quiet(enum libperf_print_level level, const char *fmt, va_list ap)
{
	(void)level;
	(void)fmt;
	(void)ap;
	return 0;
}

void counter__leave_group(struct counter *c)
{
	c->leader->nr_members--;
	c->leader = c;
	c->nr_members = 1;
}

void counters__take_apart(struct counter_list *cs, struct counter *leader)
{
	struct counter *c;

	counters__for_each_member(c, cs, leader) {
		c->second_pass = true;
		if (c != leader && !c->event->topdown)
			counter__leave_group(c);
	}
}

void counters__take_starved_apart(struct counter_list *cs, struct counter *leader)
{
	struct counter *c;

	counters__for_each_member(c, cs, leader)
		c->suspect = true;
	counters__take_apart(cs, leader);
}

bool counter__may_come_apart(const struct counter *leader)
{
	return leader->joined || leader->event->weak || leader->event->from_metric ||
	       leader->event->default_group;
}

void counters__new(struct counter_list *cs, const struct event_list *events)
{
	struct counter *c;

	cs->nr = events->nr;
	cs->at = xcalloc(cs->nr, sizeof(*cs->at));
	for (int i = 0; i < cs->nr; i++) {
		struct event *e = events->at[i];

		cs->at[i] = (struct counter){ .event = e,
					      .leader = &cs->at[e->leader->index],
					      .nr_members = e->nr_members };
	}
	/*
	 * A latency is not a member of a group: it is sampled with its own period and buffer, and
	 * must not keep other counters waiting. A latency leads a group only if all members are
	 * latencies.
	 */
	counters__for_each(c, cs)
		if (c->event->retire_latency)
			counter__leave_group(c);
	/* Events that BPF programs read are read one at a time. */
	counters__for_each(c, cs)
		if (c->leader != c && (c->event->bpf || c->leader->event->bpf))
			counter__leave_group(c);
}

/* Whether the kernel can count an event on this target. */
static bool kernel_counts(const struct counter_list *cs, const struct counter *c)
{
	const struct event *e = c->event;

	if (e->tool || e->bpf || (e->retire_latency && !e->sampled) || c->turn == TURN_NEVER)
		return false;
	if (cs->units.per_cpu)
		return c->cpus.nr > 0;
	return !e->requires_cpu && (!(e->sampled || c->located) || c->places.nr);
}

void counters__make_evsels(struct counter_list *cs)
{
	bool per_cpu = cs->units.per_cpu;
	struct counter *c;

	libperf_init(quiet);
	counters__for_each(c, cs) {
		if (!kernel_counts(cs, c))
			continue;
		c->evsel = perf_evsel__new(&c->event->attr);
		perf_evsel__alloc_fd(c->evsel, per_cpu ? c->cpus.nr : counter__nr_places(c),
				     per_cpu ? 1 : cs->units.nr);
	}
}

int counter__nr_places(const struct counter *c)
{
	return c->places.nr ? c->places.nr : 1;
}

int counter__cpu(const struct counter_list *cs, const struct counter *c, int unit, int place)
{
	if (cs->units.per_cpu)
		return cs->units.at[unit].id;
	return c->places.nr ? c->places.at[place] : -1;
}

bool counter__is_for(const struct counter *c, const struct unit *unit)
{
	const struct pmu *pmu = c->event->pmu;

	return !unit->late || !pmu || !pmu->is_core || pmu == unit->core;
}

int *counter__place(const struct counter_list *cs, const struct counter *c, int unit, int place)
{
	int x = place, y = unit;

	if (!c->evsel || !c->evsel->fd || !counter__is_for(c, &cs->units.at[unit]))
		return NULL;
	if (cs->units.per_cpu) {
		x = cpulist__index(&c->cpus, cs->units.at[unit].id);
		y = 0;
	}
	return x < 0 ? NULL : xyarray__entry(c->evsel->fd, x, y);
}

int counter__open_fd(const struct counter_list *cs, const struct counter *c, int unit)
{
	const int *fd = counter__place(cs, c, unit, 0);

	return fd ? *fd : -1;
}

int counter__ioctl(const struct counter_list *cs, const struct counter *c, int unit,
		   unsigned long request, void *arg)
{
	int rc = 0, place, *fd;

	counter__for_each_fd(fd, place, cs, c, unit)
		if (cs->kernel->ioctl(*fd, request, arg))
			rc = -errno;
	return rc;
}

struct perf_event_attr *counter__attr(const struct counter *c)
{
	return c->evsel ? &c->evsel->attr : &c->event->attr;
}

void counters__close(const struct counter_list *cs, struct counter *c)
{
	int place, *fd;

	for (int unit = 0; unit < cs->units.nr; unit++)
		counter__for_each_fd(fd, place, cs, c, unit) {
			cs->kernel->close(*fd);
			*fd = -1;
		}
}

int counter__count_fds(const struct counter_list *cs, const struct counter *c)
{
	if (!c->evsel || c->turn >= TURN_CLOSED)
		return 0;
	return cs->units.per_cpu ? c->cpus.nr : cs->units.nr * counter__nr_places(c);
}

int counters__count_fds(const struct counter_list *cs)
{
	const struct counter *c;
	int nr = cs->nr_more_fds;

	counters__for_each(c, cs)
		nr += counter__count_fds(cs, c);
	return nr;
}

bool counters__has_topdown(const struct counter_list *cs, const struct counter *leader)
{
	const struct counter *c;

	if (!leader->event->topdown)
		return false;
	counters__for_each_member(c, cs, leader)
		if (c != leader && c->event->topdown && c->opened)
			return true;
	return false;
}

int counters__nr_alike(const struct counter_list *cs, const struct event *e, bool topdown)
{
	const struct counter *c;
	int nr = 0;

	counters__for_each(c, cs)
		nr += c->leader == c && c->opened && c->event->pmu == e->pmu &&
		      c->event->cgroup == e->cgroup && (!topdown || counters__has_topdown(cs, c));
	return nr;
}

uint64_t counters__rotation_ns(const struct counter_list *cs, const struct event *e)
{
	int turn_ms = e->pmu ? pmu__turn_ms(e->pmu) : 0;

	return (uint64_t)counters__nr_alike(cs, e, false) * (turn_ms ?: USUAL_TURN_MS) * NS_PER_MS;
}

void counters__keep(struct counter_list *cs, const struct counter *c, int unit,
		    const struct sample *sample)
{
	struct sample *kept;

	if (!cs->kept)
		cs->kept = xcalloc(cs->nr * cs->units.nr, sizeof(*cs->kept));
	kept = &cs->kept[(c - cs->at) * cs->units.nr + unit];
	if (sample->status == SAMPLE_LOST)
		kept->status = SAMPLE_LOST;
	sample__add(kept, sample);
}

void counters__add_kept(const struct counter_list *cs, struct counts *total)
{
	for (int i = 0; cs->kept && i < cs->nr * cs->units.nr; i++) {
		struct sample *sample = &total->at[i], *kept = &cs->kept[i];
		bool away = cs->units.at[i % cs->units.nr].away ||
			    cs->at[i / cs->units.nr].turn == TURN_CLOSED;

		if (!kept->enabled && kept->status != SAMPLE_LOST)
			continue;
		if (kept->status == SAMPLE_LOST || (sample->status == SAMPLE_LOST && !away)) {
			*sample = (struct sample){ .status = SAMPLE_LOST };
			continue;
		}
		if (away)
			*sample = (struct sample){ .status = SAMPLE_NOT_COUNTED };
		sample__add(sample, kept);
		sample__finish(sample, false, total->scale);
	}
}

void counters__free(struct counter_list *cs)
{
	struct counter *c;

	counters__for_each(c, cs) {
		counters__close(cs, c);
		cpulist__free(&c->cpus);
		cpulist__free(&c->places);
		free(c->refused_there);
		free(c->why);
		if (!c->evsel)
			continue;
		perf_evsel__free_fd(c->evsel);
		perf_evsel__delete(c->evsel);
	}
	free(cs->at);
	free(cs->kept);
	vec__free(&cs->units);
}
