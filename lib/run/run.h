/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A run measures what a request says, or reads it from a recording.
 *
 * In come a host and a const struct request; out come grids, one at a time, and notes. Nothing is
 * printed here. Several runs may be open at once, of one host.
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
 * run__open() - find what is counted and computed; counters are opened by run__next()
 * @host: must outlive the run, as must @req
 *
 * From here on signals that end a run are kept for it, see signals__install().
 *
 * @out:  set in any case: run__close() it. After a failure there are notes alone
 *
 * Return: 0 or -errno; -EDESTADDRREQ where rows of CPUs are asked for, and tasks are counted.
 */
int run__open(const struct host *host, const struct request *req, struct run **out,
	      struct err *err);
/**
 * run__plan() - the same for a run that will not count: run__next() may not be called
 *
 * The counters that are there are looked for, and what groups would be sets is found out.
 */
int run__plan(const struct host *host, const struct request *req, struct run **out,
	      struct err *err);
/** run__close() - end a run, and release it; a command that still runs is told. NULL is allowed. */
void run__close(struct run *run);

/* A step of a run comes to one of these. */
enum run_step {
	RUN_END,     /* there is no more */
	RUN_BEGINS,  /* the next run of several, or the only one, is about to begin; of a recording
		      * this does not come */
	RUN_OPENED,  /* it is known what is counted; a command is let go next */
	RUN_ROW,     /* the grid has a row of an interval, of a run, or the mean of several */
	RUN_TOTAL,   /* after rows of intervals, it has those of all of the run */
	RUN_WHOLE,   /* after the rows of a run: the grid has the verdicts, if there are any */
	RUN_SO_FAR,  /* within a run, it has the counts since the start: somebody asked */
	RUN_SKIPPED, /* a row of a recording was read that is not wanted */
	RUN_REGIONS, /* the grid has the regions that a program measured */
	RUN_NOTED,   /* there are notes, and nothing else */
	RUN_WOKEN,   /* request.wake_fd can be read */
};

/**
 * run__next() - wait for the next step
 *
 * Notes that have come up to it stand before it; who asks for the next one has taken them.
 *
 * Return: enum run_step; -errno when the run could not be begun, or not recorded.
 */
int run__next(struct run *run, struct err *err);
/**
 * run__break() - end a run early, since what it found could not be used: its command is told
 *
 * run__next() may not be called any more; run__outcome() is that of the run.
 */
void run__break(struct run *run);

/** run__grid() - give the grid; NULL before the first RUN_OPENED. It lives as long as the run. */
const struct grid *run__grid(const struct run *run);
/** run__whole() - give the grid of everything, where run__grid() is that of rows of code. */
const struct grid *run__whole(const struct run *run);
/** run__places() - give the second grid of request.places. */
const struct grid *run__places(const struct run *run);
/** run__has_user_part_alone() - (rows of code) tell whether the kernel may not be sampled. */
bool run__has_user_part_alone(const struct run *run);
/** run__notes() - give the notes since they were cleared last, by notes__clear(). */
struct notes *run__notes(struct run *run);

/**
 * struct run_about - what a run is
 * @head:    what is measured, in words: "'system wide'", "'true'"
 * @cpuid:   of the CPU that was counted on, "" where it is not known
 * @interval: rows are of intervals; @metric_only: counts are not printed
 * @verdict: RUN_WHOLE brings verdicts
 * @nr:      which of the runs it is, from 0; @pass: which of @nr_passes, from 0
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
 * @starved: how many events had no turn on the counters
 * @exited: after @signal the command has ended by itself
 */
struct run_outcome {
	int status, signal, starved;
	bool exited;
};
const struct run_outcome *run__outcome(const struct run *run);

/**
 * run__accompany() - do what is due for another run while this one waits
 * @other: began later, and its rows are waited for in turn with those of @run; NULL for none any
 * more
 */
void run__accompany(struct run *run, struct run *other);

/* --- What would be counted ------------------------------------------------------------------- */

/** run__planned() - give the plan: events in groups, and metrics. */
const struct plan *run__planned(const struct run *run);
/** run__schedule() - forecast what becomes of its groups. schedule__free() it. */
struct schedule *run__schedule(const struct run *run);
/** run__sets() - give the sets of groups which the counters hold at the same time. */
const struct sets *run__sets(struct run *run);
/** run__event_fds() - count the file descriptors that an event takes, for each thread of a task. */
int run__event_fds(const struct run *run, int event);
/** run__most_fds() - count those of the set that takes the most, after run__sets(); else 0. */
int run__most_fds(const struct run *run);
/** run__fds() - count those that are open at the same time: of all events, or of a pass. */
int run__fds(const struct run *run);
/** run__per_cpu() - tell whether CPUs are counted, and not tasks. */
bool run__per_cpu(const struct run *run);

/**
 * run__unfreeze() - let counters run during system management interrupts again, if a request with
 * smi_cost stopped them
 *
 * It is the process's: of several such runs the first one that ends does so for all. It allocates
 * nothing, and is safe to call when a program ends at once. Return: 0 or -errno.
 */
int run__unfreeze(void);

#endif
