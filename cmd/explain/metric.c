// SPDX-License-Identifier: GPL-2.0-only
/*
 * Finds out, for "tma explain", what a metric or metric group means and what it needs to be
 * measured.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/auto.h"
#include "base/err.h"
#include "base/sb.h"
#include "base/text.h"
#include "base/xalloc.h"
#include "explain/explain.h"
#include "machine/machine.h"
#include "metrics/expand.h"
#include "metrics/expr.h"
#include "metrics/literal.h"
#include "metrics/metrics.h"
#include "metrics/print.h"
#include "metrics/words.h"
#include "plan/counters.h"
#include "plan/fit.h"
#include "plan/load.h"
#include "plan/plan.h"

#define EXPANDED_MAX 1200	/* for people, longer formulas are shortened */
#define EXPANDED_MAX_JSON 65536 /* and for programs */

/* --- The formula --------------------------------------------------------------------------- */

static void put_formula(struct explain *x, const char *title, const char *key, const struct expr *e)
{
	struct sb *sb = output__scratch(&x->out);

	expr__print_lines(e, 0, explain__width(x), sb);
	explain__lines(x, title, key, sb__str(sb));
}

/* Put the values of the constants in a formula: "#smt_on is 1, #num_packages is 2". */
static void put_constants(struct explain *x, const struct expr *e)
{
	struct literals literals = { .known = 0 };
	struct sb *sb = &x->words;
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
	explain__words(x, "constants", "Constants");
}

/*
 * A list of metrics by their numbers in the tables; @seen marks the metrics that were ever added.
 */
struct part_list {
	VEC(int) list;
	bool *seen;
};

/* Append each metric that an expression names, once. */
static void add_parts(struct explain *x, const struct metric_info *info, const struct expr *e,
		      struct part_list *parts)
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

/* Put "NAME = FORMULA", with constants replaced by their values. @here is set to the formula. */
static int explain_metric__put_part(struct explain *x, int number, struct expr **here,
				    struct err *err)
{
	struct metric_info part;
	struct expr *own;
	int rc;

	tables__metric(x->host.tables, number, &part);
	rc = expr__parse(part.name, part.expr, &own, err);
	if (rc)
		return rc;
	rc = expr__expand(&x->metrics, NULL, own, here, err);
	expr__free(own);
	if (rc)
		return rc;
	explain__item(x);
	explain__part(x, "Name", "% = ", part.name);
	expr__print(*here, &x->words);
	explain__part_words(x, "Formula", "%");
	explain__end_item(x);
	return 0;
}

/* Put the formulas of the metrics that a metric uses, and of the metrics that these use. */
static int put_parts(struct explain *x, const struct metric_info *info, const struct expr *e,
		     struct err *err)
{
	struct part_list parts = {
		.seen = xcalloc(tables__nr_metrics(x->host.tables), sizeof(bool)),
	};
	int rc = 0;

	add_parts(x, info, e, &parts);
	sb__puts(&x->words, "these metrics, as they are here");
	explain__list(x, "made of", "Formulas");
	for (int i = 0; i < parts.list.nr && !rc; i++) {
		struct expr *here = NULL;

		rc = explain_metric__put_part(x, parts.list.at[i], &here, err);
		if (!rc)
			add_parts(x, info, here, &parts);
		expr__free(here);
	}
	explain__end_list(x);
	vec__free(&parts.list);
	free(parts.seen);
	return rc;
}

/* Put why the formula is not the vendor's: it uses plain events, which this machine has. */
static void put_plain(struct explain *x, const struct metric_info *info)
{
	if (info->plain && host__describe_plain(&x->host, &x->words))
		explain__words(x, "plain events", "PlainEvents");
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

/* Put the meaning of a node of the TopDown tree, and what to try against it. */
static void put_meaning(struct explain *x, const struct metric_info *info)
{
	const struct metric_words *w =
		metrics__topdown_level(info) ? metric_words__find(info->name) : NULL;

	if (!w)
		return;
	explain__text(x, "in short", "Plain", w->plain);
	explain__text(x, "meaning", "Meaning", w->means);
	explain__text(x, "try", "Try", w->remedy);
}

static void put_threshold(struct explain *x, const struct metric_info *info)
{
	struct expr *e;

	if (!*info->threshold)
		return;
	explain__text(x, NULL, "MetricThreshold", info->threshold);
	if (expr__parse(info->name, info->threshold, &e, NULL)) {
		explain__text(x, "worth a look", "Threshold", info->threshold);
		return;
	}
	sb__puts(&x->words, "when ");
	if (metrics__phrase(x->host.tables, info, e, &x->words))
		expr__print(e, &x->words);
	explain__words(x, "worth a look", "Threshold");
	expr__free(e);
}

/* --- Related metrics ------------------------------------------------------------------------- */

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
		for (int i = 0; i < tables__nr_metrics(x->host.tables); i++) {
			tables__metric(x->host.tables, i, &other);
			if (metrics__related(info, relation, &other))
				vec__push(&x->names, other.name);
		}
		explain__names(x, shown[relation].title, shown[relation].key);
	}
}

static void put_groups(struct explain *x, const struct metric_info *info)
{
	auto_text copy = xstrdup(info->groups);
	char *rest = copy, *group;

	while ((group = strsep(&rest, ";"))) {
		group = text__trim(group);
		if (*group)
			vec__push(&x->names, group);
	}
	explain__names(x, "groups", "MetricGroups");
}

/* --- Sampling ----------------------------------------------------------------------------- */

static void put_sampling(struct explain *x, const struct metric_info *info)
{
	auto_free(sb) events = SB_INIT;

	metrics__sampling(x->host.tables, x->host.machine, info, &x->words, &events);
	explain__words(x, "sample with", "SampleWith");
	if (events.len)
		sb__printf(&x->words, "perf record%s -- COMMAND", sb__str(&events));
	explain__words(x, "", "SampleCommand");
}

/* --- Counters ----------------------------------------------------------------------------- */

/* The counter of a TopDown metric event. */
#define TOPDOWN "no counter of its own, read with slots"

void explain__counters(const struct event_info *info, struct sb *out)
{
	struct fit_event need = fit__event(info);
	size_t before = out->len;

	fit__print_counters(info->counter_mask, " or ", out);
	if (out->len == before)
		sb__puts(out, topdown__is_metric(need.topdown) ? TOPDOWN : info->counter);
	if (info->taken_alone)
		sb__printf(out, "%sone such event in a group", out->len > before ? ", " : "");
}

/* Put "uncore_imc (8 units)"; nothing for a core PMU, as most metrics belong to one. */
static void print_units(const struct event_list *list, const struct event *e, struct sb *out)
{
	int units = 0;

	if (!e->pmu || e->pmu->is_core)
		return;
	for (int i = 0; i < list->nr; i++)
		units += list->at[i] == e || (e->merge && list->at[i]->first == e);
	sb__printf(out, "%.*s", units > 1 ? pmu__base_len(e->pmu->name) : (int)strlen(e->pmu->name),
		   e->pmu->name);
	if (units > 1)
		sb__printf(out, " (%d units)", units);
}

/*
 * Put the counters of an event, or where its latency comes from
 * @info: the event in the tables, or NULL
 * @measured: the CPU can sample a latency
 */
static void print_counters(const struct event_info *info, bool latency, bool measured,
			   struct sb *out)
{
	if (latency)
		output__latency_need(info, measured, out);
	else if (info)
		explain__counters(info, out);
}

static void explain_metric__put_event(struct explain *x, const struct event_list *list,
				      const struct event *e, int group)
{
	struct sb *words = &x->words;
	struct event_info info;
	bool known = counters__event_info(x->host.tables, e, &info);

	explain__item(x);
	if (group)
		sb__printf(words, "%d", group);
	explain__part_words(x, "Group", "group %: ");
	explain__part(x, "EventName", "%", e->name);
	print_units(list, e, words);
	explain__part_words(x, "Unit", " on %");
	print_counters(known ? &info : NULL, e->retire_latency,
		       e->pmu && pmu__samples_latencies(e->pmu), words);
	if (!e->retire_latency && !known && e->topdown)
		sb__puts(words, topdown__is_metric(e->topdown) ? TOPDOWN
							       : "leads the TopDown metric events");
	explain__part_words(x, "Counters", ": %");
	explain__end_item(x);
}

static bool leads_group(const struct event *e)
{
	return e->leader == e && e->nr_members > 1 && !event__is_further_instance(e);
}

/*
 * Put the events and their groups, and why the metric has no groups, or a group that does not fit.
 */
static void put_events(struct explain *x, const struct event_list *list,
		       const struct plan_metric *pm)
{
	const char *constrained = NULL;
	int groups = 0, events = 0, number = 0;

	for (int i = 0; i < list->nr; i++) {
		events += !event__is_further_instance(list->at[i]);
		groups += leads_group(list->at[i]);
	}
	if (pm && (pm->split || !groups))
		constrained = pm->metric->constrained;
	if (x->json)
		json__int(&x->out.json, "CounterGroups", groups);
	explain__text(x, NULL, "NotGrouped", constrained ? constrained : "");
	sb__printf(&x->words, "%d", events);
	if (groups)
		sb__printf(&x->words, ", in %d group%s", groups, groups > 1 ? "s" : "");
	if (constrained)
		sb__printf(&x->words, ", not grouped: %s", constrained);
	explain__list(x, "events", "Events");
	for (int i = 0; i < list->nr; i++) {
		if (event__is_further_instance(list->at[i]))
			continue;
		number += leads_group(list->at[i]);
		explain_metric__put_event(x, list, list->at[i],
					  groups > 1 && list->at[i]->leader->nr_members > 1 ? number
											    : 0);
	}
	explain__end_list(x);
	/* The kernel will refuse a group that does not fit; tma will then split it. */
	for (int i = 0; i < list->nr && !x->words.len; i++)
		if (leads_group(list->at[i]))
			load__explain_group(x->host.tables, list, list->at[i], &x->words);
	explain__words(x, "do not fit", "DoNotFit");
}

static void put_id(struct explain *x, const struct events_scope *events, const char *id)
{
	auto_free(event_list) found = EVENT_LIST_INIT;
	struct event_info info;
	bool known;

	events__parse_id(events, id, NULL, &found, NULL);
	known = found.nr && counters__event_info(x->host.tables, found.at[0], &info);
	explain__item(x);
	for (const char *at = id; *at; at++)
		sb__putc(&x->words, *at == '@' ? '/' : *at);
	explain__part_words(x, "EventName", "%");
	print_counters(known ? &info : NULL, found.nr && found.at[0]->retire_latency, false,
		       &x->words);
	explain__part_words(x, "Counters", ": %");
	explain__end_item(x);
}

/* Put the events of another CPU's metric as the tables have them: this machine lacks the PMUs. */
static void put_ids(struct explain *x, const struct metrics_scope *scope,
		    const struct metric_info *info)
{
	const struct events_scope events = {
		.machine = scope->machine,
		.tables = scope->tables,
		.by_name = true,
	};
	auto_free(metric_list) list = METRIC_LIST_INIT;

	if (metrics__select(scope, info->name, false, &list, NULL) || !list.nr)
		return;
	sb__printf(&x->words, "%d", list.at[0]->nr_ids);
	explain__list(x, "events", "Events");
	for (int i = 0; i < list.at[0]->nr_ids; i++)
		put_id(x, &events, list.at[0]->ids[i]);
	explain__end_list(x);
}

/* Put the events of a metric, their groups, and the commands that measure it. */
static void put_needs(struct explain *x, const struct metric_info *info)
{
	const struct plan_options opts = { .no_group = false };
	struct metrics_scope scope = x->metrics;
	struct err err = ERR_INIT;
	struct plan *plan;
	int rc;

	scope.pmu = info->pmu;
	plan = plan__new(&scope);
	rc = plan__add_metrics(plan, &scope, &x->events, &opts, info->name, &err);
	if (rc) {
		put_ids(x, &scope, info);
		explain__lines(x, "Not on this machine", "Unavailable", err.msg);
	} else {
		put_events(x, &plan->events, plan->nr_metrics ? &plan->metrics[0] : NULL);
	}
	put_sampling(x, info);
	if (!rc)
		explain__measure(x, vec__find(e, &plan->events, (*e)->requires_cpu), "-M", "",
				 info->name);
	plan__free(plan);
}

/* --- A metric ------------------------------------------------------------------------------ */

/* Put the formula, and facts that follow from it. */
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
		put_plain(x, info);
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
	explain__desc(x, info.desc, info.long_desc, info.goes_on);
	explain__origin(x, info.layer);
	explain__unit(x, info.scale_unit, info.scale, info.unit, "the formula's value");
	sb__puts(&x->words, metrics__share_of(&info) ?: "");
	explain__words(x, "share of", "ShareOf");
	put_meaning(x, &info);
	put_groups(x, &info);
	put_threshold(x, &info);
	put_formulas(x, &info);
	put_relations(x, &info);
	put_needs(x, &info);
	explain__end(x);
}

/* --- Groups ------------------------------------------------------------------------------- */

static bool explain_metric__is_wanted(const struct explain *x, const struct metric_info *info)
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

static void explain_metric__group(struct explain *x, const char *group)
{
	int nr = tables__nr_metrics(x->host.tables), members = 0;
	struct metric_info info;

	explain__begin(x, "metric group", group, "");
	explain__desc(x, tables__group_desc(x->host.tables, group), "", false);
	for (int i = 0; i < nr; i++) {
		tables__metric(x->host.tables, i, &info);
		members += explain_metric__is_wanted(x, &info) &&
			   text__has_item(info.groups, ";", group);
	}
	sb__printf(&x->words, "%d", members);
	explain__list(x, "metrics", "Metrics");
	for (int i = 0; i < nr; i++) {
		tables__metric(x->host.tables, i, &info);
		if (explain_metric__is_wanted(x, &info) && text__has_item(info.groups, ";", group))
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

	/*
	 * The tables begin with the metrics of cpu_atom, which is the second core type: go
	 * backwards.
	 */
	for (int i = tables ? tables__nr_metrics(tables) - 1 : -1; i >= 0; i--) {
		tables__metric(tables, i, &info);
		if (!strcasecmp(info.name, x->name) && explain_metric__is_wanted(x, &info))
			explain_metric(x, i);
	}
	for (int i = 0; tables && i < tables__nr_groups(tables); i++)
		if (!strcasecmp(tables__group(tables, i), x->name))
			explain_metric__group(x, tables__group(tables, i));
}
