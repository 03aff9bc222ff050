/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Find the range of an operator's values from the ranges of its operands, or the range of an
 * operand from the range of the operator's values.
 */
#ifndef TMA_METRICS_RANGE_H
#define TMA_METRICS_RANGE_H

#include <stdbool.h>

#include "metrics/expr.h"

/**
 * struct range - values between two bounds
 * @lo, @hi: bounds; infinite without a bound
 * @lo_open, @hi_open: the bound itself is not in the range
 * @nan:     the value may also be NaN (0 / 0); the other members do not describe NaN
 */
struct range {
	double lo, hi;
	bool lo_open, hi_open, nan;
};

/** range__all() - give the range of all values. */
struct range range__all(void);
/** range__of() - give the range of one value. */
struct range range__of(double value);
/** range__between() - give the range from @lo to @hi, both included. */
struct range range__between(double lo, double hi);
/** range__is_empty() - tell whether a range has no value. */
bool range__is_empty(const struct range *r);
/** range__has() - tell whether @value is in a range. */
bool range__has(const struct range *r, double value);
/**
 * range__meet() - remove from @r all values that are not in @with
 *
 * Return: whether @r has become smaller.
 */
bool range__meet(struct range *r, const struct range *with);

/**
 * range__apply() - return the range of an operator's values
 * @op: an operator (expr_op__is_operator())
 * @a, @b, @c: ranges of the operands, in the order of expr_op__apply()
 *
 * The range contains all values that expr_op__apply() can return for operands in these ranges. It
 * often contains other values, too, as operands are assumed not to depend on each other. Bounds
 * that rounding may have moved are a little wider.
 */
struct range range__apply(enum expr_op op, const struct range *a, const struct range *b,
			  const struct range *c);

/**
 * range__solve() - find the range of an operand from the range of the result
 * @op:     an operator of two operands
 * @which:  number of the operand, 0 or 1
 * @result: range of the result, which is not NaN
 * @other:  range of the other operand
 * @self:   known range of the operand
 *
 * Return: the new range of the operand; all values if none can be excluded.
 */
struct range range__solve(enum expr_op op, int which, const struct range *result,
			  const struct range *other, const struct range *self);

#endif
