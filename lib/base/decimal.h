/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Texts of numbers come in; numbers, which are integers as long as they can be, and shortest texts
 * come out.
 */
#ifndef TMA_BASE_DECIMAL_H
#define TMA_BASE_DECIMAL_H

#include <stdbool.h>
#include <stdint.h>

struct sb;

/**
 * struct decimal - a constant
 * @is_int: it is the integer @i, else the double @d
 *
 * Integers stay exact as long as they fit; a division always gives a double.
 */
struct decimal {
	bool is_int;
	int64_t i;
	double d;
};

/** decimal__value() - give the constant as a double. */
double decimal__value(const struct decimal *n);
/** decimal__is() - tell whether it equals a small integer. */
bool decimal__is(const struct decimal *n, int value);
/** decimal__equal() - tell whether both are the same number, whatever their kind. */
bool decimal__equal(const struct decimal *a, const struct decimal *b);
/** decimal__negate() - change the sign. */
void decimal__negate(struct decimal *n);
/**
 * decimal__scan() - read digits, an optional '.', an optional exponent
 * @out: an integer when there is neither of the latter and it fits 63 bits
 *
 * Return: bytes read, 0 when @text does not begin with a number.
 */
int decimal__scan(const char *text, struct decimal *out);
/**
 * decimal__compute() - apply an operator of the expression language
 * @op: one of | ^ & < > + - * / %
 *
 * Return: 0, or -EINVAL when it has no value (division by zero, bits of a fraction).
 */
int decimal__compute(char op, const struct decimal *a, const struct decimal *b,
		     struct decimal *out);
/**
 * decimal__print() - append it as kernel's tables write it
 *
 * The digits are the fewest that read back as the same double; from 1000 on, trailing zeros become
 * an exponent which is a multiple of three ("1e9", "1.5e3"), as do numbers below 0.000001.
 */
void decimal__print(const struct decimal *n, struct sb *sb);

#endif
