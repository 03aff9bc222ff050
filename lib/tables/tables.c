// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/suggest.h"
#include "tables/cpuid.h"
#include "json/format.h"
#include "tables/tables.h"

/* All of it points into the program's own data; only this handle is allocated. */
struct tables {
	const struct table_data *data;
	const struct table_model *model;
	const struct table_map *row; /* NULL for a model that no row of the mapfile has */
};

static const char *str(const struct tables *t, uint32_t offset)
{
	return t->data->strings + offset;
}

static const char *word(const struct tables *t, uint32_t i)
{
	return t->data->strings + t->data->words[i];
}

static struct tables *tables__new(const struct table_data *data, uint32_t model,
				  const struct table_map *row)
{
	struct tables *t = malloc(sizeof(*t));

	if (t)
		*t = (struct tables){ .data = data, .model = &data->models[model], .row = row };
	return t;
}

static const struct table_map *find_row(const struct table_data *data, const char *cpuid)
{
	bool stepping = !strcmp(data->arch, "x86");

	for (const struct table_map *row = data->map; row < data->map + data->nr_map; row++)
		if (cpuid__matches(data->strings + row->pattern, cpuid, stepping))
			return row;
	return NULL;
}

int tables__find(const char *cpuid, struct tables **out)
{
	*out = NULL;
	for (const struct table_data *const *data = table_archs; *data; data++) {
		const struct table_map *row = find_row(*data, cpuid);

		if (!row)
			continue;
		*out = tables__new(*data, row->model, row);
		return *out ? 0 : -ENOMEM;
	}
	return 0;
}

/* The first row of the mapfile that leads to a model, or NULL. */
static const struct table_map *row_of(const struct table_data *data, uint32_t model)
{
	for (uint32_t i = 0; i < data->nr_map; i++)
		if (data->map[i].model == model)
			return &data->map[i];
	return NULL;
}

int tables__find_model(const char *model, struct tables **out)
{
	*out = NULL;
	for (const struct table_data *const *p = table_archs; *p; p++) {
		const struct table_data *data = *p;

		for (uint32_t i = 0; i < data->nr_models; i++) {
			if (strcmp(data->strings + data->models[i].name, model))
				continue;
			*out = tables__new(data, i, row_of(data, i));
			return *out ? 0 : -ENOMEM;
		}
	}
	return 0;
}

void tables__free(struct tables *t)
{
	free(t);
}

const char *tables__model(const struct tables *t)
{
	return str(t, t->model->name);
}

const char *tables__version(const struct tables *t)
{
	return t->row ? str(t, t->row->version) : "";
}

int tables__models(void)
{
	int nr = 0;

	for (const struct table_data *const *data = table_archs; *data; data++)
		nr += (*data)->nr_models;
	return nr;
}

const char *tables__model_name(int i)
{
	const struct table_data *const *data = table_archs;

	for (; (uint32_t)i >= (*data)->nr_models; data++)
		i -= (*data)->nr_models;
	return (*data)->strings + (*data)->models[i].name;
}

int tables__nr_events(const struct tables *t)
{
	return t->model->events.nr;
}

static const struct table_event *event_at(const struct tables *t, int i)
{
	return &t->data->events[t->data->event_list[t->model->events.first + i]];
}

static const struct table_metric *metric_at(const struct tables *t, int i)
{
	return &t->data->metrics[t->data->metric_list[t->model->metrics.first + i]];
}

void tables__event(const struct tables *t, int i, struct event_info *out)
{
	const struct table_event *e = event_at(t, i);
	const struct table_scale *scale = &t->data->scales[e->scale];
	const struct table_counter *counter = &t->data->counters[e->counter];
	const struct table_latency *latency = &t->data->latencies[e->latency];

	*out = (struct event_info){
		.name = str(t, e->name),
		.pmu = word(t, e->pmu),
		.topic = word(t, e->topic),
		.terms = str(t, e->terms),
		.desc = str(t, e->desc),
		.long_desc = str(t, e->long_desc),
		.unit = str(t, scale->unit),
		.counter = str(t, counter->text),
		.compat = word(t, e->compat),
		.scale = scale->scale,
		.retire_latency_min = latency->min,
		.retire_latency_mean = latency->mean,
		.retire_latency_max = latency->max,
		.counter_mask = counter->mask,
		.per_pkg = e->flags & TABLE_EVENT_PER_PKG,
		.deprecated = e->flags & TABLE_EVENT_DEPRECATED,
		.taken_alone = e->flags & TABLE_EVENT_TAKEN_ALONE,
	};
}

static const struct table_range *range(const struct tables *t, const struct table_span *ranges, int i)
{
	return &t->data->ranges[ranges->first + i];
}

static int search_events(const struct tables *t, const struct table_range *r, const char *name)
{
	int low = r->first, high = r->first + r->nr;

	while (low < high) {
		int mid = low + (high - low) / 2;
		int cmp = strcasecmp(str(t, event_at(t, mid)->name), name);

		if (!cmp)
			return mid;
		if (cmp < 0)
			low = mid + 1;
		else
			high = mid;
	}
	return -1;
}

int tables__find_event(const struct tables *t, const char *pmu, const char *name)
{
	int found = -1;

	for (uint32_t i = 0; found < 0 && i < t->model->event_ranges.nr; i++) {
		const struct table_range *r = range(t, &t->model->event_ranges, i);

		if (!pmu || !strcmp(word(t, r->pmu), pmu))
			found = search_events(t, r, name);
	}
	return found;
}

int tables__nr_metrics(const struct tables *t)
{
	return t->model->metrics.nr;
}

void tables__metric(const struct tables *t, int i, struct metric_info *out)
{
	const struct table_metric *m = metric_at(t, i);
	const struct table_scale *scale = &t->data->scales[m->scale];

	*out = (struct metric_info){
		.name = str(t, m->name),
		.pmu = word(t, m->pmu),
		.expr = str(t, m->expr),
		.threshold = str(t, m->threshold),
		.groups = str(t, m->groups),
		.desc = str(t, m->desc),
		.long_desc = str(t, m->long_desc),
		.unit = str(t, scale->unit),
		.no_group = word(t, m->no_group),
		.default_group = word(t, m->default_group),
		.compat = word(t, m->compat),
		.scale = scale->scale,
		.scale_unit = scale->text != 0,
		.per_core = m->flags & TABLE_METRIC_PER_CORE,
		.per_chip = m->flags & TABLE_METRIC_PER_CHIP,
		.constraint = m->flags & TABLE_METRIC_CONSTRAINT,
	};
}

/* The first of a range's metrics with a name, in the order of the table. */
static int search_metrics(const struct tables *t, const struct table_range *r, const char *name)
{
	const uint32_t *by_name = t->data->metric_by_name + t->model->by_name.first;
	int low = r->first, high = r->first + r->nr, end = high;

	while (low < high) {
		int mid = low + (high - low) / 2;

		if (strcasecmp(str(t, metric_at(t, by_name[mid])->name), name) < 0)
			low = mid + 1;
		else
			high = mid;
	}
	if (low == end || strcasecmp(str(t, metric_at(t, by_name[low])->name), name))
		return -1;
	return by_name[low];
}

int tables__find_metric(const struct tables *t, const char *pmu, const char *name)
{
	int found = -1;

	for (uint32_t i = 0; found < 0 && i < t->model->metric_ranges.nr; i++) {
		const struct table_range *r = range(t, &t->model->metric_ranges, i);

		if (!pmu || !strcmp(word(t, r->pmu), pmu))
			found = search_metrics(t, r, name);
	}
	return found;
}

int tables__nr_groups(const struct tables *t)
{
	return t->model->groups.nr;
}

const char *tables__group(const struct tables *t, int i)
{
	return str(t, t->data->groups[t->data->group_list[t->model->groups.first + i]].name);
}

const char *tables__group_desc(const struct tables *t, const char *group)
{
	int low = 0, high = t->model->groups.nr;

	while (low < high) {
		int mid = low + (high - low) / 2;
		int cmp = strcasecmp(tables__group(t, mid), group);

		if (!cmp)
			return str(t, 
				t->data->groups[t->data->group_list[t->model->groups.first + mid]].desc);
		if (cmp < 0)
			low = mid + 1;
		else
			high = mid;
	}
	return "";
}

bool tables__counters(const struct tables *t, const char *pmu, int *general, int *fixed)
{
	const struct table_pmu_counters *c = t->data->pmu_counters + t->model->counters.first;

	for (uint32_t i = 0; i < t->model->counters.nr; i++) {
		if (strcmp(word(t, c[i].pmu), pmu))
			continue;
		*general = c[i].general;
		*fixed = c[i].fixed;
		return true;
	}
	return false;
}

void tables__suggest(const struct tables *t, bool metrics, struct suggest *s)
{
	int nr = metrics ? tables__nr_metrics(t) : tables__nr_events(t);

	for (int i = 0; i < nr; i++)
		suggest__offer(s, str(t, metrics ? metric_at(t, i)->name : event_at(t, i)->name));
	for (int i = 0; metrics && i < tables__nr_groups(t); i++)
		suggest__offer(s, tables__group(t, i));
}
