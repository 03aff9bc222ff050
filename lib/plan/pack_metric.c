// SPDX-License-Identifier: GPL-2.0-only
/*
 * What of a metric is to be counted at one time: all of its value where one group can hold it.
 * Where none can, what is divided by each other, with as much of the rest as the groups have room
 * for. A threshold is made of the values of other metrics, and needs no more than each of their
 * ratios at one time; it is with the value where there is room.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "metrics/expr.h"
#include "plan/pack_unit.h"
#include "plan/parts.h"

/**
 * struct split - a metric whose events of a unit are put into sets
 * @outer: the walk over its parts; @inner: the one over the ids of a part
 * @used:   of each id of the metric, whether the part at hand uses it
 * @placed: of each event of the unit, whether a set that is to be in one group has it
 * @list:   the events of the part at hand
 */
struct split {
	struct unit *u;
	const struct metric *m;
	const struct spot *spots;
	int unit_number;
	struct parts_walk outer, inner;
	bool *used, *placed;
	int *list;
};

/* The unit's events among the ids marked, each once. Return: how many. */
static int list_used(struct split *s)
{
	int nr = 0;

	for (int i = 0; i < s->m->nr_ids; i++) {
		int at = 0;

		if (!s->used[i] || s->spots[i].unit != s->unit_number)
			continue;
		while (at < nr && s->list[at] != s->spots[i].event)
			at++;
		if (at == nr)
			s->list[nr++] = s->spots[i].event;
	}
	return nr;
}

/* Return: how many events of the unit the metric has. */
static int list_all(struct split *s)
{
	memset(s->used, true, s->m->nr_ids * sizeof(*s->used));
	return list_used(s);
}

/* Return: how many events of the unit a part has, or -ENOMEM. */
static int list_part(struct split *s, struct part part)
{
	return parts_walk__ids(&s->inner, part, s->used) ? -ENOMEM : list_used(s);
}

/* One event by itself is no wish. */
static int place(struct split *s, int nr, enum pack_need need)
{
	if (need != PACK_MUST && nr < 2)
		return 0;
	for (int i = 0; i < nr && need == PACK_MUST; i++)
		s->placed[s->list[i]] = true;
	return unit__add_set(s->u, s->list, nr, need);
}

/* What would be better together, if that is possible at all. */
static int wish(struct split *s, int nr, enum pack_need need)
{
	return unit__fits(s->u, s->list, nr) ? place(s, nr, need) : 0;
}

/*
 * Parts from the whole downwards, as large as they fit; with @ratios no others, for what is added
 * up may be counted at several times.
 */
static int place_parts(struct split *s, const struct expr *expr, bool ratios, enum pack_need need)
{
	int rc = parts_walk__begin(&s->outer, part__root(expr));
	struct part part;

	while (!rc && parts_walk__next(&s->outer, &part)) {
		int nr = list_part(s, part);

		if (nr > 0 && (!ratios || part__is_ratio(s->m, &part)) &&
		    unit__fits(s->u, s->list, nr))
			rc = place(s, nr, need);
		else if (nr)
			rc = nr < 0 ? nr : parts_walk__descend(&s->outer, &part);
	}
	return rc;
}

/* Those that no part placed, each by itself: an event that fits no counter, say. */
static int place_rest(struct split *s)
{
	int nr, rc = 0;

	for (int i = 0; i < s->m->nr_ids && !rc; i++) {
		memset(s->used, 0, s->m->nr_ids * sizeof(*s->used));
		s->used[i] = true;
		nr = list_used(s);
		if (nr && !s->placed[s->list[0]])
			rc = place(s, nr, PACK_MUST);
	}
	return rc;
}

/* A metric with a constraint needs no group: one is good for it where it costs none. */
static int add_constrained(struct split *s)
{
	int nr = list_part(s, part__root(s->m->value)), rc;

	rc = nr < 0 ? nr : wish(s, nr, PACK_WISH_VALUE);
	return rc ?: wish(s, list_all(s), PACK_WISH_ALL);
}

static int add_parts(struct split *s)
{
	int nr = list_part(s, part__root(s->m->value)), rc;

	if (nr < 0)
		return nr;
	if (unit__fits(s->u, s->list, nr))
		rc = nr ? place(s, nr, PACK_MUST) : 0;
	else
		rc = place_parts(s, s->m->value, true, PACK_MUST) ?:
		     place_parts(s, s->m->value, false, PACK_WISH_VALUE);
	if (!rc && s->m->threshold)
		rc = place_parts(s, s->m->threshold, true, PACK_WISH_THRESHOLD);
	return rc ?: wish(s, list_all(s), PACK_WISH_ALL);
}

static int add_all(struct split *s)
{
	int rc = 0;

	if (!list_all(s))
		return 0;
	if (s->u->pmu)
		rc = s->m->constrained ? add_constrained(s) : add_parts(s);
	return rc ?: place_rest(s);
}

int unit__add_metric(struct unit *u, int number, const struct metric *m, const struct spot *spots)
{
	int flags = m->nr_ids + u->events.nr + 2;
	struct split s = {
		.u = u,
		.m = m,
		.spots = spots,
		.unit_number = number,
		.used = calloc(flags, sizeof(bool)),
		.list = calloc(m->nr_ids + 1, sizeof(int)),
	};
	int rc = parts_walk__init(&s.outer, m) ?: parts_walk__init(&s.inner, m);

	s.placed = s.used ? s.used + m->nr_ids + 1 : NULL;
	if (!s.used || !s.list)
		rc = -ENOMEM;
	rc = rc ?: add_all(&s);
	parts_walk__free(&s.outer);
	parts_walk__free(&s.inner);
	free(s.used);
	free(s.list);
	return rc;
}
