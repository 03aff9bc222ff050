/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Compute the operators of metric expressions. The functions are inline, as computing a row of
 * metrics spends most of its time here.
 */
#ifndef TMA_METRICS_EXPR_OP_H
#define TMA_METRICS_EXPR_OP_H

#include <math.h>
#include <stdbool.h>

#include "metrics/expr.h"

/** expr_op__xor() - compute ^; expr_op__mod() - compute the remainder of the integer parts. */
double expr_op__xor(double a, double b);
double expr_op__mod(double a, double b);

/**
 * expr_op__is_operator() - find out whether a node's value depends only on the values of its
 * operands.
 */
static inline bool expr_op__is_operator(enum expr_op op)
{
	return op >= EXPR_IF;
}

static inline bool expr_op__is_zero(double x)
{
	return fpclassify(x) == FP_ZERO;
}

/** expr_op__decides() - find out whether a value on one side decides the result of & or |. */
static inline bool expr_op__decides(enum expr_op op, double value)
{
	return (op == EXPR_AND || op == EXPR_OR) && isfinite(value) &&
	       expr_op__is_zero(value) == (op == EXPR_AND);
}

/* Compute & or |. If one side is not finite, the result depends only on the other side. */
static inline double expr_op__logic(enum expr_op op, double a, double b)
{
	if (expr_op__decides(op, a) || expr_op__decides(op, b))
		return op == EXPR_OR;
	if (isfinite(a) && isfinite(b))
		return op == EXPR_AND;
	return isfinite(a) ? b : isfinite(b) ? a : (double)NAN;
}

/**
 * expr_op__apply() - compute the value of an operator
 * @a, @b, @c: operands in the order of struct expr_node; operands that the operator does not have
 *         are ignored
 *
 * Results are as in perf 6.12: & | ^ are 1 or 0 and ignore values that are not finite. x / 0 is
 * NaN, and d_ratio(x, 0) is 0. min(NaN, x) is x, and min(x, NaN) is NaN. If the condition of an
 * "if" is NaN, the first branch is chosen. % uses the integer parts of its operands; it is NaN for
 * a divisor of 0, for NaN, and beyond 64 bits.
 */
static inline double expr_op__apply(enum expr_op op, double a, double b, double c)
{
	switch (op) {
	case EXPR_IF:
		return expr_op__is_zero(b) ? c : a;
	case EXPR_OR:
		return expr_op__logic(EXPR_OR, a, b);
	case EXPR_AND:
		return expr_op__logic(EXPR_AND, a, b);
	case EXPR_XOR:
		return expr_op__xor(a, b);
	case EXPR_LESS:
		return isunordered(a, b) ? (double)NAN : a < b;
	case EXPR_GREATER:
		return isunordered(a, b) ? (double)NAN : a > b;
	case EXPR_SUB:
		return a - b;
	case EXPR_ADD:
		return a + b;
	case EXPR_MUL:
		return a * b;
	case EXPR_DIV:
		return expr_op__is_zero(b) ? (double)NAN : a / b;
	case EXPR_MOD:
		return expr_op__mod(a, b);
	case EXPR_D_RATIO:
		return expr_op__is_zero(b) ? 0 : a / b;
	case EXPR_MIN:
		return a < b ? a : b;
	case EXPR_MAX:
		return a > b ? a : b;
	case EXPR_NEG:
		return -a;
	default:
		return NAN;
	}
}

#endif
