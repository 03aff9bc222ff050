/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Find the bottleneck of the pipeline: the input is a tree of metrics with values, errors and
 * thresholds, the output is the state of each and the path to the bottleneck. Pure calculation.
 */
#ifndef TMA_VERDICT_TREE_H
#define TMA_VERDICT_TREE_H

#include <stdbool.h>

struct arena;
struct expr;

/* Where the value of a metric is relative to its threshold. */
enum verdict_state {
	VERDICT_NOT_MEASURED, /* it has no value */
	VERDICT_OPEN,	      /* its threshold needs another metric, which was not measured */
	VERDICT_UNDER,	      /* not over it, anywhere within its error */
	VERDICT_UNCERTAIN,    /* over it or not, depending on the error */
	VERDICT_OVER,	      /* over it, anywhere within its error */
};

/**
 * struct verdict_node - a metric of a TopDown tree
 * @name:  as thresholds name it, ignoring case
 * @threshold: NULL if the tables have none: then the largest of siblings is over it
 * @parent: number of its parent, or -1
 * @level: its level in the tree
 * @useful: it counts slots that retired, not a loss: named only if nothing else is over its
 *          threshold
 * @value: as thresholds compare it (before ScaleUnit); NAN if it was not measured
 * @error: half the width of its range; 0 if it is exact, NAN if unknown
 * @resolution: the step of the hardware's register: the range is at least that wide to either side;
 *          0 for values made of counts
 * @state: set by verdict_tree__judge()
 * @over:  (set by it) the threshold is passed at @value, its error aside
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
 * @ranges: room for the nodes of the largest threshold's expression
 */
struct verdict_tree {
	struct verdict_node *nodes;
	int nr;
	struct range *ranges;
};

/** verdict_tree__init() - allocate room to judge a tree from @memory, after its nodes were set. */
void verdict_tree__init(struct verdict_tree *t, struct arena *memory);

/**
 * verdict_tree__judge() - decide what each node is, from the values and errors of all
 *
 * A threshold is evaluated over the ranges of values: "a > 0.2 & b > 0.1" is certainly passed if
 * both ends of both ranges pass it, and certainly not passed if one whole range does not. A value
 * whose error is unknown may be anything. Allocates nothing.
 *
 * Siblings without thresholds are compared with each other: the largest one that is not @useful is
 * over it, certainly if its range lies above those of all others.
 */
void verdict_tree__judge(struct verdict_tree *t);
/**
 * verdict_tree__next() - find the bottleneck among the children of a node
 * @parent: the node, or -1 for the first level
 * @certain: accept only VERDICT_OVER; else any whose value is over its threshold, errors aside
 *
 * It is the largest child; useful ones come last. If a larger one is VERDICT_UNCERTAIN, there is
 * no certain one. Return: its number, or -1.
 */
int verdict_tree__next(const struct verdict_tree *t, int parent, bool certain);
/** verdict_tree__has_parts() - find out whether children of a node were measured. */
bool verdict_tree__has_parts(const struct verdict_tree *t, int parent);

#endif
