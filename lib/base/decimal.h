/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Decimal numbers that stay integers as long as possible: they are read from text, computed, and
 * printed as the shortest text.
 */
#ifndef TMA_BASE_DECIMAL_H
#define TMA_BASE_DECIMAL_H

#include <stdbool.h>
#include <stdint.h>

struct sb;

/**
 * struct decimal - a number
 * @is_int: the number is the integer @i, else the double @d
 *
 * Integers stay exact as long as they fit; a division always gives a double.
 */
struct decimal {
	bool is_int;
	int64_t i;
	double d;
};

/** decimal__value() - return the number as a double. */
double decimal__value(const struct decimal *n);
/** decimal__is() - tell whether the number equals a small integer. */
bool decimal__is(const struct decimal *n, int value);
/** decimal__equal() - tell whether two numbers are equal, be they integers or doubles. */
bool decimal__equal(const struct decimal *a, const struct decimal *b);
/** decimal__negate() - change the sign. */
void decimal__negate(struct decimal *n);
/**
 * decimal__scan() - parse digits, an optional '.', an optional exponent
 * @out: set to an integer if the text is only digits and fits 63 bits, else to a double
 *
 * Return: bytes read, 0 when @text does not begin with a number.
 */
int decimal__scan(const char *text, struct decimal *out);
/**
 * decimal__compute() - apply an operator of the expression language
 * @op: one of | ^ & < > + - * / %
 *
 * Return: 0, or -EINVAL if the result is not a number (division by zero) or @op needs integers
 * (bits of a fraction).
 */
int decimal__compute(char op, const struct decimal *a, const struct decimal *b,
		     struct decimal *out);
/**
 * decimal__print() - append a number as the kernel's event tables write it
 *
 * The number has the fewest digits that are read back as the same double. Numbers from 1000 on that
 * end in zeros have an exponent that is a multiple of three ("1e9", "1.5e3"). Numbers below
 * 0.000001 have such an exponent, too.
 */
void decimal__print(const struct decimal *n, struct sb *sb);

#endif
