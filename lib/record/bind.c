// SPDX-License-Identifier: GPL-2.0-only
/* Metrics on events that were counted before anyone asked for them. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/err.h"
#include "metrics/idset.h"
#include "plan/plan.h"
#include "record/canon.h"
#include "record/recording.h"

/**
 * struct known - an event of the file, ready to be compared
 * @code: of one of a core PMU
 * @core: it is one
 */
struct known {
	struct event *event;
	struct canon canon;
	struct code code;
	bool core;
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

static bool serves(const struct binding *b, const struct known *k, const struct canon *id,
		   const struct code *code, const struct metric *metric)
{
	if (!modifiers_fit(b, k, id) || !pmu_fits(k, id, metric))
		return false;
	return !strcmp(k->canon.terms, id->terms) || (k->core && code__equal(&k->code, code));
}

/**
 * struct wanted - an id of a metric
 * @fits: which of the events serve it
 */
struct wanted {
	struct canon canon;
	enum event_tool tool;
	bool *fits;
};

static int want(struct binding *b, const struct metric *m, const char *id, struct wanted *w)
{
	struct code code;

	w->tool = events__tool(id);
	w->fits = calloc(b->nr + 1, sizeof(*w->fits));
	if (!w->fits || canon__init(&w->canon, id))
		return -ENOMEM;
	canon__add_modifiers(&w->canon, m->modifier);
	code = canon__code(&w->canon, b->scope->machine->cpuid, b->scope->tables,
			   *w->canon.pmu && !strcmp(w->canon.pmu, "cpu") ? "default_core" :
			   *w->canon.pmu				 ? w->canon.pmu :
									   m->info.pmu);
	for (int i = 0; i < b->nr; i++)
		w->fits[i] = w->tool ? b->known[i].event->tool == w->tool
				     : serves(b, &b->known[i], &w->canon, &code, m);
	return 0;
}

/* How many of the ids have an event in the group. */
static int group_serves(const struct binding *b, const struct wanted *all, int nr,
			const struct event *leader)
{
	int served = 0;

	for (int i = 0; i < nr; i++)
		for (int e = 0; e < b->nr; e++)
			if (all[i].fits[e] && b->known[e].event->leader == leader) {
				served++;
				break;
			}
	return served;
}

static const struct event *best_group(const struct binding *b, const struct wanted *all, int nr)
{
	const struct event *best = NULL;
	int most = 0;

	for (int e = 0; e < b->nr; e++) {
		const struct event *event = b->known[e].event;
		int served;

		if (event->leader != event)
			continue;
		served = group_serves(b, all, nr, event);
		if (served > most) {
			most = served;
			best = event;
		}
	}
	return best;
}

/* In the group if it is there; the first of its instances. */
static struct event *choose(const struct binding *b, const struct wanted *w,
			    const struct event *group)
{
	struct event *any = NULL;

	for (int e = 0; e < b->nr; e++) {
		struct event *event = b->known[e].event;

		if (!w->fits[e])
			continue;
		if (event->leader == group)
			return event->first;
		if (!any)
			any = event->first;
	}
	return any;
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
	if (!e->name || recording__set_text(&e->unit, "ns") || event_list__push(list, e)) {
		event__free(e);
		return NULL;
	}
	b->r->duration = list->nr - 1;
	return e;
}

static int bind_ids(struct binding *b, const struct metric *m, struct event **events,
		    struct wanted *all)
{
	const struct event *group;
	int rc = 0;

	for (int i = 0; !rc && i < m->nr_ids; i++)
		rc = want(b, m, m->ids[i], &all[i]);
	if (rc)
		return rc;
	group = best_group(b, all, m->nr_ids);
	for (int i = 0; i < m->nr_ids; i++) {
		events[i] = choose(b, &all[i], group);
		if (events[i] || all[i].tool == EVENT_DURATION_TIME)
			continue;
		if (!b->missing)
			b->missing = m->ids[i];
		return -ENOENT;
	}
	for (int i = 0; i < m->nr_ids; i++) {
		if (!events[i])
			events[i] = add_duration(b);
		if (!events[i])
			return -ENOMEM;
	}
	return 0;
}

static struct event *shown_at(const struct binding *b, struct event **events, int nr)
{
	struct event *first = NULL;

	for (int i = 0; i < nr; i++)
		if (!first || events[i]->index < first->index)
			first = events[i];
	return first ? first : b->plan->events.at[0];
}

/* Return: 0 with an event for each id; -ENOENT when one is not served; -ENOMEM. */
static int find_events(struct binding *b, const struct metric *m, struct event **events)
{
	struct wanted *all = calloc(m->nr_ids + 1, sizeof(*all));
	int rc = all ? bind_ids(b, m, events, all) : -ENOMEM;

	for (int i = 0; all && i < m->nr_ids; i++) {
		canon__free(&all[i].canon);
		free(all[i].fits);
	}
	free(all);
	return rc;
}

/* Return: as find_events(). */
static int bind_metric(struct binding *b, struct metric *m)
{
	struct plan_metric pm = { .metric = m, .value = -1, .threshold = -1 };
	struct plan *p = b->plan;
	struct sb name = SB_INIT;
	int rc = -ENOMEM;

	pm.events = calloc(m->nr_ids + 1, sizeof(*pm.events));
	sb__puts(&name, m->info.name);
	if (m->modifier)
		sb__printf(&name, ":%s", m->modifier);
	pm.name = sb__detach(&name);
	if (pm.events && pm.name)
		rc = find_events(b, m, pm.events);
	if (!rc) {
		pm.is_default = !strcasecmp(m->request, "Default");
		pm.shown_at = shown_at(b, pm.events, m->nr_ids);
		rc = vec__reserve_raw(&p->metrics, &p->cap_metrics, p->nr_metrics + 1, sizeof(pm));
	}
	if (!rc) {
		p->metrics[p->nr_metrics++] = pm;
	} else {
		free(pm.events);
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
		struct event **events = calloc(list->at[i]->nr_ids + 1, sizeof(*events));

		rc = events ? find_events(b, list->at[i], events) : -ENOMEM;
		served += !rc;
		free(events);
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

	if (event_list__splice(&plan->events, &r->events))
		return recording__no_memory(err);
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
