// SPDX-License-Identifier: GPL-2.0-only
/* Chooses the group that serves each id of a metric, and each of its parts. */
#include <stdio.h>

#include "metrics_fixture.h"

#include "plan/serve.h"

static struct metric *metric;
static struct offers offers[8];
static struct service service;

static void offer(int id, int group, int pool)
{
	offers[id].pool = pool;
	ck_assert_int_eq(vec__push(&offers[id].list, (struct offer){ group, group }), 0);
}

/* @groups: "ab cd" means that a and b are in group 0, c and d in group 1. */
static void begin(const char *value, const char *groups)
{
	metric = metric_of("a b c d e", value);
	for (int group = 0; *groups; groups++) {
		if (*groups == ' ')
			group++;
		else
			offer(*groups - 'a', group, 0);
	}
}

static void constrain(enum metric_constraint constraint)
{
	metric->info.constraint = constraint;
	metric->constrained = "it is a test";
}

static void end(void)
{
	service__free(&service);
	for (int i = 0; i < 8; i++)
		vec__free(&offers[i].list);
	memset(offers, 0, sizeof(offers));
	free_metric(metric);
}

/* Return: the groups of the ids a to e, followed by the groups of each part: "01--- 11---". */
static const char *served(void)
{
	static char text[64];
	int at = 0;

	struct parts parts;

	parts__init(&parts, metric);
	service__find(&service, &parts, offers);
	parts__free(&parts);
	for (int i = 0; i < service__nr_events(&service, metric); i++) {
		if (i && i % metric->nr_ids == 0)
			text[at++] = ' ';
		text[at++] = service.events[i] < 0 ? '-' : '0' + service.events[i];
	}
	text[at] = '\0';
	return text;
}

static void check(const char *value, const char *groups, const char *expected)
{
	begin(value, groups);
	ck_assert_msg(!strcmp(served(), expected), "%s in %s: %s and not %s", value, groups,
		      served(), expected);
	end();
}

START_TEST(what_is_in_one_group_is_taken_from_the_first)
{
	check("a / b", "a b ab", "22---");
	check("a / b", "ab ab", "00---");
	check("a / b + c", "ab abc c", "111--");
	/* This is true even if an earlier group has most of the metric. */
	check("a + b + c + d", "abc abd abcd", "2222-");
}
END_TEST

START_TEST(a_part_is_in_one_group_where_no_group_has_the_whole)
{
	check("a / b + c / d", "ab cd", "0011-");
	check("(a + b) / c", "ab c", "001--");
	check("(a + b + c) / d", "c ab d", "1102-");
}
END_TEST

START_TEST(parts_have_events_of_their_own)
{
	check("a / b + c / b", "ab cb", "001-- 011--");
	begin("a / b + c / b", "ab cb");
	served();
	ck_assert_int_eq(service.nr_parts, 1);
	ck_assert_ptr_eq(service.parts[0].expr, metric->value);
	end();
	/* A metric that is referred to is served as a whole before its single terms. */
	begin("r + c / b", "ab cb");
	add_ref(metric, "r", "a / b");
	ck_assert_str_eq(served(), "001-- 011--");
	end();
}
END_TEST

START_TEST(a_reference_has_parts_too)
{
	begin("r / e", "ab cb e");
	add_ref(metric, "r", "a / b + c / b");
	ck_assert_str_eq(served(), "001-2 011-2");
	ck_assert_ptr_eq(service.parts[0].expr, metric->refs[0].value);
	end();
}
END_TEST

START_TEST(a_threshold_comes_after_the_value)
{
	struct err err = ERR_INIT;

	begin("a / b", "bc ab ac");
	ck_assert_int_eq(expr__parse("test", "c / b > 0.5", &metric->threshold, &err), 0);
	ck_assert_str_eq(served(), "110-- 100--");
	ck_assert_ptr_eq(service.parts[0].expr, metric->threshold);
	end();
	begin("a / b", "bc ab abc");
	ck_assert_int_eq(expr__parse("test", "c / b > 0.5", &metric->threshold, &err), 0);
	ck_assert_str_eq(served(), "222--");
	end();
}
END_TEST

START_TEST(each_pool_of_counters_has_groups_of_its_own)
{
	begin("a / b * c / d", "ab");
	offer(2, 5, 1);
	offer(3, 6, 1);
	offer(2, 7, 1);
	offer(3, 7, 1);
	ck_assert_str_eq(served(), "0077-");
	end();
}
END_TEST

START_TEST(ids_without_a_counter_are_in_the_first_group)
{
	begin("a / b / c", "ab");
	offer(2, 3, OFFERS_NO_POOL);
	offer(2, 4, OFFERS_NO_POOL);
	ck_assert_str_eq(served(), "003--");
	end();
	/*
	 * The id prefers the group of the others. If that group is not offered, the id is not
	 * served.
	 */
	begin("a / b / c", " ab");
	offer(2, 0, OFFERS_NO_POOL);
	offer(2, 1, OFFERS_NO_POOL);
	ck_assert_str_eq(served(), "111--");
	end();
	check("a / b / c", "ab", "00---");
}
END_TEST

START_TEST(a_metric_that_needs_no_group_is_taken_apart_at_once)
{
	begin("a / b + c / b", "b ab cb");
	constrain(METRIC_NO_GROUP_EVENTS);
	ck_assert_str_eq(served(), "102--");
	end();
	begin("a / b + c / b", "b ab cb abc");
	constrain(METRIC_NO_GROUP_EVENTS);
	ck_assert_str_eq(served(), "333--");
	end();
	/* The name of the metric group asks for groups, in spite of the constraint. */
	begin("a / b + c / b", "b ab cb");
	constrain(METRIC_NO_GROUP_EVENTS);
	metric->constrained = NULL;
	ck_assert_str_eq(served(), "112-- 122--");
	end();
	/* The metric is ungrouped only while another user has a counter. */
	begin("a / b + c / b", "b ab cb");
	constrain(METRIC_NO_GROUP_EVENTS_NMI);
	ck_assert_str_eq(served(), "112-- 122--");
	end();
}
END_TEST

/* Drop the offers that were not accepted. */
static void keep_taken(void)
{
	for (int id = 0; id < metric->nr_ids; id++) {
		int kept = 0;

		for (int i = 0; i < offers[id].list.nr; i++) {
			struct offer o = offers[id].list.at[i];
			bool taken = false;

			for (int k = id; k < service__nr_events(&service, metric);
			     k += metric->nr_ids)
				taken |= service.events[k] == o.event;
			if (taken)
				offers[id].list.at[kept++] = o;
		}
		offers[id].list.nr = kept;
	}
}

START_TEST(without_what_is_not_taken_the_same_is)
{
	static const char *const groups[] = {
		"abcd bcde abce", "ab abd cd de bd ae", "b ab bc cd d e ad", "ae be ce de abcd",
	};

	for (int i = 0; i < 4; i++) {
		char before[64];

		begin("a / b + c / (b + d) + (a - e) / d", groups[i]);
		snprintf(before, sizeof(before), "%s", served());
		keep_taken();
		service__free(&service);
		ck_assert_str_eq(served(), before);
		end();
	}
}
END_TEST

TMA_TEST_MAIN(serve, what_is_in_one_group_is_taken_from_the_first,
	      a_part_is_in_one_group_where_no_group_has_the_whole, parts_have_events_of_their_own,
	      a_reference_has_parts_too, a_threshold_comes_after_the_value,
	      each_pool_of_counters_has_groups_of_its_own,
	      ids_without_a_counter_are_in_the_first_group,
	      a_metric_that_needs_no_group_is_taken_apart_at_once,
	      without_what_is_not_taken_the_same_is)
