// SPDX-License-Identifier: GPL-2.0-only
/*
 * Check files of saved runs before they are used. A user may have edited them: they must not make
 * tma use all memory, and values that tma does not write are refused.
 */
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <string.h>

#include <json-c/json.h>

#include "base/auto.h"
#include "base/err.h"
#include "base/strmap.h"
#include "base/xalloc.h"
#include "compare/compare.h"
#include "compare/saved.h"
#include "json/member.h"

#define MOST_ROWS 10000 /* most rows in a list */
#define MOST_NODES 1000 /* most nodes of a function or file */
#define MOST_LEVEL 100
#define MOST_SECONDS 1e9 /* longest time of a run */

/**
 * struct saved_place - where in a file a list or a part of it is, for messages
 * @list: key of the list, such as "rows", or key of another member
 * @number: number of the element in the list, from 1; 0 for the list itself
 * @runs: number of runs
 */
struct saved_place {
	const char *path, *list;
	size_t number, runs;
};

static int refuse(const struct saved_place *at, struct err *err, const char *what, ...)
{
	char number[32] = "";
	auto_text text = NULL;
	va_list args;

	va_start(args, what);
	text = xvasprintf(what, args);
	va_end(args);
	if (at->number)
		snprintf(number, sizeof(number), "[%zu]", at->number - 1);
	return err__set(err, EINVAL,
			"%s: \"%s\"%s: %s: save the runs again with 'tma compare --save'",
			at->path, at->list, number, text);
}

static bool is_number(struct json_object *value)
{
	return json_object_is_type(value, json_type_double) ||
	       json_object_is_type(value, json_type_int);
}

static bool is_of_sites(const struct saved_place *at)
{
	return !strcmp(at->list, "list");
}

/* Values that were not measured are null or missing. Times are measured in every run. */
static int check_value(const struct saved_place *at, struct json_object *value, bool is_time,
		       bool is_whole, struct err *err)
{
	double number = is_number(value) ? json_object_get_double(value) : 0;

	if (!is_number(value) && (value || is_time))
		return refuse(at, err, "a value is not a number (%s)",
			      json_object_to_json_string(value));
	if (is_time && !(number >= 0 && number < MOST_SECONDS))
		return refuse(at, err, "a time is not a number of seconds from 0 to 1e9 (%g)",
			      number);
	if (is_whole && !number)
		return refuse(at, err, "the time of a run is 0");
	if (is_of_sites(at) && number < 0)
		return refuse(at, err, "a value is negative (%g)", number);
	if (!(fabs(number) <= MOST_SAVED_VALUE))
		return refuse(at, err, "a value is not a number up to 1e100 (%g)", number);
	return 0;
}

static int check_values(const struct saved_place *at, struct json_object *row, struct err *err)
{
	struct json_object *values = json_member(row, "values", json_type_array);
	size_t nr = values ? json_object_array_length(values) : 0;
	auto_text kind = saved__text_of(row, "kind");
	auto_text name = saved__text_of(row, "name");
	bool is_time = kind && !strcmp(kind, "time");
	bool is_whole = is_time && name && !strcmp(name, "time");
	int rc = 0;

	if (nr > MOST_RUNS)
		return refuse(at, err, "more runs than 100000 (%zu)", nr);
	if (nr > at->runs || (is_time && nr < at->runs))
		return refuse(at, err, "%zu values of %zu runs", nr, at->runs);
	for (size_t i = 0; !rc && i < nr; i++)
		rc = check_value(at, json_object_array_get_idx(values, i), is_time, is_whole, err);
	return rc;
}

static int check_row(const struct saved_place *at, struct json_object *row, struct err *err)
{
	static const char *const numbers[] = {"errors", "errors_known", "grain"};
	struct json_object *number;
	int level = saved__int_of(row, "level");

	for (int i = 0; i < (int)(sizeof(numbers) / sizeof(*numbers)); i++)
		if (json_object_object_get_ex(row, numbers[i], &number) && is_number(number) &&
		    !(fabs(json_object_get_double(number)) <= MOST_SAVED_VALUE))
			return refuse(at, err, "an error is not a number up to 1e100 (%g)",
				      json_object_get_double(number));
	if (level < 0 || level > MOST_LEVEL)
		return refuse(at, err, "a level that is not from 0 to 100 (%d)", level);
	return check_values(at, row, err);
}

/* Refuse a row whose name occurred before; ignore rows without names. @seen: the rows so far */
static int check_again(const struct saved_place *at, struct json_object *row, struct strmap *seen,
		       struct err *err)
{
	auto_text name = saved__text_of(row, "name");
	auto_text core = saved__text_of(row, "pmu");
	auto_text cgroup = saved__text_of(row, "cgroup");
	auto_text object = saved__text_of(row, "object");
	auto_text key = xasprintf("%s\n%s\n%s\n%s", name ?: "", core ?: "", cgroup ?: "",
				  object ?: "");

	if (name && strmap__get(seen, key) >= 0)
		return refuse(at, err, "'%s' is there twice", name);
	strmap__put(seen, key, 1);
	return 0;
}

static int check_list(struct saved_place *at, struct json_object *list, size_t most,
		      struct err *err);

static int check_nodes(const struct saved_place *at, struct json_object *site, struct err *err)
{
	struct json_object *nodes = json_member(site, "nodes", json_type_array);
	struct saved_place of_nodes = {at->path, "nodes", 0, at->runs};

	return nodes ? check_list(&of_nodes, nodes, MOST_NODES, err) : 0;
}

static int check_list(struct saved_place *at, struct json_object *list, size_t most,
		      struct err *err)
{
	size_t nr = json_object_array_length(list);
	struct strmap *seen;
	int rc = 0;

	if (nr > most)
		return refuse(at, err, "it is longer than saved runs can be (%zu)", nr);
	seen = xchecked(strmap__new());
	for (size_t i = 0; !rc && i < nr; i++) {
		struct json_object *part = json_object_array_get_idx(list, i);

		at->number = i + 1;
		rc = check_row(at, part, err)
			?: check_again(at, part, seen, err)
			?: check_nodes(at, part, err);
	}
	strmap__free(seen);
	return rc;
}

static int check_members(const char *path, struct json_object *from, struct err *err)
{
	const struct saved_place type = {path, "type", 0, 0}, levels = {path, "levels", 0, 0};
	const struct saved_place failed = {path, "failed", 0, 0};
	struct json_object *is;
	int number = saved__int_of(from, "levels");

	if (json_object_object_get_ex(from, "type", &is) &&
	    (!json_object_is_type(is, json_type_string) ||
	     strcmp(json_object_get_string(is), "saved") != 0))
		return refuse(&type, err, "it is not \"saved\" (%s)",
			      json_object_to_json_string(is));
	if (number < -1 || number > MOST_LEVEL)
		return refuse(&levels, err, "it is not from -1 to 100 (%d)", number);
	if (saved__int_of(from, "failed") < 0)
		return refuse(&failed, err, "it is negative");
	return 0;
}

int compare_saved__nr_runs(struct json_object *from)
{
	struct json_object *rows = json_member(from, "rows", json_type_array);
	int most = 0;

	for (size_t i = 0; i < json_object_array_length(rows); i++) {
		struct json_object *row = json_object_array_get_idx(rows, i);
		struct json_object *values = json_member(row, "values", json_type_array);
		int nr = values ? (int)json_object_array_length(values) : 0;

		most = nr > most ? nr : most;
	}
	return most;
}

int compare_saved__check_limits(const char *path, struct json_object *from, struct err *err)
{
	struct json_object *rows = json_member(from, "rows", json_type_array);
	struct json_object *sites = json_member(from, "sites", json_type_object);
	struct json_object *list = sites ? json_member(sites, "list", json_type_array) : NULL;
	size_t runs = compare_saved__nr_runs(from);
	struct saved_place of_rows = {path, "rows", 0, runs}, of_sites = {path, "list", 0, runs};
	int rc = check_members(path, from, err);

	if (!rc && rows)
		rc = check_list(&of_rows, rows, MOST_ROWS, err);
	return rc || !list ? rc : check_list(&of_sites, list, MOST_ROWS, err);
}
