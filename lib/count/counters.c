// SPDX-License-Identifier: GPL-2.0-only
/*
 * The one place which knows libperf's evsels, which hold the attributes and the file descriptors.
 * Opening and reading are our own, as libperf 6.12 opens an event on all CPUs at once and without
 * close-on-exec, and reads the leader of a group alone; perf itself does the same.
 */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <internal/evsel.h>
#include <internal/xyarray.h>
#include <perf/core.h>
#include <perf/evsel.h>

#include "count/session.h"

static int quiet(enum libperf_print_level level, const char *fmt, va_list ap)
{
	(void)level;
	(void)fmt;
	(void)ap;
	return 0;
}

/* Whether the kernel is asked to count it at all, on this target. */
static bool kernel_counts(const struct session *s, const struct counter *c)
{
	const struct event *e = c->event;

	if (e->tool || (e->retire_latency && !e->sampled))
		return false;
	if (e->sampled && !s->per_cpu && !c->places.nr)
		return false;
	/* Of sets that do not take turns, the others are none of this session's. */
	if (!rotation__is_used(s) && !rotation__is_on(s, c - s->counters))
		return false;
	return s->per_cpu ? c->cpus.nr > 0 : !e->requires_cpu;
}

void counters__new(struct session *s)
{
	libperf_init(quiet);
	for (int i = 0; i < s->nr_counters; i++) {
		struct counter *c = &s->counters[i];

		if (!kernel_counts(s, c))
			continue;
		c->evsel = perf_evsel__new(&c->event->attr);
		perf_evsel__alloc_fd(c->evsel, s->per_cpu ? c->cpus.nr : counter__nr_places(c),
				     s->per_cpu ? 1 : s->units.nr);
	}
}

int counter__nr_places(const struct counter *c)
{
	return c->places.nr ? c->places.nr : 1;
}

int counter__cpu(const struct session *s, const struct counter *c, int unit, int place)
{
	if (s->per_cpu)
		return s->units.at[unit].id;
	return c->places.nr ? c->places.at[place] : -1;
}

bool counter__is_for(const struct session *s, const struct counter *c, int unit)
{
	const struct unit *u = &s->units.at[unit];
	const struct pmu *pmu = c->event->pmu;

	return !u->late || !pmu || !pmu->is_core || pmu == u->core;
}

int *counter__place(const struct session *s, const struct counter *c, int unit, int place)
{
	int x = place, y = unit;

	if (!c->evsel || !c->evsel->fd || !counter__is_for(s, c, unit))
		return NULL;
	if (s->per_cpu) {
		x = cpulist__index(&c->cpus, s->units.at[unit].id);
		y = 0;
	}
	return x < 0 ? NULL : xyarray__entry(c->evsel->fd, x, y);
}

int *counter__fd(const struct session *s, const struct counter *c, int unit)
{
	return counter__place(s, c, unit, 0);
}

int counter__open_fd(const struct session *s, const struct counter *c, int unit)
{
	const int *fd = counter__fd(s, c, unit);

	return fd ? *fd : -1;
}

int counter__ioctl(const struct session *s, const struct counter *c, int unit,
		   unsigned long request, void *arg)
{
	int rc = 0, place, *fd;

	counter__for_each_fd(fd, place, s, c, unit)
		if (s->kernel->ioctl(*fd, request, arg))
			rc = -errno;
	return rc;
}

struct perf_event_attr *counter__attr(const struct counter *c)
{
	return &c->evsel->attr;
}

void counter__close(struct session *s, struct counter *c)
{
	int place, *fd;

	for (int unit = 0; unit < s->units.nr; unit++)
		counter__for_each_fd(fd, place, s, c, unit) {
			s->kernel->close(*fd);
			*fd = -1;
		}
}

int counters__count_fds(const struct session *s)
{
	int nr = rotation__is_used(s) ? s->units.nr : 0;

	for (int i = 0; i < s->nr_counters; i++)
		if (s->counters[i].evsel && !rotation__is_closed(s, i))
			nr += s->per_cpu ? s->counters[i].cpus.nr :
					   s->units.nr * counter__nr_places(&s->counters[i]);
	return nr;
}

void counters__free(struct session *s)
{
	for (int i = 0; i < s->nr_counters; i++) {
		struct counter *c = &s->counters[i];

		counter__close(s, c);
		cpulist__free(&c->cpus);
		cpulist__free(&c->places);
		free(c->why);
		if (c->evsel)
			perf_evsel__free_fd(c->evsel);
		perf_evsel__delete(c->evsel);
	}
}
