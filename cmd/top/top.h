/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The files of "tma top" share this. Two runs are under way at a time (run/run.h): one of the whole
 * machine, whose metrics are the tree, and one of the processes or cgroups listed below it, where
 * the counts of the first do not have them. Their grids go to a model (screen/top.h), which draws.
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

/**
 * struct top_run - one of the two runs
 * @run:    NULL while it is not open
 * @event, @metrics: @req points to them
 * @rows:   intervals since it began
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
 * @pids, @cgroups: as the user gave them, or NULL
 * @busy_ns: the last result of cpus__read_busy()
 * @most:  limit of processes; @iterations: intervals, 0 without an end
 * @place_levels: levels of the tree that are counted for processes and cgroups; 0 before that is
 *                known
 * @levels: of the tree; @group: what precedes the level in the names of their groups
 * @no_tree: why there is no tree, or ""
 * @deeper: the metric whose children are counted beside the first levels, or ""
 * @head:   what the page's current rows are
 * @process: the process whose functions are sampled, as text; @named: the user's, for the title
 * @picked: -p of the current processes, @again: of the next ones
 * @rights: what this user may not count, and what it takes, or ""
 * @own:    only the user's own processes may be counted: the whole is @mine, a list for -p;
 *          @no_perf: not even these, so that only procfs has their CPU time
 * @begun:  counting has begun
 * @changed: count another branch, @turned: count other rows; @quit: the user wants to end
 * @row_ns:  when the last row of the whole came, on the monotonic clock
 * @page:   of what was seen, or NULL; @writer: of the whole into it
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

/**
 * top_rights__find() - find what this user may count, once the host is loaded
 *
 * Return: 0; -EACCES if the rows need more than that.
 */
int top_rights__find(struct tops *t, struct err *err);
/** top_count__define() - define the rates of the first lines, before the host is loaded. */
void top_count__define(void);
/**
 * top_count__begin() - begin to count the part of the tree that the model asks for. 0 or -errno.
 */
int top_count__begin(struct tops *t, struct err *err);
/** top_count__next() - take an interval. Return: 1; 0 at the end; -errno. */
int top_count__next(struct tops *t, struct err *err);
/** top_count__turn() - count other rows, as the model asks. */
void top_count__turn(struct tops *t);
/** top_count__pick() - choose the processes again. Return: whether they have changed. */
bool top_count__pick(struct tops *t);
/** top_count__end() - end both measurements. */
void top_count__end(struct tops *t);
/**
 * top_count__nr_parts() - count the children of a metric that can be counted; @tops: struct tops
 */
int top_count__nr_parts(void *tops, const char *name);
/** top__wake() - handle keys that were pressed during a wait. Return: whether to end the wait. */
bool top__wake(struct tops *t);

#endif
