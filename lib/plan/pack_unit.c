// SPDX-License-Identifier: GPL-2.0-only
/*
 * Events that compete for the same counters, and the sets of these events that are to be in one
 * group.
 */
#include "plan/pack_unit.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/xalloc.h"

/*
 * How many times a search may put an event on the counters. This is enough for the best answer, or
 * one close to it.
 */
#define EFFORT 20000

static bool is_slots(const struct pack_unit *u, int event)
{
	return u->needs.at[event].topdown == TOPDOWN_SLOTS;
}

int unit__add_event(struct pack_unit *u, const struct unit_event *event,
		    const struct fit_event *need)
{
	for (int i = 0; i < u->events.nr; i++) {
		struct unit_event *e = &u->events.at[i];

		if (event->look && e->look && !event__compare(e->look, event->look))
			return i;
		/*
		 * Slots may be needed by TopDown metric events before or after a metric names it.
		 */
		if (need->topdown == TOPDOWN_SLOTS && is_slots(u, i) &&
		    (!event->look || !e->look)) {
			if (event->look)
				*e = *event;
			return i;
		}
	}
	vec__push(&u->events, *event);
	vec__push(&u->needs, *need);
	return u->events.nr - 1;
}

/*
 * If these events need slots and do not have it, find the unit's slots. Return: its number, or -1.
 */
static int find_slots(struct pack_unit *u, const int *events, int nr)
{
	const struct fit_event slots = fit__slots();
	unsigned int set = 0;

	for (int i = 0; i < nr; i++)
		set |= topdown__bit(u->needs.at[events[i]].topdown);
	return topdown__lacks_slots(set) ? unit__add_event(u, &(struct unit_event){0}, &slots) : -1;
}

void unit__add_set(struct pack_unit *u, const int *events, int nr, enum pack_need need)
{
	int slots = find_slots(u, events, nr);
	int *copy = xmalloc((nr + 2) * sizeof(*copy));

	memcpy(copy, events, nr * sizeof(*copy));
	copy[nr] = slots;
	nr += slots >= 0;
	if (u->always)
		nr = array__add_once(copy, nr, u->always - 1);
	vec__push(&u->sets, (struct pack_set){copy, nr, need, -1});
}

bool unit__fits(struct pack_unit *u, const int *events, int nr)
{
	int slots = find_slots(u, events, nr);
	struct fit fit;

	fit__init(&fit, &u->counters);
	if (slots >= 0 && !fit__add(&fit, &u->needs.at[slots], NULL))
		return false;
	if (u->always && !fit__add(&fit, &u->needs.at[u->always - 1], NULL))
		return false;
	for (int i = 0; i < nr; i++)
		if (events[i] != u->always - 1 && !fit__add(&fit, &u->needs.at[events[i]], NULL))
			return false;
	return true;
}

void unit__free(struct pack_unit *u)
{
	for (int i = 0; i < u->sets.nr; i++)
		free((int *)u->sets.at[i].events);
	vec__free(&u->events);
	vec__free(&u->needs);
	vec__free(&u->sets);
	free(u->members);
}

struct pack_result unit__solve(struct pack_unit *u)
{
	return pack__solve(&(struct pack_problem){
		.pmu = &u->counters,
		.events = u->needs.at,
		.sets = u->sets.at,
		.nr_events = u->events.nr,
		.nr_sets = u->sets.nr,
		.effort = EFFORT,
	});
}

struct unit_member *unit__member(const struct pack_unit *u, int group, int event)
{
	return &u->members[group * u->events.nr + event];
}

/* A set that does not fit any group still gets a group, which the kernel may refuse. */
static void pack_unit__solve(struct pack_unit *u)
{
	u->nr_groups = unit__solve(u).nr_groups;
	for (int i = 0; i < u->sets.nr; i++)
		if (u->sets.at[i].group < 0 && u->sets.at[i].need == PACK_MUST)
			u->sets.at[i].group = u->nr_groups++;
}

static void put_into_one(struct pack_unit *u)
{
	u->nr_groups = 1;
	for (int i = 0; i < u->sets.nr; i++)
		u->sets.at[i].group = 0;
}

void unit__make_groups(struct pack_unit *u)
{
	if (u->pmu)
		pack_unit__solve(u);
	else
		put_into_one(u);
	u->members = xcalloc(u->nr_groups * u->events.nr + 1, sizeof(*u->members));
	for (int i = 0; i < u->sets.nr; i++) {
		const struct pack_set *set = &u->sets.at[i];

		for (int k = 0; k < set->nr && set->group >= 0; k++)
			unit__member(u, set->group, set->events[k])->use = MEMBER_UNUSED;
	}
}

static bool uses_parts_of_slots(const struct pack_unit *u, int group)
{
	for (int i = 0; i < u->events.nr; i++)
		if (topdown__is_metric(u->needs.at[i].topdown) &&
		    unit__member(u, group, i)->use == MEMBER_USED)
			return true;
	return false;
}

void unit__keep_always(struct pack_unit *u)
{
	for (int group = 0; u->always && group < u->nr_groups; group++)
		if (unit__member(u, group, u->always - 1)->use)
			unit__member(u, group, u->always - 1)->use = MEMBER_USED;
}

void unit__keep_slots(struct pack_unit *u)
{
	for (int group = 0; group < u->nr_groups; group++)
		for (int i = 0; i < u->events.nr && uses_parts_of_slots(u, group); i++)
			if (is_slots(u, i) && unit__member(u, group, i)->use)
				unit__member(u, group, i)->use = MEMBER_USED;
}

/* --- Which events of a metric are to be counted at one time ----------------------------------- */

/*
 * All events of a metric's value are in one group if a group can hold them. If not, the events of
 * each division are in one group, with as many other events as there is room for. A threshold is
 * computed from the values of other metrics, so only the events of each ratio must be counted at
 * the same time. They are in the group of the value if there is room.
 */

/**
 * struct split - the state of putting a metric's events in a unit into sets
 * @ids:    the ids that the current part uses, as indexes of @m->ids
 * @placed: for each event of the unit, whether it is in a set that must be in one group
 * @list:   the events of the current part
 */
struct split {
	struct pack_unit *u;
	const struct metric *m;
	struct parts *parts;
	const struct spot *spots;
	int unit_number;
	bool *placed;
	int *ids, *list;
};

/*
 * If the unit counts an id, add its event to a list of @nr events. Return: the new number of
 * events.
 */
static int list_id(struct split *s, int nr, int id)
{
	const struct spot *spot = &s->spots[id];

	return spot->unit == s->unit_number ? array__add_once(s->list, nr, spot->event) : nr;
}

/* List the unit's events of the whole metric. Return: number of events. */
static int list_all(struct split *s)
{
	int nr = 0;

	for (int i = 0; i < s->m->nr_ids; i++)
		nr = list_id(s, nr, i);
	return nr;
}

/* List the unit's events of a part. Return: number of events. */
static int list_part(struct split *s, struct part part)
{
	int nr_ids = parts__ids(s->parts, part, s->ids), nr = 0;

	for (int i = 0; i < nr_ids; i++)
		nr = list_id(s, nr, s->ids[i]);
	return nr;
}

/* Add a set of the listed events. A wish for a single event is left out. */
static void pack_unit__place(struct split *s, int nr, enum pack_need need)
{
	if (need != PACK_MUST && nr < 2)
		return;
	for (int i = 0; i < nr && need == PACK_MUST; i++)
		s->placed[s->list[i]] = true;
	unit__add_set(s->u, s->list, nr, need);
}

/* If a group can hold the listed events, add a wish that they are in one group. */
static void wish(struct split *s, int nr, enum pack_need need)
{
	if (unit__fits(s->u, s->list, nr))
		pack_unit__place(s, nr, need);
}

/*
 * Place the largest parts that fit, from the root down. With @ratios, only divisions are placed,
 * because the terms of a sum may be counted at different times.
 */
static void place_parts(struct split *s, const struct expr *expr, bool ratios, enum pack_need need)
{
	struct part part;

	parts__begin(s->parts, expr);
	while (parts__next(s->parts, &part)) {
		int nr = list_part(s, part);

		if (!nr)
			continue;
		if ((!ratios || parts__is_ratio(s->parts, part)) && unit__fits(s->u, s->list, nr))
			pack_unit__place(s, nr, need);
		else
			parts__descend(s->parts, part);
	}
}

/* Place each event that is not in any set yet, such as an event that does not fit any counter. */
static void place_rest(struct split *s)
{
	for (int i = 0; i < s->m->nr_ids; i++) {
		s->list[0] = s->spots[i].event;
		if (s->spots[i].unit == s->unit_number && !s->placed[s->list[0]])
			pack_unit__place(s, 1, PACK_MUST);
	}
}

/*
 * Add the sets for a metric. Constraints in the tables keep events apart that the counters cannot
 * hold together. But the events that fit are known here, so a metric that fits is grouped even if
 * it has a constraint. A metric that does not fit has its ratios grouped, unless it has a
 * constraint: then each event is in the group to which it adds least.
 */
static void add_parts(struct split *s)
{
	int nr = list_part(s, part__root(s->m->value));

	if (nr && unit__fits(s->u, s->list, nr)) {
		pack_unit__place(s, nr, PACK_MUST);
	} else if (s->m->constrained) {
		return;
	} else if (nr) {
		place_parts(s, s->m->value, true, PACK_MUST);
		place_parts(s, s->m->value, false, PACK_WISH_VALUE);
	}
	if (s->m->threshold)
		place_parts(s, s->m->threshold, true, PACK_WISH_THRESHOLD);
	wish(s, list_all(s), PACK_WISH_ALL);
}

void unit__add_metric(struct pack_unit *u, int number, struct parts *parts,
		      const struct spot *spots)
{
	struct split s = {
		.u = u,
		.m = parts->m,
		.parts = parts,
		.spots = spots,
		.unit_number = number,
		.ids = xcalloc(parts->m->nr_ids + 1, sizeof(int)),
		.placed = xcalloc(u->events.nr + 2, sizeof(bool)),
		.list = xcalloc(parts->m->nr_ids + 1, sizeof(int)),
	};

	if (u->pmu && list_all(&s))
		add_parts(&s);
	place_rest(&s);
	free(s.ids);
	free(s.placed);
	free(s.list);
}
