// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>

#include "base/err.h"
#include "plan/pack.h"
#include "unit.h"

#define EFFORT 100000

/* Make sets of different numbers below @nr_events; -1 ends each set. */
static struct pack_result pack(const struct fit_pmu *pmu, const struct fit_event *events,
			       int nr_events, struct pack_set *sets, int nr_sets, long effort)
{
	const struct pack_problem problem = { pmu, events, sets, nr_events, nr_sets, effort };
	struct pack_result result = pack__solve(&problem);

	ck_assert_int_le(result.lower_bound, result.nr_groups);
	return result;
}

/* Check that every group can be counted, and that every set is in the group that serves it. */
static void check_groups(const struct fit_pmu *pmu, const struct fit_event *events, int nr_events,
			 const struct pack_set *sets, int nr_sets, int nr_groups)
{
	int first_unseen = 0;

	for (int i = 0; i < nr_sets; i++) {
		ck_assert_int_le(sets[i].group, first_unseen);
		if (sets[i].group == first_unseen)
			first_unseen++;
	}
	ck_assert_int_eq(first_unseen, nr_groups);
	for (int g = 0; g < nr_groups; g++) {
		bool has[nr_events];
		struct fit fit;

		for (int e = 0; e < nr_events; e++)
			has[e] = false;
		fit__init(&fit, pmu);
		for (int i = 0; i < nr_sets; i++)
			for (int k = 0; sets[i].group == g && k < sets[i].nr; k++) {
				int e = sets[i].events[k];

				ck_assert(has[e] || fit__add(&fit, &events[e], NULL));
				has[e] = true;
			}
	}
}

#define SET_OF(need, ...) \
	{ (const int[]){ __VA_ARGS__ }, sizeof((int[]){ __VA_ARGS__ }) / sizeof(int), need, -2 }
#define SET(...) SET_OF(PACK_MUST, __VA_ARGS__)
#define WISH(need, ...) SET_OF(PACK_WISH_##need, __VA_ARGS__)

START_TEST(sets_that_share_events_share_a_group)
{
	const struct fit_pmu pmu = fit__pmu(4, 3);
	const struct fit_event events[6] = { { .name = "a" } };
	struct pack_set sets[] = { SET(0, 1, 2), SET(1, 2, 3), SET(4, 5), SET(2) };
	struct pack_result r = pack(&pmu, events, 6, sets, 4, EFFORT);

	ck_assert_int_eq(r.nr_groups, 2);
	ck_assert(r.proven);
	ck_assert_int_eq(sets[0].group, sets[1].group);
	ck_assert_int_eq(sets[3].group, 0);
	check_groups(&pmu, events, 6, sets, 4, 2);
}
END_TEST

START_TEST(a_set_too_large_for_the_counters_has_no_group)
{
	const struct fit_pmu pmu = fit__pmu(2, 3);
	const struct fit_event events[3] = { { .name = "a" } };
	struct pack_set sets[] = { SET(0, 1, 2), SET(0, 1), SET(2) };
	struct pack_result r = pack(&pmu, events, 3, sets, 3, EFFORT);

	ck_assert_int_eq(sets[0].group, -1);
	ck_assert_int_eq(r.nr_groups, 2);
	ck_assert_int_eq(sets[1].group, 0);
	ck_assert_int_eq(sets[2].group, 1);
}
END_TEST

#define MANY 4000

/* If there were work for every pair or triple of events, this would take too long. */
START_TEST(thousands_of_events_take_no_time)
{
	const struct fit_pmu pmu = fit__pmu(4, 3);
	struct fit_event *events = calloc(MANY, sizeof(*events));
	struct pack_set *sets = calloc(MANY, sizeof(*sets));
	int *numbers = calloc(MANY, sizeof(*numbers));
	struct pack_result r;

	ck_assert(events && sets && numbers);
	for (int i = 0; i < MANY; i++) {
		numbers[i] = i;
		events[i] = (struct fit_event){ .name = "a" };
		sets[i] = (struct pack_set){ &numbers[i], 1, PACK_MUST, -2 };
	}
	r = pack(&pmu, events, MANY, sets, MANY, EFFORT);
	ck_assert_int_eq(r.nr_groups, MANY / 4);
	ck_assert(r.proven);
	free(numbers);
	free(sets);
	free(events);
}
END_TEST

/* The four counters are full: one group has 0 to 3, the other has 4 to 7. */
START_TEST(wishes_cost_no_group)
{
	const struct fit_pmu pmu = fit__pmu(4, 3);
	const struct fit_event events[8] = { { .name = "a" } };
	struct pack_set sets[] = { SET(0, 1, 2, 3), SET(4, 5, 6, 7), WISH(ALL, 3, 4),
				   WISH(VALUE, 5, 6) };
	struct pack_result r = pack(&pmu, events, 8, sets, 4, EFFORT);

	ck_assert_int_eq(r.nr_groups, 2);
	ck_assert_int_eq(sets[2].group, -1);
	ck_assert_int_eq(sets[3].group, 1);
}
END_TEST

/* The second group has one free counter. The set of a value gets it, though it comes later. */
START_TEST(wishes_take_the_counters_left_in_their_order)
{
	const struct fit_pmu pmu = fit__pmu(4, 3);
	const struct fit_event events[7] = { { .name = "a" } };
	struct pack_set sets[] = { SET(0, 1, 2, 3), SET(4, 5, 6), WISH(THRESHOLD, 0, 4),
				   WISH(ALL, 1, 5), WISH(VALUE, 2, 6) };
	struct pack_result r = pack(&pmu, events, 7, sets, 5, EFFORT);

	ck_assert_int_eq(r.nr_groups, 2);
	ck_assert_int_eq(sets[2].group, -1);
	ck_assert_int_eq(sets[3].group, -1);
	ck_assert_int_eq(sets[4].group, 1);
}
END_TEST

/* Three groups have twelve counters for eleven events, but three sets share one event. */
START_TEST(search_proves_that_counters_are_short)
{
	const struct fit_pmu pmu = fit__pmu(4, 3);
	const struct fit_event events[11] = { { .name = "a" } };
	struct pack_set sets[] = { SET(0, 1, 2), SET(0, 3, 4), SET(0, 5, 6), SET(7),
				   SET(8),	 SET(9),       SET(10) };
	struct pack_result r = pack(&pmu, events, 11, sets, 7, EFFORT);

	ck_assert_int_eq(r.nr_groups, 4);
	ck_assert(r.proven);
}
END_TEST

START_TEST(events_of_one_counter_bound_the_number_of_groups)
{
	const struct fit_pmu pmu = fit__pmu(8, 3);
	const struct fit_event events[5] = {
		{ .counters = 1 }, { .counters = 1 }, { .counters = 1 }, { .counters = 3 },
		{ .counters = 3 },
	};
	struct pack_set sets[] = { SET(0), SET(1), SET(2), SET(3), SET(4) };
	struct pack_result r = pack(&pmu, events, 5, sets, 5, EFFORT);

	ck_assert_int_eq(r.lower_bound, 3);
	ck_assert_int_eq(r.nr_groups, 3);
	ck_assert(r.proven);
}
END_TEST

START_TEST(one_value_of_a_register_at_a_time)
{
	const struct fit_pmu pmu = fit__pmu(8, 3);
	const struct fit_event events[3] = {
		{ .reg = FIT_FRONTEND, .value = 1 },
		{ .reg = FIT_FRONTEND, .value = 2 },
		{ .reg = FIT_FRONTEND, .value = 1 },
	};
	struct pack_set sets[] = { SET(0), SET(1), SET(2) };
	struct pack_result r = pack(&pmu, events, 3, sets, 3, EFFORT);

	ck_assert_int_eq(r.nr_groups, 2);
	ck_assert_int_eq(r.lower_bound, 2);
	ck_assert_int_eq(sets[0].group, sets[2].group);
}
END_TEST

/* A greedy choice may need more groups than the search. */
START_TEST(search_finds_what_greedy_misses)
{
	const struct fit_pmu pmu = fit__pmu(6, 3);
	const struct fit_event events[12] = { { .name = "a" } };
	/* Sets of 3, 3, 2, 2 and 2 events on 6 counters: 3 + 3 and 2 + 2 + 2 fill two groups. */
	struct pack_set sets[] = { SET(0, 1, 2), SET(3, 4, 5), SET(6, 7), SET(8, 9), SET(10, 11) };
	struct pack_result greedy = pack(&pmu, events, 12, sets, 5, 0);
	struct pack_result r = pack(&pmu, events, 12, sets, 5, EFFORT);

	ck_assert_int_le(r.nr_groups, greedy.nr_groups);
	ck_assert_int_eq(r.nr_groups, 2);
	ck_assert(r.proven);
	check_groups(&pmu, events, 12, sets, 5, 2);
}
END_TEST

START_TEST(random_problems_are_packed_into_what_can_be_counted)
{
	srand(7);
	for (int round = 0; round < 200; round++) {
		struct fit_pmu pmu = fit__pmu(2 + rand() % 7, 3);
		struct fit_event events[24];
		struct pack_set sets[16], again[16];
		int numbers[16][5], alone = 0, nr_sets = 1 + rand() % 16;
		struct pack_result r;

		for (int e = 0; e < 24; e++)
			events[e] = (struct fit_event){ .counters = rand() % 3 ? 0 : rand() % 255 };
		for (int i = 0; i < nr_sets; i++) {
			int nr = 0, step = 1 + rand() % 3, at = rand() % 8;

			for (; nr < 1 + rand() % 5 && at < 24; at += step)
				numbers[i][nr++] = at;
			sets[i] = (struct pack_set){ numbers[i], nr, PACK_MUST, -2 };
			again[i] = sets[i];
		}
		r = pack(&pmu, events, 24, sets, nr_sets, 20000);
		check_groups(&pmu, events, 24, sets, nr_sets, r.nr_groups);
		pack(&pmu, events, 24, again, nr_sets, 20000);
		for (int i = 0; i < nr_sets; i++) {
			ck_assert_int_eq(sets[i].group, again[i].group);
			alone += sets[i].group < 0;
		}
		ck_assert_int_le(r.nr_groups, nr_sets - alone);
	}
}
END_TEST

#define MANY_SETS 150
#define MANY_EVENTS 120

/* Pack sets of three random events each. Return: the number of groups. */
static struct pack_result pack_drawn(int nr_sets, int nr_events, int seed, long effort)
{
	const struct fit_pmu pmu = fit__pmu(8, 3);
	static struct fit_event events[MANY_EVENTS];
	static struct pack_set sets[MANY_SETS];
	static int numbers[MANY_SETS][3];
	struct pack_result r;

	srand(seed);
	for (int i = 0; i < nr_sets; i++) {
		int at = rand() % nr_events, step = 1 + rand() % 5;

		for (int k = 0; k < 3; k++)
			numbers[i][k] = (at + k * step) % nr_events;
		sets[i] = (struct pack_set){ numbers[i], 3, PACK_MUST, -2 };
	}
	r = pack(&pmu, events, nr_events, sets, nr_sets, effort);
	check_groups(&pmu, events, nr_events, sets, nr_sets, r.nr_groups);
	return r;
}

/* These are too many sets for an exact search. */
START_TEST(many_sets_take_fewer_groups_than_greedy_finds)
{
	int greedy = pack_drawn(MANY_SETS, MANY_EVENTS, 11, 0).nr_groups;

	ck_assert_int_le(pack_drawn(MANY_SETS, MANY_EVENTS, 11, 20000).nr_groups, greedy - 5);
}
END_TEST

/* With the same effort, other orders and an exact search find only 17 groups. */
START_TEST(taking_groups_apart_saves_some_where_an_exact_search_does_not_end)
{
	struct pack_result r = pack_drawn(60, 60, 4, 20000);

	ck_assert(!r.proven);
	ck_assert_int_le(r.nr_groups, 15);
}
END_TEST

START_TEST(nothing_takes_no_group)
{
	const struct fit_pmu pmu = fit__pmu(8, 3);
	struct pack_result r = pack(&pmu, NULL, 0, NULL, 0, EFFORT);

	ck_assert_int_eq(r.nr_groups, 0);
	ck_assert(r.proven);
}
END_TEST

TMA_TEST_MAIN(plan_pack, sets_that_share_events_share_a_group,
	      a_set_too_large_for_the_counters_has_no_group, wishes_cost_no_group,
	      wishes_take_the_counters_left_in_their_order, search_proves_that_counters_are_short,
	      events_of_one_counter_bound_the_number_of_groups, one_value_of_a_register_at_a_time,
	      search_finds_what_greedy_misses, random_problems_are_packed_into_what_can_be_counted,
	      nothing_takes_no_group, many_sets_take_fewer_groups_than_greedy_finds,
	      taking_groups_apart_saves_some_where_an_exact_search_does_not_end,
	      thousands_of_events_take_no_time)
