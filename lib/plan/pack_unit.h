/* SPDX-License-Identifier: GPL-2.0-only */
/* Events that compete for the same counters, and the sets of them that are to be in one group. */
#ifndef TMA_PLAN_PACK_UNIT_H
#define TMA_PLAN_PACK_UNIT_H

#include "plan/grouping.h"
#include "plan/pack.h"

/**
 * struct unit_event - an event of a unit
 * @id:   the first id that names it; NULL for slots that no metric names, but its parts need
 * @look: how it looks, parsed by itself; NULL with @id
 * @first, @end: between which the list that @look is in has all events of that id
 */
struct unit_event {
	const char *id;
	const struct event *look;
	int first, end;
};

/* What an event of a unit is to a group. */
enum member_use {
	MEMBER_NONE,
	MEMBER_UNUSED, /* nothing takes it from this group, which need not have it */
	MEMBER_USED,
};

/**
 * struct unit_member - an event of a unit in one of its groups
 * @event: the event that counts it there, once the group is opened
 */
struct unit_member {
	enum member_use use;
	struct event *event;
};

/**
 * struct pack_unit - events that compete for the same counters, or that go without groups
 * @pmu:      of which they are; of several instances, one. NULL for what is in no group
 * @modifier: of the metrics they are for, or NULL
 * @owner:    number of the metric they are for, where these share nothing; or -1
 * @counters: of each group
 * @events, @needs: what is counted, and what each needs
 * @sets:     what is to be in one group
 * @nr_groups: set by unit__make_groups(), as are
 * @members:  all events in the first group, then all in the second, and so on
 */
struct pack_unit {
	struct pmu *pmu;
	const char *modifier;
	int owner;
	struct fit_pmu counters;
	VEC(struct unit_event) events;
	VEC(struct fit_event) needs;
	VEC(struct pack_set) sets;
	int nr_groups;
	struct unit_member *members;
};

/** struct spot - where an id of a metric is counted: number of the unit, and of the event in it */
struct spot {
	int unit, event;
};

/** unit__free() - release what it has. */
void unit__free(struct pack_unit *u);
/**
 * unit__add_event() - an event, once
 *
 * Return: its number, which is that of one it has where that counts the same.
 */
int unit__add_event(struct pack_unit *u, const struct unit_event *event,
		    const struct fit_event *need);
/**
 * unit__add_set() - these events are to be in one group
 * @events: numbers of the unit's, each once
 * @need:   whether at the cost of a group
 *
 * Slots is added where parts of it are among them.
 */
void unit__add_set(struct pack_unit *u, const int *events, int nr, enum pack_need need);
/** unit__fits() - whether events, and the slots they need, fit into one group. */
bool unit__fits(struct pack_unit *u, const int *events, int nr);
/** unit__list_event() - a list of @nr events with one more, unless it has it. Return: how many. */
int unit__list_event(int *list, int nr, int event);
/**
 * unit__add_metric() - what of a metric's events is to be in one group
 * @number: of the unit
 * @parts:  of the metric
 * @spots:  of each of its ids
 */
void unit__add_metric(struct pack_unit *u, int number, struct parts *parts,
		      const struct spot *spots);
/** unit__solve() - find the groups: pack__solve() for all of its sets. */
struct pack_result unit__solve(struct pack_unit *u);
/**
 * unit__make_groups() - the same, and what fits no group is in one by itself
 *
 * What is in no group is in one here. All members are unused.
 */
void unit__make_groups(struct pack_unit *u);
/** unit__member() - an event in a group, by their numbers; may be changed. */
struct unit_member *unit__member(const struct pack_unit *u, int group, int event);
/** unit__keep_slots() - where parts of slots are used, slots is. */
void unit__keep_slots(struct pack_unit *u);

#endif
