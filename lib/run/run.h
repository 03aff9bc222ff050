/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A run measures according to a request, or reads the measurement from a recording.
 *
 * In come a host and a const struct request; out come grids, one at a time, and notes. It does not
 * print. Several runs of one host may be open at once.
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
 * run__open() - find what to count and compute; counters are opened by run__next()
 * @host: must outlive the run, as must @req
 *
 * From here on the run keeps signals that end a run, see signals__install().
 *
 * @out:  set in any case, for run__close(). After a failure it has only notes
 *
 * Return: 0 or -errno; -EDESTADDRREQ if rows of CPUs are asked for, and tasks are counted.
 */
int run__open(const struct host *host, const struct request *req, struct run **out,
	      struct err *err);
/**
 * run__plan() - the same for a run that does not count: run__next() may not be called
 *
 * It finds the available counters, and the sets that the groups would form.
 */
int run__plan(const struct host *host, const struct request *req, struct run **out,
	      struct err *err);
/**
 * run__close() - end a run, and release it; a command that still runs is terminated. NULL is
 * allowed.
 */
void run__close(struct run *run);

/* The steps of a run. */
enum run_step {
	RUN_END,     /* there are no more steps */
	RUN_BEGINS,  /* the next run of several, or the only one, is about to begin; not for a
		      * recording */
	RUN_OPENED,  /* it is known which events are counted; a command is let go next */
	RUN_ROW,     /* the grid has a row of an interval, of a run, or the mean of several */
	RUN_TOTAL,   /* after rows of intervals, the grid has those of the whole run */
	RUN_WHOLE,   /* after the rows of a run: the grid has the verdicts, if there are any */
	RUN_SO_FAR,  /* within a run, the grid has the counts since the start, for a SIGUSR1 or a
		      * command */
	RUN_SKIPPED, /* a row of a recording was read that is not wanted */
	RUN_REGIONS, /* the grid has the regions that a program measured */
	RUN_NOTED,   /* there are only notes */
	RUN_WOKEN,   /* request.wake_fd can be read */
};

/**
 * run__next() - wait for the next step
 *
 * Notes that belong before the step are there by then; calling this again means that they have been
 * taken.
 *
 * Return: enum run_step; -errno when the run could not be begun, or not recorded.
 */
int run__next(struct run *run, struct err *err);
/**
 * run__break() - end a run early, since its results could not be used: its command is terminated
 *
 * run__next() may not be called any more; run__outcome() is valid.
 */
void run__break(struct run *run);

/** run__grid() - return the grid; NULL before the first RUN_OPENED. It lives as long as the run. */
const struct grid *run__grid(const struct run *run);
/** run__whole() - return the grid of everything, if run__grid() is that of rows of code. */
const struct grid *run__whole(const struct run *run);
/** run__places() - return the second grid, of request.places. */
const struct grid *run__places(const struct run *run);
/** run__has_user_part_alone() - (rows of code) whether only user space may be sampled. */
bool run__has_user_part_alone(const struct run *run);
/** run__notes() - return the notes since they were last cleared by notes__clear(). */
struct notes *run__notes(struct run *run);

/**
 * struct run_about - description of a run
 * @head:    what is measured, as text: "'system wide'", "'true'"
 * @cpuid:   of the CPU that was counted on, "" if unknown
 * @interval: rows are of intervals; @metric_only: counts are not printed
 * @verdict: RUN_WHOLE brings verdicts
 * @nr:      number of the run, from 0; @pass: number of the pass, from 0, of @nr_passes
 */
struct run_about {
	const char *head, *cpuid;
	bool interval, metric_only, verdict;
	uint64_t nr;
	int pass, nr_passes;
};
const struct run_about *run__about(const struct run *run);

/* Statuses beside those of commands; the positive ones are those of env(1), nice(1), timeout(1). */
enum {
	RUN_FAILED = -1,	  /* counters could not be read, or nothing could be counted */
	RUN_NOT_EXECUTABLE = 126, /* the command was found and could not be run */
	RUN_NOT_FOUND = 127,	  /* the command was not found */
};

/**
 * struct run_outcome - how a run has ended
 * @status: of the command, as a shell has it: 128 + N when signal N killed it; 0 without one; or
 *          one of the above
 * @signal: that ended the run, or 0
 * @starved: how many events never had a turn on the counters
 * @exited: after @signal the command has ended by itself
 */
struct run_outcome {
	int status, signal, starved;
	bool exited;
};
const struct run_outcome *run__outcome(const struct run *run);

/**
 * run__accompany() - do the due work of another run while this one waits
 * @other: began later, and the caller waits for rows of the two in turn; NULL to end this
 */
void run__accompany(struct run *run, struct run *other);

/* --- What would be counted ------------------------------------------------------------------- */

/** run__planned() - return the plan: events in groups, and metrics. */
const struct plan *run__planned(const struct run *run);
/** run__schedule() - forecast how its groups are scheduled. schedule__free() it. */
struct schedule *run__schedule(const struct run *run);
/** run__sets() - return the sets of groups that fit on the counters at the same time. */
const struct sets *run__sets(struct run *run);
/** run__event_fds() - count the file descriptors that an event takes, for each thread of a task. */
int run__event_fds(const struct run *run, int event);
/** run__most_fds() - count those of the set that needs the most, after run__sets(); otherwise 0. */
int run__most_fds(const struct run *run);
/** run__fds() - count those open at the same time: of all events, or of a pass. */
int run__fds(const struct run *run);
/** run__per_cpu() - whether CPUs are counted, and not tasks. */
bool run__per_cpu(const struct run *run);

/**
 * run__unfreeze() - let counters run during system management interrupts again, if a request with
 * smi_cost stopped them
 *
 * The setting belongs to the process: of several runs with it, the first one that ends undoes it
 * for all. It allocates nothing, and is safe to call when a program ends at once. Return: 0 or
 * -errno.
 */
int run__unfreeze(void);

#endif
