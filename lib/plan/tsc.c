// SPDX-License-Identifier: GPL-2.0-only
/*
 * Add columns with the count of the time stamp counter that a metric's formula means, computed from
 * the count on all CPUs.
 */
#include "plan/tsc.h"

#include <string.h>
#include <strings.h>

#include "base/text.h"
#include "base/vec.h"
#include "machine/machine.h"
#include "metrics/expr.h"
#include "metrics/literal.h"

#define CPUS_UTILIZED "cpus_utilized"
#define CPUS "num_cpus_online"

static const struct event *tsc__find(const struct plan_metric *pm)
{
	for (int i = 0; i < pm->metric->nr_ids; i++) {
		const struct event *e = pm->events[i];

		if (e && e->pmu && !strcmp(e->pmu->name, "msr") && !e->attr.config)
			return e;
	}
	return NULL;
}

static bool has_duration(const struct plan_metric *pm)
{
	for (int i = 0; i < pm->metric->nr_ids; i++)
		if (pm->events[i] && pm->events[i]->tool == EVENT_DURATION_TIME)
			return true;
	return false;
}

static bool has_literal(const struct expr *e, int literal)
{
	for (int i = 0; e && i < e->nr; i++)
		if (e->at[i].op == EXPR_LITERAL && e->at[i].literal == literal)
			return true;
	return false;
}

/*
 * Whether a metric is the number of busy CPUs, or this number divided by the number of CPUs. Other
 * metrics divide by the TSC of all CPUs to get a share.
 */
static bool is_of_cpus(const struct metric *m)
{
	return text__has_suffix(m->info.name, CPUS_UTILIZED) ||
	       has_literal(m->value, literal__find(CPUS, strlen(CPUS)));
}

/*
 * Return: an event of the core type if the machine is hybrid and all core events are of one type;
 * otherwise NULL.
 */
static const struct event *core_event(const struct plan_metric *pm)
{
	const struct event *of = NULL;

	for (int i = 0; i < pm->metric->nr_ids; i++) {
		const struct event *e = pm->events[i];

		if (!e || !event__is_of_core(e))
			continue;
		if (of && of->pmu != e->pmu)
			return NULL;
		of = e;
	}
	return of && machine__is_hybrid(of->pmu->machine) ? of : NULL;
}

/*
 * Return: the column of the TSC for the time in which @as was enabled; if @as is NULL, for the time
 * of the row.
 */
static int tsc__add(struct plan *p, const struct event *tsc, const struct event *as)
{
	const struct plan_tsc new = {tsc->index, as ? as->index : -1};
	int i = 0;

	while (i < p->tscs.nr && (p->tscs.at[i].event != new.event || p->tscs.at[i].as != new.as))
		i++;
	if (i == p->tscs.nr)
		vec__push(&p->tscs, new);
	return 2 * p->events.nr + i;
}

struct tsc tsc__of(struct plan *p, const struct plan_metric *pm)
{
	struct tsc tsc = {tsc__find(pm), -1, -1};
	const struct event *core;

	if (!tsc.event)
		return tsc;
	/*
	 * Latencies use the frequency, which is the count of the TSC divided by duration_time. The
	 * count is summed over all CPUs of a row, or covers the time in which a task ran, so it is
	 * divided by the time of the same CPUs or task. (perf 6.12 divides by the time of the row.)
	 */
	if (has_duration(pm)) {
		tsc.time_column = p->events.nr + tsc.event->index;
		return tsc;
	}
	core = core_event(pm);
	if (is_of_cpus(pm->metric))
		tsc.column = tsc__add(p, tsc.event, NULL);
	else if (core)
		tsc.column = tsc__add(p, tsc.event, core);
	return tsc;
}
