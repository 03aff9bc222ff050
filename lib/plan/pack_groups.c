// SPDX-License-Identifier: GPL-2.0-only
/*
 * Groups by the counters events may use: the events of a metric in one group wherever the counters
 * hold them, and as few groups as can be found.
 *
 * Each core PMU, and each kind of uncore PMU, has counters of its own: they are units, which are
 * packed one after the other. What takes no counter, or needs no turn on one, is in no group.
 */
#include "plan/pack_unit.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/strmap.h"
#include "machine/machine.h"
#include "metrics/idset.h"
#include "plan/counters.h"
#include "plan/parts.h"
#include "plan/residency.h"
#include "plan/serve.h"

#define CLOCK "duration_time"

/**
 * struct packing - the work on one struct grouping
 * @units: that there are
 * @spots: where each id of each metric is counted, all metrics' behind each other
 * @spots_of: of each metric, the first of them
 * @services: of each metric, where it has its events from
 * @seen:  "owner, PMU of the metric, modifier, id" to a number in @known
 * @known: the spots that were found
 * @looks: each event by itself, to see what it is
 */
struct packing {
	struct grouping *g;
	VEC(struct unit) units;
	struct spot *spots;
	int *spots_of;
	struct service *services;
	struct strmap *seen;
	VEC(struct spot) known;
	struct event_list looks;
};

static bool same_text(const char *a, const char *b)
{
	return a == b || (a && b && !strcmp(a, b));
}

/* --- Units --------------------------------------------------------------- */

/* Whether an event of a PMU is in a unit of that PMU, NULL for what is in no group. */
static bool unit__is_of(const struct unit *u, const struct pmu *pmu)
{
	if (!u->pmu || !pmu || u->pmu == pmu)
		return u->pmu == pmu;
	return !u->pmu->is_core && !pmu->is_core && pmu__same_unit(u->pmu, pmu);
}

static int find_unit(struct packing *p, struct pmu *pmu, const char *modifier, int owner)
{
	struct unit new = { .pmu = pmu, .modifier = modifier, .owner = owner };

	for (int i = 0; i < p->units.nr; i++) {
		const struct unit *u = &p->units.at[i];

		if (unit__is_of(u, pmu) && same_text(u->modifier, modifier) && u->owner == owner)
			return i;
	}
	if (pmu)
		new.counters = counters__left_on(p->g->scope, pmu);
	return vec__push(&p->units, new) ? -ENOMEM : p->units.nr - 1;
}

/* --- Where each id is counted --------------------------------------------------------------- */

static struct pmu *pmu_for(const struct packing *p, const struct event *e)
{
	if (p->g->opts->no_group || !e->pmu || e->retire_latency || !counters__are_shared(e->pmu))
		return NULL;
	return e->pmu;
}

static int look_at(struct packing *p, const struct metric *m, const char *id, int owner,
		   struct spot *out, struct err *why)
{
	int first = p->looks.nr, rc;
	struct event *look = NULL;
	struct fit_event need;
	struct unit *u;

	rc = events__parse_ids(p->g->scope, &id, 1, m->modifier, false, &p->looks, why);
	if (rc)
		return rc;
	for (int i = first; i < p->looks.nr && !look; i++)
		if (p->looks.at[i]->id && !strcmp(p->looks.at[i]->id, id) &&
		    grouping__serves(p->g, p->looks.at[i], m))
			look = p->looks.at[i];
	if (!look)
		return err__set(why, ENOENT, "event %s does not count on PMU %s", id, m->info.pmu);
	out->unit = find_unit(p, pmu_for(p, look), look->tool ? NULL : m->modifier, owner);
	if (out->unit < 0)
		return -ENOMEM;
	u = &p->units.at[out->unit];
	need = counters__need(p->g->scope->tables, &u->counters, look);
	out->event = unit__add_event(u, id, look, &need);
	return out->event < 0 ? -ENOMEM : 0;
}

static int find_spot(struct packing *p, const struct metric *m, const char *id, int owner,
		     struct spot *out, struct err *why)
{
	struct sb key = SB_INIT;
	int known, rc;

	sb__printf(&key, "%d\t%s\t%s\t%s", owner, m->info.pmu, m->modifier ? m->modifier : "", id);
	known = key.err ? -1 : strmap__get(p->seen, sb__str(&key));
	if (known >= 0) {
		*out = p->known.at[known];
		rc = 0;
	} else {
		rc = key.err ? -ENOMEM : look_at(p, m, id, owner, out, why);
		if (!rc && (vec__push(&p->known, *out) ||
			    strmap__put(p->seen, sb__str(&key), p->known.nr - 1)))
			rc = -ENOMEM;
	}
	sb__free(&key);
	return rc;
}

/* Residencies have a TSC of their own, which counts where they do. */
static int owner_of(const struct packing *p, int want)
{
	bool own = p->g->opts->no_merge || residency__is(p->g->want.at[want].metric);

	return own ? want : -1;
}

static int find_spots(struct packing *p)
{
	struct grouping *g = p->g;
	int nr = 0, rc = 0;

	for (int i = 0; i < g->want.nr; i++)
		nr += g->want.at[i].metric->nr_ids;
	p->spots = calloc(nr + 1, sizeof(*p->spots));
	p->spots_of = calloc(g->want.nr + 1, sizeof(*p->spots_of));
	p->seen = strmap__new();
	p->services = calloc(g->want.nr + 1, sizeof(*p->services));
	if (!p->spots || !p->spots_of || !p->services || !p->seen)
		return -ENOMEM;
	for (int i = 0, first = 0; i < g->want.nr && rc != -ENOMEM; i++) {
		struct want *w = &g->want.at[i];
		struct err why = ERR_INIT;

		p->spots_of[i] = first;
		rc = 0;
		for (int j = 0; j < w->metric->nr_ids && !rc; j++)
			rc = find_spot(p, w->metric, w->metric->ids[j], owner_of(p, i),
				       &p->spots[first + j], &why);
		first += w->metric->nr_ids;
		if (rc && rc != -ENOMEM)
			grouping__drop(g, w, &why);
	}
	return rc == -ENOMEM ? rc : 0;
}

/* --- What is to be in one group --------------------------------------------------------------- */

static int add_sets(struct packing *p)
{
	int rc = 0;

	for (int i = 0; i < p->g->want.nr && !rc; i++) {
		const struct want *w = &p->g->want.at[i];

		for (int u = 0; u < p->units.nr && !rc && !w->dropped; u++)
			rc = unit__add_metric(&p->units.at[u], u, w->metric,
					      &p->spots[p->spots_of[i]]);
	}
	return rc;
}

/* --- Which of the groups each metric has its events from -------------------------------------- */

static int first_group(const struct packing *p, int unit)
{
	int nr = 0;

	for (int i = 0; i < unit; i++)
		nr += p->units.at[i].nr_groups;
	return nr;
}

static int offer(const struct packing *p, const struct spot *spot, struct offers *out)
{
	const struct unit *u = &p->units.at[spot->unit];
	int first = first_group(p, spot->unit), rc = 0;

	out->pool = u->pmu ? spot->unit : OFFERS_NO_POOL;
	for (int i = 0; i < u->nr_groups && !rc; i++)
		if (*unit__member(u, i, spot->event))
			rc = vec__push(&out->list, (struct offer){ first + i, i });
	return rc;
}

static void mark_used(const struct packing *p, int want)
{
	const struct metric *m = p->g->want.at[want].metric;
	const struct service *s = &p->services[want];

	for (int i = 0; i < service__nr_events(s, m); i++) {
		const struct spot *spot = &p->spots[p->spots_of[want] + i % m->nr_ids];

		*unit__member(&p->units.at[spot->unit], s->events[i], spot->event) = MEMBER_USED;
	}
}

static int find_service(struct packing *p, int want)
{
	const struct metric *m = p->g->want.at[want].metric;
	struct offers *offers = calloc(m->nr_ids + 1, sizeof(*offers));
	int rc = offers ? 0 : -ENOMEM;

	for (int i = 0; i < m->nr_ids && !rc; i++)
		rc = offer(p, &p->spots[p->spots_of[want] + i], &offers[i]);
	rc = rc ?: service__find(&p->services[want], m, offers);
	if (!rc)
		mark_used(p, want);
	for (int i = 0; i < m->nr_ids && offers; i++)
		vec__free(&offers[i].list);
	free(offers);
	return rc;
}

static int find_services(struct packing *p, struct err *err)
{
	int rc = 0;

	for (int i = 0; i < p->units.nr && !rc; i++)
		rc = unit__make_groups(&p->units.at[i], err);
	for (int i = 0; i < p->g->want.nr && !rc; i++)
		if (!p->g->want.at[i].dropped && find_service(p, i))
			rc = err__set(err, ENOMEM, "out of memory grouping events");
	for (int i = 0; i < p->units.nr && !rc; i++)
		unit__keep_slots(&p->units.at[i]);
	return rc;
}

/* --- Groups are opened --------------------------------------------------------------- */

/* The ids of a group's events that are used, each once. */
static int list_ids(const struct unit *u, int group, const char **ids, bool *has)
{
	int nr = 0;

	memset(has, 0, u->events.nr * sizeof(*has));
	for (int i = 0; i < u->sets.nr; i++) {
		const struct pack_set *set = &u->sets.at[i];

		for (int k = 0; k < set->nr && set->group == group; k++) {
			int event = set->events[k];
			const char *id = u->events.at[event].id;

			if (id && !has[event] && *unit__member(u, group, event) == MEMBER_USED)
				ids[nr++] = id;
			has[event] = true;
		}
	}
	return nr;
}

static int open_group(struct packing *p, struct unit *u, int group, const char **ids, bool *has,
		      struct err *err)
{
	struct events_scope scope = *p->g->scope;
	struct event_list list = EVENT_LIST_INIT;
	int nr = list_ids(u, group, ids, has), rc;

	/* A name stands for the events of all core types, of which this group has one. */
	if (u->pmu && u->pmu->is_core && machine__is_hybrid(scope.machine))
		scope.pmu_filter = u->pmu->name;
	if (vec__push(&u->groups, p->g->packed.nr))
		return err__set(err, ENOMEM, "out of memory grouping events");
	if (u->pmu && grouping__sort_ids(p->g, ids, nr))
		return err__set(err, ENOMEM, "out of memory grouping events");
	rc = nr ? events__parse_ids(&scope, ids, nr, u->modifier, u->pmu, &list, err) : 0;
	if (!rc && u->owner >= 0 && residency__is(p->g->want.at[u->owner].metric) &&
	    residency__place(&list))
		rc = err__set(err, ENOMEM, "out of memory grouping events");
	if (!rc)
		event_list__splice(&p->g->packed, &list);
	event_list__free(&list);
	return rc;
}

static int open_unit(struct packing *p, struct unit *u, struct err *err)
{
	const char **ids = calloc(u->events.nr + 1, sizeof(*ids));
	bool *has = calloc(u->events.nr + 1, sizeof(*has));
	int rc = ids && has ? 0 : err__set(err, ENOMEM, "out of memory grouping events");

	for (int i = 0; i < u->nr_groups && !rc; i++)
		rc = open_group(p, u, i, ids, has, err);
	if (!rc && vec__push(&u->groups, p->g->packed.nr))
		rc = err__set(err, ENOMEM, "out of memory grouping events");
	free(ids);
	free(has);
	return rc;
}

/* What is in no group stands behind the groups. */
static int open_units(struct packing *p, struct err *err)
{
	int rc = 0;

	for (int grouped = 1; grouped >= 0; grouped--)
		for (int i = 0; i < p->units.nr && !rc; i++)
			if (!p->units.at[i].pmu == !grouped)
				rc = open_unit(p, &p->units.at[i], err);
	return rc;
}

/* --- Metrics find their events --------------------------------------------------------------- */

static struct event *find_in_group(const struct packing *p, const struct unit *u, int group,
				   const struct metric *m, const char *id)
{
	for (int i = u->groups.at[group]; i < u->groups.at[group + 1]; i++) {
		struct event *e = p->g->packed.at[i];

		if (e->id && !strcmp(e->id, id) && grouping__serves(p->g, e, m))
			return e;
	}
	return NULL;
}

/* The events of a metric, and those of each of its parts. */
static int take_events(struct packing *p, int want)
{
	struct want *w = &p->g->want.at[want];
	struct service *s = &p->services[want];
	int nr = service__nr_events(s, w->metric);

	w->events = calloc(nr + 1, sizeof(*w->events));
	if (!w->events)
		return -ENOMEM;
	for (int i = 0; i < nr; i++) {
		const struct spot *spot = &p->spots[p->spots_of[want] + i % w->metric->nr_ids];
		const struct unit *u = &p->units.at[spot->unit];

		w->events[i] = find_in_group(p, u, s->events[i], w->metric,
					     u->events.at[spot->event].id);
	}
	w->list = &p->g->packed;
	w->parts = s->parts;
	w->nr_parts = s->nr_parts;
	s->parts = NULL;
	return 0;
}

/* Whether those of a metric's ids that are marked are counted at one time. */
static bool is_together(const struct packing *p, int want, const bool *ids)
{
	const struct want *w = &p->g->want.at[want];
	const struct event *first[2] = { NULL, NULL };

	for (int i = 0; i < w->metric->nr_ids; i++) {
		const struct event *e = w->events[i];
		bool core = e && e->pmu && e->pmu->is_core;

		if (!ids[i] || !e || !p->units.at[p->spots[p->spots_of[want] + i].unit].pmu)
			continue;
		if (first[core] && first[core]->leader != e->leader)
			return false;
		first[core] = e;
	}
	return true;
}

static int find_split(const struct packing *p, int want)
{
	struct want *w = &p->g->want.at[want];
	bool ids[w->metric->nr_ids + 1];
	struct parts_walk walk;
	int rc = parts_walk__init(&walk, w->metric);

	rc = rc ?: parts_walk__ids(&walk, part__root(w->metric->value), ids);
	if (!rc)
		w->split = !is_together(p, want, ids);
	parts_walk__free(&walk);
	return rc;
}

/* A metric which is constant on this machine still needs an event to be printed with. */
static int show_constants(struct packing *p, struct err *err)
{
	const char *clock = CLOCK;
	bool any = false;

	for (int i = 0; i < p->g->want.nr; i++)
		any |= !p->g->want.at[i].dropped;
	if (!any || p->g->packed.nr)
		return 0;
	return events__parse_ids(p->g->scope, &clock, 1, NULL, false, &p->g->packed, err);
}

static int find_events(struct packing *p)
{
	int rc = 0;

	for (int i = 0; i < p->g->want.nr && !rc; i++)
		if (!p->g->want.at[i].dropped)
			rc = take_events(p, i) ?: find_split(p, i);
	return rc;
}

int pack_groups(struct grouping *g, struct err *err)
{
	struct packing p = { .g = g };
	int rc;

	grouping__sort(g);
	rc = find_spots(&p);
	if (!rc)
		rc = add_sets(&p);
	if (rc)
		err__set(err, ENOMEM, "out of memory grouping events");
	else
		rc = find_services(&p, err) ?: open_units(&p, err);
	if (!rc)
		rc = show_constants(&p, err);
	if (!rc && find_events(&p))
		rc = err__set(err, ENOMEM, "out of memory grouping events");
	for (int i = 0; i < p.units.nr; i++)
		unit__free(&p.units.at[i]);
	for (int i = 0; i < g->want.nr && p.services; i++)
		service__free(&p.services[i]);
	free(p.services);
	vec__free(&p.units);
	vec__free(&p.known);
	event_list__free(&p.looks);
	strmap__free(p.seen);
	free(p.spots);
	free(p.spots_of);
	return rc;
}
