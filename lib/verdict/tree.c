// SPDX-License-Identifier: GPL-2.0-only
/*
 * Walk through a TopDown tree. Values have errors, so a threshold over ranges has three answers:
 * yes, no, or either. A metric that was not measured may have any value.
 */
#include "verdict/tree.h"

#include <math.h>
#include <strings.h>

#include "base/xalloc.h"
#include "metrics/expr_op.h"
#include "metrics/range.h"

/* The answer of a threshold over ranges. */
enum answer { ANSWER_NO, ANSWER_YES, ANSWER_EITHER };

void verdict_tree__init(struct verdict_tree *t, struct arena *memory)
{
	int most = 1;

	for (int i = 0; i < t->nr; i++)
		if (t->nodes[i].threshold && t->nodes[i].threshold->nr > most)
			most = t->nodes[i].threshold->nr;
	t->ranges = arena__calloc(memory, most, sizeof(*t->ranges));
}

static bool is_measured(const struct verdict_node *n)
{
	return isfinite(n->value);
}

static struct range anything(void)
{
	return range__between(-INFINITY, INFINITY);
}

static struct range range_of(const struct verdict_node *n, bool with_error)
{
	double error = !with_error ? 0 : n->error < n->resolution ? n->resolution : n->error;

	if (!is_measured(n) || isnan(error))
		return anything();
	return range__between(n->value - error, n->value + error);
}

static const struct verdict_node *verdict_tree__find(const struct verdict_tree *t, const char *name)
{
	for (int i = 0; i < t->nr; i++)
		if (!strcasecmp(t->nodes[i].name, name))
			return &t->nodes[i];
	return NULL;
}

static struct range operand(const struct verdict_tree *t, const struct expr_node *n,
			    bool with_errors)
{
	const struct verdict_node *metric = n->op == EXPR_ID ? verdict_tree__find(t, n->id) : NULL;

	if (n->op == EXPR_NUMBER)
		return range__of(n->number);
	return metric ? range_of(metric, with_errors) : anything();
}

static enum answer evaluate(const struct verdict_tree *t, const struct expr *e, bool with_errors)
{
	struct range *ranges = t->ranges, *root = &ranges[e->nr - 1];

	for (int i = 0; i < e->nr; i++) {
		const struct expr_node *n = &e->at[i];

		ranges[i] = expr_op__is_operator(n->op) ?
				    range__apply(n->op, &ranges[n->at[0]], &ranges[n->at[1]],
						 &ranges[n->at[2]]) :
				    operand(t, n, with_errors);
		/* An undefined quotient may have any value. */
		if (ranges[i].nan)
			ranges[i] = anything();
	}
	if (!range__has(root, 0))
		return ANSWER_YES;
	return root->lo == 0 && root->hi == 0 ? ANSWER_NO : ANSWER_EITHER;
}

static void judge_threshold(const struct verdict_tree *t, struct verdict_node *n)
{
	enum answer at_value = evaluate(t, n->threshold, false);
	enum answer in_range = evaluate(t, n->threshold, true);

	n->over = at_value == ANSWER_YES;
	if (in_range != ANSWER_EITHER)
		n->state = in_range == ANSWER_YES ? VERDICT_OVER : VERDICT_UNDER;
	else
		n->state = at_value == ANSWER_EITHER ? VERDICT_OPEN : VERDICT_UNCERTAIN;
}

static bool are_rivals(const struct verdict_node *a, const struct verdict_node *b)
{
	return a != b && a->parent == b->parent && a->level == b->level && !b->useful;
}

/* Judge a metric without a threshold by whether it is above all siblings that are losses. */
static void judge_share(const struct verdict_tree *t, struct verdict_node *n)
{
	struct range mine = range_of(n, true);

	n->state = n->useful ? VERDICT_UNDER : VERDICT_OVER;
	n->over = !n->useful;
	for (int i = 0; i < t->nr && !n->useful; i++) {
		const struct verdict_node *other = &t->nodes[i];
		struct range theirs = range_of(other, true);

		if (!are_rivals(n, other))
			continue;
		if (is_measured(other) && (other->value > n->value ||
					   (other->value == n->value && other < n)))
			n->over = false;
		if (theirs.lo > mine.hi)
			n->state = VERDICT_UNDER;
		else if (theirs.hi >= mine.lo && n->state != VERDICT_UNDER)
			n->state = VERDICT_UNCERTAIN;
	}
}

void verdict_tree__judge(struct verdict_tree *t)
{
	for (int i = 0; i < t->nr; i++) {
		struct verdict_node *n = &t->nodes[i];

		n->state = VERDICT_NOT_MEASURED;
		n->over = false;
		if (is_measured(n) && n->threshold)
			judge_threshold(t, n);
		else if (is_measured(n))
			judge_share(t, n);
	}
}

/* Whether bottleneck @a is preferred to @b, or @b is NULL. */
static bool comes_before(const struct verdict_node *a, const struct verdict_node *b)
{
	if (!b || a->useful != b->useful)
		return !b || b->useful;
	return a->value > b->value;
}

int verdict_tree__next(const struct verdict_tree *t, int parent, bool certain)
{
	const struct verdict_node *best = NULL;

	for (int i = 0; i < t->nr; i++) {
		const struct verdict_node *n = &t->nodes[i];

		if (n->parent == parent &&
		    (certain ? n->state >= VERDICT_UNCERTAIN : n->over) && comes_before(n, best))
			best = n;
	}
	return best && (!certain || best->state == VERDICT_OVER) ? best - t->nodes : -1;
}

bool verdict_tree__has_parts(const struct verdict_tree *t, int parent)
{
	for (int i = 0; i < t->nr; i++)
		if (t->nodes[i].parent == parent && is_measured(&t->nodes[i]))
			return true;
	return false;
}
