// SPDX-License-Identifier: GPL-2.0-only
/*
 * Make groups as perf 6.12 does: a group for each metric, unless the group of an earlier metric has
 * all its events.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/text.h"
#include "base/xalloc.h"
#include "metrics/idset.h"
#include "plan/grouping.h"

/* The events that the program counts itself. */
static const char *const tools[] = { "duration_time", "user_time", "system_time" };

#define NR_TOOLS array__nr(tools)

static int by_default_group(const void *a, const void *b)
{
	const struct want *l = a, *r = b;
	int order = strcmp(r->pm.metric->info.default_group, l->pm.metric->info.default_group);

	order = order ?: strcmp(r->pm.metric->info.name, l->pm.metric->info.name);
	return order ?: l->place - r->place;
}

static void sort_by_default_group(struct grouping *g)
{
	for (int i = 0; i < g->want.nr; i++)
		g->want.at[i].place = i;
	if (g->want.nr)
		qsort(g->want.at, g->want.nr, sizeof(*g->want.at), by_default_group);
}

static void find_tools(const struct grouping *g, bool *used)
{
	for (int t = 0; t < NR_TOOLS; t++) {
		used[t] = false;
		for (int i = 0; i < g->want.nr && !g->opts->no_merge; i++)
			used[t] |= idset__has(g->want.at[i].pm.metric->id_set, tools[t]);
	}
}

/*
 * Add the tool events that any metric needs to every list: a metric without a tool event could not
 * share the group of a metric that has it. A list without events (for a metric that is constant on
 * this machine) gets a tool event, as the metric needs an event to be printed with.
 */
static void add_tools(const struct grouping *g, struct idset *ids, const bool *used)
{
	if (g->opts->no_merge && idset__size(ids))
		return;
	for (int t = 0; t < NR_TOOLS; t++)
		if (used[t])
			idset__add(ids, tools[t]);
	if (!idset__size(ids))
		idset__add(ids, tools[0]);
}

/* On a hybrid machine, look up ids without a PMU only on the core type of the metric. */
static struct events_scope scope_of(const struct grouping *g, const struct metric *m)
{
	const struct machine *machine = g->scope->machine;
	const struct pmu *pmu = m && machine__is_hybrid(machine) ?
					machine__pmu(machine, m->info.pmu) : NULL;
	struct events_scope scope = *g->scope;

	if (pmu && pmu->is_core)
		scope.core = pmu->name;
	return scope;
}

/* Open the ids of a metric, or with @m NULL the ids of several metrics. */
static int open_ids(const struct grouping *g, const struct metric *m, struct idset *set,
		    const char *modifier, bool group, const bool *used_tools,
		    struct event_list *list, struct err *err)
{
	const struct events_scope scope = scope_of(g, m);
	const char **ids;
	int ret;

	add_tools(g, set, used_tools);
	ids = xmalloc((idset__size(set) + 1) * sizeof(*ids));
	idset__list(set, ids);
	ret = events__parse_ids(&scope, ids, idset__size(set), modifier, group, list, err);
	free(ids);
	return ret;
}

static bool goes_ungrouped(const struct want *w)
{
	return !w->dropped && !w->pm.metric->group_events && !w->pm.metric->modifier &&
	       !residency__is(w->pm.metric);
}

static struct idset *ungrouped_ids(const struct grouping *g)
{
	struct idset *set = idset__new();

	for (int i = 0; i < g->want.nr; i++) {
		const struct metric *m = g->want.at[i].pm.metric;

		if (!goes_ungrouped(&g->want.at[i]))
			continue;
		for (int j = 0; j < m->nr_ids; j++)
			idset__add(set, m->ids[j]);
	}
	return set;
}

/* Drop metrics whose events cannot be opened by themselves. Return: whether there are any. */
static bool drop_failing(struct grouping *g)
{
	int before = g->nr_dropped;

	for (int i = 0; i < g->want.nr; i++) {
		struct want *w = &g->want.at[i];
		const struct metric *m = w->pm.metric;
		struct event_list list = EVENT_LIST_INIT;
		struct err why = ERR_INIT;

		if (goes_ungrouped(w) && m->nr_ids &&
		    events__parse_ids(g->scope, m->ids, m->nr_ids, NULL, false, &list, &why))
			grouping__drop(g, w, &why);
		event_list__free(&list);
	}
	return g->nr_dropped > before;
}

static int open_ungrouped(struct grouping *g, const bool *used_tools, struct err *err)
{
	struct err why = ERR_INIT;
	int ret;

	do {
		struct idset *set = ungrouped_ids(g);

		ret = idset__size(set) ? open_ids(g, NULL, set, NULL, false, used_tools, &g->shared,
						  &why) :
					 0;
		idset__free(set);
	} while (ret && drop_failing(g));
	if (ret && err)
		*err = why;
	return ret;
}

/*
 * Find an earlier metric whose events include all events of this metric. Return: its events, or
 * NULL.
 */
static struct event_list *find_shared(struct grouping *g, const struct want *w)
{
	const struct metric *m = w->pm.metric;

	for (struct want *n = g->want.at; n < w; n++) {
		if (n->dropped || !n->own.nr ||
		    residency__is(n->pm.metric) != residency__is(m))
			continue;
		if (text__same(m->modifier, n->pm.metric->modifier) &&
		    text__same(m->info.pmu, n->pm.metric->info.pmu) &&
		    idset__subset(m->id_set, n->pm.metric->id_set))
			return &n->own;
	}
	return NULL;
}

/* Find an event for each id of a metric. If an event is not found, drop the metric. */
static void perf_groups__find_events(struct grouping *g, struct want *w)
{
	const struct metric *m = w->pm.metric;
	struct err why = ERR_INIT;

	w->pm.events = xcalloc(m->nr_ids + 1, sizeof(*w->pm.events));
	for (int i = 0; i < m->nr_ids && !w->dropped; i++) {
		w->pm.events[i] = grouping__find(g, w->list, 0, w->list->nr, m, m->ids[i]);
		if (w->pm.events[i])
			continue;
		err__set(&why, ENOENT, "event %s does not count on PMU %s", m->ids[i], m->info.pmu);
		grouping__drop(g, w, &why);
	}
}

/* Open events for a metric, or drop it if that fails. Return: whether it succeeded. */
static bool open_own(struct grouping *g, struct want *w, const bool *used_tools)
{
	struct metric *m = w->pm.metric;
	struct err why = ERR_INIT;

	w->list = &w->own;
	if (open_ids(g, m, m->id_set, m->modifier, m->group_events, used_tools, &w->own, &why)) {
		grouping__drop(g, w, &why);
		return false;
	}
	if (residency__is(m))
		residency__set_cpus(&w->own);
	return true;
}

static void open_metric(struct grouping *g, struct want *w, const bool *used_tools)
{
	w->list = NULL;
	if (g->shared.nr && goes_ungrouped(w))
		w->list = &g->shared;
	else if (!g->opts->no_merge)
		w->list = find_shared(g, w);
	if (!w->list && !open_own(g, w, used_tools))
		return;
	perf_groups__find_events(g, w);
	/* If the metric is left out, its events are not kept either. */
	if (w->dropped)
		event_list__free(&w->own);
}

int perf_groups(struct grouping *g, struct err *err)
{
	bool used_tools[NR_TOOLS];
	int ret = 0;

	grouping__sort(g);
	find_tools(g, used_tools);
	if (!g->opts->no_merge)
		ret = open_ungrouped(g, used_tools, err);
	if (g->is_default)
		sort_by_default_group(g);
	for (int i = 0; i < g->want.nr && !ret; i++)
		if (!g->want.at[i].dropped)
			open_metric(g, &g->want.at[i], used_tools);
	return ret;
}
