/* SPDX-License-Identifier: GPL-2.0-only */
/* The state of a search for few groups. pack.c and pack_bound.c share it. */
#ifndef TMA_PLAN_PACK_SEARCH_H
#define TMA_PLAN_PACK_SEARCH_H

#include "plan/pack.h"

/**
 * struct bin - a group that is being filled
 * @fit: the group's events on the counters
 * @has: for each event of the problem, whether it is in the group
 */
struct bin {
	struct fit fit;
	bool *has;
};

/**
 * struct search - the state of a search
 * @items: the @nr sets that are placed; each of the others joins the group of a set that has all
 *         its events
 * @host:  for each set, the number of the set whose group it joins; its own number if it is placed;
 *         -1 if it does not fit a group
 * @order: the current order in which the items are placed
 * @place: for each item in @order, its bin
 * @best_order, @best_place: order and places of the best answer; @best: its number of groups
 * @bound: no answer has fewer groups
 * @bins:  a bin for each item, of which the first @nr_bins are in use; @has: memory for the flags
 *         of all bins
 * @spent: how many times an event was put on the counters
 * @general: number of general counters
 * @is_general: for each event, whether it is wanted and can use only general counters
 * @home:  (in branch and bound) for each event, the number of bins that have it
 * @missing: (in branch and bound) number of events in @is_general that are not in a bin yet
 * @used:  (in branch and bound) number of counters in all bins that events of @is_general take
 */
struct search {
	const struct pack_problem *p;
	int *items, *host, *order, *place, *best_order, *best_place;
	int nr, best, bound, nr_bins;
	struct bin *bins;
	bool *has, *is_general;
	long spent;
	uint64_t random;
	int general, missing, used, *home;
};

/** search__fit_together() - find out whether two sets fit into one group. The bins are emptied. */
bool search__fit_together(struct search *s, int a, int b);
/**
 * search__bound() - find a lower bound: no packing of the items has fewer groups
 *
 * s->general, s->is_general and s->missing are set; all wanted events count as missing. The bins
 * are emptied.
 */
int search__bound(struct search *s);

#endif
