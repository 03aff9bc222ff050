/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Events, from their texts to the attributes that the kernel gets.
 *
 * The input is the text of -e, or names in a metric's expression, and a scope: the machine's PMUs
 * and the vendor's tables. The output is a list of struct event, in groups that the kernel accepts.
 * Each event has its encoding (perf_event_attr), its CPUs, its scale and unit, and its TopDown kind
 * (events/topdown.h). Error messages show the place in the text, and similar names. No event is
 * opened here.
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
 * Events that the program counts itself, without the kernel. Those from EVENT_HAS_PMEM on are facts
 * of the computer and of the run, which formulas have as literals (#num_cpus). The last,
 * EVENT_GAUGE, stands for values that the kernel provides in files.
 */
enum event_tool {
	EVENT_TOOL_NONE,
	EVENT_DURATION_TIME, /* ns that the row lasts */
	EVENT_USER_TIME,     /* ns in user space, of the workload or of all CPUs */
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

/** event_tool__is_fact() - find out whether an event is a fact, which a run does not change. */
static inline bool event_tool__is_fact(enum event_tool tool)
{
	return tool >= EVENT_HAS_PMEM && tool < EVENT_GAUGE;
}

/**
 * event_tool__is_state() - find out whether an event is a state, not a count: a fact or a gauge.
 */
static inline bool event_tool__is_state(enum event_tool tool)
{
	return tool >= EVENT_HAS_PMEM;
}

/**
 * event_tool__is_once() - find out whether an event has one value in a run, not one per CPU or
 * thread.
 */
static inline bool event_tool__is_once(enum event_tool tool)
{
	return tool == EVENT_DURATION_TIME || event_tool__is_state(tool);
}

/*
 * Events for which the kernel has its own numbers, whether the user wrote the kernel's names or
 * names in sysfs. Ratios that need no table are computed from these events.
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
	EVENT_KIND_INBOUND_READ, /* four kinds of PCIe traffic; see lib/run/iostat.c */
	EVENT_KIND_INBOUND_WRITE,
	EVENT_KIND_OUTBOUND_READ,
	EVENT_KIND_OUTBOUND_WRITE,
	EVENT_KIND_NR,
};

/**
 * struct event - an event to be counted, with all its names
 * @name:      name in messages, in perf's spelling: what the user wrote, with its modifiers;
 *             "cpu_core/cycles/" for a name that became one event per PMU
 * @bare:      @name without the PMU ("cycles:u" of "cpu_core/cycles/u"); NULL if @name has no PMU
 * @terms:     the terms that were encoded, including those of a named event, in a normal form
 *             sorted by their names: "cmask=0x1,event=0xc4,umask=0x20"; "" for none
 * @table_event: number of the event in the tables it was parsed with (tables__event()), or -1
 * @kind:      which of the kernel's own events it is; EVENT_KIND_NONE for a latency
 * @id:        the text that a metric has for the event, as in the expression ("cpu@EV\,cmask\=1@");
 *             NULL for an event that the user wrote
 * @tool:      which of the program's own events it is, or EVENT_TOOL_NONE
 * @gauge:     (EVENT_GAUGE) owned by the machine; NULL in a recording
 * @pmu:       NULL for the program's own events, and for hardware and raw events of a machine
 *             without a core PMU
 * @attr:      type, config*, exclude_*, precise_ip, pinned, exclusive; sample_period is 0.
 *             lib/count sets the rest (read_format, disabled, inherit, ...)
 * @cpus:      CPUs for counting system-wide: the PMU's online CPUs, or those of the cpu= term
 * @any_cpu:   the event has no CPU list: it counts on any CPU on which it is opened, such as
 *             software events
 * @requires_cpu: the event cannot count a task (uncore)
 * @scale, @unit: a count is printed multiplied by @scale, in @unit; 1 and "" by default
 * @per_pkg:   the event of one CPU in each package counts for the whole package
 * @snapshot:  the value is a state, not a count: intervals print it as it was read
 * @merge:     the event is one of several instances with the same name (uncore boxes), whose counts
 *             are added up before they are printed
 * @first:     (@merge) the first of these instances; else the event itself
 * @leader:    first event of the event's group; the event itself if it is in no group
 * @nr_members: (leaders) number of events in the group, including the leader; 1 without a group
 * @stays:     (:X) the event must keep its place in its group
 * @weak:      (leaders) if the kernel refuses the group, its events are opened separately
 * @retire_latency: (:R) the value is a latency; the event is not counted
 * @sampled:   (@retire_latency) the latency is sampled; without @sampled, or without a sample, the
 *             value is @vendor_latency
 * @bpf:       (:b, --bpf-counters, -b) BPF programs read the event
 * @percore:   (term percore) with -A the threads of a core are added up
 * @topdown:   TopDown kind: slots, a metric event or TOPDOWN_NONE (events/topdown.h)
 * @tracepoint: "sched:sched_switch", whatever @name is; or NULL
 * @filter:    filter of the tracepoint, or NULL
 * @cgroup:    only tasks in this cgroup are counted; NULL for all; owned by the code that set it
 * @port:      PCIe root port whose traffic is counted (--iostat), or NULL; owned by the code that
 *             set it
 * @index:     place in the list; columns of counts have this order
 * @from_metric: the event was added for a metric, so that a refusal by the kernel is not fatal
 * @default_group: the event belongs to the default metric group of a run without -e or -M
 * @with_count: (@default_group) the count is printed before the metric
 * @config_name: @name was given with name= in PMU terms and is printed unchanged everywhere
 * @unknown_code: (events_scope.by_name) @attr does not have the event's code
 * @precise_max: (modifier P) sample as precisely as possible; a count does not change
 * @exclude_gh, @mergeable: used only by the files of lib/events
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

/**
 * event__is_further_instance() - find out whether an event is added to the first of its instances.
 */
static inline bool event__is_further_instance(const struct event *e)
{
	return e->merge && e->first && e->first != e;
}

/**
 * event__compare() - order events for sorting
 *
 * Return: 0 for events that count the same, on the same CPUs and in the same cgroup, whatever their
 * names are.
 */
int event__compare(const struct event *a, const struct event *b);

/** event__is_of_core() - find out whether a core PMU counts an event. */
static inline bool event__is_of_core(const struct event *e)
{
	return e->pmu && e->pmu->is_core;
}

/**
 * event__is_of_tasks() - find out whether an event can have a value for each task, not only for a
 * run or a CPU.
 */
static inline bool event__is_of_tasks(const struct event *e)
{
	return !e->requires_cpu &&
	       (!event_tool__is_once(e->tool) || (e->gauge && gauge__is_of_tasks(e->gauge)));
}

/**
 * event__runs_always() - find out whether an event is above 0 if a core executed anything: cycles
 * by any name, instructions, slots, and the shares of slots at level 1 of TopDown
 */
bool event__runs_always(const struct event *e);
/** event__counts_slots() - find out whether an event counts slots, or is a TopDown metric event. */
bool event__counts_slots(const struct event *e);
/**
 * event__needs_register() - find out whether an event needs a register in addition to its
 * counter's: MSR_PEBS_FRONTEND, an MSR_OFFCORE_RSP or MSR_PEBS_LD_LAT. If a host does not give the
 * register to a virtual machine, the event stays at 0.
 */
bool event__needs_register(const struct event *e);

/**
 * event__is_precise() - find out whether an event can only be sampled, so that no kernel counts it.
 */
static inline bool event__is_precise(const struct event *e)
{
	return e->attr.precise_ip && event__is_of_core(e) && !e->retire_latency;
}

/**
 * event__is_any_thread() - find out whether an event counts for all threads of a core (PMU term
 * "any")
 *
 * CPUs before Ice Lake have this term. Because it reveals the work of others, Linux lets users
 * count it only at kernel.perf_event_paranoid 0 or with CAP_PERFMON, even for their own tasks.
 */
bool event__is_any_thread(const struct event *e);

/**
 * struct event_list - events in printing order; events of a group are next to each other
 * @at, @nr:   the events, owned by the list
 * @warnings:  lines for the user that are not errors ("events were regrouped ..."), each with
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
 * @machine: the machine whose PMUs have events
 * @tables:  the vendor's events; NULL if there are none for the CPU
 * @pmu_filter: PMU that names without a PMU are limited to (--pmu-filter, --cputype), or NULL
 * @filters_cores: @pmu_filter limits only core events (--cputype)
 * @core: another limit to one core PMU, set by the program, or NULL
 * @by_name: (recordings) any name is accepted, as the recorded computer knew it; the event's code
 *           may be unknown
 * @joins_pmus: counts of one name are added over all PMUs that have it, and modifiers are inside
 *              the slashes ("cpu_core/cycles:u/"), as in perf 6.12
 * @names_modes: names of cache events have their modifiers, as in perf 7 but not in perf 6.12
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
 * @list: list to append to; unchanged on failure
 *
 * A name without a PMU becomes one event for each core PMU that has it, in the machine's order. A
 * group across PMUs is split, with a warning. On PMUs with TopDown metric events, slots comes first
 * in a group, and topdown-* follow. TopDown events outside of groups are collected in weak groups,
 * one for each set of modes (u, k).
 *
 * Return: 0; -EINVAL with a caret under the mistake and the nearest names; -ENOENT for an event
 * that this machine does not have.
 */
int events__parse(const struct events_scope *scope, const char *text, struct event_list *list,
		  struct err *err);

/**
 * events__item_len() - count the bytes of the first event or group of a list, up to a comma
 * @text: a text for events__parse(); its names may be unknown, and its braces unmatched
 */
int events__item_len(const char *text);

/**
 * events__parse_pfm() - make events of names of libpfm4, which is loaded
 * @text: "inst_retired:any_p:u:c=1:i,{perf::CPU-CLOCK,perf::PAGE-FAULTS}"
 *
 * Names are those of the CPU that libpfm4 detects, even with a simulated machine, or that the
 * environment selects (LIBPFM_FORCE_PMU=skx).
 *
 * Return: as events__parse(); -ELIBACC without libpfm4, -ENOTSUP if libpfm4 knows no PMU.
 */
int events__parse_pfm(const struct events_scope *scope, const char *text, struct event_list *list,
		      struct err *err);

/**
 * events__join_topdown() - make TopDown metric events countable, once all texts are parsed
 * @list: TopDown events outside of groups are put into groups, even if they come from different
 *        texts. If slots is missing, it is added as leader, with a warning
 */
void events__join_topdown(const struct events_scope *scope, struct event_list *list);

/**
 * events__id_text() - append an id in the form of -e: "cpu/EV,cmask=1/u" for "cpu@EV\,cmask\=1@u".
 */
void events__id_text(const char *id, const char *modifier, struct sb *out);
/**
 * events__is_topdown_share() - find out by the name of an id whether it is a TopDown metric event.
 */
bool events__is_topdown_share(const char *id);
/**
 * events__topdown_correction() - find out whether an id is an event that only corrects TopDown
 * shares
 *
 * INT_MISC.UOP_DROPPING and INT_MISC.CLEARS_COUNT count slots that the metric events attribute to
 * the wrong share, usually some tenths of a percent.
 *
 * Return: name of the event; NULL for any other id.
 */
const char *events__topdown_correction(const char *id);

/**
 * events__parse_ids() - make the events of one metric group
 * @ids:  names as metric expressions have them ("INST_RETIRED.ANY", "EV:u",
 *        "cpu_core@EV\,cmask\=1@"), in the order in which they are opened; event->id of each event
 *        is its id
 * @nr:   number of ids
 * @modifier: text appended to each id ("u"), or NULL
 * @group: make one weak group of the events; tool events follow outside of the group
 * @list: list to append to; unchanged on failure
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
 * In contrast to events__parse_ids(), the events are not grouped, and slots is not added.
 */
int events__parse_id(const struct events_scope *scope, const char *id, const char *modifier,
		     struct event_list *list, struct err *err);

/**
 * events__group_ids() - group events that were parsed one by one, by the rules of
 * events__parse_ids()
 * @list: the events of events__parse_id(), or copies of these events, id by id; tool events come
 *        last
 */
void events__group_ids(const struct events_scope *scope, bool group, struct event_list *list);

/** event__new() - make an event of no PMU with perf's defaults. */
struct event *event__new(void);
/** event__free() - free an event that is not in a list; NULL is allowed. */
void event__free(struct event *e);
/** event__copy() - make a copy, with the same leader and first instance. */
struct event *event__copy(const struct event *e);
/**
 * event__set_text() - replace a text that an event or a similar struct owns by a copy of @value.
 */
void event__set_text(char **text, const char *value);
/** event__same_terms() - find out whether two events have the same terms, whatever their PMUs. */
bool event__same_terms(const struct event *a, const struct event *b);
/** event__modes() - get the modes (user, kernel ...) that an event does not count, a bit each. */
unsigned int event__modes(const struct event *e);
/** event__set_modes() - make an event count the same modes as another event. */
void event__set_modes(struct event *e, const struct event *from);
/** event__is_software() - find out whether an event counts without hardware. */
bool event__is_software(const struct event *e);
/**
 * event__set_kind() - set the kind of an event by its attributes, unless its name in sysfs has set
 * it.
 */
void event__set_kind(struct event *e);
/**
 * event__same_code() - find out whether two core events put the same code into a counter
 * @cpuid: id of the CPU, which determines the code that the kernel uses for its own events
 */
bool event__same_code(const struct event *a, const struct event *b, const char *cpuid);
/** event_list__push() - append an event to a list, which then owns the event. */
void event_list__push(struct event_list *list, struct event *e);
/**
 * events__check_modifiers() - check that letters are modifiers that an event may have
 * @text:   text of the user; the letters go from @column to the end
 *
 * Return: 0, or -EINVAL naming the letter that is not a modifier or is repeated.
 */
int events__check_modifiers(const char *text, int column, struct err *err);
/** events__exists() - find out whether this machine has the event of an id (has_event()). */
bool events__exists(const struct events_scope *scope, const char *id);
/**
 * events__describe_absence() - append why this machine does not have the event of a metric's id
 * @out: text to append to: "no PMU uncore_irp", "PMU cpu has no term or event 'x'"; unchanged if
 *       the name is just unknown
 */
void events__describe_absence(const struct events_scope *scope, const char *id, struct sb *out);
/** events__is_kernel_name() - find out whether the kernel itself has an event of a name. */
bool events__is_kernel_name(const char *name);
/**
 * events__tool() - find the event of a name that the program counts, or EVENT_TOOL_NONE
 * @name: "duration_time", in any case; or with its PMU: "tool/duration_time/", "tool@num_cpus@".
 *        "slots" must have its PMU, since core PMUs have an event of this name.
 */
enum event_tool events__tool(const char *name);
/**
 * events__recorded_tool() - find the event of a recorded name that the program counts, as
 * events__tool() does; find gauges by name and unit.
 */
enum event_tool events__recorded_tool(const char *name, const char *unit);
/** events__tool_name() - get the name of one of the program's own events, without PMU. */
const char *events__tool_name(enum event_tool tool);
/**
 * event__set_tool() - make an event one of the program's own events, with the unit of that event.
 */
void event__set_tool(struct event *e, enum event_tool tool);
/** event_list__splice() - move all events of @from to the end of @list, and empty @from. */
void event_list__splice(struct event_list *list, struct event_list *from);
/**
 * event_list__copy() - append copies of some events of a list
 * @from: the list, which may be @list; the index of its events is their place in it
 * @first: number of the first event to copy; @end: number after the last one. Leaders and first
 *         instances of these events must be among them
 */
void event_list__copy(struct event_list *list, const struct event_list *from, int first, int end);
/** event_list__free() - release the events and the list. */
void event_list__free(struct event_list *list);
/** events__suggest() - offer the names of all events of this machine to @s. */
void events__suggest(const struct events_scope *scope, struct suggest *s);
/**
 * event__unique_name() - print the name with the PMU, as -A shows it
 *
 * "uncore_imc/cas_count_read/" of an instance becomes "uncore_imc_0/cas_count_read/", and
 * "task-clock" becomes "task-clock [software]"; the name of a hybrid core PMU's event has the PMU
 * already.
 *
 * Return: length, as snprintf().
 */
int event__unique_name(const struct event *e, char *buf, int size);
/**
 * event__name_of_perf7() - print the name with the PMU, as -A of perf 7 shows it
 *
 * "inst_retired.any:u" becomes "cpu/inst_retired.any/u", and "duration_time" becomes
 * "tool/duration_time/"; the kernel's own names do not change.
 *
 * Return: length, as snprintf().
 */
int event__name_of_perf7(const struct event *e, char *buf, int size);
/** event__counts_cycles() - find out whether an event counts all cycles of a core. */
bool event__counts_cycles(const struct event *e);
/** event__is_clock() - find out whether an event is cpu-clock or task-clock, which count ns. */
bool event__is_clock(const struct event *e);

#endif
