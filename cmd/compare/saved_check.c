// SPDX-License-Identifier: GPL-2.0-only
/* Limits of what is read from saved runs: a file that somebody changed must not take all memory. */
#include <errno.h>
#include <math.h>

#include <json-c/json.h>

#include "base/err.h"
#include "compare/compare.h"
#include "compare/saved.h"
#include "json/member.h"

#define MOST_ROWS 10000 /* of one list */
#define MOST_NODES 1000 /* of a function or file */
#define MOST_LEVEL 100

/**
 * struct saved_place - where in a file a list or a part of it is, for messages
 * @list: "rows" or "list", the key of the list; @number: of the part, from 1; 0 for the list
 */
struct saved_place {
	const char *path, *list;
	size_t number;
};

static int refuse(const struct saved_place *at, const char *what, double value, struct err *err)
{
	char number[32] = "";

	if (at->number)
		snprintf(number, sizeof(number), "[%zu]", at->number - 1);
	return err__set(err, EINVAL,
			"%s: \"%s\"%s: %s (%g): save the runs again with 'tma compare --save'",
			at->path, at->list, number, what, value);
}

static bool is_number(struct json_object *value)
{
	return json_object_is_type(value, json_type_double) ||
	       json_object_is_type(value, json_type_int);
}

/* A value that was not measured is null. */
static int check_values(const struct saved_place *at, struct json_object *row, struct err *err)
{
	struct json_object *values = json_member(row, "values", json_type_array);
	size_t nr = values ? json_object_array_length(values) : 0;

	if (nr > MOST_RUNS)
		return refuse(at, "more runs than 100000", nr, err);
	for (size_t i = 0; i < nr; i++) {
		struct json_object *value = json_object_array_get_idx(values, i);
		double number = is_number(value) ? json_object_get_double(value) : 0;

		if (!(fabs(number) <= MOST_SAVED_VALUE))
			return refuse(at, "a value is not a number up to 1e100", number, err);
	}
	return 0;
}

static int check_row(const struct saved_place *at, struct json_object *row, struct err *err)
{
	static const char *const numbers[] = {"errors", "errors_known", "grain"};
	struct json_object *number;

	for (int i = 0; i < (int)(sizeof(numbers) / sizeof(*numbers)); i++)
		if (json_object_object_get_ex(row, numbers[i], &number) && is_number(number) &&
		    !(fabs(json_object_get_double(number)) <= MOST_SAVED_VALUE))
			return refuse(at, "an error is not a number up to 1e100",
				      json_object_get_double(number), err);
	if (saved__int_of(row, "level") > MOST_LEVEL)
		return refuse(at, "a level above 100", saved__int_of(row, "level"), err);
	return check_values(at, row, err);
}

static int check_list(struct saved_place *at, struct json_object *list, size_t most,
		      struct err *err);

static int check_nodes(const struct saved_place *at, struct json_object *site, struct err *err)
{
	struct json_object *nodes = json_member(site, "nodes", json_type_array);
	struct saved_place of_nodes = {at->path, "nodes", 0};

	return nodes ? check_list(&of_nodes, nodes, MOST_NODES, err) : 0;
}

static int check_list(struct saved_place *at, struct json_object *list, size_t most,
		      struct err *err)
{
	size_t nr = json_object_array_length(list);
	int rc = 0;

	if (nr > most)
		return refuse(at, "it is longer than saved runs can be", nr, err);
	for (size_t i = 0; !rc && i < nr; i++) {
		struct json_object *part = json_object_array_get_idx(list, i);

		at->number = i + 1;
		rc = check_row(at, part, err) ?: check_nodes(at, part, err);
	}
	return rc;
}

int compare_saved__check_limits(const char *path, struct json_object *from, struct err *err)
{
	struct json_object *rows = json_member(from, "rows", json_type_array);
	struct json_object *sites = json_member(from, "sites", json_type_object);
	struct json_object *list = sites ? json_member(sites, "list", json_type_array) : NULL;
	struct saved_place of_rows = {path, "rows", 0}, of_sites = {path, "list", 0};
	int rc = rows ? check_list(&of_rows, rows, MOST_ROWS, err) : 0;

	return rc || !list ? rc : check_list(&of_sites, list, MOST_ROWS, err);
}
