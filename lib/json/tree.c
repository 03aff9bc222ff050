// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <json-c/json.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/err.h"
#include "base/file.h"
#include "base/num.h"
#include "base/strmap.h"
#include "base/text.h"
#include "json/file.h"
#include "json/tree.h"

#define DEPTH_MAX 4 /* folders below the architecture's; the kernel's tree has 3 */

static void warn_unknown(void *arg, const char *field)
{
	const struct tree *tree = arg;

	fprintf(stderr, "%s:%d: warning: unknown field '%s'\n", tree->reading, tree->reading_line,
		field);
}

/* "floating-point.json" is about "floating point"; all files of metrics are about "metrics". */
static char *topic_of(const char *file)
{
	char *topic = strdup(text__has_suffix(file, "metrics.json") ? "metrics.json" : file);

	if (!topic)
		return NULL;
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
	if (json_object_object_get_ex(json, key, &value))
		rc = num__parse_u64(key, json_object_get_string(value), 0, 1024, &n, err);
	*out = n;
	return rc;
}

/* An element of counter.json: a unit and its numbers of counters. */
static int add_counters(struct tree *tree, struct model *model, struct json_object *json,
			struct err *err)
{
	struct pmu_counters counters;
	struct json_object *value;
	struct sb pmu = SB_INIT;
	const char *unit = NULL;
	int rc;

	if (json_object_object_get_ex(json, "Unit", &value))
		unit = json_object_get_string(value);
	/* Nowhere else is the core a unit with a name. */
	if (unit && !strcmp(unit, "core"))
		unit = NULL;
	event__unit_to_pmu(unit, &pmu);
	counters.pmu = pool__add(&tree->pool, sb__str(&pmu));
	tree->pool.err |= pmu.err;
	sb__free(&pmu);
	rc = read_count(json, "CountersNumGeneric", &counters.general, err);
	if (!rc)
		rc = read_count(json, "CountersNumFixed", &counters.fixed, err);
	return rc ? rc : vec__push(&model->counters, counters);
}

static int add_element(struct tree *tree, struct model *model, struct json_object *json,
		       const char *topic, struct err *err)
{
	struct entry entry = { .file = tree->files.nr - 1, .line = tree->reading_line };
	int rc;

	if (model && (json_object_object_get_ex(json, "CountersNumGeneric", NULL) ||
		      json_object_object_get_ex(json, "CountersNumFixed", NULL)))
		return add_counters(tree, model, json, err);

	rc = event__read(&tree->reader, json, topic, &entry.event, err);
	if (rc)
		return rc;
	if (!model)
		return event_reader__add_std(&tree->reader, &entry.event);
	if (entry.event.text[TEXT_NAME])
		rc = vec__push(&model->events, entry);
	if (!rc && entry.event.text[TEXT_METRIC]) {
		if (!entry.event.text[TEXT_EXPR])
			return err__set(err, EINVAL, "metric '%s' has no MetricExpr",
					pool__str(&tree->pool, entry.event.text[TEXT_METRIC]));
		rc = vec__push(&model->metrics, entry);
	}
	return rc;
}

static int add_file_name(struct tree *tree, const char *path)
{
	char *copy = strdup(path);

	if (!copy || vec__push(&tree->files, copy)) {
		free(copy);
		return -ENOMEM;
	}
	tree->reading = copy;
	return 0;
}

/* @model is NULL for standard events, which have no topic of their own. */
static int read_events(struct tree *tree, struct model *model, const char *path, const char *name,
		       struct err *err)
{
	char *topic = model ? topic_of(name) : strdup("");
	struct json_file file;
	struct json_object *json;
	int rc;

	if (!topic || add_file_name(tree, path)) {
		free(topic);
		return -ENOMEM;
	}
	rc = json_file__open(&file, path, err);
	if (rc) {
		free(topic);
		return rc;
	}
	while ((rc = json_file__next(&file, &json, err)) > 0) {
		tree->reading_line = file.line;
		rc = add_element(tree, model, json, topic, err);
		json_object_put(json);
		if (rc) {
			/* A caret must not lose its place. */
			if (rc != -ENOMEM)
				err__prefix(err, "%s:%d:%c", path, file.line,
					    strchr(err->msg, '\n') ? '\n' : ' ');
			break;
		}
	}
	json_file__close(&file);
	free(topic);
	return rc;
}

static int add_group(struct tree *tree, const char *name, const char *desc)
{
	struct group group = { pool__add(&tree->pool, name), pool__add(&tree->pool, desc) };
	int i = strmap__get(tree->group_index, name);

	if (i >= 0) {
		tree->groups.at[i] = group;
		return 0;
	}
	if (strmap__put(tree->group_index, name, tree->groups.nr))
		return -ENOMEM;
	return vec__push(&tree->groups, group);
}

static int read_groups(struct tree *tree, const char *path, struct err *err)
{
	struct json_object *json;
	struct json_file file;
	int rc = json_file__open(&file, path, err);

	if (rc)
		return rc;
	rc = json_file__whole(&file, &json, err);
	json_file__close(&file);
	if (rc)
		return rc;
	if (!json_object_is_type(json, json_type_object))
		rc = err__set(err, EINVAL, "%s: expected an object of groups", path);
	if (!rc) {
		json_object_object_foreach(json, key, value) {
			if (!rc && !json_object_is_type(value, json_type_string))
				rc = err__set(err, EINVAL, "%s: '%s': expected a string", path,
					      key);
			if (!rc)
				rc = add_group(tree, key, json_object_get_string(value));
		}
	}
	json_object_put(json);
	return rc;
}

static int new_model(struct tree *tree, const char *name, struct model **out)
{
	struct model model = { .name = pool__add(&tree->pool, name) };

	if (vec__push(&tree->models, model))
		return -ENOMEM;
	*out = &tree->models.at[tree->models.nr - 1];
	return 0;
}

static bool is_dir(const char *path)
{
	struct stat st;

	return !stat(path, &st) && S_ISDIR(st.st_mode);
}

/* One file of a folder. Files that are no JSON are none of ours. */
static int read_file(struct tree *tree, const char *path, const char *name, const char *folder,
		     struct model **model, struct err *err)
{
	int rc;

	if (!text__has_suffix(name, ".json"))
		return 0;
	if (!*folder)
		return read_events(tree, NULL, path, name, err);
	if (!strcmp(name, "metricgroups.json"))
		return read_groups(tree, path, err);
	if (!*model) {
		rc = new_model(tree, folder, model);
		if (rc)
			return rc;
	}
	return read_events(tree, *model, path, name, err);
}

/* First the files of a folder, then the folders in it; @folder is the path below @top. */
static int read_folder(struct tree *tree, const char *top, const char *folder, int depth,
		       struct err *err)
{
	char dir[PATH_MAX], path[PATH_MAX], below[PATH_MAX];
	struct model *model = NULL;
	char **names;
	int nr, rc;

	snprintf(dir, sizeof(dir), "%s%s%s", top, *folder ? "/" : "", folder);
	rc = file__list_dir(dir, &names, &nr);
	if (rc)
		return err__set(err, -rc, "%s: %s", dir, strerror(-rc));
	for (int pass = 0; pass < 2; pass++) {
		for (int i = 0; !rc && i < nr; i++) {
			if (snprintf(path, sizeof(path), "%s/%s", dir, names[i]) >= PATH_MAX ||
			    snprintf(below, sizeof(below), "%s%s%s", folder, *folder ? "/" : "",
				     names[i]) >= PATH_MAX)
				rc = err__set(err, ENAMETOOLONG, "%s: path too long", dir);
			else if (!pass && !is_dir(path))
				rc = read_file(tree, path, names[i], folder, &model, err);
			else if (pass && depth < DEPTH_MAX && is_dir(path))
				rc = read_folder(tree, top, below, depth + 1, err);
		}
	}
	file__free_names(names, nr);
	return rc;
}

int tree__read(struct tree *tree, const char *dir, bool verbose, struct err *err)
{
	int rc;

	*tree = (struct tree){ .verbose = verbose };
	rc = pool__init(&tree->pool);
	if (!rc)
		rc = event_reader__init(&tree->reader, &tree->pool);
	tree->group_index = strmap__new();
	if (!rc && !tree->group_index)
		rc = -ENOMEM;
	if (verbose) {
		tree->reader.unknown = warn_unknown;
		tree->reader.arg = tree;
	}
	if (!rc)
		rc = read_folder(tree, dir, "", 0, err);
	if (!rc && !tree->models.nr)
		rc = err__set(err, ENOENT, "%s: no folder with JSON files in it", dir);
	if (!rc)
		rc = mapfile__read(tree, dir, err);
	if (!rc)
		rc = tree__sort(tree, err);
	if (!rc && tree->pool.err)
		rc = -ENOMEM;
	if (rc == -ENOMEM)
		return err__set(err, ENOMEM, "%s: out of memory", dir);
	return rc;
}

void tree__free(struct tree *tree)
{
	struct model *model;
	char **file;

	vec__for_each(model, &tree->models) {
		vec__free(&model->events);
		vec__free(&model->metrics);
		vec__free(&model->counters);
	}
	vec__for_each(file, &tree->files)
		free(*file);
	vec__free(&tree->files);
	vec__free(&tree->models);
	vec__free(&tree->map);
	vec__free(&tree->groups);
	strmap__free(tree->group_index);
	event_reader__free(&tree->reader);
	pool__free(&tree->pool);
}
