// SPDX-License-Identifier: GPL-2.0-only
#include <math.h>
#include <string.h>

#include "count/latency.h"
#include "unit.h"

static uint64_t cells[3][LATENCY_CELLS];

static void with_cells(struct latency *l, int nr)
{
	for (int i = 0; i < nr; i++) {
		l[i] = (struct latency){ .cells = cells[i] };
		latency__clear(&l[i]);
	}
}

START_TEST(nothing_sampled_is_no_number)
{
	struct latency l = { .nr = 0 };

	for (int mode = 0; mode < LATENCY_NR_MODES; mode++)
		ck_assert(isnan(latency__value(&l, mode)));
	latency__add(&l, 7, 1, 1);
	ck_assert(isnan(latency__value(&l, LATENCY_P50)));
	ck_assert_double_eq(latency__value(&l, LATENCY_MEAN), 7);
}
END_TEST

START_TEST(mean_is_of_events_and_not_of_samples)
{
	struct latency l = { .nr = 0 };

	latency__add(&l, 10, 900, 1);
	latency__add(&l, 100, 100, 2);
	ck_assert_double_eq(latency__value(&l, LATENCY_MEAN), 19);
	ck_assert_uint_eq(l.nr, 2);
}
END_TEST

START_TEST(every_mode_has_its_value)
{
	struct latency l;

	with_cells(&l, 1);
	for (int i = 1; i <= 100; i++)
		latency__add(&l, i, 1, i);
	latency__add(&l, 40, 0, 1000);
	ck_assert_double_eq(latency__value(&l, LATENCY_MIN), 1);
	ck_assert_double_eq(latency__value(&l, LATENCY_MAX), 100);
	ck_assert_double_eq(latency__value(&l, LATENCY_LAST), 40);
	ck_assert_double_eq(latency__value(&l, LATENCY_P50), 50);
	ck_assert_double_eq(latency__value(&l, LATENCY_P95), 95);
}
END_TEST

START_TEST(large_latencies_are_off_by_less_than_a_fifth_of_a_percent)
{
	struct latency l;

	for (unsigned int cycles = 1; cycles <= UINT16_MAX; cycles++) {
		double off;

		with_cells(&l, 1);
		l.nr = l.weight = 0;
		latency__add(&l, cycles, 3, 1);
		off = latency__value(&l, LATENCY_MAX) - cycles;
		ck_assert_double_le(fabs(off), 0.002 * cycles);
		ck_assert_double_eq(latency__value(&l, LATENCY_MIN),
				    latency__value(&l, LATENCY_MAX));
	}
}
END_TEST

START_TEST(difference_is_what_came_in_between)
{
	struct latency l[3];

	with_cells(l, 3);
	latency__add(&l[0], 5, 1, 1);
	latency__add(&l[1], 5, 1, 1);
	latency__add(&l[1], 30, 2, 2);
	latency__delta(&l[1], &l[0], &l[2]);
	ck_assert_uint_eq(l[2].nr, 1);
	ck_assert_double_eq(latency__value(&l[2], LATENCY_MEAN), 30);
	ck_assert_double_eq(latency__value(&l[2], LATENCY_MIN), 30);
	latency__delta(&l[1], &l[1], &l[2]);
	ck_assert(isnan(latency__value(&l[2], LATENCY_LAST)));
}
END_TEST

START_TEST(two_cpus_are_merged_sample_by_sample)
{
	struct latency l[2];

	with_cells(l, 2);
	latency__add(&l[0], 8, 1, 50);
	latency__add(&l[1], 2, 3, 40);
	latency__merge(&l[0], &l[1]);
	ck_assert_double_eq(latency__value(&l[0], LATENCY_MEAN), 3.5);
	ck_assert_double_eq(latency__value(&l[0], LATENCY_LAST), 8);
	ck_assert_double_eq(latency__value(&l[0], LATENCY_P50), 2);
}
END_TEST

START_TEST(modes_have_names)
{
	static const char *const names[] = { "mean", "min", "max", "last", "p50", "p95" };

	for (int mode = 0; mode < LATENCY_NR_MODES; mode++)
		ck_assert_int_eq(latency_mode__find(names[mode]), mode);
	ck_assert_int_eq(latency_mode__find("median"), -1);
}
END_TEST

TMA_TEST_MAIN(count_latency, nothing_sampled_is_no_number, mean_is_of_events_and_not_of_samples,
	   every_mode_has_its_value, large_latencies_are_off_by_less_than_a_fifth_of_a_percent,
	   difference_is_what_came_in_between, two_cpus_are_merged_sample_by_sample,
	   modes_have_names)
