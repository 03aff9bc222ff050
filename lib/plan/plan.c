// SPDX-License-Identifier: GPL-2.0-only
/*
 * The plan: it joins the events of the user and the groups of metrics in one list, and gives
 * metrics their events.
 */
#include "plan/plan.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/sb.h"
#include "base/vec.h"
#include "base/xalloc.h"
#include "machine/machine.h"
#include "plan/compile.h"
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
	for (int i = 0; i < p->gaps.nr; i++)
		free(p->gaps.at[i].lacks);
	vec__free(&p->gaps);
	vec__free(&p->tscs);
	sb__free(&p->warnings);
	free(p);
}

/*
 * Return: the first event of a metric. A metric without events is shown with the first event of the
 * list.
 */
static struct event *plan__first_of(const struct want *w)
{
	struct event *first = NULL;

	for (int i = 0; i < plan_metric__nr_events(&w->pm); i++) {
		struct event *e = w->pm.events[i];

		if (e && (!first || e->index < first->index))
			first = e;
	}
	return first || !w->list->nr ? first : w->list->at[0];
}

void plan__add_gap(struct plan *p, const struct metric *m, char *lacks)
{
	struct plan_gap gap = { .name = m->info.name, .pmu = m->info.pmu, .lacks = lacks };

	vec__push(&p->gaps, gap);
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

/* Append the events of a core type, or if @core is NULL all remaining events. */
static void take_core(struct event_list *list, int *kept, struct event **from, int nr,
		      const struct pmu *core)
{
	for (int i = 0; i < nr; i++)
		if (from[i] && (!core || from[i]->leader->pmu == core)) {
			list->at[(*kept)++] = from[i];
			from[i] = NULL;
		}
}

/*
 * Sort events by core type, as there is one heading for the metrics of each core type. perf begins
 * with the core type whose events come first.
 */
static void sort_by_core(const struct machine *machine, struct event_list *list, int first)
{
	int nr = list->nr - first, kept = first;
	struct event **before = xcalloc(nr + 1, sizeof(*before));

	memcpy(before, list->at + first, nr * sizeof(*before));
	for (int i = 0; machine->by_name && i < nr; i++)
		if (before[i] && before[i]->leader->pmu && before[i]->leader->pmu->is_core)
			take_core(list, &kept, before, nr, before[i]->leader->pmu);
	for (int i = 0; i < machine__nr_core_pmus(machine); i++)
		take_core(list, &kept, before, nr, machine__core_pmu(machine, i));
	take_core(list, &kept, before, nr, NULL);
	free(before);
}

static void plan__take_events(struct plan *p, struct grouping *g)
{
	int before = p->events.nr;

	event_list__splice(&p->events, &g->shared);
	for (int i = 0; i < g->want.nr; i++)
		event_list__splice(&p->events, &g->want.at[i].own);
	if (g->opts->default_run && !g->opts->with_counts)
		sort_by_core(g->scope->machine, &p->events, before);
	for (int i = before; i < p->events.nr; i++) {
		p->events.at[i]->from_metric = true;
		p->events.at[i]->default_group = g->opts->default_run;
	}
}

/*
 * Warn of the NMI watchdog, which is the only constraint that the user can lift: others come from
 * the hardware. A metric that is grouped by counters may fit despite the watchdog, and is then not
 * named.
 */
static void warn_of_watchdog(const struct grouping *g, bool by_counters)
{
	const char *separator = "Not grouping the events of ";
	bool any = false;

	for (int i = 0; i < g->want.nr; i++) {
		const struct plan_metric *pm = &g->want.at[i].pm;
		const struct metric *m = pm->metric;

		if (by_counters && !pm->split)
			continue;
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

/* Fail with the reasons of all metrics, as warnings are not printed if nothing is counted. */
static int none_left(struct grouping *g, struct err *err)
{
	const char *line = sb__str(g->warnings);

	if (g->nr_dropped > 1)
		err__append(&g->failure, "\nNone of the %d requested metrics can be measured.",
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
	/* perf's order of the metrics in the group Default follows from perf's groups. */
	bool by_counters = g->opts->grouping == PLAN_BY_COUNTERS && !g->is_default;
	int ret = by_counters ? pack_groups(g, err) : perf_groups(g, err);

	if (ret)
		return ret;
	grouping__warn_dropped(g);
	if (g->nr_dropped == g->want.nr)
		return none_left(g, err);
	warn_of_watchdog(g, by_counters);
	/* Metrics are added in reverse, as perf prints metrics of the same event in reverse. */
	for (int i = g->want.nr - 1; i >= 0; i--) {
		struct want *w = &g->want.at[i];

		if (w->dropped)
			continue;
		if (g->opts->least_shared || g->opts->with_counts)
			w->pm.shown_at = default_run__shown_at(g, w);
		w->pm.shown_at = w->pm.shown_at ?: plan__first_of(w);
		if (g->opts->with_counts)
			default_run__show_counts(w);
		plan__take_metric(p, w->pm);
	}
	plan__take_events(p, g);
	return 0;
}

/* Group the plan's metrics from number @before on, and add their events to the plan. */
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

	for (int i = before; i < p->owned.nr; i++) {
		/* A constant metric does not depend on the run. */
		if (opts->with_counts && !p->owned.at[i]->nr_ids)
			continue;
		vec__push(&g.want, (struct want){ .pm = { .metric = p->owned.at[i],
							  .is_default = is_default,
							  .value = -1,
							  .threshold = -1 } });
	}
	if (!g.want.nr)
		return 0;
	ret = add_grouped(p, &g, err);
	for (int i = 0; i < g.want.nr; i++) {
		event_list__free(&g.want.at[i].own);
		if (g.want.at[i].dropped)
			free(g.want.at[i].pm.events);
	}
	vec__free(&g.want);
	event_list__free(&g.shared);
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
				      .default_run = opts->default_run,
				      .with_counts = opts->with_counts,
				      .least_shared = opts->least_shared,
				      .with_cycles = opts->with_cycles,
				      .perfs_thresholds = opts->perfs_thresholds };
	int before = p->owned.nr, ret;

	if (opts->default_run || opts->topdown) {
		own.no_threshold = true;
		opts = &fixed;
	}
	p->topdown |= opts->topdown;
	p->perfs_thresholds |= opts->perfs_thresholds;
	ret = metrics__select(&own, text, opts->no_group, &p->owned, err);
	if (ret || p->owned.nr == before)
		return ret;
	return group_metrics(p, events, opts, is_default, before, err);
}

/* --- Number the events, and sort the metrics ------- */

static int by_event(const void *a, const void *b)
{
	const struct plan_metric *l = a, *r = b;

	if (l->shown_at->index != r->shown_at->index)
		return l->shown_at->index - r->shown_at->index;
	return l->rank - r->rank;
}

static void sort_metrics(struct plan *p)
{
	for (int i = 0; i < p->nr_metrics; i++)
		p->metrics[i].rank = i;
	if (p->nr_metrics)
		qsort(p->metrics, p->nr_metrics, sizeof(*p->metrics), by_event);
	for (int i = 0; i < p->nr_metrics; i++)
		p->metrics[i].rank = i;
}

/**
 * struct column - a metric among the columns of --topdown
 * @pmu: index of the metric's PMU in the machine
 * @key: from metrics__topdown_key()
 */
struct column {
	struct plan_metric *pm;
	int pmu;
	struct sb key;
};

static int by_tree(const void *a, const void *b)
{
	const struct column *l = a, *r = b;
	int order = l->pmu - r->pmu;

	order = order ?: strcmp(sb__str(&l->key), sb__str(&r->key));
	return order ?: l->pm->rank - r->pm->rank;
}

static int place_of_pmu(const struct plan *p, const char *name)
{
	const struct machine *machine = p->scope->machine;

	/* perf (machine->by_name) orders core types by their first events. */
	for (int i = 0; machine && !machine->by_name && i < machine->nr_pmus; i++)
		if (!strcmp(machine->pmus[i]->name, name))
			return i;
	for (int i = 0; i < p->events.nr; i++)
		if (p->events.at[i]->pmu && !strcmp(p->events.at[i]->pmu->name, name))
			return i;
	return 0;
}

static void rank_by_tree(struct plan *p)
{
	struct column *columns = xcalloc(p->nr_metrics + 1, sizeof(*columns));

	for (int i = 0; i < p->nr_metrics; i++) {
		const struct metric *m = p->metrics[i].metric;

		columns[i].pm = &p->metrics[i];
		columns[i].pmu = place_of_pmu(p, m->info.pmu);
		metrics__topdown_key(p->scope->tables, m, &columns[i].key);
	}
	qsort(columns, p->nr_metrics, sizeof(*columns), by_tree);
	for (int i = 0; i < p->nr_metrics; i++) {
		columns[i].pm->rank = i;
		sb__free(&columns[i].key);
	}
	free(columns);
}

int plan__finish(struct plan *p, struct err *err)
{
	for (int i = 0; i < p->events.nr; i++)
		p->events.at[i]->index = i;
	sort_metrics(p);
	if (p->topdown)
		rank_by_tree(p);
	return plan__compile(p, err);
}

/* --- Copies for each of several cgroups ------------------------------------------------------- */

/* Return: the copy of an event of the first cgroup, which comes @first places after the event. */
static struct event *copy_of(const struct plan *p, const struct event *e, int first)
{
	return e ? p->events.at[e->index + first] : NULL;
}

static void copy_events(struct plan *p, int nr, const struct cgroup *cgroup)
{
	int first = p->events.nr;

	event_list__copy(&p->events, &p->events, 0, nr);
	for (int i = first; i < p->events.nr; i++)
		p->events.at[i]->cgroup = cgroup;
}

static void copy_metric(struct plan *p, int number, int first)
{
	const struct plan_metric *from = &p->metrics[number];
	struct plan_metric copy = *from;
	int nr = plan_metric__nr_events(from);

	copy.name = xstrdup(from->name);
	copy.events = xcalloc(nr + 1, sizeof(*copy.events));
	copy.parts = xcalloc(copy.nr_parts + 1, sizeof(*copy.parts));
	for (int i = 0; i < copy.nr_parts; i++)
		copy.parts[i] = from->parts[i];
	for (int i = 0; i < nr; i++)
		copy.events[i] = copy_of(p, from->events[i], first);
	copy.shown_at = copy_of(p, copy.shown_at, first);
	/* The caller has allocated enough memory. */
	p->metrics[p->nr_metrics++] = copy;
}

/* With cgroups, perf 6.12 prints metrics of the same event in reverse. */
static void reverse_metrics(struct plan *p)
{
	for (int i = 0, j = p->nr_metrics - 1; i < j; i++, j--) {
		struct plan_metric other = p->metrics[i];

		p->metrics[i] = p->metrics[j];
		p->metrics[j] = other;
	}
}

void plan__for_each_cgroup(struct plan *p, const struct cgroup_list *cgroups)
{
	int nr = p->events.nr, nr_metrics = p->nr_metrics;

	p->metrics = xreallocarray(p->metrics, nr_metrics * cgroups->nr + 1, sizeof(*p->metrics));
	reverse_metrics(p);
	for (int i = 0; i < nr; i++) {
		p->events.at[i]->index = i;
		p->events.at[i]->cgroup = cgroups->at[0];
	}
	for (int c = 1; c < cgroups->nr; c++) {
		copy_events(p, nr, cgroups->at[c]);
		for (int i = 0; i < nr_metrics; i++)
			copy_metric(p, i, c * nr);
	}
	p->nr_cgroups = cgroups->nr;
}

int plan__set_cgroups(struct plan *p, const struct cgroup_list *cgroups, struct err *err)
{
	if (cgroups->nr > 1 && cgroups->nr > p->events.nr)
		return err__set(err, EINVAL,
				"-G names %d cgroups for %d events: one for each event, or one for all",
				cgroups->nr, p->events.nr);
	for (int i = 0; i < p->events.nr; i++) {
		if (cgroups->nr == 1)
			p->events.at[i]->cgroup = cgroups->at[0];
		else if (i < cgroups->nr)
			p->events.at[i]->cgroup = cgroups->at[i];
	}
	return 0;
}
