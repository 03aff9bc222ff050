// SPDX-License-Identifier: GPL-2.0-only
/* One file of a tree: its elements go where they belong. */
#include <errno.h>
#include <json-c/json.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/num.h"
#include "base/strmap.h"
#include "base/text.h"
#include "json/file.h"
#include "json/hash.h"
#include "json/tree.h"

/* "floating-point.json" is about "floating point"; all files of metrics are about "metrics". */
static char *topic_of(const char *file)
{
	char *topic = strdup(text__has_suffix(file, "metrics.json") ? "metrics.json" : file);

	if (!topic)
		return NULL;
	/* One that is named by its path alone may be called anything. */
	if (text__has_suffix(topic, ".json"))
		topic[strlen(topic) - strlen(".json")] = '\0';
	for (char *p = topic; *p; p++)
		if (*p == '-')
			*p = ' ';
	return topic;
}

static int read_count(struct json_object *json, const char *key, uint16_t *out, struct err *err)
{
	struct json_object *value;
	uint64_t n = 0;
	int rc = 0;

	/* Vendors write it as a string, sometimes as a number. */
	if (json_object_object_get_ex(json, key, &value)) {
		if (!json_object_is_type(value, json_type_string) &&
		    !json_object_is_type(value, json_type_int))
			return err__set(err, EINVAL, "%s: expected a number", key);
		rc = num__parse_u64(key, json_object_get_string(value), 0, 1024, &n, err);
	}
	*out = n;
	return rc;
}

static int put_counters(struct tree_model *model, const struct pmu_counters *counters)
{
	struct pmu_counters *at;

	vec__for_each(at, &model->counters) {
		if (at->pmu == counters->pmu) {
			*at = *counters;
			return 0;
		}
	}
	return vec__push(&model->counters, *counters);
}

/* An element of counter.json: a unit and its numbers of counters. */
static int add_counters(struct tree *tree, struct tree_model *model, struct json_object *json,
			struct err *err)
{
	struct pmu_counters counters = { .guessed = false };
	struct json_object *value;
	struct sb pmu = SB_INIT;
	const char *unit = NULL;
	int rc;

	if (json_object_object_get_ex(json, "Unit", &value)) {
		if (!json_object_is_type(value, json_type_string))
			return err__set(err, EINVAL, "Unit: expected a string");
		unit = json_object_get_string(value);
	}
	/* Nowhere else is the core a unit with a name. */
	if (unit && !strcmp(unit, "core"))
		unit = NULL;
	json_event__unit_to_pmu(unit, &pmu);
	counters.pmu = pool__add(&tree->pool, sb__str(&pmu));
	tree->pool.err |= pmu.err;
	sb__free(&pmu);
	rc = read_count(json, "CountersNumGeneric", &counters.general, err);
	if (!rc)
		rc = read_count(json, "CountersNumFixed", &counters.fixed, err);
	return rc ? rc : put_counters(model, &counters);
}

static int check_empty(struct json_object *json, struct err *err)
{
	static const char *const keys[] = { "EventName", "MetricName" };
	struct json_object *value;

	for (int i = 0; i < 2; i++)
		if (json_object_object_get_ex(json, keys[i], &value) &&
		    json_object_is_type(value, json_type_string) &&
		    !json_object_get_string_len(value))
			return err__set(err, EINVAL, "%s is empty", keys[i]);
	return 0;
}

int tree__add_element(struct tree *tree, struct tree_model *model, struct json_object *json,
		      const char *topic, struct err *err)
{
	struct tree_entry entry = { .file = tree->files.nr - 1, .line = tree->reading_line };
	const uint32_t *text = entry.event.text;
	int rc;

	if (model && (json_object_object_get_ex(json, "CountersNumGeneric", NULL) ||
		      json_object_object_get_ex(json, "CountersNumFixed", NULL)))
		return add_counters(tree, model, json, err);

	rc = check_empty(json, err);
	if (!rc)
		rc = json_event__read(&tree->reader, json, topic, &entry.event, err);
	if (rc)
		return rc;
	if (!model)
		return event_reader__add_std(&tree->reader, &entry.event);
	if (text[TEXT_METRIC] && !text[TEXT_EXPR])
		return err__set(err, EINVAL, "metric '%s' has no MetricExpr",
				pool__str(&tree->pool, text[TEXT_METRIC]));
	if (text[TEXT_NAME])
		rc = vec__push(&model->events, entry);
	if (!rc && text[TEXT_METRIC])
		rc = vec__push(&model->metrics, entry);
	return rc;
}

static int read_elements(struct tree *tree, struct tree_model *model, struct json_file *file,
			 const char *topic, struct err *err)
{
	struct json_object *json;
	int rc;

	while ((rc = json_file__next(file, &json, err)) > 0) {
		tree->reading_line = file->line;
		rc = tree__add_element(tree, model, json, topic, err);
		json_object_put(json);
		if (rc)
			rc = tree__fail(tree, rc, file->path, file->line, err);
		if (rc)
			return rc;
	}
	/* What stands behind a syntax error cannot be read. */
	return rc ? tree__fail(tree, rc, file->path, file->line, err) : 0;
}

static int add_group(struct tree *tree, const char *name, const char *desc)
{
	struct tree_group group = {
		.name = pool__add(&tree->pool, name),
		.desc = pool__add(&tree->pool, desc),
		.dir = tree->dir,
	};
	int i = strmap__get(tree->group_index, name);

	if (i >= 0) {
		if (tree->groups.at[i].dir == tree->dir)
			tree->groups.at[i] = group;
		return 0;
	}
	if (strmap__put(tree->group_index, name, tree->groups.nr))
		return -ENOMEM;
	return vec__push(&tree->groups, group);
}

static int read_groups(struct tree *tree, struct json_file *file, struct err *err)
{
	struct json_object *json;
	int rc = json_file__whole(file, &json, err);

	if (rc)
		return tree__fail(tree, rc, file->path, file->line, err);
	if (!json_object_is_type(json, json_type_object)) {
		rc = err__set(err, EINVAL, "expected an object of groups");
		rc = tree__fail(tree, rc, file->path, file->line, err);
		goto out;
	}
	json_object_object_foreach(json, key, value) {
		if (json_object_is_type(value, json_type_string))
			rc = add_group(tree, key, json_object_get_string(value));
		else
			rc = err__set(err, EINVAL, "'%s': expected a string", key);
		if (rc)
			rc = tree__fail(tree, rc, file->path, file->line, err);
		if (rc)
			break;
	}
out:
	json_object_put(json);
	return rc;
}

const char *tree__add_path(struct tree *tree, const char *path)
{
	struct tree_file file = { .path = strdup(path), .dir = tree->dir };

	if (!file.path || vec__push(&tree->files, file)) {
		free(file.path);
		return NULL;
	}
	return file.path;
}

int tree__open_file(const struct tree *tree, struct json_file *file, const char *path,
		    struct err *err)
{
	const struct tree_options *opts = tree->opts;
	char *copy;

	if (!opts->text)
		return json_file__open(file, path, err);
	*file = (struct json_file){ .path = path };
	copy = malloc(opts->len + 1);
	if (!copy)
		return err__set(err, ENOMEM, "%s: out of memory", path);
	memcpy(copy, opts->text, opts->len + 1);
	return json_file__open_text(file, path, copy, opts->len, err);
}

int tree__read_file(struct tree *tree, struct tree_model *model, const char *path,
		    const char *name, struct err *err)
{
	const char *kept = tree__add_path(tree, path);
	struct json_file file;
	char *topic;
	int rc;

	if (!kept)
		return -ENOMEM;
	rc = tree__open_file(tree, &file, kept, err);
	if (rc)
		return tree__fail(tree, rc, kept, file.line, err);
	if (model)
		model->hash = hash__file(model->hash, name, file.text, file.len);
	tree->reading = kept;
	/* Standard events have no topic of their own. */
	topic = model ? topic_of(name) : strdup("");
	if (!topic)
		rc = -ENOMEM;
	else if (model && !strcmp(name, "metricgroups.json"))
		rc = read_groups(tree, &file, err);
	else
		rc = read_elements(tree, model, &file, topic, err);
	tree->reading = NULL;
	free(topic);
	json_file__close(&file);
	return rc;
}
