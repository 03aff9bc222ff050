// SPDX-License-Identifier: GPL-2.0-only
/*
 * Interval arithmetic. An infinite bound stands for values without limit, not for infinity itself:
 * so 0 times such a bound is 0, and 1 over it is 0.
 */
#include "metrics/range.h"

#include <math.h>

#define ROUNDING 1e-9 /* far more than is lost */

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

static double times(double a, double b)
{
	return a == 0 || b == 0 ? 0 : a * b;
}

/* a / b, where a divisor of 0 stands for those close to it, on the side of @sign. */
static double over(double a, double b, int sign)
{
	if (a == 0 || isinf(b))
		return 0;
	return b == 0 ? sign * a * INFINITY : a / b;
}

static struct range around(const double *values, int nr)
{
	struct range r = range__between(values[0], values[0]);

	for (int i = 1; i < nr; i++) {
		r.lo = fmin(r.lo, values[i]);
		r.hi = fmax(r.hi, values[i]);
	}
	return r;
}

static struct range add(const struct range *a, const struct range *b)
{
	return range__between(a->lo + b->lo, a->hi + b->hi);
}

static struct range negate(const struct range *a)
{
	return (struct range){ -a->hi, -a->lo, a->hi_open, a->lo_open, a->nan };
}

static struct range sub(const struct range *a, const struct range *b)
{
	struct range minus = negate(b);

	return add(a, &minus);
}

static struct range mul(const struct range *a, const struct range *b)
{
	const double products[] = { times(a->lo, b->lo), times(a->lo, b->hi), times(a->hi, b->lo),
				    times(a->hi, b->hi) };

	return around(products, 4);
}

/* What is left of the divisors without 0 is on one side of it, or nothing is known. */
static struct range divide(const struct range *a, const struct range *b)
{
	int sign = b->lo >= 0 ? 1 : -1;
	const double quotients[] = { over(a->lo, b->lo, sign), over(a->lo, b->hi, sign),
				     over(a->hi, b->lo, sign), over(a->hi, b->hi, sign) };

	if ((b->lo < 0 && b->hi > 0) || is_value(b, 0))
		return range__all();
	return around(quotients, 4);
}

static struct range hull(const struct range *a, const struct range *b)
{
	return range__between(fmin(a->lo, b->lo), fmax(a->hi, b->hi));
}

/* Where the first operand is missing, the value is the second; see expr_op__apply(). */
static struct range smaller(const struct range *a, const struct range *b)
{
	return range__between(fmin(a->lo, b->lo), a->nan ? b->hi : fmin(a->hi, b->hi));
}

static struct range larger(const struct range *a, const struct range *b)
{
	return range__between(a->nan ? b->lo : fmax(a->lo, b->lo), fmax(a->hi, b->hi));
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

static struct range compare(const struct range *less, const struct range *more)
{
	return truth(less->lo < more->hi, less->hi >= more->lo);
}

/* & and | of something missing give the other operand, whatever it is. */
static struct range logic(enum expr_op op, const struct range *a, const struct range *b)
{
	bool and = op == EXPR_AND;
	struct range both, r;

	r = and? truth(can_be_true(a) && can_be_true(b), can_be_false(a) || can_be_false(b)) :
		 truth(can_be_true(a) || can_be_true(b), can_be_false(a) && can_be_false(b));
	if (!a->nan && !b->nan)
		return r;
	both = hull(a, b);
	return hull(&r, &both);
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

static struct range remainder_of(const struct range *a)
{
	/* Of the dividend's sign and no larger. */
	return range__between(fmin(a->lo, 0), fmax(a->hi, 0));
}

struct range range__apply(enum expr_op op, const struct range *a, const struct range *b,
			  const struct range *c)
{
	struct range r = range__all(), zero = range__of(0);
	bool nan = a->nan || (b && b->nan);

	switch (op) {
	case EXPR_IF:
		return choose(a, b, c);
	case EXPR_OR:
	case EXPR_AND:
		r = logic(op, a, b);
		break;
	case EXPR_XOR:
		r = range__between(0, 1);
		break;
	case EXPR_LESS:
		r = compare(a, b);
		break;
	case EXPR_GREATER:
		r = compare(b, a);
		break;
	case EXPR_SUB:
		r = sub(a, b);
		break;
	case EXPR_ADD:
		r = add(a, b);
		break;
	case EXPR_MUL:
		r = mul(a, b);
		break;
	case EXPR_DIV:
		r = divide(a, b);
		nan |= can_be_false(b);
		break;
	case EXPR_D_RATIO:
		r = divide(a, b);
		if (is_value(b, 0))
			r = zero;
		else if (can_be_false(b))
			r = hull(&r, &zero);
		break;
	case EXPR_MOD:
		r = remainder_of(a);
		nan = true;
		break;
	case EXPR_MIN:
		r = smaller(a, b);
		break;
	case EXPR_MAX:
		r = larger(a, b);
		break;
	case EXPR_NEG:
		r = negate(a);
		break;
	default:
		break;
	}
	r.nan = nan;
	return r;
}

static struct range at_most(double hi)
{
	return range__between(-INFINITY, hi);
}

static struct range at_least(double lo)
{
	return range__between(lo, INFINITY);
}

static struct range solve(enum expr_op op, int which, const struct range *result,
			  const struct range *other, const struct range *self)
{
	switch (op) {
	case EXPR_ADD:
		return sub(result, other);
	case EXPR_SUB:
		return which ? sub(other, result) : add(result, other);
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
	case EXPR_MIN: /* whichever it is, the other one is not smaller, but may be missing */
		return which || !self->nan ? at_least(result->lo) : range__all();
	case EXPR_MAX:
		return which || !self->nan ? at_most(result->hi) : range__all();
	default:
		return range__all();
	}
}

struct range range__solve(enum expr_op op, int which, const struct range *result,
			  const struct range *other, const struct range *self)
{
	struct range r = solve(op, which, result, other, self);
	double size = fmax(isinf(other->lo) ? 0 : fabs(other->lo),
			   isinf(other->hi) ? 0 : fabs(other->hi));

	/* The result was rounded: what it came of may lie a little further out. */
	r.lo -= (fabs(r.lo) + size) * ROUNDING;
	r.hi += (fabs(r.hi) + size) * ROUNDING;
	return r;
}
