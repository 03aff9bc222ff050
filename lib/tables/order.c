// SPDX-License-Identifier: GPL-2.0-only
/* Merge several layers by PMU and name, leaving out hidden records. */
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/strmap.h"
#include "base/xalloc.h"
#include "tables/internal.h"

/**
 * struct pmu_records - a layer's records of one PMU
 * @first, @end: their place in the layer's list
 */
struct pmu_records {
	const char *pmu;
	uint32_t layer, first, end;
};

/* Context for comparing records: the tables, and the kind of the records. */
struct sorting {
	const struct tables *t;
	enum record_kind kind;
	const struct record_place *places;
};

static const char *name_at(const struct sorting *s, const struct record_place *place)
{
	return layer__name(&s->t->layers[place->layer], s->kind, place->index);
}

/* Sort sources by PMU; for the same PMU, the upper layer comes first. */
static int compare_sources(const void *a, const void *b)
{
	const struct pmu_records *x = a, *y = b;

	return strcmp(x->pmu, y->pmu) ?: (int)y->layer - (int)x->layer;
}

/* Get the height of a record's layer; a layer that yields is below all others. */
static int height(const struct sorting *s, const struct record_place *place)
{
	return s->t->layers[place->layer].yields ? -1 : (int)place->layer;
}

/*
 * Sort records of a PMU by name without case; of the same name, the upper layer's record comes
 * first.
 */
static int compare_records(const void *a, const void *b, void *sorting)
{
	const struct record_place *x = a, *y = b;

	return strcasecmp(name_at(sorting, x), name_at(sorting, y)) ?:
	       height(sorting, y) - height(sorting, x) ?: (int)x->index - (int)y->index;
}

/* Remove sorted records if an upper layer has their name. Return: number of records left. */
static int keep_uppermost(const struct sorting *s, struct record_place *at, int nr)
{
	int kept = 0;

	for (int i = 0; i < nr; i++)
		if (!kept || at[kept - 1].layer == at[i].layer ||
		    strcasecmp(name_at(s, &at[kept - 1]), name_at(s, &at[i])))
			at[kept++] = at[i];
	return kept;
}

/* Append the records of one PMU from @nr sources to the list of their kind. */
static void merge_pmu(struct sorting *s, const struct pmu_records *from, int nr,
		      struct merged_order *order)
{
	struct pmu_range range = { .pmu = from->pmu, .first = order->lists[s->kind].places.nr };
	struct record_place *at;

	for (const struct pmu_records *source = from; source < from + nr; source++)
		for (uint32_t i = source->first; i < source->end; i++)
			if (layer__keeps(&s->t->layers[source->layer], s->kind, i))
				vec__push(&order->lists[s->kind].places,
					  (struct record_place){ source->layer, i });
	range.nr = order->lists[s->kind].places.nr - range.first;
	if (!range.nr)
		return;
	at = order->lists[s->kind].places.at + range.first;
	/*
	 * Names of events are in lower case, so the events of a single layer are in this order
	 * already.
	 */
	if (nr > 1 || s->kind == METRICS)
		qsort_r(at, range.nr, sizeof(*at), compare_records, s);
	range.nr = keep_uppermost(s, at, range.nr);
	order->lists[s->kind].places.nr = range.first + range.nr;
	vec__push(&order->lists[s->kind].ranges, range);
}

static void order__merge(const struct tables *t, enum record_kind kind, struct merged_order *order)
{
	VEC(struct pmu_records) sources = { .at = NULL };
	struct sorting sorting = { .t = t, .kind = kind };

	for (int l = 0; l < t->nr_layers; l++) {
		for (uint32_t i = 0; i < layer__nr_ranges(&t->layers[l], kind); i++) {
			struct pmu_range r = layer__range(&t->layers[l], kind, i);

			vec__push(&sources,
				  (struct pmu_records){ r.pmu, l, r.first, r.first + r.nr });
		}
	}
	if (sources.nr)
		qsort(sources.at, sources.nr, sizeof(*sources.at), compare_sources);
	for (int i = 0, nr; i < sources.nr; i += nr) {
		for (nr = 1; i + nr < sources.nr &&
			     !strcmp(sources.at[i].pmu, sources.at[i + nr].pmu);)
			nr++;
		merge_pmu(&sorting, &sources.at[i], nr, order);
	}
	vec__free(&sources);
}

/* Compare two metrics by name in the order of a table: capital letters come first. */
static int compare_metrics(const void *a, const void *b, void *arg)
{
	const struct sorting *s = arg;
	const struct record_place *x = &s->places[*(const uint32_t *)a];
	const struct record_place *y = &s->places[*(const uint32_t *)b];

	return strcmp(name_at(s, x), name_at(s, y)) ?: (int)x->index - (int)y->index;
}

/*
 * Sort metrics, which are sorted by name without case, in the order of a table, and index them by
 * name.
 */
static void sort_metrics(const struct tables *t, struct merged_order *order)
{
	struct record_place *places = order->lists[METRICS].places.at, *sorted;
	struct sorting sorting = { t, METRICS, places };
	int nr = order->lists[METRICS].places.nr;
	struct pmu_range *range;
	uint32_t *was;

	order->by_name = xcalloc(nr, sizeof(*order->by_name));
	sorted = xcalloc(nr, sizeof(*sorted));
	was = xcalloc(nr, sizeof(*was));
	for (int i = 0; i < nr; i++)
		was[i] = i;
	vec__for_each(range, &order->lists[METRICS].ranges)
		qsort_r(was + range->first, range->nr, sizeof(*was), compare_metrics, &sorting);
	for (int i = 0; i < nr; i++) {
		sorted[i] = places[was[i]];
		order->by_name[was[i]] = i;
	}
	if (nr)
		memcpy(places, sorted, nr * sizeof(*places));
	free(sorted);
	free(was);
}

static int compare_groups(const void *a, const void *b)
{
	return strcasecmp(*(const char *const *)a, *(const char *const *)b);
}

/* Add the wanted groups of a layer; their names stay in the layer's tables. */
static void add_layer_groups(const struct layer *l, struct strmap *wanted,
			     struct merged_order *order)
{
	for (uint32_t i = 0; i < l->model->groups.nr; i++) {
		uint32_t number = l->data->group_list[l->model->groups.first + i];
		const char *name = layer__str(l, l->data->groups[number].name);

		/* A group that was added is no longer wanted. */
		if (strmap__get(wanted, name) != 1)
			continue;
		strmap__put(wanted, name, 0);
		vec__push(&order->groups, name);
	}
}

static void want_groups(struct strmap *wanted, const char *groups)
{
	char *list = xstrdup(groups), *rest = list, *name;

	while ((name = strsep(&rest, ";")))
		if (*name)
			strmap__put(wanted, name, 1);
	free(list);
}

/* List the groups of visible metrics; some groups of a layer may have none left. */
static void merge_groups(const struct tables *t, struct merged_order *order)
{
	struct strmap *wanted = strmap__new();
	struct record_place *p;

	vec__for_each(p, &order->lists[METRICS].places) {
		const struct layer *l = &t->layers[p->layer];

		want_groups(wanted, layer__str(l, layer__metric(l, p->index)->groups));
	}
	for (int l = 0; l < t->nr_layers; l++)
		add_layer_groups(&t->layers[l], wanted, order);
	strmap__free(wanted);
	if (order->groups.nr)
		qsort(order->groups.at, order->groups.nr, sizeof(*order->groups.at),
		      compare_groups);
}

struct merged_order *order__new(const struct tables *t)
{
	struct merged_order *order = xcalloc(1, sizeof(*order));

	for (int kind = 0; kind < NR_RECORD_KINDS; kind++)
		order__merge(t, kind, order);
	sort_metrics(t, order);
	merge_groups(t, order);
	return order;
}

void order__free(struct merged_order *order)
{
	if (!order)
		return;
	for (int kind = 0; kind < NR_RECORD_KINDS; kind++) {
		vec__free(&order->lists[kind].places);
		vec__free(&order->lists[kind].ranges);
	}
	vec__free(&order->groups);
	free(order->by_name);
	free(order);
}
