// SPDX-License-Identifier: GPL-2.0-only
/*
 * The metrics of real models: their ids in the order in which perf 6.12 opens them, and their
 * TopDown trees.
 */
#include "metrics_fixture.h"
#include "fake_sysfs.h"

#include <errno.h>
#include <stdio.h>

#include "machine/machine.h"
#include "tables/tables.h"

static struct machine *machine;
static struct tables *tables;
static struct metrics_scope scope;
static struct metric_list list;
static char *root;

static void set_up(const char *cpuid)
{
	root = fake__new(fake_alderlake);
	setenv("PERF_CPUID", cpuid, 1);
	machine = machine__new();
	tables = tables__find(cpuid);
	ck_assert_ptr_nonnull(tables);
	scope = (struct metrics_scope){ .machine = machine, .tables = tables, .system_wide = true };
}

static void tear_down(void)
{
	metric_list__free(&list);
	tables__free(tables);
	machine__free(machine);
	fake__free(root);
	unsetenv("PERF_CPUID");
}

static void select_metrics(const char *text)
{
	struct err err = ERR_INIT;

	metric_list__free(&list);
	ck_assert_msg(!metrics__select(&scope, text, false, &list, &err), "%s", err.msg);
}

static const char *ids(const struct metric *m)
{
	static struct sb sb;

	sb__clear(&sb);
	for (int i = 0; i < m->nr_ids; i++)
		sb__printf(&sb, "%s%s", i ? " " : "", m->ids[i]);
	return sb__str(&sb);
}

/* Recorded from "perf stat -v -a -M METRIC" of perf 6.12 and 7.3, with SMT on. */
static const struct recorded {
	const char *cpuid, *metric, *ids;
} recorded[] = {
	{ "GenuineIntel-6-55-4", "tma_retiring",
	  "CPU_CLK_UNHALTED.THREAD_ANY INST_RETIRED.ANY UOPS_RETIRED.RETIRE_SLOTS "
	  "UOPS_RETIRED.MACRO_FUSED" },
	{ "GenuineIntel-6-55-4", "tma_fetch_latency",
	  "CPU_CLK_UNHALTED.THREAD_ANY IDQ_UOPS_NOT_DELIVERED.CORE "
	  "IDQ_UOPS_NOT_DELIVERED.CYCLES_0_UOPS_DELIV.CORE" },
	{ "GenuineIntel-6-8F-8", "tma_l3_miss_bound",
	  "topdown-retiring topdown-fe-bound topdown-mem-bound topdown-be-bound "
	  "MEMORY_ACTIVITY.STALLS_L3_MISS CPU_CLK_UNHALTED.THREAD topdown-bad-spec" },
	{ "GenuineIntel-6-8F-8", "tma_ports_utilized_2",
	  "RESOURCE_STALLS.SCOREBOARD EXE_ACTIVITY.BOUND_ON_LOADS topdown-retiring "
	  "EXE_ACTIVITY.EXE_BOUND_0_PORTS ARITH.DIV_ACTIVE topdown-fe-bound "
	  "topdown-mem-bound EXE_ACTIVITY.1_PORTS_UTIL topdown-be-bound "
	  "EXE_ACTIVITY.2_3_PORTS_UTIL CPU_CLK_UNHALTED.THREAD RS.EMPTY_RESOURCE "
	  "EXE_ACTIVITY.2_PORTS_UTIL CYCLE_ACTIVITY.STALLS_TOTAL topdown-bad-spec" },
	{ "GenuineIntel-6-97-2", "tma_l3_miss_bound",
	  "cpu_core@topdown-retiring@ cpu_core@topdown-mem-bound@ "
	  "cpu_core@topdown-bad-spec@ cpu_core@MEMORY_ACTIVITY.STALLS_L3_MISS@ "
	  "cpu_core@CPU_CLK_UNHALTED.THREAD@ cpu_core@topdown-fe-bound@ cpu_core@topdown-be-bound@" },
};

START_TEST(ids_are_in_the_order_perf_opens_them)
{
	for (size_t i = 0; i < sizeof(recorded) / sizeof(*recorded); i++) {
		set_up(recorded[i].cpuid);
		select_metrics(recorded[i].metric);
		ck_assert_int_eq(list.nr, 1);
		ck_assert_str_eq(ids(list.at[0]), recorded[i].ids);
		tear_down();
	}
}
END_TEST

START_TEST(a_hybrid_machine_has_a_metric_for_each_core_pmu)
{
	set_up("GenuineIntel-6-97-2");
	select_metrics("tma_retiring");
	ck_assert_int_eq(list.nr, 2);
	ck_assert_str_eq(list.at[0]->info.pmu, "cpu_atom");
	ck_assert_str_eq(ids(list.at[0]),
			 "cpu_atom@TOPDOWN_RETIRING.ALL@ cpu_atom@CPU_CLK_UNHALTED.CORE@");
	scope.pmu = "cpu_core";
	select_metrics("tma_retiring");
	ck_assert_int_eq(list.nr, 1);
	ck_assert_str_eq(list.at[0]->info.pmu, "cpu_core");
	tear_down();
}
END_TEST

static int by_key(const void *a, const void *b)
{
	return strcmp(sb__str(a), sb__str(b));
}

/* Return: the metrics of a level, with their numbers: "0!tma_retiring 1!tma_backend_bound". */
static const char *tree(const char *group)
{
	static struct sb all;
	struct sb *keys;
	int nr;

	select_metrics(group);
	nr = list.nr;
	keys = calloc(nr, sizeof(*keys));
	for (int i = 0; i < nr; i++)
		metrics__topdown_key(tables, list.at[i], &keys[i]);
	qsort(keys, nr, sizeof(*keys), by_key);
	sb__clear(&all);
	for (int i = 0; i < nr; i++) {
		sb__printf(&all, "%s%s", i ? " " : "", strrchr(sb__str(&keys[i]), '!') + 1);
		sb__free(&keys[i]);
	}
	free(keys);
	return sb__str(&all);
}

START_TEST(columns_follow_the_topdown_tree)
{
	set_up("GenuineIntel-6-8F-8");
	ck_assert_int_eq(metrics__topdown_levels(tables, NULL, NULL), 6);
	ck_assert_str_eq(tree("TopdownL1"), "tma_retiring tma_backend_bound tma_frontend_bound "
					    "tma_bad_speculation");
	/* Children are in the order of their parents. */
	ck_assert_str_eq(tree("TopdownL2"),
			 "tma_heavy_operations tma_light_operations tma_core_bound tma_memory_bound "
			 "tma_fetch_bandwidth tma_fetch_latency tma_branch_mispredicts "
			 "tma_machine_clears");
	tear_down();
	set_up("GenuineIntel-6-97-2");
	ck_assert_int_eq(metrics__topdown_levels(tables, "cpu_core", NULL), 6);
	ck_assert_int_eq(metrics__topdown_levels(tables, "no_such_pmu", NULL), 0);
	ck_assert_int_eq(metrics__topdown_levels(NULL, NULL, NULL), 0);
	tear_down();
}
END_TEST

/* Read, resolve, compile and evaluate all selected metrics. Return: number of outputs. */
static int compile_selected(void)
{
	struct program *p = program__new(&scope);
	double in[256] = { 0 }, *out;
	int columns[256], outputs;

	for (int c = 0; c < 256; c++) {
		columns[c] = c;
		in[c] = 1000 + c;
	}
	for (int m = 0; m < list.nr; m++) {
		int value, threshold;

		ck_assert_int_lt(list.at[m]->nr_ids, 256);
		ck_assert_int_eq(program__add(p, list.at[m], columns, NULL, 0, &value, &threshold,
					      NULL),
				 0);
		ck_assert_int_eq(threshold >= 0, !!*list.at[m]->info.threshold);
	}
	outputs = program__outputs(p);
	out = calloc(outputs + 1, sizeof(*out));
	program__reserve(p, 1);
	program__eval(p, 1, in, NULL, out);
	free(out);
	program__free(p);
	return outputs;
}

/* The vendors' tables have a few metrics twice. */
static bool is_repeated(int number)
{
	struct metric_info info, before;

	tables__metric(tables, number, &info);
	for (int i = 0; i < number; i++) {
		tables__metric(tables, i, &before);
		if (!strcmp(info.name, before.name) && !strcmp(info.pmu, before.pmu) &&
		    !strcmp(info.expr, before.expr))
			return true;
	}
	return false;
}

static int expected_outputs(void)
{
	struct metric_info info;
	int nr = 0;

	for (int i = 0; i < tables__nr_metrics(tables); i++) {
		tables__metric(tables, i, &info);
		if (*info.expr && !is_repeated(i))
			nr += 1 + !!*info.threshold;
	}
	return nr;
}

START_TEST(every_metric_compiles)
{
	int total = 0;

	set_up("GenuineIntel-6-97-2");
	tables__free(tables);
	for (int i = 0; i < tables__nr_models(); i++) {
		const char *model = tables__model_name(i);

		tables = tables__find_model(model);
		scope.tables = tables;
		/* The kernel's tables for tests have cycles on purpose; the next test uses them. */
		if (expected_outputs() && strcmp(model, "test_soc/cpu")) {
			select_metrics("all");
			ck_assert_int_eq(compile_selected(), expected_outputs());
			total += expected_outputs();
		}
		tables__free(tables);
	}
	tables = NULL;
	ck_assert_int_gt(total, 5000);
	tear_down();
}
END_TEST

static const struct {
	const char *metric, *error;
} circles[] = {
	{ "M1", "metric M1 refers to itself: M1 <- M2 <- M1" },
	{ "M2", "metric M2 refers to itself: M2 <- M1 <- M2" },
	{ "M3", "metric M3 refers to itself: M3 <- M3" },
};

/* In these tables, three metrics refer to themselves; all others compile. */
START_TEST(circles_of_references_are_refused)
{
	struct metric_info info;
	int outputs = 0;

	set_up("GenuineIntel-6-97-2");
	tables__free(tables);
	tables = tables__find_model("test_soc/cpu");
	if (!tables) {
		puts("SKIP circles_of_references_are_refused: the tables for tests are not built in");
		tear_down();
		return;
	}
	scope.tables = tables;
	for (size_t i = 0; i < sizeof(circles) / sizeof(*circles); i++) {
		struct err err = ERR_INIT;

		ck_assert_int_eq(metrics__select(&scope, circles[i].metric, false, &list, &err),
				 -ELOOP);
		ck_assert_str_eq(err.msg, circles[i].error);
		ck_assert_int_eq(list.nr, 0);
	}
	for (int i = 0; i < tables__nr_metrics(tables); i++) {
		tables__metric(tables, i, &info);
		if (*info.expr && info.name[0] != 'M') {
			select_metrics(info.name);
			outputs += compile_selected();
		}
	}
	ck_assert_int_eq(outputs, expected_outputs() - 3);
	tear_down();
}
END_TEST

TMA_TEST_MAIN(metrics_models, ids_are_in_the_order_perf_opens_them,
	      a_hybrid_machine_has_a_metric_for_each_core_pmu, columns_follow_the_topdown_tree,
	      every_metric_compiles, circles_of_references_are_refused)
