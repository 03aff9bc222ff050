// SPDX-License-Identifier: GPL-2.0-only
#include "lint/graph.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/strmap.h"
#include "base/xalloc.h"
#include "metrics/literal.h"

#define MAX_TERMS 32 /* limit of terms in sums that are compared */

void graph__init(struct graph *g)
{
	*g = (struct graph){ .index = strmap__new() };
}

void graph__free(struct graph *g)
{
	vec__free(&g->nodes);
	strmap__free(g->index);
}

/*
 * List the terms of a sum. Return: number of terms; 0 if there are too many, or a term may be
 * negative.
 */
static int terms_of(const struct graph *g, int sum, int *terms)
{
	int todo[MAX_TERMS] = { sum }, nr_todo = 1, nr = 0;

	while (nr_todo) {
		const struct graph_node *node = &g->nodes.at[todo[--nr_todo]];

		if (node->op != EXPR_ADD) {
			if (nr == MAX_TERMS || node->range.lo < 0)
				return 0;
			terms[nr++] = todo[nr_todo];
			continue;
		}
		if (nr_todo + 2 > MAX_TERMS)
			return 0;
		todo[nr_todo++] = node->at[0];
		todo[nr_todo++] = node->at[1];
	}
	return nr;
}

/* Tell whether @whole has all terms of @part, so that the quotient is at most 1. */
static bool is_share(const struct graph *g, int part, int whole)
{
	int some[MAX_TERMS], all[MAX_TERMS];
	int nr_some = terms_of(g, part, some), nr_all = terms_of(g, whole, all);

	for (int i = 0; i < nr_some; i++) {
		int j = 0;

		while (j < nr_all && all[j] != some[i])
			j++;
		if (j == nr_all)
			return false;
		all[j] = -1;
	}
	return nr_some;
}

static struct range range_of(const struct graph *g, const struct graph_node *node)
{
	const struct range share = range__between(0, 1);
	struct range r = range__between(0, INFINITY);
	const struct range *at[3];

	switch (node->op) {
	case EXPR_NUMBER:
		return range__of(node->number);
	case EXPR_LITERAL:
		literal__bounds(node->at[0], &r.lo, &r.hi);
		r.nan = true;
		return r;
	case EXPR_ID:
	case EXPR_SOURCE_COUNT:
		return r;
	case EXPR_HAS_EVENT:
	case EXPR_STRCMP_CPUID:
		r = range__between(0, 1);
		r.nan = true;
		return r;
	default:
		break;
	}
	for (int i = 0; i < 3; i++)
		at[i] = &g->nodes.at[node->at[i]].range;
	r = range__apply(node->op, at[0], at[1], at[2]);
	if ((node->op == EXPR_DIV || node->op == EXPR_D_RATIO) &&
	    is_share(g, node->at[0], node->at[1]))
		range__meet(&r, &share);
	return r;
}

static int graph__add_node(struct graph *g, struct graph_node node)
{
	char key[128];
	int i;

	snprintf(key, sizeof(key), "%d %d %d %d %a", node.op, node.at[0], node.at[1], node.at[2],
		 node.number);
	i = strmap__get(g->index, key);
	if (i >= 0)
		return i;
	node.range = range_of(g, &node);
	strmap__put(g->index, key, g->nodes.nr);
	vec__push(&g->nodes, node);
	return g->nodes.nr - 1;
}

/* Give a number to the text of a name; the same text always has the same number. */
static int intern(struct graph *g, const char *id)
{
	char *key = xasprintf("'%s", id);
	int i = strmap__add(g->index, key, strmap__nr(g->index));

	free(key);
	return i;
}

static int add_operator(struct graph *g, const struct expr_node *from, const int *places)
{
	struct graph_node node = { .op = from->op };

	for (int i = 0; i < expr__operands(from); i++)
		node.at[i] = places[from->at[i]];
	/* Give equivalent operators the same form. */
	if (from->op == EXPR_GREATER ||
	    ((from->op == EXPR_ADD || from->op == EXPR_MUL) && node.at[0] > node.at[1])) {
		int first = node.at[0];

		node.at[0] = node.at[1];
		node.at[1] = first;
	}
	if (from->op == EXPR_GREATER)
		node.op = EXPR_LESS;
	return graph__add_node(g, node);
}

static int add_leaf(struct graph *g, const struct expr_node *from,
		    int (*replace)(void *arg, const char *id), void *arg)
{
	struct graph_node node = { .op = from->op };
	int known = -1;

	switch (from->op) {
	case EXPR_NUMBER:
		node.number = from->number;
		break;
	case EXPR_LITERAL:
		node.at[0] = from->literal;
		break;
	default:
		if (from->op == EXPR_ID && replace)
			known = replace(arg, from->id);
		if (known >= 0)
			return known;
		node.at[0] = intern(g, from->id);
	}
	return graph__add_node(g, node);
}

int graph__add(struct graph *g, const struct expr *e, int (*replace)(void *arg, const char *id),
	       void *arg, int *places)
{
	for (int i = 0; i < e->nr; i++)
		places[i] = expr__operands(&e->at[i]) ?
				    add_operator(g, &e->at[i], places) :
				    add_leaf(g, &e->at[i], replace, arg);
	return places[e->nr - 1];
}
