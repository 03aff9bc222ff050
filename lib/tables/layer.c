// SPDX-License-Identifier: GPL-2.0-only
/* Make layers from files or built-in tables, and put them on top of others. */
#include <stdlib.h>
#include <strings.h>

#include "base/xalloc.h"
#include "json/load.h"
#include "tables/internal.h"

static const struct table_span *ranges_of(const struct layer *l, enum record_kind kind)
{
	return kind == EVENTS ? &l->model->event_ranges : &l->model->metric_ranges;
}

uint32_t layer__nr_ranges(const struct layer *l, enum record_kind kind)
{
	return ranges_of(l, kind)->nr;
}

struct pmu_range layer__range(const struct layer *l, enum record_kind kind, uint32_t i)
{
	const struct table_range *r = &l->data->ranges[ranges_of(l, kind)->first + i];

	return (struct pmu_range){ layer__pmu(l, r->pmu), r->first, r->nr };
}

const char *layer__group_desc(const struct layer *l, const char *group)
{
	const uint32_t *list = l->data->group_list + l->model->groups.first;

	for (uint32_t i = 0; i < l->model->groups.nr; i++) {
		const struct table_group *g = &l->data->groups[list[i]];

		if (g->desc && !strcasecmp(layer__str(l, g->name), group))
			return layer__str(l, g->desc);
	}
	return "";
}

void layer__free(struct layer *layer)
{
	loaded__free(layer->owner);
	for (int kind = EVENTS; kind < NR_RECORD_KINDS; kind++)
		free(layer->kept[kind]);
	free(layer->core);
	free(layer->origin);
}

/* A single layer needs a merged order only if a PMU has another name or some records are hidden. */
static bool needs_order(const struct tables *t)
{
	const struct layer *l = t->layers;

	return t->nr_layers > 1 || l->core || l->kept[EVENTS] || l->kept[METRICS];
}

void tables__push(struct tables **t, const struct layer *layer)
{
	int nr = *t ? (*t)->nr_layers : 0;
	struct tables *grown = xreallocarray(*t, 1, sizeof(*grown) + (nr + 1) * sizeof(*layer));

	if (nr) {
		order__free(grown->order);
		plain__free(grown->plain);
	}
	grown->plain = NULL; /* the numbers of metrics have changed */
	grown->plain_of = NULL;
	grown->layers[nr] = *layer;
	grown->nr_layers = nr + 1;
	grown->order = needs_order(grown) ? order__new(grown) : NULL;
	*t = grown;
}

/* Find the PMU of an event in the layers below. */
static const char *layer__pmu_of(void *arg, const char *pmu, const char *name)
{
	const struct tables *t = arg;
	int i = t ? tables__find_event(t, pmu, name) : -1;
	struct event_info event;

	if (i < 0)
		return NULL;
	tables__event(t, i, &event);
	return event.pmu;
}

int tables__load(struct tables **t, const struct load_options *opts, const char *core,
		 struct err *err)
{
	struct load_options with = *opts;
	struct loaded *loaded;
	struct layer layer;
	int rc;

	with.known = (struct known_events){ layer__pmu_of, *t };
	with.std = table_archs;
	rc = load__path(&with, &loaded, err);
	if (rc)
		return rc;
	layer = (struct layer){
		.owner = loaded,
		.data = &loaded->data,
		.model = loaded->model,
		.version = loaded->version,
		.warnings = loaded->warnings,
		.notes = sb__str(&loaded->notes),
		.origin = xstrdup(opts->path),
		.core = xstrdup(core),
		.own = opts->own,
		.yields = opts->yields,
	};
	tables__push(t, &layer);
	return 0;
}
