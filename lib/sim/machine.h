/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A simulated computer is what its file describes. In comes the file's path; out comes struct
 * sim_machine: CPUs, PMUs, and how fast each event counts.
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
#define SIM_MAX_COLUMNS (SIM_MAX_PHASES + SIM_MAX_SECTIONS) /* in this order */
#define SIM_CONFIG_WORDS 4 /* they are config, config1, config2 and config3 */
#define SIM_MAX_RANGES 8

/*
 * Counters are bits of one mask: general ones from bit 0, then fixed ones and TopDown metric
 * events.
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

/** struct sim_field - a term of a PMU's format directory, from its lowest bits up; @all bits */
struct sim_field {
	const char *name, *format;
	struct sim_bits bits[4];
	int nr_bits;
	struct sim_config all;
};

/** struct sim_term - a field and the values it may have, both ends included */
struct sim_term {
	int field;
	uint64_t lo, hi;
};

/**
 * struct sim_match - a pattern over events: all terms hold; see sim_pmu__matches()
 * @fixed, @value: bits of the terms that have one value, and that value
 * @named:  bits of all terms
 * @ranges: the terms that have several values
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

/** struct sim_files - several of them */
struct sim_files {
	struct sim_sysfs *at;
	int nr, cap;
};

/**
 * struct sim_constraint - the counters that the events of a pattern may use
 * @mask:  bits of counters
 * @exact: fields that the pattern does not name must be 0
 * @slots: the event leads TopDown metric events
 * @pair:  it takes another general counter beside its own
 */
struct sim_constraint {
	struct sim_match match;
	uint64_t mask;
	bool exact, slots, pair;
};

/**
 * struct sim_shared - events which share registers, so only so many values of config1 at once
 * @name:  of the registers; patterns of the same name share them
 * @valid: bits of config1 that may be set
 */
struct sim_shared {
	struct sim_match match;
	const char *name;
	int registers;
	uint64_t valid;
};

/**
 * struct sim_starved - groups that the kernel takes and never schedules
 * @match: they have an event of this pattern
 * @mask:  and are scheduled only if these counters, fixed ones and those of metrics suffice
 */
struct sim_starved {
	struct sim_match match;
	uint64_t mask;
};

/**
 * struct sim_latency - the retire latency of the events of a pattern
 * @cycles: the mean in each column
 * @spread: how far samples are from it at most, as a part of it
 */
struct sim_latency {
	struct sim_match match;
	double cycles[SIM_MAX_COLUMNS];
	double spread;
};

/**
 * struct sim_generic - the event that one of PERF_TYPE_HARDWARE or PERF_TYPE_HW_CACHE stands for
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

/** struct sim_local - the rate of the events of a pattern in one column, whatever the rules say */
struct sim_local {
	struct sim_match match;
	int column;
	uint64_t per_ns;
};

/**
 * struct sim_skid - how far samples are from their events, at each of which it is another
 * @mean, @spread: in ns; evenly spread, at most so far from the mean
 */
struct sim_skid {
	double mean, spread;
};

/**
 * struct sim_distance - events that happen when an operation is issued, so long before it retires
 */
struct sim_distance {
	struct sim_match match;
	struct sim_skid skid;
};

enum sim_pmu_kind {
	SIM_PMU_CORE,	/* it counts on the CPU the event is opened on, and for tasks */
	SIM_PMU_UNCORE, /* it counts for a package; it knows no tasks and no exclude bits */
	SIM_PMU_FREE,	/* it always counts; an event may be a member of any group (msr) */
};

/* RDPMC gives 0 for the counters of these events. */
enum sim_blind { SIM_BLIND_NONE, SIM_BLIND_WIDE, SIM_BLIND_ALL };

/**
 * struct sim_pmu - one PMU
 * @nr_counters: general counters; 0 on a SIM_PMU_FREE one; @held: those others hold at all times
 * @cpus: where its events count (core) or are opened (cpumask of the others)
 * @has_cpus: sysfs has a `cpus` file
 * @user_share: part of a count that is user space's, 0 to 1
 * @hash_lo, @hash_hi: bounds of the rate of an event without a rule, in events per second
 * @max_precise: the largest precise_ip, that of the file caps/max_precise; 0 without it
 * @rdpmc: who may use the RDPMC instruction: 0 nobody, 1 who has mapped an event, 2 everybody
 * @mediated_vpmu: a virtual machine has the counters while its guests run
 * @rdpmc_blind: for whose events RDPMC gives 0 as long as @rdpmc is not 2
 * @precise: patterns of the events that can be precise; all when there are none
 * @lent:    patterns of the events that count, where a host lends but these; else none
 * @locals: rates at places
 * @skid:    from an event to its sample, but for precise ones; @distances: from issue to retirement
 * @maskable: its interrupts wait where interrupts are off
 * @retire_latency: its precise samples have a retire latency
 * @asked: what was found out of events that were opened, see attr.c
 * @instance: number of a PMU that was declared as one of several
 * @late_percent: so many of a hundred turns end late
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

/** struct sim_stop - a task stays on a CPU for so long, and goes on to the next stop */
struct sim_stop {
	int cpu;
	uint64_t ns;
};

/**
 * struct sim_stay - so long in one column
 * @column: -1 where time leads through the phases
 * @place:  the number of the place, or -1
 * @thread: of the program, counted from 1
 * @spot:   the number that the program has given the place, or -1; see sim/announced.h
 */
struct sim_stay {
	uint64_t ns;
	int column, place, thread, spot;
};

/** struct sim_round - stays one after another, over and over; @ns: of one time round */
struct sim_round {
	VEC(struct sim_stay) stays;
	uint64_t ns;
};

/** struct sim_script - where programs are, by their CPU time; or these @cpus, by the clock */
struct sim_script {
	struct cpulist cpus;
	struct sim_round round;
};

/**
 * struct sim_place - a function's name, FILE:LINE or a file, and the column that holds there
 * @missed, @found: its code was looked for, without and with success
 */
struct sim_place {
	const char *name;
	int column;
	bool missed, found;
};

/**
 * struct sim_section - a section at: a column of places
 * @name:   its first place
 * @user:   part of its time in user space
 * @masked: interrupts are off
 */
struct sim_section {
	const char *name;
	int column;
	double user;
	bool masked;
};

/**
 * struct sim_own - what a section says of a quantity, or of the rate of events
 * @pmu:  of events; NULL for a quantity
 * @name: of the quantity, or the events
 * @line: of its file
 * @used: a line or a PMU has asked for it; @told: a mistake in it was
 */
struct sim_own {
	const char *pmu, *name, *formula;
	int section, line;
	bool used, told;
};

/** struct sim_load - CPUs which count faster or slower than the others */
struct sim_load {
	struct cpulist cpus;
	double factor;
};

/** struct sim_soft - the rate of a software event, per second and CPU */
struct sim_soft {
	uint64_t config;
	struct sim_rate rate;
};

/**
 * struct sim_machine - a computer
 * @texts:    owned: all texts of the machine, its PMUs and their events
 * @phases:   which the counting model goes through, over and over; their columns are the first
 * @phase_name: their names, or NULL
 * @sections: each gives a column, after those of the phases
 * @places:  in the order of the file; @owns: what the sections say
 * @is_guest: a virtual machine
 * @stagger_ns: how much later each CPU is in that cycle than the one before it
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
 * @m:    filled on success; sim_machine__free() it
 * @err:  names the file and line of a mistake
 *
 * Return: 0 or -errno.
 */
int sim_machine__load(const char *path, struct sim_machine *m, struct err *err);
/** sim_machine__nr_columns() - how many columns the counting model has. */
static inline int sim_machine__nr_columns(const struct sim_machine *m)
{
	return m->phases.stays.nr + m->sections.nr;
}
/** sim_machine__section() - the section of a column, or NULL for a phase. */
static inline const struct sim_section *sim_machine__section(const struct sim_machine *m,
							     int column)
{
	return column < m->phases.stays.nr ? NULL : &m->sections.at[column - m->phases.stays.nr];
}
/** sim_machine__place() - the number of the place of a name, or -1. */
int sim_machine__place(const struct sim_machine *m, const char *name);
/** sim_machine__stay() - a stay of a place. */
struct sim_stay sim_machine__stay(const struct sim_machine *m, int place);
/** sim_machine__script() - the script of a CPU, or of tasks for -1; NULL without one. */
const struct sim_script *sim_machine__script(const struct sim_machine *m, int cpu);
/** sim_machine__free() - release what a machine holds. */
void sim_machine__free(struct sim_machine *m);

/** sim_machine__pmu_by_type() - the PMU of a perf_event_attr.type, or NULL. */
struct sim_pmu *sim_machine__pmu_by_type(struct sim_machine *m, uint32_t type);
/** sim_machine__pmu_by_name() - the PMU of a name, or NULL. */
struct sim_pmu *sim_machine__pmu_by_name(struct sim_machine *m, const char *name);
/** sim_machine__core_pmu() - the first core PMU that has a CPU, or of all for -1; or NULL. */
struct sim_pmu *sim_machine__core_pmu(struct sim_machine *m, int cpu);
/** sim_machine__core_of() - the core a CPU is a thread of, or NULL. */
const struct sim_core *sim_machine__core_of(const struct sim_machine *m, int cpu);
/** sim_machine__sysctl() - a number in /proc/sys/kernel, @otherwise when the file says none. */
uint64_t sim_machine__sysctl(const struct sim_machine *m, const char *name, uint64_t otherwise);
/** sim_machine__load_of() - the factor by which the CPU's counts are scaled. */
double sim_machine__load_of(const struct sim_machine *m, int cpu);

/** sim_pmu__init() - an empty PMU with the defaults of the file format. */
void sim_pmu__init(struct sim_pmu *pmu);
/** sim_pmu__free() - release what a PMU holds. */
void sim_pmu__free(struct sim_pmu *pmu);

/**
 * sim_pmu__add_field() - declare a format term
 * @name:   not copied
 * @format: as in sysfs: "config:0-7,32-35"; not copied
 *
 * Return: 0 or -errno.
 */
int sim_pmu__add_field(struct sim_pmu *pmu, const char *name, const char *format, struct err *err);
/** sim_pmu__field() - the number of the format term whose name is @len bytes of a text, or -1. */
int sim_pmu__field(const struct sim_pmu *pmu, const char *text, size_t len);
/** sim_field__get() - a field's value in a config. */
uint64_t sim_field__get(const struct sim_field *field, const struct sim_config *config);
/** sim_field__set() - put a value into a config. Return: 0 or -ERANGE when it does not fit. */
int sim_field__set(const struct sim_field *field, uint64_t value, struct sim_config *config);

/**
 * sim_match__parse() - read a pattern: "event=0xa3,umask=0x4", "event=0x1-0x8f", "umask=*"
 * @match: filled on success
 *
 * Return: 0 or -errno.
 */
int sim_match__parse(const struct sim_pmu *pmu, const char *text, struct sim_match *match,
		     struct err *err);
/** sim_match__config() - the config of a pattern which has no ranges. Return: 0 or -errno. */
int sim_match__config(const struct sim_pmu *pmu, const struct sim_match *match,
		      struct sim_config *config, struct err *err);
/**
 * sim_pmu__matches() - whether an event is one of a pattern's
 * @exact: fields which the pattern does not name must be 0
 */
bool sim_pmu__matches(const struct sim_pmu *pmu, const struct sim_match *match, bool exact,
		      const struct sim_config *config);
/** sim_pmu__can_be_precise() - whether an event can have precise samples. */
bool sim_pmu__can_be_precise(const struct sim_pmu *pmu, const struct sim_config *config);
/** sim_pmu__latency() - the retire latency of an event, or NULL when the file gives none. */
const struct sim_latency *sim_pmu__latency(const struct sim_pmu *pmu,
					   const struct sim_config *config);

/** sim_pmu__distance() - how far an event is from its retirement, or NULL. */
const struct sim_distance *sim_pmu__distance(const struct sim_pmu *pmu,
					     const struct sim_config *config);

#endif
