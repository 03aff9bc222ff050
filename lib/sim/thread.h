/* SPDX-License-Identifier: GPL-2.0-only */
/* What the program has said of its threads: on which CPUs they run, in which phase, how far. */
#ifndef TMA_SIM_THREAD_H
#define TMA_SIM_THREAD_H

#include <stdint.h>
#include <sys/types.h>

#include "base/cpulist.h"

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

/** thread__find() - of a thread, or NULL when it has chosen nothing. */
struct sim_thread *thread__find(pid_t tid);
/** thread__get() - of a thread, made when there is none. Return: NULL without memory. */
struct sim_thread *thread__get(pid_t tid);
/** thread__ahead_ns() - see @ahead_ns; 0 of a thread that has chosen nothing. */
uint64_t thread__ahead_ns(pid_t tid);
/**
 * thread__allowed() - the CPUs a thread may run on
 * @tgid: of its process
 *
 * A thread that has not chosen has those of the process's first one, as if it had come later.
 *
 * Return: NULL for all.
 */
const struct cpulist *thread__allowed(pid_t tid, pid_t tgid);
/** thread__inherit() - after fork(), in the child: its thread goes on as the parent's. */
void thread__inherit(pid_t parent, pid_t child);

#endif
