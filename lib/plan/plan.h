/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A plan is made from the user's events and the names of metrics. It has one list of events in
 * groups, and the kernel schedules each group as a whole. It also has the events of each metric,
 * and the program that computes all values. The events of metrics are grouped by perf_groups.c, as
 * in perf 6.12, or by pack_groups.c, by the counters that events may use; grouping.h has the
 * declarations. schedule.h forecasts how the kernel will schedule the groups.
 */
#ifndef TMA_PLAN_PLAN_H
#define TMA_PLAN_PLAN_H

#include <stdbool.h>

#include "base/sb.h"
#include "events/events.h"
#include "machine/cgroup.h"
#include "metrics/metrics.h"
#include "metrics/program.h"
#include "plan/parts.h"

/**
 * struct plan_metric - a metric and its events
 * @metric:   the metric, which plan.owned owns
 * @events:   for each of metric->ids[], the event of the plan that counts the id; the first
 *            (event->first) of several instances; NULL if no event counts the id. As many entries
 *            follow for each of @parts, so there are plan_metric__nr_events() entries
 * @parts:    (PLAN_BY_COUNTERS) sub-expressions whose events are counted in a group of their own;
 *            if one contains another, the outer one decides
 * @shown_at: the event that the metric is printed with: the first of its events in the plan's
 *            order, or with plan_options.least_shared the event that the fewest metrics need
 * @value, @threshold: output numbers of value and threshold in the plan's program; @threshold is -1
 *            for a metric without a threshold
 * @is_default: the metric was selected by the group Default
 * @name:     name of the metric with its modifier, such as "tma_retiring:u"
 * @split:    (PLAN_BY_COUNTERS) the events of the value are counted at different times, in several
 *            groups: no group can hold them, or a constraint keeps them apart
 * @over_passes: the events of the metric are counted in several runs of the command
 * @deeper:   (recordings) level of a child in the TopDown tree whose events were recorded, but
 *            which is not selected; or 0
 * @whole:    (plan.wholes) output number of the denominator of all shares in the metric's TopDown
 *            tree; otherwise -1
 * @in_cycles: @whole is in cycles, not in slots
 * @rank:     (--topdown) place of the metric among the columns, which are in the machine's order of
 *            core PMUs, and for each PMU in the order of the TopDown tree; otherwise the index in
 *            plan->metrics
 */
struct plan_metric {
	struct metric *metric;
	struct event **events;
	struct part *parts;
	int nr_parts;
	struct event *shown_at;
	int value, threshold, whole;
	bool is_default, split, over_passes, in_cycles;
	char *name;
	int rank, deeper;
};

/** plan_metric__nr_events() - count the entries of @pm->events, which may name an event twice. */
static inline int plan_metric__nr_events(const struct plan_metric *pm)
{
	return pm->metric->nr_ids * (1 + pm->nr_parts);
}

/**
 * struct plan_gap - a metric that is left out because a recording lacks some of its events
 * @name, @pmu: names of the metric and its PMU, as in the tables
 * @lacks: names of the missing events, such as "A, B, C and 2 more"; the plan frees it
 */
struct plan_gap {
	const char *name, *pmu;
	char *lacks;
};

/**
 * struct plan_tsc - a column with the time stamp counter (TSC), scaled to the time that a formula
 * means
 * @event: number of the event that counts the TSC
 * @as:    number of the event whose time enabled is meant; -1 for the time of the row
 */
struct plan_tsc {
	int event, as;
};

/**
 * struct plan - the events to open, and the metrics to compute from their counts
 *
 * @events:  all events: first the user's events, then events of the metrics; the events of a group
 *           are next to each other
 * @metrics: all metrics in perf 6.12's order of printing: sorted by the event that a metric is
 *           printed with; of several metrics with one event, the metric that was grouped last comes
 *           first
 * @owned:   the selected metrics
 * @gaps:    metrics that were left out because a recording lacks their events
 * @tscs:    columns of the time stamp counter
 * @program: the program that computes the values. Its columns are: the counts of the events, by
 *           event->index; the seconds that each event was enabled, summed over all CPUs; @tscs
 * @wholes:  plan_metric.whole is needed; set by the caller
 * @nr_cgroups: number of copies of the events and metrics in the lists, one for each cgroup or PCIe
 *           root port; 0 without plan__for_each_cgroup() and --iostat
 * @warnings: lines for the user that are not errors (metrics left out, metrics not grouped), each
 *           with its newline; warnings about @events are in @events.warnings
 */
struct plan {
	struct event_list events;
	struct plan_metric *metrics;
	int nr_metrics;
	struct metric_list owned;
	VEC(struct plan_gap) gaps;
	VEC(struct plan_tsc) tscs;
	struct program *program;
	struct sb warnings;
	const struct metrics_scope *scope;
	bool topdown, perfs_thresholds, wholes;
	int nr_cgroups;
};

/* How the events of metrics are grouped. */
enum plan_grouping {
	PLAN_AS_PERF,	  /* as in perf 6.12: a group for each metric, unless the group of another
			   * metric has its events */
	PLAN_BY_COUNTERS, /* as few groups as possible; the counters can hold each group */
};

/**
 * struct plan_options - how metrics are added to a plan
 * @grouping: how events are grouped; events of the group Default are always grouped as in perf
 * @no_group: --metric-no-group: events are not grouped
 * @no_merge: --metric-no-merge: metrics share no groups
 * @topdown:  --topdown: metrics are ranked in the order of the TopDown tree
 * @default_run: the run has no -e or -M, and counts the group Default: events that the kernel
 *            refuses are left out without an error (event->default_group)
 * @with_cycles: (PLAN_BY_COUNTERS) cycles is added to each group of core events
 * @with_counts: (default run) print as perf does since Linux 6.19: a metric without a heading is
 *            printed with an event and its count, and a metric that is constant on this machine is
 *            left out
 * @least_shared: a metric is printed with the event that the fewest metrics need; @with_counts
 *            implies it
 * @perfs_thresholds: as in perf, do not compute thresholds from events of other metrics; also set
 *            if the caller does not need thresholds
 *
 * As in perf, --topdown and a default run ignore --metric-no-group and --metric-no-merge, and leave
 * out the events that only thresholds need. Unless @perfs_thresholds is set, such a threshold is
 * computed nevertheless if other metrics have all events that it needs.
 */
struct plan_options {
	enum plan_grouping grouping;
	bool no_group, no_merge, topdown, default_run, with_counts, least_shared, perfs_thresholds,
		with_cycles;
};

/** plan__nr_columns() - count the columns of the plan's program. */
static inline int plan__nr_columns(const struct plan *p)
{
	return 2 * p->events.nr + p->tscs.nr;
}

/** plan__new() - make an empty plan, which plan__free() frees; @scope must outlive the plan. */
struct plan *plan__new(const struct metrics_scope *scope);
/** plan__free() - free a plan; NULL is allowed. */
void plan__free(struct plan *p);

/**
 * plan__add_metrics() - add the metrics of all -M texts, and events for them
 * @text: the -M texts, joined by commas. If it is "Default", the group Default is selected; its
 *        metrics come in an order of their own, with is_default set
 *
 * With PLAN_AS_PERF, events are grouped as in perf 6.12. Metrics with the most ids come first.
 * Metrics that are not to be grouped share one ungrouped list. A metric whose ids are a subset of
 * an earlier metric's ids shares that metric's group; any other metric gets a weak group of its
 * own. For PLAN_BY_COUNTERS see pack_groups().
 *
 * A metric that needs an event that this machine does not have is left out with a warning. If no
 * metric is left, the call fails.
 *
 * Return: 0; the errors of metrics__select() and events__parse_ids().
 */
int plan__add_metrics(struct plan *p, const struct metrics_scope *scope,
		      const struct events_scope *events, const struct plan_options *opts,
		      const char *text, struct err *err);

/**
 * plan__arrange_default() - put the events of a default run in the order that perf has since Linux
 * 6.19
 * @first: index of the first of these events in the plan's list
 *
 * Call this after plan__add_metrics() of all groups (plan_options.with_counts). Groups of events
 * that are printed with counts come first. Groups with and without counts are each sorted by the
 * type of their PMU, then by name.
 */
void plan__arrange_default(struct plan *p, int first);

/** plan__add_gap() - record that a metric is left out; the plan takes @lacks over and frees it. */
void plan__add_gap(struct plan *p, const struct metric *m, char *lacks);
/** plan__take_metric() - add a metric, make its name, and take over its events and parts. */
void plan__take_metric(struct plan *p, struct plan_metric pm);

/**
 * plan__set_cgroups() - count events in cgroups (-G)
 * @cgroups: one cgroup for all events, or a cgroup for each event in order, or NULL; events after
 *           the last entry do not have a cgroup. Must outlive the plan
 *
 * Return: 0, or -EINVAL if there are more cgroups than events.
 */
int plan__set_cgroups(struct plan *p, const struct cgroup_list *cgroups, struct err *err);
/**
 * plan__for_each_cgroup() - count everything once in each cgroup (--for-each-cgroup)
 * @cgroups: at least one; must outlive the plan
 *
 * Call this after all events and metrics have been added. The order of metrics is reversed, as in
 * perf 6.12.
 */
void plan__for_each_cgroup(struct plan *p, const struct cgroup_list *cgroups);

/**
 * plan__finish() - number the events and compile the program; call once, before counting
 *
 * Return: 0; the errors of program__add().
 */
int plan__finish(struct plan *p, struct err *err);

#endif
