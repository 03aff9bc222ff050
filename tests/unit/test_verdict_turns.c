// SPDX-License-Identifier: GPL-2.0-only
/* Errors of estimates, from the reads within a row. */
#include <math.h>

#include "base/xalloc.h"
#include "count/count.h"
#include "verdict/turns.h"
#include "unit.h"

#define TURN 4000000 /* ns */
#define GROUPS 5     /* groups that take turns */
#define TURNS 12

static const uint64_t rotation[] = { TURN * GROUPS, TURN * GROUPS };
static const int events[] = { 0, 1 };
static int unit_numbers[] = { 0 };
static const struct turn_units one = { 1, unit_numbers };

static void read_at(struct slices *s, struct sample *at, uint64_t time_ns)
{
	const struct counts counts = { .nr_events = 2, .nr_units = 1, .at = at,
				       .time_ns = time_ns };

	slices__add(s, &counts);
}

/*
 * Two events of one group, with these rates in each turn. @share: the part of the turns in which
 * the group is counted.
 */
static void take_turns(struct slices *s, const int *rates, int turns, int share)
{
	struct sample at[2] = { { .status = SAMPLE_SCALED }, { .status = SAMPLE_SCALED } };
	uint64_t now = 0;

	slices__init(s, 2, 1, &(struct slice_options){.step_ns = TURN});
	s->rotation_ns = rotation;
	s->first_step_ns = s->step_ns = TURN * GROUPS / 2;
	for (int turn = 0; turn < turns; turn++) {
		for (int i = 0; i < 2; i++) {
			at[i].value += (i + 1) * rates[turn] * 1000;
			at[i].running += (uint64_t)TURN * share;
			at[i].enabled += TURN * GROUPS / 2;
		}
		read_at(s, at, now += TURN * GROUPS / 2);
		for (int i = 0; i < 2; i++)
			at[i].enabled += TURN * GROUPS / 2;
		if (share == GROUPS)
			for (int i = 0; i < 2; i++)
				at[i].running = at[i].enabled;
		read_at(s, at, now += TURN * GROUPS / 2);
	}
}

static double half_width_of(const int *rates, int turns, int share, double first, double second,
			    double grain)
{
	const double slopes[] = { first, second };
	struct variation v = { .nr = 0 };
	struct arena memory = { .nr = 0 };
	struct slices s;
	double square;

	take_turns(&s, rates, turns, share);
	variation__init(&v, 2, &memory);
	v.grains[1] = grain;
	variation__measure(&v, &s, events, &one);
	square = variation__square(&v, slopes);
	arena__free(&memory);
	slices__free(&s);
	return sqrt(square);
}

static double half_width(const int *rates, int turns, int share, double first, double second)
{
	return half_width_of(rates, turns, share, first, second, 0);
}

static const int steady[TURNS] = { 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5 };
static const int step[TURNS] = { 5, 5, 5, 5, 5, 5, 9, 9, 9, 9, 9, 9 };
static const int noise[TURNS] = { 5, 9, 5, 9, 5, 9, 5, 9, 5, 9, 5, 9 };

START_TEST(what_ran_all_the_time_is_exact)
{
	ck_assert(half_width(noise, TURNS, GROUPS, 1, 0) == 0);
}
END_TEST

START_TEST(rates_that_do_not_vary_are_known)
{
	ck_assert(half_width(steady, TURNS, 1, 1, 0) == 0);
}
END_TEST

/* A group's turns are four turns apart: the step falls into this gap, with 4000 for each turn. */
START_TEST(a_step_is_unknown_within_its_gap)
{
	double half = half_width(step, TURNS, 1, 1, 0), gap = 4 * 4000;

	ck_assert(half > gap / 2 * 0.9);
	ck_assert(half < gap * 1.5);
}
END_TEST

START_TEST(noise_is_further_off_than_a_step)
{
	/* The deviation of a turn is 2000. Each of the 12 turns represents 5 turns of the row. */
	double deviation = 2000 * 5 * sqrt(12), half = half_width(noise, TURNS, 1, 1, 0);

	ck_assert(half > deviation);
	ck_assert(half < 2.5 * deviation);
	ck_assert(half > 2 * half_width(step, TURNS, 1, 1, 0));
}
END_TEST

START_TEST(what_events_of_a_group_share_is_no_error_of_their_ratio)
{
	double half = half_width(noise, TURNS, 1, 1, 0);

	/* The second event always counts twice as much as the first. */
	ck_assert(half_width(noise, TURNS, 1, 2, -1) < half * 1e-6);
	ck_assert(fabs(half_width(noise, TURNS, 1, 0, 1) - 2 * half) < half * 1e-6);
}
END_TEST

/*
 * A process that varies as slowly as a rotation: its error is between that of a step and that of
 * noise.
 */
START_TEST(slow_changes_are_between_steps_and_noise)
{
	static const int fading[TURNS] = { 5, 9, 9, 5, 5, 9, 9, 5, 5, 9, 9, 5 };
	double half = half_width(fading, TURNS, 1, 1, 0);

	ck_assert(half < half_width(noise, TURNS, 1, 1, 0));
	ck_assert(half > half_width(step, TURNS, 1, 1, 0));
}
END_TEST

START_TEST(a_coarse_grain_is_an_error_of_what_took_turns)
{
	double even = 1.645 * 600 / sqrt(12); /* standard deviation of a uniform distribution */

	ck_assert(fabs(half_width_of(steady, TURNS, 1, 0, 1, 600) - even) < 1e-6 * even);
	ck_assert(half_width_of(steady, TURNS, 1, 1, 0, 600) == 0);
	ck_assert(half_width_of(steady, TURNS, GROUPS, 0, 1, 600) == 0);
	ck_assert(half_width_of(noise, TURNS, 1, 0, 1, 600) >
		  half_width(noise, TURNS, 1, 0, 1));
}
END_TEST

START_TEST(few_turns_tell_nothing)
{
	ck_assert(isnan(half_width(step, 3, 1, 1, 0)));
	ck_assert(half_width(step, 3, 1, 0, 0) == 0);
}
END_TEST

START_TEST(fewer_turns_are_further_off)
{
	ck_assert(half_width(noise, 6, 1, 1, 0) / 6 > half_width(noise, 12, 1, 1, 0) / 12);
}
END_TEST

/* Measure a row, and let the next row use it or not. */
static double measure(struct variation *v, const int *rates, bool keep)
{
	const double slopes[] = { 1, 0 };
	struct slices s;

	take_turns(&s, rates, TURNS, 1);
	variation__measure(v, &s, events, &one);
	if (keep)
		variation__remember(v);
	slices__free(&s);
	return variation__square(v, slopes);
}

START_TEST(only_what_is_remembered_goes_on_into_later_rows)
{
	struct arena memory = { .nr = 0 };
	struct variation v = { .nr = 0 }, same = { .nr = 0 };
	double alone, after;

	variation__init(&v, 2, &memory);
	alone = measure(&v, step, false);
	measure(&v, noise, false);
	ck_assert(measure(&v, step, false) == alone);
	measure(&v, noise, true);
	after = measure(&v, step, false);
	/* After noise, noise is likely, so a later step may be larger than a single step. */
	ck_assert(after > alone);
	ck_assert(measure(&v, step, false) == after);

	variation__init(&same, 2, &memory);
	measure(&same, noise, true);
	ck_assert(measure(&same, step, true) == after);
	/* A row without any reads has nothing that could be kept. */
	measure(&same, steady, false);
	after = measure(&same, step, false);
	same.nr_turns = 0;
	variation__remember(&same);
	ck_assert(measure(&same, step, false) == after);
	arena__free(&memory);
}
END_TEST

/* The second unit exists only in the first half of the row, and has a large count. */
static double half_width_beside(int present)
{
	const double slopes[] = { 1, 0 };
	struct variation v = { .nr = 0 };
	struct arena memory = { .nr = 0 };
	int numbers[] = { 0, 1 };
	const struct turn_units both = { present ? 2 : 1, numbers };
	struct slices s;
	double square;

	slices__init(&s, 2, 2, &(struct slice_options){.step_ns = TURN});
	s.rotation_ns = rotation;
	s.first_step_ns = s.step_ns = TURN * GROUPS;
	for (uint64_t turn = 1; turn <= TURNS; turn++) {
		struct sample at[4] = { { .status = SAMPLE_ABSENT }, { .status = SAMPLE_ABSENT },
					{ .status = SAMPLE_ABSENT }, { .status = SAMPLE_ABSENT } };
		const struct counts counts = { .nr_events = 2, .nr_units = 2, .at = at,
					       .time_ns = turn * TURN * GROUPS };

		for (int i = 0; i < 4; i++) {
			if (i % 2 && turn > (uint64_t)present)
				continue;
			at[i] = (struct sample){ .value = (i % 2 ? 28 : 4) * turn * (turn + 9),
						 .running = TURN * turn,
						 .enabled = TURN * GROUPS * turn,
						 .status = SAMPLE_SCALED };
		}
		slices__add(&s, &counts);
	}
	variation__init(&v, 2, &memory);
	variation__measure(&v, &s, events, &both);
	square = variation__square(&v, slopes);
	arena__free(&memory);
	slices__free(&s);
	return sqrt(square);
}

START_TEST(a_unit_that_is_absent_is_no_part_of_a_row)
{
	double alone = half_width_beside(0);

	ck_assert(alone > 0);
	ck_assert(half_width_beside(TURNS / 2) == alone);
	ck_assert(half_width_beside(TURNS) > 2 * alone);
}
END_TEST

START_TEST(long_rows_keep_every_other_read)
{
	struct sample at[2] = { { .status = SAMPLE_COUNTED }, { .status = SAMPLE_COUNTED } };
	struct slices s;

	slices__init(&s, 2, 1, &(struct slice_options){.step_ns = 10});
	for (int i = 1; i <= 1000; i++) {
		at[0].value = i;
		read_at(&s, at, 10 * i);
		ck_assert_int_lt(s.nr, SLICES_READS);
		ck_assert_uint_eq(s.time_ns[s.nr - 1], 10 * i);
		ck_assert_uint_eq(s.at[s.nr - 1][0].value, i);
	}
	ck_assert_uint_eq(s.time_ns[0], 0);
	ck_assert_int_gt(s.nr, SLICES_MAX / 2);
	for (int i = 1; i + 1 < s.nr; i++)
		ck_assert_uint_ge(s.time_ns[i] - s.time_ns[i - 1], s.step_ns);
	slices__restart(&s);
	ck_assert_int_eq(s.nr, 1);
	ck_assert_uint_eq(s.at[0][0].value, 1000);
	ck_assert_uint_eq(slices__due_ns(&s), 10010);
	slices__free(&s);
}
END_TEST

START_TEST(slices_as_long_as_a_row_are_made_no_more)
{
	struct sample at[2] = { { .status = SAMPLE_COUNTED }, { .status = SAMPLE_COUNTED } };
	struct slices s;

	slices__init(&s, 2, 1,
		     &(struct slice_options){ .step_ns = 10, .last_step_ns = 35 });
	for (int row = 1; row <= 2; row++) {
		ck_assert_uint_eq(slices__due_ns(&s), 35 * (row - 1) + 10 * row);
		read_at(&s, at, 35 * row);
		slices__restart(&s);
	}
	/* In the next row, it would be 40. */
	ck_assert_int_eq(s.nr, 0);
	ck_assert_ptr_null(s.at[0]);
	slices__free(&s);
}
END_TEST

TMA_TEST_MAIN(verdict_turns, slices_as_long_as_a_row_are_made_no_more,
	      what_ran_all_the_time_is_exact, rates_that_do_not_vary_are_known,
	      a_step_is_unknown_within_its_gap, noise_is_further_off_than_a_step,
	      what_events_of_a_group_share_is_no_error_of_their_ratio,
	      slow_changes_are_between_steps_and_noise,
	      a_coarse_grain_is_an_error_of_what_took_turns, few_turns_tell_nothing,
	      fewer_turns_are_further_off, only_what_is_remembered_goes_on_into_later_rows,
	      a_unit_that_is_absent_is_no_part_of_a_row, long_rows_keep_every_other_read)
