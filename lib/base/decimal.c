// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/decimal.h"
#include "base/num.h"
#include "base/sb.h"

#define DIGITS_MAX 24 /* digits of an int64_t; a double has at most 17 */

double decimal__value(const struct decimal *n)
{
	return n->is_int ? (double)n->i : n->d;
}

bool decimal__is(const struct decimal *n, int value)
{
	return n->is_int ? n->i == value : n->d == value;
}

bool decimal__equal(const struct decimal *a, const struct decimal *b)
{
	if (a->is_int && b->is_int)
		return a->i == b->i;
	return decimal__value(a) == decimal__value(b);
}

int decimal__scan(const char *text, struct decimal *out)
{
	int n = num__scan_double(text, &out->d), zeros;
	int digits = strspn(text, "0123456789");
	uint64_t whole = 0;

	if (!n || !isfinite(out->d))
		return 0;
	out->is_int = false;
	if (n != digits)
		return n;
	/* A leading zero does not mean octal. */
	zeros = strspn(text, "0");
	digits -= zeros;
	if (!digits || (num__scan_u64(text + zeros, 0, &whole) == digits && whole <= INT64_MAX)) {
		out->is_int = true;
		out->i = whole;
	}
	return n;
}

static struct decimal of_int(int64_t i)
{
	return (struct decimal){ .is_int = true, .i = i };
}

static struct decimal of_double(double d)
{
	return (struct decimal){ .d = d };
}

void decimal__negate(struct decimal *n)
{
	double d = -decimal__value(n);
	int64_t r;

	/* The smallest integer has no positive counterpart. */
	if (n->is_int && !__builtin_sub_overflow(0, n->i, &r))
		*n = of_int(r);
	else
		*n = of_double(d);
}

/* Set @out to a double. Return: -EINVAL if it is infinite or NaN, which cannot be printed. */
static int set_finite(double d, struct decimal *out)
{
	*out = of_double(d);
	return isfinite(d) ? 0 : -EINVAL;
}

/* Integer results that overflow become doubles. */
static int compute_ints(char op, int64_t a, int64_t b, struct decimal *out)
{
	int64_t r;

	switch (op) {
	case '|':
		*out = of_int(a | b);
		return 0;
	case '^':
		*out = of_int(a ^ b);
		return 0;
	case '&':
		*out = of_int(a & b);
		return 0;
	case '+':
		*out = __builtin_add_overflow(a, b, &r) ? of_double((double)a + b) : of_int(r);
		return 0;
	case '-':
		*out = __builtin_sub_overflow(a, b, &r) ? of_double((double)a - b) : of_int(r);
		return 0;
	case '*':
		*out = __builtin_mul_overflow(a, b, &r) ? of_double((double)a * b) : of_int(r);
		return 0;
	default: /* % */
		if (b == 0 || b == -1) {
			*out = of_int(0);
			return b ? 0 : -EINVAL;
		}
		r = a % b;
		/*
		 * Python's remainder has the sign of the divisor; C's remainder has the sign of the
		 * dividend.
		 */
		*out = of_int(r && (r < 0) != (b < 0) ? r + b : r);
		return 0;
	}
}

static double remainder_of(double x, double y)
{
	double r = fmod(x, y);

	return r != 0 && (r < 0) != (y < 0) ? r + y : r;
}

int decimal__compute(char op, const struct decimal *a, const struct decimal *b, struct decimal *out)
{
	double x = decimal__value(a), y = decimal__value(b);

	if (op == '<' || op == '>') {
		*out = of_int(op == '<' ? x < y : x > y);
		return 0;
	}
	if (op == '/')
		return set_finite(x / y, out);
	if (a->is_int && b->is_int)
		return compute_ints(op, a->i, b->i, out);
	switch (op) {
	case '+':
		return set_finite(x + y, out);
	case '-':
		return set_finite(x - y, out);
	case '*':
		return set_finite(x * y, out);
	case '%':
		return set_finite(remainder_of(x, y), out);
	default:
		return -EINVAL;
	}
}

/* Write the digits without trailing zeros, so that the number is 0.DIGITS times 10 ** *@point. */
static void decimal__digits_of(const struct decimal *n, char *digits, int *point)
{
	char text[DIGITS_MAX + 8];
	int used = 0;

	if (n->is_int) {
		*point = snprintf(digits, DIGITS_MAX, "%" PRIu64,
				  n->i < 0 ? -(uint64_t)n->i : (uint64_t)n->i);
		used = *point;
	} else {
		for (int prec = 0; prec < 17; prec++) {
			snprintf(text, sizeof(text), "%.*e", prec, fabs(n->d));
			if (strtod(text, NULL) == fabs(n->d))
				break;
		}
		*point = (int)strtol(strchr(text, 'e') + 1, NULL, 10) + 1;
		for (const char *p = text; *p != 'e'; p++)
			if (*p != '.')
				digits[used++] = *p;
	}
	while (used > 1 && digits[used - 1] == '0')
		used--;
	digits[used] = '\0';
}

void decimal__print(const struct decimal *n, struct sb *sb)
{
	char digits[DIGITS_MAX];
	int point, nr, before;

	if (n->is_int ? n->i < 0 : signbit(n->d))
		sb__putc(sb, '-');
	if (decimal__is(n, 0)) {
		sb__putc(sb, '0');
		return;
	}
	decimal__digits_of(n, digits, &point);
	nr = strlen(digits);
	/*
	 * Print all digits before the point, or one to three digits and an exponent that is a
	 * multiple of 3.
	 */
	before = point <= nr && point > -6 ? point : ((point - 1) % 3 + 3) % 3 + 1;

	if (before <= 0)
		sb__puts(sb, "0.");
	for (int i = before; i < 0; i++)
		sb__putc(sb, '0');
	for (int i = 0; i < nr || i < before; i++) {
		if (i == before && i)
			sb__putc(sb, '.');
		sb__putc(sb, i < nr ? digits[i] : '0');
	}
	if (before > 0 && point != before)
		sb__printf(sb, "e%d", point - before);
}
