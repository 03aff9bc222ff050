// SPDX-License-Identifier: GPL-2.0-only
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/sb.h"
#include "base/suggest.h"
#include "base/text.h"
#include "json/cpuid.h"
#include "tables/internal.h"

#define MIDR_DIGITS 18	   /* "0x00000000410fd490" */
#define MIDR_PART_DIGITS 6 /* number of digits from the variant to the revision */

/* Make tables of a built-in model, whose data they do not own. */
static struct tables *tables__new(const struct table_data *data, uint32_t model,
				  const struct table_map *row)
{
	struct layer layer = { .data = data,
			       .model = &data->models[model],
			       .version = row ? data->strings + row->version : "" };
	struct tables *t = NULL;

	tables__push(&t, &layer);
	return t;
}

static const struct table_map *find_row(const struct table_data *data, const char *cpuid)
{
	enum cpuid_kind kind = cpuid__kind(data->arch);

	for (const struct table_map *row = data->map; row < data->map + data->nr_map; row++)
		if (cpuid__matches(data->strings + row->pattern, cpuid, kind))
			return row;
	return NULL;
}

struct tables *tables__find(const char *cpuid)
{
	for (const struct table_data *const *data = table_archs; *data; data++) {
		const struct table_map *row = find_row(*data, cpuid);

		if (row)
			return row->model == TABLE_MAP_NO_MODEL
				       ? NULL
				       : tables__new(*data, row->model, row);
	}
	return NULL;
}

/* Find the first row of the mapfile for a model, or NULL. */
static const struct table_map *row_of(const struct table_data *data, uint32_t model)
{
	for (uint32_t i = 0; i < data->nr_map; i++)
		if (data->map[i].model == model)
			return &data->map[i];
	return NULL;
}

struct tables *tables__find_model(const char *model)
{
	for (const struct table_data *const *p = table_archs; *p; p++) {
		const struct table_data *data = *p;

		for (uint32_t i = 0; i < data->nr_models; i++)
			if (!strcmp(data->strings + data->models[i].name, model))
				return tables__new(data, i, row_of(data, i));
	}
	return NULL;
}

void tables__free(struct tables *t)
{
	for (int i = 0; t && i < t->nr_layers; i++)
		layer__free(&t->layers[i]);
	if (t) {
		order__free(t->order);
		plain__free(t->plain);
	}
	free(t);
}

static bool is_of_cpu(const struct layer *l)
{
	return !l->sysfs && !l->own && !(l->model->flags & TABLE_MODEL_SYS);
}

/* Find the lowest layer for a CPU. Return: its number; 0 if no layer is for a CPU. */
static int lowest_of_cpu(const struct tables *t)
{
	for (int i = 0; i < t->nr_layers; i++)
		if (is_of_cpu(&t->layers[i]))
			return i;
	return 0;
}

const char *tables__model(const struct tables *t)
{
	const struct layer *l = &t->layers[lowest_of_cpu(t)];

	return layer__str(l, l->model->name);
}

bool tables__name_cpu(const struct tables *t)
{
	return t && is_of_cpu(&t->layers[lowest_of_cpu(t)]);
}

const char *tables__only_listed(const struct tables *t)
{
	const struct layer *l = tables__name_cpu(t) ? &t->layers[lowest_of_cpu(t)] : NULL;
	const char *arch = l ? l->data->arch : "";

	return text__is_any(arch, "powerpc", "riscv", "s390") ? arch : NULL;
}

int tables__nr_layers(const struct tables *t)
{
	return t->nr_layers;
}

void tables__layer(const struct tables *t, int i, struct tables_layer *out)
{
	const struct layer *l = &t->layers[i];

	*out = (struct tables_layer){
		.origin = l->origin ? l->origin : "built in",
		.model = layer__str(l, l->model->name),
		.version = l->version,
		.hash = l->model->hash,
		.nr_events = l->kept[EVENTS] ? l->nr_kept[EVENTS] : (int)layer__nr(l, EVENTS),
		.nr_metrics = l->kept[METRICS] ? l->nr_kept[METRICS] : (int)layer__nr(l, METRICS),
		.warnings = l->warnings,
		.notes = l->notes ? l->notes : "",
		.sysfs = l->sysfs,
		.own = l->own,
		.yields = l->yields,
	};
}

int tables__nr_models(void)
{
	int nr = 0;

	for (const struct table_data *const *data = table_archs; *data; data++)
		nr += (*data)->nr_models;
	return nr;
}

bool tables__knows_pmu(const char *pmu)
{
	for (const struct table_data *const *p = table_archs; *p; p++) {
		const struct table_data *data = *p;

		for (uint32_t i = 0; i < data->nr_ranges; i++)
			if (!strcmp(data->strings + data->words[data->ranges[i].pmu], pmu))
				return true;
		for (uint32_t i = 0; i < data->nr_pmu_counters; i++)
			if (!strcmp(data->strings + data->words[data->pmu_counters[i].pmu], pmu))
				return true;
	}
	return false;
}

/*
 * Find the tables of the model with number *@i among all models, and set *@i to its index in them.
 */
static const struct table_data *data_of(int *i)
{
	const struct table_data *const *data = table_archs;

	for (; (uint32_t)*i >= (*data)->nr_models; data++)
		*i -= (*data)->nr_models;
	return *data;
}

const char *tables__model_name(int i)
{
	const struct table_data *data = data_of(&i);

	return data->strings + data->models[i].name;
}

/*
 * Measure the family in an id or a pattern. On x86 it is vendor and number; on arm64 "0x00000000"
 * and the implementer, which precede the variant. Return: 0 for other ids.
 */
static int family_len(const char *id)
{
	const char *dash = strchr(id, '-');
	int digits = dash ? (int)strspn(dash + 1, "0123456789") : 0;

	if (!strncmp(id, "0x", 2) && strlen(id) == MIDR_DIGITS)
		return MIDR_DIGITS - MIDR_PART_DIGITS;
	return digits && dash[1 + digits] == '-' ? dash + 1 + digits - id : 0;
}

static bool is_of_family(const struct table_data *data, uint32_t model, const char *cpuid, int len)
{
	for (uint32_t i = 0; i < data->nr_map; i++) {
		const char *pattern = data->strings + data->map[i].pattern;

		if (data->map[i].model == model && !strncasecmp(pattern, cpuid, len) &&
		    family_len(cpuid) == family_len(pattern))
			return true;
	}
	return false;
}

int tables__family(const char *cpuid, char *name, size_t size)
{
	int nr = 0, len = family_len(cpuid);

	if (len && !strncmp(cpuid, "0x", 2))
		snprintf(name, size, "0x%.2s", cpuid + len - 2);
	else
		snprintf(name, size, "%.*s", len, cpuid);
	for (const struct table_data *const *data = table_archs; len && *data; data++)
		for (uint32_t i = 0; i < (*data)->nr_models; i++)
			nr += is_of_family(*data, i, cpuid, len);
	return nr;
}

#define MODELS 256
#define STEPPINGS 16

/* Tell whether a row is the first that matches an id. */
static bool is_of(const struct table_data *data, const struct table_map *row, const char *cpuid)
{
	return cpuid__matches(data->strings + row->pattern, cpuid, cpuid__kind(data->arch)) &&
	       find_row(data, cpuid) == row;
}

/* Patterns of x86 begin with vendor and family, so try models and steppings until one matches. */
static bool find_example(const struct table_data *data, const struct table_map *row, char *cpuid,
			 size_t size)
{
	const char *pattern = data->strings + row->pattern, *family = strchr(pattern, '-');
	int len = family ? family + 1 + strcspn(family + 1, "-") - pattern : 0;

	snprintf(cpuid, size, "%s", pattern);
	for (int i = 0; len && i < MODELS * STEPPINGS && !is_of(data, row, cpuid); i++)
		snprintf(cpuid, size, "%.*s-%X-%X", len, pattern, i / STEPPINGS, i % STEPPINGS);
	return is_of(data, row, cpuid);
}

bool tables__example_id(int i, char *cpuid, size_t size)
{
	const struct table_data *data = data_of(&i);
	const struct table_map *row = row_of(data, i);

	return row && find_example(data, row, cpuid, size);
}

static int nr_records(const struct tables *t, enum record_kind kind)
{
	if (t->order)
		return t->order->lists[kind].places.nr;
	return kind == EVENTS ? t->layers[0].model->events.nr : t->layers[0].model->metrics.nr;
}

static struct record_place place_of(const struct tables *t, enum record_kind kind, int i)
{
	return t->order ? t->order->lists[kind].places.at[i] : (struct record_place){.index = i};
}

static const char *name_at(const struct tables *t, enum record_kind kind, int i)
{
	struct record_place place = place_of(t, kind, i);

	return layer__name(&t->layers[place.layer], kind, place.index);
}

static int nr_ranges(const struct tables *t, enum record_kind kind)
{
	if (t->order)
		return t->order->lists[kind].ranges.nr;
	return layer__nr_ranges(&t->layers[0], kind);
}

static struct pmu_range range(const struct tables *t, enum record_kind kind, int i)
{
	return t->order ? t->order->lists[kind].ranges.at[i] : layer__range(&t->layers[0], kind, i);
}

/* Get the index of the record that is number @i in the order of names without case. */
static int tables__by_name(const struct tables *t, enum record_kind kind, int i)
{
	if (kind == EVENTS)
		return i;
	return t->order ? t->order->by_name[i] : layer__by_name(&t->layers[0], i);
}

/* Find the first record with a name, in the table's order. Return: its number, or -1. */
static int search(const struct tables *t, enum record_kind kind, const struct pmu_range *r,
		  const char *name)
{
	int low = r->first, high = r->first + r->nr, end = high;

	/* The name of another PMU's event is mostly outside of the range of names here. */
	if (low == end || strcasecmp(name_at(t, kind, tables__by_name(t, kind, low)), name) > 0 ||
	    strcasecmp(name_at(t, kind, tables__by_name(t, kind, end - 1)), name) < 0)
		return -1;
	while (low < high) {
		int mid = low + (high - low) / 2;

		if (strcasecmp(name_at(t, kind, tables__by_name(t, kind, mid)), name) < 0)
			low = mid + 1;
		else
			high = mid;
	}
	if (low == end || strcasecmp(name_at(t, kind, tables__by_name(t, kind, low)), name))
		return -1;
	return tables__by_name(t, kind, low);
}

static int tables__find_record(const struct tables *t, enum record_kind kind, const char *pmu,
			       const char *name)
{
	int found = -1;

	for (int i = 0; found < 0 && i < nr_ranges(t, kind); i++) {
		struct pmu_range r = range(t, kind, i);

		if (!pmu || !strcmp(r.pmu, pmu))
			found = search(t, kind, &r, name);
	}
	return found;
}

int tables__nr_events(const struct tables *t)
{
	return nr_records(t, EVENTS);
}

void tables__event(const struct tables *t, int i, struct event_info *out)
{
	struct record_place place = place_of(t, EVENTS, i);
	const struct layer *l = &t->layers[place.layer];
	const struct table_event *e = layer__event(l, place.index);
	const struct table_scale *scale = &l->data->scales[e->scale];
	const struct table_counter *counter = &l->data->counters[e->counter];
	const struct table_latency *latency = &l->data->latencies[e->latency];

	*out = (struct event_info){
		.name = layer__str(l, e->name),
		.pmu = layer__pmu(l, e->pmu),
		.topic = layer__word(l, e->topic),
		.terms = layer__str(l, e->terms),
		.desc = layer__str(l, e->desc),
		.long_desc = layer__str(l, e->long_desc),
		.unit = layer__str(l, scale->unit),
		.counter = layer__str(l, counter->text),
		.compat = layer__word(l, e->compat),
		.scale = scale->scale,
		.latency = { latency->mean, latency->min, latency->max },
		.counter_mask = counter->mask,
		.per_pkg = e->flags & TABLE_EVENT_PER_PKG,
		.deprecated = e->flags & TABLE_EVENT_DEPRECATED,
		.taken_alone = e->flags & TABLE_EVENT_TAKEN_ALONE,
		.goes_on = e->flags & TABLE_EVENT_GOES_ON,
		.layer = place.layer,
	};
}

int tables__find_event(const struct tables *t, const char *pmu, const char *name)
{
	return tables__find_record(t, EVENTS, pmu, name);
}

int tables__nr_pmus(const struct tables *t)
{
	return nr_ranges(t, EVENTS);
}

const char *tables__pmu(const struct tables *t, int i)
{
	return range(t, EVENTS, i).pmu;
}

int tables__pmu_events(const struct tables *t, const char *pmu, int *first)
{
	for (int i = 0; i < nr_ranges(t, EVENTS); i++) {
		struct pmu_range r = range(t, EVENTS, i);

		*first = r.first;
		if (!strcmp(r.pmu, pmu))
			return r.nr;
	}
	*first = 0;
	return 0;
}

int tables__pmu_event(const struct tables *t, int i, const char *name)
{
	struct pmu_range r = range(t, EVENTS, i);

	return search(t, EVENTS, &r, name);
}

int tables__nr_metrics(const struct tables *t)
{
	return nr_records(t, METRICS);
}

void tables__put_desc(struct sb *sb, const char *desc, const char *long_desc, bool goes_on)
{
	if (goes_on || !*long_desc)
		sb__puts(sb, desc);
	sb__puts(sb, long_desc);
}

void tables__metric(const struct tables *t, int i, struct metric_info *out)
{
	struct record_place place = place_of(t, METRICS, i);
	const struct layer *l = &t->layers[place.layer];
	const struct table_metric *m = layer__metric(l, place.index);
	const struct table_scale *scale = &l->data->scales[m->scale];
	const char *plain = plain__formula(t, i);

	*out = (struct metric_info){
		.name = layer__str(l, m->name),
		.pmu = layer__pmu(l, m->pmu),
		.expr = plain ?: layer__str(l, m->expr),
		.plain = plain,
		.threshold = layer__str(l, m->threshold),
		.groups = layer__str(l, m->groups),
		.desc = layer__str(l, m->desc),
		.long_desc = layer__str(l, m->long_desc),
		.unit = layer__str(l, scale->unit),
		.no_group = layer__word(l, m->no_group),
		.default_group = layer__word(l, m->default_group),
		.compat = layer__word(l, m->compat),
		.scale = scale->scale,
		.scale_unit = scale->text != 0,
		.per_core = m->flags & TABLE_METRIC_PER_CORE,
		.per_chip = m->flags & TABLE_METRIC_PER_CHIP,
		.goes_on = m->flags & TABLE_METRIC_GOES_ON,
		.constraint = m->flags & TABLE_METRIC_CONSTRAINT,
		.layer = place.layer,
	};
}

int tables__find_metric(const struct tables *t, const char *pmu, const char *name)
{
	return tables__find_record(t, METRICS, pmu, name);
}

int tables__nr_groups(const struct tables *t)
{
	return t->order ? t->order->groups.nr : (int)t->layers[0].model->groups.nr;
}

const char *tables__group(const struct tables *t, int i)
{
	const struct layer *l = &t->layers[0];

	if (t->order)
		return t->order->groups.at[i];
	return layer__str(l, l->data->groups[l->data->group_list[l->model->groups.first + i]].name);
}

const char *tables__group_desc(const struct tables *t, const char *group)
{
	const char *desc = "";

	for (int l = t->nr_layers - 1; !*desc && l >= 0; l--)
		desc = layer__group_desc(&t->layers[l], group);
	return desc;
}

static const struct table_pmu_counters *find_counters(const struct layer *l, const char *pmu)
{
	const struct table_pmu_counters *c = l->data->pmu_counters + l->model->counters.first;

	for (uint32_t i = 0; i < l->model->counters.nr; i++)
		if (!strcmp(layer__pmu(l, c[i].pmu), pmu))
			return &c[i];
	return NULL;
}

bool tables__counters(const struct tables *t, const char *pmu, int *general, int *fixed)
{
	bool guessed = false;

	for (const struct layer *l = t->layers + t->nr_layers; l-- > t->layers;) {
		const struct table_pmu_counters *c = find_counters(l, pmu);

		if (!c)
			continue;
		if (!c->guessed || !guessed || *general < c->general)
			*general = c->general;
		if (!c->guessed || !guessed || *fixed < c->fixed)
			*fixed = c->fixed;
		if (!c->guessed)
			return true;
		guessed = true;
	}
	return guessed;
}

void tables__suggest(const struct tables *t, bool metrics, struct suggest *s)
{
	enum record_kind kind = metrics ? METRICS : EVENTS;

	for (int i = 0; i < nr_records(t, kind); i++)
		suggest__offer(s, name_at(t, kind, i));
	for (int i = 0; metrics && i < tables__nr_groups(t); i++)
		suggest__offer(s, tables__group(t, i));
}
