/* SPDX-License-Identifier: GPL-2.0-only */
/* The processes that have recently had most CPU time: procfs comes in, a list for -p goes out. */
#ifndef TMA_COUNT_PROCESS_PICK_H
#define TMA_COUNT_PROCESS_PICK_H

#include <stdbool.h>

#include "base/vec.h"

struct sb;

/**
 * struct process_use - a process
 * @ticks: CPU time of the process; @more: the part of @ticks since the last call
 */
struct process_use {
	int pid;
	unsigned long long ticks, more;
};

/**
 * struct process_pick - the processes that exist
 * @error: errno of the last attempt to list procfs, or 0
 * @own: list only processes of this user
 * @countable: list only processes that the kernel lets this user count
 */
struct process_pick {
	const char *procfs;
	bool own, countable;
	int error;
	VEC(struct process_use) tasks;
};

/**
 * process_pick__choose() - choose the processes with most CPU time since the last call, or since
 * their start
 * @most: largest number of processes to choose
 * @pids: set to the numbers of the chosen processes, ascending, with commas between them; "" for
 *        none
 */
void process_pick__choose(struct process_pick *p, int most, struct sb *pids);
/**
 * process_pick__is_refused() - return whether the kernel does not let this user count a process: it
 * is of another user, or not dumpable.
 */
bool process_pick__is_refused(int pid);
/** process_pick__free() - release the list. */
void process_pick__free(struct process_pick *p);

#endif
