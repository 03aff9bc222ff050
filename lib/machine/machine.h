/* SPDX-License-Identifier: GPL-2.0-only */
/* Describe a computer from its sysfs and procfs, real or simulated, or from a recording. */
#ifndef TMA_MACHINE_MACHINE_H
#define TMA_MACHINE_MACHINE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/cpulist.h"

struct gauges;

/**
 * struct pmu_format - a term of a PMU, and the bits that it sets
 * @name:   "umask"
 * @bits:   bits that get the term's value, lowest first, in each of config, config1, config2 and
 *          config3; all 0 if the text in sysfs is not understood
 * @loaded: @bits has been read
 */
struct pmu_format {
	char *name;
	uint64_t bits[4];
	bool loaded;
};

/**
 * struct pmu_event - a named event in sysfs
 * @name:  "cpu-cycles"
 * @terms: "event=0x3c,umask=0x1"; NULL before the file is read, and if it cannot be read
 * @unit:  contents of the file NAME.unit, or ""
 * @scale: number in the file NAME.scale, or 1
 * @per_pkg: the file NAME.per-pkg exists; @snapshot: the file NAME.snapshot exists
 * @companions: which of these files exist; used only in lib/machine
 */
struct pmu_event {
	char *name, *terms, *unit;
	double scale;
	bool per_pkg, snapshot;
	unsigned int companions;
};

/**
 * struct pmu - a performance monitoring unit
 *
 * machine__pmu(), machine__pmu_by_type(), machine__core_pmu() and pmu__load() read all members
 * except formats and events. Before that, an entry of machine->pmus has only @name and @is_core.
 *
 * @name:    name of the directory in sysfs, "cpu_core", "uncore_imc_0"
 * @alias:   another name, or NULL (see pmu__alias())
 * @cpuid, @identifier: see pmu__cpuid() and pmu__identifier()
 * @type:    value of perf_event_attr.type
 * @is_core: the PMU can count for a task: it is "cpu", or has a file "cpus"
 * @is_uncore: the PMU counts only system-wide: it has a "cpumask" and is not @is_core
 * @has_cpus: @cpus comes from sysfs; otherwise @cpus has the online CPUs
 * @cpus:    CPUs on which events are opened to count system-wide
 * @formats, @nr_formats: sorted by name; the first pmu__format() lists them, and each call reads
 *                        the format that it finds
 * @events, @nr_events: sorted by name, ignoring case; pmu__event_names() lists and pmu__event()
 *                      reads them
 * @turn_ms, @slots: see pmu__turn_ms() and pmu__slots(); less than 0 until they are read
 * @slots_by_id: @slots is derived from the CPU's id, as the kernel does not report it
 * @general: most general counters that a group can have; 0 until this was tried
 * @held:    number of general counters that other users hold permanently
 * @order:   index in machine->pmus
 * @error:   -errno if the PMU could not be loaded, and is ignored
 */
struct pmu {
	char *name, *alias, *cpuid, *identifier;
	uint32_t type;
	bool is_core, is_uncore, has_cpus;
	struct cpulist cpus;
	struct pmu_format *formats;
	int nr_formats;
	struct pmu_event *events;
	int nr_events;
	int turn_ms, slots;
	bool slots_by_id;
	int general, held;
	int order, error;
	bool loaded, alias_read, identifier_read, formats_listed, events_listed;
	struct machine *machine;
};

/**
 * struct cpu - the place of a CPU; -1 if sysfs does not report it
 * @socket, @die, @cluster, @core: ids as in sysfs; an id is unique only within the unit that
 *            precedes it here
 * @node: NUMA node
 */
struct cpu {
	int socket, die, cluster, core, node;
};

/* The smallest unit that two CPUs share; a unit is part of the unit before it. */
enum cpu_shared {
	SHARED_NOTHING,
	SHARED_PACKAGE,
	SHARED_DIE,
	SHARED_CORE,
};

/** cpu__shared() - find the smallest unit that two CPUs share. */
enum cpu_shared cpu__shared(const struct cpu *a, const struct cpu *b);

/**
 * struct cpu_cache - a cache of a recorded computer
 * @level: level of the cache, 1-4
 * @cpus:  the CPUs that share the cache
 */
struct cpu_cache {
	int level;
	struct cpulist cpus;
};

/**
 * struct odd_facts - the first file of sysfs, procfs or tracefs that cannot be read or makes no
 * sense
 * @failed: it could not be read, for a reason other than permissions
 * @others: there are more such files
 * @what: the file and the reason; "" if there is none
 */
struct odd_facts {
	bool failed, others;
	char what[768];
};

/* An answer to a yes-no question that is looked up at most once. */
enum machine_answer {
	ANSWER_OPEN,
	ANSWER_NO,
	ANSWER_YES,
};

/**
 * struct answers - cached answers of machine__smt_on() and others: no file is read twice
 */
struct answers {
	enum machine_answer smt_on, lacks_smt, is_virtual;
};

/**
 * struct machine - the computer
 * @sysfs, @procfs: mount points, from SYSFS_PATH and PROCFS_PATH if these are set
 * @cpuid:    id in the form of the tables' mapfile, "" if unknown: PERF_CPUID if it is set; on
 *            arm64, the register MIDR_EL1 of the first core PMU's CPUs, from sysfs
 *            ("0x00000000410fd490"); on x86 the CPU's vendor, family, model and stepping
 *            ("GenuineIntel-6-97-2")
 * @pmus:     core PMUs first, then the others, each sorted by name; trailing numbers are compared
 *            as numbers ("uncore_imc_2" before "uncore_imc_10"). Events are opened in this order.
 *            The core PMU with PERF_TYPE_RAW is first: cpu_core before cpu_atom
 * @online, @possible, @present: sets of CPUs, as in sysfs
 * @cpus:     places of CPUs, indexed by CPU number, loaded by machine__load_topology()
 * @nmi_watchdog: the NMI watchdog holds a counter of every CPU
 * @paranoid: kernel.perf_event_paranoid, or INT_MIN if the file does not exist
 * @cpuid_given: @cpuid is from PERF_CPUID; @has_midr: sysfs has MIDR_EL1
 * @fake_sysfs: SYSFS_PATH is set: only tracefs is read or mounted outside of it
 * @by_name:  machine__order_by_name() was called
 * @core_lists, @nr_core_lists, @nr_packages, @nr_dies: cached results of the functions for topology
 * @recorded: the facts are from a recording instead of sysfs and procfs
 * @simulated: name of the simulated machine, present or recorded; NULL for a real one
 * @caches, @nr_caches: (recorded) caches
 * @tsc_hz:   (recorded) frequency of the TSC, 0 if unknown
 * @smt:      (recorded) SMT was on, even if the places of the CPUs do not show it
 * @gauges:  cached by machine__gauges()
 * @odd: files so far that could not be read or made no sense; NULL for a recorded computer
 * @answers: answers that are cached so far
 */
struct machine {
	char *sysfs, *procfs;
	char *cpuid;
	bool cpuid_given, has_midr;
	struct pmu **pmus;
	int nr_pmus;
	struct cpulist online, possible, present;
	struct cpu *cpus;
	int nr_cpus;
	bool nmi_watchdog;
	int paranoid;
	bool fake_sysfs, by_name;
	struct cpulist *core_lists;
	int nr_core_lists, nr_packages, nr_dies;
	bool siblings_loaded;
	bool recorded;
	struct cpu_cache *caches;
	int nr_caches, cap_caches;
	double tsc_hz;
	char *simulated;
	bool smt;
	struct gauges *gauges;
	struct odd_facts *odd;
	struct answers answers;
};

/**
 * machine__new() - read the facts of this computer
 *
 * It reads few files: PMUs other than core PMUs, formats, named events and topology are loaded when
 * they are first needed. A PMU that cannot be read is left out: a core PMU immediately, any other
 * PMU when it is loaded. A computer without sysfs has no PMUs; this is not a failure.
 *
 * Return: a machine to release with machine__free().
 */
struct machine *machine__new(void);
/**
 * machine__order_by_name() - sort the core PMUs by name, as perf does
 *
 * Without this call, the first PMU is the one that counts raw events without a PMU's name. Must be
 * called before PMUs are used.
 */
void machine__order_by_name(struct machine *m);
/**
 * machine__processor() - find the model name of the first CPU in procfs
 *
 * Return: a new text; NULL if procfs has no model name, as on arm64.
 */
char *machine__processor(const struct machine *m);
/** machine__has_changed() - tell whether other CPUs are online than when the machine was read. */
bool machine__has_changed(const struct machine *m);
/** machine__free() - release a machine; NULL is allowed. */
void machine__free(struct machine *m);

/**
 * machine__new_recorded() - make a recorded computer, which has no facts yet
 * @cpuid:    as in struct machine
 * @cpu_desc: "Intel(R) Xeon(R) Gold 6154 CPU @ 3.00GHz", or NULL
 *
 * The functions below add its facts; the caller sets @online, @present and @possible. Return: a
 * machine to release with machine__free().
 */
struct machine *machine__new_recorded(const char *cpuid, const char *cpu_desc);
/**
 * machine__set_cpuid() - set the CPU's id after machine__new_recorded(); @cpu_desc is NULL if
 * unknown.
 */
void machine__set_cpuid(struct machine *m, const char *cpuid, const char *cpu_desc);
/** machine__add_pmu() - add a PMU of a recorded computer, without formats and events. */
struct pmu *machine__add_pmu(struct machine *m, const char *name, uint32_t type);
/**
 * machine__assume_formats() - add the usual terms and events to core PMUs of a recorded computer
 *
 * These are the terms and named events that all CPUs of the vendor have in sysfs, without TopDown
 * events (see topdown__assume_events()). Unknown vendors get none. Call the function again when
 * @m->cpuid has changed.
 */
void machine__assume_formats(struct machine *m);
/** pmu__drop_event() - remove a named event that sysfs lists but that cannot be counted. */
void pmu__drop_event(struct pmu *pmu, const char *name);
/**
 * pmu__add_event() - add a named event of sysfs to a PMU of a recorded computer; texts are copied
 * @scale: the event's factor; 1 if it has none
 */
void pmu__add_event(struct pmu *pmu, const char *name, const char *terms, double scale);
/** machine__add_cache() - add a cache of a recorded computer; it takes over @cpus. */
void machine__add_cache(struct machine *m, int level, struct cpulist *cpus);
/**
 * machine__set_topology() - set the places of a recorded computer's CPUs
 * @cpus: places by CPU number, which are copied; @nr: number of CPUs
 */
void machine__set_topology(struct machine *m, const struct cpu *cpus, int nr);

/**
 * machine__note_left_out() - remember, for a message, that an instance of a unit is not counted
 * @why: the reason
 */
void machine__note_left_out(const struct machine *m, const struct pmu *pmu, const char *why);

/** machine__pmu() - find a PMU by name or alias; NULL if no such PMU can be used. */
struct pmu *machine__pmu(const struct machine *m, const char *name);
/**
 * machine__has_unusable_pmu() - tell whether sysfs has a PMU that machine__pmu() does not find
 *
 * The type or CPUs of that PMU are missing or cannot be read.
 */
bool machine__has_unusable_pmu(const struct machine *m, const char *name);
/** machine__pmu_by_type() - find a PMU by its perf_event_attr.type, or NULL. */
struct pmu *machine__pmu_by_type(const struct machine *m, uint32_t type);
/** machine__nr_core_pmus() - count the core PMUs; 0 if there is no hardware PMU. */
int machine__nr_core_pmus(const struct machine *m);
/** machine__core_pmu() - get the core PMU with index @i. */
struct pmu *machine__core_pmu(const struct machine *m, int i);
/**
 * machine__core_pmu_on() - find the core PMU that lists a CPU in sysfs now; NULL while it is
 * offline.
 */
struct pmu *machine__core_pmu_on(const struct machine *m, int cpu);
/** machine__is_hybrid() - tell whether the machine has several core PMUs. */
bool machine__is_hybrid(const struct machine *m);

/** pmu__load() - read the type and CPUs of a PMU, once. Return: 0; -errno: ignore the PMU. */
int pmu__load(struct pmu *pmu);
/** pmu__alias() - get the kernel's other name of a PMU ("uncore_type_0_0"), or NULL. */
const char *pmu__alias(struct pmu *pmu);
/**
 * pmu__cpuid() - get the id of the CPUs that a PMU counts on; on arm64 each PMU may have its own
 *
 * Return: machine->cpuid if all CPUs have the same id, or PERF_CPUID is set; "" if unknown.
 */
const char *pmu__cpuid(struct pmu *pmu);
/** pmu__identifier() - get the model of a system PMU ("43602", "i.MX8MM"), or NULL. */
const char *pmu__identifier(struct pmu *pmu);
/**
 * pmu__is_software() - tell whether a PMU needs no hardware: software, tracepoint, msr, probes ...
 */
bool pmu__is_software(const struct pmu *pmu);
/**
 * pmu__max_precise() - get how precise a PMU's samples can be, from caps/max_precise
 *
 * Return: 0 if no sample is precise, as in most virtual machines; -1 if sysfs does not report it.
 */
int pmu__max_precise(struct pmu *pmu);
/**
 * pmu__samples_latencies() - tell whether samples of a PMU have an instruction's retire latency
 *
 * The CPU's model decides: Intel's CPUs since Granite Rapids, Sierra Forest and Meteor Lake have
 * it.
 */
bool pmu__samples_latencies(struct pmu *pmu);
/** machine__samples_latencies() - tell whether samples of any core PMU have retire latencies. */
bool machine__samples_latencies(const struct machine *m);
/** pmu__format() - find a format by name, and read only this one; NULL if there is none. */
const struct pmu_format *pmu__format(struct pmu *pmu, const char *name);
/**
 * pmu__event() - find an event by name in any case, and read only this one; NULL if there is none.
 */
const struct pmu_event *pmu__event(struct pmu *pmu, const char *name);
/**
 * pmu__event_names() - list the names of a PMU's events, without reading them. Return: 0 or -errno.
 */
int pmu__event_names(struct pmu *pmu);
/** pmu__has_event() - tell whether sysfs lists an event, in any case, without reading it. */
bool pmu__has_event(struct pmu *pmu, const char *name);
/**
 * pmu__table_name() - get the name of a PMU in the tables
 *
 * A sole core PMU is "default_core", whatever its name ("cpu", "armv8_pmuv3_0"). Exceptions have a
 * name in the tables: "cpum_cf", and "cpu_core" of a recording with rows of one core type. If there
 * are several core PMUs, each has its own name. Other PMUs have their name without the instance
 * number.
 */
const char *pmu__table_name(const struct pmu *pmu, char *buf, int size);
/**
 * pmu__matches() - tell whether a PMU's name in the text of an event matches a PMU
 * @want: "uncore_imc_0", "uncore_imc" or "imc" (all instances), or a glob; case matters
 */
bool pmu__matches(struct pmu *pmu, const char *want);
/**
 * pmu__is_table_unit() - tell whether a unit of the tables matches a PMU, by the rules of perf 6.12
 * @unit: "default_core", "uncore_imc" for "uncore_imc_3", "imx8_ddr" for "imx8_ddr0"; or parts of
 *        the PMU's name in their order: "hisi_sccl,ddrc" for "hisi_sccl1_ddrc0"
 */
bool pmu__is_table_unit(struct pmu *pmu, const char *unit);
/**
 * pmu__same_unit() - tell whether two PMUs are instances of a unit: their names differ only in a
 * number.
 */
bool pmu__same_unit(const struct pmu *a, const struct pmu *b);
/** pmu__base_len() - measure a PMU's name without its instance number ("_0", "_13a"). */
int pmu__base_len(const char *name);

/** machine__load_topology() - read @cpus, once. */
void machine__load_topology(struct machine *m);
/**
 * machine__cpu() - get the place of a CPU; the topology must be loaded. All numbers are -1 if the
 * CPU does not exist.
 */
struct cpu machine__cpu(const struct machine *m, int cpu);
/**
 * machine__nr_packages() - count packages by their distinct lists of CPUs
 *
 * machine__nr_dies() and machine__nr_cores() count dies and cores likewise.
 */
int machine__nr_packages(struct machine *m);
int machine__nr_dies(struct machine *m);
int machine__nr_cores(struct machine *m);
/**
 * machine__smt_on() - tell whether SMT is on
 *
 * smt/active in sysfs decides. Without this file, SMT is on if a core has two threads online.
 */
bool machine__smt_on(struct machine *m);
/**
 * machine__lacks_smt() - tell whether cores have one thread each by design or by firmware
 *
 * Return: false if Linux took the other threads offline (nosmt; smt/control off, forceoff), since
 * resources that threads share were divided before. Also false in a guest, which may see one thread
 * of a core as a whole core.
 */
bool machine__lacks_smt(struct machine *m);
/** machine__covers_cores() - tell whether a list has either all or no CPUs of each core. */
bool machine__covers_cores(struct machine *m, const struct cpulist *cpus);
/** machine__whole_cores() - list the given CPUs and the other threads of their cores. */
void machine__whole_cores(struct machine *m, const struct cpulist *cpus, struct cpulist *out);
/**
 * machine__tsc_hz() - get the TSC's frequency
 *
 * Return: the frequency from CPUID, from cpuinfo in procfs, or from the kernel's page of an event;
 * 0 if unknown.
 */
double machine__tsc_hz(const struct machine *m);
/** machine__is_virtual() - tell whether cpuinfo in procfs has the flag "hypervisor" (x86). */
bool machine__is_virtual(struct machine *m);
/** machine__has_flag() - tell whether /proc/cpuinfo has a flag of x86 CPUs. */
bool machine__has_flag(const struct machine *m, const char *flag);
/**
 * machine__core_counters() - get the counters of a core PMU from CPUID (Intel)
 * @general, @fixed: set to masks with a bit for each counter
 *
 * On a hybrid machine the calling thread runs for a moment on a CPU of the PMU.
 *
 * Return: false if CPUID does not report counters, and for machines other than this one.
 */
bool machine__core_counters(const struct machine *m, const struct pmu *pmu, uint32_t *general,
			    uint32_t *fixed);
/**
 * pmu__slots() - get the slots per cycle of a core PMU (arm64)
 *
 * Return: the number in its caps/slots; if this is 0, as in virtual machines, the number for the
 * CPU's id; 0 if unknown.
 */
int pmu__slots(struct pmu *pmu);
/**
 * pmu__turn_ms() - get how long a group has counters before the kernel rotates groups, in ms
 *
 * Return: 0 if sysfs does not report it, as for clocks of tasks.
 */
int pmu__turn_ms(struct pmu *pmu);
/**
 * machine__slots() - get the slots per cycle of the first core PMU
 *
 * For a recorded machine, the number is derived from its CPU's part number.
 */
int machine__slots(const struct machine *m);
/** machine__has_pmem() - tell whether firmware reports persistent memory. */
bool machine__has_pmem(const struct machine *m);
/**
 * machine__cache_id() - find the id and level of a CPU's cache, for --per-cache
 * @level: 1-4, or 0 for the last level
 * @id:    set to the first CPU that shares the cache
 *
 * Return: the level, or -1.
 */
int machine__cache_id(const struct machine *m, int cpu, int level, int *id);

/**
 * struct tracepoint - one of the kernel's static probes
 * @system: "sched"; @name: "sched_switch"
 * @id: value of perf_event_attr.config
 */
struct tracepoint {
	char *system, *name;
	uint64_t id;
};

/* How much is read about tracepoints. */
enum tracepoint_detail {
	TRACEPOINT_NAMES,   /* only their names */
	TRACEPOINT_IDS,	    /* names and ids; tracepoints whose id cannot be read are left out */
	TRACEPOINT_CHECKED, /* names and ids; an id must match the kernel's description */
};

/**
 * machine__tracepoints() - find tracepoints by name, sorted by their names
 * @system, @name: names or globs
 * @out: set to an array of @nr tracepoints; release it with tracepoint__free_all()
 *
 * For root, the function mounts tracefs if it is not mounted.
 *
 * Return: 0; -ENOENT if a tracepoint or tracefs does not exist; -EACCES; -EINVAL if the kernel's
 * description does not match a tracepoint.
 */
int machine__tracepoints(const struct machine *m, const char *system, const char *name,
			 enum tracepoint_detail detail, struct tracepoint **out, int *nr,
			 struct err *err);
/**
 * machine__check_filter() - check a tracepoint's filter
 * @tracepoint: "sched:sched_switch"; NULL if only its number is known
 * @filter:     "prev_pid != 0 && prev_comm ~ \"make*\""
 *
 * The grammar is checked and, if the kernel's description can be read, the fields: see
 * machine/filter.h. The kernel, which applies the filter, may still refuse it.
 *
 * Return: 0; -EINVAL with the error, its place, and the tracepoint's fields.
 */
int machine__check_filter(const struct machine *m, const char *tracepoint, const char *filter,
			  struct err *err);
/** tracepoint__free_all() - release the result of machine__tracepoints(). */
void tracepoint__free_all(struct tracepoint *at, int nr);

#endif
