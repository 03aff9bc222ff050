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

unsigned int topdown__bit(const struct event *e)
{
	return topdown__is_slots(e) ? 1 : 2U << ((code(e) - METRIC_FIRST) >> 8);
}

unsigned int topdown__modes(const struct event *e)
{
	const struct perf_event_attr *attr = &e->attr;

	/* Not those of guests and hypervisor, which other modifiers change as well, as in perf. */
	return attr->exclude_user | attr->exclude_kernel << 1 | attr->exclude_idle << 2 |
	       attr->exclude_host << 3;
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
	struct parser p = { .scope = scope, .list = one };
	struct sb text = SB_INIT, shown = SB_INIT;
	int rc;

	sb__printf(&text, "%s/slots/", metric->pmu->name);
	sb__puts(&shown, "slots");
	put_modes(&metric->attr, &shown);
	p.text = sb__str(&text);
	p.shown = sb__str(&shown);
	rc = text.err || shown.err ? -ENOMEM : parse__event(&p);
	sb__free(&text);
	sb__free(&shown);
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
		list->at[i]->weak = slots->weak;
	}
	slots->nr_members = members + 1;
	for (int i = at; i < list->nr; i++)
		list->at[i]->index = i;
	return 0;
}

/* Puts slots before the events @from to @to, among them @metric. Return: 0 or -ENOMEM. */
static int add_slots(const struct events_scope *scope, struct event_list *list, int from, int to,
		     const struct event *metric, bool say)
{
	struct event_list one = EVENT_LIST_INIT;
	int rc = new_slots(scope, metric, &one);
	struct event *slots;

	if (rc || one.nr != 1) {
		event_list__free(&one);
		return rc == -ENOMEM ? rc : 0;
	}
	slots = one.at[0];
	vec__free(&one);
	take_over(slots, list->at[from], metric);
	rc = insert(list, from, to - from, slots);
	if (rc) {
		event__free(slots);
		return rc;
	}
	if (say)
		sb__printf(&list->warnings,
			   "%s was added: %s counts only in a group that it leads\n", slots->name,
			   metric->name);
	return 0;
}

/* The hardware counts slots, and divides them up: it has no modes for each part. */
static void warn_of_modes(struct event_list *list, const struct event *e)
{
	if (e->topdown && e->leader->topdown && topdown__modes(e) != topdown__modes(e->leader))
		sb__printf(&list->warnings, "%s counts in the modes of %s, which leads its group\n",
			   e->name, e->leader->name);
}

int slots__add_missing(const struct events_scope *scope, struct event_list *list, bool say)
{
	int rc = 0;

	for (int from = 0, to; from < list->nr && !rc; from = to) {
		const struct event *leader = list->at[from], *metric;

		for (to = from + 1; to < list->nr && list->at[to]->leader == leader; to++)
			;
		metric = lacks_slots(list, from, to);
		if (metric)
			rc = add_slots(scope, list, from, to, metric, say);
		/* It stands before them now. */
		while (to < list->nr && list->at[to]->leader == list->at[from])
			to++;
	}
	for (int i = 0; i < list->nr && !rc; i++)
		warn_of_modes(list, list->at[i]);
	return rc || !list->warnings.err ? rc : -ENOMEM;
}

int events__join_topdown(const struct events_scope *scope, struct event_list *list, struct err *err)
{
	int rc = regroup(list, true);

	if (!rc)
		rc = slots__add_missing(scope, list, true);
	return rc ? err__set(err, -rc, "out of memory") : 0;
}
