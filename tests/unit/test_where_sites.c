// SPDX-License-Identifier: GPL-2.0-only
/* The sites of samples: the tests put in records, and check what is known of each site. */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/sb.h"
#include "base/vec.h"
#include "base/xalloc.h"
#include "count/sample_record.h"
#include "where/child.h"
#include "where/sites.h"
#include "unit.h"

#define MS 1000000ULL
#define EVENTS 2
#define AT_ONCE 100000 /* records given together */
#define MOST_KEPT (1 << 20) /* most samples of a time that are kept, as the header documents */
#define MANY_ADDRESSES (1 << 18)

static struct sites *sites;
static struct sample_records records;
static struct sb notes;
static uint64_t now_ns;

static void begin(enum site_kind kind, bool has_whole)
{
	records = (struct sample_records){0};
	now_ns = 0;
	notes = (struct sb)SB_INIT;
	sites = sites__new(kind, "/nowhere", EVENTS, has_whole);
}

static void take(void)
{
	bool kept = false;

	sites__take(sites, &records);
	for (int i = 0; i < records.nr; i++)
		kept |= records.at[i].path != NULL;
	ck_assert(!kept);
	records.nr = 0;
}

static void end(void)
{
	sites__free(sites);
	sample_records__free(&records);
	sb__free(&notes);
}

static void add(struct sample_record r)
{
	r.time_ns = now_ns++;
	vec__push(&records, r);
	if (records.nr == AT_ONCE)
		take();
}

static void map(pid_t pid, uint64_t address, const char *path, uint64_t inode)
{
	add((struct sample_record){.kind = RECORD_MAPPED, .pid = pid, .address = address,
				   .len = 0x100000, .inode = inode, .uid = -1,
				   .path = xstrdup(path)});
}

static void sample(pid_t pid, uint64_t address, int event, uint64_t period)
{
	add((struct sample_record){.kind = RECORD_SAMPLED, .pid = pid, .tid = pid,
				   .address = address, .event = event, .period = period});
}

static void of_burst(uint32_t burst, pid_t pid, uint64_t address)
{
	add((struct sample_record){.kind = RECORD_SAMPLED, .pid = pid, .tid = pid,
				   .address = address, .period = 1000, .burst = burst});
}

static void name(enum site_window window)
{
	struct timespec now;
	struct child_reading r = {0};

	clock_gettime(CLOCK_MONOTONIC, &now);
	r.until_ns = (now.tv_sec + 20) * 1000000000ULL;
	take();
	sites__name(sites, window, &r, &notes);
}

static int number_of(const char *text)
{
	for (int i = 0; i < sites__nr(sites); i++)
		if (!strcmp(sites__at(sites, i)->name, text))
			return i;
	return -1;
}

/* Return: number of events that the samples at a site represent; NULL means at all sites. */
static double weight_of(enum site_window window, const char *text, int event)
{
	const struct site_samples *list = sites__samples(sites, window);
	int number = text ? number_of(text) : -1;
	double sum = 0;

	for (int i = 0; i < list->nr; i++)
		if (list->at[i].event == event &&
		    (!text || sites__find(sites, list->at[i].address) == number))
			sum += list->at[i].weight;
	return sum;
}

static int samples_of(enum site_window window)
{
	const struct site_samples *list = sites__samples(sites, window);
	int sum = 0;

	for (int i = 0; i < list->nr; i++)
		sum += list->at[i].nr;
	return sum;
}

/* Until its name is read, a sample belongs to the site of its file. */
START_TEST(names_that_came_too_late_are_read_later)
{
	struct child_reading over = {.until_ns = 1};
	struct stat st;

	begin(SITE_FUNCTION, false);
	ck_assert(!stat("/proc/self/exe", &st));
	map(1, 0x1000, "/nowhere/file", st.st_ino);
	sample(1, 0x1010, 0, 1000);
	take();
	sites__name(sites, SITE_ROW, &over, &notes);
	ck_assert_int_eq(over.late, 1);
	ck_assert_ptr_nonnull(strstr(sb__str(&notes), "in time: 1;"));
	ck_assert_double_eq(weight_of(SITE_ROW, "file", 0), 1000);
	/* Without sites__retry_late(), the names are not read again. */
	sb__clear(&notes);
	sites__name(sites, SITE_ROW, &over, &notes);
	ck_assert_int_eq(over.late, 1);
	ck_assert_uint_eq(notes.len, 0);
	sites__retry_late(sites);
	ck_assert_double_eq(sites__nameless(sites, SITE_ROW), 1);
	name(SITE_ROW);
	ck_assert_ptr_null(strstr(sb__str(&notes), "in time"));
	ck_assert_double_eq(weight_of(SITE_ROW, "file", 0), 1000);
	end();
}
END_TEST

START_TEST(samples_are_at_the_file_that_is_mapped)
{
	begin(SITE_OBJECT, false);
	map(1, 0x400000, "/usr/bin/a", 11);
	map(1, 0x800000, "/usr/lib/libb.so", 12);
	sample(1, 0x400010, 0, 100);
	sample(1, 0x800010, 0, 30);
	sample(1, 0x800020, 1, 7);
	sample(1, 0x10, 0, 5);
	sample(2, 0x400010, 0, 3);
	name(SITE_ROW);
	ck_assert_double_eq(weight_of(SITE_ROW, "a", 0), 100);
	ck_assert_double_eq(weight_of(SITE_ROW, "libb.so", 0), 30);
	ck_assert_double_eq(weight_of(SITE_ROW, "libb.so", 1), 7);
	ck_assert_double_eq(weight_of(SITE_ROW, "[unknown memory]", 0), 8);
	ck_assert_int_eq(sites__nr(sites), 3);
	ck_assert_str_eq(sites__at(sites, number_of("a"))->object, "/usr/bin/a");
	end();
}
END_TEST

START_TEST(a_child_has_what_its_parent_has_until_it_executes)
{
	begin(SITE_OBJECT, false);
	map(1, 0x400000, "/usr/bin/a", 11);
	add((struct sample_record){.kind = RECORD_FORKED, .pid = 2, .tid = 2, .parent = 1,
				   .parent_tid = 1});
	sample(2, 0x400010, 0, 100);
	add((struct sample_record){.kind = RECORD_EXECUTED, .pid = 2});
	sample(2, 0x100, 0, 10);
	/* The record of the new program comes a little after the program's first sample. */
	sample(2, 0x400010, 0, 1);
	map(2, 0x400000, "/usr/bin/b", 12);
	sample(2, 0x400010, 0, 1);
	sample(1, 0x400010, 0, 1000);
	name(SITE_ROW);
	ck_assert_double_eq(weight_of(SITE_ROW, "a", 0), 1100);
	ck_assert_double_eq(weight_of(SITE_ROW, "[unknown memory]", 0), 10);
	ck_assert_double_eq(weight_of(SITE_ROW, "b", 0), 2);
	end();
}
END_TEST

START_TEST(two_files_of_a_name_are_two_sites)
{
	begin(SITE_OBJECT, false);
	map(1, 0x400000, "/opt/one/lib.so", 11);
	map(1, 0x800000, "/opt/two/lib.so", 12);
	sample(1, 0x400010, 0, 1);
	sample(1, 0x800010, 0, 1);
	name(SITE_ROW);
	ck_assert_int_eq(sites__nr(sites), 2);
	ck_assert_str_eq(sites__at(sites, 0)->name, sites__at(sites, 1)->name);
	ck_assert_str_ne(sites__at(sites, 0)->object, sites__at(sites, 1)->object);
	end();
}
END_TEST

/* If a file no longer exists, it has no names, and is a single site. */
START_TEST(a_function_without_a_name_is_its_file)
{
	begin(SITE_FUNCTION, false);
	map(1, 0x400000, "/nowhere/deleted", 11);
	sample(1, 0x400010, 0, 1);
	sample(1, 0x400020, 0, 1);
	name(SITE_ROW);
	ck_assert_int_eq(sites__nr(sites), 1);
	ck_assert_str_eq(sites__at(sites, 0)->name, "deleted");
	ck_assert(!sites__at(sites, 0)->is_kernel);
	ck_assert_uint_gt(notes.len, 0);
	end();
}
END_TEST

START_TEST(the_kernel_is_a_site_and_its_idle_task_is_not)
{
	begin(SITE_OBJECT, true);
	add((struct sample_record){.kind = RECORD_SAMPLED, .pid = 1, .tid = 1, .period = 5,
				   .address = 0xffffffff81000000, .kernel = true});
	add((struct sample_record){.kind = RECORD_SAMPLED, .period = 7, .event = 1,
				   .address = 0xffffffff81000000, .kernel = true});
	name(SITE_WHOLE);
	ck_assert_int_eq(sites__nr(sites), 1);
	ck_assert(sites__at(sites, 0)->is_kernel);
	ck_assert_double_eq(weight_of(SITE_WHOLE, "[kernel]", 0), 5);
	ck_assert_double_eq(weight_of(SITE_WHOLE, NULL, 1), 0);
	ck_assert_double_eq(sites__idle(sites, SITE_ROW, 1), 7);
	ck_assert_double_eq(sites__idle(sites, SITE_WHOLE, 1), 7);
	ck_assert_double_eq(sites__idle(sites, SITE_WHOLE, 0), 0);
	sites__end_row(sites);
	ck_assert_double_eq(sites__idle(sites, SITE_ROW, 1), 0);
	ck_assert_double_eq(sites__idle(sites, SITE_WHOLE, 1), 7);
	end();
}
END_TEST

START_TEST(a_row_is_of_the_last_few_where_that_is_wanted)
{
	begin(SITE_OBJECT, true);
	sites__keep_rows(sites, 3);
	map(1, 0x400000, "/usr/bin/a", 11);
	for (int row = 0; row < 6; row++) {
		double now = 1 << row, before = row ? now / 2 : 0, first = row > 1 ? now / 4 : 0;

		sample(1, 0x400010, 0, now);
		add((struct sample_record){.kind = RECORD_SAMPLED, .period = now, .event = 1,
					   .address = 0xffffffff81000000, .kernel = true});
		take();
		ck_assert_double_eq(sites__nameless(sites, SITE_ROW), row ? 0 : 1);
		name(SITE_ROW);
		ck_assert_double_eq(weight_of(SITE_ROW, "a", 0), now + before + first);
		ck_assert_double_eq(sites__idle(sites, SITE_ROW, 1), now + before + first);
		sites__end_row(sites);
	}
	ck_assert_double_eq(weight_of(SITE_WHOLE, "a", 0), 63);
	ck_assert_double_eq(sites__idle(sites, SITE_WHOLE, 1), 63);
	end();
}
END_TEST

START_TEST(a_row_ends_and_the_whole_goes_on)
{
	begin(SITE_OBJECT, true);
	map(1, 0x400000, "/usr/bin/a", 11);
	sample(1, 0x400010, 0, 1);
	name(SITE_ROW);
	ck_assert_double_eq(weight_of(SITE_ROW, "a", 0), 1);
	sites__end_row(sites);
	sample(1, 0x400010, 0, 10);
	name(SITE_ROW);
	ck_assert_double_eq(weight_of(SITE_ROW, "a", 0), 10);
	ck_assert_double_eq(weight_of(SITE_WHOLE, "a", 0), 11);
	end();
	/* If the whole is not asked for, the counts are those of the row. */
	begin(SITE_OBJECT, false);
	map(1, 0x400000, "/usr/bin/a", 11);
	sample(1, 0x400010, 0, 1);
	name(SITE_WHOLE);
	ck_assert_double_eq(weight_of(SITE_WHOLE, "a", 0), 1);
	end();
}
END_TEST

/* Very many samples at few addresses are added up, and no sample is lost. */
START_TEST(many_samples_are_added_up)
{
	const int nr = 3 * MOST_KEPT;

	begin(SITE_OBJECT, false);
	map(1, 0x400000, "/usr/bin/a", 11);
	map(1, 0x800000, "/usr/bin/b", 12);
	for (int i = 0; i < nr; i++) {
		now_ns += MS;
		sample(1, i % 4 ? 0x400010 : 0x800010, i % 2, 10);
	}
	name(SITE_ROW);
	ck_assert_int_lt(sites__samples(sites, SITE_ROW)->nr, MOST_KEPT);
	ck_assert_int_eq(samples_of(SITE_ROW), nr);
	ck_assert_double_eq(weight_of(SITE_ROW, NULL, 0), 5. * nr);
	ck_assert_double_eq(weight_of(SITE_ROW, "a", 0), 2.5 * nr);
	ck_assert_double_eq(weight_of(SITE_ROW, "a", 1), 5. * nr);
	ck_assert_double_eq(weight_of(SITE_ROW, "b", 1), 0);
	end();
}
END_TEST

/*
 * Very many samples at very many addresses: both halves of the time have the same weight, and each
 * file has its share.
 */
START_TEST(many_samples_at_many_addresses_keep_their_parts)
{
	const int nr = 4 * MOST_KEPT;
	const struct site_samples *list;
	double late = 0;

	begin(SITE_FUNCTION, false);
	map(1, 0x400000, "/nowhere/a", 11);
	map(1, 0x800000, "/nowhere/b", 12);
	for (int i = 0; i < nr; i++) {
		now_ns += MS;
		sample(1, (i % 4 ? 0x400000 : 0x800000) + i * 7919ULL % 0x100000, 0, 10);
	}
	name(SITE_ROW);
	list = sites__samples(sites, SITE_ROW);
	ck_assert_int_lt(list->nr, MOST_KEPT);
	for (int i = 0; i < list->nr; i++)
		late += list->at[i].time_ns > now_ns / 2 ? list->at[i].weight : 0;
	ck_assert_double_eq(weight_of(SITE_ROW, NULL, 0), 10. * nr);
	ck_assert_int_eq(samples_of(SITE_ROW), nr);
	ck_assert_double_eq_tol(late / (10. * nr), 0.5, 0.02);
	ck_assert_double_eq_tol(weight_of(SITE_ROW, "b", 0) / (10. * nr), 0.25, 0.01);
	end();
}
END_TEST

START_TEST(addresses_beyond_the_most_are_those_of_their_file)
{
	begin(SITE_FUNCTION, false);
	map(1, 0x400000, "/nowhere/a", 11);
	map(1, 0x600000, "/nowhere/b", 12);
	for (int i = 0; i < MANY_ADDRESSES + 1000; i++)
		sample(1, 0x400000 + i, 0, 1);
	for (int i = 0; i < 1000; i++)
		sample(1, 0x600000 + i, 0, 1);
	name(SITE_ROW);
	ck_assert_double_eq(weight_of(SITE_ROW, "a", 0), MANY_ADDRESSES + 1000);
	ck_assert_double_eq(weight_of(SITE_ROW, "b", 0), 1000);
	end();
}
END_TEST

START_TEST(bursts_tell_how_long_a_program_stays)
{
	static const int each[] = {0, 1, 2};
	struct site_stays stays[3];

	begin(SITE_OBJECT, false);
	map(1, 0x400000, "/usr/bin/a", 11);
	map(1, 0x800000, "/usr/bin/b", 12);
	map(1, 0xc00000, "/usr/bin/c", 13);
	sample(1, 0x400010, 0, 1);
	/* Two bursts that overlap in time. */
	for (int i = 0; i < 4; i++) {
		of_burst(1, 1, 0x400000 + i);
		of_burst(2, 1, i % 2 ? 0x400000 : 0x800000);
	}
	/* A burst that has a single sample is not used. */
	of_burst(3, 1, 0xc00000);
	of_burst(9, 1, 0x800000);
	of_burst(10, 1, 0x800000);
	of_burst(10, 1, 0x800010);
	name(SITE_ROW);
	sites__stays(sites, each, 3, stays);
	ck_assert_int_eq(stays[number_of("a")].bursts, 1);
	ck_assert_int_eq(stays[number_of("a")].left, 0);
	ck_assert_int_eq(stays[number_of("b")].bursts, 2);
	ck_assert_int_eq(stays[number_of("b")].left, 1);
	/* Two sites of one group do not count as two. */
	sites__stays(sites, (int[]){0, 0, 0}, 1, stays);
	ck_assert_int_eq(stays[0].bursts, 3);
	ck_assert_int_eq(stays[0].left, 0);
	/* A burst does not count for the samples of a row. */
	ck_assert_int_eq(samples_of(SITE_ROW), 1);
	ck_assert_int_eq(number_of("c"), -1);
	end();
}
END_TEST

START_TEST(bursts_without_end_keep_the_latest)
{
	static const int each[] = {0, 1};
	struct site_stays stays[2];

	begin(SITE_OBJECT, false);
	map(1, 0x400000, "/usr/bin/a", 11);
	map(1, 0x800000, "/usr/bin/b", 12);
	for (int i = 0; i < 300000; i++)
		of_burst(1 + i / 4, 1, 0x400000 + i % 100);
	for (int i = 0; i < 1000000; i++)
		of_burst(100000 + i / 4, 1, 0x800000 + i % 100);
	name(SITE_ROW);
	sites__stays(sites, each, 2, stays);
	ck_assert_int_eq(number_of("a"), -1);
	ck_assert_int_ge(stays[number_of("b")].bursts, 1 << 15);
	ck_assert_int_lt(stays[number_of("b")].bursts, 1 << 17);
	ck_assert_int_eq(stays[number_of("b")].left, 0);
	end();
}
END_TEST

START_TEST(nothing_was_sampled)
{
	begin(SITE_FUNCTION, true);
	name(SITE_ROW);
	name(SITE_WHOLE);
	ck_assert_int_eq(sites__nr(sites), 0);
	ck_assert_int_eq(sites__samples(sites, SITE_WHOLE)->nr, 0);
	ck_assert_uint_eq(notes.len, 0);
	end();
	sites__free(NULL);
}
END_TEST

TMA_TEST_MAIN(sites, samples_are_at_the_file_that_is_mapped,
	      names_that_came_too_late_are_read_later,
	      a_child_has_what_its_parent_has_until_it_executes, two_files_of_a_name_are_two_sites,
	      a_function_without_a_name_is_its_file, the_kernel_is_a_site_and_its_idle_task_is_not,
	      a_row_is_of_the_last_few_where_that_is_wanted,
	      a_row_ends_and_the_whole_goes_on, many_samples_are_added_up,
	      many_samples_at_many_addresses_keep_their_parts,
	      addresses_beyond_the_most_are_those_of_their_file,
	      bursts_tell_how_long_a_program_stays, bursts_without_end_keep_the_latest,
	      nothing_was_sampled)
