// SPDX-License-Identifier: GPL-2.0-only
/* Which column of the counting model applies at which time, and what is counted in that time. */
#include "sim/course.h"
#include "sim/rate.h"
#include "unit.h"

static struct sim_stay stays[] = {
	{.ns = 10, .column = 0, .place = -1, .thread = 1, .spot = -1},
	{.ns = 20, .column = 1, .place = 0, .thread = 1, .spot = -1},
	{.ns = 30, .column = 2, .place = 1, .thread = 2, .spot = -1},
};
static const struct sim_round round_of_60 = {.stays = {.at = stays, .nr = 3}, .ns = 60};

/* Rates of one, three and ten events per ns. */
static const struct sim_rate rate = {{1ULL << SIM_RATE_SHIFT, 3ULL << SIM_RATE_SHIFT,
				      10ULL << SIM_RATE_SHIFT}};
#define ROUND_COUNT (10 + 60 + 300)

static uint64_t count(const struct sim_course *course, uint64_t from, uint64_t to)
{
	return rate__whole(rate__count(course, &rate, from, to));
}

static uint64_t ns_of[3], visits;

static void visit(const struct sim_stay *stay, uint64_t ns, void *arg)
{
	(void)arg;
	ns_of[stay->column] += ns;
	visits++;
}

static void walk(const struct sim_course *course, uint64_t from, uint64_t to)
{
	memset(ns_of, 0, sizeof(ns_of));
	visits = 0;
	course__each(course, from, to, visit, NULL);
}

START_TEST(a_round_goes_on_and_on)
{
	const struct sim_course course = {.round = &round_of_60, .offset = 5};
	uint64_t until;

	ck_assert_ptr_eq(course__at(&course, 0, &until), &stays[0]);
	ck_assert_uint_eq(until, 5);
	ck_assert_ptr_eq(course__at(&course, 5, &until), &stays[1]);
	ck_assert_uint_eq(until, 25);
	ck_assert_ptr_eq(course__at(&course, 54, &until), &stays[2]);
	ck_assert_uint_eq(until, 55);
	ck_assert_ptr_eq(course__at(&course, 60 * 1000000000000ULL, &until), &stays[0]);
	ck_assert_uint_eq(count(&course, 0, 60), ROUND_COUNT);
	ck_assert_uint_eq(count(&course, 3, 8), 2 * 1 + 3 * 3);
	ck_assert_uint_eq(count(&course, 50, 60), 5 * 10 + 5 * 1);
}
END_TEST

/* Each ns is visited once, in however many pieces and rounds the time is divided. */
START_TEST(each_visits_as_long_as_it_lasts)
{
	const struct sim_course course = {.round = &round_of_60, .offset = 7};

	for (uint64_t from = 0; from < 130; from += 3)
		for (uint64_t to = from; to < 400; to += 7) {
			uint64_t wanted[3] = {0}, until;

			walk(&course, from, to);
			for (uint64_t at = from; at < to; at++)
				wanted[course__at(&course, at, &until)->column]++;
			ck_assert_mem_eq(ns_of, wanted, sizeof(wanted));
			ck_assert_uint_eq(count(&course, from, to),
					  wanted[0] + 3 * wanted[1] + 10 * wanted[2]);
		}
	walk(&course, 0, 60 * 1000000ULL);
	ck_assert_uint_eq(visits, 3);
}
END_TEST

START_TEST(whole_rounds_are_skipped_on_the_way_to_a_count)
{
	const struct sim_course course = {.round = &round_of_60};
	const sim_count_t one = (sim_count_t)1 << SIM_RATE_SHIFT;

	for (uint64_t amount = 1; amount < 5 * ROUND_COUNT; amount++) {
		uint64_t at = rate__reach(&course, &rate, 13, 100000, amount * one);

		ck_assert_uint_ge(count(&course, 13, at), amount);
		ck_assert_uint_lt(count(&course, 13, at - 1), amount);
	}
	/* There are so many rounds that walking through them would take minutes. */
	ck_assert_uint_eq(rate__reach(&course, &rate, 0, UINT64_MAX / 2,
				      one * ROUND_COUNT * 1000000000000ULL),
			  60 * 1000000000000ULL);
	ck_assert_uint_eq(rate__reach(&course, &rate, 0, 59, one * ROUND_COUNT), UINT64_MAX);
	ck_assert_uint_eq(rate__reach(&course, &rate, 0, 60, one * ROUND_COUNT), 60);
}
END_TEST

START_TEST(what_is_fixed_lasts)
{
	const struct sim_course course = {.round = &round_of_60, .fixed = &stays[2]};
	uint64_t until;

	ck_assert_ptr_eq(course__at(&course, 3, &until), &stays[2]);
	ck_assert_uint_eq(until, UINT64_MAX);
	ck_assert_uint_eq(count(&course, 0, 1000), 10000);
}
END_TEST

/* If a program reports no place, or a place without a column, the column follows the time. */
START_TEST(a_trail_comes_before_the_round)
{
	struct sim_mark marks[] = {
		{.from = 100, .stay = {.column = 2, .place = 1, .thread = 1, .spot = 0}},
		{.from = 200, .stay = {.column = -1, .place = -1, .thread = 1, .spot = -1}},
		{.from = 260, .stay = {.column = 1, .place = 0, .thread = 1, .spot = 1}},
	};
	const struct sim_trail trail = {.marks = {.at = marks, .nr = 3}};
	const struct sim_course course = {.round = &round_of_60, .trail = &trail};
	uint64_t until;

	ck_assert_ptr_eq(course__at(&course, 65, &until), &stays[0]);
	ck_assert_uint_eq(until, 70);
	/* A stay of the round ends when the program reports another place. */
	ck_assert_ptr_eq(course__at(&course, 99, &until), &stays[2]);
	ck_assert_uint_eq(until, 100);
	ck_assert_ptr_eq(course__at(&course, 100, &until), &marks[0].stay);
	ck_assert_uint_eq(until, 200);
	ck_assert_int_eq(course__at(&course, 200, &until)->column, 1);
	ck_assert_ptr_eq(course__at(&course, 1000, &until), &marks[2].stay);
	ck_assert_uint_eq(until, UINT64_MAX);
	ck_assert_uint_eq(count(&course, 100, 200), 1000);
	ck_assert_uint_eq(count(&course, 0, 60), ROUND_COUNT);
	ck_assert_uint_eq(count(&course, 200, 260), ROUND_COUNT);
	ck_assert_uint_eq(count(&course, 0, 300),
			  count(&course, 0, 100) + 1000 + ROUND_COUNT + 120);
	walk(&course, 90, 270);
	ck_assert_uint_eq(ns_of[0] + ns_of[1] + ns_of[2], 180);
	ck_assert_uint_eq(ns_of[2], 10 + 100 + 30);
	ck_assert_uint_eq(rate__reach(&course, &rate, 100, 1000,
				      ((sim_count_t)1000 + ROUND_COUNT + 3) << SIM_RATE_SHIFT),
			  261);
}
END_TEST

TMA_TEST_MAIN(sim_course, a_round_goes_on_and_on, each_visits_as_long_as_it_lasts,
	      whole_rounds_are_skipped_on_the_way_to_a_count, what_is_fixed_lasts,
	      a_trail_comes_before_the_round)
