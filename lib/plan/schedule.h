/* SPDX-License-Identifier: GPL-2.0-only */
/* What will become of a plan's groups: on which counters, for which share of the time. */
#ifndef TMA_PLAN_SCHEDULE_H
#define TMA_PLAN_SCHEDULE_H

#include "base/vec.h"
#include "plan/fit.h"
#include "plan/plan.h"

#define SCHEDULE_NO_COUNTER -1

/* Whether a group can be counted. */
enum schedule_state {
	SCHEDULE_FITS,
	SCHEDULE_APART,	  /* the kernel refuses it: weak, it is taken apart (but slots lead on) */
	SCHEDULE_REFUSED, /* the same of one that is not weak: an error */
	SCHEDULE_NEVER,	  /* it is taken, but others hold counters that it needs at all times */
	SCHEDULE_FREE,	  /* its events need no turn on a counter */
	SCHEDULE_MISSING, /* hardware events without a core PMU, and what is for samples alone */
};

/**
 * struct schedule_group - a group of the plan, or an event alone
 * @first, @nr: its events, by their numbers
 * @pmu:   of which its events are; NULL for events of none, and of several
 * @why:   in words, when it does not fit; owned
 */
struct schedule_group {
	int first, nr;
	struct pmu *pmu;
	enum schedule_state state;
	char *why;
};

/** schedule_group__serves() - whether a metric's value is made of an event in it. */
bool schedule_group__serves(const struct schedule_group *g, const struct plan_metric *pm);
/** schedule_group__has_turn() - whether it is counted in turns: it needs a counter and gets one. */
static inline bool schedule_group__has_turn(const struct schedule_group *g)
{
	return g->state != SCHEDULE_FREE && g->state != SCHEDULE_REFUSED &&
	       g->state != SCHEDULE_MISSING;
}

/**
 * struct schedule_event - an event of the plan
 * @need:    what it needs of the counters of its PMU
 * @counter: on which it is, numbered as in event_info.counter_mask, or SCHEDULE_NO_COUNTER; of
 *           several that will do, one
 * @share:   of the time it is counted, 0 to 1
 */
struct schedule_event {
	struct fit_event need;
	int counter;
	double share;
};

/**
 * struct schedule_turn - events that are put on the counters together, or need none
 * @first, @nr: their numbers in schedule.order
 * @group: of which they are: of one that is taken apart, there are several turns
 * @pmu:   whose counters they take; NULL for none
 */
struct schedule_turn {
	int first, nr, group;
	struct pmu *pmu;
};

/**
 * struct schedule_pmu - the core PMU, or one of several
 * @nr_turns:   groups and single events, after those that do not fit were taken apart
 * @nr_events:  events in them
 * @all_fit:    they are counted all of the time
 * @packed:     groups that were found for the same metrics, with no regard to modifiers; each
 *              latency that is sampled is one more, there and in @lower_bound
 * @lower_bound: there is no way with fewer; @proven: @packed is the fewest
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
 * @turns:  in the order of the groups, but for those that have none
 * @order:  numbers of events, those of a turn one after the other
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
 * schedule__new() - tell what will become of a plan's groups
 * @plan: finished; must outlive the schedule
 * @events: what its names were looked up in
 *
 * As Linux schedules: at each tick the first group goes behind the others, and they are put on the
 * counters in order, until one finds no room. Nobody else is counting but the NMI watchdog.
 */
struct schedule *schedule__new(const struct plan *plan, const struct events_scope *events);
/** schedule__free() - release it; NULL is allowed. */
void schedule__free(struct schedule *s);
/**
 * schedule__join() - add the events of a turn to a set on the counters of their PMU
 * @plan: of the schedule
 * @fit:  of no use any more when they do not fit
 *
 * Return: whether they fit.
 */
bool schedule__join(const struct schedule *s, const struct plan *plan,
		    const struct schedule_turn *turn, struct fit *fit);

#endif
