/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Values that the kernel reports in files of sysfs and procfs instead of counters: values of
 * sensors (hwmon) and of GPUs (drm). They are presented as events of PMUs, but are read from files
 * instead of opened as events.
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
 * @name:   name of its event, "temp_cpu", "temp1_crit", "drm-engine-render"
 * @alias:  another name of the event ("temp1"), or NULL
 * @pmu:    its PMU, "hwmon_coretemp", "drm_i915"; several devices may have PMUs of the same name
 * @pmu_alias: a PMU's name that only this device has ("hwmon3"), or NULL
 * @path:   the file, or NULL if @source finds it
 * @label:  the kernel's name for the value ("Package id 0"), or NULL
 * @scale:  factor that gives the printed value, in @unit
 * @what:   description of the value
 * @further: the value is a limit or an alarm of another value; lists omit it
 * @source: the code that reads the files
 */
struct gauge {
	char *name, *alias, *pmu, *pmu_alias, *path, *label;
	double scale;
	const char *unit, *what;
	bool further;
	const struct gauge_source *source;
};

/** struct gauges - all gauges of a computer, sorted by device and number */
struct gauges {
	VEC(struct gauge) list;
};

/**
 * machine__gauges() - find all values in files; the first call reads the files
 *
 * The gauges stay valid until the machine is freed. A recorded computer has none.
 */
const struct gauges *machine__gauges(struct machine *m);
/** gauges__free() - release gauges; NULL is allowed. */
void gauges__free(struct gauges *gs);
/** gauges__has_pmu_name() - tell whether a name or pattern of a PMU is for gauges. */
bool gauges__has_pmu_name(const char *name);
/**
 * gauges__may_have() - tell whether a name has the form of a gauge's event, without reading files.
 */
bool gauges__may_have(const char *name);
/**
 * gauges__has_recorded() - tell whether a recorded event with this name and unit was a gauge
 * @name: "temp_cpu", "hwmon_nvme/temp1/"
 */
bool gauges__has_recorded(const char *name, const char *unit);
/**
 * gauge__is() - tell whether a gauge matches a name, in any case
 * @pmu: the PMU's name or alias, or a pattern; NULL for any PMU
 */
bool gauge__is(const struct gauge *g, const char *pmu, const char *name);
/** gauge__is_of_tasks() - tell whether the value can be read for a single process. */
bool gauge__is_of_tasks(const struct gauge *g);
/** gauge__topic() - get the heading of a gauge's source, "hwmon" or "drm". */
const char *gauge__topic(const struct gauge *g);
/** gauge__describe() - append a description, with the limits that the kernel reports. */
void gauge__describe(const struct machine *m, const struct gauge *g, struct sb *out);
/**
 * gauge__read() - read the present value
 * @pid: (gauge__is_of_tasks()) the process; -1 for all processes that this user may read
 *
 * Return: 0; -ERANGE for a value below 0, which cannot be a count; -ESRCH for a process that has
 * ended; -errno.
 */
int gauge__read(const struct machine *m, const struct gauge *g, int pid, uint64_t *value);
/** machine__process_of() - find the process of thread @tid in procfs. Return: @tid if unknown. */
int machine__process_of(const struct machine *m, int tid);

#endif
