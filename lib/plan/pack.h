/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Pack sets of events into as few groups as possible, each of which can be counted at one time.
 *
 * A set has the events that must be measured together: those of a metric. Sets in one group share
 * the events they have in common. The same input always gives the same groups.
 */
#ifndef TMA_PLAN_PACK_H
#define TMA_PLAN_PACK_H

#include <stdbool.h>

#include "plan/fit.h"

/* Whether a set must be in one group, even a new one, or only if groups have room left for it. */
enum pack_need {
	PACK_MUST,
	PACK_WISH_VALUE, /* wishes are granted in this order */
	PACK_WISH_ALL,
	PACK_WISH_THRESHOLD,
	PACK_NEEDS,
};

/**
 * struct pack_set - events which are to be in one group
 * @events: numbers in pack_problem.events, each once
 * @group:  set by pack__solve(): the group it is in, or -1 when it does not fit by itself, or is a
 *          wish for which there is no room
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
 * @events: what each event needs
 * @effort: how many times an event may be put on the counters; then the search ends with the best
 *          answer so far; 0 for the greedy answer alone
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
 * @nr_groups:   groups are numbered from 0, in the order of the first set in each; wishes add none
 * @lower_bound: no packing has fewer groups
 * @proven:      no packing has fewer than @nr_groups: the bound is met, or all others were tried
 */
struct pack_result {
	int nr_groups, lower_bound;
	bool proven;
};

/** pack__solve() - find few groups, and set the group of each set. */
struct pack_result pack__solve(const struct pack_problem *problem);

#endif
