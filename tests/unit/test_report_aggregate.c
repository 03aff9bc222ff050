// SPDX-License-Identifier: GPL-2.0-only
/* Samples become rows: what is added up, what makes a sum incomplete, and what has no row. */
#include "report_fixture.h"

START_TEST(everything_is_added_up_scaled_cpu_by_cpu)
{
	struct fixture f;
	struct event *e;

	fixture__init(&f, 2);
	e = fixture__switches(&f);
	fixture__multiplexed(&f, e, 0, 100, 400, 100);
	fixture__multiplexed(&f, e, 1, 7, 400, 400);
	ck_assert_str_eq(fixture__print_as(&f, "csv"), "407,,context-switches,500,62.00,,\n");
	fixture__free(&f);
}
END_TEST

START_TEST(a_cpu_that_did_not_count_adds_nothing_to_everything)
{
	struct fixture f;
	struct event *e;

	fixture__init(&f, 2);
	e = fixture__switches(&f);
	fixture__multiplexed(&f, e, 0, 100, 400, 400);
	fixture__multiplexed(&f, e, 1, 0, 400, 0);
	ck_assert_str_eq(fixture__print_as(&f, "csv"), "100,,context-switches,400,50.00,,\n");
	fixture__free(&f);
}
END_TEST

START_TEST(a_cpu_that_did_not_count_spoils_its_socket)
{
	struct fixture f;
	struct event *e;

	fixture__init(&f, 8);
	f.opts.aggr = AGGR_SOCKET;
	e = fixture__switches(&f);
	for (int i = 0; i < 8; i++)
		fixture__multiplexed(&f, e, i, 100, 400, i == 6 ? 0 : 400);
	ck_assert_str_eq(fixture__print_as(&f, "csv"),
			 "S0,4,400,,context-switches,1600,100.00,,\n"
			 "S1,4,<not counted>,,context-switches,0,100.00,,\n");
	fixture__free(&f);
}
END_TEST

START_TEST(a_read_that_failed_spoils_everything)
{
	struct fixture f;
	struct event *e;

	fixture__init(&f, 2);
	e = fixture__switches(&f);
	fixture__count(&f, e, 0, 100);
	fixture__status(&f, e, 1, SAMPLE_LOST);
	ck_assert_str_eq(fixture__print_as(&f, "csv"),
			 "<not counted>,,context-switches,0,100.00,,\n");
	fixture__status(&f, e, 1, SAMPLE_BUSY);
	ck_assert_str_eq(fixture__print(&f), "<not counted>,,context-switches,0,100.00,,\n");
	fixture__count(&f, e, 1, 5);
	ck_assert_str_eq(fixture__print(&f), "105,,context-switches,2000,100.00,,\n");
	fixture__free(&f);
}
END_TEST

START_TEST(a_thread_that_never_ran_is_not_counted)
{
	struct fixture f;
	struct event *e;

	fixture__init(&f, 2);
	f.opts.aggr = AGGR_THREAD;
	f.comms[0] = "a";
	f.comms[1] = "b";
	e = fixture__switches(&f);
	fixture__count(&f, e, 0, 100);
	fixture__multiplexed(&f, e, 1, 0, 0, 0);
	ck_assert_str_eq(fixture__print_as(&f, "csv"),
			 "a-0,100,,context-switches,1000,100.00,,\n"
			 "b-1,<not counted>,,context-switches,0,100.00,,\n");
	fixture__free(&f);
}
END_TEST

START_TEST(cpus_outside_an_events_pmu_have_no_row)
{
	struct fixture f;
	struct event *p, *e;

	fixture__init(&f, 8);
	fixture__make_hybrid(&f);
	f.opts.aggr = AGGR_NONE;
	p = fixture__event(&f, "cpu_core/cycles/", PERF_TYPE_HARDWARE, 4UL << 32);
	e = fixture__event(&f, "cpu_atom/cycles/", PERF_TYPE_HARDWARE, 8UL << 32);
	e->pmu = &f.pmus[1];
	for (int i = 0; i < 8; i++) {
		fixture__status(&f, i < 4 ? e : p, i, SAMPLE_ABSENT);
		fixture__count(&f, i < 4 ? p : e, i, i);
	}
	ck_assert_str_eq(fixture__print_as(&f, "csv"),
			 "CPU0,0,,cpu_core/cycles/,1000,100.00,,\n"
			 "CPU1,1,,cpu_core/cycles/,1000,100.00,,\n"
			 "CPU2,2,,cpu_core/cycles/,1000,100.00,,\n"
			 "CPU3,3,,cpu_core/cycles/,1000,100.00,,\n"
			 "CPU4,4,,cpu_atom/cycles/,1000,100.00,,\n"
			 "CPU5,5,,cpu_atom/cycles/,1000,100.00,,\n"
			 "CPU6,6,,cpu_atom/cycles/,1000,100.00,,\n"
			 "CPU7,7,,cpu_atom/cycles/,1000,100.00,,\n");
	f.opts.aggr = AGGR_SOCKET;
	ck_assert_str_eq(fixture__print_as(&f, "csv"),
			 "S0,4,6,,cpu_core/cycles/,4000,100.00,,\n"
			 "S1,4,22,,cpu_atom/cycles/,4000,100.00,,\n");
	fixture__free(&f);
}
END_TEST

START_TEST(instances_of_an_uncore_event_are_one_row)
{
	struct fixture f;
	struct event *a, *b;

	fixture__init(&f, 2);
	f.pmus[1] = (struct pmu){ .name = "uncore_imc_0", .type = 20, .is_uncore = true };
	f.pmus[2] = (struct pmu){ .name = "uncore_imc_1", .type = 21, .is_uncore = true };
	a = fixture__event(&f, "UNC_M_CAS_COUNT.RD", 20, 4);
	b = fixture__event(&f, "UNC_M_CAS_COUNT.RD", 21, 4);
	a->pmu = &f.pmus[1];
	b->pmu = &f.pmus[2];
	a->merge = b->merge = true;
	b->first = a;
	for (int i = 0; i < 2; i++) {
		fixture__count(&f, i ? b : a, 0, 10 + i);
		fixture__status(&f, i ? b : a, 1, SAMPLE_ABSENT);
	}
	ck_assert_str_eq(fixture__print_as(&f, "csv"),
			 "21,,UNC_M_CAS_COUNT.RD,2000,100.00,,\n");
	f.opts.aggr = AGGR_CORE;
	ck_assert_str_eq(fixture__print_as(&f, "csv"),
			 "S0-D0-C0,1,21,,UNC_M_CAS_COUNT.RD,2000,100.00,,\n");
	f.opts.aggr = AGGR_NONE;
	ck_assert_str_eq(fixture__print_as(&f, "csv"),
			 "CPU0,10,,UNC_M_CAS_COUNT.RD [uncore_imc_0],1000,100.00,,\n"
			 "CPU0,11,,UNC_M_CAS_COUNT.RD [uncore_imc_1],1000,100.00,,\n");
	fixture__status(&f, b, 0, SAMPLE_LOST);
	f.opts.aggr = AGGR_GLOBAL;
	ck_assert_str_eq(fixture__print_as(&f, "csv"),
			 "<not counted>,,UNC_M_CAS_COUNT.RD,0,100.00,,\n");
	fixture__free(&f);
}
END_TEST

START_TEST(a_package_counts_once_by_its_first_cpu_that_ran)
{
	struct fixture f;
	struct event *e;

	fixture__init(&f, 8);
	e = fixture__event(&f, "power/energy-pkg/", 30, 2);
	e->per_pkg = true;
	for (int i = 0; i < 8; i++)
		fixture__count(&f, e, i, 100 + i);
	fixture__multiplexed(&f, e, 4, 0, 1000, 0);
	ck_assert_str_eq(fixture__print_as(&f, "csv"),
			 "205,,power/energy-pkg/,2000,66.00,,\n");
	f.opts.aggr = AGGR_SOCKET;
	fixture__count(&f, e, 4, 104);
	ck_assert_str_eq(fixture__print_as(&f, "csv"),
			 "S0,1,100,,power/energy-pkg/,1000,100.00,,\n"
			 "S1,1,104,,power/energy-pkg/,1000,100.00,,\n");
	fixture__free(&f);
}
END_TEST

START_TEST(a_time_of_zero_is_a_count)
{
	struct fixture f;
	struct event *user, *system;

	fixture__init(&f, 2);
	user = fixture__event(&f, "user_time", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_DUMMY);
	system = fixture__event(&f, "system_time", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_DUMMY);
	user->tool = EVENT_USER_TIME;
	system->tool = EVENT_SYSTEM_TIME;
	fixture__multiplexed(&f, user, 0, 1538000, 2000000, 2000000);
	fixture__status(&f, user, 1, SAMPLE_ABSENT);
	fixture__multiplexed(&f, system, 0, 0, 2000000, 2000000);
	fixture__status(&f, system, 1, SAMPLE_ABSENT);
	ck_assert_str_eq(fixture__print_as(&f, "csv"), "1538000,,user_time,2000000,100.00,,\n"
						       "0,,system_time,2000000,100.00,,\n");
	fixture__free(&f);
}
END_TEST

START_TEST(names_of_pmus_stand_behind_names_of_events_with_A)
{
	struct fixture f;
	struct event *e;
	const char *text;

	fixture__init(&f, 1);
	f.opts.aggr = AGGR_NONE;
	fixture__count(&f, fixture__cycles(&f), 0, 1);
	fixture__count(&f, fixture__event(&f, "cpu/event=0x3c/", PERF_TYPE_RAW, 0x3c), 0, 2);
	fixture__count(&f, fixture__event(&f, "sched:sched_switch", PERF_TYPE_TRACEPOINT, 3), 0, 3);
	e = fixture__event(&f, "mine", PERF_TYPE_RAW, 0x3c);
	e->config_name = true;
	fixture__count(&f, e, 0, 4);
	e = fixture__event(&f, "uncore_imc/cas_count_read/", 20, 4);
	f.pmus[1] = (struct pmu){ .name = "uncore_imc_0", .type = 20, .is_uncore = true };
	e->pmu = &f.pmus[1];
	fixture__count(&f, e, 0, 5);
	text = fixture__print_as(&f, "csv");
	ck_assert_str_eq(text, "CPU0,1,,cycles,1000,100.00,,\n"
			       "CPU0,2,,cpu/event=0x3c/,1000,100.00,,\n"
			       "CPU0,3,,sched:sched_switch,1000,100.00,,\n"
			       "CPU0,4,,mine,1000,100.00,,\n"
			       "CPU0,5,,uncore_imc_0/cas_count_read/,1000,100.00,,\n");
	f.opts.default_events = true;
	ck_assert_ptr_nonnull(strstr(fixture__print_as(&f, "csv"),
				     "CPU0,5,,uncore_imc/cas_count_read/,1000,100.00,,\n"));
	fixture__free(&f);
}
END_TEST

START_TEST(an_event_that_was_not_opened_has_a_count_of_no_cpus)
{
	struct fixture f;
	struct event *e;

	fixture__init(&f, 2);
	f.opts.aggr = AGGR_SOCKET;
	e = fixture__cycles(&f);
	fixture__status(&f, e, 0, SAMPLE_NOT_SUPPORTED);
	fixture__status(&f, e, 1, SAMPLE_NOT_SUPPORTED);
	ck_assert_str_eq(fixture__print_as(&f, "csv"),
			 "S0,0,<not supported>,,cycles,0,100.00,,\n");
	fixture__free(&f);
}
END_TEST

START_TEST(the_watchdog_is_blamed_only_when_it_runs_and_a_counter_was_missing)
{
	struct fixture f;
	struct event *e;

	fixture__init(&f, 1);
	e = fixture__cycles(&f);
	fixture__multiplexed(&f, e, 0, 0, 1000, 0);
	ck_assert_ptr_null(strstr(fixture__print(&f), "watchdog"));
	f.machine.nmi_watchdog = true;
	ck_assert_ptr_nonnull(strstr(fixture__print_as(&f, "text"),
				     "echo 0 > /proc/sys/kernel/nmi_watchdog\n"));
	fixture__count(&f, e, 0, 1);
	ck_assert_ptr_null(strstr(fixture__print_as(&f, "text"), "watchdog"));
	fixture__free(&f);
}
END_TEST

TMA_TEST_MAIN(report_aggregate, everything_is_added_up_scaled_cpu_by_cpu,
	      a_cpu_that_did_not_count_adds_nothing_to_everything,
	      a_cpu_that_did_not_count_spoils_its_socket, a_read_that_failed_spoils_everything,
	      a_thread_that_never_ran_is_not_counted, cpus_outside_an_events_pmu_have_no_row,
	      instances_of_an_uncore_event_are_one_row,
	      a_package_counts_once_by_its_first_cpu_that_ran, a_time_of_zero_is_a_count,
	      names_of_pmus_stand_behind_names_of_events_with_A,
	      an_event_that_was_not_opened_has_a_count_of_no_cpus,
	      the_watchdog_is_blamed_only_when_it_runs_and_a_counter_was_missing)
