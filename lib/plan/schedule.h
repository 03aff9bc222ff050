/* SPDX-License-Identifier: GPL-2.0-only */
/* A forecast of how the kernel schedules a plan: on which counters, and how much of the time. */
#ifndef TMA_PLAN_SCHEDULE_H
#define TMA_PLAN_SCHEDULE_H

#include "base/vec.h"
#include "plan/fit.h"
#include "plan/plan.h"

#define SCHEDULE_NO_COUNTER -1

/* Whether a group can be counted. */
enum schedule_state {
	SCHEDULE_FITS,
	SCHEDULE_APART,	  /* weak, and refused by the kernel: taken apart (slots stay leader) */
	SCHEDULE_REFUSED, /* not weak, and refused by the kernel: an error */
	SCHEDULE_NEVER,	  /* accepted, but others always hold a counter that it needs */
	SCHEDULE_FREE,	  /* its events need no turn on a counter */
	SCHEDULE_MISSING, /* hardware events without a core PMU, or an event for sampling only */
};

/**
 * struct schedule_group - a group of the plan, or a single event
 * @first, @nr: the number of its first event, and how many events it has
 * @pmu:   the PMU of its events; NULL if they take no counter
 * @why:   text that says why it does not fit; owned; else NULL
 */
struct schedule_group {
	int first, nr;
	struct pmu *pmu;
	enum schedule_state state;
	char *why;
};

/** schedule_group__serves() - find out whether a metric uses an event of a group. */
bool schedule_group__serves(const struct schedule_group *g, const struct plan_metric *pm);
/** schedule_group__has_turn() - find out whether a group takes turns on counters. */
static inline bool schedule_group__has_turn(const struct schedule_group *g)
{
	return g->state != SCHEDULE_FREE && g->state != SCHEDULE_REFUSED &&
	       g->state != SCHEDULE_MISSING;
}

/**
 * struct schedule_event - an event of the plan
 * @need:    what it needs of the counters of its PMU
 * @counter: a counter that it may be on, numbered as in event_info.counter_mask, or
 *           SCHEDULE_NO_COUNTER
 * @share:   share of the time for which it is counted, 0 to 1
 */
struct schedule_event {
	struct fit_event need;
	int counter;
	double share;
};

/**
 * struct schedule_turn - events that are put on the counters together, or need none
 * @first, @nr: the place of the first in schedule.order, and how many there are
 * @group: the number of their group; one that is taken apart has several turns
 * @pmu:   the PMU whose counters they take; NULL if they take none
 */
struct schedule_turn {
	int first, nr, group;
	struct pmu *pmu;
};

/**
 * struct schedule_pmu - a core PMU with events
 * @nr_turns:   groups and single events, after those that do not fit were taken apart
 * @nr_events:  events in them
 * @all_fit:    they are counted all the time
 * @packed:     the number of groups that the packing found for the same metrics, modifiers ignored.
 *              Each latency that is sampled adds one, here and in @lower_bound
 * @lower_bound: no grouping has fewer groups
 * @proven:     no grouping has fewer groups than @packed
 */
struct schedule_pmu {
	struct pmu *pmu;
	int nr_turns, nr_events;
	bool all_fit;
	int packed, lower_bound;
	bool proven;
};

/**
 * struct schedule - a forecast
 * @groups: in the plan's order
 * @events: by number
 * @pmus:   core PMUs with events
 * @turns:  in the order of the groups; a group without a turn has none here
 * @order:  numbers of events; those of a turn are next to each other
 */
struct schedule {
	struct schedule_group *groups;
	int nr_groups;
	struct schedule_event *events;
	struct schedule_pmu *pmus;
	int nr_pmus;
	VEC(struct schedule_turn) turns;
	VEC(int) order;
};

/**
 * schedule__new() - forecast how the kernel schedules a plan's groups
 * @plan: finished; must outlive the schedule
 * @events: the scope that its events were parsed in
 *
 * Linux moves the first group to the end of the list at each tick, and puts groups on the counters
 * in order until one finds no room. Only the NMI watchdog, and counters known to be held
 * (pmu.held), are assumed to compete.
 */
struct schedule *schedule__new(const struct plan *plan, const struct events_scope *events);
/** schedule__free() - release it; NULL is allowed. */
void schedule__free(struct schedule *s);
/**
 * schedule__join() - add the events of a turn to a set on the counters of their PMU
 * @plan: the plan of the schedule
 * @fit:  must not be used further if they do not fit
 *
 * Return: whether they fit.
 */
bool schedule__join(const struct schedule *s, const struct plan *plan,
		    const struct schedule_turn *turn, struct fit *fit);

#endif
