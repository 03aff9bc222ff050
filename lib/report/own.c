// SPDX-License-Identifier: GPL-2.0-only
/* Which events and metrics have cells, what they are called, and all cells of a row. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/strmap.h"
#include "machine/cgroup.h"
#include "report/own.h"

static bool is_apart(const struct report *r, const struct shown_event *e)
{
	return e->event->merge && instances__apart(r);
}

const struct pmu *series__pmu(const struct report *r, const struct series *s)
{
	return s->metric && s->metric->core ? s->metric->core : r->events[s->event].event->pmu;
}

/* --hybrid-merge: "cpu_core+cpu_atom" */
static void print_core_types(const struct report *r, int first, struct sb *sb)
{
	sb__puts(sb, r->events[first].event->pmu->name);
	for (int i = first + 1; i < r->nr_events; i++)
		if (r->events[i].merged && r->events[i].event->first == r->events[first].event)
			sb__printf(sb, "+%s", r->events[i].event->pmu->name);
}

/* The PMU an event counts on; what several instances count together is of all of them. */
static void print_pmu(const struct report *r, const struct series *s, struct sb *sb)
{
	const struct shown_event *e = &r->events[s->event];
	const struct pmu *pmu = is_apart(r, e) ? e->event->pmu : series__pmu(r, s);

	if (!pmu)
		return;
	if (s->kind != SERIES_EVENT && !is_apart(r, e) &&
	    !(pmu->is_core && machine__is_hybrid(r->machine)))
		return;
	if (e->event->merge && pmu->is_core && s->kind != SERIES_METRIC)
		print_core_types(r, s->event, sb);
	else if (e->event->merge && !is_apart(r, e))
		sb__add(sb, pmu->name, pmu__base_len(pmu->name));
	else
		sb__puts(sb, pmu->name);
}

static const char *name_of(const struct report *r, const struct series *s)
{
	switch (s->kind) {
	case SERIES_RATIO:
		return shadow__name(s->ratio);
	case SERIES_METRIC:
		return s->metric->metric->name;
	default:
		return r->events[s->event].event->name;
	}
}

static const char *unit_of(const struct report *r, const struct series *s)
{
	const struct event *e = r->events[s->event].event;
	const struct metric_info *info;

	switch (s->kind) {
	case SERIES_RATIO:
		return shadow__unit(s->ratio);
	case SERIES_METRIC:
		info = &s->metric->metric->metric->info;
		return info->scale_unit && info->unit ? info->unit : "";
	default:
		return e->unit ? e->unit : "";
	}
}

/* Whether the PMU must stand in a heading: names of events on core types begin with theirs. */
static bool heading_has_pmu(const struct report *r, const struct series *s)
{
	return s->kind != SERIES_EVENT || is_apart(r, &r->events[s->event]);
}

/*
 * How many of that name there are on the PMU, in the cgroup, with this one: metrics with groups of
 * their own may each count the same event.
 */
static int count_name(struct strmap *names, const struct series *s, const char *pmu,
		      const char *name)
{
	struct sb key = SB_INIT;
	int nr = -ENOMEM;

	sb__printf(&key, "%d [%s] %s", s->cgroup, pmu, name);
	if (!key.err) {
		nr = strmap__get(names, sb__str(&key));
		nr = nr < 0 ? 1 : nr + 1;
		if (strmap__put(names, sb__str(&key), nr))
			nr = -ENOMEM;
	}
	sb__free(&key);
	return nr;
}

static int series__name(struct report *r, struct series *s, struct strmap *names)
{
	struct sb pmu = SB_INIT, name = SB_INIT, heading = SB_INIT;
	bool shown = heading_has_pmu(r, s);
	const char *unit = unit_of(r, s);
	int nr;

	print_pmu(r, s, &pmu);
	sb__puts(&name, name_of(r, s));
	nr = count_name(names, s, shown ? sb__str(&pmu) : "", sb__str(&name));
	if (nr > 1)
		sb__printf(&name, " #%d", nr);
	sb__puts(&heading, sb__str(&name));
	if (shown && pmu.len)
		sb__printf(&heading, " [%s]", sb__str(&pmu));
	if (*unit)
		sb__printf(&heading, " (%s)", unit);
	s->unit = dress(r, unit);
	s->of = dress(r, s->kind == SERIES_RATIO ? r->events[s->event].event->name : "");
	s->name = name.err ? NULL : dress(r, sb__str(&name));
	s->pmu = pmu.err ? NULL : dress(r, sb__str(&pmu));
	s->heading = sb__detach(&heading);
	sb__free(&name);
	sb__free(&pmu);
	return nr > 0 && s->unit && s->of && s->name && s->pmu && s->heading ? 0 : -ENOMEM;
}

static void series__add(struct report *r, const struct series *from)
{
	struct own *own = r->own;
	struct series *s = &own->series[own->nr_series];

	*s = *from;
	s->core = r->opts.metric_only ? pmu__place(r->machine, series__pmu(r, s)) : 0;
	s->rank = r->opts.topdown && r->opts.metric_only && s->metric ? s->metric->metric->rank : 0;
	s->order = own->nr_series++;
}

static void series__of_event(struct report *r, int event, int cgroup)
{
	const struct shown_event *e = &r->events[event];
	struct series s = { .event = event, .cgroup = cgroup };
	enum shadow_unit ratios[2];
	int nr = shadow__ratios(e, ratios);

	if (e->merged)
		return;
	if (!r->opts.metric_only)
		series__add(r, &s);
	s.kind = SERIES_RATIO;
	for (int i = 0; i < nr; i++) {
		s.ratio = ratios[i];
		series__add(r, &s);
	}
	s.kind = SERIES_METRIC;
	for (int i = 0; i < e->nr_metrics; i++) {
		s.metric = &e->metrics[i];
		series__add(r, &s);
	}
}

static int series__compare(const void *a, const void *b)
{
	const struct series *sa = a, *sb = b;

	if (sa->cgroup != sb->cgroup)
		return sa->cgroup - sb->cgroup;
	if (sa->core != sb->core)
		return sa->core - sb->core;
	return sa->rank != sb->rank ? sa->rank - sb->rank : sa->order - sb->order;
}

/* The cgroup's index, new ones behind the others. */
static int cgroup__find(struct report *r, const struct event *e, struct strmap *seen)
{
	const char *name = e->cgroup ? e->cgroup->name : "";
	struct own *own = r->own;
	int i = strmap__add(seen, name, own->nr_cgroups);

	if (i == own->nr_cgroups) {
		own->cgroups[i].name = dress(r, name);
		if (!own->cgroups[i].name)
			return -ENOMEM;
		own->nr_cgroups++;
	}
	return i;
}

static int series__collect(struct report *r)
{
	struct strmap *cgroups = strmap__new();
	int cgroup = cgroups ? 0 : -ENOMEM;

	for (int e = 0; e < r->nr_events && cgroup >= 0; e++) {
		cgroup = cgroup__find(r, r->events[e].event, cgroups);
		if (cgroup >= 0)
			series__of_event(r, e, cgroup);
	}
	strmap__free(cgroups);
	if (r->own->nr_series)
		qsort(r->own->series, r->own->nr_series, sizeof(*r->own->series), series__compare);
	return cgroup < 0 ? cgroup : 0;
}

static int series__build(struct report *r)
{
	struct own *own = r->own;
	struct strmap *names = strmap__new();
	int err = names ? series__collect(r) : -ENOMEM;

	for (int i = 0; i < own->nr_series && !err; i++) {
		struct own_cgroup *cgroup = &own->cgroups[own->series[i].cgroup];

		if (!cgroup->nr++)
			cgroup->first = i;
		err = series__name(r, &own->series[i], names);
	}
	strmap__free(names);
	return err;
}

int own__build(struct report *r)
{
	size_t cells = (size_t)r->nr_events * r->nr_buckets + 1, most = 0;
	struct own *own = r->own = calloc(1, sizeof(*own));
	int err;

	if (!own)
		return -ENOMEM;
	for (int i = 0; i < r->nr_events; i++)
		most += 3 + r->events[i].nr_metrics;
	own->series = calloc(most + 1, sizeof(*own->series));
	own->cgroups = calloc(r->nr_events + 1, sizeof(*own->cgroups));
	own->totals = calloc(cells, sizeof(*own->totals));
	own->counted = calloc(cells, sizeof(*own->counted));
	if (!own->series || !own->cgroups || !own->totals || !own->counted)
		return -ENOMEM;
	keys__choose(r);
	err = series__build(r);
	own->cells = calloc((size_t)own->nr_series * r->nr_buckets + 1, sizeof(*own->cells));
	if (!err && own->cells && r->opts.format == REPORT_WIDE)
		err = wide__build(r);
	return own->cells ? err : -ENOMEM;
}

void own__free(struct report *r)
{
	struct own *own = r->own;

	if (!own)
		return;
	for (int i = 0; i < own->nr_series; i++) {
		struct series *s = &own->series[i];

		free(s->name);
		free(s->unit);
		free(s->pmu);
		free(s->of);
		free(s->heading);
	}
	for (int i = 0; own->cgroups && i < r->nr_events; i++)
		free(own->cgroups[i].name);
	wide__free(r);
	free(own->series);
	free(own->cgroups);
	free(own->cells);
	free(own->totals);
	free(own->counted);
	sb__free(&own->scratch);
	free(own);
}

/* What an uncore box's own metrics are computed from is worked out once for all its series. */
static void choose_values(struct report *r, const struct series *s, int *event)
{
	if (*event == s->event || s->kind != SERIES_METRIC)
		return;
	*event = s->event;
	r->shown_values = r->values;
	if (r->events[s->event].own_values) {
		aggregate__own_metrics(r, s->event);
		r->shown_values = r->own_values;
	}
}

/* Counts since the start: a state is not added up. */
static void add_totals(struct report *r)
{
	for (int i = 0; i < r->nr_events * r->nr_buckets; i++) {
		const struct event *e = r->events[i / r->nr_buckets].event;

		if (!sum__counted(&r->sums[i]))
			continue;
		r->own->counted[i] = true;
		if (e->snapshot || e->retire_latency)
			r->own->totals[i] = 0;
		r->own->totals[i] += r->sums[i].value;
	}
}

void own__fill(struct report *r)
{
	struct own *own = r->own;
	int event = -1;

	for (int i = 0; i < own->nr_series; i++) {
		choose_values(r, &own->series[i], &event);
		for (int b = 0; b < r->nr_buckets; b++)
			cell__fill(r, &own->series[i], b, &own->cells[i * r->nr_buckets + b]);
	}
	r->shown_values = r->values;
	add_totals(r);
}

const struct cell *own__cell(const struct report *r, const struct series *s, int bucket)
{
	return &r->own->cells[(s - r->own->series) * r->nr_buckets + bucket];
}

bool own__is_shown(const struct report *r, const struct spot *spot)
{
	const struct own_cgroup *cgroup = &r->own->cgroups[spot->cgroup];

	for (int i = cgroup->first; i < cgroup->first + cgroup->nr; i++) {
		const struct cell *cell = own__cell(r, &r->own->series[i], spot->bucket);
		bool assumed;

		if (cell->status == CELL_ABSENT)
			continue;
		/* What is assumed stands in every row, whether anything ran or not. */
		assumed = cell->status == CELL_ASSUMED && r->own->series[i].kind == SERIES_EVENT;
		if (!r->opts.skip_idle || (cell->value > 0 && !assumed))
			return true;
	}
	return false;
}
