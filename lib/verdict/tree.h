/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Find the bottleneck of the pipeline: the input is a tree of metrics with values, errors and
 * thresholds; the output is the state of each metric and the path to the bottleneck. Pure
 * calculation.
 */
#ifndef TMA_VERDICT_TREE_H
#define TMA_VERDICT_TREE_H

#include <stdbool.h>

struct arena;
struct expr;

/* Where the value of a metric is relative to its threshold. */
enum verdict_state {
	VERDICT_NOT_MEASURED, /* the metric has no value */
	VERDICT_OPEN,	      /* the threshold needs another metric, which was not measured */
	VERDICT_UNDER,	      /* no value in the range of its error is over the threshold */
	VERDICT_UNCERTAIN,    /* some values in the range of its error are over the threshold */
	VERDICT_OVER,	      /* all values in the range of its error are over the threshold */
};

/**
 * struct verdict_node - a metric of a TopDown tree
 * @name:  name in thresholds, which ignore case
 * @threshold: NULL if the tables have no threshold: then the largest sibling counts as over its
 *          threshold
 * @parent: number of the parent node, or -1
 * @level: level in the tree
 * @useful: it counts slots that retired, which is not a loss: it is only named if no loss is over
 *          its threshold
 * @value: value that thresholds compare (before ScaleUnit); NAN if not measured
 * @error: half the width of the value's range; 0 if the value is exact, NAN if unknown
 * @resolution: step of the hardware's register that has the value: the range is at least as wide as
 *          this on either side; 0 for values made of counts
 * @state: set by verdict_tree__judge()
 * @over:  (also set by it) @value passes the threshold, whatever its error
 */
struct verdict_node {
	const char *name;
	const struct expr *threshold;
	int parent, level;
	bool useful;
	double value, error, resolution;
	enum verdict_state state;
	bool over;
};

/**
 * struct verdict_tree - metrics of one kind of core
 * @ranges: memory for the nodes of the largest threshold's expression
 */
struct verdict_tree {
	struct verdict_node *nodes;
	int nr;
	struct range *ranges;
};

/** verdict_tree__init() - allocate room from @memory to judge a tree; the nodes must be set. */
void verdict_tree__init(struct verdict_tree *t, struct arena *memory);

/**
 * verdict_tree__judge() - set the state of each node
 *
 * A threshold is evaluated over the ranges of values: "a > 0.2 & b > 0.1" is certainly passed if
 * the whole ranges of a and b are above the limits, and certainly not passed if the whole range of
 * one of them is below. A value whose error is unknown may be anything. Allocates nothing.
 *
 * Siblings without thresholds are compared with each other: the largest sibling that is not @useful
 * counts as over its threshold. This is certain if its range lies above the ranges of the others.
 */
void verdict_tree__judge(struct verdict_tree *t);
/**
 * verdict_tree__next() - find the bottleneck among the children of a node
 * @parent: the node, or -1 for the first level
 * @certain: accept only VERDICT_OVER; else any value over its threshold, whatever its error
 *
 * The bottleneck is the largest child; useful children come last. If a larger child is
 * VERDICT_UNCERTAIN, no bottleneck is certain. Return: number of the node, or -1.
 */
int verdict_tree__next(const struct verdict_tree *t, int parent, bool certain);
/** verdict_tree__has_parts() - find out whether children of a node were measured. */
bool verdict_tree__has_parts(const struct verdict_tree *t, int parent);

#endif
