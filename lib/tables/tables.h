/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The id of a CPU, a machine or files come in; the vendor's events and metrics come out, in layers.
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

/** struct vendor_latency - retire latency in cycles as the vendor measured it; 0: not known */
struct vendor_latency {
	double mean, min, max;
};

/**
 * struct event_info - one event of a table; strings are "" and never NULL when the JSON has none
 * @name:      as perf shows it, lower case ("inst_retired.any")
 * @pmu:       name of the PMU it counts on, as in sysfs but without an instance number:
 *             "default_core" for a CPU with one core PMU, "cpu_core", "cpu_atom", "uncore_imc" ...
 * @topic:     file it came from, as words ("floating point")
 * @terms:     its encoding as PMU terms, "event=0xc4,umask=0x20,period=100003"
 * @desc:      one line
 * @long_desc: more, or ""; tables__put_desc() writes it
 * @goes_on:   @long_desc is what follows @desc in the longer description
 * @unit:      what it is counted in, from ScaleUnit ("MiB", "Bytes"), or ""
 * @scale:     factor from ScaleUnit; 1 when there is none
 * @counter:   the Counter field as given ("0,1,2,3", "Fixed counter 0"), or ""
 * @counter_mask: bits 0-31 the general counters it may use, bits 32-63 the fixed ones; 0 when
 *             the JSON does not say
 * @per_pkg:   counted once a package
 * @deprecated: the vendor wants another event used
 * @taken_alone: must not share the counters with another event of that kind
 * @compat:    identifier pattern of system PMUs, or ""
 * @layer:     which layer it is of
 * @latency:   its retire latency, for want of a measurement; 0 when the JSON does not say
 */
struct event_info {
	const char *name, *pmu, *topic, *terms, *desc, *long_desc, *unit, *counter, *compat;
	double scale;
	struct vendor_latency latency;
	unsigned long long counter_mask;
	bool per_pkg, deprecated, taken_alone, goes_on;
	int layer;
};

/* MetricConstraint says when the events of a metric are not put into one group. */
enum metric_constraint {
	METRIC_GROUP_EVENTS,	    /* they are grouped always */
	METRIC_NO_GROUP_EVENTS,	    /* they never are */
	METRIC_NO_GROUP_EVENTS_NMI, /* they are not while the NMI watchdog holds a counter */
	METRIC_NO_GROUP_EVENTS_SMT, /* they are not with SMT on */
	METRIC_NO_THRESHOLD_NMI,    /* as with NMI, but only if thresholds are wanted */
};

/**
 * struct metric_info - one metric of a table; strings are "" and never NULL when the JSON has none
 * @name:       "tma_retiring"
 * @pmu:        "default_core", "cpu_core", "cpu_atom"...
 * @expr:       MetricExpr with what can be computed at build time folded; it names other metrics of
 *              the same model and PMU where the JSON does
 * @threshold:  MetricThreshold
 * @groups:     MetricGroup, separated by ';'
 * @desc:       one line
 * @long_desc:  more, or ""; tables__put_desc() writes it
 * @goes_on:    @long_desc is what follows @desc in the longer description
 * @unit:       what stands behind the number of ScaleUnit ("%", "GB/s"), or ""
 * @scale:      the number of ScaleUnit; 1 when there is none
 * @scale_unit: whether the JSON has a ScaleUnit at all (it decides how the value is printed)
 * @no_group:   MetricgroupNoGroup: groups for which its events are not grouped, separated by ';'
 * @default_group: DefaultMetricgroupName, or ""
 * @compat:     identifier pattern, or ""
 * @layer:      which layer it is of
 * @plain:      plain events stand in @expr for slots and the TopDown metric events
 * @per_core:   AggregationMode is PerCore; @per_chip: PerChip
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
 * tables__put_desc() - write the longer description, or the shorter one if there is no longer
 * @desc, @long_desc, @goes_on: of a struct event_info or metric_info
 */
void tables__put_desc(struct sb *sb, const char *desc, const char *long_desc, bool goes_on);

/*
 * Tables have the events and metrics of one CPU: a layer for the model that is built in, and one
 * above it for whatever is loaded. A record of a layer hides those of the layers below which have
 * its PMU and its name, whose case is ignored.
 */
struct tables;

/**
 * tables__find() - find the tables of a CPU
 * @cpuid: "GenuineIntel-6-55-4"; the patterns of mapfile.csv must match the whole of it, the
 *         stepping being ignored by patterns which have none
 *
 * Return: the tables (built into the program, nothing to free for the caller but the handle, with
 * tables__free()), or NULL when no model matches.
 */
struct tables *tables__find(const char *cpuid);
/**
 * tables__of_machine() - find the tables of a machine's CPUs and of its system PMUs
 *
 * The CPUs' are those of machine->cpuid; on an arm64 machine with several kinds of cores, a layer
 * for each core PMU, in which its name stands for "default_core". On top is a layer for each folder
 * of system PMUs with one that the machine has: by unit, and by its identifier in sysfs. Of a
 * folder, only what is for the machine's PMUs is seen. A core PMU without metrics of level 1 gets
 * those that can be made of the events which its kernel names in sysfs (struct tables_layer,
 * @sysfs).
 *
 * Return: as tables__find().
 */
struct tables *tables__of_machine(struct machine *m);
/** tables__find_model() - find the tables of a model's directory ("skylakex"), or NULL. */
struct tables *tables__find_model(const char *model);
struct load_metric; /* json/load.h has both */
struct load_options;

/**
 * tables__load() - put what is read from files on top
 * @t:    tables so far; points to NULL to begin with the files. The handle changes
 * @opts: the path and more, @known and @std not
 * @core: name for what the files call "default_core", the core PMU: on a machine with several kinds
 *        of core, each has a model of its own. NULL leaves the name
 *
 * Return: 0; -ENOENT when the path is not there or has nothing for the CPU; -EINVAL with the file
 * and line of what cannot be read; -errno. @t is then what it was.
 */
int tables__load(struct tables **t, const struct load_options *opts, const char *core,
		 struct err *err);
/**
 * tables__add_loaded_system() - put the system PMUs' folders of what was loaded last on top
 *
 * As tables__of_machine() does with those built in: what is for no PMU of the machine is left
 * out.
 */
void tables__add_loaded_system(struct tables **t, const struct machine *m);
/** tables__sysfs_uses() - tell whether the metrics made of sysfs use an event of that name. */
bool tables__sysfs_uses(const char *event);
/**
 * tables__load_common() - put metrics on top that need no table of a vendor's, on any CPU
 * @place, @arg: as struct load_options has them
 *
 * They are those that perf has for every machine since Linux 6.19 (insn_per_cycle), of events that
 * the kernel gives each CPU.
 *
 * Return: as tables__load().
 */
int tables__load_common(struct tables **t,
			int (*place)(void *arg, struct load_metric *metrics, int nr,
				     struct err *err),
			void *arg, struct err *err);
/** tables__names_common() - tell whether a text has a word that is the name of one of them. */
bool tables__names_common(const char *text);
/**
 * tables__use_plain_events() - change formulas for core PMUs whose sysfs has no slots
 *
 * On Intel's big cores formulas name slots and the TopDown metric events, which most virtual
 * machines lack. Plain events of the tables, which general counters take, stand for them where the
 * tables have such. To be called when all layers are there; @m must outlive the tables.
 *
 * @whole: what is left of the slots, once the other parts are taken off, may be less than nothing:
 *         a value that is cut off at 0 does not show how far off it is
 */
void tables__use_plain_events(struct tables *t, struct machine *m, bool whole);
/** tables__has_plain_events() - tell whether that changed any formula of a PMU; NULL: of any. */
bool tables__has_plain_events(const struct tables *t, const char *pmu);
/** tables__free() - release the handle; NULL is allowed. */
void tables__free(struct tables *t);
/**
 * tables__model() - give the name of the directory, "skylakex", of the lowest layer that is of a
 * CPU.
 */
const char *tables__model(const struct tables *t);

/**
 * struct tables_layer - what is told of a layer; strings are "" when it is not known
 * @origin:  "built in", or the path it was loaded from
 * @model:   name of the model
 * @version: of the model
 * @hash:    of the files it was made from
 * @warnings: things in the files that were passed over, metrics left out among them
 * @notes:   the first of those, "FILE:LINE: TEXT" and a newline each
 * @nr_events, @nr_metrics: its own, those that a higher layer hides counted too
 * @sysfs:   it is made of events that the kernel names in sysfs, and of no vendor's formulas
 * @own:     its metrics are the user's own, or the kernel's: of no vendor
 */
struct tables_layer {
	const char *origin, *model, *version, *notes;
	uint64_t hash;
	int nr_events, nr_metrics, warnings;
	bool sysfs, own;
};

/**
 * tables__name_cpu() - tell whether any layer is of a CPU's model, and not of sysfs, of system PMUs
 * or the user's own
 */
bool tables__name_cpu(const struct tables *t);
/**
 * tables__family() - tell what is built in for other CPUs of a family: none of it is for this one
 * @cpuid: as for tables__find(); its family is vendor and number, on arm64 the implementer
 * @name:  set to the family, "GenuineIntel-6" or "0x41"
 *
 * Return: how many models there are.
 */
int tables__family(const char *cpuid, char *name, size_t size);
/**
 * tables__only_listed() - tell of which architecture a CPU's tables are, where tma counts on none
 * such
 *
 * Return: "powerpc", "riscv" or "s390"; NULL for tables of CPUs that can be counted on, or of no
 * CPU.
 */
const char *tables__only_listed(const struct tables *t);
/** tables__nr_layers() - count the layers; there is at least one. */
int tables__nr_layers(const struct tables *t);
/** tables__layer() - describe layer number @i; 0 is the lowest. */
void tables__layer(const struct tables *t, int i, struct tables_layer *out);

/** tables__nr_events() - count the events, which are sorted by (pmu, name). */
int tables__nr_events(const struct tables *t);
/** tables__event() - describe event number @i; the strings live as long as @t. */
void tables__event(const struct tables *t, int i, struct event_info *out);
/**
 * tables__find_event() - find an event by name, ignoring case, by binary search
 * @pmu:  PMU name as in the tables ("default_core", "uncore_cha"); NULL takes the first that has it
 *
 * Return: its number, or -1.
 */
int tables__find_event(const struct tables *t, const char *pmu, const char *name);

/**
 * tables__find_unit_event() - find an event by name of any unit which means a PMU
 *
 * For PMUs whose name is not that of the tables with a number behind it: "hisi_sccl1_ddrc0" is one
 * of "hisi_sccl,ddrc", see pmu__is_table_unit().
 *
 * Return: its number, or -1.
 */
int tables__find_unit_event(const struct tables *t, struct pmu *pmu, const char *name);
/** tables__knows_pmu() - tell whether any model that is built in has a PMU of that name. */
bool tables__knows_pmu(const char *pmu);
/** tables__nr_pmus() - count the PMUs (units) with events; tables__pmu() gives their names. */
int tables__nr_pmus(const struct tables *t);
const char *tables__pmu(const struct tables *t, int i);
/**
 * tables__pmu_events() - give the events of a PMU by its name, which follow each other
 * @first: set to the number of the first, 0 where there are none
 *
 * Return: how many they are.
 */
int tables__pmu_events(const struct tables *t, const char *pmu, int *first);
/**
 * tables__pmu_event() - find an event of PMU number @i by name in any case. Return: its number or
 * -1.
 */
int tables__pmu_event(const struct tables *t, int i, const char *name);

/** tables__nr_metrics() - count the metrics, which are sorted by (pmu, name). */
int tables__nr_metrics(const struct tables *t);
/** tables__metric() - describe metric number @i. */
void tables__metric(const struct tables *t, int i, struct metric_info *out);
/**
 * tables__find_metric() - find a metric by name, ignoring case
 * @pmu: as for tables__find_event()
 *
 * Return: its number, or -1.
 */
int tables__find_metric(const struct tables *t, const char *pmu, const char *name);
/** tables__group_desc() - give the description of a metric group from metricgroups.json, or "". */
const char *tables__group_desc(const struct tables *t, const char *group);
/** tables__nr_groups() - count the groups that the metrics belong to. */
int tables__nr_groups(const struct tables *t);
/** tables__group() - give the name of group @i; groups are sorted by name, ignoring case. */
const char *tables__group(const struct tables *t, int i);
/**
 * tables__counters() - tell how many counters a kind of PMU has, by the vendor's counter.json
 *
 * The topmost layer with such a file counts. Where none has, it is as many as the events of some
 * layer use.
 *
 * @pmu:            as events have it in @pmu ("default_core", "uncore_cha")
 * @general, @fixed: set when it is known
 *
 * Return: whether it is known.
 */
bool tables__counters(const struct tables *t, const char *pmu, int *general, int *fixed);
/** tables__suggest() - offer all event names (@metrics false) or metric and group names to @s. */
void tables__suggest(const struct tables *t, bool metrics, struct suggest *s);

/** tables__models() - count the models that are built in; tables__model_name() names each. */
int tables__models(void);
const char *tables__model_name(int i);
/**
 * tables__example_id() - the id of a CPU whose tables are those of a model
 * @i: number of the model
 *
 * Return: whether one was found; a model of system PMUs has none.
 */
bool tables__example_id(int i, char *cpuid, size_t size);

#endif
