/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Events, from their texts to the attributes that the kernel gets.
 *
 * The input is the text of -e, or names in a metric's expression, and a scope: the machine's PMUs
 * and the vendor's tables. The output is a list of struct event, in groups that the kernel accepts.
 * Each event has its encoding (perf_event_attr), its CPUs, its scale and unit, and whether it is
 * one of TopDown's (events/topdown.h). Errors name the place in the text and similar names. No
 * event is opened here.
 */
#ifndef TMA_EVENTS_EVENTS_H
#define TMA_EVENTS_EVENTS_H

#include <stdbool.h>
#include <linux/perf_event.h>

#include "base/cpulist.h"
#include "base/sb.h"
#include "events/topdown.h"
#include "machine/gauge.h"
#include "machine/machine.h"
#include "tables/tables.h"

/*
 * Events that the program counts itself, without the kernel. From EVENT_HAS_PMEM on they are facts
 * of the computer and of the run, which formulas have as literals (#num_cpus); the last,
 * EVENT_GAUGE, are values that the kernel provides in files.
 */
enum event_tool {
	EVENT_TOOL_NONE,
	EVENT_DURATION_TIME, /* ns of the row */
	EVENT_USER_TIME,     /* ns in user space of the workload, or of all CPUs */
	EVENT_SYSTEM_TIME,
	EVENT_HAS_PMEM,
	EVENT_NUM_CORES,
	EVENT_NUM_CPUS,
	EVENT_NUM_CPUS_ONLINE,
	EVENT_NUM_DIES,
	EVENT_NUM_PACKAGES,
	EVENT_SLOTS,
	EVENT_SMT_ON,
	EVENT_SYSTEM_TSC_FREQ,
	EVENT_CORE_WIDE,
	EVENT_TARGET_CPU,
	EVENT_GAUGE, /* a value in a file, event->gauge */
	EVENT_TOOL_NR,
};

/** event_tool__is_fact() - find out whether it is a fact, which a run does not change. */
static inline bool event_tool__is_fact(enum event_tool tool)
{
	return tool >= EVENT_HAS_PMEM && tool < EVENT_GAUGE;
}

/** event_tool__is_state() - find out whether it is a state, not a count: a fact or a gauge. */
static inline bool event_tool__is_state(enum event_tool tool)
{
	return tool >= EVENT_HAS_PMEM;
}

/** event_tool__is_once() - find out whether a run has one value of it, not each CPU or thread. */
static inline bool event_tool__is_once(enum event_tool tool)
{
	return tool == EVENT_DURATION_TIME || event_tool__is_state(tool);
}

/*
 * Events that the kernel has numbers of its own for, whether the user named these or names in
 * sysfs. Ratios that need no table are computed from them.
 */
enum event_kind {
	EVENT_KIND_NONE,
	EVENT_KIND_NSECS, /* cpu-clock and task-clock */
	EVENT_KIND_CYCLES,
	EVENT_KIND_INSTRUCTIONS,
	EVENT_KIND_STALLED_FRONT,
	EVENT_KIND_STALLED_BACK,
	EVENT_KIND_BRANCHES,
	EVENT_KIND_BRANCH_MISSES,
	EVENT_KIND_CACHE_REFS,
	EVENT_KIND_CACHE_MISSES,
	EVENT_KIND_L1D,
	EVENT_KIND_L1I,
	EVENT_KIND_LL,
	EVENT_KIND_DTLB,
	EVENT_KIND_ITLB,
	EVENT_KIND_L1D_MISSES,
	EVENT_KIND_L1I_MISSES,
	EVENT_KIND_LL_MISSES,
	EVENT_KIND_DTLB_MISSES,
	EVENT_KIND_ITLB_MISSES,
	EVENT_KIND_INBOUND_READ, /* these four pass a PCIe root port; lib/run/iostat.c sets them */
	EVENT_KIND_INBOUND_WRITE,
	EVENT_KIND_OUTBOUND_READ,
	EVENT_KIND_OUTBOUND_WRITE,
	EVENT_KIND_NR,
};

/**
 * struct event - an event to be counted, with all names it is known by
 * @name:      for printing alone, in perf's spelling: what the user wrote, with its modifiers;
 *             "cpu_core/cycles/" for a name that became one event per PMU
 * @bare:      @name without its PMU ("cycles:u" of "cpu_core/cycles/u"); NULL where it has none
 * @terms:     the terms that were encoded, including those of a named event, in one form and in
 *             the order of their names: "cmask=0x1,event=0xc4,umask=0x20"; "" for none
 * @table_event: its number in the tables it was parsed with (tables__event()), or -1
 * @kind:      which of the kernel's own events it is; EVENT_KIND_NONE for a latency
 * @id:        the text a metric knows it by ("cpu@EV\,cmask\=1@" as the expression has it); NULL
 *             for an event the user asked for
 * @tool:      counted by the program, or EVENT_TOOL_NONE
 * @gauge:     (EVENT_GAUGE) owned by the machine; NULL in a recording
 * @pmu:       NULL for the program's own and for hardware/raw events of a machine without core PMU
 * @attr:      type, config*, exclude_*, precise_ip, pinned, exclusive; sample_period is 0.
 *             lib/count sets the rest (read_format, disabled, inherit, ...)
 * @cpus:      CPUs it is opened on system-wide: those of its PMU (online ones), or its cpu= term
 * @any_cpu:   no CPU list of its own: software and other events which count on any CPU they are
 *             opened on
 * @requires_cpu: cannot count a task (uncore)
 * @scale, @unit: a count is printed multiplied by @scale, in @unit; 1 and "" by default
 * @per_pkg:   one CPU of each package counts for all of it
 * @snapshot:  the value is a state, not a count: intervals print it as read
 * @merge:     one of several instances whose counts are added in print (uncore boxes, same name)
 * @first:     for @merge: the first of its instances; else the event itself
 * @leader:    first event of its group; itself when alone
 * @nr_members: for a leader: events in the group including itself; 1 when alone
 * @stays:     (:X) it is not moved: neither to another group nor within its own
 * @weak:      (leader) if the kernel refuses the group, it is taken apart
 * @retire_latency: (:R) it is not counted; its value is a latency
 * @sampled:   (@retire_latency) it is measured by sampling; without that, or without a sample, its
 *             value is @vendor_latency
 * @bpf:       (:b, --bpf-counters, -b) BPF programs read it
 * @percore:   (term percore) with -A the threads of a core are added up
 * @topdown:   whether it is slots or a TopDown metric event, and which: events/topdown.h
 * @tracepoint: "sched:sched_switch", whatever @name is; or NULL
 * @filter:    of the tracepoint, or NULL
 * @cgroup:    only tasks in it are counted, or NULL; owned by the code that set it
 * @port:      the PCIe root port that it counts at (--iostat), or NULL; owned as @cgroup
 * @index:     place in the list; columns of counts have this order
 * @from_metric: added for a metric, so that a refusal by the kernel is not fatal
 * @default_group: belongs to the default metric group of a run without -e or -M
 * @with_count: (@default_group) its count is printed before the metric that is printed with it
 * @config_name: @name was given with name= in PMU terms and is printed unchanged everywhere
 * @unknown_code: (events_scope.by_name) attr does not say which event it is
 * @precise_max: (modifier P) if sampled, as precisely as possible; does not change a count
 * @exclude_gh, @mergeable: for the files of lib/events
 */
struct event {
	char *name, *bare, *terms, *id;
	int table_event;
	enum event_kind kind;
	enum event_tool tool;
	const struct gauge *gauge;
	struct pmu *pmu;
	struct perf_event_attr attr;
	struct cpulist cpus;
	bool any_cpu, requires_cpu;
	double scale;
	char *unit;
	bool per_pkg, snapshot, merge;
	struct event *first;
	struct event *leader;
	int nr_members;
	struct vendor_latency vendor_latency;
	bool weak, stays, retire_latency, sampled, bpf, percore, from_metric, default_group,
		with_count;
	enum topdown topdown;
	char *tracepoint, *filter;
	const struct cgroup *cgroup;
	const char *port;
	bool config_name, unknown_code, precise_max, exclude_gh, mergeable;
	int index;
};

/** event__is_further_instance() - find out whether it is added to the first of its instances. */
static inline bool event__is_further_instance(const struct event *e)
{
	return e->merge && e->first && e->first != e;
}

/**
 * event__compare() - order events for sorting; 0 for events that count the same, on the same CPUs
 * and in the same cgroup, whatever their names are
 */
int event__compare(const struct event *a, const struct event *b);

/** event__is_of_core() - find out whether a core PMU counts it. */
static inline bool event__is_of_core(const struct event *e)
{
	return e->pmu && e->pmu->is_core;
}

/** event__is_of_tasks() - find out whether a task can have a value of it, not only a run or CPU. */
static inline bool event__is_of_tasks(const struct event *e)
{
	return !e->requires_cpu &&
	       (!event_tool__is_once(e->tool) || (e->gauge && gauge__is_of_tasks(e->gauge)));
}

/**
 * event__runs_always() - find out whether it cannot be 0 if a core executed anything: cycles by any
 * name, instructions, slots, and their shares at level 1 of TopDown
 */
bool event__runs_always(const struct event *e);
/** event__counts_slots() - find out whether it counts slots, or is a TopDown metric event. */
bool event__counts_slots(const struct event *e);
/**
 * event__needs_register() - find out whether it needs another register than its counter's:
 * MSR_PEBS_FRONTEND, an MSR_OFFCORE_RSP or MSR_PEBS_LD_LAT. A host may not give these to a virtual
 * machine; then the event stays at 0.
 */
bool event__needs_register(const struct event *e);

/** event__is_precise() - find out whether it can only be sampled, so that no kernel counts it. */
static inline bool event__is_precise(const struct event *e)
{
	return e->attr.precise_ip && event__is_of_core(e) && !e->retire_latency;
}

/**
 * event__is_any_thread() - find out whether it counts for all threads of a core (PMU term "any")
 *
 * This exists before Ice Lake. Because it reveals the work of others, Linux lets users count it
 * only at kernel.perf_event_paranoid 0 or with CAP_PERFMON, even for their own tasks.
 */
bool event__is_any_thread(const struct event *e);

/**
 * struct event_list - events in printing order; events of a group are next to each other
 * @at, @nr:   the events, owned by the list
 * @warnings:  lines for the user that are not errors ("events were grouped anew ..."), each with
 *             its newline
 */
struct event_list {
	struct event **at;
	int nr, cap;
	struct sb warnings;
};

#define EVENT_LIST_INIT { .at = NULL }

/**
 * struct events_scope - where names are looked up
 * @machine: its PMUs
 * @tables:  the vendor's events; NULL if there are none for the CPU
 * @pmu_filter: PMU that names without a PMU are limited to (--pmu-filter, --cputype), or NULL
 * @filters_cores: that is a limit for core PMUs alone (--cputype)
 * @core: another such limit to one core PMU, set by the code, or NULL
 * @by_name: (recordings) any name is accepted, as the recorded computer knew it; the event's code
 *           may be unknown
 * @joins_pmus: counts of one name are added over all PMUs that have it, and modifiers are inside
 *              the slashes ("cpu_core/cycles:u/"), as in perf 6.12
 * @names_modes: names of cache events have their modifiers, as in perf 7, unlike 6.12
 */
struct events_scope {
	struct machine *machine;
	const struct tables *tables;
	const char *pmu_filter, *core;
	bool filters_cores, by_name, joins_pmus, names_modes;
};

/**
 * events__parse() - make events of the text of one -e option
 * @text: "cycles,{instructions,branches}:u,cpu_core/event=0x3c,umask=1/k"
 * @list: appended to; unchanged on failure
 *
 * A name without PMU becomes one event for each core PMU that has it, in the machine's order. A
 * group across PMUs is split with a warning. On PMUs with TopDown metric events, slots comes first
 * in a group, then topdown-*. TopDown events outside of groups are collected in weak groups, one
 * for each set of modes (u, k).
 *
 * Return: 0; -EINVAL with a caret under the place and the nearest names; -ENOENT for an event
 * this machine does not have.
 */
int events__parse(const struct events_scope *scope, const char *text, struct event_list *list,
		  struct err *err);

/**
 * events__item_len() - count the bytes of the first event or group of a list, up to a comma
 * @text: as in events__parse(); its names need not be known, nor its braces match
 */
int events__item_len(const char *text);

/**
 * events__parse_pfm() - make events of names of libpfm4, which is loaded
 * @text: "inst_retired:any_p:u:c=1:i,{perf::CPU-CLOCK,perf::PAGE-FAULTS}"
 *
 * Names are looked up for the CPU that libpfm4 detects, even with a simulated machine, or that the
 * environment selects (LIBPFM_FORCE_PMU=skx).
 *
 * Return: as events__parse(); -ELIBACC without libpfm4, -ENOTSUP if it knows no PMU.
 */
int events__parse_pfm(const struct events_scope *scope, const char *text, struct event_list *list,
		      struct err *err);

/**
 * events__join_topdown() - make TopDown metric events countable, once all texts are parsed
 * @list: its TopDown events outside of groups are put into groups, also those of other texts; slots
 *        is added as leader where it is missing, with a warning
 */
void events__join_topdown(const struct events_scope *scope, struct event_list *list);

/** events__id_text() - append an id as -e has it: "cpu/EV,cmask=1/u" for "cpu@EV\,cmask\=1@u". */
void events__id_text(const char *id, const char *modifier, struct sb *out);
/** events__is_topdown_share() - find out by its name whether an id is a TopDown metric event. */
bool events__is_topdown_share(const char *id);
/**
 * events__topdown_correction() - find out whether an id is an event that only corrects these shares
 *
 * INT_MISC.UOP_DROPPING and INT_MISC.CLEARS_COUNT count slots that the metric events attribute to
 * the wrong share, usually some tenths of a percent.
 *
 * Return: its name; NULL for any other id.
 */
const char *events__topdown_correction(const char *id);

/**
 * events__parse_ids() - make the events of one metric group
 * @ids:  names as metric expressions have them ("INST_RETIRED.ANY", "EV:u",
 *        "cpu_core@EV\,cmask\=1@"), in the order they are to be opened; each resulting event
 *        keeps its own as event->id
 * @nr:   how many
 * @modifier: appended to each ("u"), or NULL
 * @group: make them one weak group; tool events come after it, outside
 * @list: appended to; unchanged on failure
 *
 * The rules of events__parse() on PMUs and TopDown order apply, and those of
 * events__join_topdown().
 *
 * Return: 0; -ENOENT naming the id that this machine does not have; -EINVAL.
 */
int events__parse_ids(const struct events_scope *scope, const char *const *ids, int nr,
		      const char *modifier, bool group, struct event_list *list, struct err *err);

/**
 * events__parse_id() - make the events of one id, or of one name as recordings have it
 *
 * Like events__parse_ids(), but they are not grouped, and slots is not added.
 */
int events__parse_id(const struct events_scope *scope, const char *id, const char *modifier,
		     struct event_list *list, struct err *err);

/**
 * events__group_ids() - group events that were parsed one by one, as events__parse_ids() does
 * @list: the events of events__parse_id(), or copies of them, one id after the other; tool events
 *        come last
 */
void events__group_ids(const struct events_scope *scope, bool group, struct event_list *list);

/** event__new() - make an event of no PMU with perf's defaults. */
struct event *event__new(void);
/** event__free() - free an event that is not in a list; NULL is allowed. */
void event__free(struct event *e);
/** event__copy() - make a copy, with the same leader and first instance. */
struct event *event__copy(const struct event *e);
/** event__set_text() - replace a text owned by an event (or the like) by a copy of @value. */
void event__set_text(char **text, const char *value);
/** event__same_terms() - find out whether two events have the same terms, whatever their PMUs. */
bool event__same_terms(const struct event *a, const struct event *b);
/** event__modes() - get the modes (user, kernel ...) it does not count, a bit each. */
unsigned int event__modes(const struct event *e);
/** event__set_modes() - make an event count the modes that another does. */
void event__set_modes(struct event *e, const struct event *from);
/** event__is_software() - find out whether it counts without hardware. */
bool event__is_software(const struct event *e);
/** event__set_kind() - set e->kind by its attributes, unless a name of sysfs has done so. */
void event__set_kind(struct event *e);
/**
 * event__same_code() - find out whether two core events program the same code into a counter
 * @cpuid: id of the CPU; how the kernel programs its own events depends on it
 */
bool event__same_code(const struct event *a, const struct event *b, const char *cpuid);
/** event_list__push() - hand an event over to a list. */
void event_list__push(struct event_list *list, struct event *e);
/**
 * events__check_modifiers() - check that letters are modifiers that an event may have
 * @text:   text of the user; the letters go from @column to its end
 *
 * Return: 0, or -EINVAL naming the letter that is not a modifier or is repeated.
 */
int events__check_modifiers(const char *text, int column, struct err *err);
/** events__exists() - find out whether this machine has the event of an id (has_event()). */
bool events__exists(const struct events_scope *scope, const char *id);
/**
 * events__describe_absence() - append why this machine does not have the event of a metric's id
 * @out: appended to: "no PMU uncore_irp", "PMU cpu has no term or event 'x'"; unchanged if there is
 *       no more to say than that the name is unknown
 */
void events__describe_absence(const struct events_scope *scope, const char *id, struct sb *out);
/** events__is_kernel_name() - find out whether the kernel itself has an event of that name. */
bool events__is_kernel_name(const char *name);
/**
 * events__tool() - find the event of that name that the program counts, or EVENT_TOOL_NONE
 * @name: "duration_time", in any case, or with its PMU: "tool/duration_time/", "tool@num_cpus@".
 *        "slots" needs its PMU, since core PMUs have an event of that name.
 */
enum event_tool events__tool(const char *name);
/** events__recorded_tool() - events__tool() for a recorded event; finds gauges by name and unit. */
enum event_tool events__recorded_tool(const char *name, const char *unit);
/** events__tool_name() - get the name of one of the program's own events, without PMU. */
const char *events__tool_name(enum event_tool tool);
/** event__set_tool() - make an event one of the program's own, with its unit. */
void event__set_tool(struct event *e, enum event_tool tool);
/** event_list__splice() - move all events of @from to the end of @list; @from is empty then. */
void event_list__splice(struct event_list *list, struct event_list *from);
/**
 * event_list__copy() - append copies of some events of a list
 * @from: may be @list; its events have their place in it as their index
 * @first, @end: copy from @first on, before @end; leaders and first instances must be in the range
 */
void event_list__copy(struct event_list *list, const struct event_list *from, int first, int end);
/** event_list__free() - release the events and the list. */
void event_list__free(struct event_list *list);
/** events__suggest() - offer every event name this machine has to @s. */
void events__suggest(const struct events_scope *scope, struct suggest *s);
/**
 * event__unique_name() - print the name with its PMU, as -A shows it
 *
 * "uncore_imc/cas_count_read/" of an instance is "uncore_imc_0/cas_count_read/", another
 * "task-clock [software]"; of a hybrid core PMU a name has its PMU already.
 *
 * Return: length, as snprintf().
 */
int event__unique_name(const struct event *e, char *buf, int size);
/**
 * event__name_of_perf7() - print the name with its PMU, as -A of perf 7 shows it
 *
 * "inst_retired.any:u" is "cpu/inst_retired.any/u", "duration_time" is "tool/duration_time/"; the
 * kernel's own names stay as they are.
 *
 * Return: length, as snprintf().
 */
int event__name_of_perf7(const struct event *e, char *buf, int size);
/** event__counts_cycles() - find out whether it counts all cycles of a core. */
bool event__counts_cycles(const struct event *e);
/** event__is_clock() - find out whether it is cpu-clock or task-clock, which count ns. */
bool event__is_clock(const struct event *e);

#endif
