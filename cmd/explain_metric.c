// SPDX-License-Identifier: GPL-2.0-only
/* What a metric and a metric group mean. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/err.h"
#include "base/sb.h"
#include "base/text.h"
#include "explain.h"
#include "machine/machine.h"
#include "metrics/expand.h"
#include "metrics/expr.h"
#include "metrics/literal.h"
#include "metrics/phrase.h"
#include "metrics/print.h"
#include "metrics/relations.h"

#define EXPANDED_MAX 1200	/* columns of a formula that a person reads in one piece */
#define EXPANDED_MAX_JSON 65536 /* that a program does */

/* --- The formula ------------------------------------------------------------------------------ */

static void put_formula(struct explain *x, const char *title, const char *key, const struct expr *e)
{
	struct sb sb = SB_INIT;

	expr__print_lines(e, 0, explain__width(x), &sb);
	explain__lines(x, title, key, sb__str(&sb));
	sb__free(&sb);
}

/* "#smt_on is 1, #num_packages is 2" */
static void put_constants(struct explain *x, const struct expr *e)
{
	struct literals literals = { .known = 0 };
	struct sb sb = SB_INIT;
	unsigned int done = 0;

	for (int i = 0; i < e->nr; i++) {
		int literal = e->at[i].literal;
		double value;

		if (e->at[i].op != EXPR_LITERAL || done & 1u << literal)
			continue;
		done |= 1u << literal;
		value = literal__value(&literals, &x->metrics, literal);
		sb__printf(&sb, "%s#%s is ", sb.len ? ", " : "", literal__name(literal));
		if (isfinite(value))
			expr__print_number(value, &sb);
		else
			sb__puts(&sb, "unknown");
	}
	explain__text(x, "constants", "Constants", sb__str(&sb));
	sb__free(&sb);
}

/* Metrics by their numbers in the tables; @seen: whether one was listed already, by its number. */
struct parts {
	VEC(int) list;
	bool *seen;
};

/* Metrics an expression names, each once, behind those that are there. */
static int add_parts(struct explain *x, const struct metric_info *info, const struct expr *e,
		     struct parts *parts)
{
	int number, rc = 0;

	for (int i = 0; i < e->nr && !rc; i++) {
		if (e->at[i].op != EXPR_ID)
			continue;
		number = tables__find_metric(x->host.tables, info->pmu, e->at[i].id);
		if (number < 0 || parts->seen[number])
			continue;
		parts->seen[number] = true;
		rc = vec__push(&parts->list, number);
	}
	return rc;
}

/* The formulas of the metrics that a metric refers to, in turn. */
static int put_parts(struct explain *x, const struct metric_info *info, const struct expr *e,
		     struct err *err)
{
	struct parts parts = { .seen = calloc(tables__nr_metrics(x->host.tables), sizeof(bool)) };
	struct metric_info part;
	int rc = parts.seen ? add_parts(x, info, e, &parts) : -ENOMEM;

	explain__list(x, "made of", "Formulas", "these metrics, as they are here");
	for (int i = 0; i < parts.list.nr && !rc; i++) {
		struct expr *own = NULL, *here = NULL;
		struct sb sb = SB_INIT;

		tables__metric(x->host.tables, parts.list.at[i], &part);
		rc = expr__parse(part.name, part.expr, &own, err);
		rc = rc ?: expr__expand(&x->metrics, NULL, own, &here, err);
		if (!rc) {
			explain__item(x);
			explain__part(x, "Name", "% = ", part.name);
			expr__print(here, &sb);
			explain__part(x, "Formula", "%", sb__str(&sb));
			explain__end_item(x);
			rc = add_parts(x, info, here, &parts);
		}
		expr__free(own);
		expr__free(here);
		sb__free(&sb);
	}
	explain__end_list(x);
	vec__free(&parts.list);
	free(parts.seen);
	return rc;
}

static int put_expansion(struct explain *x, const struct metric_info *info, const struct expr *e,
			 struct err *err)
{
	int max = x->json ? EXPANDED_MAX_JSON : EXPANDED_MAX, width, rc;
	struct expr *whole = NULL, *here = NULL;

	rc = expr__expand(&x->metrics, info->pmu, e, &whole, err);
	rc = rc ?: expr__expand(&x->metrics, NULL, e, &here, err);
	if (rc)
		goto out;
	width = expr__width(whole);
	if (width < 0) {
		rc = width;
	} else if (width <= max) {
		if (x->json || width != expr__width(e))
			put_formula(x, "that is, here", "Expanded", whole);
	} else {
		if (expr__width(here) != expr__width(e))
			put_formula(x, "that is, here", "Expanded", here);
		rc = put_parts(x, info, here, err);
	}
out:
	expr__free(whole);
	expr__free(here);
	return rc;
}

static void put_threshold(struct explain *x, const struct metric_info *info)
{
	struct sb words = SB_INIT;
	struct expr *e;

	if (!*info->threshold)
		return;
	if (x->json)
		explain__text(x, "", "MetricThreshold", info->threshold);
	if (expr__parse(info->name, info->threshold, &e, NULL)) {
		explain__text(x, "worth a look", "Threshold", info->threshold);
		return;
	}
	sb__puts(&words, "when ");
	if (metrics__phrase(x->host.tables, info, e, &words))
		expr__print(e, &words);
	explain__text(x, "worth a look", "Threshold", sb__str(&words));
	expr__free(e);
	sb__free(&words);
}

/* --- Where it stands ------------------------------------------------------------------------- */

static int put_relations(struct explain *x, const struct metric_info *info)
{
	static const struct {
		const char *title, *key;
	} shown[METRIC_NR_RELATIONS] = {
		[METRIC_PARENT] = { "parents", "Parents" },
		[METRIC_CHILD] = { "children", "Children" },
		[METRIC_SIBLING] = { "siblings", "Siblings" },
		[METRIC_RELATED] = { "same issue", "Related" },
	};
	int nr = tables__nr_metrics(x->host.tables), rc = 0;
	struct metric_info other;

	for (int relation = 0; relation < METRIC_NR_RELATIONS && !rc; relation++) {
		struct names names = { .at = NULL };

		for (int i = 0; i < nr && !rc; i++) {
			tables__metric(x->host.tables, i, &other);
			if (metrics__related(info, relation, &other))
				rc = vec__push(&names, other.name);
		}
		if (!rc)
			explain__names(x, shown[relation].title, shown[relation].key, &names);
		vec__free(&names);
	}
	return rc;
}

/* Return: 0 or -ENOMEM. */
static int put_groups(struct explain *x, const struct metric_info *info)
{
	char *copy = strdup(info->groups), *rest = copy, *group;
	struct names names = { .at = NULL };
	int rc = copy ? 0 : -ENOMEM;

	while (!rc && (group = strsep(&rest, ";"))) {
		group = text__trim(group);
		if (*group)
			rc = vec__push(&names, group);
	}
	if (!rc)
		explain__names(x, "groups", "MetricGroups", &names);
	vec__free(&names);
	free(copy);
	return rc;
}

static void put_unit(struct explain *x, const struct metric_info *info)
{
	struct sb sb = SB_INIT;

	if (x->json && info->scale_unit) {
		expr__print_number(info->scale, &sb);
		sb__puts(&sb, info->unit);
	} else if (info->scale_unit && info->scale != 1) {
		sb__printf(&sb, "%s%sthe formula's value times ", info->unit,
			   *info->unit ? ": " : "");
		expr__print_number(info->scale, &sb);
	} else {
		sb__puts(&sb, info->unit);
	}
	explain__text(x, "unit", "ScaleUnit", sb__str(&sb));
	sb__free(&sb);
}

/* The formula and all that follows from it. Return: 0 or -ENOMEM. */
static int put_formulas(struct explain *x, const struct metric_info *info)
{
	struct err err = ERR_INIT;
	struct expr *e;
	int rc = expr__parse(info->name, info->expr, &e, &err);

	if (!rc) {
		if (x->json)
			explain__text(x, "", "MetricExpr", info->expr);
		else
			put_formula(x, "formula", "MetricExpr", e);
		put_constants(x, e);
		rc = put_expansion(x, info, e, &err);
		expr__free(e);
	}
	if (rc && rc != -ENOMEM)
		explain__lines(x, "fault", "Fault", err.msg);
	return rc == -ENOMEM ? rc : 0;
}

static int explain_metric(struct explain *x, int number)
{
	struct metric_info info;
	int rc;

	tables__metric(x->host.tables, number, &info);
	explain__begin(x, "metric", info.name, host__pmu_name(&x->host, info.pmu));
	explain__desc(x, *info.long_desc ? info.long_desc : info.desc);
	explain__origin(x, tables__metric_layer(x->host.tables, number));
	put_unit(x, &info);
	rc = put_groups(x, &info);
	put_threshold(x, &info);
	rc = rc ?: put_formulas(x, &info);
	rc = rc ?: put_relations(x, &info);
	rc = rc ?: explain__needs(x, &info);
	explain__end(x);
	return rc;
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
	struct metric_info info;
	struct sb remark = SB_INIT;

	explain__begin(x, "metric group", group, "");
	explain__desc(x, tables__group_desc(x->host.tables, group));
	for (int i = 0; i < nr; i++) {
		tables__metric(x->host.tables, i, &info);
		members += is_wanted(x, &info) && text__has_item(info.groups, ";", group);
	}
	sb__printf(&remark, "%d", members);
	explain__list(x, "metrics", "Metrics", sb__str(&remark));
	for (int i = 0; i < nr; i++) {
		tables__metric(x->host.tables, i, &info);
		if (is_wanted(x, &info) && text__has_item(info.groups, ";", group))
			put_member(x, &info);
	}
	explain__end_list(x);
	sb__clear(&remark);
	sb__printf(&remark, "tma stat -M %s -- COMMAND", group);
	explain__text(x, "measure", "Measure", sb__str(&remark));
	explain__end(x);
	sb__free(&remark);
}

int explain__metrics(struct explain *x, const char *name)
{
	int nr = x->host.tables ? tables__nr_metrics(x->host.tables) : 0, before = x->found, rc = 0;
	struct metric_info info;

	/* Of core types the table has cpu_atom first, which is the machine's second. */
	for (int i = nr - 1; i >= 0 && !rc; i--) {
		tables__metric(x->host.tables, i, &info);
		if (!strcasecmp(info.name, name) && is_wanted(x, &info))
			rc = explain_metric(x, i);
	}
	for (int i = 0; nr && i < tables__nr_groups(x->host.tables) && !rc; i++)
		if (!strcasecmp(tables__group(x->host.tables, i), name))
			explain_group(x, tables__group(x->host.tables, i));
	return rc ?: x->found - before;
}
