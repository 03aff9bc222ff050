/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Choose the event that serves an id of a metric where several groups have one. The choice is the
 * same whether the event was planned for the metric or was already counted.
 *
 * First one group is searched for all events of the metric, then for those of its value, then for
 * those of its threshold. A part is counted in the first group that has all of its events. If no
 * group has, its operands are searched for one by one, unless the vendor says that the metric needs
 * no group: then each event is taken from the first group that has it. Each pool of counters, such
 * as a core PMU's, is searched separately; events that compete with none, such as a clock, do not
 * decide.
 */
#ifndef TMA_PLAN_SERVE_H
#define TMA_PLAN_SERVE_H

#include <stdbool.h>

#include "base/vec.h"
#include "plan/parts.h"

#define OFFERS_NO_POOL (-1)

/**
 * struct offer - an event that counts an id
 * @group: number of its group; events of a group are counted at the same time
 * @event: the caller's number for the event
 */
struct offer {
	int group, event;
};

/**
 * struct offers - all events that count an id
 * @list: one for each event, by ascending group; empty where the id needs no event
 * @pool: the number of the pool of counters they compete for, or OFFERS_NO_POOL
 */
struct offers {
	VEC(struct offer) list;
	int pool;
};

/**
 * struct service - the events of a metric
 * @events: for each of metric->ids[] the event of the offer taken, or -1; then the same for each
 *         part in turn
 * @parts: sub-expressions with an event other than the metric's; none is inside another
 * @whole, @value_whole: each pool has a group with all events of the metric, or of its value
 */
struct service {
	int *events;
	struct part *parts;
	int nr_parts;
	bool whole, value_whole;
};

/**
 * service__find() - choose the events of a metric; service__free() it
 * @parts:  the parts of the metric
 * @offers: for each of metric->ids[] the events that count it
 *
 * Events that are not chosen do not influence the choice: without them it would be the same.
 */
void service__find(struct service *s, struct parts *parts, const struct offers *offers);
/** service__free() - release it. */
void service__free(struct service *s);
/** service__nr_events() - count the entries of @s->events. */
int service__nr_events(const struct service *s, const struct metric *m);

#endif
