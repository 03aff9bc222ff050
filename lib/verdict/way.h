/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Find the path from the first level of a TopDown tree to the leaf that is the bottleneck, by
 * several measurements. The input is the verdicts of one measurement after the other; the output is
 * the path so far, and what to measure next. Pure bookkeeping.
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
	WAY_GOES_ON,   /* the children of its last node were not measured */
	WAY_UNDECIDED, /* the first or next node is not certain */
	WAY_LEAF,      /* its last node has no children */
	WAY_UNDER,     /* none of its last node's children is over its threshold */
	WAY_IMPOSSIBLE, /* the measured values of its last node's children are impossible */
	WAY_NO_LOSS,   /* no node of the first level is over its threshold */
	WAY_NONE,      /* there is no verdict: see @reason */
};

/**
 * struct way_node - a metric, with the values of its best measurement
 * @value, @error: as printed; the error is NAN if unknown
 * @step:  number of that measurement
 * @has_parts: a metric group of its children exists
 */
struct way_node {
	char *name, *unit;
	double value, error;
	int level, step;
	bool useful, has_threshold, has_parts;
};

/** struct way_nodes - a list that owns its nodes. */
struct way_nodes {
	struct way_node *at;
	int nr, cap;
};

/**
 * struct way_phase - a part of the time in which the first level hardly changed
 * @start_ns, @end_ns: since the search began
 * @values: the mean of each node of the first level, in the order of struct way's @top
 */
struct way_phase {
	uint64_t start_ns, end_ns;
	double *values;
};

/* Where a function's own bottleneck is, relative to the path of the whole. */
enum function_side {
	FUNCTION_UNKNOWN, /* the function's bottleneck is not certain */
	FUNCTION_ON_WAY,  /* its bottleneck is on the path, or below its end */
	FUNCTION_ASIDE,	  /* its bottleneck is elsewhere */
};

/**
 * struct way_function - a function, and its own values in the tree
 * @name:    as rows of functions have it; @object: path of its file
 * @share:   % of all cycles, with its @error; @samples: number of samples of cycles
 * @near:    samples may belong to other functions nearby, so it has no values
 * @nodes:   those with a value, each after its parent
 * @limit:   its bottleneck, an index into @nodes; -1 if not certain
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
 * @core_name, @cgroup: of the tree; NULL if not by core type or cgroup
 * @share:   % of a task's time that it ran on these cores, NAN if unknown
 * @path:    from the first level to its end; every node of it is certain
 * @others:  other nodes over their thresholds; @between: candidates for the next node, from the
 *           largest
 * @out:     siblings of the path's nodes that are certainly under their thresholds
 * @reason, @remedy: why it is not certain or was not found, and what would help; "" without any
 * @groups:  metric groups to measure next, separated by commas. At a leaf, those of resources that
 *           Arm's decision tree continues with, in its order; "" without any
 * @sample, @record: events whose samples show where, and the same as arguments of perf record
 * @misfits: impossible values, one sentence a line; "" without any
 * @tries:   consecutive measurements that did not extend the path
 * @turns_back: how often a measurement has contradicted those before, which shortens the path
 * @bound:   the speedup that is at most possible without the path's end; or NAN
 * @top:     the nodes of the first level; @measured: their values in each interval
 * @phases:  the phases of these; empty if they hardly changed
 * @since_ns, @until_ns: the time that the path was measured in
 * @stale:   the path is of two phases, and the next measurement replaces it
 * @changes: how often the path was restarted because the first level had changed
 * @functions: those with at least 1 % of the cycles, the largest first; empty if not sampled
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

/** struct way_rows - the intervals of a measurement: their times, and values of all columns */
struct way_rows {
	VEC(struct way_time) times;
	VEC(double) values;
};

/**
 * struct ways - the paths in all trees
 * @steps: measurements so far
 * @tries: how often an uncertain result is measured again before a path ends there
 * @first_groups: the metric groups of the first levels
 * @goes_on: measurements follow each other in time; else each is a run of the same command
 * @begin_ns: start of the current measurement, since the search began; @rows: its intervals
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

/** ways__begin() - begin a measurement, so many ns after the search began. */
void ways__begin(struct ways *w, uint64_t begin_ns);
/** ways__take_row() - keep an interval's row until the measurement's verdicts come. */
void ways__take_row(struct ways *w, const struct grid *g);
/**
 * ways__take() - take the verdicts of the last measurement, those of the first row alone
 *
 * If the intervals show that the first level changed during the measurement, a path is restarted,
 * so that it belongs to one phase. That is done at most twice: a program that changes all the time
 * is measured as it is, and its phases are reported.
 */
void ways__take(struct ways *w, const struct grid *g);
/**
 * ways__next() - find what to measure next
 * @groups:  set to the metric groups of all trees that are not at their end
 * @doubtful: set to whether one of them is measured again, as it was not certain or had no value
 *
 * Return: whether there is anything to measure.
 */
bool ways__next(const struct ways *w, struct sb *groups, bool *doubtful);
/**
 * ways__add_branches() - append the groups of the candidates' children, for uncertain trees
 *
 * Measuring them together with what decides between the candidates saves a step, if the counters
 * suffice for both.
 * Return: whether there is anything.
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
