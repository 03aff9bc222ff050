/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * CPU time from procfs: of a task, without allocating, and of all units of a run (attached where
 * user_time or system_time is counted).
 */
#ifndef TMA_COUNT_CPU_TIME_H
#define TMA_COUNT_CPU_TIME_H

#include "count/count.h"

struct cpu_time;

/**
 * struct task_stat - a process or thread
 * @state:  'R', 'S', 'Z' ...
 * @exiting: it is ending, or has ended
 * @user, @system: its CPU time, in ticks; children_*: of the children it has waited for
 * @threads: how many its process has
 * @children_faults: page faults of the children that its process has waited for. A child cannot
 *          have children of its own without at least one fault
 */
struct task_stat {
	char state;
	bool exiting;
	uint64_t user, system, children_user, children_system, threads, children_faults;
};

/**
 * task_stat__read() - read the times and state of a process or thread
 * @procfs: where procfs is mounted
 * @whole:  times of the whole process, otherwise of the thread @id alone
 *
 * Return: 0, -errno, or -EBADMSG when the file has an unexpected form.
 */
int task_stat__read(const char *procfs, pid_t id, bool whole, struct task_stat *out);

/**
 * task_stat__time() - read the CPU time of a process with the children it has waited for, or of a
 * thread, in whole ticks
 * @time: unchanged if it cannot be read, as for a task that has ended
 *
 * Return: as task_stat__read().
 */
int task_stat__time(const char *procfs, pid_t id, bool with_children, struct cpu_time *time);

/**
 * task_stat__has_ended() - whether a process or thread has ended, or waits to be reaped
 *
 * The first thread of a process may end before the others; the process has not ended then.
 */
bool task_stat__has_ended(const char *procfs, pid_t id);

/**
 * cpus__read_busy() - read the time since boot in which CPUs were neither idle nor stolen by a host
 *
 * perf's user_time and system_time, in contrast, leave out interrupts and tasks with a nice value.
 *
 * Return: ns of all CPUs together; 0 if procfs does not have it.
 */
uint64_t cpus__read_busy(const char *procfs);

/** cpu_times__is() - whether an event is user_time or system_time. */
bool cpu_times__is(const struct event *e);
/** cpu_times__read() - read the times now, into the samples of these events and into the sums. */
void cpu_times__read(void *self, struct counts *total);

#endif
