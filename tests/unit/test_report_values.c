// SPDX-License-Identifier: GPL-2.0-only
/* --format=json: valid in each case, with types, and with a reason for each missing value. */
#include <json-c/json.h>
#include <math.h>

#include "machine/cgroup.h"
#include "report_fixture.h"

static void values(struct fixture *f, int nr_units)
{
	fixture__init(f, nr_units);
	f->format = "json";
}

/* Parse line @nr of the text as JSON. The caller releases it with json_object_put(). */
static struct json_object *line_of(const char *text, int nr)
{
	struct json_tokener *tokener = json_tokener_new();
	struct json_object *object;
	const char *end;

	for (int i = 0; i < nr && text; i++) {
		text = strchr(text, '\n');
		text = text ? text + 1 : NULL;
	}
	ck_assert_ptr_nonnull(text);
	end = strchr(text, '\n');
	ck_assert_msg(end, "no line %d", nr);
	/* In its strict mode, json-c 0.18 takes each byte beyond ASCII for a control character. */
	if (json_c_version_num() < (18 << 8))
		json_tokener_set_flags(tokener, JSON_TOKENER_STRICT | JSON_TOKENER_VALIDATE_UTF8);
	object = json_tokener_parse_ex(tokener, text, end - text);
	ck_assert_msg(object && json_tokener_get_error(tokener) == json_tokener_success,
		      "no JSON: %.*s", (int)(end - text), text);
	ck_assert_int_eq(json_tokener_get_parse_end(tokener), end - text);
	json_tokener_free(tokener);
	return object;
}

/*
 * Return: a key's value as JSON text: "\"x\"", "1.5", "null"; "-" if the line does not have the
 * key.
 */
static const char *key_of(const char *text, int nr, const char *key)
{
	const int flags = JSON_C_TO_STRING_PLAIN | JSON_C_TO_STRING_NOSLASHESCAPE;
	static char value[1024];
	struct json_object *line = line_of(text, nr), *found;

	if (!json_object_object_get_ex(line, key, &found))
		snprintf(value, sizeof(value), "-");
	else
		snprintf(value, sizeof(value), "%s", json_object_to_json_string_ext(found, flags));
	json_object_put(line);
	return value;
}

START_TEST(an_event_and_its_metrics)
{
	struct event *cycles, *instructions;
	struct fixture f;

	values(&f, 2);
	f.interval = true;
	cycles = fixture__cycles(&f);
	instructions = fixture__instructions(&f);
	fixture__metric(&f, "tma_retiring", "b / a / 4", "a > 5", instructions);
	for (int i = 0; i < 2; i++) {
		fixture__count(&f, cycles, i, 1000);
		fixture__multiplexed(&f, instructions, i, 1000, 400, 300);
	}
	ck_assert_str_eq(
		fixture__print(&f),
		"{\"schema\":1,\"type\":\"event\",\"time\":1.000000000,\"length\":1.000000000,"
		"\"row\":\"interval\",\"cpus\":2,\"name\":\"cycles\",\"pmu\":\"cpu\","
		"\"value\":2000,\"unit\":\"\",\"enabled_ns\":2000,\"running_ns\":2000,"
		"\"coverage_percent\":0.0001,"
		"\"running_percent\":100,\"status\":\"counted\",\"reason\":\"\"}\n"
		"{\"schema\":1,\"type\":\"event\",\"time\":1.000000000,\"length\":1.000000000,"
		"\"row\":\"interval\",\"cpus\":2,\"name\":\"instructions\",\"pmu\":\"cpu\","
		"\"value\":2666,\"unit\":\"\",\"enabled_ns\":800,\"running_ns\":600,"
		"\"coverage_percent\":3e-05,"
		"\"running_percent\":75,\"status\":\"scaled\","
		"\"reason\":\"an estimate, since events were multiplexed\"}\n"
		"{\"schema\":1,\"type\":\"metric\",\"time\":1.000000000,\"length\":1.000000000,"
		"\"row\":\"interval\",\"cpus\":2,\"name\":\"insn_per_cycle\",\"pmu\":\"\","
		"\"value\":1.333,\"unit\":\"\",\"event\":\"instructions\","
		"\"threshold_passed\":null,\"running_percent\":75,\"status\":\"scaled\","
		"\"reason\":\"an estimate, since events were multiplexed\"}\n"
		"{\"schema\":1,\"type\":\"metric\",\"time\":1.000000000,\"length\":1.000000000,"
		"\"row\":\"interval\",\"cpus\":2,\"name\":\"tma_retiring\",\"pmu\":\"\","
		"\"value\":33.325,\"unit\":\"%\",\"event\":\"\","
		"\"threshold_passed\":true,\"running_percent\":75,\"status\":\"scaled\","
		"\"reason\":\"an estimate, since events were multiplexed\"}\n");
	fixture__free(&f);
}
END_TEST

START_TEST(a_count_is_exact)
{
	struct fixture f;
	struct event *e;

	values(&f, 2);
	e = fixture__switches(&f);
	fixture__count(&f, e, 0, 0);
	fixture__count(&f, e, 1, 0);
	fixture__at(&f, e, 0)->scaled = fixture__at(&f, e, 1)->scaled = 9007199254740993;
	ck_assert_ptr_nonnull(strstr(fixture__print(&f), "\"value\":18014398509481986,"));
	fixture__free(&f);
}
END_TEST

static void check_state(struct fixture *f, int line, const char *value, const char *percent,
			const char *status, const char *reason)
{
	ck_assert_str_eq(key_of(f->text, line, "value"), value);
	ck_assert_str_eq(key_of(f->text, line, "running_percent"), percent);
	ck_assert_str_eq(key_of(f->text, line, "status"), status);
	ck_assert_str_eq(key_of(f->text, line, "reason"), reason);
}

static void print_again(struct fixture *f)
{
	fixture__close(f);
	fclose(f->out);
	free(f->text);
	f->len = 0;
	f->out = open_memstream(&f->text, &f->len);
	fixture__print(f);
}

START_TEST(each_state_has_its_reason) /* R30 */
{
	struct event *a, *b;
	struct fixture f;

	values(&f, 2);
	a = fixture__event(&f, "a \"quoted\"", PERF_TYPE_RAW, 1);
	b = fixture__event(&f, "b", PERF_TYPE_RAW, 2);
	fixture__metric(&f, "m", "a / b", "b > 3", b);
	for (int i = 0; i < 2; i++) {
		fixture__multiplexed(&f, a, i, 0, 100, 0);
		fixture__count(&f, b, i, 4);
	}
	fixture__print(&f);
	check_state(
		&f, 0, "null", "0", "\"not counted\"",
		"\"it was not scheduled: the time was too short for all groups to have a turn\"");
	check_state(&f, 1, "8", "100", "\"counted\"", "\"\"");
	check_state(&f, 2, "null", "0", "\"not counted\"",
		    "\"a \\\"quoted\\\": it was not scheduled: the time was too short for all "
		    "groups to have a turn\"");
	ck_assert_str_eq(key_of(f.text, 2, "threshold_passed"), "null");

	fixture__status(&f, a, 0, SAMPLE_NOT_SUPPORTED);
	fixture__status(&f, a, 1, SAMPLE_NOT_SUPPORTED);
	print_again(&f);
	check_state(&f, 0, "null", "null", "\"not supported\"",
		    "\"the kernel does not count it here\"");
	ck_assert_str_eq(key_of(f.text, 0, "cpus"), "0");
	sums__set_reasons(report__sums(f.report), 0, "this machine does not have it", NULL);
	f.len = 0;
	rewind(f.out);
	fixture__print(&f);
	check_state(&f, 2, "null", "null", "\"not supported\"",
		    "\"a \\\"quoted\\\": this machine does not have it\"");

	fixture__status(&f, a, 1, SAMPLE_BUSY);
	print_again(&f);
	check_state(&f, 0, "null", "null", "\"busy\"", "\"it is pinned, and other users hold the counters\"");
	fixture__status(&f, a, 0, SAMPLE_LOST);
	print_again(&f);
	check_state(&f, 0, "null", "null", "\"lost\"",
		    "\"its counter could not be read, or ran backwards\"");

	/* The events were counted, but the formula has no value: it is 8 / 0. */
	fixture__count(&f, a, 0, 4);
	fixture__count(&f, a, 1, 4);
	fixture__count(&f, b, 0, 0);
	fixture__count(&f, b, 1, 0);
	print_again(&f);
	check_state(&f, 2, "null", "100", "\"no value\"",
		    "\"the formula has no value for these counts\"");
	fixture__free(&f);
}
END_TEST

START_TEST(a_missing_part_is_reported)
{
	struct fixture f;
	struct event *e;

	values(&f, 8);
	f.opts.aggr = AGGR_SOCKET;
	e = fixture__event(&f, "a", PERF_TYPE_RAW, 1);
	for (int i = 0; i < 8; i++)
		fixture__multiplexed(&f, e, i, 1, 100, i == 6 ? 0 : 100);
	fixture__print(&f);
	ck_assert_str_eq(key_of(f.text, 0, "socket"), "0");
	check_state(&f, 0, "4", "100", "\"counted\"", "\"\"");
	ck_assert_str_eq(key_of(f.text, 1, "socket"), "1");
	check_state(&f, 1, "null", "null", "\"not counted\"",
		    "\"without CPU 6 (no counter was free)\"");
	fixture__free(&f);
}
END_TEST

START_TEST(a_task_that_did_not_run_is_reported)
{
	struct fixture f;
	struct event *e;

	values(&f, 1);
	f.comms[0] = "sleep";
	e = fixture__cycles(&f);
	fixture__multiplexed(&f, e, 0, 0, 0, 0);
	fixture__print(&f);
	check_state(&f, 0, "null", "null", "\"not counted\"",
		    "\"the task did not run while it was enabled\"");
	ck_assert_str_eq(key_of(f.text, 0, "cpus"), "-");

	fixture__make_hybrid(&f);
	fixture__multiplexed(&f, e, 0, 0, 100, 0);
	print_again(&f);
	check_state(&f, 0, "null", "0", "\"not counted\"",
		    "\"the task did not run on a core of this type\"");
	fixture__free(&f);
}
END_TEST

/* Only the threshold needs the event that was not counted, so the metric's value is valid. */
START_TEST(a_value_stands_without_its_threshold)
{
	struct event *a, *b;
	struct fixture f;

	values(&f, 1);
	a = fixture__event(&f, "a", PERF_TYPE_RAW, 1);
	b = fixture__event(&f, "b", PERF_TYPE_RAW, 2);
	fixture__metric(&f, "m", "a / 2", "b > 3", a);
	fixture__count(&f, a, 0, 4);
	fixture__multiplexed(&f, b, 0, 0, 100, 0);
	fixture__print(&f);
	check_state(&f, 1, "200", "100", "\"counted\"", "\"\"");
	ck_assert_str_eq(key_of(f.text, 1, "threshold_passed"), "null");
	fixture__count(&f, b, 0, 4);
	print_again(&f);
	ck_assert_str_eq(key_of(f.text, 1, "threshold_passed"), "true");
	fixture__count(&f, b, 0, 3);
	print_again(&f);
	ck_assert_str_eq(key_of(f.text, 1, "threshold_passed"), "false");
	f.opts.no_threshold = true;
	print_again(&f);
	ck_assert_str_eq(key_of(f.text, 1, "threshold_passed"), "null");
	fixture__free(&f);
}
END_TEST

/* JSON has no numbers for these values. */
START_TEST(infinity_is_null) /* R30 R45 */
{
	static const char *const formulas[] = { "a * 1e300 * 1e300", "-a * 1e300 * 1e300", "a / 0" };
	struct fixture f;
	struct event *e;

	values(&f, 1);
	e = fixture__event(&f, "a", PERF_TYPE_RAW, 1);
	fixture__count(&f, e, 0, 0);
	fixture__at(&f, e, 0)->scaled = UINT64_MAX;
	for (int i = 0; i < 3; i++)
		fixture__metric(&f, "m", formulas[i], NULL, e);
	fixture__print(&f);
	ck_assert_ptr_nonnull(strstr(f.text, "\"value\":18446744073709551615,"));
	for (int i = 1; i <= 3; i++)
		check_state(&f, i, "null", "100", "\"no value\"",
			    "\"the formula has no value for these counts\"");
	ck_assert_str_eq(key_of(f.text, 3, "name"), "\"m #3\"");
	fixture__free(&f);
}
END_TEST

START_TEST(any_name_is_valid)
{
	static char long_name[3000];
	struct cgroup group = { .name = (char *)"a\"b\\c\n\t\x01/\xc3\x28/\xe2\x82\xac" };
	struct fixture f;
	struct event *e;

	memset(long_name, 'x', sizeof(long_name) - 1);
	values(&f, 2);
	f.opts.aggr = AGGR_THREAD;
	f.comms[0] = "\xff\"\\\x1b[31m";
	f.comms[1] = "\xf0\x9f\x98\x80";
	e = fixture__event(&f, long_name, PERF_TYPE_RAW, 1);
	e->unit = (char *)"\xed\xa0\x80%s%n";
	e->cgroup = &group;
	fixture__count(&f, e, 0, 1);
	fixture__count(&f, e, 1, 1);
	fixture__print(&f);
	ck_assert_str_eq(key_of(f.text, 0, "comm"), "\"\xef\xbf\xbd\\\"\\\\\\u001b[31m\"");
	ck_assert_str_eq(key_of(f.text, 1, "comm"), "\"\xf0\x9f\x98\x80\"");
	ck_assert_str_eq(key_of(f.text, 0, "unit"), "\"\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd%s%n\"");
	ck_assert_str_eq(key_of(f.text, 0, "cgroup"),
			 "\"a\\\"b\\\\c\\n\\t\\u0001/\xef\xbf\xbd(/\xe2\x82\xac\"");
	ck_assert_ptr_nonnull(strstr(f.text, long_name));
	fixture__free(&f);
}
END_TEST

START_TEST(counters_may_be_others)
{
	struct fixture f;
	struct event *e;

	values(&f, 1);
	e = fixture__event(&f, "e", PERF_TYPE_RAW, 1);
	fixture__multiplexed(&f, e, 0, 0, 300, 0);
	fixture__print(&f);
	check_state(&f, 0, "null", "0", "\"not counted\"",
		    "\"no counter was free for it: other users held the counters\"");
	f.machine.nmi_watchdog = true;
	print_again(&f);
	check_state(&f, 0, "null", "0", "\"not counted\"",
		    "\"no counter was free for it; the NMI watchdog holds one\"");
	sums__set_reasons(report__sums(f.report), 0, NULL, "it needs them all");
	f.len = 0;
	rewind(f.out);
	fixture__print(&f);
	check_state(&f, 0, "null", "0", "\"not counted\"", "\"it needs them all\"");
	fixture__free(&f);
}
END_TEST

/* One CPU was offline for half of the row, another CPU for all of it. */
START_TEST(cpus_that_were_offline_are_less_covered)
{
	struct presence presence[3] = { { .away = false }, { .away = true }, { .away = true } };
	struct fixture f;
	struct event *e;

	values(&f, 3);
	f.opts.aggr = AGGR_NONE;
	f.presence = presence;
	f.time.elapsed_ns = 1000;
	e = fixture__event(&f, "e", PERF_TYPE_RAW, 1);
	fixture__multiplexed(&f, e, 0, 7, 1000, 1000);
	fixture__multiplexed(&f, e, 1, 7, 500, 500);
	fixture__multiplexed(&f, e, 2, 0, 0, 0);
	fixture__print(&f);
	ck_assert_str_eq(key_of(f.text, 0, "coverage_percent"), "100");
	ck_assert_str_eq(key_of(f.text, 1, "coverage_percent"), "50");
	ck_assert_str_eq(key_of(f.text, 2, "coverage_percent"), "0");
	ck_assert_str_eq(key_of(f.text, 2, "reason"), "\"the CPU was offline\"");
	fixture__free(&f);
}
END_TEST

static const struct {
	enum grid_aggr aggr;
	const char *key, *value;
} places[] = {
	{ AGGR_NONE, "cpu", "7" },     { AGGR_SOCKET, "socket", "1" }, { AGGR_DIE, "die", "0" },
	{ AGGR_CLUSTER, "cluster", "3" }, { AGGR_CORE, "core", "1" },   { AGGR_NODE, "node", "1" },
	{ AGGR_THREAD, "thread", "7" },
};

START_TEST(each_place_has_its_number)
{
	for (size_t i = 0; i < sizeof(places) / sizeof(*places); i++) {
		struct fixture f;
		struct event *e;
		int last = -1;

		values(&f, 8);
		f.opts.aggr = places[i].aggr;
		e = fixture__switches(&f);
		for (int unit = 0; unit < 8; unit++) {
			fixture__count(&f, e, unit, 1);
			f.comms[unit] = places[i].aggr == AGGR_THREAD ? "x" : NULL;
		}
		fixture__print(&f);
		for (const char *at = f.text; *at; at = strchr(at, '\n') + 1)
			last++;
		ck_assert_str_eq(key_of(f.text, last, places[i].key), places[i].value);
		fixture__free(&f);
	}
}
END_TEST

START_TEST(metrics_alone)
{
	struct fixture f;
	struct event *e;

	values(&f, 1);
	f.opts.metric_only = true;
	e = fixture__event(&f, "a", PERF_TYPE_RAW, 1);
	fixture__count(&f, e, 0, 1);
	fixture__metric(&f, "m", "a", NULL, e);
	fixture__print(&f);
	ck_assert_str_eq(key_of(f.text, 0, "name"), "\"m\"");
	ck_assert_ptr_null(strstr(f.text, "\"type\":\"event\""));
	fixture__free(&f);
}
END_TEST

/* If rows are from another program's text, they may lack times. */
START_TEST(unknown_times_are_null)
{
	struct fixture f;

	values(&f, 1);
	f.time = (struct row_time){ 0 };
	fixture__count(&f, fixture__switches(&f), 0, 1);
	fixture__print(&f);
	ck_assert_str_eq(key_of(f.text, 0, "time"), "null");
	ck_assert_str_eq(key_of(f.text, 0, "length"), "null");
	fixture__free(&f);
}
END_TEST

/* The limit applies to the row's share: one CPU may reach it, and another not. */
START_TEST(too_small_a_share_of_the_time_is_not_counted)
{
	struct event *a, *b;
	struct fixture f;
	const char *text;

	values(&f, 2);
	a = fixture__event(&f, "a", PERF_TYPE_RAW, 1);
	b = fixture__event(&f, "b", PERF_TYPE_RAW, 2);
	fixture__metric(&f, "half", "a / b", NULL, a);
	fixture__metric(&f, "whole", "b * 1", NULL, b);
	for (int i = 0; i < 2; i++) {
		fixture__multiplexed(&f, a, i, 1000, 400, i ? 200 : 201);
		fixture__count(&f, b, i, 1000);
	}
	f.opts.min_running = 50;
	text = fixture__print(&f);
	ck_assert_str_eq(key_of(text, 0, "status"), "\"scaled\"");
	f.opts.min_running = 51;
	text = fixture__print_as(&f, "json");
	ck_assert_str_eq(key_of(text, 0, "name"), "\"a\"");
	ck_assert_str_eq(key_of(text, 0, "value"), "null");
	ck_assert_str_eq(key_of(text, 0, "running_ns"), "401");
	ck_assert_str_eq(key_of(text, 0, "running_percent"), "50.125");
	ck_assert_str_eq(key_of(text, 0, "status"), "\"not counted\"");
	ck_assert_str_eq(key_of(text, 0, "reason"),
			 "\"it was counted for less of the time than --min-running requires\"");
	ck_assert_str_eq(key_of(text, 1, "name"), "\"half\"");
	ck_assert_str_eq(key_of(text, 1, "value"), "null");
	ck_assert_str_eq(key_of(text, 1, "status"), "\"not counted\"");
	ck_assert_str_eq(key_of(text, 3, "name"), "\"whole\"");
	ck_assert_str_eq(key_of(text, 3, "value"), "200000");
	ck_assert_str_eq(key_of(text, 3, "status"), "\"counted\"");
	f.opts.aggr = AGGR_NONE;
	f.opts.min_running = 50;
	text = fixture__print_as(&f, "csv-wide");
	ck_assert(strstr(text, ",scaled,50.25,"));
	ck_assert(strstr(text, ",scaled,50,"));
	f.opts.aggr = AGGR_GLOBAL;
	f.opts.min_running = 100;
	f.print.reasons = true;
	text = fixture__print_as(&f, "json-perf");
	ck_assert(strstr(text,
			 "\"counter-value\" : \"<not counted>\", \"unit\" : \"\", \"event\" : "
			 "\"a\", \"event-runtime\" : 401, \"pcnt-running\" : 50.00,"));
	fixture__free(&f);
}
END_TEST

TMA_TEST_MAIN(report_values, an_event_and_its_metrics, a_count_is_exact, each_state_has_its_reason,
	      a_missing_part_is_reported, a_task_that_did_not_run_is_reported,
	      a_value_stands_without_its_threshold, infinity_is_null, any_name_is_valid,
	      counters_may_be_others, cpus_that_were_offline_are_less_covered,
	      each_place_has_its_number, metrics_alone, unknown_times_are_null,
	      too_small_a_share_of_the_time_is_not_counted)
