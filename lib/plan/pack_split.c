// SPDX-License-Identifier: GPL-2.0-only
/* A metric too large for one group, in parts: its sub-expressions, as large as they fit. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "metrics/expr.h"
#include "plan/pack_groups.h"

/** struct part - a sub-expression: the operands of a node are earlier nodes */
struct part {
	const struct expr *expr;
	int node;
};

struct parts {
	struct part *at;
	int nr, cap;
};

/**
 * struct split - a metric being split
 * @todo:  sub-expressions that are still to be looked at
 * @below: those below the one being looked at, when its ids are collected
 * @split_refs: metrics referred to which have been looked at; @below_refs: which were collected
 * @used:  of each event of the unit, whether it is below; @placed: it is in a set
 * @list:  room for the numbers of all events of the unit
 */
struct split {
	struct unit *u;
	const struct metric *m;
	const struct spot *spots;
	int unit_number, want;
	struct parts todo, below;
	bool *split_refs, *below_refs, *used, *placed;
	int *list;
};

static int nr_operands(enum expr_op op)
{
	switch (op) {
	case EXPR_NUMBER:
	case EXPR_LITERAL:
	case EXPR_ID:
	case EXPR_SOURCE_COUNT:
	case EXPR_HAS_EVENT:
	case EXPR_STRCMP_CPUID:
		return 0;
	case EXPR_NEG:
		return 1;
	case EXPR_IF:
		return 3;
	default:
		return 2;
	}
}

static int find_ref(const struct metric *m, const char *name)
{
	for (int i = 0; i < m->nr_refs; i++)
		if (!strcmp(m->refs[i].name, name))
			return i;
	return -1;
}

/* The operands of a part, the last one first; of a reference, its expression, once. */
static int add_operands(const struct metric *m, const struct part *part, bool *refs,
			struct parts *out)
{
	const struct expr_node *node = &part->expr->at[part->node];
	int ref, rc = 0;

	for (int i = nr_operands(node->op) - 1; i >= 0 && !rc; i--)
		rc = vec__push(out, (struct part){ part->expr, node->at[i] });
	ref = node->op == EXPR_ID ? find_ref(m, node->id) : -1;
	if (ref < 0 || refs[ref])
		return rc;
	refs[ref] = true;
	return vec__push(out, (struct part){ m->refs[ref].value, m->refs[ref].value->nr - 1 });
}

static void use_id(struct split *s, const char *id)
{
	for (int i = 0; i < s->m->nr_ids; i++)
		if (s->spots[i].unit == s->unit_number && !strcmp(s->m->ids[i], id))
			s->used[s->spots[i].event] = true;
}

/* Marks the events a part uses. */
static int collect(struct split *s, struct part part)
{
	int rc;

	memset(s->used, 0, s->u->events.nr * sizeof(*s->used));
	memset(s->below_refs, 0, s->m->nr_refs * sizeof(*s->below_refs));
	s->below.nr = 0;
	rc = vec__push(&s->below, part);
	while (!rc && s->below.nr) {
		const struct expr_node *node;

		part = s->below.at[--s->below.nr];
		node = &part.expr->at[part.node];
		if (node->op == EXPR_ID || node->op == EXPR_SOURCE_COUNT)
			use_id(s, node->id);
		rc = add_operands(s->m, &part, s->below_refs, &s->below);
	}
	return rc;
}

/* The events marked, as a list. */
static int list_used(struct split *s)
{
	int nr = 0;

	for (int i = 0; i < s->u->events.nr; i++)
		if (s->used[i])
			s->list[nr++] = i;
	return nr;
}

static int place(struct split *s, int nr)
{
	for (int i = 0; i < nr; i++)
		s->placed[s->list[i]] = true;
	return unit__add_set(s->u, s->want, s->list, nr);
}

/* Parts from the whole downwards; a part that fits is not taken apart. */
static int place_parts(struct split *s, const struct expr *expr)
{
	int rc = vec__push(&s->todo, (struct part){ expr, expr->nr - 1 });

	while (!rc && s->todo.nr) {
		struct part part = s->todo.at[--s->todo.nr];
		int nr;

		rc = collect(s, part);
		nr = rc ? 0 : list_used(s);
		if (!nr)
			continue;
		if (unit__fits(s->u, s->list, nr))
			rc = place(s, nr);
		else
			rc = add_operands(s->m, &part, s->split_refs, &s->todo);
	}
	return rc;
}

/*
 * What is in no part of the value, each by itself: the events of the threshold, which is a limit
 * and no measure, and an event that fits no counter.
 */
static int place_rest(struct split *s)
{
	int rc = 0;

	for (int i = 0; i < s->m->nr_ids && !rc; i++) {
		int event = s->spots[i].event;

		if (s->spots[i].unit != s->unit_number || s->placed[event])
			continue;
		s->list[0] = event;
		rc = place(s, 1);
	}
	return rc;
}

static int split_expressions(struct split *s, struct want *w)
{
	int before = s->u->sets.nr, rc = place_parts(s, s->m->value);

	/* One part is the whole value: the threshold's events are what did not fit. */
	if (s->u->sets.nr - before > 1)
		w->together = WANT_SPLIT;
	else if (w->together < WANT_THRESHOLD_APART)
		w->together = WANT_THRESHOLD_APART;
	return rc ? rc : place_rest(s);
}

int split_metric(struct unit *u, int unit_number, struct want *w, int want,
		 const struct spot *spots)
{
	int nr = u->events.nr + 1, refs = w->metric->nr_refs + 1;
	struct split s = {
		.u = u,
		.m = w->metric,
		.spots = spots,
		.unit_number = unit_number,
		.want = want,
		.split_refs = calloc(2 * refs + 2 * nr, sizeof(bool)),
		.list = calloc(nr, sizeof(int)),
	};
	int rc = s.split_refs && s.list ? 0 : -ENOMEM;

	if (!rc) {
		s.below_refs = s.split_refs + refs;
		s.used = s.below_refs + refs;
		s.placed = s.used + nr;
		rc = split_expressions(&s, w);
	}
	vec__free(&s.todo);
	vec__free(&s.below);
	free(s.split_refs);
	free(s.list);
	return rc;
}
