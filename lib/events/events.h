/* SPDX-License-Identifier: GPL-2.0-only */
/* Text to events: the -e grammar, names of sysfs and tables, modifiers; encoded for the kernel. */
#ifndef TMA_EVENTS_EVENTS_H
#define TMA_EVENTS_EVENTS_H

#include <stdbool.h>
#include <linux/perf_event.h>

#include "base/cpulist.h"
#include "base/sb.h"
#include "machine/machine.h"

struct tables;

/* What the program itself counts, without the kernel. */
enum event_tool {
	EVENT_TOOL_NONE,
	EVENT_DURATION_TIME, /* ns of the row */
	EVENT_USER_TIME,     /* ns in user space of the workload, or of all CPUs */
	EVENT_SYSTEM_TIME,
};

/*
 * Events that the kernel has numbers of its own for, whether they were asked for by these or by the
 * names that sysfs has for them: what the ratios that need no table are made of.
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
	EVENT_KIND_NR,
};

#define EVENT_TOPDOWN_SLOTS 0x0400 /* topdown_code of the one that leads */

/** struct vendor_latency - retire latency as the vendor measured it, in cycles; 0: not known */
struct vendor_latency {
	double mean, min, max;
};

/**
 * struct event - something countable; what it is does not depend on what it is called
 * @name:      for printing alone, in perf's spelling: what the user wrote, with its modifiers;
 *             "cpu_core/cycles/" for a name that became one event per PMU
 * @bare:      @name without its PMU ("cycles:u" of "cpu_core/cycles/u"); NULL where it has none
 * @terms:     what was encoded, in one form: "cmask=0x1,event=0xc4,umask=0x20" of PMU terms, with
 *             what a named event stands for; in the order of their names. "" when nothing was
 * @table_event: the event's number in the tables it was parsed with (tables__event()), or -1
 * @kind:      which of the kernel's own events it is; EVENT_KIND_NONE for a latency
 * @id:        the text a metric knows it by ("cpu@EV\,cmask\=1@" as the expression has it); NULL
 *             for an event the user asked for
 * @tool:      counted by the program, or EVENT_TOOL_NONE
 * @pmu:       NULL for the program's own and for hardware/raw events of a machine without core PMU
 * @attr:      type, config*, exclude_*, precise_ip, pinned, exclusive, sample_period 0: the rest
 *             (read_format, disabled, inherit, ...) is for lib/count
 * @cpus:      CPUs it is opened on system-wide: those of its PMU (online ones), or its cpu= term
 * @any_cpu:   no CPU list of its own: software and other events which count wherever they are
 *             told to
 * @requires_cpu: cannot count a task (uncore)
 * @scale, @unit: what a count is multiplied with for print, and the unit then; 1 and ""
 * @per_pkg:   one CPU of each package counts for all of it
 * @snapshot:  the value is a state, not a count: intervals print it as read
 * @merge:     one of several instances whose counts are added in print (uncore boxes, same name)
 * @first:     for @merge: the first of its instances; else the event itself
 * @leader:    first event of its group; itself when alone
 * @nr_members: for a leader: events in the group including itself; 1 when alone
 * @weak:      (leader) on refusal by the kernel the group is taken apart
 * @retire_latency: :R: it is not counted; its value is a latency
 * @sampled:   (@retire_latency) it is measured by sampling; what has no sample, and what is not
 *             measured, is taken from @vendor_latency
 * @percore:   term percore: with -A the threads of a core are added up
 * @topdown:   slots or one of the TopDown metric events, which count only in a group it leads:
 *             known by the code, whatever the name
 * @topdown_code: (@topdown) which of them: EVENT_TOPDOWN_SLOTS, 0x8000 for the first metric event
 *             and 0x100 more for each further one; else 0
 * @filter:    tracepoint filter, or NULL
 * @cgroup:    only tasks in it are counted, or NULL; whoever set it keeps it
 * @index:     place in the list; columns of counts have this order
 * @from_metric: put there for a metric: a refusal is not fatal
 * @default_group: belongs to the default metric group of a run without -e or -M
 * @config_name: @name was given with name= in PMU terms and stays as it is everywhere
 * @unknown_code: (events_scope.by_name) attr does not say which event it is
 * @exclude_gh, @mergeable: for the stage itself
 */
struct event {
	char *name, *bare, *terms, *id;
	int table_event;
	enum event_kind kind;
	enum event_tool tool;
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
	bool weak, retire_latency, sampled, percore, topdown, from_metric, default_group;
	unsigned int topdown_code;
	char *filter;
	const struct cgroup *cgroup;
	bool config_name, unknown_code, exclude_gh, mergeable;
	int index;
};

/** event__is_of_core() - whether a core PMU counts it. */
static inline bool event__is_of_core(const struct event *e)
{
	return e->pmu && e->pmu->is_core;
}

/**
 * struct event_list - events in printing order; groups stand together
 * @at, @nr:   the events, owned by the list
 * @warnings:  lines for the user that are no failures ("events were grouped anew ..."), each with
 *             its newline
 */
struct event_list {
	struct event **at;
	int nr, cap;
	struct sb warnings;
};

#define EVENT_LIST_INIT { .at = NULL }

/**
 * struct events_scope - what names are looked up in
 * @machine: PMUs
 * @tables:  vendor's events; NULL when the CPU has none
 * @pmu_filter: core PMU that names without a PMU are limited to (--cputype), or NULL
 * @by_name: (recordings) what of a name is not known here is taken for what it says: no name is
 *           wrong, but the event's code may be unknown
 */
struct events_scope {
	struct machine *machine;
	const struct tables *tables;
	const char *pmu_filter;
	bool by_name;
};

/**
 * events__parse() - the text of one -e option
 * @text: "cycles,{instructions,branches}:u,cpu_core/event=0x3c,umask=1/k"
 * @list: appended to; unchanged on failure
 *
 * A name without PMU becomes one event for each core PMU that has it, in the machine's order; a
 * group across PMUs is split with a warning; on PMUs with TopDown metric events slots comes
 * first and topdown-* behind it. Those that stand alone are gathered in such groups, one for each
 * set of modes (u, k), which are weak.
 *
 * Return: 0; -EINVAL with a caret under the place and the nearest names; -ENOENT for an event
 * this machine does not have.
 */
int events__parse(const struct events_scope *scope, const char *text, struct event_list *list,
		  struct err *err);

/**
 * events__join_topdown() - make TopDown metric events countable, once all texts are parsed
 * @list: its TopDown events that stand alone find company, also in another text's, and slots is
 *        added, with a warning, to lead those that have none
 */
void events__join_topdown(const struct events_scope *scope, struct event_list *list);

/**
 * events__parse_ids() - the events of one metric group
 * @ids:  names as metric expressions have them ("INST_RETIRED.ANY", "EV:u",
 *        "cpu_core@EV\,cmask\=1@"), in the order they are to be opened; each resulting event
 *        keeps its own as event->id
 * @nr:   how many
 * @modifier: put behind each ("u"), or NULL
 * @group: make them one weak group (tool events stay outside it, behind)
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
 * events__parse_id() - the events of one id, or of one name as recordings have it
 *
 * Neither grouped nor completed by others. As events__parse_ids() otherwise.
 */
int events__parse_id(const struct events_scope *scope, const char *id, const char *modifier,
		     struct event_list *list, struct err *err);

/**
 * events__group_ids() - what events__parse_ids() does with the events it has parsed
 * @list: the events of events__parse_id(), or copies of them, one id after the other; those of the
 *        program itself stand last
 */
void events__group_ids(const struct events_scope *scope, bool group, struct event_list *list);

/** event__new() - an event of no PMU with perf's defaults. */
struct event *event__new(void);
/** event__free() - release one that is in no list; NULL is allowed. */
void event__free(struct event *e);
/** event__copy() - the same event again, leader and first instance included. */
struct event *event__copy(const struct event *e);
/** event__set_text() - replace a text of an event, or another of that kind, by a copy. */
void event__set_text(char **text, const char *value);
/** event__same_terms() - whether two events were parsed from what says the same, PMU apart. */
bool event__same_terms(const struct event *a, const struct event *b);
/** event__modes() - in which modes it counts: user, kernel ... excluded, a bit each. */
unsigned int event__modes(const struct event *e);
/** event__is_software() - counts without hardware. */
bool event__is_software(const struct event *e);
/** event__set_kind() - e->kind by its attributes, unless it is set by a name of sysfs. */
void event__set_kind(struct event *e);
/**
 * event__same_code() - whether two events of a core PMU program its counters alike
 * @cpuid: of the CPU: how its kernel programs the events that have numbers of the kernel's own
 */
bool event__same_code(const struct event *a, const struct event *b, const char *cpuid);
/** event_list__push() - hand an event over to a list. */
void event_list__push(struct event_list *list, struct event *e);
/** events__exists() - whether an id of a metric names an event this machine has (has_event()). */
bool events__exists(const struct events_scope *scope, const char *id);
/**
 * events__absence() - why this machine lacks the event an id of a metric names
 * @out: appended to: "no PMU uncore_irp", "PMU cpu has no term or event 'x'"; nothing when its name
 *       alone is all that is wrong with it
 */
void events__absence(const struct events_scope *scope, const char *id, struct sb *out);
/** events__is_kernel_name() - whether the kernel knows an event of that name without a PMU. */
bool events__is_kernel_name(const char *name);
/** events__tool() - EVENT_DURATION_TIME ... for the program's own names, else EVENT_TOOL_NONE. */
enum event_tool events__tool(const char *name);
/** event_list__splice() - move all events of @from to the end of @list; @from is empty then. */
void event_list__splice(struct event_list *list, struct event_list *from);
/**
 * event_list__copy() - append copies of some events of a list
 * @from: may be @list; its events have their place in it as their index
 * @first, @end: they stand from @first on, before @end, and so do their leaders and first instances
 */
void event_list__copy(struct event_list *list, const struct event_list *from, int first, int end);
/** event_list__free() - release the events and the list. */
void event_list__free(struct event_list *list);
/** events__suggest() - offer every event name this machine has to @s. */
void events__suggest(const struct events_scope *scope, struct suggest *s);
/**
 * event__unique_name() - the name with the PMU told apart, as printed with -A
 *
 * "cycles" of a hybrid core PMU is "cpu_core/cycles/", "uncore_imc/cas_count_read/" of an instance
 * "uncore_imc_0/cas_count_read/", another "task-clock [software]".
 *
 * Return: length, as snprintf().
 */
int event__unique_name(const struct event *e, char *buf, int size);
/** event__is_clock() - cpu-clock or task-clock: counts ns. */
bool event__is_clock(const struct event *e);

#endif
