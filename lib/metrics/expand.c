// SPDX-License-Identifier: GPL-2.0-only
/* What an expression comes to on this machine. */
#include "metrics/expand.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/vec.h"
#include "metrics/expr.h"
#include "metrics/ids.h"
#include "metrics/metrics.h"
#include "metrics/print.h"
#include "metrics/resolve.h"

/**
 * struct expander
 * @metric: for each metric of the tables what it has become: 0 nothing yet, UNDERWAY, else the
 *          number of a node, plus FIRST
 * @depth:  how many are under way
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

static int out_of_memory(struct err *err)
{
	return err__set(err, ENOMEM, "out of memory expanding an expression");
}

/* Return: the number of the new node or -errno. It takes over @node.id. */
static int add(struct expander *x, struct expr_node node)
{
	if (vec__push(x->out, node)) {
		free(node.id);
		return out_of_memory(x->err);
	}
	return x->out->nr - 1;
}

static int add_number(struct expander *x, double number)
{
	return add(x, (struct expr_node){ .op = EXPR_NUMBER, .number = number });
}

static int add_copy(struct expander *x, const struct expr_node *node)
{
	struct expr_node copy = *node;

	if (node->id) {
		copy.id = strdup(node->id);
		if (!copy.id)
			return out_of_memory(x->err);
	}
	return add(x, copy);
}

static int expand(struct expander *x, const struct expr *e);

/* A name: the formula of the metric it is of, or itself. */
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

/* A value that is known before anything is counted, or NaN. */
static double leaf_value(struct expander *x, const struct expr_node *node)
{
	switch (node->op) {
	case EXPR_NUMBER:
		return node->number;
	case EXPR_LITERAL:
		return literal__value(&x->literals, x->scope, node->literal);
	case EXPR_HAS_EVENT:
		if (!x->scope->has_event)
			return NAN;
		return x->scope->has_event(x->scope->arg, node->id);
	case EXPR_STRCMP_CPUID:
		return ids__cpuid_matches(x->scope, node->id);
	default:
		return NAN;
	}
}

static double constant(const struct expander *x, int node)
{
	const struct expr_node *n = &x->out->at[node];

	return n->op == EXPR_NUMBER ? n->number : NAN;
}

/* A side which decides alone what & and | give. Return: whether there is one. */
static bool decided(const struct expander *x, enum expr_op op, const int *at, double *value)
{
	*value = op == EXPR_OR;
	for (int i = 0; i < 2; i++) {
		double side = constant(x, at[i]);

		if (isfinite(side) && (side != 0) == (op == EXPR_OR))
			return true;
	}
	return false;
}

static int add_operator(struct expander *x, enum expr_op op, const int *at)
{
	double a = constant(x, at[0]), b = constant(x, at[1]), value;
	struct expr_node node = { .op = op };

	if (op == EXPR_IF && isfinite(b))
		return b != 0 ? at[0] : at[2];
	if ((op == EXPR_AND || op == EXPR_OR) && decided(x, op, at, &value))
		return add_number(x, value);
	if (op == EXPR_NEG && isfinite(a))
		return add_number(x, -a);
	if (op != EXPR_IF && op != EXPR_NEG && isfinite(a) && isfinite(b)) {
		value = expr_op__apply(op, a, b, 0);
		if (isfinite(value))
			return add_number(x, value);
	}
	if ((op == EXPR_MUL || op == EXPR_DIV) && b == 1)
		return at[0];
	if (op == EXPR_MUL && a == 1)
		return at[1];
	memcpy(node.at, at, sizeof(node.at));
	return add(x, node);
}

/* Return: the number of the node that stands for the whole, or -errno. */
static int expand(struct expander *x, const struct expr *e)
{
	int *became = calloc(e->nr, sizeof(*became)), rc = 0;

	if (!became)
		return out_of_memory(x->err);
	for (int i = 0; i < e->nr && rc >= 0; i++) {
		const struct expr_node *n = &e->at[i];
		int at[3] = { became[n->at[0]], became[n->at[1]], became[n->at[2]] };
		double value = leaf_value(x, n);

		if (expr_op__is_operator(n->op))
			rc = add_operator(x, n->op, at);
		else if (n->op == EXPR_ID)
			rc = expand_id(x, n);
		else if (isfinite(value))
			rc = add_number(x, value);
		else
			rc = add_copy(x, n);
		became[i] = rc;
	}
	free(became);
	return rc;
}

/* Take out what no longer belongs to the whole, whose node becomes the last. */
static int sweep(struct expr *e, int root)
{
	int *number = calloc(e->nr, sizeof(*number)), nr = 0;

	if (!number)
		return -ENOMEM;
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
	return 0;
}

int expr__expand(const struct metrics_scope *scope, const char *pmu, const struct expr *e,
		 struct expr **out, struct err *err)
{
	struct expander x = { .scope = scope, .pmu = scope->tables ? pmu : NULL, .err = err };
	int rc;

	x.out = calloc(1, sizeof(*x.out));
	if (x.pmu)
		x.metric = calloc(tables__nr_metrics(scope->tables) + 1, sizeof(*x.metric));
	if (!x.out || (x.pmu && !x.metric)) {
		rc = out_of_memory(err);
		goto out;
	}
	x.out->users = 1;
	rc = expand(&x, e);
	if (rc >= 0)
		rc = sweep(x.out, rc) ? out_of_memory(err) : 0;
out:
	free(x.metric);
	if (rc)
		expr__free(x.out);
	else
		*out = x.out;
	return rc;
}
