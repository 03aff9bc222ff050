// SPDX-License-Identifier: GPL-2.0-only
/*
 * Plans as perf makes them: groups, shared events, the event that each metric is printed with, and
 * what is left out.
 */
#include "events_fixture.h"

#include <errno.h>

#include "plan/plan.h"
#include "plan_fixture.h"

static struct plan *plan;
static struct metrics_scope metrics;
static struct plan_options opts;

static void begin(const struct fake_file *files, const char *cpuid)
{
	set_up(files, cpuid);
	metrics = (struct metrics_scope){ .machine = machine, .tables = tables, .system_wide = true,
					  .no_threshold = true };
	opts = (struct plan_options){ .no_group = false };
	plan = plan__new(&metrics);
	err = (struct err)ERR_INIT;
}

static void begin_xeon(void)
{
	begin(fake_xeon, "GenuineIntel-6-8F-8");
}

static void begin_alderlake(void)
{
	begin(fake_alderlake, "GenuineIntel-6-97-2");
}

static void end(void)
{
	plan__free(plan);
	tear_down();
}

static int add(const char *text)
{
	return plan__add_metrics(plan, &metrics, &scope, &opts, text, &err);
}

static void add_ok(const char *text)
{
	ck_assert_msg(!add(text), "%s: %s", text, err.msg);
}

/*
 * Return: the metrics in the order of printing, with the numbers of their events: "tma_retiring@0
 * tma_bad_speculation@0".
 */
static const char *printed(void)
{
	static struct sb sb;

	ck_assert_msg(!plan__finish(plan, &err), "%s", err.msg);
	sb__clear(&sb);
	for (int i = 0; i < plan->nr_metrics; i++)
		sb__printf(&sb, "%s%s@%d", i ? " " : "", plan->metrics[i].name,
			   plan->metrics[i].shown_at->index);
	return sb__str(&sb);
}

#define assert_plan(text, want_groups, want_printed)                                               \
	do {                                                                                       \
		add_ok(text);                                                                      \
		ck_assert_str_eq(groups_text(plan), want_groups);                                  \
		ck_assert_str_eq(printed(), want_printed);                                         \
		ck_assert_str_eq(sb__str(&plan->warnings), "");                                    \
		end();                                                                             \
	} while (0)

START_TEST(events_are_grouped_as_in_perf)
{
	/*
	 * MetricgroupNoGroup: a list of events without groups, except for the group that slots
	 * begin.
	 */
	begin_xeon();
	assert_plan("TopdownL1",
		    "+{TOPDOWN.SLOTS,topdown-retiring,topdown-fe-bound,topdown-be-bound,"
		    "topdown-bad-spec} INT_MISC.UOP_DROPPING",
		    "tma_bad_speculation@0 tma_frontend_bound@0 tma_backend_bound@1 tma_retiring@1");
	/* The metric is a weak group of its own. */
	begin_xeon();
	assert_plan("tma_retiring",
		    "+{slots,topdown-retiring,topdown-fe-bound,topdown-be-bound,"
		    "topdown-bad-spec}",
		    "tma_retiring@1");
	/* An event on each instance of an uncore PMU, and a clock without a group. */
	begin_xeon();
	assert_plan("tma_info_system_dram_bw_use",
		    "+{UNC_M_CAS_COUNT.RD,UNC_M_CAS_COUNT.WR} "
		    "+{UNC_M_CAS_COUNT.RD,UNC_M_CAS_COUNT.WR} "
		    "+{UNC_M_CAS_COUNT.RD,UNC_M_CAS_COUNT.WR} duration_time",
		    "tma_info_system_dram_bw_use@0");
	/* Metrics with more events come first, in whatever order they were selected. */
	begin_xeon();
	assert_plan("tma_info_thread_ipc,tma_retiring",
		    "+{slots,topdown-retiring,topdown-fe-bound,topdown-be-bound,"
		    "topdown-bad-spec} +{INST_RETIRED.ANY,CPU_CLK_UNHALTED.THREAD}",
		    "tma_retiring@1 tma_info_thread_ipc@5");
}
END_TEST

START_TEST(groups_are_shared_with_what_they_contain)
{
	begin_xeon();
	assert_plan("tma_info_thread_ipc,tma_info_thread_cpi",
		    "+{INST_RETIRED.ANY,CPU_CLK_UNHALTED.THREAD}",
		    "tma_info_thread_ipc@0 tma_info_thread_cpi@0");
	/* Events are not shared if their modifiers differ ... */
	begin_xeon();
	assert_plan("tma_info_thread_ipc,tma_info_thread_ipc:u",
		    "+{INST_RETIRED.ANY:u,CPU_CLK_UNHALTED.THREAD:u} "
		    "+{INST_RETIRED.ANY,CPU_CLK_UNHALTED.THREAD}",
		    "tma_info_thread_ipc:u@0 tma_info_thread_ipc@2");
	/* ... and with --metric-no-merge. */
	begin_xeon();
	opts.no_merge = true;
	assert_plan("tma_info_thread_ipc,tma_info_thread_cpi",
		    "+{INST_RETIRED.ANY,CPU_CLK_UNHALTED.THREAD} "
		    "+{INST_RETIRED.ANY,CPU_CLK_UNHALTED.THREAD}",
		    "tma_info_thread_cpi@0 tma_info_thread_ipc@2");
	/* With --metric-no-group, all metrics share one list of events. */
	begin_xeon();
	opts.no_group = true;
	assert_plan("tma_info_thread_ipc,tma_info_thread_cpi,tma_info_thread_clks",
		    "INST_RETIRED.ANY CPU_CLK_UNHALTED.THREAD",
		    "tma_info_thread_ipc@0 tma_info_thread_cpi@0 tma_info_thread_clks@1");
}
END_TEST

START_TEST(a_constant_metric_has_an_event_to_stand_beside)
{
	/* SMT is off on this Xeon, so the value of the metric is 0. */
	begin_xeon();
	assert_plan("tma_info_system_smt_2t_utilization", "duration_time",
		    "tma_info_system_smt_2t_utilization@0");
	begin_xeon();
	assert_plan("tma_info_system_smt_2t_utilization,tma_info_thread_clks",
		    "CPU_CLK_UNHALTED.THREAD",
		    "tma_info_system_smt_2t_utilization@0 tma_info_thread_clks@0");
}
END_TEST

START_TEST(hybrid_machines_have_groups_for_each_pmu)
{
	begin_alderlake();
	assert_plan("tma_retiring",
		    "+{cpu_core/slots/,cpu_core/topdown-retiring/,cpu_core/topdown-bad-spec/,"
		    "cpu_core/topdown-fe-bound/,cpu_core/topdown-be-bound/} "
		    "+{cpu_atom/TOPDOWN_RETIRING.ALL/,cpu_atom/CPU_CLK_UNHALTED.CORE/}",
		    "tma_retiring@1 tma_retiring@5");
	begin_alderlake();
	metrics.pmu = "cpu_atom";
	assert_plan("tma_retiring",
		    "+{cpu_atom/TOPDOWN_RETIRING.ALL/,cpu_atom/CPU_CLK_UNHALTED.CORE/}",
		    "tma_retiring@0");
}
END_TEST

/* Return: the metrics by rank: "cpu_core tma_retiring, ...". */
static const char *ranked(void)
{
	static struct sb sb;

	sb__clear(&sb);
	for (int rank = 0; rank < plan->nr_metrics; rank++)
		for (int i = 0; i < plan->nr_metrics; i++)
			if (plan->metrics[i].rank == rank)
				sb__printf(&sb, "%s%s %s", rank ? ", " : "",
					   plan->metrics[i].metric->info.pmu,
					   plan->metrics[i].name);
	return sb__str(&sb);
}

START_TEST(topdown_ranks_by_pmu_and_tree)
{
	begin_alderlake();
	opts.topdown = true;
	/* --topdown has no thresholds, and ignores these options. */
	opts.no_merge = opts.no_group = true;
	metrics.no_threshold = false;
	add_ok("TopdownL1");
	ck_assert_int_eq(plan__finish(plan, &err), 0);
	ck_assert_str_eq(ranked(), "cpu_core tma_retiring, cpu_core tma_backend_bound, "
				   "cpu_core tma_frontend_bound, cpu_core tma_bad_speculation, "
				   "cpu_atom tma_retiring, cpu_atom tma_backend_bound, "
				   "cpu_atom tma_frontend_bound, cpu_atom tma_bad_speculation");
	ck_assert_int_eq(plan->events.at[0]->leader->nr_members, 5);
	end();
}
END_TEST

START_TEST(a_metric_whose_event_is_missing_is_left_out)
{
	begin_xeon();
	metrics.no_threshold = false;
	add_ok("TopdownL1,tma_info_thread_ipc,tma_heavy_operations");
	ck_assert_str_eq(sb__str(&plan->warnings), "Left out tma_heavy_operations, tma_retiring: "
					 "this machine has no event topdown-heavy-ops\n");
	ck_assert_str_eq(groups_text(plan), "+{TOPDOWN.SLOTS,topdown-retiring,topdown-fe-bound,"
				   "topdown-be-bound,topdown-bad-spec} INT_MISC.UOP_DROPPING "
				   "+{INST_RETIRED.ANY,CPU_CLK_UNHALTED.THREAD}");
	ck_assert_str_eq(printed(), "tma_bad_speculation@0 tma_frontend_bound@0 "
				    "tma_backend_bound@1 tma_info_thread_ipc@6");
	end();

	begin_xeon();
	ck_assert_int_eq(add("tma_heavy_operations"), -ENOENT);
	ck_assert_msg(!strncmp(err.msg, "metric tma_heavy_operations cannot be measured on this "
					"machine:\nevent syntax error: 'topdown-heavy-ops'\n", 100),
		      "%s", err.msg);
	ck_assert_int_eq(plan->events.nr, 0);
	end();

	begin_xeon();
	ck_assert_int_eq(add("tma_heavy_operations,tma_light_operations"), -ENOENT);
	ck_assert_ptr_nonnull(strstr(err.msg, "\nNone of the 2 requested metrics can be measured.\n"
					      "Left out tma_light_operations, tma_heavy_operations: "
					      "this machine has no event topdown-heavy-ops"));
	end();

	begin_xeon();
	ck_assert_int_eq(add("tma_retirin"), -ENOENT);
	ck_assert_ptr_nonnull(strstr(err.msg, "did you mean 'tma_retiring'"));
	end();
}
END_TEST

START_TEST(the_watchdog_is_named)
{
	begin_xeon();
	tables__free(tables);
	tables = tables__find("GenuineIntel-6-55-4");
	scope.tables = metrics.tables = tables;
	machine->nmi_watchdog = true;
	add_ok("tma_info_memory_tlb_page_walks_utilization,tma_info_thread_ipc");
	ck_assert_ptr_nonnull(strstr(sb__str(&plan->warnings), "Not grouping the events of "));
	ck_assert_ptr_nonnull(strstr(sb__str(&plan->warnings), "nmi_watchdog"));
	end();
}
END_TEST

START_TEST(the_default_group_has_an_order_of_its_own)
{
	begin_xeon();
	opts.default_run = true;
	ck_assert_int_eq(events__parse(&scope, "task-clock,cycles", &plan->events, &err), 0);
	metrics.no_threshold = false;
	add_ok("Default");
	ck_assert_str_eq(groups_text(plan), "task-clock cycles +{TOPDOWN.SLOTS,topdown-retiring,"
				   "topdown-fe-bound,topdown-be-bound,topdown-bad-spec} "
				   "INT_MISC.UOP_DROPPING");
	ck_assert_str_eq(printed(), "tma_bad_speculation@2 tma_frontend_bound@2 "
				    "tma_backend_bound@3 tma_retiring@3");
	ck_assert(plan->metrics[0].is_default);
	ck_assert(!plan->events.at[1]->default_group);
	ck_assert(!plan->events.at[1]->from_metric);
	ck_assert(plan->events.at[2]->default_group);
	ck_assert(plan->events.at[2]->from_metric);
	end();

	/* Selected by its name, it is a normal group, with thresholds. */
	begin_xeon();
	add_ok("Default");
	ck_assert(!plan->events.at[0]->default_group);
	ck_assert_int_eq(plan__finish(plan, &err), 0);
	ck_assert(plan->metrics[0].is_default);
	end();
}
END_TEST

/* The whole path, from counts to a value: a share of 0.3 of the slots retires. */
START_TEST(columns_are_the_events)
{
	double in[8] = { 1000, 300, 200, 400, 100, 0 }, out[8];
	int nr;

	begin_xeon();
	add_ok("TopdownL1");
	ck_assert_int_eq(plan__finish(plan, &err), 0);
	nr = program__outputs(plan->program);
	ck_assert_int_eq(nr, 8); /* four values, four thresholds */
	program__reserve(plan->program, 1);
	program__eval(plan->program, 1, in, NULL, out);
	ck_assert_double_eq_tol(out[plan->metrics[0].value], 0.1, 1e-12);
	ck_assert_double_eq_tol(out[plan->metrics[1].value], 0.2, 1e-12);
	ck_assert_double_eq_tol(out[plan->metrics[2].value], 0.4, 1e-12);
	ck_assert_double_eq_tol(out[plan->metrics[3].value], 0.3, 1e-12);
	/*
	 * "Backend bound" is over its threshold of 0.2; the threshold of "retiring" needs more
	 * events.
	 */
	ck_assert_double_eq(out[plan->metrics[2].threshold], 1);
	for (int i = 0; i < plan->nr_metrics; i++)
		for (int j = 0; j < plan->metrics[i].metric->nr_ids; j++)
			ck_assert_str_eq(plan->metrics[i].events[j]->id,
					 plan->metrics[i].metric->ids[j]);
	end();
}
END_TEST

TMA_TEST_MAIN(plan_perf, events_are_grouped_as_in_perf, groups_are_shared_with_what_they_contain,
	      a_constant_metric_has_an_event_to_stand_beside,
	      hybrid_machines_have_groups_for_each_pmu, topdown_ranks_by_pmu_and_tree,
	      a_metric_whose_event_is_missing_is_left_out, the_watchdog_is_named,
	      the_default_group_has_an_order_of_its_own, columns_are_the_events)
