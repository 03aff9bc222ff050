// SPDX-License-Identifier: GPL-2.0-only
#include "unit.h"
#include "fake_sysfs.h"

#include "base/sb.h"
#include "machine/machine.h"

#define CPU "sys/devices/system/cpu/cpu"

/* Two packages; package 0 has two cores of two threads, package 1 a core of one thread. */
static const struct fake_file topology[] = {
	{ "sys/devices/system/cpu/online", "0-3,6\n" },
	{ "sys/devices/system/cpu/present", "0-7\n" },
	{ "sys/devices/system/cpu/possible", "0-7\n" },
	{ CPU "0/topology/physical_package_id", "0\n" },
	{ CPU "0/topology/die_id", "0\n" },
	{ CPU "0/topology/core_id", "0\n" },
	{ CPU "0/topology/cluster_id", "65535\n" },
	{ CPU "0/topology/core_cpus_list", "0,2\n" },
	{ CPU "0/topology/die_cpus_list", "0-3\n" },
	{ CPU "0/topology/package_cpus_list", "0-3\n" },
	{ CPU "0/cache/index0/level", "1\n" },
	{ CPU "0/cache/index0/shared_cpu_list", "0,2\n" },
	{ CPU "0/cache/index1/level", "2\n" },
	{ CPU "0/cache/index1/shared_cpu_list", "0,2\n" },
	{ CPU "0/cache/index2/level", "3\n" },
	{ CPU "0/cache/index2/shared_cpu_list", "0-3\n" },
	{ CPU "1/topology/physical_package_id", "0\n" },
	{ CPU "1/topology/die_id", "0\n" },
	{ CPU "1/topology/core_id", "1\n" },
	{ CPU "1/topology/core_cpus_list", "1,3\n" },
	{ CPU "1/topology/die_cpus_list", "0-3\n" },
	{ CPU "1/topology/package_cpus_list", "0-3\n" },
	{ CPU "2/topology/physical_package_id", "0\n" },
	{ CPU "2/topology/core_cpus_list", "0,2\n" },
	{ CPU "2/topology/die_cpus_list", "0-3\n" },
	{ CPU "2/topology/package_cpus_list", "0-3\n" },
	{ CPU "3/topology/core_id", "no number\n" },
	{ CPU "3/topology/thread_siblings_list", "1,3\n" },
	{ CPU "3/topology/die_cpus_list", "0-3\n" },
	{ CPU "3/topology/core_siblings_list", "0-3\n" },
	{ CPU "6/topology/physical_package_id", "1\n" },
	{ CPU "6/topology/core_cpus_list", "6\n" },
	{ CPU "6/topology/die_cpus_list", "6\n" },
	{ CPU "6/topology/package_cpus_list", "6\n" },
	{ CPU "6/cache/index0/level", "1\n" },
	{ CPU "6/cache/index0/shared_cpu_list", "\n" },
	{ "sys/devices/system/node/node0/cpulist", "0-3\n" },
	{ "sys/devices/system/node/node12/cpulist", "6-7\n" },
	{ "sys/devices/system/node/nodemask/cpulist", "0-7\n" },
	{ NULL, NULL },
};

static struct machine *m;
static char *root;

static void set_up(void)
{
	root = fake__new(topology);
	m = machine__new();
}

static void tear_down(void)
{
	machine__free(m);
	fake__free(root);
}

START_TEST(each_cpu_has_its_place)
{
	struct cpu cpu;

	set_up();
	machine__load_topology(m);
	machine__load_topology(m);
	ck_assert_int_eq(m->nr_cpus, 8);
	cpu = machine__cpu(m, 0);
	ck_assert_int_eq(cpu.socket, 0);
	ck_assert_int_eq(cpu.cluster, 65535);
	ck_assert_int_eq(cpu.node, 0);
	ck_assert_int_eq(machine__cpu(m, 1).core, 1);
	cpu = machine__cpu(m, 3);
	ck_assert_int_eq(cpu.core, -1);
	ck_assert_int_eq(cpu.socket, -1);
	cpu = machine__cpu(m, 6);
	ck_assert_int_eq(cpu.socket, 1);
	ck_assert_int_eq(cpu.die, -1);
	ck_assert_int_eq(cpu.node, 12);
	ck_assert_int_eq(machine__cpu(m, 5).socket, -1);
	ck_assert_int_eq(machine__cpu(m, -1).socket, -1);
	ck_assert_int_eq(machine__cpu(m, 8).node, -1);
	tear_down();
}
END_TEST

START_TEST(lists_of_siblings_are_counted)
{
	set_up();
	ck_assert_int_eq(machine__nr_packages(m), 2);
	ck_assert_int_eq(machine__nr_dies(m), 2);
	ck_assert_int_eq(machine__nr_cores(m), 3);
	ck_assert_int_eq(machine__nr_cores(m), 3);
	tear_down();
}
END_TEST

/* Make the machine again, since it reads each file only once. */
static void look_again(void)
{
	machine__free(m);
	m = machine__new();
}

START_TEST(smt_is_what_sysfs_says_or_siblings_show)
{
	set_up();
	ck_assert(machine__smt_on(m));
	fake__write(root, "sys/devices/system/cpu/smt/active", "0\n");
	ck_assert(machine__smt_on(m));
	look_again();
	ck_assert(!machine__smt_on(m));
	fake__write(root, "sys/devices/system/cpu/smt/active", "1\n");
	ck_assert(!machine__smt_on(m));
	look_again();
	ck_assert(machine__smt_on(m));
	tear_down();
}
END_TEST

START_TEST(a_list_covers_cores_with_all_their_threads)
{
	static const struct {
		const char *cpus;
		bool covers;
		const char *whole;
	} cases[] = {
		{ "0-3", true, "0-3" }, { "0,2", true, "0,2" },     { "0", false, "0,2" },
		{ "0-1", false, "0-3" }, { "6", true, "6" },	    { "1,3,6", true, "1,3,6" },
		{ "2,6", false, "0,2,6" }, { "", true, "" },
	};

	set_up();
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct cpulist list = CPULIST_INIT, whole = CPULIST_INIT;
		struct sb text = SB_INIT;

		ck_assert_int_eq(cpulist__parse("list", cases[i].cpus, &list, NULL), 0);
		ck_assert_msg(machine__covers_cores(m, &list) == cases[i].covers, "%s",
			      cases[i].cpus);
		machine__whole_cores(m, &list, &whole);
		cpulist__print(&whole, &text);
		ck_assert_str_eq(sb__str(&text), cases[i].whole);
		cpulist__free(&list);
		cpulist__free(&whole);
		sb__free(&text);
	}
	tear_down();
}
END_TEST

START_TEST(a_cache_is_named_by_its_first_cpu)
{
	int id = -7;

	set_up();
	ck_assert_int_eq(machine__cache_id(m, 0, 0, &id), 3);
	ck_assert_int_eq(id, 0);
	ck_assert_int_eq(machine__cache_id(m, 0, 2, &id), 2);
	ck_assert_int_eq(id, 0);
	ck_assert_int_eq(machine__cache_id(m, 0, 4, &id), -1);
	ck_assert_int_eq(machine__cache_id(m, 1, 0, &id), -1);
	ck_assert_int_eq(machine__cache_id(m, 6, 0, &id), 1); /* empty: the CPU itself */
	ck_assert_int_eq(id, 6);
	tear_down();
}
END_TEST

START_TEST(a_large_sparse_machine)
{
	set_up();
	machine__free(m);
	fake__write(root, "sys/devices/system/cpu/online", "0-4095,8191\n");
	fake__write(root, "sys/devices/system/cpu/possible", "0-8191\n");
	m = machine__new();
	ck_assert_int_eq(m->online.nr, 4097);
	machine__load_topology(m);
	ck_assert_int_eq(machine__cpu(m, 8191).socket, -1);
	ck_assert_int_eq(machine__cpu(m, 6).socket, 1);
	ck_assert_int_eq(m->nr_cpus, 8192);
	tear_down();
}
END_TEST

START_TEST(persistent_memory_is_announced_by_firmware)
{
	set_up();
	ck_assert(!machine__has_pmem(m));
	fake__write(root, "sys/firmware/acpi/tables/NFIT", "");
	ck_assert(machine__has_pmem(m));
	tear_down();
}
END_TEST

START_TEST(slots_per_cycle_are_a_capability_of_the_core_pmu)
{
	static const struct fake_file arm[] = {
		{ PMUS "armv8_pmuv3_0/type", "8\n" },
		{ PMUS "armv8_pmuv3_0/cpus", "0-3\n" },
		{ NULL, NULL },
	};

	set_up();
	ck_assert_int_eq(machine__slots(m), 0);
	machine__free(m);
	fake__free(root);
	root = fake__new(arm);
	fake__write(root, PMUS "armv8_pmuv3_0/caps/slots", "0x00000005\n");
	m = machine__new();
	ck_assert_int_eq(machine__slots(m), 5);
	fake__write(root, PMUS "armv8_pmuv3_0/caps/slots", "many\n");
	ck_assert_int_eq(machine__slots(m), 5);
	look_again();
	ck_assert_int_eq(machine__slots(m), 0);
	tear_down();
}
END_TEST

START_TEST(the_tsc_has_a_frequency_or_none)
{
	double hz;

	set_up();
	hz = machine__tsc_hz(m);
	ck_assert(hz == 0 || (hz > 1e8 && hz < 1e11));
	/* If CPUID does not have the frequency, the model's name has it. */
	fake__write(root, "proc/cpuinfo",
		    "vendor_id : GenuineIntel\nmodel name\t: Intel(R) Xeon(R) CPU @ 3.50GHz\n");
	ck_assert(machine__tsc_hz(m) == 3.5e9 || machine__tsc_hz(m) == hz);
	tear_down();
}
END_TEST

TMA_TEST_MAIN(machine_topology, each_cpu_has_its_place, lists_of_siblings_are_counted,
	      smt_is_what_sysfs_says_or_siblings_show, a_list_covers_cores_with_all_their_threads,
	      a_cache_is_named_by_its_first_cpu, a_large_sparse_machine,
	      persistent_memory_is_announced_by_firmware,
	      slots_per_cycle_are_a_capability_of_the_core_pmu, the_tsc_has_a_frequency_or_none)
