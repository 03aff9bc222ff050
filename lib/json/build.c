// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/err.h"
#include "base/num.h"
#include "base/strmap.h"
#include "base/xalloc.h"
#include "json/build.h"
#include "json/tree.h"

#define NUMBERS_MAX 65536 /* small tables have indices of 16 bits */

static const char *str(const struct build *build, uint32_t offset)
{
	return pool__str(&build->tree->pool, offset);
}

/*
 * Find the index of a value in a table without duplicates, or add the value. The caller checks that
 * indices fit the fields of its record.
 */
#define number_of(table, index, key, ...)                                                          \
	({                                                                                         \
		int place = strmap__add((index), (key), (table)->nr);                              \
												   \
		if (place == (table)->nr)                                                          \
			vec__push((table), __VA_ARGS__);                                           \
		place;                                                                             \
	})

static int word(struct build *build, uint32_t text)
{
	return number_of(&build->words, build->index[WORDS], str(build, text), text);
}

/* A ScaleUnit is a number and a unit, "6.103515625e-5MiB". */
static struct table_scale make_scale(struct build *build, uint32_t text)
{
	struct table_scale scale = { .text = text, .unit = text, .scale = 1 };
	int len;

	if (text) {
		/*
		 * The number was checked when it was read. The unit is the end of the same string.
		 */
		len = num__scan_double(str(build, text), &scale.scale);
		scale.unit = str(build, text)[len] ? text + len : 0;
	}
	return scale;
}

static int scale(struct build *build, uint32_t text)
{
	return number_of(&build->scales, build->index[SCALES], str(build, text),
			 make_scale(build, text));
}

static int counter(struct build *build, uint32_t text)
{
	return number_of(&build->counters, build->index[COUNTERS], str(build, text),
			 (struct table_counter){ text, counter__mask(str(build, text)) });
}

/*
 * Make the key of a record: its bytes in letters. Equal records have equal keys, and are stored
 * once.
 */
static const char *record_key(const void *record, size_t size, char *key)
{
	const unsigned char *bytes = record;

	for (size_t i = 0; i < size; i++) {
		key[2 * i] = 'a' + bytes[i] % 16;
		key[2 * i + 1] = 'a' + bytes[i] / 16;
	}
	key[2 * size] = '\0';
	return key;
}

static int latency(struct build *build, const double *from)
{
	struct table_latency latency = {
		.min = from[VENDOR_MIN],
		.mean = from[VENDOR_MEAN],
		.max = from[VENDOR_MAX],
	};
	char key[2 * sizeof(latency) + 1];

	/* Most events have no latency: index 0. */
	if (!latency.min && !latency.mean && !latency.max && build->latencies.nr)
		return 0;
	return number_of(&build->latencies, build->index[LATENCIES],
			 record_key(&latency, sizeof(latency), key), latency);
}

/* Check that the indices of the last record fit its fields. */
static int check_numbers(const struct build *build, const struct tree_entry *entry, struct err *err)
{
	if (build->words.nr <= NUMBERS_MAX && build->scales.nr <= NUMBERS_MAX &&
	    build->counters.nr <= NUMBERS_MAX && build->latencies.nr <= NUMBERS_MAX)
		return 0;
	return err__set(err, E2BIG, "%s:%d: more different values than the tables can number",
			build->tree->files.at[entry->file].path, entry->line);
}

/* Store an event once, and append its index to the list. Return: the index of its PMU. */
static uint32_t build__add_event(struct build *build, const struct tree_entry *entry)
{
	char key[2 * sizeof(struct table_event) + 1];
	struct table_event out;
	const uint32_t *text = entry->event.text;
	const uint8_t *flag = entry->event.flag;

	memset(&out, 0, sizeof(out)); /* clear the padding, too: records are compared as bytes */
	out.name = text[TEXT_NAME];
	out.terms = text[TEXT_TERMS];
	out.desc = text[TEXT_DESC];
	out.long_desc = text[TEXT_LONG_DESC];
	out.pmu = word(build, text[TEXT_PMU]);
	out.topic = word(build, text[TEXT_TOPIC]);
	out.compat = word(build, text[TEXT_COMPAT]);
	out.counter = counter(build, text[TEXT_COUNTER]);
	out.scale = scale(build, text[TEXT_SCALE_UNIT]);
	out.latency = latency(build, entry->event.latency);
	out.flags = (flag[FLAG_PER_PKG] ? TABLE_EVENT_PER_PKG : 0) |
		     (flag[FLAG_DEPRECATED] ? TABLE_EVENT_DEPRECATED : 0) |
		     (flag[FLAG_TAKEN_ALONE] ? TABLE_EVENT_TAKEN_ALONE : 0);
	vec__push(&build->event_list, number_of(&build->events, build->index[EVENT_KEYS],
						record_key(&out, sizeof(out), key), out));
	return out.pmu;
}

static uint32_t build__add_metric(struct build *build, const struct tree_entry *entry)
{
	char key[2 * sizeof(struct table_metric) + 1];
	struct table_metric out;
	const uint32_t *text = entry->event.text;
	const uint8_t *flag = entry->event.flag;

	memset(&out, 0, sizeof(out));
	out.name = text[TEXT_METRIC];
	out.expr = text[TEXT_EXPR];
	out.threshold = text[TEXT_THRESHOLD];
	out.groups = text[TEXT_GROUPS];
	out.desc = text[TEXT_DESC];
	out.long_desc = text[TEXT_LONG_DESC];
	out.pmu = word(build, text[TEXT_PMU]);
	out.compat = word(build, text[TEXT_COMPAT]);
	out.no_group = word(build, text[TEXT_NO_GROUP]);
	out.scale = scale(build, text[TEXT_SCALE_UNIT]);
	out.default_group = word(build, text[TEXT_DEFAULT_GROUP]);
	out.flags = flag[FLAG_CONSTRAINT] |
		     (flag[FLAG_AGGREGATION] == 1 ? TABLE_METRIC_PER_CHIP : 0) |
		     (flag[FLAG_AGGREGATION] == 2 ? TABLE_METRIC_PER_CORE : 0);
	vec__push(&build->metric_list, number_of(&build->metrics, build->index[METRIC_KEYS],
						 record_key(&out, sizeof(out), key), out));
	return out.pmu;
}

/* Begin a range if the record has another PMU than the record before it; count the record. */
static void add_range(struct build *build, struct table_span *span, uint32_t pmu, uint32_t at)
{
	if (!span->nr || build->ranges.at[build->ranges.nr - 1].pmu != pmu) {
		span->nr++;
		vec__push(&build->ranges, (struct table_range){ .first = at, .pmu = pmu });
	}
	build->ranges.at[build->ranges.nr - 1].nr++;
}

/*
 * Make a record of each entry. Add their number to @list, and set @ranges to the ranges of this
 * list.
 */
static int add_records(struct build *build, const struct tree_entry *from, int nr,
		       uint32_t (*add)(struct build *build, const struct tree_entry *entry),
		       struct table_span *list, struct table_span *ranges, struct err *err)
{
	int rc = 0;

	ranges->first = build->ranges.nr;
	for (int i = 0; !rc && i < nr; i++) {
		add_range(build, ranges, add(build, &from[i]), list->nr++);
		rc = check_numbers(build, &from[i], err);
	}
	return rc;
}

/*
 * Metrics are sorted by name without case. They keep their order if names are equal, since perf
 * takes the first of these.
 */
static int compare_by_name(const void *a, const void *b, void *arg)
{
	uint32_t i = *(const uint32_t *)a, j = *(const uint32_t *)b;
	const struct build *build = arg;
	const uint32_t *list = build->metric_list.at;
	int cmp = strcasecmp(str(build, build->metrics.at[list[i]].name),
			     str(build, build->metrics.at[list[j]].name));

	return cmp ? cmp : i < j ? -1 : 1;
}

/* List the indices of a model's metrics, relative to its first metric, sorted by name. */
static void index_metrics(struct build *build, struct table_model *out)
{
	uint32_t first = out->metrics.first, *at;

	out->by_name.first = build->metric_by_name.nr;
	out->by_name.nr = out->metrics.nr;
	if (!out->metrics.nr)
		return;
	for (uint32_t i = 0; i < out->metrics.nr; i++)
		vec__push(&build->metric_by_name, first + i);
	at = build->metric_by_name.at + out->by_name.first;
	for (uint32_t i = 0; i < out->metric_ranges.nr; i++) {
		const struct table_range *r = &build->ranges.at[out->metric_ranges.first + i];

		qsort_r(at + r->first, r->nr, sizeof(*at), compare_by_name, build);
	}
	for (uint32_t i = 0; i < out->metrics.nr; i++)
		at[i] -= first;
}

static int compare_groups(const void *a, const void *b, void *arg)
{
	const struct table_group *groups = ((const struct build *)arg)->groups.at;

	return strcasecmp(str(arg, groups[*(const uint32_t *)a].name),
			  str(arg, groups[*(const uint32_t *)b].name));
}

/* Find the index of a group; or add the group, with its description from a metricgroups.json. */
static int group_number(struct build *build, const char *name)
{
	struct tree *tree = build->tree;
	int desc = strmap__get(tree->group_index, name);
	struct table_group group = { .name = pool__add(&tree->pool, name),
				     .desc = desc < 0 ? 0 : tree->groups.at[desc].desc };

	return number_of(&build->groups, build->index[GROUPS], name, group);
}

/* List the groups of a model's metrics. */
static void build__add_groups(struct build *build, const struct tree_model *model,
			      struct table_model *out)
{
	struct strmap *seen = strmap__new();
	struct tree_entry *entry;

	out->groups.first = build->group_list.nr;
	vec__for_each(entry, &model->metrics) {
		char *list = xstrdup(str(build, entry->event.text[TEXT_GROUPS]));
		char *rest = list, *name;

		while ((name = strsep(&rest, ";"))) {
			if (!*name || strmap__get(seen, name) >= 0)
				continue;
			strmap__put(seen, name, 0);
			vec__push(&build->group_list, group_number(build, name));
		}
		free(list);
	}
	strmap__free(seen);
	out->groups.nr = build->group_list.nr - out->groups.first;
	if (out->groups.nr)
		qsort_r(build->group_list.at + out->groups.first, out->groups.nr, sizeof(uint32_t),
			compare_groups, build);
}

static void add_counters(struct build *build, const struct tree_model *model,
			 struct table_model *out)
{
	struct pmu_counters *from;

	out->counters.first = build->pmu_counters.nr;
	out->counters.nr = model->counters.nr;
	vec__for_each(from, &model->counters)
		vec__push(&build->pmu_counters,
			  (struct table_pmu_counters){ word(build, from->pmu), from->general,
						       from->fixed, from->guessed });
}

static int add_model(struct build *build, const struct tree_model *model, struct err *err)
{
	struct table_model out = {.hash = model->hash,
				  .name = model->name,
				  .flags = model->sys ? TABLE_MODEL_SYS : 0,
				  .events.first = build->event_list.nr,
				  .metrics.first = build->metric_list.nr};
	int rc = add_records(build, model->events.at, model->events.nr, build__add_event,
			     &out.events, &out.event_ranges, err);

	if (!rc)
		rc = add_records(build, model->metrics.at, model->metrics.nr, build__add_metric,
				 &out.metrics, &out.metric_ranges, err);
	if (rc)
		return rc;
	index_metrics(build, &out);
	build__add_groups(build, model, &out);
	add_counters(build, model, &out);
	vec__push(&build->models, out);
	return 0;
}

/* Store the standard events and metrics, which elements of models name and complete. */
static int add_std(struct build *build, struct err *err)
{
	struct json_event *std;
	int rc = 0;

	build->std_events.first = build->event_list.nr;
	build->std_metrics.first = build->metric_list.nr;
	vec__for_each(std, &build->tree->reader.std_events) {
		struct tree_entry entry = { .event = *std };

		if (std->text[TEXT_NAME])
			build__add_event(build, &entry);
		if (std->text[TEXT_METRIC])
			build__add_metric(build, &entry);
		rc = rc ?: check_numbers(build, &entry, err);
	}
	build->std_events.nr = build->event_list.nr - build->std_events.first;
	build->std_metrics.nr = build->metric_list.nr - build->std_metrics.first;
	return rc;
}

int build__tables(struct build *build, struct tree *tree, struct err *err)
{
	struct tree_model *model;
	struct tree_row *row;
	int rc = 0;

	*build = (struct build){ .tree = tree };
	for (int i = 0; i < NR_INDEXED; i++)
		build->index[i] = strmap__new();
	/* Index 0 is for fields without a value. */
	word(build, 0);
	scale(build, 0);
	counter(build, 0);
	latency(build, (double[NR_LATENCIES]){ 0 });
	vec__for_each(model, &tree->models)
		if (!rc)
			rc = add_model(build, model, err);
	rc = rc ?: add_std(build, err);
	if (rc)
		return rc;
	vec__for_each(row, &tree->map)
		vec__push(&build->map,
			  (struct table_map){ row->pattern, row->version, row->model });
	return 0;
}

void build__data(const struct build *build, const char *arch, struct table_data *out)
{
	*out = (struct table_data){ .arch = arch,
				    .strings = build->tree->pool.text.buf,
				    .nr_strings = build->tree->pool.text.len,
#define ARRAY(type, name) .name = build->name.at, .nr_##name = build->name.nr,
				    TABLE_ARRAYS(ARRAY)
#undef ARRAY
				    .std_events = build->std_events,
				    .std_metrics = build->std_metrics,
	};
}

void build__free(struct build *build)
{
#define FREE(type, name) vec__free(&build->name);
	TABLE_ARRAYS(FREE)
#undef FREE
	for (int i = 0; i < NR_INDEXED; i++)
		strmap__free(build->index[i]);
}
