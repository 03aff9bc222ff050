/* SPDX-License-Identifier: GPL-2.0-only */
/* The groups of a plan in sets. The counters can hold all groups of a set at the same time. */
#ifndef TMA_PLAN_SETS_H
#define TMA_PLAN_SETS_H

#include <stdbool.h>

#include "plan/schedule.h"

/**
 * struct sets - which events are counted together
 * @nr:  number of sets, at least one
 * @nr_events: number of the plan's events
 * @has: whether an event is in a set, has[set * nr_events + event]
 */
struct sets {
	int nr, nr_events;
	bool *has;
};

/**
 * struct sets_limit - how many file descriptors a set may take
 * @fds: how many descriptors each event takes, by event number
 * @max_fds: how many descriptors a set may take; 0 for any number
 */
struct sets_limit {
	const int *fds;
	int max_fds;
};

/**
 * sets__new() - put a plan's groups into few sets
 * @schedule: the forecast for @plan
 * @events:   the scope in which the plan's events were parsed
 *
 * A group that the kernel would take apart is taken apart here; any other group stays together.
 * Every set has the events that need no turn (software, time), and as many events on fixed counters
 * as fit. Groups that can never be counted, because others such as the NMI watchdog hold a counter,
 * are in a set of their own.
 */
struct sets *sets__new(const struct plan *plan, const struct schedule *schedule,
		       const struct events_scope *events, const struct sets_limit *limit);
/** sets__free() - free sets; NULL is allowed. */
void sets__free(struct sets *sets);

/** sets__has() - find out whether an event is in a set. */
bool sets__has(const struct sets *sets, int set, int event);
/** sets__count() - count the sets that an event is in. */
int sets__count(const struct sets *sets, int event);
/**
 * sets__mark_metrics() - mark metrics whose events are not all in one set
 * @plan: the plan of the sets; over_passes of its metrics is set
 */
void sets__mark_metrics(const struct sets *sets, struct plan *plan);

#endif
