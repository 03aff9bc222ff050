// SPDX-License-Identifier: GPL-2.0-only
#include <langinfo.h>
#include <string.h>

#include "base/fixed.h"
#include "base/sb.h"

#define DIGITS_MAX 9   /* a mantissa times ten to this power fits 128 bits */
#define U64_DIGITS 20

/* Layout of a double. */
#define MANTISSA_BITS 52
#define EXPONENT_MASK 0x7ff
#define EXPONENT_BIAS 1075 /* bias of the exponent if the mantissa is read as an integer */

static const uint64_t powers[DIGITS_MAX + 1] = {
	1, 10, 100, 1000, 10000, 100000, 1000000, 10000000, 100000000, 1000000000,
};

/*
 * Shift to the right and round as printf() does: to the nearest number, and a half to the even one.
 */
static unsigned __int128 round_shift(unsigned __int128 n, int shift)
{
	unsigned __int128 half, rest, quotient;

	/* A mantissa times 10^9 has at most 83 bits, so less than a half remains. */
	if (shift > 84)
		return 0;
	half = (unsigned __int128)1 << (shift - 1);
	rest = n & (2 * half - 1);
	quotient = n >> shift;
	return quotient + (rest > half || (rest == half && (quotient & 1)));
}

/* Compute the magnitude times 10 ** @digits as an integer. Return: whether it fits. */
static bool scale(double value, int digits, uint64_t *out)
{
	unsigned __int128 n;
	uint64_t bits;
	int exponent, shift;

	memcpy(&bits, &value, sizeof(bits));
	exponent = bits >> MANTISSA_BITS & EXPONENT_MASK;
	if (exponent == EXPONENT_MASK)
		return false;
	n = bits & ((1ULL << MANTISSA_BITS) - 1);
	if (exponent)
		n |= 1ULL << MANTISSA_BITS;
	n *= powers[digits];
	shift = (exponent ? exponent : 1) - EXPONENT_BIAS;
	if (shift > 64 - MANTISSA_BITS)
		return false;
	n = shift < 0 ? round_shift(n, -shift) : n << shift;
	*out = n;
	return n <= UINT64_MAX;
}

/* Write digits from right to left, so that they end at @end. Return: where they begin. */
static char *put_digits(char *end, uint64_t value, int width)
{
	char *at = end;

	while (value || at > end - width) {
		*--at = '0' + value % 10;
		value /= 10;
	}
	return at;
}

void fixed__print_u64(struct sb *sb, uint64_t value, int width)
{
	char text[U64_DIGITS], *end = text + sizeof(text);
	char *at = put_digits(end, value, width ? width : 1);

	sb__add(sb, at, end - at);
}

void fixed__print(struct sb *sb, double value, int digits, bool grouped)
{
	char text[U64_DIGITS];
	uint64_t n;

	if (digits > DIGITS_MAX || (grouped && *nl_langinfo(THOUSEP)) ||
	    !scale(value, digits, &n)) {
		sb__printf(sb, grouped ? "%'.*f" : "%.*f", digits, value);
		return;
	}
	if (__builtin_signbit(value))
		sb__putc(sb, '-');
	fixed__print_u64(sb, n / powers[digits], 1);
	if (!digits)
		return;
	put_digits(text + digits, n % powers[digits], digits);
	sb__puts(sb, nl_langinfo(RADIXCHAR));
	sb__add(sb, text, digits);
}
