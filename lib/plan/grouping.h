/* SPDX-License-Identifier: GPL-2.0-only */
/* Between the plan and the ways of grouping: metrics in, events in groups out. */
#ifndef TMA_PLAN_GROUPING_H
#define TMA_PLAN_GROUPING_H

#include "base/err.h"
#include "base/sb.h"
#include "base/vec.h"
#include "plan/plan.h"

/**
 * struct want - a metric whose events are wanted
 * @pm:     what becomes the plan's, unless it is dropped: the ways of grouping set its events, and
 *          its parts and whether it is split where they have such
 * @own:    events opened for this metric first; empty when it shares another's
 * @list:   where its events are: its own, another's, or one of the lists of the call
 * @dropped: its events cannot be had; @missing: the id this machine has no event for, or NULL
 * @place:  among those selected; @size: how many of its ids are opened as counters
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
 * @opts, @scope: of the call
 * @want:      the metrics: as selected at first, in the order they are grouped in afterwards
 * @shared:    events which several metrics share: as perf, of those that are not to be grouped; by
 *             counters, of all
 * @is_default: the group Default was asked for
 * @nr_dropped: metrics dropped; @failure: of the first of them, naming it
 * @warnings:  lines are appended
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
 * Orders @g->want, and sets own, list and dropped of each.
 *
 * Return: what events__parse_ids() returns.
 */
int perf_groups(struct grouping *g, struct err *err);

/**
 * pack_groups() - group the events by the counters they may use
 *
 * The events of each metric are one group wherever the counters hold them; groups are shared so
 * that there are few of them, as they take turns. Orders @g->want, fills @g->shared, and sets list,
 * events, split and dropped of each of @g->want.
 *
 * Return: what events__parse_ids() returns.
 */
int pack_groups(struct grouping *g, struct err *err);

/**
 * grouping__sort() - metrics by number of ids, largest first, in perf's order
 *
 * Of metrics printed with the same event, this decides which is first.
 */
void grouping__sort(struct grouping *g);
/**
 * grouping__sort_ids() - ids of a group in the order in which perf opens them
 * @ids: each once, those of the first metric first; the program's own events are not among them
 */
void grouping__sort_ids(const struct grouping *g, const char **ids, int nr);
/** grouping__drop() - leave a metric out; @why is the failure, whose text is taken over. */
void grouping__drop(struct grouping *g, struct want *w, const struct err *why);
/**
 * default_run__shown_at() - the event that a metric is printed with (plan_options.least_shared)
 *
 * The one that fewest metrics need, in the order of the list; not one of the program's own where
 * there is another.
 *
 * Return: NULL for a metric without events.
 */
struct event *default_run__shown_at(const struct grouping *g, const struct want *w);
/** default_run__show_counts() - mark the events of a metric without a heading: with_count */
void default_run__show_counts(const struct want *w);
/** grouping__warn_dropped() - a line for each event that is missing, with the metrics it costs. */
void grouping__warn_dropped(struct grouping *g);
/**
 * grouping__find() - the event in a list that counts an id for a metric
 * @first, @end: between which it is looked for
 *
 * Of several (instances of an uncore PMU) the first. On a hybrid machine an event of another core
 * PMU does not count for this metric.
 *
 * Return: the event or NULL.
 */
struct event *grouping__find(const struct grouping *g, const struct event_list *list,
			     int first, int end, const struct metric *metric, const char *id);
/*
 * Residencies in idle states: time in a state, of a core or a package, divided by the time stamp
 * counter. Every CPU has the latter, so that its sum over all CPUs is several times the time that
 * the cores or packages had; it is read where the residency is.
 */
/** residency__is() - whether a metric is made of one PMU's residencies and the TSC. */
bool residency__is(const struct metric *metric);
/** residency__place() - its TSC counts on the CPUs of the residencies. */
void residency__place(struct event_list *list);

#endif
