/* SPDX-License-Identifier: GPL-2.0-only */
/* Layers of tables, and the merged order that makes several layers look like one. */
#ifndef TMA_TABLES_INTERNAL_H
#define TMA_TABLES_INTERNAL_H

#include <string.h>

#include "base/vec.h"
#include "json/format.h"
#include "tables/tables.h"

struct loaded; /* in json/load.h */
struct plain_formulas;

/* Events and metrics, which are listed, merged and found in the same way. */
enum record_kind { EVENTS, METRICS, NR_RECORD_KINDS };

/**
 * struct layer - the lists of one model, and the tables that have them
 * @version: version in the mapfile, or ""
 * @core:    name to use for "default_core", or NULL; owned
 * @origin:  path that the layer was loaded from, NULL if built in; owned
 * @warnings: number of warnings that its files caused; @notes: texts of the warnings, which @owner
 *            has, or NULL
 * @owner:   owns @data; released by loaded__free(); NULL if built in
 * @kept:    for each record, whether it is visible; NULL: all records are; owned
 * @nr_kept: number of visible records, if not all are
 * @sysfs:   the metrics are made of events that the kernel has in sysfs, whatever the CPU
 * @own:     the layer has the user's own metrics
 * @yields:  layers below hide the records of this layer that have the same names
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
	bool sysfs, own, yields;
};

/* A record, by its layer and its index in the list of this layer. */
struct record_place {
	uint32_t layer, index;
};

/* A part of a list whose records all have the same PMU. */
struct pmu_range {
	const char *pmu;
	uint32_t first, nr;
};

/**
 * struct merged_order - the visible records of all layers, sorted by PMU and name
 * @lists:   events and metrics
 * @by_name: metrics sorted by name without case, as metric_by_name[] of struct table_data
 * @groups:  sorted by name without case
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
 * struct tables - layers, each above the layers before it
 * @order: NULL for a single layer, whose lists have the right order
 * @plain: changed formulas, or NULL; @plain_whole: these formulas have no lower limit
 * @plain_of: machine for which formulas will be changed when the first is read, as few runs read
 *            any; else NULL
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
 * tables__push() - put a layer on top of the others
 * @t:     points to NULL for the first layer
 * @layer: the layer, whose contents are moved
 */
void tables__push(struct tables **t, const struct layer *layer);
/**
 * tables__add_sysfs() - add metrics of level 1 that are made of events in sysfs
 *
 * Core PMUs without metrics of level 1 in the layers below get these metrics; level 2 is added if
 * sysfs has the events for it.
 */
void tables__add_sysfs(struct tables **t, struct machine *m);
/** plain__formula() - get the changed formula of a metric by its number, or NULL. */
const char *plain__formula(const struct tables *t, int metric);
/** plain__free() - release changed formulas; NULL is allowed. */
void plain__free(struct plain_formulas *p);
/** layer__free() - release what a layer owns. */
void layer__free(struct layer *layer);

/** order__new() - merge all layers of @t. */
struct merged_order *order__new(const struct tables *t);
/** order__free() - release a merged order; NULL is allowed. */
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

/** layer__name() - get the name of an event or a metric. */
static inline const char *layer__name(const struct layer *l, enum record_kind kind, uint32_t i)
{
	return layer__str(l, kind == EVENTS ? layer__event(l, i)->name : layer__metric(l, i)->name);
}

/** layer__nr() - count a layer's events or metrics, visible or not. */
static inline uint32_t layer__nr(const struct layer *l, enum record_kind kind)
{
	return kind == EVENTS ? l->model->events.nr : l->model->metrics.nr;
}

/** layer__keeps() - tell whether record @i is visible. */
static inline bool layer__keeps(const struct layer *l, enum record_kind kind, uint32_t i)
{
	return !l->kept[kind] || l->kept[kind][i];
}

/**
 * layer__by_name() - get the index of the metric that is number @i in the order of names without
 * case.
 */
static inline uint32_t layer__by_name(const struct layer *l, uint32_t i)
{
	return l->data->metric_by_name[l->model->by_name.first + i];
}

/** layer__pmu() - get the name of a PMU by its index in words[]. */
static inline const char *layer__pmu(const struct layer *l, uint32_t word)
{
	const char *pmu = layer__word(l, word);

	return l->core && !strcmp(pmu, "default_core") ? l->core : pmu;
}

/** layer__nr_ranges() - count the PMUs of a layer's events or metrics. */
uint32_t layer__nr_ranges(const struct layer *l, enum record_kind kind);
/** layer__range() - get the records of a PMU. */
struct pmu_range layer__range(const struct layer *l, enum record_kind kind, uint32_t i);
/** layer__group_desc() - get the description of a metric group, or "". */
const char *layer__group_desc(const struct layer *l, const char *group);

#endif
