// SPDX-License-Identifier: GPL-2.0-only
/* How many threads ran at the same time: made-up records, and their known result. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/vec.h"
#include "base/xalloc.h"
#include "where/samples.h"
#include "where/threads.h"
#include "unit.h"

#define MS 1000000ULL

static struct sample_records records;
static struct where_threads found;

static void begin(void)
{
	records = (struct sample_records){0};
}

static void add(struct sample_record r)
{
	r.order = records.nr;
	vec__push(&records, r);
}

/* Put a thread of process 1 on a CPU for some time; it has a sample each millisecond. */
static void runs(pid_t tid, uint64_t from_ms, uint64_t to_ms)
{
	for (uint64_t at = from_ms; at < to_ms; at++)
		add((struct sample_record){.kind = RECORD_SAMPLED, .time_ns = at * MS, .pid = 1,
					  .tid = tid, .period = MS});
}

static int by_time(const void *va, const void *vb)
{
	const struct sample_record *a = va, *b = vb;

	return (a->time_ns > b->time_ns) - (a->time_ns < b->time_ns);
}

static void find_within(uint64_t elapsed_ms, uint64_t cpu_ms, int nr_known)
{
	const struct threads_options o = {.frequency = 1000, .cpu_ns = cpu_ms * MS,
					  .elapsed_ns = elapsed_ms * MS,
					  .nr_known = nr_known, .procfs = "/nowhere"};

	if (records.nr)
		qsort(records.at, records.nr, sizeof(*records.at), by_time);
	threads__find(&o, &records, &found);
	sample_records__free(&records);
}

static void find(uint64_t cpu_ms, int nr_known)
{
	find_within(0, cpu_ms, nr_known);
}

START_TEST(one_thread_is_alone)
{
	begin();
	runs(1, 0, 1000);
	find(1000, 1);
	ck_assert_int_eq(found.nr, 1);
	ck_assert_int_eq(found.processes, 1);
	ck_assert_double_eq_tol(found.at_once, 1, 0.01);
	ck_assert_double_eq_tol(found.alone, 100, 1.1);
	ck_assert_double_eq_tol(found.busiest, 100, 0.01);
}
END_TEST

START_TEST(a_program_that_is_parallel_for_a_part)
{
	begin();
	runs(1, 0, 1000);
	for (pid_t tid = 2; tid <= 4; tid++)
		runs(tid, 600, 1000);
	find(0, 0);
	ck_assert_int_eq(found.nr, 4);
	ck_assert_double_eq_tol(found.at_once, 2.2, 0.01);
	ck_assert_double_eq_tol(found.alone, 60, 1.1);
	ck_assert_double_eq_tol(found.busiest, 100 * 1000 / 2200., 0.1);
}
END_TEST

/* The run takes four seconds, and nine tenths of a second have records. */
START_TEST(time_in_which_nothing_ran_counts)
{
	begin();
	runs(1, 1000, 1500);
	runs(2, 1000, 1500);
	runs(1, 2000, 2400);
	find_within(4000, 1400, 2);
	ck_assert_double_eq_tol(found.at_once, 0.35, 0.01);
	ck_assert_double_eq_tol(found.alone, 10, 1.1);
}
END_TEST

START_TEST(threads_that_take_turns_are_one_at_a_time)
{
	begin();
	for (int i = 0; i < 1000; i++)
		runs(1 + i % 4, i, i + 1);
	find(1000, 9);
	ck_assert_int_eq(found.nr, 9);
	ck_assert_double_eq_tol(found.alone, 100, 1.1);
	ck_assert_double_eq_tol(found.busiest, 25, 0.1);
}
END_TEST

/* Cycles are used as time, and a slow core has fewer cycles in a millisecond. */
START_TEST(weights_are_those_of_the_event)
{
	begin();
	runs(1, 0, 1000);
	for (int i = 0; i < records.nr; i++)
		records.at[i].period = 3000000;
	find(1000, 1);
	ck_assert_double_eq_tol(found.at_once, 1, 0.01);
	ck_assert_double_eq_tol(found.alone, 100, 1.1);
}
END_TEST

START_TEST(a_thread_has_the_name_of_the_one_that_made_it)
{
	begin();
	add((struct sample_record){.kind = RECORD_NAMED, .pid = 1, .tid = 1, .path = xstrdup("main")});
	add((struct sample_record){.kind = RECORD_FORKED, .time_ns = 1, .pid = 1, .tid = 2,
				  .parent = 1, .parent_tid = 1});
	runs(2, 1, 200);
	find(199, 0);
	ck_assert_int_eq(found.nr, 2);
	ck_assert_str_eq(found.name, "main");
	ck_assert_int_eq(found.tid, 2);
	begin();
	add((struct sample_record){.kind = RECORD_NAMED, .pid = 1, .tid = 2, .path = xstrdup("own")});
	runs(2, 1, 200);
	find(199, 0);
	ck_assert_str_eq(found.name, "own");
}
END_TEST

START_TEST(too_little_tells_nothing)
{
	begin();
	runs(1, 0, 20);
	find(20, 1);
	ck_assert(isnan(found.at_once) && isnan(found.alone));
	begin();
	find(0, 3);
	ck_assert_int_eq(found.nr, 3);
	ck_assert(isnan(found.at_once));
}
END_TEST

TMA_TEST_MAIN(where_threads, one_thread_is_alone, a_program_that_is_parallel_for_a_part,
	      time_in_which_nothing_ran_counts,
	   threads_that_take_turns_are_one_at_a_time, weights_are_those_of_the_event,
	   a_thread_has_the_name_of_the_one_that_made_it, too_little_tells_nothing)
