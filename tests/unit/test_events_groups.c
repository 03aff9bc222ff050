// SPDX-License-Identifier: GPL-2.0-only
/* An event for each core PMU, groups by PMU, TopDown events after slots, and events of metrics. */
#include "events_fixture.h"

#include <errno.h>

#include "base/text.h"

static void assert_warns(const char *words)
{
	const char *lines = sb__str(&list.warnings);

	ck_assert_msg(strstr(lines, words), "warnings: %s", lines);
	ck_assert(text__has_suffix(lines, "\n"));
}

START_TEST(a_name_is_an_event_of_each_core_pmu)
{
	set_up_alderlake();
	assert_shape("cycles", "cpu_core/cycles/ cpu_atom/cycles/");
	ck_assert_uint_eq(list.at[0]->attr.config, 0x400000000);
	ck_assert_uint_eq(list.at[1]->attr.config, 0x800000000);
	ck_assert_int_eq(list.at[0]->cpus.nr, 4);
	ck_assert_int_eq(list.at[1]->cpus.at[0], 4);
	ck_assert(!list.at[0]->any_cpu && !list.at[0]->merge);
	assert_shape("r3c:u", "cpu_core/r3c/u cpu_atom/r3c/u");
	ck_assert_uint_eq(list.at[0]->attr.type, 4);
	ck_assert_uint_eq(list.at[1]->attr.type, 8);
	assert_shape("LLC-loads", "cpu_core/LLC-loads/ cpu_atom/LLC-loads/");
	ck_assert_uint_eq(list.at[1]->attr.config, 0x800000002);
	assert_shape("inst_retired.any", "cpu_core/inst_retired.any/ cpu_atom/inst_retired.any/");
	assert_shape("cpu_atom/cycles/u,cs", "cpu_atom/cycles/u cs");
	ck_assert_uint_eq(list.at[0]->attr.config, 0x800000000);
	assert_shape("cpu_core/instructions/", "cpu_core/instructions/");
	ck_assert_uint_eq(list.at[0]->attr.type, 4);
	ck_assert_str_eq(sb__str(&list.warnings), "");
	tear_down();
}
END_TEST

START_TEST(cputype_leaves_one_pmu)
{
	set_up_alderlake();
	scope.pmu_filter = "cpu_atom";
	assert_shape(
		"cycles,r1,LLC-loads,inst_retired.any",
		"cpu_atom/cycles/ cpu_atom/r1/ cpu_atom/LLC-loads/ cpu_atom/inst_retired.any/");
	assert_shape("{cycles,cs}", "{cpu_atom/cycles/,cs}");
	ck_assert_str_eq(sb__str(&list.warnings), "");
	tear_down();
}
END_TEST

START_TEST(groups_are_split_by_pmu)
{
	set_up_alderlake();
	assert_shape("{cycles,instructions}:u", "{cpu_core/cycles/,cpu_core/instructions/} "
						"{cpu_atom/cycles/,cpu_atom/instructions/}");
	assert_warns("{cpu_core/cycles/,cpu_core/instructions/} {cpu_atom/cycles/");
	assert_warns("{cpu_atom/cycles/,cpu_atom/instructions/}");
	assert_shape("{cs,cycles}", "{cs,cpu_core/cycles/} cpu_atom/cycles/");
	assert_shape("{cpu_atom/cycles/,cpu_core/cycles/},cs",
		     "cpu_core/cycles/ cpu_atom/cycles/ cs");
	assert_shape("{cpu_atom/cycles/,cs}", "{cpu_atom/cycles/,cs}");
	ck_assert_str_eq(sb__str(&list.warnings), "");
	tear_down();
	set_up_xeon();
	assert_shape("{imc_2/event=1/,imc_2/event=2/}", "{imc_2/event=1/,imc_2/event=2/}");
	assert_shape("{cha/event=1/,cha/event=2/}",
		     "{cha/event=1/,cha/event=2/} {cha/event=1/,cha/event=2/}");
	ck_assert_ptr_eq(list.at[2]->first, list.at[0]);
	ck_assert_ptr_eq(list.at[3]->first, list.at[1]);
	ck_assert_str_eq(sb__str(&list.warnings), ""); /* the user asked for several PMUs */
	tear_down();
}
END_TEST

START_TEST(slots_leads_topdown_events)
{
	set_up_xeon();
	assert_shape("{topdown-retiring,slots,topdown-be-bound}",
		     "{slots,topdown-retiring,topdown-be-bound}");
	assert_warns("{slots,topdown-retiring");
	assert_shape("{cycles,topdown-retiring,slots}", "{slots,topdown-retiring,cycles}");
	assert_shape("topdown-retiring,cycles,slots,topdown-fe-bound",
		     "+{slots,topdown-retiring,topdown-fe-bound} cycles");
	assert_shape("cycles,slots,topdown-retiring", "cycles +{slots,topdown-retiring}");
	assert_shape("{slots,topdown-retiring},topdown-be-bound",
		     "{slots,topdown-retiring,topdown-be-bound}");
	assert_shape("topdown-retiring,{slots,topdown-be-bound}",
		     "{slots,topdown-retiring,topdown-be-bound}");
	assert_shape("topdown-retiring,cs,{slots,topdown-be-bound,cycles}",
		     "cs {slots,topdown-retiring,topdown-be-bound,cycles}");
	assert_shape("slots", "slots");
	ck_assert_str_eq(sb__str(&list.warnings), "");
	assert_shape("{slots,topdown-retiring}:D", "{slots,topdown-retiring}");
	ck_assert_str_eq(sb__str(&list.warnings), "");
	assert_shape("{cycles,UOPS_RETIRED.SLOTS}", "{cycles,UOPS_RETIRED.SLOTS}");
	assert_shape("{cycles:R,instructions}", "{instructions,cycles:R}");
	tear_down();
}
END_TEST

/* Names of groups, or the lack of names, make no difference. */
START_TEST(topdown_events_are_known_by_their_code)
{
	set_up_xeon();
	assert_shape("slots,cycles,cpu/topdown-retiring,name=foo/", "+{slots,foo} cycles");
	ck_assert(list.at[0]->topdown && list.at[1]->topdown && !list.at[2]->topdown);
	assert_shape("{cycles,cpu/event=0x00,umask=0x81,name=foo/,r400}", "{r400,foo,cycles}");
	assert_shape("slots,cs,cpu/event=0xc0,name=topdown-slots/", "slots cs topdown-slots");
	ck_assert(!list.at[2]->topdown);
	assert_shape("{cycles,TOPDOWN.BACKEND_BOUND_SLOTS}",
		     "{cycles,TOPDOWN.BACKEND_BOUND_SLOTS}");
	tear_down();
	set_up_alderlake();
	assert_shape("cpu_core/slots/,cs,cpu_atom/event=0x00,umask=0x80/",
		     "cpu_core/slots/ cs cpu_atom/event=0x00,umask=0x80/");
	ck_assert(list.at[0]->topdown && !list.at[2]->topdown);
	tear_down();
}
END_TEST

START_TEST(slots_is_added_to_groups_that_lack_it)
{
	set_up_xeon();
	assert_shape("cs,topdown-retiring:u", "cs +{slots:u,topdown-retiring:u}");
	ck_assert_uint_eq(list.at[1]->attr.config, 0x400);
	ck_assert_uint_eq(list.at[1]->attr.exclude_kernel, 1);
	assert_warns("slots:u was added");
	assert_shape("grp{topdown-be-bound,cycles}:D,cs", "{slots,topdown-be-bound,cycles} cs");
	ck_assert(list.at[0]->attr.pinned && !list.at[1]->attr.pinned);
	tear_down();
	set_up_alderlake();
	assert_shape("topdown-retiring", "+{cpu_core/slots/,cpu_core/topdown-retiring/} "
					 "cpu_atom/topdown-retiring/");
	assert_shape("{slots,topdown-retiring},topdown-bad-spec",
		     "{cpu_core/slots/,cpu_core/topdown-retiring/,cpu_core/topdown-bad-spec/} "
		     "cpu_atom/topdown-retiring/ cpu_atom/topdown-bad-spec/");
	tear_down();
}
END_TEST

/*
 * There is one register of each kind: a second event of a kind, or a different mode, begins another
 * group.
 */
START_TEST(a_group_has_each_topdown_event_once)
{
	set_up_xeon();
	assert_shape("slots,topdown-retiring,topdown-retiring",
		     "+{slots,topdown-retiring} +{slots,topdown-retiring}");
	assert_shape("slots,cs,slots", "slots cs slots");
	assert_shape("{slots,topdown-retiring},topdown-retiring",
		     "{slots,topdown-retiring} +{slots,topdown-retiring}");
	assert_shape("slots,topdown-retiring:u", "slots +{slots:u,topdown-retiring:u}");
	assert_shape("topdown-retiring:u,topdown-be-bound:k,slots:k,topdown-fe-bound:u",
		     "+{slots:u,topdown-retiring:u,topdown-fe-bound:u} "
		     "+{slots:k,topdown-be-bound:k}");
	assert_shape("slots,topdown-retiring:uk", "+{slots,topdown-retiring:uk}");
	ck_assert_msg(!strstr(sb__str(&list.warnings), "modes"), "%s", sb__str(&list.warnings));
	assert_shape("{slots,topdown-retiring:u}", "{slots,topdown-retiring:u}");
	assert_warns("topdown-retiring:u counts in the modes of slots");
	assert_shape("topdown-be-bound,{topdown-retiring,cycles}",
		     "{slots,topdown-be-bound,topdown-retiring,cycles}");
	assert_shape("slots,{topdown-retiring,cycles}", "{slots,topdown-retiring,cycles}");
	tear_down();
}
END_TEST

START_TEST(a_new_leader_is_pinned_as_the_old_one)
{
	set_up_xeon();
	assert_shape("{topdown-retiring,slots}:D", "{slots,topdown-retiring}");
	ck_assert(list.at[0]->attr.pinned && !list.at[1]->attr.pinned);
	assert_shape("{cycles,slots,topdown-retiring}:e", "{slots,topdown-retiring,cycles}");
	ck_assert(list.at[0]->attr.exclusive && !list.at[2]->attr.exclusive);
	assert_shape("slots,topdown-retiring:D", "+{slots,topdown-retiring:D}");
	ck_assert(list.at[0]->attr.pinned && !list.at[1]->attr.pinned);
	assert_shape("{slots,topdown-retiring},topdown-be-bound:D",
		     "{slots,topdown-retiring,topdown-be-bound:D}");
	ck_assert(list.at[0]->attr.pinned && !list.at[2]->attr.pinned);
	assert_shape("{slots,topdown-retiring:D}", "{slots,topdown-retiring:D}");
	ck_assert(list.at[1]->attr.pinned); /* the kernel reports an error */
	tear_down();
	set_up_alderlake();
	assert_shape("{cycles,instructions}:D", "{cpu_core/cycles/,cpu_core/instructions/} "
						"{cpu_atom/cycles/,cpu_atom/instructions/}");
	ck_assert(list.at[0]->attr.pinned && list.at[2]->attr.pinned);
	ck_assert(!list.at[1]->attr.pinned && !list.at[3]->attr.pinned);
	tear_down();
}
END_TEST

/* With several -e, events of a later text may join events of an earlier one. */
START_TEST(topdown_events_of_several_texts_come_together)
{
	const char *const texts[] = { "cs,topdown-retiring", "cycles,topdown-be-bound,slots", "slots" };

	set_up_xeon();
	event_list__free(&list);
	for (int i = 0; i < 3; i++)
		ck_assert_int_eq(events__parse(&scope, texts[i], &list, &err), 0);
	ck_assert_int_eq(list.nr, 6);
	events__join_topdown(&scope, &list);
	ck_assert_str_eq(shape(), "cs cycles +{slots,topdown-retiring,topdown-be-bound} slots");
	ck_assert_ptr_null(strstr(sb__str(&list.warnings), "added"));
	events__join_topdown(&scope, &list);
	ck_assert_str_eq(shape(), "cs cycles +{slots,topdown-retiring,topdown-be-bound} slots");
	tear_down();
}
END_TEST

static int parse_ids(bool group, const char *modifier, const char *const *ids)
{
	int nr = 0;

	while (ids[nr])
		nr++;
	event_list__free(&list);
	return events__parse_ids(&scope, ids, nr, modifier, group, &list, &err);
}

#define ids(...) ((const char *const[]){ __VA_ARGS__, NULL })

START_TEST(ids_of_metrics_are_one_weak_group)
{
	set_up_xeon();
	ck_assert_int_eq(parse_ids(true, NULL,
				   ids("duration_time", "INST_RETIRED.ANY_P", "topdown\\-retiring",
				       "TOPDOWN.SLOTS", "cpu@UOPS_RETIRED.MS\\,cmask\\=1@")),
			 0);
	ck_assert_str_eq(shape(), "+{TOPDOWN.SLOTS,topdown-retiring,INST_RETIRED.ANY_P,"
				  "cpu/UOPS_RETIRED.MS,cmask=1/} duration_time");
	ck_assert_str_eq(list.at[1]->id, "topdown\\-retiring");
	ck_assert_str_eq(list.at[3]->id, "cpu@UOPS_RETIRED.MS\\,cmask\\=1@");
	ck_assert_str_eq(list.at[4]->id, "duration_time");
	ck_assert(list.at[0]->from_metric);
	ck_assert_str_eq(sb__str(&list.warnings), "");
	ck_assert_int_eq(parse_ids(false, NULL, ids("cycles", "instructions:k")), 0);
	ck_assert_str_eq(shape(), "cycles instructions:k");
	ck_assert_uint_eq(list.at[1]->attr.exclude_user, 1);
	tear_down();
}
END_TEST

START_TEST(modifiers_of_a_metric_are_those_of_its_events)
{
	set_up_xeon();
	ck_assert_int_eq(parse_ids(true, "u",
				   ids("cycles", "INST_RETIRED.ANY_P:k", "msr@tsc@", "user_time")),
			 0);
	ck_assert_str_eq(shape(), "+{cycles:u,INST_RETIRED.ANY_P:ku,msr/tsc/u} user_time");
	ck_assert_uint_eq(list.at[0]->attr.exclude_kernel, 1);
	ck_assert_uint_eq(list.at[1]->attr.exclude_kernel, 0);
	ck_assert_int_eq(parse_ids(true, NULL, ids("cycles", "INST_RETIRED.ANY_P:R")), 0);
	ck_assert(list.at[1]->retire_latency);
	tear_down();
}
END_TEST

START_TEST(ids_on_a_hybrid_machine)
{
	set_up_alderlake();
	ck_assert_int_eq(
		parse_ids(true, NULL,
			  ids("cpu_atom@INST_RETIRED.ANY@", "cpu_atom@topdown\\-retiring@")),
		0);
	ck_assert_str_eq(shape(), "+{cpu_atom/INST_RETIRED.ANY/,cpu_atom/topdown-retiring/}");
	ck_assert_int_eq(parse_ids(true, NULL, ids("INST_RETIRED.ANY", "cycles")), 0);
	ck_assert_str_eq(shape(), "+{cpu_core/INST_RETIRED.ANY/,cpu_core/cycles/} "
				  "+{cpu_atom/INST_RETIRED.ANY/,cpu_atom/cycles/}");
	ck_assert_str_eq(list.at[3]->id, "cycles");
	ck_assert_int_eq(parse_ids(true, NULL, ids("arb@event\\=0x80\\,umask\\=0x1\\,cmask\\=1@")),
			 0);
	ck_assert_uint_eq(list.at[0]->attr.config, 0x1000180);
	tear_down();
}
END_TEST

/* Tables that are newer than Linux 6.12 have this form. */
START_TEST(latencies_are_carried_on_every_core_pmu)
{
	set_up_alderlake();
	ck_assert_int_eq(parse_ids(true, NULL,
				   ids("cpu_core@INST_RETIRED.ANY@R", "cpu_core@cycles@")),
			 0);
	ck_assert_str_eq(shape(), "+{cpu_core/cycles/,cpu_core/INST_RETIRED.ANY/R}");
	ck_assert(!list.at[0]->retire_latency && list.at[1]->retire_latency);
	ck_assert_str_eq(list.at[1]->id, "cpu_core@INST_RETIRED.ANY@R");
	ck_assert_int_eq(parse_ids(true, "u", ids("cpu_core@INST_RETIRED.ANY@R")), 0);
	ck_assert_str_eq(shape(), "cpu_core/INST_RETIRED.ANY/Ru");
	ck_assert(list.at[0]->retire_latency && list.at[0]->attr.exclude_kernel);
	ck_assert_int_eq(parse_ids(true, NULL, ids("INST_RETIRED.ANY:R")), 0);
	ck_assert_str_eq(shape(), "cpu_core/INST_RETIRED.ANY/R cpu_atom/INST_RETIRED.ANY/R");
	ck_assert(list.at[0]->retire_latency && list.at[1]->retire_latency);
	tear_down();
}
END_TEST

START_TEST(an_id_opens_on_the_cpus_of_another_pmu)
{
	set_up_alderlake();
	ck_assert_int_eq(parse_ids(true, NULL,
				   ids("msr@tsc,cpu=cpu_atom@", "cpu_atom@INST_RETIRED.ANY@")),
			 0);
	ck_assert_str_eq(shape(), "+{msr/tsc,cpu=cpu_atom/,cpu_atom/INST_RETIRED.ANY/}");
	ck_assert(!list.at[0]->any_cpu);
	ck_assert(cpulist__equal(&list.at[0]->cpus, &list.at[1]->cpus));
	ck_assert_str_eq(list.at[0]->pmu->name, "msr");
	ck_assert_str_eq(list.at[0]->id, "msr@tsc,cpu=cpu_atom@");
	ck_assert_int_eq(parse_ids(true, NULL, ids("msr@tsc\\,cpu\\=cpu_core@")), 0);
	ck_assert(cpulist__equal(&list.at[0]->cpus, &machine__pmu(machine, "cpu_core")->cpus));
	tear_down();
}
END_TEST

START_TEST(an_unknown_id)
{
	set_up_xeon();
	ck_assert_int_eq(parse_ids(true, NULL, ids("cycles", "NO_SUCH.EVENT")), -ENOENT);
	ck_assert_ptr_nonnull(strstr(err.msg, "NO_SUCH.EVENT"));
	ck_assert_int_eq(list.nr, 0);
	ck_assert(events__exists(&scope, "INST_RETIRED.ANY_P"));
	ck_assert(events__exists(&scope, "cpu@event\\=1@"));
	ck_assert(events__exists(&scope, "topdown\\-retiring"));
	ck_assert(!events__exists(&scope, "NO_SUCH.EVENT"));
	ck_assert(!events__exists(&scope, "cpu@nothing@"));
	tear_down();
}
END_TEST

TMA_TEST_MAIN(events_groups, a_name_is_an_event_of_each_core_pmu, cputype_leaves_one_pmu,
	      groups_are_split_by_pmu, slots_leads_topdown_events,
	      topdown_events_are_known_by_their_code, slots_is_added_to_groups_that_lack_it,
	      a_group_has_each_topdown_event_once, a_new_leader_is_pinned_as_the_old_one,
	      topdown_events_of_several_texts_come_together,
	      ids_of_metrics_are_one_weak_group, modifiers_of_a_metric_are_those_of_its_events,
	      ids_on_a_hybrid_machine, latencies_are_carried_on_every_core_pmu,
	      an_id_opens_on_the_cpus_of_another_pmu, an_unknown_id)
