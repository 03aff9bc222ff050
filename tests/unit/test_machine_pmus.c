// SPDX-License-Identifier: GPL-2.0-only
#include "unit.h"
#include "fake_sysfs.h"

#include <limits.h>

#include "base/err.h"
#include "base/sb.h"
#include "machine/machine.h"

static struct machine *open_machine(void)
{
	struct machine *m;

	m = machine__new();
	return m;
}

static void assert_cpus(const struct cpulist *list, const char *want)
{
	struct sb sb = SB_INIT;

	cpulist__print(list, &sb);
	ck_assert_str_eq(sb__str(&sb), want);
	sb__free(&sb);
}

START_TEST(core_pmus_are_first_and_raw_before_others)
{
	char *root = fake__new(fake_alderlake);
	struct machine *m = open_machine();

	ck_assert(machine__is_hybrid(m));
	ck_assert_int_eq(machine__nr_core_pmus(m), 2);
	ck_assert_str_eq(machine__core_pmu(m, 0)->name, "cpu_core");
	ck_assert_uint_eq(machine__core_pmu(m, 0)->type, 4);
	assert_cpus(&machine__core_pmu(m, 0)->cpus, "0-3");
	ck_assert_str_eq(machine__core_pmu(m, 1)->name, "cpu_atom");
	ck_assert_ptr_null(machine__core_pmu(m, 2));
	assert_cpus(&m->online, "0-5");
	assert_cpus(&m->possible, "0-7");
	ck_assert_int_eq(m->paranoid, 2);
	machine__free(m);
	fake__free(root);
}
END_TEST

START_TEST(instances_are_in_the_order_of_their_numbers)
{
	char *root = fake__new(fake_xeon);
	struct machine *m = open_machine();
	struct pmu *imc = machine__pmu(m, "uncore_imc_2");

	ck_assert(!machine__is_hybrid(m));
	ck_assert_str_eq(m->pmus[0]->name, "cpu");
	ck_assert_ptr_nonnull(imc);
	ck_assert_str_eq(m->pmus[imc->order - 1]->name, "uncore_imc_0");
	ck_assert_str_eq(m->pmus[imc->order + 1]->name, "uncore_imc_10");
	ck_assert(imc->is_uncore && imc->has_cpus && !imc->is_core);
	assert_cpus(&imc->cpus, "0,2");
	ck_assert_ptr_eq(machine__pmu_by_type(m, 31), imc);
	ck_assert_str_eq(machine__pmu_by_type(m, 1)->name, "software");
	ck_assert_str_eq(machine__pmu_by_type(m, 4)->name, "cpu");
	ck_assert_ptr_null(machine__pmu_by_type(m, 0));
	ck_assert_ptr_null(machine__pmu_by_type(m, 99));
	ck_assert_ptr_null(machine__pmu(m, "uncore_imc"));
	machine__free(m);
	fake__free(root);
}
END_TEST

START_TEST(formats_are_bits_of_a_word)
{
	char *root = fake__new(fake_xeon);
	const struct pmu_format *f;
	struct machine *m;

	fake__write(root, PMUS "cpu/format/odd", "config2:3,7-9,63\n");
	fake__write(root, PMUS "cpu/format/future", "config7:0-1\n");
	fake__write(root, PMUS "cpu/format/garbage", "config:9-3\n");
	fake__write(root, PMUS "cpu/format/beyond", "config:60-64\n");
	fake__write(root, PMUS "cpu/format/empty", "");
	m = open_machine();
	f = pmu__format(machine__pmu(m, "uncore_cha_0"), "umask");
	ck_assert_uint_eq(f->bits[0], 0x00ffffff0000ff00);
	ck_assert_uint_eq(f->bits[1], 0);
	f = pmu__format(machine__pmu(m, "cpu"), "offcore_rsp");
	ck_assert_uint_eq(f->bits[1], UINT64_MAX);
	f = pmu__format(machine__pmu(m, "cpu"), "odd");
	ck_assert_uint_eq(f->bits[2], 0x8000000000000388);
	for (const char *const *bad =
		     (const char *const[]){ "future", "garbage", "beyond", "empty", NULL };
	     *bad; bad++) {
		f = pmu__format(machine__pmu(m, "cpu"), *bad);
		ck_assert_ptr_nonnull(f);
		ck_assert_uint_eq(f->bits[0] | f->bits[1] | f->bits[2] | f->bits[3], 0);
	}
	ck_assert_ptr_null(pmu__format(machine__pmu(m, "cpu"), "nothing"));
	ck_assert_ptr_null(pmu__format(machine__pmu(m, "software"), "event"));
	ck_assert_int_eq(machine__pmu(m, "software")->nr_formats, 0);
	machine__free(m);
	fake__free(root);
}
END_TEST

START_TEST(named_events_have_scale_and_unit)
{
	char *root = fake__new(fake_xeon);
	const struct pmu_event *e;
	struct machine *m;
	struct pmu *power;

	fake__write(root, PMUS "power/events/temp", "event=0x09\n");
	fake__write(root, PMUS "power/events/temp.snapshot", "1\n");
	fake__write(root, PMUS "power/events/temp.per-pkg", "1\n");
	fake__write(root, PMUS "power/events/bad", "event=0x0a\n");
	fake__write(root, PMUS "power/events/bad.scale", "much\n");
	m = open_machine();
	power = machine__pmu(m, "power");
	e = pmu__event(power, "ENERGY-pkg");
	ck_assert_ptr_nonnull(e);
	ck_assert_str_eq(e->name, "energy-pkg");
	ck_assert_str_eq(e->terms, "event=0x02");
	ck_assert_str_eq(e->unit, "Joules");
	ck_assert_double_eq(e->scale, 2.3283064365386962890625e-10);
	ck_assert(!e->per_pkg && !e->snapshot);
	e = pmu__event(power, "temp");
	ck_assert(e->per_pkg && e->snapshot);
	ck_assert_str_eq(e->unit, "");
	ck_assert_double_eq(pmu__event(power, "bad")->scale, 1.0);
	ck_assert(pmu__has_event(power, "temp"));
	ck_assert(!pmu__has_event(power, "temp.snapshot"));
	ck_assert_ptr_null(pmu__event(power, "energy"));
	ck_assert_int_eq(power->nr_events, 3);
	machine__free(m);
	fake__free(root);
}
END_TEST

START_TEST(a_pmu_with_garbage_is_left_out)
{
	char *root = fake__new(fake_xeon), huge[8192];
	struct machine *m;

	memset(huge, '1', sizeof(huge) - 1);
	huge[sizeof(huge) - 1] = '\0';
	fake__write(root, PMUS "no_type/events/x", "event=1\n");
	fake__write(root, PMUS "empty/type", "");
	fake__write(root, PMUS "huge/type", huge);
	fake__write(root, PMUS "words/type", "seven\n");
	fake__write(root, PMUS "uncore_mask/type", "50\n");
	fake__write(root, PMUS "uncore_mask/cpumask", "0-x\n");
	fake__write(root, PMUS "lone/cpus", "0-1\n"); /* a core PMU without a type */
	fake__write(root, PMUS "good/type", "51\n");
	fake__write(root, PMUS "good/events/huge", huge);
	m = open_machine();
	for (const char *const *bad = (const char *const[]){ "no_type", "empty", "huge", "words",
							     "uncore_mask", "lone", NULL };
	     *bad; bad++)
		ck_assert_msg(!machine__pmu(m, *bad), "%s is taken for a PMU", *bad);
	ck_assert_int_eq(machine__nr_core_pmus(m), 1);
	ck_assert_ptr_nonnull(machine__pmu(m, "good"));
	ck_assert_ptr_null(pmu__event(machine__pmu(m, "good"), "huge"));
	machine__free(m);
	fake__free(root);
}
END_TEST

START_TEST(cpus_of_a_core_pmu_may_be_odd_or_none) /* R24 */
{
	char *root = fake__new(fake_alderlake);
	struct machine *m;

	fake__write(root, PMUS "cpu_core/cpus", "0,2-3\n");
	fake__write(root, PMUS "cpu_atom/cpus", "\n");
	m = open_machine();
	assert_cpus(&machine__core_pmu(m, 0)->cpus, "0,2-3");
	ck_assert_int_eq(machine__core_pmu(m, 1)->cpus.nr, 0);
	ck_assert(machine__core_pmu(m, 1)->has_cpus);
	machine__free(m);
	fake__free(root);
}
END_TEST

START_TEST(no_sysfs_is_a_machine_without_pmus)
{
	char *root = fake__new(NULL);
	struct machine *m = open_machine();

	ck_assert_int_eq(m->nr_pmus, 0);
	ck_assert_int_eq(machine__nr_core_pmus(m), 0);
	ck_assert(!machine__is_hybrid(m));
	ck_assert_ptr_null(machine__core_pmu(m, 0));
	ck_assert_ptr_null(machine__pmu(m, "cpu"));
	ck_assert_int_gt(m->online.nr, 0);
	ck_assert(!m->nmi_watchdog);
	machine__free(m);
	fake__write(root, "proc/sys/kernel/nmi_watchdog", "1\n");
	m = open_machine();
	ck_assert(m->nmi_watchdog);
	machine__free(m);
	fake__free(root);
}
END_TEST

START_TEST(limits_that_sysfs_lacks_are_unknown)
{
	struct machine *m;

	setenv("SYSFS_PATH", "/nonexistent", 1);
	setenv("PROCFS_PATH", "/nonexistent", 1);
	m = open_machine();
	ck_assert_int_eq(m->paranoid, INT_MIN);
	ck_assert(!m->nmi_watchdog);
	machine__free(m);
	unsetenv("SYSFS_PATH");
	unsetenv("PROCFS_PATH");
}
END_TEST

START_TEST(instance_numbers_are_cut_off_names)
{
	static const struct {
		const char *name;
		int len;
	} cases[] = {
		{ "uncore_imc_0", 10 },
		{ "uncore_imc_10", 10 },
		{ "uncore_cha_13a", 10 },
		{ "cpum_cf", 7 },
		{ "uncore_imc", 10 },
		{ "cpu_core", 8 },
		{ "breakpoint", 10 },
		{ "i915", 4 },
		{ "_0", 2 },
		{ "uncore_m2m_0_ab", 15 },
		{ "", 0 },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++)
		ck_assert_msg(pmu__base_len(cases[i].name) == cases[i].len, "%s: %d", cases[i].name,
			      pmu__base_len(cases[i].name));
}
END_TEST

START_TEST(names_match_instances_and_globs)
{
	char *root = fake__new(fake_xeon), name[64];
	struct machine *m;
	struct pmu *imc, *cha;

	fake__write(root, PMUS "uncore_cha_1/alias", "uncore_type_0_1\n");
	m = open_machine();
	imc = machine__pmu(m, "uncore_imc_10");
	cha = machine__pmu(m, "uncore_cha_1");
	ck_assert(pmu__matches(imc, "uncore_imc_10"));
	ck_assert(pmu__matches(imc, "uncore_imc"));
	ck_assert(pmu__matches(imc, "imc"));
	ck_assert(pmu__matches(imc, "imc_10"));
	ck_assert(pmu__matches(imc, "imc_*"));
	ck_assert(pmu__matches(imc, "uncore_*"));
	ck_assert(pmu__matches(imc, "imc_1")); /* with "0" after it, as in perf */
	ck_assert(!pmu__matches(imc, "im"));
	ck_assert(!pmu__matches(imc, "imc_2"));
	ck_assert(!pmu__matches(imc, "IMC"));
	ck_assert(pmu__matches(cha, "type_0_1"));
	ck_assert_ptr_eq(machine__pmu(m, "uncore_type_0_1"), cha);
	ck_assert_str_eq(pmu__table_name(imc, name, sizeof(name)), "uncore_imc");
	ck_assert_str_eq(pmu__table_name(machine__pmu(m, "cpu"), name, sizeof(name)),
			 "default_core");
	ck_assert(pmu__is_software(machine__pmu(m, "msr")));
	ck_assert(!pmu__is_software(machine__pmu(m, "power")));
	ck_assert(!pmu__is_software(imc));
	machine__free(m);
	fake__free(root);
	root = fake__new(fake_alderlake);
	m = open_machine();
	ck_assert_str_eq(pmu__table_name(machine__core_pmu(m, 1), name, sizeof(name)), "cpu_atom");
	machine__free(m);
	fake__free(root);
}
END_TEST

START_TEST(perf_cpuid_is_believed)
{
	struct machine *m;

	setenv("PERF_CPUID", "Nobody-1-2-3", 1);
	m = open_machine();
	ck_assert_str_eq(m->cpuid, "Nobody-1-2-3");
	machine__free(m);
	unsetenv("PERF_CPUID");
	m = open_machine();
	ck_assert_str_ne(m->cpuid, "Nobody-1-2-3");
#if defined(__x86_64__)
	ck_assert_int_ge(strlen(m->cpuid), strlen("GenuineIntel-6-1-0"));
#endif
	machine__free(m);
}
END_TEST

TMA_TEST_MAIN(machine_pmus, core_pmus_are_first_and_raw_before_others,
	      instances_are_in_the_order_of_their_numbers, formats_are_bits_of_a_word,
	      named_events_have_scale_and_unit, a_pmu_with_garbage_is_left_out,
	      cpus_of_a_core_pmu_may_be_odd_or_none, no_sysfs_is_a_machine_without_pmus,
	      limits_that_sysfs_lacks_are_unknown, instance_numbers_are_cut_off_names,
	      names_match_instances_and_globs, perf_cpuid_is_believed)
