// SPDX-License-Identifier: GPL-2.0-only
/* Compile values and thresholds of metrics over the columns of their events. */
#include "plan/compile.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/auto.h"
#include "base/text.h"
#include "base/vec.h"
#include "base/xalloc.h"
#include "machine/machine.h"
#include "metrics/expr.h"
#include "plan/plan.h"
#include "plan/tsc.h"

static int compile__column_of(const struct tsc *tsc, const struct event *e)
{
	if (!e)
		return -1;
	if (e == tsc->event && tsc->column >= 0)
		return tsc->column;
	return e->tool == EVENT_DURATION_TIME && tsc->time_column >= 0 ? tsc->time_column :
									 e->index;
}

static int *compile__columns_of(struct plan *p, const struct plan_metric *pm)
{
	int *columns = xmalloc((plan_metric__nr_events(pm) + 1) * sizeof(*columns));
	const struct tsc tsc = tsc__of(p, pm);

	for (int i = 0; i < plan_metric__nr_events(pm); i++)
		columns[i] = compile__column_of(&tsc, pm->events[i]);
	return columns;
}

static int compile__metric(struct plan *p, struct plan_metric *pm, struct err *err)
{
	int *columns = compile__columns_of(p, pm), ret;

	pm->whole = -1;
	ret = program__add(p->program, pm->metric, columns, pm->parts, pm->nr_parts, &pm->value,
			   &pm->threshold, err);
	free(columns);
	return ret;
}

/* --- Thresholds that name metrics whose events were not added for them ------------------------ */

/**
 * struct lent_value - the value of a metric for the thresholds of others
 * @like:   a metric with the PMU, modifier and cgroup that the value is for
 * @output: number of the value in the program; -1 if an event is missing
 */
struct lent_value {
	const char *name;
	const struct plan_metric *like;
	int output;
};

/**
 * struct lending - values of metrics that are used in thresholds of other metrics
 * @known:  all values that were searched for
 * @others: values for the current threshold
 */
struct lending {
	struct plan *plan;
	VEC(struct lent_value) known;
	VEC(struct other_value) others;
};

static const struct cgroup *cgroup_of(const struct plan_metric *pm)
{
	return pm->shown_at ? pm->shown_at->cgroup : NULL;
}

static bool are_alike(const struct plan_metric *a, const struct plan_metric *b)
{
	return cgroup_of(a) == cgroup_of(b) && !strcmp(a->metric->info.pmu, b->metric->info.pmu) &&
	       text__same(a->metric->modifier, b->metric->modifier);
}

/*
 * Fill in missing events of a metric from one set of another metric's events. Return: number of
 * events that are still missing.
 */
static int compile__take_events(const struct plan_metric *from, int set, struct plan_metric *to)
{
	int lacking = 0;

	for (int i = 0; i < to->metric->nr_ids; i++) {
		for (int k = 0; !to->events[i] && k < from->metric->nr_ids; k++)
			if (!strcmp(from->metric->ids[k], to->metric->ids[i]))
				to->events[i] = from->events[set * from->metric->nr_ids + k];
		lacking += !to->events[i];
	}
	return lacking;
}

static bool are_together(const struct plan_metric *pm)
{
	const struct event *leader = NULL;

	for (int i = 0; i < pm->metric->nr_ids; i++) {
		const struct event *e = pm->events[i];

		if (e->tool || e->retire_latency)
			continue;
		if (leader && e->leader != leader)
			return false;
		leader = e->leader;
	}
	return true;
}

/*
 * Ways to find the events of a metric, the best first: in one group, in one metric, in several
 * metrics.
 */
enum lenders { LENT_TOGETHER, LENT_BY_ONE, LENT_BY_ALL, LENDERS_NR };

/*
 * Find the events of a metric in one set of another metric's events. Return: whether all were
 * found.
 */
static bool find_events_in(const struct plan_metric *from, int set, enum lenders by,
			   struct plan_metric *to)
{
	if (by != LENT_BY_ALL)
		memset(to->events, 0, to->metric->nr_ids * sizeof(*to->events));
	return !compile__take_events(from, set, to) && (by != LENT_TOGETHER || are_together(to));
}

static bool compile__find_events(const struct plan *p, const struct plan_metric *like,
				 struct plan_metric *to)
{
	for (enum lenders by = 0; by < LENDERS_NR; by++) {
		memset(to->events, 0, to->metric->nr_ids * sizeof(*to->events));
		for (int i = 0; i < p->nr_metrics; i++) {
			const struct plan_metric *from = &p->metrics[i];

			if (!from->events || !are_alike(from, like))
				continue;
			for (int set = 0; set <= from->nr_parts; set++)
				if (find_events_in(from, set, by, to))
					return true;
		}
	}
	return false;
}

/*
 * Compute a metric that is in the tables but not in the plan. Return: number of its output, or -1.
 */
static int compute(struct plan *p, const struct plan_metric *like, const char *name)
{
	auto_free(metric_list) list = METRIC_LIST_INIT;
	struct metrics_scope scope = *p->scope;
	int output = -1;

	scope.no_threshold = true;
	scope.pmu = like->metric->info.pmu;
	metrics__select(&scope, name, true, &list, NULL);
	for (int i = 0; i < list.nr && output < 0; i++) {
		struct plan_metric pm = {.metric = list.at[i]};

		if (strcasecmp(pm.metric->info.name, name))
			continue;
		pm.events = xcalloc(pm.metric->nr_ids + 1, sizeof(*pm.events));
		if (compile__find_events(p, like, &pm) && !compile__metric(p, &pm, NULL))
			output = pm.value;
		free(pm.events);
	}
	return output;
}

/*
 * Find the output that is the value of a metric by its name, for the PMU of @like. Return: -1 if
 * there is none.
 */
static int value_for(struct lending *l, const struct plan_metric *like, const char *name)
{
	struct lent_value new = {.name = name, .like = like}, *known;
	struct plan *p = l->plan;

	for (int i = 0; i < p->nr_metrics; i++)
		if (!strcasecmp(p->metrics[i].metric->info.name, name) &&
		    are_alike(&p->metrics[i], like))
			return p->metrics[i].value;
	known = vec__find(v, &l->known, !strcasecmp(v->name, name) && are_alike(v->like, like));
	if (known)
		return known->output;
	new.output = compute(p, like, name);
	vec__push(&l->known, new);
	return new.output;
}

/*
 * Collect the values of the metrics that a threshold names, except metrics that its own metric
 * refers to.
 */
static void collect_others(struct lending *l, const struct plan_metric *pm)
{
	struct metric *m = pm->metric;
	const int *names = metric__names(m, m->nr_refs + 1);

	l->others.nr = 0;
	for (int i = 0; i < m->threshold->nr; i++) {
		const struct expr_node *n = &m->threshold->at[i];
		struct other_value other = {.name = n->id};

		if (n->op != EXPR_ID || names[i] >= 0 ||
		    tables__find_metric(l->plan->scope->tables, m->info.pmu, n->id) < 0)
			continue;
		other.output = value_for(l, pm, n->id);
		if (other.output >= 0)
			vec__push(&l->others, other);
	}
}

/* Compile a threshold again if metrics that it names now have a value. */
static int complete_threshold(struct lending *l, struct plan_metric *pm, struct err *err)
{
	int *columns, output;

	if (!pm->metric->threshold)
		return 0;
	collect_others(l, pm);
	if (!l->others.nr)
		return 0;
	columns = compile__columns_of(l->plan, pm);
	output = program__add_threshold(l->plan->program, pm->metric, columns, pm->parts,
					pm->nr_parts, l->others.at, l->others.nr, err);
	free(columns);
	if (output < 0)
		return output;
	pm->threshold = output;
	return 0;
}

/* --- The denominators of the shares in TopDown trees ------------------------------------------ */

static int level_of(const struct plan_metric *pm)
{
	return metrics__topdown_level(&pm->metric->info);
}

/*
 * Whether an output is in slots: it uses an event that counts slots, or is a product with the width
 * of the pipeline.
 */
static bool is_of_slots(const struct plan *p, int output)
{
	bool *topdown = xcalloc(p->events.nr + 1, sizeof(*topdown)), uses;

	for (int i = 0; i < p->events.nr; i++)
		topdown[i] = event__counts_slots(p->events.at[i]);
	uses = program__uses_any(p->program, output, topdown, p->events.nr);
	free(topdown);
	return uses || program__has_factor(p->program, output);
}

/*
 * Find the denominator for all metrics in the tree of @like, from the metrics of the tree's lowest
 * level.
 */
static void compile__find_whole(struct plan *p, const struct plan_metric *like)
{
	int *values = xcalloc(p->nr_metrics, sizeof(*values)), nr = 0, least = level_of(like);
	int whole;
	bool in_cycles;

	for (int i = 0; i < p->nr_metrics; i++) {
		int level = level_of(&p->metrics[i]);

		if (level && level < least && are_alike(&p->metrics[i], like))
			least = level;
	}
	for (int i = 0; i < p->nr_metrics; i++)
		if (level_of(&p->metrics[i]) == least && are_alike(&p->metrics[i], like))
			values[nr++] = p->metrics[i].value;
	whole = program__add_whole(p->program, values, nr);
	in_cycles = whole >= 0 && !is_of_slots(p, whole);
	for (int i = 0; i < p->nr_metrics && whole >= 0; i++) {
		struct plan_metric *pm = &p->metrics[i];

		if (!level_of(pm) || !are_alike(pm, like))
			continue;
		pm->whole = whole;
		pm->in_cycles = in_cycles;
	}
	free(values);
}

static void find_wholes(struct plan *p)
{
	for (int i = 0; i < p->nr_metrics; i++)
		if (p->metrics[i].whole < 0 && level_of(&p->metrics[i]))
			compile__find_whole(p, &p->metrics[i]);
}

int plan__compile(struct plan *p, struct err *err)
{
	struct lending l = {.plan = p};
	bool completes = p->scope && p->scope->tables && !p->perfs_thresholds;
	int ret = 0;

	for (int i = 0; i < p->nr_metrics && !ret; i++)
		ret = compile__metric(p, &p->metrics[i], err);
	for (int i = 0; i < p->nr_metrics && !ret && completes; i++)
		ret = complete_threshold(&l, &p->metrics[i], err);
	if (!ret && p->wholes)
		find_wholes(p);
	vec__free(&l.known);
	vec__free(&l.others);
	return ret;
}
