/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The tasks that are counted, with their CPU time, and what the program has chosen for its threads:
 * CPUs, a phase, and time in which only one thread ran.
 */
#ifndef TMA_SIM_TASK_H
#define TMA_SIM_TASK_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/cpulist.h"
#include "sim/child.h"

/**
 * struct sim_task - a thread, or a child with all its threads
 * @tid:   thread id, never 0; @tgid: id of the process
 * @child: entry of the task if it is a child of the program; else NULL
 * @last_ns: the largest CPU time read so far
 */
struct sim_task {
	pid_t tid, tgid;
	struct sim_child *child;
	uint64_t last_ns;
};

/**
 * task__init() - find the task of a @pid of perf_event_open(), where 0 means the caller. Return: 0
 * or -ESRCH.
 */
int task__init(struct sim_task *task, pid_t pid);
/**
 * task__may_be_traced() - return whether this user, who is not root, may trace a task, which the
 * kernel requires for counting it: the task is of the caller, or the user's own and dumpable
 */
bool task__may_be_traced(pid_t tid);
/** task__now() - read the CPU time of a task, in ns; with a stepped clock a task always runs. */
uint64_t task__now(struct sim_task *task);

/**
 * struct sim_thread - a thread of the program that has chosen a phase or CPUs
 * @phase: number of the phase that the thread stays in, from 1 on; 0: it goes through all
 * @ahead_ns: with a stepped clock, time that only this thread ran, which the clock does not include
 * @allowed: the CPUs that the thread may run on; empty for all
 */
struct sim_thread {
	pid_t tid;
	int phase;
	uint64_t ahead_ns;
	struct cpulist allowed;
};

/** thread__find() - find the choices of a thread, or NULL. */
struct sim_thread *thread__find(pid_t tid);
/**
 * thread__allowed() - find the CPUs that a thread may run on
 * @tgid: id of the thread's process
 *
 * A thread without a choice has the CPUs of the first thread of the process, as if it was started
 * after the first thread's choice.
 *
 * Return: the CPUs; NULL for all.
 */
const struct cpulist *thread__allowed(pid_t tid, pid_t tgid);
/** thread__inherit() - after fork(), copy the choices of the parent's thread to the child's. */
void thread__inherit(pid_t parent, pid_t child);

#endif
