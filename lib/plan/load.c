// SPDX-License-Identifier: GPL-2.0-only
/* Find out whether the grouped events fit the counters together, and if not, why. */
#include "plan/load.h"

#include <string.h>

#include "base/sb.h"
#include "machine/machine.h"

bool load__is_counted(const struct event *e)
{
	return !e->retire_latency || e->sampled;
}

bool load__takes_turns(const struct event *e)
{
	return e->pmu && !e->tool && load__is_counted(e) && counters__are_shared(e->pmu);
}

/*
 * Latencies are not members of a group: sampled latencies are counted by themselves, others are not
 * counted.
 */
static int nr_counted(const struct event_list *list, const struct event *leader)
{
	int nr = leader->nr_members;

	for (int i = 0; i < list->nr; i++)
		nr -= list->at[i]->leader == leader && list->at[i]->retire_latency;
	return nr;
}

static bool load__is_counted_by(const struct event *e, const struct pmu *pmu)
{
	return e->pmu == pmu && load__is_counted(e);
}

struct load load__of(const struct event_list *list, const struct pmu *pmu)
{
	struct load load = { 0 };

	for (int i = 0; i < list->nr; i++) {
		const struct event *e = list->at[i];
		int members = e->leader == e ? nr_counted(list, e) : 0;

		if (!load__is_counted_by(e, pmu))
			continue;
		load.alone += members == 1 || e->retire_latency;
		load.groups += members > 1;
		load.with_slots += e->topdown && members > 1;
	}
	return load;
}

/* Whether an earlier event in the list counts the same; groups may have events in common. */
static bool is_repeated(const struct event_list *list, int number)
{
	const struct event *e = list->at[number];

	for (int i = 0; i < number; i++)
		if (list->at[i]->pmu == e->pmu &&
		    !memcmp(&list->at[i]->attr, &e->attr, sizeof(e->attr)))
			return true;
	return false;
}

/* Whether events fit together. With @once, an event that is in several groups counts once. */
static bool fits(const struct tables *tables, const struct fit_pmu *counters,
		 const struct event_list *list, const struct pmu *pmu, bool once)
{
	struct fit_event needs[FIT_MAX_EVENTS + 1];
	struct fit fit;

	fit__init(&fit, counters);
	for (int i = 0; i < list->nr; i++) {
		if (!load__is_counted_by(list->at[i], pmu) || (once && is_repeated(list, i)))
			continue;
		needs[fit.nr] = counters__need(tables, counters, list->at[i]);
		if (!fit__add(&fit, &needs[fit.nr], NULL))
			return false;
	}
	return true;
}

enum load_fit load__fit(const struct tables *tables, const struct event_list *list,
			const struct pmu *pmu)
{
	struct fit_pmu counters, left;

	if (!counters__of_pmu(tables, pmu, &counters))
		return LOAD_NOT_KNOWN;
	counters__limit(pmu, &counters);
	left = counters;
	if (pmu->machine->nmi_watchdog)
		counters__hold_for_watchdog(&left);
	if (fits(tables, &left, list, pmu, false))
		return LOAD_FITS;
	if (pmu->machine->nmi_watchdog && fits(tables, &counters, list, pmu, true))
		return LOAD_FITS_WITHOUT_WATCHDOG;
	return LOAD_TAKES_TURNS;
}

void load__explain_group(const struct tables *tables, const struct event_list *list,
			 const struct event *leader, struct sb *why)
{
	struct fit_event needs[FIT_MAX_EVENTS];
	struct fit_conflict conflict;
	struct fit_pmu counters;
	int nr = 0;

	if (!leader->pmu || !leader->pmu->is_core ||
	    !counters__of_pmu(tables, leader->pmu, &counters))
		return;
	for (int i = 0; i < list->nr && nr < FIT_MAX_EVENTS; i++)
		if (list->at[i]->leader == leader && list->at[i]->pmu == leader->pmu)
			needs[nr++] = counters__need(tables, &counters, list->at[i]);
	if (!fit__possible(&counters, needs, nr, &conflict))
		fit__explain(&counters, needs, nr, &conflict, why);
}

/* Texts for the kinds of conflict, which precede its details. */
static const char *const kinds[] = {
	[FIT_NO_COUNTER] = "there is no counter for one of its events",
	[FIT_COUNTERS_SHORT] = "it has more events than counters for them",
	[FIT_REGISTERS_SHORT] = "its events need different values of one register",
	[FIT_TWO_ALONE] = "it has events that cannot be counted together",
	[FIT_NO_SLOTS] = "it lacks the event slots",
	[FIT_TOO_MANY] = "it has too many events",
};

/* Collect the events that compete for the counters of one PMU, @pmu. Return: number of events. */
static int load__gather(const struct events_scope *scope, const struct event *const *events, int nr,
			struct fit_event *needs, const struct pmu **pmu, struct fit_pmu *counters)
{
	int kept = 0;

	*pmu = NULL;
	for (int i = 0; i < nr && kept < FIT_MAX_EVENTS; i++) {
		const struct event *e = events[i];

		if (!e->pmu || e->tool || e->retire_latency || !counters__are_shared(e->pmu) ||
		    (*pmu && e->pmu != *pmu))
			continue;
		if (!*pmu && !counters__of_pmu(scope->tables, e->pmu, counters))
			return 0;
		*pmu = e->pmu;
		needs[kept++] = counters__need(scope->tables, counters, e);
	}
	return kept;
}

static void put_conflict(const struct fit_pmu *counters, const struct fit_event *needs, int nr,
			 const struct fit_conflict *conflict, struct sb *why)
{
	sb__printf(why, "%s: ", kinds[conflict->why]);
	fit__explain(counters, needs, nr, conflict, why);
}

enum obstacle obstacle__find(const struct events_scope *scope, const struct event *const *events,
			     int nr, struct sb *why)
{
	struct fit_event needs[FIT_MAX_EVENTS];
	struct fit_conflict conflict;
	struct fit_pmu counters;
	const struct pmu *pmu;

	nr = load__gather(scope, events, nr, needs, &pmu, &counters);
	if (!nr)
		return OBSTACLE_NONE;
	if (!fit__possible(&counters, needs, nr, &conflict)) {
		put_conflict(&counters, needs, nr, &conflict, why);
		return OBSTACLE_TOO_MUCH;
	}
	if (!pmu->is_core || !scope->machine->nmi_watchdog)
		return OBSTACLE_NONE;
	counters__hold_for_watchdog(&counters);
	if (fit__possible(&counters, needs, nr, &conflict))
		return OBSTACLE_NONE;
	put_conflict(&counters, needs, nr, &conflict, why);
	return OBSTACLE_WATCHDOG;
}
