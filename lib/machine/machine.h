/* SPDX-License-Identifier: GPL-2.0-only */
/* sysfs and procfs, real or simulated, or a recording come in; what the computer is comes out. */
#ifndef TMA_MACHINE_MACHINE_H
#define TMA_MACHINE_MACHINE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/cpulist.h"

struct gauges;

/**
 * struct pmu_format - a term of a PMU and the bits it sets
 * @name:   "umask"
 * @bits:   for config, config1, config2, config3: the bits of the word the term's value is spread
 *          over, lowest first; all 0 when sysfs says something this program does not know
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
 * @terms: "event=0x3c,umask=0x1"; NULL as long as it has not been read, or when it
 *          cannot be
 * @unit:  text of NAME.unit, or ""
 * @scale: number of NAME.scale, or 1
 * @per_pkg: NAME.per-pkg is there; @snapshot: NAME.snapshot is there
 * @companions: which of these files are there, for the stage itself
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
 * machine__pmu(), machine__pmu_by_type(), machine__core_pmu() and pmu__load() give one with all
 * of this but formats and events read; of an entry of machine->pmus only @name and @is_core are
 * sure before.
 *
 * @name:    directory name in sysfs, "cpu_core", "uncore_imc_0"
 * @alias:   another name for it, or NULL (see pmu__alias())
 * @cpuid, @identifier: see pmu__cpuid() and pmu__identifier()
 * @type:    for perf_event_attr.type
 * @is_core: counts for a task: "cpu", or a PMU with a "cpus" file
 * @is_uncore: has a "cpumask" and is not @is_core: counts system-wide only
 * @has_cpus: @cpus comes from sysfs; otherwise it is the online CPUs
 * @cpus:    the CPUs its events are opened on when counting system-wide
 * @formats, @nr_formats: by name, listed by the first pmu__format(), which reads the one it finds
 * @events, @nr_events: by name, the case of letters ignored, listed by pmu__event_names() and read
 *           by pmu__event()
 * @turn_ms, @slots: see pmu__turn_ms() and pmu__slots(); less than 0 before they were read
 * @slots_by_id: its slots are those of the CPU's id, as the kernel does not say them
 * @general, @held: how many general counters a group can have, and how many of these others hold at
 *          all times, where somebody has tried; 0 and 0 before
 * @order:   its place in machine->pmus
 * @error:   -errno when it could not be loaded: then it is as if it were not there
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
 * struct cpu - where a CPU stands; -1 for what sysfs does not say
 * @socket, @die, @cluster, @core: ids as sysfs gives them, each unique only within the former
 * @node: NUMA node
 */
struct cpu {
	int socket, die, cluster, core, node;
};

/* Two CPUs share so much, each with what stands before it. */
enum cpu_shared {
	SHARED_NOTHING,
	SHARED_PACKAGE,
	SHARED_DIE,
	SHARED_CORE,
};

/** cpu__shared() - tell how much two CPUs share. */
enum cpu_shared cpu__shared(const struct cpu *a, const struct cpu *b);

/**
 * struct cpu_cache - a cache, of a recorded computer
 * @level: 1-4
 * @cpus:  that share it
 */
struct cpu_cache {
	int level;
	struct cpulist cpus;
};

/**
 * struct odd_facts - the first file of sysfs, procfs or tracefs that is there and could not be
 * read, or says what it cannot mean
 * @failed: reading it failed as no lack of permission, and no text, explains
 * @others: there is another
 * @what: says which and why; "" when there is none
 */
struct odd_facts {
	bool failed, others;
	char what[768];
};

/* Whether something is so, once it was looked up. */
enum machine_answer {
	ANSWER_OPEN,
	ANSWER_NO,
	ANSWER_YES,
};

/** struct answers - what several ask, and no file is read twice for: machine__smt_on() and so on */
struct answers {
	enum machine_answer smt_on, lacks_smt, is_virtual;
};

/**
 * struct machine - the computer
 * @sysfs, @procfs: mount points, from SYSFS_PATH and PROCFS_PATH when set
 * @cpuid:    as the tables' mapfile has it, "" when unknown: what PERF_CPUID says; where sysfs has
 *            the register MIDR_EL1 of CPUs (arm64), that of the first core PMU's CPUs
 *            ("0x00000000410fd490"); on x86 the CPU's vendor, family, model and stepping
 *            ("GenuineIntel-6-97-2")
 * @pmus:     core PMUs first, then the others, each by name with its trailing number compared as
 *            a number ("uncore_imc_2" before "uncore_imc_10"); the order events are opened in.
 *            Of core PMUs, the one with PERF_TYPE_RAW is first: cpu_core before cpu_atom
 * @online, @possible, @present: CPUs
 * @cpus:     indexed by CPU number, @nr_cpus entries, loaded by machine__load_topology()
 * @nmi_watchdog: it holds a counter of every CPU
 * @paranoid: kernel.perf_event_paranoid, or INT_MIN where there is no such file
 * @cpuid_given: @cpuid is from PERF_CPUID; @has_midr: sysfs has MIDR_EL1
 * @fake_sysfs: SYSFS_PATH is set: nothing outside of it is looked at or mounted but tracefs
 * @by_name:  machine__order_by_name() was called
 * @core_lists, @nr_core_lists, @nr_packages, @nr_dies: kept by the functions on topology
 * @recorded: it is known from a recording, and nothing of it is looked up here
 * @simulated: name of the simulated machine that it is, or that was recorded; NULL for a real one
 * @caches, @nr_caches: of a recorded one; @tsc_hz: its TSC's frequency, 0 when unknown;
 *            @smt: SMT was on, though its CPUs' places do not show it
 * @gauges:  kept by machine__gauges()
 * @odd: what could not be read so far, or made no sense; NULL of a recorded one
 * @answers: what was looked up so far
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
 * machine__new() - read what the computer is; machine__free() it
 *
 * Reads little: PMUs other than the core's, formats, named events and topology are loaded when
 * first asked for. A core PMU which cannot be read is left out; any other is when it is loaded.
 * A computer without sysfs has no PMUs and is no failure.
 */
struct machine *machine__new(void);
/**
 * machine__order_by_name() - put the core PMUs in the order of perf, by name; without it, the one
 * that bare numbers of events are meant for comes first
 *
 * Called before anything is made of the PMUs.
 */
void machine__order_by_name(struct machine *m);
/**
 * machine__processor() - find the model name of the first CPU, as procfs has it
 *
 * Return: a new text; NULL where there is none, as on arm64.
 */
char *machine__processor(const struct machine *m);
/** machine__has_changed() - tell whether other CPUs are online than when it was read. */
bool machine__has_changed(const struct machine *m);
/** machine__free() - release a machine; NULL is allowed. */
void machine__free(struct machine *m);

/**
 * machine__new_recorded() - make a computer that is not this one: nothing is known of it yet
 * @cpuid:    as of struct machine
 * @cpu_desc: "Intel(R) Xeon(R) Gold 6154 CPU @ 3.00GHz", or NULL
 *
 * What is said of it is filled in by the functions below; @online, @present and @possible by the
 * caller. machine__free() it.
 */
struct machine *machine__new_recorded(const char *cpuid, const char *cpu_desc);
/** machine__set_cpuid() - say which CPU it has, later; @cpu_desc is NULL where it is not known. */
void machine__set_cpuid(struct machine *m, const char *cpuid, const char *cpu_desc);
/** machine__add_pmu() - add a PMU of a recorded computer, without formats and events. */
struct pmu *machine__add_pmu(struct machine *m, const char *name, uint32_t type);
/**
 * machine__assume_formats() - give core PMUs of a recorded computer what its vendor's have in sysfs
 *
 * The terms and named events which are the same on all of them, but for TopDown events
 * (topdown__assume_events()); none where the vendor is unknown. To be called again when @m->cpuid
 * has changed.
 */
void machine__assume_formats(struct machine *m);
/** pmu__drop_event() - forget a named event of sysfs that cannot be counted, if it is there. */
void pmu__drop_event(struct pmu *pmu, const char *name);
/**
 * pmu__add_event() - add a named event of sysfs to a recorded computer's PMU; texts are copied
 * @scale: of the event, 1 for none
 */
void pmu__add_event(struct pmu *pmu, const char *name, const char *terms, double scale);
/** machine__add_cache() - add a cache of a recorded computer; @cpus is taken over. */
void machine__add_cache(struct machine *m, int level, struct cpulist *cpus);
/**
 * machine__set_topology() - tell where the CPUs of a recorded computer stand
 * @cpus: by number, @nr of them; copied
 */
void machine__set_topology(struct machine *m, const struct cpu *cpus, int nr);

/**
 * machine__note_left_out() - keep that an instance of a unit is not counted with the others, to be
 * told
 * @why: what is wrong with it
 */
void machine__note_left_out(const struct machine *m, const struct pmu *pmu, const char *why);

/** machine__pmu() - find the PMU of a name, or NULL. */
struct pmu *machine__pmu(const struct machine *m, const char *name);
/**
 * machine__has_unusable_pmu() - tell whether sysfs has a PMU of that name that machine__pmu() does
 * not find, as its type or its CPUs cannot be read or are none
 */
bool machine__has_unusable_pmu(const struct machine *m, const char *name);
/** machine__pmu_by_type() - find the PMU with a perf_event_attr.type, or NULL. */
struct pmu *machine__pmu_by_type(const struct machine *m, uint32_t type);
/** machine__nr_core_pmus() - count the core PMUs; 0 where there is no hardware PMU. */
int machine__nr_core_pmus(const struct machine *m);
/** machine__core_pmu() - give core PMU number @i in order. */
struct pmu *machine__core_pmu(const struct machine *m, int i);
/**
 * machine__core_pmu_on() - find the core PMU which has a CPU in sysfs by now; NULL while offline.
 */
struct pmu *machine__core_pmu_on(const struct machine *m, int cpu);
/** machine__is_hybrid() - tell whether there is more than one core PMU. */
bool machine__is_hybrid(const struct machine *m);

/** pmu__load() - read type and CPUs when not read yet. Return: 0, or -errno: ignore it. */
int pmu__load(struct pmu *pmu);
/** pmu__alias() - give the kernel's other name for it ("uncore_type_0_0"), or NULL. */
const char *pmu__alias(struct pmu *pmu);
/**
 * pmu__cpuid() - id of the CPUs which a PMU counts on: where core PMUs differ (arm64), so do theirs
 *
 * machine->cpuid where there is one id for all, or PERF_CPUID gives it; "" when unknown.
 */
const char *pmu__cpuid(struct pmu *pmu);
/** pmu__identifier() - tell which model of a system PMU it is ("43602", "i.MX8MM"), or NULL. */
const char *pmu__identifier(struct pmu *pmu);
/**
 * pmu__is_software() - tell whether it counts without hardware: software, tracepoint, msr, probes
 * ...
 */
bool pmu__is_software(const struct pmu *pmu);
/**
 * pmu__max_precise() - how precise its samples can be, by caps/max_precise: 0 is not at all, as in
 * most virtual machines; -1 where it does not say
 */
int pmu__max_precise(struct pmu *pmu);
/**
 * pmu__samples_latencies() - tell whether its samples have an instruction's retire latency
 *
 * Known of the CPU's model: those of Intel's since Granite Rapids, Sierra Forest and Meteor Lake.
 */
bool pmu__samples_latencies(struct pmu *pmu);
/** machine__samples_latencies() - tell whether the samples of any core PMU can. */
bool machine__samples_latencies(const struct machine *m);
/** pmu__format() - find the format of a name, reading that one only; NULL when there is none. */
const struct pmu_format *pmu__format(struct pmu *pmu, const char *name);
/**
 * pmu__event() - find an event by name in any case, reading that one only; NULL when there is none.
 */
const struct pmu_event *pmu__event(struct pmu *pmu, const char *name);
/** pmu__event_names() - list the names of its events, reading none. Return: 0 or -errno. */
int pmu__event_names(struct pmu *pmu);
/** pmu__has_event() - tell whether sysfs has an event, in any case, without reading it. */
bool pmu__has_event(struct pmu *pmu, const char *name);
/**
 * pmu__table_name() - tell what the tables call this PMU
 *
 * "default_core" for a sole core PMU, whatever its name ("cpu", "armv8_pmuv3_0"), but not for those
 * that have their own: "cpum_cf", and "cpu_core" of a recording with rows of one core type; the
 * name of one core PMU of several; else the name without its instance number.
 */
const char *pmu__table_name(const struct pmu *pmu, char *buf, int size);
/**
 * pmu__matches() - tell whether a PMU name in an event text means this PMU
 * @want: "uncore_imc_0", "uncore_imc" or "imc" (all instances), or a glob; case as in sysfs
 */
bool pmu__matches(struct pmu *pmu, const char *want);
/**
 * pmu__is_table_unit() - tell whether the tables mean this PMU by a name, as perf 6.12 matches them
 * @unit: "default_core", "uncore_imc" for "uncore_imc_3", "imx8_ddr" for "imx8_ddr0",
 *        "hisi_sccl,ddrc" for "hisi_sccl1_ddrc0": parts of the name, in their order
 */
bool pmu__is_table_unit(struct pmu *pmu, const char *unit);
/**
 * pmu__same_unit() - tell whether two are instances of one unit: their names differ in the number.
 */
bool pmu__same_unit(const struct pmu *a, const struct pmu *b);
/** pmu__base_len() - measure the name without its instance number ("_0", "_13a"). */
int pmu__base_len(const char *name);

/** machine__load_topology() - read @cpus when not read yet. */
void machine__load_topology(struct machine *m);
/** machine__cpu() - tell where a CPU stands (topology loaded); all -1 for one that is not there. */
struct cpu machine__cpu(const struct machine *m, int cpu);
/**
 * machine__nr_packages() - count packages, and below dies and cores, by distinct lists of siblings.
 */
int machine__nr_packages(struct machine *m);
int machine__nr_dies(struct machine *m);
int machine__nr_cores(struct machine *m);
/**
 * machine__smt_on() - read sysfs smt/active; without, tell whether a core has two threads online.
 */
bool machine__smt_on(struct machine *m);
/**
 * machine__lacks_smt() - tell whether its cores have one thread each by make or by its firmware
 *
 * Not where Linux took the others offline (nosmt; smt/control off, forceoff), as what threads share
 * was shared out before; nor in a guest, to which one thread of a core may look like all of it.
 */
bool machine__lacks_smt(struct machine *m);
/**
 * machine__covers_cores() - tell whether a list of CPUs holds all threads of each core it touches
 */
bool machine__covers_cores(struct machine *m, const struct cpulist *cpus);
/** machine__whole_cores() - list @cpus and the other threads of their cores. */
void machine__whole_cores(struct machine *m, const struct cpulist *cpus, struct cpulist *out);
/**
 * machine__tsc_hz() - give the TSC's frequency, of CPUID, procfs' cpuinfo or the kernel's page of
 * an event; 0 when unknown
 */
double machine__tsc_hz(const struct machine *m);
/** machine__is_virtual() - tell whether procfs cpuinfo has the flag "hypervisor" (x86). */
bool machine__is_virtual(struct machine *m);
/** machine__has_flag() - whether /proc/cpuinfo has a flag of x86 CPUs. */
bool machine__has_flag(const struct machine *m, const char *flag);
/**
 * machine__core_counters() - tell the counters of a core PMU, by CPUID (Intel)
 * @general, @fixed: set to a bit for each
 *
 * Runs for a moment on a CPU of the PMU, where there are several kinds of cores.
 *
 * Return: false where CPUID does not say, and of a machine that is not this one.
 */
bool machine__core_counters(const struct machine *m, const struct pmu *pmu, uint32_t *general,
			    uint32_t *fixed);
/**
 * pmu__slots() - give the slots per cycle of a core PMU (arm64): by its caps/slots, and where that
 * says 0, as in virtual machines, by the CPU's id; or 0
 */
int pmu__slots(struct pmu *pmu);
/**
 * pmu__turn_ms() - how long the kernel lets groups have the counters before it is others' turn
 *
 * Return: 0 where sysfs does not say, as of tasks' clocks.
 */
int pmu__turn_ms(struct pmu *pmu);
/** machine__slots() - give those of the first core PMU; of a recorded one by its CPU's part number.
 */
int machine__slots(const struct machine *m);
/** machine__has_pmem() - tell whether firmware announces persistent memory. */
bool machine__has_pmem(const struct machine *m);
/**
 * machine__cache_id() - for --per-cache: id and level of a CPU's cache
 * @level: 1-4, or 0 for the last level
 * @id:    first CPU sharing it; Return: the level, or -1
 */
int machine__cache_id(const struct machine *m, int cpu, int level, int *id);

/**
 * struct tracepoint - one of the kernel's static probes
 * @system: "sched"; @name: "sched_switch"
 * @id: for perf_event_attr.config
 */
struct tracepoint {
	char *system, *name;
	uint64_t id;
};

/* So much of tracepoints is read: */
enum tracepoint_detail {
	TRACEPOINT_NAMES,   /* their names alone */
	TRACEPOINT_IDS,	    /* ids, too; one without any that can be read is left out */
	TRACEPOINT_CHECKED, /* each must also have a description by the kernel */
};

/**
 * machine__tracepoints() - tracepoints by name, in the order of their names
 * @system, @name: names or globs
 * @out: array of @nr, tracepoint__free_all() it
 *
 * Mounts tracefs where it is not mounted and root may.
 *
 * Return: 0; -ENOENT for one which does not exist, or with no tracefs; -EACCES; -EINVAL when the
 * kernel's description of it cannot be read.
 */
int machine__tracepoints(const struct machine *m, const char *system, const char *name,
			 enum tracepoint_detail detail, struct tracepoint **out, int *nr,
			 struct err *err);
/**
 * machine__check_filter() - check a tracepoint's filter
 * @tracepoint: "sched:sched_switch"; NULL where only its number is known
 * @filter:     "prev_pid != 0 && prev_comm ~ \"make*\""
 *
 * The grammar is checked, and where the kernel's description may be read, the fields: see
 * machine/filter.h. The kernel, which does the filtering, has the last word.
 *
 * Return: 0; -EINVAL with what is wrong, where, and the fields there are.
 */
int machine__check_filter(const struct machine *m, const char *tracepoint, const char *filter,
			  struct err *err);
/** tracepoint__free_all() - release what machine__tracepoints() gave. */
void tracepoint__free_all(struct tracepoint *at, int nr);

#endif
