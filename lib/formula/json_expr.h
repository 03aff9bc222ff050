/* SPDX-License-Identifier: GPL-2.0-only */
/* Expressions of the JSON come in; simplified, and in one form, their texts come out. */
#ifndef TMA_FORMULA_JSON_EXPR_H
#define TMA_FORMULA_JSON_EXPR_H

#include <stdbool.h>

#include "base/decimal.h"
#include "base/sb.h"
#include "base/vec.h"

struct err;

enum json_expr_kind {
	JSON_EXPR_NONE,
	JSON_EXPR_NUMBER,
	JSON_EXPR_EVENT,    /* an event or another metric, by name */
	JSON_EXPR_LITERAL,  /* #SMT_on and its like */
	JSON_EXPR_NEGATIVE, /* -a */
	JSON_EXPR_OPERATOR, /* a op b */
	JSON_EXPR_FUNCTION, /* text(a) or text(a, b) */
	JSON_EXPR_SELECT,   /* a if b else c */
};

/**
 * struct json_expr_node - one node; the operands @a, @b and @c are indexes of nodes, 0 for none
 * @op:   one of | ^ & < > + - * / %
 * @text: offset of a name in the expression's text
 */
struct json_expr_node {
	enum json_expr_kind kind;
	char op;
	int a, b, c;
	size_t text;
	struct decimal number;
};

/**
 * struct json_expr - the nodes of one expression; can be used again and again
 * @nodes:       number 0 is none
 * @text:        names, each with its NUL
 * @syntax_only: set before parsing what is for the run time to compute: constants are not
 */
struct json_expr {
	bool syntax_only;
	VEC(struct json_expr_node) nodes;
	struct sb text;
};

#define JSON_EXPR_INIT          \
	{                       \
		.text = SB_INIT \
	}

/**
 * json_expr__parse() - read an expression as the JSON writes it
 * @expr: what it held before is forgotten
 * @what: for the message ("metric tma_retiring")
 * @text: the grammar is the run time's, with Python's precedence: comparisons bind weaker than
 *        | ^ and &. Constants are computed on the way.
 *
 * Return: the root, or -EINVAL with a caret under the place.
 */
int json_expr__parse(struct json_expr *expr, const char *what, const char *text, struct err *err);

/**
 * json_expr__simplify() - drop what does not change the value
 * @root: from json_expr__parse()
 *
 * x + 0, x | 0, x * 1, x * 0 (but for "0 * slots", which is there to have the event counted),
 * a choice by a constant or between equals, functions and operators of constants.
 *
 * Return: the new root.
 */
int json_expr__simplify(struct json_expr *expr, int root);

/** json_expr__print() - append its text, with only those brackets that the run time needs. */
void json_expr__print(const struct json_expr *expr, int root, struct sb *sb);

/** json_expr__free() - release the nodes. */
void json_expr__free(struct json_expr *expr);

#endif
