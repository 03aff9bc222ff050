/* SPDX-License-Identifier: GPL-2.0-only */
/* pack.c and pack_bound.c share what is declared here: a search for few groups under way. */
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
 * @host:  for each set the one it rides along with, which is itself when it is placed; -1 when it
 *         does not fit alone
 * @order: the order in which the items are placed now
 * @place: for each item in @order its bin
 * @best_order, @best_place: the same of the best answer, which has @best groups
 * @bound: no answer has fewer groups
 * @bins:  one for each item, of which the first @nr_bins are in use; @has are the flags of all
 * @spent: how many times an event was put on the counters
 * @general: how many general counters there are
 * @is_general: a flag for each event, set for one that is wanted and can use general counters alone
 * @home:  (while descending) for each event the number of bins that have it
 * @missing: (while descending) how many general events are in no bin yet
 * @used:  (while descending) how many counters of all bins general events take
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

/** search__fit_together() - whether two sets fit into one group, or one alone; empties the bins. */
bool search__fit_together(struct search *s, int a, int b);
/**
 * search__bound() - a number of groups that no packing of the items has less than
 *
 * Sets s->general, and for all events that are wanted s->is_general and s->missing. Empties the
 * bins.
 */
int search__bound(struct search *s);

#endif
