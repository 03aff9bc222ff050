/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What comes in is the user's events and the texts of metrics. What goes out is a plan: one list of
 * events in groups, each of which the kernel schedules as a whole; for each metric the events that
 * serve it; and the program that computes all values. plan.c holds it together. How the events of
 * metrics are grouped stands behind grouping.h: perf_groups.c does it as perf 6.12, pack_groups.c
 * by the counters that events may use. schedule.h tells what will become of a plan's groups.
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
 * struct plan_metric - a metric and the events that serve it
 * @metric:   the metric, which the plan's list owns
 * @events:   for each of metric->ids[] the event (in the plan's list) that counts it: the first
 *            of its instances (event->first) where there are several; NULL for none. The same for
 *            each part follows, so that there are plan_metric__nr_events() of them
 * @parts:    (PLAN_BY_COUNTERS) sub-expressions whose events are counted in a group of their own;
 *            where one is inside another, the outer one decides
 * @shown_at: the event it is printed with: the first of its events in the plan's order, or with
 *            plan_options.least_shared the one that fewest metrics need
 * @value, @threshold: numbers of its outputs in the plan's program; @threshold is -1 when it has
 *            none
 * @is_default: it was asked for as the group Default
 * @name:     its name with its modifier, "tma_retiring:u"
 * @split:    (PLAN_BY_COUNTERS) the events of its value are in several groups, as no group can hold
 *            them, or a constraint says so: they are counted at different times
 * @over_passes: they are counted in several runs of the command
 * @deeper:   (recordings) level of a part of it that was not asked for and has its events; or 0
 * @whole:    (plan.wholes) number of the output that its tree's shares are shares of; else -1
 * @in_cycles: that is cycles, and no slots
 * @rank:     (--topdown) place among the columns: core PMUs in the machine's order, within each the
 *            order of the TopDown tree; otherwise the place in plan->metrics
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

/** plan_metric__nr_events() - how many entries its events[] has, some of which may be the same. */
static inline int plan_metric__nr_events(const struct plan_metric *pm)
{
	return pm->metric->nr_ids * (1 + pm->nr_parts);
}

/**
 * struct plan_gap - a metric that a recording has not the events for
 * @name, @pmu: as the tables have them
 * @lacks: names of the events, "A, B, C and 2 more"
 */
struct plan_gap {
	const char *name, *pmu;
	char *lacks;
};

/**
 * struct plan_tsc - a column of the time stamp counter, of the time that a formula means
 * @event: number of the event that counts it
 * @as:    number of the event in whose enabled time it is; -1 for the time of the row
 */
struct plan_tsc {
	int event, as;
};

/**
 * struct plan - what is opened, and what is computed from it
 *
 * @events:  all events: the user's stand first, then those of the metrics; groups stand together
 * @metrics: all metrics, in the order in which perf 6.12 prints them: by the event they are printed
 *           with; where several have the same event, the last one grouped is first
 * @owned:   the metrics selected
 * @gaps:    metrics of a recording that were left out
 * @program: computes the values. Its columns are the counts of the events, by event->index, and
 *           behind them the seconds for which each was enabled, on all CPUs together, and @tscs
 * @wholes:  somebody asks what the shares of TopDown trees are shares of
 * @nr_cgroups: how often the events and metrics stand in the lists, once for each cgroup in turn,
 *           or for each PCIe root port; 0 without plan__for_each_cgroup() and --iostat
 * @warnings: lines for the user that are no failures (metrics left out, metrics not grouped), each
 *           with its newline; those of @events stand in @events.warnings
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
	PLAN_AS_PERF,	  /* as perf 6.12: a group for each metric that is not part of another */
	PLAN_BY_COUNTERS, /* few groups, each of which the counters hold */
};

/**
 * struct plan_options
 * @grouping: how events are grouped; those of the group Default are always grouped as perf's
 * @no_group: --metric-no-group; @no_merge: --metric-no-merge: no sharing of groups between metrics
 * @topdown:  --topdown: metrics are ranked in the order of the TopDown tree
 * @default_run: a run without -e or -M, which counts the group Default: a refusal of its events is
 *            passed over (event->default_group)
 *
 * @with_cycles: (PLAN_BY_COUNTERS) cycles are in each group of core events
 * @with_counts: (default run) as perf since Linux 6.19: a metric without a heading is printed with
 *            an event and its count, and one that is constant here is left out
 * @least_shared: (implied by it) a metric is printed with the event that fewest metrics need
 *
 * As in perf, --topdown and a default run take none of --metric-no-group and --metric-no-merge, and
 * leave out the events that only thresholds need. A threshold is looked at all the same where what
 * it compares is made of events which the plan has for other metrics.
 * @perfs_thresholds: it is not, as with perf, or since nobody asks
 */
struct plan_options {
	enum plan_grouping grouping;
	bool no_group, no_merge, topdown, default_run, with_counts, least_shared, perfs_thresholds,
		with_cycles;
};

/** plan__nr_columns() - how many columns its program has. */
static inline int plan__nr_columns(const struct plan *p)
{
	return 2 * p->events.nr + p->tscs.nr;
}

/** plan__new() - an empty plan; plan__free() it. @scope must outlive it. */
struct plan *plan__new(const struct metrics_scope *scope);
/** plan__free() - release it; NULL is allowed. */
void plan__free(struct plan *p);

/**
 * plan__add_metrics() - the metrics of all -M texts, joined by commas
 * @text: "Default" alone is the group of that name in an order of its own, with is_default set
 *
 * As perf 6.12 does it: metrics by number of ids, largest first; those not to be grouped share
 * one ungrouped list; a metric whose ids are a subset of an earlier one's shares its group; any
 * other gets a weak group of its own. By counters: see pack_groups().
 *
 * A metric which needs an event this machine does not have is left out with a warning; when none
 * is left, that is the failure.
 *
 * Return: 0; what metrics__select() and events__parse_ids() return.
 */
int plan__add_metrics(struct plan *p, const struct metrics_scope *scope,
		      const struct events_scope *events, const struct plan_options *opts,
		      const char *text, struct err *err);

/**
 * plan__arrange_default() - put the events of a default run in perf's order since Linux 6.19
 * @first: place of the first of them in the plan's list
 *
 * Call it after plan__add_metrics() of all groups (plan_options.with_counts). Groups of events with
 * counts stand before the others; those of one kind by the type of their PMU, then by name.
 */
void plan__arrange_default(struct plan *p, int first);

/** plan__add_gap() - note a metric that is left out; @lacks: becomes the plan's. */
void plan__add_gap(struct plan *p, const struct metric *m, char *lacks);
/** plan__take_metric() - one more metric, whose events and parts become the plan's; it is named. */
void plan__take_metric(struct plan *p, struct plan_metric pm);

/**
 * plan__set_cgroups() - -G: count events in cgroups
 * @cgroups: one for each event in order (NULL for none, and the events behind them have none), or
 *           one for all; must outlive the plan
 *
 * Return: 0, or -EINVAL for more cgroups than events.
 */
int plan__set_cgroups(struct plan *p, const struct cgroup_list *cgroups, struct err *err);
/**
 * plan__for_each_cgroup() - --for-each-cgroup: count everything once in each cgroup
 * @cgroups: at least one; must outlive the plan
 *
 * Call it after all events and metrics were added. As in perf 6.12 it turns the order of metrics
 * around.
 */
void plan__for_each_cgroup(struct plan *p, const struct cgroup_list *cgroups);

/**
 * plan__finish() - number the events and compile the program; call once, before counting
 *
 * Return: 0; what program__add() returns.
 */
int plan__finish(struct plan *p, struct err *err);

#endif
