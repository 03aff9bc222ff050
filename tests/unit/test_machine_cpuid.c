// SPDX-License-Identifier: GPL-2.0-only
/* Ids of CPUs and of system PMUs, and the names of PMUs in tables, on arm64 and s390. */
#include "unit.h"
#include "fake_sysfs.h"

#include "base/err.h"
#include "machine/machine.h"

#define CPU "sys/devices/system/cpu/"
#define MIDR "/regs/identification/midr_el1"

/*
 * Two types of cores, PMUs of a phone and PMUs of a server. The first CPU of the big cores is
 * offline.
 */
static const struct fake_file fake_arm[] = {
	{ CPU "online", "0-3,5\n" },
	{ CPU "present", "0-5\n" },
	{ CPU "possible", "0-5\n" },
	{ CPU "cpu0" MIDR, "0x00000000410fd034\n" },
	{ CPU "cpu1" MIDR, "0x00000000410fd034\n" },
	{ CPU "cpu2" MIDR, "0x00000000410fd034\n" },
	{ CPU "cpu3" MIDR, "0x00000000410fd034\n" },
	{ CPU "cpu5" MIDR, "0x00000000410fd092\n" },
	{ PMUS "armv8_cortex_a53/type", "7\n" },
	{ PMUS "armv8_cortex_a53/cpus", "0-3\n" },
	{ PMUS "armv8_cortex_a73/type", "8\n" },
	{ PMUS "armv8_cortex_a73/cpus", "4-5\n" },
	{ PMUS "armv8_odd/type", "6\n" },
	{ PMUS "armv8_odd/cpus", "4\n" },
	{ PMUS "imx8_ddr0/type", "9\n" },
	{ PMUS "imx8_ddr0/cpumask", "5\n" },
	{ PMUS "imx8_ddr0/identifier", "i.MX8MM\n" },
	{ PMUS "hisi_sccl1_ddrc0/type", "10\n" },
	{ PMUS "hisi_sccl1_ddrc0/cpumask", "0\n" },
	{ PMUS "hisi_sccl1_ddrc0/identifier", "0x00000030\n" },
	{ PMUS "arm_cmn_0/type", "11\n" },
	{ PMUS "arm_cmn_0/cpumask", "0\n" },
	{ PMUS "software/type", "1\n" },
	{ NULL, NULL },
};

/* One kind of core. */
static const struct fake_file fake_server[] = {
	{ CPU "online", "0-1\n" },
	{ CPU "cpu0" MIDR, "0x00000000410fd490\n" },
	{ CPU "cpu1" MIDR, "0x00000000410fd490\n" },
	{ PMUS "armv8_pmuv3_0/type", "8\n" },
	{ PMUS "armv8_pmuv3_0/cpus", "0-1\n" },
	{ NULL, NULL },
};

static const struct fake_file fake_s390[] = {
	{ CPU "online", "0-1\n" },
	{ PMUS "cpum_cf/type", "8\n" },
	{ PMUS "pai_crypto/type", "9\n" },
	{ NULL, NULL },
};

static struct machine *open_machine(const char *root)
{
	struct machine *m;
	char path[256];

	snprintf(path, sizeof(path), "%s/sys", root);
	setenv("SYSFS_PATH", path, 1);
	m = machine__new();
	unsetenv("SYSFS_PATH");
	return m;
}

static void check_cpuid(const struct machine *m, const char *pmu, const char *cpuid)
{
	ck_assert_str_eq(pmu__cpuid(machine__pmu(m, pmu)), cpuid);
}

START_TEST(each_core_pmu_has_the_id_of_its_cpus)
{
	char *root = fake__new(fake_arm);
	struct machine *m = open_machine(root);

	ck_assert_int_eq(machine__nr_core_pmus(m), 3);
	ck_assert(m->has_midr && !m->cpuid_given);
	ck_assert_str_eq(m->cpuid, "0x00000000410fd034");
	check_cpuid(m, "armv8_cortex_a53", "0x00000000410fd034");
	check_cpuid(m, "armv8_cortex_a73", "0x00000000410fd092");
	/* All of its CPUs are offline. */
	check_cpuid(m, "armv8_odd", "");
	/* An uncore PMU belongs to a CPU in its mask. */
	check_cpuid(m, "imx8_ddr0", "0x00000000410fd092");
	machine__free(m);
	setenv("PERF_CPUID", "0x00000000410fd0c0", 1);
	m = open_machine(root);
	unsetenv("PERF_CPUID");
	ck_assert(m->cpuid_given);
	ck_assert_str_eq(m->cpuid, "0x00000000410fd0c0");
	check_cpuid(m, "armv8_cortex_a73", "0x00000000410fd0c0");
	machine__free(m);
	fake__free(root);
}
END_TEST

START_TEST(without_a_core_pmu_the_first_cpu_tells)
{
	static const struct fake_file files[] = {
		{ CPU "online", "2-3\n" },
		{ CPU "cpu2/regs/other", "0\n" },
		{ CPU "cpu3" MIDR, "0x00000000410fd490\n" },
		{ NULL, NULL },
	};
	char *root = fake__new(files);
	struct machine *m = open_machine(root);

	ck_assert_str_eq(m->cpuid, "0x00000000410fd490");
	machine__free(m);
	fake__free(root);
}
END_TEST

START_TEST(without_registers_the_cpu_is_asked)
{
	char *root = fake__new(fake_s390);
	struct machine *m = open_machine(root);

	ck_assert(!m->has_midr);
#if defined(__x86_64__)
	ck_assert_ptr_nonnull(strchr(m->cpuid, '-'));
#else
	ck_assert_str_eq(m->cpuid, "");
#endif
	ck_assert_str_eq(pmu__cpuid(machine__core_pmu(m, 0)), m->cpuid);
	machine__free(m);
	fake__free(root);
}
END_TEST

START_TEST(identifiers_of_system_pmus)
{
	char *root = fake__new(fake_arm);
	struct machine *m = open_machine(root);

	for (int i = 0; i < 2; i++)
		ck_assert_str_eq(pmu__identifier(machine__pmu(m, "imx8_ddr0")), "i.MX8MM");
	ck_assert_str_eq(pmu__identifier(machine__pmu(m, "hisi_sccl1_ddrc0")), "0x00000030");
	ck_assert_ptr_null(pmu__identifier(machine__pmu(m, "arm_cmn_0")));
	machine__free(m);
	fake__free(root);
}
END_TEST

static void check_table_name(const struct fake_file *files, const char *pmu, const char *want)
{
	char *root = fake__new(files), name[64];
	struct machine *m = open_machine(root);

	ck_assert_str_eq(pmu__table_name(machine__pmu(m, pmu), name, sizeof(name)), want);
	machine__free(m);
	fake__free(root);
}

START_TEST(names_of_core_pmus_in_the_tables)
{
	check_table_name(fake_server, "armv8_pmuv3_0", "default_core");
	check_table_name(fake_arm, "armv8_cortex_a53", "armv8_cortex_a53");
	check_table_name(fake_s390, "cpum_cf", "cpum_cf");
	check_table_name(fake_s390, "pai_crypto", "pai_crypto");
	check_table_name(fake_arm, "arm_cmn_0", "arm_cmn");
}
END_TEST

START_TEST(units_of_the_tables_are_pmus)
{
	static const struct {
		const char *pmu, *unit;
		bool is;
	} cases[] = {
		{ "imx8_ddr0", "imx8_ddr", true },
		{ "imx8_ddr0", "imx8_ddr0", true },
		{ "imx8_ddr0", "imx8_dd", false },
		{ "imx8_ddr0", "imx9_ddr", false },
		{ "arm_cmn_0", "arm_cmn", true },
		{ "arm_cmn_0", "default_core", false },
		{ "hisi_sccl1_ddrc0", "hisi_sccl,ddrc", true },
		{ "hisi_sccl1_ddrc0", "hisi_sccl,hha", false },
		{ "hisi_sccl1_ddrc0", "hisi_sicl,ddrc", false },
		{ "hisi_sccl1_ddrc0", "ddrc,hisi_sccl", false },
		{ "armv8_cortex_a53", "default_core", true },
		{ "armv8_cortex_a53", "armv8_cortex_a53", true },
		{ "armv8_cortex_a53", "armv8_cortex", false },
		{ "software", "default_core", false },
		{ "software", "soft", false },
	};
	char *root = fake__new(fake_arm);
	struct machine *m = open_machine(root);

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++)
		ck_assert_msg(pmu__is_table_unit(machine__pmu(m, cases[i].pmu), cases[i].unit) ==
				      cases[i].is,
			      "%s %s", cases[i].pmu, cases[i].unit);
	machine__free(m);
	fake__free(root);
}
END_TEST

static const struct fake_file fake_intel[] = {
	{ CPU "online", "0-1\n" },
	{ PMUS "cpu/type", "4\n" },
	{ NULL, NULL },
};

static bool samples_latencies(const char *cpuid)
{
	char *root = fake__new(fake_intel);
	struct machine *m;
	bool yes;

	setenv("PERF_CPUID", cpuid, 1);
	m = open_machine(root);
	unsetenv("PERF_CPUID");
	yes = machine__samples_latencies(m);
	ck_assert_int_eq(pmu__samples_latencies(machine__core_pmu(m, 0)), yes);
	machine__free(m);
	fake__free(root);
	return yes;
}

START_TEST(which_cpus_sample_latencies)
{
	ck_assert(samples_latencies("GenuineIntel-6-AD-1"));
	ck_assert(samples_latencies("GenuineIntel-6-AF"));
	ck_assert(samples_latencies("GenuineIntel-18-3-0"));
	/* Sapphire Rapids, and other ids with the same beginning or end. */
	ck_assert(!samples_latencies("GenuineIntel-6-8F-8"));
	ck_assert(!samples_latencies("GenuineIntel-6-ADD-1"));
	ck_assert(!samples_latencies("GenuineIntel-19-11-1"));
	ck_assert(!samples_latencies("AuthenticAMD-6-AD-1"));
}
END_TEST

TMA_TEST_MAIN(machine_cpuid, each_core_pmu_has_the_id_of_its_cpus,
	      without_a_core_pmu_the_first_cpu_tells, without_registers_the_cpu_is_asked,
	      identifiers_of_system_pmus, names_of_core_pmus_in_the_tables,
	      units_of_the_tables_are_pmus, which_cpus_sample_latencies)
