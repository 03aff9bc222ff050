// SPDX-License-Identifier: GPL-2.0-only
/* Choose the events of a metric. If events of several groups count an id, one of them is chosen. */
#include "plan/serve.h"

#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"

#define UNSET (-2)
#define LACKING (-3) /* no group has all ids of the pool */

/**
 * struct serving - the state of choosing the events of a metric
 * @used:  the @nr_used ids that the current part uses, as indexes of metric->ids[]
 * @whole: for each id, whether one group has all ids of its pool; parts use this group
 * @taken: for each id that the current part uses, the number of the chosen offer
 */
struct serving {
	struct service *out;
	const struct metric *m;
	struct parts *parts;
	const struct offers *offers;
	int *used, nr_used, *taken;
	bool *whole;
};

/* Find the first offer in a group. Return: its number, or -1. */
static int find_offer(const struct offers *offers, int group)
{
	int low = 0, high = offers->list.nr;

	while (low < high) {
		int mid = low + (high - low) / 2;

		if (offers->list.at[mid].group < group)
			low = mid + 1;
		else
			high = mid;
	}
	return low < offers->list.nr && offers->list.at[low].group == group ? low : -1;
}

/* Whether an id takes no counter of a pool, or needs no event at all. */
static bool is_free(const struct offers *offers)
{
	return !offers->list.nr || offers->pool == OFFERS_NO_POOL;
}

static bool is_in_pool(const struct serving *s, int id, int pool)
{
	return s->offers[id].list.nr && s->offers[id].pool == pool;
}

/* Set s->taken of all ids of a pool, from @used[first] on. */
static void set_pool(struct serving *s, int first, int pool, int taken)
{
	for (int i = first; i < s->nr_used; i++)
		if (is_in_pool(s, s->used[i], pool))
			s->taken[s->used[i]] = taken;
}

/*
 * Move s->taken[id] to the first offer of @group or a later group. Return: the offer's group, or -1
 * if there is none.
 */
static int skip_to_group(struct serving *s, int id, int group)
{
	const struct offers *offers = &s->offers[id];
	int *at = &s->taken[id];

	while (*at < offers->list.nr && offers->list.at[*at].group < group)
		++*at;
	return *at < offers->list.nr ? offers->list.at[*at].group : -1;
}

/*
 * Choose the first group that has offers for all ids of a pool, which is the pool of @used[first].
 * Offers are sorted by group, so no offer is looked at twice. Return: whether there is such a
 * group.
 */
static bool take_pool(struct serving *s, int first)
{
	int pool = s->offers[s->used[first]].pool, group = 0;

	set_pool(s, first, pool, 0);
	for (int i = first; i < s->nr_used; i++) {
		int found;

		if (!is_in_pool(s, s->used[i], pool))
			continue;
		found = skip_to_group(s, s->used[i], group);
		if (found < 0) {
			set_pool(s, first, pool, LACKING);
			return false;
		}
		/* Earlier ids may not have an offer of this group: start again. */
		if (found > group) {
			group = found;
			i = first - 1;
		}
	}
	return true;
}

/*
 * Choose an event that does not compete for counters, if possible from a group that other ids use.
 */
static void take_free(struct serving *s, int id)
{
	const struct offers *offers = &s->offers[id];
	int first = -1;

	for (int i = 0; i < s->nr_used; i++) {
		const struct offers *other = &s->offers[s->used[i]];
		int taken = s->taken[s->used[i]], at;

		if (other->pool == OFFERS_NO_POOL || taken < 0)
			continue;
		at = find_offer(offers, other->list.at[taken].group);
		if (at >= 0 && (first < 0 || at < first))
			first = at;
	}
	if (first < 0 && offers->list.nr)
		first = 0;
	s->taken[id] = first;
}

/*
 * Choose the events that compete for counters. Return: whether each pool has a group with all used
 * ids.
 */
static bool take_pools(struct serving *s)
{
	bool all = true;

	for (int i = 0; i < s->nr_used; i++) {
		int id = s->used[i];

		s->taken[id] = s->whole[id] ? s->out->events[id] : UNSET;
	}
	for (int i = 0; i < s->nr_used; i++)
		if (s->taken[s->used[i]] == UNSET && !is_free(&s->offers[s->used[i]]))
			all &= take_pool(s, i);
	for (int i = 0; i < s->nr_used && !all; i++)
		if (s->taken[s->used[i]] == LACKING)
			s->taken[s->used[i]] = UNSET;
	return all;
}

static void take_all_free(struct serving *s)
{
	for (int i = 0; i < s->nr_used; i++)
		if (is_free(&s->offers[s->used[i]]))
			take_free(s, s->used[i]);
}

/* Serve the metric as a whole. Return: whether each pool has a group with all of its events. */
static bool serve_whole(struct serving *s)
{
	bool all;

	for (s->nr_used = 0; s->nr_used < s->m->nr_ids; s->nr_used++)
		s->used[s->nr_used] = s->nr_used;
	all = take_pools(s);
	if (all)
		take_all_free(s);
	for (int i = 0; i < s->m->nr_ids; i++) {
		s->whole[i] = s->taken[i] != UNSET;
		s->out->events[i] = s->taken[i];
	}
	return all;
}

static int find_part(const struct service *out, struct part part)
{
	int at = 0;

	while (at < out->nr_parts &&
	       (out->parts[at].expr != part.expr || out->parts[at].node != part.node))
		at++;
	return at;
}

static void add_part(struct serving *s, struct part part)
{
	struct service *out = s->out;
	int nr = s->m->nr_ids, at = find_part(out, part);

	if (at < out->nr_parts)
		return;
	out->nr_parts++;
	out->events = xreallocarray(out->events, service__nr_events(out, s->m) + 1,
				    sizeof(*out->events));
	out->parts = xreallocarray(out->parts, out->nr_parts, sizeof(*out->parts));
	for (int i = 0; i < nr; i++)
		out->events[nr * (at + 1) + i] = UNSET;
	for (int i = 0; i < s->nr_used; i++)
		out->events[nr * (at + 1) + s->used[i]] = s->taken[s->used[i]];
	out->parts[at] = part;
}

/* The first part that uses an id decides which event the metric has for it. */
static void serving__settle(struct serving *s, struct part part)
{
	bool differs = false;

	take_all_free(s);
	for (int i = 0; i < s->nr_used; i++) {
		int id = s->used[i];

		if (s->out->events[id] == UNSET)
			s->out->events[id] = s->taken[id];
		differs |= s->out->events[id] != s->taken[id];
	}
	if (differs)
		add_part(s, part);
}

/*
 * Whether the vendor says that a metric needs no group. With this constraint, its events would be
 * in one group only by chance, and its ratios add up better if all have the same denominator. Other
 * constraints depend on the machine and the time.
 */
static bool needs_no_group(const struct metric *m)
{
	return m->constrained && m->info.constraint == METRIC_NO_GROUP_EVENTS;
}

/*
 * Choose the events of an expression. Return: whether they were chosen for the whole expression,
 * not part by part.
 */
static bool serve_expr(struct serving *s, const struct expr *expr)
{
	bool whole = true;
	struct part part;

	parts__begin(s->parts, expr);
	while (parts__next(s->parts, &part)) {
		s->nr_used = parts__ids(s->parts, part, s->used);
		if (take_pools(s)) {
			serving__settle(s, part);
			continue;
		}
		whole = false;
		if (!needs_no_group(s->m))
			parts__descend(s->parts, part);
	}
	return whole;
}

/*
 * Replace the numbers of offers by numbers of events. An id that no part uses gets the first event.
 * For ids that a part does not use, the part gets the events of the metric.
 */
static void fill_in(struct serving *s)
{
	int nr = s->m->nr_ids, *events = s->out->events;

	for (int i = service__nr_events(s->out, s->m) - 1; i >= 0; i--) {
		const struct offers *offers = &s->offers[i % nr];

		if (events[i] == UNSET)
			events[i] = events[i % nr];
		if (events[i] == UNSET)
			events[i] = offers->list.nr ? 0 : -1;
		if (events[i] >= 0)
			events[i] = offers->list.at[events[i]].event;
	}
}

void service__find(struct service *out, struct parts *parts, const struct offers *offers)
{
	int nr = parts->m->nr_ids + 1;
	struct serving s = {
		.out = out,
		.m = parts->m,
		.parts = parts,
		.offers = offers,
		.used = xcalloc(nr, sizeof(int)),
		.whole = xcalloc(nr, sizeof(bool)),
		.taken = xcalloc(nr, sizeof(int)),
	};

	*out = (struct service){ .events = xcalloc(nr, sizeof(int)) };
	out->whole = out->value_whole = serve_whole(&s);
	if (!out->whole) {
		out->value_whole = serve_expr(&s, s.m->value);
		if (s.m->threshold && !needs_no_group(s.m))
			serve_expr(&s, s.m->threshold);
	}
	fill_in(&s);
	free(s.used);
	free(s.whole);
	free(s.taken);
}

void service__free(struct service *s)
{
	free(s->events);
	free(s->parts);
	*s = (struct service){ 0 };
}

int service__nr_events(const struct service *s, const struct metric *m)
{
	return m->nr_ids * (1 + s->nr_parts);
}
