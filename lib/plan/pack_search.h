/* SPDX-License-Identifier: GPL-2.0-only */
/* The state of a search for few groups, which pack.c and pack_bound.c share. */
#ifndef TMA_PLAN_PACK_SEARCH_H
#define TMA_PLAN_PACK_SEARCH_H

#include "plan/pack.h"

/**
 * struct bin - a group while it is being filled
 * @fit: its events on the counters
 * @has: a flag for each event of the problem, set for those in it
 */
struct bin {
	struct fit fit;
	bool *has;
};

/**
 * struct search - a search under way
 * @items: the @nr sets which are placed
 * @host:  for each set the set whose group it joins because that has all its events; its own
 *         number if it is placed itself; -1 if it does not fit a group alone
 * @order: the order in which the items are placed now
 * @place: for each item in @order its bin
 * @best_order, @best_place: the same for the best answer, which has @best groups
 * @bound: no answer has fewer groups
 * @bins:  one for each item; the first @nr_bins are in use; @has holds the flags of all bins
 * @spent: how many times an event was put on the counters
 * @general: how many general counters there are
 * @is_general: a flag for each event, set if it is wanted and can use only general counters
 * @home:  (while descending) for each event the number of bins that have it
 * @missing: (while descending) how many general events are not in a bin yet
 * @used:  (while descending) how many counters of all bins are taken by general events
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

/** search__fit_together() - find out whether two sets fit into one group; empties the bins. */
bool search__fit_together(struct search *s, int a, int b);
/**
 * search__bound() - find a lower bound: no packing of the items has fewer groups
 *
 * Sets s->general, s->is_general and s->missing, counting all wanted events as missing. Empties the
 * bins.
 */
int search__bound(struct search *s);

#endif
