/* SPDX-License-Identifier: GPL-2.0-only */
/* Parse expressions of the JSON, simplify them, and print them in a canonical form. */
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
	JSON_EXPR_EVENT,    /* name of an event or another metric */
	JSON_EXPR_LITERAL,  /* #SMT_on and similar names */
	JSON_EXPR_NEGATIVE, /* -a */
	JSON_EXPR_OPERATOR, /* a op b */
	JSON_EXPR_FUNCTION, /* text(a) or text(a, b) */
	JSON_EXPR_SELECT,   /* a if b else c */
};

/**
 * struct json_expr_node - a node of an expression
 * @op:   one of | ^ & < > + - * / %
 * @a, @b, @c: indices of the operands' nodes, 0 for missing operands
 * @text: offset of a name in json_expr.text
 */
struct json_expr_node {
	enum json_expr_kind kind;
	char op;
	int a, b, c;
	size_t text;
	struct decimal number;
};

/**
 * struct json_expr - the nodes of an expression; may be used for several expressions in turn
 * @nodes:       nodes; number 0 means no node
 * @text:        names, each with its NUL
 * @syntax_only: (set before parsing) the expression is computed at run time, so constants are not
 *               computed here
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
 * json_expr__parse() - parse an expression of the JSON
 * @expr: the result, which replaces previous contents
 * @what: the expression's name, for the message ("metric tma_retiring")
 * @text: in the run time's grammar, but Python's precedence: comparisons bind weaker than | ^ and
 *        &. Constants are computed while parsing.
 *
 * Return: the root, or -EINVAL with a caret under the mistake.
 */
int json_expr__parse(struct json_expr *expr, const char *what, const char *text, struct err *err);

/**
 * json_expr__simplify() - remove parts that do not change the value
 * @root: root from json_expr__parse()
 *
 * These are x + 0, x | 0, x * 1 and x * 0, a choice by a constant or between equal values, and
 * functions and operators of constants. "0 * slots" stays, since its purpose is that the event is
 * counted.
 *
 * Return: the new root.
 */
int json_expr__simplify(struct json_expr *expr, int root);

/** json_expr__print() - append the text, without brackets that the run time does not need. */
void json_expr__print(const struct json_expr *expr, int root, struct sb *sb);

/** json_expr__free() - release an expression. */
void json_expr__free(struct json_expr *expr);

#endif
