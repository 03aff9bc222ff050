/* SPDX-License-Identifier: GPL-2.0-only */
/* Metric expressions at build time: read, simplified and printed in one form. */
#ifndef TMA_PMU_EVENTS_EXPR_H
#define TMA_PMU_EVENTS_EXPR_H

#include "base/sb.h"
#include "base/vec.h"
#include "decimal.h"

struct err;

enum expr_kind {
	EXPR_NUMBER,
	EXPR_EVENT,    /* an event or another metric, by name */
	EXPR_LITERAL,  /* #SMT_on and its like */
	EXPR_NEGATIVE, /* -a */
	EXPR_OPERATOR, /* a op b */
	EXPR_FUNCTION, /* text(a) or text(a, b) */
	EXPR_SELECT,   /* a if b else c */
};

/**
 * struct expr_node - one node; the operands @a, @b and @c are indexes of nodes, -1 for none
 * @op:   one of | ^ & < > + - * / %
 * @text: offset of a name in the expression's text
 */
struct expr_node {
	enum expr_kind kind;
	char op;
	int a, b, c;
	size_t text;
	struct decimal number;
};

/** struct expr - the nodes of one expression; can be used again and again. */
struct expr {
	VEC(struct expr_node) nodes;
	struct sb text;
};

#define EXPR_INIT               \
	{                       \
		.text = SB_INIT \
	}

/**
 * expr__parse() - read an expression as the JSON writes it
 * @expr: what it held before is forgotten
 * @what: for the message ("metric tma_retiring")
 * @text: the grammar is the run time's, with Python's precedence: comparisons bind weaker than
 *        | ^ and &. Constants are computed on the way.
 *
 * Return: the root, or -EINVAL with a caret under the place, or -ENOMEM.
 */
int expr__parse(struct expr *expr, const char *what, const char *text, struct err *err);

/**
 * expr__simplify() - drop what does not change the value
 * @root: from expr__parse()
 *
 * x + 0, x | 0, x * 1, x * 0 (but for "0 * slots", which is there to have the event counted),
 * a choice by a constant or between equals, functions and operators of constants.
 *
 * Return: the new root, or -ENOMEM.
 */
int expr__simplify(struct expr *expr, int root);

/** expr__print() - append it, with brackets only where the run time's precedence needs them. */
void expr__print(const struct expr *expr, int root, struct sb *sb);

/** expr__free() - release the nodes. */
void expr__free(struct expr *expr);

/** expr__add() - a new node, for the parser and the simplifier. Return: its index or -ENOMEM. */
int expr__add(struct expr *expr, const struct expr_node *node);

#endif
