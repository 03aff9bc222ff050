// SPDX-License-Identifier: GPL-2.0-only
/* Software events of the running kernel. Tests are skipped if it does not let this user count. */
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file.h"
#include "fake/count.h"

#define MS 1000000ULL

static struct counts counts;

/* @cpu: number of a CPU; -1 for a task of this process */
static bool skip(const char *test, int cpu)
{
	struct perf_event_attr attr = { .type = PERF_TYPE_SOFTWARE,
					.size = sizeof(attr),
					.config = PERF_COUNT_SW_CPU_CLOCK,
					.exclude_kernel = 1,
					.exclude_hv = 1 };
	int fd = count_kernel__linux.open(&attr, cpu < 0 ? 0 : -1, cpu, -1,
					  PERF_FLAG_FD_CLOEXEC);

	if (fd >= 0)
		close(fd);
	else
		printf("SKIP %s: perf_event_open: %s\n", test, strerror(errno));
	return fd < 0;
}

static void setup_here(void)
{
	char online[256];

	ck_assert_int_gt(file__read_line(online, sizeof(online), "/sys/devices/system/cpu/online"),
			 0);
	setup_machine(online);
}

static void open_here(void)
{
	int rc = session__new(&machine, &events, &target, &options, &session, &err);

	ck_assert_msg(!rc, "%s", err.msg);
	rc = session__open(session, &err);
	ck_assert_msg(!rc, "%s", err.msg);
	counts__init(&counts, session);
	rc = session__start(session, &err);
	ck_assert_msg(!rc, "%s", err.msg);
}

static void end(void)
{
	counts__free(&counts);
	teardown_all();
}

START_TEST(command_is_counted_from_its_exec)
{
	static char *argv[] = { "sh", "-c", "i=0; while [ $i -lt 20000 ]; do i=$((i+1)); done",
				NULL };

	if (skip("command_is_counted_from_its_exec", -1))
		return;
	setup_here();
	target.argv = argv;
	add_event("task-clock", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_TASK_CLOCK);
	add_event("page-faults", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS);
	group_last(2, false);
	add_event("context-switches", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CONTEXT_SWITCHES);
	open_here();
	ck_assert_int_eq(session__wait(session, UINT64_MAX), WAIT_EXITED);
	session__stop(session);
	ck_assert_int_eq(session__read(session, &counts), 0);
	for (int i = 0; i < 3; i++)
		ck_assert_int_eq(counts.at[i].status, SAMPLE_COUNTED);
	ck_assert_uint_gt(counts.at[0].value, MS);
	ck_assert_uint_gt(counts.at[1].value, 10);
	/* The clock runs at least as long as the only thread. */
	ck_assert_uint_le(counts.at[0].value, session__elapsed_ns(session));
	ck_assert_uint_le(counts.at[0].enabled, session__elapsed_ns(session));
	ck_assert_uint_eq(counts.at[0].enabled, counts.at[1].enabled);
	end();
}
END_TEST

START_TEST(clock_never_ran_less_than_a_short_command) /* R9 */
{
	static char *argv[] = { "true", NULL };

	if (skip("clock_never_ran_less_than_a_short_command", -1))
		return;
	for (int i = 0; i < 100; i++) {
		setup_here();
		target.argv = argv;
		add_event("task-clock", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_TASK_CLOCK);
		open_here();
		session__wait(session, UINT64_MAX);
		session__stop(session);
		session__read(session, &counts);
		ck_assert_uint_gt(counts.at[0].value, 0);
		ck_assert_uint_ge(session__elapsed_ns(session), counts.at[0].enabled);
		ck_assert_uint_gt(counts.user_ns + counts.system_ns, 0);
		end();
	}
}
END_TEST

START_TEST(all_cpus_are_counted)
{
	uint64_t sum = 0;
	int units;

	if (skip("all_cpus_are_counted", 0))
		return;
	setup_here();
	target.system_wide = true;
	add_event("cpu-clock", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_CLOCK);
	open_here();
	units = session__units(session)->nr;
	ck_assert_int_eq(units, machine.online.nr);
	ck_assert_int_eq(session__wait(session, 20 * MS), WAIT_DEADLINE);
	session__stop(session);
	ck_assert_int_eq(session__read(session, &counts), 0);
	for (int i = 0; i < units; i++) {
		ck_assert_int_eq(counts.at[i].status, SAMPLE_COUNTED);
		ck_assert_uint_le(counts.at[i].enabled, counts.time_ns);
		sum += counts.at[i].value;
	}
	ck_assert_uint_ge(sum, 15 * MS * units);
	end();
}
END_TEST

START_TEST(intervals_add_up)
{
	struct counts before, delta;
	uint64_t sum = 0;

	if (skip("intervals_add_up", 0))
		return;
	setup_here();
	ck_assert_int_eq(cpulist__add(&target.cpus, machine.online.at[0]), 0);
	add_event("cpu-clock", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_CLOCK);
	open_here();
	counts__init(&before, session);
	counts__init(&delta, session);
	for (int i = 1; i <= 10; i++) {
		struct counts swap = before;

		before = counts;
		counts = swap;
		ck_assert_int_eq(session__wait(session, 5 * MS * i), WAIT_DEADLINE);
		ck_assert_int_eq(session__read(session, &counts), 0);
		counts__delta(&counts, &before, &events, &delta);
		ck_assert_int_eq(delta.at[0].status, SAMPLE_COUNTED);
		sum += delta.at[0].value;
	}
	ck_assert_uint_eq(sum, counts.at[0].value);
	counts__free(&before);
	counts__free(&delta);
	end();
}
END_TEST

START_TEST(cpu_time_of_the_cpus_is_told)
{
	if (skip("cpu_time_of_the_cpus_is_told", 0))
		return;
	setup_here();
	target.system_wide = true;
	add_event("user_time", PERF_TYPE_SOFTWARE, 9)->tool = EVENT_USER_TIME;
	open_here();
	/* Use the CPU for some ticks of procfs. */
	while (session__elapsed_ns(session) < 100 * MS)
		;
	session__read(session, &counts);
	/* The kernel counts the time of nice processes separately, not as user time. */
	if (getpriority(PRIO_PROCESS, 0) <= 0)
		ck_assert_uint_gt(counts.user_ns, 0);
	for (int i = 0; i < session__units(session)->nr; i++)
		ck_assert_int_eq(counts.at[i].status, SAMPLE_COUNTED);
	end();
}
END_TEST

/* Latencies come from samples, and a software event has none. */
static void expect_samples(void)
{
	const char *text;

	session__stop(session);
	ck_assert_int_eq(session__read(session, &counts), 0);
	text = session__warnings(session);
	ck_assert_msg(text && strstr(text, "all retire latencies sampled are 0"), "%s", text);
	ck_assert_ptr_null(strstr(text, "lost"));
	ck_assert_int_eq(counts.at[0].status, SAMPLE_NOT_COUNTED);
	ck_assert_uint_gt(counts.at[0].running, 0);
	ck_assert_uint_eq(counts.latencies[0].nr, 0);
	/* The third event, whose latency is not sampled, was counted. */
	ck_assert_uint_gt(counts.at[2 * session__units(session)->nr].value, MS);
}

static void add_sampled(void)
{
	for (int i = 0; i < 2; i++) {
		struct event *e = add_event("cpu-clock:R", PERF_TYPE_SOFTWARE,
					    PERF_COUNT_SW_CPU_CLOCK);

		e->retire_latency = e->sampled = true;
	}
	add_event("cpu-clock", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_CLOCK);
}

START_TEST(cpus_are_sampled)
{
	if (skip("cpus_are_sampled", 0))
		return;
	setup_here();
	target.system_wide = true;
	add_sampled();
	open_here();
	while (session__elapsed_ns(session) < 300 * MS)
		session__wait(session, session__elapsed_ns(session));
	expect_samples();
	end();
}
END_TEST

START_TEST(a_command_and_its_children_are_sampled)
{
	static char *argv[] = { "sh", "-c",
				"i=0; while [ $i -lt 100000 ]; do i=$((i+1)); done & wait", NULL };

	if (skip("a_command_and_its_children_are_sampled", -1))
		return;
	setup_here();
	target.argv = argv;
	add_sampled();
	open_here();
	ck_assert_int_eq(session__wait(session, UINT64_MAX), WAIT_EXITED);
	expect_samples();
	end();
}
END_TEST

START_TEST(event_the_kernel_does_not_know_is_not_supported)
{
	if (skip("event_the_kernel_does_not_know_is_not_supported", 0))
		return;
	setup_here();
	target.system_wide = true;
	add_event("cpu-clock", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_CLOCK);
	add_event("nonsense", PERF_TYPE_SOFTWARE, 4711);
	open_here();
	ck_assert(session__supported(session, 0));
	ck_assert(!session__supported(session, 1));
	end();
}
END_TEST

TMA_TEST_MAIN(count_kernel, command_is_counted_from_its_exec,
	      clock_never_ran_less_than_a_short_command, all_cpus_are_counted, intervals_add_up,
	      cpu_time_of_the_cpus_is_told, cpus_are_sampled,
	      a_command_and_its_children_are_sampled,
	      event_the_kernel_does_not_know_is_not_supported)
