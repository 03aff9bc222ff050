// SPDX-License-Identifier: GPL-2.0-only
/* Names of events compared: by their words, and by the code they stand for. */
#include <linux/perf_event.h>
#include <stddef.h>
#include <string.h>

#include "record/canon.h"
#include "tables/tables.h"
#include "unit.h"

#define XEON "GenuineIntel-6-8F-8"

static void check(const char *name, const char *pmu, const char *terms, const char *modifiers)
{
	struct canon c;

	ck_assert(!canon__init(&c, name));
	ck_assert_str_eq(c.pmu, pmu);
	ck_assert_str_eq(c.terms, terms);
	ck_assert_str_eq(c.modifiers, modifiers);
	canon__free(&c);
}

START_TEST(names_are_taken_apart)
{
	check("INST_RETIRED.ANY", "", "inst_retired.any", "");
	check("cpu_core/TOPDOWN.SLOTS/", "cpu_core", "topdown.slots", "");
	check("cpu_core@TOPDOWN.SLOTS@", "cpu_core", "topdown.slots", "");
	check("cpu-clock [software]", "", "cpu-clock", "");
	check("", "", "", "");
	check("cpu//", "cpu", "", "");
	check("/", "", "", "");
}
END_TEST

START_TEST(terms_have_one_order_and_one_form)
{
	check("cpu/umask=1,EVENT=0x3C/", "cpu", "event=0x3c,umask", "");
	check("cpu@UOPS_RETIRED.MS,cmask=0x1@", "cpu", "cmask,uops_retired.ms", "");
	check("cpu/event=60,name=x,period=1000/", "cpu", "event=0x3c", "");
	check("cpu/edge,inv=1,cmask=10/", "cpu", "cmask=0xa,edge,inv", "");
}
END_TEST

START_TEST(modifiers_are_what_is_counted)
{
	check("cycles:u", "", "cycles", "u");
	check("cycles:ku", "", "cycles", "ku");
	check("cycles:uk", "", "cycles", "ku");
	check("cycles:ppu", "", "cycles", "u");
	check("cpu/cycles/uW", "cpu", "cycles", "u");
	check("cpu/cycles/:k", "cpu", "cycles", "k");
	check("sched:sched_switch", "", "sched:sched_switch", "");
	check("EV:R", "", "ev", "R");
	check("u", "", "u", "");
}
END_TEST

static struct code code_of(const char *name, const char *cpuid)
{
	struct tables *tables;
	struct canon c;
	struct code code;

	ck_assert(!tables__find(cpuid, &tables));
	ck_assert(!canon__init(&c, name));
	code = canon__code(&c, cpuid, tables, "default_core");
	canon__free(&c);
	tables__free(tables);
	return code;
}

static void check_same(const char *a, const char *b, const char *cpuid, bool same)
{
	struct code left = code_of(a, cpuid), right = code_of(b, cpuid);

	ck_assert_msg(code__equal(&left, &right) == same, "%s and %s: %#llx, %#llx", a, b,
		      (unsigned long long)left.config, (unsigned long long)right.config);
}

START_TEST(names_of_one_code_are_one_event)
{
	check_same("INST_RETIRED.ANY", "instructions", XEON, true);
	check_same("CPU_CLK_UNHALTED.THREAD", "cycles", XEON, true);
	check_same("CPU_CLK_UNHALTED.REF_TSC", "ref-cycles", XEON, true);
	check_same("TOPDOWN.SLOTS", "slots", XEON, true);
	check_same("cpu/event=0xc0/", "rc0", XEON, true);
	check_same("cpu/event=0xc4,umask=0x20/", "cpu/config=0x20c4/", XEON, true);
	check_same("cpu/event=0x3c,cmask=1/", "cpu/event=0x3c/", XEON, false);
	check_same("cpu/event=0x1c2/", "cpu/config=0x1000000c2/", "AuthenticAMD-25-11-1", true);
	check_same("instructions", "cycles", XEON, false);
}
END_TEST

START_TEST(what_is_not_known_is_nothing)
{
	check_same("no-such-event", "no-such-event", XEON, false);
	check_same("cpu/oddity=1/", "cpu/oddity=1/", XEON, false);
	check_same("cycles", "cycles", "Acme-1-2-3", false);
	check_same("", "", XEON, false);
}
END_TEST

START_TEST(generic_events_are_the_codes_of_their_cpu)
{
	struct perf_event_attr attr = { .type = PERF_TYPE_HARDWARE,
					.config = PERF_COUNT_HW_CPU_CYCLES };
	struct perf_event_attr raw = { .type = PERF_TYPE_RAW, .config = 0x3c };
	struct code generic = code__of_attr(&attr, XEON), code = code__of_attr(&raw, XEON);

	ck_assert(code__equal(&generic, &code));
	attr.config |= UINT64_C(4) << 32; /* of PMU number 4 */
	generic = code__of_attr(&attr, XEON);
	ck_assert(code__equal(&generic, &code));
	generic = code__of_attr(&attr, "AuthenticAMD-25-11-1");
	ck_assert(!code__equal(&generic, &code));
	attr.config = PERF_COUNT_HW_STALLED_CYCLES_FRONTEND;
	generic = code__of_attr(&attr, XEON);
	ck_assert(!generic.known);
	attr.type = PERF_TYPE_HW_CACHE;
	generic = code__of_attr(&attr, XEON);
	ck_assert(!generic.known);
}
END_TEST

TMA_TEST_MAIN(record_canon, names_are_taken_apart, terms_have_one_order_and_one_form,
	      modifiers_are_what_is_counted, names_of_one_code_are_one_event,
	      what_is_not_known_is_nothing, generic_events_are_the_codes_of_their_cpu)
