// SPDX-License-Identifier: GPL-2.0-only
/* Metrics are computed here on events that were counted before anyone asked for them. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/array.h"
#include "base/err.h"
#include "base/text.h"
#include "base/xalloc.h"
#include "metrics/idset.h"
#include "plan/counters.h"
#include "plan/plan.h"
#include "plan/serve.h"
#include "record/recording.h"
#include "record/text.h"

#define MOST_NAMES 3	     /* of a metric's events are told, and how many more there are */
#define MOST_REASONS 6	     /* are told where no metric can be computed */
#define HYBRID_PREFIX "cpu_" /* names of the core PMUs of a hybrid machine */

/**
 * struct known_event - an event of the file, ready to be compared
 * @named: what its name stands for, or NULL
 * @coded: whose attributes say what was counted: of text, which has names alone, those of @named
 * @core: it is one of a core PMU; @apart: it was counted in another cgroup than the first
 * @group: place of its group's leader
 * @pool: place of the first event that competes for the same counters, or OFFERS_NO_POOL
 */
struct known_event {
	struct event *event;
	const struct event *named, *coded;
	bool core, apart;
	int group, pool;
};

/* An event counts an id by its encoding, or more surely by its name. */
enum match { MATCH_NONE, MATCH_CODE, MATCH_NAME };

/**
 * struct binding - a call of recording__bind()
 * @user_only: nothing of the hardware was counted in the kernel: "EVENT" is served by "EVENT:u"
 * @lacks: the ids of a metric that nothing serves, the first few by name
 * @wanted: all of them, as -e has them, with commas between
 */
struct binding {
	struct recording *r;
	struct plan *plan;
	struct metrics_scope *scope;
	struct known_event *known;
	int nr;
	bool user_only;
	struct sb lacks;
	struct sb wanted;
	struct metric_list full, bare;
};

static void know(struct binding *b, int i)
{
	struct known_event *k = &b->known[i];
	struct event *e = b->r->list->at[i];

	k->event = e;
	k->named = b->r->traits.at[i].named;
	k->apart = b->r->traits.at[i].other_cgroup;
	k->core = !event__is_software(e) && (!e->pmu || e->pmu->is_core);
	k->coded = b->r->info.text && k->named && e->attr.type != PERF_TYPE_HARDWARE ? k->named : e;
}

static bool takes_counter(const struct known_event *k)
{
	const struct event *e = k->event;

	if (event__is_software(e) || e->retire_latency)
		return false;
	return k->core || counters__are_shared(e->pmu);
}

static bool same_counters(const struct pmu *a, const struct pmu *b)
{
	if (a == b || !a || !b)
		return a == b;
	return !a->is_core && !b->is_core && pmu__same_unit(a, b);
}

/*
 * Finds the group and the pool of an event among those that are known; leaders stand before their
 * groups.
 */
static void place(struct binding *b, int at)
{
	struct known_event *k = &b->known[at];

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

/* Tells whether the event was counted in user space only. */
static bool is_of_user(const struct known_event *k)
{
	return k->coded->attr.exclude_kernel && !k->coded->attr.exclude_user;
}

/*
 * Text tells no groups. Those whose rows follow each other and ran for the same time are taken for
 * one: a group is printed in one piece, and runs in one.
 */
static void place_of_text(struct binding *b, int at)
{
	struct known_event *k = &b->known[at], *before = &b->known[at - 1];

	if (at && k->pool != OFFERS_NO_POOL && before->pool == k->pool &&
	    text__ran_together(b->r, at - 1, at)) {
		k->group = before->group;
		k->event->leader = before->event->leader;
	}
}

static void know_all(struct binding *b)
{
	int hardware = 0;

	b->nr = b->r->list->nr;
	b->known = xcalloc(b->nr, sizeof(*b->known));
	b->user_only = true;
	for (int i = 0; i < b->nr; i++) {
		know(b, i);
		place(b, i);
		if (b->r->text)
			place_of_text(b, i);
		if (!b->known[i].core)
			continue;
		hardware++;
		b->user_only &= is_of_user(&b->known[i]);
	}
	b->user_only &= hardware > 0;
}

static bool modes_fit(const struct binding *b, const struct known_event *k, const struct event *id)
{
	if (k->event->retire_latency != id->retire_latency)
		return false;
	if (event__modes(k->coded) == event__modes(id))
		return true;
	return b->user_only && k->core && !event__modes(id) && !id->retire_latency;
}

/* Whether @k counts what an id stands for on one of the PMUs, in whatever mode. */
static enum match match_event(const struct binding *b, const struct known_event *k,
			      const struct event *id)
{
	const struct pmu *pmu = k->event->pmu;
	const char *cpuid = b->scope->machine->cpuid;

	if (k->apart)
		return MATCH_NONE;
	if (k->event->tool || id->tool)
		return k->event->tool == id->tool ? MATCH_NAME : MATCH_NONE;
	/* Text does not say which PMU an event without one is of. */
	if (pmu && id->pmu && pmu != id->pmu)
		return MATCH_NONE;
	if (k->named && event__same_terms(k->named, id))
		return k->named->table_event == id->table_event ? MATCH_NAME : MATCH_CODE;
	return k->core && !event__is_software(id) && event__same_code(k->coded, id, cpuid) ?
		       MATCH_CODE : MATCH_NONE;
}

static enum match match(const struct binding *b, const struct known_event *k,
			const struct event_list *ids)
{
	enum match best = MATCH_NONE;

	for (int i = 0; i < ids->nr; i++) {
		enum match match = match_event(b, k, ids->at[i]);

		if (match > best && (k->event->tool || modes_fit(b, k, ids->at[i])))
			best = match;
	}
	return best;
}

/* Drops the events of other core types than the metric's. */
static void keep_core_type(const struct machine *m, const char *pmu, struct event_list *ids)
{
	int kept = 0;

	if (ids->nr < 2 || !machine__is_hybrid(m) || !text__has_prefix(pmu, HYBRID_PREFIX))
		return;
	for (int i = 0; i < ids->nr; i++) {
		struct event *e = ids->at[i];

		if (e->pmu && e->pmu->is_core && strcmp(e->pmu->name, pmu))
			event__free(e);
		else
			ids->at[kept++] = e;
	}
	ids->nr = kept;
}

/* Finds the events that count an id: those of its name, or else those which count the same. */
static void find_offers(const struct binding *b, const struct metric *m, const char *id,
			struct offers *out)
{
	const struct events_scope scope = recording__scope(b->r, b->scope->tables);
	struct event_list ids = EVENT_LIST_INIT;
	enum match best = MATCH_NONE;

	events__parse_id(&scope, id, m->modifier, &ids, NULL);
	keep_core_type(scope.machine, m->info.pmu, &ids);
	for (int i = 0; i < b->nr; i++) {
		enum match found = match(b, &b->known[i], &ids);

		if (found > best) {
			best = found;
			out->list.nr = 0;
		}
		if (!found || found < best)
			continue;
		if (!out->list.nr)
			out->pool = b->known[i].pool;
		vec__push(&out->list, (struct offer){ b->known[i].group, i });
	}
	event_list__free(&ids);
}

/* Adds the event duration_time: the length of the row is known without having been counted. */
static struct event *add_duration(struct binding *b)
{
	struct event_list *list = &b->plan->events;
	struct event *e;

	if (b->r->duration >= 0)
		return list->at[b->r->duration];
	e = event__new();
	e->name = xstrdup("duration_time");
	event__set_tool(e, EVENT_DURATION_TIME);
	event_list__push(list, e);
	b->r->duration = e->index;
	return e;
}

/*
 * Finds a retire latency that the tables know: nobody need have measured it. Return: the event,
 * which is the caller's, or NULL.
 */
static struct event *find_vendor_latency(const struct binding *b, const struct metric *m,
					 const char *id)
{
	const struct events_scope scope = recording__scope(b->r, b->scope->tables);
	struct event_list ids = EVENT_LIST_INIT;
	struct event *found = NULL;

	events__parse_id(&scope, id, m->modifier, &ids, NULL);
	keep_core_type(scope.machine, m->info.pmu, &ids);
	for (int i = 0; i < ids.nr && !found; i++) {
		if (!ids.at[i]->retire_latency || !(ids.at[i]->vendor_latency.mean > 0))
			continue;
		found = ids.at[i];
		ids.at[i] = ids.at[--ids.nr];
	}
	event_list__free(&ids);
	return found;
}

/* Whether a metric can do without an event of the file for an id. */
static bool needs_no_offer(const struct binding *b, const struct metric *m, const char *id)
{
	struct event *latency;

	if (events__tool(id) == EVENT_DURATION_TIME)
		return true;
	latency = find_vendor_latency(b, m, id);
	event__free(latency);
	return latency;
}

/* Adds a latency that the file does not have, for all metrics that want it. */
static struct event *add_latency(struct binding *b, const struct metric *m, const char *id)
{
	struct event_list *list = &b->plan->events;
	struct event *e = find_vendor_latency(b, m, id);

	for (int i = b->nr; i < list->nr; i++) {
		if (list->at[i]->tool || list->at[i]->pmu != e->pmu ||
		    strcmp(list->at[i]->name, e->name))
			continue;
		event__free(e);
		return list->at[i];
	}
	e->first = e->leader = e;
	e->nr_members = 1;
	event__set_text(&e->unit, "cycles");
	event_list__push(list, e);
	return e;
}

/* Adds what a metric wants and the file need not have. */
static struct event *add_event(struct binding *b, const struct metric *m, const char *id)
{
	return events__tool(id) == EVENT_DURATION_TIME ? add_duration(b) : add_latency(b, m, id);
}

/* Notes what -e would count for a metric's id, each event once. */
static void want(struct sb *wanted, const struct metric *m, const char *id)
{
	struct sb text = SB_INIT;

	events__id_text(id, m->modifier, &text);
	if (!text__has_item(sb__str(wanted), "\n", sb__str(&text)))
		sb__printf(wanted, "%s\n", sb__str(&text));
	sb__free(&text);
}

/* Appends a name to a list which tells the first few; @at: how many were before it. */
static void add_lack(struct sb *lacks, const struct metric *m, const char *id, int at)
{
	if (at >= MOST_NAMES)
		return;
	sb__puts(lacks, at ? ", " : "");
	events__id_text(id, m->modifier, lacks);
}

/*
 * Checks that each id has an event, or needs none. Those that lack one are noted in b->lacks and
 * @wanted.
 */
static int check_offers(struct binding *b, const struct metric *m, const struct offers *offers,
			struct sb *wanted)
{
	int rc = 0, nr = 0;

	sb__clear(&b->lacks);
	for (int i = 0; i < m->nr_ids; i++) {
		if (offers[i].list.nr || needs_no_offer(b, m, m->ids[i]))
			continue;
		add_lack(&b->lacks, m, m->ids[i], nr++);
		if (wanted)
			want(wanted, m, m->ids[i]);
		rc = -ENOENT;
	}
	if (nr > MOST_NAMES)
		sb__printf(&b->lacks, " and %d more", nr - MOST_NAMES);
	return rc;
}

static void bind_ids(struct binding *b, const struct offers *offers, struct plan_metric *pm)
{
	struct parts parts;
	struct service s;
	int nr;

	parts__init(&parts, pm->metric);
	service__find(&s, &parts, offers);
	parts__free(&parts);
	nr = service__nr_events(&s, pm->metric);
	pm->events = xcalloc(nr, sizeof(*pm->events));
	/* The metric is given the first of an event's instances. */
	for (int i = 0; i < nr; i++)
		pm->events[i] = s.events[i] >= 0
					? b->known[s.events[i]].event->first
					: add_event(b, pm->metric,
						    pm->metric->ids[i % pm->metric->nr_ids]);
	pm->parts = s.parts;
	pm->nr_parts = s.nr_parts;
	s.parts = NULL;
	service__free(&s);
}

static struct event *shown_at(const struct binding *b, struct event **events, int nr)
{
	struct event *first = NULL;

	for (int i = 0; i < nr; i++)
		if (!first || events[i]->index < first->index)
			first = events[i];
	return first ? first : b->plan->events.at[0];
}

static void mark_used(const struct metric *m, const struct offers *offers, bool *used)
{
	for (int i = 0; i < m->nr_ids; i++)
		for (int k = 0; k < offers[i].list.nr; k++)
			used[offers[i].list.at[k].event] = true;
}

/*
 * @used: of each event of the file, set where it would do for one of the metric's; or NULL
 * @pm: the metric's, to get its events; NULL to see whether they are there
 * @wanted: told the events that are missing, a line each; or NULL
 *
 * Return: 0; -ENOENT when an id is not served.
 */
static int find_events(struct binding *b, const struct metric *m, bool *used,
		       struct plan_metric *pm, struct sb *wanted)
{
	struct offers *offers = xcalloc(m->nr_ids, sizeof(*offers));
	int rc;

	for (int i = 0; i < m->nr_ids; i++)
		find_offers(b, m, m->ids[i], &offers[i]);
	rc = check_offers(b, m, offers, wanted);
	if (!rc && used)
		mark_used(m, offers, used);
	if (!rc && pm)
		bind_ids(b, offers, pm);
	for (int i = 0; i < m->nr_ids; i++)
		vec__free(&offers[i].list);
	free(offers);
	return rc;
}

/* Takes a metric into the plan, with its events. Return: as find_events(). */
static int bind_metric(struct binding *b, struct metric *m, struct sb *wanted)
{
	struct plan_metric pm = { .metric = m, .value = -1, .threshold = -1 };
	struct plan *p = b->plan;
	int rc = find_events(b, m, NULL, &pm, wanted);

	if (rc)
		return rc;
	pm.is_default = !strcasecmp(m->request, "Default");
	pm.shown_at = shown_at(b, pm.events, plan_metric__nr_events(&pm));
	plan__take_metric(p, pm);
	return 0;
}

/* Metrics which are printed with the same event have this order, as if they had been grouped. */
struct print_order {
	int size, place;
};

static int by_size(const void *a, const void *b)
{
	const struct print_order *l = a, *r = b;

	return l->size != r->size ? l->size - r->size : l->place - r->place;
}

static int size_of(const struct metric *m)
{
	int size = m->nr_ids;

	for (int i = 0; i < m->nr_ids; i++)
		size -= events__tool(m->ids[i]) != EVENT_TOOL_NONE;
	return size;
}

/* "To count what is missing: tma stat -e a,b" */
static void tell_wanted(struct binding *b)
{
	const char *before = "To count the missing events too: -e '";
	int len;

	text__for_each_item(event, len, sb__str(&b->wanted), "\n") {
		sb__printf(&b->plan->warnings, "%s%.*s", before, len, event);
		before = ",";
	}
	if (b->wanted.len)
		sb__puts(&b->plan->warnings, "'\n");
	sb__free(&b->wanted);
}

/* Whether nothing was counted on the core type of a metric, and something on another. */
static bool lacks_core_type(const struct binding *b, const struct metric *m)
{
	bool others = false;

	if (!text__has_prefix(m->info.pmu, HYBRID_PREFIX))
		return false;
	for (int i = 0; i < b->nr; i++) {
		const struct pmu *pmu = b->known[i].event->pmu;

		if (pmu && !strcmp(pmu->name, m->info.pmu))
			return false;
		others |= pmu && text__has_prefix(pmu->name, HYBRID_PREFIX);
	}
	return others;
}

/* Binds a metric with its threshold, or without where the threshold's events are not there. */
static int bind_either(struct binding *b, int place, struct err *why)
{
	struct metric *full = b->full.at[place], *bare = b->bare.at[place];
	struct metric *taken = full;
	int rc;

	rc = bind_metric(b, full, NULL);
	if (rc == -ENOENT) {
		taken = bare;
		rc = bind_metric(b, bare, &b->wanted);
	}
	if (rc == -ENOENT) {
		plan__add_gap(b->plan, full, xstrdup(sb__str(&b->lacks)));
		return err__set(why, ENOENT, "%s: the recording has no event %s", full->info.name,
				sb__str(&b->lacks));
	}
	vec__push(&b->plan->owned, taken);
	if (taken == full)
		b->full.at[place] = NULL;
	else
		b->bare.at[place] = NULL;
	return 0;
}

static int bind_list(struct binding *b, struct err *err)
{
	struct print_order *order = xcalloc(b->full.nr, sizeof(*order));
	struct err all = ERR_INIT;
	const char *absent = NULL;
	int nr_absent = 0, nr_left_out = 0;

	for (int i = 0; i < b->full.nr; i++)
		order[i] = (struct print_order){size_of(b->full.at[i]), i};
	qsort(order, b->full.nr, sizeof(*order), by_size);
	for (int i = 0; i < b->full.nr; i++) {
		struct err why = ERR_INIT;

		if (lacks_core_type(b, b->full.at[order[i].place])) {
			absent = b->full.at[order[i].place]->info.pmu;
			nr_absent++;
			continue;
		}
		if (!bind_either(b, order[i].place, &why))
			continue;
		sb__printf(&b->plan->warnings, "Left out %s\n", why.msg);
		if (!nr_left_out++)
			all = why;
		else if (nr_left_out <= MOST_REASONS)
			err__append(&all, "\n%s", why.msg);
	}
	free(order);
	if (nr_absent)
		sb__printf(&b->plan->warnings,
			   "Left out %d metrics of %s, where nothing was counted\n", nr_absent,
			   absent);
	if (!all.code && nr_absent)
		err__set(&all, ENOENT, "nothing was counted on %s", absent);
	tell_wanted(b);
	if (b->plan->nr_metrics)
		return 0;
	/* The failure says it already. */
	sb__clear(&b->plan->warnings);
	if (err)
		*err = all;
	if (b->full.nr > 1)
		err__append(err, "\nNone of the %d metrics asked for can be computed.", b->full.nr);
	return -ENOENT;
}

/* For metrics_scope: whether no event of the file, in whatever mode, is the one of an id. */
static bool lacks_event(void *arg, const char *id)
{
	const struct binding *b = arg;
	const struct events_scope scope = recording__scope(b->r, b->scope->tables);
	struct event_list ids = EVENT_LIST_INIT;
	bool lacks = true;

	events__parse_id(&scope, id, NULL, &ids, NULL);
	for (int i = 0; i < b->nr; i++)
		for (int k = 0; k < ids.nr; k++)
			lacks &= match_event(b, &b->known[i], ids.at[k]) == MATCH_NONE;
	event_list__free(&ids);
	return lacks;
}

static bool has_event(void *arg, const char *id)
{
	const struct binding *b = arg;

	return recording__has_event(b->r, id);
}

/* Whether a metric is computed, or was asked for. */
static bool is_in_plan(const struct plan *p, const struct metric_info *info)
{
	const struct plan_gap *gap;

	for (int i = 0; i < p->nr_metrics; i++)
		if (!strcmp(p->metrics[i].metric->info.name, info->name) &&
		    !strcmp(p->metrics[i].metric->info.pmu, info->pmu))
			return true;
	vec__for_each(gap, &p->gaps)
		if (!strcmp(gap->name, info->name) && !strcmp(gap->pmu, info->pmu))
			return true;
	return false;
}

/* Whether the file has the events of a metric of the tables. */
static bool is_served(struct binding *b, const struct metric_info *info)
{
	struct metrics_scope scope = *b->scope;
	struct metric_list list = METRIC_LIST_INIT;
	bool served = false;

	scope.no_threshold = true;
	scope.has_event = has_event;
	scope.lacks_event = lacks_event;
	scope.arg = b;
	if (!metrics__select(&scope, info->name, false, &list, NULL))
		for (int i = 0; i < list.nr && !served; i++)
			served = !strcmp(list.at[i]->info.pmu, info->pmu) && list.at[i]->nr_ids &&
				 !find_events(b, list.at[i], NULL, NULL, NULL);
	metric_list__free(&list);
	return served;
}

/* Notes which metrics of the TopDown tree have parts that the file could tell, too. */
static void look_deeper(struct binding *b)
{
	const struct tables *tables = b->scope->tables;

	for (int i = 0; i < b->plan->nr_metrics; i++) {
		struct plan_metric *pm = &b->plan->metrics[i];
		struct metric_info part;

		if (!metrics__topdown_level(&pm->metric->info))
			continue;
		for (int t = 0; tables && !pm->deeper && t < tables__nr_metrics(tables); t++) {
			tables__metric(tables, t, &part);
			if (metrics__related(&pm->metric->info, METRIC_CHILD, &part) &&
			    !is_in_plan(b->plan, &part) && is_served(b, &part))
				pm->deeper = metrics__topdown_level(&part);
		}
	}
}

/* What is unknown does not keep the rest from being computed, and is told of once. */
static int select_each(struct binding *b, const struct metrics_scope *scope, const char *names,
		       struct metric_list *list, struct err *err)
{
	struct err first = ERR_INIT;
	int len;

	text__for_each_item(item, len, names, ",") {
		char *name = xstrndup(item, len);
		struct err why = ERR_INIT;
		int rc = metrics__select(scope, name, false, list, &why);

		free(name);
		if (rc && rc != -ENOENT) {
			if (err)
				*err = why;
			return rc;
		}
		if (rc && !first.code)
			first = why;
		if (rc && list == &b->full)
			sb__printf(&b->plan->warnings, "Left out: %s\n", why.msg);
	}
	if (list->nr || !first.code)
		return 0;
	if (err)
		*err = first;
	return -ENOENT;
}

static int select_metrics(struct binding *b, const char *names, bool bare, struct metric_list *list,
			  struct err *err)
{
	struct metrics_scope scope = *b->scope;

	scope.no_threshold |= bare;
	scope.has_event = has_event;
	scope.lacks_event = lacks_event;
	scope.arg = b;
	return scope.tables ? select_each(b, &scope, names, list, err) :
			      metrics__select(&scope, names, false, list, err);
}

/**
 * struct guess - what formulas depend on, and a file need not say
 * @smt:    cores ran two threads
 * @wide:   all that ran on the cores was counted, and not one task
 * @served: so many metrics have all of their events then, or can do without the others
 * @exact:  so many of these do without none
 * @used:   so many events of the file are theirs
 * @ids:    what these are, a line each
 */
struct guess {
	bool smt, wide;
	int served, exact, used;
	struct sb ids;
};

static void count_served(struct binding *b, const struct metric_list *list, struct guess *g)
{
	bool *used = xcalloc(b->nr, sizeof(*used));

	for (int i = 0; i < list->nr; i++) {
		const struct metric *m = list->at[i];

		if (find_events(b, m, used, NULL, NULL))
			continue;
		g->served++;
		g->exact += !metric__is_approximate(m);
		for (int id = 0; id < m->nr_ids; id++)
			sb__printf(&g->ids, "%s\n", m->ids[id]);
	}
	for (int i = 0; i < b->nr; i++)
		g->used += used[i];
	free(used);
}

static int try_guess(struct binding *b, const char *names, struct guess *g, struct err *err)
{
	struct metric_list list = METRIC_LIST_INIT;
	int rc;

	b->scope->system_wide = g->wide;
	b->scope->machine->smt = g->smt;
	rc = select_metrics(b, names, true, &list, err);
	if (!rc)
		count_served(b, &list, g);
	metric_list__free(&list);
	return rc;
}

static bool is_better(const struct guess *a, const struct guess *than)
{
	if (a->served != than->served)
		return a->served > than->served;
	return a->exact != than->exact ? a->exact > than->exact : a->used > than->used;
}

/* Says what was taken, where metrics would be made of other events with another guess. */
static void tell_guess(struct binding *b, const struct guess *all, int nr,
		       const struct guess *taken)
{
	struct sb *out = &b->plan->warnings;
	bool smt = false, scope = false, tie = false;

	for (const struct guess *g = all; g < all + nr; g++) {
		if (!strcmp(sb__str(&g->ids), sb__str(&taken->ids)))
			continue;
		smt |= g->smt != taken->smt && g->wide == taken->wide;
		scope |= g->wide != taken->wide && g->smt == taken->smt;
		tie |= !is_better(taken, g);
	}
	if (!smt && !scope)
		return;
	sb__printf(out,
		   "%s does not say %s%s%s: metrics are computed as with %s%s%s, %s (--smt and "
		   "--scope override it)\n",
		   b->r->in.name, smt ? "whether SMT was on" : "", smt && scope ? ", nor " : "",
		   scope ? "whether all that ran on the cores was counted" : "",
		   smt ? taken->smt ? "SMT on" : "SMT off" : "", smt && scope ? " and " : "",
		   scope ? taken->wide ? "whole cores counted" : "one task counted" : "",
		   tie ? "as the events do not tell" : "as the events tell");
}

/* What may be so: as told, or both where that is open. Return: how many @values. */
static int choices(enum told told, bool open, bool known, bool values[2])
{
	values[0] = told != TOLD_NOTHING ? told == TOLD_YES : known;
	values[1] = !values[0];
	return told == TOLD_NOTHING && open ? 2 : 1;
}

/*
 * Metrics need other events with SMT on, and others of a task. Where a recording does not say what
 * it was, that is taken for which most metrics have their events, and which has a use for most.
 */
static int guess_host(struct binding *b, const char *names, struct err *err)
{
	const struct recording_info *info = &b->r->info;
	const struct recording_options *opts = &b->r->opts;
	bool smt[2], wide[2];
	int nr_smt = choices(opts->smt, info->text || !info->has_places, false, smt);
	/* A heading says it, the user may know better. */
	enum told scope = opts->core_wide ?: b->r->text ? b->r->text->scope : TOLD_NOTHING;
	int nr_wide = choices(scope, info->text && info->aggr == AGGR_GLOBAL,
			      b->scope->system_wide, wide);
	struct guess all[4] = {0}, *best = all;
	int nr = 0, rc = 0;

	for (int i = 0; i < nr_wide && !rc; i++) {
		for (int j = 0; j < nr_smt && !rc; j++) {
			all[nr].smt = smt[j];
			all[nr].wide = wide[i];
			rc = try_guess(b, names, &all[nr], err);
			if (is_better(&all[nr], best))
				best = &all[nr];
			nr++;
		}
	}
	b->scope->machine->smt = best->smt;
	b->scope->system_wide = best->wide;
	tell_guess(b, all, nr, best);
	for (int i = 0; i < nr; i++)
		sb__free(&all[i].ids);
	return rc;
}

/* Rows of several cgroups are so many counts of the same events. */
static void tell_cgroup(struct binding *b)
{
	const char *cgroup = text__cgroup(b->r);

	if (cgroup)
		sb__printf(&b->plan->warnings,
			   "%s has rows of several cgroups: metrics are those of the first, %s\n",
			   b->r->in.name, cgroup);
}

int recording__bind(struct recording *r, struct plan *plan, struct metrics_scope *scope,
		    const char *names, bool topdown, struct err *err)
{
	struct binding b = { .r = r, .plan = plan, .scope = scope };
	int rc;

	event_list__splice(&plan->events, &r->events);
	r->list = &plan->events;
	if (!names)
		return plan__finish(plan, err);
	recording__parse_names(r, scope->tables);
	plan->topdown = topdown;
	if (r->text)
		text__adopt_tables(r);
	tell_cgroup(&b);
	know_all(&b);
	rc = guess_host(&b, names, err);
	if (!rc)
		rc = select_metrics(&b, names, false, &b.full, err)
			     ?: select_metrics(&b, names, true, &b.bare, err);
	if (!rc)
		rc = bind_list(&b, err);
	if (!rc) {
		look_deeper(&b);
		rc = plan__finish(plan, err);
	}
	metric_list__free(&b.full);
	metric_list__free(&b.bare);
	sb__free(&b.lacks);
	free(b.known);
	return rc;
}
