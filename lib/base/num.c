// SPDX-License-Identifier: GPL-2.0-only
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <locale.h>
#include <math.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/err.h"
#include "base/num.h"

#define DOUBLE_TEXT_MAX 64 /* longest number accepted, in bytes; sysfs scales have about 30 */

static int parse_whole(const char *what, const char *text, bool negative, unsigned long long *out,
		       struct err *err)
{
	const char *digits = text + negative;
	char *end;

	/* strtoull() accepts leading blanks and a second sign, but a count has neither. */
	if (!isdigit((unsigned char)*digits))
		return err__set(err, EINVAL, "%s: '%s' is not a number", what, text);

	/* 010 is ten, as in perf: a leading 0 has no meaning. */
	errno = 0;
	*out = strtoull(digits, &end, digits[0] == '0' && tolower(digits[1]) == 'x' ? 16 : 10);
	if (*end)
		return err__set(err, EINVAL, "%s: '%s' is not a number", what, text);
	return errno == ERANGE ? -ERANGE : 0;
}

int num__parse_u64(const char *what, const char *text, uint64_t min, uint64_t max, uint64_t *out,
		   struct err *err)
{
	bool negative = text[0] == '-' && isdigit((unsigned char)text[1]);
	unsigned long long n;
	int rc = parse_whole(what, text, negative, &n, err);

	if (rc == -EINVAL)
		return rc;
	if (negative)
		return err__set(err, EINVAL, "%s: %s must be at least %" PRIu64, what, text, min);
	if (rc || n < min || n > max)
		return err__set(err, ERANGE, "%s: %s is not between %" PRIu64 " and %" PRIu64, what,
				text, min, max);
	*out = n;
	return 0;
}

int num__parse_i64(const char *what, const char *text, int64_t min, int64_t max, int64_t *out,
		   struct err *err)
{
	bool negative = *text == '-';
	unsigned long long n;
	int rc = parse_whole(what, text, negative, &n, err);
	int64_t value;

	if (rc == -EINVAL)
		return rc;
	if (!rc && n > (unsigned long long)INT64_MAX)
		rc = -ERANGE;
	value = rc ? 0 : negative ? -(int64_t)n : (int64_t)n;
	if (rc || value < min || value > max)
		return err__set(err, ERANGE, "%s: %s is not between %" PRId64 " and %" PRId64, what,
				text, min, max);
	*out = value;
	return 0;
}

/* The locale is made once and kept for the life of the process: newlocale() reads files. */
static locale_t c_locale;

static void make_c_locale(void)
{
	c_locale = newlocale(LC_ALL_MASK, "C", (locale_t)0);
}

static double strtod_c(const char *text)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;

	pthread_once(&once, make_c_locale);
	return c_locale ? strtod_l(text, NULL, c_locale) : strtod(text, NULL);
}

/* Count the bytes of digits [. digits] [e [sign] digits], with a digit before the exponent. */
static int double_extent(const char *text)
{
	int n = 0, digits = 0, exp;

	for (; isdigit((unsigned char)text[n]); n++)
		digits++;
	if (text[n] == '.')
		for (n++; isdigit((unsigned char)text[n]); n++)
			digits++;
	if (!digits)
		return 0;
	if (text[n] == 'e' || text[n] == 'E') {
		exp = n + 1;
		if (text[exp] == '+' || text[exp] == '-')
			exp++;
		if (isdigit((unsigned char)text[exp])) {
			while (isdigit((unsigned char)text[exp]))
				exp++;
			n = exp;
		}
	}
	return n;
}

/*
 * Scan a number with few digits. A double holds such digits and a power of ten up to 10^22 exactly,
 * so that one multiplication or division rounds once, as strtod() does. Return: whether the number
 * is short enough.
 */
static bool scan_short(const char *text, int n, double *out)
{
	static const double powers[] = { 1e0,  1e1,  1e2,  1e3,	 1e4,  1e5,  1e6,  1e7,
					 1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
					 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22 };
	const int max = sizeof(powers) / sizeof(*powers) - 1;
	uint64_t digits = 0;
	int i = 0, fraction = 0, exponent = 0, sign = 1;
	bool point = false;

	for (; i < n && (isdigit((unsigned char)text[i]) || text[i] == '.'); i++) {
		if (text[i] == '.') {
			point = true;
			continue;
		}
		digits = digits * 10 + text[i] - '0';
		fraction += point;
		if (digits >= UINT64_C(1) << 53)
			return false;
	}
	if (i < n) {
		if (text[++i] == '-')
			sign = -1;
		for (i += text[i] == '-' || text[i] == '+'; i < n; i++)
			if ((exponent = exponent * 10 + text[i] - '0') > 2 * max)
				return false;
	}
	exponent = sign * exponent - fraction;
	if (exponent > max || exponent < -max)
		return false;
	*out = exponent < 0 ? digits / powers[-exponent] : digits * powers[exponent];
	return true;
}

int num__scan_double(const char *text, double *out)
{
	int n = double_extent(text);
	char copy[DOUBLE_TEXT_MAX];

	if (!n || n >= DOUBLE_TEXT_MAX)
		return 0;
	if (scan_short(text, n, out))
		return n;
	/* strtod() would also accept other forms, such as hexadecimal ("0x"). */
	memcpy(copy, text, n);
	copy[n] = '\0';
	*out = strtod_c(copy);
	return n;
}

int num__parse_double(const char *what, const char *text, double *out, struct err *err)
{
	bool negative = *text == '-';
	double value;
	int n = num__scan_double(text + negative, &value);

	if (!n || text[negative + n])
		return err__set(err, EINVAL, "%s: '%s' is not a number", what, text);
	if (isinf(value))
		return err__set(err, ERANGE, "%s: %s is too large", what, text);
	*out = negative ? -value : value;
	return 0;
}

static int digit_value(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	c |= 'a' - 'A';
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : 16;
}

int num__scan_u64(const char *text, int base, uint64_t *out)
{
	uint64_t n = 0;
	int len = 0;

	if (!base) {
		base = *text == '0' ? 8 : 10;
		if (text[0] == '0' && (text[1] == 'x' || text[1] == 'X') &&
		    digit_value(text[2]) < 16) {
			base = 16;
			len = 2;
		}
	}
	if (digit_value(text[len]) >= base)
		return 0;
	for (int digit; (digit = digit_value(text[len])) < base; len++)
		if (__builtin_mul_overflow(n, (uint64_t)base, &n) ||
		    __builtin_add_overflow(n, (uint64_t)digit, &n))
			return 0;
	*out = n;
	return len;
}

bool num__parse_time(const char *text, double *seconds)
{
	static const struct {
		const char *unit;
		double seconds;
	} units[] = {{"", 1}, {"s", 1}, {"ms", 1e-3}, {"m", 60}, {"h", 3600}};
	double value;
	int len = num__scan_double(text, &value);

	for (int i = 0; len && i < array__nr(units); i++) {
		if (strcmp(text + len, units[i].unit))
			continue;
		*seconds = value * units[i].seconds;
		return true;
	}
	return false;
}
