/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A host is the computer that is measured, with the tables of its CPU and the user's additions to
 * the tables. It is loaded once, and any number of runs use it.
 */
#ifndef TMA_RUN_HOST_H
#define TMA_RUN_HOST_H

#include <stdbool.h>

#include "base/vec.h"
#include "events/events.h"
#include "json/load.h"
#include "metrics/metrics.h"

struct err;
struct machine;
struct notes;
struct pmu;
struct sb;
struct tables;

/**
 * struct host_options - the user's additions to the tables; the caller owns all texts
 * @env_tables: directories to read tables from, separated by colons (TMA_TABLES), or NULL
 * @tables:    more directories, which take precedence over @env_tables
 * @metrics_files: files of metrics, which take precedence over both
 * @definitions: metrics that are defined by expressions, which take precedence over all others
 * @common:    also load the metrics that need no tables of a vendor. They take precedence over the
 *             built-in tables only
 * @plain:     use only events in formulas that can be sampled, so no TopDown metric events
 * @simulated: name of the simulated machine that this process runs on, or NULL
 * @is_made_up: (@simulated) returns whether addresses of samples are made up, because counts do not
 *             depend on the program; or NULL
 * @perf:      messages that scripts read have perf's wording
 */
struct host_options {
	const char *env_tables, *simulated;
	VEC(const char *) tables;
	VEC(const char *) metrics_files;
	VEC(struct load_definition) definitions;
	bool (*is_made_up)(void);
	bool common, perf, plain;
};

/**
 * struct host - the computer and the tables of its CPU
 * @machine: PMUs, CPUs and limits
 * @tables:  events and metrics, or NULL for a CPU without tables
 * @simulated, @is_made_up, @perf, @plain: as in struct host_options
 */
struct host {
	struct machine *machine;
	struct tables *tables;
	const char *simulated;
	bool (*is_made_up)(void);
	bool perf, plain;
};

/**
 * host__load() - read the machine's facts, find its tables and load the user's additions
 * @notes: receives a note on each metric of the user that was left out; or NULL
 *
 * Return: 0 or -errno.
 */
int host__load(struct host *h, const struct host_options *opts, struct notes *notes,
	       struct err *err);
/**
 * host__load_for() - load the tables for a known machine, and the user's additions
 * @machine: owned by the caller, who removes it from @h before host__free()
 */
int host__load_for(struct host *h, struct machine *machine, const struct host_options *opts,
		   struct notes *notes, struct err *err);
/** host__free() - release the machine and the tables. */
void host__free(struct host *h);

/**
 * host__levels() - return the depth of the host's TopDown tree
 * @group: set to the prefix of the names of metric groups, before the number of the level; may be
 *         NULL
 * @why: set to the reason if there is no tree, otherwise ""
 *
 * Return: number of levels; 0 if there is no tree.
 */
int host__levels(const struct host *h, const char **group, const char **why);
/** host__cpuid() - return the id of the host's CPU, "unknown" without an id. */
const char *host__cpuid(const struct host *h);
/**
 * host__suggest() - append the existing names that are similar to an unknown name, if there are
 * any.
 */
void host__suggest(const struct host *h, const struct events_scope *events, const char *name,
		   struct sb *out);
/** host__describe() - append a line for the CPU and a line for each layer of its tables. */
void host__describe(const struct host *h, struct sb *sb);
/**
 * host__name_tables() - append model and hash of each layer of the tables; nothing without tables.
 */
void host__name_tables(const struct host *h, struct sb *sb);
/**
 * host__place_metrics() - find the core PMUs of metrics, for struct load_options. @arg: struct host
 */
int host__place_metrics(void *arg, struct load_metric *metrics, int nr, struct err *err);
/**
 * host__place_common() - find the core PMUs of metrics, but leave the names of events unchanged:
 * the plan chooses the PMUs.
 */
int host__place_common(void *arg, struct load_metric *metrics, int nr, struct err *err);
/**
 * host__describe_odd_facts() - name a file of sysfs that is unreadable or inconsistent, so that
 * what it describes is missing
 * @what:   the file's name is appended
 * @failed: set to whether reading a file failed
 *
 * Return: whether there is such a file.
 */
bool host__describe_odd_facts(const struct host *h, struct sb *what, bool *failed);
/**
 * host__events_scope() - make the scope in which events are looked up
 * @pmu: the only PMU for core events, or NULL
 */
struct events_scope host__events_scope(const struct host *h, const char *pmu);
/**
 * host__metrics_scope() - make the scope in which metrics are looked up
 * @events: argument of has_event(); must outlive the scope
 */
struct metrics_scope host__metrics_scope(const struct host *h, struct events_scope *events);
/**
 * host__try_counters() - find out how many general counters of a core PMU are available
 * @cpu: CPU to try on, -1 for the calling thread; @most: set to the number of counters in the
 *       tables
 *
 * Return: whether the number was found; then @pmu->general and @pmu->held are set, otherwise they
 * are 0.
 */
bool host__try_counters(const struct events_scope *scope, struct pmu *pmu, int cpu, int *most);
/**
 * host__unknown_topdown() - return why level 1 of the TopDown tree has no value: the machine lacks
 * facts that formulas use; NULL if it has them, or if there is no such tree
 */
const char *host__unknown_topdown(const struct host *h);
/**
 * host__describe_plain() - if formulas use plain events instead of the TopDown metric events
 * (metric_info.plain), append why
 *
 * Return: whether formulas use plain events.
 */
bool host__describe_plain(const struct host *h, struct sb *out);
/**
 * host__family() - if there are tables of other models of the CPU's family, append this
 *
 * The text, "; there are tables of ...", continues a sentence that no table names this CPU.
 */
void host__family(const struct host *h, struct sb *sb);
/**
 * host__pmu_name() - return the name that users give to a PMU of the tables: "cpu" for
 * "default_core".
 */
const char *host__pmu_name(const struct host *h, const char *table);
/** is_core_type() - whether a PMU is core type @type: "core", "atom", or the PMU's name. */
bool is_core_type(const struct pmu *pmu, const char *type);
/**
 * host__find_core_type() - find the core PMU of a --cputype
 * @pmu: set to the PMU's name
 *
 * Return: 0; -ENOENT with the existing core PMUs.
 */
int host__find_core_type(const struct host *h, const char *type, const char **pmu,
			 struct err *err);
/**
 * host__no_pmu() - fill @err: @what needs hardware counters, and can be tried on a simulated
 * machine
 * @example: arguments of `tma --machine` for the trial: a simulated machine with counters, and a
 *           command
 */
int host__no_pmu(const char *what, const char *example, struct err *err);

#endif
