// SPDX-License-Identifier: GPL-2.0-only
/* Several layers seen as one: what is hidden left out, the rest merged by PMU and name. */
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/strmap.h"
#include "base/xalloc.h"
#include "tables/internal.h"

/**
 * struct merging - a layer's records of one PMU, while they are merged
 * @at, @end: what is left of them, by name without case
 */
struct merging {
	const char *pmu;
	uint32_t layer, at, end;
};

struct sources {
	struct merging *at;
	int nr, cap;
};

/* Events have names in lower case, so that they stand by name without case in their list. */
static uint32_t index_of(const struct tables *t, enum record_kind kind, const struct merging *s)
{
	return kind == EVENTS ? s->at : layer__by_name(&t->layers[s->layer], s->at);
}

static const char *name_of(const struct tables *t, enum record_kind kind, const struct merging *s)
{
	return layer__name(&t->layers[s->layer], kind, index_of(t, kind, s));
}

/* Go to a record that is seen. */
static void skip_unseen(const struct tables *t, enum record_kind kind, struct merging *s)
{
	while (s->at < s->end && !layer__keeps(&t->layers[s->layer], kind, index_of(t, kind, s)))
		s->at++;
}

/* By PMU; of one PMU the upper layer first. */
static int compare_sources(const void *a, const void *b)
{
	const struct merging *x = a, *y = b;
	int cmp = strcmp(x->pmu, y->pmu);

	return cmp ? cmp : (x->layer < y->layer) - (x->layer > y->layer);
}

static void list_sources(const struct tables *t, enum record_kind kind, struct sources *out)
{
	for (int l = 0; l < t->nr_layers; l++) {
		for (uint32_t i = 0; i < layer__nr_ranges(&t->layers[l], kind); i++) {
			struct pmu_range r = layer__range(&t->layers[l], kind, i);

			vec__push(out, (struct merging){r.pmu, l, r.first, r.first + r.nr});
		}
	}
	if (out->nr)
		qsort(out->at, out->nr, sizeof(*out->at), compare_sources);
}

/* The source whose next name comes first; of equal names that of the upper layer. */
static struct merging *next_source(const struct tables *t, enum record_kind kind,
				   struct merging *from, int nr)
{
	struct merging *best = NULL;
	const char *best_name = NULL;

	for (struct merging *s = from; s < from + nr; s++) {
		const char *name;

		skip_unseen(t, kind, s);
		name = s->at < s->end ? name_of(t, kind, s) : NULL;
		if (name && (!best || strcasecmp(name, best_name) < 0)) {
			best = s;
			best_name = name;
		}
	}
	return best;
}

/* All that a layer has of a name, and none of what the layers below it have. */
static void take_name(const struct tables *t, enum record_kind kind, struct merging *from, int nr,
		      struct merging *best, struct merged_order *order)
{
	const char *name = name_of(t, kind, best);

	for (struct merging *s = from; s < from + nr; s++) {
		for (; s->at < s->end && !strcasecmp(name_of(t, kind, s), name); s->at++) {
			struct record_place place = {s->layer, index_of(t, kind, s)};

			if (s->layer == best->layer &&
			    layer__keeps(&t->layers[s->layer], kind, place.index))
				vec__push(&order->lists[kind].places, place);
		}
	}
}

static void merge(const struct tables *t, enum record_kind kind, struct merged_order *order)
{
	struct sources sources = { .at = NULL };
	struct merging *from, *next;

	list_sources(t, kind, &sources);
	for (int i = 0, nr; i < sources.nr; i += nr) {
		struct pmu_range range = { .first = order->lists[kind].places.nr };

		from = &sources.at[i];
		range.pmu = from->pmu;
		for (nr = 1; i + nr < sources.nr && !strcmp(from[nr].pmu, from->pmu); nr++)
			;
		while ((next = next_source(t, kind, from, nr)))
			take_name(t, kind, from, nr, next, order);
		range.nr = order->lists[kind].places.nr - range.first;
		if (range.nr)
			vec__push(&order->lists[kind].ranges, range);
	}
	vec__free(&sources);
}

/* What comparing metrics of one PMU needs; @places is as merged, by name without case. */
struct sorting {
	const struct tables *t;
	const struct record_place *places;
};

/* As they stand in a table, capitals first; of one name there is only one layer. */
static int compare_metrics(const void *a, const void *b, void *arg)
{
	const struct sorting *s = arg;
	struct record_place x = s->places[*(const uint32_t *)a],
			    y = s->places[*(const uint32_t *)b];
	int cmp = strcmp(layer__name(&s->t->layers[x.layer], METRICS, x.index),
			 layer__name(&s->t->layers[y.layer], METRICS, y.index));

	return cmp ? cmp : (x.index > y.index) - (x.index < y.index);
}

/* From metrics by name without case to metrics as a table has them, with their index by name. */
static void sort_metrics(const struct tables *t, struct merged_order *order)
{
	struct record_place *places = order->lists[METRICS].places.at, *sorted;
	struct sorting sorting = { t, places };
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

/* The group of that name in a layer's list; the text is the table's, which stays. */
static void add_layer_groups(const struct layer *l, struct strmap *wanted,
			     struct merged_order *order)
{
	for (uint32_t i = 0; i < l->model->groups.nr; i++) {
		uint32_t number = l->data->group_list[l->model->groups.first + i];
		const char *name = layer__str(l, l->data->groups[number].name);

		/* Once added, it is wanted no more. */
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

/* The groups of the metrics that are seen; a layer's may have none left. */
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
		merge(t, kind, order);
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
