// SPDX-License-Identifier: GPL-2.0-only
/* Numbers to text: byte for byte what printf() writes. */
#include <math.h>

#include "report_fixture.h"

#define ROUNDS 200000

static uint64_t next(uint64_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return *state;
}

static void check_fixed(struct sb *sb, double value, int width, int decimals)
{
	char want[512];

	snprintf(want, sizeof(want), "%*.*f", width, decimals, value);
	sb__clear(sb);
	digits__fixed(sb, value, width, decimals, true);
	ck_assert_str_eq(sb__str(sb), want);
}

START_TEST(fixed_is_printf_for_odd_values)
{
	static const double values[] = {
		0,	1e-300,	    1e-7,	0.05,	   0.125,	0.25,	0.5,	  0.9995,
		-0.0,	0.999999,   0.9999995,	1.005,	   1.5,		2.5,	99.95,	  99.949999,
		-0.5,	123456.789, 1e9 - 1,	1e9,	   1e9 + 0.5,	1e15,	1e18,	  9e18,
		1e19,	1e300,	    -1e300,	INFINITY,  -INFINITY,	NAN,	999999999.9,
		4503599627370497.5,
	};
	struct sb sb = SB_INIT;

	for (size_t i = 0; i < sizeof(values) / sizeof(*values); i++)
		for (int decimals = 0; decimals <= 7; decimals++)
			for (int width = 0; width <= 18; width += 9)
				check_fixed(&sb, values[i], width, decimals);
	sb__free(&sb);
}
END_TEST

START_TEST(fixed_is_printf_at_random)
{
	struct sb sb = SB_INIT;
	uint64_t state = 88172645463325252;

	for (int i = 0; i < ROUNDS; i++) {
		int decimals = i % 7;
		double value = (int64_t)next(&state);

		value /= 1.0 + (next(&state) >> (i % 60));
		check_fixed(&sb, value, 8, decimals);
		/* Ties and what is next to them. */
		value = ((int64_t)(next(&state) >> 40) + 0.5) / pow(10, decimals);
		check_fixed(&sb, value, 0, decimals);
		check_fixed(&sb, nextafter(value, 0), 0, decimals);
		check_fixed(&sb, -nextafter(value, INFINITY), 0, decimals);
	}
	sb__free(&sb);
}
END_TEST

START_TEST(whole_numbers)
{
	static const uint64_t values[] = { 0, 1, 9, 10, 99999, UINT32_MAX, UINT64_MAX };
	struct sb sb = SB_INIT;
	char want[64];

	for (size_t i = 0; i < sizeof(values) / sizeof(*values); i++)
		for (int width = 0; width < 30; width += 4) {
			snprintf(want, sizeof(want), "%*llu", width, (unsigned long long)values[i]);
			sb__clear(&sb);
			digits__u64(&sb, values[i], width);
			ck_assert_str_eq(sb__str(&sb), want);
		}
	sb__free(&sb);
}
END_TEST

START_TEST(blanks_of_any_number)
{
	struct sb sb = SB_INIT;

	for (int nr = -1; nr < 300; nr++) {
		sb__clear(&sb);
		digits__blanks(&sb, nr);
		ck_assert_uint_eq(sb.len, nr < 0 ? 0 : nr);
		ck_assert_uint_eq(strspn(sb__str(&sb), " "), sb.len);
	}
	sb__free(&sb);
}
END_TEST

TMA_TEST_MAIN(report_digits, fixed_is_printf_for_odd_values, fixed_is_printf_at_random,
	      whole_numbers, blanks_of_any_number)
