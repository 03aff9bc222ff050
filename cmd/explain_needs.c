// SPDX-License-Identifier: GPL-2.0-only
/* What it takes to measure a metric, and to find where in a program it comes from. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/err.h"
#include "base/sb.h"
#include "explain.h"
#include "machine/machine.h"
#include "plan/counters.h"
#include "plan/load.h"
#include "plan/plan.h"
#include "retire_latency.h"

/* --- Sampling -------------------------------------------------------------------------------- */

static void put_sampling(struct explain *x, const struct metric_info *info)
{
	struct sb list = SB_INIT, events = SB_INIT, command = SB_INIT;

	metrics__sampling(x->host.tables, info, &list, &events);
	explain__text(x, "sample with", "SampleWith", sb__str(&list));
	if (events.len) {
		sb__printf(&command, "perf record%s -- COMMAND", sb__str(&events));
		explain__text(x, "", "SampleCommand", sb__str(&command));
	}
	sb__free(&list);
	sb__free(&events);
	sb__free(&command);
}

/* --- Counters -------------------------------------------------------------------------------- */

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

static void put_event(struct explain *x, const struct event_list *list, const struct event *e,
		      int group)
{
	struct sb counters = SB_INIT, units = SB_INIT, number = SB_INIT;
	struct event_info info;
	bool known = counters__event_info(x->host.tables, e, &info);

	if (e->retire_latency)
		retire_latency__print_need(known ? &info : NULL,
					   e->pmu && pmu__samples_latencies(e->pmu), &counters);
	else if (known)
		explain__counters(&info, &counters);
	else if (e->topdown)
		sb__puts(&counters, e->topdown_code == EVENT_TOPDOWN_SLOTS ? "leads the TopDown metric events" :
							      EXPLAIN_TOPDOWN);
	print_units(list, e, &units);
	if (group)
		sb__printf(&number, "%d", group);
	explain__item(x);
	explain__part(x, "Group", "group %: ", sb__str(&number));
	explain__part(x, "EventName", "%", e->name);
	explain__part(x, "Unit", " on %", sb__str(&units));
	explain__part(x, "Counters", ": %", sb__str(&counters));
	explain__end_item(x);
	sb__free(&counters);
	sb__free(&units);
	sb__free(&number);
}

static bool leads_group(const struct event *e)
{
	return e->leader == e && e->nr_members > 1 && !is_further_instance(e);
}

/* Why groups cannot be counted together: the kernel will refuse them, and tma take them apart. */
static void put_misfits(struct explain *x, const struct event_list *list)
{
	struct sb why = SB_INIT;

	for (int i = 0; i < list->nr && !why.len; i++)
		if (leads_group(list->at[i]))
			load__explain_group(x->host.tables, list, list->at[i], &why);
	explain__text(x, "do not fit", "DoNotFit", sb__str(&why));
	sb__free(&why);
}

static void put_events(struct explain *x, const struct event_list *list,
		       const struct metric *metric)
{
	int groups = 0, events = 0, number = 0;
	struct sb remark = SB_INIT;

	for (int i = 0; i < list->nr; i++) {
		events += !is_further_instance(list->at[i]);
		groups += leads_group(list->at[i]);
	}
	sb__printf(&remark, "%d", events);
	if (groups)
		sb__printf(&remark, ", in %d group%s", groups, groups > 1 ? "s" : "");
	if (metric && metric->constrained)
		sb__printf(&remark, ", not grouped: %s", metric->constrained);
	explain__number(x, "CounterGroups", groups);
	if (metric && metric->constrained && x->json)
		explain__text(x, "", "NotGrouped", metric->constrained);
	explain__list(x, "events", "Events", sb__str(&remark));
	for (int i = 0; i < list->nr; i++) {
		if (is_further_instance(list->at[i]))
			continue;
		number += leads_group(list->at[i]);
		put_event(x, list, list->at[i],
			  groups > 1 && list->at[i]->leader->nr_members > 1 ? number : 0);
	}
	explain__end_list(x);
	put_misfits(x, list);
	sb__free(&remark);
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
	struct sb remark = SB_INIT;
	const struct metric *m;

	if (metrics__select(scope, info->name, false, &list, NULL) || !list.nr)
		return;
	m = list.at[0];
	sb__printf(&remark, "%d", m->nr_ids);
	explain__list(x, "events", "Events", sb__str(&remark));
	for (int i = 0; i < m->nr_ids; i++) {
		struct sb counters = SB_INIT, name = SB_INIT;
		struct event_list found = EVENT_LIST_INIT;
		struct event_info event;
		bool known;

		events__parse_id(&events, m->ids[i], NULL, &found, NULL);
		known = found.nr && counters__event_info(x->host.tables, found.at[0], &event);
		for (const char *at = m->ids[i]; *at; at++)
			sb__putc(&name, *at == '@' ? '/' : *at);
		if (found.nr && found.at[0]->retire_latency)
			retire_latency__print_need(known ? &event : NULL, false, &counters);
		else if (known)
			explain__counters(&event, &counters);
		explain__item(x);
		explain__part(x, "EventName", "%", sb__str(&name));
		explain__part(x, "Counters", ": %", sb__str(&counters));
		explain__end_item(x);
		event_list__free(&found);
		sb__free(&counters);
		sb__free(&name);
	}
	explain__end_list(x);
	sb__free(&remark);
	metric_list__free(&list);
}

static bool counts_tasks(const struct event_list *list)
{
	for (int i = 0; i < list->nr; i++)
		if (list->at[i]->requires_cpu)
			return false;
	return true;
}

static void put_measure(struct explain *x, const struct metric_info *info, bool tasks)
{
	struct sb sb = SB_INIT;

	sb__printf(&sb, tasks ? "tma stat -M %s -- COMMAND" : "tma stat -a -M %s -I 1000",
		   info->name);
	explain__text(x, "measure", "Measure", sb__str(&sb));
	sb__free(&sb);
}

int explain__needs(struct explain *x, const struct metric_info *info)
{
	const struct plan_options opts = { .no_group = false };
	struct metrics_scope scope = x->metrics;
	struct err err = ERR_INIT;
	struct plan *plan;
	int rc;

	scope.pmu = info->pmu;
	plan = plan__new(&scope);
	if (!plan)
		return -ENOMEM;
	rc = plan__add_metrics(plan, &scope, &x->events, &opts, info->name, &err);
	if (rc && rc != -ENOMEM) {
		put_ids(x, &scope, info);
		explain__lines(x, "Not on this machine", "Unavailable", err.msg);
	}
	if (!rc)
		put_events(x, &plan->events, plan->owned.nr ? plan->owned.at[0] : NULL);
	if (rc != -ENOMEM) {
		put_sampling(x, info);
		if (!rc)
			put_measure(x, info, counts_tasks(&plan->events));
	}
	plan__free(plan);
	return rc == -ENOMEM ? rc : 0;
}
