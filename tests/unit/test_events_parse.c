// SPDX-License-Identifier: GPL-2.0-only
#include "events_fixture.h"

#include <errno.h>
#include <linux/hw_breakpoint.h>

START_TEST(kernel_names_and_their_aliases)
{
	static const struct {
		const char *text;
		uint32_t type;
		uint64_t config;
	} cases[] = {
		{ "cpu-cycles", 0, 0 },
		{ "cycles", 0, 0 },
		{ "instructions", 0, 1 },
		{ "branch-instructions", 0, 4 },
		{ "branches", 0, 4 },
		{ "idle-cycles-frontend", 0, 7 },
		{ "stalled-cycles-backend", 0, 8 },
		{ "ref-cycles", 0, 9 },
		{ "cpu-clock", 1, 0 },
		{ "faults", 1, 2 },
		{ "cs", 1, 3 },
		{ "migrations", 1, 4 },
		{ "cgroup-switches", 1, 11 },
		{ "L1-dcache-loads", 3, 0 },
		{ "L1-dcache-load-misses", 3, 0x10000 },
		{ "LLC-prefetches", 3, 0x202 },
		{ "l1d-speculative-load-miss", 3, 0x10200 },
		{ "Data-TLB-write", 3, 0x103 },
		{ "branch-loads", 3, 5 },
		{ "node", 3, 6 },
		{ "r1a8", 4, 0x1a8 },
		{ "r0x1A8", 4, 0x1a8 },
		{ "1:3", 1, 3 },
		{ "0x4:0xff", 4, 0xff },
		{ "software/config=4/", 1, 4 },
		{ "software/cpu-clock/", 1, 0 },
		{ "CPU-CLOCK", 1, 0 },
	};

	set_up_xeon();
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		parse_ok(cases[i].text);
		ck_assert_int_eq(list.nr, 1);
		ck_assert_str_eq(list.at[0]->name, cases[i].text);
		ck_assert_msg(list.at[0]->attr.type == cases[i].type, "%s", cases[i].text);
		ck_assert_msg(list.at[0]->attr.config == cases[i].config, "%s", cases[i].text);
		ck_assert_uint_eq(list.at[0]->attr.exclude_guest, 1);
	}
	tear_down();
}
END_TEST

START_TEST(terms_go_through_formats)
{
	static const struct {
		const char *text;
		uint64_t config, config1;
	} cases[] = {
		{ "cpu/event=0x3c/", 0x3c, 0 },
		{ "cpu/event=60,umask=0x1,edge,inv=1,cmask=10/", 0xa84013c, 0 },
		{ "cpu/ event = 1 , umask = 2 /", 0x201, 0 },
		{ "cpu/config=0x10,event=1,config1=7/", 0x11, 7 },
		{ "cpu/event=1,event=2/", 3, 0 },
		{ "cpu/mem-loads,ldlat=48/", 0x1cd, 48 },
		{ "cpu/umask=2,mem-loads/", 0x2cd, 3 },
		{ "cpu/event=cpu-cycles,umask=1/", 0x13c, 0 },
		{ "cpu/CPU-Cycles/", 0x3c, 0 },
		{ "cpu/r3c/", 0x3c, 0 },
		{ "cpu/INST_RETIRED.ANY_P/", 0xc0, 0 },
		{ "inst_retired.any_p/cmask=2/", 0x20000c0, 0 },
		{ "cpu/offcore_rsp=0xffffffffffffffff/", 0, UINT64_MAX },
		{ "uncore_cha_1/umask=0xc817fe01/", 0xc817fe00000100, 0 },
		{ "uncore_cha_1/cmask=3/", 0x3000000, 0 },
		{ "cpu/period=1000,event=3/", 3, 0 },
	};

	set_up_xeon();
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		parse_ok(cases[i].text);
		ck_assert_int_eq(list.nr, 1);
		ck_assert_msg(list.at[0]->attr.config == cases[i].config, "%s: %#llx",
			      cases[i].text, (unsigned long long)list.at[0]->attr.config);
		ck_assert_msg(list.at[0]->attr.config1 == cases[i].config1, "%s", cases[i].text);
		ck_assert_uint_eq(list.at[0]->attr.sample_period, 0);
	}
	tear_down();
}
END_TEST

START_TEST(kernel_names_among_pmu_terms)
{
	set_up_xeon();
	parse_ok("cpu/cycles/");
	ck_assert_uint_eq(list.at[0]->attr.type, 0);
	parse_ok("cpu/instructions/"); /* sysfs has this event */
	ck_assert_uint_eq(list.at[0]->attr.type, 4);
	ck_assert_uint_eq(list.at[0]->attr.config, 0xc0);
	parse_ok("cpu/LLC-load-misses/");
	ck_assert_uint_eq(list.at[0]->attr.type, 3);
	ck_assert_uint_eq(list.at[0]->attr.config, 0x10002);
	tear_down();
}
END_TEST

START_TEST(modifiers_are_exclusions)
{
	/* user, kernel, hypervisor, host, guest, idle */
	static const struct {
		const char *text, *excludes;
	} cases[] = {
		{ "cycles", "000010" },		 { "cycles:u", "011010" },
		{ "cycles:k", "101000" },	 { "cycles:uk", "001010" },
		{ "cycles:h", "110000" },	 { "cycles:G", "000100" },
		{ "cycles:H", "000010" },	 { "cycles:HG", "000000" },
		{ "cycles:I", "000001" },	 { "cycles:uG", "011100" },
		{ "cycles:D", "000000" },	 { "cycles:pu", "011010" },
		{ "cycles:p", "000010" },	 { "cpu/event=1/k", "101000" },
		{ "cpu/event=1/:k", "101000" },	 { "{cycles,cs}:k", "101010" },
		{ "{cycles:u,cs}:k", "001010" }, { "{cycles:G,cs}:H", "000000" },
		{ "{cycles,cs}:G", "000100" },
	};

	set_up_xeon();
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		const struct perf_event_attr *a;
		char got[16];

		parse_ok(cases[i].text);
		a = &list.at[0]->attr;
		snprintf(got, sizeof(got), "%d%d%d%d%d%d", a->exclude_user, a->exclude_kernel,
			 a->exclude_hv, a->exclude_host, a->exclude_guest, a->exclude_idle);
		ck_assert_msg(!strcmp(got, cases[i].excludes), "%s: %s", cases[i].text, got);
	}
	parse_ok("{cycles:pp,cs}:p");
	ck_assert_uint_eq(list.at[0]->attr.precise_ip, 3);
	ck_assert_uint_eq(list.at[1]->attr.precise_ip, 1);
	parse_ok("{cycles,cs}:DeW");
	ck_assert(list.at[0]->attr.pinned && list.at[0]->attr.exclusive && list.at[0]->weak);
	ck_assert(!list.at[1]->attr.pinned && !list.at[1]->attr.exclusive);
	/* These modifiers affect only samples, not counts. */
	parse_ok("cycles:P,cycles:S");
	ck_assert_uint_eq(list.at[0]->attr.precise_ip, 0);
	ck_assert_uint_eq(list.at[1]->attr.precise_ip, 0);
	parse_ok("inst_retired.any_p:R");
	ck_assert(list.at[0]->retire_latency);
	parse_ok("cpu/event=0xc0,name=x/R");
	ck_assert(list.at[0]->retire_latency);
	ck_assert_str_eq(list.at[0]->name, "x");
	tear_down();
}
END_TEST

START_TEST(names_are_what_was_written)
{
	set_up_xeon();
	assert_shape("cycles:u, instructions ,cs", "cycles:u instructions cs");
	assert_shape("cpu/event=0x3c,umask=0/u", "cpu/event=0x3c,umask=0/u");
	assert_shape("INST_Retired.Any_P:k", "INST_Retired.Any_P:k");
	assert_shape("LLC-loads:u", "LLC-loads");
	assert_shape("cpu/event=1,name='a,b:c=d'/u", "a,b:c=d");
	assert_shape("cycles/name=mine/", "mine");
	assert_shape("msr/tsc/", "msr/tsc/");
	assert_shape("first{cycles,cs},second:{faults}:u", "{cycles,cs} faults");
	ck_assert_uint_eq(list.at[2]->attr.exclude_kernel, 1);
	parse_ok("cpu/event=1,name=x/");
	ck_assert(list.at[0]->config_name);
	tear_down();
}
END_TEST

START_TEST(instances_are_added_up)
{
	set_up_xeon();
	parse_ok("uncore_imc/cas_count_read/");
	ck_assert_int_eq(list.nr, 3);
	for (int i = 0; i < 3; i++) {
		const struct event *e = list.at[i];

		ck_assert_str_eq(e->name, "uncore_imc/cas_count_read/");
		ck_assert(e->merge && e->requires_cpu && !e->any_cpu);
		ck_assert_ptr_eq(e->first, list.at[0]);
		ck_assert_double_eq(e->scale, 6.103515625e-5);
		ck_assert_str_eq(e->unit, "MiB");
		ck_assert_uint_eq(e->attr.config, 0xcf05);
		ck_assert_int_eq(e->cpus.nr, 2);
	}
	ck_assert_uint_eq(list.at[0]->attr.type, 30);
	ck_assert_uint_eq(list.at[2]->attr.type, 32);
	parse_ok("cas_count_read");
	ck_assert_int_eq(list.nr, 3);
	parse_ok("imc_2/cas_count_read/");
	ck_assert_int_eq(list.nr, 1);
	ck_assert_ptr_eq(list.at[0]->first, list.at[0]);
	ck_assert(!list.at[0]->merge);
	parse_ok("uncore_imc_[02]/event=4/");
	ck_assert_int_eq(list.nr, 2);
	parse_ok("uncore_imc_10/event=4/");
	ck_assert_int_eq(list.nr, 1);
	ck_assert(!list.at[0]->merge);
	parse_ok("UNC_CHA_CLOCKTICKS");
	ck_assert_int_eq(list.nr, 2);
	ck_assert_str_eq(list.at[1]->pmu->name, "uncore_cha_1");
	parse_ok("power/energy-pkg/");
	ck_assert_str_eq(list.at[0]->unit, "Joules");
	ck_assert(!list.at[0]->merge);
	tear_down();
}
END_TEST

START_TEST(unique_names_tell_the_pmu)
{
	static const struct {
		const char *text, *want;
	} cases[] = {
		{ "cycles", "cycles" },
		{ "cs:u", "cs:u [software]" },
		{ "LLC-loads", "LLC-loads [cpu]" },
		{ "r3c", "r3c [cpu]" },
		{ "imc/cas_count_read/", "uncore_imc_0/cas_count_read/" },
		{ "cas_count_read", "cas_count_read [uncore_imc_0]" },
		{ "cpu/event=1/", "cpu/event=1/" },
		{ "cpu/event=1,name=y/", "y" },
		{ "duration_time", "duration_time" },
		{ "mem:0x1000:x", "mem:0x1000:x" },
	};
	char name[128];

	set_up_xeon();
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		parse_ok(cases[i].text);
		ck_assert_int_eq(event__unique_name(list.at[0], name, sizeof(name)),
				 (int)strlen(cases[i].want));
		ck_assert_str_eq(name, cases[i].want);
	}
	tear_down();
}
END_TEST

START_TEST(breakpoints_have_address_length_and_access)
{
	static const struct {
		const char *text;
		uint64_t addr, len, type;
	} cases[] = {
		{ "mem:0x1000", 0x1000, 4, HW_BREAKPOINT_RW },
		{ "mem:4096/8", 4096, 8, HW_BREAKPOINT_RW },
		{ "mem:0x1000/2:w", 0x1000, 2, HW_BREAKPOINT_W },
		{ "mem:0x1000:x", 0x1000, sizeof(long), HW_BREAKPOINT_X },
		{ "mem:0x1000:rw:u", 0x1000, 4, HW_BREAKPOINT_RW },
		{ "mem:0x1000:u", 0x1000, 4, HW_BREAKPOINT_RW },
		{ "mem:0x1000/1:rwx/name=b/", 0x1000, 1, HW_BREAKPOINT_RW | HW_BREAKPOINT_X },
	};

	set_up_xeon();
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		parse_ok(cases[i].text);
		ck_assert_uint_eq(list.at[0]->attr.type, PERF_TYPE_BREAKPOINT);
		ck_assert_uint_eq(list.at[0]->attr.bp_addr, cases[i].addr);
		ck_assert_uint_eq(list.at[0]->attr.bp_len, cases[i].len);
		ck_assert_uint_eq(list.at[0]->attr.bp_type, cases[i].type);
		ck_assert(list.at[0]->any_cpu);
	}
	ck_assert_str_eq(list.at[0]->name, "b");
	parse_ok("mem:0x1000:u");
	ck_assert_uint_eq(list.at[0]->attr.exclude_kernel, 1);
	tear_down();
}
END_TEST

START_TEST(tracepoints_come_from_tracefs)
{
	set_up_xeon();
	fake__write(root, "sys/kernel/tracing/events/sched/sched_switch/id", "372\n");
	fake__write(root, "sys/kernel/tracing/events/sched/sched_wakeup/id", "374\n");
	parse_ok("sched:sched_switch:u");
	ck_assert_uint_eq(list.at[0]->attr.type, PERF_TYPE_TRACEPOINT);
	ck_assert_uint_eq(list.at[0]->attr.config, 372);
	ck_assert_uint_eq(list.at[0]->attr.exclude_kernel, 1);
	ck_assert_str_eq(list.at[0]->name, "sched:sched_switch");
	ck_assert(list.at[0]->any_cpu);
	assert_shape("{sched:sched_*,cs}:D", "{sched:sched_switch,sched:sched_wakeup,cs}");
	assert_error("sched:sched_swich", ENOENT, 0, "did you mean 'sched:sched_switch'");
	tear_down();
}
END_TEST

START_TEST(events_of_the_program_itself)
{
	set_up_xeon();
	assert_shape("duration_time,user_time:u,system_time",
		     "duration_time user_time:u system_time");
	ck_assert_int_eq(list.at[0]->tool, EVENT_DURATION_TIME);
	ck_assert_int_eq(list.at[2]->tool, EVENT_SYSTEM_TIME);
	ck_assert_str_eq(list.at[0]->unit, "ns");
	ck_assert_int_eq(list.at[0]->cpus.nr, 1);
	ck_assert_ptr_null(list.at[0]->pmu);
	ck_assert_int_eq(events__tool("cycles"), EVENT_TOOL_NONE);
	parse_ok("task-clock,cs");
	ck_assert(event__is_clock(list.at[0]));
	ck_assert_str_eq(list.at[0]->unit, "msec");
	ck_assert_double_eq(list.at[0]->scale, 1e-6);
	ck_assert(!event__is_clock(list.at[1]));
	tear_down();
}
END_TEST

START_TEST(terms_without_bits)
{
	set_up_xeon();
	parse_ok("cpu/event=1,cpu=2,cpu=3/");
	ck_assert_int_eq(list.at[0]->cpus.nr, 2);
	ck_assert_int_eq(list.at[0]->cpus.at[0], 2);
	ck_assert(!list.at[0]->any_cpu);
	parse_ok("msr/tsc,metric-id=me/");
	ck_assert_str_eq(list.at[0]->id, "me");
	tear_down();
}
END_TEST

/* Return: the CPUs of the event, the only one of @text. */
static const char *cpus_of(const char *text)
{
	static struct sb sb;

	parse_ok(text);
	ck_assert_int_eq(list.nr, 1);
	ck_assert(!list.at[0]->any_cpu);
	sb__clear(&sb);
	cpulist__print(&list.at[0]->cpus, &sb);
	return sb__str(&sb);
}

START_TEST(cpus_are_numbers_ranges_or_those_of_a_pmu)
{
	set_up_alderlake();
	ck_assert_str_eq(cpus_of("msr/tsc,cpu=1/"), "1");
	ck_assert_str_eq(cpus_of("msr/tsc,cpu=1-2,cpu=0/"), "0-2");
	ck_assert_str_eq(cpus_of("msr/tsc,cpu='0,2'/"), "0,2");
	ck_assert_str_eq(cpus_of("msr/tsc,cpu=cpu_core/"), "0-3");
	ck_assert_str_eq(cpus_of("msr/tsc,cpu=cpu_atom/"), "4-5");
	ck_assert_str_eq(cpus_of("msr/tsc,cpu=cpu_atom,cpu=0/"), "0,4-5");
	ck_assert_str_eq(cpus_of("msr/tsc,cpu=uncore_imc_free_running_0/"), "0");
	/* A software event counts on all CPUs. */
	ck_assert_str_eq(cpus_of("msr/tsc,cpu=software/"), "0-5");
	tear_down();
}
END_TEST

START_TEST(several_texts_make_one_list)
{
	struct event_list all = EVENT_LIST_INIT;

	set_up_xeon();
	ck_assert_int_eq(events__parse(&scope, "cycles,{cs,faults}", &all, NULL), 0);
	ck_assert_int_eq(events__parse(&scope, "nonsense", &all, NULL), -EINVAL);
	ck_assert_int_eq(all.nr, 3);
	ck_assert_int_eq(events__parse(&scope, "{faults:u,cs}", &all, NULL), 0);
	ck_assert_int_eq(all.nr, 5);
	for (int i = 0; i < all.nr; i++)
		ck_assert_int_eq(all.at[i]->index, i);
	ck_assert_ptr_eq(all.at[4]->leader, all.at[3]);
	event_list__free(&all);
	ck_assert_int_eq(all.nr, 0);
	tear_down();
}
END_TEST

static enum event_kind kind_of(const char *text)
{
	parse_ok(text);
	return list.at[list.nr - 1]->kind;
}

START_TEST(the_kernels_own_events_are_told_by_code_and_by_sysfs)
{
	set_up_xeon();
	ck_assert_int_eq(kind_of("cpu-clock"), EVENT_KIND_NSECS);
	ck_assert_int_eq(kind_of("task-clock:u"), EVENT_KIND_NSECS);
	ck_assert_int_eq(kind_of("cpu-cycles"), EVENT_KIND_CYCLES);
	ck_assert_int_eq(kind_of("0:1"), EVENT_KIND_INSTRUCTIONS);
	ck_assert_int_eq(kind_of("L1-dcache-load-misses"), EVENT_KIND_L1D_MISSES);
	ck_assert_int_eq(kind_of("cpu/cpu-cycles/"), EVENT_KIND_CYCLES);
	ck_assert_int_eq(kind_of("cycles/name=mine/"), EVENT_KIND_CYCLES);
	ck_assert_int_eq(kind_of("cpu/event=0x3c,name=cycles/"), EVENT_KIND_NONE);
	ck_assert_int_eq(kind_of("page-faults"), EVENT_KIND_NONE);
	ck_assert_int_eq(kind_of("r3c"), EVENT_KIND_NONE);
	ck_assert_int_eq(kind_of("duration_time"), EVENT_KIND_NONE);
	/* The value of such an event is a latency, and not a count of cycles or instructions. */
	ck_assert_int_eq(kind_of("instructions:R"), EVENT_KIND_NONE);
	ck_assert_int_eq(kind_of("{cycles,instructions}:R"), EVENT_KIND_NONE);
	tear_down();
	set_up_alderlake();
	ck_assert_int_eq(kind_of("cycles"), EVENT_KIND_CYCLES);
	ck_assert_int_eq(kind_of("cpu_atom/branches/"), EVENT_KIND_BRANCHES);
	tear_down();
}
END_TEST

START_TEST(events_know_the_tables_entry_and_their_terms)
{
	struct event_info info;

	set_up_xeon();
	parse_ok("cpu/INST_RETIRED.PREC_DIST,cmask=1,name=mine/");
	ck_assert_int_ge(list.at[0]->table_event, 0);
	tables__event(tables, list.at[0]->table_event, &info);
	ck_assert_str_eq(info.name, "inst_retired.prec_dist");
	ck_assert_str_eq(list.at[0]->terms, "cmask=0x1,event=0,umask=0x1");
	parse_ok("cpu/event=0xc4,name=INST_RETIRED.PREC_DIST/");
	ck_assert_int_eq(list.at[0]->table_event, -1);
	ck_assert_str_eq(list.at[0]->terms, "event=0xc4");
	parse_ok("slots,topdown-retiring");
	ck_assert_uint_eq(list.at[0]->topdown, TOPDOWN_SLOTS);
	ck_assert_uint_eq(list.at[1]->topdown, TOPDOWN_RETIRING);
	tear_down();
}
END_TEST

static void check_bare(const char *text, const char *name, const char *bare)
{
	parse_ok(text);
	ck_assert_str_eq(list.at[0]->name, name);
	if (bare)
		ck_assert_str_eq(list.at[0]->bare, bare);
	else
		ck_assert_ptr_null(list.at[0]->bare);
}

START_TEST(names_are_known_apart_from_the_pmu)
{
	set_up_xeon();
	check_bare("cycles:u", "cycles:u", NULL);
	check_bare("cpu/cpu-cycles/u", "cpu/cpu-cycles/u", "cpu-cycles:u");
	check_bare("cpu/cpu-cycles,name=x/", "x", NULL);
	tear_down();
	set_up_alderlake();
	check_bare("cycles:u", "cpu_core/cycles/u", "cycles:u");
	check_bare("cpu_core/cycles/", "cpu_core/cycles/", "cycles");
	check_bare("cpu_core/cycles/:k ", "cpu_core/cycles/:k", "cycles:k");
	check_bare("cpu_*/cycles/", "cpu_core/cycles/", "cycles");
	check_bare("cpu_core/cycles,name=x/", "x", NULL);
	tear_down();
}
END_TEST

START_TEST(the_form_of_perf_7_has_the_pmu_before_a_slash)
{
	static const char *const cases[][2] = {
		{ "inst_retired.any:u", "cpu/inst_retired.any/u" },
		{ "r01c4", "cpu/r01c4/" },
		{ "cycles:u", "cycles:u" },
		{ "cpu/inst_retired.any/u", "cpu/inst_retired.any/u" },
		{ "duration_time", "tool/duration_time/" },
		{ "cpu/event=0x3c,name=x/", "x" },
		{ "task-clock", "task-clock" },
	};
	char name[64];

	set_up_xeon();
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		parse_ok(cases[i][0]);
		event__name_of_perf7(list.at[0], name, sizeof(name));
		ck_assert_str_eq(name, cases[i][1]);
	}
	tear_down();
}
END_TEST

START_TEST(of_core_types_those_without_the_cpus_are_left_out)
{
	set_up_alderlake();
	parse_ok("cycles/cpu=0/");
	ck_assert_int_eq(list.nr, 1);
	ck_assert_str_eq(list.at[0]->name, "cpu_core/cycles,cpu=0/");
	parse_ok("default_core/cycles/");
	ck_assert_int_eq(list.nr, 2);
	ck_assert_str_eq(list.at[1]->name, "cpu_atom/cycles/");
	tear_down();
}
END_TEST

START_TEST(the_programs_events_have_a_pmu)
{
	static const struct {
		const char *text;
		enum event_tool tool;
		bool fact;
	} cases[] = {
		{ "tool/duration_time/", EVENT_DURATION_TIME, false },
		{ "tool/num_cpus_online/", EVENT_NUM_CPUS_ONLINE, true },
		{ "num_cpus", EVENT_NUM_CPUS, true },
		{ "tool/slots/", EVENT_SLOTS, true },
		{ "target_cpu", EVENT_TARGET_CPU, true },
	};

	set_up_xeon();
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		parse_ok(cases[i].text);
		ck_assert_int_eq(list.nr, 1);
		ck_assert_str_eq(list.at[0]->name, cases[i].text);
		ck_assert_int_eq(list.at[0]->tool, cases[i].tool);
		ck_assert_int_eq(list.at[0]->snapshot, cases[i].fact);
	}
	tear_down();
}
END_TEST

TMA_TEST_MAIN(events_parse, kernel_names_and_their_aliases, terms_go_through_formats,
	      kernel_names_among_pmu_terms, modifiers_are_exclusions, names_are_what_was_written,
	      instances_are_added_up, unique_names_tell_the_pmu,
	      breakpoints_have_address_length_and_access, tracepoints_come_from_tracefs,
	      events_of_the_program_itself, terms_without_bits,
	      cpus_are_numbers_ranges_or_those_of_a_pmu, several_texts_make_one_list,
	      the_kernels_own_events_are_told_by_code_and_by_sysfs,
	      events_know_the_tables_entry_and_their_terms, names_are_known_apart_from_the_pmu,
	      the_form_of_perf_7_has_the_pmu_before_a_slash,
	      of_core_types_those_without_the_cpus_are_left_out,
	      the_programs_events_have_a_pmu)
