/* SPDX-License-Identifier: GPL-2.0-only */
/* Events that compete for the same counters, and the sets of them that are to be in one group. */
#ifndef TMA_PLAN_PACK_UNIT_H
#define TMA_PLAN_PACK_UNIT_H

#include "plan/grouping.h"
#include "plan/pack.h"
#include "plan/parts.h"

/**
 * struct unit_event - an event of a unit
 * @id:   the first id that names it; NULL for slots that no metric names, but its parts need
 * @look: how it looks, parsed by itself; NULL with @id
 */
struct unit_event {
	const char *id;
	const struct event *look;
};

/* What a set has of its metric: what counts most comes last. */
enum set_role {
	SET_OF_THRESHOLD,
	SET_OF_VALUE,
	SET_OF_ALL,
};

/**
 * struct set_use - what a set is for
 * @want: the metric, by its number
 * @role: what of it the set has
 * @part: the sub-expression that uses its events; of no expression when there is none
 */
struct set_use {
	int want;
	enum set_role role;
	struct part part;
};

/**
 * struct unit - events that compete for the same counters, or that go without groups
 * @pmu:      of which they are; of several instances, one. NULL for what is in no group
 * @modifier: of the metrics they are for, or NULL
 * @owner:    number of the metric they are for, where these share nothing; or -1
 * @counters: of each group
 * @events, @needs: what is counted, and what each needs
 * @sets:     what is to be in one group; @wants: what each of them is for
 * @groups:   set when they are opened: of each group, its first event in grouping.packed; and
 *            behind the last, the end
 */
struct unit {
	struct pmu *pmu;
	const char *modifier;
	int owner;
	struct fit_pmu counters;
	VEC(struct unit_event) events;
	VEC(struct fit_event) needs;
	VEC(struct pack_set) sets;
	VEC(struct set_use) wants;
	VEC(int) groups;
};

/** struct spot - where an id of a metric is counted: number of the unit, and of the event in it */
struct spot {
	int unit, event;
};

/** unit__free() - release what it has. */
void unit__free(struct unit *u);
/**
 * unit__add_event() - an event, once
 * @id, @look: of struct unit_event
 *
 * Return: its number, which is that of one it has where that counts the same; or -ENOMEM.
 */
int unit__add_event(struct unit *u, const char *id, const struct event *look,
		    const struct fit_event *need);
/**
 * unit__add_set() - these events are to be in one group
 * @events: numbers of the unit's, each once
 * @need:   whether at the cost of a group
 *
 * Slots is added where parts of it are among them. Return: 0 or -ENOMEM.
 */
int unit__add_set(struct unit *u, struct set_use use, const int *events, int nr,
		  enum pack_need need);
/** unit__fits() - whether events, and the slots they need, fit into one group. */
bool unit__fits(struct unit *u, const int *events, int nr);
/**
 * unit__add_metric() - what of a metric's events is to be in one group
 * @number: of the unit
 * @want:   number of the metric
 * @spots:  of each of its ids
 *
 * Return: 0 or -ENOMEM.
 */
int unit__add_metric(struct unit *u, int number, const struct metric *m, int want,
		     const struct spot *spots);
/** unit__solve() - find the groups: pack__solve() for all of its sets. */
int unit__solve(struct unit *u, struct pack_result *result, struct err *err);
/**
 * unit__server() - the set in whose group some events are counted for a metric
 * @events: numbers of the unit's
 *
 * Return: of those with all of them that are in a group the one that has most of the metric, or
 * NULL.
 */
const struct pack_set *unit__server(const struct unit *u, int want, const int *events, int nr);
/** unit__drop_unused_sets() - sets which others serve are in no group any more. */
void unit__drop_unused_sets(struct unit *u);

#endif
