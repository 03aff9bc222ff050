/* SPDX-License-Identifier: GPL-2.0-only */
/* The interface between gauge.c and each kind of files with values. */
#ifndef TMA_MACHINE_GAUGE_SOURCE_H
#define TMA_MACHINE_GAUGE_SOURCE_H

#include "machine/gauge.h"

/**
 * struct gauge_source - a kind of files with values
 * @topic: heading of the source in lists
 * @pmu_prefix: prefix of the names of its PMUs
 * @of_tasks: values can be read for a single process
 * @may_have: tell whether a name has the form of an event of this source
 * @unit_of:  get the unit of an event by its name; NULL if there is no such event
 * @find:     add all gauges of this source
 * @describe: append a description of a gauge
 * @read:     read the present value, as gauge__read()
 */
struct gauge_source {
	const char *topic, *pmu_prefix;
	bool of_tasks;
	bool (*may_have)(const char *name);
	const char *(*unit_of)(const char *name);
	void (*find)(const struct machine *m, struct gauges *gs);
	void (*describe)(const struct machine *m, const struct gauge *g, struct sb *out);
	int (*read)(const struct machine *m, const struct gauge *g, int pid, uint64_t *value);
};

extern const struct gauge_source gauge_source__hwmon, gauge_source__drm;

#endif
