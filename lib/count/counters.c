// SPDX-License-Identifier: GPL-2.0-only
/*
 * The one place which knows libperf: its evlist and evsels hold the maps and the file descriptors.
 * Opening and reading are our own, as libperf 6.12 opens an event on all CPUs at once and without
 * close-on-exec, and reads the leader of a group alone; perf itself does the same.
 */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <internal/cpumap.h>
#include <internal/evlist.h>
#include <internal/evsel.h>
#include <internal/threadmap.h>
#include <internal/xyarray.h>
#include <perf/core.h>
#include <perf/cpumap.h>
#include <perf/evlist.h>
#include <perf/evsel.h>
#include <perf/threadmap.h>

#include "base/err.h"
#include "count/session.h"

static int quiet(enum libperf_print_level level, const char *fmt, va_list ap)
{
	(void)level;
	(void)fmt;
	(void)ap;
	return 0;
}

/* Not perf_cpu_map__new(), which is quadratic and prints a warning for CPUs from 2048 on. */
static struct perf_cpu_map *cpu_map(const struct cpulist *cpus)
{
	struct perf_cpu_map *map = perf_cpu_map__alloc(cpus->nr);

	for (int i = 0; map && i < cpus->nr; i++)
		RC_CHK_ACCESS(map)->map[i].cpu = cpus->at[i];
	return map;
}

static struct perf_thread_map *thread_map(const struct session *s)
{
	struct perf_thread_map *map;
	pid_t *tids;

	if (s->per_cpu)
		return perf_thread_map__new_dummy();
	tids = calloc(s->units.nr, sizeof(*tids));
	if (!tids)
		return NULL;
	for (int i = 0; i < s->units.nr; i++)
		tids[i] = s->units.at[i].id;
	map = perf_thread_map__new_array(s->units.nr, tids);
	free(tids);
	return map;
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

static int add_evsel(struct session *s, struct counter *c)
{
	struct perf_evsel *evsel = perf_evsel__new(&c->event->attr);

	if (!evsel)
		return -ENOMEM;
	c->evsel = evsel;
	perf_evlist__add(s->evlist, evsel);
	/* Propagation of the evlist's maps then leaves these CPUs as they are. */
	if (s->per_cpu) {
		evsel->own_cpus = cpu_map(&c->cpus);
		if (!evsel->own_cpus)
			return -ENOMEM;
		evsel->requires_cpu = true;
	}
	return perf_evsel__alloc_fd(evsel, s->per_cpu ? c->cpus.nr : counter__nr_places(c),
				    s->per_cpu ? 1 : s->units.nr);
}

static int set_maps(struct session *s)
{
	struct perf_cpu_map *cpus = perf_cpu_map__new_any_cpu();
	struct perf_thread_map *threads = thread_map(s);
	int rc = cpus && threads ? 0 : -ENOMEM;

	if (!rc)
		perf_evlist__set_maps(s->evlist, cpus, threads);
	perf_cpu_map__put(cpus);
	perf_thread_map__put(threads);
	return rc;
}

int counters__new(struct session *s, struct err *err)
{
	int rc = 0;

	libperf_init(quiet);
	s->evlist = perf_evlist__new();
	if (!s->evlist)
		rc = -ENOMEM;
	for (int i = 0; !rc && i < s->nr_counters; i++)
		if (kernel_counts(s, &s->counters[i]))
			rc = add_evsel(s, &s->counters[i]);
	if (!rc)
		rc = set_maps(s);
	return rc ? err__set(err, ENOMEM, "out of memory for %d counters", s->nr_counters) : 0;
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

struct perf_event_attr *counter__attr(const struct counter *c)
{
	return &c->evsel->attr;
}

void counter__close(struct session *s, struct counter *c)
{
	for (int unit = 0; unit < s->units.nr; unit++) {
		for (int place = 0; place < counter__nr_places(c); place++) {
			int *fd = counter__place(s, c, unit, place);

			if (fd && *fd >= 0) {
				s->kernel->close(*fd);
				*fd = -1;
			}
		}
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
		if (!c->evsel)
			continue;
		/* perf_evsel__delete() keeps its references to the maps. */
		perf_cpu_map__put(c->evsel->own_cpus);
		perf_cpu_map__put(c->evsel->cpus);
		perf_thread_map__put(c->evsel->threads);
	}
	perf_evlist__delete(s->evlist);
	s->evlist = NULL;
}
