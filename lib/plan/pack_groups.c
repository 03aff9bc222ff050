// SPDX-License-Identifier: GPL-2.0-only
/*
 * Events are grouped by the counters that they may use: the events of a metric are in one group if
 * the counters can hold them, and there are as few groups as the search can find.
 *
 * Each core PMU, and each kind of uncore PMU, has counters of its own. The events that share
 * counters are a unit, and units are packed one after another. An event that takes no counter, or
 * needs no turn on a counter, is in no group.
 */
#include "plan/pack_unit.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/strmap.h"
#include "base/text.h"
#include "base/xalloc.h"
#include "machine/machine.h"
#include "metrics/idset.h"
#include "plan/counters.h"
#include "plan/parts.h"
#include "plan/serve.h"

#define CLOCK "duration_time"
#define CYCLES "cycles"

/**
 * struct packed - what is known of a metric in struct want
 * @parts: sub-expressions of the metric; not set if the metric is dropped
 * @spots: where each id of the metric is counted
 * @service: the groups that the metric takes its events from
 */
struct packed {
	struct parts parts;
	struct spot *spots;
	struct service service;
};

/**
 * struct known_spot - where an id is counted
 * @m:     the metric that the spot was found for; the spot is valid for metrics of its PMU and
 *         modifier
 * @owner: the owner of the unit; the spot is valid for metrics of this owner
 * @next:  number of an earlier entry with the same id; -1 if there is none
 */
struct known_spot {
	const struct metric *m;
	int owner, next;
	struct spot spot;
};

/**
 * struct packing - the state of pack_groups()
 * @units: the units so far
 * @metrics: an entry for each metric of @g->want
 * @known: the spots that have been found
 * @seen:  for each id, the number of its last entry in @known
 * @looks: the events that ids were parsed into; groups are opened with copies of these events
 */
struct packing {
	struct grouping *g;
	VEC(struct pack_unit) units;
	struct packed *metrics;
	struct strmap *seen;
	VEC(struct known_spot) known;
	struct event_list looks;
};

/* --- Units --------------------------------------------------------------- */

/* Whether a unit is for events of @pmu, which is NULL for events without groups. */
static bool unit__is_of(const struct pack_unit *u, const struct pmu *pmu)
{
	if (!u->pmu || !pmu || u->pmu == pmu)
		return u->pmu == pmu;
	return !u->pmu->is_core && !pmu->is_core && pmu__same_unit(u->pmu, pmu);
}

static int find_unit(struct packing *p, struct pmu *pmu, const char *modifier, int owner)
{
	struct pack_unit new = {.pmu = pmu, .modifier = modifier, .owner = owner};

	for (int i = 0; i < p->units.nr; i++) {
		const struct pack_unit *u = &p->units.at[i];

		if (unit__is_of(u, pmu) && text__same(u->modifier, modifier) && u->owner == owner)
			return i;
	}
	if (pmu)
		new.counters = counters__left_on(p->g->scope, pmu);
	vec__push(&p->units, new);
	return p->units.nr - 1;
}

/* --- Where each id is counted --------------------------------------------------------------- */

static struct pmu *pmu_for(const struct packing *p, const struct event *e)
{
	if (p->g->opts->no_group || !e->pmu || e->retire_latency || !counters__are_shared(e->pmu))
		return NULL;
	return e->pmu;
}

static int pack_groups__look_at(struct packing *p, const struct metric *m, const char *id,
				int owner, struct spot *out, struct err *why)
{
	const char *modifier = events__tool(id) ? NULL : m->modifier;
	struct unit_event event = {.id = id, .first = p->looks.nr};
	struct fit_event need;
	struct pack_unit *u;
	int rc;

	rc = events__parse_id(p->g->scope, id, modifier, &p->looks, why);
	if (rc)
		return rc;
	event.end = p->looks.nr;
	event.look = grouping__find(p->g, &p->looks, event.first, event.end, m, id);
	if (!event.look)
		return err__set(why, ENOENT, "event %s does not count on PMU %s", id, m->info.pmu);
	out->unit = find_unit(p, pmu_for(p, event.look), modifier, owner);
	u = &p->units.at[out->unit];
	need = counters__need(p->g->scope->tables, &u->counters, event.look);
	out->event = unit__add_event(u, &event, &need);
	return 0;
}

static int find_spot(struct packing *p, const struct metric *m, const char *id, int owner,
		     struct spot *out, struct err *why)
{
	int last = strmap__get(p->seen, id), rc;

	for (int i = last; i >= 0; i = p->known.at[i].next) {
		const struct known_spot *k = &p->known.at[i];

		if (k->owner != owner || strcmp(k->m->info.pmu, m->info.pmu) ||
		    !text__same(k->m->modifier, m->modifier))
			continue;
		*out = k->spot;
		return 0;
	}
	rc = pack_groups__look_at(p, m, id, owner, out, why);
	if (rc)
		return rc;
	strmap__put(p->seen, id, p->known.nr);
	vec__push(&p->known, (struct known_spot){m, owner, last, *out});
	return 0;
}

/*
 * Return: the owner of a metric's units. A metric of residencies has a TSC of its own, which is
 * counted on the CPUs of the residencies.
 */
static int owner_of(const struct packing *p, int want)
{
	bool own = p->g->opts->no_merge || residency__is(p->g->want.at[want].pm.metric);

	return own ? want : -1;
}

static void find_spots(struct packing *p, int want)
{
	struct want *w = &p->g->want.at[want];
	int nr = w->pm.metric->nr_ids, owner = owner_of(p, want), rc = 0;
	struct spot *spots = xcalloc(nr + 1, sizeof(*spots));
	struct err why = ERR_INIT;

	p->metrics[want].spots = spots;
	for (int i = 0; i < nr && !rc; i++)
		rc = find_spot(p, w->pm.metric, w->pm.metric->ids[i], owner, &spots[i], &why);
	if (rc)
		grouping__drop(p->g, w, &why);
	else
		parts__init(&p->metrics[want].parts, w->pm.metric);
}

/* Make sure that cycles is in every group with events of a metric on a core PMU. */
static void add_cycles(struct packing *p, int want)
{
	const struct want *w = &p->g->want.at[want];
	struct packed *m = &p->metrics[want];

	for (int i = 0; i < w->pm.metric->nr_ids; i++) {
		struct pack_unit *u = &p->units.at[m->spots[i].unit];
		struct spot spot;

		if (u->always || !u->pmu || !u->pmu->is_core)
			continue;
		for (int e = 0; e < u->events.nr && !u->always; e++)
			if (u->events.at[e].look && event__counts_cycles(u->events.at[e].look))
				u->always = e + 1;
		if (!u->always && !pack_groups__look_at(p, w->pm.metric, CYCLES,
							owner_of(p, want), &spot, NULL))
			p->units.at[spot.unit].always = spot.event + 1;
	}
}

/* Add to every unit the sets of events of a metric that are to be in one group. */
static void add_sets(struct packing *p, int want)
{
	struct packed *m = &p->metrics[want];

	for (int u = 0; u < p->units.nr; u++)
		unit__add_metric(&p->units.at[u], u, &m->parts, m->spots);
}

/* --- From which groups each metric takes its events ------------------------------------------- */

static int first_group(const struct packing *p, int unit)
{
	int nr = 0;

	for (int i = 0; i < unit; i++)
		nr += p->units.at[i].nr_groups;
	return nr;
}

static void offer(const struct packing *p, const struct spot *spot, struct offers *out)
{
	const struct pack_unit *u = &p->units.at[spot->unit];
	int first = first_group(p, spot->unit);

	out->pool = u->pmu ? spot->unit : OFFERS_NO_POOL;
	for (int i = 0; i < u->nr_groups; i++)
		if (unit__member(u, i, spot->event)->use)
			vec__push(&out->list, (struct offer){ first + i, i });
}

static void mark_used(const struct packing *p, const struct packed *m)
{
	for (int i = 0; i < service__nr_events(&m->service, m->parts.m); i++) {
		const struct spot *spot = &m->spots[i % m->parts.m->nr_ids];

		unit__member(&p->units.at[spot->unit], m->service.events[i], spot->event)->use =
			MEMBER_USED;
	}
}

static void find_service(struct packing *p, int want)
{
	struct packed *m = &p->metrics[want];
	int nr = m->parts.m->nr_ids;
	struct offers *offers = xcalloc(nr + 1, sizeof(*offers));

	for (int i = 0; i < nr; i++)
		offer(p, &m->spots[i], &offers[i]);
	service__find(&m->service, &m->parts, offers);
	mark_used(p, m);
	for (int i = 0; i < nr; i++)
		vec__free(&offers[i].list);
	free(offers);
}

/* --- Opening groups ------------------------------------------------------------------ */

/*
 * List the used events of a group, each once, without slots if no metric names it. Return: number
 * of events.
 */
static int list_used(const struct pack_unit *u, int group, int *used)
{
	bool has[u->events.nr + 1];
	int nr = 0;

	memset(has, 0, sizeof(has));
	for (int i = 0; i < u->sets.nr; i++) {
		const struct pack_set *set = &u->sets.at[i];

		for (int k = 0; k < set->nr && set->group == group; k++) {
			int event = set->events[k];

			if (u->events.at[event].id && !has[event] &&
			    unit__member(u, group, event)->use == MEMBER_USED)
				used[nr++] = event;
			has[event] = true;
		}
	}
	return nr;
}

/* Find the event that an id names, among the listed events. */
static const struct unit_event *find_named(const struct pack_unit *u, const int *events,
					   const char *id)
{
	while (strcmp(u->events.at[*events].id, id))
		events++;
	return &u->events.at[*events];
}

/*
 * Append the events of an id if their tool is @tool: all instances of an uncore unit, but for a
 * core event only the event of this group's PMU, even if the name matches events of other core
 * PMUs.
 */
static void pack_groups__open_event(const struct packing *p, const struct pack_unit *u,
				    const struct unit_event *e, int tool, struct event_list *list)
{
	bool core = u->pmu && u->pmu->is_core;

	if ((int)e->look->tool == tool)
		event_list__copy(list, &p->looks, core ? e->look->index : e->first,
				 core ? e->look->index + 1 : e->end);
}

/* Find the event in a list that counts @e; it is the first of several instances. */
static struct event *find_opened(const struct event_list *list, const struct unit_event *e)
{
	int i = 0;

	while (!list->at[i]->id || strcmp(list->at[i]->id, e->id) ||
	       list->at[i]->pmu != e->look->pmu)
		i++;
	return list->at[i];
}

static void open_group(struct packing *p, struct pack_unit *u, int group)
{
	struct event_list list = EVENT_LIST_INIT;
	int used[u->events.nr + 1], nr = list_used(u, group, used);
	const struct unit_event *named[nr + 1];
	const char *ids[nr + 1];

	for (int i = 0; i < nr; i++)
		ids[i] = u->events.at[used[i]].id;
	if (u->pmu)
		grouping__sort_ids(p->g, ids, nr);
	for (int i = 0; i < nr; i++)
		named[i] = find_named(u, used, ids[i]);
	for (int tool = EVENT_TOOL_NONE; tool < EVENT_TOOL_NR; tool++)
		for (int i = 0; i < nr; i++)
			pack_groups__open_event(p, u, named[i], tool, &list);
	events__group_ids(p->g->scope, u->pmu, &list);
	if (u->owner >= 0 && residency__is(p->g->want.at[u->owner].pm.metric))
		residency__set_cpus(&list);
	for (int i = 0; i < nr; i++)
		unit__member(u, group, used[i])->event = find_opened(&list, &u->events.at[used[i]]);
	event_list__splice(&p->g->shared, &list);
}

/* Events that are in no group come after the groups. */
static void open_units(struct packing *p)
{
	for (int grouped = 1; grouped >= 0; grouped--)
		for (int i = 0; i < p->units.nr; i++)
			for (int group = 0; group < p->units.at[i].nr_groups; group++)
				if (!p->units.at[i].pmu == !grouped)
					open_group(p, &p->units.at[i], group);
}

/* --- Events of metrics ----------------------------------------------------------------------- */

/* Set the events of a metric, and after them the events of each of its parts. */
static void pack_groups__take_events(struct packing *p, int want)
{
	struct want *w = &p->g->want.at[want];
	struct packed *m = &p->metrics[want];
	int nr = service__nr_events(&m->service, w->pm.metric);

	w->list = &p->g->shared;
	w->pm.events = xcalloc(nr + 1, sizeof(*w->pm.events));
	for (int i = 0; i < nr; i++) {
		const struct spot *spot = &m->spots[i % w->pm.metric->nr_ids];

		w->pm.events[i] = unit__member(&p->units.at[spot->unit], m->service.events[i],
					       spot->event)
					  ->event;
	}
	w->pm.parts = m->service.parts;
	w->pm.nr_parts = m->service.nr_parts;
	m->service.parts = NULL;
}

/* Whether the events of a metric's value are counted at different times. */
static bool is_split(const struct packing *p, int want)
{
	const struct want *w = &p->g->want.at[want];
	const struct packed *m = &p->metrics[want];
	const struct event *first[2] = { NULL, NULL };
	int ids[w->pm.metric->nr_ids + 1];
	int nr = parts__ids(&m->parts, part__root(w->pm.metric->value), ids);

	for (int i = 0; i < nr; i++) {
		const struct event *e = w->pm.events[ids[i]];
		bool core = e && e->pmu && e->pmu->is_core;

		if (!e || !p->units.at[m->spots[ids[i]].unit].pmu)
			continue;
		if (first[core] && first[core]->leader != e->leader)
			return true;
		first[core] = e;
	}
	return false;
}

/* If all metrics are constant on this machine, add an event to print them with. */
static int show_constants(struct packing *p, struct err *err)
{
	const char *clock = CLOCK;

	if (p->g->nr_dropped == p->g->want.nr || p->g->shared.nr)
		return 0;
	return events__parse_ids(p->g->scope, &clock, 1, NULL, false, &p->g->shared, err);
}

/* Visit the metrics that are not dropped, one after another. */
static void for_each_metric(struct packing *p, void (*visit)(struct packing *p, int want))
{
	for (int i = 0; i < p->g->want.nr; i++)
		if (!p->g->want.at[i].dropped)
			visit(p, i);
}

static void pack_groups__find_events(struct packing *p, int want)
{
	pack_groups__take_events(p, want);
	p->g->want.at[want].pm.split = is_split(p, want);
}

static void packing__free(struct packing *p)
{
	for (int i = 0; i < p->units.nr; i++)
		unit__free(&p->units.at[i]);
	for (int i = 0; i < p->g->want.nr; i++) {
		parts__free(&p->metrics[i].parts);
		free(p->metrics[i].spots);
		service__free(&p->metrics[i].service);
	}
	free(p->metrics);
	vec__free(&p->units);
	vec__free(&p->known);
	event_list__free(&p->looks);
	strmap__free(p->seen);
}

int pack_groups(struct grouping *g, struct err *err)
{
	struct packing p = {
		.g = g,
		.metrics = xcalloc(g->want.nr + 1, sizeof(*p.metrics)),
		.seen = strmap__new(),
	};
	int rc;

	grouping__sort(g);
	for_each_metric(&p, find_spots);
	if (g->opts->with_cycles)
		for_each_metric(&p, add_cycles);
	for_each_metric(&p, add_sets);
	for (int i = 0; i < p.units.nr; i++)
		unit__make_groups(&p.units.at[i]);
	for_each_metric(&p, find_service);
	for (int i = 0; i < p.units.nr; i++) {
		unit__keep_always(&p.units.at[i]);
		unit__keep_slots(&p.units.at[i]);
	}
	open_units(&p);
	rc = show_constants(&p, err);
	if (!rc)
		for_each_metric(&p, pack_groups__find_events);
	packing__free(&p);
	return rc;
}
