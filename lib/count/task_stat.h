/* SPDX-License-Identifier: GPL-2.0-only */
/* /proc/PID/stat, without allocating. */
#ifndef TMA_COUNT_TASK_STAT_H
#define TMA_COUNT_TASK_STAT_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/**
 * struct task_stat - a process or thread
 * @state:  'R', 'S', 'Z' ...
 * @user, @system: its CPU time, in ticks; children_*: of the children it has waited for
 * @threads: of its process
 */
struct task_stat {
	char state;
	uint64_t user, system, children_user, children_system, threads;
};

/**
 * task_stat__read() - read one
 * @procfs: where procfs is mounted
 * @whole:  times of the whole process, else of the thread @id alone
 *
 * Return: 0, -errno, or -EBADMSG when it does not look as it should.
 */
int task_stat__read(const char *procfs, pid_t id, bool whole, struct task_stat *out);

/**
 * task_stat__has_ended() - whether a process or thread is no more, or waits to be reaped
 *
 * The first thread of a process may have ended before the others: that is not its end.
 */
bool task_stat__has_ended(const char *procfs, pid_t id);

/** task_stat__scan() - numbers with blanks between. Return: how many there were, up to @max. */
int task_stat__scan(const char *text, uint64_t *out, int max);

#endif
