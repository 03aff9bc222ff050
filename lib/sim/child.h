/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Follow the children of the program: when they execute programs, their CPU time, and when they
 * end.
 */
#ifndef TMA_SIM_CHILD_H
#define TMA_SIM_CHILD_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/resource.h>
#include <sys/types.h>

/**
 * struct sim_child - a child process
 * @pid:      0 for an entry not in use
 * @ended:    the end of the child has been seen
 * @reaped:   the child has been waited for, so its pid may belong to another process by now
 * @cpu_ns:   once @ended: the CPU time of the child; with a stepped clock: the time of its end
 * @end_ns:   with a stepped clock: time at which the child has to end, or CHILD_ENDS_AS_IT_DOES
 * @took_ns:  with a stepped clock: time that the child counts as having run
 */
struct sim_child {
	pid_t pid;
	bool ended, reaped;
	uint64_t cpu_ns, end_ns, took_ns;
};

#define CHILD_ENDS_AS_IT_DOES UINT64_MAX
#define CHILD_MAX_LENGTHS 64

/**
 * child__init() - set up memory shared with children. Return: the stepped clock in it.
 */
uint64_t *child__init(void);
/**
 * child__last_for() - set how long children last with a stepped clock
 * @ns: a length for each child that is started, in the order of the starts
 * @nr: number of lengths, at most CHILD_MAX_LENGTHS; 0: a child lasts a step, and as long as the
 *      program has waited meanwhile
 */
void child__last_for(const uint64_t *ns, int nr);
/** child__reserve() - reserve an entry before fork(). Return: number of the entry, or -1. */
int child__reserve(void);
/**
 * child__started() - fill the reserved entry, in the parent after fork(); a @pid of -1 releases the
 * entry.
 */
void child__started(int number, pid_t pid);
/** child__become() - take over the reserved entry, in the child after fork(). */
void child__become(int number);

/** child__find() - find a child that has not been reaped, or NULL. */
struct sim_child *child__find(pid_t pid);
/** child__number() - get the number under which a child was reserved. */
int child__number(const struct sim_child *child);
/** child__first_running() - find the first child whose end has not been seen, or NULL. */
struct sim_child *child__first_running(void);
/** child__cpu_ns() - read the CPU time of a child up to now, or up to its end. */
uint64_t child__cpu_ns(struct sim_child *child);
/** child__executing() - note that this process, which is a child, is about to execute a program. */
void child__executing(void);
/** child__not_executed() - note that the program could not be executed. */
void child__not_executed(void);
/**
 * child__execs() - get how often a child has executed a program
 * @at_ns: time of the last execution: CPU time of the child, or stepped time
 */
unsigned int child__execs(const struct sim_child *child, uint64_t *at_ns);

/**
 * child__observe() - note that this process has opened a simulated event, so that its workloads run
 * without the machine.
 */
void child__observe(void);
/**
 * child__is_observed() - find out whether this process or its parent has opened a simulated event.
 */
bool child__is_observed(void);

/** child__any_running() - find out whether there is a child whose end has not been seen. */
bool child__any_running(void);
/**
 * child__next_end() - find when the next of the running children has to end
 *
 * Return: the stepped time; CHILD_ENDS_AS_IT_DOES if no child has a length.
 */
uint64_t child__next_end(void);
/**
 * child__any_starting() - find out whether a child with a length has not executed a program yet.
 */
bool child__any_starting(void);
/**
 * child__has_ended() - find out whether there is a child that has ended, but whose end has not been
 * seen.
 */
bool child__has_ended(void);
/** child__signalled() - note that a signal was sent to a child, which may end sooner. */
void child__signalled(pid_t pid, int signal);
/** child__see_ends() - look for children that have ended. Return: whether there are new ones. */
bool child__see_ends(void);
/**
 * child__reaped() - note that a child has been waited for
 * @usage: usage of the child; with a stepped clock, receives the simulated times
 */
void child__reaped(pid_t pid, struct rusage *usage);

#endif
