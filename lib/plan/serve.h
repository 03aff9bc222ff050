/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Which event serves each id of a metric, where several groups have one: the same whether it was
 * planned for the metric or counted before anyone asked for it.
 *
 * The metric is looked at from the whole downwards: all of it, then its value, then its threshold.
 * A part is counted in the first group that has all of its events; where none has, its operands
 * are looked at, unless the vendor says that the metric needs no group: then each event is taken
 * where it is first. That is a question for each pool of counters, such as a core PMU's: what
 * competes with nothing (a clock, say) does not decide.
 */
#ifndef TMA_PLAN_SERVE_H
#define TMA_PLAN_SERVE_H

#include "base/vec.h"
#include "plan/parts.h"

#define OFFERS_NO_POOL (-1)

/**
 * struct offer - an event that counts an id
 * @group: those with the same number are counted at one time
 * @event: by which the caller knows it
 */
struct offer {
	int group, event;
};

/**
 * struct offers - all events that count an id
 * @list: in the order of the groups; none where it needs no event
 * @pool: number of the counters they compete for, or OFFERS_NO_POOL
 */
struct offers {
	VEC(struct offer) list;
	int pool;
};

/**
 * struct service - the events of a metric
 * @events: for each of metric->ids[] that of the offer taken, -1 where there is none; behind them
 *         those of each part in turn
 * @parts: sub-expressions with an event that is another than the metric's; none is inside another
 */
struct service {
	int *events;
	struct part *parts;
	int nr_parts;
};

/**
 * service__find() - choose
 * @parts:  of the metric
 * @offers: for each of metric->ids[]
 *
 * What is not chosen is not needed: without it, the same is chosen. service__free() it.
 */
void service__find(struct service *s, struct parts *parts, const struct offers *offers);
/** service__free() - release it. */
void service__free(struct service *s);
/** service__nr_events() - how many numbers @events has. */
int service__nr_events(const struct service *s, const struct metric *m);

#endif
