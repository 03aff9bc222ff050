// SPDX-License-Identifier: GPL-2.0-only
/* --format=csv-wide: its columns, their names, and the state of a row. */
#include "machine/cgroup.h"
#include "report/internal.h"
#include "report_fixture.h"

static void wide(struct fixture *f, int nr_units)
{
	fixture__init(f, nr_units);
	f->format = "csv-wide";
	f->print.header = true;
}

START_TEST(a_row_has_one_line)
{
	struct event *cycles, *instructions, *clock;
	struct fixture f;

	wide(&f, 2);
	f.interval = true;
	f.time = (struct row_time){ .since_start_ns = 2000001000, .elapsed_ns = 1000000500 };
	cycles = fixture__cycles(&f);
	instructions = fixture__instructions(&f);
	clock = fixture__clock(&f);
	fixture__metric(&f, "tma_retiring", "b / a / 4", "a > 5", instructions);
	for (int i = 0; i < 2; i++) {
		fixture__count(&f, cycles, i, 1000000);
		fixture__count(&f, instructions, i, 2500000);
		fixture__count(&f, clock, i, 400000);
	}
	ck_assert_str_eq(
		fixture__print(&f),
		"time,length,row,cpus,status,running_percent,coverage_percent,cycles,frequency,instructions,"
		"insn_per_cycle,tma_retiring,task-clock,cpus_utilized,reason\n"
		"2.000001000,1.000000500,interval,2,counted,100,0.0001,2000000,2.5,5000000,2.5,62.5,0.8,"
		"0.0008,\n");
	fixture__free(&f);
}
END_TEST

static const struct {
	enum grid_aggr aggr;
	const char *head, *first, *last;
} places[] = {
	{ AGGR_GLOBAL, "row,cpus,status", "run,8,counted", NULL },
	{ AGGR_NONE, "row,cpu,status", "run,0,counted", "run,7,counted" },
	{ AGGR_SOCKET, "row,socket,cpus,status", "run,0,4,counted", "run,1,4,counted" },
	{ AGGR_DIE, "row,socket,die,cpus,status", "run,0,0,4,counted", "run,1,0,4,counted" },
	{ AGGR_CLUSTER, "row,socket,die,cluster,cpus,status", "run,0,0,0,2,counted",
	  "run,1,0,3,2,counted" },
	{ AGGR_CORE, "row,socket,die,cluster,core,cpus,status", "run,0,0,0,0,2,counted",
	  "run,1,0,3,1,2,counted" },
	{ AGGR_NODE, "row,node,cpus,status", "run,0,4,counted", "run,1,4,counted" },
};

START_TEST(each_place_has_numbers)
{
	for (size_t i = 0; i < sizeof(places) / sizeof(*places); i++) {
		struct fixture f;
		struct event *e;

		wide(&f, 8);
		f.opts.aggr = places[i].aggr;
		e = fixture__switches(&f);
		for (int unit = 0; unit < 8; unit++)
			fixture__count(&f, e, unit, 1);
		fixture__print(&f);
		ck_assert_msg(strstr(f.text, places[i].head) && strstr(f.text, places[i].first),
			      "%s", f.text);
		ck_assert_msg(!places[i].last || strstr(f.text, places[i].last), "%s", f.text);
		fixture__free(&f);
	}
}
END_TEST

START_TEST(an_unknown_cluster_is_empty)
{
	struct fixture f;

	wide(&f, 2);
	f.opts.aggr = AGGR_CLUSTER;
	for (int cpu = 0; cpu < 2; cpu++)
		f.cpus[cpu].cluster = 65535;
	fixture__count(&f, fixture__switches(&f), 0, 1);
	fixture__print(&f);
	ck_assert_msg(strstr(f.text, "run,0,0,,2,"), "%s", f.text);
	fixture__free(&f);
}
END_TEST

START_TEST(a_thread_has_its_id_and_name)
{
	struct fixture f;
	struct event *e;

	wide(&f, 2);
	f.opts.aggr = AGGR_THREAD;
	f.ids[0] = 4711;
	f.comms[0] = "a \"b\", c";
	f.comms[1] = "";
	e = fixture__switches(&f);
	fixture__count(&f, e, 0, 3);
	fixture__count(&f, e, 1, 4);
	ck_assert_str_eq(fixture__print(&f),
			 "time,length,row,thread,comm,status,running_percent,context-switches,reason\n"
			 "1.000000000,1.000000000,run,4711,\"a \"\"b\"\", c\",counted,100,3,\n"
			 "1.000000000,1.000000000,run,1,,counted,100,4,\n");
	fixture__free(&f);
}
END_TEST

START_TEST(threads_that_did_not_run_have_no_line)
{
	struct fixture f;
	struct event *e;

	wide(&f, 3);
	f.opts.aggr = AGGR_THREAD;
	f.opts.skip_idle = true;
	f.comms[0] = f.comms[1] = f.comms[2] = "x";
	e = fixture__switches(&f);
	fixture__count(&f, e, 0, 0);
	fixture__count(&f, e, 1, 1);
	fixture__multiplexed(&f, e, 2, 0, 0, 0);
	ck_assert_ptr_nonnull(strstr(fixture__print(&f), ",1,x,counted,100,1,\n"));
	ck_assert_ptr_null(strstr(f.text, ",0,x,"));
	ck_assert_ptr_null(strstr(f.text, ",2,x,"));
	fixture__free(&f);
}
END_TEST

START_TEST(names_are_quoted_and_never_come_twice)
{
	struct fixture f;

	wide(&f, 1);
	for (int i = 0; i < 3; i++)
		fixture__count(&f, fixture__event(&f, "cpu/event=1,umask=2/", PERF_TYPE_RAW, 1), 0,
			       5 + i);
	fixture__count(&f, fixture__event(&f, "say \"hi\"\nand é\xef\xbf\xbd", PERF_TYPE_RAW, 2), 0,
		       9);
	ck_assert_str_eq(fixture__print(&f),
			 "time,length,row,cpus,status,running_percent,coverage_percent,\"cpu/event=1,umask=2/\","
			 "\"cpu/event=1,umask=2/ #2\",\"cpu/event=1,umask=2/ #3\","
			 "\"say \"\"hi\"\"\nand é\xef\xbf\xbd\",reason\n"
			 "1.000000000,1.000000000,run,1,counted,100,0.0001,5,6,7,9,\n");
	fixture__free(&f);
	wide(&f, 1);
	f.print.separator = ";";
	fixture__count(&f, fixture__event(&f, "a,b", PERF_TYPE_RAW, 1), 0, 5);
	fixture__count(&f, fixture__event(&f, "a;b", PERF_TYPE_RAW, 1), 0, 6);
	ck_assert_ptr_nonnull(strstr(fixture__print(&f), ";coverage_percent;a,b;\"a;b\";reason\n"));
	fixture__free(&f);
}
END_TEST

START_TEST(core_types_are_told_apart)
{
	struct event *core, *atom;
	struct fixture f;

	wide(&f, 8);
	fixture__make_hybrid(&f);
	f.opts.aggr = AGGR_CORE;
	core = fixture__event(&f, "cpu_core/x/", PERF_TYPE_RAW, 1);
	atom = fixture__event(&f, "cpu_atom/x/", PERF_TYPE_RAW, 1);
	atom->pmu = &f.pmus[1];
	fixture__metric(&f, "m", "a / 10", NULL, core);
	fixture__metric(&f, "m", "b / 10", NULL, atom);
	for (int i = 0; i < 8; i++) {
		fixture__count(&f, i < 4 ? core : atom, i, i);
		fixture__status(&f, i < 4 ? atom : core, i, SAMPLE_ABSENT);
	}
	ck_assert_ptr_nonnull(strstr(fixture__print(&f),
				     ",cpu_core/x/,m [cpu_core],cpu_atom/x/,m [cpu_atom],"
				     "reason\n"));
	ck_assert_ptr_nonnull(strstr(f.text, ",0,0,0,0,2,counted,100,0.0001,1,10,,,\n"));
	ck_assert_ptr_nonnull(strstr(f.text, ",1,0,3,1,2,counted,100,0.0001,,,13,130,\n"));
	fixture__free(&f);
}
END_TEST

START_TEST(cgroups_have_lines_of_their_own)
{
	struct cgroup groups[2] = { { .name = (char *)"a" }, { .name = (char *)"b/c,d" } };
	struct fixture f;
	char field[64];

	wide(&f, 1);
	f.plan.nr_cgroups = 2;
	for (int i = 0; i < 4; i++) {
		struct event *e = fixture__event(&f, i % 2 ? "y" : "x", PERF_TYPE_RAW, i % 2);

		e->cgroup = &groups[i / 2];
		fixture__count(&f, e, 0, 10 + i);
	}
	ck_assert_str_eq(fixture__print(&f),
			 "time,length,row,cpus,cgroup,status,running_percent,coverage_percent,x,y,reason\n"
			 "1.000000000,1.000000000,run,1,a,counted,100,,10,11,\n"
			 "1.000000000,1.000000000,run,1,\"b/c,d\",counted,100,,12,13,\n");
	fixture__free(&f);

	/* -G: not every cgroup has every event, and some events belong to no cgroup. */
	wide(&f, 1);
	for (int i = 0; i < 3; i++)
		fixture__count(&f, fixture__event(&f, i ? "x" : "y", PERF_TYPE_RAW, !i), 0, 10 + i);
	f.events[0].cgroup = f.events[1].cgroup = &groups[0];
	fixture__print(&f);
	ck_assert_str_eq(fixture__under(f.text, 0, "cgroup", field, sizeof(field)), "a");
	ck_assert_str_eq(fixture__under(f.text, 0, "y", field, sizeof(field)), "10");
	ck_assert_str_eq(fixture__under(f.text, 0, "x", field, sizeof(field)), "11");
	ck_assert_str_eq(fixture__under(f.text, 1, "cgroup", field, sizeof(field)), "");
	ck_assert_str_eq(fixture__under(f.text, 1, "y", field, sizeof(field)), "");
	ck_assert_str_eq(fixture__under(f.text, 1, "x", field, sizeof(field)), "12");
	fixture__free(&f);
}
END_TEST

/* Check status, share and reason in the first line. */
static void check_state(struct fixture *f, const char *status, const char *percent,
			const char *reason)
{
	const char *text = fixture__print(f);
	char field[512];

	ck_assert_str_eq(fixture__under(text, 0, "status", field, sizeof(field)), status);
	ck_assert_str_eq(fixture__under(text, 0, "running_percent", field, sizeof(field)), percent);
	ck_assert_str_eq(fixture__under(text, 0, "reason", field, sizeof(field)), reason);
	fixture__close(f);
}

START_TEST(the_worst_status_of_a_row_is_reported)
{
	struct event *a, *b, *c;
	struct fixture f;

	wide(&f, 1);
	a = fixture__event(&f, "a,b", PERF_TYPE_RAW, 1);
	b = fixture__event(&f, "b", PERF_TYPE_RAW, 2);
	c = fixture__event(&f, "c", PERF_TYPE_RAW, 3);
	fixture__multiplexed(&f, a, 0, 5, 300, 100);
	fixture__count(&f, b, 0, 6);
	fixture__count(&f, c, 0, 6);
	check_state(&f, "scaled", "33.3333",
		    "a,b: an estimate, since events were multiplexed");
	f.opts.no_scale = true;
	check_state(&f, "partial", "33.3333",
		    "a,b: events were multiplexed, and the counts are not scaled");
	f.opts.no_scale = false;
	fixture__multiplexed(&f, c, 0, 0, 300, 0);
	check_state(
		&f, "not counted", "0",
		"c: it was not scheduled: the time was too short for all groups to have a turn; "
		"a,b: an estimate, since events were multiplexed");
	fixture__status(&f, b, 0, SAMPLE_NOT_SUPPORTED);
	check_state(&f, "not supported", "0",
		    "b: the kernel does not count it here; c: it was not scheduled: the time was "
		    "too short for all groups to have a turn; a,b: an estimate, since events were "
		    "multiplexed");
	fixture__status(&f, c, 0, SAMPLE_BUSY);
	fixture__status(&f, b, 0, SAMPLE_BUSY);
	check_state(&f, "busy", "33.3333",
		    "b, c: it is pinned, and other users hold the counters; "
		    "a,b: an estimate, since events were multiplexed");
	fixture__status(&f, a, 0, SAMPLE_LOST);
	check_state(&f, "lost", "", "a,b: its counter could not be read, or ran backwards; "
				    "b, c: it is pinned, and other users hold the counters");
	fixture__free(&f);
}
END_TEST

START_TEST(metrics_that_were_not_measured_are_empty)
{
	struct event *a, *b;
	struct fixture f;
	char field[64];

	wide(&f, 2);
	a = fixture__event(&f, "a", PERF_TYPE_RAW, 1);
	b = fixture__event(&f, "b", PERF_TYPE_RAW, 2);
	fixture__metric(&f, "m", "a / b", NULL, a);
	fixture__metric(&f, "half", "a / 2", NULL, a);
	for (int i = 0; i < 2; i++) {
		fixture__count(&f, a, i, 5);
		fixture__status(&f, b, i, SAMPLE_NOT_SUPPORTED);
	}
	fixture__print(&f);
	ck_assert_str_eq(fixture__under(f.text, 0, "a", field, sizeof(field)), "10");
	ck_assert_str_eq(fixture__under(f.text, 0, "b", field, sizeof(field)), "");
	ck_assert_str_eq(fixture__under(f.text, 0, "m", field, sizeof(field)), "");
	ck_assert_str_eq(fixture__under(f.text, 0, "half", field, sizeof(field)), "500");
	ck_assert_ptr_null(strstr(f.text, "nan"));
	fixture__free(&f);
}
END_TEST

START_TEST(metrics_alone_in_the_order_of_the_tree)
{
	struct fixture f;
	struct event *e;

	wide(&f, 1);
	f.opts.metric_only = f.opts.topdown = true;
	e = fixture__event(&f, "a", PERF_TYPE_RAW, 1);
	fixture__count(&f, e, 0, 1);
	fixture__metric(&f, "second", "a", NULL, e)->rank = 2;
	fixture__metric(&f, "first", "a / 2", NULL, e)->rank = 1;
	ck_assert_str_eq(fixture__print(&f),
			 "time,length,row,cpus,status,running_percent,coverage_percent,first,second,reason\n"
			 "1.000000000,1.000000000,run,1,counted,100,0.0001,50,100,\n");
	fixture__free(&f);
}
END_TEST

START_TEST(the_spread_of_runs_is_next_to_the_value)
{
	struct err err = ERR_INIT;
	struct counts counts;
	struct units units;
	struct fixture f;

	wide(&f, 1);
	f.opts.runs = true;
	fixture__count(&f, fixture__switches(&f), 0, 12);
	fixture__print(&f);
	counts = fixture__counts(&f);
	units = fixture__units(&f);
	ck_assert_int_eq(sums__add_run(f.report->sums, &units, &counts, &f.time, &err), 0);
	report__fill_mean(f.report);
	ck_assert_int_eq(writer__rows(f.writer, &err), 0);
	ck_assert_ptr_nonnull(
		strstr(f.text, ",context-switches,context-switches spread,reason\n"));
	ck_assert_ptr_nonnull(strstr(f.text, ",mean,1,counted,100,0.0001,12,0,\n"));
	fixture__free(&f);
}
END_TEST

/* An uncore unit of two boxes has one column for both boxes; with -A, each box has a column. */
START_TEST(boxes_share_a_column_or_have_their_own)
{
	struct pmu boxes[2] = { { .name = (char *)"uncore_imc_0" }, { .name = (char *)"uncore_imc_1" } };
	struct event *e[2];
	struct fixture f;

	wide(&f, 1);
	for (int i = 0; i < 2; i++) {
		e[i] = fixture__event(&f, "reads", 20 + i, 1);
		e[i]->pmu = &boxes[i];
		e[i]->merge = true;
		e[i]->first = e[0];
		fixture__count(&f, e[i], 0, 10 + i);
	}
	fixture__metric(&f, "m", "a", NULL, e[0])->events[1] = NULL;
	ck_assert_ptr_nonnull(strstr(fixture__print(&f), ",reads,m,reason\n"));
	ck_assert_ptr_nonnull(strstr(f.text, ",21,2100,\n"));
	f.opts.aggr = AGGR_NONE;
	f.opts.no_merge = true;
	ck_assert_ptr_nonnull(strstr(fixture__print_as(&f, "csv-wide"),
				     ",reads [uncore_imc_0],m [uncore_imc_0],"
				     "reads [uncore_imc_1],m [uncore_imc_1],reason\n"));
	ck_assert_ptr_nonnull(strstr(f.text, ",10,1000,11,1100,\n"));
	fixture__free(&f);
}
END_TEST

START_TEST(units_and_all_digits_are_there_when_asked_for)
{
	struct fixture f;
	struct event *e;

	wide(&f, 1);
	e = fixture__event(&f, "a", PERF_TYPE_RAW, 1);
	fixture__count(&f, e, 0, 12345678901);
	fixture__metric(&f, "m", "a / 3", NULL, e);
	fixture__metric(&f, "small", "1 / a", NULL, e);
	fixture__metric(&f, "third", "a / a / 3", NULL, e);
	ck_assert_ptr_nonnull(strstr(fixture__print(&f), ",a,m,small,third,reason\n"));
	/* Digits before the decimal point are never cut. */
	ck_assert_msg(strstr(f.text, ",12345678901,411522630033,8.1e-09,33.3333,\n"), "%s", f.text);
	f.print.full_header = f.print.precise = true;
	ck_assert_ptr_nonnull(strstr(fixture__print_as(&f, "csv-wide"),
				     ",a,m (%),small (%),third (%),reason\n"));
	ck_assert_msg(strstr(f.text, ",12345678901,411522630033.333,"), "%s", f.text);
	ck_assert_msg(strstr(f.text, ",33.3333333333333,\n"), "%s", f.text);
	fixture__free(&f);
}
END_TEST

TMA_TEST_MAIN(report_wide, a_row_has_one_line, units_and_all_digits_are_there_when_asked_for,
	      each_place_has_numbers, an_unknown_cluster_is_empty, a_thread_has_its_id_and_name,
	      threads_that_did_not_run_have_no_line, names_are_quoted_and_never_come_twice,
	      core_types_are_told_apart, cgroups_have_lines_of_their_own,
	      the_worst_status_of_a_row_is_reported, metrics_that_were_not_measured_are_empty,
	      metrics_alone_in_the_order_of_the_tree, the_spread_of_runs_is_next_to_the_value,
	      boxes_share_a_column_or_have_their_own)
