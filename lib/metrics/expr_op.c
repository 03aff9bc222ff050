// SPDX-License-Identifier: GPL-2.0-only
/* The operators of metric expressions: how they are written, and what they compute. */
#include <math.h>
#include <stdint.h>

#include "metrics/expr.h"

const struct expr_shape expr_shapes[EXPR_NR_OPS] = {
	[EXPR_NUMBER] = { "", BINDS_ATOM, false },
	[EXPR_LITERAL] = { "#", BINDS_ATOM, false },
	[EXPR_ID] = { "", BINDS_ATOM, false },
	[EXPR_SOURCE_COUNT] = { "source_count", BINDS_ATOM, true },
	[EXPR_HAS_EVENT] = { "has_event", BINDS_ATOM, true },
	[EXPR_STRCMP_CPUID] = { "strcmp_cpuid_str", BINDS_ATOM, true },
	[EXPR_IF] = { "if", BINDS_IF, false },
	[EXPR_OR] = { "|", BINDS_OR, false },
	[EXPR_XOR] = { "^", BINDS_XOR, false },
	[EXPR_AND] = { "&", BINDS_AND, false },
	[EXPR_LESS] = { "<", BINDS_COMPARISON, false },
	[EXPR_GREATER] = { ">", BINDS_COMPARISON, false },
	[EXPR_SUB] = { "-", BINDS_SUM, false },
	[EXPR_ADD] = { "+", BINDS_SUM, false },
	[EXPR_MUL] = { "*", BINDS_PRODUCT, false },
	[EXPR_DIV] = { "/", BINDS_PRODUCT, false },
	[EXPR_MOD] = { "%", BINDS_PRODUCT, false },
	[EXPR_D_RATIO] = { "d_ratio", BINDS_ATOM, true },
	[EXPR_MIN] = { "min", BINDS_ATOM, true },
	[EXPR_MAX] = { "max", BINDS_ATOM, true },
	[EXPR_NEG] = { "-", BINDS_SIGN, false },
};

static bool is_zero(double x)
{
	return fpclassify(x) == FP_ZERO;
}

static double xor(double a, double b)
{
	if (isfinite(a) && isfinite(b))
		return is_zero(a) != is_zero(b);
	return NAN;
}

/* The remainder of the integer parts, where C defines both the conversion and the division. */
static double mod(double a, double b)
{
	const double limit = 9223372036854775808.0; /* 2^63 */
	int64_t whole;

	if (!(a >= -limit && a < limit && b >= -limit && b < limit))
		return NAN;
	whole = (int64_t)b;
	if (!whole)
		return NAN;
	/* The one quotient that does not fit is INT64_MIN / -1. */
	return whole == -1 ? 0 : (double)((int64_t)a % whole);
}

int expr__operands(const struct expr_node *n)
{
	if (!expr_op__is_operator(n->op))
		return 0;
	return n->op == EXPR_IF ? 3 : n->op == EXPR_NEG ? 1 : 2;
}

bool expr_op__is_binary(enum expr_op op)
{
	return op >= EXPR_OR && op <= EXPR_MOD;
}

bool expr_op__is_operator(enum expr_op op)
{
	return op >= EXPR_IF;
}

bool expr_op__decides(enum expr_op op, double value)
{
	return (op == EXPR_AND || op == EXPR_OR) && isfinite(value) &&
	       is_zero(value) == (op == EXPR_AND);
}

/* Of what is not finite, nothing is known: then the other side alone makes the value. */
static double logic(enum expr_op op, double a, double b)
{
	if (expr_op__decides(op, a) || expr_op__decides(op, b))
		return op == EXPR_OR;
	if (isfinite(a) && isfinite(b))
		return op == EXPR_AND;
	return isfinite(a) ? b : isfinite(b) ? a : NAN;
}

double expr_op__apply(enum expr_op op, double a, double b, double c)
{
	switch (op) {
	case EXPR_IF:
		return is_zero(b) ? c : a;
	case EXPR_OR:
	case EXPR_AND:
		return logic(op, a, b);
	case EXPR_XOR:
		return xor(a, b);
	case EXPR_LESS:
		return isunordered(a, b) ? NAN : a < b;
	case EXPR_GREATER:
		return isunordered(a, b) ? NAN : a > b;
	case EXPR_SUB:
		return a - b;
	case EXPR_ADD:
		return a + b;
	case EXPR_MUL:
		return a * b;
	case EXPR_DIV:
		return is_zero(b) ? NAN : a / b;
	case EXPR_MOD:
		return mod(a, b);
	case EXPR_D_RATIO:
		return is_zero(b) ? 0 : a / b;
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
