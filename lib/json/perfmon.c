// SPDX-License-Identifier: GPL-2.0-only
/* Reading a model's files of Intel's own form into a tree. */
#include <errno.h>
#include <json-c/json.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/sb.h"
#include "base/strmap.h"
#include "base/text.h"
#include "json/counter.h"
#include "json/file.h"
#include "json/hash.h"
#include "json/perfmon.h"
#include "json/tree.h"

const char *perfmon__get(struct json_object *json, const char *key)
{
	struct json_object *value;

	if (!json_object_object_get_ex(json, key, &value) ||
	    !json_object_is_type(value, json_type_string))
		return NULL;
	return json_object_get_string(value);
}

const char *perfmon__text(struct json_object *json, const char *key)
{
	return perfmon__get(json, key) ?: "";
}

int perfmon__set(struct json_object *json, const char *key, const char *text)
{
	struct json_object *value = json_object_new_string(text);

	if (value && !json_object_object_add(json, key, value))
		return 0;
	json_object_put(value);
	return -ENOMEM;
}

static struct tree_model *model_of(struct perfmon *p)
{
	return &p->tree->models.at[p->model];
}

static const char *text_of(struct perfmon *p, const struct tree_entry *e, enum event_text text)
{
	return pool__str(&p->tree->pool, e->event.text[text]);
}

/* Remember the event read last; of two with the same name and PMU the first counts. */
static int remember(struct perfmon *p)
{
	struct tree_model *model = model_of(p);
	struct tree_entry *e = &model->events.at[model->events.nr - 1];
	const char *name = text_of(p, e, TEXT_NAME);
	int rc;

	sb__clear(&p->key);
	sb__puts(&p->key, name);
	sb__putc(&p->key, '@');
	sb__puts(&p->key, text_of(p, e, TEXT_PMU));
	if (p->key.err)
		return -ENOMEM;
	if (strmap__get(p->names, p->key.buf) >= 0) {
		model->events.nr--;
		return 0;
	}
	rc = strmap__put(p->names, p->key.buf, model->events.nr - 1);
	if (!rc && strmap__get(p->names, name) < 0)
		rc = strmap__put(p->names, name, model->events.nr - 1);
	return rc;
}

int perfmon__find_event(const struct perfmon *p, const char *name)
{
	struct sb key = SB_INIT;
	int i = -ENOMEM;

	sb__printf(&key, "%s@%s", name, p->file->unit ?: "default_core");
	if (!key.err)
		i = strmap__get(p->names, text__lower(key.buf));
	if (i == -1) {
		key.buf[strlen(name)] = '\0';
		i = strmap__get(p->names, key.buf);
	}
	sb__free(&key);
	return i;
}

static int read_event(struct perfmon *p, struct json_object *json, struct err *err)
{
	int rc = perfmon__convert_event(p, json, err), before = model_of(p)->events.nr;
	struct json_object *name = NULL, *unit = NULL;

	if (rc)
		return rc < 0 ? rc : 0;
	json_object_object_get_ex(json, "EventName", &name);
	json_object_object_get_ex(json, "Unit", &unit);
	rc = tree__add_element(p->tree, model_of(p), json,
			       perfmon__topic(json_object_get_string(name),
					      json_object_get_string(unit)), err);
	if (!rc && model_of(p)->events.nr > before)
		rc = remember(p);
	return rc;
}

static int read_events(struct perfmon *p, struct json_file *file, struct err *err)
{
	struct json_object *json;
	int rc = json_file__enter(file, "Events", err);

	if (rc == -ENOENT)
		rc = err__set(err, EINVAL, "expected an object with an array \"Events\"");
	if (rc)
		return tree__fail(p->tree, rc, file->path, file->line, err);
	while ((rc = json_file__next(file, &json, err)) > 0) {
		p->tree->reading_line = file->line;
		rc = read_event(p, json, err);
		json_object_put(json);
		if (rc)
			rc = tree__fail(p->tree, rc, file->path, file->line, err);
		if (rc)
			return rc;
	}
	return rc ? tree__fail(p->tree, rc, file->path, file->line, err) : 0;
}

/* {"Data": {"EVENT": {"MIN": 0, "MAX": 888, "MEAN": 6.11}}} */
static int read_latency(struct perfmon *p, const char *name, struct json_object *json,
			struct err *err)
{
	static const char *const keys[NR_LATENCIES] = {
		[LATENCY_MIN] = "MIN", [LATENCY_MEAN] = "MEAN", [LATENCY_MAX] = "MAX"
	};
	struct json_object *value;
	int event = perfmon__find_event(p, name);
	struct tree_entry *e;
	double *latency;

	if (event < 0)
		return event == -1 ? 0 : event;
	e = &model_of(p)->events.at[event];
	/* Only the other kind of core has it. */
	if (p->file->unit && strcmp(text_of(p, e, TEXT_PMU), p->file->unit))
		return 0;
	latency = e->event.latency;
	for (int i = 0; i < NR_LATENCIES; i++) {
		if (!json_object_object_get_ex(json, keys[i], &value))
			continue;
		if (!json_object_is_type(value, json_type_double) &&
		    !json_object_is_type(value, json_type_int))
			return err__set(err, EINVAL, "%s: %s: expected a number", name, keys[i]);
		latency[i] = json_object_get_double(value);
	}
	return 0;
}

static int read_latencies(struct perfmon *p, struct json_file *file, struct err *err)
{
	struct json_object *json, *data;
	int rc = json_file__whole(file, &json, err);

	if (rc)
		return tree__fail(p->tree, rc, file->path, file->line, err);
	if (!json_object_is_type(json, json_type_object) ||
	    !json_object_object_get_ex(json, "Data", &data) ||
	    !json_object_is_type(data, json_type_object)) {
		rc = err__set(err, EINVAL, "expected an object with an object \"Data\"");
		rc = tree__fail(p->tree, rc, file->path, file->line, err);
		goto out;
	}
	json_object_object_foreach(data, name, value) {
		if (json_object_is_type(value, json_type_object))
			rc = read_latency(p, name, value, err);
		if (rc)
			rc = tree__fail(p->tree, rc, file->path, file->line, err);
		if (rc)
			break;
	}
out:
	json_object_put(json);
	return rc;
}

static int read_metric(struct perfmon *p, struct json_object *json,
		       const struct perfmon_metrics *metrics, struct err *err)
{
	struct json_object *made, *name = NULL;
	struct sb msg = SB_INIT;
	int rc = perfmon__convert_metric(p, json, metrics, &made, err);

	if (!rc) {
		rc = tree__add_element(p->tree, model_of(p), made, "metrics", err);
		json_object_put(made);
	}
	if (rc != -EINVAL)
		return rc;
	json_object_object_get_ex(json, "MetricName", &name);
	sb__printf(&msg, "metric '%s' is left out:%c%s", name ? json_object_get_string(name) : "",
		   strchr(err->msg, '\n') ? '\n' : ' ', err->msg);
	tree__report(p->tree, TREE_WARNING, p->tree->reading, p->tree->reading_line, sb__str(&msg));
	sb__free(&msg);
	return 0;
}

/* The first generation with metric events measures level 1 at once, the second level 2 too. */
static int default_level(const struct perfmon_metrics *metrics)
{
	const struct perfmon_metric *metric;
	int level = 0;

	vec__for_each(metric, &metrics->list) {
		const char *formula = perfmon__text(metric->json, "BaseFormula");

		if (strcasestr(formula, "perf_metrics.fetch_latency"))
			return 2;
		if (strcasestr(formula, "perf_metrics."))
			level = 1;
	}
	return level;
}

static int add_metric(struct perfmon_metrics *metrics, struct json_object *json, int line)
{
	const char *legacy = perfmon__text(json, "LegacyName");

	if (!json_object_is_type(json, json_type_object)) {
		json_object_put(json);
		return 0;
	}
	if (vec__push(&metrics->list, ((struct perfmon_metric){ json, line }))) {
		json_object_put(json);
		return -ENOMEM;
	}
	return strmap__add(metrics->legacy, legacy, metrics->list.nr - 1) < 0 ? -ENOMEM : 0;
}

/* Metrics name one another, so all are there before the first is made. */
static int list_metrics(struct perfmon *p, struct json_file *file, struct perfmon_metrics *metrics,
			struct err *err)
{
	struct json_object *json;
	int rc = json_file__enter(file, "Metrics", err);

	if (rc == -ENOENT)
		rc = err__set(err, EINVAL, "expected an object with an array \"Metrics\"");
	if (rc)
		return tree__fail(p->tree, rc, file->path, file->line, err);
	while ((rc = json_file__next(file, &json, err)) > 0)
		if (add_metric(metrics, json, file->line))
			return -ENOMEM;
	return rc ? tree__fail(p->tree, rc, file->path, file->line, err) : 0;
}

static int read_metrics(struct perfmon *p, struct json_file *file, struct err *err)
{
	struct perfmon_metrics metrics = { .legacy = strmap__new() };
	struct perfmon_metric *metric;
	int rc = metrics.legacy ? list_metrics(p, file, &metrics, err) : -ENOMEM;

	p->default_level = default_level(&metrics);
	vec__for_each(metric, &metrics.list) {
		p->tree->reading_line = metric->line;
		if (!rc)
			rc = read_metric(p, metric->json, &metrics, err);
		json_object_put(metric->json);
	}
	vec__free(&metrics.list);
	strmap__free(metrics.legacy);
	return rc;
}

static int read_file(struct perfmon *p, struct err *err)
{
	static int (*const readers[])(struct perfmon *p, struct json_file *file,
				      struct err *err) = {
		[PERFMON_CORE] = read_events,
		[PERFMON_UNCORE] = read_events,
		[PERFMON_LATENCY] = read_latencies,
		[PERFMON_METRICS] = read_metrics,
	};
	const char *path = tree__add_path(p->tree, p->file->path), *slash;
	struct tree_model *model = model_of(p);
	struct json_file file;
	int rc;

	if (!path)
		return -ENOMEM;
	rc = tree__open_file(p->tree, &file, path, err);
	if (rc)
		return tree__fail(p->tree, rc, path, file.line, err);
	slash = strrchr(path, '/');
	model->hash = hash__file(model->hash, slash ? slash + 1 : path, file.text, file.len);
	p->tree->reading = path;
	rc = readers[p->file->kind](p, &file, err);
	p->tree->reading = NULL;
	json_file__close(&file);
	return rc;
}

/* How many counters a PMU has: as many as its events name, be they all or a few of its own. */
static int count_counters(struct perfmon *p)
{
	struct tree_model *model = model_of(p);
	struct pmu_counters *c;
	struct tree_entry *e;

	vec__for_each(e, &model->events) {
		uint64_t mask = counter__mask(text_of(p, e, TEXT_COUNTER));
		int general = mask & UINT32_MAX ? 32 - __builtin_clz((uint32_t)mask) : 0;
		int fixed = mask >> 32 ? 32 - __builtin_clz((uint32_t)(mask >> 32)) : 0;

		vec__for_each(c, &model->counters)
			if (c->pmu == e->event.text[TEXT_PMU])
				break;
		if (!c || c == model->counters.at + model->counters.nr) {
			struct pmu_counters none = { .pmu = e->event.text[TEXT_PMU],
						     .guessed = true };

			if (vec__push(&model->counters, none))
				return -ENOMEM;
			c = &model->counters.at[model->counters.nr - 1];
		}
		c->general = c->general > general ? c->general : general;
		c->fixed = c->fixed > fixed ? c->fixed : fixed;
	}
	return 0;
}

int perfmon__read(struct tree *tree, struct perfmon_files *files, const struct known_events *known,
		  struct err *err)
{
	struct tree_model *model = tree__model(tree, files->model);
	struct perfmon p = {
		.tree = tree, .files = files, .known = known, .names = strmap__new()
	};
	int rc = model && p.names ? 0 : -ENOMEM;

	if (model)
		p.model = model - tree->models.at;
	for (int i = 0; !rc && i < files->list.nr; i++) {
		p.file = &files->list.at[i];
		rc = read_file(&p, err);
	}
	if (!rc)
		rc = count_counters(&p);
	strmap__free(p.names);
	sb__free(&p.key);
	return rc;
}
