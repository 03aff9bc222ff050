// SPDX-License-Identifier: GPL-2.0-only
/* Rows of the table for people, as versions and locales of perf have them. */
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

/* What a row says; a NULL label stands for everything. */
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
	 "task-clock", "msec", 1021.498321, 100, 0},
	{"     1,234,567,890      cycles                    #    1.234 GHz                      "
	 "[83.33%]",
	 NULL, "cycles", "", 1234567890, 83.33, 0},
	{ "         1,234,567      cycles                    #    0.123 GHz                      [ 5.23%]",
	  NULL, "cycles", "", 1234567, 5.23, 0 },
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
};

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

START_TEST(what_was_not_counted_is_said_so)
{
	struct text_line l;

	ck_assert(table("     <not counted>      cycles                              (0.00%)", &l));
	ck_assert_int_eq(l.count.status, SAMPLE_NOT_COUNTED);
	ck_assert(table("   <not supported> Joules power/energy-pkg/", &l));
	ck_assert_int_eq(l.count.status, SAMPLE_NOT_SUPPORTED);
	ck_assert_str_eq(l.unit, "Joules");
}
END_TEST

START_TEST(what_is_no_count_is_passed_over)
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
	};
	struct text_line l;

	for (size_t i = 0; i < sizeof(lines) / sizeof(*lines); i++)
		ck_assert_msg(!table(lines[i], &l), "taken for a count: %s", lines[i]);
}
END_TEST

START_TEST(what_stands_around_a_table_is_told)
{
	ck_assert_int_eq(text_table__scope(" Performance counter stats for 'system wide':"),
			 TOLD_YES);
	ck_assert_int_eq(text_table__scope(" Performance counter stats for 'CPU(s) 0-3':"),
			 TOLD_YES);
	ck_assert_int_eq(text_table__scope(" Performance counter stats for 'make -j8':"), TOLD_NO);
	ck_assert_int_eq(text_table__scope(" Performance counter stats for process id '7':"),
			 TOLD_NO);
	ck_assert_int_eq(text_table__scope("system wide"), TOLD_NOTHING);
	ck_assert_uint_eq(text_table__length_ns("       1.362 seconds time elapsed"), 1362000000);
	ck_assert_uint_eq(text_table__length_ns("   1,002345678 seconds time elapsed"), 1002345678);
	ck_assert_uint_eq(text_table__length_ns("     12.5 +- 0.3 seconds time elapsed  ( +- 1% )"),
			  12500000000);
	ck_assert_uint_eq(text_table__length_ns("       0.000804000 seconds user"), 0);
}
END_TEST

TMA_TEST_MAIN(record_table, rows_of_all_versions_and_locales, what_was_not_counted_is_said_so,
	      what_is_no_count_is_passed_over, what_stands_around_a_table_is_told)
