// SPDX-License-Identifier: GPL-2.0-only
/* Find thresholds whose outcome does not depend on any counts, and divisions by 0. */
#include <string.h>

#include "base/num.h"
#include "lint/internal.h"

/* The metric whose formulas are added; nodes replace the names of metrics in these formulas. */
struct referrer {
	struct model_check *check;
	const char *pmu;
};

static int node_of(void *arg, const char *id)
{
	const struct referrer *from = arg;
	int metric = names__metric(&from->check->names, from->pmu, id);

	return metric < 0 ? -1 : from->check->metrics[metric].node;
}

/*
 * Add a formula to the graph. Return: for each node of the formula, its node in the graph; the last
 * one is the value.
 */
static int *add_formula(struct model_check *c, const struct checked *m, const struct formula *f)
{
	struct referrer from = { c, m->pmu };
	int *places = arena__calloc(&c->memory, f->expr->nr, sizeof(*places));

	graph__add(&c->graph, f->expr, node_of, &from, places);
	return places;
}

static bool check_thresholds__is_zero(const struct range *r)
{
	return r->lo == 0 && r->hi == 0;
}

/* Report divisions by a divisor that is 0 whatever is counted. */
static void check_divisions(struct model_check *c, const struct checked *m,
			    const struct formula *f, const int *places)
{
	for (int i = 0; i < f->expr->nr; i++) {
		const struct expr_node *node = &f->expr->at[i];

		if ((node->op != EXPR_DIV && node->op != EXPR_MOD) ||
		    !check_thresholds__is_zero(&c->graph.nodes.at[places[node->at[1]]].range))
			continue;
		lint__add(c->lint, check__place_in(c, m, f, i), LINT_DIVISION,
			  "metric %s: its divisor is always 0", m->name);
	}
}

static void add_outcome(struct model_check *c, const struct checked *m, const int *places,
		const struct threshold_place *found)
{
	const struct formula *f = &m->threshold;
	bool never = found->verdict == THRESHOLD_NEVER;
	bool part = f->expr->at[f->expr->nr - 1].op == EXPR_OR;
	struct sb why = SB_INIT;

	threshold__explain(&c->solver, f->expr, places, f->text, found, &why);
	lint__add(c->lint, check__place_in(c, m, f, found->node), never ? LINT_NEVER : LINT_ALWAYS,
		  "%sthreshold of metric %s %s: %s",
		  !never ? "a condition in the " :
		  part	 ? "an alternative in the " :
			   "",
		  m->name, never ? "never holds" : "always holds", sb__str(&why));
	sb__free(&why);
}

static void check_thresholds__judge(struct model_check *c, const struct checked *m)
{
	int *places = add_formula(c, m, &m->threshold);
	struct threshold_place found;

	threshold__judge(&c->solver, m->threshold.expr, places, &found);
	check_divisions(c, m, &m->threshold, places);
	if (found.verdict)
		add_outcome(c, m, places, &found);
}

/*
 * Find the metric of a node, if the metric is a fraction that is printed as a percentage; else
 * NULL.
 */
static const struct checked *percentage(const struct model_check *c, const struct formula *f,
					int node)
{
	const struct checked *m;
	const char *unit;
	double scale;
	int len;

	if (f->expr->at[node].op != EXPR_ID || f->refs[node] < 0)
		return NULL;
	m = &c->metrics[f->refs[node]];
	unit = tree__text(c->tree, m->entry, TEXT_SCALE_UNIT);
	len = num__scan_double(unit, &scale);
	return len && scale == 100 && !strcmp(unit + len, "%") ? m : NULL;
}

/* Report "tma_x > 20" where 0.2 is meant. @of and @limit are the operands of the comparison. */
static void check_percentage(struct model_check *c, const struct checked *m, int of, int limit)
{
	const struct formula *f = &m->threshold;
	const struct checked *metric = percentage(c, f, of);

	if (!metric || f->expr->at[limit].op != EXPR_NUMBER || f->expr->at[limit].number <= 1)
		return;
	lint__add(c->lint, check__place_in(c, m, f, limit), LINT_PERCENT,
		  "threshold of metric %s: %s is a fraction here, and is multiplied by 100 only when "
		  "it is shown",
		  m->name, metric->name);
}

static void check_percentages(struct model_check *c, const struct checked *m)
{
	for (int i = 0; i < m->threshold.expr->nr; i++) {
		const struct expr_node *node = &m->threshold.expr->at[i];

		if (node->op != EXPR_LESS && node->op != EXPR_GREATER)
			continue;
		check_percentage(c, m, node->at[0], node->at[1]);
		check_percentage(c, m, node->at[1], node->at[0]);
	}
}

void check__thresholds(struct model_check *c)
{
	for (int i = 0; i < c->order.nr; i++) {
		struct checked *m = &c->metrics[c->order.at[i]];
		int *places;

		if (!m->value.expr || m->cyclic)
			continue;
		places = add_formula(c, m, &m->value);
		m->node = places[m->value.expr->nr - 1];
		check_divisions(c, m, &m->value, places);
	}
	for (int i = 0; i < c->model->metrics.nr; i++) {
		if (!c->metrics[i].threshold.expr)
			continue;
		check_thresholds__judge(c, &c->metrics[i]);
		check_percentages(c, &c->metrics[i]);
	}
}
