/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Metrics are selected by a text of -M from the tables, for a machine. The result is a list of
 * metrics. Each has its expressions, the expressions of the metrics that it refers to, and the ids
 * of the events that these expressions need. program.h computes values of metrics from counts;
 * print.h and expand.h show expressions to people. The rest of this header describes how metrics
 * belong together in the TopDown tree.
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

#define RESOLVE_MAX_DEPTH 500 /* the deepest chain of metrics that refer to each other; chains in
			       * the tables have at most 12 */

/**
 * struct metrics_scope - where metrics are looked up, and the values of # literals
 * @machine: the machine, for #num_cpus and the like
 * @tables:  the metrics of the CPU; NULL if there are none
 * @system_wide: everything that runs on the CPUs is counted (-a, -C), not only some tasks
 * @target_cpu: CPUs are counted, not tasks; perhaps only cgroups on the CPUs
 * @user_cpus: the list of -C, or NULL
 * @pmu:     only metrics of this PMU (--cputype), or NULL
 * @literals: literals whose values the user gives; NULL for none
 * @no_threshold: leave out events that only thresholds need
 * @no_floor: read a formula "max(x, 0)" as x, because a value that is cut off at 0 does not show
 *           how far it is below
 * @has_event: whether an id names an event of this machine, for has_event(); NULL: false
 * @lacks_event: whether an id's event is missing in a recording, or cannot be counted; NULL: no
 *           event is missing. struct metric_without has the missing events that formulas can do
 *           without
 * @arg:     argument of @has_event and @lacks_event
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
 * struct metric_ref - a metric that another metric refers to
 * @name:  name of the metric in the tables
 * @value: expression of the metric
 * @number: number of the metric in the tables
 */
struct metric_ref {
	const char *name;
	struct expr *value;
	int number;
};

/**
 * struct metric_without - events of a metric's formula that the metric is computed without
 *
 * Each member has names of events with commas between them; NULL for none.
 *
 * @corrections: events that only correct the shares of slots (events__topdown_correction()); their
 *           counts are assumed to be 0
 * @any_thread: events that count for all threads of a core. A formula may use half of such a count
 *           with SMT, and the event of one thread otherwise ("X_ANY / 2 if #SMT_on else X"). It is
 *           then computed with the event of one thread
 */
struct metric_without {
	char *corrections, *any_thread;
};

/**
 * struct metric - a selected metric
 * @info:     entry of the metric in the tables
 * @modifier: "u" of "tma_retiring:u", or NULL
 * @request:  the name or group by which the user selected the metric, as the user wrote it
 * @ids:      ids of the events that the expression and its threshold need, in perf 6.12's order.
 *            Events of referenced metrics are included, events of branches that constants rule out
 *            are not. Escapes are resolved ("cpu_core@EV,cmask=1@")
 * @nr_ids:   number of ids
 * @id_set:   @ids as a set
 * @group_events: the events are to be in one group; constraints, MetricgroupNoGroup, SMT, the
 *            watchdog and --metric-no-group are considered
 * @constrained: the reason if a constraint makes @group_events false; otherwise NULL
 * @value:    expression of the value; @threshold: expression of the threshold, or NULL
 * @refs:     all metrics that the metric refers to, directly or not; with a threshold, the metric
 *            itself, too
 * @unknown:  name of a literal that the value needs and that is not known, or NULL; @why_unknown: a
 *            sentence on why it is not known on this machine; NULL on a recorded machine
 * @without:  events that are missing (metrics_scope.lacks_event), but not needed for the value
 * @names:    result of metric__names() for each expression
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

/**
 * metric__is_approximate() - find out whether a metric is computed without an event of its formula.
 */
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
 * @text: names, globs and names of groups in any case, such as "tma_retiring,TopdownL2,tma_*:u,all"
 * @no_group: --metric-no-group
 * @list: metrics are appended in table order for each item; unchanged on failure
 *
 * A metric that is already in the list with the same modifiers is not added again, so that a row
 * does not have two columns or keys with one name.
 *
 * Return: 0; -ENOENT with the nearest names; -EINVAL with the metric and the place in its
 * expression; -ELOOP with the path of the cycle.
 */
int metrics__select(const struct metrics_scope *scope, const char *text, bool no_group,
		    struct metric_list *list, struct err *err);
/**
 * metrics__each() - read all wanted metrics of the tables
 * @wanted: for each metric, by number, whether it is wanted; NULL for all
 * @visit: called with each metric and its number; NULL if the metric cannot be read. The metric is
 *         valid until @visit returns
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
 * These are the expressions of @m->refs, in the order of @m->refs, then the value, then the
 * threshold if there is one.
 */
int metric__nr_exprs(const struct metric *m);
/** metric__expr() - get expression number @i of a metric. */
const struct expr *metric__expr(const struct metric *m, int i);
/**
 * metric__names() - find the events and metrics that are named in expression number @i of a metric
 *
 * Names of events are matched exactly, names of metrics in any case. The first call looks at all
 * expressions, so the metric must be complete.
 *
 * Return: for each node, the index of its name in @m->ids, or @m->nr_ids + the index in @m->refs;
 * -1 for a node that does not name either.
 */
const int *metric__names(struct metric *m, int i);
/**
 * metrics__suggest() - offer the metrics and metric groups to @s. Nodes of the TopDown tree come
 * first, and are offered by their plain words, too
 */
void metrics__suggest(const struct tables *tables, struct suggest *s);
/**
 * metrics__share_of() - find the denominator of a metric in % from its unit and its description
 *
 * Return: "slots", "clocks", "stalls", "ops", "uops" and the like; NULL if the metric is not a
 * share, or if its denominator is not in the tables.
 */
const char *metrics__share_of(const struct metric_info *info);
/** metrics__share_unit() - get the unit of a share: "%" for slots, "% clocks", "% stalls" ... */
const char *metrics__share_unit(const struct metric_info *info);
/**
 * metrics__topdown_levels() - find how deep the TopDown tree is
 * @pmu:   PMU of the tree's metrics; NULL for any PMU
 * @group: set to the part of the groups' names before the level: "TopdownL", or "PipelineL" if
 *         there are no groups with "TopdownL"; unchanged without a tree; may be NULL
 *
 * Return: the deepest level; 0 without a tree.
 */
int metrics__topdown_levels(const struct tables *tables, const char *pmu, const char **group);
/**
 * metrics__topdown_columns() - estimate the width of a table of a level that has a column for each
 * metric
 * @pmu: as in metrics__topdown_levels(); @group: the part of the group's name before the level
 */
int metrics__topdown_columns(const struct tables *tables, const char *pmu, const char *group,
			     int level);
/** metrics__topdown_level() - get the level of a metric in the TopDown tree, 0 outside of it. */
int metrics__topdown_level(const struct metric_info *info);
/** metrics__topdown_is_useful() - find out whether a metric is the share of slots that retired. */
bool metrics__topdown_is_useful(const struct metric_info *info);
/**
 * metrics__topdown_parent() - find the parent of a metric in the tables
 * @parent: set if there is a parent, otherwise undefined
 */
bool metrics__topdown_parent(const struct tables *tables, const struct metric_info *info,
			     struct metric_info *parent);
/**
 * metrics__sampling() - list the events whose samples show the code that a metric is about
 * @list:   the names of the events are appended with commas between them; the end of the
 *          description has the names ("Sample with: ...")
 * @m:      the machine that would sample them, as not every virtual machine can sample precisely
 * @events: " -e EVENT:pp" or " -e EVENT:P" is appended for each event that is in the tables; may be
 *          NULL
 */
void metrics__sampling(const struct tables *tables, struct machine *m,
		       const struct metric_info *info, struct sb *list, struct sb *events);
/**
 * metrics__resources() - list the groups of metrics to look at after the end of the tree
 * @node:   the name of a metric of Arm's tree
 * @groups: the groups are appended in the order of Arm's decision tree, with commas between them.
 *          Nothing is appended for other nodes, or if the tables do not have any of the groups
 */
void metrics__resources(const struct tables *tables, const char *node, struct sb *groups);
/** metrics__put_options() - append the options of a command that measures metrics: " -M A -M B". */
void metrics__put_options(const char *groups, struct sb *sb);
/**
 * metrics__core_wide() - get #core_wide: whether everything that runs on the measured cores is
 * counted.
 */
bool metrics__core_wide(const struct metrics_scope *scope);
/** metrics__depends_on_cores() - find out whether a metric's formula depends on #core_wide. */
bool metrics__depends_on_cores(const struct metric *metric);
/**
 * metrics__topdown_key() - append the sort key of a metric in the TopDown tree, for the columns of
 * --topdown
 * @key: the key is appended; keys of metrics of one PMU are compared bytewise (strcmp())
 *
 * The order of level 1 is retiring, backend bound, frontend bound, bad speculation. Metrics of
 * deeper levels are in the order of their parents, and children of one parent in the order of the
 * tables. If a metric is in a group <name>_group, the metric <name> is its parent.
 */
void metrics__topdown_key(const struct tables *tables, const struct metric *metric, struct sb *key);

/* How two metrics belong together, by the names of their groups. */
enum metric_relation {
	METRIC_PARENT,	/* the other metric is the parent: this metric is in its group,
			 * <name>_group */
	METRIC_CHILD,	/* the other metric is a child of this one */
	METRIC_SIBLING, /* the other metric is a child of the same parent, or both have no parent
			 * and are of the first level */
	METRIC_RELATED, /* both metrics are about the same issue: they are in a group with "_issue"
			 * in its name */
	METRIC_NR_RELATIONS,
};

/**
 * metrics__group_owner() - find the metric whose children a group has
 * @group, @len: name of the group, usually inside a list of groups
 *
 * Return: number of bytes of the metric's name at the beginning of @group, which end before
 * "_group"; 0 if @group does not end in "_group". The case of a metric's name does not matter, as
 * always.
 */
int metrics__group_owner(const char *group, int len);
/**
 * metrics__related() - find out whether two metrics have a relation
 * @a, @b: two metrics of one model
 *
 * Metrics of different PMUs are never related, and a metric is not related to itself.
 */
bool metrics__related(const struct metric_info *a, enum metric_relation relation,
		      const struct metric_info *b);

#endif
