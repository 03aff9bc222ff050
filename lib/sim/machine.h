/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The simulated computer that a file describes: struct sim_machine has its CPUs, its PMUs, and how
 * fast each event counts.
 */
#ifndef TMA_SIM_MACHINE_H
#define TMA_SIM_MACHINE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/cpulist.h"
#include "base/vec.h"

struct err;

#define SIM_MAX_PHASES 64
#define SIM_MAX_SECTIONS 32
#define SIM_MAX_COLUMNS (SIM_MAX_PHASES + SIM_MAX_SECTIONS) /* phases first, then sections */
#define SIM_CONFIG_WORDS 4 /* config, config1, config2 and config3 */
#define SIM_MAX_RANGES 8

/*
 * The counters of a PMU are bits of one mask: general counters begin at bit 0, fixed counters and
 * TopDown metric events at the bits below.
 */
#define SIM_FIXED_BIT 32
#define SIM_METRIC_BIT 48
#define SIM_FIXED_BITS (0xffffULL << SIM_FIXED_BIT)
#define SIM_METRIC_BITS (0xffffULL << SIM_METRIC_BIT)

/** struct sim_config - the words of a perf_event_attr that select an event */
struct sim_config {
	uint64_t word[SIM_CONFIG_WORDS];
};

/** struct sim_bits - a run of bits of one config word, both ends included */
struct sim_bits {
	int word, lo, hi;
};

/**
 * struct sim_field - a term of a PMU's format directory
 * @bits: the bits of the term, from the lowest on; @all: the same bits as a mask
 */
struct sim_field {
	const char *name, *format;
	struct sim_bits bits[4];
	int nr_bits;
	struct sim_config all;
};

/** struct sim_term - a field with the range of its values, both ends included */
struct sim_term {
	int field;
	uint64_t lo, hi;
};

/**
 * struct sim_match - a pattern over events, which matches if all terms match, see
 * sim_pmu__matches()
 * @fixed, @value: bits of terms with a single value; these values
 * @named:  bits of all terms
 * @ranges: the terms with a range of values
 */
struct sim_match {
	struct sim_config fixed, value, named;
	struct sim_term ranges[SIM_MAX_RANGES];
	int nr_ranges;
};

/** struct sim_sysfs - a file in a PMU's directory */
struct sim_sysfs {
	const char *path, *text;
};

/** struct sim_files - a list of files in a PMU's directory */
struct sim_files {
	struct sim_sysfs *at;
	int nr, cap;
};

/**
 * struct sim_constraint - the counters that the events of a pattern may use
 * @mask:  bits of counters
 * @exact: fields that the pattern does not name must be 0
 * @slots: the event leads TopDown metric events
 * @pair:  the event occupies a second general counter
 */
struct sim_constraint {
	struct sim_match match;
	uint64_t mask;
	bool exact, slots, pair;
};

/**
 * struct sim_shared - events that share registers for config1, so that only few values are possible
 * simultaneously
 * @name:  name of the registers; patterns with the same name share them
 * @valid: bits of config1 that may be set
 */
struct sim_shared {
	struct sim_match match;
	const char *name;
	int registers;
	uint64_t valid;
};

/**
 * struct sim_starved - groups that the kernel accepts but never schedules, because of the
 * workaround for an erratum
 * @match: pattern of events: groups with a matching event are concerned
 * @mask:  general counters that are left to such a group, beside fixed and metric counters; if
 *         these do not suffice, the group is never scheduled
 */
struct sim_starved {
	struct sim_match match;
	uint64_t mask;
};

/**
 * struct sim_latency - the retire latency of the events of a pattern
 * @cycles: the mean in each column
 * @spread: largest distance of a sample from the mean, as a part of the mean
 */
struct sim_latency {
	struct sim_match match;
	double cycles[SIM_MAX_COLUMNS];
	double spread;
};

/**
 * struct sim_generic - the event that the kernel counts for an event of PERF_TYPE_HARDWARE or
 * PERF_TYPE_HW_CACHE
 */
struct sim_generic {
	uint32_t type;
	uint64_t config;
	struct sim_config target;
};

/** struct sim_var - a named quantity, one value for each column of the counting model */
struct sim_var {
	const char *name;
	double value[SIM_MAX_COLUMNS];
};

/** struct sim_rate - the speed of an event in each column, in 2^-SIM_RATE_SHIFT events/ns */
struct sim_rate {
	uint64_t per_ns[SIM_MAX_COLUMNS];
};
#define SIM_RATE_SHIFT 48

/** struct sim_rule - the rate of the events of a pattern */
struct sim_rule {
	struct sim_match match;
	struct sim_rate rate;
};

/**
 * struct sim_local - the rate of the events of a pattern in one column, which overrides the rules
 */
struct sim_local {
	struct sim_match match;
	int column;
	uint64_t per_ns;
};

/**
 * struct sim_skid - the delay from an event to its sample, random for each sample
 * @mean, @spread: in ns; delays are uniformly distributed from @mean - @spread to @mean + @spread
 */
struct sim_skid {
	double mean, spread;
};

/**
 * struct sim_distance - events that happen when an operation is issued, and the time from there to
 * its retirement
 */
struct sim_distance {
	struct sim_match match;
	struct sim_skid skid;
};

enum sim_pmu_kind {
	SIM_PMU_CORE,	/* its events count for a task, or on one CPU */
	SIM_PMU_UNCORE, /* its events count for a package; tasks and exclude bits are refused */
	SIM_PMU_FREE,	/* its events always count, in groups of any PMU (msr) */
};

/* Events whose counters read as 0 by RDPMC. */
enum sim_blind { SIM_BLIND_NONE, SIM_BLIND_WIDE, SIM_BLIND_ALL };

/**
 * struct sim_pmu - one PMU
 * @nr_counters: number of general counters, 0 for SIM_PMU_FREE; @held: counters that are never
 *               available
 * @cpus: CPUs on which events count (core PMU), or content of the file cpumask (other PMUs)
 * @has_cpus: sysfs has a `cpus` file
 * @user_share: part of a count that happens in user space, 0 to 1
 * @hash_lo, @hash_hi: bounds of the rate of an event without a rule, in events per second
 * @max_precise: the largest precise_ip, from the file caps/max_precise; 0 without the file
 * @rdpmc: which programs may use RDPMC: 0 none, 1 those that have mapped an event, 2 all
 * @mediated_vpmu: the kernel gives running guests the counters, and refuses events that do not
 *                 exclude guests
 * @rdpmc_blind: events whose counters read as 0 by RDPMC, unless @rdpmc is 2
 * @precise: patterns of the events that can be precise; empty: all can
 * @lent:    patterns of the events that a host lets this guest count; empty: all
 * @locals: rates of events at places
 * @skid:    delay from an event to its sample, if not precise; @distances: times from issue to
 *           retirement
 * @maskable: the PMU's interrupts wait while interrupts are disabled
 * @retire_latency: precise samples have a retire latency
 * @asked: cached properties of events that were opened, see attr.c
 * @instance: number of the PMU among PMUs that one line declared
 * @late_percent: percentage of multiplexing turns that end late
 */
struct sim_pmu {
	const char *name;
	int type;
	enum sim_pmu_kind kind;
	struct cpulist cpus;
	bool has_cpus;
	int nr_counters, nr_fixed, instance;
	uint64_t held;
	int mux_interval_ms, late_percent;
	VEC(struct sim_field) fields;
	struct sim_files files;
	VEC(struct sim_constraint) constraints;
	VEC(struct sim_shared) shared;
	VEC(struct sim_starved) starved;
	VEC(struct sim_generic) generics;
	VEC(struct sim_var) vars;
	VEC(struct sim_rule) rules;
	VEC(struct sim_match) precise, lent;
	VEC(struct sim_latency) latencies;
	VEC(struct sim_local) locals;
	struct sim_skid skid;
	VEC(struct sim_distance) distances;
	bool maskable;
	int max_precise, rdpmc;
	bool retire_latency, mediated_vpmu;
	enum sim_blind rdpmc_blind;
	double user_share;
	struct sim_var hash_lo, hash_hi;
	struct sim_asked *asked;
};

/** struct sim_core - one physical core and its threads */
struct sim_core {
	struct cpulist cpus;
	int package, die, cluster, core;
};

/** struct sim_cache - one cache and the CPUs which share it */
struct sim_cache {
	int level;
	const char *type, *size;
	struct cpulist cpus;
};

/** struct sim_node - a NUMA node */
struct sim_node {
	int node;
	struct cpulist cpus;
};

/** struct sim_stop - a CPU on which a task stays for @ns before it moves to the next stop */
struct sim_stop {
	int cpu;
	uint64_t ns;
};

/**
 * struct sim_stay - a time spent in one column of the counting model
 * @column: number of the column; -1: the machine's phases apply
 * @place:  the index of the machine's place, or -1
 * @thread: number of the thread in the program, from 1 on
 * @spot:   number under which the program announced the place, or -1
 */
struct sim_stay {
	uint64_t ns;
	int column, place, thread, spot;
};

/**
 * struct sim_round - a sequence of stays that repeats
 * @ns: length of one repetition
 */
struct sim_round {
	VEC(struct sim_stay) stays;
	uint64_t ns;
};

/**
 * struct sim_script - places that programs go through as their CPU time passes, or that @cpus go
 * through by the clock
 */
struct sim_script {
	struct cpulist cpus;
	struct sim_round round;
};

/**
 * struct sim_place - a function's name, FILE:LINE or a file, with the column that applies at this
 * place
 * @missed, @found: a search for the place's code has failed; a search has succeeded
 */
struct sim_place {
	const char *name;
	int column;
	bool missed, found;
};

/**
 * struct sim_section - a section "at" of the file: a column for places
 * @name:   name of the first place
 * @user:   part of the time that is in user space
 * @masked: interrupts are disabled at these places
 */
struct sim_section {
	const char *name;
	int column;
	double user;
	bool masked;
};

/**
 * struct sim_own - a line of a section: the value of a quantity, or the rate of events
 * @pmu:  PMU of the events; NULL for a quantity
 * @name: name of the quantity, or pattern of the events
 * @line: line of the machine file
 * @used: a line or a PMU has used the value; @reported: a mistake in the line was reported
 */
struct sim_own {
	const char *pmu, *name, *formula;
	int section, line;
	bool used, reported;
};

/** struct sim_load - CPUs which count faster or slower than the others */
struct sim_load {
	struct cpulist cpus;
	double factor;
};

/** struct sim_soft - the rate of a software event on each CPU */
struct sim_soft {
	uint64_t config;
	struct sim_rate rate;
};

/**
 * struct sim_machine - a computer
 * @texts:    all texts of the machine, its PMUs and their events, owned
 * @phases:   the phases that the counting model repeats, which are the first columns
 * @phase_name: the phases' names, or NULL
 * @sections: sections "at", whose columns follow the columns of the phases
 * @places:  places in the order of the file; @owns: values and rates of the sections
 * @is_guest: the machine is virtual
 * @stagger_ns: time by which each CPU is ahead of CPU number - 1 in the cycle of phases, in ns
 */
struct sim_machine {
	VEC(char *) texts;
	const char *cpuid, *model_name;
	struct cpulist cpus, online;
	VEC(struct sim_core) cores;
	VEC(struct sim_cache) caches;
	VEC(struct sim_node) nodes;
	struct sim_files sysctls;
	VEC(struct sim_stop) stops;
	VEC(struct sim_load) loads;
	VEC(struct sim_soft) softs;
	VEC(struct sim_var) vars;
	VEC(struct sim_pmu) pmus;
	struct sim_round phases;
	const char *phase_name[SIM_MAX_PHASES];
	VEC(struct sim_section) sections;
	VEC(struct sim_place) places;
	VEC(struct sim_own) owns;
	VEC(struct sim_script) scripts;
	uint64_t stagger_ns;
	bool nmi_watchdog, is_guest;
	int paranoid;
};

/**
 * sim_machine__load() - read a machine file
 * @path: the file
 * @m:    filled on success; sim_machine__free() releases it
 * @err:  receives the file and line of a mistake
 *
 * Return: 0 or -errno.
 */
int sim_machine__load(const char *path, struct sim_machine *m, struct err *err);
/** sim_machine__nr_columns() - count the columns of the counting model. */
static inline int sim_machine__nr_columns(const struct sim_machine *m)
{
	return m->phases.stays.nr + m->sections.nr;
}
/** sim_machine__section() - get the section of a column; NULL for a phase. */
static inline const struct sim_section *sim_machine__section(const struct sim_machine *m,
							     int column)
{
	return column < m->phases.stays.nr ? NULL : &m->sections.at[column - m->phases.stays.nr];
}
/** sim_machine__place() - find a place by name. Return: its index, or -1. */
int sim_machine__place(const struct sim_machine *m, const char *name);
/** sim_machine__stay() - make a stay without length at a place; -1 for no place. */
struct sim_stay sim_machine__stay(const struct sim_machine *m, int place);
/** sim_machine__script() - find the script of a CPU, or with -1 of tasks; or NULL. */
const struct sim_script *sim_machine__script(const struct sim_machine *m, int cpu);
/** sim_machine__free() - free the members of a machine. */
void sim_machine__free(struct sim_machine *m);

/** sim_machine__pmu_by_type() - find the PMU of a perf_event_attr.type, or NULL. */
struct sim_pmu *sim_machine__pmu_by_type(struct sim_machine *m, uint32_t type);
/** sim_machine__pmu_by_name() - find the PMU of a name, or NULL. */
struct sim_pmu *sim_machine__pmu_by_name(struct sim_machine *m, const char *name);
/** sim_machine__core_pmu() - find the core PMU of a CPU, or with -1 the first core PMU; or NULL. */
struct sim_pmu *sim_machine__core_pmu(struct sim_machine *m, int cpu);
/** sim_machine__core_of() - find the core of a CPU, or NULL. */
const struct sim_core *sim_machine__core_of(const struct sim_machine *m, int cpu);
/**
 * sim_machine__sysctl() - get a number of /proc/sys/kernel; @otherwise if the machine file does not
 * set it.
 */
uint64_t sim_machine__sysctl(const struct sim_machine *m, const char *name, uint64_t otherwise);
/** sim_machine__load_of() - find the factor by which a CPU's counts are scaled. */
double sim_machine__load_of(const struct sim_machine *m, int cpu);

/** sim_pmu__init() - make an empty PMU with the defaults of the file format. */
void sim_pmu__init(struct sim_pmu *pmu);
/** sim_pmu__free() - free the members of a PMU. */
void sim_pmu__free(struct sim_pmu *pmu);

/**
 * sim_pmu__add_field() - declare a format term
 * @name:   not copied
 * @format: as in sysfs: "config:0-7,32-35"; not copied
 *
 * Return: 0 or -errno.
 */
int sim_pmu__add_field(struct sim_pmu *pmu, const char *name, const char *format, struct err *err);
/**
 * sim_pmu__field() - find the format term named by @len bytes of a text. Return: its number, or -1.
 */
int sim_pmu__field(const struct sim_pmu *pmu, const char *text, size_t len);
/** sim_field__get() - get a field's value from a config. */
uint64_t sim_field__get(const struct sim_field *field, const struct sim_config *config);
/**
 * sim_field__set() - put a value into a config. Return: 0, or -ERANGE if the value does not fit.
 */
int sim_field__set(const struct sim_field *field, uint64_t value, struct sim_config *config);

/**
 * sim_match__parse() - read a pattern: "event=0xa3,umask=0x4", "event=0x1-0x8f", "umask=*"
 * @match: filled on success
 *
 * Return: 0 or -errno.
 */
int sim_match__parse(const struct sim_pmu *pmu, const char *text, struct sim_match *match,
		     struct err *err);
/** sim_match__config() - make the config of a pattern without ranges. Return: 0 or -errno. */
int sim_match__config(const struct sim_pmu *pmu, const struct sim_match *match,
		      struct sim_config *config, struct err *err);
/**
 * sim_pmu__matches() - find out whether an event matches a pattern
 * @exact: fields which the pattern does not name must be 0
 */
bool sim_pmu__matches(const struct sim_pmu *pmu, const struct sim_match *match, bool exact,
		      const struct sim_config *config);
/** sim_pmu__can_be_precise() - find out whether an event can have precise samples. */
bool sim_pmu__can_be_precise(const struct sim_pmu *pmu, const struct sim_config *config);
/** sim_pmu__latency() - find the retire latency of an event; NULL if the file has none. */
const struct sim_latency *sim_pmu__latency(const struct sim_pmu *pmu,
					   const struct sim_config *config);

/**
 * sim_pmu__distance() - find how long before retirement an event happens; NULL if it happens at
 * retirement.
 */
const struct sim_distance *sim_pmu__distance(const struct sim_pmu *pmu,
					     const struct sim_config *config);

#endif
