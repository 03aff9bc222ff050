// SPDX-License-Identifier: GPL-2.0-only
/* Print thresholds as sentences. */
#include "metrics/print.h"

#include <errno.h>
#include <math.h>
#include <strings.h>

#include "base/sb.h"
#include "base/vec.h"
#include "metrics/expr.h"
#include "metrics/metrics.h"

#define FINEST 1e9 /* steps of a unit to which limits are rounded */

struct phrase {
	const struct tables *tables;
	const struct metric_info *metric;
	const struct expr *e;
	struct sb *out;
};

/* The operands of a chain of "and" or "or", in the order of the text. */
struct operands {
	int *at;
	int nr, cap;
};

static int phrase_node(struct phrase *p, int node, enum expr_op outer);

/* List the operands of a chain: the operands of "a & (b & c)" are a, b, c. */
static void flatten(const struct expr *e, int root, struct operands *operands)
{
	const enum expr_op op = e->at[root].op;
	struct operands pending = { .at = NULL };

	vec__push(&pending, root);
	while (pending.nr) {
		int node = pending.at[--pending.nr];

		if (e->at[node].op == op) {
			vec__push(&pending, e->at[node].at[1]);
			vec__push(&pending, e->at[node].at[0]);
		} else {
			vec__push(operands, node);
		}
	}
	vec__free(&pending);
}

/* Find the metric that a node names. Return: whether it names one. */
static bool named(const struct phrase *p, int node, struct metric_info *info)
{
	const struct expr_node *n = &p->e->at[node];
	int number;

	if (n->op != EXPR_ID)
		return false;
	if (!strcasecmp(n->id, p->metric->name)) {
		*info = *p->metric;
		return true;
	}
	number = p->tables ? tables__find_metric(p->tables, p->metric->pmu, n->id) : -1;
	if (number >= 0)
		tables__metric(p->tables, number, info);
	return number >= 0;
}

static void phrase__put_part(struct phrase *p, int node)
{
	/* The nodes up to @node contain all operands below @node, which comes last. */
	struct expr part = { .at = p->e->at, .nr = node + 1 };

	expr__print(&part, p->out);
}

static void put_subject(struct phrase *p, int node, bool is_metric, const struct metric_info *info)
{
	if (!is_metric)
		phrase__put_part(p, node);
	else if (!strcasecmp(info->name, p->metric->name))
		sb__puts(p->out, "it");
	else if (metrics__related(p->metric, METRIC_PARENT, info))
		sb__printf(p->out, "its parent %s", info->name);
	else
		sb__puts(p->out, info->name);
}

/* Append a limit in the form in which the metric's value is printed, such as "10 %". */
static void put_limit(struct phrase *p, double number, bool is_metric,
		      const struct metric_info *info)
{
	if (!is_metric || !info->scale_unit) {
		expr__print_number(number, p->out);
		return;
	}
	/*
	 * 0.07 * 100 is not exactly 7 in binary, so the limit is rounded as a person would write
	 * it.
	 */
	expr__print_number(round(number * info->scale * FINEST) / FINEST, p->out);
	if (*info->unit)
		sb__printf(p->out, " %s", info->unit);
}

static void phrase_comparison(struct phrase *p, const struct expr_node *n)
{
	bool greater = n->op == EXPR_GREATER, is_metric;
	int subject = n->at[0], limit = n->at[1];
	struct metric_info info;

	/* In "0.1 < x" the subject is the right operand. */
	if (p->e->at[subject].op == EXPR_NUMBER) {
		subject = n->at[1];
		limit = n->at[0];
		greater = !greater;
	}
	is_metric = named(p, subject, &info);
	put_subject(p, subject, is_metric, &info);
	sb__printf(p->out, " is %s ", greater ? "above" : "below");
	if (p->e->at[limit].op == EXPR_NUMBER)
		put_limit(p, p->e->at[limit].number, is_metric, &info);
	else
		phrase__put_part(p, limit);
}

static int phrase_list(struct phrase *p, int node, enum expr_op outer)
{
	const enum expr_op op = p->e->at[node].op;
	/*
	 * Without the word "either", an "or" inside an "and" would be read as if it were outside.
	 */
	bool either = op == EXPR_OR && outer == EXPR_AND;
	struct operands operands = { .at = NULL };
	int rc = 0;

	flatten(p->e, node, &operands);
	if (either)
		sb__puts(p->out, "either ");
	for (int i = 0; i < operands.nr && !rc; i++) {
		if (i && op == EXPR_OR)
			sb__puts(p->out, either ? " or " : ", or ");
		else if (i)
			sb__puts(p->out, i == operands.nr - 1 ? " and " : ", ");
		rc = phrase_node(p, operands.at[i], op);
	}
	vec__free(&operands);
	return rc;
}

static int phrase_node(struct phrase *p, int node, enum expr_op outer)
{
	const struct expr_node *n = &p->e->at[node];

	switch (n->op) {
	case EXPR_AND:
	case EXPR_OR:
		return phrase_list(p, node, outer);
	case EXPR_LESS:
	case EXPR_GREATER:
		phrase_comparison(p, n);
		return 0;
	default:
		return -ENOTSUP;
	}
}

int metrics__phrase(const struct tables *tables, const struct metric_info *metric,
		    const struct expr *e, struct sb *out)
{
	struct sb text = SB_INIT;
	struct phrase p = { .tables = tables, .metric = metric, .e = e, .out = &text };
	int rc = phrase_node(&p, e->nr - 1, EXPR_NUMBER);

	if (!rc)
		sb__puts(out, sb__str(&text));
	sb__free(&text);
	return rc;
}
