/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A plan is made from the user's events and the texts of metrics. It has one list of events in
 * groups, each of which the kernel schedules as a whole; for each metric the events that serve it;
 * and the program that computes all values. plan.c holds these together. grouping.h declares how
 * the events of metrics are grouped: perf_groups.c does it as perf 6.12 does, pack_groups.c by the
 * counters that events may use. schedule.h forecasts how the kernel will schedule the groups.
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
 *            of its instances (event->first) where there are several; NULL if no event counts it.
 *            As many entries follow for each of @parts, so that there are
 *            plan_metric__nr_events() of them
 * @parts:    (PLAN_BY_COUNTERS) sub-expressions whose events are counted in a group of their own;
 *            where one is inside another, the outer one decides
 * @shown_at: the event it is printed with: the first of its events in the plan's order, or with
 *            plan_options.least_shared the one that fewest metrics need
 * @value, @threshold: numbers of its outputs in the plan's program; @threshold is -1 for a metric
 *            without a threshold
 * @is_default: it was asked for as the group Default
 * @name:     its name with its modifier, "tma_retiring:u"
 * @split:    (PLAN_BY_COUNTERS) the events of its value are in several groups, as no group can hold
 *            them, or a constraint keeps them apart: they are counted at different times
 * @over_passes: its events are counted in several runs of the command
 * @deeper:   (recordings) level of a child in the TopDown tree whose events were recorded, but
 *            which was not asked for; or 0
 * @whole:    (plan.wholes) number of the output that is the denominator of the shares in its
 *            TopDown tree; else -1
 * @in_cycles: @whole is in cycles, not in slots
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

/** plan_metric__nr_events() - count the entries of @pm->events, which may name an event twice. */
static inline int plan_metric__nr_events(const struct plan_metric *pm)
{
	return pm->metric->nr_ids * (1 + pm->nr_parts);
}

/**
 * struct plan_gap - a metric that is left out because a recording lacks events for it
 * @name, @pmu: as the tables spell them
 * @lacks: names of the missing events, "A, B, C and 2 more"; the plan frees it
 */
struct plan_gap {
	const char *name, *pmu;
	char *lacks;
};

/**
 * struct plan_tsc - a column with the time stamp counter, scaled to the time that a formula means
 * @event: number of the event that counts it
 * @as:    number of the event whose enabled time is meant; -1 for the time of the row
 */
struct plan_tsc {
	int event, as;
};

/**
 * struct plan - the events to open, and the metrics to compute from their counts
 *
 * @events:  all events: the user's come first, then those of the metrics; the events of a group are
 *           next to each other
 * @metrics: all metrics, in the order in which perf 6.12 prints them: by the event they are printed
 *           with; where several have the same event, the last one grouped is first
 * @owned:   the metrics selected
 * @gaps:    metrics that were left out because a recording lacks events for them
 * @tscs:    columns of the time stamp counter
 * @program: computes the values. Its columns are the counts of the events, by event->index, then
 *           for each event the seconds for which it was enabled, summed over all CPUs, then @tscs
 * @wholes:  set by a caller that needs plan_metric.whole
 * @nr_cgroups: how often the events and metrics are in the lists: once for each cgroup in turn,
 *           or for each PCIe root port; 0 without plan__for_each_cgroup() and --iostat
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
	PLAN_AS_PERF,	  /* as perf 6.12: a group for each metric that is not part of another */
	PLAN_BY_COUNTERS, /* few groups, each of which the counters hold */
};

/**
 * struct plan_options - how metrics are added to a plan
 * @grouping: how events are grouped; events of the group Default are always grouped as perf's
 * @no_group: --metric-no-group: no event is in a group
 * @no_merge: --metric-no-merge: metrics share no groups
 * @topdown:  --topdown: metrics are ranked in the order of the TopDown tree
 * @default_run: a run without -e or -M, which counts the group Default: if the kernel refuses its
 *            events, they are left out without an error (event->default_group)
 * @with_cycles: (PLAN_BY_COUNTERS) each group of core events also has cycles
 * @with_counts: (default run) as perf since Linux 6.19: a metric without a heading is printed with
 *            an event and its count, and a metric that is constant here is left out
 * @least_shared: (implied by it) a metric is printed with the event that fewest metrics need
 * @perfs_thresholds: do not compute thresholds from events of other metrics, as perf does not; also
 *            set where no caller needs thresholds
 *
 * As in perf, --topdown and a default run ignore --metric-no-group and --metric-no-merge, and leave
 * out the events that only thresholds need. Unless @perfs_thresholds is set, a threshold is still
 * computed if the plan has the events of all that it compares for other metrics.
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

/** plan__new() - make an empty plan; plan__free() it. @scope must outlive it. */
struct plan *plan__new(const struct metrics_scope *scope);
/** plan__free() - release it; NULL is allowed. */
void plan__free(struct plan *p);

/**
 * plan__add_metrics() - add the metrics of all -M texts, and events for them
 * @text: the -M texts, joined by commas; "Default" alone is the group of that name, whose metrics
 *        come in an order of their own, with is_default set
 *
 * With PLAN_AS_PERF events are grouped as in perf 6.12: metrics are taken by number of ids, largest
 * first; metrics that are not to be grouped share one ungrouped list; a metric whose ids are a
 * subset of an earlier one's shares its group; any other gets a weak group of its own. For
 * PLAN_BY_COUNTERS see pack_groups().
 *
 * A metric which needs an event that this machine does not have is left out with a warning; if no
 * metric is left, the call fails.
 *
 * Return: 0; the errors of metrics__select() and events__parse_ids().
 */
int plan__add_metrics(struct plan *p, const struct metrics_scope *scope,
		      const struct events_scope *events, const struct plan_options *opts,
		      const char *text, struct err *err);

/**
 * plan__arrange_default() - put the events of a default run in perf's order since Linux 6.19
 * @first: place of the first of them in the plan's list
 *
 * Call it after plan__add_metrics() of all groups (plan_options.with_counts). Groups of events that
 * are printed with counts come first; both kinds are in order of the type of their PMU, then name.
 */
void plan__arrange_default(struct plan *p, int first);

/** plan__add_gap() - note a metric that is left out; the plan takes @lacks over and frees it. */
void plan__add_gap(struct plan *p, const struct metric *m, char *lacks);
/** plan__take_metric() - add a metric, name it, and take its events and parts over. */
void plan__take_metric(struct plan *p, struct plan_metric pm);

/**
 * plan__set_cgroups() - count events in cgroups (-G)
 * @cgroups: one for each event in order (NULL for none; events after the last entry have none), or
 *           one for all; must outlive the plan
 *
 * Return: 0, or -EINVAL for more cgroups than events.
 */
int plan__set_cgroups(struct plan *p, const struct cgroup_list *cgroups, struct err *err);
/**
 * plan__for_each_cgroup() - count everything once in each cgroup (--for-each-cgroup)
 * @cgroups: at least one; must outlive the plan
 *
 * Call it after all events and metrics were added. It reverses the order of metrics, as perf 6.12
 * does.
 */
void plan__for_each_cgroup(struct plan *p, const struct cgroup_list *cgroups);

/**
 * plan__finish() - number the events and compile the program; call once, before counting
 *
 * Return: 0; the errors of program__add().
 */
int plan__finish(struct plan *p, struct err *err);

#endif
