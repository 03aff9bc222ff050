// SPDX-License-Identifier: GPL-2.0-only
/*
 * TopDown metric events (Ice Lake and later) count only in a group that slots leads. Who asks for
 * one of them without it gets it added, and is told.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/sb.h"
#include "base/vec.h"
#include "events/internal.h"
#include "machine/machine.h"

#define EVENT_AND_UMASK 0xffff
#define SLOTS 0x0400
#define METRIC_FIRST 0x8000 /* retiring */
#define METRIC_LAST 0x8700  /* memory bound */

static uint64_t code(const struct event *e)
{
	return e->attr.type == PERF_TYPE_RAW ? e->attr.config & EVENT_AND_UMASK : 0;
}

bool topdown__is(const struct event *e)
{
	uint64_t c = code(e);

	if (c != SLOTS && (c < METRIC_FIRST || c > METRIC_LAST || c & 0xff))
		return false;
	return e->pmu && pmu__has_event(e->pmu, "slots");
}

bool topdown__is_slots(const struct event *e)
{
	return e->topdown && code(e) == SLOTS;
}

/* A metric event of the group of events @from to @to which has no slots, or NULL. */
static const struct event *lacks_slots(const struct event_list *list, int from, int to)
{
	const struct event *metric = NULL;

	for (int i = from; i < to; i++) {
		if (topdown__is_slots(list->at[i]))
			return NULL;
		if (!metric && list->at[i]->topdown)
			metric = list->at[i];
	}
	return metric;
}

/* Counts what the metric event counts, and takes over what its group's leader has to say. */
static void take_over(struct event *slots, struct event *leader, const struct event *metric)
{
	slots->attr.exclude_user = metric->attr.exclude_user;
	slots->attr.exclude_kernel = metric->attr.exclude_kernel;
	slots->attr.exclude_hv = metric->attr.exclude_hv;
	slots->attr.exclude_host = metric->attr.exclude_host;
	slots->attr.exclude_guest = metric->attr.exclude_guest;
	slots->attr.exclude_idle = metric->attr.exclude_idle;
	slots->attr.pinned = leader->attr.pinned;
	slots->attr.exclusive = leader->attr.exclusive;
	leader->attr.pinned = leader->attr.exclusive = 0;
	slots->weak = leader->weak;
}

static int new_slots(const struct events_scope *scope, const struct event *metric,
		     struct event_list *one)
{
	struct parser p = { .scope = scope, .list = one, .shown = "slots" };
	struct sb text = SB_INIT;
	int rc;

	sb__printf(&text, "%s/slots/", metric->pmu->name);
	p.text = sb__str(&text);
	rc = text.err ? -ENOMEM : parse__event(&p);
	sb__free(&text);
	return rc;
}

static int insert(struct event_list *list, int at, int members, struct event *slots)
{
	if (event_list__push(list, slots))
		return -ENOMEM;
	memmove(&list->at[at + 1], &list->at[at], (list->nr - 1 - at) * sizeof(*list->at));
	list->at[at] = slots;
	for (int i = at; i <= at + members; i++) {
		list->at[i]->leader = slots;
		list->at[i]->nr_members = 1;
	}
	slots->nr_members = members + 1;
	for (int i = at; i < list->nr; i++)
		list->at[i]->index = i;
	return 0;
}

int slots__add_missing(const struct events_scope *scope, struct event_list *list)
{
	for (int from = 0, to; from < list->nr; from = to) {
		struct event_list one = EVENT_LIST_INIT;
		const struct event *metric;
		struct event *slots;
		int rc;

		for (to = from + 1; to < list->nr && list->at[to]->leader == list->at[from]; to++)
			;
		metric = lacks_slots(list, from, to);
		if (!metric)
			continue;
		rc = new_slots(scope, metric, &one);
		if (rc || one.nr != 1) {
			event_list__free(&one);
			if (rc == -ENOMEM)
				return rc;
			continue;
		}
		slots = one.at[0];
		vec__free(&one);
		take_over(slots, list->at[from], metric);
		rc = insert(list, from, to - from, slots);
		if (rc) {
			event__free(slots);
			return rc;
		}
		to++;
		sb__printf(&list->warnings,
			   "%s was added: %s counts only in a group that it leads\n", slots->name,
			   metric->name);
	}
	return list->warnings.err ? -ENOMEM : 0;
}
