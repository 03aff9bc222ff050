/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Several groups may have an event for an id of a metric: here is decided which one serves it. The
 * answer is the same whether the event was planned for the metric or counted before anyone asked.
 *
 * The metric is looked at from the whole downwards: all of it, then its value, then its threshold.
 * A part is counted in the first group that has all of its events. Where none has, its operands
 * are looked at, unless the vendor says that the metric needs no group: then each event is taken
 * where it is first. Each pool of counters, such as a core PMU's, is asked by itself, and events
 * that compete with nothing, such as a clock, do not decide.
 */
#ifndef TMA_PLAN_SERVE_H
#define TMA_PLAN_SERVE_H

#include <stdbool.h>

#include "base/vec.h"
#include "plan/parts.h"

#define OFFERS_NO_POOL (-1)

/**
 * struct offer - an event that counts an id
 * @group: events with the same number are counted at one time
 * @event: the number by which the caller knows it
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
 * @events: for each of metric->ids[] the event of the offer taken, or -1; behind them the same for
 *         each part in turn
 * @parts: sub-expressions with an event that is not the metric's; none is inside another
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
 * Without the events that are not chosen, the same ones would be chosen.
 */
void service__find(struct service *s, struct parts *parts, const struct offers *offers);
/** service__free() - release it. */
void service__free(struct service *s);
/** service__nr_events() - how many numbers @events has. */
int service__nr_events(const struct service *s, const struct metric *m);

#endif
