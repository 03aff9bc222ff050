/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * With several measurements, find the path from the first level of a TopDown tree to the leaf that
 * is the bottleneck. The input is the verdicts of each measurement; the output is the path so far,
 * and what to measure next. Pure bookkeeping.
 */
#ifndef TMA_VERDICT_WAY_H
#define TMA_VERDICT_WAY_H

#include <stdbool.h>
#include <stdint.h>

#include "base/vec.h"
#include "base/xalloc.h"
#include "verdict/phases.h"

struct grid;
struct sb;

/* How far a path has been found. */
enum way_state {
	WAY_NOTHING,   /* nothing was measured */
	WAY_GOES_ON,   /* the children of the path's last node were not measured */
	WAY_UNDECIDED, /* the first or next node is not certain */
	WAY_LEAF,      /* the path's last node has no children */
	WAY_UNDER,     /* no child of the path's last node is over its threshold */
	WAY_IMPOSSIBLE, /* the values of the last node's children are impossible */
	WAY_NO_LOSS,   /* no node of the first level is over its threshold */
	WAY_NONE,      /* there is no verdict; see way.reason */
};

/**
 * struct way_node - a metric, with its values in the most exact measurement
 * @value, @error: printed value and error; the error is NAN if unknown
 * @step:  number of this measurement
 * @has_parts: a metric group of its children exists
 */
struct way_node {
	char *name, *unit;
	double value, error;
	int level, step;
	bool useful, has_threshold, has_parts;
};

/** struct way_nodes - a list of nodes, which owns their texts. */
struct way_nodes {
	struct way_node *at;
	int nr, cap;
};

/**
 * struct way_phase - a part of the time in which the first level hardly changed
 * @start_ns, @end_ns: times since the search began
 * @values: mean of each node of the first level, in the order of way.top
 */
struct way_phase {
	uint64_t start_ns, end_ns;
	double *values;
};

/* Where a function's own bottleneck is, relative to the path of the whole program. */
enum function_side {
	FUNCTION_UNKNOWN, /* the function's bottleneck is not certain */
	FUNCTION_ON_WAY,  /* the function's bottleneck is on the path, or below the path's end */
	FUNCTION_ASIDE,	  /* the function's bottleneck is elsewhere */
};

/**
 * struct way_function - a function, with its own values in the tree
 * @name:    name in rows of functions; @object: path of the function's file
 * @share:   share of all cycles in %, with its @error; @samples: number of samples of cycles
 * @near:    samples may belong to other functions nearby, so the function has no values
 * @nodes:   nodes with a value, each after its parent
 * @limit:   index in @nodes of the function's bottleneck; -1 if not certain
 */
struct way_function {
	char *name, *object;
	double share, error, samples;
	bool near;
	struct way_nodes nodes;
	int limit;
	enum function_side side;
};

/**
 * struct way - the path in one tree, and what is known about it
 * @core_name, @cgroup: core type and cgroup of the tree; NULL without distinction
 * @share:   share of a task's time, in %, on these cores; NAN if unknown
 * @path:    nodes from the first level to the path's end, all of them certain
 * @others:  other nodes over their thresholds; @between: candidates for the next node, the largest
 *           first
 * @out:     siblings of the path's nodes that are certainly under their thresholds
 * @reason, @remedy: why the bottleneck is not certain or was not found, and what would help; or ""
 * @groups:  metric groups to measure next, separated by commas, or "". At a leaf, groups of
 *           resources that Arm's decision tree continues with
 * @sample, @record: events whose samples show the place; the same events as arguments of perf
 *           record
 * @misfits: sentences on impossible values, one in each line; or ""
 * @tries:   consecutive measurements that did not extend the path
 * @turns_back: how often a measurement contradicted earlier ones, which shortens the path
 * @bound:   upper limit of the speedup without the loss at the path's end; or NAN
 * @top:     the nodes of the first level; @measured: values of these nodes in each interval
 * @phases:  phases found in @measured; empty if the values hardly changed
 * @since_ns, @until_ns: start and end of the time in which the path was measured
 * @stale:   the path was measured in two phases, and the next measurement replaces it
 * @changes: how often the path was restarted because the first level had changed
 * @functions: functions with at least 1 % of the cycles, the largest first; empty without samples
 */
struct way {
	char *core_name, *cgroup;
	double share;
	enum way_state state;
	struct way_nodes path, others, between, out;
	char *reason, *remedy, *groups, *sample, *record, *misfits;
	int tries, turns_back;
	double bound;
	struct way_nodes top;
	struct phases measured;
	VEC(struct way_phase) phases;
	uint64_t since_ns, until_ns;
	bool stale;
	int changes;
	VEC(struct way_function) functions;
};

/** struct way_time - start and end of an interval, since the search began */
struct way_time {
	uint64_t start_ns, end_ns;
};

/** struct way_rows - the intervals of a measurement: times, and values of all columns */
struct way_rows {
	VEC(struct way_time) times;
	VEC(double) values;
};

/**
 * struct ways - the paths in all trees
 * @steps: measurements so far
 * @tries: how often an uncertain result is measured again before the path ends
 * @first_groups: the metric groups of the first level of each tree
 * @goes_on: measurements follow each other in time; else each measurement is a run of the same
 *           command
 * @begin_ns: time from the begin of the search to the start of the current measurement; @rows:
 *           intervals of this measurement
 */
struct ways {
	struct way *at;
	int nr, cap, steps, tries;
	const char *first_groups;
	bool goes_on;
	uint64_t begin_ns;
	struct way_rows rows;
	struct arena memory;
};

/** ways__begin() - begin a measurement. @begin_ns: time since the search began */
void ways__begin(struct ways *w, uint64_t begin_ns);
/** ways__take_row() - keep an interval's row until the measurement's verdicts come. */
void ways__take_row(struct ways *w, const struct grid *g);
/**
 * ways__take() - take the verdicts of the last measurement, but only for the first row
 *
 * If the intervals show that the first level changed during the measurement, the path is restarted,
 * so that it belongs to one phase. A path is restarted at most twice: a program that changes all
 * the time is measured across its phases, which are reported.
 */
void ways__take(struct ways *w, const struct grid *g);
/**
 * ways__next() - find what to measure next
 * @groups:  receives the metric groups of all paths that are not at their end
 * @doubtful: set to whether one of the groups is measured again, since a node was uncertain or had
 *            no value
 *
 * Return: whether there is anything to measure.
 */
bool ways__next(const struct ways *w, struct sb *groups, bool *doubtful);
/**
 * ways__add_branches() - append the metric groups of the children of all candidates, for uncertain
 * paths
 *
 * If there are enough counters, measuring these groups together with the groups that decide between
 * the candidates saves a step.
 * Return: whether a group was appended.
 */
bool ways__add_branches(const struct ways *w, struct sb *groups);
/** ways__is_at_end() - find out whether further measurements cannot extend the path. */
bool ways__is_at_end(const struct ways *w, const struct way *way);
/** way_nodes__free() - free the nodes of a list, and make it empty. */
void way_nodes__free(struct way_nodes *list);
/** way__is_mixed() - find out whether the path was measured in several phases. */
bool way__is_mixed(const struct way *way);
/** ways__free() - free all paths. */
void ways__free(struct ways *w);

#endif
