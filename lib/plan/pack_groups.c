// SPDX-License-Identifier: GPL-2.0-only
/*
 * Groups by the counters events may use: the events of a metric in one group wherever the counters
 * hold them, and as few groups as can be found.
 *
 * Each core PMU, and each kind of uncore PMU, has counters of its own: they are units, which are
 * packed one after the other. What takes no counter, or needs no turn on one, is in no group.
 */
#include "plan/pack_groups.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/strmap.h"
#include "machine/machine.h"
#include "metrics/idset.h"
#include "plan/counters.h"
#include "plan/residency.h"

/*
 * How many times an event is tried on the counters: enough for an answer that is the best or close
 * to it, and less time than reading the tables takes.
 */
#define EFFORT 20000
#define SLOTS_COUNTER (1ULL << (FIT_FIXED + 3))
#define CLOCK "duration_time"

/**
 * struct packing - the work on one struct grouping
 * @units: that there are
 * @spots: where each id of each metric is counted, all metrics' behind each other
 * @spots_of: of each metric, the first of them
 * @seen:  "owner, PMU of the metric, modifier, id" to a number in @known
 * @known: the spots that were found
 * @looks: each event by itself, to see what it is
 */
struct packing {
	struct grouping *g;
	VEC(struct unit) units;
	struct spot *spots;
	int *spots_of;
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

static bool counts_the_same(const struct event *a, const struct event *b)
{
	return a->pmu == b->pmu && a->tool == b->tool &&
	       !memcmp(&a->attr, &b->attr, sizeof(a->attr)) && a->scale == b->scale &&
	       a->percore == b->percore &&
	       a->retire_latency == b->retire_latency && cpulist__equal(&a->cpus, &b->cpus);
}

/* Return: its number among those of the unit, or -ENOMEM. */
static int unit__add_event(struct unit *u, const char *id, const struct event *look,
			   const struct fit_event *need)
{
	for (int i = 0; i < u->events.nr; i++) {
		const struct unit_event *e = &u->events.at[i];

		if (look && e->look && counts_the_same(e->look, look))
			return i;
		/* Slots that its parts needed before a metric named it, or the other way round. */
		if (need->slots && u->needs.at[i].slots && (!look || !e->look)) {
			if (look)
				u->events.at[i] = (struct unit_event){ id, look };
			return i;
		}
	}
	if (vec__push(&u->events, (struct unit_event){ id, look }) || vec__push(&u->needs, *need))
		return -ENOMEM;
	return u->events.nr - 1;
}

/* What leads those of these events that are parts of slots. Return: -1 for none, or -ENOMEM. */
static int find_slots(struct unit *u, const int *events, int nr)
{
	const struct fit_event slots = { "slots", .counters = SLOTS_COUNTER, .slots = true };
	bool parts = false;

	for (int i = 0; i < nr; i++) {
		if (u->needs.at[events[i]].slots)
			return -1;
		parts |= u->needs.at[events[i]].topdown;
	}
	return parts ? unit__add_event(u, NULL, NULL, &slots) : -1;
}

int unit__add_set(struct unit *u, int want, const int *events, int nr)
{
	int slots = find_slots(u, events, nr);
	int *copy = malloc((nr + 1) * sizeof(*copy));

	if (!copy || slots == -ENOMEM || vec__push(&u->wants, want) ||
	    vec__push(&u->sets, (struct pack_set){ copy, nr + (slots >= 0), -1 })) {
		free(copy);
		return -ENOMEM;
	}
	memcpy(copy, events, nr * sizeof(*copy));
	copy[nr] = slots;
	return 0;
}

bool unit__fits(struct unit *u, const int *events, int nr)
{
	int slots = find_slots(u, events, nr);
	struct fit fit;

	fit__init(&fit, &u->counters);
	if (slots >= 0 && !fit__add(&fit, &u->needs.at[slots], NULL))
		return false;
	for (int i = 0; i < nr; i++)
		if (!fit__add(&fit, &u->needs.at[events[i]], NULL))
			return false;
	return true;
}

static void unit__free(struct unit *u)
{
	for (int i = 0; i < u->sets.nr; i++)
		free((int *)u->sets.at[i].events);
	vec__free(&u->events);
	vec__free(&u->needs);
	vec__free(&u->sets);
	vec__free(&u->wants);
	vec__free(&u->groups);
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
	if (!p->spots || !p->spots_of || !p->seen)
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

/* The metric's events of a unit, each once. */
static int list_events(const struct packing *p, int want, int unit, int *list)
{
	const struct metric *m = p->g->want.at[want].metric;
	const struct spot *spots = &p->spots[p->spots_of[want]];
	int nr = 0;

	for (int i = 0; i < m->nr_ids; i++) {
		int at = 0;

		if (spots[i].unit != unit)
			continue;
		while (at < nr && list[at] != spots[i].event)
			at++;
		if (at == nr)
			list[nr++] = spots[i].event;
	}
	return nr;
}

/* A metric with a constraint is never one group: each of its events may join any. */
static int add_single_sets(struct unit *u, struct want *w, int want, const int *list, int nr)
{
	int rc = 0;

	for (int i = 0; i < nr && !rc; i++)
		rc = unit__add_set(u, want, &list[i], 1);
	if (nr > 1 && u->pmu)
		w->together = WANT_SPLIT;
	return rc;
}

static int add_sets_of(struct packing *p, int want, int unit, int *list)
{
	struct want *w = &p->g->want.at[want];
	struct unit *u = &p->units.at[unit];
	int nr = list_events(p, want, unit, list);

	if (!nr)
		return 0;
	if (!u->pmu || w->metric->constrained)
		return add_single_sets(u, w, want, list, nr);
	if (unit__fits(u, list, nr))
		return unit__add_set(u, want, list, nr);
	return split_metric(u, unit, w, want, &p->spots[p->spots_of[want]]);
}

static int add_sets(struct packing *p)
{
	int rc = 0;

	for (int i = 0; i < p->g->want.nr && !rc; i++) {
		const struct want *w = &p->g->want.at[i];
		int *list = calloc(w->metric->nr_ids + 1, sizeof(*list));

		if (!list)
			return -ENOMEM;
		for (int u = 0; u < p->units.nr && !rc && !w->dropped; u++)
			rc = add_sets_of(p, i, u, list);
		free(list);
	}
	return rc;
}

/* What fits no group, whatever else is in it, is left to the kernel to refuse. */
static int solve(struct unit *u, int *nr_groups, struct err *err)
{
	const struct pack_problem problem = {
		.pmu = &u->counters,
		.events = u->needs.at,
		.sets = u->sets.at,
		.nr_events = u->events.nr,
		.nr_sets = u->sets.nr,
		.effort = EFFORT,
	};
	struct pack_result result;
	int rc = pack__solve(&problem, &result, err);

	for (int i = 0; i < u->sets.nr && !rc; i++)
		if (u->sets.at[i].group < 0)
			u->sets.at[i].group = result.nr_groups++;
	*nr_groups = rc ? 0 : result.nr_groups;
	return rc;
}

/* --- Groups are opened --------------------------------------------------------------- */

/* The ids of a group's events, each once; -1 for all groups. */
static int list_ids(const struct unit *u, int group, const char **ids, bool *has)
{
	int nr = 0;

	memset(has, 0, u->events.nr * sizeof(*has));
	for (int i = 0; i < u->sets.nr; i++) {
		const struct pack_set *set = &u->sets.at[i];

		for (int k = 0; k < set->nr && (group < 0 || set->group == group); k++) {
			const struct unit_event *e = &u->events.at[set->events[k]];

			if (e->id && !has[set->events[k]])
				ids[nr++] = e->id;
			has[set->events[k]] = true;
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
	if (grouping__sort_ids(p->g, ids, nr))
		return err__set(err, ENOMEM, "out of memory grouping events");
	rc = nr ? events__parse_ids(&scope, ids, nr, u->modifier, u->pmu, &list, err) : 0;
	if (!rc && ((u->owner >= 0 && residency__is(p->g->want.at[u->owner].metric) &&
		     residency__place(&list)) ||
		    event_list__splice(&p->g->packed, &list)))
		rc = err__set(err, ENOMEM, "out of memory grouping events");
	event_list__free(&list);
	return rc;
}

static int open_unit(struct packing *p, struct unit *u, struct err *err)
{
	const char **ids = calloc(u->events.nr + 1, sizeof(*ids));
	bool *has = calloc(u->events.nr + 1, sizeof(*has));
	int rc = ids && has ? 0 : err__set(err, ENOMEM, "out of memory grouping events");
	int nr_groups = 1;

	if (!rc && u->pmu)
		rc = solve(u, &nr_groups, err);
	for (int i = 0; i < nr_groups && !rc; i++)
		rc = open_group(p, u, u->pmu ? i : -1, ids, has, err);
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

/* The largest sets say first where an event is counted for the metric. */
static const struct pack_set *set_with(const struct unit *u, int want, int event)
{
	const struct pack_set *best = NULL;

	for (int i = 0; i < u->sets.nr; i++) {
		const struct pack_set *set = &u->sets.at[i];

		if (u->wants.at[i] != want || (best && best->nr >= set->nr))
			continue;
		for (int k = 0; k < set->nr; k++)
			if (set->events[k] == event)
				best = set;
	}
	return best;
}

static void find_event(const struct packing *p, int want, int i)
{
	struct want *w = &p->g->want.at[want];
	const struct spot *spot = &p->spots[p->spots_of[want] + i];
	const struct unit *u = &p->units.at[spot->unit];
	const struct pack_set *set = set_with(u, want, spot->event);

	w->events[i] = find_in_group(p, u, u->pmu && set ? set->group : 0, w->metric,
				     u->events.at[spot->event].id);
}

/* The parts of a metric may have found room in one group all the same. */
static bool is_together(const struct packing *p, int want)
{
	const struct want *w = &p->g->want.at[want];
	const struct event *first[2] = { NULL, NULL };

	for (int i = 0; i < w->metric->nr_ids; i++) {
		const struct event *e = w->events[i];
		bool core = e && e->pmu && e->pmu->is_core;

		if (!e || !p->units.at[p->spots[p->spots_of[want] + i].unit].pmu)
			continue;
		if (first[core] && first[core]->leader != e->leader)
			return false;
		first[core] = e;
	}
	return true;
}

/* A metric which is constant on this machine still needs an event to be printed with. */
static int show_constants(struct packing *p, struct err *err)
{
	const char *clock = CLOCK;
	bool any = p->g->packed.nr;

	for (int i = 0; i < p->g->want.nr; i++)
		any |= p->g->want.at[i].dropped;
	return any ? 0 : events__parse_ids(p->g->scope, &clock, 1, NULL, false, &p->g->packed, err);
}

static int find_events(struct packing *p)
{
	for (int i = 0; i < p->g->want.nr; i++) {
		struct want *w = &p->g->want.at[i];

		if (w->dropped)
			continue;
		w->list = &p->g->packed;
		w->events = calloc(w->metric->nr_ids + 1, sizeof(*w->events));
		if (!w->events)
			return -ENOMEM;
		for (int j = 0; j < w->metric->nr_ids; j++)
			find_event(p, i, j);
		if (is_together(p, i))
			w->together = WANT_TOGETHER;
	}
	return 0;
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
		rc = open_units(&p, err);
	if (!rc)
		rc = show_constants(&p, err);
	if (!rc && find_events(&p))
		rc = err__set(err, ENOMEM, "out of memory grouping events");
	for (int i = 0; i < p.units.nr; i++)
		unit__free(&p.units.at[i]);
	vec__free(&p.units);
	vec__free(&p.known);
	event_list__free(&p.looks);
	strmap__free(p.seen);
	free(p.spots);
	free(p.spots_of);
	return rc;
}
