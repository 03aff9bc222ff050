// SPDX-License-Identifier: GPL-2.0-only
/* Counters that PMUs have and events need, from tables, sysfs and encodings. */
#include "events_fixture.h"

#include "plan/counters.h"

#define GENERAL 0xffffffffULL
#define FIXED(i) (1ULL << (FIT_FIXED + (i)))

static struct fit_event need(const char *text)
{
	parse_ok(text);
	return counters__need(tables, NULL, list.at[0]);
}

START_TEST(events_need_what_tables_and_encodings_say)
{
	set_up_xeon();
	/* The kernel's names, and codes that no table has, get the same counters as in tables. */
	ck_assert_uint_eq(need("cycles").counters & FIXED(1), FIXED(1));
	ck_assert_uint_eq(need("instructions").counters & FIXED(0), FIXED(0));
	ck_assert_uint_eq(need("rc0").counters & 0xff, 0xff);
	ck_assert_uint_eq(need("branch-misses").counters, 0);
	ck_assert_uint_eq(need("r8d1").counters, 0xf);
	ck_assert_uint_eq(need("r7fff").counters, 0);
	ck_assert_uint_eq(need("INST_RETIRED.PREC_DIST").counters, FIXED(0));
	ck_assert_uint_eq(need("MEM_LOAD_RETIRED.L1_MISS").counters, 0xf);
	ck_assert_uint_eq(need("cpu/MEM_LOAD_RETIRED.L1_MISS,cmask=1/u").counters, 0xf);
	ck_assert_int_eq(need("OCR.DEMAND_RFO.L3_HIT.SNOOP_HITM").reg, FIT_OFFCORE_RSP);
	tear_down();
}
END_TEST

START_TEST(parts_of_slots_are_told_by_the_pmu)
{
	set_up_alderlake();
	ck_assert_int_eq(need("cpu_core/topdown-retiring/").topdown, TOPDOWN_SLOTS);
	ck_assert_int_eq(counters__need(tables, NULL, list.at[1]).topdown, TOPDOWN_RETIRING);
	/* An ordinary event of E-cores. */
	ck_assert(!need("cpu_atom/topdown-retiring/").topdown);
	tear_down();
}
END_TEST

START_TEST(pmus_have_what_tables_say)
{
	struct fit_pmu counters;

	set_up_xeon();
	ck_assert(counters__of_pmu(tables, machine__pmu(machine, "cpu"), &counters));
	ck_assert_uint_eq(counters.counters, 0xff | FIXED(0) | FIXED(1) | FIXED(2) | FIXED(3));
	machine->nmi_watchdog = true;
	counters = counters__left_on(&scope, machine__pmu(machine, "cpu"));
	ck_assert_uint_eq(counters.taken, FIXED(1));
	ck_assert_int_eq(counters.others, 0);
	/* The NMI watchdog uses no uncore counters. */
	counters = counters__left_on(&scope, machine__pmu(machine, "uncore_cha_0"));
	ck_assert_uint_eq(counters.taken, 0);
	ck_assert_uint_eq(counters.counters & GENERAL, 0xf);
	/* Without fixed counters, the NMI watchdog may use any counter. */
	counters = fit__pmu(6, 0);
	counters__hold_for_watchdog(&counters);
	ck_assert_int_eq(counters.others, 1);
	tear_down();
}
END_TEST

START_TEST(unknown_facts_are_assumed)
{
	set_up(fake_xeon, "AuthenticAMD-25-11-1");
	scope.tables = NULL;
	ck_assert_uint_eq(counters__on(&scope, machine__pmu(machine, "cpu")).counters, 0x3f);
	tear_down();
	set_up(fake_xeon, "GenuineIntel-6-1-1");
	/* sysfs has slots, which use a fixed counter of their own. */
	ck_assert_uint_eq(counters__on(&scope, machine__pmu(machine, "cpu")).counters,
			  0xf | FIXED(0) | FIXED(1) | FIXED(2) | FIXED(3));
	/* The number of counters was found by trying. */
	machine__pmu(machine, "cpu")->general = 10;
	ck_assert_uint_eq(counters__on(&scope, machine__pmu(machine, "cpu")).counters & GENERAL, 0x3ff);
	machine__pmu(machine, "cpu")->general = 3;
	ck_assert_uint_eq(counters__on(&scope, machine__pmu(machine, "cpu")).counters & GENERAL, 7);
	tear_down();
}
END_TEST

START_TEST(what_runs_by_itself_takes_no_turn)
{
	set_up_xeon();
	ck_assert(counters__are_shared(machine__pmu(machine, "cpu")));
	ck_assert(counters__are_shared(machine__pmu(machine, "uncore_cha_1")));
	ck_assert(!counters__are_shared(machine__pmu(machine, "msr")));
	ck_assert(!counters__are_shared(machine__pmu(machine, "power")));
	ck_assert(!counters__are_shared(machine__pmu(machine, "software")));
	tear_down();
	set_up_alderlake();
	ck_assert(!counters__are_shared(machine__pmu(machine, "uncore_imc_free_running_0")));
	tear_down();
}
END_TEST

TMA_TEST_MAIN(plan_counters, events_need_what_tables_and_encodings_say,
	      parts_of_slots_are_told_by_the_pmu, pmus_have_what_tables_say,
	      unknown_facts_are_assumed, what_runs_by_itself_takes_no_turn)
