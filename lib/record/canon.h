/* SPDX-License-Identifier: GPL-2.0-only */
/* Names of events in one form, so that those of a file and those of metrics can be compared. */
#ifndef TMA_RECORD_CANON_H
#define TMA_RECORD_CANON_H

#include <stdbool.h>
#include <stdint.h>

struct perf_event_attr;
struct tables;

#define CANON_PMU_BYTES 64
#define CANON_MODIFIERS_BYTES 16

/**
 * struct canon - a name taken apart
 * @pmu:   "cpu_core" of "cpu_core/EVENT,cmask=1/u", "" when it has none
 * @terms: lower case, numbers in one form, sorted: "cmask,event.x"; owned
 * @modifiers: the letters that decide what is counted, sorted
 */
struct canon {
	char pmu[CANON_PMU_BYTES];
	char *terms;
	char modifiers[CANON_MODIFIERS_BYTES];
};

/**
 * struct code - what a counter of a core PMU is programmed with
 * @known: false when it cannot be told
 */
struct code {
	uint64_t config, config1, config2;
	bool known;
};

/** canon__init() - of a name as printed, or as a metric has it. 0 or -ENOMEM. */
int canon__init(struct canon *c, const char *name);
void canon__free(struct canon *c);
/** canon__add_modifiers() - those of a metric, put on all of its events. */
void canon__add_modifiers(struct canon *c, const char *letters);
/**
 * canon__code() - what a name means
 * @cpuid:  of the CPU
 * @tables: its events, or NULL
 * @pmu:    name of the core PMU in the tables
 */
struct code canon__code(const struct canon *c, const char *cpuid, const struct tables *tables,
			const char *pmu);
/** code__of_attr() - what the attributes of a core PMU's event mean on that CPU. */
struct code code__of_attr(const struct perf_event_attr *attr, const char *cpuid);
/** code__equal() - whether both are known and the same. */
bool code__equal(const struct code *a, const struct code *b);

#endif
