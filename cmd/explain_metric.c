// SPDX-License-Identifier: GPL-2.0-only
/* What a metric and a metric group mean. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/err.h"
#include "base/sb.h"
#include "base/text.h"
#include "base/xalloc.h"
#include "explain.h"
#include "metrics/expand.h"
#include "metrics/expr.h"
#include "metrics/literal.h"
#include "metrics/print.h"
#include "metrics/metrics.h"

#define EXPANDED_MAX 1200	/* columns of a formula that a person reads in one piece */
#define EXPANDED_MAX_JSON 65536 /* that a program does */

/* --- The formula ------------------------------------------------------------------------------ */

static void put_formula(struct explain *x, const char *title, const char *key, const struct expr *e)
{
	struct sb *sb = output__scratch(&x->out);

	expr__print_lines(e, 0, explain__width(x), sb);
	explain__lines(x, title, key, sb__str(sb));
}

/* "#smt_on is 1, #num_packages is 2" */
static void put_constants(struct explain *x, const struct expr *e)
{
	struct literals literals = { .known = 0 };
	struct sb *sb = output__scratch(&x->out);
	unsigned int done = 0;

	for (int i = 0; i < e->nr; i++) {
		int literal = e->at[i].literal;
		double value;

		if (e->at[i].op != EXPR_LITERAL || done & 1u << literal)
			continue;
		done |= 1u << literal;
		value = literal__value(&literals, &x->metrics, literal);
		sb__printf(sb, "%s#%s is ", sb->len ? ", " : "", literal__name(literal));
		if (isfinite(value))
			expr__print_number(value, sb);
		else
			sb__puts(sb, "unknown");
	}
	explain__text(x, "constants", "Constants", sb__str(sb));
}

/* Metrics by their numbers in the tables; @seen: whether one was listed already, by its number. */
struct parts {
	VEC(int) list;
	bool *seen;
};

/* Metrics an expression names, each once, behind those that are there. */
static void add_parts(struct explain *x, const struct metric_info *info, const struct expr *e,
		      struct parts *parts)
{
	for (int i = 0; i < e->nr; i++) {
		int number = -1;

		if (e->at[i].op == EXPR_ID)
			number = tables__find_metric(x->host.tables, info->pmu, e->at[i].id);
		if (number < 0 || parts->seen[number])
			continue;
		parts->seen[number] = true;
		vec__push(&parts->list, number);
	}
}

/* "NAME = FORMULA", with constants in their places. @here: set to the formula. */
static int put_part(struct explain *x, int number, struct expr **here, struct err *err)
{
	struct sb *sb = output__scratch(&x->out);
	struct metric_info part;
	struct expr *own;
	int rc;

	tables__metric(x->host.tables, number, &part);
	rc = expr__parse(part.name, part.expr, &own, err);
	if (rc)
		return rc;
	rc = expr__expand(&x->metrics, NULL, own, here, err);
	if (!rc) {
		expr__print(*here, sb);
		explain__item(x);
		explain__part(x, "Name", "% = ", part.name);
		explain__part(x, "Formula", "%", sb__str(sb));
		explain__end_item(x);
	}
	expr__free(own);
	return rc;
}

/* The formulas of the metrics that a metric refers to, in turn. */
static int put_parts(struct explain *x, const struct metric_info *info, const struct expr *e,
		     struct err *err)
{
	struct parts parts = { .seen = xcalloc(tables__nr_metrics(x->host.tables), sizeof(bool)) };
	int rc = 0;

	add_parts(x, info, e, &parts);
	explain__list(x, "made of", "Formulas", "these metrics, as they are here");
	for (int i = 0; i < parts.list.nr && !rc; i++) {
		struct expr *here = NULL;

		rc = put_part(x, parts.list.at[i], &here, err);
		if (!rc)
			add_parts(x, info, here, &parts);
		expr__free(here);
	}
	explain__end_list(x);
	vec__free(&parts.list);
	free(parts.seen);
	return rc;
}

static int put_expansion(struct explain *x, const struct metric_info *info, const struct expr *e,
			 struct err *err)
{
	int max = x->json ? EXPANDED_MAX_JSON : EXPANDED_MAX, width = expr__width(e), rc;
	struct expr *whole = NULL, *here = NULL;

	rc = expr__expand(&x->metrics, info->pmu, e, &whole, err);
	rc = rc ?: expr__expand(&x->metrics, NULL, e, &here, err);
	if (!rc && expr__width(whole) <= max) {
		if (x->json || expr__width(whole) != width)
			put_formula(x, "that is, here", "Expanded", whole);
	} else if (!rc) {
		if (expr__width(here) != width)
			put_formula(x, "that is, here", "Expanded", here);
		rc = put_parts(x, info, here, err);
	}
	expr__free(whole);
	expr__free(here);
	return rc;
}

static void put_threshold(struct explain *x, const struct metric_info *info)
{
	struct sb *words = output__scratch(&x->out);
	struct expr *e;

	if (!*info->threshold)
		return;
	explain__text(x, NULL, "MetricThreshold", info->threshold);
	if (expr__parse(info->name, info->threshold, &e, NULL)) {
		explain__text(x, "worth a look", "Threshold", info->threshold);
		return;
	}
	sb__puts(words, "when ");
	if (metrics__phrase(x->host.tables, info, e, words))
		expr__print(e, words);
	explain__text(x, "worth a look", "Threshold", sb__str(words));
	expr__free(e);
}

/* --- Where it stands ------------------------------------------------------------------------- */

static void put_relations(struct explain *x, const struct metric_info *info)
{
	static const struct {
		const char *title, *key;
	} shown[METRIC_NR_RELATIONS] = {
		[METRIC_PARENT] = { "parents", "Parents" },
		[METRIC_CHILD] = { "children", "Children" },
		[METRIC_SIBLING] = { "siblings", "Siblings" },
		[METRIC_RELATED] = { "same issue", "Related" },
	};
	struct metric_info other;

	for (int relation = 0; relation < METRIC_NR_RELATIONS; relation++) {
		struct names names = { .at = NULL };

		for (int i = 0; i < tables__nr_metrics(x->host.tables); i++) {
			tables__metric(x->host.tables, i, &other);
			if (metrics__related(info, relation, &other))
				vec__push(&names, other.name);
		}
		explain__names(x, shown[relation].title, shown[relation].key, &names);
		vec__free(&names);
	}
}

static void put_groups(struct explain *x, const struct metric_info *info)
{
	char *copy = xstrdup(info->groups), *rest = copy, *group;
	struct names names = { .at = NULL };

	while ((group = strsep(&rest, ";"))) {
		group = text__trim(group);
		if (*group)
			vec__push(&names, group);
	}
	explain__names(x, "groups", "MetricGroups", &names);
	vec__free(&names);
	free(copy);
}

/* The formula and all that follows from it. */
static void put_formulas(struct explain *x, const struct metric_info *info)
{
	struct err err = ERR_INIT;
	struct expr *e = NULL;
	int rc = expr__parse(info->name, info->expr, &e, &err);

	if (!rc) {
		if (x->json)
			explain__text(x, NULL, "MetricExpr", info->expr);
		else
			put_formula(x, "formula", "MetricExpr", e);
		put_constants(x, e);
		rc = put_expansion(x, info, e, &err);
	}
	if (rc)
		explain__lines(x, "fault", "Fault", err.msg);
	expr__free(e);
}

static void explain_metric(struct explain *x, int number)
{
	struct metric_info info;

	tables__metric(x->host.tables, number, &info);
	explain__begin(x, "metric", info.name, host__pmu_name(&x->host, info.pmu));
	explain__desc(x, *info.long_desc ? info.long_desc : info.desc);
	explain__origin(x, info.layer);
	explain__unit(x, info.scale_unit, info.scale, info.unit, "the formula's value");
	put_groups(x, &info);
	put_threshold(x, &info);
	put_formulas(x, &info);
	put_relations(x, &info);
	explain__needs(x, &info);
	explain__end(x);
}

/* --- Groups ---------------------------------------------------------------------------------- */

static bool is_wanted(const struct explain *x, const struct metric_info *info)
{
	return !x->cputype || !strcmp(info->pmu, x->cputype) || !strcmp(info->pmu, "default_core");
}

static void put_member(struct explain *x, const struct metric_info *info)
{
	explain__item(x);
	explain__part(x, "Name", "%", info->name);
	explain__part(x, "Unit", strcmp(info->pmu, "default_core") ? " (%)" : NULL,
		      host__pmu_name(&x->host, info->pmu));
	explain__part(x, "Description", ": %", info->desc);
	explain__end_item(x);
}

static void explain_group(struct explain *x, const char *group)
{
	int nr = tables__nr_metrics(x->host.tables), members = 0;
	struct sb *remark = output__scratch(&x->out);
	struct metric_info info;

	explain__begin(x, "metric group", group, "");
	explain__desc(x, tables__group_desc(x->host.tables, group));
	for (int i = 0; i < nr; i++) {
		tables__metric(x->host.tables, i, &info);
		members += is_wanted(x, &info) && text__has_item(info.groups, ";", group);
	}
	sb__printf(remark, "%d", members);
	explain__list(x, "metrics", "Metrics", sb__str(remark));
	for (int i = 0; i < nr; i++) {
		tables__metric(x->host.tables, i, &info);
		if (is_wanted(x, &info) && text__has_item(info.groups, ";", group))
			put_member(x, &info);
	}
	explain__end_list(x);
	explain__measure(x, false, "-M", "", group);
	explain__end(x);
}

void explain__metrics(struct explain *x)
{
	const struct tables *tables = x->host.tables;
	struct metric_info info;

	/* Of core types the table has cpu_atom first, which is the machine's second. */
	for (int i = tables ? tables__nr_metrics(tables) - 1 : -1; i >= 0; i--) {
		tables__metric(tables, i, &info);
		if (!strcasecmp(info.name, x->name) && is_wanted(x, &info))
			explain_metric(x, i);
	}
	for (int i = 0; tables && i < tables__nr_groups(tables); i++)
		if (!strcasecmp(tables__group(tables, i), x->name))
			explain_group(x, tables__group(tables, i));
}
