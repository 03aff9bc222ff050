/* SPDX-License-Identifier: GPL-2.0-only */
/* The children of the program: when they execute programs, their CPU time, and when they end. */
#ifndef TMA_SIM_CHILD_H
#define TMA_SIM_CHILD_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/resource.h>
#include <sys/types.h>

/**
 * struct sim_child - a child process
 * @pid:      0 for an entry not in use
 * @ended:    its end has been seen
 * @reaped:   it has been waited for, so its pid may be another's by now
 * @cpu_ns:   once @ended: the CPU time it took; with a stepped clock: when it ended
 * @end_ns:   with a stepped clock: when it is to end, or CHILD_ENDS_AS_IT_DOES
 * @took_ns:  with a stepped clock: how long it counts as having run
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
 * @nr: number of lengths, CHILD_MAX_LENGTHS at most; 0: a child lasts a step and the time that the
 *      program has waited meanwhile
 */
void child__last_for(const uint64_t *ns, int nr);
/** child__reserve() - reserve an entry before fork(). Return: its number, -1 for none. */
int child__reserve(void);
/** child__started() - fill the entry; the parent calls this after fork(); @pid -1 releases it. */
void child__started(int number, pid_t pid);
/** child__become() - take over the reserved entry; the child calls this after fork(). */
void child__become(int number);

/** child__find() - find a child that has not been reaped, or NULL. */
struct sim_child *child__find(pid_t pid);
/** child__number() - get the number under which a child was reserved. */
int child__number(const struct sim_child *child);
/** child__first_running() - find the first child whose end has not been seen, or NULL. */
struct sim_child *child__first_running(void);
/** child__cpu_ns() - read the CPU time of a child: up to now, or in total once it has ended. */
uint64_t child__cpu_ns(struct sim_child *child);
/** child__executing() - note that this process, a child, is about to execute a program. */
void child__executing(void);
/** child__not_executed() - note that the execution noted last has failed. */
void child__not_executed(void);
/**
 * child__execs() - get how often a child has executed a program
 * @at_ns: when it last did: its CPU time, or the stepped time
 */
unsigned int child__execs(const struct sim_child *child, uint64_t *at_ns);

/**
 * child__observe() - note that this process has opened a simulated event: its workloads run without
 * the machine.
 */
void child__observe(void);
/** child__is_observed() - find out whether this process or its parent has opened one. */
bool child__is_observed(void);

/** child__any_running() - find out whether there is a child whose end has not been seen. */
bool child__any_running(void);
/**
 * child__next_end() - find when the first of the children still running is to end
 *
 * Return: the stepped time, or CHILD_ENDS_AS_IT_DOES where no child has a length.
 */
uint64_t child__next_end(void);
/**
 * child__any_starting() - find out whether a child with a length has not executed a program yet.
 */
bool child__any_starting(void);
/** child__has_ended() - find out whether a child has ended whose end has not been seen. */
bool child__has_ended(void);
/** child__signalled() - note that a child is sent a signal, which may end it sooner. */
void child__signalled(pid_t pid, int signal);
/** child__see_ends() - look for children which ended by now. Return: whether there are new ones. */
bool child__see_ends(void);
/**
 * child__reaped() - note that a child has been waited for
 * @usage: the child's; filled with the simulated times when the clock is stepped
 */
void child__reaped(pid_t pid, struct rusage *usage);

#endif
