// SPDX-License-Identifier: GPL-2.0-only
/* What every way of grouping needs. */
#include "plan/grouping.h"

#include <string.h>

#include "machine/machine.h"

static const char *find_missing(const struct grouping *g, const struct metric *m)
{
	for (int i = 0; i < m->nr_ids; i++)
		if (!events__exists(g->scope, m->ids[i]))
			return m->ids[i];
	return NULL;
}

void grouping__drop(struct grouping *g, struct want *w, const struct err *why)
{
	w->dropped = true;
	w->missing = find_missing(g, w->metric);
	if (!w->missing)
		sb__printf(g->warnings, "Metric %s left out: %s\n", w->metric->info.name, why->msg);
	if (g->nr_dropped++)
		return;
	g->failure = *why;
	err__prefix(&g->failure, "metric %s cannot be measured on this machine:\n",
		    w->metric->info.name);
}

/* An id as the user would write the event. */
static void print_event(const char *id, struct sb *sb)
{
	for (; *id; id++)
		sb__putc(sb, *id == '@' ? '/' : *id);
}

void grouping__warn_dropped(struct grouping *g)
{
	struct want *w, *other;

	vec__for_each(w, &g->want) {
		const char *missing = w->missing;

		if (!missing)
			continue;
		sb__printf(g->warnings, "Left out %s", w->metric->info.name);
		vec__for_each(other, &g->want) {
			if (other == w || !other->missing || strcmp(other->missing, missing))
				continue;
			sb__printf(g->warnings, ", %s", other->metric->info.name);
			other->missing = NULL;
		}
		w->missing = NULL;
		sb__puts(g->warnings, ": this machine has no event ");
		print_event(missing, g->warnings);
		sb__putc(g->warnings, '\n');
	}
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
