/* SPDX-License-Identifier: GPL-2.0-only */
/* Samples come in; TopDown trees come out, one a host, a cgroup or a kind of core, of two sides. */
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
 * @metric, @parent: its name, and of what it is a part
 * @level:  from 1 on
 * @depth:  how far below the first level it hangs, once the tree is sorted
 * @rate:   slots a second on each side; NaN where it is not known
 * @of:     all slots a second of the hosts that measure it, likewise
 */
struct fleet_node {
	char *metric, *parent;
	int level, depth;
	double rate[FLEET_SIDES], of[FLEET_SIDES];
};

/**
 * struct fleet_tree - a tree, and all of its slots
 * @name:  value of the label by which trees are told apart
 * @total: slots a second on each side; NaN where they are not known
 */
struct fleet_tree {
	char *name;
	double total[FLEET_SIDES];
	VEC(struct fleet_node) nodes;
};

/** struct fleet_forest - all trees, in the order in which they came first */
struct fleet_forest {
	VEC(struct fleet_tree) trees;
	struct strmap *names;
};

#define FLEET_FOREST_INIT     \
	{                     \
		.names = NULL \
	}

/* What the samples are that a forest is made of. */
enum fleet_what {
	FLEET_RATES, /* slots of nodes, and of trees */
	FLEET_OF,    /* of nodes, all slots of the hosts that measure them */
};

/**
 * fleet_forest__add() - take samples of counters of slots
 * @label: by which trees are told apart
 * @side:  which the samples are of, from 0
 *
 * Samples of one node are added up. Return: 0; -EBADMSG for what is no tree: more than a thousand
 * nodes, or a level that is none.
 */
int fleet_forest__add(struct fleet_forest *forest, const struct fleet_answer *answer,
		      enum fleet_what what, const char *label, int side, struct err *err);
/**
 * fleet_forest__sort() - put the nodes of each tree behind their parents, the largest first
 *
 * A node whose parent is not there stands at the end, with those below it.
 */
void fleet_forest__sort(struct fleet_forest *forest);
/** fleet_forest__find() - find the tree of a name, or NULL. */
const struct fleet_tree *fleet_forest__find(const struct fleet_forest *forest, const char *name);
/** fleet_forest__free() - release it. */
void fleet_forest__free(struct fleet_forest *forest);

/** fleet__is_retiring() - tell whether a node is the part of the slots which is not lost. */
bool fleet__is_retiring(const char *metric);
/** fleet_node__share() - its share of the slots of the hosts that measure it; NaN if not known. */
double fleet_node__share(const struct fleet_node *node, int side);
/** fleet_tree__lost() - slots a second which did not retire; NaN when that is not known. */
double fleet_tree__lost(const struct fleet_tree *tree, int side);
/**
 * fleet_tree__worst() - find the node that most slots are lost in
 * @level: not below this one
 *
 * It is of the deepest level whose nodes have 80 % of what the level above loses: so it is not of
 * one that few hosts measure. What the other thread of a core took is not lost.
 *
 * Return: the node, or NULL without one.
 */
const struct fleet_node *fleet_tree__worst(const struct fleet_tree *tree, int level, int side);

#endif
