// SPDX-License-Identifier: GPL-2.0-only
/* The sub-expressions of a metric, and which of its events they use. */
#include "plan/parts.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/vec.h"
#include "metrics/expr.h"

static const struct expr_node *node_of(const struct part *part)
{
	return &part->expr->at[part->node];
}

/* The metric an id names, or -1. */
static int find_ref(const struct metric *m, const struct expr_node *node)
{
	for (int i = 0; i < m->nr_refs && node->op == EXPR_ID; i++)
		if (!strcmp(m->refs[i].name, node->id))
			return i;
	return -1;
}

struct part part__root(const struct expr *expr)
{
	return (struct part){ expr, expr->nr - 1 };
}

bool part__is_ratio(const struct metric *m, const struct part *part)
{
	const struct expr_node *node = node_of(part);

	if (node->op == EXPR_DIV || node->op == EXPR_D_RATIO)
		return true;
	return !expr__operands(node) && find_ref(m, node) < 0;
}

int parts_walk__init(struct parts_walk *w, const struct metric *m)
{
	*w = (struct parts_walk){ .m = m };
	w->seen_refs = calloc(m->nr_refs + 1, sizeof(*w->seen_refs));
	return w->seen_refs ? 0 : -ENOMEM;
}

void parts_walk__free(struct parts_walk *w)
{
	vec__free(&w->todo);
	free(w->seen_refs);
}

int parts_walk__begin(struct parts_walk *w, struct part part)
{
	memset(w->seen_refs, 0, w->m->nr_refs * sizeof(*w->seen_refs));
	w->todo.nr = 0;
	return vec__push(&w->todo, part);
}

bool parts_walk__next(struct parts_walk *w, struct part *out)
{
	if (!w->todo.nr)
		return false;
	*out = w->todo.at[--w->todo.nr];
	return true;
}

/* The last operand goes in first, so that the first one comes out first. */
int parts_walk__descend(struct parts_walk *w, const struct part *part)
{
	const struct expr_node *node = node_of(part);
	int ref = find_ref(w->m, node), rc = 0;

	for (int i = expr__operands(node) - 1; i >= 0 && !rc; i--)
		rc = vec__push(&w->todo, ((struct part){ part->expr, node->at[i] }));
	if (ref < 0 || w->seen_refs[ref])
		return rc;
	w->seen_refs[ref] = true;
	return vec__push(&w->todo, part__root(w->m->refs[ref].value));
}

static void use_id(const struct metric *m, const char *id, bool *used)
{
	for (int i = 0; i < m->nr_ids; i++)
		if (!strcmp(m->ids[i], id))
			used[i] = true;
}

int parts_walk__ids(struct parts_walk *w, struct part part, bool *used)
{
	int rc = parts_walk__begin(w, part);

	memset(used, 0, w->m->nr_ids * sizeof(*used));
	while (!rc && parts_walk__next(w, &part)) {
		const struct expr_node *node = node_of(&part);

		if (node->op == EXPR_ID || node->op == EXPR_SOURCE_COUNT)
			use_id(w->m, node->id, used);
		rc = parts_walk__descend(w, &part);
	}
	return rc;
}
