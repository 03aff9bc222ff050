// SPDX-License-Identifier: GPL-2.0-only
/* Which attachments a run has, where they are called, and the order of a read. */
#include "fake/count.h"
#include "count/sampler.h"
#include "count/session.h"
#include "machine/cgroup.h"
#include "plan/sets.h"

/* Open a run with one event, either on two CPUs or for this process. */
static void setup_run(bool system_wide)
{
	static char tid[16];

	setup_machine("0-1");
	snprintf(tid, sizeof(tid), "%d", getpid());
	target.system_wide = system_wide;
	target.tids = system_wide ? NULL : tid;
	add_event("a", PERF_TYPE_RAW, 1);
}

/* Return: a mask with a bit for each attachment that the session has. */
static unsigned int attached(void)
{
	unsigned int bits = 0;

	for (int i = EVERY_RUN + 1; i < NR_ATTACHED; i++)
		bits |= !!session->attached[i] << i;
	return bits;
}

/* Check that a run with this setup has exactly these attachments. */
static void expect_attached(unsigned int bits)
{
	open_session();
	ck_assert_uint_eq(attached(), bits);
	teardown_all();
}

START_TEST(a_run_has_only_what_it_uses)
{
	static bool in_sets[] = { true, false, false, true };
	static const struct sets sets = { .nr = 2, .nr_events = 2, .has = in_sets };
	static const struct cgroup cgroup = { .fd = 3 };

	setup_run(false);
	expect_attached(0);

	setup_run(true);
	expect_attached(1 << HOTPLUG);

	setup_run(true);
	add_event("user_time", PERF_TYPE_SOFTWARE, 0)->tool = EVENT_USER_TIME;
	expect_attached(1 << HOTPLUG | 1 << CPU_TIMES);

	setup_run(false);
	options.slices.step_ns = 1000000;
	expect_attached(1 << SLICER);

	setup_run(false);
	add_event("slots", PERF_TYPE_RAW, 0x400)->topdown = true;
	expect_attached(1 << TOPDOWN_READS);

	/* A single event cannot be starved by other members of its group. */
	setup_run(false);
	options.watch_groups = true;
	expect_attached(0);

	setup_run(false);
	options.watch_groups = true;
	add_event("b", PERF_TYPE_RAW, 2);
	group_last(2, true);
	expect_attached(1 << STARVATION);

	setup_run(true);
	add_event("l", PERF_TYPE_RAW, 2)->retire_latency = true;
	events.at[1]->sampled = true;
	expect_attached(1 << HOTPLUG | 1 << SAMPLER);

	setup_run(true);
	events.at[0]->cgroup = &cgroup;
	expect_attached(1 << HOTPLUG | 1 << CGROUP_TIMES);

	/* A latency that is not sampled needs no sampler; a single set does not take turns. */
	setup_run(false);
	add_event("l", PERF_TYPE_RAW, 2)->retire_latency = true;
	options.sets = &sets;
	expect_attached(0);

	setup_run(false);
	add_event("b", PERF_TYPE_RAW, 2);
	options.sets = &sets;
	options.turn_ns = 1000000;
	expect_attached(1 << ROTATION);
}
END_TEST

START_TEST(events_of_other_sets_are_never_opened)
{
	static bool in_sets[] = { true, false, false, true };
	static const struct sets sets = { .nr = 2, .nr_events = 2, .has = in_sets };

	setup_run(false);
	add_event("b", PERF_TYPE_RAW, 2);
	options.sets = &sets;
	options.set = 1;
	open_session();
	ck_assert_str_eq(fake_order(), "2@-1");
	ck_assert_int_eq(session->counters.at[0].turn, TURN_NEVER);
	ck_assert_int_eq(session->counters.at[1].turn, TURN_NOW);
	teardown_all();
}
END_TEST

/* At most two files are open, not counting the clock of turns. */
FAKE_REFUSAL(no_third_file)
{
	int clocks = 0;

	for (int i = 0; i < fake.nr; i++)
		clocks += fake.fds[i].is_open && fake.fds[i].attr.type == PERF_TYPE_SOFTWARE;
	return attr->type != PERF_TYPE_SOFTWARE && fake_nr_open() - clocks >= 2 ? EMFILE : 0;
}

START_TEST(buffers_stay_where_turns_open_and_close)
{
	static bool in_sets[] = { true, false, false, false, true, false };
	static const struct sets sets = { .nr = 2, .nr_events = 3, .has = in_sets };
	const struct sampler *sampler;

	setup_run(true);
	cpulist__free(&machine.online);
	ck_assert_int_eq(cpulist__parse("online", "0", &machine.online, NULL), 0);
	add_event("b", PERF_TYPE_RAW, 2);
	add_event("l", PERF_TYPE_RAW, 3)->retire_latency = true;
	events.at[2]->sampled = true;
	options.sets = &sets;
	options.turn_ns = 1000000000;
	fake.refuse = no_third_file;
	open_session();
	ck_assert_int_eq(session__start(session, &err), 0);
	ck_assert_ptr_nonnull(fake_find(1, 0));
	ck_assert_ptr_null(fake_find(2, 0));

	session->clock.start_ns -= options.turn_ns;
	rotation__attachment.before_sleep(session->attached[ROTATION], session__elapsed_ns(session),
					  UINT64_MAX);
	ck_assert_ptr_null(session__warnings(session));
	ck_assert_ptr_null(fake_find(1, 0));
	ck_assert(fake_find(2, 0)->enabled);
	ck_assert(fake_find(3, 0)->enabled);
	sampler = session->attached[SAMPLER];
	ck_assert_int_eq(fake.maps, 1);
	ck_assert_int_eq(sampler->sources.nr, 1);
	teardown_all();
}
END_TEST

/* The order matters for the result of a read: comments in read.c have the reasons. */
START_TEST(the_steps_of_a_read_have_an_order)
{
	static const struct {
		const char *name;
		enum attached of;
	} expected[] = {
		{ "the time", EVERY_RUN },
		{ "which CPUs are online", HOTPLUG },
		{ "cgroups that were made again", CGROUP_TIMES },
		{ "counters", EVERY_RUN },
		{ "counters again, where a CPU left", HOTPLUG },
		{ "groups whose turn never came", STARVATION },
		{ "sums of shared counters", BPF_SHARED },
		{ "sums of BPF programs' runs", BPF_PROGRAMS },
		{ "buffers of samples", SAMPLER },
		{ "samples of code", LOCATOR },
		{ "what closed counters had", EVERY_RUN },
		{ "times of cgroups, which may jump", CGROUP_TIMES },
		{ "the time of all turns", ROTATION },
		{ "which CPUs were there", HOTPLUG },
		{ "latencies", SAMPLER },
		{ "duration_time, facts and gauges", EVERY_RUN },
		{ "user_time and system_time", CPU_TIMES },
		{ "CPU time of the command", EVERY_RUN },
		{ "TopDown reads", TOPDOWN_READS },
		{ "slices", SLICER },
	};
	size_t nr = sizeof(expected) / sizeof(*expected);

	for (size_t i = 0; i < nr; i++) {
		ck_assert_str_eq(read_steps[i].name, expected[i].name);
		ck_assert_int_eq(read_steps[i].of, expected[i].of);
	}
	ck_assert_ptr_null(read_steps[nr].name);
}
END_TEST

/* A read skips the steps of missing attachments: such a step would crash without its state. */
START_TEST(a_read_makes_the_steps_of_what_is_attached)
{
	struct counts counts;

	setup_run(true);
	add_event("duration_time", PERF_TYPE_SOFTWARE, 0)->tool = EVENT_DURATION_TIME;
	open_session();
	counts__init(&counts, session);
	ck_assert_int_eq(session__start(session, &err), 0);
	ck_assert_int_eq(session__read(session, &counts), 0);
	ck_assert_int_eq(fake.reads, 2);
	ck_assert_uint_eq(counts.at[0].value, 1000);
	ck_assert_uint_gt(counts.at[2].value, 0);
	ck_assert_uint_eq(counts.at[2].value, counts.time_ns);
	counts__free(&counts);
	teardown_all();
}
END_TEST

START_TEST(slices_of_an_interval_do_not_stand_for_the_run)
{
	setup_run(false);
	options.slices.step_ns = 1000000;
	open_session();
	ck_assert_ptr_nonnull(session__slices(session, false));
	ck_assert_ptr_null(session__slices(session, true));
	teardown_all();

	setup_run(false);
	options.slices = (struct slice_options){ .step_ns = 1000000, .of_run = true };
	open_session();
	ck_assert_ptr_nonnull(session__slices(session, true));
	ck_assert_ptr_ne(session__slices(session, true), session__slices(session, false));
	teardown_all();

	/* A run has no slices unless it asks for them. */
	setup_run(false);
	open_session();
	ck_assert_ptr_null(session__slices(session, false));
	ck_assert_ptr_null(session__slices(session, true));
	teardown_all();
}
END_TEST

TMA_TEST_MAIN(count_attach, a_run_has_only_what_it_uses, events_of_other_sets_are_never_opened,
	      buffers_stay_where_turns_open_and_close, the_steps_of_a_read_have_an_order,
	      a_read_makes_the_steps_of_what_is_attached,
	      slices_of_an_interval_do_not_stand_for_the_run)
