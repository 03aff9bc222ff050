// SPDX-License-Identifier: GPL-2.0-only
/*
 * Numbers to text as printf() writes them, without its cost: a row is little else.
 *
 * What cannot be rounded with certainty here, and what the locale writes in its own way, is left to
 * printf().
 */
#include <math.h>
#include <string.h>

#include "report/internal.h"

#define MOST_DIGITS 24 /* of 64 bits, a point and a sign */
#define MOST_DECIMALS 6
/* Up to here the product of a value and a power of ten is off by less than DOUBT. */
#define MOST_SCALED 1e9
#define DOUBT 1e-6
#define MOST_WHOLE 9e18

static const uint32_t powers[MOST_DECIMALS + 1] = { 1, 10, 100, 1000, 10000, 100000, 1000000 };

void digits__blanks(struct sb *sb, int nr)
{
	static const char blanks[] = "                                                                ";
	const int most = sizeof(blanks) - 1;

	for (; nr > most; nr -= most)
		sb__add(sb, blanks, most);
	if (nr > 0)
		sb__add(sb, blanks, nr);
}

/* Writes backwards from @end, at least @least digits. Return: the first digit. */
static char *write_u64(char *end, uint64_t value, int least)
{
	for (; value || least > 0; value /= 10, least--)
		*--end = '0' + value % 10;
	return end;
}

static void add_right(struct sb *sb, const char *start, const char *end, int width)
{
	digits__blanks(sb, width - (int)(end - start));
	sb__add(sb, start, end - start);
}

/* "%*lu" */
void digits__u64(struct sb *sb, uint64_t value, int width)
{
	char buf[MOST_DIGITS], *end = buf + sizeof(buf);

	add_right(sb, write_u64(end, value, 1), end, width);
}

/* Splits into whole and decimals as "%.*f" rounds. Return: whether that is certain. */
static bool split(double value, int decimals, uint64_t *whole, uint64_t *rest)
{
	double scaled, below;
	uint64_t n;

	if (value == floor(value) && value < MOST_WHOLE) {
		*whole = value;
		*rest = 0;
		return true;
	}
	scaled = value * powers[decimals];
	if (!(scaled < MOST_SCALED)) /* nor NaN */
		return false;
	below = floor(scaled);
	if (fabs(scaled - below - 0.5) < DOUBT)
		return false;
	n = (uint64_t)below + (scaled - below > 0.5);
	*whole = n / powers[decimals];
	*rest = n % powers[decimals];
	return true;
}

/* "%*.*f" in the locale of the format; @plain: it writes a point, and no groups of digits. */
void digits__fixed(struct sb *sb, double value, int width, int decimals, bool plain)
{
	char buf[2 * MOST_DIGITS], *end = buf + sizeof(buf), *start;
	uint64_t whole, rest;

	if (!plain || decimals > MOST_DECIMALS || !split(fabs(value), decimals, &whole, &rest)) {
		sb__printf(sb, "%*.*f", width, decimals, value);
		return;
	}
	start = write_u64(end, rest, decimals);
	if (decimals)
		*--start = '.';
	start = write_u64(start, whole, 1);
	if (signbit(value))
		*--start = '-';
	add_right(sb, start, end, width);
}
