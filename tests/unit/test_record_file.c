// SPDX-License-Identifier: GPL-2.0-only
/* Recordings that are read from memory: their events, units and rows, and damaged files. */
#include <errno.h>

#include "plan/plan.h"
#include "record_fixture.h"
#include "tables/tables.h"

/* Two CPUs, two events and three rows, of which the last is not complete. */
static void make_system_wide(void)
{
	start_pipe();
	put_attr(PERF_TYPE_RAW, 0xc0, 10);
	put_attr(PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_CLOCK, 20);
	put_update(PERF_EVENT_UPDATE__NAME, 10, "INST_RETIRED.ANY");
	put_update(PERF_EVENT_UPDATE__NAME, 20, "cpu-clock");
	put_update(PERF_EVENT_UPDATE__UNIT, 20, "msec");
	put_cpus("0,3");
	put_thread(-1, "");
	put_config(PERF_STAT_CONFIG_TERM__AGGR_MODE, row_kinds[AGGR_NONE].perf);
	put_config(PERF_STAT_CONFIG_TERM__INTERVAL, 100);
	put_stat(10, 0, 0, 100, 50, 50);
	put_stat(10, 3, 0, 7, 50, 25);
	put_stat(20, 0, 0, 50, 50, 50);
	put_stat(20, 3, 0, 50, 50, 50);
	put_round(ROUND_INTERVAL, 1000);
	put_stat(10, 0, 0, 160, 100, 100);
	put_stat(20, 0, 0, 90, 100, 100);
	put_stat(20, 3, 0, 110, 100, 100);
	put_round(ROUND_INTERVAL, 2500);
	put_stat(10, 0, 0, 999, 150, 150);
}

static const struct sample *at(const struct counts *c, int event, int unit)
{
	return &c->at[event * c->nr_units + unit];
}

START_TEST(rows_are_of_their_own_time)
{
	struct recorded_row row;
	struct counts c;
	struct recording *r;

	make_system_wide();
	r = open_file();
	recording__counts(r, &c);
	ck_assert_int_eq(c.nr_events, 2);
	ck_assert_int_eq(c.nr_units, 2);

	ck_assert_int_eq(recording__next(r, &c, &row, &err), 1);
	ck_assert_uint_eq(row.since_start_ns, 1000);
	ck_assert_uint_eq(row.elapsed_ns, 1000);
	ck_assert_uint_eq(at(&c, 0, 0)->scaled, 100);
	ck_assert_int_eq(at(&c, 0, 0)->status, SAMPLE_COUNTED);
	ck_assert_uint_eq(at(&c, 0, 1)->scaled, 14);
	ck_assert_int_eq(at(&c, 0, 1)->status, SAMPLE_SCALED);

	ck_assert_int_eq(recording__next(r, &c, &row, &err), 1);
	ck_assert_uint_eq(row.elapsed_ns, 1500);
	ck_assert_uint_eq(at(&c, 0, 0)->value, 60);
	ck_assert_int_eq(at(&c, 0, 1)->status, SAMPLE_LOST);
	ck_assert_uint_eq(at(&c, 1, 0)->value, 40);
	ck_assert_uint_eq(at(&c, 1, 1)->value, 60);

	/* If the end of a row is missing, its counts are not returned. */
	ck_assert_int_eq(recording__next(r, &c, &row, &err), 0);
	counts__free(&c);
	recording__free(r);
}
END_TEST

START_TEST(a_recording_says_what_it_is)
{
	const struct recording_info *info;
	struct recording *r;
	const struct event *e;

	make_system_wide();
	r = open_file();
	info = recording__info(r);
	ck_assert(info->per_cpu && info->interval && !info->has_places && !info->text);
	ck_assert_int_eq(info->aggr, AGGR_NONE);
	ck_assert_int_eq(info->units.nr, 2);
	ck_assert_int_eq(info->units.ids[1], 3);
	ck_assert_str_eq(info->command, "pipe");
	e = recording__events(r)->at[1];
	ck_assert_str_eq(e->name, "cpu-clock");
	ck_assert_str_eq(e->unit, "msec");
	ck_assert_str_eq(e->pmu->name, "software");
	ck_assert(recording__check_rows(r, AGGR_CORE, NULL) == 1);
	ck_assert(recording__check_rows(r, AGGR_NONE, NULL) == 0);
	ck_assert_int_eq(recording__check_rows(r, AGGR_THREAD, &err), -EINVAL);
	recording__free(r);
}
END_TEST

START_TEST(threads_are_units)
{
	struct recorded_row row;
	struct counts c;
	struct recording *r;

	start_pipe();
	put_attr(PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS, 1);
	put_attr(PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES, 2);
	put_thread(77, "first");
	put_thread(78, "second");
	put_cpus(NULL);
	put_stat(1, -1, 1, 5, 9, 9);
	put_round(ROUND_FINAL, 4000);
	r = open_file();
	ck_assert(!recording__info(r)->per_cpu);
	ck_assert_int_eq(recording__info(r)->units.ids[1], 78);
	ck_assert_str_eq(recording__info(r)->units.comms[1], "second");
	/* Names for the events, which the file does not name. */
	ck_assert_str_eq(recording__events(r)->at[0]->name, "page-faults");
	recording__counts(r, &c);
	ck_assert_int_eq(recording__next(r, &c, &row, &err), 1);
	ck_assert_uint_eq(at(&c, 0, 1)->value, 5);
	ck_assert_int_eq(at(&c, 0, 0)->status, SAMPLE_LOST);
	ck_assert_int_eq(at(&c, 1, 0)->status, SAMPLE_NOT_SUPPORTED);
	counts__free(&c);
	recording__free(r);
}
END_TEST

START_TEST(an_event_has_the_cpus_that_were_asked_for)
{
	struct recorded_row row;
	struct counts c;
	struct recording *r;

	start_pipe();
	put_attr(PERF_TYPE_RAW, 0x3c, 1);
	put_attr(42, 1, 2);
	put_own_cpus(1, "0-15");
	put_own_cpus(2, "9");
	put_cpus("0-1,20");
	put_stat(1, 0, 0, 5, 9, 9);
	put_stat(1, 1, 0, 6, 9, 9);
	put_stat(2, 9, 0, 7, 9, 9);
	put_round(ROUND_FINAL, 4000);
	r = open_file();
	ck_assert_int_eq(recording__info(r)->units.nr, 4); /* a list of the CPUs 0, 1, 9, 20 */
	recording__counts(r, &c);
	ck_assert_int_eq(recording__next(r, &c, &row, &err), 1);
	ck_assert_uint_eq(at(&c, 0, 1)->value, 6);
	ck_assert_int_eq(at(&c, 0, 3)->status, SAMPLE_ABSENT);
	ck_assert_uint_eq(at(&c, 1, 2)->value, 7);
	ck_assert_int_eq(at(&c, 1, 0)->status, SAMPLE_ABSENT);
	counts__free(&c);
	recording__free(r);
}
END_TEST

START_TEST(records_of_no_interest_are_passed_over)
{
	struct recorded_row row;
	struct counts c;
	struct recording *r;
	size_t start;

	start_pipe();
	put_attr(PERF_TYPE_SOFTWARE, 0, 1);
	start = put_record(&file, 12345);
	put_u64(&file, 1);
	record__end(&file, start);
	/* The 24 bytes after this record are not a record. */
	start = put_record(&file, PERF_RECORD_HEADER_TRACING_DATA);
	put_u32(&file, 24);
	record__end(&file, start);
	put_zeros(&file, 24);
	put_cpus("0");
	start = put_record(&file, PERF_RECORD_HEADER_FEATURE);
	put_u64(&file, 99);
	record__end(&file, start);
	put_stat(1, 0, 0, 5, 9, 9);
	put_record(&file, PERF_RECORD_FINISHED_ROUND);
	record__end(&file, file.len - sizeof(struct perf_event_header));
	put_round(ROUND_FINAL, 4000);
	r = open_file();
	recording__counts(r, &c);
	ck_assert_int_eq(recording__next(r, &c, &row, &err), 1);
	ck_assert_uint_eq(at(&c, 0, 0)->value, 5);
	counts__free(&c);
	recording__free(r);
}
END_TEST

START_TEST(events_that_perf_7_has_not_opened_have_no_id)
{
	struct recorded_row row;
	struct counts c;
	struct recording *r;

	start_pipe();
	put_attr(0xfffffffe, 1, 0); /* duration_time of perf's PMU "tool" */
	put_attr(PERF_TYPE_RAW, 0xc0, 7);
	put_update(PERF_EVENT_UPDATE__UNIT, 0, "");
	put_update(PERF_EVENT_UPDATE__NAME, 7, "instructions");
	put_cpus("0");
	put_stat(0, 0, 0, 4000, 1, 1);
	put_stat(7, 0, 0, 5, 9, 9);
	put_round(ROUND_FINAL, 4000);
	r = open_file();
	recording__counts(r, &c);
	ck_assert_str_eq(recording__events(r)->at[0]->name, "duration_time");
	ck_assert_int_eq(recording__events(r)->at[1]->kind, EVENT_KIND_INSTRUCTIONS);
	ck_assert_int_eq(recording__next(r, &c, &row, &err), 1);
	ck_assert_uint_eq(at(&c, 0, 0)->value, 4000);
	ck_assert_uint_eq(at(&c, 1, 0)->value, 5);
	counts__free(&c);
	recording__free(r);
}
END_TEST

START_TEST(rows_are_added_up)
{
	struct recorded_row row;
	struct counts c, sum;
	struct recording *r;

	make_system_wide();
	r = open_file();
	recording__counts(r, &c);
	recording__counts(r, &sum);
	while (recording__next(r, &c, &row, &err) == 1)
		recording__sum(r, &c, &sum);
	ck_assert_uint_eq(at(&sum, 0, 0)->value, 160);
	ck_assert_uint_eq(at(&sum, 0, 0)->enabled, 100);
	ck_assert_int_eq(at(&sum, 0, 0)->status, SAMPLE_COUNTED);
	ck_assert_int_eq(at(&sum, 0, 1)->status, SAMPLE_LOST);
	ck_assert_uint_eq(at(&sum, 1, 1)->value, 110);
	counts__free(&c);
	counts__free(&sum);
	recording__free(r);
}
END_TEST

static void check_refused(const char *why)
{
	struct recording *r;
	struct recorded_row row;
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
	ck_assert_msg(strstr(err.msg, why), "%s", err.msg);
}

START_TEST(damage_is_named_with_its_place)
{
	char place[64];

	make_system_wide();
	snprintf(place, sizeof(place), "x.data: byte %zu: a record of 0 bytes", file.len);
	put_zeros(&file, 8);
	check_refused(place);

	make_system_wide();
	put_stat(11, 0, 0, 1, 1, 1);
	check_refused("a count of an unknown event (id 11)");

	make_system_wide();
	put_stat(10, 2, 0, 1, 1, 1);
	check_refused("a count of an unknown CPU or thread (CPU 2, thread number 0)");

	make_system_wide();
	file.len -= 4;
	check_refused("the file ends within a record");

	start_pipe();
	put_update(PERF_EVENT_UPDATE__NAME, 1, "x");
	check_refused("byte 16: a record describes an event that does not exist");

	start_pipe();
	check_refused("x.data has no events");
}
END_TEST

START_TEST(other_files_are_refused)
{
	sb__free(&file);
	put_u64(&file, FILE_MAGIC_SWAPPED);
	put_zeros(&file, 100);
	check_refused("other byte order");

	sb__free(&file);
	sb__puts(&file, "PERFFILE");
	check_refused("first version");

	sb__free(&file);
	put_u64(&file, FILE_MAGIC);
	check_refused("byte 8: the file ends within its header");

	sb__free(&file);
	sb__puts(&file, "some words\nand more of them\n");
	check_refused("x.data is not a recording");

	sb__free(&file);
	sb__puts(&file, "%  tma_retiring,%  tma_backend_bound,\n25.0,25.0,\n");
	check_refused("has only metrics");
}
END_TEST

START_TEST(no_damage_does_harm)
{
	make_system_wide();
	damage_every_byte();
}
END_TEST

static struct tables *tables;

static struct plan *bind_to(struct recording *r, struct metrics_scope *scope, const char *names,
			    int want)
{
	struct plan *plan;

	if (!tables)
		tables = tables__find(XEON);
	*scope = (struct metrics_scope){
		.machine = recording__machine(r),
		.tables = tables,
		.system_wide = true,
		.has_event = recording__has_event,
		.arg = r,
	};
	plan = plan__new(scope);
	ck_assert_int_eq(recording__bind(r, plan, scope, names, false, &err), want);
	return plan;
}

/*
 * perf stat -e cycles,instructions: these are the events that tma_info_thread_ipc needs, by other
 * names.
 */
START_TEST(metrics_are_tied_to_events_by_code)
{
	struct metrics_scope scope;
	struct recording *r;
	struct plan *plan;

	start_pipe();
	put_attr(PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES, 1);
	put_attr(PERF_TYPE_RAW, 0xc0, 2);
	put_update(PERF_EVENT_UPDATE__NAME, 1, "cycles");
	put_update(PERF_EVENT_UPDATE__NAME, 2, "cpu/event=0xc0/");
	put_cpus("0");
	put_stat(1, 0, 0, 5, 9, 9);
	put_round(ROUND_FINAL, 4000);
	r = open_file();
	plan = bind_to(r, &scope, "tma_info_thread_ipc", 0);
	ck_assert_int_eq(plan->nr_metrics, 1);
	ck_assert_ptr_eq(plan->metrics[0].shown_at, plan->events.at[0]);
	plan__free(plan);
	recording__free(r);
}
END_TEST

START_TEST(a_metric_without_its_events_is_left_out)
{
	struct metrics_scope scope;
	struct recording *r;
	struct plan *plan;

	make_system_wide();
	r = open_file();
	plan = bind_to(r, &scope, "tma_info_thread_ipc", -ENOENT);
	ck_assert_msg(strstr(err.msg, "the recording has no event CPU_CLK_UNHALTED.THREAD"), "%s",
		      err.msg);
	plan__free(plan);
	recording__free(r);

	start_pipe();
	put_attr(30, 1, 1);
	put_update(PERF_EVENT_UPDATE__NAME, 1, "UNC_CHA_TOR_INSERTS.IO_PCIRDCUR");
	put_cpus("0");
	r = open_file();
	/* The other metric needs the length of the row, which is in the file. */
	plan = bind_to(r, &scope, "tma_info_thread_ipc,io_bandwidth_read", 0);
	ck_assert_int_eq(plan->nr_metrics, 1);
	ck_assert_ptr_nonnull(strstr(sb__str(&plan->warnings), "Left out tma_info_thread_ipc"));
	ck_assert_int_eq(plan->events.nr, 2);
	ck_assert_int_eq(plan->events.at[1]->tool, EVENT_DURATION_TIME);
	plan__free(plan);
	recording__free(r);
}
END_TEST

/*
 * If an event was counted twice, a metric uses the count from the group that has its other events.
 */
START_TEST(metrics_take_events_of_one_group)
{
	struct metrics_scope scope;
	struct recording *r;
	struct plan *plan;
	size_t start;

	start_pipe();
	put_attr(PERF_TYPE_RAW, 0x3c, 1);
	put_attr(PERF_TYPE_RAW, 0xc0, 2);
	put_attr(PERF_TYPE_RAW, 0x3c, 3);
	start = put_record(&file, PERF_RECORD_HEADER_FEATURE);
	put_u64(&file, FEATURE_GROUP_DESC);
	put_u32(&file, 1);
	put_string(&file, ANONYMOUS_GROUP);
	put_u32(&file, 1);
	put_u32(&file, 2);
	record__end(&file, start);
	put_cpus("0");
	put_stat(1, 0, 0, 5, 9, 9);
	put_round(ROUND_FINAL, 4000);
	r = open_file();
	plan = bind_to(r, &scope, "tma_info_thread_ipc", 0);
	for (int i = 0; i < plan->metrics[0].metric->nr_ids; i++)
		ck_assert_int_ge(plan->metrics[0].events[i]->index, 1);
	plan__free(plan);
	recording__free(r);
}
END_TEST

TMA_TEST_MAIN(record_file, rows_are_of_their_own_time, a_recording_says_what_it_is,
	      threads_are_units, an_event_has_the_cpus_that_were_asked_for,
	      records_of_no_interest_are_passed_over,
	      events_that_perf_7_has_not_opened_have_no_id, rows_are_added_up,
	      damage_is_named_with_its_place, other_files_are_refused, no_damage_does_harm,
	      metrics_are_tied_to_events_by_code, a_metric_without_its_events_is_left_out,
	      metrics_take_events_of_one_group)
