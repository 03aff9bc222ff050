// SPDX-License-Identifier: GPL-2.0-only
/* The walk over all names of events that a machine has. */
#include "events_fixture.h"

#include <errno.h>
#include <string.h>

#include "events/names.h"

#define BIT(kind) (1u << NAME_KIND_##kind)

/* How many names a walk found, and the last one with the name that is searched for. */
struct seen {
	const char *want;
	int nr, hits;
	struct event_name last;
	char terms[128], alias[128], pmu[64];
};

static void note(void *arg, const struct event_name *name)
{
	struct seen *seen = arg;

	seen->nr++;
	if (seen->want && !strcmp(seen->want, name->name)) {
		seen->hits++;
		seen->last = *name;
		snprintf(seen->terms, sizeof(seen->terms), "%s", name->terms);
		snprintf(seen->alias, sizeof(seen->alias), "%s", name->alias);
		snprintf(seen->pmu, sizeof(seen->pmu), "%s", name->pmu);
	}
}

static struct seen walk(unsigned int kinds, const char *want, bool instances, bool details)
{
	struct seen seen = { .want = want };
	const struct event_names names = {
		.kinds = kinds,
		.instances = instances,
		.details = details,
		.visit = note,
		.arg = &seen,
	};

	events__each(&scope, &names);
	return seen;
}

START_TEST(terms_are_printed_in_hexadecimal)
{
	static const char *const cases[][2] = {
		{ "event=0xd1,umask=32,period=100003", "event=0xd1,umask=0x20,period=0x186a3" },
		{ "event=0x00,edge,name=x=y", "event=0,edge,name=x=y" },
		{ "event=?,umask=0x", "event=?,umask=0x" },
		{ "", "" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct sb sb = SB_INIT;

		events__print_terms(cases[i][0], &sb);
		ck_assert_str_eq(sb__str(&sb), cases[i][1]);
		sb__free(&sb);
	}
}
END_TEST

START_TEST(only_the_kinds_asked_for)
{
	struct seen seen;

	set_up_alderlake();
	seen = walk(BIT(HARDWARE), "cpu-cycles", false, false);
	ck_assert_int_eq(seen.nr, 10);
	ck_assert_int_eq(seen.hits, 1);
	ck_assert_str_eq(seen.alias, "cycles");
	ck_assert_int_eq(seen.last.type, PERF_TYPE_HARDWARE);
	seen = walk(BIT(TOOL), "tool/num_cpus/", false, false);
	ck_assert_int_eq(seen.nr, 14);
	ck_assert_int_eq(seen.hits, 1);
	ck_assert(seen.last.newer);
	ck_assert(!walk(BIT(TOOL), "user_time", false, false).last.newer);
	ck_assert_int_eq(walk(BIT(BREAKPOINT), NULL, false, false).nr, 1);
	ck_assert_int_eq(walk(0, NULL, false, false).nr, 0);
	tear_down();
}
END_TEST

START_TEST(a_cache_event_is_of_each_core_type)
{
	struct seen seen;

	set_up_alderlake();
	seen = walk(BIT(CACHE), "L1-dcache-load-misses", false, false);
	ck_assert_int_eq(seen.hits, 2);
	ck_assert_str_eq(seen.alias, "cpu_atom/L1-dcache-load-misses/");
	ck_assert_uint_eq(seen.last.config, UINT64_C(8) << 32 | 1 << 16);
	tear_down();
}
END_TEST

START_TEST(a_unit_is_listed_once_or_for_each_instance)
{
	struct seen once, each;

	set_up_xeon();
	once = walk(BIT(PMU), "uncore_imc/cas_count_read/", false, true);
	ck_assert_int_eq(once.hits, 1);
	ck_assert_str_eq(once.pmu, "uncore_imc");
	ck_assert_int_eq(walk(BIT(PMU), "uncore_imc/cas_count_read/", true, false).hits, 0);
	each = walk(BIT(PMU), "uncore_imc_2/cas_count_read/", true, false);
	ck_assert_int_eq(each.hits, 1);
	ck_assert_str_eq(each.pmu, "uncore_imc_2");
	tear_down();
}
END_TEST

START_TEST(details_are_read_only_when_they_are_wanted)
{
	set_up_alderlake();
	ck_assert_str_eq(walk(BIT(PMU), "mem-loads", false, true).terms,
			 "event=0xcd,umask=0x1,ldlat=3");
	ck_assert_str_eq(walk(BIT(PMU), "mem-loads", false, false).terms, "");
	tear_down();
}
END_TEST

struct verdicts {
	int fit, misfit;
};

static void compare_with_parser(void *arg, const struct event_name *name)
{
	struct verdicts *verdicts = arg;
	struct sb text = SB_INIT;
	bool fits, parses;

	if (!name->info)
		return;
	sb__printf(&text, "%s/%s/", name->on->name, name->name);
	fits = event_name__fits(&scope, name);
	parses = !parse(sb__str(&text));
	ck_assert_msg(fits == parses, "%s: %s", sb__str(&text), err.msg);
	verdicts->fit += fits;
	verdicts->misfit += !fits;
	sb__free(&text);
}

/* The quick check of terms agrees with the parser for every event of the tables. */
START_TEST(events_that_fit_can_be_parsed)
{
	struct verdicts verdicts = { .fit = 0 };
	const struct event_names names = { BIT(PMU),		false,	   false,
					   compare_with_parser, &verdicts, false };

	set_up_xeon();
	events__each(&scope, &names);
	tear_down();
	set_up_alderlake();
	events__each(&scope, &names);
	tear_down();
	ck_assert_int_gt(verdicts.fit, 500);
	ck_assert_int_gt(verdicts.misfit, 0);
}
END_TEST

START_TEST(an_instance_has_events_of_its_own)
{
	set_up_alderlake();
	parse_ok("unc_mc0_rdcas_count_freerun");
	ck_assert_str_eq(list.at[0]->pmu->name, "uncore_imc_free_running_0");
	parse_ok("unc_mc1_rdcas_count_freerun");
	ck_assert_int_eq(list.nr, 1);
	ck_assert_str_eq(list.at[0]->pmu->name, "uncore_imc_free_running_1");
	parse_ok("uncore_imc_free_running_1/unc_mc1_rdcas_count_freerun/");
	ck_assert_int_lt(parse("uncore_imc_free_running_1/unc_mc0_rdcas_count_freerun/"), 0);
	tear_down();
}
END_TEST

TMA_TEST_MAIN(events_names, terms_are_printed_in_hexadecimal, only_the_kinds_asked_for,
	      a_cache_event_is_of_each_core_type, a_unit_is_listed_once_or_for_each_instance,
	      details_are_read_only_when_they_are_wanted, events_that_fit_can_be_parsed,
	      an_instance_has_events_of_its_own)
