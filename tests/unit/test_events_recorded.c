// SPDX-License-Identifier: GPL-2.0-only
/*
 * Events of a computer of which only a recording is known: what the names mean, and codes of
 * events.
 */
#include <stddef.h>
#include <string.h>

#include "events/events.h"
#include "machine/machine.h"
#include "tables/tables.h"
#include "unit.h"

#define XEON "GenuineIntel-6-8F-8"
#define ZEN "AuthenticAMD-25-11-1"

static struct machine *machine;
static struct tables *tables;
static struct event_list list;

/* A computer of which only the CPU and the PMUs are known. */
static void set_up(const char *cpuid)
{
	machine = machine__new_recorded(cpuid, NULL);
	machine__add_pmu(machine, "cpu", PERF_TYPE_RAW);
	machine__add_pmu(machine, "software", PERF_TYPE_SOFTWARE);
	machine__add_pmu(machine, "uncore_imc_0", 20);
	machine__add_pmu(machine, "uncore_imc_1", 21);
	machine__add_pmu(machine, "msr", 30);
	machine__assume_formats(machine);
	topdown__assume_events(machine);
	tables = tables__find(cpuid);
}

static void tear_down(void)
{
	event_list__free(&list);
	tables__free(tables);
	machine__free(machine);
}

/* Find the first event that a name stands for. */
static struct event *parse_as(const char *name, const struct tables *known, bool by_name)
{
	const struct events_scope scope = {
		.machine = machine,
		.tables = known,
		.by_name = by_name,
	};

	event_list__free(&list);
	return events__parse_id(&scope, name, NULL, &list, NULL) ? NULL : list.at[0];
}

static struct event *parse(const char *name)
{
	return parse_as(name, tables, true);
}

/* Without tables, only the name is known. */
static void check(const char *name, const char *pmu, const char *terms)
{
	const struct event *e = parse_as(name, NULL, true);

	ck_assert_ptr_nonnull(e);
	ck_assert_str_eq(e->pmu ? e->pmu->name : "", pmu);
	ck_assert_str_eq(e->terms, terms);
}

START_TEST(names_are_split_into_parts)
{
	set_up(XEON);
	check("INST_RETIRED.ANY", "", "inst_retired.any=0x1");
	check("cpu/TOPDOWN.SLOTS_P/", "cpu", "topdown.slots_p=0x1");
	check("cpu@TOPDOWN.SLOTS_P@", "cpu", "topdown.slots_p=0x1");
	check("uncore_imc_1/cas_count_read/", "uncore_imc_1", "cas_count_read=0x1");
	check("imc/cas_count_read/", "uncore_imc_0", "cas_count_read=0x1");
	ck_assert_int_eq(list.nr, 2);
	check("nowhere/x,y=2/", "", "nowhere/x=0x1,y=0x2");
	check("cpu-clock", "software", "");
	check("sched:sched_switch", "", "sched_switch=0x1");
	check("cpu//", "cpu", "");
	/* These names do not mean events. */
	ck_assert_ptr_null(parse(""));
	ck_assert_ptr_null(parse("/"));
	/* An event that the user asks for must be known. */
	ck_assert_ptr_null(parse_as("INST_RETIRED.NONE", tables, false));
	ck_assert_ptr_null(parse_as("uncore_imc_1/cas_count_read/", tables, false));
	tear_down();
}
END_TEST

START_TEST(terms_have_one_order_and_one_form)
{
	set_up(XEON);
	check("cpu/umask=1,event=0x3C/", "cpu", "event=0x3c,umask=0x1");
	check("cpu/umask=1,EVENT=0x3C/", "cpu", "event=0x3c,umask=0x1");
	check("cpu@UOPS_RETIRED.MS,cmask=0x1@", "cpu", "cmask=0x1,uops_retired.ms=0x1");
	check("cpu/event=60,name=x,period=1000/", "cpu", "event=0x3c");
	check("cpu/edge,inv=1,cmask=10/", "cpu", "cmask=0xa,edge=0x1,inv=0x1");
	check("cpu/cycles,umask=2/", "cpu", "event=0x3c,umask=0x2");
	tear_down();
}
END_TEST

static void check_modes(const char *name, bool user, bool kernel, bool latency)
{
	const struct event *e = parse(name);

	ck_assert_ptr_nonnull(e);
	ck_assert_msg(e->attr.exclude_user == !user && e->attr.exclude_kernel == !kernel &&
			      e->retire_latency == latency,
		      "%s", name);
}

START_TEST(modifiers_are_what_is_counted)
{
	unsigned int modes;

	set_up(XEON);
	check_modes("cycles:u", true, false, false);
	check_modes("cycles:ku", true, true, false);
	check_modes("cycles:ppu", true, false, false);
	check_modes("cpu/cycles/uD", true, false, false);
	check_modes("cpu/cycles/:k", false, true, false);
	check_modes("sched:sched_switch", true, true, false);
	check_modes("EV:R", true, true, true);
	check_modes("EV:uR", true, false, true);
	check_modes("cpu/EV/R", true, true, true);
	check_modes("u", true, true, false);
	modes = event__modes(parse("cycles:uk"));
	ck_assert_uint_eq(event__modes(parse("cycles:ku")), modes);
	ck_assert_uint_eq(event__modes(parse("cycles")), modes);
	ck_assert_uint_ne(event__modes(parse("cycles:G")), modes);
	ck_assert_uint_ne(event__modes(parse("cycles:I")), modes);
	/* An event that does not count retired instructions has no latency. */
	ck_assert_ptr_null(parse("cpu-clock:R"));
	tear_down();
}
END_TEST

static void check_same(const char *a, const char *b, const char *cpuid, bool same)
{
	struct event *left;
	const struct event *right;

	set_up(cpuid);
	left = event__copy(parse(a));
	right = parse(b);
	ck_assert_msg(event__same_code(left, right, cpuid) == same, "%s and %s: %#llx, %#llx", a, b,
		      (unsigned long long)left->attr.config,
		      (unsigned long long)right->attr.config);
	event__free(left);
	tear_down();
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
	check_same("cpu/event=0x1c2/", "cpu/config=0x1000000c2/", ZEN, true);
	check_same("instructions", "cycles", XEON, false);
	check_same("L1-dcache-loads", "cpu/l1d/", XEON, true);
	check_same("L1-dcache-loads", "L1-dcache-stores", XEON, false);
	/* The user's own name for an event is only printed. */
	check_same("cpu/event=0xc4,name=cycles/", "cycles", XEON, false);
}
END_TEST

START_TEST(unknown_names_have_no_code)
{
	check_same("no-such-event", "no-such-event", XEON, false);
	check_same("cpu/oddity=1/", "cpu/oddity=1/", XEON, false);
	check_same("cpu/umask=0x100/", "cpu/umask=0x100/", XEON, false);
	check_same("cpu/event=0x3c/", "cpu/event=0x3c/", "Acme-1-2-3", false);
	check_same("cycles", "rc0", "Acme-1-2-3", false);
}
END_TEST

START_TEST(generic_events_are_the_codes_of_their_cpu)
{
	struct event *generic = event__new(), *raw = event__new();

	generic->attr.type = PERF_TYPE_HARDWARE;
	generic->attr.config = PERF_COUNT_HW_CPU_CYCLES;
	raw->attr.type = PERF_TYPE_RAW;
	raw->attr.config = 0x3c;
	ck_assert(event__same_code(generic, raw, XEON));
	generic->attr.config |= UINT64_C(4) << 32; /* the event's PMU has the number 4 */
	ck_assert(event__same_code(generic, raw, XEON));
	ck_assert(!event__same_code(generic, raw, ZEN));
	raw->attr.config = 0x76;
	ck_assert(event__same_code(generic, raw, ZEN));
	for (int config = 0; config <= UINT16_MAX; config++) {
		generic->attr.config = PERF_COUNT_HW_STALLED_CYCLES_FRONTEND;
		raw->attr.config = config;
		ck_assert(!event__same_code(generic, raw, XEON));
	}
	generic->attr.type = PERF_TYPE_HW_CACHE;
	raw->attr.config = generic->attr.config;
	ck_assert(!event__same_code(generic, raw, XEON));
	event__free(generic);
	event__free(raw);
}
END_TEST

START_TEST(names_with_the_same_meaning_are_recognised)
{
	struct event *core;

	set_up(XEON);
	core = event__copy(parse("cpu/cycles/"));
	ck_assert(event__same_terms(core, parse("cpu/event=0x3c/")));
	ck_assert(!event__same_terms(core, parse("cycles")));
	ck_assert(!event__same_terms(core, parse("duration_time")));
	event__free(core);
	core = event__copy(parse("cycles"));
	ck_assert(event__same_terms(core, parse("cpu-cycles")));
	ck_assert(!event__same_terms(core, parse("instructions")));
	ck_assert(!event__same_terms(core, parse("cpu-clock")));
	event__free(core);
	core = event__copy(parse("duration_time"));
	ck_assert(event__same_terms(core, parse("duration_time")));
	ck_assert(!event__same_terms(core, parse("user_time")));
	event__free(core);
	tear_down();
}
END_TEST

TMA_TEST_MAIN(events_recorded, names_are_split_into_parts, terms_have_one_order_and_one_form,
	      modifiers_are_what_is_counted, names_of_one_code_are_one_event,
	      unknown_names_have_no_code, generic_events_are_the_codes_of_their_cpu,
	      names_with_the_same_meaning_are_recognised)
