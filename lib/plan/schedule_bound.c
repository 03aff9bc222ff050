// SPDX-License-Identifier: GPL-2.0-only
/*
 * How many groups a plan needs, whatever groups it has: its metrics' events, and the groups of the
 * user, are packed anew.
 */
#include "plan/schedule_bound.h"

#include <errno.h>
#include <stdlib.h>

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

static int add_events(struct repack *r, const struct fit_event *needs)
{
	const struct event_list *list = &r->plan->events;

	for (int i = 0; i < list->nr; i++) {
		r->numbers[i] = -1;
		if (!is_counted(r, list->at[i]))
			continue;
		r->numbers[i] =
			unit__add_event(&r->unit, list->at[i]->name, list->at[i], &needs[i]);
		if (r->numbers[i] < 0)
			return -ENOMEM;
	}
	return 0;
}

static int add_metric(struct repack *r, int number)
{
	const struct plan_metric *pm = &r->plan->metrics[number];
	struct spot spots[pm->metric->nr_ids + 1];

	for (int i = 0; i < pm->metric->nr_ids; i++) {
		int at = pm->events[i] ? r->numbers[pm->events[i]->index] : -1;

		spots[i] = (struct spot){ at < 0 ? -1 : 0, at };
	}
	return unit__add_metric(&r->unit, 0, pm->metric, spots);
}

/* Return: how many events of the group that begins there are the unit's. */
static int list_users_group(const struct repack *r, int first, int *list)
{
	const struct event_list *events = &r->plan->events;
	int nr = 0;

	for (int i = first; i < events->nr && events->at[i]->leader == events->at[first]; i++) {
		int at = 0;

		while (at < nr && list[at] != r->numbers[i])
			at++;
		if (r->numbers[i] >= 0 && at == nr)
			list[nr++] = r->numbers[i];
	}
	return nr;
}

/* Those of a group that cannot be are counted one by one. */
static int add_users_group(struct repack *r, int first, int *list)
{
	const struct event *leader = r->plan->events.at[first];
	int nr, rc = 0;

	if (leader->from_metric || leader->leader != leader)
		return 0;
	nr = list_users_group(r, first, list);
	if (nr && unit__fits(&r->unit, list, nr))
		return unit__add_set(&r->unit, list, nr, PACK_MUST);
	for (int i = 0; i < nr && !rc; i++)
		rc = unit__add_set(&r->unit, &list[i], 1, PACK_MUST);
	return rc;
}

static int add_sets(struct repack *r, int *list)
{
	int rc = 0;

	for (int i = 0; i < r->plan->nr_metrics && !rc; i++)
		rc = add_metric(r, i);
	for (int i = 0; i < r->plan->events.nr && !rc; i++)
		rc = add_users_group(r, i, list);
	return rc;
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

int schedule__bound(const struct plan *plan, const struct fit_pmu *counters,
		    const struct fit_event *needs, struct schedule_pmu *info)
{
	int nr = plan->events.nr + 1, *list = calloc(2 * nr, sizeof(*list)), rc = -ENOMEM;
	struct repack r = {
		.plan = plan,
		.unit = { .pmu = info->pmu, .owner = -1, .counters = *counters },
	};
	struct pack_result result;

	if (list) {
		r.numbers = list + nr;
		rc = add_events(&r, needs) ?: add_sets(&r, list);
		rc = rc ?: unit__solve(&r.unit, &result, NULL);
	}
	if (!rc) {
		info->packed = result.nr_groups + count_latencies(&r);
		info->lower_bound = result.lower_bound + count_latencies(&r);
		info->proven = result.proven;
	}
	unit__free(&r.unit);
	free(list);
	return rc;
}
