// SPDX-License-Identifier: GPL-2.0-only
/*
 * Groups that fit the counters: which events are together, which cannot be, and the effect of
 * options and constraints.
 */
#include "events_fixture.h"

#include "metrics/idset.h"
#include "plan/counters.h"
#include "plan/pack_unit.h"
#include "plan/parts.h"
#include "plan/plan.h"
#include "plan_fixture.h"
#include "plan/schedule.h"

static struct plan *plan;
static struct metrics_scope metrics;
static struct plan_options opts;
static struct schedule *schedule;

static void begin(const struct fake_file *files, const char *cpuid)
{
	set_up(files, cpuid);
	metrics = (struct metrics_scope){ .machine = machine,
					  .tables = tables,
					  .system_wide = true };
	opts = (struct plan_options){ .grouping = PLAN_BY_COUNTERS };
	plan = plan__new(&metrics);
	err = (struct err)ERR_INIT;
	schedule = NULL;
}

/* The TopDown metric events of level 2. */
static void add_topdown_events(const char *pmu)
{
	static const char *const names[] = { "heavy-ops", "br-mispredict", "fetch-lat", "mem-bound" };

	for (int i = 0; i < 4; i++) {
		char path[256], terms[64];

		snprintf(path, sizeof(path), PMUS "%s/events/topdown-%s", pmu, names[i]);
		snprintf(terms, sizeof(terms), "event=0x00,umask=0x%x\n", 0x84 + i);
		fake__write(root, path, terms);
	}
}

static void begin_xeon(void)
{
	begin(fake_xeon, "GenuineIntel-6-8F-8");
	add_topdown_events("cpu");
}

/* Four counters, and no TopDown metric events. */
static void begin_skylake(void)
{
	begin(fake_xeon, "GenuineIntel-6-55-4");
}

static void begin_alderlake(void)
{
	begin(fake_alderlake, "GenuineIntel-6-97-2");
	add_topdown_events("cpu_core");
}

static void end(void)
{
	schedule__free(schedule);
	plan__free(plan);
	tear_down();
}

static void add(const char *text)
{
	ck_assert_msg(!plan__add_metrics(plan, &metrics, &scope, &opts, text, &err), "%s: %s", text,
		      err.msg);
}

static void finish(void)
{
	ck_assert_msg(!plan__finish(plan, &err), "%s", err.msg);
	schedule = schedule__new(plan, &scope);
}

static void plan_for(const char *text)
{
	add(text);
	finish();
}

static const struct plan_metric *metric(const char *name)
{
	for (int i = 0; i < plan->nr_metrics; i++)
		if (!strcmp(plan->metrics[i].name, name))
			return &plan->metrics[i];
	ck_abort_msg("there is no metric %s", name);
	return NULL;
}

/* Find the ids that a metric's value needs, without the ids of its threshold. */
static const struct metric *value_of(const struct metric_list *values, const struct metric *m)
{
	for (int i = 0; i < values->nr; i++)
		if (!strcmp(values->at[i]->info.name, m->info.name) &&
		    !strcmp(values->at[i]->info.pmu, m->info.pmu))
			return values->at[i];
	return NULL;
}

/* Count the groups that have core events of a metric's value. */
static int nr_groups(const struct plan_metric *pm, const struct metric *value)
{
	const struct event *leaders[64];
	int nr = 0;

	for (int i = 0; i < pm->metric->nr_ids; i++) {
		const struct event *e = pm->events[i];
		int at = 0;

		ck_assert_msg(e, "%s: no event for %s", pm->name, pm->metric->ids[i]);
		if (!e->pmu || !e->pmu->is_core || e->retire_latency ||
		    !idset__has(value->id_set, pm->metric->ids[i]))
			continue;
		while (at < nr && leaders[at] != e->leader)
			at++;
		leaders[at] = e->leader;
		nr += at == nr;
	}
	return nr;
}

/* Return: whether the core events of the marked ids fit into one group. */
static bool fit_together(const struct plan_metric *pm, const bool *ids)
{
	struct pack_unit u = {.owner = -1};
	int list[64], nr = 0;
	bool fits;

	for (int i = 0; i < pm->metric->nr_ids; i++) {
		const struct event *e = pm->events[i];
		struct fit_event need;

		if (!ids[i] || !e->pmu || !e->pmu->is_core || e->retire_latency)
			continue;
		u.pmu = e->pmu;
		u.counters = counters__left_on(&scope, e->pmu);
		need = counters__need(tables, &u.counters, e);
		list[nr] = unit__add_event(&u, &(struct unit_event){.id = e->name, .look = e},
					   &need);
		nr += list[nr] == u.events.nr - 1;
	}
	fits = unit__fits(&u, list, nr);
	unit__free(&u);
	return fits;
}

/* Return: whether the marked core events that are counted for @part are in one group. */
static bool are_together(const struct plan_metric *pm, int part, const bool *ids)
{
	const struct event *leader = NULL;

	for (int i = 0; i < pm->metric->nr_ids; i++) {
		const struct event *e = pm->events[(part + 1) * pm->metric->nr_ids + i];

		if (!ids[i] || !e->pmu || !e->pmu->is_core || e->retire_latency)
			continue;
		if (leader && e->leader != leader)
			return false;
		leader = e->leader;
	}
	return true;
}

/* Find the part of a metric that is this sub-expression. Return: -1 if there is none. */
static int find_part(const struct plan_metric *pm, const struct part *part)
{
	for (int i = 0; i < pm->nr_parts; i++)
		if (pm->parts[i].expr == part->expr && pm->parts[i].node == part->node)
			return i;
	return -1;
}

/* Check that a quotient's terms are counted at the same time, even if the metric is split. */
static void check_ratios(const struct plan_metric *pm)
{
	bool ids[pm->metric->nr_ids + 1];
	int list[pm->metric->nr_ids + 1];
	struct parts parts;
	struct part part;

	parts__init(&parts, pm->metric);
	parts__begin(&parts, pm->metric->value);
	while (parts__next(&parts, &part)) {
		int number = find_part(pm, &part), nr = parts__ids(&parts, part, list);

		memset(ids, 0, sizeof(ids));
		for (int i = 0; i < nr; i++)
			ids[list[i]] = true;
		if (number >= 0 || (parts__is_ratio(&parts, part) && fit_together(pm, ids)))
			ck_assert_msg(are_together(pm, number, ids), "%s: a ratio is taken apart",
				      pm->name);
		else
			parts__descend(&parts, part);
	}
	parts__free(&parts);
}

/* Check the rules that are true of any selection. */
static void check(const char *text)
{
	struct metrics_scope without = metrics;
	struct metric_list values = METRIC_LIST_INIT;

	without.no_threshold = true;
	ck_assert_int_eq(metrics__select(&without, text, opts.no_group, &values, &err), 0);
	for (int i = 0; i < plan->nr_metrics; i++) {
		const struct plan_metric *pm = &plan->metrics[i];
		const struct metric *value = value_of(&values, pm->metric);

		ck_assert_ptr_nonnull(value);
		ck_assert_ptr_nonnull(pm->shown_at);
		ck_assert_msg(pm->split || nr_groups(pm, value) <= 1, "%s: %s is in %d groups", text,
			      pm->name, nr_groups(pm, value));
		if (!pm->metric->constrained)
			check_ratios(pm);
	}
	for (int i = 0; i < schedule->nr_groups; i++)
		ck_assert_msg(!schedule->groups[i].why, "%s: %s", text, schedule->groups[i].why);
	for (int i = 0; i < schedule->nr_pmus; i++)
		ck_assert_int_ge(schedule->pmus[i].nr_turns, schedule->pmus[i].lower_bound);
	metric_list__free(&values);
}

static void check_levels(void (*begin_machine)(void), const char *last)
{
	char text[] = "TopdownL1";

	for (; text[8] <= *last; text[8]++) {
		begin_machine();
		plan_for(text);
		check(text);
		end();
		begin_machine();
		machine->nmi_watchdog = true;
		plan_for(text);
		check(text);
		end();
	}
}

START_TEST(what_fits_is_in_one_group_that_the_counters_hold)
{
	check_levels(begin_xeon, "6");
	check_levels(begin_skylake, "6");
	check_levels(begin_alderlake, "6");
	begin_xeon();
	plan_for("all");
	check("all");
	ck_assert_int_gt(plan->nr_metrics, 200);
	end();
}
END_TEST

START_TEST(metrics_share_groups_and_events)
{
	begin_xeon();
	plan_for("TopdownL1");
	ck_assert_str_eq(groups_text(plan), "+{TOPDOWN.SLOTS,topdown-retiring,topdown-fe-bound,"
				   "topdown-be-bound,topdown-heavy-ops,topdown-bad-spec,"
				   "INT_MISC.UOP_DROPPING}");
	ck_assert(schedule->pmus[0].all_fit);
	end();
	/* Metrics are in the order of selection, in whichever groups their events are. */
	begin_xeon();
	plan_for("tma_info_thread_ipc,tma_info_thread_cpi,tma_info_thread_clks");
	ck_assert_str_eq(groups_text(plan), "+{INST_RETIRED.ANY,CPU_CLK_UNHALTED.THREAD}");
	for (int i = 0; i < 3; i++)
		ck_assert_ptr_eq(plan->metrics[i].shown_at->leader, plan->events.at[0]);
	end();
}
END_TEST

START_TEST(a_metric_too_large_is_split_at_its_operands)
{
	begin_skylake();
	plan_for("tma_branch_mispredicts");
	ck_assert(metric("tma_branch_mispredicts")->split);
	ck_assert_int_eq(schedule->pmus[0].nr_turns, 2);
	check("tma_branch_mispredicts");
	end();
	begin_skylake();
	plan_for("tma_info_thread_ipc");
	ck_assert(!metric("tma_info_thread_ipc")->split);
	end();
	/* The terms of a quotient are one part: x87 uops divided by all uops, next to retiring. */
	begin_skylake();
	plan_for("tma_x87_use");
	ck_assert_ptr_eq(plan->events.at[0]->leader, plan->events.at[1]->leader);
	check("tma_x87_use");
	end();
}
END_TEST

/*
 * The cycles of a core are a different event with SMT; the event of the other branch is not
 * counted.
 */
START_TEST(a_branch_not_taken_takes_no_counter)
{
	begin_skylake();
	fake__write(root, "sys/devices/system/cpu/smt/active", "1\n");
	plan_for("tma_store_stlb_miss_1g");
	ck_assert(!metric("tma_store_stlb_miss_1g")->split);
	check("tma_store_stlb_miss_1g");
	end();
}
END_TEST

START_TEST(without_smt_a_thread_has_all_counters_of_a_core)
{
	static const char *const still_shared[] = { "forceoff\n", "off\n", "notimplemented\n" };

	/*
	 * If firmware has switched SMT off, and not the kernel, each thread still has only half of
	 * the counters.
	 */
	for (int i = 0; i < 3; i++) {
		begin_skylake();
		fake__write(root, "sys/devices/system/cpu/smt/active", "0\n");
		fake__write(root, "sys/devices/system/cpu/smt/control", still_shared[i]);
		plan_for("tma_branch_mispredicts");
		ck_assert(metric("tma_branch_mispredicts")->split);
		end();
	}
	/* A guest also does not know whether its core has one thread. */
	begin_skylake();
	fake__write(root, "sys/devices/system/cpu/smt/control", "notsupported\n");
	fake__write(root, "proc/cpuinfo", "processor\t: 0\nflags\t\t: fpu msr hypervisor tsc\n");
	plan_for("tma_branch_mispredicts");
	ck_assert(metric("tma_branch_mispredicts")->split);
	end();
	begin_skylake();
	fake__write(root, "sys/devices/system/cpu/smt/control", "notsupported\n");
	plan_for("tma_branch_mispredicts");
	ck_assert(!metric("tma_branch_mispredicts")->split);
	check("tma_branch_mispredicts");
	end();
}
END_TEST

START_TEST(what_has_a_constraint_is_no_group_of_its_own)
{
	/* NO_GROUP_EVENTS_NMI: the metric has no group; its events are put where there is room. */
	begin_skylake();
	metrics.no_threshold = true;
	machine->nmi_watchdog = true;
	plan_for("tma_fb_full,tma_info_thread_ipc");
	ck_assert_ptr_nonnull(metric("tma_fb_full")->metric->constrained);
	ck_assert_str_eq(groups_text(plan),
			 "+{INST_RETIRED.ANY,cpu/L1D_PEND_MISS.FB_FULL,cmask=1/,"
			 "MEM_LOAD_RETIRED.FB_HIT,L1D_PEND_MISS.PENDING,CPU_CLK_UNHALTED.THREAD} "
			 "MEM_LOAD_RETIRED.L1_MISS");
	ck_assert(metric("tma_fb_full")->split);
	end();
	/* With other metrics, their groups have room for all its events. */
	begin_xeon();
	metrics.no_threshold = true;
	machine->nmi_watchdog = true;
	plan_for("tma_ports_utilized_2,tma_memory_fence,tma_slow_pause,tma_ports_utilized_3m,"
		 "tma_false_sharing,tma_lock_latency,tma_split_loads,tma_mem_bandwidth");
	check("tma_ports_utilized_2,tma_memory_fence,tma_slow_pause,tma_ports_utilized_3m,"
	      "tma_false_sharing,tma_lock_latency,tma_split_loads,tma_mem_bandwidth");
	end();
}
END_TEST

START_TEST(modifiers_have_groups_of_their_own)
{
	begin_xeon();
	plan_for("tma_info_thread_ipc,tma_info_thread_ipc:u,tma_retiring:u");
	ck_assert_str_eq(groups_text(plan), "+{slots:u,topdown-retiring:u,topdown-fe-bound:u,"
				   "topdown-be-bound:u,topdown-heavy-ops:u,topdown-bad-spec:u,"
				   "INST_RETIRED.ANY:u,CPU_CLK_UNHALTED.THREAD:u} "
				   "+{INST_RETIRED.ANY,CPU_CLK_UNHALTED.THREAD}");
	end();
}
END_TEST

START_TEST(each_core_type_has_groups_of_its_own)
{
	begin_alderlake();
	plan_for("tma_retiring,tma_info_thread_ipc,tma_info_core_ipc");
	for (int i = 0; i < plan->nr_metrics; i++) {
		const struct plan_metric *pm = &plan->metrics[i];

		for (int k = 0; k < pm->metric->nr_ids; k++)
			ck_assert_str_eq(pm->events[k]->pmu->name, pm->metric->info.pmu);
	}
	for (int i = 0; i < plan->events.nr; i++)
		ck_assert_ptr_eq(plan->events.at[i]->pmu, plan->events.at[i]->leader->pmu);
	ck_assert_int_eq(schedule->nr_pmus, 2);
	ck_assert_int_eq(schedule->pmus[0].nr_turns, 1);
	ck_assert_int_eq(schedule->pmus[1].nr_turns, 1);
	end();
}
END_TEST

START_TEST(options_keep_their_meaning)
{
	begin_xeon();
	opts.no_group = true;
	plan_for("tma_info_thread_ipc,tma_info_thread_cpi");
	ck_assert_str_eq(groups_text(plan), "INST_RETIRED.ANY CPU_CLK_UNHALTED.THREAD");
	end();
	begin_xeon();
	opts.no_merge = true;
	plan_for("tma_info_thread_ipc,tma_info_thread_cpi");
	ck_assert_str_eq(groups_text(plan), "+{INST_RETIRED.ANY,CPU_CLK_UNHALTED.THREAD} "
				   "+{INST_RETIRED.ANY,CPU_CLK_UNHALTED.THREAD}");
	end();
	/* Metrics of the group Default are printed in an order that only perf's groups give. */
	begin_xeon();
	plan_for("Default");
	ck_assert(plan->metrics[0].is_default);
	end();
}
END_TEST

START_TEST(what_takes_no_turn_is_in_no_group)
{
	/* Instances of an uncore PMU have their own groups; the clock follows them. */
	begin_xeon();
	plan_for("tma_info_system_dram_bw_use");
	ck_assert_str_eq(groups_text(plan), "+{UNC_M_CAS_COUNT.RD,UNC_M_CAS_COUNT.WR} "
				   "+{UNC_M_CAS_COUNT.RD,UNC_M_CAS_COUNT.WR} "
				   "+{UNC_M_CAS_COUNT.RD,UNC_M_CAS_COUNT.WR} duration_time");
	end();
	begin_xeon();
	plan_for("tma_info_system_smt_2t_utilization");
	ck_assert_str_eq(groups_text(plan), "duration_time");
	end();
	/* If all other metrics are left out, the metric still needs the clock. */
	begin(fake_xeon, "GenuineIntel-6-8F-8");
	plan_for("tma_info_system_smt_2t_utilization,tma_memory_bound");
	ck_assert_int_eq(plan->nr_metrics, 1);
	ck_assert_str_eq(groups_text(plan), "duration_time");
	end();
}
END_TEST

START_TEST(what_this_machine_lacks_is_left_out)
{
	begin(fake_xeon, "GenuineIntel-6-8F-8");
	add("tma_info_thread_ipc,tma_memory_bound");
	ck_assert_int_eq(plan->nr_metrics, 1);
	ck_assert_ptr_nonnull(strstr(sb__str(&plan->warnings),
				     "Left out tma_memory_bound: this machine has no event "
				     "topdown-mem-bound"));
	end();
}
END_TEST

START_TEST(a_schedule_tells_what_does_not_fit)
{
	begin_skylake();
	ck_assert_int_eq(events__parse(&scope, "{branch-misses,r1c4,r2c4,r3c4,r4c4},cycles",
				       &plan->events, &err),
			 0);
	finish();
	ck_assert_int_eq(schedule->groups[0].state, SCHEDULE_REFUSED);
	ck_assert_ptr_nonnull(schedule->groups[0].why);
	ck_assert_int_eq(schedule->groups[1].state, SCHEDULE_FITS);
	ck_assert_double_eq(schedule->events[5].share, 1);
	end();
	/* The kernel ignores the counter that the NMI watchdog uses, so it accepts the group. */
	begin_skylake();
	machine->nmi_watchdog = true;
	ck_assert_int_eq(events__parse(&scope, "{cycles,r1c4,r2c4,r3c4,r4c4}", &plan->events, &err),
			 0);
	finish();
	ck_assert_int_eq(schedule->groups[0].state, SCHEDULE_NEVER);
	ck_assert_double_eq(schedule->events[0].share, 0);
	end();
	/* Two groups of three events on four counters: each is counted half of the time. */
	begin_skylake();
	ck_assert_int_eq(events__parse(&scope, "{r1c4,r2c4,r3c4},{r4c4,r5c4,r6c4}", &plan->events,
				       &err),
			 0);
	finish();
	ck_assert_int_eq(schedule->pmus[0].nr_turns, 2);
	ck_assert_double_eq(schedule->events[5].share, 0.5);
	end();
}
END_TEST

TMA_TEST_MAIN(plan_pack_groups, what_fits_is_in_one_group_that_the_counters_hold,
	      metrics_share_groups_and_events, a_metric_too_large_is_split_at_its_operands,
	      a_branch_not_taken_takes_no_counter, without_smt_a_thread_has_all_counters_of_a_core,
	      what_has_a_constraint_is_no_group_of_its_own, modifiers_have_groups_of_their_own,
	      each_core_type_has_groups_of_its_own, options_keep_their_meaning,
	      what_takes_no_turn_is_in_no_group, what_this_machine_lacks_is_left_out,
	      a_schedule_tells_what_does_not_fit)
