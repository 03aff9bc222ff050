/* SPDX-License-Identifier: GPL-2.0-only */
/* The language of metric expressions: text to tree, names found in it. program.h evaluates it. */
#ifndef TMA_METRICS_EXPR_H
#define TMA_METRICS_EXPR_H

#include <stdbool.h>

struct err;

#define EXPR_MAX_NESTING 500 /* parentheses, calls, signs and else branches inside each other */

/* Kinds of nodes. Operators take at[0], at[1]; see struct expr_node for the others. */
enum expr_op {
	EXPR_NUMBER,
	EXPR_LITERAL,
	EXPR_ID,
	EXPR_SOURCE_COUNT, /* how many counters were added up to the id's value */
	EXPR_HAS_EVENT,
	EXPR_STRCMP_CPUID,
	EXPR_IF, /* at[0] if at[1] else at[2] */
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
 * @text:  the sign, or the name of a function
 * @binds: how tightly it binds; binary operators that bind as tightly associate to the left
 * @call:  it is written as a function
 */
extern const struct expr_shape {
	const char *text;
	int binds;
	bool call;
} expr_shapes[];

/**
 * struct expr_node - a node of the tree
 * @at:      operands, as numbers of earlier nodes
 * @number:  (NUMBER) the constant
 * @literal: (LITERAL) which, see literal.h
 * @id:      (ID, SOURCE_COUNT, HAS_EVENT, STRCMP_CPUID) the name, escapes resolved
 * @column:  place in the text of its word: a name, a number, an operator, the call's name, "if"
 * @taken:   (IF) the operand that a constant has chosen, from 1; 0 for none; ids__collect() sets it
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
 * @at, @nr: nodes, operands before the nodes that use them, the root last. So a walk is a loop from
 *           0, and no text can make it recurse too deeply
 * @users:   how many owners it has; expr__get() and expr__free() change it
 */
struct expr {
	struct expr_node *at;
	int nr, cap;
	int users;
};

/**
 * expr__parse() - read an expression
 * @what: for messages, "metric tma_retiring"
 * @text: the expression; lowest to highest: a if c else b; |; ^; &; < >; - +; * / %; unary -;
 *        calls min max d_ratio source_count has_event strcmp_cpuid_str; #literal; numbers; ids
 * @out:  set on success; expr__free() it
 *
 * Grammar and words are those of perf 6.12, but characters without a meaning, which perf skips, are
 * an error. Nesting is limited, so that no text can overflow the stack.
 *
 * Return: 0; -EINVAL or, if it is nested too deeply, -E2BIG, with a caret.
 */
int expr__parse(const char *what, const char *text, struct expr **out, struct err *err);
/** expr__new() - make an expression without nodes, with one user. */
struct expr *expr__new(void);
/** expr__get() - add a user of @e; each user calls expr__free(). Return: @e. */
struct expr *expr__get(struct expr *e);
/** expr__free() - remove a user, and free it after the last; NULL is allowed. */
void expr__free(struct expr *e);

/** expr__operands() - count the entries of a node's at[] that are operands. */
static inline int expr__operands(const struct expr_node *n)
{
	if (n->op < EXPR_IF)
		return 0;
	return n->op == EXPR_IF ? 3 : n->op == EXPR_NEG ? 1 : 2;
}

/** expr_op__is_binary() - find out whether it is a sign between its two operands. */
bool expr_op__is_binary(enum expr_op op);

#endif
