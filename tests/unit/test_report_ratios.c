// SPDX-License-Identifier: GPL-2.0-only
/* The built-in ratios: which event is divided by which, when there is a ratio, and its colour. */
#include "report_fixture.h"

static struct event *cache(struct fixture *f, const char *name, uint64_t id, bool miss)
{
	return fixture__event(f, name, PERF_TYPE_HW_CACHE,
			      id | (miss ? PERF_COUNT_HW_CACHE_RESULT_MISS << 16 : 0));
}

START_TEST(a_cpus_usual_events)
{
	static const struct {
		const char *name;
		uint64_t config, count;
	} events[] = {
		{ "cycles", PERF_COUNT_HW_CPU_CYCLES, 3000000 },
		{ "stalled-cycles-frontend", PERF_COUNT_HW_STALLED_CYCLES_FRONTEND, 1200000 },
		{ "stalled-cycles-backend", PERF_COUNT_HW_STALLED_CYCLES_BACKEND, 600000 },
		{ "instructions", PERF_COUNT_HW_INSTRUCTIONS, 4500000 },
		{ "branches", PERF_COUNT_HW_BRANCH_INSTRUCTIONS, 900000 },
		{ "branch-misses", PERF_COUNT_HW_BRANCH_MISSES, 100000 },
		{ "cache-references", PERF_COUNT_HW_CACHE_REFERENCES, 8000 },
		{ "cache-misses", PERF_COUNT_HW_CACHE_MISSES, 2000 },
	};
	struct fixture f;

	fixture__init(&f, 1);
	fixture__multiplexed(&f, fixture__clock(&f), 0, 1000000, 1000000, 1000000);
	for (size_t i = 0; i < sizeof(events) / sizeof(*events); i++)
		fixture__count(&f, fixture__event(&f, events[i].name, PERF_TYPE_HARDWARE,
						  events[i].config),
			       0, events[i].count);
	ck_assert_str_eq(fixture__print_as(&f, "csv"),
			 "1.00,msec,task-clock,1000000,100.00,0.001,CPUs utilized\n"
			 "3000000,,cycles,1000,100.00,3.000,GHz\n"
			 "1200000,,stalled-cycles-frontend,1000,100.00,40.00,frontend cycles idle\n"
			 "600000,,stalled-cycles-backend,1000,100.00,20.00,backend cycles idle\n"
			 "4500000,,instructions,1000,100.00,1.50,insn per cycle\n"
			 ",,,,,0.27,stalled cycles per insn\n"
			 "900000,,branches,1000,100.00,900.000,M/sec\n"
			 "100000,,branch-misses,1000,100.00,11.11,of all branches\n"
			 "8000,,cache-references,1000,100.00,8.000,M/sec\n"
			 "2000,,cache-misses,1000,100.00,25.00,of all cache refs\n");
	f.interval = true;
	ck_assert_ptr_nonnull(strstr(
		fixture__print_as(&f, "text"),
		"     1.000000000            4500000      instructions                     #    1.50  insn per cycle            \n"
		"     1.000000000                                                   #    0.27  stalled cycles per insn   \n"
		"     1.000000000             900000      branches                         #  900.000 M/sec                     \n"
		"     1.000000000             100000      branch-misses                    #   11.11% of all branches           \n"));
	fixture__free(&f);
}
END_TEST

START_TEST(caches)
{
	static const struct {
		const char *name, *unit;
		uint64_t id;
	} caches[] = {
		{ "L1-dcache-load-misses", "of all L1-dcache accesses", PERF_COUNT_HW_CACHE_L1D },
		{ "L1-icache-load-misses", "of all L1-icache accesses", PERF_COUNT_HW_CACHE_L1I },
		{ "LLC-load-misses", "of all LL-cache accesses", PERF_COUNT_HW_CACHE_LL },
		{ "dTLB-load-misses", "of all dTLB cache accesses", PERF_COUNT_HW_CACHE_DTLB },
		{ "iTLB-load-misses", "of all iTLB cache accesses", PERF_COUNT_HW_CACHE_ITLB },
	};
	struct fixture f;
	char want[128];

	for (size_t i = 0; i < sizeof(caches) / sizeof(*caches); i++) {
		fixture__init(&f, 1);
		fixture__count(&f, cache(&f, "loads", caches[i].id, false), 0, 400);
		fixture__count(&f, cache(&f, caches[i].name, caches[i].id, true), 0, 100);
		snprintf(want, sizeof(want), "400,,loads,1000,100.00,,\n100,,%s,1000,100.00,25.00,%s\n",
			 caches[i].name, caches[i].unit);
		ck_assert_str_eq(fixture__print_as(&f, "csv"), want);
		fixture__free(&f);
	}
}
END_TEST

START_TEST(without_the_divisor_only_room_is_left)
{
	struct fixture f;

	fixture__init(&f, 1);
	fixture__count(&f, fixture__instructions(&f), 0, 5);
	ck_assert_str_eq(fixture__print_as(&f, "csv"),
			 "5,,instructions,1000,100.00,,\n");
	ck_assert_ptr_nonnull(strstr(fixture__print_as(&f, "json-perf"),
				     "\"metric-value\" : \"0.000000\", \"metric-unit\" : "
				     "\"insn per cycle\"}\n"));
	ck_assert_ptr_nonnull(strstr(
		fixture__print_as(&f, "text"),
		"\n                 5      instructions                                                          \n"));
	fixture__free(&f);
}
END_TEST

START_TEST(the_divisor_is_of_the_same_group_modifiers_and_pmu)
{
	struct fixture f;
	struct event *e[6];

	fixture__init(&f, 1);
	fixture__make_hybrid(&f);
	e[0] = fixture__event(&f, "cpu_core/cycles/", PERF_TYPE_HARDWARE, 4UL << 32);
	e[1] = fixture__event(&f, "cpu_atom/cycles/", PERF_TYPE_HARDWARE, 8UL << 32);
	e[2] = fixture__event(&f, "cpu_core/cycles:u/", PERF_TYPE_HARDWARE, 4UL << 32);
	e[3] = fixture__event(&f, "cpu_atom/instructions/", PERF_TYPE_HARDWARE, 8UL << 32 | 1);
	e[4] = fixture__event(&f, "cpu_core/instructions:u/", PERF_TYPE_HARDWARE, 4UL << 32 | 1);
	e[5] = fixture__event(&f, "cpu_core/instructions/", PERF_TYPE_HARDWARE, 4UL << 32 | 1);
	e[1]->pmu = e[3]->pmu = &f.pmus[1];
	e[2]->attr.exclude_kernel = e[4]->attr.exclude_kernel = 1;
	for (int i = 0; i < 6; i++)
		fixture__count(&f, e[i], 0, i == 0 ? 10 : i == 1 ? 100 : 1000);
	ck_assert_str_eq(fixture__print_as(&f, "csv"),
			 "10,,cpu_core/cycles/,1000,100.00,,\n"
			 "100,,cpu_atom/cycles/,1000,100.00,,\n"
			 "1000,,cpu_core/cycles:u/,1000,100.00,,\n"
			 "1000,,cpu_atom/instructions/,1000,100.00,10.00,insn per cycle\n"
			 "1000,,cpu_core/instructions:u/,1000,100.00,1.00,insn per cycle\n"
			 "1000,,cpu_core/instructions/,1000,100.00,100.00,insn per cycle\n");

	/* In a group, cycles outside the group are not used. */
	e[5]->leader = e[2];
	e[2]->nr_members = 2;
	ck_assert_ptr_nonnull(strstr(fixture__print_as(&f, "csv"),
				     "1000,,cpu_core/instructions/,1000,100.00,,\n"));
	fixture__free(&f);
}
END_TEST

START_TEST(a_sysfs_name_is_the_kernels_event_too)
{
	struct event *cycles, *instructions;
	struct fixture f;

	fixture__init(&f, 1);
	cycles = fixture__event(&f, "cpu/cpu-cycles/", PERF_TYPE_RAW, 0x3c);
	instructions = fixture__event(&f, "cpu/instructions/u", PERF_TYPE_RAW, 0xc0);
	/* The parser would set this from the names. */
	cycles->kind = EVENT_KIND_CYCLES;
	instructions->kind = EVENT_KIND_INSTRUCTIONS;
	fixture__count(&f, cycles, 0, 10);
	fixture__count(&f, instructions, 0, 15);
	fixture__count(&f, fixture__event(&f, "cpu/event=0xc0/", PERF_TYPE_RAW, 0xc0), 0, 15);
	ck_assert_str_eq(fixture__print_as(&f, "csv"),
			 "10,,cpu/cpu-cycles/,1000,100.00,,\n"
			 "15,,cpu/instructions/u,1000,100.00,1.50,insn per cycle\n"
			 "15,,cpu/event=0xc0/,1000,100.00,,\n");
	fixture__free(&f);
}
END_TEST

START_TEST(rates_change_unit_above_a_thousand)
{
	static const struct {
		uint64_t count;
		const char *want;
	} rates[] = {
		{ 1, ",1.000,/sec\n" },
		{ 1000, ",1000.000,/sec\n" },
		{ 1001, ",1.001,K/sec\n" },
		{ 2500000, ",2.500,M/sec\n" },
		{ 7000000000, ",7.000,G/sec\n" },
		{ 7000000000000, ",7000.000,G/sec\n" },
	};
	struct fixture f;
	struct event *e;

	fixture__init(&f, 1);
	fixture__multiplexed(&f, fixture__clock(&f), 0, 1000000000, 1000000000, 1000000000);
	e = fixture__switches(&f);
	for (size_t i = 0; i < sizeof(rates) / sizeof(*rates); i++) {
		fixture__multiplexed(&f, e, 0, rates[i].count, 1000000000, 1000000000);
		ck_assert_ptr_nonnull(strstr(fixture__print_as(&f, "csv"), rates[i].want));
	}
	fixture__free(&f);
}
END_TEST

START_TEST(counts_of_different_times_have_no_ratio)
{
	static const struct {
		uint64_t enabled;
		const char *want;
	} times[] = {
		{ 1000000000, ",1.50,insn per cycle\n" },
		{ 990000000, ",1.50,insn per cycle\n" },
		{ 500000000, "15,,instructions,500000000,100.00,,\n" },
	};
	struct fixture f;
	struct event *e;

	fixture__init(&f, 1);
	fixture__multiplexed(&f, fixture__cycles(&f), 0, 10, 1000000000, 1000000000);
	e = fixture__instructions(&f);
	for (size_t i = 0; i < sizeof(times) / sizeof(*times); i++) {
		fixture__multiplexed(&f, e, 0, 15, times[i].enabled, times[i].enabled);
		ck_assert_ptr_nonnull(strstr(fixture__print_as(&f, "csv"), times[i].want));
	}
	fixture__free(&f);
}
END_TEST

START_TEST(cpus_utilized_is_of_the_measured_time) /* R45 */
{
	struct fixture f;
	struct event *clock;

	fixture__init(&f, 2);
	clock = fixture__clock(&f);
	fixture__multiplexed(&f, clock, 0, 2000000000, 2000000000, 2000000000);
	fixture__multiplexed(&f, clock, 1, 2000000000, 2000000000, 2000000000);
	f.interval = true;
	f.time.elapsed_ns = 2000000000; /* length of an interval of one second that ended late */
	ck_assert_ptr_nonnull(strstr(fixture__print(&f), "#    2.000 CPUs utilized "));
	f.time.elapsed_ns = 0;
	ck_assert_ptr_null(strstr(fixture__print(&f) + 1, "CPUs utilized"));
	fixture__free(&f);
}
END_TEST

START_TEST(colours_of_bad_ratios)
{
	static const struct {
		int misses;
		const char *want;
	} colours[] = {
		{ 21, "# \033[31m  21.00%\033[m of all branches           \n" },
		{ 20, "# \033[35m  20.00%\033[m of all branches           \n" },
		{ 10, "# \033[33m  10.00%\033[m of all branches           \n" },
		{ 5, "#    5.00% of all branches           \n" },
	};
	struct fixture f;
	struct event *misses;

	fixture__init(&f, 1);
	f.print.colours = 16;
	fixture__count(&f, fixture__event(&f, "branches", PERF_TYPE_HARDWARE,
					  PERF_COUNT_HW_BRANCH_INSTRUCTIONS), 0, 100);
	misses = fixture__event(&f, "branch-misses", PERF_TYPE_HARDWARE, PERF_COUNT_HW_BRANCH_MISSES);
	for (size_t i = 0; i < sizeof(colours) / sizeof(*colours); i++) {
		fixture__count(&f, misses, 0, colours[i].misses);
		ck_assert_ptr_nonnull(strstr(fixture__print(&f), colours[i].want));
	}
	fixture__free(&f);
}
END_TEST

TMA_TEST_MAIN(report_ratios, a_cpus_usual_events, caches, without_the_divisor_only_room_is_left,
	      the_divisor_is_of_the_same_group_modifiers_and_pmu,
	      a_sysfs_name_is_the_kernels_event_too, rates_change_unit_above_a_thousand,
	      counts_of_different_times_have_no_ratio,
	      cpus_utilized_is_of_the_measured_time, colours_of_bad_ratios)
