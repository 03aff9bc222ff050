/* SPDX-License-Identifier: GPL-2.0-only */
/* A unit: events that compete for the same counters, and which of them are to be in one group. */
#ifndef TMA_PLAN_PACK_UNIT_H
#define TMA_PLAN_PACK_UNIT_H

#include "plan/grouping.h"
#include "plan/pack.h"

/**
 * struct unit_event - an event of a unit
 * @id:   the first id that names it; NULL for slots that no metric names but its metric events need
 * @look: the event of that id, parsed by itself; NULL where @id is NULL
 * @first, @end: range of all events of that id in the list that @look is in, without @end
 */
struct unit_event {
	const char *id;
	const struct event *look;
	int first, end;
};

/* Whether a group has an event of a unit. */
enum member_use {
	MEMBER_NONE,
	MEMBER_UNUSED, /* it could, but no metric takes the event from this group: leave it out */
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
 * @pmu:      the PMU of the events, or one of several instances; NULL for events in no group
 * @modifier: the modifier of the metrics they are for, or NULL
 * @owner:    the number of the metric they are for, where metrics share no groups; or -1
 * @counters: the counters that each group has
 * @always:   1 + the number of the event that every group must have, 0 for none
 * @events, @needs: the events to count, and what each needs
 * @sets:     which events are to be in one group
 * @nr_groups: how many groups unit__make_groups() made
 * @members:  all events as the first group has them, then as the second has them, and so on
 */
struct pack_unit {
	struct pmu *pmu;
	const char *modifier;
	int owner;
	struct fit_pmu counters;
	int always;
	VEC(struct unit_event) events;
	VEC(struct fit_event) needs;
	VEC(struct pack_set) sets;
	int nr_groups;
	struct unit_member *members;
};

/** struct spot - where an id of a metric is counted: numbers of a unit and of an event in it */
struct spot {
	int unit, event;
};

/** unit__free() - free what a unit owns. */
void unit__free(struct pack_unit *u);
/**
 * unit__add_event() - add an event, unless the unit has one that counts the same
 *
 * Return: the number of the event in the unit.
 */
int unit__add_event(struct pack_unit *u, const struct unit_event *event,
		    const struct fit_event *need);
/**
 * unit__add_set() - ask that some events be in one group
 * @events: numbers of events of the unit, each once
 * @need:   whether it may cost a group
 *
 * Slots is added if TopDown metric events are among them.
 */
void unit__add_set(struct pack_unit *u, const int *events, int nr, enum pack_need need);
/** unit__fits() - find out whether events, and the slots they need, fit into one group. */
bool unit__fits(struct pack_unit *u, const int *events, int nr);
/**
 * unit__add_metric() - ask that events of a metric be in one group, as far as groups hold them
 * @number: the number of the unit
 * @parts:  the parts of the metric
 * @spots:  where each of its ids is counted
 */
void unit__add_metric(struct pack_unit *u, int number, struct parts *parts,
		      const struct spot *spots);
/** unit__solve() - find the groups of all sets, by pack__solve(). */
struct pack_result unit__solve(struct pack_unit *u);
/**
 * unit__make_groups() - find the groups, and make their members, all MEMBER_UNUSED
 *
 * A set that fits no group gets one for itself. In a unit without groups all events are in one
 * group here.
 */
void unit__make_groups(struct pack_unit *u);
/** unit__member() - get an event of a group by their numbers; it may be changed. */
struct unit_member *unit__member(const struct pack_unit *u, int group, int event);
/** unit__keep_always() - mark the event that every group must have as used. */
void unit__keep_always(struct pack_unit *u);
/** unit__keep_slots() - mark slots as used in groups whose TopDown metric events are used. */
void unit__keep_slots(struct pack_unit *u);

#endif
