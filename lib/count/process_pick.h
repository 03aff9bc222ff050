/* SPDX-License-Identifier: GPL-2.0-only */
/* The processes with most CPU time of late: procfs comes in, a list for -p goes out. */
#ifndef TMA_COUNT_PROCESS_PICK_H
#define TMA_COUNT_PROCESS_PICK_H

#include <stdbool.h>

#include "base/vec.h"

struct sb;

/**
 * struct process_use - a process; @ticks: its CPU time; @more: the part of it since the last call
 */
struct process_use {
	int pid;
	unsigned long long ticks, more;
};

/**
 * struct process_pick - the processes that exist
 * @error: errno with which procfs could not be listed the last time, or 0
 * @own: only processes of this user, as others cannot be counted
 */
struct process_pick {
	const char *procfs;
	bool own;
	int error;
	VEC(struct process_use) tasks;
};

/**
 * process_pick__choose() - choose those with most CPU time since the last call, or since they
 * started
 * @most: how many at most
 * @pids: set to their numbers, ascending, with commas between them; "" for none
 */
void process_pick__choose(struct process_pick *p, int most, struct sb *pids);
/** process_pick__free() - release the list. */
void process_pick__free(struct process_pick *p);

#endif
