// SPDX-License-Identifier: GPL-2.0-only
/* On machines without slots and TopDown metric events, formulas use plain events. */
#include "unit.h"

#include <string.h>

#include "base/err.h"
#include "json/load.h"
#include "machine/machine.h"
#include "tables/tables.h"

#define NAME_MAX_LEN 64

static const char *const models[] = {
	"icelake",	 "icelakex",	   "rocketlake",    "tigerlake", "alderlake", "sapphirerapids",
	"emeraldrapids", "graniterapids", "meteorlake",	   "lunarlake", "arrowlake", "pantherlake",
	"novalake",
};

static struct machine *new_machine(const char *cpuid, const char *pmu)
{
	struct machine *m = machine__new_recorded(cpuid, NULL);

	machine__add_pmu(m, pmu, 4);
	return m;
}

/* Return: the PMU of a model's P-cores in its tables. */
static const char *core_of(const struct tables *t)
{
	return tables__find_metric(t, "cpu_core", "tma_retiring") < 0 ? "cpu" : "cpu_core";
}

static void check_formula(const struct metric_info *info)
{
	const char *slots = strcasestr(info->expr, "topdown.slots");

	if (strstr(info->expr, "topdown\\-"))
		ck_abort_msg("%s = %s", info->name, info->expr);
	for (; slots; slots = strcasestr(slots + 1, "topdown.slots"))
		if (strncasecmp(slots, "topdown.slots_p", strlen("topdown.slots_p")))
			ck_abort_msg("%s = %s", info->name, info->expr);
}

START_TEST(formulas_only_name_known_events)
{
	for (size_t n = 0; n < sizeof(models) / sizeof(*models); n++) {
		struct tables *t = tables__find_model(models[n]);
		const char *pmu = core_of(t);
		struct machine *m = new_machine("GenuineIntel-6-FE-1", pmu);
		struct metric_info info;
		int changed = 0;

		ck_assert(!tables__has_plain_events(t, NULL));
		tables__use_plain_events(t, m, false);
		ck_assert_msg(tables__has_plain_events(t, NULL), "%s", models[n]);
		for (int i = 0; i < tables__nr_metrics(t); i++) {
			tables__metric(t, i, &info);
			if (!strcmp(info.pmu, "cpu_atom"))
				continue;
			check_formula(&info);
			changed += info.plain;
		}
		ck_assert_int_ge(changed, 5);
		machine__free(m);
		tables__free(t);
	}
}
END_TEST

static const char *formula(const struct tables *t, const char *pmu, const char *name)
{
	struct metric_info info;

	tables__metric(t, tables__find_metric(t, pmu, name), &info);
	return info.expr;
}

START_TEST(formulas_are_those_of_the_vendor_for_virtual_machines)
{
	struct tables *t = tables__find_model("sapphirerapids");
	struct machine *m = new_machine("GenuineIntel-6-8F-8", "cpu");

	tables__use_plain_events(t, m, false);
	ck_assert_str_eq(formula(t, "default_core", "tma_retiring"),
			 "UOPS_RETIRED.SLOTS / TOPDOWN.SLOTS_P");
	ck_assert_str_eq(formula(t, "default_core", "tma_fetch_latency"),
			 "(6 * IDQ_BUBBLES.CYCLES_0_UOPS_DELIV.CORE) / TOPDOWN.SLOTS_P - "
			 "INT_MISC.UOP_DROPPING / tma_info_thread_slots");
	ck_assert_str_eq(formula(t, "default_core", "tma_info_thread_slots"), "TOPDOWN.SLOTS_P");
	ck_assert_str_eq(formula(t, "default_core", "tma_core_bound"),
			 "max(0, tma_backend_bound - tma_memory_bound)");
	tables__free(t);
	t = tables__find_model("alderlake");
	ck_assert_str_eq(machine__core_pmu(m, 0)->name, "cpu");
	machine__free(m);
	m = new_machine("GenuineIntel-6-97-2", "cpu_core");
	tables__use_plain_events(t, m, false);
	ck_assert_str_eq(formula(t, "cpu_core", "tma_memory_bound"),
			 "cpu_core@TOPDOWN.MEMORY_BOUND_SLOTS@ / cpu_core@TOPDOWN.SLOTS_P@");
	ck_assert(!strstr(formula(t, "cpu_atom", "tma_retiring"), "SLOTS_P"));
	machine__free(m);
	tables__free(t);
}
END_TEST

START_TEST(modifiers_stay_and_other_names_do_too)
{
	struct tables *t = tables__find_model("sapphirerapids");
	struct machine *m = new_machine("GenuineIntel-6-8F-8", "cpu");
	static const struct load_definition definitions[] = {
		{"a", "topdown\\-retiring:u / slots:u"},
		{"b", "my_slots + tma_info_thread_slots + topdown\\-total\\-slots"},
		{"c", "cpu@topdown\\-mem\\-bound@u / (topdown\\-fe\\-bound + cycles + slots)"},
		{"d", "(topdown\\-fe\\-bound + topdown\\-fe\\-bound + topdown\\-retiring + slots) / 2"},
	};
	struct load_options opts = {
		.path = "-M", .cpuid = "GenuineIntel-6-8F-8", .own = true,
		.definitions = definitions, .nr_definitions = 4};
	struct err err = ERR_INIT;

	ck_assert_msg(!tables__load(&t, &opts, NULL, &err), "%s", err.msg);
	tables__use_plain_events(t, m, false);
	ck_assert_str_eq(formula(t, NULL, "a"), "UOPS_RETIRED.SLOTS:u / TOPDOWN.SLOTS_P:u");
	ck_assert_str_eq(formula(t, NULL, "b"),
			 "my_slots + tma_info_thread_slots + topdown\\-total\\-slots");
	ck_assert_str_eq(formula(t, NULL, "c"),
			 "cpu@TOPDOWN.MEMORY_BOUND_SLOTS@u / (IDQ_BUBBLES.CORE + cycles + "
			 "TOPDOWN.SLOTS_P)");
	ck_assert_str_eq(formula(t, NULL, "d"),
			 "(IDQ_BUBBLES.CORE + IDQ_BUBBLES.CORE + UOPS_RETIRED.SLOTS + "
			 "TOPDOWN.SLOTS_P) / 2");
	machine__free(m);
	tables__free(t);
}
END_TEST

START_TEST(machines_with_slots_and_other_cpus_keep_theirs)
{
	struct machine *m = new_machine("GenuineIntel-6-8F-8", "cpu");
	struct tables *t = tables__find_model("sapphirerapids");

	pmu__add_event(machine__core_pmu(m, 0), "slots", "event=0x00,umask=0x4", 1);
	pmu__add_event(machine__core_pmu(m, 0), "topdown-retiring", "event=0x00,umask=0x80", 1);
	tables__use_plain_events(t, m, false);
	ck_assert(!tables__has_plain_events(t, NULL));
	machine__free(m);
	tables__free(t);
	for (int i = 0; i < 2; i++) {
		t = tables__find_model(i ? "amdzen4" : "skylakex");
		m = new_machine(i ? "AuthenticAMD-25-11-1" : "GenuineIntel-6-55-4", "cpu");
		tables__use_plain_events(t, m, false);
		ck_assert(!tables__has_plain_events(t, NULL));
		machine__free(m);
		tables__free(t);
	}
}
END_TEST

TMA_TEST_MAIN(tables_plain, formulas_only_name_known_events,
	      formulas_are_those_of_the_vendor_for_virtual_machines,
	      modifiers_stay_and_other_names_do_too, machines_with_slots_and_other_cpus_keep_theirs)
