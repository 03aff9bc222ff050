// SPDX-License-Identifier: GPL-2.0-only
/*
 * Find metrics whose events should form one group but do not fit into the counters together. Which
 * events a metric has may depend on the machine (#smt_on and similar literals). A metric is
 * reported only if its events fit on none of several kinds of machines.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/strmap.h"
#include "lint/internal.h"
#include "metrics/ids.h"
#include "plan/fit.h"
#include "tables/tables.h"

#define MAX_NEEDED (4 * FIT_MAX_EVENTS) /* enough for events of several PMUs; a group has at most
                                         * FIT_MAX_EVENTS */
#define SMT_COUNTERS 8 /* general counters of a core; with SMT off, one thread has all */

/* Kinds of machines to check. */
static const struct kind {
	bool smt_on, core_wide, has_pmem, has_event;
} kinds[] = {
	{ false, true, false, true },
	{ true, true, true, true },
	{ true, false, true, false },
	{ false, true, true, false },
};

#define NR_KINDS ((int)(sizeof(kinds) / sizeof(*kinds)))

/**
 * struct counted - an event that a metric needs
 * @text: name of the event in the expression
 * @terms: terms of the event, including those that the expression adds
 * @pmu:  index in groups.pmus; -1 if the event needs no known counter
 */
struct counted {
	char *text, *terms;
	int pmu;
	struct fit_event fit;
};

/* A PMU whose counters are known. */
struct pmu_known {
	const char *name;
	struct fit_pmu fit;
};

/**
 * struct group_needs - the events of a metric that need a counter
 * @events: numbers of the events, on the current kind of machine
 * @fit: the events fit on some kind of machine; @all_fit: they fit together with the events of the
 *       threshold
 */
struct group_needs {
	VEC(int) events;
	bool fit, all_fit;
};

/**
 * struct groups - the check of a model
 * @index: map from "PMU of the metric, tab, name" to the number in @counted
 * @needs: for each metric, the events that its value needs
 */
struct groups {
	struct model_check *check;
	VEC(struct counted) counted;
	VEC(struct pmu_known) pmus;
	struct strmap *index;
	struct group_needs *needs;
};

/*
 * --- The counters of PMUs ------------------------------------------------------------------------
 */

/* Collect the counters that the events of a PMU can use. */
static uint64_t counters_named(struct groups *g, const char *pmu)
{
	const struct names *n = &g->check->names;
	uint64_t named = 0;

	for (int i = 0; i < n->pmus.nr; i++) {
		if (strcmp(n->pmus.at[i].pmu, pmu))
			continue;
		for (int j = 0; j < n->pmus.at[i].nr; j++) {
			struct lint_name name = {
				.is = NAME_EVENT,
				.entry = &n->model->events.at[n->pmus.at[i].first + j],
			};
			struct event_info info;

			names__info(n, &name, &info);
			named |= info.counter_mask;
		}
	}
	return named;
}

static void fill_counters(struct groups *g, const char *pmu, struct fit_pmu *out)
{
	const struct pmu_counters *known;
	int general, fixed;

	vec__for_each (known, &g->check->model->counters) {
		if (strcmp(pool__str(&g->check->tree->pool, known->pmu), pmu))
			continue;
		*out = fit__pmu(known->general, known->fixed);
		return;
	}
	if (g->check->names.base && tables__counters(g->check->names.base, pmu, &general, &fixed))
		*out = fit__pmu(general, fixed);
}

/* Find a PMU, or add it. Return: number of the PMU, or -1 if its counters are unknown. */
static int check_groups__find_pmu(struct groups *g, const char *pmu)
{
	struct pmu_known known = { .name = pmu, .fit = fit__pmu(0, 0) };

	for (int i = 0; i < g->pmus.nr; i++)
		if (!strcmp(g->pmus.at[i].name, pmu))
			return g->pmus.at[i].fit.counters ? i : -1;
	fill_counters(g, pmu, &known.fit);
	/* A counter exists if any event can use it. */
	known.fit.counters |= counters_named(g, pmu);
	vec__push(&g->pmus, known);
	return known.fit.counters ? g->pmus.nr - 1 : -1;
}

/*
 * --- The events of metrics
 * ------------------------------------------------------------------------
 */

static void check_groups__describe(struct groups *g, const char *pmu, const struct event_id *id,
				   struct counted *out)
{
	struct event_info info;
	struct lint_name name;

	names__event(&g->check->names, pmu, id, &name);
	/* Latencies are sampled, not counted. */
	if ((name.is != NAME_EVENT && name.is != NAME_KERNELS) || !name.pmu ||
	    strchr(id->modifiers, 'R'))
		return;
	names__info(&g->check->names, &name, &info);
	out->terms = arena__keep(&g->check->memory, xasprintf("%s%s%s", info.terms,
							      name.more ? "," : "",
							      name.more ?: ""));
	info.name = out->text;
	info.terms = out->terms;
	out->fit = fit__event(&info);
	out->pmu = check_groups__find_pmu(g, name.pmu);
}

/* Find an event in a metric of @pmu, or add it. Return: number of the event. */
static int find_counted(struct groups *g, const char *pmu, const char *text)
{
	struct counted counted = { .pmu = -1 };
	char *key = xasprintf("%s\t%s", pmu, text);
	int i = strmap__add(g->index, key, g->counted.nr);
	struct event_id id;

	free(key);
	if (i < g->counted.nr)
		return i;
	counted.text = arena__keep(&g->check->memory, xstrdup(text));
	if (!event_id__split(text, &id, NULL)) {
		check_groups__describe(g, pmu, &id, &counted);
		event_id__free(&id);
	}
	vec__push(&g->counted, counted);
	return i;
}

static bool check_groups__has_event(void *arg, const char *id)
{
	const struct kind *kind = arg;

	(void)id;
	return kind->has_event;
}

static void check_groups__assume(struct literals *literals, const char *name, double value)
{
	literals->value[literal__find(name, strlen(name))] = value;
}

static void add_need(struct groups *g, int event, struct group_needs *out)
{
	if (g->counted.at[event].pmu >= 0 && out->events.nr < MAX_NEEDED &&
	    !array__has(out->events.at, out->events.nr, event))
		vec__push(&out->events, event);
}

static void add_needs(struct groups *g, const struct group_needs *more, struct group_needs *out)
{
	for (int i = 0; i < more->events.nr; i++)
		add_need(g, more->events.at[i], out);
}

/* The events that a metric needs, which are known at this point, replace the metric. */
static void add_id(struct groups *g, const char *pmu, const char *id, struct group_needs *out)
{
	int metric = names__metric(&g->check->names, pmu, id);

	if (metric < 0)
		add_need(g, find_counted(g, pmu, id), out);
	else
		add_needs(g, &g->needs[metric], out);
}

/* Collect the events that a formula needs on a kind of machine. */
static void check_groups__collect(struct groups *g, const char *pmu, const struct formula *f,
				  const struct kind *kind, struct group_needs *out)
{
	struct metrics_scope scope = { .has_event = check_groups__has_event, .arg = (void *)kind };
	struct literals literals = { .known = ~0u };
	struct idset *ids;
	const char **list;

	if (!f->expr)
		return;
	for (int i = 0; i < LITERAL_NR; i++)
		literals.value[i] = NAN;
	check_groups__assume(&literals, "smt_on", kind->smt_on);
	check_groups__assume(&literals, "core_wide", kind->core_wide);
	check_groups__assume(&literals, "has_pmem", kind->has_pmem);
	ids = ids__collect(&scope, &literals, f->expr);
	list = xcalloc(idset__size(ids), sizeof(*list));
	if (ids)
		idset__list(ids, list);
	for (int i = 0; i < idset__size(ids); i++)
		add_id(g, pmu, list[i], out);
	idset__free(ids);
	free(list);
}

/*
 * --- Checking whether they fit
 * ---------------------------------------------------------------------
 */

/* Gather the events of one PMU; add slots if there are TopDown metric events without it. */
static int check_groups__gather(const struct groups *g, int pmu, const struct group_needs *needs,
				struct fit_event *events)
{
	bool has_slots = fit__has_slots(&g->pmus.at[pmu].fit);
	unsigned int set = 0;
	int nr = 0;

	for (int i = 0; i < needs->events.nr && nr < FIT_MAX_EVENTS; i++) {
		const struct counted *counted = &g->counted.at[needs->events.at[i]];

		if (counted->pmu != pmu)
			continue;
		/* E-cores count events with these names on any counter. */
		if (counted->fit.topdown && !has_slots)
			continue;
		set |= topdown__bit(counted->fit.topdown);
		events[nr++] = counted->fit;
	}
	if (topdown__lacks_slots(set))
		events[nr++] = fit__slots();
	return nr;
}

static struct fit_pmu counters_of(const struct groups *g, const struct checked *m, int pmu)
{
	struct fit_pmu fit = g->pmus.at[pmu].fit;

	/* With NO_GROUP_EVENTS_SMT, a group is only used with SMT off. */
	if (m->entry->event.flag[FLAG_CONSTRAINT] == METRIC_NO_GROUP_EVENTS_SMT &&
	    names__is_core(g->pmus.at[pmu].name))
		fit.counters |= (1ull << SMT_COUNTERS) - 1;
	return fit;
}

/*
 * Tell whether events fit into the counters; if not, append the reason to @why unless it is NULL.
 */
static bool fits(const struct groups *g, const struct checked *m, const struct group_needs *needs,
		 struct sb *why)
{
	struct fit_event events[FIT_MAX_EVENTS + 1];
	struct fit_conflict conflict;

	for (int i = 0; i < g->pmus.nr; i++) {
		int nr = check_groups__gather(g, i, needs, events);
		struct fit_pmu pmu = counters_of(g, m, i);

		if (fit__possible(&pmu, events, nr, &conflict))
			continue;
		if (why)
			fit__explain(&pmu, events, nr, &conflict, why);
		return false;
	}
	return true;
}

static bool is_grouped(const struct checked *m)
{
	return m->value.expr && m->entry->event.flag[FLAG_CONSTRAINT] != METRIC_NO_GROUP_EVENTS;
}

static void add_misfit(struct groups *g, const struct checked *m, enum lint_kind kind,
		       const char *what, const struct group_needs *needs)
{
	struct sb why = SB_INIT;

	fits(g, m, needs, &why);
	lint__add(g->check->lint, check__place(g->check, m->entry, m->value.field), kind,
		  "the events of metric %s%s do not fit the counters: %s", m->name, what,
		  sb__str(&why));
	sb__free(&why);
}

/*
 * Check a metric on a further kind of machine. After the last kind, report the metric if its events
 * fit on none.
 */
static void check_groups__judge(struct groups *g, int number, const struct kind *kind, bool last)
{
	const struct checked *m = &g->check->metrics[number];
	bool with_threshold = m->threshold.expr &&
			      m->entry->event.flag[FLAG_CONSTRAINT] != METRIC_NO_THRESHOLD_NMI;
	struct group_needs *needs = &g->needs[number], all = {.events = {.at = NULL}};

	add_needs(g, needs, &all);
	if (with_threshold)
		check_groups__collect(g, m->pmu, &m->threshold, kind, &all);
	needs->fit = needs->fit || fits(g, m, needs, NULL);
	needs->all_fit = needs->all_fit || (needs->fit && fits(g, m, &all, NULL));
	if (last && !needs->fit)
		add_misfit(g, m, LINT_GROUP, "", needs);
	else if (last && !needs->all_fit)
		add_misfit(g, m, LINT_GROUP_THRESHOLD, " and its threshold", &all);
	vec__free(&all.events);
}

static void judge_all(struct groups *g, const struct kind *kind, bool last)
{
	struct model_check *c = g->check;

	for (int i = 0; i < c->order.nr; i++) {
		int number = c->order.at[i];

		g->needs[number].events.nr = 0;
		check_groups__collect(g, c->metrics[number].pmu, &c->metrics[number].value, kind,
				      &g->needs[number]);
	}
	for (int i = 0; i < c->model->metrics.nr; i++)
		if (is_grouped(&c->metrics[i]) && !g->needs[i].all_fit)
			check_groups__judge(g, i, kind, last);
}

void check__groups(struct model_check *c)
{
	int nr = c->model->metrics.nr;
	struct groups g = {
		.check = c,
		.index = strmap__new(),
		.needs = arena__calloc(&c->memory, nr, sizeof(*g.needs)),
	};

	for (int i = 0; i < NR_KINDS; i++)
		judge_all(&g, &kinds[i], i == NR_KINDS - 1);
	for (int i = 0; i < nr; i++)
		vec__free(&g.needs[i].events);
	vec__free(&g.counted);
	vec__free(&g.pmus);
	strmap__free(g.index);
}
