// SPDX-License-Identifier: GPL-2.0-only
/* The sub-expressions of a metric, and the events that each of them uses. */
#include "plan/parts.h"

#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "metrics/expr.h"

#define WORD_BITS 64

static struct parts_expr *find_expr(const struct parts *p, const struct expr *expr)
{
	int i = 0;

	while (p->exprs[i].expr != expr)
		i++;
	return &p->exprs[i];
}

/* Return: the number of the metric that a part refers to; less than 0 if it is not a reference. */
static int ref_of(const struct parts *p, struct part part)
{
	return part.expr->at[part.node].op == EXPR_ID ?
		       find_expr(p, part.expr)->names[part.node] - p->m->nr_ids :
		       -1;
}

struct part part__root(const struct expr *expr)
{
	return (struct part){ expr, expr->nr - 1 };
}

bool parts__is_ratio(const struct parts *p, struct part part)
{
	const struct expr_node *node = &part.expr->at[part.node];

	if (node->op == EXPR_DIV || node->op == EXPR_D_RATIO)
		return true;
	return !expr__operands(node) && ref_of(p, part) < 0;
}

/* --- What each part uses --------------------------------------------------------------------- */

static uint64_t *ids_of(const struct parts *p, const struct parts_expr *e, int node)
{
	return &e->ids[node * p->words];
}

static void use_all(const struct parts *p, uint64_t *ids, const uint64_t *others)
{
	for (int i = 0; i < p->words; i++)
		ids[i] |= others[i];
}

/* Whether an operand is used: a constant condition rules one branch out. */
static bool is_looked_at(const struct expr_node *node, int operand)
{
	return !node->taken || node->taken == operand + 1;
}

static void parts__look_at(struct parts *p, struct parts_expr *e);

static void look_at_name(struct parts *p, struct parts_expr *e, int node)
{
	int name = e->names[node], ref = name - p->m->nr_ids;

	if (name >= 0 && ref < 0)
		ids_of(p, e, node)[name / WORD_BITS] |= 1ULL << name % WORD_BITS;
	if (ref < 0 || e->expr->at[node].op != EXPR_ID)
		return;
	parts__look_at(p, &p->exprs[ref]);
	use_all(p, ids_of(p, e, node), ids_of(p, &p->exprs[ref], p->exprs[ref].expr->nr - 1));
}

/* Operands precede their node, so the ids that they use are already known. */
static void parts__look_at(struct parts *p, struct parts_expr *e)
{
	if (e->ids)
		return;
	e->ids = xcalloc(e->expr->nr * p->words, sizeof(*e->ids));
	for (int i = 0; i < e->expr->nr; i++) {
		const struct expr_node *n = &e->expr->at[i];

		if (n->op == EXPR_ID || n->op == EXPR_SOURCE_COUNT)
			look_at_name(p, e, i);
		for (int k = 0; k < expr__operands(n); k++)
			if (is_looked_at(n, k))
				use_all(p, ids_of(p, e, i), ids_of(p, e, n->at[k]));
	}
}

void parts__init(struct parts *p, struct metric *m)
{
	int nr = metric__nr_exprs(m);

	*p = (struct parts){
		.m = m,
		.exprs = xcalloc(nr, sizeof(*p->exprs)),
		.words = m->nr_ids / WORD_BITS + 1,
	};
	for (int i = 0; i < nr; i++) {
		p->exprs[i].expr = metric__expr(m, i);
		p->exprs[i].names = metric__names(m, i);
	}
	for (int i = 0; i < nr; i++)
		parts__look_at(p, &p->exprs[i]);
}

void parts__free(struct parts *p)
{
	for (int i = 0; p->exprs && i < metric__nr_exprs(p->m); i++)
		free(p->exprs[i].ids);
	free(p->exprs);
	vec__free(&p->todo);
}

int parts__ids(const struct parts *p, struct part part, int *ids)
{
	const uint64_t *used = ids_of(p, find_expr(p, part.expr), part.node);
	int nr = 0;

	for (int i = 0; i < p->words; i++)
		for (uint64_t rest = used[i]; rest; rest &= rest - 1)
			ids[nr++] = i * WORD_BITS + __builtin_ctzll(rest);
	return nr;
}

/* --- The walk -------------------------------------------------------------------------------- */

void parts__begin(struct parts *p, const struct expr *expr)
{
	for (int i = 0; i < metric__nr_exprs(p->m); i++)
		p->exprs[i].seen = false;
	p->todo.nr = 0;
	vec__push(&p->todo, part__root(expr));
}

bool parts__next(struct parts *p, struct part *out)
{
	if (!p->todo.nr)
		return false;
	*out = p->todo.at[--p->todo.nr];
	return true;
}

/* The last operand is pushed first, so that the first operand is visited first. */
void parts__descend(struct parts *p, struct part part)
{
	const struct expr_node *node = &part.expr->at[part.node];
	int ref = ref_of(p, part);

	for (int i = expr__operands(node) - 1; i >= 0; i--)
		if (is_looked_at(node, i))
			vec__push(&p->todo, ((struct part){ part.expr, node->at[i] }));
	if (ref < 0 || p->exprs[ref].seen)
		return;
	p->exprs[ref].seen = true;
	vec__push(&p->todo, part__root(p->m->refs[ref].value));
}
