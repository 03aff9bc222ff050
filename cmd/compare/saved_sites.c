// SPDX-License-Identifier: GPL-2.0-only
/* Functions or files in saved runs: their times in each run, and their nodes. */
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <json-c/json.h>

#include "base/auto.h"
#include "base/json.h"
#include "base/xalloc.h"
#include "compare/compare.h"
#include "compare/saved.h"
#include "grid/rows.h"
#include "json/member.h"

/* --- Writing ------------------------------------------------------------------------------- */

static void saved_sites__put_values(struct json *j, const double *at, int nr)
{
	json__open(j, "values", '[');
	for (int i = 0; i < nr; i++)
		json__number(j, NULL, at[i]);
	json__close(j, ']');
}

static void put_site_node(struct json *j, const struct site_node *node)
{
	const struct series *s = &node->series[0];

	json__open(j, NULL, '{');
	json__text(j, "name", node->name);
	json__text(j, "unit", node->unit);
	json__text(j, "pmu", node->core_name ?: "");
	json__int(j, "level", node->level);
	json__text(j, "parent", node->parent ?: "");
	json__number(j, "errors", s->errors);
	json__int(j, "errors_known", s->nr_errors);
	saved_sites__put_values(j, s->at, s->nr);
	json__close(j, '}');
}

static void saved_sites__put_site(struct json *j, const struct compared_site *site)
{
	json__open(j, NULL, '{');
	json__text(j, "name", site->name);
	json__text(j, "object", site->object);
	json__bool(j, "is_program", site->is_program);
	saved_sites__put_values(j, site->runs[0].at, site->runs[0].nr);
	json__open(j, "nodes", '[');
	for (int i = 0; i < site->nodes.nr; i++)
		put_site_node(j, &site->nodes.at[i]);
	json__close(j, ']');
	json__close(j, '}');
}

void compare_saved__put_sites(struct json *j, const struct compared_sites *s)
{
	if (!s->kind)
		return;
	json__open(j, "sites", '{');
	json__text(j, "kind", s->kind);
	json__text(j, "unit", s->unit);
	json__number(j, "grain", s->nr_grains[0] ? s->grains[0] / s->nr_grains[0] : 0);
	json__open(j, "list", '[');
	j->style = JSON_COMPACT;
	for (int i = 0; i < s->nr; i++)
		saved_sites__put_site(j, &s->at[i]);
	json__close(j, ']');
	j->style = JSON_INDENTED;
	json__close(j, '}');
}

/* --- Reading ------------------------------------------------------------------------------- */

/* Return: a constant text, which the caller does not own. */
static const char *kind_word(const char *text)
{
	for (enum grid_aggr rows = AGGR_FUNCTION; text && rows <= AGGR_OBJECT; rows++)
		if (!strcmp(text, row_kinds[rows].key))
			return row_kinds[rows].key;
	return NULL;
}

static const char *unit_word(const char *text)
{
	static const char *const units[] = {"s", "cycles"};

	for (int i = 0; text && i < (int)(sizeof(units) / sizeof(*units)); i++)
		if (!strcmp(text, units[i]))
			return units[i];
	return NULL;
}

static void load_node(struct compared_sites *s, struct compared_site *site, int side,
		      struct json_object *from)
{
	auto_text name = saved__text_of(from, "name");
	auto_text core_name = saved__text_of(from, "pmu");
	struct site_node *node;
	int number;

	if (!name || saved__int_of(from, "level") < 1)
		return;
	number = compared_site__node(site, s->nr_sides, name, core_name);
	node = &site->nodes.at[number];
	free(node->unit);
	free(node->parent);
	node->unit = saved__text_of(from, "unit") ?: xstrdup("");
	node->parent = saved__text_of(from, "parent");
	node->level = saved__int_of(from, "level");
	saved__take_values(&node->series[side], from);
}

static void load_runs(struct site_values *to, struct json_object *from)
{
	auto_free(series) values = {.at = NULL};

	saved__take_values(&values, from);
	to->nr = 0;
	for (int i = 0; i < values.nr; i++)
		vec__push(to, fmax(values.at[i], 0));
}

static void load_site(struct compared_sites *s, int side, struct json_object *from)
{
	auto_text name = saved__text_of(from, "name");
	auto_text object = saved__text_of(from, "object");
	struct json_object *nodes = json_member(from, "nodes", json_type_array);
	struct json_object *is_program = json_member(from, "is_program", json_type_boolean);
	int number = compared_sites__add(s, name ?: "", object ?: "");

	s->at[number].is_program = is_program && json_object_get_boolean(is_program);
	load_runs(&s->at[number].runs[side], from);
	for (size_t i = 0; nodes && i < json_object_array_length(nodes); i++)
		load_node(s, &s->at[number], side, json_object_array_get_idx(nodes, i));
}

/* Count the runs. In the last run at least one site was sampled. */
static int longest_of(struct json_object *list)
{
	int most = 0;

	for (size_t i = 0; i < json_object_array_length(list); i++) {
		struct json_object *values = json_member(json_object_array_get_idx(list, i),
							 "values", json_type_array);
		int nr = values ? (int)json_object_array_length(values) : 0;

		most = nr > most ? nr : most;
	}
	return most;
}

void compare_saved__load_sites(struct compared_sites *s, int side, struct json_object *from)
{
	struct json_object *sites = json_member(from, "sites", json_type_object);
	struct json_object *list = sites ? json_member(sites, "list", json_type_array) : NULL;
	auto_text kind = sites ? saved__text_of(sites, "kind") : NULL;
	auto_text unit = sites ? saved__text_of(sites, "unit") : NULL;

	if (!list || !kind_word(kind) || !unit_word(unit) ||
	    !compared_sites__set_runs(s, side, longest_of(list), kind_word(kind), unit_word(unit),
				      saved__number_of(sites, "grain")))
		return;
	for (size_t i = 0; i < json_object_array_length(list); i++)
		load_site(s, side, json_object_array_get_idx(list, i));
}
