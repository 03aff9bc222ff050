/* SPDX-License-Identifier: GPL-2.0-only */
/* A plan's groups in sets, each of which the counters hold at the same time. */
#ifndef TMA_PLAN_SETS_H
#define TMA_PLAN_SETS_H

#include <stdbool.h>

#include "plan/schedule.h"

/**
 * struct sets - which events are counted together
 * @nr:  how many sets; at least one
 * @nr_events: of the plan
 * @has: whether an event is in a set, at[set * nr_events + event]
 */
struct sets {
	int nr, nr_events;
	bool *has;
};

/**
 * struct sets_limit - what a set may take besides counters
 * @fds: file descriptors that each event takes, by number
 * @max_fds: that all of a set may take; 0 for any number
 */
struct sets_limit {
	const int *fds;
	int max_fds;
};

/**
 * sets__new() - put a plan's groups into few sets
 * @schedule: of @plan
 * @events:   what its names were looked up in
 *
 * A group stays together; one that the kernel would take apart is taken apart here. In every set
 * are the events which need no turn (software, time), and those on fixed counters as far as they
 * fit. Groups which others leave no room for (the NMI watchdog) have a set of their own.
 */
struct sets *sets__new(const struct plan *plan, const struct schedule *schedule,
		       const struct events_scope *events, const struct sets_limit *limit);
/** sets__free() - release them; NULL is allowed. */
void sets__free(struct sets *sets);

/** sets__has() - whether an event is in a set. */
bool sets__has(const struct sets *sets, int set, int event);
/** sets__count() - in how many sets an event is. */
int sets__count(const struct sets *sets, int event);
/**
 * sets__mark_metrics() - tell which metrics have no set with all of their events
 * @plan: of the sets; over_passes of its metrics is set
 */
void sets__mark_metrics(const struct sets *sets, struct plan *plan);

#endif
