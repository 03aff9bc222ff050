// SPDX-License-Identifier: GPL-2.0-only
/* What it takes to measure a metric, and to find where in a program it comes from. */
#include <string.h>

#include "base/err.h"
#include "base/sb.h"
#include "explain.h"
#include "machine/machine.h"
#include "plan/counters.h"
#include "plan/fit.h"
#include "plan/load.h"
#include "plan/plan.h"
#include "retire_latency.h"

/* --- Sampling -------------------------------------------------------------------------------- */

static void put_sampling(struct explain *x, const struct metric_info *info)
{
	struct sb *sb = output__scratch(&x->out);
	struct sb events = SB_INIT;

	metrics__sampling(x->host.tables, info, sb, &events);
	explain__text(x, "sample with", "SampleWith", sb__str(sb));
	if (events.len) {
		sb = output__scratch(&x->out);
		sb__printf(sb, "perf record%s -- COMMAND", sb__str(&events));
		explain__text(x, "", "SampleCommand", sb__str(sb));
	}
	sb__free(&events);
}

/* --- Counters -------------------------------------------------------------------------------- */

/* What a TopDown metric event needs of counters. */
#define TOPDOWN "no counter of its own, read with slots"

void explain__counters(const struct event_info *info, struct sb *out)
{
	struct fit_event need = fit__event(info);
	size_t before = out->len;

	fit__print_counters(info->counter_mask, " or ", out);
	if (out->len == before)
		sb__puts(out, need.topdown ? TOPDOWN : info->counter);
	if (info->taken_alone)
		sb__printf(out, "%sone such event in a group", out->len > before ? ", " : "");
}

static bool is_further_instance(const struct event *e)
{
	return e->merge && e->first && e->first != e;
}

/* "uncore_imc (8 units)"; nothing for the core's PMU, which a metric is of anyway. */
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

/* @info: of the tables, or NULL; @measured: a latency can be sampled. */
static void print_counters(const struct event_info *info, bool latency, bool measured,
			   struct sb *out)
{
	if (latency)
		retire_latency__print_need(info, measured, out);
	else if (info)
		explain__counters(info, out);
}

static void put_event(struct explain *x, const struct event_list *list, const struct event *e,
		      int group)
{
	struct sb *sb = output__scratch(&x->out);
	struct event_info info;
	bool known = counters__event_info(x->host.tables, e, &info);

	explain__item(x);
	if (group)
		sb__printf(sb, "%d", group);
	explain__part(x, "Group", "group %: ", sb__str(sb));
	explain__part(x, "EventName", "%", e->name);
	sb = output__scratch(&x->out);
	print_units(list, e, sb);
	explain__part(x, "Unit", " on %", sb__str(sb));
	sb = output__scratch(&x->out);
	print_counters(known ? &info : NULL, e->retire_latency,
		       e->pmu && pmu__samples_latencies(e->pmu), sb);
	if (!e->retire_latency && !known && e->topdown)
		sb__puts(sb, e->topdown_code == EVENT_TOPDOWN_SLOTS ? "leads the TopDown metric events" :
						       TOPDOWN);
	explain__part(x, "Counters", ": %", sb__str(sb));
	explain__end_item(x);
}

static bool leads_group(const struct event *e)
{
	return e->leader == e && e->nr_members > 1 && !is_further_instance(e);
}

/* Why groups cannot be counted together: the kernel will refuse them, and tma take them apart. */
static void put_misfits(struct explain *x, const struct event_list *list)
{
	struct sb *why = output__scratch(&x->out);

	for (int i = 0; i < list->nr && !why->len; i++)
		if (leads_group(list->at[i]))
			load__explain_group(x->host.tables, list, list->at[i], why);
	explain__text(x, "do not fit", "DoNotFit", sb__str(why));
}

static void put_events(struct explain *x, const struct event_list *list,
		       const struct metric *metric)
{
	const char *constrained = metric ? metric->constrained : NULL;
	struct sb *remark = output__scratch(&x->out);
	int groups = 0, events = 0, number = 0;

	for (int i = 0; i < list->nr; i++) {
		events += !is_further_instance(list->at[i]);
		groups += leads_group(list->at[i]);
	}
	sb__printf(remark, "%d", events);
	if (groups)
		sb__printf(remark, ", in %d group%s", groups, groups > 1 ? "s" : "");
	if (constrained)
		sb__printf(remark, ", not grouped: %s", constrained);
	explain__number(x, "CounterGroups", groups);
	explain__text(x, NULL, "NotGrouped", constrained ? constrained : "");
	explain__list(x, "events", "Events", sb__str(remark));
	for (int i = 0; i < list->nr; i++) {
		if (is_further_instance(list->at[i]))
			continue;
		number += leads_group(list->at[i]);
		put_event(x, list, list->at[i],
			  groups > 1 && list->at[i]->leader->nr_members > 1 ? number : 0);
	}
	explain__end_list(x);
	put_misfits(x, list);
}

static void put_id(struct explain *x, const struct events_scope *events, const char *id)
{
	struct sb *sb = output__scratch(&x->out);
	struct event_list found = EVENT_LIST_INIT;
	struct event_info info;
	bool known;

	events__parse_id(events, id, NULL, &found, NULL);
	known = found.nr && counters__event_info(x->host.tables, found.at[0], &info);
	explain__item(x);
	for (const char *at = id; *at; at++)
		sb__putc(sb, *at == '@' ? '/' : *at);
	explain__part(x, "EventName", "%", sb__str(sb));
	sb = output__scratch(&x->out);
	print_counters(known ? &info : NULL, found.nr && found.at[0]->retire_latency, false, sb);
	explain__part(x, "Counters", ": %", sb__str(sb));
	explain__end_item(x);
	event_list__free(&found);
}

/* Without the PMUs of that CPU: what the tables say of the events. */
static void put_ids(struct explain *x, const struct metrics_scope *scope,
		    const struct metric_info *info)
{
	const struct events_scope events = {
		.machine = scope->machine,
		.tables = scope->tables,
		.by_name = true,
	};
	struct metric_list list = METRIC_LIST_INIT;
	struct sb *remark = output__scratch(&x->out);

	if (metrics__select(scope, info->name, false, &list, NULL) || !list.nr)
		return;
	sb__printf(remark, "%d", list.at[0]->nr_ids);
	explain__list(x, "events", "Events", sb__str(remark));
	for (int i = 0; i < list.at[0]->nr_ids; i++)
		put_id(x, &events, list.at[0]->ids[i]);
	explain__end_list(x);
	metric_list__free(&list);
}

static bool counts_tasks(const struct event_list *list)
{
	for (int i = 0; i < list->nr; i++)
		if (list->at[i]->requires_cpu)
			return false;
	return true;
}

void explain__needs(struct explain *x, const struct metric_info *info)
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
		put_events(x, &plan->events, plan->owned.nr ? plan->owned.at[0] : NULL);
	}
	put_sampling(x, info);
	if (!rc)
		explain__measure(x, !counts_tasks(&plan->events), "-M", "", info->name);
	plan__free(plan);
}
