/* SPDX-License-Identifier: GPL-2.0-only */
/* What the files of grouping by counters share. */
#ifndef TMA_PLAN_PACK_GROUPS_H
#define TMA_PLAN_PACK_GROUPS_H

#include "plan/grouping.h"
#include "plan/pack.h"

/**
 * struct unit_event - an event of a unit
 * @id:   the first id that names it; NULL for slots that no metric names, but its parts need
 * @look: how it looks, parsed by itself; NULL with @id
 */
struct unit_event {
	const char *id;
	const struct event *look;
};

/**
 * struct unit - events that compete for the same counters, or that go without groups
 * @pmu:      of which they are; of several instances, one. NULL for what is in no group
 * @modifier: of the metrics they are for, or NULL
 * @owner:    number of the metric they are for, where these share nothing; or -1
 * @counters: of each group
 * @events, @needs: what is counted, and what each needs
 * @sets:     what is to be in one group; @wants: for which metric each of them is
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
	VEC(int) wants;
	VEC(int) groups;
};

/** struct spot - where an id of a metric is counted: number of the unit, and of the event in it */
struct spot {
	int unit, event;
};

/**
 * unit__add_set() - these events are to be in one group
 * @events: numbers of the unit's, each once
 * @want:   number of the metric
 *
 * Slots is added where parts of it are among them. Return: 0 or -ENOMEM.
 */
int unit__add_set(struct unit *u, int want, const int *events, int nr);
/** unit__fits() - whether events, and the slots they need, fit into one group. */
bool unit__fits(struct unit *u, const int *events, int nr);
/**
 * split_metric() - sets of a metric whose events of a unit do not all fit into one group
 * @spots: of each of the metric's ids
 *
 * The events of its threshold may be in any group. Those of its value, where they do not fit
 * without these either, are taken apart at the operands of the expression, and of these again: what
 * is divided by each other stays together as far as can be. Sets @w->together.
 *
 * Return: 0 or -ENOMEM.
 */
int split_metric(struct unit *u, int unit_number, struct want *w, int want,
		 const struct spot *spots);

#endif
