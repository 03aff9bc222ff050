// SPDX-License-Identifier: GPL-2.0-only
/* Retire latencies in recordings: in tma's records, in perf's form, and in text. */
#include <errno.h>

#include "record/latencies.h"
#include "record_fixture.h"

static void put_latency_event(uint64_t id, double mean, enum latency_mode mode)
{
	const double vendor[] = { mean, 0, 0 };
	size_t start = put_record(&file, PERF_RECORD_EVENT_UPDATE);

	put_u64(&file, UPDATE_LATENCY_EVENT);
	put_u64(&file, id);
	sb__add(&file, (const char *)vendor, sizeof(vendor));
	put_u64(&file, mode);
	put_u64(&file, 1);
	record__end(&file, start);
}

/* Put @nr samples with a latency of @cycles, each for one event, since the start. */
static void put_latency(uint64_t id, uint32_t cpu, uint64_t time, uint64_t nr, uint64_t cycles)
{
	size_t start = put_record(&file, PERF_RECORD_EVENT_UPDATE);

	put_u64(&file, UPDATE_LATENCY);
	put_u64(&file, id);
	put_u32(&file, cpu);
	put_u32(&file, 0);
	put_u64(&file, time);
	put_u64(&file, time);
	put_u64(&file, nr);
	put_u64(&file, nr);
	put_u64(&file, nr * cycles);
	put_u64(&file, time);
	put_u64(&file, cycles);
	put_u64(&file, 1);
	put_u64(&file, cycles);
	put_u64(&file, nr);
	record__end(&file, start);
}

static void start_latencies(enum latency_mode mode)
{
	start_pipe();
	put_attr(PERF_TYPE_RAW, 0x4d1, 10);
	put_update(PERF_EVENT_UPDATE__NAME, 10, "EV:R");
	put_latency_event(10, 57.64, mode);
	put_cpus("0,3");
	put_config(PERF_STAT_CONFIG_TERM__INTERVAL, 100);
	put_stat(10, 0, 0, 50, 100, 100);
	put_latency(10, 0, 100, 2, 50);
	put_latency(10, 3, 100, 1, 80);
	put_round(ROUND_INTERVAL, 100);
}

static double value(const struct counts *c, int unit)
{
	return latency__value(&c->latencies[unit], LATENCY_MEAN);
}

START_TEST(a_row_has_its_own_samples)
{
	struct recorded_row row;
	struct recording *r;
	struct counts c, sum;

	start_latencies(LATENCY_P50);
	put_stat(10, 0, 0, 90, 200, 200);
	put_latency(10, 0, 200, 6, 60);
	put_round(ROUND_INTERVAL, 200);
	r = open_file();
	ck_assert(recording__events(r)->at[0]->retire_latency);
	ck_assert(recording__events(r)->at[0]->sampled);
	ck_assert_double_eq(recording__events(r)->at[0]->vendor_latency.mean, 57.64);
	ck_assert_str_eq(recording__events(r)->at[0]->unit, "cycles");
	ck_assert_int_eq(recording__info(r)->latency_mode, LATENCY_P50);
	recording__counts(r, &c);
	recording__counts(r, &sum);

	ck_assert_int_eq(recording__next(r, &c, &row, &err), 1);
	recording__sum(r, &c, &sum);
	ck_assert_uint_eq(c.at[0].value, 2);
	ck_assert_uint_eq(c.at[0].running, 100);
	ck_assert_double_eq(value(&c, 0), 50);
	ck_assert_double_eq(value(&c, 1), 80);
	ck_assert_double_eq(latency__value(&c.latencies[1], LATENCY_P50), 80);

	/* (6 * 60 - 2 * 50) / 4: the other CPU has no samples in this row */
	ck_assert_msg(recording__next(r, &c, &row, &err) == 1, "%s", err.msg);
	recording__sum(r, &c, &sum);
	ck_assert_double_eq(value(&c, 0), 65);
	ck_assert_uint_eq(c.latencies[1].nr, 0);
	ck_assert_double_eq(value(&sum, 0), 60);
	ck_assert_double_eq(value(&sum, 1), 80);
	ck_assert_int_eq(recording__next(r, &c, &row, &err), 0);
	counts__free(&c);
	counts__free(&sum);
	recording__free(r);
}
END_TEST

/* perf writes a rounded mean for the first CPU, and 0 for a CPU that was not sampled. */
START_TEST(those_of_perf_are_counts)
{
	struct recorded_row row;
	struct recording *r;
	struct counts c;

	start_pipe();
	put_attr(PERF_TYPE_RAW, 0x4d1, 10);
	put_update(PERF_EVENT_UPDATE__NAME, 10, "cpu/event=0xd1/ukR");
	put_cpus("0,3");
	put_stat(10, 0, 0, 58, 100, 100);
	put_stat(10, 3, 0, 0, 100, 100);
	put_round(ROUND_FINAL, 100);
	r = open_file();
	ck_assert(recording__events(r)->at[0]->retire_latency);
	recording__counts(r, &c);
	ck_assert_int_eq(recording__next(r, &c, &row, &err), 1);
	ck_assert_double_eq(value(&c, 0), 58);
	ck_assert_uint_eq(c.latencies[1].nr, 0);
	counts__free(&c);
	recording__free(r);
}
END_TEST

/* Put @nr latencies for each of 1000 CPUs. Return: the result of opening the recording. */
static int open_large(int nr, enum latency_mode mode)
{
	struct recording *r = NULL;
	int rc;

	start_pipe();
	for (int id = 1; id <= nr; id++) {
		put_attr(PERF_TYPE_RAW, 0x4d1, id);
		put_update(PERF_EVENT_UPDATE__NAME, id, "EV:R");
		put_latency_event(id, 57.64, mode);
	}
	put_cpus("0-999");
	rc = open_bytes(file.buf, file.len, &r);
	recording__free(r);
	return rc;
}

/* Quantiles need 18 KB of memory for each CPU and event; means need little. */
START_TEST(large_machines_are_read)
{
	ck_assert_int_eq(open_large(50, LATENCY_MEAN), 0);
	ck_assert_int_eq(open_large(10, LATENCY_P95), 0);
	ck_assert_int_eq(open_large(50, LATENCY_P95), -EFBIG);
	ck_assert_msg(strstr(err.msg, "events on CPUs"), "%s", err.msg);
}
END_TEST

static void check_refused(void)
{
	struct recorded_row row;
	struct recording *r = NULL;
	struct counts c;
	int rc = open_bytes(file.buf, file.len, &r);

	if (!rc) {
		recording__counts(r, &c);
		while ((rc = recording__next(r, &c, &row, &err)) > 0)
			;
		counts__free(&c);
		recording__free(r);
	}
	ck_assert_int_eq(rc, -EINVAL);
	ck_assert_msg(strstr(err.msg, "latency"), "%s", err.msg);
}

START_TEST(what_cannot_be_is_refused)
{
	start_latencies(LATENCY_NR_MODES);
	check_refused();
	/* An unknown CPU, fewer samples than before, an unknown cell of the histogram. */
	start_latencies(LATENCY_MEAN);
	put_latency(10, 2, 200, 1, 1);
	check_refused();
	start_latencies(LATENCY_MEAN);
	put_latency(10, 0, 200, 1, 50);
	check_refused();
	start_latencies(LATENCY_MEAN);
	put_latency(10, 0, 200, 9, LATENCY_CELLS);
	check_refused();
}
END_TEST

START_TEST(no_damage_does_harm)
{
	start_latencies(LATENCY_P50);
	put_latency(10, 3, 200, 2, 600);
	put_round(ROUND_INTERVAL, 200);
	damage_every_byte();
}
END_TEST

static struct recording *read_text(const char *text)
{
	struct recording *r;

	ck_assert_msg(!open_bytes(text, strlen(text), &r), "%s", err.msg);
	return r;
}

START_TEST(text_says_of_how_many_samples_one_is_and_which_was_assumed)
{
	struct recorded_row row;
	struct counts c;
	struct recording *r = read_text(
		"1.000000000,S0,2,60.25,cycles,EV:R,100,50.00,300,samples\n"
		"1.000000000,S1,2,57.64,cycles,EV:R,0,0.00,0,samples,assumed\n"
		"2.000000000,S0,2,70000.00,cycles,EV:R,100,100.00,1,samples\n"
		"2.000000000,S1,2,<not counted>,cycles,EV:R,0,100.00,,\n");

	ck_assert(recording__events(r)->at[0]->retire_latency);
	ck_assert_double_eq(recording__events(r)->at[0]->scale, 1);
	ck_assert_double_eq(recording__events(r)->at[0]->vendor_latency.mean, 57.64);
	recording__counts(r, &c);
	ck_assert_int_eq(recording__next(r, &c, &row, &err), 1);
	ck_assert_double_eq(value(&c, 0), 60.25);
	ck_assert_uint_eq(c.latencies[0].nr, 300);
	ck_assert_uint_eq(c.at[0].enabled, 200);
	ck_assert_int_eq(c.at[0].status, SAMPLE_SCALED);
	ck_assert_uint_eq(c.latencies[1].nr, 0);
	/* A latency has 16 bits. */
	ck_assert_int_eq(recording__next(r, &c, &row, &err), 1);
	ck_assert_uint_eq(c.latencies[0].nr, 0);
	ck_assert_uint_eq(c.latencies[1].nr, 0);
	counts__free(&c);
	recording__free(r);
}
END_TEST

START_TEST(json_says_it_too)
{
	struct recorded_row row;
	struct counts c;
	struct recording *r = read_text(
		"{\"counter-value\" : \"60.250000\", \"unit\" : \"cycles\", \"event\" : \"EV:R\", "
		"\"event-runtime\" : 100, \"pcnt-running\" : 100.00, "
		"\"metric-value\" : \"300.000000\", \"metric-unit\" : \"samples\"}\n"
		"{\"counter-value\" : \"57.640000\", \"unit\" : \"cycles\", \"event\" : \"EW:R\", "
		"\"event-runtime\" : 0, \"pcnt-running\" : 0.00, "
		"\"metric-value\" : \"0.000000\", \"metric-unit\" : \"samples\", "
		"\"status\" : \"assumed\"}\n");

	recording__counts(r, &c);
	ck_assert_int_eq(recording__next(r, &c, &row, &err), 1);
	ck_assert_double_eq(value(&c, 0), 60.25);
	ck_assert_uint_eq(c.latencies[0].nr, 300);
	ck_assert_uint_eq(c.latencies[1].nr, 0);
	ck_assert_double_eq(recording__events(r)->at[1]->vendor_latency.mean, 57.64);
	counts__free(&c);
	recording__free(r);
}
END_TEST

TMA_TEST_MAIN(record_latency, a_row_has_its_own_samples, those_of_perf_are_counts,
	      large_machines_are_read, what_cannot_be_is_refused, no_damage_does_harm,
	      text_says_of_how_many_samples_one_is_and_which_was_assumed, json_says_it_too)
