// SPDX-License-Identifier: GPL-2.0-only
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/err.h"
#include "base/num.h"
#include "base/strmap.h"
#include "json/build.h"
#include "json/counter.h"
#include "json/dedup.h"
#include "json/tree.h"

#define NUMBER_MAX 65535 /* small tables are indexed by 16 bits */

static const char *str(const struct build *build, uint32_t offset)
{
	return pool__str(&build->tree->pool, offset);
}

/* Index of a string in words[]. */
static int word(struct build *build, uint32_t text)
{
	int i = strmap__get(build->word_index, str(build, text));

	if (i >= 0)
		return i;
	if (build->words.nr > NUMBER_MAX)
		return -E2BIG;
	if (strmap__put(build->word_index, str(build, text), build->words.nr) ||
	    vec__push(&build->words, text))
		return -ENOMEM;
	return build->words.nr - 1;
}

/* "6.103515625e-5MiB": a number and what it counts. */
static int scale(struct build *build, uint32_t text)
{
	struct table_scale scale = { .text = text, .unit = text, .scale = 1 };
	int i = strmap__get(build->scale_index, str(build, text)), len = 0;

	if (i >= 0)
		return i;
	if (build->scales.nr > NUMBER_MAX)
		return -E2BIG;
	if (text) {
		/* Reading checked that there is one. The unit is the end of the same string. */
		len = num__scan_double(str(build, text), &scale.scale);
		scale.unit = str(build, text)[len] ? text + len : 0;
	}
	if (strmap__put(build->scale_index, str(build, text), build->scales.nr) ||
	    vec__push(&build->scales, scale))
		return -ENOMEM;
	return build->scales.nr - 1;
}

static int counter(struct build *build, uint32_t text)
{
	struct table_counter counter = { .text = text };
	int i = strmap__get(build->counter_index, str(build, text));

	if (i >= 0)
		return i;
	if (build->counters.nr > NUMBER_MAX)
		return -E2BIG;
	counter.mask = counter__mask(str(build, text));
	if (strmap__put(build->counter_index, str(build, text), build->counters.nr) ||
	    vec__push(&build->counters, counter))
		return -ENOMEM;
	return build->counters.nr - 1;
}

static int latency(struct build *build, const double *from)
{
	struct table_latency latency = {
		.min = from[LATENCY_MIN],
		.mean = from[LATENCY_MEAN],
		.max = from[LATENCY_MAX],
	};
	char key[96]; /* of three numbers of at most 24 bytes */
	int i;

	/* Most events have none. */
	if (!latency.min && !latency.mean && !latency.max && build->latencies.nr)
		return 0;
	snprintf(key, sizeof(key), "%a %a %a", latency.min, latency.mean, latency.max);
	i = strmap__get(build->latency_index, key);
	if (i >= 0)
		return i;
	if (build->latencies.nr > NUMBER_MAX)
		return -E2BIG;
	if (strmap__put(build->latency_index, key, build->latencies.nr) ||
	    vec__push(&build->latencies, latency))
		return -ENOMEM;
	return build->latencies.nr - 1;
}

static int fail(const struct build *build, const struct tree_entry *entry, int rc, struct err *err)
{
	const char *file = build->tree->files.at[entry->file].path;

	if (rc == -E2BIG)
		return err__set(err, E2BIG,
				"%s:%d: more different values than the tables can number", file,
				entry->line);
	return rc;
}

static int make_event(struct build *build, const struct tree_entry *entry, struct table_event *out,
		      struct err *err)
{
	const uint32_t *text = entry->event.text;
	const uint8_t *flag = entry->event.flag;
	int pmu = word(build, text[TEXT_PMU]), topic = word(build, text[TEXT_TOPIC]);
	int compat = word(build, text[TEXT_COMPAT]), count = counter(build, text[TEXT_COUNTER]);
	int unit = scale(build, text[TEXT_SCALE_UNIT]);
	int lat = latency(build, entry->event.latency);
	const int all[] = { pmu, topic, compat, count, unit, lat };

	for (int i = 0; i < 6; i++)
		if (all[i] < 0)
			return fail(build, entry, all[i], err);
	memset(out, 0, sizeof(*out)); /* padding, too: records are compared as bytes */
	out->name = text[TEXT_NAME];
	out->terms = text[TEXT_TERMS];
	out->desc = text[TEXT_DESC];
	out->long_desc = text[TEXT_LONG_DESC];
	out->pmu = pmu;
	out->topic = topic;
	out->compat = compat;
	out->counter = count;
	out->scale = unit;
	out->latency = lat;
	out->flags = (flag[FLAG_PER_PKG] ? TABLE_EVENT_PER_PKG : 0) |
		     (flag[FLAG_DEPRECATED] ? TABLE_EVENT_DEPRECATED : 0) |
		     (flag[FLAG_TAKEN_ALONE] ? TABLE_EVENT_TAKEN_ALONE : 0);
	return 0;
}

static int make_metric(struct build *build, const struct tree_entry *entry,
		       struct table_metric *out, struct err *err)
{
	const uint32_t *text = entry->event.text;
	const uint8_t *flag = entry->event.flag;
	int pmu = word(build, text[TEXT_PMU]), compat = word(build, text[TEXT_COMPAT]);
	int no_group = word(build, text[TEXT_NO_GROUP]), unit = scale(build, text[TEXT_SCALE_UNIT]);
	int def = word(build, text[TEXT_DEFAULT_GROUP]);
	const int all[] = { pmu, compat, no_group, unit, def };

	for (int i = 0; i < 5; i++)
		if (all[i] < 0)
			return fail(build, entry, all[i], err);
	memset(out, 0, sizeof(*out));
	out->name = text[TEXT_METRIC];
	out->expr = text[TEXT_EXPR];
	out->threshold = text[TEXT_THRESHOLD];
	out->groups = text[TEXT_GROUPS];
	out->desc = text[TEXT_DESC];
	out->long_desc = text[TEXT_LONG_DESC];
	out->pmu = pmu;
	out->compat = compat;
	out->no_group = no_group;
	out->default_group = def;
	out->scale = unit;
	out->flags = flag[FLAG_CONSTRAINT] |
		     (flag[FLAG_AGGREGATION] == 1 ? TABLE_METRIC_PER_CHIP : 0) |
		     (flag[FLAG_AGGREGATION] == 2 ? TABLE_METRIC_PER_CORE : 0);
	return 0;
}

/* Note where records of another PMU begin. */
static int add_range(struct build *build, struct table_span *span, uint32_t pmu, uint32_t at)
{
	if (span->nr && build->ranges.at[build->ranges.nr - 1].pmu == pmu) {
		build->ranges.at[build->ranges.nr - 1].nr++;
		return 0;
	}
	span->nr++;
	return vec__push(&build->ranges, (struct table_range){ .first = at, .nr = 1, .pmu = pmu });
}

static int add_events(struct build *build, const struct tree_model *model, struct table_model *out,
		      struct err *err)
{
	struct table_event event;
	struct tree_entry *entry;
	int rc = 0;

	out->events.first = build->events.nr;
	out->event_ranges.first = build->ranges.nr;
	vec__for_each(entry, &model->events) {
		rc = make_event(build, entry, &event, err);
		if (!rc)
			rc = vec__push(&build->events, event);
		if (!rc)
			rc = add_range(build, &out->event_ranges, event.pmu, out->events.nr++);
		if (rc)
			break;
	}
	return rc;
}

static int add_metrics(struct build *build, const struct tree_model *model, struct table_model *out,
		       struct err *err)
{
	struct table_metric metric;
	struct tree_entry *entry;
	int rc = 0;

	out->metrics.first = build->metrics.nr;
	out->metric_ranges.first = build->ranges.nr;
	vec__for_each(entry, &model->metrics) {
		rc = make_metric(build, entry, &metric, err);
		if (!rc)
			rc = vec__push(&build->metrics, metric);
		if (!rc)
			rc = add_range(build, &out->metric_ranges, metric.pmu, out->metrics.nr++);
		if (rc)
			break;
	}
	return rc;
}

/* By name without case, then as they stand: the first of equals is the one that perf takes. */
static int compare_by_name(const void *a, const void *b, void *arg)
{
	uint32_t i = *(const uint32_t *)a, j = *(const uint32_t *)b;
	const struct build *build = arg;
	int cmp = strcasecmp(str(build, build->metrics.at[i].name),
			     str(build, build->metrics.at[j].name));

	return cmp ? cmp : i < j ? -1 : 1;
}

/* Runs while the metrics are not yet made single, so that a metric's number tells its place. */
static int index_metrics(struct build *build, struct table_model *out)
{
	uint32_t first = out->metrics.first, *at;

	out->by_name.first = build->metric_by_name.nr;
	out->by_name.nr = out->metrics.nr;
	if (!out->metrics.nr)
		return 0;
	for (uint32_t i = 0; i < out->metrics.nr; i++)
		if (vec__push(&build->metric_by_name, first + i))
			return -ENOMEM;
	at = build->metric_by_name.at + out->by_name.first;
	for (uint32_t i = 0; i < out->metric_ranges.nr; i++) {
		const struct table_range *r = &build->ranges.at[out->metric_ranges.first + i];

		qsort_r(at + r->first, r->nr, sizeof(*at), compare_by_name, build);
	}
	for (uint32_t i = 0; i < out->metrics.nr; i++)
		at[i] -= first;
	return 0;
}

static int compare_groups(const void *a, const void *b, void *arg)
{
	const struct table_group *groups = ((const struct build *)arg)->groups.at;

	return strcasecmp(str(arg, groups[*(const uint32_t *)a].name),
			  str(arg, groups[*(const uint32_t *)b].name));
}

/* A group's number, with the description that a metricgroups.json has for it. */
static int group_number(struct build *build, const char *name)
{
	struct tree *tree = build->tree;
	struct table_group group;
	int i = strmap__get(build->group_index, name), desc;

	if (i >= 0)
		return i;
	desc = strmap__get(tree->group_index, name);
	group.name = pool__add(&tree->pool, name);
	group.desc = desc < 0 ? 0 : tree->groups.at[desc].desc;
	if (strmap__put(build->group_index, name, build->groups.nr) ||
	    vec__push(&build->groups, group))
		return -ENOMEM;
	return build->groups.nr - 1;
}

static int add_group(struct build *build, struct strmap *seen, struct table_span *span,
		     const char *name)
{
	int i;

	if (!*name || strmap__get(seen, name) >= 0)
		return 0;
	i = group_number(build, name);
	if (i < 0 || strmap__put(seen, name, i) || vec__push(&build->group_list, (uint32_t)i))
		return -ENOMEM;
	span->nr++;
	return 0;
}

/* The groups to which a model's metrics belong. */
static int add_groups(struct build *build, const struct tree_model *model, struct table_model *out)
{
	struct strmap *seen = strmap__new();
	struct tree_entry *entry;
	char *list, *rest;
	int rc = seen ? 0 : -ENOMEM;

	out->groups.first = build->group_list.nr;
	vec__for_each(entry, &model->metrics) {
		if (rc)
			break;
		list = rest = strdup(str(build, entry->event.text[TEXT_GROUPS]));
		if (!list)
			rc = -ENOMEM;
		while (!rc && rest)
			rc = add_group(build, seen, &out->groups, strsep(&rest, ";"));
		free(list);
	}
	strmap__free(seen);
	if (!rc && out->groups.nr)
		qsort_r(build->group_list.at + out->groups.first, out->groups.nr, sizeof(uint32_t),
			compare_groups, build);
	return rc;
}

static int add_counters(struct build *build, const struct tree_model *model,
			struct table_model *out)
{
	struct pmu_counters *from;

	out->counters.first = build->pmu_counters.nr;
	out->counters.nr = model->counters.nr;
	vec__for_each(from, &model->counters) {
		int pmu = word(build, from->pmu);

		if (pmu < 0 ||
		    vec__push(&build->pmu_counters,
			      (struct table_pmu_counters){ pmu, from->general, from->fixed,
							     from->guessed }))
			return -ENOMEM;
	}
	return 0;
}

static int make_single(struct build *build)
{
	int rc;

	build->event_list.nr = build->event_list.cap = build->events.nr;
	build->metric_list.nr = build->metric_list.cap = build->metrics.nr;
	rc = dedup(build->events.at, &build->events.nr, sizeof(*build->events.at),
		   &build->event_list.at);
	if (!rc)
		rc = dedup(build->metrics.at, &build->metrics.nr, sizeof(*build->metrics.at),
			   &build->metric_list.at);
	return rc;
}

static int add_model(struct build *build, const struct tree_model *model, struct err *err)
{
	struct table_model out = { .hash = model->hash,
				   .name = model->name,
				   .flags = model->sys ? TABLE_MODEL_SYS : 0 };
	int rc = add_events(build, model, &out, err);

	if (!rc)
		rc = add_metrics(build, model, &out, err);
	if (!rc)
		rc = index_metrics(build, &out);
	if (!rc)
		rc = add_groups(build, model, &out);
	if (!rc)
		rc = add_counters(build, model, &out);
	return rc ? rc : vec__push(&build->models, out);
}

static int add_map(struct build *build)
{
	struct tree_row *row;

	vec__for_each(row, &build->tree->map)
		if (vec__push(&build->map,
			      (struct table_map){ row->pattern, row->version, row->model }))
			return -ENOMEM;
	return 0;
}

int build__tables(struct build *build, struct tree *tree, struct err *err)
{
	struct tree_model *model;
	int rc = 0;

	*build = (struct build){
		.tree = tree,
		.word_index = strmap__new(),
		.scale_index = strmap__new(),
		.counter_index = strmap__new(),
		.group_index = strmap__new(),
		.latency_index = strmap__new(),
	};
	if (!build->word_index || !build->scale_index || !build->counter_index ||
	    !build->group_index || !build->latency_index)
		rc = -ENOMEM;
	/* Number 0 is what a record has that says nothing. */
	if (!rc && (word(build, 0) || scale(build, 0) || counter(build, 0) ||
		    latency(build, (double[NR_LATENCIES]){ 0 })))
		rc = -ENOMEM;
	vec__for_each(model, &tree->models) {
		if (rc)
			break;
		rc = add_model(build, model, err);
	}
	if (!rc)
		rc = make_single(build);
	if (!rc)
		rc = add_map(build);
	if (!rc && tree->pool.err)
		rc = -ENOMEM;
	return rc == -ENOMEM ? err__set(err, ENOMEM, "out of memory") : rc;
}

void build__data(const struct build *build, const char *arch, struct table_data *out)
{
	*out = (struct table_data){ .arch = arch,
				    .strings = build->tree->pool.text.buf,
				    .nr_strings = build->tree->pool.text.len,
#define ARRAY(name) .name = build->name.at, .nr_##name = build->name.nr,
				    TABLE_ARRAYS(ARRAY)
#undef ARRAY
	};
}

void build__free(struct build *build)
{
#define FREE(name) vec__free(&build->name);
	TABLE_ARRAYS(FREE)
#undef FREE
	strmap__free(build->word_index);
	strmap__free(build->scale_index);
	strmap__free(build->counter_index);
	strmap__free(build->group_index);
	strmap__free(build->latency_index);
}
