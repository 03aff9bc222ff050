// SPDX-License-Identifier: GPL-2.0-only
/* One layer's lists, and the putting of one on another. */
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/xalloc.h"
#include "json/load.h"
#include "tables/internal.h"

#define CORE "default_core"

const char *layer__pmu(const struct layer *l, uint32_t word)
{
	const char *pmu = layer__word(l, word);

	return l->core && !strcmp(pmu, CORE) ? l->core : pmu;
}

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
	int low = 0, high = l->model->groups.nr;

	while (low < high) {
		int mid = low + (high - low) / 2;
		const struct table_group *g = &l->data->groups[list[mid]];
		int cmp = strcasecmp(layer__str(l, g->name), group);

		if (!cmp)
			return layer__str(l, g->desc);
		if (cmp < 0)
			low = mid + 1;
		else
			high = mid;
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

/* One layer needs no order of its own, unless a PMU has another name in it or not all is seen. */
static bool needs_order(const struct tables *t)
{
	const struct layer *l = t->layers;

	return t->nr_layers > 1 || l->core || l->kept[EVENTS] || l->kept[METRICS];
}

void tables__push(struct tables **t, const struct layer *layer)
{
	int nr = *t ? (*t)->nr_layers : 0;
	struct tables *grown = xreallocarray(*t, 1, sizeof(*grown) + (nr + 1) * sizeof(*layer));

	if (nr)
		order__free(grown->order);
	grown->layers[nr] = *layer;
	grown->nr_layers = nr + 1;
	grown->order = needs_order(grown) ? order__new(grown) : NULL;
	*t = grown;
}
