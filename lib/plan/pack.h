/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Pack sets of events into as few groups as possible. The events of a group can be counted at the
 * same time.
 *
 * A set contains events that must be measured together, such as the events of a metric. Sets in one
 * group share the events that they have in common. The same input always gives the same groups.
 */
#ifndef TMA_PLAN_PACK_H
#define TMA_PLAN_PACK_H

#include <stdbool.h>

#include "plan/fit.h"

/*
 * Whether a set must be in one group, even if this adds a group, or only if a group has room for
 * it.
 */
enum pack_need {
	PACK_MUST,
	PACK_WISH_VALUE, /* wishes are granted in this order */
	PACK_WISH_ALL,
	PACK_WISH_THRESHOLD,
	PACK_NEEDS,
};

/**
 * struct pack_set - events that are to be in one group
 * @events: indexes of the events in pack_problem.events, each once
 * @group:  set by pack__solve(): number of the set's group; -1 if the set does not fit a group, or
 *          is a wish that no group has room for
 */
struct pack_set {
	const int *events;
	int nr;
	enum pack_need need;
	int group;
};

/**
 * struct pack_problem - the sets to pack
 * @pmu:    the counters of each group
 * @events: the needs of each event
 * @effort: how many times the search may put an event on the counters before it ends with the best
 *          answer so far; 0: make only the greedy answer
 */
struct pack_problem {
	const struct fit_pmu *pmu;
	const struct fit_event *events;
	struct pack_set *sets;
	int nr_events, nr_sets;
	long effort;
};

/**
 * struct pack_result - the number of groups found, and how good it is
 * @nr_groups:   number of groups. They are numbered from 0, in the order of the first set in each
 *               group. Wishes add no groups
 * @lower_bound: no packing has fewer groups
 * @proven:      no packing has fewer groups than @nr_groups: this is the lower bound, or all other
 *               packings were tried
 */
struct pack_result {
	int nr_groups, lower_bound;
	bool proven;
};

/** pack__solve() - pack the sets into few groups, and store the group of each set. */
struct pack_result pack__solve(const struct pack_problem *problem);

#endif
