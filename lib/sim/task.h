/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * This knows the tasks that are counted, and the time they have spent on CPUs; and what the program
 * has said of its threads: on which CPUs they run, in which phase, how far.
 */
#ifndef TMA_SIM_TASK_H
#define TMA_SIM_TASK_H

#include <stdint.h>
#include <sys/types.h>

#include "base/cpulist.h"
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
/** task__now() - tell the CPU time of a task, in ns; with a stepped clock a task always runs. */
uint64_t task__now(struct sim_task *task);

/**
 * struct sim_thread - a thread of the program which has chosen something
 * @phase: the one it stays in, counted from 1; 0 when time leads through all
 * @ahead_ns: what it has run, with a stepped clock, beyond what that shows
 * @allowed: the CPUs it may run on; none for all
 */
struct sim_thread {
	pid_t tid;
	int phase;
	uint64_t ahead_ns;
	struct cpulist allowed;
};

/** thread__find() - find what a thread has chosen, or NULL when that is nothing. */
struct sim_thread *thread__find(pid_t tid);
/**
 * thread__allowed() - the CPUs a thread may run on
 * @tgid: of its process
 *
 * A thread that has not chosen has those of the process's first one, as if it had come later.
 *
 * Return: NULL for all.
 */
const struct cpulist *thread__allowed(pid_t tid, pid_t tgid);
/** thread__inherit() - let the thread of a child go on as the parent's, after fork(). */
void thread__inherit(pid_t parent, pid_t child);

#endif
