// SPDX-License-Identifier: GPL-2.0-only
/*
 * A task's share of the time on each core type of a hybrid machine, and how its counts depend on
 * it.
 */
#include "report_fixture.h"

/* Events of P-cores and E-cores alternate: "cpu_core/a/", "cpu_atom/a/", "cpu_core/b/", ... */
static void task(struct fixture *f, int nr_events)
{
	static const char *const names[] = { "cpu_core/a/", "cpu_atom/a/", "cpu_core/b/",
					     "cpu_atom/b/" };

	fixture__init(f, 1);
	fixture__make_hybrid(f);
	f->comms[0] = "sleep";
	for (int i = 0; i < nr_events; i++)
		fixture__event(f, names[i], PERF_TYPE_RAW, i)->pmu = &f->pmus[i % 2];
}

static void runs(struct fixture *f, int event, uint64_t percent)
{
	fixture__multiplexed(f, &f->events[event], 0, 10 * percent, 100, percent);
}

static void check_shares(struct fixture *f, const char *wanted)
{
	struct sb sb = SB_INIT;

	fixture__print(f);
	shares__describe(report__sums(f->report), f->opts.metric_only, &sb);
	ck_assert_str_eq(sb__str(&sb), wanted);
	sb__free(&sb);
	fixture__free(f);
}

START_TEST(shares_are_those_of_the_counters)
{
	struct fixture f;

	task(&f, 2);
	runs(&f, 0, 80);
	runs(&f, 1, 20);
	check_shares(&f, "the task ran 80.0 % of its time on cpu_core, 20.0 % on cpu_atom; each type's "
			 "counts are scaled up to all of its time");
}
END_TEST

START_TEST(the_rest_of_the_time_is_the_other_types)
{
	struct fixture f;

	task(&f, 3);
	runs(&f, 0, 35);
	runs(&f, 1, 30);
	runs(&f, 2, 25);
	f.opts.metric_only = true;
	check_shares(&f, "the task ran 70.0 % of its time on cpu_core, 30.0 % on cpu_atom; each "
			 "type's metrics cover its part");
}
END_TEST

/*
 * Two groups that ran equally long may have run at the same time or not: the remaining time
 * decides.
 */
START_TEST(turns_may_be_of_the_same_length)
{
	struct fixture f;

	task(&f, 3);
	runs(&f, 0, 35);
	runs(&f, 1, 30);
	runs(&f, 2, 35);
	f.opts.metric_only = true;
	check_shares(&f, "the task ran 70.0 % of its time on cpu_core, 30.0 % on cpu_atom; each "
			 "type's metrics cover its part");
	task(&f, 3);
	runs(&f, 0, 70);
	runs(&f, 1, 30);
	runs(&f, 2, 70);
	f.opts.metric_only = true;
	check_shares(&f, "the task ran 70.0 % of its time on cpu_core, 30.0 % on cpu_atom; each "
			 "type's metrics cover its part");
}
END_TEST

START_TEST(turns_on_both_types_leave_a_limit)
{
	struct fixture f;

	task(&f, 4);
	runs(&f, 0, 35);
	runs(&f, 1, 10);
	runs(&f, 2, 25);
	runs(&f, 3, 12);
	f.opts.no_scale = true;
	check_shares(&f, "the task ran at least 35.0 % of its time on cpu_core, at least 12.0 % on "
			 "cpu_atom");
}
END_TEST

/* Groups that overlap a little cannot hide more time. */
START_TEST(turns_of_a_short_visit_leave_no_limit)
{
	struct fixture f;

	task(&f, 4);
	fixture__multiplexed(&f, &f.events[0], 0, 550, 1000, 550);
	fixture__multiplexed(&f, &f.events[1], 0, 4, 1000, 4);
	fixture__multiplexed(&f, &f.events[2], 0, 441, 1000, 441);
	fixture__multiplexed(&f, &f.events[3], 0, 5, 1000, 5);
	f.opts.metric_only = true;
	check_shares(&f, "the task ran 99.5 % of its time on cpu_core, 0.5 % on cpu_atom; each "
			 "type's metrics cover its part");
}
END_TEST

START_TEST(a_type_that_the_task_never_ran_on_is_reported)
{
	struct fixture f;

	task(&f, 4);
	runs(&f, 0, 50);
	runs(&f, 1, 0);
	runs(&f, 2, 50);
	runs(&f, 3, 0);
	fixture__multiplexed(&f, &f.events[0], 0, 1, 100, 40);
	check_shares(&f, "the task ran 100.0 % of its time on cpu_core, never on cpu_atom");
}
END_TEST

START_TEST(a_type_that_is_not_counted_is_not_told)
{
	struct fixture f;

	task(&f, 1);
	runs(&f, 0, 100);
	check_shares(&f, "");
	task(&f, 1);
	runs(&f, 0, 0);
	check_shares(&f, "the task never ran on cpu_core");
}
END_TEST

START_TEST(rows_add_up)
{
	struct sb sb = SB_INIT;
	struct fixture f;

	task(&f, 2);
	f.interval = true;
	runs(&f, 0, 100);
	runs(&f, 1, 0);
	fixture__print(&f);
	runs(&f, 0, 0);
	runs(&f, 1, 100);
	fixture__print(&f);
	fixture__print(&f);
	fixture__print(&f);
	shares__describe(report__sums(f.report), f.opts.metric_only, &sb);
	ck_assert_ptr_nonnull(strstr(sb__str(&sb), "25.0 % of its time on cpu_core, 75.0 % on cpu_atom"));
	sb__free(&sb);
	fixture__free(&f);
}
END_TEST

/* The estimate of each type covers all of the time, so their sum would be 2000. */
START_TEST(merged_types_are_one_count)
{
	struct fixture f;

	task(&f, 2);
	f.events[1].first = &f.events[0];
	f.events[0].merge = f.events[1].merge = true;
	runs(&f, 0, 80);
	runs(&f, 1, 20);
	ck_assert_str_eq(fixture__print_as(&f, "csv"), "1000,,cpu_core/a/,100,100.00,,\n");
	ck_assert_ptr_nonnull(strstr(fixture__print_as(&f, "json"),
				     "\"pmu\":\"cpu_core+cpu_atom\",\"value\":1000,"));
	runs(&f, 0, 30);
	ck_assert_str_eq(fixture__print_as(&f, "csv"), "1000,,cpu_core/a/,50,50.00,,\n");
	fixture__status(&f, &f.events[1], 0, SAMPLE_NOT_SUPPORTED);
	ck_assert_str_eq(fixture__print_as(&f, "csv"), "1000,,cpu_core/a/,30,30.00,,\n");
	fixture__status(&f, &f.events[1], 0, SAMPLE_LOST);
	ck_assert_str_eq(fixture__print_as(&f, "csv"),
			 "<not counted>,,cpu_core/a/,0,100.00,,\n");
	fixture__free(&f);
}
END_TEST

START_TEST(cpus_of_all_merged_types_are_counted)
{
	struct fixture f;

	task(&f, 2);
	f.nr_units = 8;
	f.comms[0] = NULL;
	f.opts.aggr = AGGR_DIE;
	f.events[1].first = &f.events[0];
	f.events[0].merge = f.events[1].merge = true;
	for (int i = 0; i < 8; i++) {
		f.cpus[i] = (struct cpu){ 0 };
		fixture__status(&f, &f.events[i < 4], i, SAMPLE_ABSENT);
		fixture__count(&f, &f.events[i >= 4], i, 1);
	}
	ck_assert_str_eq(fixture__print_as(&f, "csv"), "S0-D0,8,8,,cpu_core/a/,8000,100.00,,\n");
	fixture__free(&f);
}
END_TEST

static void metrics(struct fixture *f)
{
	task(f, 2);
	fixture__metric(f, "tma_x", "a / 10", NULL, &f->events[0]);
	fixture__metric(f, "tma_x", "b / 10", NULL, &f->events[1]);
	f->opts.metric_only = f->interval = true;
	runs(f, 0, 99);
	fixture__multiplexed(f, &f->events[1], 0, 10, 100000, 50);
	fixture__at(f, &f->events[0], 0)->enabled = 100000;
	fixture__at(f, &f->events[0], 0)->running = 99950;
}

START_TEST(metrics_alone_have_their_share)
{
	struct fixture f;

	metrics(&f);
	ck_assert_str_eq(fixture__print(&f),
			 "#           time pmu      % of time             %  tma_x \n"
			 "     1.000000000 cpu_core     100.0              10000.0 \n"
			 "     1.000000000 cpu_atom     0.050             200000.0 \n");
	ck_assert_str_eq(fixture__print_as(&f, "csv"),
			 "time,%  tma_x (cpu_core),%  tma_x (cpu_atom),% of time (cpu_core),"
			 "% of time (cpu_atom),\n"
			 "1.000000000,10000.0,200000.0,100.0,0.050,\n");
	ck_assert_str_eq(fixture__print_as(&f, "json-perf"),
			 "{\"interval\" : 1.000000000, \"%  tma_x (cpu_core)\" : \"10000.0\", "
			 "\"%  tma_x (cpu_atom)\" : \"200000.0\", \"% of time (cpu_core)\" : \"100.0\", "
			 "\"% of time (cpu_atom)\" : \"0.050\"}\n");
	fixture__free(&f);
}
END_TEST

static void check_reason(struct fixture *f, const char *name, const char *reason)
{
	char key[64];
	const char *line;

	snprintf(key, sizeof(key), "\"name\":\"%s\"", name);
	line = strstr(fixture__print_as(f, "json"), key);
	ck_assert_ptr_nonnull(line);
	line = strstr(line, "\"reason\":\"") + strlen("\"reason\":\"");
	ck_assert_msg(!strncmp(line, reason, strlen(reason)) && line[strlen(reason)] == '"',
		      "%.150s", line);
}

START_TEST(reasons_tell_moves_from_turns)
{
	struct fixture f;

	task(&f, 4);
	runs(&f, 0, 80);
	runs(&f, 1, 20);
	runs(&f, 2, 40);
	runs(&f, 3, 0);
	check_reason(&f, "cpu_core/a/",
		     "an estimate for all of the task's time, from its time on cores of this type");
	check_reason(&f, "cpu_core/b/",
		     "an estimate for all of the task's time: only part of it was on cores of this type, where events were multiplexed");
	check_reason(&f, "cpu_atom/b/",
		     "no counter was free for it while the task ran on a core of this type");
	f.opts.no_scale = true;
	check_reason(&f, "cpu_core/a/",
		     "the task ran part of its time on cores of this type, and the counts are "
		     "not scaled");
	f.opts.no_scale = false;
	runs(&f, 1, 0);
	runs(&f, 0, 60);
	check_reason(&f, "cpu_core/b/", "an estimate, since events were multiplexed");
	check_reason(&f, "cpu_atom/b/", "the task did not run on a core of this type");
	fixture__free(&f);
}
END_TEST

/* The metric is printed with the clock, which belongs to no core type. */
START_TEST(a_metric_is_of_the_type_of_its_core_events)
{
	struct plan_metric *m;
	struct fixture f;

	task(&f, 2);
	fixture__clock(&f);
	m = fixture__metric(&f, "tma_y", "b / c", NULL, &f.events[2]);
	ck_assert_ptr_eq(m->shown_at, &f.events[2]);
	f.opts.metric_only = true;
	for (int i = 0; i < 3; i++)
		runs(&f, i, 50);
	ck_assert_ptr_nonnull(strstr(fixture__print_as(&f, "csv"), "%  tma_y (cpu_atom),"));
	ck_assert_ptr_nonnull(strstr(fixture__print_as(&f, "json"),
				     "\"name\":\"tma_y\",\"pmu\":\"cpu_atom\""));
	fixture__free(&f);
}
END_TEST

TMA_TEST_MAIN(report_shares, shares_are_those_of_the_counters,
	      the_rest_of_the_time_is_the_other_types, turns_may_be_of_the_same_length,
	      turns_on_both_types_leave_a_limit, turns_of_a_short_visit_leave_no_limit,
	      a_type_that_the_task_never_ran_on_is_reported, a_type_that_is_not_counted_is_not_told,
	      rows_add_up, merged_types_are_one_count, cpus_of_all_merged_types_are_counted,
	      metrics_alone_have_their_share, reasons_tell_moves_from_turns,
	      a_metric_is_of_the_type_of_its_core_events)
