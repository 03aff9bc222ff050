/* SPDX-License-Identifier: GPL-2.0-only */
/* Which processes have had most CPU time of late: procfs comes in, a list for -p goes out. */
#ifndef TMA_CMD_TOP_PICK_H
#define TMA_CMD_TOP_PICK_H

#include <stdbool.h>

#include "base/vec.h"

struct sb;

/** struct top_task - a process; @ticks: its CPU time, and @more of it since the time before */
struct top_task {
	int pid;
	unsigned long long ticks, more;
};

/**
 * struct top_pick - processes that are there
 * @own: those of this user alone: others cannot be counted
 */
struct top_pick {
	const char *procfs;
	bool own;
	VEC(struct top_task) tasks;
};

/**
 * top_pick__busiest() - choose those with most CPU time since the last call, or of their life
 * @most: how many at most
 * @pids: set to their numbers, from the lowest on, with commas between them; "" for none
 */
void top_pick__busiest(struct top_pick *p, int most, struct sb *pids);
/** top_pick__free() - release the list. */
void top_pick__free(struct top_pick *p);

#endif
