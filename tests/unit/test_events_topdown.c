// SPDX-License-Identifier: GPL-2.0-only
/* The rules for slots and for the metric events, which are parts of slots. */
#include "events_fixture.h"

#include "base/text.h"

START_TEST(codes_and_names)
{
	static const struct {
		enum topdown is;
		unsigned int code;
		const char *name, *terms;
	} events[] = {
		{TOPDOWN_SLOTS, 0x0400, "slots", "event=0x00,umask=0x04"},
		{TOPDOWN_RETIRING, 0x8000, "topdown-retiring", "event=0x00,umask=0x80"},
		{TOPDOWN_BE_BOUND, 0x8300, "topdown-be-bound", "event=0x00,umask=0x83"},
		{TOPDOWN_HEAVY_OPS, 0x8400, "topdown-heavy-ops", "event=0x00,umask=0x84"},
		{TOPDOWN_MEM_BOUND, 0x8700, "topdown-mem-bound", "event=0x00,umask=0x87"},
	};

	for (size_t i = 0; i < sizeof(events) / sizeof(*events); i++) {
		ck_assert_int_eq(topdown__of_code(events[i].code), events[i].is);
		ck_assert_int_eq(topdown__of_name(events[i].name), events[i].is);
		ck_assert_str_eq(topdown__name(events[i].is), events[i].name);
		ck_assert_str_eq(topdown__terms(events[i].is), events[i].terms);
	}
	ck_assert_int_eq(topdown__of_name("TopDown-Retiring"), TOPDOWN_RETIRING);
	ck_assert_int_eq(topdown__of_name("topdown-total-slots"), TOPDOWN_NONE);
	ck_assert_int_eq(topdown__of_code(0), TOPDOWN_NONE);
	ck_assert_int_eq(topdown__of_code(0x8001), TOPDOWN_NONE);
	ck_assert_int_eq(topdown__of_code(0x8800), TOPDOWN_NONE);
	ck_assert_int_eq(topdown__of_code(0x10400), TOPDOWN_NONE);
}
END_TEST

START_TEST(all_but_slots_are_metric_events)
{
	ck_assert(!topdown__is_metric(TOPDOWN_NONE) && !topdown__is_metric(TOPDOWN_SLOTS));
	for (enum topdown t = TOPDOWN_RETIRING; t < TOPDOWN_NR; t++)
		ck_assert(topdown__is_metric(t));
}
END_TEST

START_TEST(metric_events_lack_slots)
{
	unsigned int slots = topdown__bit(TOPDOWN_SLOTS), metric = topdown__bit(TOPDOWN_BAD_SPEC);

	ck_assert_uint_eq(topdown__bit(TOPDOWN_NONE), 0);
	ck_assert(!topdown__lacks_slots(0) && !topdown__lacks_slots(slots));
	ck_assert(topdown__lacks_slots(metric));
	ck_assert(topdown__lacks_slots(metric | topdown__bit(TOPDOWN_RETIRING)));
	ck_assert(!topdown__lacks_slots(metric | slots));
}
END_TEST

START_TEST(the_pmu_decides_and_not_the_name)
{
	set_up_alderlake();
	ck_assert(topdown__is_on(machine__pmu(machine, "cpu_core")));
	ck_assert(!topdown__is_on(machine__pmu(machine, "cpu_atom")) && !topdown__is_on(NULL));
	ck_assert_int_eq(parse("{cpu_core/slots/,cpu_core/event=0,umask=0x82,name=foo/},"
			       "cpu_core/cycles/,cpu_atom/event=0,umask=0x82/,cs"),
			 0);
	ck_assert_int_eq(topdown__of_event(list.at[0]), TOPDOWN_SLOTS);
	ck_assert_int_eq(topdown__of_event(list.at[1]), TOPDOWN_FE_BOUND);
	for (int i = 2; i < list.nr; i++)
		ck_assert_int_eq(topdown__of_event(list.at[i]), TOPDOWN_NONE);
	tear_down();
}
END_TEST

static const char *rule_broken_by(const char *text, bool twice)
{
	ck_assert_int_eq(parse(text), 0);
	return topdown__broken_rule(list.at[list.nr - 1], twice) ?: "";
}

START_TEST(rules_that_are_broken)
{
	set_up_xeon();
	ck_assert_str_eq(rule_broken_by("slots", false), "");
	ck_assert_str_eq(rule_broken_by("{slots,topdown-retiring}", false), "");
	ck_assert_str_eq(rule_broken_by("cycles:p", true), "");
	ck_assert(strstr(rule_broken_by("slots:p", false), "cannot be precise"));
	ck_assert(strstr(rule_broken_by("{slots,cpu/topdown-retiring,cmask=1/}", false),
			 "only the terms event and umask"));
	ck_assert(strstr(rule_broken_by("{slots,topdown-retiring}", true), "once"));
	tear_down();
}
END_TEST

START_TEST(slots_is_put_in_front)
{
	set_up_xeon();
	ck_assert_int_eq(events__parse(&scope,
				       "{cycles,topdown-retiring:u},"
				       "{slots,topdown-be-bound},cs",
				       &list, &err),
			 0);
	ck_assert_int_eq(list.nr, 5);
	topdown__add_slots(&scope, &list, true);
	ck_assert_int_eq(list.nr, 6);
	ck_assert_str_eq(list.at[0]->name, "slots:u");
	ck_assert_int_eq(list.at[0]->topdown, TOPDOWN_SLOTS);
	ck_assert_int_eq(list.at[0]->nr_members, 3);
	for (int i = 0; i < list.nr; i++) {
		ck_assert_int_eq(list.at[i]->index, i);
		ck_assert_ptr_eq(list.at[i]->leader, list.at[i < 3 ? 0 : i < 5 ? 3 : 5]);
	}
	ck_assert(strstr(sb__str(&list.warnings), "slots:u was added as leader, which topdown-retiring:u"));
	tear_down();
}
END_TEST

/* In recordings, Intel CPUs have metric events, and AMD CPUs do not. */
START_TEST(recorded_computers_have_them_by_vendor)
{
	static const char *const cpuids[] = {"GenuineIntel-6-8F-8", "AuthenticAMD-25-11-1"};

	for (int intel = 1; intel >= 0; intel--) {
		struct machine *m = machine__new_recorded(cpuids[!intel], NULL);
		struct pmu *pmu = machine__add_pmu(m, "cpu", PERF_TYPE_RAW);

		machine__assume_formats(m);
		topdown__assume_events(m);
		ck_assert(topdown__is_on(pmu) == intel);
		for (enum topdown t = TOPDOWN_SLOTS; t < TOPDOWN_NR; t++)
			ck_assert(pmu__has_event(pmu, topdown__name(t)) == intel);
		ck_assert(pmu__has_event(pmu, "instructions"));
		machine__free(m);
	}
}
END_TEST

TMA_TEST_MAIN(topdown, codes_and_names, all_but_slots_are_metric_events, metric_events_lack_slots,
	      the_pmu_decides_and_not_the_name, rules_that_are_broken, slots_is_put_in_front,
	      recorded_computers_have_them_by_vendor)
