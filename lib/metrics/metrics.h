/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Metrics are selected from a text of -M, the tables and the machine. The result is a list of
 * metrics: each with its expressions, those of the metrics it refers to, and the ids of the events
 * they need. program.h computes their values from counts; print.h and expand.h show expressions to
 * people; the rest of this header describes how metrics belong together in the TopDown tree.
 */
#ifndef TMA_METRICS_METRICS_H
#define TMA_METRICS_METRICS_H

#include <stdbool.h>

#include "base/cpulist.h"
#include "tables/tables.h"

struct err;
struct expr;
struct idset;
struct literals;
struct machine;
struct sb;
struct suggest;
struct tables;

#define RESOLVE_MAX_DEPTH 500 /* metrics that refer to each other; the deepest so far is 12 */

/**
 * struct metrics_scope - where metrics are looked up, and what # literals mean
 * @machine: for #num_cpus and the like
 * @tables:  the CPU's metrics; NULL when it has none
 * @system_wide: all that runs on the CPUs measured is counted (-a, -C), not only some tasks
 * @target_cpu: CPUs are counted, not tasks, though perhaps only cgroups on them
 * @user_cpus: the -C list, or NULL
 * @pmu:     only metrics of this PMU (--cputype), or NULL
 * @literals: literals whose value the user gives; NULL for none
 * @no_threshold: leave out events that only thresholds need
 * @no_floor: read a formula "max(x, 0)" as x: a value that is cut off does not show how far off it
 *           is
 * @has_event: whether an id names an event this machine has, for has_event(); may be NULL (false)
 * @lacks_event: whether an id's event was not counted, in a recording, or cannot be; NULL if all
 *           can be. struct metric_without has those that formulas can do without
 * @arg:     handed to @has_event and @lacks_event
 */
struct metrics_scope {
	struct machine *machine;
	const struct tables *tables;
	bool system_wide, target_cpu;
	const struct cpulist *user_cpus;
	const char *pmu;
	const struct literals *literals;
	bool no_threshold, no_floor;
	bool (*has_event)(void *arg, const char *id);
	bool (*lacks_event)(void *arg, const char *id);
	void *arg;
};

/**
 * struct metric_ref - a metric that another one refers to
 * @name:  its name in the table
 * @value: its expression
 * @number: of the metric in the tables
 */
struct metric_ref {
	const char *name;
	struct expr *value;
	int number;
};

/**
 * struct metric_without - events that a metric is computed without, though its formula has them
 *
 * Names with commas between them; NULL for none.
 *
 * @corrections: they only correct the shares of slots (events__topdown_correction()), and are taken
 *           as 0
 * @any_thread: they count for all threads of a core. A formula that uses half of this count with
 *           SMT, and the event of the one thread otherwise ("X_ANY / 2 if #SMT_on else X"), is
 *           computed with the latter
 */
struct metric_without {
	char *corrections, *any_thread;
};

/**
 * struct metric - a metric asked for
 * @info:     its entry in the tables
 * @modifier: "u" of "tma_retiring:u", or NULL
 * @request:  the name or group it was found by, as the user wrote it
 * @ids:      event ids needed by the expression and its threshold, references followed and
 *            constant branches left out, in perf 6.12's order; escapes of the expression's text
 *            resolved ("cpu_core@EV,cmask=1@")
 * @nr_ids:   how many
 * @id_set:   the same ids as a set
 * @group_events: its events are to be one group (constraint, MetricgroupNoGroup, SMT, watchdog
 *            and --metric-no-group considered)
 * @constrained: why @group_events is false, if that is because of a constraint; else NULL
 * @value:    the expression; @threshold that of the threshold, or NULL
 * @refs:     every metric referred to, directly or not; with a threshold, the metric itself too
 * @unknown:  name of a literal of the value that is not known, or NULL; @why_unknown: a sentence
 *            that reports this for this machine; NULL for a recorded one
 * @without:  events that are missing (metrics_scope.lacks_event), but not needed for the value
 * @names:    only for metric__names()
 */
struct metric {
	struct metric_info info;
	char *modifier, *request;
	const char **ids;
	int nr_ids;
	struct idset *id_set;
	bool group_events;
	const char *constrained;
	struct expr *value, *threshold;
	struct metric_ref *refs;
	int nr_refs;
	struct metric_without without;
	const char *unknown, *why_unknown;
	int **names;
};

/** metric__is_approximate() - find out whether it is computed without an event of its formula. */
static inline bool metric__is_approximate(const struct metric *m)
{
	return m->without.corrections || m->without.any_thread;
}

struct metric_list {
	struct metric **at;
	int nr, cap;
};

#define METRIC_LIST_INIT { .at = NULL }

/**
 * metrics__select() - select the metrics of one -M text
 * @text: "tma_retiring,TopdownL2,tma_*:u,all": names, globs, group names, case ignored
 * @no_group: --metric-no-group
 * @list: appended to, in table order for each item; unchanged on failure
 *
 * A metric that is already in the list with the same modifiers is not added again, so that no row
 * has two columns or keys of one name.
 *
 * Return: 0; -ENOENT with the nearest names; -EINVAL with the metric and the place in its
 * expression; -ELOOP with the path of the cycle.
 */
int metrics__select(const struct metrics_scope *scope, const char *text, bool no_group,
		    struct metric_list *list, struct err *err);
/**
 * metrics__each() - read metrics of the tables, each once
 * @wanted: a flag for each metric, by number; NULL for all
 * @visit: gets the metric's number and the metric, NULL for one that cannot be read; it is valid
 *         until @visit returns
 */
void metrics__each(const struct metrics_scope *scope, const bool *wanted,
		   void (*visit)(void *arg, int number, const struct metric *metric), void *arg);
/** metric_list__free() - release the metrics and the list. */
void metric_list__free(struct metric_list *list);
/** metric__free() - release one metric; NULL is allowed. */
void metric__free(struct metric *m);
/**
 * metric__nr_exprs() - count the expressions of a metric
 *
 * They are those of @m->refs, in the same order, then its value, then its threshold if it has one.
 */
int metric__nr_exprs(const struct metric *m);
/** metric__expr() - get expression number @i of a metric. */
const struct expr *metric__expr(const struct metric *m, int i);
/**
 * metric__names() - find the events and metrics that expression number @i of a metric names
 *
 * Names of events are matched exactly, those of metrics in any case. The first call looks at all
 * expressions; the metric must be complete then.
 *
 * Return: for each node the place of its name in @m->ids, or @m->nr_ids + the place in @m->refs; -1
 * where it names neither, or has no name.
 */
const int *metric__names(struct metric *m, int i);
/**
 * metrics__suggest() - offer the metrics and metric groups to @s, nodes of the TopDown tree first
 * and by their plain words too
 */
void metrics__suggest(const struct tables *tables, struct suggest *s);
/**
 * metrics__share_of() - find the denominator of a metric in %, by its unit and its description
 *
 * Return: "slots", "clocks", "stalls", "ops", "uops" and the like; NULL if it is not a share, or if
 * the tables do not say.
 */
const char *metrics__share_of(const struct metric_info *info);
/** metrics__share_unit() - get its unit: "%" for slots, "% clocks", "% stalls" ... */
const char *metrics__share_unit(const struct metric_info *info);
/**
 * metrics__topdown_levels() - find how deep the TopDown tree is
 * @pmu:   PMU whose metrics are looked at; NULL for any
 * @group: set to the names of its groups before the level: "TopdownL", or "PipelineL" if there are
 *         none of the former; unchanged without a tree; may be NULL
 *
 * Return: the deepest level, 0 when there is none.
 */
int metrics__topdown_levels(const struct tables *tables, const char *pmu, const char **group);
/**
 * metrics__topdown_columns() - estimate how wide a table of a level is, with a column each metric
 * @pmu: as above; @group: the group's name before the level
 */
int metrics__topdown_columns(const struct tables *tables, const char *pmu, const char *group,
			     int level);
/** metrics__topdown_level() - get the level of a metric in the TopDown tree, 0 outside of it. */
int metrics__topdown_level(const struct metric_info *info);
/** metrics__topdown_is_useful() - find out whether it is the share of slots that retired. */
bool metrics__topdown_is_useful(const struct metric_info *info);
/**
 * metrics__topdown_parent() - find the parent of a metric in the tables
 * @parent: set if there is one; may be used by the function even if there is none
 */
bool metrics__topdown_parent(const struct tables *tables, const struct metric_info *info,
			     struct metric_info *parent);
/**
 * metrics__sampling() - list the events to sample to find the code that a metric is about
 * @list:   their names are appended, as the end of the description has them ("Sample with: ..."),
 *          with commas between them
 * @m:      where they would be sampled: not every virtual machine can sample precisely
 * @events: "-e EVENT:pp", or ":P", for each that is in the tables, each after a blank; may be NULL
 */
void metrics__sampling(const struct tables *tables, struct machine *m,
		       const struct metric_info *info, struct sb *list, struct sb *events);
/**
 * metrics__resources() - list the groups of metrics to look at where the tree ends
 * @node:   the name of a metric of Arm's tree
 * @groups: the groups of the tables are appended, in the order of Arm's decision tree, with commas
 *          between them; nothing for other nodes, or where the tables have none of the groups
 */
void metrics__resources(const struct tables *tables, const char *node, struct sb *groups);
/** metrics__put_options() - append the options of a command that measures them: " -M A -M B". */
void metrics__put_options(const char *groups, struct sb *sb);
/** metrics__core_wide() - get #core_wide: all that runs on each core measured is counted. */
bool metrics__core_wide(const struct metrics_scope *scope);
/** metrics__depends_on_cores() - find out whether a metric has different formulas by #core_wide. */
bool metrics__depends_on_cores(const struct metric *metric);
/**
 * metrics__topdown_key() - append the sort key of a TopDown metric: its place in the tree
 * @key: appended to; keys of metrics of one PMU compare bytewise (strcmp())
 *
 * Level 1 is retiring, backend bound, frontend bound, bad speculation; deeper levels keep their
 * parents' order, and the table's among children of one parent. The parent of a metric is the one
 * whose name is in that of one of its groups, <name>_group. For the columns of --topdown.
 */
void metrics__topdown_key(const struct tables *tables, const struct metric *metric, struct sb *key);

/* How two metrics belong together, by the names of their groups. */
enum metric_relation {
	METRIC_PARENT,	/* the other one is the parent: this one is in its group, <name>_group */
	METRIC_CHILD,	/* the other one is a child of this one */
	METRIC_SIBLING, /* a child of the same parent; without one, both of the first level */
	METRIC_RELATED, /* the same issue: a group with "_issue" in its name */
	METRIC_NR_RELATIONS,
};

/**
 * metrics__group_owner() - find the metric whose children a group has
 * @group, @len: name of the group, usually in a list of them
 *
 * Return: how many bytes of @group are the name of a metric: those before "_group"; 0 if the name
 * does not end so. As everywhere, the case of a metric's name does not matter.
 */
int metrics__group_owner(const char *group, int len);
/**
 * metrics__related() - find out whether one metric has a relation to another
 * @a, @b: two metrics of one model
 *
 * Metrics of different PMUs are never related, nor is one to itself.
 */
bool metrics__related(const struct metric_info *a, enum metric_relation relation,
		      const struct metric_info *b);

#endif
