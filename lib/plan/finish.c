// SPDX-License-Identifier: GPL-2.0-only
/* A plan made ready to count: events numbered, metrics in their order, the program compiled. */
#include <stdlib.h>
#include <string.h>

#include "base/sb.h"
#include "base/xalloc.h"
#include "machine/machine.h"
#include "plan/plan.h"

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
 * @pmu: place of its PMU in the machine
 * @key: of metrics__topdown_key()
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

static int place_of_pmu(const struct machine *machine, const char *name)
{
	int i;

	for (i = 0; machine && i < machine->nr_pmus; i++)
		if (!strcmp(machine->pmus[i]->name, name))
			return i;
	return 0;
}

static void rank_by_tree(struct plan *p)
{
	struct column *columns = xcalloc(p->nr_metrics + 1, sizeof(*columns));

	for (int i = 0; i < p->nr_metrics; i++) {
		const struct metric *m = p->metrics[i].metric;

		columns[i].pm = &p->metrics[i];
		columns[i].pmu = place_of_pmu(p->scope->machine, m->info.pmu);
		metrics__topdown_key(p->scope->tables, m, &columns[i].key);
	}
	qsort(columns, p->nr_metrics, sizeof(*columns), by_tree);
	for (int i = 0; i < p->nr_metrics; i++) {
		columns[i].pm->rank = i;
		sb__free(&columns[i].key);
	}
	free(columns);
}

static const struct event *tsc_of(const struct plan_metric *pm)
{
	for (int i = 0; i < pm->metric->nr_ids; i++) {
		const struct event *e = pm->events[i];

		if (e && e->pmu && !strcmp(e->pmu->name, "msr") && !e->attr.config)
			return e;
	}
	return NULL;
}

/*
 * Intel's tables make the frequency of the TSC of its count and duration_time, and latencies of it.
 * The count is that of all CPUs of a row, or of the time in which a task ran; so is the time it
 * is divided by. (perf 6.12 divides by the time of the row.)
 */
static int column_of(const struct plan *p, const struct event *e, const struct event *tsc)
{
	if (!e)
		return -1;
	return tsc && e->tool == EVENT_DURATION_TIME ? p->events.nr + tsc->index : e->index;
}

static int compile(struct plan *p, struct plan_metric *pm, struct err *err)
{
	int *columns = xmalloc((plan_metric__nr_events(pm) + 1) * sizeof(*columns)), ret;
	const struct event *tsc = tsc_of(pm);

	for (int i = 0; i < plan_metric__nr_events(pm); i++)
		columns[i] = column_of(p, pm->events[i], tsc);
	ret = program__add(p->program, pm->metric, columns, pm->parts, pm->nr_parts, &pm->value,
			   &pm->threshold, err);
	free(columns);
	return ret;
}

int plan__finish(struct plan *p, struct err *err)
{
	int ret = 0;

	for (int i = 0; i < p->events.nr; i++)
		p->events.at[i]->index = i;
	sort_metrics(p);
	if (p->topdown)
		rank_by_tree(p);
	for (int i = 0; i < p->nr_metrics && !ret; i++)
		ret = compile(p, &p->metrics[i], err);
	return ret;
}
