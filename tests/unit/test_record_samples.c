// SPDX-License-Identifier: GPL-2.0-only
/* Samples in recordings: tma's, perf's, and groups that perf reads with each sample. */
#include <errno.h>
#include <linux/perf_event.h>

#include "count/sample_record.h"
#include "record/samples.h"
#include "record_fixture.h"

#define TYPE                                                                                       \
	(PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME |            \
	 PERF_SAMPLE_PERIOD)
#define FINISHED_ROUND 68

/* The samples that the sink got, in order: "10:ip=1000*5 map=/a" is event, address and period. */
static struct sb given;

static void take(void *arg, struct sample_records *records)
{
	(void)arg;
	for (int i = 0; i < records->nr; i++) {
		const struct sample_record *r = &records->at[i];

		sb__puts(&given, given.len ? " " : "");
		if (r->kind == RECORD_SAMPLED)
			sb__printf(&given, "%d@%d%s%x*%d%s", r->event, (int)r->time_ns,
				   r->kernel ? "k" : "u", (int)r->address, (int)r->period,
				   r->burst ? "b" : "");
		else
			sb__printf(&given, "%s@%d", r->path ?: r->kind == RECORD_ENDED ? "end" : "fork",
				   (int)r->time_ns);
		free(records->at[i].path);
		records->at[i].path = NULL;
	}
}

static void put_sampled(uint64_t config, uint64_t id, uint64_t type, uint64_t format, bool samples)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_RAW,
		.config = config,
		.size = sizeof(attr),
		.sample_type = type,
		.read_format = format,
		.sample_period = samples ? 1000 : 0,
		.sample_id_all = 1,
	};
	size_t start = put_record(&file, PERF_RECORD_HEADER_ATTR);

	sb__add(&file, (const char *)&attr, sizeof(attr));
	put_u64(&file, id);
	record__end(&file, start);
}

static void put_misc(size_t start, int misc)
{
	((struct perf_event_header *)(file.buf + start))->misc = misc;
}

static size_t begin_sample(uint64_t id, uint64_t ip, uint64_t time, bool kernel)
{
	size_t start = put_record(&file, PERF_RECORD_SAMPLE);

	put_misc(start, kernel ? PERF_RECORD_MISC_KERNEL : PERF_RECORD_MISC_USER);
	put_u64(&file, id);
	put_u64(&file, ip);
	put_u32(&file, 7);
	put_u32(&file, 8);
	put_u64(&file, time);
	return start;
}

static void put_sample(uint64_t id, uint64_t ip, uint64_t time, uint64_t period, bool kernel)
{
	size_t start = begin_sample(id, ip, time, kernel);

	put_u64(&file, period);
	record__end(&file, start);
}

/* The sample of a group has the counts of events 10 and 11. */
static void put_group(uint64_t ip, uint64_t time, uint64_t enabled, uint64_t running, uint64_t a,
		      uint64_t b)
{
	size_t start = begin_sample(11, ip, time, false);
	const uint64_t values[] = {2, enabled, running, a, 10, b, 11};

	sb__add(&file, (const char *)values, sizeof(values));
	record__end(&file, start);
}

static void put_mapped(const char *path, uint64_t time)
{
	static const uint64_t zeros[8];
	size_t start = put_record(&file, PERF_RECORD_MMAP2);

	put_misc(start, PERF_RECORD_MISC_USER);
	put_u32(&file, 7);
	put_u32(&file, 7);
	put_u64(&file, 0x1000);
	put_u64(&file, 0x1000);
	sb__add(&file, (const char *)zeros, 2 * sizeof(*zeros));
	put_u64(&file, 12);
	put_u64(&file, 0);
	put_u32(&file, 5);
	put_u32(&file, 2);
	sb__add(&file, path, strlen(path) + 1);
	put_zeros(&file, (8 - file.len % 8) % 8);
	put_u32(&file, 7);
	put_u32(&file, 7);
	put_u64(&file, time);
	put_u64(&file, 10);
	record__end(&file, start);
}

static void put_words(uint64_t what, uint64_t id, const void *data, size_t size)
{
	size_t start = put_record(&file, PERF_RECORD_EVENT_UPDATE);

	put_u64(&file, what);
	put_u64(&file, id);
	sb__add(&file, data, size);
	record__end(&file, start);
}

static void put_round_of_buffers(void)
{
	record__end(&file, put_record(&file, FINISHED_ROUND));
}

static void start_tmas(void)
{
	const struct sampling_update sampling = {.frequency = 199, .user_only = 1};

	start_pipe();
	put_sampled(0x3c, 10, TYPE, 0, true);
	put_sampled(0xc0, 11, TYPE, 0, true);
	put_thread(7, "walk");
	put_words(UPDATE_SAMPLING, 10, &sampling, sizeof(sampling));
}

static void start_groups(void)
{
	const uint64_t type = (TYPE & ~PERF_SAMPLE_PERIOD) | PERF_SAMPLE_READ;
	const uint64_t format = PERF_FORMAT_GROUP | PERF_FORMAT_ID |
				PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;

	start_pipe();
	put_sampled(0x400, 10, type, format, false);
	put_sampled(0x3c, 11, type, format, true);
	put_thread(7, "walk");
}

static struct counts counts;
static struct recorded_row row;

static struct recording *follow(void)
{
	struct recording *r = open_file();

	sb__clear(&given);
	recording__counts(r, &counts);
	recording__follow(r, take, NULL);
	return r;
}

static void finish(struct recording *r)
{
	counts__free(&counts);
	recording__free(r);
	sb__free(&given);
}

START_TEST(a_row_has_the_samples_before_it)
{
	struct recording *r;

	start_tmas();
	put_mapped("/bin/walk", 1);
	put_sample(10, 0x1000, 5, 100, false);
	put_sample(11, 0x1010, 6, 20, true);
	put_stat(10, -1, 0, 100, 50, 50);
	put_round(ROUND_INTERVAL, 50);
	put_sample(10, 0x1020, 60, 7, false);
	put_stat(10, -1, 0, 107, 90, 90);
	put_round(ROUND_INTERVAL, 90);
	r = follow();
	ck_assert_int_eq(recording__samples(r), SAMPLES_TMAS);
	ck_assert_uint_eq(recording__sampling(r)->frequency, 199);
	ck_assert(recording__sampling(r)->totals.user_only);
	ck_assert(recording__is_sampled(r, 0) && !recording__is_sampled(r, 2));
	ck_assert_int_eq(recording__next(r, &counts, &row, &err), 1);
	ck_assert_str_eq(sb__str(&given), "/bin/walk@1 0@5u1000*100 1@6k1010*20");
	ck_assert_uint_eq(counts.at[0].value, 100);
	sb__clear(&given);
	ck_assert_int_eq(recording__next(r, &counts, &row, &err), 1);
	ck_assert_str_eq(sb__str(&given), "0@60u1020*7");
	ck_assert_int_eq(recording__next(r, &counts, &row, &err), 0);
	finish(r);
}
END_TEST

START_TEST(bursts_are_records_of_their_own)
{
	const struct burst_update burst = {.time_ns = 6, .address = 0x1010, .tid = 8, .number = 3};
	struct recording *r;

	start_tmas();
	put_sample(10, 0x1000, 5, 100, false);
	put_words(UPDATE_BURST, 10, &burst, sizeof(burst));
	put_round(ROUND_FINAL, 50);
	r = follow();
	ck_assert_int_eq(recording__next(r, &counts, &row, &err), 1);
	ck_assert_str_eq(sb__str(&given), "0@5u1000*100 0@6u1010*0b");
	finish(r);
}
END_TEST

START_TEST(samples_without_a_sink_are_skipped)
{
	struct recording *r;

	start_tmas();
	put_mapped("/bin/walk", 1);
	put_sample(10, 0x1000, 5, 100, false);
	put_stat(10, -1, 0, 100, 50, 50);
	put_round(ROUND_FINAL, 50);
	r = open_file();
	recording__counts(r, &counts);
	ck_assert_int_eq(recording__next(r, &counts, &row, &err), 1);
	ck_assert_uint_eq(counts.at[0].value, 100);
	finish(r);
}
END_TEST

START_TEST(what_a_group_counted_between_samples_is_of_the_second)
{
	struct recording *r;

	start_groups();
	put_group(0x1000, 100, 10, 10, 600, 100);
	put_group(0x2000, 200, 20, 20, 1800, 300);
	/* The group ran for half of the time. */
	put_group(0x3000, 300, 40, 30, 2400, 350);
	r = follow();
	ck_assert_int_eq(recording__samples(r), SAMPLES_OF_GROUPS);
	ck_assert(recording__is_sampled(r, 0));
	ck_assert_int_eq(recording__next(r, &counts, &row, &err), 1);
	ck_assert_str_eq(sb__str(&given), "0@100u1000*600 1@100u1000*100 0@200u2000*1200 "
					  "1@200u2000*200 0@300u3000*1200 1@300u3000*100");
	ck_assert_uint_eq(counts.at[0].value, 2400);
	ck_assert_uint_eq(counts.at[0].enabled, 40);
	ck_assert_uint_eq(counts.at[0].running, 30);
	ck_assert_uint_eq(row.since_start_ns, 200);
	ck_assert_int_eq(recording__next(r, &counts, &row, &err), 0);
	finish(r);
}
END_TEST

START_TEST(four_samples_of_a_thread_are_a_burst)
{
	struct recording *r;

	start_groups();
	for (int i = 1; i <= 4; i++)
		put_group(0x1000 + i, i, i, i, 10 * i, i);
	r = follow();
	ck_assert_int_eq(recording__next(r, &counts, &row, &err), 1);
	ck_assert_ptr_nonnull(strstr(sb__str(&given), "0@4u1004*10 0@1u1001*10b 0@2u1002*10b "
						      "0@3u1003*10b 0@4u1004*10b 1@4u1004*1"));
	finish(r);
}
END_TEST

START_TEST(rounds_put_buffers_into_the_order_of_time)
{
	struct recording *r;

	start_pipe();
	put_sampled(0x3c, 10, TYPE, 0, true);
	put_thread(7, "walk");
	put_sample(10, 0x1000, 5, 1, false);
	put_sample(10, 0x1000, 9, 2, false);
	put_sample(10, 0x1000, 3, 3, false);
	put_round_of_buffers();
	put_sample(10, 0x1000, 8, 4, false);
	put_round_of_buffers();
	put_sample(10, 0x1000, 12, 5, false);
	put_round_of_buffers();
	r = follow();
	ck_assert_int_eq(recording__samples(r), SAMPLES_PERFS);
	ck_assert_int_eq(recording__next(r, &counts, &row, &err), 1);
	ck_assert_str_eq(sb__str(&given), "0@3u1000*3 0@5u1000*1 0@8u1000*4 0@9u1000*2 "
					  "0@3u1000*3b 0@5u1000*1b 0@8u1000*4b 0@9u1000*2b "
					  "0@12u1000*5");
	ck_assert_uint_eq(counts.at[0].value, 15);
	finish(r);
}
END_TEST

START_TEST(build_ids_and_the_boot_are_recorded)
{
	struct build_id_record body = {.pid = -1, .size = 3, .id = {1, 2, 3}};
	const struct maps_origin *origin;
	const struct build_id *id;
	struct recording *r;
	size_t start;

	start_tmas();
	put_words(UPDATE_BOOT, 10, "a boot", sizeof("a boot"));
	start = put_record(&file, PERF_RECORD_MMAP);
	put_misc(start, PERF_RECORD_MISC_KERNEL);
	put_u64(&file, (uint32_t)-1);
	put_u64(&file, 0x8000);
	put_u64(&file, 0x1000);
	put_u64(&file, 0x8000);
	sb__add(&file, KERNEL_STEXT_NAME "\0", sizeof(KERNEL_STEXT_NAME));
	put_zeros(&file, (8 - file.len % 8) % 8 + 32);
	record__end(&file, start);
	for (int kernel = 0; kernel < 2; kernel++) {
		start = put_record(&file, PERF_RECORD_HEADER_BUILD_ID);
		put_misc(start, MISC_BUILD_ID_SIZE | (kernel ? PERF_RECORD_MISC_KERNEL :
							       PERF_RECORD_MISC_USER));
		sb__add(&file, (const char *)&body + sizeof(body.header),
			sizeof(body) - sizeof(body.header));
		sb__add(&file, kernel ? KERNEL_FILE_NAME : "/bin/walk", kernel ? 18 : 10);
		record__end(&file, start);
	}
	put_round(ROUND_FINAL, 50);
	r = follow();
	ck_assert_int_eq(recording__next(r, &counts, &row, &err), 1);
	origin = recording__origin(r);
	id = build_ids__find(&origin->ids, "/bin/walk");
	ck_assert(id && id->size == 3 && id->bytes[2] == 3);
	ck_assert_ptr_null(build_ids__find(&origin->ids, "/bin/other"));
	ck_assert_int_eq(origin->kernel.id.size, 3);
	ck_assert_str_eq(origin->kernel.boot, "a boot");
	ck_assert_uint_eq(origin->kernel.text.start, 0x8000);
	ck_assert(origin->kernel.text.is_stext);
	finish(r);
}
END_TEST

static void expect_refusal(const char *text)
{
	struct recording *r = follow();
	int rc = 1;

	while (rc > 0)
		rc = recording__next(r, &counts, &row, &err);
	ck_assert_int_eq(rc, -EINVAL);
	ck_assert_msg(strstr(err.msg, text), "%s", err.msg);
	finish(r);
}

START_TEST(samples_that_cannot_be_are_refused)
{
	size_t start;

	start_tmas();
	put_sample(99, 0x1000, 5, 100, false);
	expect_refusal("a sample of an unknown event");

	start_tmas();
	start = put_record(&file, PERF_RECORD_SAMPLE);
	put_u64(&file, 10);
	record__end(&file, start);
	expect_refusal("a sample is cut off");

	start_groups();
	start = begin_sample(11, 0x1000, 5, false);
	put_u64(&file, 1000);
	record__end(&file, start);
	expect_refusal("the counts of a sample's group are cut off");

	start_tmas();
	put_sample(10, 0x1000, 5, 100, false);
	record__end(&file, put_record(&file, 81));
	expect_refusal("compressed (perf record -z)");
}
END_TEST

START_TEST(no_damage_does_harm)
{
	start_tmas();
	put_mapped("/bin/walk", 1);
	put_sample(10, 0x1000, 5, 100, false);
	put_round(ROUND_FINAL, 50);
	damage_every_byte();
	start_groups();
	put_group(0x1000, 100, 10, 10, 600, 100);
	put_group(0x2000, 200, 20, 20, 1800, 300);
	put_round_of_buffers();
	damage_every_byte();
}
END_TEST

TMA_TEST_MAIN(record_samples, a_row_has_the_samples_before_it, bursts_are_records_of_their_own,
	      samples_without_a_sink_are_skipped,
	      what_a_group_counted_between_samples_is_of_the_second,
	      four_samples_of_a_thread_are_a_burst, rounds_put_buffers_into_the_order_of_time,
	      build_ids_and_the_boot_are_recorded, samples_that_cannot_be_are_refused,
	      no_damage_does_harm)
