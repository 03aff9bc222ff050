// SPDX-License-Identifier: GPL-2.0-only
/* Lines of CSV and JSON, in all forms that rows have. */
#include <stdio.h>
#include <string.h>

#include "record/text.h"
#include "unit.h"

static char buf[512];

static bool csv(const char *line, const char *separator, struct text_line *out)
{
	snprintf(buf, sizeof(buf), "%s", line);
	return text_csv__line(buf, separator, out);
}

START_TEST(a_plain_row)
{
	struct text_line l;

	ck_assert(csv("0.42,msec,task-clock,422150,100.00,0.603,CPUs utilized", ",", &l));
	ck_assert(!l.has_time && !l.label);
	ck_assert_double_eq(l.count.value, 0.42);
	ck_assert_int_eq(l.digits, 2);
	ck_assert_str_eq(l.unit, "msec");
	ck_assert_str_eq(l.event, "task-clock");
	ck_assert_uint_eq(l.count.running, 422150);
	ck_assert_double_eq(l.count.percent, 100);
	ck_assert_int_eq(l.count.status, SAMPLE_COUNTED);
}
END_TEST

START_TEST(a_row_with_time_and_label)
{
	struct text_line l;

	ck_assert(csv("     0.100231061,S0-D0-C0,2,100.46,msec,cpu-clock,100463103,100.00,1.005,CPUs utilized",
		      ",", &l));
	ck_assert(l.has_time);
	ck_assert_uint_eq(l.count.time_ns, 100231061);
	ck_assert_str_eq(l.label, "S0-D0-C0");
	ck_assert_int_eq(l.weight, 2);
	ck_assert_double_eq(l.count.value, 100.46);

	ck_assert(csv("12.000000001;CPU3;7;;cs;50;33.00;;", ";", &l));
	ck_assert_uint_eq(l.count.time_ns, 12000000001);
	ck_assert_str_eq(l.label, "CPU3");
	ck_assert_int_eq(l.weight, 1);
	ck_assert_double_eq(l.count.value, 7);
	ck_assert_double_eq(l.count.percent, 33);
}
END_TEST

START_TEST(a_thread_may_have_a_number_for_its_name)
{
	struct text_line l;

	ck_assert(csv("bash-2724,<not counted>,msec,task-clock,0,100.00,,", ",", &l));
	ck_assert_str_eq(l.label, "bash-2724");
	ck_assert_int_eq(l.count.status, SAMPLE_NOT_COUNTED);
	ck_assert(csv("1-2-3,5,,cs,9,100.00,,", ",", &l));
	ck_assert_str_eq(l.label, "1-2-3");
	ck_assert_double_eq(l.count.value, 5);
}
END_TEST

START_TEST(events_that_were_not_counted_are_marked)
{
	struct text_line l;

	ck_assert(csv("<not supported>,,cycles,0,100.00,,", ",", &l));
	ck_assert_int_eq(l.count.status, SAMPLE_NOT_SUPPORTED);
	ck_assert_str_eq(l.event, "cycles");
}
END_TEST

START_TEST(a_name_may_hold_the_separator)
{
	struct text_line l;

	ck_assert(csv("5,,cpu/event=0x3c,umask=0x1/,9,100.00,,", ",", &l));
	ck_assert_str_eq(l.event, "cpu/event=0x3c,umask=0x1/");
	ck_assert(csv("5,,\"cpu/event=0x3c,umask=0x1,name='a\"\"b'/\",9,100.00,,", ",", &l));
	ck_assert_str_eq(l.event, "cpu/event=0x3c,umask=0x1,name='a\"b'/");
	ck_assert_uint_eq(l.count.running, 9);
}
END_TEST

START_TEST(a_spread_and_a_cgroup_are_no_name)
{
	struct text_line l;

	ck_assert(csv("0.67,msec,task-clock,6.50%,601217,100.00,0.663,CPUs utilized", ",", &l));
	ck_assert_str_eq(l.event, "task-clock");
	ck_assert_uint_eq(l.count.running, 601217);
	ck_assert(csv("203.10,msec,cpu-clock,/,294752,100.00,2.000,CPUs utilized", ",", &l));
	ck_assert_str_eq(l.event, "cpu-clock");
	ck_assert_uint_eq(l.count.running, 294752);
}
END_TEST

START_TEST(lines_that_are_not_counts_are_skipped)
{
	static const char *const lines[] = {
		"",
		"# started on Mon Jan  1 00:00:00 2024",
		",,,,,125.0,%  tma_bad_speculation",
		"0.100000000,CPU0,,,,,,6.1,%  tma_bad_speculation",
		",203361580,100.00,,,,TopdownL1",
		",108033968,100.00,,,20.0,%  tma_backend_bound",
		"summary,0.75,msec,task-clock,747966,100.00,0.005,CPUs utilized",
		"time,cpu,%  tma_retiring,%  tma_backend_bound,",
		"0.100164412,S0-D0-C0,2,25.0,25.0,125.0,,",
		"tma: simulated machine 'x': its counts are synthetic",
		"0.42,msec,task-clock,4221",
		"5,,,9,100.00,,",
		"5,,cs,9x,100.00,,",
		"5,,cs,9,100,,",
	};
	struct text_line l;

	for (size_t i = 0; i < sizeof(lines) / sizeof(*lines); i++)
		ck_assert_msg(!csv(lines[i], ",", &l), "taken for a count: %s", lines[i]);
}
END_TEST

START_TEST(a_separator_may_be_long)
{
	struct text_line l;

	ck_assert(csv("5::::cs::9::100.00::::", "::", &l));
	ck_assert_str_eq(l.event, "cs");
	ck_assert_str_eq(l.unit, "");
	ck_assert(!csv("5::::cs::9::100.00::::", ",", &l));
}
END_TEST

START_TEST(json_has_the_same_in_words)
{
	struct text_line l;
	void *object;

	ck_assert(text_json__line("{\"interval\" : 1.100160907, \"cpu\" : \"3\", \"counter-value\" : "
				  "\"0.514307\", \"unit\" : \"msec\", \"event\" : \"task-clock\", "
				  "\"event-runtime\" : 514307, \"pcnt-running\" : 50.00, "
				  "\"metric-value\" : \"0.67\", \"metric-unit\" : \"CPUs utilized\"}",
				  &object, &l));
	ck_assert(l.has_time);
	ck_assert_uint_eq(l.count.time_ns, 1100160907);
	ck_assert_str_eq(l.label, "CPU3");
	ck_assert_double_eq(l.count.value, 0.514307);
	ck_assert_int_eq(l.digits, 6);
	ck_assert_uint_eq(l.count.running, 514307);
	ck_assert_double_eq(l.count.percent, 50);
	text_json__free(object);

	ck_assert(text_json__line("{\"core\" : \"S0-D0-C1\", \"aggregate-number\" : 2, "
				  "\"counter-value\" : \"<not counted>\", \"unit\" : \"\", "
				  "\"event\" : \"cycles\", \"event-runtime\" : 0}", &object, &l));
	ck_assert_str_eq(l.label, "S0-D0-C1");
	ck_assert_int_eq(l.weight, 2);
	ck_assert_int_eq(l.count.status, SAMPLE_NOT_COUNTED);
	text_json__free(object);
}
END_TEST

START_TEST(own_json_has_places_one_by_one)
{
	static const struct {
		const char *places, *label;
	} rows[] = {
		{"\"cpu\":3", "CPU3"},
		{"\"socket\":1,\"die\":0", "S1-D0"},
		{"\"socket\":1,\"die\":0,\"cluster\":2", "S1-D0-CLS2"},
		{"\"socket\":1,\"die\":0,\"cluster\":2,\"core\":5", "S1-D0-C5"},
		{"\"socket\":1,\"die\":0,\"cluster\":null,\"core\":5", "S1-D0-C5"},
		{"\"socket\":1,\"die\":0,\"cache_level\":3,\"cache\":8", "S1-D0-L3-ID8"},
		{"\"node\":1", "N1"},
		{"\"thread\":12,\"comm\":\"bash\"", "bash-12"},
	};
	struct text_line l;
	void *object;

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		snprintf(buf, sizeof(buf),
			 "{\"schema\":1,\"type\":\"event\",%s,\"name\":\"cs\",\"value\":17}",
			 rows[i].places);
		ck_assert(text_json__line(buf, &object, &l));
		ck_assert_str_eq(l.label, rows[i].label);
		text_json__free(object);
	}
}
END_TEST

START_TEST(a_number_of_json_needs_no_quotes)
{
	struct text_line l;
	void *object;

	ck_assert(text_json__line("{\"counter-value\" : 17, \"event\" : \"cs\"}", &object, &l));
	ck_assert_double_eq(l.count.value, 17);
	ck_assert_str_eq(l.unit, "");
	text_json__free(object);
}
END_TEST

START_TEST(json_without_a_count_is_passed_over)
{
	static const char *const lines[] = {
		"{",
		"{}",
		"[1]",
		"{\"metric-value\" : \"125.0\", \"metric-unit\" : \"%  tma_bad_speculation\"}",
		"{\"counter-value\" : \"5\"}",
		"{\"counter-value\" : \"five\", \"event\" : \"cs\"}",
		"{\"counter-value\" : null, \"event\" : \"cs\"}",
		"{\"event-runtime\" : 202926680, \"metricgroup\" : \"TopdownL1\"}",
	};
	struct text_line l;
	void *object;

	for (size_t i = 0; i < sizeof(lines) / sizeof(*lines); i++) {
		ck_assert_msg(!text_json__line(lines[i], &object, &l), "taken for a count: %s",
			      lines[i]);
		text_json__free(object);
	}
}
END_TEST

TMA_TEST_MAIN(record_text, a_plain_row, a_row_with_time_and_label,
	      a_thread_may_have_a_number_for_its_name, events_that_were_not_counted_are_marked,
	      a_name_may_hold_the_separator, a_spread_and_a_cgroup_are_no_name,
	      lines_that_are_not_counts_are_skipped, a_separator_may_be_long,
	      json_has_the_same_in_words, own_json_has_places_one_by_one,
	      a_number_of_json_needs_no_quotes, json_without_a_count_is_passed_over)
