/* SPDX-License-Identifier: GPL-2.0-only */
/* A name in a model's expressions comes in; the event or metric that it means comes out. */
#ifndef TMA_LINT_NAMES_H
#define TMA_LINT_NAMES_H

#include "json/tree.h"

struct event_info;
struct suggest;
struct tables;

/**
 * struct event_id - "cpu_core@EV,cmask=1@u", "EV:u" or "EV@cmask=1@"
 * @text:      what the others point into
 * @head:      what stands in front: a PMU, or the event
 * @terms:     between the signs @, or NULL when there are none
 * @modifiers: behind the second @ or the colon, or ""
 * @tracepoint: "sched:sched_switch", in @head
 */
struct event_id {
	char *text;
	const char *head, *terms, *modifiers;
	bool tracepoint;
};

/**
 * event_id__split() - take a name apart
 * @id:  escapes resolved, as struct expr_node has it
 * @out: set on success; event_id__free() it
 *
 * Return: 0; -EINVAL with what the event grammar cannot read.
 */
int event_id__split(const char *id, struct event_id *out, struct err *err);
/** event_id__free() - release the parts. */
void event_id__free(struct event_id *id);

/* The events of one PMU stand together in the model's list. */
struct pmu_events {
	const char *pmu;
	int first, nr;
};

/**
 * struct names - what a model has names for
 * @tree, @model: its events, sorted by (PMU, name)
 * @base:    tables whose events and metrics are known besides, or NULL
 * @pmus:    those that have events
 * @metrics: "PMU, tab, lower-case name" of each metric to its number in the model
 * @models:  lower-case names to whether any model that is built in has them: 1 or 0
 * @id:      a name is put together here
 */
struct names {
	const struct tree *tree;
	const struct tree_model *model;
	const struct tables *base;
	VEC(struct pmu_events) pmus;
	struct strmap *metrics, *models;
	struct sb id;
};

/* An event's name turns out to be one of these. */
enum name_is {
	NAME_EVENT,	 /* the tables have it */
	NAME_KERNELS,	 /* the kernel has it, or this program */
	NAME_UNTOLD,	 /* the tables do not describe its PMU, so it cannot be judged */
	NAME_OTHER_CORE, /* only the other kind of core has it */
	NAME_UNKNOWN,
	NAME_OF_NO_MODEL, /* there are no tables to look it up in, and no CPU's tables have it */
};

/**
 * struct lint_name - an event's name looked up
 * @entry:  (EVENT) the event of the model; NULL when it is of the base tables
 * @number: (EVENT) its number in the base tables
 * @pmu:    where it counts, or would: name of the PMU in the tables, NULL when that is not known
 * @name:   (KERNELS) its name in sysfs, NULL for one that every kernel has
 * @more:   terms besides the name, or NULL
 */
struct lint_name {
	enum name_is is;
	const struct tree_entry *entry;
	int number;
	const char *pmu, *name, *more;
};

/** names__init() - prepare for a model; names__free() releases it. */
void names__init(struct names *n, const struct tree *tree, const struct tree_model *model,
		 const struct tables *base);
/** names__free() - release it. */
void names__free(struct names *n);

/** names__metric() - find a model's metric by name. Return: its number, or -1. */
int names__metric(struct names *n, const char *pmu, const char *name);

/**
 * names__event() - find what an event of a metric is
 * @pmu: the metric's
 */
void names__event(struct names *n, const char *pmu, const struct event_id *id,
		  struct lint_name *out);

/** names__info() - tell what the tables say of an event, or what is known of the kernel's. */
void names__info(const struct names *n, const struct lint_name *name, struct event_info *out);

/** names__suggest() - offer what a metric of @pmu could name. */
void names__suggest(const struct names *n, const char *pmu, struct suggest *s);

/** names__is_core() - tell whether the tables call a core PMU so. */
bool names__is_core(const char *pmu);

#endif
