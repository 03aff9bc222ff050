// SPDX-License-Identifier: GPL-2.0-only
/*
 * Sets of groups: which groups are in a set together, which are in all sets, and which are in none.
 */
#include "events_fixture.h"

#include "plan/plan.h"
#include "plan/schedule.h"
#include "plan/sets.h"

#define THREE "{cpu/event=0xc4/,cpu/event=0xc5/,cpu/event=0xd0/}"
#define TWO "{cpu/event=0x2e/,cpu/event=0x24/}"

static struct plan *plan;
static struct metrics_scope metrics;
static struct schedule *schedule;
static struct sets *sets;

/* Skylake: four general counters for each thread, and three fixed ones. */
static void begin(const char *text, const struct sets_limit *limit)
{
	set_up(fake_xeon, "GenuineIntel-6-55-4");
	metrics = (struct metrics_scope){ .machine = machine, .tables = tables };
	err = (struct err)ERR_INIT;
	plan = plan__new(&metrics);
	ck_assert_msg(!events__parse(&scope, text, &plan->events, &err), "%s", err.msg);
	ck_assert_int_eq(plan__finish(plan, &err), 0);
	schedule = schedule__new(plan, &scope);
	sets = sets__new(plan, schedule, &scope, limit);
	ck_assert_int_eq(sets->nr_events, plan->events.nr);
}

static void end(void)
{
	sets__free(sets);
	schedule__free(schedule);
	plan__free(plan);
	tear_down();
}

/* Return: the sets that have an event: "01" for sets 0 and 1. */
static const char *where(int event)
{
	static char text[16];
	int n = 0;

	for (int set = 0; set < sets->nr; set++)
		if (sets__has(sets, set, event))
			text[n++] = '0' + set;
	text[n] = '\0';
	return text;
}

START_TEST(groups_that_fit_share_a_set)
{
	begin(THREE ",cpu/event=0x2e/", NULL);
	ck_assert_int_eq(sets->nr, 1);
	for (int i = 0; i < 4; i++)
		ck_assert_str_eq(where(i), "0");
	end();
}
END_TEST

START_TEST(a_group_stays_together)
{
	begin(THREE "," TWO, NULL);
	ck_assert_int_eq(sets->nr, 2);
	for (int i = 0; i < 3; i++)
		ck_assert_str_eq(where(i), "0");
	for (int i = 3; i < 5; i++)
		ck_assert_str_eq(where(i), "1");
	end();
}
END_TEST

START_TEST(a_later_group_fills_an_earlier_set)
{
	begin(THREE "," TWO ",cpu/event=0x51/", NULL);
	ck_assert_int_eq(sets->nr, 2);
	ck_assert_str_eq(where(5), "0");
	end();
}
END_TEST

START_TEST(what_needs_no_turn_is_in_every_set)
{
	begin(THREE "," TWO ",task-clock,duration_time,cycles", NULL);
	ck_assert_int_eq(sets->nr, 2);
	for (int i = 5; i < 8; i++) {
		ck_assert_str_eq(where(i), "01");
		ck_assert_int_eq(sets__count(sets, i), 2);
	}
	end();
}
END_TEST

START_TEST(a_weak_group_that_is_too_large_comes_apart)
{
	begin("{cpu/event=0xc4/,cpu/event=0xc5/,cpu/event=0xd0/,cpu/event=0x2e/,cpu/event=0x24/}:W",
	      NULL);
	ck_assert_int_eq(sets->nr, 2);
	ck_assert_str_eq(where(3), "0");
	ck_assert_str_eq(where(4), "1");
	end();
}
END_TEST

START_TEST(file_descriptors_bound_a_set)
{
	const int fds[] = { 10, 10, 10, 10, 10, 10 };
	const struct sets_limit limit = { fds, 25 };

	begin("cpu/event=0xc4/,cpu/event=0xc5/,cpu/event=0xd0/,cpu/event=0x2e/", &limit);
	ck_assert_int_eq(sets->nr, 2);
	ck_assert_str_eq(where(1), "0");
	ck_assert_str_eq(where(2), "1");
	end();
}
END_TEST

START_TEST(nothing_is_one_set)
{
	begin("duration_time", NULL);
	ck_assert_int_eq(sets->nr, 1);
	ck_assert_str_eq(where(0), "0");
	end();
}
END_TEST

/* Return: whether a metric has its two events in different passes. */
static bool is_over_passes(int first, int second)
{
	struct metric metric = { .nr_ids = 2 };
	struct event *events[] = { plan->events.at[first], plan->events.at[second] };
	struct plan_metric pm = { .metric = &metric, .events = events };
	struct plan one = { .metrics = &pm, .nr_metrics = 1 };

	sets__mark_metrics(sets, &one);
	return pm.over_passes;
}

START_TEST(metrics_with_all_events_in_a_set_are_not_over_passes)
{
	begin(THREE "," TWO ",task-clock", NULL);
	ck_assert(!is_over_passes(0, 2));
	ck_assert(!is_over_passes(3, 4));
	ck_assert(is_over_passes(2, 3));
	ck_assert(!is_over_passes(3, 5));
	/* A latency is measured without regard to the sets. */
	plan->events.at[3]->retire_latency = true;
	ck_assert(!is_over_passes(2, 3));
	end();
}
END_TEST

TMA_TEST_MAIN(plan_sets, groups_that_fit_share_a_set, a_group_stays_together,
	      a_later_group_fills_an_earlier_set, what_needs_no_turn_is_in_every_set,
	      a_weak_group_that_is_too_large_comes_apart, file_descriptors_bound_a_set,
	      nothing_is_one_set, metrics_with_all_events_in_a_set_are_not_over_passes)
