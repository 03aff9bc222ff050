// SPDX-License-Identifier: GPL-2.0-only
/*
 * Replace the literals, constants and metric names in an expression by their values on this
 * machine.
 */
#include "metrics/expand.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/vec.h"
#include "base/xalloc.h"
#include "metrics/expr_op.h"
#include "metrics/ids.h"
#include "metrics/literal.h"
#include "metrics/metrics.h"

/**
 * struct expander - the state of expanding one expression
 * @metric: for each metric of the tables, its state: 0 if not met yet, UNDERWAY, or FIRST plus the
 *          number of the node that it was expanded to
 * @depth:  number of metrics that are being expanded
 */
struct expander {
	const struct metrics_scope *scope;
	const char *pmu;
	struct literals literals;
	struct expr *out;
	int *metric, depth;
	struct err *err;
};

enum { UNDERWAY = 1, FIRST = 2 };

/* Add a node, which takes over @node.id. Return: its number. */
static int expand__add(struct expander *x, struct expr_node node)
{
	vec__push(x->out, node);
	return x->out->nr - 1;
}

static int expand__add_number(struct expander *x, double number)
{
	return expand__add(x, (struct expr_node){ .op = EXPR_NUMBER, .number = number });
}

static int add_copy(struct expander *x, const struct expr_node *node)
{
	struct expr_node copy = *node;

	copy.id = xstrdup(node->id);
	return expand__add(x, copy);
}

static int expand(struct expander *x, const struct expr *e);

/* Expand a name to the formula of the metric that it names, or to the name itself. */
static int expand_id(struct expander *x, const struct expr_node *node)
{
	int number = x->pmu ? tables__find_metric(x->scope->tables, x->pmu, node->id) : -1;
	struct metric_info info;
	struct expr *e;
	int rc;

	if (number < 0)
		return add_copy(x, node);
	if (x->metric[number] >= FIRST)
		return x->metric[number] - FIRST;
	tables__metric(x->scope->tables, number, &info);
	if (x->metric[number] == UNDERWAY)
		return err__set(x->err, ELOOP, "metric %s refers to itself", info.name);
	if (x->depth == RESOLVE_MAX_DEPTH)
		return err__set(x->err, E2BIG, "more than %d metrics refer to each other, up to %s",
				RESOLVE_MAX_DEPTH, info.name);
	rc = expr__parse(info.name, info.expr, &e, x->err);
	if (rc)
		return rc;
	x->metric[number] = UNDERWAY;
	x->depth++;
	rc = expand(x, e);
	x->depth--;
	expr__free(e);
	if (rc >= 0)
		x->metric[number] = rc + FIRST;
	return rc;
}

static double constant(const struct expander *x, int node)
{
	const struct expr_node *n = &x->out->at[node];

	return n->op == EXPR_NUMBER ? n->number : NAN;
}

static int add_operator(struct expander *x, enum expr_op op, const int *at)
{
	double a = constant(x, at[0]), b = constant(x, at[1]), value;
	struct expr_node node = { .op = op };

	if (op == EXPR_IF && isfinite(b))
		return b != 0 ? at[0] : at[2];
	if (expr_op__decides(op, a) || expr_op__decides(op, b))
		return expand__add_number(x, op == EXPR_OR);
	if (op == EXPR_NEG && isfinite(a))
		return expand__add_number(x, -a);
	if (op != EXPR_IF && op != EXPR_NEG && isfinite(a) && isfinite(b)) {
		value = expr_op__apply(op, a, b, 0);
		if (isfinite(value))
			return expand__add_number(x, value);
	}
	if ((op == EXPR_MUL || op == EXPR_DIV) && b == 1)
		return at[0];
	if (op == EXPR_MUL && a == 1)
		return at[1];
	memcpy(node.at, at, sizeof(node.at));
	return expand__add(x, node);
}

/* Return: the number of the root node, or -errno. */
static int expand(struct expander *x, const struct expr *e)
{
	int *became = xcalloc(e->nr, sizeof(*became)), rc = 0;

	for (int i = 0; i < e->nr && rc >= 0; i++) {
		const struct expr_node *n = &e->at[i];
		int at[3] = { became[n->at[0]], became[n->at[1]], became[n->at[2]] };
		double value = n->op == EXPR_LITERAL
				       ? literal__of_pmu(&x->literals, x->scope, n->literal, x->pmu)
				       : ids__leaf_value(x->scope, &x->literals, n);

		if (expr_op__is_operator(n->op))
			rc = add_operator(x, n->op, at);
		else if (n->op == EXPR_ID)
			rc = expand_id(x, n);
		else if (isfinite(value))
			rc = expand__add_number(x, value);
		else
			rc = add_copy(x, n);
		became[i] = rc;
	}
	free(became);
	return rc;
}

/* Remove nodes that are not used any more. The root becomes the last node. */
static void sweep(struct expr *e, int root)
{
	int *number = xcalloc(e->nr, sizeof(*number)), nr = 0;

	number[root] = 1;
	for (int i = root; i >= 0; i--)
		for (int k = 0; number[i] && k < expr__operands(&e->at[i]); k++)
			number[e->at[i].at[k]] = 1;
	for (int i = 0; i < e->nr; i++) {
		struct expr_node node = e->at[i];

		if (!number[i]) {
			free(node.id);
			continue;
		}
		for (int k = 0; k < 3; k++)
			node.at[k] = k < expr__operands(&node) ? number[node.at[k]] : 0;
		number[i] = nr;
		e->at[nr++] = node;
	}
	e->nr = nr;
	free(number);
}

int expr__expand(const struct metrics_scope *scope, const char *pmu, const struct expr *e,
		 struct expr **out, struct err *err)
{
	struct expander x = {
		.scope = scope,
		.pmu = scope->tables ? pmu : NULL,
		.out = expr__new(),
		.err = err,
	};
	int rc;

	if (x.pmu)
		x.metric = xcalloc(tables__nr_metrics(scope->tables) + 1, sizeof(*x.metric));
	rc = expand(&x, e);
	free(x.metric);
	if (rc < 0) {
		expr__free(x.out);
		return rc;
	}
	sweep(x.out, rc);
	*out = x.out;
	return 0;
}
