/* SPDX-License-Identifier: GPL-2.0-only */
/* Find out whether the grouped events fit the counters together, and if not, why. */
#ifndef TMA_PLAN_LOAD_H
#define TMA_PLAN_LOAD_H

#include "plan/counters.h"

/**
 * load__is_counted() - false for a retire latency that comes from the tables and is not sampled.
 */
bool load__is_counted(const struct event *e);
/** load__takes_turns() - find out whether an event needs a counter for which others compete. */
bool load__takes_turns(const struct event *e);

/**
 * struct load - the number of groups and single events of a PMU
 * @groups: number of groups with several events
 * @with_slots: number of these groups whose leader is slots
 * @alone:  number of events that are counted by themselves
 */
struct load {
	int groups, with_slots, alone;
};

/** load__of() - count the groups and single events of a PMU in a list of grouped events. */
struct load load__of(const struct event_list *list, const struct pmu *pmu);

/* Whether events can all be counted at the same time. */
enum load_fit {
	LOAD_NOT_KNOWN, /* the tables do not say which counters the PMU has */
	LOAD_FITS,
	LOAD_FITS_WITHOUT_WATCHDOG, /* they can, if the kernel's NMI watchdog is switched off */
	LOAD_TAKES_TURNS,
};

/**
 * load__fit() - find out whether a PMU's events can all be counted at the same time
 * @tables: may be NULL
 * @list:   grouped events; events of other PMUs are skipped
 *
 * Groups that fit together share the events that they have in common. For
 * LOAD_FITS_WITHOUT_WATCHDOG, an event that is in several groups is therefore counted once.
 */
enum load_fit load__fit(const struct tables *tables, const struct event_list *list,
			const struct pmu *pmu);

/**
 * load__explain_group() - append why a group does not fit the counters of the core PMU of its
 * leader
 * @tables: may be NULL
 *
 * The text comes from fit__explain(). Nothing is appended if the group fits, or if this is unknown.
 */
void load__explain_group(const struct tables *tables, const struct event_list *list,
			 const struct event *leader, struct sb *why);

/* Why events cannot be counted together. */
enum obstacle {
	OBSTACLE_NONE,	   /* the events can be counted together, or the PMU's counters are not
			    * known */
	OBSTACLE_TOO_MUCH, /* the events do not fit the counters: the kernel refuses the group */
	OBSTACLE_WATCHDOG, /* the NMI watchdog holds a counter that the events need; the kernel
			    * accepts the group */
};

/**
 * obstacle__find() - find out whether events can be counted together, and if not, why
 * @scope:  the scope in which the events were parsed
 * @events: events of one group. Only events of one PMU matter: the PMU of the first event that
 *          takes a counter
 * @why:    the reason is appended, such as "more events than counters: a, b and c have only
 *          counters 0-1"
 */
enum obstacle obstacle__find(const struct events_scope *scope, const struct event *const *events,
			     int nr, struct sb *why);

#endif
