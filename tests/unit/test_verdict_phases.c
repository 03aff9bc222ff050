// SPDX-License-Identifier: GPL-2.0-only
/* Phases of made-up runs: the phases that are found are compared with those that were put in. */
#include <math.h>
#include <stdio.h>
#include <time.h>

#include "base/xalloc.h"
#include "verdict/phases.h"
#include "unit.h"

#define VALUES 4
#define LEAST 2
#define NS_PER_S 1000000000ULL

static struct phases phases;
static struct arena memory;
static uint64_t seed;

static double uniform(void)
{
	seed = seed * 6364136223846793005ULL + 1442695040888963407ULL;
	return (seed >> 11) * 0x1p-53;
}

static double normal(void)
{
	double radius = sqrt(-2 * log(1 - uniform()));

	return radius * cos(2 * M_PI * uniform());
}

static void begin(uint64_t number)
{
	seed = number * 977 + 13;
	uniform();
	phases__init(&phases, VALUES, VALUES, LEAST, &memory);
}

/* Make rows of one second. In each, the first value is @first, and the last value is the rest. */
static void add(int rows, double first, double noise)
{
	static uint64_t now;

	now = phases.nr ? now : 0;
	for (int i = 0; i < rows; i++, now += NS_PER_S) {
		double row[VALUES] = {first + noise * normal(), 10 + noise * normal(),
				      8 + noise * normal()};

		row[3] = 100 - row[0] - row[1] - row[2];
		phases__add(&phases, now, now + NS_PER_S, row);
	}
}

START_TEST(a_run_that_changes_has_two_phases)
{
	int starts[PHASES_MOST];

	begin(1);
	add(8, 40, 1);
	add(9, 70, 1);
	ck_assert_int_eq(phases__find(&phases, starts), 2);
	ck_assert_int_eq(starts[1], 8);
	ck_assert(fabs(phases__mean(&phases, 0, 0, 8) - 40) < 1.5);
	ck_assert(fabs(phases__mean(&phases, 0, 8, 17) - 70) < 1.5);
	arena__free(&memory);
}
END_TEST

START_TEST(no_rows_are_no_phase_and_few_are_one)
{
	int starts[PHASES_MOST];

	begin(1);
	ck_assert_int_eq(phases__find(&phases, starts), 0);
	add(1, 40, 1);
	add(1, 90, 1);
	ck_assert_int_eq(phases__find(&phases, starts), 1);
	ck_assert_int_eq(starts[0], 0);
	arena__free(&memory);
}
END_TEST

/* A change is reported for at most one in twenty runs that have none. */
START_TEST(what_stays_the_same_has_one_phase)
{
	int starts[PHASES_MOST], alarms = 0;

	for (int i = 0; i < 200; i++) {
		begin(i);
		add(10 + i * 2, 45, 0.5 + i % 8);
		alarms += phases__find(&phases, starts) > 1;
		arena__free(&memory);
	}
	printf("# %d of 200 runs that stay the same have changes\n", alarms);
	ck_assert_int_le(alarms, 10);
}
END_TEST

static bool is_told(const int *starts, int nr, int at, int within)
{
	for (int i = 1; i < nr; i++)
		if (starts[i] >= at - within && starts[i] <= at + within)
			return true;
	return false;
}

/* Changes of four times the noise are found, and nothing else. */
START_TEST(injected_changes_are_found)
{
	int starts[PHASES_MOST], injected = 0, told = 0, found = 0;

	for (int i = 0; i < 200; i++) {
		int changes = 1 + i % 4, at[4], rows = 0, nr;
		double value = 40;

		begin(1000 + i);
		for (int c = 0; c <= changes; c++) {
			int length = 8 + (int)(uniform() * 60);

			add(length, value, 1 + i % 3);
			rows += length;
			if (c < changes)
				at[c] = rows;
			value += (value > 45 ? -1 : 1) * (1 + i % 3) * (4 + 4 * uniform());
		}
		nr = phases__find(&phases, starts);
		injected += changes;
		told += nr - 1;
		for (int c = 0; c < changes; c++)
			found += is_told(starts, nr, at[c], 1);
		arena__free(&memory);
	}
	printf("# of %d injected changes %d are found, %d others told\n", injected, found,
	       told - found);
	ck_assert_int_ge(found, injected * 95 / 100);
	ck_assert_int_le(told - found, injected * 5 / 100);
}
END_TEST

START_TEST(a_short_phase_in_a_long_run_is_found)
{
	int starts[PHASES_MOST];

	begin(3);
	add(200, 40, 2);
	add(8, 70, 2);
	add(200, 40, 2);
	ck_assert_int_eq(phases__find(&phases, starts), 3);
	ck_assert_int_eq(starts[1], 200);
	ck_assert_int_eq(starts[2], 208);
	arena__free(&memory);
}
END_TEST

/* A day of rows becomes as many points as an hour of rows, in less than a second. */
START_TEST(a_day_of_rows_is_bounded)
{
	int starts[PHASES_MOST], nr;
	clock_t start = clock();

	begin(4);
	add(30000, 40, 3);
	add(20000, 70, 3);
	add(36400, 55, 3);
	nr = phases__find(&phases, starts);
	printf("# a day takes %.0f ms\n", (clock() - start) * 1e3 / CLOCKS_PER_SEC);
	ck_assert_int_le(phases.nr, PHASES_MOST_POINTS);
	ck_assert_int_eq(phases.rows_of_point, 256);
	/* A point that covers rows of both phases may be between their values. */
	ck_assert_int_ge(nr, 3);
	ck_assert_int_le(nr, 5);
	ck_assert(is_told(starts, nr, 30000 / 256, 1) && is_told(starts, nr, 50000 / 256, 1));
	ck_assert(phases.points[phases.nr - 1].end_ns == 86400 * NS_PER_S);
	ck_assert(clock() - start < CLOCKS_PER_SEC);
	arena__free(&memory);
}
END_TEST

TMA_TEST_MAIN(verdict_phases, a_run_that_changes_has_two_phases,
	      no_rows_are_no_phase_and_few_are_one, what_stays_the_same_has_one_phase,
	      injected_changes_are_found, a_short_phase_in_a_long_run_is_found,
	      a_day_of_rows_is_bounded)
