/* SPDX-License-Identifier: GPL-2.0-only */
/* Find the event or metric that a name in a model's expressions means. */
#ifndef TMA_LINT_NAMES_H
#define TMA_LINT_NAMES_H

#include "json/tree.h"

struct event_info;
struct suggest;
struct tables;

/**
 * struct event_id - the parts of "cpu_core@EV,cmask=1@u", "EV:u" or "EV@cmask=1@"
 * @text:      memory that the other members point into
 * @head:      the part before the first sign: a PMU, or the event
 * @terms:     the part between the signs @, or NULL
 * @modifiers: the part after the second @ or the colon, or ""
 * @tracepoint: @head is a tracepoint, "sched:sched_switch"
 */
struct event_id {
	char *text;
	const char *head, *terms, *modifiers;
	bool tracepoint;
};

/**
 * event_id__split() - split a name into its parts
 * @id:  the name with its escapes resolved, as in struct expr_node
 * @out: set on success; release it with event_id__free()
 *
 * Return: 0; -EINVAL with a reason if the event grammar does not allow it.
 */
int event_id__split(const char *id, struct event_id *out, struct err *err);
/** event_id__free() - release the parts. */
void event_id__free(struct event_id *id);

/* The events of one PMU, which are adjacent in the model's list. */
struct pmu_events {
	const char *pmu;
	int first, nr;
};

/**
 * struct names - the names of a model
 * @tree, @model: the model, whose events are sorted by PMU and name
 * @base:    tables with further events and metrics, or NULL
 * @pmus:    PMUs that have events
 * @metrics: map from "PMU, tab, name in lower case" to the number of a metric in the model
 * @models:  map from a name in lower case to whether a built-in model has the name: 1 or 0
 * @id:      buffer for a key of @metrics
 */
struct names {
	const struct tree *tree;
	const struct tree_model *model;
	const struct tables *base;
	VEC(struct pmu_events) pmus;
	struct strmap *metrics, *models;
	struct sb id;
};

/* Results of looking up an event's name. */
enum name_is {
	NAME_EVENT,	 /* the tables have the event */
	NAME_KERNELS,	 /* the kernel or this program has the event */
	NAME_UNDESCRIBED,	 /* the tables do not have its PMU; it cannot be checked */
	NAME_OTHER_CORE, /* only the other core type has the event */
	NAME_UNKNOWN,
	NAME_OF_NO_MODEL, /* no CPU's tables have the event */
};

/**
 * struct lint_name - result of looking up an event's name
 * @entry:  (EVENT) the event of the model; NULL if the event is in the base tables
 * @number: (EVENT) number of the event in the base tables
 * @pmu:    name in the tables of the PMU that counts the event; NULL if unknown
 * @name:   (KERNELS) name of the event in sysfs; NULL for an event that every kernel has
 * @more:   terms after the name, or NULL
 */
struct lint_name {
	enum name_is is;
	const struct tree_entry *entry;
	int number;
	const char *pmu, *name, *more;
};

/** names__init() - make the names of a model, which names__free() releases. */
void names__init(struct names *n, const struct tree *tree, const struct tree_model *model,
		 const struct tables *base);
/** names__free() - release the names of a model. */
void names__free(struct names *n);

/** names__metric() - find a model's metric by name. Return: its number, or -1. */
int names__metric(struct names *n, const char *pmu, const char *name);

/**
 * names__event() - look up an event of a metric
 * @pmu: the metric's PMU
 */
void names__event(struct names *n, const char *pmu, const struct event_id *id,
		  struct lint_name *out);

/**
 * names__info() - get the description of an event from the tables, or the facts of an event of the
 * kernel.
 */
void names__info(const struct names *n, const struct lint_name *name, struct event_info *out);

/** names__suggest() - offer all names that a metric of @pmu may use. */
void names__suggest(const struct names *n, const char *pmu, struct suggest *s);

/** names__is_core() - tell whether a name is the name of a core PMU in the tables. */
bool names__is_core(const char *pmu);

#endif
