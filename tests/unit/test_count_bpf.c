// SPDX-License-Identifier: GPL-2.0-only
/* Events that BPF programs read: tests that need no BPF program. */
#include "fake/count.h"
#include "count/bpf_library.h"
#include "count/session.h"

/* These functions replace those of the build, as in a build without clang. */
const char bpf_code__missing[] = "clang";
const struct bpf_code bpf_code[BPF_NR_CODE];

static const uint32_t programs[] = { 7, 9 };

static void setup_run(bool system_wide)
{
	static char tid[16];

	setup_machine("0-1");
	snprintf(tid, sizeof(tid), "%d", getpid());
	target.system_wide = system_wide;
	target.tids = system_wide ? NULL : tid;
}

START_TEST(shared_counters_and_programs_are_attached)
{
	setup_run(false);
	add_event("a", PERF_TYPE_RAW, 1)->bpf = true;
	new_session();
	ck_assert_ptr_nonnull(session->attached[BPF_SHARED]);
	ck_assert_ptr_null(session->attached[BPF_PROGRAMS]);
	teardown_all();

	setup_run(true);
	add_event("a", PERF_TYPE_RAW, 1)->bpf = true;
	options.bpf_programs = programs;
	options.nr_bpf_programs = 2;
	new_session();
	ck_assert_ptr_null(session->attached[BPF_SHARED]);
	ck_assert_ptr_nonnull(session->attached[BPF_PROGRAMS]);
	teardown_all();
}
END_TEST

/* If BPF reads a leader or a member, it is not in a group, and has no file of its own. */
START_TEST(what_bpf_programs_read_is_in_no_group)
{
	setup_run(true);
	add_event("a", PERF_TYPE_RAW, 1)->bpf = true;
	add_event("b", PERF_TYPE_RAW, 2);
	group_last(2, false);
	add_event("c", PERF_TYPE_RAW, 3);
	add_event("d", PERF_TYPE_RAW, 4)->bpf = true;
	add_event("e", PERF_TYPE_RAW, 5);
	group_last(3, false);
	new_session();
	for (int i = 0; i < 4; i++)
		ck_assert_int_eq(session__leader(session, i), i);
	ck_assert_int_eq(session__leader(session, 4), 2);
	ck_assert_int_eq(session->counters.at[2].nr_members, 2);
	ck_assert_int_eq(counters__count_fds(&session->counters), 6);
	ck_assert_ptr_eq(session__attr(session, 0), &events.at[0]->attr);
	teardown_all();
}
END_TEST

/*
 * Software events of a CPU form a group, so that one read is enough; events that BPF reads are left
 * out.
 */
START_TEST(software_events_are_not_joined_with_them)
{
	setup_run(true);
	add_event("a", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS);
	add_event("b", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_MIGRATIONS)->bpf = true;
	add_event("c", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CONTEXT_SWITCHES);
	new_session();
	ck_assert_ptr_eq(session->counters.at[2].leader, &session->counters.at[0]);
	ck_assert_int_eq(session->counters.at[0].nr_members, 2);
	teardown_all();
}
END_TEST

START_TEST(a_build_without_clang_says_so) /* R65 */
{
	char want[256];

	setup_run(true);
	add_event("a", PERF_TYPE_RAW, 1)->bpf = true;
	new_session();
	ck_assert_int_eq(session__open(session, &err), -ENOTSUP);
	snprintf(want, sizeof(want),
		 "this tma was built without BPF counters, as %s was missing then: install it "
		 "(scripts/setup does), and build again",
		 BPF_IS_BUILT ? "clang" : "libbpf-dev");
	ck_assert_str_eq(err.msg, want);
	/* A session that was not opened cannot be read, but must be ended. */
	session__enable(session, -1, false);
	teardown_all();
}
END_TEST

TMA_TEST_MAIN(count_bpf, shared_counters_and_programs_are_attached,
	      what_bpf_programs_read_is_in_no_group, software_events_are_not_joined_with_them,
	      a_build_without_clang_says_so)
