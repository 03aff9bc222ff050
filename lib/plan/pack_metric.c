// SPDX-License-Identifier: GPL-2.0-only
/*
 * What of a metric is to be counted at one time: all of its value where one group can hold it.
 * Where none can, what is divided by each other, with as much of the rest as the groups have room
 * for. A threshold is made of the values of other metrics, and needs no more than each of their
 * ratios at one time; it is with the value where there is room.
 */
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "metrics/expr.h"
#include "plan/pack_unit.h"
#include "plan/parts.h"

/**
 * struct split - a metric whose events of a unit are put into sets
 * @used:   of each id of the metric, whether the part at hand uses it
 * @placed: of each event of the unit, whether a set that is to be in one group has it
 * @list:   the events of the part at hand
 */
struct split {
	struct unit *u;
	const struct metric *m;
	struct parts *parts;
	const struct spot *spots;
	int unit_number;
	bool *used, *placed;
	int *list;
};

/* The unit's events among the ids marked, each once. Return: how many. */
static int list_used(struct split *s)
{
	int nr = 0;

	for (int i = 0; i < s->m->nr_ids; i++)
		if (s->used[i] && s->spots[i].unit == s->unit_number)
			nr = unit__list_event(s->list, nr, s->spots[i].event);
	return nr;
}

/* Return: how many events of the unit the metric has. */
static int list_all(struct split *s)
{
	memset(s->used, true, s->m->nr_ids * sizeof(*s->used));
	return list_used(s);
}

/* Return: how many events of the unit a part has. */
static int list_part(struct split *s, struct part part)
{
	parts__ids(s->parts, part, s->used);
	return list_used(s);
}

/* One event by itself is no wish. */
static void place(struct split *s, int nr, enum pack_need need)
{
	if (need != PACK_MUST && nr < 2)
		return;
	for (int i = 0; i < nr && need == PACK_MUST; i++)
		s->placed[s->list[i]] = true;
	unit__add_set(s->u, s->list, nr, need);
}

/* What would be better together, if that is possible at all. */
static void wish(struct split *s, int nr, enum pack_need need)
{
	if (unit__fits(s->u, s->list, nr))
		place(s, nr, need);
}

/*
 * Parts from the whole downwards, as large as they fit; with @ratios no others, for what is added
 * up may be counted at several times.
 */
static void place_parts(struct split *s, const struct expr *expr, bool ratios, enum pack_need need)
{
	struct part part;

	parts__begin(s->parts, expr);
	while (parts__next(s->parts, &part)) {
		int nr = list_part(s, part);

		if (!nr)
			continue;
		if ((!ratios || parts__is_ratio(s->parts, part)) && unit__fits(s->u, s->list, nr))
			place(s, nr, need);
		else
			parts__descend(s->parts, part);
	}
}

/* Those that no part placed, each by itself: an event that fits no counter, say. */
static void place_rest(struct split *s)
{
	for (int i = 0; i < s->m->nr_ids; i++) {
		s->list[0] = s->spots[i].event;
		if (s->spots[i].unit == s->unit_number && !s->placed[s->list[0]])
			place(s, 1, PACK_MUST);
	}
}

/* A metric with a constraint needs no group: one is good for it where it costs none. */
static void add_constrained(struct split *s)
{
	wish(s, list_part(s, part__root(s->m->value)), PACK_WISH_VALUE);
	wish(s, list_all(s), PACK_WISH_ALL);
}

static void add_parts(struct split *s)
{
	int nr = list_part(s, part__root(s->m->value));

	if (nr && unit__fits(s->u, s->list, nr)) {
		place(s, nr, PACK_MUST);
	} else if (nr) {
		place_parts(s, s->m->value, true, PACK_MUST);
		place_parts(s, s->m->value, false, PACK_WISH_VALUE);
	}
	if (s->m->threshold)
		place_parts(s, s->m->threshold, true, PACK_WISH_THRESHOLD);
	wish(s, list_all(s), PACK_WISH_ALL);
}

void unit__add_metric(struct unit *u, int number, struct parts *parts, const struct spot *spots)
{
	struct split s = {
		.u = u,
		.m = parts->m,
		.parts = parts,
		.spots = spots,
		.unit_number = number,
		.used = xcalloc(parts->m->nr_ids + 1, sizeof(bool)),
		.placed = xcalloc(u->events.nr + 2, sizeof(bool)),
		.list = xcalloc(parts->m->nr_ids + 1, sizeof(int)),
	};

	if (u->pmu && list_all(&s) && s.m->constrained)
		add_constrained(&s);
	else if (u->pmu && list_all(&s))
		add_parts(&s);
	place_rest(&s);
	free(s.used);
	free(s.placed);
	free(s.list);
}
