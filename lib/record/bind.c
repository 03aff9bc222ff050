// SPDX-License-Identifier: GPL-2.0-only
/* Metrics on events that were counted before anyone asked for them. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/err.h"
#include "metrics/idset.h"
#include "plan/counters.h"
#include "plan/plan.h"
#include "plan/serve.h"
#include "record/canon.h"
#include "record/recording.h"

/**
 * struct known - an event of the file, ready to be compared
 * @code: of one of a core PMU
 * @core: it is one
 * @group: place of its group's leader
 * @pool: place of the first event that competes for the same counters, or OFFERS_NO_POOL
 */
struct known {
	struct event *event;
	struct canon canon;
	struct code code;
	bool core;
	int group, pool;
};

/**
 * struct binding - a call of recording__bind()
 * @user_only: nothing of the hardware was counted in the kernel: "EVENT" is served by "EVENT:u"
 * @missing: the first id that nothing serves, or NULL
 */
struct binding {
	struct recording *r;
	struct plan *plan;
	const struct metrics_scope *scope;
	struct known *known;
	int nr;
	bool user_only;
	const char *missing;
	struct metric_list full, bare;
};

static bool is_kernel_made(const struct event *e)
{
	return e->tool || (e->pmu && pmu__is_software(e->pmu)) ||
	       e->attr.type == PERF_TYPE_SOFTWARE || e->attr.type == PERF_TYPE_TRACEPOINT;
}

/* What the tables call the PMU of an event. */
static const char *table_pmu(const struct event *e, char *buf, int size)
{
	return e->pmu ? pmu__table_name(e->pmu, buf, size) : NULL;
}

static int know(struct binding *b, struct event *e, struct known *k)
{
	const char *cpuid = b->scope->machine->cpuid;
	char pmu[CANON_PMU_BYTES];

	k->event = e;
	if (canon__init(&k->canon, e->name))
		return -ENOMEM;
	k->core = !is_kernel_made(e) && (!e->pmu || e->pmu->is_core);
	if (!k->core)
		return 0;
	/* Text has names alone. */
	if (b->r->info.text && e->attr.type != PERF_TYPE_HARDWARE)
		k->code = canon__code(&k->canon, cpuid, b->scope->tables,
				      table_pmu(e, pmu, sizeof(pmu)));
	else
		k->code = code__of_attr(&e->attr, cpuid);
	return 0;
}

static bool takes_counter(const struct known *k)
{
	const struct event *e = k->event;

	if (is_kernel_made(e) || e->retire_latency)
		return false;
	return k->core || counters__are_shared(e->pmu);
}

static bool same_counters(const struct pmu *a, const struct pmu *b)
{
	if (a == b || !a || !b)
		return a == b;
	return !a->is_core && !b->is_core && pmu__same_unit(a, b);
}

/* Where an event is among those that are known: leaders stand before their groups. */
static void place(struct binding *b, int at)
{
	struct known *k = &b->known[at];

	k->group = k->pool = at;
	for (int i = at - 1; i >= 0; i--) {
		if (b->known[i].event == k->event->leader)
			k->group = i;
		if (takes_counter(&b->known[i]) &&
		    same_counters(b->known[i].event->pmu, k->event->pmu))
			k->pool = b->known[i].pool;
	}
	if (!takes_counter(k))
		k->pool = OFFERS_NO_POOL;
}

static int know_all(struct binding *b)
{
	const struct event_list *list = b->r->list;
	int rc = 0, hardware = 0;

	b->known = calloc(list->nr + 1, sizeof(*b->known));
	if (!b->known)
		return -ENOMEM;
	b->user_only = true;
	for (int i = 0; !rc && i < list->nr; i++) {
		rc = know(b, list->at[i], &b->known[i]);
		b->nr = i + 1;
		if (!rc)
			place(b, i);
		if (rc || !b->known[i].core)
			continue;
		hardware++;
		if (!strchr(b->known[i].canon.modifiers, 'u'))
			b->user_only = false;
	}
	b->user_only &= hardware > 0;
	return rc;
}

/*
 * "imc" and "uncore_imc" mean every instance; text does not say which PMU an event without one is
 * of.
 */
static bool pmu_fits(const struct known *k, const struct canon *id, const struct metric *metric)
{
	const struct event *e = k->event;
	const char *want = *id->pmu ? id->pmu : metric->info.pmu;
	const struct pmu *pmu = e->pmu;

	if (*id->pmu) {
		if (pmu)
			return pmu__matches(e->pmu, want);
		return !*k->canon.pmu || !strcmp(k->canon.pmu, want);
	}
	/* A metric's events are those of its core type. */
	if (!pmu || !pmu->is_core || !machine__is_hybrid(pmu->machine))
		return true;
	return !strncmp(want, "cpu_", 4) ? !strcmp(pmu->name, want) : true;
}

static bool modifiers_fit(const struct binding *b, const struct known *k, const struct canon *id)
{
	if (!strcmp(k->canon.modifiers, id->modifiers))
		return true;
	return b->user_only && k->core && !*id->modifiers && !strcmp(k->canon.modifiers, "u");
}

static bool counts_id(const struct binding *b, const struct known *k, const struct canon *id,
		   const struct code *code, const struct metric *metric)
{
	if (!modifiers_fit(b, k, id) || !pmu_fits(k, id, metric))
		return false;
	return !strcmp(k->canon.terms, id->terms) || (k->core && code__equal(&k->code, code));
}

/* The events that count an id. */
static int find_offers(const struct binding *b, const struct metric *m, const char *id,
		       struct offers *out)
{
	enum event_tool tool = events__tool(id);
	struct canon canon;
	struct code code;
	int rc = canon__init(&canon, id);

	if (rc)
		return rc;
	canon__add_modifiers(&canon, m->modifier);
	code = canon__code(&canon, b->scope->machine->cpuid, b->scope->tables,
			   *canon.pmu && !strcmp(canon.pmu, "cpu") ? "default_core" :
			   *canon.pmu				   ? canon.pmu :
								     m->info.pmu);
	for (int i = 0; i < b->nr && !rc; i++) {
		const struct known *k = &b->known[i];

		if (tool ? k->event->tool != tool : !counts_id(b, k, &canon, &code, m))
			continue;
		if (!out->list.nr)
			out->pool = k->pool;
		rc = vec__push(&out->list, (struct offer){ k->group, i });
	}
	canon__free(&canon);
	return rc;
}

/* The length of the row is known without having been counted. */
static struct event *add_duration(struct binding *b)
{
	struct event_list *list = &b->plan->events;
	struct event *e;

	if (b->r->duration >= 0)
		return list->at[b->r->duration];
	e = event__new();
	if (!e)
		return NULL;
	e->tool = EVENT_DURATION_TIME;
	e->name = strdup("duration_time");
	event__set_text(&e->unit, "ns");
	event_list__push(list, e);
	b->r->duration = list->nr - 1;
	return e;
}

/* Each id has an event, or needs none. */
static int check_offers(struct binding *b, const struct metric *m, const struct offers *offers)
{
	for (int i = 0; i < m->nr_ids; i++) {
		if (offers[i].list.nr || events__tool(m->ids[i]) == EVENT_DURATION_TIME)
			continue;
		if (!b->missing)
			b->missing = m->ids[i];
		return -ENOENT;
	}
	return 0;
}

static int take_events(struct binding *b, const struct service *s, struct plan_metric *pm)
{
	int nr = service__nr_events(s, pm->metric);

	pm->events = calloc(nr + 1, sizeof(*pm->events));
	if (!pm->events)
		return -ENOMEM;
	/* The first of its instances. */
	for (int i = 0; i < nr; i++) {
		pm->events[i] = s->events[i] >= 0 ? b->known[s->events[i]].event->first :
						    add_duration(b);
		if (!pm->events[i])
			return -ENOMEM;
	}
	return 0;
}

static int bind_ids(struct binding *b, const struct offers *offers, struct plan_metric *pm)
{
	struct service s;
	int rc = service__find(&s, pm->metric, offers);

	rc = rc ?: take_events(b, &s, pm);
	if (!rc) {
		pm->parts = s.parts;
		pm->nr_parts = s.nr_parts;
		s.parts = NULL;
	}
	service__free(&s);
	return rc;
}

static struct event *shown_at(const struct binding *b, struct event **events, int nr)
{
	struct event *first = NULL;

	for (int i = 0; i < nr; i++)
		if (!first || events[i]->index < first->index)
			first = events[i];
	return first ? first : b->plan->events.at[0];
}

static int find_all_offers(const struct binding *b, const struct metric *m, struct offers *offers)
{
	int rc = 0;

	for (int i = 0; i < m->nr_ids && !rc; i++)
		rc = find_offers(b, m, m->ids[i], &offers[i]);
	return rc;
}

/*
 * @pm: the metric's, to get its events; NULL to see whether they are there.
 *
 * Return: 0 with an event for each id; -ENOENT when one is not served; -ENOMEM.
 */
static int find_events(struct binding *b, const struct metric *m, struct plan_metric *pm)
{
	struct offers *offers = calloc(m->nr_ids + 1, sizeof(*offers));
	int rc = offers ? find_all_offers(b, m, offers) : -ENOMEM;

	rc = rc ?: check_offers(b, m, offers);
	if (!rc && pm)
		rc = bind_ids(b, offers, pm);
	for (int i = 0; i < m->nr_ids && offers; i++)
		vec__free(&offers[i].list);
	free(offers);
	return rc;
}

/* Return: as find_events(). */
static int bind_metric(struct binding *b, struct metric *m)
{
	struct plan_metric pm = { .metric = m, .value = -1, .threshold = -1 };
	struct plan *p = b->plan;
	struct sb name = SB_INIT;
	int rc = -ENOMEM;

	sb__puts(&name, m->info.name);
	if (m->modifier)
		sb__printf(&name, ":%s", m->modifier);
	pm.name = sb__detach(&name);
	if (pm.name)
		rc = find_events(b, m, &pm);
	if (!rc) {
		pm.is_default = !strcasecmp(m->request, "Default");
		pm.shown_at = shown_at(b, pm.events, plan_metric__nr_events(&pm));
		rc = vec__reserve_raw(&p->metrics, &p->cap_metrics, p->nr_metrics + 1, sizeof(pm));
	}
	if (!rc) {
		p->metrics[p->nr_metrics++] = pm;
	} else {
		free(pm.events);
		free(pm.parts);
		free(pm.name);
	}
	return rc;
}

/* A metric's place among those printed with the same event: as if it had been grouped. */
struct order {
	int size, place;
};

static int by_size(const void *a, const void *b)
{
	const struct order *l = a, *r = b;

	return l->size != r->size ? l->size - r->size : l->place - r->place;
}

static int size_of(const struct metric *m)
{
	int size = m->nr_ids;

	for (int i = 0; i < m->nr_ids; i++)
		size -= events__tool(m->ids[i]) != EVENT_TOOL_NONE;
	return size;
}

/* With its threshold, or without where the threshold's events are not there. */
static int bind_either(struct binding *b, int place, struct err *why)
{
	struct metric *full = b->full.at[place], *bare = b->bare.at[place];
	struct metric *taken = full;
	int rc;

	b->missing = NULL;
	rc = bind_metric(b, full);
	if (rc == -ENOENT) {
		b->missing = NULL;
		taken = bare;
		rc = bind_metric(b, bare);
	}
	if (rc == -ENOENT)
		return err__set(why, ENOENT, "%s: the recording has no event %s", full->info.name,
				b->missing);
	if (rc || vec__push(&b->plan->owned, taken))
		return -ENOMEM;
	if (taken == full)
		b->full.at[place] = NULL;
	else
		b->bare.at[place] = NULL;
	return 0;
}

static int bind_list(struct binding *b, struct err *err)
{
	struct order *order = calloc(b->full.nr + 1, sizeof(*order));
	struct err first = ERR_INIT;
	int rc = order ? 0 : -ENOMEM;

	for (int i = 0; !rc && i < b->full.nr; i++)
		order[i] = (struct order){ size_of(b->full.at[i]), i };
	if (!rc && b->full.nr)
		qsort(order, b->full.nr, sizeof(*order), by_size);
	for (int i = 0; !rc && i < b->full.nr; i++) {
		struct err why = ERR_INIT;

		rc = bind_either(b, order[i].place, &why);
		if (rc != -ENOENT)
			continue;
		rc = 0;
		sb__printf(&b->plan->warnings, "Left out %s\n", why.msg);
		if (!first.code)
			first = why;
	}
	free(order);
	if (rc || b->plan->warnings.err)
		return recording__no_memory(err);
	if (b->plan->nr_metrics)
		return 0;
	/* The failure says it. */
	sb__clear(&b->plan->warnings);
	if (err)
		*err = first;
	if (b->full.nr > 1)
		err__append(err, "\nNone of the %d metrics asked for can be computed.", b->full.nr);
	return -ENOENT;
}

static int select_both(struct binding *b, const char *names, struct err *err)
{
	struct metrics_scope bare = *b->scope;
	int rc = metrics__select(b->scope, names, false, &b->full, err);

	bare.no_threshold = true;
	return rc ? rc : metrics__select(&bare, names, false, &b->bare, err);
}

/* How many of the metrics have all of their events; -ENOMEM. */
static int count_served(struct binding *b, const struct metric_list *list)
{
	int served = 0, rc = 0;

	for (int i = 0; rc != -ENOMEM && i < list->nr; i++) {
		rc = find_events(b, list->at[i], NULL);
		served += !rc;
	}
	return rc == -ENOMEM ? rc : served;
}

/*
 * Metrics need other events with SMT on. Where a recording does not say whether it was, the events
 * that are there do.
 */
static int guess_smt(struct binding *b, const char *names, struct err *err)
{
	struct machine *m = b->scope->machine;
	struct metrics_scope bare = *b->scope;
	int served[2] = { 0 }, rc = 0;

	if (b->r->info.has_places && !b->r->info.text)
		return 0;
	bare.no_threshold = true;
	for (int smt = 0; !rc && smt < 2; smt++) {
		struct metric_list list = METRIC_LIST_INIT;

		m->smt = smt;
		rc = metrics__select(&bare, names, false, &list, err);
		served[smt] = rc ? 0 : count_served(b, &list);
		metric_list__free(&list);
		if (served[smt] < 0)
			rc = recording__no_memory(err);
	}
	m->smt = served[1] > served[0];
	return rc;
}

bool recording__has_event(void *recording, const char *id)
{
	const struct recording *r = recording;
	struct canon want, have;
	bool found = false;

	if (r->tables && tables__find_event(r->tables, NULL, id) >= 0)
		return true;
	if (canon__init(&want, id))
		return false;
	for (int i = 0; !found && i < r->list->nr; i++) {
		if (!canon__init(&have, r->list->at[i]->name))
			found = !strcmp(want.terms, have.terms);
		canon__free(&have);
	}
	canon__free(&want);
	return found;
}

int recording__bind(struct recording *r, struct plan *plan, const struct metrics_scope *scope,
		    const char *names, bool topdown, struct err *err)
{
	struct binding b = { .r = r, .plan = plan, .scope = scope };
	int rc;

	event_list__splice(&plan->events, &r->events);
	r->list = &plan->events;
	if (!names)
		return plan__finish(plan, err);
	r->tables = scope->tables;
	plan->topdown = topdown;
	if (r->text)
		text__adopt_tables(r, scope->tables);
	rc = know_all(&b) ? recording__no_memory(err) : 0;
	if (!rc)
		rc = guess_smt(&b, names, err);
	if (!rc)
		rc = select_both(&b, names, err);
	if (!rc)
		rc = bind_list(&b, err);
	if (!rc)
		rc = plan__finish(plan, err);
	metric_list__free(&b.full);
	metric_list__free(&b.bare);
	for (int i = 0; i < b.nr; i++)
		canon__free(&b.known[i].canon);
	free(b.known);
	return rc;
}
