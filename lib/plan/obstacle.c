// SPDX-License-Identifier: GPL-2.0-only
/* Why a group does not get the counters it needs. */
#include "plan/obstacle.h"

#include "base/sb.h"
#include "machine/machine.h"

/* What kind of conflict it is, before its details. */
static const char *const kinds[] = {
	[FIT_NO_COUNTER] = "there is no counter for one of its events",
	[FIT_COUNTERS_SHORT] = "it has more events than counters for them",
	[FIT_REGISTERS_SHORT] = "its events want different values of one register",
	[FIT_TWO_ALONE] = "it has events that cannot be counted beside each other",
	[FIT_NO_SLOTS] = "it lacks the event slots",
	[FIT_TOO_MANY] = "it has too many events",
};

/* Those that share counters. Return: how many; @pmu is theirs. */
static int gather(const struct events_scope *scope, const struct event *const *events, int nr,
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

	nr = gather(scope, events, nr, needs, &pmu, &counters);
	if (!nr)
		return OBSTACLE_NONE;
	if (!fit__possible(&counters, needs, nr, &conflict)) {
		put_conflict(&counters, needs, nr, &conflict, why);
		return OBSTACLE_TOO_MUCH;
	}
	if (!pmu->is_core || !scope->machine->nmi_watchdog)
		return OBSTACLE_NONE;
	counters__take_for_watchdog(&counters);
	if (fit__possible(&counters, needs, nr, &conflict))
		return OBSTACLE_NONE;
	put_conflict(&counters, needs, nr, &conflict, why);
	return OBSTACLE_WATCHDOG;
}
