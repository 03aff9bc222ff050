// SPDX-License-Identifier: GPL-2.0-only
/*
 * Events of a metric which the counters cannot hold at the same time, although they are to be one
 * group. Which events it needs can depend on the machine (#smt_on and the like): a finding is only
 * what fits on none of some kinds.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/strmap.h"
#include "lint/internal.h"
#include "metrics/ids.h"
#include "metrics/metrics.h"
#include "plan/fit.h"
#include "tables/tables.h"

#define SLOTS_COUNTER (1ull << (FIT_FIXED + 3))
#define MAX_NEEDED                                                                     \
	(4 * FIT_MAX_EVENTS) /* of several PMUs; with more, no group holds them anyway \
			      */
#define SMT_COUNTERS 8	     /* a core whose threads share these has them all with SMT off */

/* Kinds of machine that are looked at. */
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
 * @text: its name in the expression, and terms with those that are added there; both owned
 * @pmu:  index in groups.pmus, -1 for what takes no counter that is told of
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

/* Numbers of events that take a counter. */
struct needs {
	VEC(int) events;
};

/**
 * struct groups - the check of a model
 * @index: "PMU of the metric, tab, name" to the number in @counted
 * @needs:  of each metric's value, on the kind of machine being looked at
 * @fits, @fits_value: for each metric, whether its events do on some kind of machine, with and
 *          without those of its threshold
 */
struct groups {
	struct model_check *check;
	VEC(struct counted) counted;
	VEC(struct pmu_known) pmus;
	struct strmap *index;
	struct needs *needs;
	bool *fits, *fits_value;
};

/* --- The counters of PMUs -----------------------------------------------------------------------
 */

/* What the events say they can use, where no number of counters is told. */
static uint64_t counters_named(struct groups *g, const char *pmu)
{
	const struct names *n = &g->check->names;
	uint64_t named = 0;

	for (int i = 0; i < n->pmus.nr; i++) {
		if (strcmp(n->pmus.at[i].pmu, pmu))
			continue;
		for (int j = 0; j < n->pmus.at[i].nr; j++) {
			struct name name = {
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

static bool counters_told(struct groups *g, const char *pmu, struct fit_pmu *out)
{
	const struct pmu_counters *told;
	int general, fixed;

	vec__for_each (told, &g->check->model->counters) {
		if (strcmp(pool__str(&g->check->tree->pool, told->pmu), pmu))
			continue;
		*out = fit__pmu(told->general, told->fixed);
		return true;
	}
	if (!g->check->names.base || !tables__counters(g->check->names.base, pmu, &general, &fixed))
		return false;
	*out = fit__pmu(general, fixed);
	return true;
}

/* Return: its number, -1 when nothing is known of its counters, or -ENOMEM. */
static int find_pmu(struct groups *g, const char *pmu)
{
	struct pmu_known known = { .name = pmu, .fit = fit__pmu(0, 0) };
	uint64_t named;

	for (int i = 0; i < g->pmus.nr; i++)
		if (!strcmp(g->pmus.at[i].name, pmu))
			return g->pmus.at[i].fit.counters ? i : -1;
	named = counters_named(g, pmu);
	counters_told(g, pmu, &known.fit);
	/* An event which can use a counter proves that it is there. */
	known.fit.counters |= named;
	if (vec__push(&g->pmus, known))
		return -ENOMEM;
	return known.fit.counters ? g->pmus.nr - 1 : -1;
}

/* --- The events of metrics
 * ------------------------------------------------------------------------ */

static int describe(struct groups *g, const char *pmu, const struct event_id *id,
		    struct counted *out)
{
	struct event_info info;
	struct name name;
	struct sb terms = SB_INIT;

	names__event(&g->check->names, pmu, id, &name);
	/* A latency is sampled, not counted. */
	if ((name.is != NAME_EVENT && name.is != NAME_KERNELS) || !name.pmu ||
	    event_id__retire_latency(id))
		return 0;
	names__info(&g->check->names, &name, &info);
	sb__printf(&terms, "%s%s%s", info.terms, name.more ? "," : "", name.more ? name.more : "");
	out->terms = sb__detach(&terms);
	if (!out->terms)
		return -ENOMEM;
	info.name = out->text;
	info.terms = out->terms;
	out->fit = fit__event(&info);
	out->pmu = find_pmu(g, name.pmu);
	return out->pmu == -ENOMEM ? -ENOMEM : 0;
}

/* Return: the number of an event of a metric of @pmu, or -ENOMEM. */
static int find_counted(struct groups *g, const char *pmu, const char *text)
{
	struct counted counted = { .pmu = -1 };
	struct sb key = SB_INIT;
	struct event_id id;
	int i, rc;

	sb__printf(&key, "%s\t%s", pmu, text);
	i = key.err ? -ENOMEM : strmap__get(g->index, sb__str(&key));
	if (i != -1)
		goto out;
	i = g->counted.nr;
	counted.text = strdup(text);
	rc = counted.text ? event_id__split(text, &id, NULL) : -ENOMEM;
	if (!rc) {
		rc = describe(g, pmu, &id, &counted);
		event_id__free(&id);
	}
	if (rc == -ENOMEM || strmap__put(g->index, sb__str(&key), i) ||
	    vec__push(&g->counted, counted)) {
		free(counted.text);
		free(counted.terms);
		i = -ENOMEM;
	}
out:
	sb__free(&key);
	return i;
}

static bool has_event(void *arg, const char *id)
{
	const struct kind *kind = arg;

	(void)id;
	return kind->has_event;
}

static void assume(struct literals *literals, const char *name, double value)
{
	literals->value[literal__find(name, strlen(name))] = value;
}

static int need(struct groups *g, int event, struct needs *out)
{
	if (event < 0)
		return event;
	if (g->counted.at[event].pmu < 0 || out->events.nr == MAX_NEEDED)
		return 0;
	for (int i = 0; i < out->events.nr; i++)
		if (out->events.at[i] == event)
			return 0;
	return vec__push(&out->events, event);
}

/* A metric is replaced by what it needs, which is known by then. */
static int need_id(struct groups *g, const char *pmu, const char *id, struct needs *out)
{
	int metric = names__metric(&g->check->names, pmu, id), rc = 0;

	if (metric < 0)
		return metric == -ENOMEM ? metric : need(g, find_counted(g, pmu, id), out);
	for (int i = 0; !rc && i < g->needs[metric].events.nr; i++)
		rc = need(g, g->needs[metric].events.at[i], out);
	return rc;
}

/* What a formula needs on a kind of machine. */
static int collect(struct groups *g, const char *pmu, const struct formula *f,
		   const struct kind *kind, struct needs *out)
{
	struct metrics_scope scope = { .has_event = has_event, .arg = (void *)kind };
	struct literals literals = { .known = ~0u };
	struct idset *ids = NULL;
	const char **list;
	int rc;

	if (!f->expr)
		return 0;
	for (int i = 0; i < LITERAL_NR; i++)
		literals.value[i] = NAN;
	assume(&literals, "smt_on", kind->smt_on);
	assume(&literals, "core_wide", kind->core_wide);
	assume(&literals, "has_pmem", kind->has_pmem);
	rc = ids__collect(&scope, &literals, f->expr, &ids);
	list = calloc(idset__size(ids) + 1, sizeof(*list));
	if (!rc && !list)
		rc = -ENOMEM;
	if (!rc && ids)
		idset__list(ids, list);
	for (int i = 0; !rc && i < idset__size(ids); i++)
		rc = need_id(g, pmu, list[i], out);
	idset__free(ids);
	free(list);
	return rc;
}

/* --- Whether they fit
 * ------------------------------------------------------------------------------ */

/* The events of one PMU, behind slots where a TopDown metric event is among them. */
static int gather(const struct groups *g, int pmu, const struct needs *needs,
		  struct fit_event *events)
{
	struct fit_event slots = { .name = "slots", .counters = SLOTS_COUNTER, .slots = true };
	bool has_slots = false, has_topdown = false;
	int nr = 0;

	for (int i = 0; i < needs->events.nr && nr < FIT_MAX_EVENTS; i++) {
		const struct counted *counted = &g->counted.at[needs->events.at[i]];

		if (counted->pmu != pmu)
			continue;
		/* E-cores count what has these names like any other event. */
		if ((counted->fit.topdown || counted->fit.slots) &&
		    !(g->pmus.at[pmu].fit.counters & SLOTS_COUNTER))
			continue;
		has_slots |= counted->fit.slots;
		has_topdown |= counted->fit.topdown;
		events[nr++] = counted->fit;
	}
	if (has_topdown && !has_slots)
		events[nr++] = slots;
	return nr;
}

static struct fit_pmu counters_of(const struct groups *g, const struct checked *m, int pmu)
{
	struct fit_pmu fit = g->pmus.at[pmu].fit;

	/* NO_GROUP_EVENTS_SMT: a group is made only where SMT is off. */
	if (m->entry->event.flag[FLAG_CONSTRAINT] == METRIC_NO_GROUP_EVENTS_SMT &&
	    names__is_core(g->pmus.at[pmu].name))
		fit.counters |= (1ull << SMT_COUNTERS) - 1;
	return fit;
}

/* Return: whether they fit, or else why not. */
static bool fits(const struct groups *g, const struct checked *m, const struct needs *needs,
		 struct sb *why)
{
	struct fit_event events[FIT_MAX_EVENTS + 1];
	struct fit_conflict conflict;

	for (int i = 0; i < g->pmus.nr; i++) {
		int nr = gather(g, i, needs, events);
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

static void say(struct groups *g, const struct checked *m, enum lint_kind kind, const char *what,
		const struct needs *needs)
{
	struct place at = check__place(g->check, m->entry, m->value.field);
	struct sb why = SB_INIT;

	fits(g, m, needs, &why);
	g->check->lint->failed |= why.err;
	lint__add(g->check->lint, &at, kind,
		  "the events of metric %s%s do not fit the counters: %s", m->name, what,
		  sb__str(&why));
	sb__free(&why);
}

/* With @last, what fits on no kind of machine is told. */
static int judge(struct groups *g, int number, const struct kind *kind, bool last)
{
	const struct checked *m = &g->check->metrics[number];
	bool with_threshold = m->threshold.expr &&
			      m->entry->event.flag[FLAG_CONSTRAINT] != METRIC_NO_THRESHOLD_NMI;
	struct needs *needs = &g->needs[number], all = { .events = { .at = NULL } };
	int rc = 0;

	for (int i = 0; !rc && i < needs->events.nr; i++)
		rc = need(g, needs->events.at[i], &all);
	if (!rc && with_threshold)
		rc = collect(g, m->pmu, &m->threshold, kind, &all);
	g->fits_value[number] = g->fits_value[number] || fits(g, m, needs, NULL);
	g->fits[number] = g->fits[number] || (g->fits_value[number] && fits(g, m, &all, NULL));
	if (!rc && last && !g->fits_value[number])
		say(g, m, LINT_GROUP, "", needs);
	else if (!rc && last && !g->fits[number])
		say(g, m, LINT_GROUP_THRESHOLD, " and its threshold", &all);
	vec__free(&all.events);
	return rc;
}

static int judge_all(struct groups *g, const struct kind *kind, bool last)
{
	struct model_check *c = g->check;
	int rc = 0;

	for (int i = 0; !rc && i < c->order.nr; i++) {
		int number = c->order.at[i];

		g->needs[number].events.nr = 0;
		rc = collect(g, c->metrics[number].pmu, &c->metrics[number].value, kind,
			     &g->needs[number]);
	}
	for (int i = 0; !rc && i < c->model->metrics.nr; i++)
		if (is_grouped(&c->metrics[i]) && !g->fits[i])
			rc = judge(g, i, kind, last);
	return rc;
}

int check__groups(struct model_check *c)
{
	int nr = c->model->metrics.nr, rc = 0;
	struct groups g = {
		.check = c,
		.index = strmap__new(),
		.needs = calloc(nr + 1, sizeof(*g.needs)),
		.fits = calloc(nr + 1, sizeof(*g.fits)),
		.fits_value = calloc(nr + 1, sizeof(*g.fits_value)),
	};
	struct counted *counted;

	if (!g.index || !g.needs || !g.fits || !g.fits_value)
		rc = -ENOMEM;
	for (int i = 0; !rc && i < NR_KINDS; i++)
		rc = judge_all(&g, &kinds[i], i == NR_KINDS - 1);
	vec__for_each (counted, &g.counted) {
		free(counted->text);
		free(counted->terms);
	}
	for (int i = 0; g.needs && i < nr; i++)
		vec__free(&g.needs[i].events);
	vec__free(&g.counted);
	vec__free(&g.pmus);
	strmap__free(g.index);
	free(g.needs);
	free(g.fits);
	free(g.fits_value);
	return rc;
}
