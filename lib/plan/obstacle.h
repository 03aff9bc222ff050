/* SPDX-License-Identifier: GPL-2.0-only */
/* Why a group does not get the counters it needs. */
#ifndef TMA_PLAN_OBSTACLE_H
#define TMA_PLAN_OBSTACLE_H

#include "plan/counters.h"

/* What is in the way of events that are to be counted together. */
enum obstacle {
	OBSTACLE_NONE,	   /* nothing that is known: the PMU's counters may not be */
	OBSTACLE_TOO_MUCH, /* they do not go together: the kernel refuses the group */
	OBSTACLE_WATCHDOG, /* they would, but for the NMI watchdog; the kernel does not refuse */
};

/**
 * obstacle__find() - whether events can be counted together, and if not, what is in the way
 * @scope:  what their names were looked up in
 * @events: of one group; those that take no counter of the PMU of the first that does are passed
 *          over
 * @why:    appended to, in words: "more events than counters: a, b and c have only counters 0-1"
 */
enum obstacle obstacle__find(const struct events_scope *scope, const struct event *const *events,
			     int nr, struct sb *why);

#endif
