// SPDX-License-Identifier: GPL-2.0-only
/* How many counters a PMU's events use, and whether all can be counted at the same time. */
#include "events_fixture.h"

#include "plan/load.h"

static const struct pmu *cpu;

/* Skylake: four general counters for each thread, and three fixed ones. */
static void begin(void)
{
	set_up(fake_xeon, "GenuineIntel-6-55-4");
	cpu = machine__core_pmu(machine, 0);
}

static enum load_fit fit_of(const char *text)
{
	parse_ok(text);
	return load__fit(tables, &list, cpu);
}

START_TEST(as_many_as_there_are_counters_fit)
{
	begin();
	ck_assert_int_eq(fit_of("r11,r22,r33,r44,cycles,instructions"), LOAD_FITS);
	ck_assert_int_eq(fit_of("r11,r22,r33,r44,r55"), LOAD_TAKES_TURNS);
	/* Events of other PMUs use none of these counters. */
	ck_assert_int_eq(fit_of("r11,r22,r33,r44,task-clock,duration_time"), LOAD_FITS);
	ck_assert_int_eq(load__fit(NULL, &list, cpu), LOAD_NOT_KNOWN);
	tear_down();
}
END_TEST

START_TEST(the_watchdog_holds_the_counter_of_cycles)
{
	begin();
	machine->nmi_watchdog = true;
	ck_assert_int_eq(fit_of("r11,r22,r33,cycles"), LOAD_FITS);
	ck_assert_int_eq(fit_of("r11,r22,r33,r44,cycles"), LOAD_FITS_WITHOUT_WATCHDOG);
	ck_assert_int_eq(fit_of("r11,r22,r33,r44,r55"), LOAD_TAKES_TURNS);
	tear_down();
}
END_TEST

START_TEST(what_groups_have_in_common_counts_once_without_the_watchdog)
{
	begin();
	machine->nmi_watchdog = true;
	ck_assert_int_eq(fit_of("{r11,r22,r33},{r11,r22,r44},cycles"), LOAD_FITS_WITHOUT_WATCHDOG);
	machine->nmi_watchdog = false;
	ck_assert_int_eq(fit_of("{r11,r22,r33},{r11,r22,r44},cycles"), LOAD_TAKES_TURNS);
	tear_down();
}
END_TEST

START_TEST(groups_and_single_events_are_told_apart)
{
	struct load load;

	set_up_xeon();
	cpu = machine__core_pmu(machine, 0);
	parse_ok("{slots,topdown-retiring},{r11,r22},r33,cycles,task-clock");
	load = load__of(&list, cpu);
	ck_assert_int_eq(load.groups, 2);
	ck_assert_int_eq(load.with_slots, 1);
	ck_assert_int_eq(load.alone, 2);
	tear_down();
}
END_TEST

START_TEST(a_latency_is_counted_where_it_is_sampled_and_outside_of_its_group)
{
	struct load load;

	set_up_xeon();
	cpu = machine__core_pmu(machine, 0);
	parse_ok("{r11,r22}");
	list.at[1]->retire_latency = true;
	ck_assert(!load__is_counted(list.at[1]));
	ck_assert(!load__takes_turns(list.at[1]));
	load = load__of(&list, cpu);
	ck_assert_int_eq(load.groups, 0);
	ck_assert_int_eq(load.alone, 1);

	list.at[1]->sampled = true;
	ck_assert(load__takes_turns(list.at[1]));
	load = load__of(&list, cpu);
	ck_assert_int_eq(load.groups, 0);
	ck_assert_int_eq(load.alone, 2);
	tear_down();
}
END_TEST

START_TEST(the_reason_why_a_group_does_not_fit_is_told)
{
	struct sb why = SB_INIT;

	begin();
	parse_ok("{r11,r22,r33,r44}");
	load__explain_group(tables, &list, list.at[0], &why);
	ck_assert_str_eq(sb__str(&why), "");
	parse_ok("{r11,r22,r33,r44,r55}");
	load__explain_group(NULL, &list, list.at[0], &why);
	ck_assert_str_eq(sb__str(&why), "");
	load__explain_group(tables, &list, list.at[0], &why);
	ck_assert_str_eq(sb__str(&why), "r11, r22, r33, r44 and r55 have only counters 0-3");
	sb__free(&why);
	tear_down();
}
END_TEST

TMA_TEST_MAIN(plan_load, as_many_as_there_are_counters_fit,
	      the_watchdog_holds_the_counter_of_cycles,
	      what_groups_have_in_common_counts_once_without_the_watchdog,
	      groups_and_single_events_are_told_apart,
	      a_latency_is_counted_where_it_is_sampled_and_outside_of_its_group,
	      the_reason_why_a_group_does_not_fit_is_told)
