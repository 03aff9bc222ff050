// SPDX-License-Identifier: GPL-2.0-only
/* The operators of metric expressions: how they are written, and what they compute. */
#include <math.h>
#include <stdint.h>

#include "metrics/expr_op.h"

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

double expr_op__xor(double a, double b)
{
	if (isfinite(a) && isfinite(b))
		return expr_op__is_zero(a) != expr_op__is_zero(b);
	return NAN;
}

/* C defines the conversion and the division only if the result fits. */
double expr_op__mod(double a, double b)
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

bool expr_op__is_binary(enum expr_op op)
{
	return op >= EXPR_OR && op <= EXPR_MOD;
}
