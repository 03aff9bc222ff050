/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Expressions of a model come in; one graph of them comes out, in which the same text is the same
 * node, metrics referred to are replaced by what they stand for, and each node knows its range.
 */
#ifndef TMA_LINT_GRAPH_H
#define TMA_LINT_GRAPH_H

#include "base/vec.h"
#include "metrics/range.h"

struct strmap;

/**
 * struct graph_node - a value
 * @op:     (EXPR_GREATER is EXPR_LESS the other way round)
 * @at:     operands, as numbers of earlier nodes; for a name, the number of its text
 * @number: (NUMBER) the constant
 * @range:  what it can be
 */
struct graph_node {
	enum expr_op op;
	int at[3];
	double number;
	struct range range;
};

/**
 * struct graph
 * @index: what a node is, as a text, to its number
 */
struct graph {
	VEC(struct graph_node) nodes;
	struct strmap *index;
};

/** graph__init() - make an empty graph, which graph__free() releases. */
void graph__init(struct graph *g);
/** graph__free() - release the graph. */
void graph__free(struct graph *g);

/**
 * graph__add() - add an expression
 * @e:       its names are values of their own, but for those that
 * @replace: has a node for: it is asked for each, and returns -1 for none; may be NULL
 * @arg:     for @replace
 * @places:  set for each of @e's nodes to the graph's; room for @e->nr
 *
 * Return: the number of the value, @places[@e->nr - 1].
 */
int graph__add(struct graph *g, const struct expr *e, int (*replace)(void *arg, const char *id),
	       void *arg, int *places);

#endif
