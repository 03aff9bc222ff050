/* SPDX-License-Identifier: GPL-2.0-only */
/* Which processes have had most CPU time of late: procfs comes in, a list for -p goes out. */
#ifndef TMA_COUNT_PROCESS_PICK_H
#define TMA_COUNT_PROCESS_PICK_H

#include <stdbool.h>

#include "base/vec.h"

struct sb;

/** struct process_use - a process; @ticks: its CPU time, and @more of it since the time before */
struct process_use {
	int pid;
	unsigned long long ticks, more;
};

/**
 * struct process_pick - processes that are there
 * @error: errno with which procfs could not be listed the last time, or 0
 * @own: those of this user alone: others cannot be counted
 */
struct process_pick {
	const char *procfs;
	bool own;
	int error;
	VEC(struct process_use) tasks;
};

/**
 * process_pick__busiest() - choose those with most CPU time since the last call, or of their life
 * @most: how many at most
 * @pids: set to their numbers, from the lowest on, with commas between them; "" for none
 */
void process_pick__busiest(struct process_pick *p, int most, struct sb *pids);
/** process_pick__free() - release the list. */
void process_pick__free(struct process_pick *p);

#endif
