// SPDX-License-Identifier: GPL-2.0-only
/*
 * How many groups a plan needs, whatever groups it has: its metrics' events, and the groups of the
 * user, are packed anew.
 */
#include "plan/schedule.h"

#include <stdlib.h>

#include "base/xalloc.h"
#include "plan/pack_unit.h"

/**
 * struct repack - the packing of one PMU's events
 * @numbers: of each event of the plan, its number in @unit, or -1 for what takes no part
 */
struct repack {
	const struct plan *plan;
	struct unit unit;
	int *numbers;
};

static bool is_counted(const struct repack *r, const struct event *e)
{
	return e->pmu == r->unit.pmu && !e->retire_latency;
}

static void add_events(struct repack *r, const struct schedule_event *events)
{
	const struct event_list *list = &r->plan->events;

	for (int i = 0; i < list->nr; i++) {
		struct event *e = list->at[i];

		r->numbers[i] = -1;
		if (is_counted(r, e))
			r->numbers[i] = unit__add_event(&r->unit, e->name, e, &events[i].need);
	}
}

static void add_metric(struct repack *r, const struct plan_metric *pm)
{
	struct spot spots[pm->metric->nr_ids + 1];
	struct parts parts;

	for (int i = 0; i < pm->metric->nr_ids; i++) {
		int at = pm->events[i] ? r->numbers[pm->events[i]->index] : -1;

		spots[i] = (struct spot){ at < 0 ? -1 : 0, at };
	}
	parts__init(&parts, pm->metric);
	unit__add_metric(&r->unit, 0, &parts, spots);
	parts__free(&parts);
}

/* Those of a group of the user's that cannot be are counted one by one. */
static void add_users_group(struct repack *r, int first)
{
	const struct event_list *events = &r->plan->events;
	const struct event *leader = events->at[first];
	int list[events->nr - first], nr = 0;

	if (leader->from_metric || leader->leader != leader)
		return;
	for (int i = first; i < events->nr && events->at[i]->leader == leader; i++)
		if (r->numbers[i] >= 0)
			nr = unit__list_event(list, nr, r->numbers[i]);
	if (nr && unit__fits(&r->unit, list, nr)) {
		unit__add_set(&r->unit, list, nr, PACK_MUST);
		return;
	}
	for (int i = 0; i < nr; i++)
		unit__add_set(&r->unit, &list[i], 1, PACK_MUST);
}

/* A latency that is sampled is in nobody's group: each is one of its own, whatever else is done. */
static int count_latencies(const struct repack *r)
{
	const struct event_list *events = &r->plan->events;
	int nr = 0;

	for (int i = 0; i < events->nr; i++)
		nr += events->at[i]->pmu == r->unit.pmu && events->at[i]->retire_latency &&
		      events->at[i]->sampled;
	return nr;
}

void schedule__bound(const struct plan *plan, const struct fit_pmu *counters,
		     const struct schedule_event *events, struct schedule_pmu *info)
{
	struct repack r = {
		.plan = plan,
		.unit = { .pmu = info->pmu, .owner = -1, .counters = *counters },
		.numbers = xcalloc(plan->events.nr + 1, sizeof(*r.numbers)),
	};
	struct pack_result result;

	add_events(&r, events);
	for (int i = 0; i < plan->nr_metrics; i++)
		add_metric(&r, &plan->metrics[i]);
	for (int i = 0; i < plan->events.nr; i++)
		add_users_group(&r, i);
	result = unit__solve(&r.unit);
	info->packed = result.nr_groups + count_latencies(&r);
	info->lower_bound = result.lower_bound + count_latencies(&r);
	info->proven = result.proven;
	unit__free(&r.unit);
	free(r.numbers);
}
