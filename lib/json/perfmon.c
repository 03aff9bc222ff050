// SPDX-License-Identifier: GPL-2.0-only
/* Reading a model's files of Intel's own form into a tree. */
#include <errno.h>
#include <json-c/json.h>
#include <string.h>

#include "base/err.h"
#include "base/sb.h"
#include "base/strmap.h"
#include "base/text.h"
#include "base/xalloc.h"
#include "json/counter.h"
#include "json/file.h"
#include "json/perfmon.h"
#include "json/tree.h"

static struct json_object *field(struct json_object *json, const char *key, enum json_type type)
{
	struct json_object *value;

	return json_object_object_get_ex(json, key, &value) && json_object_is_type(value, type) ?
		       value :
		       NULL;
}

const char *perfmon__get(struct json_object *json, const char *key)
{
	return json_object_get_string(field(json, key, json_type_string));
}

const char *perfmon__text(struct json_object *json, const char *key)
{
	return perfmon__get(json, key) ?: "";
}

struct json_object *perfmon__object(struct json_object *json, const char *key)
{
	return field(json, key, json_type_object);
}

struct json_object *perfmon__array(struct json_object *json, const char *key, size_t *nr)
{
	struct json_object *array = field(json, key, json_type_array);

	*nr = array ? json_object_array_length(array) : 0;
	return array;
}

void perfmon__set(struct json_object *json, const char *key, const char *text)
{
	if (json_object_object_add(json, key, xchecked(json_object_new_string(text))))
		xchecked(NULL);
}

static struct tree_model *model_of(struct perfmon *p)
{
	return &p->tree->models.at[p->model];
}

/* Remember the event read last; of two with the same name and PMU the first counts. */
static void remember(struct perfmon *p)
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
	struct sb key = SB_INIT;
	int i;

	sb__printf(&key, "%s@%s", name, p->file->unit ?: "default_core");
	i = strmap__get(p->names, text__lower(key.buf));
	if (i < 0) {
		key.buf[strlen(name)] = '\0';
		i = strmap__get(p->names, key.buf);
	}
	sb__free(&key);
	return i;
}

static int take_event(void *arg, struct json_object *json, struct err *err)
{
	struct perfmon *p = arg;
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
		remember(p);
	return rc;
}

static int read_events(void *arg, struct json_file *file, struct err *err)
{
	struct perfmon *p = arg;

	return tree__each_element(p->tree, file, "Events", take_event, p, err);
}

/* {"Data": {"EVENT": {"MIN": 0, "MAX": 888, "MEAN": 6.11}}} */
static int take_latency(void *arg, const char *name, struct json_object *json, struct err *err)
{
	static const char *const keys[NR_LATENCIES] = {
		[LATENCY_MIN] = "MIN", [LATENCY_MEAN] = "MEAN", [LATENCY_MAX] = "MAX"
	};
	struct perfmon *p = arg;
	struct json_object *value;
	int event = perfmon__find_event(p, name);
	struct tree_entry *e;

	if (event < 0 || !json_object_is_type(json, json_type_object))
		return 0;
	e = &model_of(p)->events.at[event];
	/* Only the other kind of core has it. */
	if (p->file->unit && strcmp(tree__text(p->tree, e, TEXT_PMU), p->file->unit))
		return 0;
	for (int i = 0; i < NR_LATENCIES; i++) {
		if (!json_object_object_get_ex(json, keys[i], &value))
			continue;
		if (!json_object_is_type(value, json_type_double) &&
		    !json_object_is_type(value, json_type_int))
			return err__set(err, EINVAL, "%s: %s: expected a number", name, keys[i]);
		e->event.latency[i] = json_object_get_double(value);
	}
	return 0;
}

static int read_latencies(void *arg, struct json_file *file, struct err *err)
{
	struct perfmon *p = arg;

	return tree__each_member(p->tree, file, "Data", "an object with an object \"Data\"",
				 take_latency, p, err);
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

/* Metrics name one another, so all are there before the first is made. */
struct listing {
	struct perfmon *p;
	struct perfmon_metrics metrics;
};

static int list_metric(void *arg, struct json_object *json, struct err *err)
{
	struct listing *l = arg;
	struct perfmon_metric metric = { .line = l->p->tree->reading_line };

	(void)err;
	if (!json_object_is_type(json, json_type_object))
		return 0;
	metric.json = json_object_get(json);
	strmap__add(l->metrics.legacy, perfmon__text(json, "LegacyName"), l->metrics.list.nr);
	vec__push(&l->metrics.list, metric);
	return 0;
}

static int read_metrics(void *arg, struct json_file *file, struct err *err)
{
	struct perfmon *p = arg;
	struct listing l = { .p = p, .metrics.legacy = strmap__new() };
	struct perfmon_metric *metric;
	int rc = tree__each_element(p->tree, file, "Metrics", list_metric, &l, err);

	p->default_level = default_level(&l.metrics);
	vec__for_each(metric, &l.metrics.list) {
		p->tree->reading_line = metric->line;
		if (!rc)
			rc = read_metric(p, metric->json, &l.metrics, err);
		json_object_put(metric->json);
	}
	vec__free(&l.metrics.list);
	strmap__free(l.metrics.legacy);
	return rc;
}

static int read_file(struct perfmon *p, struct err *err)
{
	static int (*const readers[])(void *p, struct json_file *file, struct err *err) = {
		[PERFMON_CORE] = read_events,
		[PERFMON_UNCORE] = read_events,
		[PERFMON_LATENCY] = read_latencies,
		[PERFMON_METRICS] = read_metrics,
	};
	const char *path = p->file->path;

	return tree__read_file(p->tree, model_of(p), path, basename(path), readers[p->file->kind],
			       p, err);
}

static struct pmu_counters *counters_of(struct tree_model *model, uint32_t pmu)
{
	struct pmu_counters *c;

	vec__for_each(c, &model->counters)
		if (c->pmu == pmu)
			return c;
	vec__push(&model->counters, (struct pmu_counters){ .pmu = pmu, .guessed = true });
	return &model->counters.at[model->counters.nr - 1];
}

/* How many counters a PMU has: as many as its events name, be they all or a few of its own. */
static void count_counters(struct perfmon *p)
{
	struct tree_model *model = model_of(p);
	struct tree_entry *e;

	vec__for_each(e, &model->events) {
		uint64_t mask = counter__mask(tree__text(p->tree, e, TEXT_COUNTER));
		int general = mask & UINT32_MAX ? 32 - __builtin_clz((uint32_t)mask) : 0;
		int fixed = mask >> 32 ? 32 - __builtin_clz((uint32_t)(mask >> 32)) : 0;
		struct pmu_counters *c = counters_of(model, e->event.text[TEXT_PMU]);

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
