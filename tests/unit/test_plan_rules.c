// SPDX-License-Identifier: GPL-2.0-only
/*
 * Events to which the kernel applies other rules than the tables. tests/kernel compares these with
 * a real kernel.
 */
#include "events_fixture.h"

#include "plan/counters.h"

#define FIXED(i) (1ULL << (FIT_FIXED + (i)))

/* Return: which counters of the machine's PMU "cpu" an event needs. */
static struct fit_event need(const char *text)
{
	struct fit_pmu counters = counters__on(&scope, machine__pmu(machine, "cpu"));

	parse_ok(text);
	return counters__need(tables, &counters, list.at[0]);
}

static struct fit_event need_on_atom(const char *text)
{
	struct fit_pmu counters = counters__on(&scope, machine__pmu(machine, "cpu_atom"));

	parse_ok(text);
	return counters__need(tables, &counters, list.at[0]);
}

START_TEST(loads_of_haswell_keep_half_a_core)
{
	set_up(fake_xeon, "GenuineIntel-6-3F-2");
	ck_assert_int_eq(counters__on(&scope, machine__pmu(machine, "cpu")).exclusive_most, 2);
	ck_assert(need("MEM_LOAD_UOPS_RETIRED.L1_HIT").exclusive);
	ck_assert(need("L1-dcache-loads").exclusive);
	ck_assert(!need("L1-dcache-load-misses").exclusive);
	ck_assert(!need("UOPS_ISSUED.ANY").exclusive);
	tear_down();
	/* Broadwell no longer has this erratum. */
	set_up(fake_xeon, "GenuineIntel-6-4F-1");
	ck_assert_int_eq(counters__on(&scope, machine__pmu(machine, "cpu")).exclusive_most, 0);
	ck_assert(!need("MEM_LOAD_UOPS_RETIRED.L1_HIT").exclusive);
	tear_down();
}
END_TEST

START_TEST(events_of_caches_have_registers_and_counters)
{
	set_up_xeon();
	ck_assert_int_eq(need("LLC-loads").reg, FIT_OFFCORE_RSP);
	ck_assert_int_eq(need("node-load-misses").reg, FIT_OFFCORE_RSP);
	ck_assert(need("LLC-loads").value != need("LLC-stores").value);
	ck_assert_uint_eq(need("LLC-loads").counters, 0xf);
	ck_assert_uint_eq(need("dTLB-load-misses").counters, 0xf);
	ck_assert_uint_eq(need("branch-loads").counters, 0);
	ck_assert_int_eq(need("L1-dcache-loads").reg, FIT_NO_REGISTER);
	tear_down();
	set_up(fake_xeon, "GenuineIntel-6-55-4");
	ck_assert_uint_eq(need("dTLB-load-misses").counters, 0);
	tear_down();
}
END_TEST

START_TEST(codes_of_one_counter_or_more)
{
	set_up(fake_xeon, "GenuineIntel-6-55-4");
	ck_assert_uint_eq(need("INST_RETIRED.TOTAL_CYCLES_PS").counters, 1 << 1);
	ck_assert_uint_eq(need("ref-cycles").counters, FIXED(2));
	tear_down();
	set_up(fake_xeon, "GenuineIntel-6-8F-8");
	ck_assert_uint_eq(need("CYCLE_ACTIVITY.STALLS_L2_MISS").counters, 0xff);
	ck_assert_uint_eq(need("CPU_CLK_UNHALTED.REF_TSC_P").counters, 0xff | FIXED(2));
	ck_assert_uint_eq(need("ref-cycles").counters, 0xff | FIXED(2));
	ck_assert_uint_eq(need("bus-cycles").counters, 0xff | FIXED(2));
	tear_down();
	set_up(fake_xeon, "GenuineIntel-6-2D-7");
	ck_assert_uint_eq(need("CPU_CLK_UNHALTED.THREAD_ANY").counters & ~0xffffffffULL, FIXED(1));
	tear_down();
}
END_TEST

START_TEST(e_cores_of_lunar_lake_have_seven_fixed_counters)
{
	set_up(fake_alderlake, "GenuineIntel-6-BD-1");
	ck_assert_uint_eq(need_on_atom("cpu_atom/TOPDOWN_RETIRING.ALL_P/").counters, 0xff | FIXED(6));
	ck_assert_uint_eq(need_on_atom("cpu_atom/TOPDOWN_FE_BOUND.ALL_P/").counters, 0xff | FIXED(5));
	ck_assert_uint_eq(need_on_atom("cpu_atom/TOPDOWN_BAD_SPECULATION.ALL_P/").counters,
			  0xff | FIXED(4));
	tear_down();
}
END_TEST

START_TEST(large_increments_of_amd_are_pairs)
{
	set_up(fake_xeon, "AuthenticAMD-25-11-1");
	ck_assert(need("FP_RET_SSE_AVX_OPS.ALL").pair);
	ck_assert(need("cpu/event=0x03,umask=1/").pair);
	ck_assert(!need("EX_RET_INSTR").pair);
	tear_down();
}
END_TEST

TMA_TEST_MAIN(plan_rules, loads_of_haswell_keep_half_a_core,
	      events_of_caches_have_registers_and_counters, codes_of_one_counter_or_more,
	      e_cores_of_lunar_lake_have_seven_fixed_counters, large_increments_of_amd_are_pairs)
