/* SPDX-License-Identifier: GPL-2.0-only */
/* What every way of grouping needs. */
#include "plan/grouping.h"

#include <string.h>

#include "machine/machine.h"

void grouping__drop(struct grouping *g, struct want *w, const struct err *why)
{
	w->dropped = true;
	sb__printf(g->warnings, "metric %s left out: %s\n", w->metric->info.name, why->msg);
	if (g->nr_dropped++)
		return;
	g->failure = *why;
	err__prefix(&g->failure, "metric %s: ", w->metric->info.name);
}

bool grouping__serves(const struct grouping *g, const struct event *e, const struct metric *metric)
{
	const struct machine *machine = g->scope->machine;
	const struct pmu *pmu;

	if (!e->pmu || !e->pmu->is_core || !machine__is_hybrid(machine))
		return true;
	pmu = machine__pmu(machine, metric->info.pmu);
	return !pmu || !pmu->is_core || pmu == e->pmu;
}

struct event *grouping__find(const struct grouping *g, const struct event_list *list,
			     const struct metric *metric, const char *id)
{
	for (int i = 0; i < list->nr; i++) {
		struct event *e = list->at[i];

		if (e->id && !strcmp(e->id, id) && grouping__serves(g, e, metric))
			return e;
	}
	return NULL;
}
