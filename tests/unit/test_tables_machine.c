// SPDX-License-Identifier: GPL-2.0-only
/* Tables of whole machines: several kinds of cores, system PMUs. */
#include "unit.h"
#include "fake_sysfs.h"

#include <errno.h>
#include <sys/stat.h>

#include "base/err.h"
#include "json/load.h"
#include "machine/machine.h"
#include "tables/tables.h"

#define CPU "sys/devices/system/cpu/"
#define MIDR "/regs/identification/midr_el1"

static char *root;
static struct machine *machine;

static struct tables *open_tables(const struct fake_file *files)
{
	struct tables *t;
	char path[256];

	root = fake__new(files);
	snprintf(path, sizeof(path), "%s/sys", root);
	setenv("SYSFS_PATH", path, 1);
	machine = machine__new();
	unsetenv("SYSFS_PATH");
	t = tables__of_machine(machine);
	return t;
}

static void close_tables(struct tables *t)
{
	tables__free(t);
	machine__free(machine);
	fake__free(root);
}

/* Return: the models of the layers, separated by blanks. */
static const char *layers(const struct tables *t)
{
	static char text[256];
	struct tables_layer layer;
	char *at = text;

	*at = '\0';
	for (int i = 0; t && i < tables__nr_layers(t); i++) {
		tables__layer(t, i, &layer);
		at += sprintf(at, "%s%s", i ? " " : "", layer.model);
	}
	return text;
}

START_TEST(each_kind_of_core_has_its_own)
{
	static const struct fake_file files[] = {
		{ CPU "online", "0-1\n" },
		{ CPU "cpu0" MIDR, "0x00000000410fd034\n" },
		{ CPU "cpu1" MIDR, "0x00000000410fd092\n" },
		{ PMUS "armv8_cortex_a53/type", "7\n" },
		{ PMUS "armv8_cortex_a53/cpus", "0\n" },
		{ PMUS "armv8_cortex_a73/type", "8\n" },
		{ PMUS "armv8_cortex_a73/cpus", "1\n" },
		{ NULL, NULL },
	};
	struct tables *t = open_tables(files);
	struct event_info event;

	ck_assert_str_eq(layers(t), "arm/cortex-a53 arm/cortex-a73");
	ck_assert_int_eq(tables__find_event(t, "default_core", "br_indirect_spec"), -1);
	ck_assert_int_ge(tables__find_event(t, "armv8_cortex_a53", "br_indirect_spec"), 0);
	ck_assert_int_ge(tables__find_event(t, "armv8_cortex_a73", "br_indirect_spec"), 0);
	/* Events and metrics that exist only for one type of cores. */
	ck_assert_int_ge(tables__find_event(t, "armv8_cortex_a53", "stall_sb_full"), 0);
	ck_assert_int_eq(tables__find_event(t, "armv8_cortex_a73", "stall_sb_full"), -1);
	tables__event(t, tables__find_event(t, NULL, "stall_sb_full"), &event);
	ck_assert_str_eq(event.pmu, "armv8_cortex_a53");
	close_tables(t);
}
END_TEST

START_TEST(one_kind_of_core)
{
	static const struct fake_file files[] = {
		{ CPU "online", "0\n" },
		{ CPU "cpu0" MIDR, "0x00000000411fd0c1\n" },
		{ PMUS "armv8_pmuv3_0/type", "8\n" },
		{ PMUS "armv8_pmuv3_0/cpus", "0\n" },
		{ NULL, NULL },
	};
	struct tables *t = open_tables(files);

	ck_assert_str_eq(layers(t), "arm/neoverse-n1");
	ck_assert_int_ge(tables__find_event(t, "default_core", "bus_access"), 0);
	close_tables(t);
}
END_TEST

START_TEST(system_pmus_by_their_identifier)
{
	static const struct fake_file files[] = {
		{ CPU "online", "0\n" },
		{ CPU "cpu0" MIDR, "0x00000000480fd020\n" },
		{ PMUS "armv8_pmuv3_0/type", "8\n" },
		{ PMUS "armv8_pmuv3_0/cpus", "0\n" },
		{ PMUS "imx8_ddr0/type", "9\n" },
		{ PMUS "imx8_ddr0/cpumask", "0\n" },
		{ PMUS "imx8_ddr0/identifier", "i.MX8MN\n" },
		{ PMUS "hisi_sicl2_cpa0/type", "10\n" },
		{ PMUS "hisi_sicl2_cpa0/cpumask", "0\n" },
		{ PMUS "hisi_sicl2_cpa0/identifier", "0x00000030\n" },
		{ PMUS "arm_cmn_0/type", "11\n" },
		{ PMUS "arm_cmn_0/cpumask", "0\n" },
		{ PMUS "arm_cmn_0/identifier", "99901\n" },
		{ PMUS "ali_drw_27080/type", "12\n" },
		{ PMUS "ali_drw_27080/cpumask", "0\n" },
		{ NULL, NULL },
	};
	struct tables *t = open_tables(files);
	struct event_info event;
	int found;

	/* It has neither the mesh of another version, nor a mesh whose version is unknown. */
	ck_assert_str_eq(layers(t), "freescale/imx8mn/sys hisilicon/hip09/sys");
	found = tables__find_unit_event(t, machine__pmu(machine, "imx8_ddr0"), "imx8mn_ddr.cycles");
	ck_assert_int_ge(found, 0);
	tables__event(t, found, &event);
	ck_assert_str_eq(event.terms, "event=0");
	ck_assert_str_eq(event.compat, "i.MX8MN");
	found = tables__find_unit_event(t, machine__pmu(machine, "hisi_sicl2_cpa0"), "CPA_CYCLES");
	ck_assert_int_ge(found, 0);
	ck_assert_int_eq(tables__find_unit_event(t, machine__pmu(machine, "arm_cmn_0"),
						 "cpa_cycles"),
			 -1);
	ck_assert_int_ge(tables__find_metric(t, NULL, "imx8mn_ddr_read.all"), 0);
	close_tables(t);
}
END_TEST

#define SYS_EVENT(unit, name, compat) \
	"{\"Unit\":\"" unit "\",\"EventName\":\"" name "\",\"EventCode\":\"1\",\"Compat\":\"" \
	compat "\"}"

static void write_below(const char *dir, const char *name, const char *content)
{
	char path[256];
	FILE *f;

	snprintf(path, sizeof(path), "%s/%s", root, dir);
	ck_assert(!mkdir(path, 0755) || errno == EEXIST);
	snprintf(path, sizeof(path), "%s/%s/%s", root, dir, name);
	f = fopen(path, "w");
	ck_assert_ptr_nonnull(f);
	fputs(content, f);
	ck_assert_int_eq(fclose(f), 0);
}

/* In a tree that is loaded, each record has its own pattern. */
START_TEST(system_pmus_of_what_is_loaded)
{
	static const struct fake_file files[] = {
		{ CPU "online", "0\n" },
		{ CPU "cpu0" MIDR, "0x00000000480fd020\n" },
		{ PMUS "armv8_pmuv3_0/type", "8\n" },
		{ PMUS "armv8_pmuv3_0/cpus", "0\n" },
		{ PMUS "imx8_ddr0/type", "9\n" },
		{ PMUS "imx8_ddr0/cpumask", "0\n" },
		{ PMUS "imx8_ddr0/identifier", "rev2\n" },
		{ NULL, NULL },
	};
	struct tables *t = open_tables(files);
	struct load_options opts = { .cpuid = "A-1" };
	struct err err = ERR_INIT;
	struct tables_layer layer;
	char path[256];
	int top;

	write_below("tree", "mapfile.csv", "A-1,v1,m,core\n");
	write_below("tree/m", "e.json", "[{\"EventName\":\"E\",\"EventCode\":\"1\"}]");
	write_below("tree/my", "readme", "");
	write_below("tree/my/sys", "ddr.json",
		    "[" SYS_EVENT("imx8_ddr", "A", "rev1") "," SYS_EVENT("imx8_ddr", "B", "rev[12]") ","
		    SYS_EVENT("other", "C", "rev2") "," SYS_EVENT("imx8_ddr", "D", "rev2") ","
		    "{\"MetricName\":\"old\",\"MetricExpr\":\"a\",\"Compat\":\"rev1\"},"
		    "{\"MetricName\":\"new\",\"MetricExpr\":\"d\",\"Compat\":\"rev2\"}]");
	write_below("tree/your", "readme", "");
	write_below("tree/your/sys", "ddr.json", "[" SYS_EVENT("imx8_ddr", "F", "rev3") "]");
	snprintf(path, sizeof(path), "%s/tree", root);
	opts.path = path;
	ck_assert_msg(!tables__load(&t, &opts, NULL, &err), "%s", err.msg);
	tables__add_loaded_system(&t, machine);
	ck_assert_msg(strstr(layers(t), "m my/sys"), "%s", layers(t));
	ck_assert_ptr_null(strstr(layers(t), "your"));
	top = tables__nr_layers(t) - 1;
	tables__layer(t, top, &layer);
	ck_assert_str_eq(layer.origin, path);
	ck_assert_int_eq(layer.nr_events, 2);
	ck_assert_int_eq(layer.nr_metrics, 1);
	ck_assert_int_eq(tables__find_event(t, "imx8_ddr", "a"), -1);
	ck_assert_int_ge(tables__find_event(t, "imx8_ddr", "b"), 0);
	ck_assert_int_eq(tables__find_event(t, NULL, "c"), -1);
	ck_assert_int_ge(tables__find_event(t, "imx8_ddr", "d"), 0);
	ck_assert_int_eq(tables__find_metric(t, NULL, "old"), -1);
	ck_assert_int_ge(tables__find_metric(t, NULL, "new"), 0);
	close_tables(t);
}
END_TEST

START_TEST(tables_of_the_tests_of_perf)
{
	static const struct fake_file files[] = {
		{ PMUS "cpu/type", "4\n" },
		{ PMUS "uncore_sys_ddr_pmu0/type", "9\n" },
		{ PMUS "uncore_sys_ddr_pmu0/cpumask", "0\n" },
		{ PMUS "uncore_sys_ddr_pmu0/identifier", "v8\n" },
		{ NULL, NULL },
	};
	struct tables *t;

	setenv("PERF_CPUID", "testcpu", 1);
	t = open_tables(files);
	unsetenv("PERF_CPUID");
	ck_assert_str_eq(layers(t), "test_soc/cpu test_soc/sys");
	ck_assert_int_ge(tables__find_event(t, "default_core", "l3_cache_rd"), 0);
	ck_assert_int_ge(tables__find_unit_event(t, machine__pmu(machine, "uncore_sys_ddr_pmu0"),
						 "sys_ddr_pmu.write_cycles"),
			 0);
	close_tables(t);
}
END_TEST

START_TEST(the_machine_without_tables)
{
	static const struct fake_file files[] = {
		{ CPU "online", "0\n" },
		{ NULL, NULL },
	};
	struct tables *t;

	setenv("PERF_CPUID", "Nobody-1-2-3", 1);
	t = open_tables(files);
	unsetenv("PERF_CPUID");
	ck_assert_ptr_null(t);
	close_tables(t);
}
END_TEST

#define DEVICES "sys/bus/event_source/devices/"

/* P-cores and E-cores of a model without tables. Only P-cores have the events of level 2. */
START_TEST(events_of_sysfs_make_level_1)
{
	static const struct fake_file files[] = {
		{CPU "online", "0-3\n"},
		{DEVICES "cpu_core/type", "4\n"},
		{DEVICES "cpu_core/cpus", "0-1\n"},
		{DEVICES "cpu_core/events/slots", "event=0x00,umask=0x4\n"},
		{DEVICES "cpu_core/events/topdown-retiring", "event=0x00,umask=0x80\n"},
		{DEVICES "cpu_core/events/topdown-bad-spec", "event=0x00,umask=0x81\n"},
		{DEVICES "cpu_core/events/topdown-fe-bound", "event=0x00,umask=0x82\n"},
		{DEVICES "cpu_core/events/topdown-be-bound", "event=0x00,umask=0x83\n"},
		{DEVICES "cpu_core/events/topdown-heavy-ops", "event=0x00,umask=0x84\n"},
		{DEVICES "cpu_core/events/topdown-br-mispredict", "event=0x00,umask=0x85\n"},
		{DEVICES "cpu_core/events/topdown-fetch-lat", "event=0x00,umask=0x86\n"},
		{DEVICES "cpu_core/events/topdown-mem-bound", "event=0x00,umask=0x87\n"},
		{DEVICES "cpu_atom/type", "10\n"},
		{DEVICES "cpu_atom/cpus", "2-3\n"},
		{DEVICES "cpu_atom/events/topdown-retiring", "event=0x72\n"},
		{DEVICES "cpu_atom/events/topdown-bad-spec", "event=0x73\n"},
		{DEVICES "cpu_atom/events/topdown-fe-bound", "event=0x71\n"},
		{DEVICES "cpu_atom/events/topdown-be-bound", "event=0x74\n"},
		{NULL, NULL},
	};
	struct tables_layer layer;
	struct tables *t;

	setenv("PERF_CPUID", "GenuineIntel-6-FE-1", 1);
	t = open_tables(files);
	ck_assert_str_eq(layers(t), "topdown topdown-level2 topdown");
	tables__layer(t, 0, &layer);
	ck_assert(layer.sysfs);
	ck_assert(!tables__name_cpu(t));
	ck_assert_int_ge(tables__find_metric(t, "cpu_core", "tma_memory_bound"), 0);
	ck_assert_int_ge(tables__find_metric(t, "cpu_atom", "tma_retiring"), 0);
	ck_assert_int_lt(tables__find_metric(t, "cpu_atom", "tma_memory_bound"), 0);
	close_tables(t);

	/* The layer "topdown" has level 1 for the P-cores. */
	setenv("PERF_CPUID", "GenuineIntel-18-1-0", 1);
	t = open_tables(files);
	ck_assert_str_eq(layers(t), "novalake topdown");
	ck_assert(tables__name_cpu(t));
	ck_assert_str_eq(tables__model(t), "novalake");
	close_tables(t);

	setenv("PERF_CPUID", "GenuineIntel-6-97-2", 1);
	t = open_tables(files);
	ck_assert_str_eq(layers(t), "alderlake");
	close_tables(t);
	unsetenv("PERF_CPUID");
}
END_TEST

START_TEST(one_missing_event_prevents_all_metrics)
{
	static const struct fake_file files[] = {
		{CPU "online", "0\n"},
		{DEVICES "cpu/type", "4\n"},
		{DEVICES "cpu/events/topdown-retiring", "event=0x72\n"},
		{DEVICES "cpu/events/topdown-bad-spec", "event=0x73\n"},
		{DEVICES "cpu/events/topdown-fe-bound", "event=0x71\n"},
		{DEVICES "cpu/events/topdown-heavy-ops", "event=0x00,umask=0x84\n"},
		{DEVICES "cpu/events/topdown-br-mispredict", "event=0x00,umask=0x85\n"},
		{DEVICES "cpu/events/topdown-fetch-lat", "event=0x00,umask=0x86\n"},
		{DEVICES "cpu/events/topdown-mem-bound", "event=0x00,umask=0x87\n"},
		{NULL, NULL},
	};
	struct tables *t;

	setenv("PERF_CPUID", "GenuineIntel-6-FE-1", 1);
	t = open_tables(files);
	unsetenv("PERF_CPUID");
	ck_assert_ptr_null(t);
	close_tables(t);
}
END_TEST

static void check_family(const char *cpuid, const char *family, bool known)
{
	char name[64];
	int nr = tables__family(cpuid, name, sizeof(name));

	ck_assert_str_eq(name, family);
	ck_assert_int_eq(nr > 0, known);
}

START_TEST(family_is_told_of_an_id)
{
	check_family("GenuineIntel-6-FE-1", "GenuineIntel-6", true);
	check_family("AuthenticAMD-26-F0-1", "AuthenticAMD-26", true);
	check_family("AuthenticAMD-27-1-1", "AuthenticAMD-27", false);
	check_family("0x00000000410fd990", "0x41", true);
	check_family("0x00000000990fd990", "0x99", false);
	check_family("0x489-0x8000000000000007-0x0", "", false);
	check_family("GenuineIntel-6", "", false);
	check_family("", "", false);
}
END_TEST

TMA_TEST_MAIN(tables_machine, events_of_sysfs_make_level_1, one_missing_event_prevents_all_metrics,
	      family_is_told_of_an_id, each_kind_of_core_has_its_own, one_kind_of_core,
	      system_pmus_by_their_identifier, system_pmus_of_what_is_loaded,
	      tables_of_the_tests_of_perf, the_machine_without_tables)
