// SPDX-License-Identifier: GPL-2.0-only
/*
 * Metrics of a table: next to their events, without events (--metric-only), without -e, and on
 * hybrid machines.
 */
#include "report_fixture.h"

/* Four events, for the first level of the TopDown tree. */
static void topdown(struct fixture *f, int nr_units)
{
	struct event *slots;

	fixture__init(f, nr_units);
	slots = fixture__event(f, "TOPDOWN.SLOTS", PERF_TYPE_RAW, 0x400);
	fixture__event(f, "topdown-retiring", PERF_TYPE_RAW, 0x8000);
	fixture__event(f, "topdown-bad-spec", PERF_TYPE_RAW, 0x8100);
	for (int i = 0; i < nr_units; i++) {
		fixture__count(f, slots, i, 1000);
		fixture__count(f, &f->events[1], i, 250 + 100 * i);
		fixture__count(f, &f->events[2], i, 100);
	}
	fixture__metric(f, "tma_backend_bound", "1 - (b + c) / a", "b > 1000", slots);
	fixture__metric(f, "tma_retiring", "b / a", NULL, slots);
	fixture__metric(f, "tma_bad_speculation", "c / a", "c > 10", slots);
}

START_TEST(metrics_beside_their_event)
{
	struct fixture f;

	topdown(&f, 1);
	f.interval = true;
	ck_assert_str_eq(
		fixture__print(&f),
		"#           time             counts unit events\n"
		"     1.000000000               1000      TOPDOWN.SLOTS                    #     65.0 %  tma_backend_bound      \n"
		"     1.000000000                                                   #     25.0 %  tma_retiring           \n"
		"     1.000000000                                                   #     10.0 %  tma_bad_speculation    \n"
		"     1.000000000                250      topdown-retiring                                                      \n"
		"     1.000000000                100      topdown-bad-spec                                                      \n");
	ck_assert_str_eq(fixture__print_as(&f, "csv"),
			 "1.000000000,1000,,TOPDOWN.SLOTS,1000,100.00,65.0,%  tma_backend_bound\n"
			 "1.000000000,,,,,,25.0,%  tma_retiring\n"
			 "1.000000000,,,,,,10.0,%  tma_bad_speculation\n"
			 "1.000000000,250,,topdown-retiring,1000,100.00,,\n"
			 "1.000000000,100,,topdown-bad-spec,1000,100.00,,\n");
	ck_assert_ptr_nonnull(
		strstr(fixture__print_as(&f, "json-perf"),
		       "\"pcnt-running\" : 100.00, \"metric-value\" : \"65.000000\", "
		       "\"metric-unit\" : \"%  tma_backend_bound\"}\n"
		       "{\"interval\" : 1.000000000, \"metric-value\" : \"25.000000\", "
		       "\"metric-unit\" : \"%  tma_retiring\"}\n"));
	fixture__free(&f);
}
END_TEST

START_TEST(further_metrics_of_a_cpu_stand_eight_columns_on)
{
	struct fixture f;

	topdown(&f, 1);
	f.opts.aggr = AGGR_NONE;
	ck_assert_ptr_nonnull(strstr(
		fixture__print(&f),
		"CPU0                 1000      TOPDOWN.SLOTS [cpu]              #     65.0 %  tma_backend_bound      \n"
		"CPU0                                                             #     25.0 %  tma_retiring           \n"));
	ck_assert_ptr_nonnull(strstr(fixture__print_as(&f, "csv"),
				     "CPU0,,,,,,25.0,%  tma_retiring\n"));
	fixture__free(&f);
}
END_TEST

START_TEST(the_share_follows_the_last_metric)
{
	struct fixture f;

	topdown(&f, 1);
	fixture__multiplexed(&f, &f.events[0], 0, 500, 1000, 500);
	f.plan.nr_metrics = 2;
	ck_assert_ptr_nonnull(strstr(fixture__print(&f),
				     " #     65.0 %  tma_backend_bound      \n"
				     "                                                  #     25.0 %  "
				     "tma_retiring             (50.00%)\n"));
	f.plan.nr_metrics = 3;
	fixture__free(&f);
}
END_TEST

START_TEST(an_event_not_counted_has_no_metrics)
{
	struct fixture f;

	topdown(&f, 1);
	fixture__multiplexed(&f, &f.events[0], 0, 0, 1000, 0);
	ck_assert_str_eq(fixture__print_as(&f, "csv"),
			 "<not counted>,,TOPDOWN.SLOTS,0,0.00,,\n"
			 "250,,topdown-retiring,1000,100.00,,\n"
			 "100,,topdown-bad-spec,1000,100.00,,\n");
	fixture__free(&f);
}
END_TEST

START_TEST(nodes_that_were_not_measured_have_no_number)
{
	struct fixture f;

	topdown(&f, 1);
	fixture__multiplexed(&f, &f.events[1], 0, 0, 1000, 0);
	ck_assert_ptr_nonnull(strstr(fixture__print_as(&f, "csv"),
				     "1000,,TOPDOWN.SLOTS,1000,100.00,,%  tma_backend_bound\n"
				     ",,,,,,%  tma_retiring\n"
				     ",,,,,10.0,%  tma_bad_speculation\n"));
	ck_assert_ptr_nonnull(strstr(fixture__print_as(&f, "text"),
				     " #      nan %  tma_retiring           \n"));
	ck_assert_ptr_nonnull(strstr(fixture__print_as(&f, "json-perf"),
				     "{\"metric-value\" : \"nan\", \"metric-unit\" : "
				     "\"%  tma_retiring\"}\n"));
	f.opts.metric_only = true;
	ck_assert_str_eq(
		fixture__print_as(&f, "csv"),
		"%  tma_backend_bound,%  tma_retiring,%  tma_bad_speculation,\n,,10.0,\n");
	ck_assert_str_eq(fixture__print_as(&f, "json-perf"),
			 "{\"%  tma_bad_speculation\" : \"10.0\"}\n");
	fixture__status(&f, &f.events[0], 0, SAMPLE_NOT_SUPPORTED);
	ck_assert_str_eq(fixture__print_as(&f, "json-perf"), "{\"metric-value\" : \"none\"}\n");
	fixture__free(&f);
}
END_TEST

START_TEST(negative_values_are_printed) /* R30 */
{
	struct fixture f;

	topdown(&f, 1);
	fixture__count(&f, &f.events[1], 0, 1650);
	ck_assert_ptr_nonnull(strstr(fixture__print_as(&f, "csv"),
				     ",100.00,-75.0,%  tma_backend_bound\n"));
	f.opts.metric_only = true;
	ck_assert_ptr_nonnull(strstr(fixture__print_as(&f, "csv"), "\n-75.0,165.0,10.0,\n"));
	ck_assert_ptr_nonnull(strstr(fixture__print_as(&f, "json-perf"),
				     "{\"%  tma_backend_bound\" : \"-75.0\", "));
	fixture__free(&f);
}
END_TEST

START_TEST(colours_of_thresholds)
{
	struct fixture f;
	const char *text;

	topdown(&f, 1);
	f.print.colours = 16;
	text = fixture__print(&f);
	ck_assert_ptr_nonnull(strstr(text, " # \033[32m    65.0\033[m %  tma_backend_bound      \n"));
	ck_assert_ptr_nonnull(strstr(text, " #     25.0 %  tma_retiring           \n"));
	ck_assert_ptr_nonnull(strstr(text, " # \033[31m    10.0\033[m %  tma_bad_speculation    \n"));
	f.opts.no_threshold = true;
	ck_assert_ptr_null(strstr(fixture__print_as(&f, "text"), "\033["));
	fixture__free(&f);
}
END_TEST

START_TEST(metric_only_in_each_form)
{
	struct fixture f;

	topdown(&f, 1);
	f.opts.metric_only = true;
	ck_assert_str_eq(fixture__print(&f),
			 "\n Performance counter stats for 'true':\n\n"
			 " %  tma_backend_bound      %  tma_retiring %  tma_bad_speculation \n"
			 "                 65.0                 25.0                   10.0 \n"
			 "\n"
			 "       1.000000000 seconds time elapsed\n\n");
	ck_assert_str_eq(fixture__print_as(&f, "csv"),
			 "%  tma_backend_bound,%  tma_retiring,%  tma_bad_speculation,\n"
			 "65.0,25.0,10.0,\n");
	f.interval = true;
	ck_assert_str_eq(fixture__print_as(&f, "text"),
			 "#           time %  tma_backend_bound      %  tma_retiring %  tma_bad_speculation \n"
			 "     1.000000000                 65.0                 25.0                   10.0 \n");
	ck_assert_str_eq(fixture__print_as(&f, "csv"),
			 "time,%  tma_backend_bound,%  tma_retiring,%  tma_bad_speculation,\n"
			 "1.000000000,65.0,25.0,10.0,\n");
	ck_assert_str_eq(fixture__print_as(&f, "json-perf"),
			 "{\"interval\" : 1.000000000, \"%  tma_backend_bound\" : \"65.0\", "
			 "\"%  tma_retiring\" : \"25.0\", \"%  tma_bad_speculation\" : \"10.0\"}\n");
	fixture__free(&f);
}
END_TEST

START_TEST(metric_only_columns_align_in_colour_too)
{
	struct fixture f;

	topdown(&f, 1);
	f.opts.metric_only = true;
	f.interval = 16;
	f.print.colours = true;
	ck_assert_str_eq(strchr(fixture__print(&f), '\n') + 1,
			 "     1.000000000             \033[32m    65.0\033[m                 25.0 "
			 "              \033[31m    10.0\033[m \n");
	fixture__free(&f);
}
END_TEST

START_TEST(metric_only_of_cpus_and_cores)
{
	struct fixture f;

	topdown(&f, 2);
	f.opts.metric_only = true;
	f.opts.aggr = AGGR_NONE;
	ck_assert_ptr_nonnull(
		strstr(fixture__print(&f),
		       "       %  tma_backend_bound      %  tma_retiring %  tma_bad_speculation \n"
		       "CPU0                   65.0                 25.0                   10.0 \n"
		       "CPU1                   55.0                 35.0                   10.0 \n"));
	ck_assert_str_eq(fixture__print_as(&f, "csv"),
			 "cpu,%  tma_backend_bound,%  tma_retiring,%  tma_bad_speculation,\n"
			 "CPU0,65.0,25.0,10.0,\n"
			 "CPU1,55.0,35.0,10.0,\n");
	f.opts.aggr = AGGR_CORE;
	f.interval = true;
	ck_assert_str_eq(
		fixture__print_as(&f, "text"),
		"#           time core               cpus %  tma_backend_bound      %  tma_retiring %  tma_bad_speculation \n"
		"     1.000000000 S0-D0-C0              2                 60.0                 30.0                   10.0 \n");
	ck_assert_str_eq(fixture__print_as(&f, "csv"),
			 "time,core,cpus,%  tma_backend_bound,%  tma_retiring,%  tma_bad_speculation,\n"
			 "1.000000000,S0-D0-C0,2,60.0,30.0,10.0,\n");
	ck_assert_ptr_nonnull(strstr(fixture__print_as(&f, "json-perf"),
				     "{\"interval\" : 1.000000000, \"core\" : \"S0-D0-C0\", "
				     "\"aggregate-number\" : 2, \"%  tma_backend_bound\" : \"60.0\""));
	f.interval = false;
	ck_assert_ptr_nonnull(strstr(
		fixture__print_as(&f, "text"),
		"                        %  tma_backend_bound      %  tma_retiring %  tma_bad_speculation \n"
		"S0-D0-C0              2                 60.0                 30.0                   10.0 \n"));
	fixture__free(&f);
}
END_TEST

START_TEST(metric_only_names_the_built_in_ratios)
{
	struct fixture f;

	fixture__init(&f, 1);
	f.opts.metric_only = true;
	fixture__multiplexed(&f, fixture__clock(&f), 0, 1000000, 1000000, 1000000);
	fixture__count(&f, fixture__switches(&f), 0, 1);
	fixture__count(&f, fixture__cycles(&f), 0, 2000000);
	fixture__count(&f, fixture__instructions(&f), 0, 3000000);
	fixture__count(&f, fixture__event(&f, "branch-misses", PERF_TYPE_HARDWARE,
					  PERF_COUNT_HW_BRANCH_MISSES), 0, 5);
	ck_assert_str_eq(fixture__print_as(&f, "csv"),
			 "GHz,insn per cycle,branch-misses of all branches,\n2.000,1.50,,\n");
	fixture__free(&f);
}
END_TEST

START_TEST(metrics_without_scale_unit_and_with_other_scales)
{
	struct fixture f;
	struct event *e;
	struct plan_metric *m;

	fixture__init(&f, 1);
	e = fixture__event(&f, "A", PERF_TYPE_RAW, 1);
	fixture__count(&f, e, 0, 5);
	m = fixture__metric(&f, "IPC", "a / 2", NULL, e);
	m->metric->info.scale_unit = false;
	m = fixture__metric(&f, "bandwidth", "a / 2", NULL, e);
	m->metric->info.unit = "MB/s";
	m->metric->info.scale = 1;
	ck_assert_str_eq(fixture__print_as(&f, "csv"),
			 "5,,A,1000,100.00,2.50,IPC\n,,,,,2.5,MB/s  bandwidth\n");
	fixture__free(&f);
}
END_TEST

START_TEST(large_counts_keep_their_last_digits)
{
	struct fixture f;
	struct event *e;

	fixture__init(&f, 1);
	e = fixture__event(&f, "A", PERF_TYPE_RAW, 1);
	fixture__count(&f, e, 0, 9007199254740991);
	fixture__metric(&f, "same", "a", NULL, e)->metric->info.scale_unit = false;
	ck_assert_ptr_nonnull(strstr(fixture__print_as(&f, "json-perf"),
				     "\"metric-value\" : \"9007199254740991.000000\""));
	fixture__free(&f);
}
END_TEST

START_TEST(times_in_metrics_are_seconds_as_measured)
{
	struct fixture f;
	struct event *a, *duration, *user;

	fixture__init(&f, 2);
	f.opts.aggr = AGGR_NONE;
	f.time.elapsed_ns = 2500000000;
	a = fixture__event(&f, "A", PERF_TYPE_RAW, 1);
	duration = fixture__event(&f, "duration_time", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_DUMMY);
	user = fixture__event(&f, "user_time", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_DUMMY);
	duration->tool = EVENT_DURATION_TIME;
	user->tool = EVENT_USER_TIME;
	for (int i = 0; i < 2; i++) {
		fixture__count(&f, a, i, 10 * (i + 1));
		fixture__status(&f, duration, i, SAMPLE_ABSENT);
		fixture__status(&f, user, i, SAMPLE_ABSENT);
	}
	fixture__count(&f, duration, 0, 2500000000);
	fixture__count(&f, user, 0, 500000000);
	fixture__metric(&f, "rate", "a / b + c", NULL, a)->metric->info.scale_unit = false;
	f.opts.metric_only = true;
	ck_assert_str_eq(fixture__print_as(&f, "csv"), "cpu,rate,\nCPU0,4.50,\nCPU1,8.50,\n");
	fixture__free(&f);
}
END_TEST

START_TEST(an_event_not_supported_is_no_number_for_metrics)
{
	struct fixture f;

	topdown(&f, 1);
	fixture__status(&f, &f.events[1], 0, SAMPLE_NOT_SUPPORTED);
	f.opts.metric_only = true;
	ck_assert_str_eq(fixture__print_as(&f, "json-perf"),
			 "{\"%  tma_bad_speculation\" : \"10.0\"}\n");
	fixture__free(&f);
}
END_TEST

/* Two events of an uncore unit, on each of its two boxes, and one event of the CPU. */
static void boxes(struct fixture *f)
{
	struct event *e[5];

	fixture__init(f, 2);
	for (int box = 0; box < 2; box++) {
		f->pmus[1 + box] = (struct pmu){ .name = (char *)(box ? "uncore_imc_1" : "uncore_imc_0"),
						 .type = 20 + box, .machine = &f->machine };
		for (int i = 0; i < 2; i++) {
			e[2 * box + i] = fixture__event(f, i ? "WR" : "RD", 20 + box, i);
			e[2 * box + i]->pmu = &f->pmus[1 + box];
			e[2 * box + i]->merge = true;
			e[2 * box + i]->first = e[i];
			fixture__count(f, e[2 * box + i], 0, (box ? 100 : 10) * (i + 1));
			fixture__status(f, e[2 * box + i], 1, SAMPLE_ABSENT);
		}
	}
	e[4] = fixture__event(f, "A", PERF_TYPE_RAW, 1);
	fixture__count(f, e[4], 0, 2);
	fixture__count(f, e[4], 1, 4);
	fixture__metric(f, "bw", "(a + b) / e + source_count(a) * 1000", NULL,
			e[0])->metric->info.scale_unit = false;
	f->opts.aggr = AGGR_NONE;
}

START_TEST(boxes_have_metrics_of_their_own_with_A)
{
	struct fixture f;

	boxes(&f);
	ck_assert_str_eq(fixture__print_as(&f, "csv"),
			 "CPU0,10,,RD [uncore_imc_0],1000,100.00,1015.00,bw\n"
			 "CPU0,20,,WR [uncore_imc_0],1000,100.00,,\n"
			 "CPU0,100,,RD [uncore_imc_1],1000,100.00,1150.00,bw\n"
			 "CPU0,200,,WR [uncore_imc_1],1000,100.00,,\n"
			 "CPU0,2,,A [cpu],1000,100.00,,\n"
			 "CPU1,4,,A [cpu],1000,100.00,,\n");
	fixture__free(&f);
}
END_TEST

START_TEST(boxes_have_one_column_with_A)
{
	struct fixture f;

	boxes(&f);
	f.opts.metric_only = true;
	ck_assert_str_eq(fixture__print_as(&f, "csv"), "cpu,bw,\nCPU0,2165.00,\nCPU1,,\n");
	fixture__free(&f);
}
END_TEST

/* The same metric on both types of cores. The plan has the events of E-cores first. */
static void hybrid(struct fixture *f)
{
	struct event *e[4];

	fixture__init(f, 8);
	fixture__make_hybrid(f);
	for (int i = 0; i < 4; i++) {
		e[i] = fixture__event(f, i % 2 ? "TOPDOWN_RETIRING.ALL" : "SLOTS", PERF_TYPE_RAW, i);
		e[i]->pmu = &f->pmus[i < 2];
	}
	for (int i = 0; i < 8; i++) {
		for (int j = 0; j < 4; j++)
			fixture__status(f, e[j], i, SAMPLE_ABSENT);
		fixture__count(f, e[i < 4 ? 2 : 0], i, 1000);
		fixture__count(f, e[i < 4 ? 3 : 1], i, i < 4 ? 500 : 100);
	}
	fixture__metric(f, "tma_bad_speculation", "1 - b / a", NULL, e[0])->rank = 3;
	fixture__metric(f, "tma_retiring", "b / a", NULL, e[0])->rank = 2;
	fixture__metric(f, "tma_retiring", "d / c", NULL, e[2])->rank = 0;
	fixture__metric(f, "tma_bad_speculation", "1 - d / c", NULL, e[2])->rank = 1;
	f->opts.metric_only = f->opts.topdown = true;
}

START_TEST(hybrid_columns_name_their_cores)
{
	struct fixture f;

	hybrid(&f);
	ck_assert_str_eq(fixture__print_as(&f, "json-perf"),
			 "{\"%  tma_retiring (cpu_core)\" : \"50.0\", "
			 "\"%  tma_bad_speculation (cpu_core)\" : \"50.0\", "
			 "\"%  tma_retiring (cpu_atom)\" : \"10.0\", "
			 "\"%  tma_bad_speculation (cpu_atom)\" : \"90.0\"}\n");
	fixture__free(&f);
}
END_TEST

START_TEST(hybrid_text_has_a_row_for_each_core_type)
{
	struct fixture f;

	hybrid(&f);
	f.interval = true;
	f.plan_metrics[0].name = (char *)"tma_other";
	ck_assert_str_eq(
		fixture__print_as(&f, "text"),
		"#           time pmu           %  tma_retiring %  tma_bad_speculation         %  tma_other \n"
		"     1.000000000 cpu_core                 50.0                   50.0                      \n"
		"     1.000000000 cpu_atom                 10.0                                        90.0 \n");
	for (int i = 4; i < 8; i++)
		for (int j = 0; j < 2; j++)
			fixture__status(&f, &f.events[j], i, SAMPLE_NOT_COUNTED);
	f.opts.aggr = AGGR_SOCKET;
	ck_assert_str_eq(
		strstr(fixture__print_as(&f, "text"), "S1"),
		"S1        4 cpu_atom        <not counted>\n");
	fixture__free(&f);
}
END_TEST

START_TEST(hybrid_rows_leave_the_other_cores_columns_free)
{
	struct fixture f;

	hybrid(&f);
	f.opts.aggr = AGGR_SOCKET;
	ck_assert_str_eq(fixture__print_as(&f, "csv"),
			 "socket,cpus,%  tma_retiring (cpu_core),%  tma_bad_speculation (cpu_core),"
			 "%  tma_retiring (cpu_atom),%  tma_bad_speculation (cpu_atom),\n"
			 "S0,4,50.0,50.0,,,\n"
			 "S1,4,,,10.0,90.0,\n");
	fixture__free(&f);
}
END_TEST

/* As without -e: one event has metrics of two default groups, another event has a metric. */
static void defaults(struct fixture *f)
{
	topdown(f, 1);
	for (int i = 0; i < 3; i++) {
		f->events[i].default_group = true;
		f->plan_metrics[i].is_default = true;
		f->metrics[i].info.default_group = i == 1 ? "TopdownL2" : "TopdownL1";
	}
	/*
	 * The metric is printed with the second event: under the last group's heading or without a
	 * heading.
	 */
	fixture__metric(f, "tma_more", "b / 1000", NULL, &f->events[1])->is_default = true;
	f->metrics[3].info.default_group = "TopdownL1";
}

START_TEST(default_metrics_stand_under_their_group)
{
	struct fixture f;

	defaults(&f);
	f.interval = true;
	f.time.since_start_ns = 0;
	ck_assert_str_eq(
		fixture__print(&f) + strlen("#           time             counts unit events\n"),
		"     0.000000000                         TopdownL1                 #     65.0 %  tma_backend_bound      \n"
		"     0.000000000                         TopdownL2                 #     25.0 %  tma_retiring           \n"
		"     0.000000000                         TopdownL1                 #     10.0 %  tma_bad_speculation    \n"
		"     0.000000000                                                   #     25.0 %  tma_more               \n");
	f.interval = false;
	ck_assert_str_eq(fixture__print_as(&f, "csv"),
			 ",1000,100.00,,,,TopdownL1\n,,,,,65.0,%  tma_backend_bound\n"
			 ",1000,100.00,,,,TopdownL2\n,,,,,25.0,%  tma_retiring\n"
			 ",1000,100.00,,,,TopdownL1\n,,,,,10.0,%  tma_bad_speculation\n"
			 ",1000,100.00,,,25.0,%  tma_more\n");
	ck_assert_str_eq(
		fixture__print_as(&f, "json-perf"),
		"{\"event-runtime\" : 1000, \"pcnt-running\" : 100.00, \"metricgroup\" : \"TopdownL1\"}\n"
		"{\"metric-value\" : \"65.000000\", \"metric-unit\" : \"%  tma_backend_bound\"}\n"
		"{\"event-runtime\" : 1000, \"pcnt-running\" : 100.00, \"metricgroup\" : \"TopdownL2\"}\n"
		"{\"metric-value\" : \"25.000000\", \"metric-unit\" : \"%  tma_retiring\"}\n"
		"{\"event-runtime\" : 1000, \"pcnt-running\" : 100.00, \"metricgroup\" : \"TopdownL1\"}\n"
		"{\"metric-value\" : \"10.000000\", \"metric-unit\" : \"%  tma_bad_speculation\"}\n"
		"{\"event-runtime\" : 1000, \"pcnt-running\" : 100.00, \"metric-value\" : \"25.000000\", "
		"\"metric-unit\" : \"%  tma_more\"}\n");
	fixture__free(&f);
}
END_TEST

START_TEST(default_metrics_not_counted_have_no_row)
{
	struct fixture f;

	defaults(&f);
	fixture__multiplexed(&f, &f.events[0], 0, 0, 1000, 0);
	ck_assert_str_eq(fixture__print_as(&f, "csv"),
			 ",1000,100.00,,,,TopdownL1\n,,,,,25.0,%  tma_more\n");
	fixture__free(&f);
}
END_TEST

START_TEST(names_are_quoted_and_escaped)
{
	struct fixture f;
	struct event *e;

	fixture__init(&f, 1);
	f.opts.aggr = AGGR_THREAD;
	f.comms[0] = "a\"b,c";
	e = fixture__event(&f, "cpu/event=1,umask=2/", PERF_TYPE_RAW, 1);
	e->unit = (char *)"\n\xff";
	fixture__count(&f, e, 0, 5);
	ck_assert_str_eq(
		fixture__print_as(&f, "csv"),
		"\"a\"\"b,c-0\",5,\"\n\xef\xbf\xbd\",\"cpu/event=1,umask=2/\",1000,100.00,,\n");
	f.print.separator = ";";
	ck_assert_ptr_nonnull(
		strstr(fixture__print_as(&f, "csv"),
		       "\"a\"\"b,c-0\";5;\"\n\xef\xbf\xbd\";cpu/event=1,umask=2/;1000;"));
	ck_assert_ptr_nonnull(strstr(fixture__print_as(&f, "json-perf"),
				     "{\"thread\" : \"a\\\"b,c-0\", \"counter-value\" : \"5.000000\", "
				     "\"unit\" : \"\\n\\ufffd\", "));
	ck_assert_ptr_nonnull(strstr(fixture__print_as(&f, "text"), " 5 ?\xff   cpu/event"));
	fixture__free(&f);
}
END_TEST

TMA_TEST_MAIN(report_metrics, metrics_beside_their_event,
	      further_metrics_of_a_cpu_stand_eight_columns_on, the_share_follows_the_last_metric,
	      an_event_not_counted_has_no_metrics, nodes_that_were_not_measured_have_no_number,
	      negative_values_are_printed, colours_of_thresholds, metric_only_in_each_form,
	      metric_only_columns_align_in_colour_too, metric_only_of_cpus_and_cores,
	      metric_only_names_the_built_in_ratios,
	      metrics_without_scale_unit_and_with_other_scales, large_counts_keep_their_last_digits,
	      times_in_metrics_are_seconds_as_measured,
	      an_event_not_supported_is_no_number_for_metrics, hybrid_columns_name_their_cores,
	      hybrid_text_has_a_row_for_each_core_type,
	      hybrid_rows_leave_the_other_cores_columns_free,
	      boxes_have_metrics_of_their_own_with_A, boxes_have_one_column_with_A,
	      default_metrics_stand_under_their_group, default_metrics_not_counted_have_no_row,
	      names_are_quoted_and_escaped)
