// SPDX-License-Identifier: GPL-2.0-only
/* Regions: nesting, recursion, sampling and cost. The test plays the kernel. */
#include <errno.h>
#include <math.h>

#include "unit.h"
#include "topdown_fixture.h"

static struct tma_topdown topdown;
static int kernel;

static struct tma_region *named(const char *name)
{
	struct tma_topdown_error error = { .text = "" };
	struct tma_region *region = tma_topdown_region(&topdown, name, &error);

	ck_assert_msg(region, "%s: %s", name, error.text);
	return region;
}

static void begin(struct tma_region *region, uint64_t slots, uint64_t retiring)
{
	fixture__answer(kernel, slots, retiring, 0);
	ck_assert_int_eq(tma_region_begin(region), 0);
}

static void end(struct tma_region *region, uint64_t slots, uint64_t retiring)
{
	fixture__answer(kernel, slots, retiring, 0);
	ck_assert_int_eq(tma_region_end(region), 0);
}

static struct tma_region_totals totals_of(const char *name)
{
	struct tma_region_totals totals;
	unsigned int cursor = 0;

	while (tma_regions_next(tma_topdown_regions(&topdown), &cursor, &totals))
		if (!strcmp(totals.name, name))
			return totals;
	ck_abort_msg("there is no region %s", name);
	return totals;
}

static void setup(void)
{
	unsetenv("TMA_REGIONS");
	kernel = fixture__piped(&topdown);
}

static void teardown(void)
{
	fixture__free(&topdown, kernel);
}

START_TEST(regions_add_up)
{
	struct tma_region_totals totals;
	struct tma_region *region;

	setup();
	region = named("loop");
	ck_assert_ptr_eq(named("loop"), region);
	begin(region, 1000, 100);
	end(region, 3000, 1100);
	begin(region, 5000, 1100);
	end(region, 7000, 1600);
	totals = totals_of("loop");
	ck_assert_int_eq(totals.pid, getpid());
	ck_assert_uint_eq(totals.count, 2);
	ck_assert_uint_eq(totals.measured, 2);
	ck_assert_uint_eq(totals.total.slots, 4000);
	ck_assert_int_eq(totals.total.metric_slots[TMA_TOPDOWN_RETIRING], 1500);
	ck_assert_uint_eq(totals.own.slots, 4000);
	ck_assert_int_eq(totals.total.level, 2);
	ck_assert_int_eq(totals.total.notes, TMA_TOPDOWN_SYSTEM_CALLS);
	teardown();
}
END_TEST

START_TEST(inner_regions_are_not_the_outer_ones_own)
{
	struct tma_region_totals totals;
	struct tma_region *outer, *inner, *innermost;

	setup();
	outer = named("outer");
	inner = named("inner");
	innermost = named("innermost");
	begin(outer, 0, 0);
	begin(inner, 1000, 1000);
	begin(innermost, 1500, 1200);
	end(innermost, 2500, 1300);
	end(inner, 3000, 1500);
	begin(innermost, 4000, 1500);
	end(innermost, 4300, 1800);
	end(outer, 10000, 3000);

	totals = totals_of("outer");
	ck_assert_uint_eq(totals.total.slots, 10000);
	ck_assert_uint_eq(totals.own.slots, 10000 - 2000 - 300);
	ck_assert_int_eq(totals.own.metric_slots[0], 3000 - 500 - 300);
	totals = totals_of("inner");
	ck_assert_uint_eq(totals.total.slots, 2000);
	ck_assert_uint_eq(totals.own.slots, 1000);
	ck_assert_int_eq(totals.own.metric_slots[0], 400);
	totals = totals_of("innermost");
	ck_assert_uint_eq(totals.count, 2);
	ck_assert_uint_eq(totals.total.slots, 1300);
	ck_assert_uint_eq(totals.own.slots, 1300);
	teardown();
}
END_TEST

START_TEST(region_in_itself_counts_once_in_the_total)
{
	struct tma_region_totals totals;
	struct tma_region *region;

	setup();
	region = named("recursive");
	begin(region, 0, 0);
	begin(region, 100, 0);
	begin(region, 200, 0);
	end(region, 300, 0);
	end(region, 600, 0);
	end(region, 1000, 0);
	totals = totals_of("recursive");
	ck_assert_uint_eq(totals.count, 3);
	ck_assert_uint_eq(totals.total.slots, 1000);
	ck_assert_uint_eq(totals.own.slots, 1000);
	teardown();
}
END_TEST

START_TEST(one_in_so_many_is_measured)
{
	struct tma_region_totals totals;
	struct tma_region *region, *outer;

	setup();
	region = named("short");
	outer = named("outer");
	tma_region_sample(region, 10);
	begin(outer, 0, 0);
	for (int i = 0; i < 25; i++) {
		/* If regions that are not sampled were read, these reads would have no answer. */
		if (i % 10 == 0)
			fixture__answer(kernel, 1000 * (uint64_t)i, 0, 0);
		ck_assert_int_eq(tma_region_begin(region), 0);
		if (i % 10 == 0)
			fixture__answer(kernel, 1000 * (uint64_t)i + 70, 0, 0);
		ck_assert_int_eq(tma_region_end(region), 0);
	}
	end(outer, 25000, 0);
	totals = totals_of("short");
	ck_assert_uint_eq(totals.count, 25);
	ck_assert_uint_eq(totals.measured, 3);
	ck_assert_uint_eq(totals.total.slots, 210);
	totals = totals_of("outer");
	ck_assert_uint_eq(totals.own.slots, 25000 - 210);
	ck_assert_int_eq(totals.total.notes,
			 TMA_TOPDOWN_OWN_ROUGH | TMA_TOPDOWN_SYSTEM_CALLS);
	teardown();
}
END_TEST

/* In an empty region, 100 slots are measured; from before it to after it, 300 slots pass. */
START_TEST(the_cost_of_measuring_is_subtracted)
{
	struct tma_region_totals totals;
	struct tma_region *outer, *inner, *innermost;

	setup();
	outer = named("outer");
	inner = named("inner");
	innermost = named("innermost");
	topdown.cost = (struct amounts){ .slots = 100, .metric_slots = { 60 } };
	topdown.pair_cost = (struct amounts){ .slots = 300, .metric_slots = { 200 } };
	begin(outer, 0, 0);
	begin(inner, 1000, 500);
	end(inner, 1600, 960);
	begin(inner, 2000, 1000);
	end(inner, 2050, 1020);
	end(outer, 5000, 3060);
	totals = totals_of("inner");
	ck_assert_uint_eq(totals.total.slots, 500);
	ck_assert_int_eq(totals.total.metric_slots[0], 400);
	totals = totals_of("outer");
	ck_assert_uint_eq(totals.total.slots, 5000 - 100 - 2 * 300);
	ck_assert_int_eq(totals.total.metric_slots[0], 3060 - 60 - 2 * 200);
	ck_assert_uint_eq(totals.own.slots, 4300 - 500);

	/*
	 * two nested regions: the cost of both is subtracted from the outer one, of one from the
	 * middle
	 */
	begin(outer, 10000, 0);
	begin(inner, 11000, 0);
	begin(innermost, 12000, 0);
	end(innermost, 12150, 0);
	end(inner, 13000, 0);
	end(outer, 15000, 0);
	ck_assert_uint_eq(totals_of("innermost").total.slots, 50);
	ck_assert_uint_eq(totals_of("inner").total.slots, 500 + 2000 - 100 - 300);
	ck_assert_uint_eq(totals_of("outer").total.slots, 4300 + 5000 - 100 - 600);

	/*
	 * at a lower cost than usual, nothing is negative, and no inner region exceeds its outer
	 * one
	 */
	begin(outer, 20000, 0);
	begin(inner, 20010, 0);
	end(inner, 20210, 0);
	end(outer, 20220, 0);
	ck_assert_uint_eq(totals_of("inner").total.slots, 2100 + 100);
	ck_assert_uint_eq(totals_of("outer").total.slots, 8600 + 100);
	ck_assert_uint_eq(totals_of("outer").own.slots, 3800 + 8600 - 4300 - 2100 + 500);
	teardown();
}
END_TEST

START_TEST(cost_is_the_least_of_its_turns)
{
	struct tma_topdown_error error = { .text = "" };
	uint64_t now = 0;

	setup();
	topdown.flags = 0;
	/* the read of tma_topdown_reset(), then 32 pairs for the cost, and a snapshot */
	fixture__answer(kernel, now, 0, 0);
	for (int turn = 0; turn < 8; turn++) {
		uint64_t in = turn == 3 ? 40 : 90 + 10 * (uint64_t)turn;

		fixture__answer(kernel, now, now / 2, 0);
		for (int i = 0; i < 32; i++) {
			now += 10;
			fixture__answer(kernel, now, now / 2, 0);
			now += in;
			fixture__answer(kernel, now, now / 2, 0);
		}
		fixture__answer(kernel, now, now / 2, 0);
	}
	ck_assert_msg(tma_topdown_region(&topdown, "any", &error), "%s", error.text);
	ck_assert_int_eq(topdown.cost.slots, 40);
	ck_assert_int_eq(topdown.cost.metric_slots[0], 20);
	ck_assert_int_eq(topdown.pair_cost.slots, 50);
	ck_assert_int_eq(topdown.pair_cost.metric_slots[0], 25);
	ck_assert_int_eq(totals_of("any").count, 0);
	teardown();
}
END_TEST

START_TEST(time_not_counted_is_reported)
{
	struct tma_region *region;

	setup();
	region = named("moved");
	fixture__answer(kernel, 0, 0, 50);
	tma_region_begin(region);
	fixture__answer(kernel, 1000, 0, 350);
	tma_region_end(region);
	ck_assert_uint_eq(totals_of("moved").total.missed_ns, 300);
	ck_assert_int_eq(totals_of("moved").total.notes,
			 TMA_TOPDOWN_NOT_COUNTED | TMA_TOPDOWN_SYSTEM_CALLS);
	teardown();
}
END_TEST

START_TEST(ends_out_of_order_are_refused)
{
	struct tma_region *a, *b;

	setup();
	a = named("a");
	b = named("b");
	ck_assert_int_eq(tma_region_end(a), -EINVAL);
	begin(a, 0, 0);
	ck_assert_int_eq(tma_region_end(b), -EINVAL);
	end(a, 10, 0);
	ck_assert_int_eq(tma_region_end(a), -EINVAL);
	ck_assert_uint_eq(totals_of("a").count, 1);
	ck_assert_uint_eq(totals_of("b").count, 0);
	/* calls of a program that could not open a handle */
	ck_assert_int_eq(tma_region_begin(NULL), 0);
	ck_assert_int_eq(tma_region_end(NULL), 0);
	teardown();
}
END_TEST

/* c is in b, and b in a. b is left by an error path, and then a ends. */
START_TEST(regions_that_were_not_ended_end_with_their_outer_one)
{
	struct tma_region *a, *b, *c;

	setup();
	a = named("a");
	b = named("b");
	c = named("c");
	begin(a, 0, 0);
	begin(b, 100, 0);
	begin(c, 200, 100);
	end(c, 500, 200);
	end(a, 1000, 400);
	ck_assert_uint_eq(totals_of("a").total.slots, 1000);
	ck_assert_uint_eq(totals_of("a").own.slots, 700);
	ck_assert_int_eq(totals_of("a").own.metric_slots[0], 300);
	ck_assert(totals_of("a").own.notes & TMA_TOPDOWN_OWN_ROUGH);
	ck_assert_uint_eq(totals_of("b").count, 0);
	ck_assert_uint_eq(totals_of("c").total.slots, 300);

	/* no region is open any more */
	ck_assert_int_eq(tma_region_end(b), -EINVAL);
	begin(b, 2000, 0);
	end(b, 2100, 0);
	ck_assert_uint_eq(totals_of("b").total.slots, 100);
	ck_assert(!(totals_of("b").own.notes & TMA_TOPDOWN_OWN_ROUGH));
	ck_assert_uint_eq(totals_of("a").total.slots, 1000);
	ck_assert_uint_eq(topdown.depth, 0);
	ck_assert_ptr_null(topdown.innermost_measured);
	teardown();
}
END_TEST

START_TEST(too_deep_is_refused_and_the_rest_stays_right)
{
	struct tma_region *region;

	setup();
	region = named("deep");
	for (int i = 0; i < TOPDOWN_DEPTH; i++)
		begin(region, (uint64_t)i, 0);
	ck_assert_int_eq(tma_region_begin(region), -ENOBUFS);
	ck_assert_int_eq(tma_region_end(region), -ENOBUFS);
	for (int i = 0; i < TOPDOWN_DEPTH; i++)
		end(region, 1000 + (uint64_t)i, 0);
	/* counted like a run that was not measured */
	ck_assert_uint_eq(totals_of("deep").count, TOPDOWN_DEPTH + 1);
	ck_assert_uint_eq(totals_of("deep").measured, TOPDOWN_DEPTH);
	ck_assert(totals_of("deep").own.notes & TMA_TOPDOWN_OWN_ROUGH);
	ck_assert_uint_eq(totals_of("deep").total.slots, 1000 + TOPDOWN_DEPTH - 1);
	teardown();
}
END_TEST

/* Reads begin to fail: the program gets the error, and its regions stay in order. */
START_TEST(failed_reading_is_reported)
{
	struct tma_region *outer, *inner;

	setup();
	outer = named("outer");
	inner = named("inner");
	begin(outer, 0, 0);
	begin(inner, 10, 0);
	ck_assert_int_eq(write(kernel, "short", 5), 5);
	ck_assert_int_eq(tma_region_end(inner), -EIO);
	ck_assert_int_eq(write(kernel, "short", 5), 5);
	ck_assert_int_eq(tma_region_begin(inner), -EIO);
	ck_assert_int_eq(tma_region_end(inner), 0);
	end(outer, 100, 0);
	ck_assert_uint_eq(totals_of("outer").total.slots, 100);
	ck_assert_uint_eq(totals_of("inner").count, 2);
	ck_assert_uint_eq(totals_of("inner").measured, 0);
	teardown();
}
END_TEST

START_TEST(registers_are_reset_before_they_get_too_coarse)
{
	struct tma_region *region;

	setup();
	topdown.max_error = 0.1;
	region = named("coarse");
	begin(region, 0, 0);
	end(region, 1000, 0);
	/* a step is 1/255 of 24500 slots before it and 1000 in it: a tenth of the 1000 */
	ck_assert_uint_eq(region->reset_above, 24500);
	/* a register that covers only the region is as exact as possible, each time */
	topdown.max_error = 0.003;
	begin(region, 1000, 0);
	end(region, 2000, 0);
	ck_assert_uint_eq(region->reset_above, 1);
	teardown();
}
END_TEST

START_TEST(names_of_no_or_too_many_bytes_are_refused)
{
	struct tma_topdown_error error;
	char name[TMA_REGION_NAME + 1];

	setup();
	ck_assert_ptr_null(tma_topdown_region(&topdown, "", &error));
	ck_assert_int_eq(error.reason, TMA_TOPDOWN_ARGUMENT);
	memset(name, 'x', sizeof(name));
	name[TMA_REGION_NAME] = '\0';
	ck_assert_ptr_null(tma_topdown_region(&topdown, name, &error));
	ck_assert_int_eq(error.code, EINVAL);
	name[TMA_REGION_NAME - 1] = '\0';
	named(name);
	ck_assert_str_eq(totals_of(name).name, name);
	fixture_owner++;
	ck_assert_ptr_null(tma_topdown_region(&topdown, "a", &error));
	ck_assert_int_eq(error.code, EXDEV);
	fixture_owner--;
	topdown.nr_group = 0;
	ck_assert_ptr_null(tma_topdown_region(&topdown, "a", &error));
	ck_assert_str_eq(error.text, "region 'a': the handle is for events only");
	teardown();
}
END_TEST

START_TEST(table_shows_shares_and_notes)
{
	char text[2048] = "";
	FILE *stream = fmemopen(text, sizeof(text), "w");
	struct tma_region *region;
	char want[512];

	setup();
	topdown.units.time_mult = 0;
	region = named("table");
	begin(region, 0, 0);
	end(region, 2000, 500);
	begin(region, 2000, 500);
	fixture__answer(kernel, 4000, 1000, 7);
	tma_region_end(region);
	ck_assert_int_eq(tma_regions_print(tma_topdown_regions(&topdown), stream), 0);
	fclose(stream);
	snprintf(want, sizeof(want),
		 "\ntable                    %8d          2          2        0.000           4000  100.0     25.0      0.0      0.0      0.0      25.0",
		 topdown.tid);
	ck_assert_msg(strstr(text, want), "no '%s' in '%s'", want, text);
	ck_assert_msg(strstr(text, "# not counted for part of the time, read by system calls\n"), "%s", text);
	teardown();
}
END_TEST

START_TEST(table_has_a_line_for_a_name_of_any_bytes)
{
	char text[4096] = "";
	FILE *stream = fmemopen(text, sizeof(text), "w");

	setup();
	named("two\nlines\033[31m");
	named("a\xc2\x9b" "b");
	named("caf\xc3\xa9");
	ck_assert_int_eq(tma_regions_print(tma_topdown_regions(&topdown), stream), 0);
	fclose(stream);
	ck_assert_msg(strstr(text, "\ntwo?lines?[31m           "), "%s", text);
	ck_assert_msg(strstr(text, "\na?b                      "), "%s", text);
	/* the thread is in the same column, counted in characters */
	ck_assert_msg(strstr(text, "\ncaf\xc3\xa9                     "), "%s", text);
	ck_assert_ptr_null(strstr(text, "\ncaf\xc3\xa9                              "));
	teardown();
}
END_TEST

TMA_TEST_MAIN(topdown_regions, regions_add_up, inner_regions_are_not_the_outer_ones_own,
	      region_in_itself_counts_once_in_the_total, one_in_so_many_is_measured,
	      the_cost_of_measuring_is_subtracted, cost_is_the_least_of_its_turns,
	      time_not_counted_is_reported, ends_out_of_order_are_refused,
	      regions_that_were_not_ended_end_with_their_outer_one,
	      too_deep_is_refused_and_the_rest_stays_right, failed_reading_is_reported,
	      registers_are_reset_before_they_get_too_coarse,
	      names_of_no_or_too_many_bytes_are_refused, table_shows_shares_and_notes,
	      table_has_a_line_for_a_name_of_any_bytes)
