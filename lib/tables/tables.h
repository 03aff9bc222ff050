/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Find the vendor's events and metrics for a CPU or a machine, or load them from files, in layers.
 */
#ifndef TMA_TABLES_TABLES_H
#define TMA_TABLES_TABLES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct err;
struct machine;
struct pmu;
struct sb;
struct suggest;

/** struct vendor_latency - retire latency in cycles, measured by the vendor; 0 if unknown */
struct vendor_latency {
	double mean, min, max;
};

/**
 * struct event_info - an event of a table; strings are "" and never NULL if the JSON has none
 * @name:      name as perf shows it, in lower case ("inst_retired.any")
 * @pmu:       PMU that counts the event, named as in sysfs, without an instance number:
 *             "default_core" for a CPU with one core PMU, "cpu_core", "cpu_atom", "uncore_imc" ...
 * @topic:     name of the vendor's file in words ("floating point")
 * @terms:     encoding as PMU terms, "event=0xc4,umask=0x20,period=100003"
 * @desc:      description in one line
 * @long_desc: longer description, or ""; tables__put_desc() writes it
 * @goes_on:   @long_desc continues @desc
 * @unit:      unit of its counts, from ScaleUnit ("MiB", "Bytes"), or ""
 * @scale:     factor from ScaleUnit; 1 if there is none
 * @counter:   the Counter field unchanged ("0,1,2,3", "Fixed counter 0"), or ""
 * @counter_mask: general counters that the event may use (bits 0-31), and fixed counters (bits
 *                32-63); 0 if unknown
 * @per_pkg:   the event is counted once for each package
 * @deprecated: the vendor recommends another event
 * @taken_alone: the event must not share the counters with another event that is @taken_alone
 * @compat:    identifier pattern of system PMUs, or ""
 * @layer:     index of the event's layer
 * @latency:   retire latency that is used if it is not measured; 0 if the JSON has none
 */
struct event_info {
	const char *name, *pmu, *topic, *terms, *desc, *long_desc, *unit, *counter, *compat;
	double scale;
	struct vendor_latency latency;
	unsigned long long counter_mask;
	bool per_pkg, deprecated, taken_alone, goes_on;
	int layer;
};

/* MetricConstraint: conditions on which the events of a metric are grouped. */
enum metric_constraint {
	METRIC_GROUP_EVENTS,	    /* always grouped */
	METRIC_NO_GROUP_EVENTS,	    /* never grouped */
	METRIC_NO_GROUP_EVENTS_NMI, /* not grouped while the NMI watchdog holds a counter */
	METRIC_NO_GROUP_EVENTS_SMT, /* not grouped with SMT on */
	METRIC_NO_THRESHOLD_NMI,    /* as with NMI, but only if thresholds are wanted */
};

/**
 * struct metric_info - a metric of a table; strings are "" and never NULL if the JSON has none
 * @name:       "tma_retiring"
 * @pmu:        "default_core", "cpu_core", "cpu_atom"...
 * @expr:       MetricExpr, with constants computed at build time; as in the JSON, it may name other
 *              metrics of the same model and PMU
 * @threshold:  MetricThreshold
 * @groups:     MetricGroup, separated by ';'
 * @desc:       description in one line
 * @long_desc:  longer description, or ""; tables__put_desc() writes it
 * @goes_on:    @long_desc continues @desc
 * @unit:       the text after ScaleUnit's number ("%", "GB/s"), or ""
 * @scale:      the number of ScaleUnit; 1 if there is none
 * @scale_unit: the JSON has a ScaleUnit, which decides how the value is printed
 * @no_group:   MetricgroupNoGroup: groups for which its events are not grouped, separated by ';'
 * @default_group: DefaultMetricgroupName, or ""
 * @compat:     identifier pattern, or ""
 * @layer:      index of the metric's layer
 * @plain:      in @expr, plain events have replaced slots and the TopDown metric events
 * @per_core:   AggregationMode is PerCore; @per_chip: AggregationMode is PerChip
 */
struct metric_info {
	const char *name, *pmu, *expr, *threshold, *groups, *desc, *long_desc, *unit;
	const char *no_group, *default_group, *compat;
	double scale;
	bool scale_unit, per_core, per_chip, plain, goes_on;
	enum metric_constraint constraint;
	int layer;
};

/**
 * tables__put_desc() - write the long description, or the short one if the long one is ""
 * @desc, @long_desc, @goes_on: members of a struct event_info or metric_info
 */
void tables__put_desc(struct sb *sb, const char *desc, const char *long_desc, bool goes_on);

/*
 * The events and metrics of one CPU, in layers: the built-in model, and a layer above it for
 * everything that is loaded. A record hides records in the layers below that have the same PMU and
 * the same name, ignoring case.
 */
struct tables;

/**
 * tables__find() - find the tables of a CPU
 * @cpuid: "GenuineIntel-6-55-4". A pattern of mapfile.csv must match all of it; if the pattern has
 *         no stepping, the stepping is ignored
 *
 * Return: the built-in tables, whose handle the caller releases with tables__free(); NULL if no
 * model matches.
 */
struct tables *tables__find(const char *cpuid);
/**
 * tables__of_machine() - find the tables of a machine's CPUs and of its system PMUs
 *
 * The CPUs' tables are those of machine->cpuid. An arm64 machine with several kinds of cores has a
 * layer for each core PMU, whose name replaces "default_core". Layers for system PMUs follow: one
 * for each folder that has a PMU of the machine, by the PMU's unit and identifier in sysfs. Only
 * records for the machine's PMUs are visible in such a layer. A core PMU without metrics of level 1
 * gets metrics that can be made of its events in sysfs (struct tables_layer, @sysfs).
 *
 * Return: as tables__find().
 */
struct tables *tables__of_machine(struct machine *m);
/** tables__find_model() - find the built-in tables of a model's directory ("skylakex"), or NULL. */
struct tables *tables__find_model(const char *model);
struct load_metric; /* both in json/load.h */
struct load_options;

/**
 * tables__load() - read files into a layer on top
 * @t:    tables so far; points to NULL if there are none. The handle changes
 * @opts: what to read; @known and @std are not used
 * @core: name that replaces "default_core", as a machine with several kinds of cores has a model
 *        for each kind; NULL keeps the name
 *
 * Return: 0; -ENOENT if the path does not exist or has no tables for the CPU; -EINVAL with the file
 * and line of an error; -errno. After an error @t is unchanged.
 */
int tables__load(struct tables **t, const struct load_options *opts, const char *core,
		 struct err *err);
/**
 * tables__add_loaded_system() - add the folders of system PMUs that were loaded last
 *
 * As in tables__of_machine(), only records for PMUs of the machine are visible.
 */
void tables__add_loaded_system(struct tables **t, const struct machine *m);
/**
 * tables__sysfs_uses() - tell whether metrics made of events in sysfs use an event with a given
 * name.
 */
bool tables__sysfs_uses(const char *event);
/**
 * tables__load_common() - add metrics that need no vendor's tables, for any CPU
 * @place, @arg: as in struct load_options
 *
 * perf has these metrics for all machines since Linux 6.19 (insn_per_cycle). They are made of
 * events that the kernel has on every CPU.
 *
 * Return: as tables__load().
 */
int tables__load_common(struct tables **t,
			int (*place)(void *arg, struct load_metric *metrics, int nr,
				     struct err *err),
			void *arg, struct err *err);
/**
 * tables__names_common() - tell whether a word of a text is the name of a metric that
 * tables__load_common() adds.
 */
bool tables__names_common(const char *text);
/**
 * tables__use_plain_events() - change formulas for core PMUs without slots in sysfs
 * @m:     must stay valid as long as the tables
 * @whole: the rest of the slots, after subtracting the other parts, may be negative; a limit of 0
 *         would hide how wrong the value is
 *
 * On Intel's big cores, formulas use slots and the TopDown metric events, which most virtual
 * machines lack. If the tables have plain events, which general counters can count, these replace
 * slots and the metric events. Call the function after all layers were added.
 */
void tables__use_plain_events(struct tables *t, struct machine *m, bool whole);
/** tables__has_plain_events() - tell whether formulas of a PMU were changed. NULL means any PMU. */
bool tables__has_plain_events(const struct tables *t, const char *pmu);
/** tables__free() - release the handle; NULL is allowed. */
void tables__free(struct tables *t);
/** tables__model() - get the directory ("skylakex") of the lowest layer for a CPU. */
const char *tables__model(const struct tables *t);

/**
 * struct tables_layer - description of a layer; unknown strings are ""
 * @origin:  "built in", or the path that the layer was loaded from
 * @model:   name of the model
 * @version: version of the model
 * @hash:    hash of the model's files
 * @warnings: number of mistakes in the files that were ignored, including metrics that were left
 *            out
 * @notes:   the first of these mistakes, each as "FILE:LINE: TEXT" and a newline
 * @nr_events, @nr_metrics: numbers in this layer, including records that a higher layer hides
 * @sysfs:   the metrics are made of events in sysfs instead of a vendor's formulas
 * @own:     the metrics are the user's own or the kernel's, instead of a vendor's
 * @yields:  metrics for every CPU: other metrics of the same name hide them
 */
struct tables_layer {
	const char *origin, *model, *version, *notes;
	uint64_t hash;
	int nr_events, nr_metrics, warnings;
	bool sysfs, own, yields;
};

/**
 * tables__name_cpu() - tell whether a layer is for a model of a CPU
 *
 * Layers of sysfs, of system PMUs and of the user's own metrics are not.
 */
bool tables__name_cpu(const struct tables *t);
/**
 * tables__family() - count the built-in models for the family of an unknown CPU
 * @cpuid: as for tables__find(); the family is vendor and number, or on arm64 the implementer
 * @name:  set to the family, "GenuineIntel-6" or "0x41"
 *
 * Return: number of models; for CPUs other than this one, number of all models.
 */
int tables__family(const char *cpuid, char *name, size_t size);
/**
 * tables__only_listed() - get the architecture of tables for CPUs on which tma cannot count
 *
 * Return: "powerpc", "riscv" or "s390"; NULL if tma counts on the CPUs, or the tables are not for a
 * CPU.
 */
const char *tables__only_listed(const struct tables *t);
/** tables__nr_layers() - count the layers; there is at least one. */
int tables__nr_layers(const struct tables *t);
/** tables__layer() - describe layer number @i; layer 0 is the lowest. */
void tables__layer(const struct tables *t, int i, struct tables_layer *out);

/** tables__nr_events() - count the events, which are sorted by PMU and name. */
int tables__nr_events(const struct tables *t);
/** tables__event() - describe event number @i; the strings are valid as long as @t is. */
void tables__event(const struct tables *t, int i, struct event_info *out);
/**
 * tables__find_event() - find an event by name, ignoring case, by binary search
 * @pmu:  name of a PMU in the tables ("default_core", "uncore_cha"); NULL: the first PMU that has
 *        the event
 *
 * Return: the event's number, or -1.
 */
int tables__find_event(const struct tables *t, const char *pmu, const char *name);

/**
 * tables__find_unit_event() - find an event by name on any unit that matches a PMU
 *
 * Used for PMUs whose name is more than the unit's name and a number: "hisi_sccl1_ddrc0" matches
 * "hisi_sccl,ddrc", see pmu__is_table_unit().
 *
 * Return: the event's number, or -1.
 */
int tables__find_unit_event(const struct tables *t, struct pmu *pmu, const char *name);
/** tables__knows_pmu() - tell whether a built-in model has a PMU with a given name. */
bool tables__knows_pmu(const char *pmu);
/** tables__nr_pmus() - count the PMUs (units) with events; tables__pmu() gets their names. */
int tables__nr_pmus(const struct tables *t);
const char *tables__pmu(const struct tables *t, int i);
/**
 * tables__pmu_events() - find the events of a PMU by its name; their numbers are consecutive
 * @first: set to the number of the first event; 0 if there are none
 *
 * Return: number of events.
 */
int tables__pmu_events(const struct tables *t, const char *pmu, int *first);
/**
 * tables__pmu_event() - find an event of PMU number @i by name, in any case
 *
 * Return: the event's number, or -1.
 */
int tables__pmu_event(const struct tables *t, int i, const char *name);

/** tables__nr_metrics() - count the metrics, which are sorted by PMU and name. */
int tables__nr_metrics(const struct tables *t);
/** tables__metric() - describe metric number @i. */
void tables__metric(const struct tables *t, int i, struct metric_info *out);
/**
 * tables__find_metric() - find a metric by name, ignoring case
 * @pmu: as for tables__find_event()
 *
 * Return: the metric's number, or -1.
 */
int tables__find_metric(const struct tables *t, const char *pmu, const char *name);
/** tables__group_desc() - get the description of a metric group from metricgroups.json, or "". */
const char *tables__group_desc(const struct tables *t, const char *group);
/** tables__nr_groups() - count the groups of the metrics. */
int tables__nr_groups(const struct tables *t);
/** tables__group() - get the name of group @i; groups are sorted by name, ignoring case. */
const char *tables__group(const struct tables *t, int i);
/**
 * tables__counters() - get how many counters a kind of PMU has
 * @pmu:            name as in struct event_info ("default_core", "uncore_cha")
 * @general, @fixed: set if the numbers are known
 *
 * The topmost layer with the vendor's counter.json decides. Without such a layer, the events of
 * each layer show how many counters there are at least; the largest number is used.
 *
 * Return: whether the numbers are known.
 */
bool tables__counters(const struct tables *t, const char *pmu, int *general, int *fixed);
/**
 * tables__suggest() - offer the names of all events to @s; with @metrics, the names of metrics and
 * groups.
 */
void tables__suggest(const struct tables *t, bool metrics, struct suggest *s);

/**
 * tables__nr_models() - count the built-in models; tables__model_name() - get the name of a model.
 */
int tables__nr_models(void);
const char *tables__model_name(int i);
/**
 * tables__example_id() - find an id of a CPU that a model's tables are for
 * @i: number of the model
 *
 * Return: whether an id was found; a model of system PMUs has none.
 */
bool tables__example_id(int i, char *cpuid, size_t size);

#endif
