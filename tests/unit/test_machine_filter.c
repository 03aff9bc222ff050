// SPDX-License-Identifier: GPL-2.0-only
/*
 * Filters of tracepoints: which ones Linux accepts, and where the mistake is in those that it
 * refuses.
 */
#include "unit.h"

#include <errno.h>

#include "base/err.h"
#include "machine/filter.h"

static const char format[] =
	"name: sched_switch\nID: 372\nformat:\n"
	"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"
	"\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n"
	"\tfield:char prev_comm[16];\toffset:8;\tsize:16;\tsigned:0;\n"
	"\tfield:pid_t prev_pid;\toffset:24;\tsize:4;\tsigned:1;\n"
	"\tfield:__data_loc char[] filename;\toffset:28;\tsize:4;\tsigned:0;\n"
	"\tfield:__data_loc cpumask_t mask;\toffset:32;\tsize:4;\tsigned:0;\n"
	"\tfield:const char * text;\toffset:40;\tsize:8;\tsigned:0;\n"
	"\tfield:char * * argv;\toffset:40;\tsize:8;\tsigned:0;\n"
	"\tfield:__data_loc u8[] charset;\toffset:40;\tsize:4;\tsigned:0;\n"
	"\tfield:__rel_loc char path[];\toffset:44;\tsize:4;\tsigned:1;\n"
	"\tfield:int nr_chars[4];\toffset:44;\tsize:16;\tsigned:1;\n"
	"\tfield:unsigned char name[8];\toffset:44;\tsize:8;\tsigned:0;\n"
	"\tfield:long big;\toffset:40;\tsize:8;\tsigned:1;\n"
	"\tfield:void * ip;\toffset:48;\tsize:8;\tsigned:0;\n"
	"\tfield:u8 uuid[16];\toffset:56;\tsize:16;\tsigned:0;\n\n"
	"print fmt: \"pid=%d\", REC->prev_pid\n";

static int check(const char *text, struct err *err)
{
	return filter__check(text, "sched:sched_switch", format, err);
}

START_TEST(valid_filters_are_accepted)
{
	static const char *const filters[] = {
		"prev_pid == 0", " prev_pid==0 ", "prev_pid != -1", "prev_pid >= 0x10 && prev_pid<=017",
		"prev_pid & 3", "!(prev_pid > 1) || !prev_pid < 5", "((prev_pid == 1))",
		"prev_comm == \"a b\"", "prev_comm ~ 'make*'", "prev_comm != \"it's\"",
		"filename ~ \"*.so\"", "text.ustring == \"x\"", "comm == \"x\" && COMM ~ '?'",
		"mask & CPUS{0,3-5}", "CPU == 2", "common_cpu & CPUS{1}", "cpu != CPUS{0-1}",
		"prev_pid & CPUS{1-2}", "ip.function == vfs_read", "ip.function != 0xffff0000",
		"prev_comm == ''", "ip == 18446744073709551615", "common_pid == 1",
		"big == -9223372036854775808 && big != 9223372036854775807", "cpu != -1",
		"common_type == 3 && common_flags & 1 && common_preempt_count > 0",
		"common_pid != -0x1", "argv == 0 && charset == 1 && nr_chars == -1",
		"path == 'x' && name ~ \"a*\"", "stacktrace == 1",
	};
	struct err err = ERR_INIT;

	for (size_t i = 0; i < sizeof(filters) / sizeof(*filters); i++) {
		ck_assert_msg(!check(filters[i], &err), "%s: %s", filters[i], err.msg);
		ck_assert_msg(!filter__check(filters[i], NULL, NULL, &err), "%s: %s", filters[i],
			      err.msg);
	}
	ck_assert_int_eq(filter__check("any == 1 && other ~ 'x'", NULL, NULL, &err), 0);
	/* Whether fields are signed is also unknown. */
	ck_assert_int_eq(filter__check("a == -1 && a == 18446744073709551615", NULL, NULL, &err), 0);
	/* A tracepoint's own field comes before one that all tracepoints have. */
	ck_assert_int_eq(filter__check("comm == 1 && cpu != -1", "a:b",
				       "\tfield:u32 comm;\tsize:4;\tsigned:0;\n", &err),
			 0);
	/* If a description has no fields, it is unknown which fields exist. */
	ck_assert_int_eq(filter__check("any == 1", "a:b", "garbage", &err), 0);
}
END_TEST

START_TEST(mistakes_have_their_place)
{
	static const struct {
		const char *filter;
		int column;
		const char *why;
	} cases[] = {
		{"", 0, "a field's name is missing"},
		{"prev_pid > 1 || nosuch", 16, "has no field 'nosuch'"},
		{"prev_pid != 0 && prev_comm", 26, "expected ==, !="},
		{"prv_pid == 0", 0, "has no field 'prv_pid'; did you mean 'prev_pid'"},
		{"prev_pid !=", 11, "a value is missing"},
		{"prev_pid == abc", 12, "expected a number"},
		{"(prev_pid == 0", 14, "a parenthesis is not closed"},
		{"prev_pid == 0)", 13, "no parenthesis is open"},
		{"prev_pid == 0 prev_pid == 1", 14, "expected && or ||"},
		{"prev_pid == 0 & prev_pid == 1", 14, "expected && or ||"},
		{"prev_pid == 0 &&", 16, "a field's name is missing"},
		{"&& prev_pid == 0", 0, "a field's name is expected here"},
		{"prev_pid && 1", 9, "expected ==, !="},
		{"prev_pid = 0", 9, "expected ==, !="},
		{"prev_pid ~ 3", 11, "only a text is compared with ~"},
		{"prev_pid == 0x", 12, "not a 64-bit number"},
		{"prev_pid == 1a", 12, "not a 64-bit number"},
		{"prev_pid == --1", 12, "not a 64-bit number"},
		{"prev_pid == 99999999999999999999", 12, "not a 64-bit number"},
		{"prev_pid == \"x\"", 12, "the field is not a text"},
		{"prev_comm == 3", 13, "the field is a text"},
		{"prev_comm == \"x", 13, "a quote is not closed"},
		{"prev_comm > \"x\"", 12, "with ==, != or ~"},
		{"mask == \"x\"", 8, "the field is not a text"},
		{"mask & CPUS", 11, "in braces"},
		{"mask & CPUS{1", 12, "the brace is not closed"},
		{"mask & CPUS{}", 12, "not a list of CPUs"},
		{"mask & CPUS{x}", 12, "not a list of CPUs"},
		{"mask > CPUS{1}", 7, "compare CPUs with"},
		{"prev_comm == CPUS{1}", 13, "the field is a text"},
		{"ip.function > vfs_read", 14, "compare a function with"},
		{"ip.function ==", 14, "the name of a function is missing"},
		{"!", 1, "a field's name is missing"},
		{"ip == -1", 6, "the field is unsigned"},
		{"common_type == -1", 15, "the field is unsigned"},
		{"common_flags == -1", 16, "the field is unsigned"},
		{"prev_pid == 18446744073709551615", 12, "not a signed 64-bit number"},
		{"big == 9223372036854775808", 7, "not a signed 64-bit number"},
		{"big == -9223372036854775809", 7, "not a signed 64-bit number"},
		{"argv == 'x'", 8, "the field is not a text"},
		{"charset == 'x'", 11, "the field is not a text"},
		{"nr_chars == 'x'", 12, "the field is not a text"},
		{"path == 1", 8, "the field is a text"},
		{"name == 1", 8, "the field is a text"},
		{"stacktrace == 'x'", 14, "the field is not a text"},
		{"stacktrace == CPUS{1}", 14, "the field is not a CPU"},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		int indent = strlen("--filter syntax error: '") + cases[i].column;
		struct err err = ERR_INIT;
		const char *mark;

		ck_assert_msg(check(cases[i].filter, &err) == -EINVAL, "%s", cases[i].filter);
		ck_assert_msg(strstr(err.msg, cases[i].why), "%s: %s", cases[i].filter, err.msg);
		mark = strstr(err.msg, "\n") + 1;
		ck_assert_msg(strstr(mark, "\\___") - mark == indent, "%s: %s", cases[i].filter,
			      err.msg);
	}
}
END_TEST

START_TEST(long_filters_are_read_to_their_mistake)
{
	static char text[200001], deep[100020];
	struct err err = ERR_INIT;

	memset(text, 'a', sizeof(text) - 1);
	ck_assert_int_eq(check(text, &err), -EINVAL);
	memset(deep, '(', 100000);
	strcpy(deep + 100000, "prev_pid == 1");
	ck_assert_int_eq(check(deep, &err), -EINVAL);
	ck_assert_ptr_nonnull(strstr(err.msg, "a parenthesis is not closed"));
	memcpy(text, "prev_comm == \"", 14);
	ck_assert_int_eq(check(text, &err), -EINVAL);
	strcpy(text + 14 + 256, "\"");
	ck_assert_int_eq(check(text, &err), -EINVAL);
	ck_assert_ptr_nonnull(strstr(err.msg, "at most 255 bytes"));
	strcpy(text + 14 + 255, "\"");
	ck_assert_int_eq(check(text, &err), 0);
}
END_TEST

TMA_TEST_MAIN(machine_filter, valid_filters_are_accepted, mistakes_have_their_place,
	      long_filters_are_read_to_their_mistake)
