// SPDX-License-Identifier: GPL-2.0-only
/* The plan: user's events and metrics' groups in one list, metrics tied to their events. */
#include "plan/plan.h"

#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/sb.h"
#include "base/vec.h"
#include "base/xalloc.h"
#include "metrics/idset.h"
#include "plan/grouping.h"

#define DEFAULT_GROUP "Default"

struct plan *plan__new(const struct metrics_scope *scope)
{
	struct plan *p = xcalloc(1, sizeof(*p));

	p->scope = scope;
	p->program = program__new(scope);
	return p;
}

static void plan_metric__exit(struct plan_metric *pm)
{
	free(pm->events);
	free(pm->parts);
	free(pm->name);
}

void plan__free(struct plan *p)
{
	if (!p)
		return;
	for (int i = 0; i < p->nr_metrics; i++)
		plan_metric__exit(&p->metrics[i]);
	free(p->metrics);
	program__free(p->program);
	event_list__free(&p->events);
	metric_list__free(&p->owned);
	sb__free(&p->warnings);
	free(p);
}

int plan__add_events(struct plan *p, const struct events_scope *scope, const char *text,
		     struct err *err)
{
	return events__parse(scope, text, &p->events, err);
}

void plan__join_events(struct plan *p, const struct events_scope *scope)
{
	events__join_topdown(scope, &p->events);
}

/* The first event of the list that the metric uses; for a metric that uses none, the first. */
static struct event *shown_at(const struct grouping *g, const struct want *w)
{
	for (int i = 0; i < w->list->nr; i++) {
		struct event *e = w->list->at[i];

		if (e->id && idset__has(w->metric->id_set, e->id) &&
		    grouping__serves(g, e, w->metric))
			return e;
	}
	return w->list->nr ? w->list->at[0] : NULL;
}

/* The first of its events in the list; for a metric without, the first of all. */
static struct event *first_of(const struct want *w)
{
	for (int i = 0; i < w->list->nr; i++)
		for (int j = 0; j < w->metric->nr_ids * (1 + w->nr_parts); j++)
			if (w->events[j] == w->list->at[i])
				return w->events[j];
	return w->list->nr ? w->list->at[0] : NULL;
}

void plan__take_metric(struct plan *p, struct plan_metric pm)
{
	struct sb name = SB_INIT;

	sb__puts(&name, pm.metric->info.name);
	if (pm.metric->modifier)
		sb__printf(&name, ":%s", pm.metric->modifier);
	pm.name = sb__detach(&name);
	p->metrics = xreallocarray(p->metrics, p->nr_metrics + 1, sizeof(*p->metrics));
	p->metrics[p->nr_metrics++] = pm;
}

static void tie(struct plan *p, const struct grouping *g, struct want *w)
{
	struct metric *m = w->metric;
	struct event *shown = w->events ? first_of(w) : shown_at(g, w);

	if (!w->events) {
		w->events = xcalloc(m->nr_ids + 1, sizeof(*w->events));
		for (int i = 0; i < m->nr_ids; i++)
			w->events[i] = grouping__find(g, w->list, 0, w->list->nr, m, m->ids[i]);
	}
	plan__take_metric(p, (struct plan_metric){
		.metric = m,
		.value = -1,
		.threshold = -1,
		.is_default = g->is_default,
		.split = w->split,
		.shown_at = shown,
		.events = w->events,
		.parts = w->parts,
		.nr_parts = w->nr_parts,
	});
}

static void take_list(struct plan *p, const struct grouping *g, struct event_list *list)
{
	for (int i = 0; i < list->nr; i++) {
		list->at[i]->from_metric = true;
		list->at[i]->default_group = g->opts->default_run;
	}
	event_list__splice(&p->events, list);
}

static void take_events(struct plan *p, struct grouping *g)
{
	take_list(p, g, &g->ungrouped);
	take_list(p, g, &g->packed);
	for (int i = 0; i < g->want.nr; i++)
		take_list(p, g, &g->want.at[i].own);
}

/* What the user can do something about: the other constraints are the hardware's. */
static void warn_of_watchdog(const struct grouping *g)
{
	const char *separator = "Not grouping the events of ";
	bool any = false;

	for (int i = 0; i < g->want.nr; i++) {
		const struct metric *m = g->want.at[i].metric;

		if (!m->constrained || (m->info.constraint != METRIC_NO_GROUP_EVENTS_NMI &&
					m->info.constraint != METRIC_NO_THRESHOLD_NMI))
			continue;
		sb__printf(g->warnings, "%s%s", separator, m->info.name);
		separator = ", ";
		any = true;
	}
	if (any)
		sb__puts(g->warnings, ": the NMI watchdog holds a counter. To free it for a while:\n"
				      "    echo 0 > /proc/sys/kernel/nmi_watchdog\n");
}

/* Nothing is counted, so nobody will print the warnings: the error has the reason of each. */
static int none_left(struct grouping *g, struct err *err)
{
	const char *line = sb__str(g->warnings);

	if (g->nr_dropped > 1)
		err__append(&g->failure, "\nNone of the %d metrics asked for can be.",
			    g->nr_dropped);
	while (g->nr_dropped > 1 && *line) {
		int len = strcspn(line, "\n");

		if (strlen(g->failure.msg) + len + 8 > sizeof(g->failure.msg)) {
			err__append(&g->failure, "\n...");
			break;
		}
		err__append(&g->failure, "\n%.*s", len, line);
		line += len + !!line[len];
	}
	if (err)
		*err = g->failure;
	return -g->failure.code;
}

static int add_grouped(struct plan *p, struct grouping *g, struct err *err)
{
	/* The metrics of the group Default are shown in an order which perf's groups make. */
	bool by_counters = g->opts->grouping == PLAN_BY_COUNTERS && !g->is_default;
	int ret = by_counters ? pack_groups(g, err) : perf_groups(g, err);

	if (ret)
		return ret;
	grouping__warn_dropped(g);
	if (g->nr_dropped == g->want.nr)
		return none_left(g, err);
	warn_of_watchdog(g);
	/* Of metrics printed with the same event, perf prints the one tied to it last first. */
	for (int i = g->want.nr - 1; i >= 0; i--)
		if (!g->want.at[i].dropped)
			tie(p, g, &g->want.at[i]);
	take_events(p, g);
	return 0;
}

/* @list's metrics become the plan's, apart from @before of them that are so already. */
static int group_metrics(struct plan *p, const struct events_scope *events,
			 const struct plan_options *opts, bool is_default, int before,
			 struct err *err)
{
	struct grouping g = {
		.opts = opts,
		.scope = events,
		.is_default = is_default,
		.warnings = &p->warnings,
	};
	int ret;

	for (int i = before; i < p->owned.nr; i++)
		vec__push(&g.want, (struct want){ .metric = p->owned.at[i] });
	ret = add_grouped(p, &g, err);
	for (int i = 0; i < g.want.nr; i++)
		event_list__free(&g.want.at[i].own);
	vec__free(&g.want);
	event_list__free(&g.ungrouped);
	event_list__free(&g.packed);
	return ret;
}

int plan__add_metrics(struct plan *p, const struct metrics_scope *scope,
		      const struct events_scope *events, const struct plan_options *opts,
		      const char *text, struct err *err)
{
	bool is_default = !strcmp(text, DEFAULT_GROUP);
	struct metrics_scope own = *scope;
	struct plan_options fixed = { .grouping = opts->grouping,
				      .topdown = opts->topdown,
				      .default_run = opts->default_run };
	int before = p->owned.nr, ret;

	if (opts->default_run || opts->topdown) {
		own.no_threshold = true;
		opts = &fixed;
	}
	p->topdown |= opts->topdown;
	ret = metrics__select(&own, text, opts->no_group, &p->owned, err);
	if (ret || p->owned.nr == before)
		return ret;
	return group_metrics(p, events, opts, is_default, before, err);
}
