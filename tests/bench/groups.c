// SPDX-License-Identifier: GPL-2.0-only
/*
 * Prints how many groups the TopDown metrics of every built-in model need: as perf groups their
 * events, and by counters. tests/bench/groups calls this. Nothing is counted.
 *
 *	groups [MODEL ...]
 *
 * There is a line for each core PMU and level, with fields separated by tabs: model, PMU, level,
 * metrics; events and groups as perf has them; events and groups by counters; the lower bound of
 * groups; "proven" or "-". Three percentages of metrics follow: those whose value has all its
 * events in one of perf's groups that is not split; those for which this is so in groups by
 * counters; and those whose events the counters can hold in one group.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/err.h"
#include "metrics/idset.h"
#include "model.h"
#include "plan/counters.h"
#include "plan/load.h"
#include "plan/pack_unit.h"
#include "plan/schedule.h"

/**
 * struct result - counts of a level's metrics
 * @possible: number of metrics whose events fit into one group
 */
struct result {
	int metrics, events, groups, bound, together, possible;
	bool proven;
};

/*
 * Return: the group of the schedule that has an event; or the event itself if the group is split.
 */
static int place_of(const struct schedule *s, int event)
{
	for (int i = 0; i < s->nr_groups; i++) {
		const struct schedule_group *g = &s->groups[i];

		if (event >= g->first && event < g->first + g->nr)
			return g->state == SCHEDULE_APART ? -1 - event : i;
	}
	return -1;
}

/* Find the ids that a metric's value needs, without the ids of its threshold. */
static const struct idset *value_ids(const struct metric_list *values, const struct metric *m)
{
	for (int i = 0; i < values->nr; i++)
		if (!strcmp(values->at[i]->info.name, m->info.name))
			return values->at[i]->id_set;
	return NULL;
}

/*
 * Return: whether the value needs an event that takes turns on the PMU; a retire latency does not.
 */
static bool counts(const struct plan_metric *pm, int i, const struct pmu *pmu,
		   const struct idset *ids)
{
	const struct event *e = pm->events[i];

	return e && e->pmu == pmu && load__takes_turns(e) &&
	       (!ids || idset__has(ids, pm->metric->ids[i]));
}

/* Return: whether the events of a metric's value are counted at the same time. */
static bool is_together(const struct schedule *s, const struct pmu *pmu,
			const struct plan_metric *pm, const struct idset *ids)
{
	bool some = false;
	int place = 0;

	for (int i = 0; i < pm->metric->nr_ids; i++) {
		const struct event *e = pm->events[i];
		int at;

		if (!counts(pm, i, pmu, ids))
			continue;
		at = place_of(s, e->index);
		if (some && at != place)
			return false;
		place = at;
		some = true;
	}
	return true;
}

/* Return: whether the counters can hold the events of a metric's value in one group. */
static bool fits_one(const struct events_scope *scope, struct pmu *pmu,
		     const struct plan_metric *pm, const struct idset *ids)
{
	struct pack_unit u = { .pmu = pmu, .owner = -1, .counters = counters__left_on(scope, pmu) };
	int list[pm->metric->nr_ids + 1], nr = 0;
	bool fits;

	for (int i = 0; i < pm->metric->nr_ids; i++) {
		const struct event *e = pm->events[i];
		struct fit_event need;

		if (!counts(pm, i, pmu, ids))
			continue;
		need = counters__need(scope->tables, &u.counters, e);
		nr = array__add_once(
			list, nr,
			unit__add_event(&u, &(struct unit_event){.id = e->name, .look = e}, &need));
	}
	fits = unit__fits(&u, list, nr);
	unit__free(&u);
	return fits;
}

static void judge(const struct plan *plan, const struct schedule *s,
		  const struct events_scope *scope, struct pmu *pmu,
		  const struct metric_list *values, struct result *out)
{
	*out = (struct result){ .metrics = plan->nr_metrics };
	for (int i = 0; i < s->nr_pmus; i++) {
		if (s->pmus[i].pmu != pmu)
			continue;
		out->events = s->pmus[i].nr_events;
		out->groups = s->pmus[i].nr_turns;
		out->bound = s->pmus[i].lower_bound;
		out->proven = out->groups <= out->bound;
	}
	for (int i = 0; i < plan->nr_metrics; i++) {
		const struct plan_metric *pm = &plan->metrics[i];
		const struct idset *ids = value_ids(values, pm->metric);

		out->together += is_together(s, pmu, pm, ids);
		out->possible += fits_one(scope, pmu, pm, ids);
	}
}

/* Return: whether any of the metrics can be measured. */
static bool group(struct model *m, struct pmu *pmu, const char *text, enum plan_grouping grouping,
		  struct result *out)
{
	struct metrics_scope scope = model__scope(m, pmu), without = scope;
	struct plan_options opts = { .grouping = grouping };
	struct metric_list values = METRIC_LIST_INIT;
	struct plan *plan = plan__new(&scope);
	struct schedule *s = NULL;
	bool done;

	without.no_threshold = true;
	done = !metrics__select(&without, text, false, &values, NULL) &&
	       !plan__add_metrics(plan, &scope, &m->events, &opts, text, NULL) &&
	       !plan__finish(plan, NULL);
	if (done) {
		s = schedule__new(plan, &m->events);
		judge(plan, s, &m->events, pmu, &values, out);
	}
	schedule__free(s);
	metric_list__free(&values);
	plan__free(plan);
	return done;
}

static double percent(int part, const struct result *r)
{
	return r->metrics ? 100.0 * part / r->metrics : 100;
}

static void print_levels(struct model *m, struct pmu *pmu)
{
	const char *prefix = "";
	char table[64], text[128];
	int levels = metrics__topdown_levels(m->tables, pmu__table_name(pmu, table, sizeof(table)),
					     &prefix);

	for (int level = 1; level <= levels; level++) {
		struct result perf, ours;

		snprintf(text, sizeof(text), "%s%d", prefix, level);
		if (!group(m, pmu, text, PLAN_AS_PERF, &perf) ||
		    !group(m, pmu, text, PLAN_BY_COUNTERS, &ours) || !perf.events)
			continue;
		printf("%s\t%s\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%s\t%.0f\t%.0f\t%.0f\n", m->name, pmu->name,
		       level, ours.metrics, perf.events, perf.groups, ours.events, ours.groups,
		       ours.bound, ours.proven ? "proven" : "-",
		       percent(perf.together, &perf), percent(ours.together, &ours),
		       percent(ours.possible, &ours));
	}
}

static void print_model(const char *name)
{
	struct model m;

	if (!model__open(&m, name))
		return;
	for (int i = 0; i < machine__nr_core_pmus(m.machine); i++)
		print_levels(&m, machine__core_pmu(m.machine, i));
	model__close(&m);
}

int main(int argc, char **argv)
{
	for (int i = 1; i < argc; i++)
		print_model(argv[i]);
	for (int i = 0; argc == 1 && i < tables__nr_models(); i++)
		print_model(tables__model_name(i));
	return 0;
}
