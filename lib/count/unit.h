/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The units that are counted: CPUs or threads. A target, as the command line gives it, comes in; a
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
 * @process: (-p) process of the thread; 0 where it is unknown
 * @comm:   name of the thread, "" for a CPU; the kernel's for work queues have up to 63 letters
 * @gone:   it went away before its counters could be opened
 * @away:   it is a CPU that is offline now
 * @unseen: the CPU has been offline since the start
 * @late:   the CPU was offline at the start of a hybrid machine: its type of core is not known
 *          until it comes online
 * @core:   (late) its core PMU from then on
 */
struct unit {
	int id, process;
	char comm[72];
	bool gone, away, unseen, late;
	const struct pmu *core;
};

/** struct unit_list - all units of a run, in ascending order; @per_cpu: they are CPUs */
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

/** unit_list__find() - return the place of a CPU or thread, or -1; the search begins at @hint. */
int unit_list__find(const struct unit_list *units, int id, int hint);

/** struct watched - a process or thread that is watched for its end */
struct watched {
	pid_t pid;
	bool gone;
};

/**
 * struct watch - processes and a descriptor that can end a wait, beside the command
 * @at:       the watched processes
 * @fds:      a pidfd for each of them, for poll(2); negative where there is none. The descriptor
 *            for commands follows them
 * @unpolled: how many processes are alive without a pidfd
 */
struct watch {
	struct watched *at;
	int nr, cap;
	struct pollfd *fds;
	int unpolled;
};

/**
 * target__find_threads() - fill in the threads of -p and -t, and the processes whose end is
 * watched.
 */
int target__find_threads(const struct target *t, const char *procfs, struct unit_list *units,
			 struct watch *watch, struct err *err);
/**
 * target__place() - choose the CPUs and the groups of all counters, and with CPUs fill in the units
 * @newcomers: CPUs that are offline now are to be counted once they come online
 * @apart:     events are started and stopped one by one, so that tma does not join any with others
 * @warnings:  lines for the user are appended
 */
int target__place(const struct target *t, struct machine *machine, struct counter_list *counters,
		  bool newcomers, bool apart, struct sb *warnings, struct err *err);

#endif
