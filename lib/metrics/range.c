// SPDX-License-Identifier: GPL-2.0-only
/*
 * Interval arithmetic. An infinite bound means values without limit, but not infinity itself: so 0
 * times an infinite bound is 0, and 1 divided by it is 0.
 */
#include "metrics/range.h"

#include <math.h>

#define ROUNDING 1e-9 /* a relative error far above what rounding can cause */

struct range range__between(double lo, double hi)
{
	return (struct range){ .lo = lo, .hi = hi };
}

struct range range__all(void)
{
	return (struct range){ .lo = -INFINITY, .hi = INFINITY, .nan = true };
}

struct range range__of(double value)
{
	if (isnan(value))
		return range__all();
	return range__between(value, value);
}

bool range__is_empty(const struct range *r)
{
	return r->lo > r->hi || (r->lo == r->hi && (r->lo_open || r->hi_open));
}

bool range__has(const struct range *r, double value)
{
	if (value == r->lo && r->lo_open)
		return false;
	if (value == r->hi && r->hi_open)
		return false;
	return value >= r->lo && value <= r->hi;
}

bool range__meet(struct range *r, const struct range *with)
{
	bool changed = false;

	if (with->lo > r->lo || (with->lo == r->lo && with->lo_open && !r->lo_open)) {
		r->lo = with->lo;
		r->lo_open = with->lo_open;
		changed = true;
	}
	if (with->hi < r->hi || (with->hi == r->hi && with->hi_open && !r->hi_open)) {
		r->hi = with->hi;
		r->hi_open = with->hi_open;
		changed = true;
	}
	return changed;
}

static bool is_value(const struct range *r, double value)
{
	return r->lo == value && r->hi == value;
}

static double times(double a, double b, int sign)
{
	(void)sign;
	return a == 0 || b == 0 ? 0 : a * b;
}

/* Divide. A divisor of 0 means values close to 0 on the side of @sign. */
static double over(double a, double b, int sign)
{
	if (a == 0 || isinf(b))
		return 0;
	return b == 0 ? sign * a * INFINITY : a / b;
}

/* Return: the range between the smallest and the largest result for the bounds. */
static struct range around(double (*value_of)(double a, double b, int sign), const struct range *a,
			   const struct range *b)
{
	struct range r = range__between(INFINITY, -INFINITY);

	for (int i = 0; i < 4; i++) {
		double value = value_of(i < 2 ? a->lo : a->hi, i % 2 ? b->hi : b->lo,
					b->lo >= 0 ? 1 : -1);

		r.lo = fmin(r.lo, value);
		r.hi = fmax(r.hi, value);
	}
	return r;
}

static struct range range__add(const struct range *a, const struct range *b)
{
	return range__between(a->lo + b->lo, a->hi + b->hi);
}

static struct range sub(const struct range *a, const struct range *b)
{
	return range__between(a->lo - b->hi, a->hi - b->lo);
}

static struct range mul(const struct range *a, const struct range *b)
{
	return around(times, a, b);
}

/* Divide. If the divisors are on both sides of 0, any value is possible. */
static struct range divide(const struct range *a, const struct range *b)
{
	if ((b->lo < 0 && b->hi > 0) || is_value(b, 0))
		return range__all();
	return around(over, a, b);
}

static struct range hull(const struct range *a, const struct range *b)
{
	return range__between(fmin(a->lo, b->lo), fmax(a->hi, b->hi));
}

static struct range truth(bool can_be_true, bool can_be_false)
{
	return range__between(can_be_true && !can_be_false, can_be_true);
}

static bool can_be_true(const struct range *r)
{
	return !is_value(r, 0);
}

static bool can_be_false(const struct range *r)
{
	return range__has(r, 0);
}

static struct range less(const struct range *a, const struct range *b)
{
	return truth(a->lo < b->hi, a->hi >= b->lo);
}

/*
 * Return: the range of & or |. If one operand is NaN, the result is the other operand, whatever its
 * value.
 */
static struct range logic(const struct range *a, const struct range *b, bool can_be_true,
			  bool can_be_false)
{
	struct range r = truth(can_be_true, can_be_false), either = hull(a, b);

	return a->nan || b->nan ? hull(&r, &either) : r;
}

static struct range choose(const struct range *yes, const struct range *condition,
			   const struct range *no)
{
	struct range r;

	if (!can_be_false(condition))
		return *yes;
	if (is_value(condition, 0) && !condition->nan)
		return *no;
	r = hull(yes, no);
	r.nan = yes->nan || no->nan;
	return r;
}

static struct range d_ratio(const struct range *a, const struct range *b)
{
	struct range r = divide(a, b), zero = range__of(0);

	if (is_value(b, 0))
		return zero;
	return can_be_false(b) ? hull(&r, &zero) : r;
}

/*
 * Return: the range of an operator of two operands, neither of which is NaN; see expr_op__apply().
 */
static struct range binary(enum expr_op op, const struct range *a, const struct range *b)
{
	switch (op) {
	case EXPR_OR:
		return logic(a, b, can_be_true(a) || can_be_true(b),
			     can_be_false(a) && can_be_false(b));
	case EXPR_AND:
		return logic(a, b, can_be_true(a) && can_be_true(b),
			     can_be_false(a) || can_be_false(b));
	case EXPR_LESS:
		return less(a, b);
	case EXPR_GREATER:
		return less(b, a);
	case EXPR_SUB:
		return sub(a, b);
	case EXPR_ADD:
		return range__add(a, b);
	case EXPR_MUL:
		return mul(a, b);
	case EXPR_DIV:
		return divide(a, b);
	case EXPR_MOD: /* The result has the sign of the dividend, and is not larger than the
		        * dividend. */
		return range__between(fmin(a->lo, 0), fmax(a->hi, 0));
	case EXPR_D_RATIO:
		return d_ratio(a, b);
	/* If the first operand is NaN, min and max have the value of the second. */
	case EXPR_MIN:
		return range__between(fmin(a->lo, b->lo), a->nan ? b->hi : fmin(a->hi, b->hi));
	case EXPR_MAX:
		return range__between(a->nan ? b->lo : fmax(a->lo, b->lo), fmax(a->hi, b->hi));
	default: /* EXPR_XOR */
		return truth(true, true);
	}
}

struct range range__apply(enum expr_op op, const struct range *a, const struct range *b,
			  const struct range *c)
{
	struct range r;

	if (op == EXPR_IF)
		return choose(a, b, c);
	if (op == EXPR_NEG)
		return (struct range){ -a->hi, -a->lo, a->hi_open, a->lo_open, a->nan };
	r = binary(op, a, b);
	if (op == EXPR_DIV)
		r.nan = can_be_false(b);
	r.nan |= a->nan || b->nan || op == EXPR_MOD;
	return r;
}

static struct range range__solve_operand(enum expr_op op, int which, const struct range *result,
					 const struct range *other, const struct range *self)
{
	switch (op) {
	case EXPR_ADD:
		return sub(result, other);
	case EXPR_SUB:
		return which ? sub(other, result) : range__add(result, other);
	case EXPR_MUL:
		return range__has(other, 0) ? range__all() : divide(result, other);
	case EXPR_D_RATIO:
		if (range__has(result, 0))
			return range__all();
		/* fallthrough */
	case EXPR_DIV:
		if (!which)
			return mul(result, other);
		return range__has(result, 0) ? range__all() : divide(other, result);
	case EXPR_MIN: /* neither operand is smaller than the result, but one may be NaN */
		return which || !self->nan ? range__between(result->lo, INFINITY) : range__all();
	case EXPR_MAX:
		return which || !self->nan ? range__between(-INFINITY, result->hi) : range__all();
	default:
		return range__all();
	}
}

struct range range__solve(enum expr_op op, int which, const struct range *result,
			  const struct range *other, const struct range *self)
{
	struct range r = range__solve_operand(op, which, result, other, self);
	double size = fmax(isinf(other->lo) ? 0 : fabs(other->lo),
			   isinf(other->hi) ? 0 : fabs(other->hi));

	/* The result was rounded: the exact operand may be a little outside of the range. */
	r.lo -= (fabs(r.lo) + size) * ROUNDING;
	r.hi += (fabs(r.hi) + size) * ROUNDING;
	return r;
}
