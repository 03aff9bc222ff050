// SPDX-License-Identifier: GPL-2.0-only
/* Files that are cut, huge or deeply nested, or have unexpected bytes or types. */
#include <json-c/json.h>

#include "base/sb.h"
#include "json/file.h"
#include "json_fixture.h"

static const char *dumped_bytes(const char *json, size_t len)
{
	put("mapfile.csv", MAP_HEAD "A-1,v1,m,core\n");
	put_bytes("m/e.json", json, len);
	return dumped();
}

static void check_error(const char *json, const char *msg)
{
	ck_assert_str_eq(dumped_bytes(json, strlen(json)), msg);
}

START_TEST(a_file_cut_off_anywhere)
{
	static const char json[] = "[{\"EventName\": \"e\\u00e9\", \"UMask\": \"0x1\"},\n"
				   "{\"MetricName\": \"m\", \"MetricExpr\": \"a + b\","
				   " \"RetirementLatencyMax\": 1.5}]";

	ck_assert_int_eq(dumped_bytes(json, strlen(json))[0], 'c');
	for (size_t len = 0; len < strlen(json); len++) {
		dumped_bytes(json, len);
		ck_assert_msg(strstr(text, "!m/e.json:1: ") == text ||
				      strstr(text, "!m/e.json:2: ") == text,
			      "%zu: %s", len, text);
	}
}
END_TEST

START_TEST(wrong_types)
{
	static const char *const values[] = { "1", "1.5", "null", "true", "[]", "{}", "[\"a\"]",
					      "{\"a\": \"b\"}" };
	static const char *const fields[] = { "EventName", "EventCode", "UMask", "MetricExpr",
					      "Unit", "PerPkg", "ScaleUnit" };
	char json[128], want[128];

	for (size_t f = 0; f < sizeof(fields) / sizeof(*fields); f++) {
		snprintf(want, sizeof(want), "!m/e.json:2: %s: expected a string", fields[f]);
		for (size_t v = 0; v < sizeof(values) / sizeof(*values); v++) {
			snprintf(json, sizeof(json), "[\n{\"%s\": %s}]", fields[f], values[v]);
			check_error(json, want);
		}
	}
	check_error("[\n[]]", "!m/e.json:2: expected an object");
	check_error("[null]", "!m/e.json:1: expected an object");
	check_error("[{}, \"a\"]", "!m/e.json:1: expected an object");
	check_error("[{\"EventName\": \"e\", \"RetirementLatencyMax\": true}]",
		    "!m/e.json:1: RetirementLatencyMax: expected a string");
	check_error("[{\"CountersNumGeneric\": []}]",
		    "!m/e.json:1: CountersNumGeneric: expected a number");
	check_error("[{\"CountersNumGeneric\": -1}]",
		    "!m/e.json:1: CountersNumGeneric: -1 must be at least 0");
	check_error("[{\"Unit\": 1, \"CountersNumGeneric\": \"1\"}]",
		    "!m/e.json:1: Unit: expected a string");
}
END_TEST

START_TEST(numbers_out_of_range)
{
	check_error("[{\"EventName\": \"e\", \"UMask\": \"0x10000000000000000\"}]",
		    "!m/e.json:1: UMask: 0x10000000000000000 is not between 0 and "
		    "18446744073709551615");
	check_error("[{\"CountersNumGeneric\": \"70000\"}]",
		    "!m/e.json:1: CountersNumGeneric: 70000 is not between 0 and 1024");
}
END_TEST

START_TEST(a_key_twice)
{
	check_error("[{\"EventName\": \"e\",\n\"UMask\": \"1\",\n\"UMask\": \"2\"}]",
		    "!m/e.json:3: key UMask appears twice in one object");
	check_error("[{\"EventName\": \"e\", \"EventName\" : \"e\"}]",
		    "!m/e.json:1: key EventName appears twice in one object");
	check_error("[{\"X\": {\"a\": 1,\n\"b\": {\"a\": 2},\n\"a\": 3}}]",
		    "!m/e.json:3: key a appears twice in one object");
	check_error("[{\"A\": \"1\", \"\\u0041\": \"1\"}]",
		    "!m/e.json:1: key appears twice in one object");
	/* A key that is in two objects, or a text that looks like a key, is not a duplicate. */
	check_error("[{\"X\": {\"a\": 1}, \"Y\": {\"a\": \"a\\\": \\\\\"}}]",
		    "cpu\tA-1\n# model\tm\tv1\n");
	put("m/metricgroups.json", "{\"G\": \"1\",\n\"H\": \"\", \"G\": \"2\"}");
	check_error("[]", "!m/metricgroups.json:2: key G appears twice in one object");
}
END_TEST

START_TEST(a_byte_order_mark_is_skipped)
{
	check_error("\xef\xbb\xbf[]", "cpu\tA-1\n# model\tm\tv1\n");
	check_error("[\xef\xbb\xbf]", "!m/e.json:1: unexpected character");
}
END_TEST

START_TEST(bytes_that_are_not_text)
{
	static const char nul[] = "[\n{\"EventName\": \"e\0\"}]";
	char json[64];

	dumped_bytes(nul, sizeof(nul) - 1);
	ck_assert_str_eq(text, "!m/e.json:2: NUL byte");
	dumped_bytes("[]\0", 3);
	ck_assert_str_eq(text, "!m/e.json:1: NUL byte");
	check_error("[{},\n{\"EventName\": \"e\\u0000f\"}]", "!m/e.json:2: EventName: NUL byte");
	for (int c = 0x80; c < 0x100; c++) {
		snprintf(json, sizeof(json), "[{},\n{\"EventName\": \"%c\"}]", c);
		check_error(json, "!m/e.json:2: the text is not UTF-8 here");
	}
	put_bytes("mapfile.csv", MAP_HEAD "A-1\0", sizeof(MAP_HEAD "A-1\0") - 1);
	put("m/e.json", "[]");
	ck_assert_str_eq(dumped(), "!mapfile.csv: NUL byte");
}
END_TEST

/* Return: @before, then @open @nr times, then @after. */
static const char *dumped_repeated(const char *before, const char *open, int nr, const char *after)
{
	struct sb sb = SB_INIT;
	const char *out;

	sb__puts(&sb, before);
	for (int i = 0; i < nr; i++)
		sb__puts(&sb, open);
	sb__puts(&sb, after);
	ck_assert(!sb.err);
	out = dumped_bytes(sb.buf, sb.len);
	sb__free(&sb);
	return out;
}

START_TEST(nesting_is_bounded)
{
	static const char msg[] = "!m/e.json:2: nesting too deep";

	ck_assert_str_eq(dumped_repeated("[\n", "[", 10000, ""), msg);
	ck_assert_str_eq(dumped_repeated("[\n", "{\"a\": ", 10000, ""), msg);
	ck_assert_str_eq(dumped_repeated("[\n{\"EventName\": ", "[", 1000000, ""), msg);
	put("m/metricgroups.json", "{}");
	ck_assert_str_eq(dumped_repeated("[{\"MetricName\": \"m\", \"MetricExpr\": \"", "(", 10000,
					 "\"}]"),
			 text);
	ck_assert_ptr_nonnull(strstr(text, "!m/e.json:1:\nMetricExpr syntax error: "));
	ck_assert_ptr_nonnull(strstr(text, "brackets are nested too deeply"));
}
END_TEST

START_TEST(length_is_bounded)
{
	dumped_repeated("[{\"MetricName\": \"m\", \"MetricExpr\": \"a", " + a", 262144, "\"}]");
	ck_assert_ptr_nonnull(strstr(text, "!m/e.json:1:\nMetricExpr syntax error: "));
	ck_assert_ptr_nonnull(strstr(text, "the expression is too long"));
	dumped_repeated("[{\"MetricName\": \"m\", \"MetricExpr\": \"", "a", 1 << 20, "\"}]");
	ck_assert_ptr_nonnull(strstr(text, "the expression is too long"));
	/* A long name is allowed if nothing uses it. */
	dumped_repeated("[{\"EventName\": \"", "e", 10000, "\"}]");
	ck_assert_ptr_nonnull(strstr(text, "eeee\te\tevent=0\t"));
}
END_TEST

START_TEST(a_huge_file_is_not_read)
{
	struct json_file file;
	struct err err = ERR_INIT;
	char path[96];

	/* A sparse file, which uses no space on the disk. */
	put("m/huge.json", "[]");
	snprintf(path, sizeof(path), "%s/m/huge.json", top);
	ck_assert_int_eq(truncate(path, (64 << 20) + 1), 0);
	ck_assert_int_eq(json_file__open(&file, path, &err), -EFBIG);
	ck_assert_ptr_nonnull(strstr(err.msg, "/m/huge.json is larger than 67108864 bytes"));
}
END_TEST

/* Return: the elements of member "Events" of a file, with their lines; errors follow a '!'. */
static const char *lines_of_events(const char *json)
{
	static char lines[256];
	struct json_object *element;
	struct err err = ERR_INIT;
	struct json_file file;
	char path[96], *at = lines;
	int rc;

	put("f.json", json);
	snprintf(path, sizeof(path), "%s/f.json", top);
	ck_assert_int_eq(json_file__open(&file, path, &err), 0);
	rc = json_file__enter(&file, "Events", &err);
	*at = '\0';
	while (!rc && (rc = json_file__next(&file, &element, &err)) > 0) {
		at += sprintf(at, "%d ", file.line);
		json_object_put(element);
		rc = 0;
	}
	if (rc)
		snprintf(at, lines + sizeof(lines) - at, "!%d: %s", file.line,
			 rc == -ENOENT ? "none" : err.msg);
	json_file__close(&file);
	return lines;
}

START_TEST(an_array_within_an_object)
{
	ck_assert_str_eq(lines_of_events("{\"Header\": {\"a\": [1]},\n\"Events\": [\n{},\n{}],\n"
					 "\"Behind\": 1}\n"),
			 "3 4 ");
	ck_assert_str_eq(lines_of_events("{\"Events\": []}"), "");
	ck_assert_str_eq(lines_of_events("{\"Events\": 1, \"a\": 2}"), "!1: none");
	ck_assert_str_eq(lines_of_events("{}"), "!1: none");
	ck_assert_str_eq(lines_of_events("[{}]"), "!1: none");
	ck_assert_str_eq(lines_of_events("{\"Events\": [{}]"),
			 "1 !1: expected ',' or '}' after a member");
	ck_assert_str_eq(lines_of_events("{\"Events\": [{}], }"),
			 "1 !1: expected a member of the object");
	ck_assert_str_eq(lines_of_events("{\"Events\": [{}]} x"),
			 "1 !1: text after the end of the array");
	ck_assert_str_eq(lines_of_events("{\"A\": 1,\n\"Events\" [{}]}"),
			 "!2: expected ':' after the name of a member");
	ck_assert_str_eq(lines_of_events("{\"A\": 1\n\"Events\": [{}]}"),
			 "!2: expected a member of the object or '}'");
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		a_file_cut_off_anywhere,
		wrong_types,
		numbers_out_of_range,
		a_key_twice,
		a_byte_order_mark_is_skipped,
		bytes_that_are_not_text,
		nesting_is_bounded,
		length_is_bounded,
		a_huge_file_is_not_read,
		an_array_within_an_object,
	};

	return run_tree_tests("json_hostile", tests, sizeof(tests) / sizeof(*tests));
}
