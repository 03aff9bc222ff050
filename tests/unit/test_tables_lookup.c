// SPDX-License-Identifier: GPL-2.0-only
/* Events and metrics of the built-in tables, by number and by name. */
#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/sb.h"
#include "base/suggest.h"
#include "tables/tables.h"
#include "unit.h"

static struct tables *open_model(const char *model)
{
	struct tables *t;

	t = tables__find_model(model);
	ck_assert_msg(t, "no tables of %s", model);
	return t;
}

static struct event_info event_of(const struct tables *t, const char *pmu, const char *name)
{
	struct event_info e;
	int i = tables__find_event(t, pmu, name);

	ck_assert_msg(i >= 0, "no event %s", name);
	tables__event(t, i, &e);
	return e;
}

static struct metric_info metric_of(const struct tables *t, const char *pmu, const char *name)
{
	struct metric_info m;
	int i = tables__find_metric(t, pmu, name);

	ck_assert_msg(i >= 0, "no metric %s", name);
	tables__metric(t, i, &m);
	return m;
}

START_TEST(encodings_of_chosen_events)
{
	static const struct {
		const char *model, *pmu, *name, *terms;
	} cases[] = {
		{ "skylakex", "default_core", "inst_retired.any", "event=0xc0,period=2000003" },
		{ "skylakex", "default_core", "cpu_clk_unhalted.thread",
		  "event=0x3c,period=2000003" },
		{ "skylakex", "default_core", "cpu_clk_unhalted.thread_any",
		  "event=0x3c,any=1,period=2000003" },
		{ "skylakex", "default_core", "cpu_clk_unhalted.ref_tsc",
		  "event=0,period=2000003,umask=3" },
		{ "skylakex", "default_core", "arith.divider_active",
		  "event=0x14,cmask=1,period=2000003,umask=1" },
		{ "skylakex", "default_core", "frontend_retired.latency_ge_4",
		  "event=0xc6,period=100007,umask=1,frontend=0x400406" },
		{ "skylakex", "default_core", "mem_trans_retired.load_latency_gt_64",
		  "event=0xcd,period=2003,umask=1,ldlat=0x40" },
		{ "skylakex", "uncore_imc", "unc_m_cas_count.rd", "event=4,umask=3" },
		{ "skylakex", "uncore_iio", "llc_misses.pcie_read",
		  "event=0x83,ch_mask=1,fc_mask=7,umask=4,ch_mask=0x1f" },
		{ "broadwellx", "uncore_cbox", "llc_misses.mmio_read",
		  "event=0x35,umask=3,filter_opc=0x187,filter_nc=1" },
		{ "sapphirerapids", "uncore_upi", "unc_upi_txl_flits.all_data",
		  "event=2,umask=0xf" },
		{ "alderlake", "cpu_core", "topdown.slots", "event=0,period=10000003,umask=4" },
		{ "alderlake", "cpu_atom", "inst_retired.any", "event=0xc0,period=2000003" },
		{ "amdzen4", "amd_l3", "l3_lookup_state.l3_miss", "event=4,umask=1" },
		{ "amdzen4", "amd_umc", "umc_cas_cmd.rd", "event=0xa,rdwrmask=1" },
		/* MSRIndex without MSRValue */
		{ "nehalemep", "default_core", "mem_inst_retired.latency_above_threshold_0",
		  "event=0xb,period=2000000,umask=0x10" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct tables *t = open_model(cases[i].model);
		struct event_info e = event_of(t, cases[i].pmu, cases[i].name);

		ck_assert_str_eq(e.name, cases[i].name);
		ck_assert_str_eq(e.pmu, cases[i].pmu);
		ck_assert_str_eq(e.terms, cases[i].terms);
		tables__free(t);
	}
}
END_TEST

START_TEST(all_fields_of_an_event)
{
	struct tables *t = open_model("skylakex");
	struct event_info e = event_of(t, NULL, "LLC_Misses.Mem_Read");

	ck_assert_str_eq(e.name, "llc_misses.mem_read");
	ck_assert_str_eq(e.pmu, "uncore_imc");
	ck_assert_str_eq(e.topic, "uncore memory");
	ck_assert_str_eq(e.unit, "Bytes");
	ck_assert_double_eq(e.scale, 64);
	ck_assert(e.per_pkg && !e.deprecated && !e.taken_alone);
	ck_assert_str_eq(e.counter, "0,1,2,3");
	ck_assert_uint_eq(e.counter_mask, 0xf);
	ck_assert_str_eq(e.compat, "");
	ck_assert_str_eq(e.desc, "read requests to memory controller. Derived from "
				 "unc_m_cas_count.rd");
	ck_assert_ptr_nonnull(strstr(e.long_desc, "Column Access Select"));
	ck_assert_double_eq(e.latency.mean, 0);

	e = event_of(t, "default_core", "inst_retired.any");
	ck_assert_str_eq(e.unit, "");
	ck_assert_double_eq(e.scale, 1);
	ck_assert_uint_eq(e.counter_mask, 1ull << 32);
	ck_assert(!e.per_pkg);

	e = event_of(t, "default_core", "mem_trans_retired.load_latency_gt_64");
	ck_assert_ptr_nonnull(strstr(e.desc, "completion is greater than 64 cycles  Supports "
					     "address when precise (Must be precise)"));
	tables__free(t);
}
END_TEST

START_TEST(fractions_of_a_scale_unit)
{
	struct tables *t = open_model("amdzen1");
	struct metric_info m = metric_of(t, NULL, "nps1_die_to_dram");
	struct event_info e;

	ck_assert_double_eq(m.scale, 6.1e-5);
	ck_assert_str_eq(m.unit, "MiB");
	tables__free(t);

	/* Only the tables of Linux 6.12 have an event with this unit. */
	t = open_model("skylakex");
	if (tables__find_event(t, "uncore_upi", "upi_data_bandwidth_tx") >= 0) {
		e = event_of(t, "uncore_upi", "upi_data_bandwidth_tx");
		ck_assert_double_eq(e.scale, 7.11e-6);
		ck_assert_str_eq(e.unit, "Bytes");
	}
	tables__free(t);
}
END_TEST

START_TEST(all_fields_of_a_metric)
{
	struct tables *t = open_model("skylakex");
	struct metric_info m = metric_of(t, NULL, "TMA_L3_Miss_Bound");

	ck_assert_str_eq(m.name, "tma_l3_miss_bound");
	ck_assert_str_eq(m.pmu, "default_core");
	ck_assert_str_eq(m.expr, "CYCLE_ACTIVITY.STALLS_L3_MISS / tma_info_thread_clks + "
				 "(CYCLE_ACTIVITY.STALLS_L1D_MISS - CYCLE_ACTIVITY.STALLS_L2_MISS) "
				 "/ tma_info_thread_clks - tma_l2_bound");
	ck_assert_str_eq(m.threshold, "tma_l3_miss_bound > 0.1 & (tma_memory_bound > 0.2 & "
				      "(tma_backend_bound > 0.2))");
	ck_assert_str_eq(m.groups, "MemoryBound;Offcore;TmaL3mem;TopdownL3;tma_L3_group;"
				   "tma_memory_bound_group");
	ck_assert_str_eq(m.unit, "%");
	ck_assert_double_eq(m.scale, 100);
	ck_assert(m.scale_unit);
	ck_assert_int_eq(m.constraint, METRIC_GROUP_EVENTS);
	ck_assert_str_eq(m.no_group, "");
	ck_assert_str_eq(m.default_group, "");
	ck_assert(!m.per_core && !m.per_chip);

	m = metric_of(t, NULL, "tma_bottleneck_mispredictions");
	ck_assert_int_eq(m.constraint, METRIC_NO_GROUP_EVENTS);
	m = metric_of(t, NULL, "tma_info_thread_slots");
	ck_assert_str_eq(m.expr, "4 * tma_info_core_core_clks");
	ck_assert(!m.scale_unit);
	ck_assert_double_eq(m.scale, 1);
	ck_assert_str_eq(m.unit, "");
	ck_assert_int_eq(m.constraint, METRIC_GROUP_EVENTS);

	m = metric_of(t, NULL, "cpu_operating_frequency");
	ck_assert_str_eq(m.expr, "CPU_CLK_UNHALTED.THREAD / CPU_CLK_UNHALTED.REF_TSC * "
				 "#SYSTEM_TSC_FREQ / 1e9");
	ck_assert_str_eq(m.unit, "GHz");
	tables__free(t);
}
END_TEST

START_TEST(hybrid_metrics_belong_to_a_pmu)
{
	struct tables *t = open_model("alderlake");
	struct metric_info core = metric_of(t, "cpu_core", "tma_retiring");
	struct metric_info atom = metric_of(t, "cpu_atom", "tma_retiring");

	ck_assert_str_eq(core.pmu, "cpu_core");
	ck_assert_str_eq(atom.pmu, "cpu_atom");
	ck_assert_str_eq(core.default_group, "TopdownL1");
	ck_assert_str_eq(core.no_group, "TopdownL1;Default");
	ck_assert_str_eq(core.expr,
			 "cpu_core@topdown\\-retiring@ / (cpu_core@topdown\\-fe\\-bound@ + "
			 "cpu_core@topdown\\-bad\\-spec@ + cpu_core@topdown\\-retiring@ + "
			 "cpu_core@topdown\\-be\\-bound@)");
	ck_assert_str_eq(atom.expr, "cpu_atom@TOPDOWN_RETIRING.ALL@ / "
				    "(5 * cpu_atom@CPU_CLK_UNHALTED.CORE@)");
	/* The event belongs to the first PMU of the table. */
	ck_assert_int_eq(tables__find_metric(t, NULL, "tma_retiring"),
			 tables__find_metric(t, "cpu_atom", "tma_retiring"));
	ck_assert_int_eq(tables__find_metric(t, "cpu", "tma_retiring"), -1);
	tables__free(t);
}
END_TEST

START_TEST(constraints_and_groups_that_exclude)
{
	struct tables *t = open_model("alderlake");
	int seen[METRIC_NO_THRESHOLD_NMI + 1] = { 0 };
	struct metric_info m;

	for (int i = 0; i < tables__nr_metrics(t); i++) {
		tables__metric(t, i, &m);
		seen[m.constraint]++;
	}
	ck_assert_int_gt(seen[METRIC_GROUP_EVENTS], 0);
	ck_assert_int_gt(seen[METRIC_NO_GROUP_EVENTS], 0);
	ck_assert_int_gt(seen[METRIC_NO_GROUP_EVENTS_NMI], 0);
	tables__free(t);
}
END_TEST

static void shout(char *to, size_t size, const char *from)
{
	size_t i;

	for (i = 0; from[i] && i + 1 < size; i++)
		to[i] = toupper((unsigned char)from[i]);
	to[i] = '\0';
}

START_TEST(every_event_is_found_by_name)
{
	struct tables *t = open_model(tables__model_name(_i));
	struct event_info e, before = { .name = "", .pmu = "" };
	char name[256];

	ck_assert_int_gt(tables__nr_events(t), 0);
	for (int i = 0; i < tables__nr_events(t); i++) {
		tables__event(t, i, &e);
		ck_assert_int_eq(tables__find_event(t, e.pmu, e.name), i);
		shout(name, sizeof(name), e.name);
		ck_assert_int_eq(tables__find_event(t, e.pmu, name), i);
		/* If no PMU is named, an event of an earlier PMU is found. */
		ck_assert_int_ge(tables__find_event(t, NULL, name), 0);
		ck_assert_int_le(tables__find_event(t, NULL, name), i);
		ck_assert_msg(strcmp(before.pmu, e.pmu) < 0 || (!strcmp(before.pmu, e.pmu) &&
								strcmp(before.name, e.name) < 0),
			      "%s before %s", before.name, e.name);
		ck_assert_msg(strchr(e.terms, '=') && !strstr(e.terms, "None"), "%s", e.terms);
		before = e;
	}
	tables__free(t);
}
END_TEST

START_TEST(every_metric_is_found_by_name)
{
	struct tables *t = open_model(tables__model_name(_i));
	struct metric_info m, other, before = { .name = "", .pmu = "" };
	char name[256];

	for (int i = 0; i < tables__nr_metrics(t); i++) {
		int found;

		tables__metric(t, i, &m);
		ck_assert_str_ne(m.expr, "");
		shout(name, sizeof(name), m.name);
		found = tables__find_metric(t, m.pmu, name);
		/* If several have the same name, the first is found. */
		ck_assert_int_ge(found, 0);
		ck_assert_int_le(found, i);
		tables__metric(t, found, &other);
		ck_assert_int_eq(strcasecmp(other.name, m.name), 0);
		ck_assert_str_eq(other.pmu, m.pmu);
		if (found != i)
			ck_assert_int_le(strcmp(before.name, m.name), 0);
		ck_assert(strcmp(before.pmu, m.pmu) < 0 || strcmp(before.name, m.name) <= 0);
		before = m;
	}
	tables__free(t);
}
END_TEST

START_TEST(unknown_names)
{
	static const char *const names[] = { "",  "a", "zzz", "inst_retired", "inst_retired.any_",
					     "*", "~", "\xff" };
	struct tables *t = open_model("skylakex");

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		ck_assert_int_eq(tables__find_event(t, NULL, names[i]), -1);
		ck_assert_int_eq(tables__find_metric(t, NULL, names[i]), -1);
	}
	ck_assert_int_eq(tables__find_event(t, "cpu_core", "inst_retired.any"), -1);
	ck_assert_int_eq(tables__find_event(t, "uncore_imc", "inst_retired.any"), -1);
	tables__free(t);
	t = tables__find_model("skylakey");
	ck_assert_ptr_null(t);
	t = tables__find_model("");
	ck_assert_ptr_null(t);
	tables__free(NULL);
}
END_TEST

START_TEST(groups_and_their_descriptions)
{
	struct tables *t = open_model("skylakex");
	int topdown = -1;

	for (int i = 0; i < tables__nr_groups(t); i++) {
		if (i)
			ck_assert_int_le(strcasecmp(tables__group(t, i - 1), tables__group(t, i)),
					 0);
		if (!strcmp(tables__group(t, i), "TopdownL1"))
			topdown = i;
	}
	ck_assert_int_ge(topdown, 0);
	ck_assert_str_eq(tables__group_desc(t, "topdownl6"),
			 "Metrics for top-down breakdown at level 6");
	/* The overlay describes a group once, for all models. */
	ck_assert_str_eq(tables__group_desc(t, "topdownl1"), "Metrics for top-down breakdown at level 1");
	ck_assert_str_eq(tables__group_desc(t, "no such group"), "");
	ck_assert_str_eq(tables__group_desc(t, ""), "");
	tables__free(t);
}
END_TEST

START_TEST(counters_of_a_pmu)
{
	struct tables *t = open_model("skylakex");
	int general = -1, fixed = -1;

	ck_assert(tables__counters(t, "default_core", &general, &fixed));
	ck_assert_int_eq(general, 4);
	ck_assert_int_eq(fixed, 3);
	ck_assert(tables__counters(t, "uncore_ubox", &general, &fixed));
	ck_assert_int_eq(general, 2);
	ck_assert_int_eq(fixed, 1);
	general = fixed = -1;
	ck_assert(!tables__counters(t, "uncore_none", &general, &fixed));
	ck_assert_int_eq(general, -1);
	tables__free(t);
}
END_TEST

/* Kernels after 6.12 have newer tables: version "v1.35" or higher. */
static void assert_newer(const char *version, int least)
{
	int minor = -1;

	ck_assert_msg(sscanf(version, "v1.%d", &minor) == 1, "%s", version);
	ck_assert_int_ge(minor, least);
}

START_TEST(models_and_versions)
{
	struct tables_layer layer;
	struct tables *t;
	bool skylakex = false;

	ck_assert_int_ge(tables__nr_models(), 42);
	for (int i = 0; i < tables__nr_models(); i++)
		skylakex |= !strcmp(tables__model_name(i), "skylakex");
	ck_assert(skylakex);
	t = open_model("skylakex");
	ck_assert_str_eq(tables__model(t), "skylakex");
	tables__layer(t, 0, &layer);
	assert_newer(layer.version, 35);
	tables__free(t);
	t = tables__find("GenuineIntel-6-97-2");
	tables__layer(t, 0, &layer);
	assert_newer(layer.version, 27);
	tables__free(t);
}
END_TEST

static void assert_suggests(const char *want, bool metrics, const char *text)
{
	struct tables *t = open_model("skylakex");
	struct sb sb = SB_INIT;
	struct suggest s;

	suggest__init(&s, want);
	tables__suggest(t, metrics, &s);
	suggest__print(&s, &sb);
	ck_assert_msg(strstr(sb__str(&sb), text), "%s: %s", want, sb__str(&sb));
	sb__free(&sb);
	tables__free(t);
}

START_TEST(suggestions)
{
	assert_suggests("inst_retired.ani", false, "'inst_retired.any'");
	assert_suggests("tma_retirin", true, "'tma_retiring'");
	assert_suggests("TopdownL11", true, "'TopdownL1'");
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("tables_lookup");
	TCase *once = tcase_create("once"), *models = tcase_create("models");
	SRunner *runner;
	int failed;

	tcase_add_test(once, encodings_of_chosen_events);
	tcase_add_test(once, all_fields_of_an_event);
	tcase_add_test(once, fractions_of_a_scale_unit);
	tcase_add_test(once, all_fields_of_a_metric);
	tcase_add_test(once, hybrid_metrics_belong_to_a_pmu);
	tcase_add_test(once, constraints_and_groups_that_exclude);
	tcase_add_test(once, unknown_names);
	tcase_add_test(once, groups_and_their_descriptions);
	tcase_add_test(once, counters_of_a_pmu);
	tcase_add_test(once, models_and_versions);
	tcase_add_test(once, suggestions);
	tcase_add_loop_test(models, every_event_is_found_by_name, 0, tables__nr_models());
	tcase_add_loop_test(models, every_metric_is_found_by_name, 0, tables__nr_models());
	tcase_set_timeout(models, UNIT_TIMEOUT_S);
	suite_add_tcase(suite, once);
	suite_add_tcase(suite, models);
	runner = srunner_create(suite);
	srunner_run_all(runner, CK_ENV);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
