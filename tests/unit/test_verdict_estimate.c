// SPDX-License-Identifier: GPL-2.0-only
/*
 * Estimates of events whose groups take turns, from an event that these groups have in common. Here
 * this is A: group 0 counts it all the time, group 1 with B and group 2 with C in turns.
 */
#include <math.h>
#include <stdlib.h>

#include "events/events.h"
#include "machine/machine.h"
#include "unit.h"
#include "verdict/error.h"
#include "verdict/estimate.h"

enum { A_WHOLE, A_BESIDE_B, B, A_BESIDE_C, C, EVENTS };
#define GROUPS 3
#define ENABLED 1000000000
#define ROWS_SEEN 30

static struct pmu core = {.name = "cpu", .is_core = true};
static struct event *events[EVENTS];
static struct summed_event summed[EVENTS];
static struct sum at[EVENTS];
static struct sums sums;
static int members[] = {A_WHOLE, A_BESIDE_B, B, A_BESIDE_C, C};
static struct variation variations[GROUPS];
static struct error_group groups[GROUPS] = {
	{.nr = 1, .events = members, .of = variations},
	{.nr = 2, .events = members + 1, .of = variations + 1},
	{.nr = 2, .events = members + 3, .of = variations + 2},
};

static void set_up(void)
{
	static const int configs[EVENTS] = {1, 1, 2, 1, 3};

	sums = (struct sums){.events = summed, .nr_events = EVENTS, .nr_rows = 1, .at = at};
	for (int i = 0; i < EVENTS; i++) {
		events[i] = event__new();
		events[i]->pmu = &core;
		events[i]->attr.config = configs[i];
		summed[i].event = events[i];
	}
	srand(1);
}

static void tear_down(void)
{
	for (int i = 0; i < EVENTS; i++)
		event__free(events[i]);
}

static double chance(double from, double to)
{
	return from + (to - from) * rand() / (double)RAND_MAX;
}

static void put(int event, double value, double share)
{
	at[event] = (struct sum){.value = value,
				 .enabled = ENABLED,
				 .running = ENABLED * share,
				 .nr = 1,
				 .present = true,
				 .supported = true,
				 .was_enabled = true};
}

/*
 * Make a row: A counted @a, and each group that takes turns was counted for the share @seen of the
 * row.
 */
static void fill(double a, double seen_by_b, double seen_by_c)
{
	put(A_WHOLE, a, 1);
	put(A_BESIDE_B, a * seen_by_b, 0.5);
	put(B, 2 * a * seen_by_b, 0.5);
	put(A_BESIDE_C, a * seen_by_c, 0.5);
	put(C, 5e8 + chance(-1e7, 1e7), 0.5);
}

static struct estimates *learnt(void)
{
	struct estimates *x = estimates__new(&sums, groups, GROUPS);

	for (int i = 0; i < ROWS_SEEN; i++) {
		fill(chance(1e9, 2e9), chance(0.8, 1.2), chance(0.8, 1.2));
		estimates__make(x, true);
	}
	return x;
}

START_TEST(events_that_vary_with_a_common_event_follow_it)
{
	struct estimates *x;

	set_up();
	x = learnt();
	fill(1e9, 1.2, 0.9);
	estimates__make(x, true);
	ck_assert_double_eq_tol(sums.estimated[A_BESIDE_B], 1e9, 10);
	ck_assert_double_eq_tol(sums.estimated[A_BESIDE_C], 1e9, 10);
	/* By time alone it would be 2.4e9. */
	ck_assert_double_eq_tol(sums.estimated[B], 2e9, 2e7);
	/* An event that was counted all the time needs no estimate. */
	ck_assert(isnan(sums.estimated[A_WHOLE]));
	estimates__free(x);
	ck_assert_ptr_null(sums.estimated);
	tear_down();
}
END_TEST

START_TEST(events_that_vary_with_no_other_are_scaled_by_time)
{
	struct estimates *x;

	set_up();
	x = learnt();
	fill(1e9, 1.2, 0.9);
	estimates__make(x, true);
	ck_assert_double_eq_tol(sums.estimated[C], at[C].value, 2e7);
	estimates__free(x);
	tear_down();
}
END_TEST

START_TEST(no_estimate_is_far_from_the_count)
{
	struct estimates *x;

	set_up();
	x = learnt();
	/* If only A were used, it would be negative. */
	fill(1e9, 1.2, 1);
	put(A_BESIDE_B, 5e9, 0.5);
	put(B, 1e6, 0.5);
	estimates__make(x, false);
	ck_assert_double_eq_tol(sums.estimated[B], 1e5, 1);
	estimates__free(x);
	tear_down();
}
END_TEST

START_TEST(a_task_on_several_types_of_cores_is_not_estimated)
{
	struct share share = {.enabled = ENABLED};
	struct estimates *x;

	set_up();
	sums.shares = &share;
	x = learnt();
	for (int i = 0; i < EVENTS; i++)
		ck_assert(isnan(sums.estimated[i]));
	estimates__free(x);
	tear_down();
}
END_TEST

START_TEST(other_modes_and_other_cgroups_are_not_the_same)
{
	static const struct cgroup *other = (const struct cgroup *)&core;
	struct estimates *x;

	set_up();
	events[A_BESIDE_B]->attr.exclude_kernel = 1;
	events[A_BESIDE_C]->cgroup = other;
	x = learnt();
	for (int i = 0; i < EVENTS; i++)
		ck_assert(isnan(sums.estimated[i]));
	estimates__free(x);
	tear_down();
}
END_TEST

TMA_TEST_MAIN(verdict_estimate, events_that_vary_with_a_common_event_follow_it,
	      events_that_vary_with_no_other_are_scaled_by_time, no_estimate_is_far_from_the_count,
	      a_task_on_several_types_of_cores_is_not_estimated,
	      other_modes_and_other_cgroups_are_not_the_same)
