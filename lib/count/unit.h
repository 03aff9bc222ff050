/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The units that are counted: CPUs or threads. A target, as the command line gives it, comes in. A
 * list of units goes out, with the processes whose end is the end of the run.
 */
#ifndef TMA_COUNT_UNIT_H
#define TMA_COUNT_UNIT_H

#include <poll.h>

#include "base/vec.h"
#include "count/count.h"

struct counter_list;

/**
 * struct unit - a CPU or a thread
 * @id:     CPU number, or thread id
 * @process: (-p) process of the thread; 0 if it is unknown
 * @comm:   name of the thread, "" for a CPU; kernel threads of work queues have names of up to 63
 *          letters
 * @gone:   the unit went away before its counters could be opened
 * @away:   the unit is a CPU that is offline now
 * @unseen: the CPU has been offline since the start
 * @late:   the machine is hybrid and the CPU was offline at the start: its core type is not known
 *          until it comes online
 * @core:   (@late) core PMU of the CPU, once it has come online
 */
struct unit {
	int id, process;
	char comm[72];
	bool gone, away, unseen, late;
	const struct pmu *core;
};

/**
 * struct unit_list - all units of a run, in ascending order
 * @per_cpu: the units are CPUs
 */
struct unit_list {
	bool per_cpu;
	struct unit *at;
	int nr, cap;
};

/** unit_list__kind() - return the word for a unit in a message. */
static inline const char *unit_list__kind(const struct unit_list *units)
{
	return units->per_cpu ? "CPU" : "thread";
}

/**
 * unit_list__find() - find a CPU or thread; the search begins at @hint. Return: its index, or -1.
 */
int unit_list__find(const struct unit_list *units, int id, int hint);

/** struct watched - a process or thread that is watched for its end */
struct watched {
	pid_t pid;
	bool gone;
};

/**
 * struct watch - what can end a wait, other than the command: processes and a descriptor
 * @at:       the watched processes
 * @fds:      a pidfd for each watched process, for poll(2), which is negative if there is none;
 *            then the descriptor for commands
 * @unpolled: how many processes are alive without a pidfd
 */
struct watch {
	struct watched *at;
	int nr, cap;
	struct pollfd *fds;
	int unpolled;
};

/**
 * target__find_threads() - find the threads of -p and -t, and the processes whose end is watched.
 */
int target__find_threads(const struct target *t, const char *procfs, struct unit_list *units,
			 struct watch *watch, struct err *err);
/**
 * target__place() - choose the CPUs and the groups of all counters, and list the units if these are
 * CPUs
 * @newcomers: CPUs that are offline now will be counted once they come online
 * @apart:     events are enabled and disabled one at a time, so that tma must not join events into
 *             groups
 * @warnings:  lines for the user are appended to it
 */
int target__place(const struct target *t, struct machine *machine, struct counter_list *counters,
		  bool newcomers, bool apart, struct sb *warnings, struct err *err);

#endif
