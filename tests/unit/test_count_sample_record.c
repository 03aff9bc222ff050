// SPDX-License-Identifier: GPL-2.0-only
/* Records of the kernel, given byte by byte, and how they are read. */
#include <string.h>

#include "count/sample_record.h"
#include "unit.h"

static struct {
	struct perf_event_header header;
	uint8_t data[4096];
} record;
static struct sample_record out[2];
static struct sample_loss loss;
static uint64_t id;

static void begin(uint32_t type, uint16_t misc)
{
	memset(&record, 0xee, sizeof(record));
	record.header = (struct perf_event_header){type, misc, sizeof(record.header)};
	memset(&loss, 0, sizeof(loss));
}

static void put(const void *data, size_t size)
{
	memcpy((char *)&record + record.header.size, data, size);
	record.header.size += size;
}

static void put32(uint32_t value)
{
	put(&value, sizeof(value));
}

static void put64(uint64_t value)
{
	put(&value, sizeof(value));
}

/* Put a text with its zero byte, padded to a multiple of eight bytes, as the kernel does. */
static void put_text(const char *text)
{
	static const char zeros[8];

	put(text, strlen(text) + 1);
	put(zeros, -record.header.size & 7);
}

/* Put the trailer that all records other than samples have. */
static void put_trailer(uint64_t time_ns)
{
	put32(70);
	put32(71);
	put64(time_ns);
	put64(99);
}

static int parse(void)
{
	memset(out, 0xee, sizeof(out));
	return sample_record__parse(&record.header, out, &id, &loss);
}

static void begin_sample(uint16_t misc)
{
	begin(PERF_RECORD_SAMPLE, misc);
	put64(17);
	put64(0xffffffff81000010);
	put32(70);
	put32(71);
	put64(123456789012);
	put64(1000003);
}

static void begin_mapping(uint16_t misc, uint32_t protection)
{
	begin(PERF_RECORD_MMAP2, misc);
	put32(70);
	put32(71);
	put64(0x400000);
	put64(0x2000);
	put64(0x1000);
	put32(8);
	put32(1);
	put64(4711);
	put64(0);
	put32(protection);
	put32(2);
}

START_TEST(a_sample)
{
	begin_sample(PERF_RECORD_MISC_USER);
	ck_assert_int_eq(parse(), 1);
	ck_assert_int_eq(out[0].kind, RECORD_SAMPLED);
	ck_assert_uint_eq(id, 17);
	ck_assert_uint_eq(out[0].address, 0xffffffff81000010);
	ck_assert_int_eq(out[0].pid, 70);
	ck_assert_int_eq(out[0].tid, 71);
	ck_assert_uint_eq(out[0].time_ns, 123456789012);
	ck_assert_uint_eq(out[0].period, 1000003);
	ck_assert(!out[0].kernel && !out[0].path && !out[0].burst);
	begin_sample(PERF_RECORD_MISC_KERNEL | PERF_RECORD_MISC_EXACT_IP);
	ck_assert_int_eq(parse(), 1);
	ck_assert(out[0].kernel);
}
END_TEST

START_TEST(code_that_is_mapped)
{
	begin_mapping(PERF_RECORD_MISC_USER, 5);
	put_text("/usr/bin/a b");
	put_trailer(5);
	ck_assert_int_eq(parse(), 1);
	ck_assert_int_eq(out[0].kind, RECORD_MAPPED);
	ck_assert_uint_eq(id, 0);
	ck_assert_str_eq(out[0].path, "/usr/bin/a b");
	ck_assert_uint_eq(out[0].address, 0x400000);
	ck_assert_uint_eq(out[0].len, 0x2000);
	ck_assert_uint_eq(out[0].offset, 0x1000);
	ck_assert_uint_eq(out[0].inode, 4711);
	ck_assert_int_eq(out[0].pid, 70);
	ck_assert_uint_eq(out[0].time_ns, 5);
	free(out[0].path);
}
END_TEST

START_TEST(data_that_are_mapped_tell_nothing)
{
	begin_mapping(PERF_RECORD_MISC_USER, 3);
	put_text("/etc/passwd");
	put_trailer(5);
	ck_assert_int_eq(parse(), 0);
	begin_mapping(PERF_RECORD_MISC_USER | PERF_RECORD_MISC_MMAP_DATA, 5);
	put_text("/etc/passwd");
	put_trailer(5);
	ck_assert_int_eq(parse(), 0);
}
END_TEST

/* The kernel's texts end with a zero byte. A text without one ends with its record. */
START_TEST(a_text_that_does_not_end)
{
	begin_mapping(PERF_RECORD_MISC_USER, 5);
	put("AAAAAAAA", 8);
	put_trailer(5);
	ck_assert_int_eq(parse(), 1);
	ck_assert_str_eq(out[0].path, "AAAAAAAA");
	free(out[0].path);
	begin(PERF_RECORD_COMM, 0);
	put32(70);
	put32(71);
	put("BBBBBBBB", 8);
	put_trailer(6);
	ck_assert_int_eq(parse(), 1);
	ck_assert_str_eq(out[0].path, "BBBBBBBB");
	free(out[0].path);
}
END_TEST

START_TEST(a_process_that_was_made)
{
	begin(PERF_RECORD_FORK, 0);
	put32(80);
	put32(70);
	put32(81);
	put32(71);
	put64(7);
	put_trailer(8);
	ck_assert_int_eq(parse(), 1);
	ck_assert_int_eq(out[0].kind, RECORD_FORKED);
	ck_assert_int_eq(out[0].pid, 80);
	ck_assert_int_eq(out[0].parent, 70);
	ck_assert_int_eq(out[0].tid, 81);
	ck_assert_int_eq(out[0].parent_tid, 71);
	ck_assert_uint_eq(out[0].time_ns, 7);
}
END_TEST

START_TEST(a_thread_with_a_new_name_and_a_new_program)
{
	begin(PERF_RECORD_COMM, 0);
	put32(70);
	put32(71);
	put_text("worker");
	put_trailer(9);
	ck_assert_int_eq(parse(), 1);
	ck_assert_int_eq(out[0].kind, RECORD_NAMED);
	ck_assert_str_eq(out[0].path, "worker");
	free(out[0].path);
	record.header.misc = PERF_RECORD_MISC_COMM_EXEC;
	ck_assert_int_eq(parse(), 2);
	ck_assert_int_eq(out[0].kind, RECORD_EXECUTED);
	ck_assert_int_eq(out[0].pid, 70);
	ck_assert_uint_eq(out[0].time_ns, 9);
	ck_assert_ptr_null(out[0].path);
	ck_assert_int_eq(out[1].kind, RECORD_NAMED);
	ck_assert_int_eq(out[1].tid, 71);
	ck_assert_str_eq(out[1].path, "worker");
	free(out[1].path);
}
END_TEST

START_TEST(samples_that_are_missing_are_counted)
{
	begin(PERF_RECORD_LOST, 0);
	put64(17);
	put64(42);
	put_trailer(1);
	ck_assert_int_eq(parse(), 0);
	ck_assert_int_eq(parse(), 0);
	ck_assert_uint_eq(loss.lost, 84);
	record.header.type = PERF_RECORD_THROTTLE;
	ck_assert_int_eq(parse(), 0);
	record.header.type = PERF_RECORD_UNTHROTTLE;
	ck_assert_int_eq(parse(), 0);
	ck_assert_uint_eq(loss.throttled, 1);
}
END_TEST

START_TEST(records_that_are_too_short_or_unknown)
{
	begin_mapping(PERF_RECORD_MISC_USER, 5);
	put_text("/usr/bin/a");
	put_trailer(5);
	/* Records are not read beyond their end; a build with sanitizers would notice. */
	for (uint32_t type = 0; type < 40; type++)
		for (uint16_t size = 8; size < 200; size++) {
			struct perf_event_header *h = malloc(size);
			int nr;

			memcpy(h, &record, size);
			h->type = type;
			h->size = size;
			nr = sample_record__parse(h, out, &id, &loss);
			ck_assert_int_le(nr, 2);
			for (int i = 0; i < nr; i++)
				free(out[i].path);
			free(h);
		}
	begin(PERF_RECORD_SAMPLE, 0);
	ck_assert_int_eq(parse(), 0);
	begin(PERF_RECORD_LOST, 0);
	ck_assert_int_eq(parse(), 0);
	ck_assert_uint_eq(loss.lost, 0);
}
END_TEST

START_TEST(records_are_put_in_the_order_of_time)
{
	struct sample_record list[] = {
		{.time_ns = 30, .order = 0}, {.time_ns = 10, .order = 1},
		{.time_ns = 10, .order = 2}, {.time_ns = UINT64_MAX, .order = 3},
		{.time_ns = 10, .order = 4}, {.order = 5}};
	struct sample_records records = {.at = list, .nr = 6};
	const int want[] = {5, 1, 2, 4, 0, 3};

	sample_records__sort(&records);
	for (int i = 0; i < records.nr; i++)
		ck_assert_int_eq(list[i].order, want[i]);
	records.nr = 0;
	sample_records__sort(&records);
}
END_TEST

START_TEST(a_counter_writes_what_is_read)
{
	struct perf_event_attr attr = {0};

	sample_record__set_attr(&attr, false);
	ck_assert_uint_eq(attr.sample_type,
			  PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID |
				  PERF_SAMPLE_TIME | PERF_SAMPLE_PERIOD);
	ck_assert(attr.sample_id_all && !attr.mmap2 && !attr.task);
	sample_record__set_attr(&attr, true);
	ck_assert(attr.mmap && attr.mmap2 && attr.comm && attr.comm_exec && attr.task);
}
END_TEST

TMA_TEST_MAIN(sample_record, a_sample, code_that_is_mapped, data_that_are_mapped_tell_nothing,
	      a_text_that_does_not_end, a_process_that_was_made,
	      a_thread_with_a_new_name_and_a_new_program, samples_that_are_missing_are_counted,
	      records_that_are_too_short_or_unknown, records_are_put_in_the_order_of_time,
	      a_counter_writes_what_is_read)
