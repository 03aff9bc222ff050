// SPDX-License-Identifier: GPL-2.0-only
/* What the operators of metric expressions compute. */
#include <math.h>
#include <stdint.h>

#include "metrics/expr.h"

static bool is_zero(double x)
{
	return fpclassify(x) == FP_ZERO;
}

static double or(double a, double b)
{
	if (isfinite(a) && isfinite(b))
		return !is_zero(a) || !is_zero(b);
	if (isfinite(a))
		return is_zero(a) ? b : 1;
	if (isfinite(b))
		return is_zero(b) ? a : 1;
	return NAN;
}

static double and(double a, double b)
{
	if (isfinite(a) && isfinite(b))
		return !is_zero(a) && !is_zero(b);
	if (isfinite(a))
		return is_zero(a) ? 0 : b;
	if (isfinite(b))
		return is_zero(b) ? 0 : a;
	return NAN;
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

bool expr_op__is_operator(enum expr_op op)
{
	return op >= EXPR_IF;
}

double expr_op__apply(enum expr_op op, double a, double b, double c)
{
	bool nan = isnan(a) || isnan(b);

	switch (op) {
	case EXPR_IF:
		return is_zero(b) ? c : a;
	case EXPR_OR:
		return or(a, b);
	case EXPR_XOR:
		return xor(a, b);
	case EXPR_AND:
		return and(a, b);
	case EXPR_LESS:
		return nan ? NAN : a < b;
	case EXPR_GREATER:
		return nan ? NAN : a > b;
	case EXPR_SUB:
		return nan ? NAN : a - b;
	case EXPR_ADD:
		return nan ? NAN : a + b;
	case EXPR_MUL:
		return nan ? NAN : a * b;
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
