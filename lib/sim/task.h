/* SPDX-License-Identifier: GPL-2.0-only */
/* Tasks that are counted, and the time they have spent on CPUs. */
#ifndef TMA_SIM_TASK_H
#define TMA_SIM_TASK_H

#include <stdint.h>
#include <sys/types.h>

#include "sim/child.h"

/**
 * struct sim_task - a thread, or a child with all of its threads
 * @tid:   thread id, never 0; @tgid: of its process
 * @child: when it is a child of ours; NULL for others
 * @last_ns: the largest time seen
 */
struct sim_task {
	pid_t tid, tgid;
	struct sim_child *child;
	uint64_t last_ns;
};

/** task__init() - the task of perf_event_open()'s @pid; 0 is the caller. Return: 0 or -ESRCH. */
int task__init(struct sim_task *task, pid_t pid);
/** task__now() - CPU time of a task, in ns; with a stepped clock a task always runs. */
uint64_t task__now(struct sim_task *task);

#endif
