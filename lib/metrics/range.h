/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Find the range of an operator's values from those of its operands, and the other way round.
 */
#ifndef TMA_METRICS_RANGE_H
#define TMA_METRICS_RANGE_H

#include <stdbool.h>

#include "metrics/expr.h"

/**
 * struct range - values between two bounds
 * @lo, @hi: bounds, infinite where there is none
 * @lo_open, @hi_open: the bound itself is not among the values
 * @nan:     the value may also be missing (0 / 0); the other members are about the other values
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
 * range__meet() - leave in @r only what is in @with, too
 *
 * Return: whether it has become smaller.
 */
bool range__meet(struct range *r, const struct range *with);

/**
 * range__apply() - give the values an operator can have
 * @op: an operator (expr_op__is_operator())
 * @a, @b, @c: of its operands, as expr_op__apply() takes them
 *
 * All values that expr_op__apply() can give for operands in these ranges are in it; often others
 * too, since operands are taken not to depend on each other. Bounds which rounding may have moved
 * are a little wider.
 */
struct range range__apply(enum expr_op op, const struct range *a, const struct range *b,
			  const struct range *c);

/**
 * range__solve() - find the range of an operand from that of the result
 * @op:     an operator of two operands
 * @which:  the operand looked for, 0 or 1
 * @result: the result's values; it is not missing
 * @other:  the other operand's values
 * @self:   the operand's own values
 *
 * Return: its values; all values if none can be ruled out.
 */
struct range range__solve(enum expr_op op, int which, const struct range *result,
			  const struct range *other, const struct range *self);

#endif
