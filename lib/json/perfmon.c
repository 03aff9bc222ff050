// SPDX-License-Identifier: GPL-2.0-only
/* Read a model's files in Intel's own form into a tree. */
#include <errno.h>
#include <json-c/json.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/sb.h"
#include "base/strmap.h"
#include "base/text.h"
#include "base/xalloc.h"
#include "json/file.h"
#include "json/member.h"
#include "json/perfmon.h"
#include "json/tree.h"

const char *perfmon__get(struct json_object *json, const char *key)
{
	return json_object_get_string(json_member(json, key, json_type_string));
}

const char *perfmon__text(struct json_object *json, const char *key)
{
	return perfmon__get(json, key) ?: "";
}

struct json_object *perfmon__object(struct json_object *json, const char *key)
{
	return json_member(json, key, json_type_object);
}

struct json_object *perfmon__array(struct json_object *json, const char *key, size_t *nr)
{
	struct json_object *array = json_member(json, key, json_type_array);

	*nr = array ? json_object_array_length(array) : 0;
	return array;
}

bool perfmon__is_number(struct json_object *value)
{
	return json_object_is_type(value, json_type_int) ||
	       json_object_is_type(value, json_type_double);
}

void perfmon__set(struct json_object *json, const char *key, const char *text)
{
	json_object_object_add(json, key, json_object_new_string(text));
}

/* Get a field as text, whatever its type; NULL if there is none. */
static const char *perfmon__text_of(struct json_object *json, const char *key)
{
	return json_object_get_string(json_object_object_get(json, key));
}

static struct tree_model *model_of(struct perfmon *p)
{
	return &p->tree->models.at[p->model];
}

/* Index the last event, unless the index has an event with its name and PMU. */
static void perfmon__remember(struct perfmon *p)
{
	struct tree_model *model = model_of(p);
	struct tree_entry *e = &model->events.at[model->events.nr - 1];
	const char *name = tree__text(p->tree, e, TEXT_NAME);
	int number = model->events.nr - 1;

	sb__clear(&p->key);
	sb__printf(&p->key, "%s@%s", name, tree__text(p->tree, e, TEXT_PMU));
	if (strmap__add(p->names, p->key.buf, number) != number)
		model->events.nr--;
	else
		strmap__add(p->names, name, number);
}

int perfmon__find_event(const struct perfmon *p, const char *name)
{
	char *key = xasprintf("%s@%s", name, p->file->unit ?: "default_core");
	int i = strmap__get(p->names, text__lower(key));

	if (i < 0) {
		key[strlen(name)] = '\0';
		i = strmap__get(p->names, key);
	}
	free(key);
	return i;
}

static int take_event(void *arg, struct json_object *json, struct err *err)
{
	struct perfmon *p = arg;
	int rc = perfmon__convert_event(p, json, err), before = model_of(p)->events.nr;

	if (rc)
		return rc < 0 ? rc : 0;
	rc = tree__add_element(
		p->tree, model_of(p), json,
		perfmon__topic(perfmon__text_of(json, "EventName"), perfmon__text_of(json, "Unit")),
		err);
	if (!rc && model_of(p)->events.nr > before)
		perfmon__remember(p);
	return rc;
}

/* Files of latencies have {"Data": {"EVENT": {"MIN": 0, "MAX": 888, "MEAN": 6.11}}}. */
static int take_latency(void *arg, const char *name, struct json_object *json, struct err *err)
{
	static const char *const keys[NR_LATENCIES] = {
		[VENDOR_MIN] = "MIN", [VENDOR_MEAN] = "MEAN", [VENDOR_MAX] = "MAX"
	};
	struct perfmon *p = arg;
	struct json_object *value;
	int event = perfmon__find_event(p, name);
	struct tree_entry *e;

	if (event < 0 || !json_object_is_type(json, json_type_object))
		return 0;
	e = &model_of(p)->events.at[event];
	/* Only the other core type has this event. */
	if (p->file->unit && strcmp(tree__text(p->tree, e, TEXT_PMU), p->file->unit))
		return 0;
	for (int i = 0; i < NR_LATENCIES; i++) {
		if (!json_object_object_get_ex(json, keys[i], &value))
			continue;
		if (!perfmon__is_number(value))
			return err__set(err, EINVAL, "%s: %s: expected a number", name, keys[i]);
		e->event.latency[i] = json_object_get_double(value);
	}
	return 0;
}

static int read_metric(struct perfmon *p, struct json_object *json, struct err *err)
{
	struct json_object *made;
	int rc = perfmon__convert_metric(p, json, &made, err);

	if (!rc) {
		rc = tree__add_element(p->tree, model_of(p), made, "metrics", err);
		json_object_put(made);
	}
	if (rc != -EINVAL)
		return rc;
	tree__report(p->tree, TREE_WARNING, p->tree->reading, p->tree->reading_line,
		     "metric '%s' is left out:%c%s", perfmon__text_of(json, "MetricName") ?: "",
		     err__joint(err->msg), err->msg);
	return 0;
}

/* The first CPUs with metric events measure level 1 in one group, later CPUs also level 2. */
static int default_level(const struct perfmon *p)
{
	const struct perfmon_metric *metric;
	int level = 0;

	vec__for_each(metric, &p->metrics) {
		const char *formula = perfmon__text(metric->json, "BaseFormula");

		if (strcasestr(formula, "perf_metrics.fetch_latency"))
			return 2;
		if (strcasestr(formula, "perf_metrics."))
			level = 1;
	}
	return level;
}

static int list_metric(void *arg, struct json_object *json, struct err *err)
{
	struct perfmon *p = arg;

	(void)err;
	if (!json_object_is_type(json, json_type_object))
		return 0;
	strmap__add(p->legacy, perfmon__text(json, "LegacyName"), p->metrics.nr);
	vec__push(&p->metrics,
		  (struct perfmon_metric){ json_object_get(json), p->tree->reading_line });
	return 0;
}

/* List all metrics before the first one is converted, since metrics refer to each other. */
static int read_metrics(struct perfmon *p, struct json_file *file, struct err *err)
{
	struct perfmon_metric *metric;
	int rc;

	p->legacy = strmap__new();
	rc = tree__each_element(p->tree, file, "Metrics", list_metric, p, err);
	p->default_level = default_level(p);
	for (int i = 0; !rc && i < p->metrics.nr; i++) {
		p->tree->reading_line = p->metrics.at[i].line;
		rc = read_metric(p, p->metrics.at[i].json, err);
	}
	/* Release the metrics only after the last one: its threshold may name the first. */
	vec__for_each(metric, &p->metrics)
		json_object_put(metric->json);
	vec__free(&p->metrics);
	strmap__free(p->legacy);
	return rc;
}

static int read_file(struct perfmon *p, struct err *err)
{
	const char *path = p->file->path;
	struct json_file file;
	int rc = tree__open_file(p->tree, model_of(p), path, basename(path), &file, err);

	if (rc <= 0)
		return rc;
	switch (p->file->kind) {
	case PERFMON_CORE:
	case PERFMON_UNCORE:
		rc = tree__each_element(p->tree, &file, "Events", take_event, p, err);
		break;
	case PERFMON_LATENCY:
		rc = tree__each_member(p->tree, &file, "Data",
				       "an object with an object \"Data\"", take_latency, p, err);
		break;
	case PERFMON_METRICS:
		rc = read_metrics(p, &file, err);
		break;
	}
	tree__close_file(p->tree, &file);
	return rc;
}

/* Assume that a PMU has as many counters as its events name. */
static void count_counters(struct perfmon *p)
{
	struct tree_model *model = model_of(p);
	struct tree_entry *e;

	vec__for_each(e, &model->events) {
		uint64_t mask = counter__mask(tree__text(p->tree, e, TEXT_COUNTER));
		int general = mask & UINT32_MAX ? 32 - __builtin_clz((uint32_t)mask) : 0;
		int fixed = mask >> 32 ? 32 - __builtin_clz((uint32_t)(mask >> 32)) : 0;
		struct pmu_counters *c = tree_model__counters(model, e->event.text[TEXT_PMU]);

		c->general = c->general > general ? c->general : general;
		c->fixed = c->fixed > fixed ? c->fixed : fixed;
	}
}

int perfmon__read(struct tree *tree, struct perfmon_files *files, const struct known_events *known,
		  struct err *err)
{
	struct perfmon p = {
		.tree = tree, .files = files, .known = known, .names = strmap__new()
	};
	int rc = 0;

	p.model = tree__model(tree, files->model) - tree->models.at;
	for (int i = 0; !rc && i < files->list.nr; i++) {
		p.file = &files->list.at[i];
		rc = read_file(&p, err);
	}
	if (!rc)
		count_counters(&p);
	strmap__free(p.names);
	sb__free(&p.key);
	return rc;
}
