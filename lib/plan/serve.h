/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Choose the events of a metric. If events of several groups count an id of the metric, one of them
 * is chosen. The choice does not depend on whether events were planned for the metric or are
 * already counted.
 *
 * The best choice is one group with all events of the metric; otherwise, one group with all events
 * of its value, and one for its threshold. A part of an expression is counted in the first group
 * that has all events of the part. If there is no such group, the same is done for each operand of
 * the part. But if the vendor's tables say that the metric needs no group, each event is taken from
 * the first group that has it. Each pool of counters, such as those of a core PMU, is searched
 * separately. Events that do not compete for counters, such as a clock, do not influence the
 * choice.
 */
#ifndef TMA_PLAN_SERVE_H
#define TMA_PLAN_SERVE_H

#include <stdbool.h>

#include "base/vec.h"
#include "plan/parts.h"

#define OFFERS_NO_POOL (-1)

/**
 * struct offer - an event that counts an id
 * @group: number of the event's group; events of a group are counted at the same time
 * @event: the caller's number for the event
 */
struct offer {
	int group, event;
};

/**
 * struct offers - all events that count an id
 * @list: an offer for each event, sorted by group; empty if the id needs no event
 * @pool: number of the pool of counters that the events compete for, or OFFERS_NO_POOL
 */
struct offers {
	VEC(struct offer) list;
	int pool;
};

/**
 * struct service - the events of a metric
 * @events: for each of metric->ids[], the event of the chosen offer, or -1; as many entries follow
 *         for each of @parts
 * @parts: sub-expressions that use other events than the metric; no part contains another
 * @whole: each pool has a group with all events of the metric
 * @value_whole: each pool has a group with all events of the metric's value
 */
struct service {
	int *events;
	struct part *parts;
	int nr_parts;
	bool whole, value_whole;
};

/**
 * service__find() - choose the events of a metric; service__free() frees the result
 * @parts:  the parts of the metric
 * @offers: for each of metric->ids[], the events that count the id
 *
 * Events that are not chosen have no influence: without them the choice would be the same.
 */
void service__find(struct service *s, struct parts *parts, const struct offers *offers);
/** service__free() - free the events of a metric. */
void service__free(struct service *s);
/** service__nr_events() - count the entries of @s->events. */
int service__nr_events(const struct service *s, const struct metric *m);

#endif
