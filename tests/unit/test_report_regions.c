// SPDX-License-Identifier: GPL-2.0-only
/* Rows of regions, from blocks that the test has written. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "report/regions.h"
#include "topdown/region_page.h"
#include "unit.h"
#include "writers/writer.h"

#define CAPACITY 3

static struct region_page_header *block;
static struct region_page_entry *entries;
static struct regions regions;
static struct err err;

static void begin(void)
{
	block = calloc(1, regions__size(CAPACITY));
	ck_assert_ptr_nonnull(block);
	regions__make(block, CAPACITY);
	entries = (struct region_page_entry *)(block + 1);
	regions = (struct regions){ .lost = 0 };
	err = (struct err)ERR_INIT;
}

static void end(void)
{
	vec__free(&regions.rows);
	free(block);
}

/*
 * 1000 slots. The nodes of level 1 have 400, 100, 200 and 300; their children have 40, 90, 50 and
 * 100.
 */
static struct region_page_entry *add(const char *name, int tid)
{
	static const int64_t slots[] = { 400, 100, 200, 300, 40, 90, 50, 100 };
	struct region_page_entry *e = &entries[block->used++];

	*e = (struct region_page_entry){ .sequence = 2, .pid = 10, .tid = tid, .count = 100,
					 .measured = 2, .error_slots = 4, .level = 2 };
	strcpy(e->name, name);
	e->total.slots = 1000;
	e->total.time_ns = 2500000;
	memcpy(e->total.metric_slots, slots, sizeof(slots));
	e->own = e->total;
	return e;
}

static int read_block(void)
{
	return regions__read(block, regions__size(CAPACITY), &regions, &err);
}

static void expect_printed(const char *format, const char *separator, const char *text)
{
	const struct writer_options opts = { .format = format__find(format),
					     .separator = separator };
	struct grid grid = { .nr_rows = 0 };
	char *printed = NULL;
	size_t size;
	FILE *out = open_memstream(&printed, &size);

	regions__fill(&regions, &grid);
	ck_assert_int_eq(writer__regions(&opts, &grid, out, &err), 0);
	regions__free_grid(&grid);
	fclose(out);
	ck_assert_str_eq(printed, text);
	free(printed);
}

START_TEST(shares_are_of_the_slots)
{
	const double wanted[] = { 40, 10, 20, 30, 4, 9, 5, 10, 36, 1, 15, 20 };
	const struct region_row *row;

	begin();
	add("loop", 11);
	ck_assert_int_eq(read_block(), 0);
	ck_assert_int_eq(regions.rows.nr, 1);
	row = &regions.rows.at[0];
	for (int i = 0; i < REGIONS_SHARES; i++)
		ck_assert_double_eq_tol(row->share[i], wanted[i], 1e-9);
	ck_assert_double_eq_tol(row->error, 0.4, 1e-9);
	ck_assert_uint_eq(row->notes, 0);
	end();
}
END_TEST

START_TEST(rounding_makes_no_share_below_0_or_above_its_whole)
{
	struct region_page_entry *e;

	begin();
	e = add("short", 11);
	e->total.metric_slots[0] = 1004;
	e->total.metric_slots[1] = -4;
	e->total.metric_slots[6] = 204;
	ck_assert_int_eq(read_block(), 0);
	ck_assert_double_eq(regions.rows.at[0].share[0], 100);
	ck_assert_double_eq(regions.rows.at[0].share[1], 0);
	/* a child of frontend bound, and the rest; then of bad speculation, which is 0 */
	ck_assert_double_eq(regions.rows.at[0].share[6], 20);
	ck_assert_double_eq(regions.rows.at[0].share[10], 0);
	ck_assert_double_eq(regions.rows.at[0].share[5], 0);
	ck_assert_double_eq(regions.rows.at[0].share[9], 0);
	end();
}
END_TEST

START_TEST(without_level_2_or_slots_shares_are_not_known)
{
	const struct region_row *row;

	begin();
	add("level 1", 11)->level = 1;
	add("empty", 11)->total.slots = 0;
	ck_assert_int_eq(read_block(), 0);
	row = regions.rows.at;
	ck_assert_double_eq_tol(row[0].share[3], 30, 1e-9);
	ck_assert(isnan(row[0].share[4]) && isnan(row[0].share[8]));
	ck_assert(isnan(row[1].share[0]));
	ck_assert_str_eq(region_note(__builtin_ctz(row[1].notes)), "no slots");
	end();
}
END_TEST

START_TEST(rows_of_a_name_are_together)
{
	begin();
	add("a", 11);
	add("b", 11);
	add("a", 12);
	ck_assert_int_eq(read_block(), 0);
	ck_assert_int_eq(regions.rows.nr, 3);
	ck_assert_str_eq(regions.rows.at[1].name, "a");
	ck_assert_int_eq(regions.rows.at[1].tid, 12);
	ck_assert_str_eq(regions.rows.at[2].name, "b");
	end();
}
END_TEST

START_TEST(regions_of_a_killed_program_are_read)
{
	begin();
	add("torn", 11)->sequence = 7;
	add("unnamed", 11)->sequence = 0;
	add("whole", 11);
	block->used = 5;
	ck_assert_int_eq(read_block(), 0);
	ck_assert_int_eq(regions.rows.nr, 2);
	ck_assert_uint_eq(regions.lost, 2);
	ck_assert_str_eq(region_note(__builtin_ctz(regions.rows.at[0].notes)),
			 "ended while it was being written");
	ck_assert_uint_eq(regions.rows.at[1].notes, 0);
	end();
}
END_TEST

/* If each entry or name were compared with all others, this would take a minute. */
START_TEST(a_block_full_of_torn_entries_is_read_in_time)
{
	const int capacity = 20000;
	char name[32];

	block = calloc(1, regions__size(capacity));
	ck_assert_ptr_nonnull(block);
	regions__make(block, capacity);
	entries = (struct region_page_entry *)(block + 1);
	regions = (struct regions){.lost = 0};
	for (int i = 0; i < capacity; i++) {
		snprintf(name, sizeof(name), "region %d", i / 2 * 7919 % 10000);
		add(name, i)->sequence = 1;
	}
	ck_assert_int_eq(regions__read(block, regions__size(capacity), &regions, &err), 0);
	ck_assert_int_eq(regions.rows.nr, capacity);
	for (int i = 0; i < capacity; i++)
		ck_assert_int_eq(regions.rows.at[i].tid, i);
	end();
}
END_TEST

START_TEST(a_block_that_was_overwritten_is_refused)
{
	begin();
	memset(block, 0x55, sizeof(*block));
	ck_assert_int_eq(read_block(), -EINVAL);
	ck_assert_str_eq(err.msg, "the program has overwritten the memory of its regions");
	end();
}
END_TEST

START_TEST(names_and_notes_are_quoted)
{
	begin();
	add("a,\"b\"\033[1m", 11)->level = 1;
	entries[0].notes = 1 | 2;
	ck_assert_int_eq(read_block(), 0);
	expect_printed("csv", ",",
		       "region,thread,pid,count,measured,time_ns,missed_ns,slots,retiring,bad_spec,"
		       "fe_bound,be_bound,light_ops,heavy_ops,br_mispredict,machine_clears,fetch_lat,"
		       "fetch_bw,mem_bound,core_bound,error,own_slots,own_retiring,own_bad_spec,"
		       "own_fe_bound,own_be_bound,notes\n"
		       "\"a,\"\"b\"\"?[1m\",11,10,100,2,2500000,0,1000,40.0000,10.0000,20.0000,30.0000,"
		       ",,,,,,,,0.4000,1000,40.0000,10.0000,20.0000,30.0000,"
		       "not counted for part of the time; registers reset by others\n");
	expect_printed("json-perf", NULL,
		       "{\"region\" : \"a,\\\"b\\\"?[1m\", \"thread\" : 11, \"pid\" : 10, \"count\" : 100, "
		       "\"measured\" : 2, \"time_ns\" : 2500000, \"missed_ns\" : 0, \"slots\" : 1000, "
		       "\"retiring\" : 40.0000, \"bad_spec\" : 10.0000, \"fe_bound\" : 20.0000, "
		       "\"be_bound\" : 30.0000, \"error\" : 0.4000, \"own_slots\" : 1000, "
		       "\"own_retiring\" : 40.0000, \"own_bad_spec\" : 10.0000, "
		       "\"own_fe_bound\" : 20.0000, \"own_be_bound\" : 30.0000, \"notes\" : "
		       "[\"not counted for part of the time\", \"registers reset by others\"]}\n");
	end();
}
END_TEST

/* A program can write any value into the block: the result must be a number. */
START_TEST(large_errors_are_numbers)
{
	begin();
	add("a", 11)->error_slots = UINT64_MAX;
	entries[0].level = 1;
	entries[0].total.slots = 1;
	entries[0].own.slots = 0;
	ck_assert_int_eq(read_block(), 0);
	expect_printed(
		"csv", ";",
		"region;thread;pid;count;measured;time_ns;missed_ns;slots;retiring;bad_spec;"
		"fe_bound;be_bound;light_ops;heavy_ops;br_mispredict;machine_clears;fetch_lat;"
		"fetch_bw;mem_bound;core_bound;error;own_slots;own_retiring;own_bad_spec;"
		"own_fe_bound;own_be_bound;notes\n"
		"a;11;10;100;2;2500000;0;1;100.0000;100.0000;100.0000;100.0000;;;;;;;;;"
		"1844674407370955161600.0000;0;;;;;too short to be precise\n");
	end();
}
END_TEST

START_TEST(a_table_has_the_levels_there_are)
{
	begin();
	add("loop", 11)->level = 1;
	ck_assert_int_eq(read_block(), 0);
	expect_printed("text", NULL,
		       "region                  thread     count  measured   time ms     slots  retiring"
		       "  bad spec  fe bound  be bound own slots\n"
		       "loop                        11       100         2     2.500      1000      40.0"
		       "      10.0      20.0      30.0      1000\n");
	ck_assert(!format__is(format__find("prom"), FORMAT_REGIONS));
	ck_assert(format__is(format__find("csv"), FORMAT_REGIONS));
	end();
}
END_TEST

START_TEST(columns_stand_below_each_other_whatever_the_name)
{
	begin();
	add("caf\xc3\xa9\n", 11)->level = 1;
	add("a name of more than twenty characters", 12)->level = 1;
	ck_assert_int_eq(read_block(), 0);
	expect_printed("text", NULL,
		       "region                                   thread     count  measured   time ms     slots"
		       "  retiring  bad spec  fe bound  be bound own slots\n"
		       "caf\xc3\xa9?                                        11       100         2     2.500      1000"
		       "      40.0      10.0      20.0      30.0      1000\n"
		       "a name of more than twenty characters        12       100         2     2.500      1000"
		       "      40.0      10.0      20.0      30.0      1000\n");
	end();
}
END_TEST

TMA_TEST_MAIN(report_regions, shares_are_of_the_slots,
	      rounding_makes_no_share_below_0_or_above_its_whole,
	      without_level_2_or_slots_shares_are_not_known, rows_of_a_name_are_together,
	      regions_of_a_killed_program_are_read, a_block_full_of_torn_entries_is_read_in_time,
	      a_block_that_was_overwritten_is_refused, names_and_notes_are_quoted,
	      large_errors_are_numbers, a_table_has_the_levels_there_are,
	      columns_stand_below_each_other_whatever_the_name)
