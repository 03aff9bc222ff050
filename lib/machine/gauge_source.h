/* SPDX-License-Identifier: GPL-2.0-only */
/* What gauge.c knows of each kind of files with values. */
#ifndef TMA_MACHINE_GAUGE_SOURCE_H
#define TMA_MACHINE_GAUGE_SOURCE_H

#include "machine/gauge.h"

/**
 * struct gauge_source - a kind of files with values
 * @topic: heading in lists
 * @pmu_prefix: the names of its PMUs begin so
 * @of_tasks: its values can be told of a process
 * @may_have: whether a name has the form of one of its events
 * @unit_of:  the unit of an event of such a name, or NULL where no event has it
 * @find:     adds all there are
 * @describe: appends what a value is
 * @read:     as gauge__read()
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
