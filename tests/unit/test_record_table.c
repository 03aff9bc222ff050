// SPDX-License-Identifier: GPL-2.0-only
/* Rows of the table for people, as different versions and locales of perf print them. */
#include <stdio.h>
#include <string.h>

#include "record/text.h"
#include "unit.h"

static char buf[512];

static bool table(const char *line, struct text_line *out)
{
	snprintf(buf, sizeof(buf), "%s", line);
	return text_table__line(buf, out);
}

/* The expected content of a row. If the label is NULL, any label fits. */
static const struct row_case {
	const char *line, *label, *event, *unit;
	double value, percent;
	uint64_t time_ns;
} rows[] = {
	{"     1,234,567,890      cycles                           #    1.234 GHz                  "
	 "       (66.67%)",
	 NULL, "cycles", "", 1234567890, 66.67, 0},
	{"            101.53 msec cpu-clock                        #    1.000 CPUs utilized        "
	 "     ",
	 NULL, "cpu-clock", "msec", 101.53, 100, 0},
	{"            101,53 msec cpu-clock                        #    1,000 CPUs utilized        "
	 "     ",
	 NULL, "cpu-clock", "msec", 101.53, 100, 0},
	{"    34.107.761.311      cpu_core/TOPDOWN.SLOTS/                                     "
	 "(99,43%)",
	 NULL, "cpu_core/TOPDOWN.SLOTS/", "", 34107761311, 99.43, 0},
	{"   437 075 361 555      uops_issued.any         ( +-  5,45% )  (33,33%)", NULL,
	 "uops_issued.any", "", 437075361555, 33.33, 0},
	{"   437\xe2\x80\xaf"
	 "075\xe2\x80\xaf"
	 "361      uops_issued.any",
	 NULL, "uops_issued.any", "", 437075361, 100, 0},
	{"     1\xe2\x80\x99"
	 "234\xe2\x80\x99"
	 "567      branches",
	 NULL, "branches", "", 1234567, 100, 0},
	{"       1021.498321      task-clock (msec)         #    0.750 CPUs utilized            ( "
	 "+-  0.45% )",
	 NULL, "task-clock", "msec", 1021.498321, 100, 0},
	{"       1021.498321      task-clock                #    0.750 CPUs utilized", NULL,
	 "task-clock", "", 1021.498321, 100, 0},
	{"     1,234,567,890      cycles                    #    1.234 GHz                      "
	 "[83.33%]",
	 NULL, "cycles", "", 1234567890, 83.33, 0},
	{"         1,234,567      cycles                    #    0.123 GHz                      [ "
	 "5.23%]",
	 NULL, "cycles", "", 1234567, 5.23, 0},
	{"S0-D0-C1           2          1,234      cycles", "S0-D0-C1", "cycles", "", 1234, 100, 0},
	{"CPU0               101.53 msec cpu-clock [software]             #    1.000 CPUs utilized",
	 "CPU0", "cpu-clock [software]", "msec", 101.53, 100, 0},
	{"            bash-2724          17      context-switches", "bash-2724", "context-switches",
	 "", 17, 100, 0},
	{"     1.000229163              1,234      cycles:u", NULL, "cycles:u", "", 1234, 100,
	 1000229163},
	{"     1,000229163 S0              4           5.678      cycles          (50,00%)", "S0",
	 "cycles", "", 5678, 50, 1000229163},
	{"              3.25 Joules power/energy-pkg/", NULL, "power/energy-pkg/", "Joules", 3.25,
	 100, 0},
	/* 3.x and 4.x */
	{"     5,123,456,789      cycles                    #    2.561 GHz                     ( "
	 "+-  0.42% ) [66.61%]",
	 NULL, "cycles", "", 5123456789, 66.61, 0},
	{"     8,765,432,100      instructions              #    1.71  insns per cycle", NULL,
	 "instructions", "", 8765432100, 100, 0},
	{"         1,234,567      stalled-cycles-frontend   #   12.34% frontend cycles idle    "
	 "[50.01%]",
	 NULL, "stalled-cycles-frontend", "", 1234567, 50.01, 0},
	/* 5.x */
	{"     9,123,456,789      uops_issued.any:u         #    0.97  insn per cycle           "
	 "(83.33%)",
	 NULL, "uops_issued.any:u", "", 9123456789, 83.33, 0},
	{"S0-D0-C0           1         12,345,678      cpu_clk_unhalted.thread   # 1234.5 CLKS     "
	 "               (49.98%)",
	 "S0-D0-C0", "cpu_clk_unhalted.thread", "", 12345678, 49.98, 0},
	{"S0-C1           2         12,345,678      cycles", "S0-C1", "cycles", "", 12345678, 100,
	 0},
	{"     2.000412345 S1-D0-CLS8       4          7,654,321      l2_rqsts.miss", "S1-D0-CLS8",
	 "l2_rqsts.miss", "", 7654321, 100, 2000412345},
	{"CPU12             5,432,100      cycles                    #    0.543 GHz", "CPU12",
	 "cycles", "", 5432100, 100, 0},
	{"          1,234.56 MiB  uncore_imc/data_reads/                                        "
	 "(12.50%)",
	 NULL, "uncore_imc/data_reads/", "MiB", 1234.56, 12.5, 0},
	/* 6.x */
	{"        12,345,678      cpu_atom/cycles/u                #    0.512 GHz                  "
	 "       (0.31%)",
	 NULL, "cpu_atom/cycles/u", "", 12345678, 0.31, 0},
	{"       123,456,789      cycles [cpu_core]                #    3.512 GHz", NULL,
	 "cycles [cpu_core]", "", 123456789, 100, 0},
	{"     1.001234567 S0-D0-L3-ID0     16        987,654,321      ls_l1_d_tc_miss  (99.9%)",
	 "S0-D0-L3-ID0", "ls_l1_d_tc_miss", "", 987654321, 99.9, 1001234567},
	{"         1,234,567      MEM_LOAD_RETIRED.L2_HIT:R", NULL, "MEM_LOAD_RETIRED.L2_HIT:R", "",
	 1234567, 100, 0},
	{"                 0      context-switches:u               #    0.000 /sec", NULL,
	 "context-switches:u", "", 0, 100, 0},
	{"       123,456,789      cpu/event=0xc2,umask=0x2,name=ret/ ( +- 0.42% ) (83.3%)", NULL,
	 "cpu/event=0xc2,umask=0x2,name=ret/", "", 123456789, 83.3, 0},
	{"     1,234,567,890 ns   duration_time                    ( +-  0.10% )", NULL,
	 "duration_time", "ns", 1234567890, 100, 0},
	{"        34,567,890      topdown-retiring                 #     nan %  tma_retiring", NULL,
	 "topdown-retiring", "", 34567890, 100, 0},
	/* perf 7 prints clocks in nanoseconds, and names of metrics after their units */
	{"       330,523,000      task-clock                       #      0.4 CPUs  CPUs_utilized",
	 NULL, "task-clock", "", 330523000, 100, 0},
	{"        12,345,678      cpu_core/BR_MISP_RETIRED.ALL_BRANCHES/ #      4.6 %  "
	 "branch_miss_rate         (24.99%)",
	 NULL, "cpu_core/BR_MISP_RETIRED.ALL_BRANCHES/", "", 12345678, 24.99, 0},
	/* Separators of German, Swiss, French (three kinds of blanks) and Indian locales. */
	{"     12.345.678,90 msec cpu-clock                        #    8,000 CPUs utilized", NULL,
	 "cpu-clock", "msec", 12345678.9, 100, 0},
	{"     12'345'678.90 msec task-clock", NULL, "task-clock", "msec", 12345678.9, 100, 0},
	{"    12\xc2\xa0"
	 "345\xc2\xa0"
	 "678      branches    #    4,56% of all branches   (33,33%)",
	 NULL, "branches", "", 12345678, 33.33, 0},
	{"    12 345 678,90 msec task-clock", NULL, "task-clock", "msec", 12345678.9, 100, 0},
	{"   1,23,45,67,890      cycles", NULL, "cycles", "", 1234567890, 100, 0},
	/* Taiwan's groups of four digits. */
	{"     12,3456,7890      cycles                           #    1.234 GHz      (66.67%)",
	 NULL, "cycles", "", 1234567890, 66.67, 0},
	{"           1,2345      page-faults", NULL, "page-faults", "", 12345, 100, 0},
	{"       1,2345.67 msec task-clock", NULL, "task-clock", "msec", 12345.67, 100, 0},
	/* A share of the time has a decimal point, even if three digits follow it. */
	{"           12,345      cycles                    #    2.561 GHz    (66.667%)", NULL,
	 "cycles", "", 12345, 66.667, 0},
	{"     1,000412345            1.234.567      cycles                    (50,00%)", NULL,
	 "cycles", "", 1234567, 50, 1000412345},
	{"S0-D0-C0           2     30 426 868 109      cycles:u              (66,67%)", "S0-D0-C0",
	 "cycles:u", "", 30426868109, 66.67, 0},
	/* Mails, terminals, slides */
	{"> >          12,345      cycles                    #    2.561 GHz", NULL, "cycles", "",
	 12345, 100, 0},
	{">> S0-D0-C1           2               8.73 Joules power/energy-cores/", "S0-D0-C1",
	 "power/energy-cores/", "Joules", 8.73, 100, 0},
	{"^C     2.745238246          5,816,562      hv_24x7/pm_pb_cyc,chip=0/ #      1.5 GHz  F_0",
	 NULL, "hv_24x7/pm_pb_cyc,chip=0/", "", 5816562, 100, 2745238246},
	{"     23771011  cache-references                                (+-  0.04% )", NULL,
	 "cache-references", "", 23771011, 100, 0},
	{"1,247,441 cpu_atom/cycles/ # 3.774 GHz", NULL, "cpu_atom/cycles/", "", 1247441, 100, 0},
};

/* Rows with a column for the cgroup. */
static const struct {
	const char *line, *event, *unit, *cgroup;
	double value;
} of_cgroups[] = {
	{"          3,901.39 msec cpu-clock                 system.slice              #    3.899 "
	 "CPUs utilized",
	 "cpu-clock", "msec", "system.slice", 3901.39},
	{"     1,234,567,890      cycles                    user.slice/user-1000.slice #    1.2 "
	 "GHz  (83.33%)",
	 "cycles", "", "user.slice/user-1000.slice", 1234567890},
	{"         1,234,567      cpu_core/topdown-retiring/ /", "cpu_core/topdown-retiring/", "",
	 "/", 1234567},
	{"     1.000123456          1,234,567      cycles                    A", "cycles", "", "A",
	 1234567},
};

START_TEST(rows_have_cgroups)
{
	for (size_t i = 0; i < sizeof(of_cgroups) / sizeof(*of_cgroups); i++) {
		struct text_line l;

		ck_assert_msg(table(of_cgroups[i].line, &l), "no count: %s", of_cgroups[i].line);
		ck_assert_str_eq(l.event, of_cgroups[i].event);
		ck_assert_str_eq(l.unit, of_cgroups[i].unit);
		ck_assert_ptr_nonnull(l.cgroup);
		ck_assert_str_eq(l.cgroup, of_cgroups[i].cgroup);
		ck_assert_double_eq_tol(l.count.value, of_cgroups[i].value, 1e-9);
	}
}
END_TEST

START_TEST(a_share_may_be_wrapped_onto_its_own_line)
{
	double percent = 0;

	ck_assert(text_table__share("                        (79.95%)", &percent));
	ck_assert_double_eq(percent, 79.95);
	ck_assert(text_table__share("> (33,33%)", &percent));
	ck_assert_double_eq(percent, 33.33);
	ck_assert(text_table__share("   ( +-  5.45% )  (50.00%)", &percent));
	ck_assert_double_eq(percent, 50);
	ck_assert(!text_table__share("   # 13.6 %  tma_bad_speculation      (63.36%)", &percent));
	ck_assert(!text_table__share("   1,234      cycles      (63.36%)", &percent));
	ck_assert(!text_table__share("(see above)", &percent));
	ck_assert(!text_table__share("", &percent));
}
END_TEST

START_TEST(rows_of_all_versions_and_locales)
{
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		const struct row_case *want = &rows[i];
		struct text_line l;

		ck_assert_msg(table(want->line, &l), "no count: %s", want->line);
		ck_assert_str_eq(l.event, want->event);
		ck_assert_str_eq(l.unit, want->unit);
		ck_assert_double_eq_tol(l.count.value, want->value, 1e-9);
		ck_assert_double_eq_tol(l.count.percent, want->percent, 1e-9);
		ck_assert_int_eq(l.count.status, SAMPLE_COUNTED);
		ck_assert_int_eq(l.has_time, want->time_ns != 0);
		ck_assert_uint_eq(l.count.time_ns, want->time_ns);
		if (want->label)
			ck_assert_str_eq(l.label, want->label);
		else
			ck_assert_ptr_null(l.label);
	}
}
END_TEST

START_TEST(events_that_were_not_counted_are_marked)
{
	struct text_line l;

	ck_assert(table("     <not counted>      cycles                              (0.00%)", &l));
	ck_assert_int_eq(l.count.status, SAMPLE_NOT_COUNTED);
	ck_assert(table("   <not supported> Joules power/energy-pkg/", &l));
	ck_assert_int_eq(l.count.status, SAMPLE_NOT_SUPPORTED);
	ck_assert_str_eq(l.unit, "Joules");
}
END_TEST

START_TEST(lines_that_are_not_counts_are_skipped)
{
	static const char *const lines[] = {
		"",
		" Performance counter stats for 'sleep 1' (3 runs):",
		"#           time             counts unit events",
		"                                                  #    125.0 %  "
		"tma_bad_speculation",
		"                        TopdownL1                 #     25.0 %  tma_backend_bound",
		"       1.002345678 seconds time elapsed",
		"         0.0006934 +- 0.0000295 seconds time elapsed  ( +-  4.25% )",
		"       0.000804000 seconds user",
		"\techo 0 > /proc/sys/kernel/nmi_watchdog",
		"Some events weren't counted. Try disabling the NMI watchdog:",
		"2 files changed",
		"%  tma_retiring %  tma_backend_bound",
		"                 14.1                  9.0                  23.2",
		"             TopdownL1 (cpu_core)                 #     32.0 %  tma_backend_bound",
		"S0-D0-C1           1                18.3%                 0.0%                 "
		"0.1%",
		"[ perf record: Woken up 2 times to write data ]",
		"       0.000804000 seconds sys",
		"> It is 3.4 times as fast, by 12 %.",
		"    3 files changed,   12 insertions",
		"#           time core               cpus             counts unit events",
		"WARNING: events were regrouped to match PMUs",
	};
	struct text_line l;

	for (size_t i = 0; i < sizeof(lines) / sizeof(*lines); i++)
		ck_assert_msg(!table(lines[i], &l), "taken for a count: %s", lines[i]);
}
END_TEST

START_TEST(what_stands_around_a_table_is_told)
{
	ck_assert_int_eq(text_table__scope(" Performance counter stats for 'system wide':"),
			 FACT_YES);
	ck_assert_int_eq(text_table__scope(" Performance counter stats for 'CPU(s) 0-3':"),
			 FACT_YES);
	ck_assert_int_eq(text_table__scope(" Performance counter stats for 'make -j8':"), FACT_NO);
	ck_assert_int_eq(text_table__scope(" Performance counter stats for process id '7':"),
			 FACT_NO);
	ck_assert_int_eq(text_table__scope("system wide"), FACT_UNKNOWN);
	ck_assert_uint_eq(text_table__length_ns("       1.362 seconds time elapsed"), 1362000000);
	ck_assert_uint_eq(text_table__length_ns("   1,002345678 seconds time elapsed"), 1002345678);
	ck_assert_uint_eq(text_table__length_ns("     12.5 +- 0.3 seconds time elapsed  ( +- 1% )"),
			  12500000000);
	ck_assert_uint_eq(text_table__length_ns("    0.6934 +- 0.0029 seconds time elapsed"), 693400000);
	ck_assert_uint_eq(text_table__length_ns("       0.000804000 seconds user"), 0);
}
END_TEST

TMA_TEST_MAIN(record_table, rows_of_all_versions_and_locales, rows_have_cgroups,
	      a_share_may_be_wrapped_onto_its_own_line, events_that_were_not_counted_are_marked,
	      lines_that_are_not_counts_are_skipped, what_stands_around_a_table_is_told)
