/* SPDX-License-Identifier: GPL-2.0-only */
/* The metrics and the events opened for them, as plan.c and the two ways of grouping share them. */
#ifndef TMA_PLAN_GROUPING_H
#define TMA_PLAN_GROUPING_H

#include "base/err.h"
#include "base/sb.h"
#include "base/vec.h"
#include "plan/plan.h"

/**
 * struct want - a metric whose events are wanted
 * @pm:     becomes the plan's, unless the metric is dropped. The ways of grouping set its events;
 *          pack_groups() also sets its parts and split
 * @own:    events opened for this metric first; empty when it shares another's
 * @list:   the list its events are in: @own, that of another metric, or grouping.shared
 * @dropped: its events are not available
 * @missing: the id that this machine has no event for, or NULL
 * @place:  its place among the metrics selected
 * @size:   how many of its ids are opened as counters
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
 * struct grouping - one call of plan__add_metrics()
 * @opts, @scope: arguments of the call
 * @want:      the metrics, first as selected, then in the order in which they are grouped
 * @shared:    events which several metrics share: in perf_groups() those of metrics that are not
 *             grouped, in pack_groups() all
 * @is_default: the group Default was asked for
 * @nr_dropped: how many metrics are dropped
 * @failure:   why the first of them is dropped, with its name
 * @warnings:  lines are appended to it
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
 * Orders @g->want, and sets own, list, events and dropped of each.
 *
 * Return: 0; the errors of events__parse_ids().
 */
int perf_groups(struct grouping *g, struct err *err);

/**
 * pack_groups() - group the events by the counters they may use
 *
 * The events of each metric are in one group wherever the counters hold them. Groups take turns on
 * the counters, so metrics share groups to keep them few. Orders @g->want, fills @g->shared, and
 * sets list, events, split and dropped of each of @g->want.
 *
 * Return: 0; the errors of events__parse_ids().
 */
int pack_groups(struct grouping *g, struct err *err);

/**
 * grouping__sort() - sort metrics by number of ids, largest first, as perf does
 *
 * The order decides which of the metrics printed with the same event comes first.
 */
void grouping__sort(struct grouping *g);
/**
 * grouping__sort_ids() - sort the ids of a group into the order in which perf opens them
 * @ids: each once, those of the first metric first, without the events that the program counts
 *       itself (duration_time ...)
 */
void grouping__sort_ids(const struct grouping *g, const char **ids, int nr);
/** grouping__drop() - leave a metric out; @why: the error of its events, which is copied. */
void grouping__drop(struct grouping *g, struct want *w, const struct err *why);
/**
 * default_run__shown_at() - choose the event a metric is printed with (plan_options.least_shared)
 *
 * It is the event that fewest metrics need, the first of these in the list. An event that the
 * program counts itself (duration_time ...) is chosen only if the metric has no other.
 *
 * Return: NULL for a metric without events.
 */
struct event *default_run__shown_at(const struct grouping *g, const struct want *w);
/** default_run__show_counts() - set with_count of the events of a metric without a heading. */
void default_run__show_counts(const struct want *w);
/** grouping__warn_dropped() - warn of each missing event once, with the metrics that need it. */
void grouping__warn_dropped(struct grouping *g);
/**
 * grouping__find() - find the event in a list that counts an id for a metric
 * @first, @end: search from @first on, before @end
 *
 * The first is found where there are several (instances of an uncore PMU). On a hybrid machine an
 * event of another core PMU than the metric's is skipped.
 *
 * Return: the event or NULL.
 */
struct event *grouping__find(const struct grouping *g, const struct event_list *list,
			     int first, int end, const struct metric *metric, const char *id);
/*
 * A metric of residencies divides the time that a core or a package spent in an idle state by the
 * time stamp counter. Every CPU has such a counter, so its sum over all CPUs is several times the
 * time of the cores or packages; so it is read on the CPUs where the residency is read.
 */
/** residency__is() - find out whether a metric's ids are residencies of one PMU and the TSC. */
bool residency__is(const struct metric *metric);
/** residency__set_cpus() - make the TSC in a list count on the CPUs of the residencies in it. */
void residency__set_cpus(struct event_list *list);

#endif
