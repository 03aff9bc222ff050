/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The tasks that are counted, with the CPU time they have used, and what the program has chosen for
 * its threads: the CPUs they run on, the phase, and time they ran alone.
 */
#ifndef TMA_SIM_TASK_H
#define TMA_SIM_TASK_H

#include <stdint.h>
#include <sys/types.h>

#include "base/cpulist.h"
#include "sim/child.h"

/**
 * struct sim_task - a thread, or a child with all of its threads
 * @tid:   thread id, never 0; @tgid: id of its process
 * @child: its entry if it is a child of the program; NULL for others
 * @last_ns: the largest CPU time read so far
 */
struct sim_task {
	pid_t tid, tgid;
	struct sim_child *child;
	uint64_t last_ns;
};

/**
 * task__init() - find the task of perf_event_open()'s @pid; 0 is the caller. Return: 0 or -ESRCH.
 */
int task__init(struct sim_task *task, pid_t pid);
/** task__now() - read the CPU time of a task, in ns; with a stepped clock a task always runs. */
uint64_t task__now(struct sim_task *task);

/**
 * struct sim_thread - a thread of the program that has chosen a phase or CPUs
 * @phase: the phase it stays in, counted from 1; 0 to go through all
 * @ahead_ns: with a stepped clock, time that this thread ran alone, not included in the clock
 * @allowed: the CPUs it may run on; empty for all
 */
struct sim_thread {
	pid_t tid;
	int phase;
	uint64_t ahead_ns;
	struct cpulist allowed;
};

/** thread__find() - find the choices of a thread; NULL if it made none. */
struct sim_thread *thread__find(pid_t tid);
/**
 * thread__allowed() - find the CPUs a thread may run on
 * @tgid: of its process
 *
 * A thread that has not chosen has the CPUs of the process's first thread, as if it were started
 * after that thread's choice.
 *
 * Return: NULL for all.
 */
const struct cpulist *thread__allowed(pid_t tid, pid_t tgid);
/** thread__inherit() - copy the choices of the parent's thread to the child's, after fork(). */
void thread__inherit(pid_t parent, pid_t child);

#endif
