// SPDX-License-Identifier: GPL-2.0-only
/*
 * How many groups a plan needs, whatever groups it has: its metrics' events, and the groups of the
 * user, are packed anew. What no group can hold may be in several.
 */
#include "plan/schedule_bound.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/vec.h"
#include "machine/machine.h"
#include "plan/pack.h"

#define EFFORT 20000

/**
 * struct repack - the packing of one PMU's events
 * @same: of each event of the plan, the first one that counts the same
 */
struct repack {
	const struct plan *plan;
	const struct fit_pmu *counters;
	const struct fit_event *needs;
	const struct pmu *pmu;
	int *same;
	VEC(struct pack_set) sets;
};

static bool counts_the_same(const struct event *a, const struct event *b)
{
	return a->pmu == b->pmu && !memcmp(&a->attr, &b->attr, sizeof(a->attr));
}

static void find_same(struct repack *r)
{
	const struct event_list *list = &r->plan->events;

	for (int i = 0; i < list->nr; i++) {
		int j = 0;

		while (j < i && (r->same[j] != j || !counts_the_same(list->at[i], list->at[j])))
			j++;
		r->same[i] = j;
	}
}

/* Return: how many events the list has with this one, which may be there. */
static int add_once(int *list, int nr, int event)
{
	for (int i = 0; i < nr; i++)
		if (list[i] == event)
			return nr;
	list[nr] = event;
	return nr + 1;
}

static bool is_counted(const struct repack *r, const struct event *e)
{
	return e && e->pmu == r->pmu && !e->retire_latency;
}

static int push_set(struct repack *r, const int *events, int nr)
{
	int *copy = malloc((nr + 1) * sizeof(*copy));

	if (!copy || vec__push(&r->sets, (struct pack_set){ copy, nr, -1 })) {
		free(copy);
		return -ENOMEM;
	}
	memcpy(copy, events, nr * sizeof(*copy));
	return 0;
}

/* Parts of slots are in the group of their leader. */
static int add_slots(const struct repack *r, int *list, int nr)
{
	int all = nr;

	for (int i = 0; i < nr; i++)
		if (r->needs[list[i]].topdown)
			all = add_once(list, all,
				       r->same[r->plan->events.at[list[i]]->leader->index]);
	return all;
}

static bool fits(const struct repack *r, const int *list, int nr)
{
	struct fit fit;

	fit__init(&fit, r->counters);
	for (int i = 0; i < nr; i++)
		if (!fit__add(&fit, &r->needs[list[i]], NULL))
			return false;
	return true;
}

/* @apart: they need not be in one group. @list has room for one more. */
static int add_set(struct repack *r, int *list, int nr, bool apart)
{
	int rc = 0;

	if (!nr)
		return 0;
	nr = add_slots(r, list, nr);
	if (!apart && fits(r, list, nr))
		return push_set(r, list, nr);
	for (int i = 0; i < nr && !rc; i++) {
		int one[2] = { list[i] };

		rc = push_set(r, one, add_slots(r, one, 1));
	}
	return rc;
}

static int add_metric(struct repack *r, const struct plan_metric *pm, int *list)
{
	int nr = 0;

	for (int i = 0; i < pm->metric->nr_ids; i++)
		if (is_counted(r, pm->events[i]))
			nr = add_once(list, nr, r->same[pm->events[i]->index]);
	return add_set(r, list, nr, pm->metric->constrained);
}

static int add_users_group(struct repack *r, int first, int *list)
{
	const struct event_list *events = &r->plan->events;
	int nr = 0;

	if (events->at[first]->from_metric || events->at[first]->leader != events->at[first])
		return 0;
	for (int i = first; i < events->nr && events->at[i]->leader == events->at[first]; i++)
		if (is_counted(r, events->at[i]))
			nr = add_once(list, nr, r->same[i]);
	return add_set(r, list, nr, false);
}

static int add_all(struct repack *r, int *list)
{
	int rc = 0;

	for (int i = 0; i < r->plan->nr_metrics && !rc; i++)
		rc = add_metric(r, &r->plan->metrics[i], list);
	for (int i = 0; i < r->plan->events.nr && !rc; i++)
		rc = add_users_group(r, i, list);
	return rc;
}

int schedule__bound(const struct plan *plan, const struct fit_pmu *counters,
		    const struct fit_event *needs, struct schedule_pmu *info)
{
	int nr = plan->events.nr, *list = calloc(nr + 1, sizeof(*list)), rc = -ENOMEM;
	struct repack r = {
		.plan = plan,
		.counters = counters,
		.needs = needs,
		.pmu = info->pmu,
		.same = calloc(nr + 1, sizeof(*r.same)),
	};
	struct pack_result result;

	if (!list || !r.same)
		goto out;
	find_same(&r);
	rc = add_all(&r, list);
	if (!rc) {
		const struct pack_problem problem = {
			counters, needs, r.sets.at, nr, r.sets.nr, EFFORT,
		};

		rc = pack__solve(&problem, &result, NULL);
	}
	if (!rc) {
		info->packed = result.nr_groups;
		info->lower_bound = result.lower_bound;
		info->proven = result.proven;
	}
out:
	for (int i = 0; i < r.sets.nr; i++)
		free((int *)r.sets.at[i].events);
	vec__free(&r.sets);
	free(r.same);
	free(list);
	return rc;
}
