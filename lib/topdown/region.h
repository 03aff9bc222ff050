/* SPDX-License-Identifier: GPL-2.0-only */
/* A thread's regions. */
#ifndef TMA_TOPDOWN_REGION_H
#define TMA_TOPDOWN_REGION_H

#include "internal.h"

/**
 * struct tma_region - a name of a handle
 * @entry:	 where its totals are
 * @every:	 it is measured once in so many times
 * @countdown:	 times until it is
 * @active:	 how often it was begun and not yet ended
 * @measuring:	 whether the outermost of these is measured
 * @reset_above: what the slots register may hold when it begins; 0 is any
 */
struct tma_region {
	struct tma_topdown *topdown;
	struct tma_region *next;
	struct region_page_entry *entry;
	unsigned int every;
	unsigned int countdown;
	unsigned int active;
	bool measuring;
	uint64_t reset_above;
};

void region__free_all(struct tma_region *list);

#endif
