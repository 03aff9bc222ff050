/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * TopDown trees made of samples, with values for two sides. Each host, cgroup or kind of core has a
 * tree.
 */
#ifndef TMA_FLEET_FOREST_H
#define TMA_FLEET_FOREST_H

#include <stdbool.h>

#include "base/vec.h"

struct err;
struct fleet_answer;
struct strmap;

#define FLEET_SIDES 2

/**
 * struct fleet_node - a node of a tree
 * @metric: name of the node; @parent: name of its parent
 * @level:  level of the node, from 1 on
 * @depth:  number of levels between the node and the first level, set when the tree is sorted
 * @rate:   slots per second on each side; NaN if unknown
 * @of:     all slots per second of the hosts that measure the node, on each side; NaN if unknown
 */
struct fleet_node {
	char *metric, *parent;
	int level, depth;
	double rate[FLEET_SIDES], of[FLEET_SIDES];
};

/**
 * struct fleet_tree - a tree, and all of its slots
 * @name:  value of the label that distinguishes trees
 * @total: slots per second on each side; NaN if unknown
 */
struct fleet_tree {
	char *name;
	double total[FLEET_SIDES];
	VEC(struct fleet_node) nodes;
};

/** struct fleet_forest - all trees, in the order in which they were added */
struct fleet_forest {
	VEC(struct fleet_tree) trees;
	struct strmap *names;
};

#define FLEET_FOREST_INIT     \
	{                     \
		.names = NULL \
	}

/* Kinds of samples that are added to a forest. */
enum fleet_what {
	FLEET_RATES, /* slots of nodes, and all slots of trees */
	FLEET_OF,    /* for each node, all slots of the hosts that measure it */
};

/**
 * fleet_forest__add() - add samples of counters of slots
 * @label: the label that distinguishes trees
 * @side:  side of the samples, from 0
 *
 * Samples of the same node are added up. Return: 0; -EBADMSG if they are not a tree: there are more
 * than a thousand nodes, or a level is not valid.
 */
int fleet_forest__add(struct fleet_forest *forest, const struct fleet_answer *answer,
		      enum fleet_what what, const char *label, int side, struct err *err);
/**
 * fleet_forest__sort() - sort each tree: nodes after their parents, the largest first
 *
 * A node whose parent is missing comes last; the nodes below it follow.
 */
void fleet_forest__sort(struct fleet_forest *forest);
/** fleet_forest__find() - find a tree by name, or NULL. */
const struct fleet_tree *fleet_forest__find(const struct fleet_forest *forest, const char *name);
/** fleet_forest__free() - release a forest. */
void fleet_forest__free(struct fleet_forest *forest);

/** fleet__is_retiring() - tell whether a node is "retiring", whose slots are not lost. */
bool fleet__is_retiring(const char *metric);
/**
 * fleet_node__share() - compute the share of slots on the hosts that measure it; NaN if unknown.
 */
double fleet_node__share(const struct fleet_node *node, int side);
/** fleet_tree__lost() - compute the slots per second that did not retire; NaN if unknown. */
double fleet_tree__lost(const struct fleet_tree *tree, int side);
/**
 * fleet_tree__worst() - find the node in which most slots are lost
 * @level: deepest level to search
 *
 * The node is on the deepest level whose nodes have 80 % of the losses of the level above; so it is
 * not on a level that few hosts measure. Slots that the other thread of a core used are not lost.
 *
 * Return: the node; NULL if no slots are lost.
 */
const struct fleet_node *fleet_tree__worst(const struct fleet_tree *tree, int level, int side);

#endif
