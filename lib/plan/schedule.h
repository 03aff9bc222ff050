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
	SCHEDULE_APART,	  /* the group is weak, and the kernel refuses it: it is taken apart (slots
			   * stays leader) */
	SCHEDULE_REFUSED, /* the group is not weak, and the kernel refuses it: an error */
	SCHEDULE_NEVER,	  /* the kernel accepts the group, but others always hold a counter that it
			   * needs */
	SCHEDULE_FREE,	  /* the group's events need no turn on a counter */
	SCHEDULE_MISSING, /* the group has hardware events without a core PMU, or an event for
			   * sampling only */
};

/**
 * struct schedule_group - a group of the plan, or a single event
 * @first: number of the first event; @nr: number of events
 * @pmu:   PMU of the events; NULL if they take no counter
 * @why:   text on why the group does not fit, or NULL; freed with the schedule
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
 * @need:    the event's needs on its PMU
 * @counter: a counter that the event may be on, numbered as in event_info.counter_mask, or
 *           SCHEDULE_NO_COUNTER
 * @share:   share of the time in which the event is counted, 0 to 1
 */
struct schedule_event {
	struct fit_event need;
	int counter;
	double share;
};

/**
 * struct schedule_turn - events that are put on the counters together, or that need no counter
 * @first: index of the first event in schedule.order; @nr: number of events
 * @group: number of the events' group; a group that is taken apart has several turns
 * @pmu:   the PMU whose counters the events take; NULL if they take no counter
 */
struct schedule_turn {
	int first, nr, group;
	struct pmu *pmu;
};

/**
 * struct schedule_pmu - a core PMU with events
 * @nr_turns:   number of groups and single events, once groups that do not fit are taken apart
 * @nr_events:  number of events in these turns
 * @all_fit:    all events are counted all the time
 * @packed:     number of groups that packing found for the same metrics without their modifiers.
 *              Each latency that is sampled adds one to @packed and @lower_bound
 * @lower_bound: no grouping has fewer groups than this
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
 * @groups: groups in the plan's order
 * @events: events by number
 * @pmus:   core PMUs with events
 * @turns:  turns in the order of their groups; some groups do not have a turn
 * @order:  numbers of events; the events of a turn are next to each other
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
 * @plan: finished plan; must outlive the schedule
 * @events: the scope in which the plan's events were parsed
 *
 * At each tick Linux moves the first group to the end of the list, and puts groups on the counters
 * in order until a group finds no room. The forecast assumes that only the NMI watchdog, and known
 * users of counters (pmu.held), compete.
 */
struct schedule *schedule__new(const struct plan *plan, const struct events_scope *events);
/** schedule__free() - free a forecast; NULL is allowed. */
void schedule__free(struct schedule *s);
/**
 * schedule__join() - add the events of a turn to a set of events on the counters of their PMU
 * @plan: the plan of the schedule
 * @fit:  the set; must not be used any more if the events do not fit
 *
 * Return: whether the events fit.
 */
bool schedule__join(const struct schedule *s, const struct plan *plan,
		    const struct schedule_turn *turn, struct fit *fit);

#endif
