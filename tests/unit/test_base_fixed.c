// SPDX-License-Identifier: GPL-2.0-only
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/fixed.h"
#include "base/sb.h"
#include "locale_fixture.h"
#include "unit.h"

/* Check that the text is the same as printf()'s. */
static void same(double value, int digits, bool grouped)
{
	struct sb sb = SB_INIT;
	char text[400];

	snprintf(text, sizeof(text), grouped ? "%'.*f" : "%.*f", digits, value);
	fixed__print(&sb, value, digits, grouped);
	ck_assert_msg(!strcmp(sb__str(&sb), text), "%a with %d digits: '%s', printf() has '%s'",
		      value, digits, sb__str(&sb), text);
	sb__free(&sb);
}

static void same_always(double value)
{
	for (int digits = 0; digits <= 9; digits++) {
		same(value, digits, false);
		same(-value, digits, true);
	}
}

static uint64_t random_bits(uint64_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return *state;
}

static void same_near(double value)
{
	same_always(value);
	same_always(nextafter(value, 0));
	same_always(nextafter(value, INFINITY));
}

START_TEST(bounds_and_ties)
{
	static const double values[] = {
		0, 0x1p-1074, 0x1p-1022, 0x1p-85, 0x1p-84, 0x1p-83, 0x1p-30, 0x1p52, 0x1p53,
		0x1p63, 0x1p64, 18446744073.709551615, 1e300, INFINITY, NAN, 0.5, 1.5, 2.5, 0.05,
		0.15, 0.25, 0.125, 0.375, 0.999999999, 0.9999999995, 9.5, 99.5, 999.95, 1e9, 1e10,
		1e15, 1e19, 2e19,
	};

	for (size_t i = 0; i < sizeof(values) / sizeof(*values); i++)
		same_near(values[i]);
}
END_TEST

/* Doubles with all exponents, and numbers of the size that tma prints. */
START_TEST(any_double)
{
	uint64_t state = 88172645463325252ULL, bits;
	double value;

	for (int i = 0; i < 20000; i++) {
		bits = random_bits(&state);
		memcpy(&value, &bits, sizeof(value));
		if (!isnan(value))
			same_always(value);
		same_always((double)(bits >> 20) / (1u << (i & 31)));
		same_always((bits % 200000) / 2000.0);
	}
}
END_TEST

START_TEST(the_locale_sets_point_and_separators)
{
	if (!set_locale_of("de_DE"))
		printf("SKIP the_locale_sets_point_and_separators: needs localedef with de_DE (package locales)\n");
	same_always(1234567.891);
	setlocale(LC_ALL, "C");
}
END_TEST

START_TEST(integers)
{
	static const uint64_t values[] = { 0, 9, 10, 99, 123456789, UINT64_MAX };
	struct sb sb = SB_INIT;
	char text[32];

	for (size_t i = 0; i < sizeof(values) / sizeof(*values); i++)
		for (int width = 0; width <= 20; width++) {
			sb__clear(&sb);
			snprintf(text, sizeof(text), "%0*" PRIu64, width, values[i]);
			fixed__print_u64(&sb, values[i], width);
			ck_assert_str_eq(sb__str(&sb), text);
		}
	sb__free(&sb);
}
END_TEST

TMA_TEST_MAIN(base_fixed, bounds_and_ties, any_double, the_locale_sets_point_and_separators,
	      integers)
