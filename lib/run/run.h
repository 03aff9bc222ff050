/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A run measures according to a request, or reads the measurement from a recording.
 *
 * The input is a host and a request; the output is grids, one at a time, and notes. A run does not
 * print. Several runs of one host may be open simultaneously.
 */
#ifndef TMA_RUN_RUN_H
#define TMA_RUN_RUN_H

#include "grid/grid.h"
#include "run/host.h"
#include "run/note.h"
#include "run/request.h"

struct err;
struct plan;
struct run;
struct schedule;
struct sets;

/**
 * run__open() - choose what to count and compute; run__next() opens the counters
 * @host, @req: must outlive the run
 *
 * From now on the run receives the signals that end a run, see signals__install().
 *
 * @out:  set in any case; the caller calls run__close(). After a failure the run has only notes
 *
 * Return: 0 or -errno; -EDESTADDRREQ if rows are CPUs, but tasks are counted.
 */
int run__open(const struct host *host, const struct request *req, struct run **out,
	      struct err *err);
/**
 * run__plan() - open a run that does not count: run__next() may not be called
 *
 * The run finds the available counters, and the sets that its groups would form.
 */
int run__plan(const struct host *host, const struct request *req, struct run **out,
	      struct err *err);
/**
 * run__close() - end a run and release it. A command that still runs is terminated. NULL is
 * allowed.
 */
void run__close(struct run *run);

/* The steps of a run. */
enum run_step {
	RUN_END,     /* there are no more steps */
	RUN_BEGINS,  /* a run is about to begin; does not occur with a recording */
	RUN_OPENED,  /* it is known which events are counted; next, the command starts */
	RUN_ROW,     /* the grid has a row of an interval or a run, or the mean of several runs */
	RUN_TOTAL,   /* after the rows of intervals: the grid has the row of the whole run */
	RUN_WHOLE,   /* after the rows of a run: the grid has the verdicts, if any */
	RUN_SO_FAR,  /* after SIGUSR1 or a command: the grid has counts since the start */
	RUN_SKIPPED, /* a row of a recording was skipped */
	RUN_REGIONS, /* the grid has the regions that a program measured */
	RUN_NOTED,   /* there are only notes */
	RUN_WOKEN,   /* request.wake_fd can be read */
	RUN_STARTED, /* (request.start_step) counting has started */
};

/**
 * run__next() - wait for the next step
 *
 * Notes that belong before the step were made. The caller prints them before the next call.
 *
 * Return: enum run_step; -errno if the run could not begin or could not be recorded.
 */
int run__next(struct run *run, struct err *err);
/**
 * run__break() - end a run early, since its results cannot be used; the command is terminated
 *
 * run__next() may not be called any more; run__outcome() is valid.
 */
void run__break(struct run *run);

/** run__grid() - return the grid; NULL before the first RUN_OPENED. It lives as long as the run. */
const struct grid *run__grid(const struct run *run);
/** run__whole() - return the grid of everything if run__grid() has rows of code. */
const struct grid *run__whole(const struct run *run);
/** run__places() - return the second grid (request.places). */
const struct grid *run__places(const struct run *run);
/** run__has_user_part_alone() - (rows of code) whether samples are limited to user space. */
bool run__has_user_part_alone(const struct run *run);
/** run__notes() - return the notes since the last notes__clear(). */
struct notes *run__notes(struct run *run);

/**
 * struct run_about - description of a run
 * @head:    what is measured, as text: "'system wide'", "'true'"
 * @cpuid:   id of the CPU that was measured, "" if unknown
 * @interval: rows cover intervals; @metric_only: counts are not printed
 * @verdict: the grid has verdicts at RUN_WHOLE
 * @nr:      number of the run, from 0; @pass: number of the pass, from 0; @nr_passes: passes of a
 *           run
 */
struct run_about {
	const char *head, *cpuid;
	bool interval, metric_only, verdict;
	uint64_t nr;
	int pass, nr_passes;
};
const struct run_about *run__about(const struct run *run);

/*
 * Statuses of runs whose command has none. The positive numbers are those of env(1), nice(1),
 * timeout(1).
 */
enum {
	RUN_FAILED = -1,	  /* counters could not be read, or nothing could be counted */
	RUN_NOT_EXECUTABLE = 126, /* the command was found and could not be run */
	RUN_NOT_FOUND = 127,	  /* the command was not found */
};

/**
 * struct run_outcome - how a run ended
 * @status: status of the command, as in a shell: 128 + N if signal N killed it; 0 without a
 *          command; or a status above
 * @signal: the signal that ended the run, or 0
 * @starved: number of events that never had a counter
 * @exited: after @signal the command ended by itself
 */
struct run_outcome {
	int status, signal, starved;
	bool exited;
};
const struct run_outcome *run__outcome(const struct run *run);

/**
 * run__accompany() - while a run waits, also do the work of another run that is due
 * @other: a run that began later; the caller waits for rows of the two runs in turn. NULL ends this
 */
void run__accompany(struct run *run, struct run *other);

/* --- What would be counted ------------------------------------------------------------------- */

/** run__planned() - return the plan: events in groups, and metrics. */
const struct plan *run__planned(const struct run *run);
/** run__schedule() - forecast how the groups are scheduled. The caller calls schedule__free(). */
struct schedule *run__schedule(const struct run *run);
/** run__sets() - return sets of groups that fit on the counters simultaneously. */
const struct sets *run__sets(struct run *run);
/** run__event_fds() - count the file descriptors that an event needs, for each thread of a task. */
int run__event_fds(const struct run *run, int event);
/**
 * run__most_fds() - count the file descriptors of the set that needs the most; 0 before
 * run__sets().
 */
int run__most_fds(const struct run *run);
/**
 * run__fds() - count the file descriptors that are open simultaneously: of all events, or of a
 * pass.
 */
int run__fds(const struct run *run);
/** run__per_cpu() - whether CPUs are counted instead of tasks. */
bool run__per_cpu(const struct run *run);

/**
 * run__unfreeze() - let counters run during system management interrupts again, if a request with
 * smi_cost stopped them
 *
 * The setting belongs to the process: the first run that ends undoes it for all runs. The function
 * allocates nothing, and may be called by a signal handler that ends the program. Return: 0 or
 * -errno.
 */
int run__unfreeze(void);

#endif
