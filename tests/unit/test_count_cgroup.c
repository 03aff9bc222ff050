// SPDX-License-Identifier: GPL-2.0-only
/* Times of a cgroup's counters, under a kernel in which the cgroup's clock jumps. */
#include "fake/count.h"
#include "machine/cgroup.h"

#define JUMP_NS 73000000000ULL
#define ROW_NS 4000000ULL

static struct cgroup idle = {.name = "idle", .fd = 7};
static struct counts before, now, row;
static uint64_t enabled_ns, running_ns;

static ssize_t read_fd(int fd, void *buf, size_t size)
{
	uint64_t words[64];
	size_t len = fake_words(fd, words) * sizeof(*words);

	words[1] = enabled_ns;
	words[2] = running_ns;
	ck_assert_uint_le(len, size);
	memcpy(buf, words, len);
	return len;
}

/* Set up an event of a cgroup on CPUs 0 and 1. Its count is 1000 plus the CPU's number. */
static void setup_cgroup(void)
{
	setup_machine("0-1");
	target.system_wide = true;
	add_event("a", PERF_TYPE_RAW, 1)->cgroup = &idle;
	open_session();
	fake.read = read_fd;
	counts__init(&before, session);
	counts__init(&now, session);
	counts__init(&row, session);
	ck_assert_int_eq(session__start(session, &err), 0);
}

static void teardown_cgroup(void)
{
	counts__free(&before);
	counts__free(&now);
	counts__free(&row);
	teardown_all();
	ck_assert_int_eq(fake_nr_open(), 0);
}

/* Read again after the counters' times have advanced by the arguments. */
static void read_row(uint64_t enabled, uint64_t running)
{
	enabled_ns += enabled;
	running_ns += running;
	memcpy(before.at, now.at, now.nr_events * now.nr_units * sizeof(*now.at));
	before.time_ns = now.time_ns;
	session__wait(session, session__elapsed_ns(session) + ROW_NS);
	session__read(session, &now);
	counts__delta(&now, &before, &events, &row);
}

static void start_reading(uint64_t enabled, uint64_t running)
{
	enabled_ns = running_ns = 0;
	setup_cgroup();
	read_row(enabled, running);
}

static const struct fake_fd *find_clock(int cpu)
{
	for (int i = 0; i < fake.nr; i++)
		if (fake.fds[i].is_open && fake.fds[i].attr.type == PERF_TYPE_SOFTWARE &&
		    fake.fds[i].cpu == cpu)
			return &fake.fds[i];
	return NULL;
}

START_TEST(the_clock_of_a_cpu_goes_before_its_counters)
{
	setup_machine("0-1");
	target.system_wide = true;
	add_event("b", PERF_TYPE_RAW, 2);
	add_event("a", PERF_TYPE_RAW, 1)->cgroup = &idle;
	open_session();
	for (int cpu = 0; cpu < 2; cpu++) {
		const struct fake_fd *clock = find_clock(cpu);

		ck_assert_ptr_nonnull(clock);
		ck_assert_uint_eq(clock->attr.config, PERF_COUNT_SW_DUMMY);
		ck_assert_int_eq(clock->pid, idle.fd);
		ck_assert(clock->flags & PERF_FLAG_PID_CGROUP);
		ck_assert(clock->enabled);
		ck_assert(!fake_find(1, cpu)->enabled);
	}
	ck_assert_int_eq(fake_nr_open(), 6);
	teardown_all();
	ck_assert_int_eq(fake_nr_open(), 0);
}
END_TEST

FAKE_REFUSAL(no_dummy)
{
	return attr->type == PERF_TYPE_SOFTWARE ? EMFILE : 0;
}

START_TEST(without_the_clock_all_is_counted)
{
	setup_machine("0-1");
	target.system_wide = true;
	add_event("a", PERF_TYPE_RAW, 1)->cgroup = &idle;
	fake.refuse = no_dummy;
	open_session();
	ck_assert_int_eq(fake_nr_open(), 2);
	ck_assert_ptr_null(session__warnings(session));
	teardown_all();
}
END_TEST

START_TEST(without_cgroups_there_is_no_clock)
{
	setup_machine("0-1");
	target.system_wide = true;
	add_event("a", PERF_TYPE_RAW, 1);
	open_session();
	ck_assert_int_eq(fake_nr_open(), 2);
	teardown_all();
}
END_TEST

START_TEST(times_within_the_run_stay)
{
	start_reading(ROW_NS / 2, ROW_NS / 4);
	for (int cpu = 0; cpu < 2; cpu++) {
		ck_assert_uint_eq(now.at[cpu].enabled, ROW_NS / 2);
		ck_assert_uint_eq(now.at[cpu].running, ROW_NS / 4);
		ck_assert_int_eq(now.at[cpu].status, SAMPLE_SCALED);
		ck_assert_uint_eq(now.at[cpu].scaled, 2 * (1000 + cpu));
	}
	teardown_cgroup();
}
END_TEST

START_TEST(a_jump_is_left_out_where_all_is_counted)
{
	start_reading(JUMP_NS, JUMP_NS);
	for (int cpu = 0; cpu < 2; cpu++) {
		ck_assert_uint_eq(now.at[cpu].enabled, now.time_ns);
		ck_assert_uint_eq(now.at[cpu].running, now.time_ns);
		ck_assert_int_eq(now.at[cpu].status, SAMPLE_COUNTED);
		ck_assert_uint_eq(now.at[cpu].scaled, 1000 + cpu);
	}
	/* The next row does not have the times of this row. */
	read_row(ROW_NS, ROW_NS / 2);
	ck_assert_uint_eq(row.at[0].enabled, ROW_NS);
	ck_assert_uint_eq(row.at[0].running, ROW_NS / 2);
	ck_assert_ptr_null(session__warnings(session));
	ck_assert_int_eq(session__unread(session), 0);
	teardown_cgroup();
}
END_TEST

START_TEST(a_jump_in_a_later_row_is_left_out_as_well)
{
	start_reading(ROW_NS / 2, ROW_NS / 2);
	read_row(JUMP_NS, JUMP_NS);
	ck_assert_uint_eq(row.at[0].enabled, now.time_ns - before.time_ns);
	ck_assert_uint_eq(row.at[0].running, row.at[0].enabled);
	ck_assert_int_eq(row.at[0].status, SAMPLE_COUNTED);
	ck_assert_uint_lt(now.at[0].enabled, now.time_ns);
	teardown_cgroup();
}
END_TEST

START_TEST(an_idle_cgroup_has_no_time)
{
	start_reading(JUMP_NS, 0);
	read_row(ROW_NS, 0);
	ck_assert_uint_eq(now.at[0].enabled, 0);
	ck_assert_int_eq(now.at[0].status, SAMPLE_NOT_COUNTED);
	ck_assert_int_eq(session__unread(session), 0);
	/* When a task of the cgroup gets the CPU, its time begins to advance correctly. */
	read_row(ROW_NS / 2, ROW_NS / 4);
	ck_assert_uint_eq(now.at[0].enabled, ROW_NS / 2);
	ck_assert_uint_eq(now.at[0].running, ROW_NS / 4);
	ck_assert_uint_eq(row.at[0].enabled, ROW_NS / 2);
	ck_assert_int_eq(row.at[0].status, SAMPLE_SCALED);
	ck_assert_ptr_null(session__warnings(session));
	teardown_cgroup();
}
END_TEST

START_TEST(a_counter_that_waited_was_enabled_for_the_row_at_most)
{
	start_reading(JUMP_NS, ROW_NS / 2);
	ck_assert_uint_eq(now.at[0].enabled, now.time_ns);
	ck_assert_uint_eq(now.at[0].running, ROW_NS / 2);
	ck_assert_int_eq(now.at[0].status, SAMPLE_SCALED);
	ck_assert_int_eq(session__unread(session), 0);
	read_row(ROW_NS, ROW_NS / 2);
	ck_assert_uint_eq(row.at[0].enabled, ROW_NS);
	ck_assert_uint_eq(row.at[0].running, ROW_NS / 2);
	ck_assert_int_eq(row.at[0].status, SAMPLE_SCALED);
	ck_assert_ptr_null(session__warnings(session));
	teardown_cgroup();
}
END_TEST

TMA_TEST_MAIN(count_cgroup, the_clock_of_a_cpu_goes_before_its_counters,
	      without_the_clock_all_is_counted, without_cgroups_there_is_no_clock,
	      times_within_the_run_stay, a_jump_is_left_out_where_all_is_counted,
	      a_jump_in_a_later_row_is_left_out_as_well, an_idle_cgroup_has_no_time,
	      a_counter_that_waited_was_enabled_for_the_row_at_most)
