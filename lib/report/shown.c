// SPDX-License-Identifier: GPL-2.0-only
/* Events, metrics and columns as they are printed: what never changes is made here, once. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "machine/cgroup.h"
#include "report/internal.h"

#define NAME_SIZE 1024 /* bytes; a longer name is printed without its PMU */

/* With -A the PMU is told apart too, but for the events of a run without -e, as in perf 6.12. */
static void event__print_name(const struct report *r, const struct event *e, struct sb *sb)
{
	char name[NAME_SIZE];

	if (r->opts.aggr != AGGR_NONE || r->opts.default_events ||
	    event__unique_name(e, name, sizeof(name)) >= (int)sizeof(name))
		sb__puts(sb, e->name);
	else
		sb__puts(sb, name);
}

static bool is_further_instance(const struct event *e)
{
	return e->merge && e->first && e->first != e;
}

bool instances__apart(const struct report *r)
{
	return (r->opts.aggr == AGGR_NONE || r->opts.no_merge) && !r->opts.metric_only;
}

/* Instances of one uncore event have one row, but for -A; and they have one column always. */
static bool event__is_merged(const struct report *r, const struct event *e)
{
	return is_further_instance(e) && !instances__apart(r);
}

static int events__build(struct report *r)
{
	struct sb sb = SB_INIT;
	int err = 0;

	for (int i = 0; i < r->nr_events && !err; i++) {
		const struct event *e = r->plan->events.at[i];
		struct shown_event *s = &r->events[i];
		const char *unit = e->unit ? e->unit : "";

		sb__clear(&sb);
		event__print_name(r, e, &sb);
		s->event = e;
		s->name = sb.err ? NULL : dress(r, sb__str(&sb));
		s->unit = dress(r, unit);
		s->cgroup = dress(r, e->cgroup ? e->cgroup->name : "");
		s->unit_width = dress__width(unit);
		s->merged = event__is_merged(r, e);
		s->fraction = e->retire_latency || floor(e->scale) != e->scale;
		s->instances = 1;
		if (!s->name || !s->unit || !s->cgroup)
			err = -ENOMEM;
	}
	for (int i = 0; i < r->nr_events && !err; i++) {
		const struct event *e = r->events[i].event;

		if (r->events[i].merged)
			r->events[e->first->index].instances++;
	}
	sb__free(&sb);
	return err;
}

/* "%  tma_retiring": the unit of the metric's own scale, then its name. */
static void metric__print_unit(const struct plan_metric *m, struct sb *sb)
{
	const struct metric_info *info = &m->metric->info;

	if (info->scale_unit)
		sb__printf(sb, "%s  %s", info->unit, m->name);
	else
		sb__puts(sb, m->name);
}

/* Which core type a metric is of: an uncore event or clock that it is printed with does not say. */
static void metric__find_core(const struct report *r, struct shown_metric *s)
{
	const struct plan_metric *m = s->metric;

	s->where = m->shown_at->index;
	for (int i = 0; machine__is_hybrid(r->machine) && m->events && i < m->metric->nr_ids; i++) {
		const struct event *e = m->events[i];

		if (!e || !e->pmu || !e->pmu->is_core)
			continue;
		s->core = e->pmu;
		s->where = m->shown_at->pmu == e->pmu ? m->shown_at->index : e->index;
		return;
	}
}

static int metric__build(struct report *r, const struct plan_metric *m, struct shown_metric *s)
{
	const struct metric_info *info = &m->metric->info;
	struct sb sb = SB_INIT;

	metric__print_unit(m, &sb);
	s->metric = m;
	metric__find_core(r, s);
	s->unit = sb.err ? NULL : dress(r, sb__str(&sb));
	s->form = info->scale_unit ? FORM_SCALED : FORM_PLAIN;
	s->scale = info->scale_unit ? info->scale : 1;

	sb__clear(&sb);
	sb__puts(&sb, info->default_group && m->is_default ? info->default_group : "");
	if (machine__is_hybrid(r->machine) && (s->core || m->shown_at->pmu))
		sb__printf(&sb, " (%s)", (s->core ? s->core : m->shown_at->pmu)->name);
	s->group = sb.err ? NULL : dress(r, sb__str(&sb));
	sb__free(&sb);
	return s->unit && s->group ? 0 : -ENOMEM;
}

/* By the events they are printed with, keeping the plan's order for each. */
static int metrics__build(struct report *r)
{
	const struct plan *plan = r->plan;
	struct shown_metric *next = r->metrics;

	for (int e = 0; e < r->nr_events; e++) {
		r->events[e].metrics = next;
		for (int i = 0; i < plan->nr_metrics; i++) {
			const struct plan_metric *m = &plan->metrics[i];

			if (!m->shown_at || m->shown_at->index != e)
				continue;
			if (metric__build(r, m, next) || report_latencies__of_metric(r, next))
				return -ENOMEM;
			r->nr_metrics = ++next - r->metrics;
			r->events[e].nr_metrics++;
		}
	}
	return 0;
}

/* An instance with rows of its own has the metrics of the first, computed from its counts. */
static void instances__build(struct report *r)
{
	for (int i = 0; i < r->nr_events; i++) {
		struct shown_event *s = &r->events[i];
		const struct shown_event *first;

		if (!is_further_instance(s->event) || s->merged)
			continue;
		first = &r->events[s->event->first->index];
		s->metrics = first->metrics;
		s->nr_metrics = first->nr_metrics;
		s->own_values = first->nr_metrics > 0;
		r->has_own_values |= s->own_values;
	}
}

int pmu__place(const struct machine *machine, const struct pmu *pmu)
{
	if (!machine__is_hybrid(machine))
		return 0;
	for (int i = 0; i < machine__nr_core_pmus(machine); i++)
		if (machine__core_pmu(machine, i) == pmu)
			return i;
	return machine__nr_core_pmus(machine);
}

/*
 * On a hybrid machine the core types' numbers are told apart: in text each type has a row of its
 * own, elsewhere a heading says which cores it is of.
 */
static int column__add(struct report *r, int event, const struct shown_metric *m)
{
	const struct shown_event *e = &r->events[event];
	struct column *c = &r->columns[r->nr_columns];
	const char *ratio = m ? NULL : shadow__column(e);
	const struct pmu *pmu = m && m->core ? m->core : e->event->pmu;
	struct sb sb = SB_INIT;

	if (m) {
		metric__print_unit(m->metric, &sb);
	} else {
		if (text__has_prefix(ratio, "of all"))
			sb__printf(&sb, "%s ", e->event->name);
		sb__puts(&sb, ratio);
	}
	if (machine__is_hybrid(r->machine) && !r->row_per_pmu && pmu && pmu->is_core)
		sb__printf(&sb, " (%s)", pmu->name);
	c->name = sb.err ? NULL : dress(r, sb__str(&sb));
	sb__free(&sb);
	if (!c->name)
		return -ENOMEM;
	c->width = dress__width(c->name);
	if (c->width < METRIC_ONLY_WIDTH)
		c->width = METRIC_ONLY_WIDTH;
	c->event = event;
	c->where = m ? m->where : event;
	c->metric = m;
	c->pmu = pmu__place(r->machine, pmu);
	c->rank = r->opts.topdown && m ? m->metric->rank : 0;
	r->assumes |= m && m->nr_latencies;
	c->order = r->nr_columns++;
	return 0;
}

static int column__compare(const void *a, const void *b)
{
	const struct column *ca = a, *cb = b;

	if (ca->pmu != cb->pmu)
		return ca->pmu - cb->pmu;
	return ca->rank != cb->rank ? ca->rank - cb->rank : ca->order - cb->order;
}

static int column__compare_slots(const void *a, const void *b)
{
	const struct column *ca = a, *cb = b;

	return ca->pmu != cb->pmu ? ca->pmu - cb->pmu : ca->slot - cb->slot;
}

/* The slot for a column: in rows of core types, that of the other types' metric of this name. */
static int column__find_slot(const struct report *r, const struct column *c)
{
	for (const struct column *other = r->columns; r->row_per_pmu && other < c; other++)
		if (other->pmu != c->pmu && !strcmp(other->name, c->name))
			return other->slot;
	return r->nr_headings;
}

static int headings__build(struct report *r)
{
	r->headings = calloc(r->nr_columns + 1, sizeof(*r->headings));
	if (!r->headings)
		return -ENOMEM;
	for (int i = 0; i < r->nr_columns; i++) {
		struct column *c = &r->columns[i];

		c->slot = column__find_slot(r, c);
		if (c->slot == r->nr_headings)
			r->headings[r->nr_headings++] =
				(struct heading){ .name = c->name, .width = c->width };
	}
	if (r->row_per_pmu && r->nr_columns)
		qsort(r->columns, r->nr_columns, sizeof(*r->columns), column__compare_slots);
	return 0;
}

static void choose_rows(struct report *r)
{
	r->row_per_pmu = r->opts.metric_only && r->opts.format == REPORT_TEXT &&
			 machine__is_hybrid(r->machine);
	for (int i = 0; r->row_per_pmu && i < machine__nr_core_pmus(r->machine); i++) {
		int width = dress__width(machine__core_pmu(r->machine, i)->name);

		if (width > r->pmu_width)
			r->pmu_width = width;
	}
}

static int columns__build(struct report *r)
{
	int err = 0;

	for (int i = 0; i < r->cgroup_events && !err; i++) {
		const struct shown_event *e = &r->events[i];

		if (e->merged)
			continue;
		if (shadow__column(e))
			err = column__add(r, i, NULL);
		for (int m = 0; m < e->nr_metrics && !err; m++)
			err = column__add(r, i, &e->metrics[m]);
	}
	if (!err && r->nr_columns)
		qsort(r->columns, r->nr_columns, sizeof(*r->columns), column__compare);
	return err ? err : headings__build(r);
}

int shown__build(struct report *r)
{
	int err;

	r->nr_events = r->plan->events.nr;
	r->events = calloc(r->nr_events + 1, sizeof(*r->events));
	r->metrics = calloc(r->plan->nr_metrics + 1, sizeof(*r->metrics));
	r->columns = calloc(r->nr_events + r->plan->nr_metrics + 1, sizeof(*r->columns));
	if (!r->events || !r->metrics || !r->columns)
		return -ENOMEM;
	r->cgroup_events = r->nr_events / (r->plan->nr_cgroups ? r->plan->nr_cgroups : 1);
	for (int i = 0; i < r->nr_events; i++)
		r->has_cgroups |= r->plan->events.at[i]->cgroup != NULL;
	choose_rows(r);
	err = events__build(r);
	if (!err)
		err = metrics__build(r);
	if (!err)
		err = shadow__build(r);
	if (!err && r->writer->perfs)
		err = columns__build(r);
	if (!err)
		instances__build(r);
	return err;
}

void shown__free(struct report *r)
{
	for (int i = 0; r->events && i < r->nr_events; i++) {
		free(r->events[i].name);
		free(r->events[i].unit);
		free(r->events[i].cgroup);
		free(r->events[i].refusal);
		free(r->events[i].obstacle);
	}
	for (int i = 0; r->metrics && i < r->plan->nr_metrics; i++) {
		free(r->metrics[i].unit);
		free(r->metrics[i].group);
		free(r->metrics[i].latencies);
	}
	for (int i = 0; r->columns && i <= r->nr_columns; i++)
		free(r->columns[i].name);
	free(r->events);
	free(r->metrics);
	free(r->columns);
	free(r->headings);
	shadow__free(r);
}
