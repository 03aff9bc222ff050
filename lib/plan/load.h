/* SPDX-License-Identifier: GPL-2.0-only */
/* Whether events fit the counters at the same time, as they are grouped, and what is in the way. */
#ifndef TMA_PLAN_LOAD_H
#define TMA_PLAN_LOAD_H

#include "plan/counters.h"

/** load__is_counted() - whether an event is: a latency that is not sampled is the tables'. */
bool load__is_counted(const struct event *e);
/** load__takes_turns() - whether an event is counted on counters for which others compete. */
bool load__takes_turns(const struct event *e);

/**
 * struct load - what the events of a PMU come to
 * @groups: groups of several events; @with_slots: how many of these slots leads
 * @alone:  events that are counted by themselves
 */
struct load {
	int groups, with_slots, alone;
};

/** load__of() - of the events of a list, which is grouped, those of a PMU. */
struct load load__of(const struct event_list *list, const struct pmu *pmu);

/* Whether events can all be counted at the same time. */
enum load_fit {
	LOAD_NOT_KNOWN, /* the tables do not say which counters the PMU has */
	LOAD_FITS,
	LOAD_FITS_WITHOUT_WATCHDOG, /* if the kernel's NMI watchdog, which is on, held no counter */
	LOAD_TAKES_TURNS,
};

/**
 * load__fit() - whether a PMU's events can all be counted at the same time
 * @tables: may be NULL
 * @list:   grouped; events of other PMUs are passed over
 *
 * Groups that fit together share what they have in common, so for LOAD_FITS_WITHOUT_WATCHDOG an
 * event that stands in several counts once.
 */
enum load_fit load__fit(const struct tables *tables, const struct event_list *list,
			const struct pmu *pmu);

/**
 * load__explain_group() - append why a group does not fit the counters of its leader's core PMU
 * @tables: may be NULL
 *
 * In the words of fit__explain(); nothing where it fits, or where it is not known.
 */
void load__explain_group(const struct tables *tables, const struct event_list *list,
			 const struct event *leader, struct sb *why);

/* What is in the way of events that are to be counted together. */
enum obstacle {
	OBSTACLE_NONE,	   /* nothing that is known: the PMU's counters may not be */
	OBSTACLE_TOO_MUCH, /* they do not go together: the kernel refuses the group */
	OBSTACLE_WATCHDOG, /* they would, but for the NMI watchdog; the kernel does not refuse */
};

/**
 * obstacle__find() - whether events can be counted together, and if not, what is in the way
 * @scope:  what their names were looked up in
 * @events: of one group; those that take no counter of the PMU of the first that does are passed
 *          over
 * @why:    appended to, in words: "more events than counters: a, b and c have only counters 0-1"
 */
enum obstacle obstacle__find(const struct events_scope *scope, const struct event *const *events,
			     int nr, struct sb *why);

#endif
