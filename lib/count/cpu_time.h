/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * CPU time from procfs: of a task, read without allocating memory, and of all units of a run
 * (attached if user_time or system_time is counted).
 */
#ifndef TMA_COUNT_CPU_TIME_H
#define TMA_COUNT_CPU_TIME_H

#include "count/count.h"

struct cpu_time;

/**
 * struct task_stat - a process or thread
 * @state:  'R', 'S', 'Z' ...
 * @exiting: the task is ending, or has ended
 * @user, @system: CPU time of the task, in ticks; children_*: CPU time of the children that it has
 *          waited for
 * @threads: number of threads of its process
 * @children_faults: page faults of the children that its process has waited for; a child with
 *          children of its own has at least one
 */
struct task_stat {
	char state;
	bool exiting;
	uint64_t user, system, children_user, children_system, threads, children_faults;
};

/**
 * task_stat__read() - read the times and state of a process or thread
 * @procfs: where procfs is mounted
 * @whole:  read the times of the whole process, otherwise those of the thread @id
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
 * cpus__read_busy() - return how long CPUs were busy since boot: neither idle nor stolen by a host
 *
 * perf's user_time and system_time, in contrast, leave out interrupts and tasks with a nice value.
 *
 * Return: ns of all CPUs together; 0 if procfs does not have the times.
 */
uint64_t cpus__read_busy(const char *procfs);

/** cpu_times__is() - whether an event is user_time or system_time. */
bool cpu_times__is(const struct event *e);
/**
 * cpu_times__read() - read the CPU times now, into the samples of user_time and system_time and
 * into the sums.
 */
void cpu_times__read(void *self, struct counts *total);

#endif
