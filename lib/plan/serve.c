// SPDX-License-Identifier: GPL-2.0-only
/* Which event serves each id of a metric, where several groups have one. */
#include "plan/serve.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define UNSET (-2)

/**
 * struct serving - the work on a metric
 * @outer: the walk over its parts; @inner: the one over the ids of a part
 * @used:  of each id, whether the part at hand uses it
 * @whole: of each id, whether all of its pool's are in one group: no part has another
 * @taken: of each id that the part at hand uses, the number of its offer
 */
struct serving {
	struct service *out;
	const struct metric *m;
	const struct offers *offers;
	struct parts_walk outer, inner;
	bool *used, *whole;
	int *taken;
};

static int find_offer(const struct offers *offers, int group)
{
	for (int i = 0; i < offers->list.nr; i++)
		if (offers->list.at[i].group == group)
			return i;
	return -1;
}

static bool is_in_pool(const struct serving *s, int id, int pool)
{
	return s->used[id] && s->offers[id].list.nr && s->offers[id].pool == pool;
}

static bool group_has_all(const struct serving *s, int group, int pool)
{
	for (int i = 0; i < s->m->nr_ids; i++)
		if (is_in_pool(s, i, pool) && find_offer(&s->offers[i], group) < 0)
			return false;
	return true;
}

/* The ids of the pool of @first, which is the first of them. Return: whether a group has all. */
static bool take_pool(struct serving *s, int first)
{
	const struct offers *offers = &s->offers[first];
	int at = 0;

	while (at < offers->list.nr &&
	       !group_has_all(s, offers->list.at[at].group, offers->pool))
		at++;
	if (at == offers->list.nr)
		return false;
	for (int i = first; i < s->m->nr_ids; i++)
		if (is_in_pool(s, i, offers->pool))
			s->taken[i] = find_offer(&s->offers[i], offers->list.at[at].group);
	return true;
}

/* Whether a group was taken for an id that competes with others. */
static bool is_taken(const struct serving *s, int group)
{
	for (int i = 0; i < s->m->nr_ids; i++) {
		const struct offers *offers = &s->offers[i];

		if (s->used[i] && offers->pool != OFFERS_NO_POOL && s->taken[i] >= 0 &&
		    offers->list.at[s->taken[i]].group == group)
			return true;
	}
	return false;
}

/* Wherever it is, but rather with the others. */
static void take_free(struct serving *s, int id)
{
	const struct offers *offers = &s->offers[id];
	int at = 0;

	while (at < offers->list.nr && !is_taken(s, offers->list.at[at].group))
		at++;
	if (at == offers->list.nr)
		at = offers->list.nr ? 0 : -1;
	s->taken[id] = at;
}

/* What competes for counters. Return: whether each pool has a group with all of it that is used. */
static bool take_pools(struct serving *s)
{
	bool all = true;

	for (int i = 0; i < s->m->nr_ids; i++)
		s->taken[i] = s->whole[i] ? s->out->events[i] : UNSET;
	for (int i = 0; i < s->m->nr_ids; i++)
		if (s->used[i] && s->taken[i] == UNSET && s->offers[i].list.nr &&
		    s->offers[i].pool != OFFERS_NO_POOL)
			all &= take_pool(s, i);
	return all;
}

static void take_all_free(struct serving *s)
{
	for (int i = 0; i < s->m->nr_ids; i++)
		if (s->used[i] && (!s->offers[i].list.nr || s->offers[i].pool == OFFERS_NO_POOL))
			take_free(s, i);
}

/* Return: whether all is settled, as the metric's events of each pool are in one group. */
static bool serve_whole(struct serving *s)
{
	bool all;

	memset(s->used, true, s->m->nr_ids * sizeof(*s->used));
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

static int add_part(struct serving *s, struct part part)
{
	struct service *out = s->out;
	int nr = s->m->nr_ids, at = find_part(out, part), *events;
	struct part *parts;

	if (at < out->nr_parts)
		return 0;
	events = reallocarray(out->events, nr * (at + 2) + 1, sizeof(*events));
	if (events)
		out->events = events;
	parts = reallocarray(out->parts, at + 1, sizeof(*parts));
	if (parts)
		out->parts = parts;
	if (!events || !parts)
		return -ENOMEM;
	for (int i = 0; i < nr; i++)
		events[nr * (at + 1) + i] = s->used[i] ? s->taken[i] : UNSET;
	parts[at] = part;
	out->nr_parts++;
	return 0;
}

/* The metric's events are those of the first part that uses them. */
static int settle(struct serving *s, struct part part)
{
	bool differs = false;

	take_all_free(s);
	for (int i = 0; i < s->m->nr_ids; i++) {
		if (!s->used[i])
			continue;
		if (s->out->events[i] == UNSET)
			s->out->events[i] = s->taken[i];
		differs |= s->out->events[i] != s->taken[i];
	}
	return differs ? add_part(s, part) : 0;
}

/*
 * What of such a metric is together is so by chance, and its ratios add up better with the same
 * denominator in all of them. Whether other constraints hold depends on the machine at the time.
 */
static bool needs_no_group(const struct metric *m)
{
	return m->constrained && m->info.constraint == METRIC_NO_GROUP_EVENTS;
}

static int serve_expr(struct serving *s, const struct expr *expr)
{
	int rc = parts_walk__begin(&s->outer, part__root(expr));
	struct part part;

	while (!rc && parts_walk__next(&s->outer, &part)) {
		rc = parts_walk__ids(&s->inner, part, s->used);
		if (!rc && take_pools(s))
			rc = settle(s, part);
		else if (!rc && !needs_no_group(s->m))
			rc = parts_walk__descend(&s->outer, &part);
	}
	return rc;
}

/*
 * What no part uses has the first event; a part has the metric's for what it does not use. So far,
 * there are numbers of offers in place of events.
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

static int serve(struct serving *s)
{
	int rc = 0;

	if (!serve_whole(s)) {
		rc = serve_expr(s, s->m->value);
		if (!rc && s->m->threshold && !needs_no_group(s->m))
			rc = serve_expr(s, s->m->threshold);
	}
	if (!rc)
		fill_in(s);
	return rc;
}

int service__find(struct service *out, const struct metric *m, const struct offers *offers)
{
	struct serving s = {
		.out = out,
		.m = m,
		.offers = offers,
		.used = calloc(m->nr_ids + 1, sizeof(bool)),
		.whole = calloc(m->nr_ids + 1, sizeof(bool)),
		.taken = calloc(m->nr_ids + 1, sizeof(int)),
	};
	int rc = parts_walk__init(&s.outer, m);

	rc = parts_walk__init(&s.inner, m) ?: rc;
	*out = (struct service){ .events = calloc(m->nr_ids + 1, sizeof(int)) };
	if (!s.used || !s.whole || !s.taken || !out->events)
		rc = -ENOMEM;
	rc = rc ?: serve(&s);
	parts_walk__free(&s.outer);
	parts_walk__free(&s.inner);
	free(s.used);
	free(s.whole);
	free(s.taken);
	return rc;
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
