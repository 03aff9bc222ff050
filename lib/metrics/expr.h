/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The language of metric expressions: a text is parsed to a tree, and the names in it are found.
 * program.h evaluates the tree.
 */
#ifndef TMA_METRICS_EXPR_H
#define TMA_METRICS_EXPR_H

#include <stdbool.h>

struct err;

#define EXPR_MAX_NESTING 500 /* most levels of parentheses, calls, signs and else branches inside
			      * each other */

/*
 * Kinds of nodes. Operators have the operands at[0] and at[1]; struct expr_node describes other
 * nodes.
 */
enum expr_op {
	EXPR_NUMBER,
	EXPR_LITERAL,
	EXPR_ID,
	EXPR_SOURCE_COUNT, /* the number of counters whose counts were added up for an id */
	EXPR_HAS_EVENT,
	EXPR_STRCMP_CPUID,
	EXPR_IF, /* the value is at[0] if at[1] is true, else at[2] */
	EXPR_OR,
	EXPR_XOR,
	EXPR_AND,
	EXPR_LESS,
	EXPR_GREATER,
	EXPR_SUB,
	EXPR_ADD,
	EXPR_MUL,
	EXPR_DIV,
	EXPR_MOD,
	EXPR_D_RATIO,
	EXPR_MIN,
	EXPR_MAX,
	EXPR_NEG, /* at[0] alone */
	EXPR_NR_OPS,
};

/* How tightly operators bind. */
enum {
	BINDS_IF,
	BINDS_OR,
	BINDS_XOR,
	BINDS_AND,
	BINDS_COMPARISON,
	BINDS_SUM,
	BINDS_PRODUCT,
	BINDS_SIGN,
	BINDS_ATOM,
};

/**
 * struct expr_shape - how an operator is written
 * @text:  the sign of the operator, or the name of the function
 * @binds: how tightly the operator binds; binary operators of equal strength associate to the left
 * @call:  the operator is written as a function
 */
extern const struct expr_shape {
	const char *text;
	int binds;
	bool call;
} expr_shapes[];

/**
 * struct expr_node - a node of the tree
 * @at:      numbers of the operands, which are earlier nodes
 * @number:  (NUMBER) the value of the constant
 * @literal: (LITERAL) number of the literal, see literal.h
 * @id:      (ID, SOURCE_COUNT, HAS_EVENT, STRCMP_CPUID) the name, with escapes resolved
 * @column:  place in the text of the node's word: a name, a number, an operator, the name of a
 *           function, or "if"
 * @taken:   (IF) number, from 1, of the operand that a constant has chosen; 0 for none; set by
 *           ids__collect()
 */
struct expr_node {
	enum expr_op op;
	int at[3], column, taken;
	double number;
	int literal;
	char *id;
};

/**
 * struct expr - an expression
 * @at, @nr: nodes in an order in which operands precede the nodes that use them, and the root is
 *           last. So a walk is a loop from 0, and no text can cause a deep recursion
 * @users:   number of owners, which expr__get() and expr__free() change
 */
struct expr {
	struct expr_node *at;
	int nr, cap;
	int users;
};

/**
 * expr__parse() - read an expression
 * @what: name of the text in messages, such as "metric tma_retiring"
 * @text: the expression. Operators from the lowest to the highest: a if c else b; |; ^; &; < >; -
 *        +; * / %; unary -. Operands: calls of min max d_ratio source_count has_event
 *        strcmp_cpuid_str; #literal; numbers; ids
 * @out:  set on success; expr__free() frees it
 *
 * Grammar and words are as in perf 6.12, except that a character without a meaning, which perf
 * skips, is an error. Nesting is limited, so that no text can overflow the stack.
 *
 * Return: 0; -EINVAL for a syntax error, -E2BIG for too deep nesting; the message has a caret.
 */
int expr__parse(const char *what, const char *text, struct expr **out, struct err *err);
/** expr__new() - make an expression without nodes, with one user. */
struct expr *expr__new(void);
/** expr__get() - add a user of @e, who calls expr__free() in the end. Return: @e. */
struct expr *expr__get(struct expr *e);
/** expr__free() - remove a user, and free the expression after its last user; NULL is allowed. */
void expr__free(struct expr *e);

/** expr__operands() - count the entries of a node's at[] that are operands. */
static inline int expr__operands(const struct expr_node *n)
{
	if (n->op < EXPR_IF)
		return 0;
	return n->op == EXPR_IF ? 3 : n->op == EXPR_NEG ? 1 : 2;
}

/** expr_op__is_binary() - find out whether an operator is a sign between its two operands. */
bool expr_op__is_binary(enum expr_op op);

#endif
