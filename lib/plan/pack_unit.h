/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A unit: events that compete for the same counters, and the sets of these events that are to be in
 * one group.
 */
#ifndef TMA_PLAN_PACK_UNIT_H
#define TMA_PLAN_PACK_UNIT_H

#include "plan/grouping.h"
#include "plan/pack.h"

/**
 * struct unit_event - an event of a unit
 * @id:   the first id that names the event; NULL for slots that no metric names but that TopDown
 *        metric events need
 * @look: the event that was parsed from @id alone; NULL if @id is NULL
 * @first, @end: the events of @id in the list of @look begin at @first and end before @end
 */
struct unit_event {
	const char *id;
	const struct event *look;
	int first, end;
};

/* Whether a group has an event of a unit. */
enum member_use {
	MEMBER_NONE,
	MEMBER_UNUSED, /* the group could have the event, but no metric takes it from this group:
		        * leave it out */
	MEMBER_USED,
};

/**
 * struct unit_member - an event of a unit in one of its groups
 * @event: the event that counts the unit's event in this group, once the group is opened
 */
struct unit_member {
	enum member_use use;
	struct event *event;
};

/**
 * struct pack_unit - events that compete for the same counters, or events without groups
 * @pmu:      the PMU of the events, or one of its instances; NULL for events without groups
 * @modifier: modifier of the metrics that the events are for, or NULL
 * @owner:    number of the metric that the events are for, if metrics share no groups; otherwise -1
 * @counters: the counters that a group can use
 * @always:   1 + the number of the event that every group must have; 0 if there is none
 * @events, @needs: the events to count, and the needs of each event
 * @sets:     sets of events; the events of a set are to be in one group
 * @nr_groups: number of groups that unit__make_groups() made
 * @members:  entries for all events in the first group, then for all events in the second group,
 *            and so on
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

/**
 * struct spot - where an id of a metric is counted: the number of a unit, and of an event in the
 * unit
 */
struct spot {
	int unit, event;
};

/** unit__free() - free everything that a unit owns. */
void unit__free(struct pack_unit *u);
/**
 * unit__add_event() - add an event, unless the unit has an event that counts the same
 *
 * Return: the number of the event in the unit.
 */
int unit__add_event(struct pack_unit *u, const struct unit_event *event,
		    const struct fit_event *need);
/**
 * unit__add_set() - request that some events are in one group
 * @events: numbers of events of the unit, each once
 * @need:   whether the set may add a group
 *
 * Slots is added if TopDown metric events are among these events.
 */
void unit__add_set(struct pack_unit *u, const int *events, int nr, enum pack_need need);
/** unit__fits() - find out whether events, with slots if they need it, fit into one group. */
bool unit__fits(struct pack_unit *u, const int *events, int nr);
/**
 * unit__add_metric() - request that the events of a metric are in one group, if a group can hold
 * them
 * @number: the number of the unit
 * @parts:  the parts of the metric
 * @spots:  where each id of the metric is counted
 */
void unit__add_metric(struct pack_unit *u, int number, struct parts *parts,
		      const struct spot *spots);
/** unit__solve() - find the groups of all sets, by pack__solve(). */
struct pack_result unit__solve(struct pack_unit *u);
/**
 * unit__make_groups() - find the groups, and make their members, which are all MEMBER_UNUSED
 *
 * A set that does not fit any group gets a group of its own. If the events are without groups, the
 * members are those of one group.
 */
void unit__make_groups(struct pack_unit *u);
/** unit__member() - get the entry of an event in a group by their numbers; it may be changed. */
struct unit_member *unit__member(const struct pack_unit *u, int group, int event);
/** unit__keep_always() - in every group, mark the event that it must have as used. */
void unit__keep_always(struct pack_unit *u);
/** unit__keep_slots() - mark slots as used in groups whose TopDown metric events are used. */
void unit__keep_slots(struct pack_unit *u);

#endif
