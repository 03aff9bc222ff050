// SPDX-License-Identifier: GPL-2.0-only
#include <math.h>

#include "fake/count.h"
#include "count/session.h"

static struct counts counts;

/* A group of three events on one CPU, and an event without a group. */
static void open_four(void)
{
	setup_machine("0");
	target.system_wide = true;
	add_event("a", PERF_TYPE_RAW, 1);
	add_event("b", PERF_TYPE_RAW, 2);
	add_event("c", PERF_TYPE_RAW, 3);
	group_last(3, false);
	add_event("d", PERF_TYPE_RAW, 4);
	open_session();
	counts__init(&counts, session);
}

static void close_four(void)
{
	counts__free(&counts);
	teardown_all();
}

START_TEST(one_read_a_group)
{
	open_four();
	ck_assert_int_eq(session__read(session, &counts), 0);
	ck_assert_int_eq(fake.reads, 2);
	for (int i = 0; i < 4; i++) {
		ck_assert_uint_eq(counts.at[i].value, (i + 1) * 1000);
		ck_assert_uint_eq(counts.at[i].scaled, (i + 1) * 1000);
		ck_assert_int_eq(counts.at[i].status, SAMPLE_COUNTED);
	}
	close_four();
}
END_TEST

/* Return what the kernel does, but with the members of the group in reverse order. */
static ssize_t reversed(int fd, void *buf, size_t size)
{
	uint64_t words[64], *pair = (uint64_t *)buf + 3;
	int nr = fake_words(fd, words);

	ck_assert_uint_le(nr * sizeof(*words), size);
	memcpy(buf, words, nr * sizeof(*words));
	for (int i = (nr - 3) / 2 - 1; i >= 0; i--, pair += 2)
		memcpy(pair, words + 3 + 2 * i, 2 * sizeof(*words));
	return nr * sizeof(*words);
}

START_TEST(members_are_told_by_id_not_by_place) /* R21 */
{
	open_four();
	fake.read = reversed;
	ck_assert_int_eq(session__read(session, &counts), 0);
	for (int i = 0; i < 4; i++)
		ck_assert_uint_eq(counts.at[i].value, (i + 1) * 1000);
	close_four();
}
END_TEST

/* The read has only two of the three members. */
static ssize_t without_last(int fd, void *buf, size_t size)
{
	uint64_t words[64];
	int nr = fake_words(fd, words);

	if (nr == 9) {
		words[0] = 2;
		nr = 7;
	}
	ck_assert_uint_le(nr * sizeof(*words), size);
	memcpy(buf, words, nr * sizeof(*words));
	return nr * sizeof(*words);
}

START_TEST(member_missing_from_the_answer_is_lost) /* R21 */
{
	open_four();
	fake.read = without_last;
	ck_assert_int_eq(session__read(session, &counts), 1);
	ck_assert_uint_eq(counts.at[1].value, 2000);
	ck_assert_int_eq(counts.at[2].status, SAMPLE_LOST);
	ck_assert_uint_eq(counts.at[2].value, 0);
	ck_assert_int_eq(counts.at[3].status, SAMPLE_COUNTED);
	close_four();
}
END_TEST

static ssize_t unknown_id(int fd, void *buf, size_t size)
{
	uint64_t *words = buf;
	int nr = fake_words(fd, words);

	ck_assert_uint_le(nr * sizeof(*words), size);
	if (nr == 9)
		words[6] = 42;
	return nr * sizeof(*words);
}

START_TEST(value_of_an_unknown_id_is_nobodys)
{
	open_four();
	fake.read = unknown_id;
	session__read(session, &counts);
	ck_assert_uint_eq(counts.at[0].value, 1000);
	ck_assert_int_eq(counts.at[1].status, SAMPLE_LOST);
	ck_assert_uint_eq(counts.at[2].value, 3000);
	close_four();
}
END_TEST

static int read_errno, read_bytes, reads_to_fail;

static ssize_t failing(int fd, void *buf, size_t size)
{
	uint64_t words[64];
	int nr = fake_words(fd, words);

	if (reads_to_fail-- > 0) {
		if (read_errno) {
			errno = read_errno;
			return -1;
		}
		memcpy(buf, words, read_bytes);
		return read_bytes;
	}
	ck_assert_uint_le(nr * sizeof(*words), size);
	memcpy(buf, words, nr * sizeof(*words));
	return nr * sizeof(*words);
}

START_TEST(failed_and_short_reads_are_lost) /* R20 */
{
	static const struct { int code, bytes; } cases[] = {
		{ EIO, 0 }, { ENOSPC, 0 }, { 0, 8 }, { 0, 16 }, { 0, 0 },
	};

	open_four();
	fake.read = failing;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		read_errno = cases[i].code;
		read_bytes = cases[i].bytes;
		reads_to_fail = 100;
		ck_assert_int_eq(session__read(session, &counts), 2);
		for (int j = 0; j < 4; j++) {
			ck_assert_int_eq(counts.at[j].status, SAMPLE_LOST);
			ck_assert_uint_eq(counts.at[j].value, 0);
		}
	}
	close_four();
}
END_TEST

START_TEST(interrupted_read_is_tried_again) /* R19 */
{
	open_four();
	fake.read = failing;
	read_errno = EINTR;
	reads_to_fail = 3;
	ck_assert_int_eq(session__read(session, &counts), 0);
	ck_assert_int_eq(fake.reads, 5);
	reads_to_fail = 1000000;
	ck_assert_int_eq(session__read(session, &counts), 2);
	ck_assert_int_lt(fake.reads, 1000);
	close_four();
}
END_TEST

START_TEST(pinned_event_at_end_of_file_is_busy) /* R16 */
{
	setup_machine("0");
	target.system_wide = true;
	add_event("pinned:D", PERF_TYPE_RAW, 1)->attr.pinned = 1;
	open_session();
	counts__init(&counts, session);
	fake.read = failing;
	read_errno = read_bytes = 0;
	reads_to_fail = 1;
	ck_assert_int_eq(session__read(session, &counts), 1);
	ck_assert_int_eq(counts.at[0].status, SAMPLE_BUSY);
	close_four();
}
END_TEST

START_TEST(part_time_counter_is_scaled_as_perf_does)
{
	open_four();
	fake.enabled_ns = 1000000007;
	fake.running_ns = 333333333;
	ck_assert_int_eq(session__read(session, &counts), 0);
	ck_assert_int_eq(counts.at[2].status, SAMPLE_SCALED);
	ck_assert_uint_eq(counts.at[2].value, 3000);
	/* 3000 * 1000000007 / 333333333 = 9000.00007, which is cut, not rounded */
	ck_assert_uint_eq(counts.at[2].scaled, 9000);
	fake.running_ns = 333333334;
	session__read(session, &counts);
	ck_assert_uint_eq(counts.at[2].scaled, 9000);
	fake.running_ns = 333333340;
	session__read(session, &counts);
	ck_assert_uint_eq(counts.at[2].scaled, 8999);
	close_four();
}
END_TEST

START_TEST(no_scale_leaves_the_count_but_not_the_status)
{
	open_four();
	counts.scale = false;
	fake.running_ns = fake.enabled_ns / 2;
	session__read(session, &counts);
	ck_assert_int_eq(counts.at[0].status, SAMPLE_SCALED);
	ck_assert_uint_eq(counts.at[0].scaled, 1000);
	close_four();
}
END_TEST

START_TEST(never_running_is_not_counted) /* R28 */
{
	open_four();
	fake.running_ns = 0;
	ck_assert_int_eq(session__read(session, &counts), 0);
	ck_assert_int_eq(counts.at[0].status, SAMPLE_NOT_COUNTED);
	ck_assert_uint_eq(counts.at[0].scaled, 0);
	close_four();
}
END_TEST

START_TEST(event_is_absent_where_its_pmu_is_not)
{
	setup_machine("0-1");
	target.system_wide = true;
	set_cpus(add_event("core", PERF_TYPE_RAW, 1), "0");
	set_cpus(add_event("atom", 10, 2), "1");
	open_session();
	counts__init(&counts, session);
	session__read(session, &counts);
	ck_assert_int_eq(counts.at[0].status, SAMPLE_COUNTED);
	ck_assert_int_eq(counts.at[1].status, SAMPLE_ABSENT);
	ck_assert_int_eq(counts.at[2].status, SAMPLE_ABSENT);
	ck_assert_uint_eq(counts.at[3].value, 2001);
	close_four();
}
END_TEST

START_TEST(duration_is_the_time_stamp_on_the_first_unit)
{
	setup_machine("0-1");
	target.system_wide = true;
	add_event("a", PERF_TYPE_RAW, 1);
	add_event("duration_time", PERF_TYPE_SOFTWARE, 9)->tool = EVENT_DURATION_TIME;
	open_session();
	ck_assert_int_eq(fake.nr, 2);
	counts__init(&counts, session);
	ck_assert_int_eq(session__start(session, &err), 0);
	ck_assert_int_eq(session__wait(session, 2000000), WAIT_DEADLINE);
	session__read(session, &counts);
	ck_assert_uint_ge(counts.time_ns, 2000000);
	ck_assert_uint_eq(counts.at[2].value, counts.time_ns);
	ck_assert_uint_eq(counts.at[2].running, counts.time_ns);
	ck_assert_int_eq(counts.at[2].status, SAMPLE_COUNTED);
	ck_assert_int_eq(counts.at[3].status, SAMPLE_ABSENT);
	ck_assert(session__supported(session, 1));
	close_four();
}
END_TEST

START_TEST(counters_run_from_start_to_stop)
{
	uint64_t elapsed;

	open_four();
	ck_assert(!fake.fds[0].enabled && !fake.fds[3].enabled);
	ck_assert_int_eq(session__start(session, &err), 0);
	ck_assert(fake.fds[0].enabled && fake.fds[3].enabled);
	session__stop(session);
	ck_assert(!fake.fds[0].enabled && !fake.fds[3].enabled);
	elapsed = session__elapsed_ns(session);
	ck_assert_uint_gt(elapsed, 0);
	ck_assert_uint_eq(session__elapsed_ns(session), elapsed);
	close_four();
}
END_TEST

/* Compute the difference of two snapshots of one event. */
static struct sample delta(struct sample now, struct sample before, bool snapshot)
{
	struct event event = { .snapshot = snapshot }, *at = &event;
	struct event_list list = { .at = &at, .nr = 1 };
	struct sample out = { .value = 99 };
	struct counts n = { 1, 1, .at = &now, .scale = true, .time_ns = 300 };
	struct counts b = { 1, 1, .at = &before, .scale = true, .time_ns = 100 };
	struct counts o = { 1, 1, .at = &out };

	counts__delta(&n, &b, &list, &o);
	ck_assert_uint_eq(o.time_ns, 300);
	return out;
}

START_TEST(delta_scales_the_interval_and_not_the_sum)
{
	struct sample before = { .value = 1000, .scaled = 1000, .enabled = 100, .running = 100 };
	struct sample now = { .value = 1500, .enabled = 300, .running = 200,
			      .status = SAMPLE_SCALED };
	struct sample out = delta(now, before, false);

	ck_assert_int_eq(out.status, SAMPLE_SCALED);
	ck_assert_uint_eq(out.value, 500);
	ck_assert_uint_eq(out.scaled, 1000);
	ck_assert_uint_eq(out.enabled, 200);
	ck_assert_uint_eq(out.running, 100);
}
END_TEST

START_TEST(delta_status_is_that_of_the_interval)
{
	struct sample before = { .value = 10, .enabled = 100, .running = 50,
				 .status = SAMPLE_SCALED };
	struct sample idle = { .value = 10, .enabled = 200, .running = 50,
			       .status = SAMPLE_SCALED };
	struct sample full = { .value = 30, .enabled = 200, .running = 150,
			       .status = SAMPLE_SCALED };

	ck_assert_int_eq(delta(idle, before, false).status, SAMPLE_NOT_COUNTED);
	ck_assert_int_eq(delta(full, before, false).status, SAMPLE_COUNTED);
	ck_assert_uint_eq(delta(full, before, false).scaled, 20);
}
END_TEST

START_TEST(counter_running_backwards_is_lost) /* R29 */
{
	struct sample before = { .value = 10, .enabled = 100, .running = 100 };
	struct sample less = { .value = 9, .enabled = 200, .running = 200 };
	struct sample earlier = { .value = 20, .enabled = 99, .running = 99 };

	ck_assert_int_eq(delta(less, before, false).status, SAMPLE_LOST);
	ck_assert_uint_eq(delta(less, before, false).value, 0);
	ck_assert_int_eq(delta(earlier, before, false).status, SAMPLE_LOST);
	/* A snapshot is a state, which may become smaller. */
	ck_assert_int_eq(delta(less, before, true).status, SAMPLE_COUNTED);
	ck_assert_uint_eq(delta(less, before, true).value, 9);
}
END_TEST

START_TEST(interval_after_a_lost_read_is_lost_too)
{
	struct sample lost = { .status = SAMPLE_LOST };
	struct sample now = { .value = 9, .enabled = 200, .running = 200 };

	ck_assert_int_eq(delta(now, lost, false).status, SAMPLE_LOST);
	ck_assert_int_eq(delta(lost, now, false).status, SAMPLE_LOST);
}
END_TEST

START_TEST(first_interval_has_nothing_before_it)
{
	struct sample never = { .status = SAMPLE_NOT_COUNTED };
	struct sample now = { .value = 9, .enabled = 200, .running = 200 };

	ck_assert_uint_eq(delta(now, never, false).value, 9);
	ck_assert_int_eq(delta(now, never, false).status, SAMPLE_COUNTED);
}
END_TEST

#define S 1000000000ULL

/*
 * Read the attachments that are due before the row. Return: when the next one is due, but not after
 * @deadline_ns.
 */
static uint64_t between_read(uint64_t now_ns, uint64_t deadline_ns)
{
	uint64_t due_ns = topdown_reads__attachment.before_sleep(
		session->attached[TOPDOWN_READS], now_ns, deadline_ns);

	return due_ns < deadline_ns ? due_ns : deadline_ns;
}

/* The hardware's shares, in 255ths, cover all slots since the last read. */
START_TEST(topdown_metric_events_are_read_in_between)
{
	uint64_t due = 0, last = 0, gap, gap_before = 0;
	int reads;

	setup_machine("0");
	target.system_wide = true;
	add_event("slots", PERF_TYPE_RAW, 0x400)->topdown = TOPDOWN_SLOTS;
	add_event("topdown-retiring", PERF_TYPE_RAW, 0x8000)->topdown = TOPDOWN_RETIRING;
	group_last(2, false);
	add_event("d", PERF_TYPE_RAW, 4);
	open_session();
	counts__init(&counts, session);
	ck_assert_uint_eq(between_read(0, UINT64_MAX), UINT64_MAX); /* no member runs */
	session->clock.counting = true;
	ck_assert_uint_eq(between_read(0, S), S);
	for (int i = 0; i < 100; i++, last = due, gap_before = gap) {
		due = between_read(last, UINT64_MAX);
		gap = due - last;
		ck_assert(gap >= 3 * S / 4 && gap < 5 * S / 4 && gap != gap_before);
		reads = fake.reads;
		between_read(due - 1, UINT64_MAX);
		ck_assert_int_eq(fake.reads, reads);
		between_read(due, UINT64_MAX);
		ck_assert_int_eq(fake.reads, reads + 1); /* one read for the whole group */
	}
	ck_assert(last > 98 * S && last < 102 * S);
	session__read(session, &counts);
	ck_assert_uint_eq(between_read(counts.time_ns, counts.time_ns + S),
			  counts.time_ns + S);
	close_four();
}
END_TEST

START_TEST(other_events_are_read_once)
{
	open_four();
	ck_assert_ptr_null(session->attached[TOPDOWN_READS]);
	close_four();

	/* Without metric events, slots are an ordinary counter. */
	setup_machine("0");
	target.system_wide = true;
	add_event("slots", PERF_TYPE_RAW, 0x400)->topdown = TOPDOWN_SLOTS;
	add_event("cycles", PERF_TYPE_RAW, 0x3c);
	group_last(2, false);
	open_session();
	session->clock.counting = true;
	ck_assert_uint_eq(between_read(0, UINT64_MAX), UINT64_MAX);
	close_four();
}
END_TEST

TMA_TEST_MAIN(count_read, one_read_a_group, members_are_told_by_id_not_by_place,
	      member_missing_from_the_answer_is_lost, value_of_an_unknown_id_is_nobodys,
	      failed_and_short_reads_are_lost, interrupted_read_is_tried_again,
	      pinned_event_at_end_of_file_is_busy, part_time_counter_is_scaled_as_perf_does,
	      no_scale_leaves_the_count_but_not_the_status, never_running_is_not_counted,
	      event_is_absent_where_its_pmu_is_not, duration_is_the_time_stamp_on_the_first_unit,
	      counters_run_from_start_to_stop, delta_scales_the_interval_and_not_the_sum,
	      delta_status_is_that_of_the_interval, counter_running_backwards_is_lost,
	      interval_after_a_lost_read_is_lost_too, first_interval_has_nothing_before_it,
	      topdown_metric_events_are_read_in_between, other_events_are_read_once)
