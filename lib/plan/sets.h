/* SPDX-License-Identifier: GPL-2.0-only */
/* A plan's groups in sets; the counters hold each set at the same time. */
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
 * struct sets_limit - how many file descriptors a set may take
 * @fds: how many each event takes, by its number
 * @max_fds: how many a set may take; 0 for any number
 */
struct sets_limit {
	const int *fds;
	int max_fds;
};

/**
 * sets__new() - put a plan's groups into few sets
 * @schedule: of @plan
 * @events:   the scope that its events were parsed in
 *
 * A group stays together, unless the kernel would take it apart: then it is taken apart here. Every
 * set has the events which need no turn (software, time), and those on fixed counters as far as
 * they fit. Groups that can never be counted as others hold a counter (the NMI watchdog) have a set
 * of their own.
 */
struct sets *sets__new(const struct plan *plan, const struct schedule *schedule,
		       const struct events_scope *events, const struct sets_limit *limit);
/** sets__free() - release them; NULL is allowed. */
void sets__free(struct sets *sets);

/** sets__has() - find out whether an event is in a set. */
bool sets__has(const struct sets *sets, int set, int event);
/** sets__count() - count the sets that an event is in. */
int sets__count(const struct sets *sets, int event);
/**
 * sets__mark_metrics() - mark metrics whose events are not all in one set
 * @plan: of the sets; over_passes of its metrics is set
 */
void sets__mark_metrics(const struct sets *sets, struct plan *plan);

#endif
