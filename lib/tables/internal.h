/* SPDX-License-Identifier: GPL-2.0-only */
/* Layers of tables come in; one order, in which several of them are seen, comes out. */
#ifndef TMA_TABLES_INTERNAL_H
#define TMA_TABLES_INTERNAL_H

#include <string.h>

#include "base/vec.h"
#include "json/format.h"
#include "tables/tables.h"

struct loaded; /* json/load.h has it */
struct plain_formulas;

/* Events and metrics are listed, merged and looked up alike. */
enum record_kind { EVENTS, METRICS, NR_RECORD_KINDS };

/**
 * struct layer - one model's lists in the tables they are in
 * @version: as the mapfile gives it, or ""
 * @core:    name that stands for "default_core" in it, or NULL; owned
 * @origin:  where it came from, NULL for what is built in; owned
 * @warnings: of its reading; @notes: their texts, of @owner, or NULL
 * @owner:   what @data belongs to, loaded__free() it; NULL for what is built in
 * @kept:    for each of its records, whether it is seen; NULL: all are; owned
 * @nr_kept: how many of them are, where not all are
 * @sysfs:   made of events that the kernel names, whatever the CPU
 * @own:     metrics of the user's own
 */
struct layer {
	const struct table_data *data;
	const struct table_model *model;
	const char *version;
	char *core, *origin;
	int warnings;
	const char *notes;
	struct loaded *owner;
	bool *kept[NR_RECORD_KINDS];
	int nr_kept[NR_RECORD_KINDS];
	bool sysfs, own;
};

/* A record is in a layer, at a place of that layer's list. */
struct record_place {
	uint32_t layer, index;
};

/* A range is a part of a list in which all records have the same PMU. */
struct pmu_range {
	const char *pmu;
	uint32_t first, nr;
};

/**
 * struct merged_order - what the layers have to show together, by PMU and name
 * @lists:   events and metrics
 * @by_name: as metric_by_name[] of struct table_data, for the metrics here
 * @groups:  by name without case
 */
struct merged_order {
	struct {
		VEC(struct record_place) places;
		VEC(struct pmu_range) ranges;
	} lists[NR_RECORD_KINDS];
	uint32_t *by_name;
	VEC(const char *) groups;
};

/**
 * struct tables - layers, the later above the earlier
 * @order: NULL when there is one layer alone: its lists are the order
 * @plain: formulas that were changed, or NULL; @plain_whole: without limits; @plain_of: of which
 *         machine they are to be changed, when the first of them is asked for: few runs ask
 */
struct tables {
	struct merged_order *order;
	struct plain_formulas *plain;
	struct machine *plain_of;
	bool plain_whole;
	int nr_layers;
	struct layer layers[];
};

/**
 * tables__push() - put a layer on top
 * @t:     points to NULL to begin with
 * @layer: what it owns is moved
 */
void tables__push(struct tables **t, const struct layer *layer);
/**
 * tables__add_sysfs() - put metrics of level 1 on top which are made of events that sysfs names
 *
 * For core PMUs of which no table below has level 1; level 2 where there are events for it.
 */
void tables__add_sysfs(struct tables **t, struct machine *m);
/** plain__formula() - the changed formula of a metric by its number, or NULL. */
const char *plain__formula(const struct tables *t, int metric);
/** plain__free() - release them; NULL is allowed. */
void plain__free(struct plain_formulas *p);
/** layer__free() - release what a layer owns. */
void layer__free(struct layer *layer);

/** order__new() - see all layers of @t as one. */
struct merged_order *order__new(const struct tables *t);
/** order__free() - release an order; NULL is allowed. */
void order__free(struct merged_order *order);

static inline const char *layer__str(const struct layer *l, uint32_t offset)
{
	return l->data->strings + offset;
}

static inline const char *layer__word(const struct layer *l, uint32_t i)
{
	return l->data->strings + l->data->words[i];
}

static inline const struct table_event *layer__event(const struct layer *l, uint32_t i)
{
	return &l->data->events[l->data->event_list[l->model->events.first + i]];
}

static inline const struct table_metric *layer__metric(const struct layer *l, uint32_t i)
{
	return &l->data->metrics[l->data->metric_list[l->model->metrics.first + i]];
}

/** layer__name() - give the name of an event or a metric. */
static inline const char *layer__name(const struct layer *l, enum record_kind kind, uint32_t i)
{
	return layer__str(l, kind == EVENTS ? layer__event(l, i)->name : layer__metric(l, i)->name);
}

/** layer__nr() - count its events or metrics, those that are not kept among them. */
static inline uint32_t layer__nr(const struct layer *l, enum record_kind kind)
{
	return kind == EVENTS ? l->model->events.nr : l->model->metrics.nr;
}

/** layer__keeps() - tell whether record @i is seen. */
static inline bool layer__keeps(const struct layer *l, enum record_kind kind, uint32_t i)
{
	return !l->kept[kind] || l->kept[kind][i];
}

/** layer__by_name() - give the place of the metric which is number @i by name without case. */
static inline uint32_t layer__by_name(const struct layer *l, uint32_t i)
{
	return l->data->metric_by_name[l->model->by_name.first + i];
}

/** layer__pmu() - give the name of a PMU by its number in words[]. */
static inline const char *layer__pmu(const struct layer *l, uint32_t word)
{
	const char *pmu = layer__word(l, word);

	return l->core && !strcmp(pmu, "default_core") ? l->core : pmu;
}

/** layer__nr_ranges() - count the PMUs that its events or metrics are of. */
uint32_t layer__nr_ranges(const struct layer *l, enum record_kind kind);
/** layer__range() - give the records of one of those PMUs. */
struct pmu_range layer__range(const struct layer *l, enum record_kind kind, uint32_t i);
/** layer__group_desc() - give the description of a metric group, or "". */
const char *layer__group_desc(const struct layer *l, const char *group);

#endif
