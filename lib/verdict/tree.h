/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Which part of the pipeline is the bottleneck: in come a tree of metrics with values, errors and
 * thresholds, out of it comes what each is and the way to the bottleneck. Pure calculation.
 */
#ifndef TMA_VERDICT_TREE_H
#define TMA_VERDICT_TREE_H

#include <stdbool.h>

struct arena;
struct expr;

/* How a metric stands to its threshold. */
enum verdict_state {
	VERDICT_NOT_MEASURED, /* it has no value */
	VERDICT_OPEN,	      /* its threshold needs another metric, which was not measured */
	VERDICT_UNDER,	      /* not over it, wherever in its range the value is */
	VERDICT_UNCERTAIN,    /* on one side or the other, depending on where */
	VERDICT_OVER,	      /* over it, wherever */
};

/**
 * struct verdict_node - a metric of a TopDown tree
 * @name:  as thresholds name it, case ignored
 * @threshold: NULL when the tables have none: then the largest of siblings is the one over it
 * @parent: number of the node it is a part of, -1 without one
 * @level: its level in the tree
 * @useful: it counts slots that retired: no loss, named only if nothing else is over its threshold
 * @value: as thresholds compare it (before ScaleUnit); NAN when it was not measured
 * @error: half the width of the range it is in; 0 when it is exact, NAN when that is not known
 * @resolution: the step in which the hardware tells it: its range is no narrower than that to
 *          either side; 0 for what is made of counts
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

/** verdict_tree__init() - make room to judge a tree whose nodes stand, out of @memory. */
void verdict_tree__init(struct verdict_tree *t, struct arena *memory);

/**
 * verdict_tree__judge() - decide what each node is, from the values and errors of all
 *
 * A threshold is evaluated over the ranges the values are in: "a > 0.2 & b > 0.1" is passed for
 * certain when both ends of both ranges are, and not passed for certain when one whole range is
 * not. A value whose error is not known may be anything. Allocates nothing.
 *
 * Siblings without thresholds are compared with each other: the largest one that is not @useful is
 * the one over it, for certain when its range lies above all others'.
 */
void verdict_tree__judge(struct verdict_tree *t);
/**
 * verdict_tree__next() - the bottleneck among the parts of a node
 * @parent: the node, or -1 for the first level
 * @certain: only what is VERDICT_OVER counts; else what is over at its value
 *
 * It is the largest part; a useful one comes behind all others. There is none for certain where a
 * larger one is VERDICT_UNCERTAIN. Return: its number, or -1.
 */
int verdict_tree__next(const struct verdict_tree *t, int parent, bool certain);
/** verdict_tree__has_parts() - whether parts of a node were measured. */
bool verdict_tree__has_parts(const struct verdict_tree *t, int parent);

#endif
