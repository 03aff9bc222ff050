/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The files of "tma top" share this. Two runs (run/run.h) are under way at a time. The first run
 * counts the whole machine: its metrics are the tree. The second run counts the processes or
 * cgroups that are listed below the tree, unless the first run has counts for these rows. A model
 * (screen/top.h) draws the grids of both.
 */
#ifndef TMA_CMD_TOP_H
#define TMA_CMD_TOP_H

#include "base/sb.h"
#include "base/vec.h"
#include "cmd.h"
#include "count/process_pick.h"
#include "run/run.h"
#include "screen/top.h"

struct page;
struct screen;
struct tops;
struct writer;

#define FIRST_LEVELS 2 /* levels of the tree that are counted if no branch is chosen */

/**
 * struct top_run - one of the two runs
 * @run:    NULL while it is not open
 * @event, @metrics: what @req points to
 * @rows:   intervals since the run began
 */
struct top_run {
	struct request req;
	struct run *run;
	struct request_event event;
	struct sb metrics;
	uint64_t rows;
};

/**
 * struct tops - a run of "tma top"
 * @pids, @cgroups: arguments of the user, or NULL
 * @busy_ns: the last result of cpus__read_busy()
 * @most:   most processes that are listed
 * @iterations: number of intervals; 0 to go on without end
 * @place_levels: levels of the tree that are counted for processes and cgroups; 0 while unknown
 * @levels: levels of the tree that are counted for the whole machine
 * @group:  name of the levels' metric groups, without the number
 * @no_tree: why there is no tree, or ""
 * @deeper: the metric whose children are counted in addition to the first levels, or ""
 * @head:   heading of the page's current rows
 * @process: id of the process whose functions are sampled
 * @named:  ids that the user gave, for the title
 * @picked: ids of the processes that are counted
 * @again:  ids of the processes that are counted next
 * @rights: what this user may not count, and what it takes; or ""
 * @own:    only the user's own processes may be counted: @mine, a list for -p, replaces the whole
 *          machine
 * @no_perf: (@own) these may not be counted either: only procfs has their CPU time
 * @begun:  counting has begun
 * @changed: the user asked for another branch of the tree
 * @turned: the user asked for other rows
 * @quit:   the user wants to end
 * @row_ns: time of the latest row of the whole machine, on the monotonic clock
 * @page:   page of what was shown, or NULL
 * @writer: writes the rows of the whole machine into the page
 */
struct tops {
	struct top_options options;
	struct top *model;
	struct screen *screen;
	struct host host;
	struct top_run whole, places;
	struct process_pick pick;
	struct sb picked, again, machine, head, deeper, process, named, rights, mine;
	const char *pids, *cgroups, *group, *no_tree;
	uint64_t most, iterations;
	int levels, place_levels;
	uint64_t busy_ns, row_ns;
	bool batch, begun, changed, turned, quit, counted, own, no_perf;
	struct page *page;
	struct writer *writer;
};

/* Message of a user who may not count anything. */
#define TOP_NO_FUNCTIONS                                                                           \
	"functions need samples, which this user may not take: they need root, CAP_PERFMON or "    \
	"kernel.perf_event_paranoid=2"

/**
 * top_rights__find() - find out what this user may count, once the host is loaded
 *
 * Return: 0; -EACCES if the rows, or the processes of -p, need more rights.
 */
int top_rights__find(struct tops *t, struct err *err);
/** top_requests__define() - define the metrics for the first lines, before the host is loaded. */
void top_requests__define(void);
/** top_requests__whole() - fill the request of the run of the tree. */
void top_requests__whole(struct tops *t);
/** top_requests__places() - fill the request of the run of the rows. */
void top_requests__places(struct tops *t);
/**
 * top_requests__choose_again() - choose the processes again
 *
 * Return: whether this is allowed: not if the user named them.
 */
bool top_requests__choose_again(struct tops *t);
/**
 * top_count__begin() - begin to count the part of the tree that the model asks for. 0 or -errno.
 */
int top_count__begin(struct tops *t, struct err *err);
/** top_count__next() - count an interval. Return: 1; 0 at the end; -errno. */
int top_count__next(struct tops *t, struct err *err);
/** top_count__turn() - begin to count the rows that the model asks for. */
void top_count__turn(struct tops *t);
/** top_count__pick() - choose the processes that are listed. Return: whether they have changed. */
bool top_count__pick(struct tops *t);
/** top_count__end() - end both runs. */
void top_count__end(struct tops *t);
/**
 * top_count__nr_parts() - find out how many children of a metric can be counted; @tops: struct tops
 */
int top_count__nr_parts(void *tops, const char *name);
/** top__wake() - handle keys that were pressed during a wait. Return: whether to end the wait. */
bool top__wake(struct tops *t);

#endif
