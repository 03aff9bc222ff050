// SPDX-License-Identifier: GPL-2.0-only
/*
 * A run without -e counts the groups Default, Default2 ... as perf does since Linux 6.19: each
 * metric is printed with one event. If the metric has no heading, the event is printed with its
 * count, too.
 */
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "machine/machine.h"
#include "metrics/idset.h"
#include "plan/grouping.h"

#define TYPE_TOOL (~0u) /* a type that sorts after every PMU of a kernel */

/* Return: the number of metrics that need an id. */
static int count_uses(const struct grouping *g, const char *id)
{
	int uses = 0;

	for (int i = 0; i < g->want.nr; i++)
		uses += idset__has(g->want.at[i].pm.metric->id_set, id);
	return uses;
}

static bool needs(const struct want *w, const struct event *e)
{
	for (int i = 0; i < plan_metric__nr_events(&w->pm); i++)
		if (w->pm.events[i] == e)
			return true;
	return false;
}

struct event *default_run__shown_at(const struct grouping *g, const struct want *w)
{
	struct event *found = NULL;
	int found_uses = 0;

	for (int i = 0; i < w->list->nr; i++) {
		struct event *e = w->list->at[i];
		int uses = e->id && needs(w, e) ? count_uses(g, e->id) : 0;

		if (!uses || (found && e->tool))
			continue;
		if (!found || (found->tool && !e->tool) || uses < found_uses) {
			found = e;
			found_uses = uses;
		}
	}
	return found;
}

void default_run__show_counts(const struct want *w)
{
	if (*w->pm.metric->info.default_group)
		return;
	for (int i = 0; i < plan_metric__nr_events(&w->pm); i++)
		if (w->pm.events[i])
			w->pm.events[i]->with_count = true;
}

/**
 * struct arranged - an event and its sort keys
 * @type: type of the PMU of the event's group
 */
struct arranged {
	struct event *event;
	uint32_t type;
	int place;
};

static uint32_t type_of(const struct event *e)
{
	if (e->tool)
		return TYPE_TOOL;
	if (e->pmu)
		return e->pmu->type;
	return e->attr.type == PERF_TYPE_SOFTWARE ? PERF_TYPE_SOFTWARE : PERF_TYPE_RAW;
}

/*
 * Compare two events: groups with counts come first, then lower types of PMUs, then leaders' names
 * in order.
 */
static int default_run__by_place(const void *a, const void *b)
{
	const struct arranged *l = a, *r = b;
	const struct event *left = l->event->leader, *right = r->event->leader;

	if (left == right)
		return l->place - r->place;
	if (left->with_count != right->with_count)
		return left->with_count ? -1 : 1;
	if (l->type != r->type)
		return l->type < r->type ? -1 : 1;
	return strcmp(left->name, right->name) ?: l->place - r->place;
}

void plan__arrange_default(struct plan *p, int first)
{
	int nr = p->events.nr - first;
	struct arranged *list = xcalloc(nr + 1, sizeof(*list));

	for (int i = 0; i < nr; i++) {
		struct event *e = p->events.at[first + i];

		list[i] = (struct arranged){ .event = e, .type = type_of(e->leader), .place = i };
	}
	if (nr)
		qsort(list, nr, sizeof(*list), default_run__by_place);
	for (int i = 0; i < nr; i++)
		p->events.at[first + i] = list[i].event;
	free(list);
}
