// SPDX-License-Identifier: GPL-2.0-only
/* Thresholds whose outcome is known before anything is counted, and divisions by 0. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/num.h"
#include "lint/internal.h"

/* Whose names are being replaced by what they stand for. */
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

static int add_formula(struct model_check *c, const struct checked *m, const struct formula *f,
		       int **places)
{
	struct referrer from = { c, m->pmu };

	*places = malloc(f->expr->nr * sizeof(**places));
	return *places ? graph__add(&c->graph, f->expr, node_of, &from, *places) : -ENOMEM;
}

static bool is_zero(const struct range *r)
{
	return r->lo == 0 && r->hi == 0;
}

/* Whatever is counted, such a value is missing. */
static void check_divisions(struct model_check *c, const struct checked *m,
			    const struct formula *f, const int *places)
{
	struct place at = check__place(c, m->entry, f->field);

	at.text = f->text;
	for (int i = 0; i < f->expr->nr; i++) {
		const struct expr_node *node = &f->expr->at[i];

		if ((node->op != EXPR_DIV && node->op != EXPR_MOD) ||
		    !is_zero(&c->graph.nodes.at[places[node->at[1]]].range))
			continue;
		at.column = node->column;
		lint__add(c->lint, &at, LINT_DIVISION, "metric %s: what it divides by is always 0",
			  m->name);
	}
}

static void say(struct model_check *c, const struct checked *m, const int *places,
		const struct threshold_place *found)
{
	const struct formula *f = &m->threshold;
	bool never = found->verdict == THRESHOLD_NEVER;
	bool part = f->expr->at[f->expr->nr - 1].op == EXPR_OR;
	struct place at = check__place(c, m->entry, f->field);
	struct sb why = SB_INIT;

	at.text = f->text;
	at.column = f->expr->at[found->node].column;
	threshold__explain(&c->solver, f->expr, places, f->text, found, &why);
	c->lint->failed |= why.err;
	lint__add(c->lint, &at, never ? LINT_NEVER : LINT_ALWAYS, "%sthreshold of metric %s %s: %s",
		  !never ? "a condition in the " :
		  part	 ? "an alternative in the " :
			   "",
		  m->name, never ? "never holds" : "always holds", sb__str(&why));
	sb__free(&why);
}

static int judge(struct model_check *c, const struct checked *m)
{
	struct threshold_place found;
	int *places;
	int rc = add_formula(c, m, &m->threshold, &places);

	if (rc >= 0)
		rc = threshold__judge(&c->solver, m->threshold.expr, places, &found);
	if (rc >= 0)
		check_divisions(c, m, &m->threshold, places);
	if (rc >= 0 && found.verdict)
		say(c, m, places, &found);
	free(places);
	return rc < 0 ? rc : 0;
}

/* A metric whose value is a fraction, and is multiplied by 100 only when it is printed. */
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
	unit = pool__str(&c->tree->pool, m->entry->event.text[TEXT_SCALE_UNIT]);
	len = num__scan_double(unit, &scale);
	return len && scale == 100 && !strcmp(unit + len, "%") ? m : NULL;
}

/* "tma_x > 20" where 0.2 is meant; @of and @limit are the operands of a comparison. */
static void check_percentage(struct model_check *c, const struct checked *m, int of, int limit)
{
	const struct formula *f = &m->threshold;
	const struct checked *metric = percentage(c, f, of);
	struct place at = check__place(c, m->entry, f->field);

	if (!metric || f->expr->at[limit].op != EXPR_NUMBER || f->expr->at[limit].number <= 1)
		return;
	at.text = f->text;
	at.column = f->expr->at[limit].column;
	lint__add(
		c->lint, &at, LINT_PERCENT,
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

int check__thresholds(struct model_check *c)
{
	int rc = 0;

	for (int i = 0; rc >= 0 && i < c->order.nr; i++) {
		struct checked *m = &c->metrics[c->order.at[i]];
		int *places;

		if (!m->value.expr || m->cyclic)
			continue;
		rc = add_formula(c, m, &m->value, &places);
		m->node = rc;
		if (rc >= 0)
			check_divisions(c, m, &m->value, places);
		free(places);
	}
	for (int i = 0; rc >= 0 && i < c->model->metrics.nr; i++) {
		if (!c->metrics[i].threshold.expr)
			continue;
		rc = judge(c, &c->metrics[i]);
		check_percentages(c, &c->metrics[i]);
	}
	return rc < 0 ? rc : 0;
}
