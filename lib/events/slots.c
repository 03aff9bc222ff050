// SPDX-License-Identifier: GPL-2.0-only
/*
 * TopDown metric events (Ice Lake and later) count only in a group that slots leads. Who asks for
 * one of them without it gets it added, and is told.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/sb.h"
#include "base/vec.h"
#include "events/internal.h"
#include "machine/machine.h"

#define EVENT_AND_UMASK 0xffff
#define METRIC_FIRST 0x8000 /* retiring */
#define METRIC_LAST 0x8700  /* memory bound */

unsigned int topdown__code(const struct event *e)
{
	unsigned int code = e->attr.type == PERF_TYPE_RAW ? e->attr.config & EVENT_AND_UMASK : 0;

	if (code != EVENT_TOPDOWN_SLOTS &&
	    (code < METRIC_FIRST || code > METRIC_LAST || code & 0xff))
		return 0;
	return e->pmu && pmu__has_event(e->pmu, "slots") ? code : 0;
}

unsigned int topdown__bit(const struct event *e)
{
	if (e->topdown_code == EVENT_TOPDOWN_SLOTS)
		return 1;
	return 2U << ((e->topdown_code - METRIC_FIRST) >> 8);
}

/* A metric event of the group of events @from to @to which has no slots, or NULL. */
static const struct event *lacks_slots(const struct event_list *list, int from, int to)
{
	const struct event *metric = NULL;

	for (int i = from; i < to; i++) {
		if (list->at[i]->topdown_code == EVENT_TOPDOWN_SLOTS)
			return NULL;
		if (!metric && list->at[i]->topdown)
			metric = list->at[i];
	}
	return metric;
}

/* Counts what the metric event counts, and takes over what its group's leader has to say. */
static void take_over(struct event *slots, struct event *leader, const struct event *metric)
{
	modifiers__exclude(&slots->attr, modifiers__excluded(&metric->attr));
	slots->attr.pinned = leader->attr.pinned;
	slots->attr.exclusive = leader->attr.exclusive;
	leader->attr.pinned = leader->attr.exclusive = 0;
	/* Nobody wrote the group of an event that stood alone. */
	slots->weak = leader->weak || leader->nr_members == 1;
}

/* The modifiers of an event that counts in its modes: "uk", or none. */
static void put_modes(const struct perf_event_attr *attr, struct sb *out)
{
	if (!attr->exclude_user && !attr->exclude_kernel && !attr->exclude_hv)
		return;
	sb__printf(out, ":%s%s%s", attr->exclude_user ? "" : "u", attr->exclude_kernel ? "" : "k",
		   attr->exclude_hv ? "" : "h");
}

static int new_slots(const struct events_scope *scope, const struct event *metric,
		     struct event_list *one)
{
	struct event_parser p = {.scope = scope, .list = one};
	struct sb text = SB_INIT, shown = SB_INIT;
	int rc;

	sb__printf(&text, "%s/slots/", metric->pmu->name);
	sb__puts(&shown, "slots");
	put_modes(&metric->attr, &shown);
	p.text = sb__str(&text);
	p.shown = sb__str(&shown);
	rc = parse__event(&p);
	sb__free(&text);
	sb__free(&shown);
	return rc;
}

static void insert(struct event_list *list, int at, int members, struct event *slots)
{
	event_list__push(list, slots);
	memmove(&list->at[at + 1], &list->at[at], (list->nr - 1 - at) * sizeof(*list->at));
	list->at[at] = slots;
	for (int i = at; i <= at + members; i++) {
		list->at[i]->leader = slots;
		list->at[i]->nr_members = 1;
		list->at[i]->weak = slots->weak;
	}
	slots->nr_members = members + 1;
	for (int i = at; i < list->nr; i++)
		list->at[i]->index = i;
}

/* Puts slots before the events @from to @to, among them @metric. */
static void add_slots(const struct events_scope *scope, struct event_list *list, int from, int to,
		     const struct event *metric, bool say)
{
	struct event_list one = EVENT_LIST_INIT;
	struct event *slots;

	if (new_slots(scope, metric, &one) || one.nr != 1) {
		event_list__free(&one);
		return;
	}
	slots = one.at[0];
	vec__free(&one);
	take_over(slots, list->at[from], metric);
	insert(list, from, to - from, slots);
	if (say)
		sb__printf(&list->warnings,
			   "%s was added: %s counts only in a group that it leads\n", slots->name,
			   metric->name);
}

/* The hardware counts slots, and divides them up: it has no modes for each part. */
static void warn_of_modes(struct event_list *list, const struct event *e)
{
	if (e->topdown && e->leader->topdown && event__modes(e) != event__modes(e->leader))
		sb__printf(&list->warnings, "%s counts in the modes of %s, which leads its group\n",
			   e->name, e->leader->name);
}

void slots__add_missing(const struct events_scope *scope, struct event_list *list, bool say)
{
	for (int from = 0, to; from < list->nr; from = to) {
		const struct event *leader = list->at[from], *metric;

		for (to = from + 1; to < list->nr && list->at[to]->leader == leader; to++)
			;
		metric = lacks_slots(list, from, to);
		if (metric)
			add_slots(scope, list, from, to, metric, say);
		/* It stands before them now. */
		while (to < list->nr && list->at[to]->leader == list->at[from])
			to++;
	}
	for (int i = 0; i < list->nr; i++)
		warn_of_modes(list, list->at[i]);
}

void events__join_topdown(const struct events_scope *scope, struct event_list *list)
{
	regroup(list, true);
	slots__add_missing(scope, list, true);
}
