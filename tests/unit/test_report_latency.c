// SPDX-License-Identifier: GPL-2.0-only
/* Retire latencies: from the samples of a row, or the vendor's if there are no samples. */
#include <math.h>

#include "machine/cgroup.h"
#include "report_fixture.h"

/** struct latencies - a fixture whose events have latencies */
struct latencies {
	struct fixture f;
	struct latency at[FIXTURE_EVENTS * FIXTURE_UNITS];
};

static void latencies(struct latencies *l, int nr_units)
{
	memset(l, 0, sizeof(*l));
	fixture__init(&l->f, nr_units);
	l->f.latencies = l->at;
}

/* An event whose latency is sampled, from the tables. */
static struct event *latency_event(struct latencies *l, const char *name, double mean)
{
	struct event *e = fixture__event(&l->f, name, PERF_TYPE_RAW, 0x4d1);

	e->retire_latency = e->sampled = true;
	e->unit = (char *)"cycles";
	e->vendor_latency = (struct vendor_latency){ mean, mean / 2, mean * 9 };
	return e;
}

static void take(struct latencies *l, const struct event *e, int unit, int cycles, int period)
{
	struct latency *at = &l->at[e->index * l->f.nr_units + unit];

	latency__add(at, cycles, period, 1);
	fixture__count(&l->f, e, unit, at->nr);
}

static void use_cells(struct latencies *l, enum latency_mode mode)
{
	l->f.opts.latency_mode = mode;
	for (int i = 0; i < FIXTURE_EVENTS * FIXTURE_UNITS; i++)
		l->at[i].cells = calloc(LATENCY_CELLS, sizeof(*l->at[i].cells));
}

static void done(struct latencies *l)
{
	for (int i = 0; i < FIXTURE_EVENTS * FIXTURE_UNITS; i++)
		free(l->at[i].cells);
	fixture__free(&l->f);
}

START_TEST(a_row_has_the_latency_of_all_samples_by_what_they_stand_for)
{
	struct latencies l;
	struct event *e;

	latencies(&l, 2);
	l.f.format = "csv";
	e = latency_event(&l, "EV:R", 0);
	/* (10 * 3 + 70 * 1) / 4 */
	take(&l, e, 0, 10, 3);
	take(&l, e, 1, 70, 1);
	ck_assert_str_eq(fixture__print(&l.f), "25.00,cycles,EV:R,2000,100.00,2,samples\n");
	done(&l);
}
END_TEST

START_TEST(each_bucket_has_that_of_its_own_units)
{
	struct latencies l;
	struct event *e;

	latencies(&l, 8);
	l.f.format = "csv";
	l.f.opts.aggr = AGGR_SOCKET;
	e = latency_event(&l, "EV:R", 30);
	for (int i = 0; i < 8; i++)
		fixture__count(&l.f, e, i, 0);
	take(&l, e, 0, 100, 1);
	take(&l, e, 3, 50, 1);
	ck_assert_str_eq(fixture__print(&l.f),
			 "S0,4,75.00,cycles,EV:R,4000,100.00,2,samples\n"
			 "S1,4,30.00,cycles,EV:R,4000,100.00,0,samples,assumed\n");
	l.f.opts.aggr = AGGR_NONE;
	ck_assert_ptr_nonnull(strstr(fixture__print_as(&l.f, "csv"), "CPU3,50.00,cycles,"));
	done(&l);
}
END_TEST

START_TEST(the_threads_of_a_core_share_theirs)
{
	struct latencies l;
	struct event *e;

	latencies(&l, 4);
	l.f.format = "csv";
	l.f.opts.aggr = AGGR_NONE;
	e = latency_event(&l, "EV:R", 30);
	e->percore = true;
	for (int i = 0; i < 4; i++)
		fixture__count(&l.f, e, i, 0);
	take(&l, e, 0, 100, 1);
	take(&l, e, 1, 200, 1);
	ck_assert_str_eq(fixture__print(&l.f),
			 "S0-D0-C0,150.00,cycles,EV:R [cpu],2000,100.00,2,samples\n"
			 "S0-D0-C1,30.00,cycles,EV:R [cpu],2000,100.00,0,samples,assumed\n");
	l.f.opts.percore_threads = true;
	ck_assert_ptr_nonnull(strstr(fixture__print_as(&l.f, "csv"), "CPU1,150.00,cycles,"));
	done(&l);
}
END_TEST

START_TEST(the_mode_chooses_the_latency_of_a_row)
{
	static const struct {
		enum latency_mode mode;
		const char *measured, *assumed;
	} modes[] = {
		{ LATENCY_MEAN, "50.00,", "30.00," }, { LATENCY_MIN, "20.00,", "15.00," },
		{ LATENCY_MAX, "100.00,", "270.00," }, { LATENCY_P50, "30.00,", "30.00," },
	};

	for (size_t i = 0; i < sizeof(modes) / sizeof(*modes); i++) {
		struct latencies l;
		struct event *e, *none;

		latencies(&l, 1);
		l.f.format = "csv";
		use_cells(&l, modes[i].mode);
		e = latency_event(&l, "EV:R", 0);
		none = latency_event(&l, "NONE:R", 30);
		take(&l, e, 0, 20, 1);
		take(&l, e, 0, 30, 1);
		take(&l, e, 0, 100, 1);
		fixture__count(&l.f, none, 0, 0);
		fixture__print(&l.f);
		ck_assert_msg(!strncmp(l.f.text, modes[i].measured, strlen(modes[i].measured)),
			      "mode %d: %s", modes[i].mode, l.f.text);
		ck_assert_msg(strstr(l.f.text, modes[i].assumed), "mode %d: %s", modes[i].mode,
			      l.f.text);
		done(&l);
	}
}
END_TEST

/* x needs a latency, y needs only counts. */
static void with_metrics(struct latencies *l, enum sample_status status)
{
	struct event *e, *slots;

	latencies(l, 1);
	slots = fixture__event(&l->f, "slots", PERF_TYPE_RAW, 0x400);
	e = latency_event(l, "EV:R", 30.5);
	e->sampled = false;
	fixture__metric(&l->f, "x", "a * b / 100", NULL, slots)->metric->info.scale = 1;
	fixture__metric(&l->f, "y", "a / 10", "b > 1", slots)->metric->info.scale = 1;
	fixture__count(&l->f, slots, 0, 1000);
	fixture__status(&l->f, e, 0, status);
}

START_TEST(what_was_not_measured_is_marked_and_so_is_what_is_made_of_it)
{
	struct latencies l;

	with_metrics(&l, SAMPLE_NOT_SUPPORTED);
	l.f.interval = true;
	ck_assert_ptr_nonnull(strstr(fixture__print(&l.f), "#   ~305.0 %  x "));
	ck_assert_ptr_nonnull(strstr(l.f.text, "#    100.0 %  y "));
	ck_assert_ptr_nonnull(strstr(l.f.text, "            ~30.50 cycles EV:R "));
	ck_assert_ptr_nonnull(strstr(l.f.text, "#        0 samples"));
	ck_assert(report__sums(l.f.report)->events[1].assumed);
	ck_assert(!report__sums(l.f.report)->events[0].assumed);
	l.f.interval = false;
	ck_assert_str_eq(fixture__print_as(&l.f, "csv"),
			 "1000,,slots,1000,100.00,305.0,%  x,metric assumed\n"
			 ",,,,,100.0,%  y\n"
			 "30.50,cycles,EV:R,0,0.00,0,samples,assumed\n");
	l.f.print.header = true;
	ck_assert_str_eq(fixture__print_as(&l.f, "csv"),
			 "counter-value,unit,event,event-runtime,pcnt-running,metric-value,"
			 "metric-unit,status\n"
			 "1000,,slots,1000,100.00,305.0,%  x,metric assumed\n"
			 ",,,,,100.0,%  y,\n"
			 "30.50,cycles,EV:R,0,0.00,0,samples,assumed\n");
	l.f.print.header = false;
	fixture__print_as(&l.f, "json-perf");
	ck_assert_ptr_nonnull(strstr(l.f.text, "\"metric-unit\" : \"%  x\", "
					       "\"status\" : \"metric assumed\"}\n"));
	ck_assert_ptr_nonnull(strstr(l.f.text, "\"metric-unit\" : \"%  y\"}\n"));
	ck_assert_ptr_nonnull(strstr(l.f.text, "\"metric-unit\" : \"samples\", "
					       "\"status\" : \"assumed\"}\n"));
	done(&l);
}
END_TEST

/* The kernel has no precise events, as in most virtual machines. */
START_TEST(one_that_the_kernel_refused_is_the_vendors_in_metrics_too)
{
	struct latencies l;

	with_metrics(&l, SAMPLE_NOT_SUPPORTED);
	l.f.plan.events.at[1]->sampled = true;
	ck_assert_str_eq(fixture__print_as(&l.f, "csv"),
			 "1000,,slots,1000,100.00,305.0,%  x,metric assumed\n"
			 ",,,,,100.0,%  y\n"
			 "30.50,cycles,EV:R,0,0.00,0,samples,assumed\n");
	done(&l);
}
END_TEST

START_TEST(text_says_once_what_the_mark_means)
{
	struct latencies l;
	const char *foot;

	with_metrics(&l, SAMPLE_NOT_SUPPORTED);
	fixture__print(&l.f);
	foot = strstr(l.f.text, "\n~ ");
	ck_assert_ptr_nonnull(foot);
	ck_assert_ptr_null(strstr(foot + 1, "\n~ "));
	/* The latency was measured, so there is nothing to note. */
	take(&l, &l.f.events[1], 0, 40, 1);
	fixture__print_as(&l.f, "text");
	foot = strrchr(l.f.text, '~');
	ck_assert_ptr_null(strstr(strstr(foot, "Performance"), "~"));
	done(&l);
}
END_TEST

START_TEST(metric_only_names_its_assumed_columns)
{
	struct latencies l;

	with_metrics(&l, SAMPLE_NOT_COUNTED);
	l.f.opts.metric_only = true;
	ck_assert_ptr_nonnull(strstr(fixture__print(&l.f), "~305.0"));
	ck_assert_str_eq(fixture__print_as(&l.f, "csv"),
			 "%  x,%  y,assumed,\n305.0,100.0,%  x,\n");
	ck_assert_str_eq(fixture__print_as(&l.f, "json-perf"),
			 "{\"%  x\" : \"305.0\", \"%  y\" : \"100.0\", \"assumed\" : \"%  x\"}\n");
	take(&l, &l.f.events[1], 0, 40, 1);
	ck_assert_str_eq(fixture__print_as(&l.f, "csv"),
			 "%  x,%  y,assumed,\n400.0,100.0,,\n");
	ck_assert_str_eq(fixture__print_as(&l.f, "json-perf"),
			 "{\"%  x\" : \"400.0\", \"%  y\" : \"100.0\"}\n");
	done(&l);
}
END_TEST

START_TEST(cells_say_why)
{
	struct latencies l;
	const char *line;

	with_metrics(&l, SAMPLE_NOT_SUPPORTED);
	line = strstr(fixture__print_as(&l.f, "json"), "\"name\":\"x\"");
	ck_assert_ptr_nonnull(strstr(line, "\"running_percent\":100,\"status\":\"assumed\","
					   "\"reason\":\"EV:R: the vendor's mean latency, "
					   "not measured here\"}\n"));
	line = strstr(line, "\"name\":\"y\"");
	ck_assert_ptr_nonnull(strstr(line, "\"status\":\"counted\",\"reason\":\"\"}\n"));
	line = strstr(line, "\"name\":\"EV:R\"");
	ck_assert_ptr_nonnull(strstr(line, "\"value\":30.5,\"unit\":\"cycles\",\"samples\":0,"));
	ck_assert_ptr_nonnull(strstr(line, "\"status\":\"assumed\",\"reason\":\"the vendor's mean "));
	line = fixture__print_as(&l.f, "csv-wide");
	ck_assert_ptr_nonnull(strstr(line, ",run,1,assumed,100,0.0001,1000,305,100,30.5,"));
	fixture__print_as(&l.f, "prom");
	ck_assert_ptr_nonnull(strstr(l.f.text, "tma_event_state{event=\"EV:R\",pmu=\"cpu\","
					       "unit=\"cycles\"} 30.5\n"));
	ck_assert_ptr_nonnull(strstr(l.f.text, "status=\"assumed\",reason=\"EV:R: the vendor's"));
	take(&l, &l.f.events[1], 0, 40, 1);
	line = strstr(fixture__print_as(&l.f, "json"), "\"name\":\"EV:R\"");
	ck_assert_ptr_nonnull(strstr(line, "\"value\":40,\"unit\":\"cycles\",\"samples\":1,"));
	ck_assert_ptr_nonnull(strstr(line, "\"status\":\"counted\",\"reason\":\"\"}\n"));
	done(&l);
}
END_TEST

START_TEST(without_a_table_it_is_not_counted)
{
	struct latencies l;
	const char *line;

	with_metrics(&l, SAMPLE_NOT_SUPPORTED);
	l.f.events[1].vendor_latency = (struct vendor_latency){ .mean = 0 };
	ck_assert_str_eq(fixture__print_as(&l.f, "csv"), "1000,,slots,1000,100.00,,%  x\n"
							      ",,,,,100.0,%  y\n"
							      "<not counted>,cycles,EV:R,0,100.00,,\n");
	ck_assert(!report__sums(l.f.report)->events[1].assumed);
	line = strstr(fixture__print_as(&l.f, "json"), "\"name\":\"x\"");
	ck_assert_ptr_nonnull(strstr(line, "\"value\":null,"));
	ck_assert_ptr_nonnull(strstr(line, "\"status\":\"not counted\",\"reason\":\"EV:R: it was not "
					   "sampled, and the tables have no latency for it\"}\n"));
	done(&l);
}
END_TEST

START_TEST(an_idle_thread_has_no_row_of_it)
{
	struct latencies l;
	struct event *e;

	latencies(&l, 2);
	l.f.comms[0] = "busy";
	l.f.comms[1] = "idle";
	l.f.opts.aggr = AGGR_THREAD;
	l.f.opts.skip_idle = true;
	e = latency_event(&l, "EV:R", 30);
	take(&l, e, 0, 40, 1);
	fixture__status(&l.f, e, 1, SAMPLE_NOT_COUNTED);
	ck_assert_str_eq(fixture__print_as(&l.f, "csv"),
			 "busy-0,40.00,cycles,EV:R,1000,100.00,1,samples\n");
	fixture__print_as(&l.f, "json");
	ck_assert_ptr_nonnull(strstr(l.f.text, "\"comm\":\"busy\""));
	ck_assert_ptr_null(strstr(l.f.text, "\"comm\":\"idle\""));
	done(&l);
}
END_TEST

START_TEST(each_cgroup_has_its_own)
{
	struct cgroup a = { .name = (char *)"a" }, b = { .name = (char *)"b" };
	struct latencies l;
	struct event *of_a, *of_b;

	latencies(&l, 1);
	l.f.format = "csv";
	l.f.plan.nr_cgroups = 2;
	of_a = latency_event(&l, "EV:R", 30);
	of_b = latency_event(&l, "EV:R", 30);
	of_a->cgroup = &a;
	of_b->cgroup = &b;
	take(&l, of_a, 0, 40, 1);
	fixture__count(&l.f, of_b, 0, 0);
	ck_assert_str_eq(fixture__print(&l.f), "40.00,cycles,EV:R,a,1000,100.00,1,samples\n"
					       "30.00,cycles,EV:R,b,1000,100.00,0,samples,assumed\n");
	done(&l);
}
END_TEST

START_TEST(a_clock_beside_it_makes_no_rate_of_it)
{
	struct latencies l;

	latencies(&l, 1);
	fixture__count(&l.f, fixture__clock(&l.f), 0, 1000000);
	take(&l, latency_event(&l, "EV:R", 0), 0, 40, 1);
	fixture__print(&l.f);
	ck_assert_ptr_nonnull(strstr(l.f.text, "             40.00 cycles EV:R "));
	ck_assert_ptr_nonnull(strstr(l.f.text, "#        1 samples"));
	ck_assert_ptr_null(strstr(l.f.text, "/sec"));
	done(&l);
}
END_TEST

TMA_TEST_MAIN(report_latency, a_row_has_the_latency_of_all_samples_by_what_they_stand_for,
	      each_bucket_has_that_of_its_own_units, the_threads_of_a_core_share_theirs,
	      the_mode_chooses_the_latency_of_a_row,
	      what_was_not_measured_is_marked_and_so_is_what_is_made_of_it,
	      one_that_the_kernel_refused_is_the_vendors_in_metrics_too,
	      text_says_once_what_the_mark_means, metric_only_names_its_assumed_columns,
	      cells_say_why, without_a_table_it_is_not_counted, an_idle_thread_has_no_row_of_it,
	      each_cgroup_has_its_own, a_clock_beside_it_makes_no_rate_of_it)
