/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A graph of a model's expressions. Equal texts are the same node, the values of metrics replace
 * references to these metrics, and each node has a range.
 */
#ifndef TMA_LINT_GRAPH_H
#define TMA_LINT_GRAPH_H

#include "base/vec.h"
#include "metrics/range.h"

struct strmap;

/**
 * struct graph_node - a value
 * @op:     operator; EXPR_GREATER is stored as EXPR_LESS with swapped operands
 * @at:     operands, as numbers of earlier nodes; for a name, the number of its text
 * @number: (NUMBER) the constant
 * @range:  range of possible values
 */
struct graph_node {
	enum expr_op op;
	int at[3];
	double number;
	struct range range;
};

/**
 * struct graph - values of expressions
 * @index: map from a node's contents, as a text, to the node's number
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
 * @e:       the expression
 * @replace: get the node for a name in the expression, or -1 for a value of unknown origin; may be
 *           NULL
 * @arg:     argument for @replace
 * @places:  set to the graph's node for each of @e's nodes; has room for @e->nr
 *
 * Return: number of the expression's value, @places[@e->nr - 1].
 */
int graph__add(struct graph *g, const struct expr *e, int (*replace)(void *arg, const char *id),
	       void *arg, int *places);

#endif
