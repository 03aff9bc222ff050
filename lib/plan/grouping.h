/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Metrics and the events that are opened for them. plan.c and both ways of grouping share these
 * declarations.
 */
#ifndef TMA_PLAN_GROUPING_H
#define TMA_PLAN_GROUPING_H

#include "base/err.h"
#include "base/sb.h"
#include "base/vec.h"
#include "plan/plan.h"

/**
 * struct want - a metric for which events are opened
 * @pm:     the metric as it goes into the plan, unless it is dropped. Both ways of grouping set its
 *          events; pack_groups() also sets its parts and split
 * @own:    events that were opened for this metric first; empty if it uses only events of other
 *          metrics
 * @list:   list with the metric's events: its @own, the @own of another metric, or grouping.shared
 * @dropped: the metric is left out, as its events are not available
 * @missing: the id that this machine has no event for, or NULL
 * @place:  index of the metric among the selected metrics
 * @size:   number of its ids that are opened as counters
 */
struct want {
	struct plan_metric pm;
	struct event_list own;
	struct event_list *list;
	bool dropped;
	const char *missing;
	int place, size;
};

/**
 * struct grouping - the state of one call of plan__add_metrics()
 * @opts, @scope: arguments of the call
 * @want:      the metrics, at first in the order of selection, then in the order of grouping
 * @shared:    events that several metrics share: in perf_groups() the events of metrics that are
 *             not grouped, in pack_groups() all events
 * @is_default: the user selected the group Default
 * @nr_dropped: number of dropped metrics
 * @failure:   name of the first dropped metric, and the reason
 * @warnings:  warnings are appended to it
 */
struct grouping {
	const struct plan_options *opts;
	const struct events_scope *scope;
	VEC(struct want) want;
	struct event_list shared;
	bool is_default;
	int nr_dropped;
	struct err failure;
	struct sb *warnings;
};

/**
 * perf_groups() - group the events as perf 6.12 does
 *
 * This sorts @g->want, and sets own, list, events and dropped of each entry.
 *
 * Return: 0; the errors of events__parse_ids().
 */
int perf_groups(struct grouping *g, struct err *err);

/**
 * pack_groups() - group the events by the counters that they may use
 *
 * The events of a metric are in one group if the counters can hold them. Metrics share groups, so
 * that there are few groups, which take turns on the counters. This sorts @g->want, fills
 * @g->shared, and sets list, events, split and dropped of each entry of @g->want.
 *
 * Return: 0; the errors of events__parse_ids().
 */
int pack_groups(struct grouping *g, struct err *err);

/**
 * grouping__sort() - sort metrics by number of ids, largest first, as perf does
 *
 * If several metrics are printed with the same event, this order decides which metric comes first.
 */
void grouping__sort(struct grouping *g);
/**
 * grouping__sort_ids() - sort the ids of a group into the order in which perf opens them
 * @ids: the ids, each once, without events that the program counts itself (duration_time ...);
 *       those of the first metric come first
 */
void grouping__sort_ids(const struct grouping *g, const char **ids, int nr);
/** grouping__drop() - leave a metric out. @why is the error of its events, and is copied. */
void grouping__drop(struct grouping *g, struct want *w, const struct err *why);
/**
 * default_run__shown_at() - choose the event that a metric is printed with
 * (plan_options.least_shared)
 *
 * This is the event that the fewest metrics need; if there are several, the first in the list. An
 * event that the program counts itself (duration_time ...) is chosen only if the metric has no
 * other event.
 *
 * Return: NULL for a metric without events.
 */
struct event *default_run__shown_at(const struct grouping *g, const struct want *w);
/** default_run__show_counts() - if a metric has no heading, set with_count of its events. */
void default_run__show_counts(const struct want *w);
/** grouping__warn_dropped() - warn of each missing event once, with the metrics that need it. */
void grouping__warn_dropped(struct grouping *g);
/**
 * grouping__find() - find the event in a list that counts an id of a metric
 * @first, @end: search from index @first up to the one before @end
 *
 * If there are several such events (instances of an uncore PMU), the first is found. On a hybrid
 * machine, events of other core PMUs than the metric's are skipped.
 *
 * Return: the event or NULL.
 */
struct event *grouping__find(const struct grouping *g, const struct event_list *list,
			     int first, int end, const struct metric *metric, const char *id);
/*
 * A metric of residencies divides the time that a core or a package spent in an idle state by the
 * time stamp counter. Every CPU has such a counter, so a sum over all CPUs would be several times
 * the time of the cores or packages. For this reason, the time stamp counter is read only on the
 * CPUs where the residency is read.
 */
/** residency__is() - find out whether a metric's ids are the TSC and residencies of one PMU. */
bool residency__is(const struct metric *metric);
/**
 * residency__set_cpus() - make the TSC in a list count on the CPUs of the residencies in the list.
 */
void residency__set_cpus(struct event_list *list);

#endif
