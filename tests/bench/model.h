/* SPDX-License-Identifier: GPL-2.0-only */
/* A made-up machine for each model that has tables, for programs that plan but do not count. */
#ifndef TMA_TESTS_MODEL_H
#define TMA_TESTS_MODEL_H

#include <stdbool.h>

#include "events/events.h"
#include "machine/machine.h"
#include "metrics/metrics.h"
#include "tables/tables.h"

/**
 * struct model - a machine with one CPU, and the core PMUs of its model
 * @name:    folder of the model's tables: "skylakex", "arm/neoverse-v1"
 * @machine: has SMT and no NMI watchdog; callers may change this
 */
struct model {
	const char *name;
	struct tables *tables;
	struct machine *machine;
	struct events_scope events;
};

/**
 * model__open() - make a machine; release it with model__close(). Return: false if no tables have
 * this name.
 */
bool model__open(struct model *m, const char *name);
/**
 * model__lose_metric_events() - remove slots and the TopDown metric events, which virtual machines
 * lack
 *
 * Return: whether a formula uses plain events instead.
 */
bool model__lose_metric_events(struct model *m);
/** model__close() - release the machine of model__open(). */
void model__close(struct model *m);
/**
 * model__scope() - get the scope in which metrics of a core PMU are looked up
 * @m: if it has several core PMUs, its events are limited to @pmu
 */
struct metrics_scope model__scope(struct model *m, const struct pmu *pmu);

#endif
