// SPDX-License-Identifier: GPL-2.0-only
/* Add the elements of a file to a tree. */
#include <endian.h>
#include <errno.h>
#include <json-c/json.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/num.h"
#include "base/strmap.h"
#include "base/text.h"
#include "base/xalloc.h"
#include "json/file.h"
#include "json/perfmon.h"
#include "json/tree.h"

#define FNV_PRIME 0x100000001b3u

static uint64_t mix(uint64_t hash, uint64_t word)
{
	hash = (hash ^ word) * FNV_PRIME;
	return hash ^ hash >> 32;
}

static uint64_t hash_bytes(uint64_t hash, const void *bytes, size_t len)
{
	const unsigned char *at = bytes, *end = at + len;
	uint64_t word;

	for (; (size_t)(end - at) >= sizeof(word); at += sizeof(word)) {
		memcpy(&word, at, sizeof(word));
		hash = mix(hash, le64toh(word));
	}
	while (at < end)
		hash = mix(hash, *at++);
	/* Hash the length, which distinguishes texts that end in zeros. */
	return mix(hash, len);
}

uint64_t tree__hash(uint64_t hash, const char *name, const void *bytes, size_t len)
{
	return hash_bytes(hash_bytes(hash, name, strlen(name) + 1), bytes, len);
}

/*
 * The topic of "floating-point.json" is "floating point"; the topic of all files of metrics is
 * "metrics".
 */
static char *topic_of(const char *file)
{
	char *topic = xstrdup(text__has_suffix(file, "metrics.json") ? "metrics.json" : file);

	/* A file that was given by its path may have any name. */
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

	/* Most vendors write the field as a string, some as a number. */
	if (json_object_object_get_ex(json, key, &value)) {
		if (!json_object_is_type(value, json_type_string) &&
		    !json_object_is_type(value, json_type_int))
			return err__set(err, EINVAL, "%s: expected a number", key);
		rc = num__parse_u64(key, json_object_get_string(value), 0, 1024, &n, err);
	}
	*out = n;
	return rc;
}

struct pmu_counters *tree_model__counters(struct tree_model *model, uint32_t pmu)
{
	struct pmu_counters *c;

	vec__for_each(c, &model->counters)
		if (c->pmu == pmu)
			return c;
	vec__push(&model->counters, (struct pmu_counters){ .pmu = pmu, .guessed = true });
	return &model->counters.at[model->counters.nr - 1];
}

/* An element of counter.json has a unit and its numbers of counters. */
static int add_counters(struct tree *tree, struct tree_model *model, struct json_object *json,
			struct err *err)
{
	struct pmu_counters counters = { .guessed = false };
	struct sb pmu = SB_INIT;
	const char *unit = NULL;
	int rc;

	if (json_object_object_get_ex(json, "Unit", NULL) && !(unit = perfmon__get(json, "Unit")))
		return err__set(err, EINVAL, "Unit: expected a string");
	/* Only counter.json names the core's Unit. */
	if (unit && !strcmp(unit, "core"))
		unit = NULL;
	json_event__unit_to_pmu(unit, &pmu);
	counters.pmu = pool__add(&tree->pool, sb__str(&pmu));
	sb__free(&pmu);
	rc = read_count(json, "CountersNumGeneric", &counters.general, err) ?:
	     read_count(json, "CountersNumFixed", &counters.fixed, err);
	if (!rc)
		*tree_model__counters(model, counters.pmu) = counters;
	return rc;
}

static int check_empty(struct json_object *json, struct err *err)
{
	static const char *const keys[] = { "EventName", "MetricName" };

	for (int i = 0; i < 2; i++)
		if (perfmon__get(json, keys[i]) &&
		    !json_object_get_string_len(json_object_object_get(json, keys[i])))
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

	rc = check_empty(json, err) ?: json_event__read(tree, json, topic, &entry.event, err);
	if (rc)
		return rc;
	if (!model) {
		tree__add_std(tree, &entry.event);
		return 0;
	}
	if (text[TEXT_METRIC] && !text[TEXT_EXPR])
		return err__set(err, EINVAL, "metric '%s' has no MetricExpr",
				pool__str(&tree->pool, text[TEXT_METRIC]));
	if (text[TEXT_EXPR] && !text[TEXT_NAME] && !text[TEXT_METRIC])
		return err__set(err, EINVAL, "a MetricExpr has no MetricName");
	if (text[TEXT_NAME])
		vec__push(&model->events, entry);
	if (text[TEXT_METRIC])
		vec__push(&model->metrics, entry);
	return 0;
}

int tree__each_element(struct tree *tree, struct json_file *file, const char *key,
		       int (*take)(void *arg, struct json_object *json, struct err *err),
		       void *arg, struct err *err)
{
	struct json_object *json;
	int rc = key ? json_file__enter(file, key, err) : 0;

	if (rc == -ENOENT)
		rc = telemetry__is_text(file->text) ?
			     telemetry__refuse(err) :
			     err__set(err, EINVAL, "expected an object with an array \"%s\"", key);
	if (rc)
		return tree__fail(tree, rc, file->path, file->line, err);
	while ((rc = json_file__next(file, &json, err)) > 0) {
		tree->reading_line = file->line;
		rc = take(arg, json, err);
		json_object_put(json);
		rc = tree__fail(tree, rc, file->path, file->line, err);
		if (rc)
			return rc;
	}
	/* After a syntax error the rest of the file cannot be read. */
	return tree__fail(tree, rc, file->path, file->line, err);
}

int tree__each_member(struct tree *tree, struct json_file *file, const char *key,
		      const char *expected,
		      int (*take)(void *arg, const char *name, struct json_object *value,
				  struct err *err),
		      void *arg, struct err *err)
{
	struct json_object *json, *members;
	int rc = json_file__whole(file, &json, err);

	if (rc)
		return tree__fail(tree, rc, file->path, file->line, err);
	members = json;
	if (key)
		json_object_object_get_ex(json, key, &members);
	if (!json_object_is_type(members, json_type_object)) {
		rc = err__set(err, EINVAL, "expected %s", expected);
		rc = tree__fail(tree, rc, file->path, file->line, err);
		goto out;
	}
	json_object_object_foreach(members, name, value) {
		rc = take(arg, name, value, err);
		rc = tree__fail(tree, rc, file->path, file->line, err);
		if (rc)
			break;
	}
out:
	json_object_put(json);
	return rc;
}

/* A file of the kernel's form that is being read for a model, and the topic of the file. */
struct tree_reading {
	struct tree *tree;
	struct tree_model *model;
	char *topic;
};

static int take_element(void *arg, struct json_object *json, struct err *err)
{
	const struct tree_reading *r = arg;

	return tree__add_element(r->tree, r->model, json, r->topic, err);
}

static int take_group(void *arg, const char *name, struct json_object *desc, struct err *err)
{
	struct tree *tree = arg;
	struct tree_group group = { .dir = tree->dir };
	int i;

	if (!json_object_is_type(desc, json_type_string))
		return err__set(err, EINVAL, "'%s': expected a string", name);
	group.name = pool__add(&tree->pool, name);
	group.desc = pool__add(&tree->pool, json_object_get_string(desc));
	i = strmap__add(tree->group_index, name, tree->groups.nr);
	if (i == tree->groups.nr)
		vec__push(&tree->groups, group);
	else if (tree->groups.at[i].dir == tree->dir)
		tree->groups.at[i] = group;
	return 0;
}

const char *tree__add_path(struct tree *tree, const char *path)
{
	struct tree_file file = { .path = xstrdup(path), .dir = tree->dir };

	vec__push(&tree->files, file);
	return file.path;
}

int tree__open_file(struct tree *tree, struct tree_model *model, const char *path,
		    const char *name, struct json_file *file, struct err *err)
{
	const struct tree_options *opts = tree->opts;
	int rc;

	path = tree__add_path(tree, path);
	if (opts->text)
		rc = json_file__open_text(file, path, opts->text, opts->len, err);
	else
		rc = json_file__open(file, path, err);
	if (rc)
		return tree__fail(tree, rc, path, file->line, err);
	if (model)
		model->hash = tree__hash(model->hash, name, file->text, file->len);
	tree->reading = path;
	return 1;
}

void tree__close_file(struct tree *tree, struct json_file *file)
{
	tree->reading = NULL;
	json_file__close(file);
}

int tree__read_json(struct tree *tree, struct tree_model *model, const char *path,
		    const char *name, struct err *err)
{
	struct json_file file;
	struct tree_reading reading = {.tree = tree, .model = model};
	int rc = tree__open_file(tree, model, path, name, &file, err);

	if (rc <= 0)
		return rc;
	/* Standard events have no topic; elements that name standard events do. */
	reading.topic = model ? topic_of(name) : xstrdup("");
	if (model && text__has_suffix(name, "metricgroups.json"))
		rc = tree__each_member(tree, &file, NULL, "an object of groups", take_group, tree,
				       err);
	else
		rc = tree__each_element(tree, &file, NULL, take_element, &reading, err);
	free(reading.topic);
	tree__close_file(tree, &file);
	return rc;
}
