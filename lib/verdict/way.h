/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The way from the first level of a TopDown tree to the leaf that is the bottleneck, over several
 * measurements. In come the verdicts of one measurement after the other; out go what is known of
 * the way, and what to measure next. Pure bookkeeping.
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

/* This is how far a way has come. */
enum way_state {
	WAY_NOTHING,   /* nothing was measured */
	WAY_GOES_ON,   /* the parts of its end were not measured */
	WAY_UNDECIDED, /* which node comes first, or next, is not certain */
	WAY_LEAF,      /* its end has no parts */
	WAY_UNDER,     /* none of the parts of its end is over its threshold */
	WAY_IMPOSSIBLE, /* what was measured of the parts of its end cannot be */
	WAY_NO_LOSS,   /* no node of the first level is over its threshold */
	WAY_NONE,      /* there is no verdict: see its reason */
};

/**
 * struct way_node - a metric, as it was measured best
 * @value, @error: as printed; the error is NAN where it is not known
 * @step:  the number of the measurement that they are of
 * @has_parts: there is a metric group of its children
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
 * struct way_phase - a part of the time in which the first level was much the same
 * @start_ns, @end_ns: since the search began
 * @values: the mean of each node of the first level, in the order of struct way's @top
 */
struct way_phase {
	uint64_t start_ns, end_ns;
	double *values;
};

/* A function's own bottleneck lies on one side of the way of the whole. */
enum function_side {
	FUNCTION_UNKNOWN, /* it is not certain what limits the function */
	FUNCTION_ON_WAY,  /* the way leads to its bottleneck, or its end does */
	FUNCTION_ASIDE,	  /* something else limits it */
};

/**
 * struct way_function - a function, and its own values in the tree
 * @name:    as rows of functions have it; @object: path of its file
 * @share:   percent of all cycles, with its @error; @samples: of cycles
 * @near:    samples may be those of other functions: it has no values
 * @nodes:   those with a value, parts after what they are part of
 * @limit:   what limits it, a number of @nodes; -1 where that is not certain
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
 * struct way - what is known of one tree
 * @core_name, @cgroup: whose it is; NULL for none
 * @share:   percent of a task's time that it ran on these cores, NAN where it is not known
 * @path:    from the first level to its end; every node of it is certain
 * @others:  what else is over its threshold; @between: what may come next, largest first
 * @out:     nodes next to the path that are certainly under their thresholds
 * @reason, @remedy: why it is not certain, or why there is none, and what would help; "" for none
 * @groups:  metric groups to measure next, with commas between them. At a leaf, those of resources
 *           that Arm's decision tree goes on with, in its order; "" for none
 * @sample, @record: events whose samples show where, and the same as arguments of perf record
 * @misfits: what cannot be, a sentence a line; "" for nothing
 * @tries:   measurements in a row that did not lead further
 * @turns_back: how often a measurement has contradicted those before, which shortens the path
 * @bound:   without the path's end, the program is at most so many times as fast; or NAN
 * @top:     the nodes of the first level; @measured: what they were in each interval
 * @phases:  those that this had; none where it was much the same all the time
 * @since_ns, @until_ns: the path is of this time
 * @stale:   the path is of two phases, and gives way to the next measurement
 * @changes: how often the way began anew, since the first level had become another one
 * @functions: those with 1 % or more of the cycles, the largest first; none where nobody looked
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

/** struct way_time - when an interval began and ended, since the search began */
struct way_time {
	uint64_t start_ns, end_ns;
};

/** struct way_rows - the intervals of a measurement: their times, and the value of each column */
struct way_rows {
	VEC(struct way_time) times;
	VEC(double) values;
};

/**
 * struct ways - of all trees
 * @steps: measurements so far
 * @tries: how many more may be made of what is not certain, before a way ends as it is
 * @first_groups: the metric groups of the first levels
 * @goes_on: measurements are of one time after the other; else of runs, which are all the same
 * @begin_ns: of the measurement at hand, since the search began; @rows: its intervals
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

/** ways__begin() - a measurement begins, so many ns after the search began. */
void ways__begin(struct ways *w, uint64_t begin_ns);
/** ways__take_row() - keep the row of an interval until the verdicts of the measurement come. */
void ways__take_row(struct ways *w, const struct grid *g);
/**
 * ways__take() - take the verdicts of the last measurement; those of rows behind the first not
 *
 * When the intervals say that the first level became another one meanwhile, a way begins anew, so
 * that it is of one phase alone. That is done twice at most: what changes all the time is measured
 * as it is, and its phases are told.
 */
void ways__take(struct ways *w, const struct grid *g);
/**
 * ways__next() - find what to measure next
 * @groups:  set to the metric groups of all trees that are not at their end
 * @doubtful: set to whether one of them is measured again, as it was not certain or not measured
 *
 * Return: whether there is anything.
 */
bool ways__next(const struct ways *w, struct sb *groups, bool *doubtful);
/**
 * ways__add_branches() - append the groups of what may be next, of all trees that are not certain
 *
 * Their children are worth measuring with what decides between them, if the counters hold both.
 * Return: whether there is anything.
 */
bool ways__add_branches(const struct ways *w, struct sb *groups);
/** ways__is_at_end() - whether no measurement will lead further. */
bool ways__is_at_end(const struct ways *w, const struct way *way);
/** way_nodes__free() - release the nodes of a list, which is empty then. */
void way_nodes__free(struct way_nodes *list);
/** way__is_mixed() - whether the path is of a time with several phases. */
bool way__is_mixed(const struct way *way);
/** ways__free() - release all of them. */
void ways__free(struct ways *w);

#endif
