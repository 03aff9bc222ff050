/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Values that the kernel tells in files, and no counter: sensors (hwmon), what GPUs did (drm). In
 * come sysfs and procfs; out come PMUs with events that are read, and not opened.
 */
#ifndef TMA_MACHINE_GAUGE_H
#define TMA_MACHINE_GAUGE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/vec.h"

struct machine;
struct gauge_source;
struct sb;

/**
 * struct gauge - a value in a file
 * @name:   its event, "temp_cpu", "temp1_crit", "drm-engine-render"
 * @alias:  another name for it ("temp1"), or NULL
 * @pmu:    "hwmon_coretemp", "drm_i915"; other devices may have PMUs of that name too
 * @pmu_alias: the name that this device alone has ("hwmon3"), or NULL
 * @path:   the file, or NULL where its source finds it
 * @label:  what the kernel calls it ("Package id 0"), or NULL
 * @scale, @unit: the value is multiplied with @scale for print and is in @unit then
 * @further: it is a limit or an alarm beside another value, which lists leave out
 * @source: who knows the files
 */
struct gauge {
	char *name, *alias, *pmu, *pmu_alias, *path, *label;
	double scale;
	const char *unit, *what;
	bool further;
	const struct gauge_source *source;
};

/** struct gauges - all of a computer, by device and number */
struct gauges {
	VEC(struct gauge) list;
};

/**
 * machine__gauges() - find all values in files, when first asked
 *
 * They stay where they are until the machine is freed. None of a recorded computer.
 */
const struct gauges *machine__gauges(struct machine *m);
/** gauges__free() - release them; NULL is allowed. */
void gauges__free(struct gauges *gs);
/** gauges__has_pmu_name() - whether a PMU of that name, or pattern, is one of files. */
bool gauges__has_pmu_name(const char *name);
/** gauges__may_have() - whether a name has the form of such an event, by which nothing is read. */
bool gauges__may_have(const char *name);
/**
 * gauges__told_by() - whether a recorded event of that name and unit was one
 * @name: "temp_cpu", "hwmon_nvme/temp1/"
 */
bool gauges__told_by(const char *name, const char *unit);
/**
 * gauge__is() - whether it is meant by a name, in any case
 * @pmu: the PMU's name, alias or a pattern; NULL for any
 */
bool gauge__is(const struct gauge *g, const char *pmu, const char *name);
/** gauge__is_of_tasks() - whether it can be told of a process. */
bool gauge__is_of_tasks(const struct gauge *g);
/** gauge__topic() - "hwmon" or "drm". */
const char *gauge__topic(const struct gauge *g);
/** gauge__describe() - append what it is, with the limits that the kernel tells. */
void gauge__describe(const struct machine *m, const struct gauge *g, struct sb *out);
/**
 * gauge__read() - read the value as it is now
 * @pid: (gauge__is_of_tasks()) the process it is of; -1 for all that may be looked at
 *
 * Return: 0; -ERANGE for a value below 0, which has no place among counts; -ESRCH for a process
 * that has ended; -errno.
 */
int gauge__read(const struct machine *m, const struct gauge *g, int pid, uint64_t *value);
/** machine__process_of() - the process of a thread, by procfs; @tid where it is not known. */
int machine__process_of(const struct machine *m, int tid);

#endif
