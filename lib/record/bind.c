// SPDX-License-Identifier: GPL-2.0-only
/* Computes metrics from events that were counted before, for whatever purpose. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/auto.h"
#include "base/err.h"
#include "base/text.h"
#include "base/xalloc.h"
#include "metrics/idset.h"
#include "record/bind.h"
#include "record/text.h"

#define MOST_NAMES 3   /* most events of a metric that are listed by name */
#define HAS_EVENT "has_event("
#define MOST_REASONS 6 /* number of events that are listed if no metric can be computed */

/* Add the event duration_time, because the length of a row is known even if it was not counted. */
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
 * Find a retire latency that is in the tables and needs no measurement. Return: the event, which
 * the caller owns, or NULL.
 */
static struct event *find_vendor_latency(const struct binding *b, const struct metric *m,
					 const char *id)
{
	const struct events_scope scope = recording__scope(b->r, b->scope->tables);
	struct event_list ids = EVENT_LIST_INIT;
	struct event *found = NULL;

	events__parse_id(&scope, id, m->modifier, &ids, NULL);
	binding__keep_core_type(scope.machine, m->info.pmu, &ids);
	for (int i = 0; i < ids.nr && !found; i++) {
		if (!ids.at[i]->retire_latency || !(ids.at[i]->vendor_latency.mean > 0))
			continue;
		found = ids.at[i];
		ids.at[i] = ids.at[--ids.nr];
	}
	event_list__free(&ids);
	return found;
}

/* Whether an id of a metric does not need an event of the file. */
static bool needs_no_offer(const struct binding *b, const struct metric *m, const char *id)
{
	struct event *latency;

	if (events__tool(id) == EVENT_DURATION_TIME)
		return true;
	latency = find_vendor_latency(b, m, id);
	event__free(latency);
	return latency;
}

/* Add a latency that the file does not have, for all metrics that use it. */
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

/* Add an event that a metric uses and that the file may lack. */
static struct event *bind__add_event(struct binding *b, const struct metric *m, const char *id)
{
	return events__tool(id) == EVENT_DURATION_TIME ? add_duration(b) : add_latency(b, m, id);
}

/* Add the -e text of a metric's id to a list without duplicates. */
static void want(struct sb *wanted, const struct metric *m, const char *id)
{
	struct sb text = SB_INIT;

	events__id_text(id, m->modifier, &text);
	if (!text__has_item(sb__str(wanted), "\n", sb__str(&text)))
		sb__printf(wanted, "%s\n", sb__str(&text));
	sb__free(&text);
}

/* Append a name to a list of the first few; @at: number of earlier names. */
static void add_lack(struct sb *lacks, const struct metric *m, const char *id, int at)
{
	if (at >= MOST_NAMES)
		return;
	sb__puts(lacks, at ? ", " : "");
	events__id_text(id, m->modifier, lacks);
}

/*
 * Check that each id has an event, or does not need one. Missing events are added to b->lacks and
 * @wanted.
 */
static int check_candidates(struct binding *b, const struct metric *m,
			    const struct id_matches *found, struct sb *wanted)
{
	int rc = 0, nr = 0;

	sb__clear(&b->lacks);
	for (int i = 0; i < m->nr_ids; i++) {
		if (found[i].list.nr || needs_no_offer(b, m, m->ids[i]))
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

static void bind_ids(struct binding *b, const struct id_matches *found, struct plan_metric *pm)
{
	struct service s;
	int nr;

	binding__choose(b, pm->metric, found, &s);
	nr = service__nr_events(&s, pm->metric);
	pm->events = xcalloc(nr, sizeof(*pm->events));
	/* If an event has several instances, the metric gets the first. */
	for (int i = 0; i < nr; i++)
		pm->events[i] = s.events[i] >= 0
					? b->known[s.events[i]].event->first
					: bind__add_event(b, pm->metric,
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

static void mark_used(const struct metric *m, const struct id_matches *found, bool *used)
{
	for (int i = 0; i < m->nr_ids; i++) {
		const struct id_match *c;

		vec__for_each(c, &found[i].list)
			used[c->event] |= c->match == found[i].best;
	}
}

int binding__find_events(struct binding *b, const struct metric *m, bool *used,
			 struct plan_metric *pm, struct sb *wanted)
{
	struct id_matches *found = xcalloc(m->nr_ids, sizeof(*found));
	int rc;

	for (int i = 0; i < m->nr_ids; i++)
		binding__find_candidates(b, m, m->ids[i], &found[i]);
	rc = check_candidates(b, m, found, wanted);
	if (!rc && used)
		mark_used(m, found, used);
	if (!rc && pm)
		bind_ids(b, found, pm);
	for (int i = 0; i < m->nr_ids; i++)
		vec__free(&found[i].list);
	free(found);
	return rc;
}

/*
 * A formula may avoid events that a machine lacks ("x / y if has_event(x) else 0"). If none of its
 * events was counted, its value is meaningless. Return: whether this is so; the events in
 * has_event() are then missing.
 */
static bool asks_in_vain(struct binding *b, const struct metric *m, struct sb *wanted)
{
	auto_free(sb) asked = SB_INIT;
	const char *at = m->info.expr;
	int nr = 0;

	sb__clear(&b->lacks);
	while (!m->nr_ids && (at = strstr(at, HAS_EVENT))) {
		auto_text id = NULL;

		at += strlen(HAS_EVENT);
		id = xstrndup(at, strcspn(at, ")"));
		/* Several branches may ask for the same event. */
		if (text__has_item(sb__str(&asked), "\n", id))
			continue;
		sb__printf(&asked, "%s\n", id);
		add_lack(&b->lacks, m, id, nr++);
		if (wanted)
			want(wanted, m, id);
	}
	return nr;
}

/* Put a metric into the plan, with its events. Return: like binding__find_events(). */
static int bind_metric(struct binding *b, struct metric *m, struct sb *wanted)
{
	struct plan_metric pm = { .metric = m, .value = -1, .threshold = -1 };
	struct plan *p = b->plan;
	int rc = asks_in_vain(b, m, wanted) ? -ENOENT :
					      binding__find_events(b, m, NULL, &pm, wanted);

	if (rc)
		return rc;
	pm.is_default = !strcasecmp(m->request, "Default");
	pm.shown_at = shown_at(b, pm.events, plan_metric__nr_events(&pm));
	plan__take_metric(p, pm);
	return 0;
}

/* The order of metrics that are printed with one event, as if the metrics had been grouped. */
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

/* Append a line with the option -e that counts the missing events, too. */
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

/* Whether no event of a metric's core type was counted, but events of other types were. */
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

/*
 * Bind a metric with its threshold. If events of the threshold are missing, bind it without the
 * threshold.
 */
static int bind_either(struct binding *b, int place, struct err *why)
{
	struct metric *full = b->full.at[place], *bare = b->bare.at[place];
	struct metric *taken = full;
	bool of_type = text__has_prefix(full->info.pmu, HYBRID_PREFIX);
	int rc;

	rc = bind_metric(b, full, NULL);
	if (rc == -ENOENT) {
		taken = bare;
		rc = bind_metric(b, bare, &b->wanted);
	}
	if (rc == -ENOENT) {
		plan__add_gap(b->plan, full, xstrdup(sb__str(&b->lacks)));
		return err__set(why, ENOENT, "%s%s%s: the recording has no event %s",
				full->info.name, of_type ? " of " : "",
				of_type ? full->info.pmu : "", sb__str(&b->lacks));
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
	/* The error already includes this text. */
	sb__clear(&b->plan->warnings);
	if (err)
		*err = all;
	if (b->full.nr > 1)
		err__append(err, "\nNone of the %d requested metrics can be computed.", b->full.nr);
	return -ENOENT;
}

/* For metrics_scope: whether no event of the file counts an id, in any mode. */
static bool lacks_event(void *arg, const char *id)
{
	const struct binding *b = arg;
	const struct events_scope scope = recording__scope(b->r, b->scope->tables);
	struct event_list ids = EVENT_LIST_INIT;
	bool lacks = true;

	events__parse_id(&scope, id, NULL, &ids, NULL);
	for (int i = 0; i < b->nr; i++)
		for (int k = 0; k < ids.nr; k++)
			lacks &= binding__match(b, &b->known[i], ids.at[k]) == MATCH_NONE;
	event_list__free(&ids);
	return lacks;
}

static bool bind__has_event(void *arg, const char *id)
{
	const struct binding *b = arg;

	return recording__has_event(b->r, id);
}

/* Whether a metric is computed, or was requested. */
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
	scope.has_event = bind__has_event;
	scope.lacks_event = lacks_event;
	scope.arg = b;
	if (!metrics__select(&scope, info->name, false, &list, NULL))
		for (int i = 0; i < list.nr && !served; i++)
			served = !strcmp(list.at[i]->info.pmu, info->pmu) && list.at[i]->nr_ids &&
				 !binding__find_events(b, list.at[i], NULL, NULL, NULL);
	metric_list__free(&list);
	return served;
}

/* Find metrics of the TopDown tree that have children with events in the file. */
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

/* An unknown metric does not keep other metrics from being computed, and is named once. */
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

int binding__select(struct binding *b, const char *names, bool bare, struct metric_list *list,
		    struct err *err)
{
	struct metrics_scope scope = *b->scope;

	scope.no_threshold |= bare;
	scope.has_event = bind__has_event;
	scope.lacks_event = lacks_event;
	scope.arg = b;
	return scope.tables ? select_each(b, &scope, names, list, err) :
			      metrics__select(&scope, names, false, list, err);
}

/* Warn if nothing shows on how many CPUs the TSC was counted: in a table, only a clock does. */
static void tell_tsc(struct binding *b)
{
	const struct text *t = b->r->text;
	bool tsc = false, clock = false;

	for (int i = 0; t && t->is_table && i < b->nr; i++) {
		tsc |= text__is_tsc(b->known[i].event);
		clock |= event__is_clock(b->known[i].event);
	}
	if (tsc && !clock)
		sb__printf(&b->plan->warnings,
			   "%s does not show on how many CPUs TSC was counted, and has no clock that "
			   "shows it: one CPU is assumed\n",
			   b->r->in.name);
}

/* Bind a metric of the plan to the events of another cgroup, too. */
static void bind_in_cgroup(struct binding *b, const struct plan_metric *of)
{
	struct plan_metric pm = { .metric = of->metric, .value = -1, .threshold = -1,
				  .is_default = of->is_default };

	if (binding__find_events(b, of->metric, NULL, &pm, NULL)) {
		sb__printf(&b->plan->warnings, "Left out %s in %s: the recording has no event %s\n",
			   of->name, b->cgroup->name, sb__str(&b->lacks));
		return;
	}
	pm.shown_at = shown_at(b, pm.events, plan_metric__nr_events(&pm));
	plan__take_metric(b->plan, pm);
}

/*
 * If only metrics are printed, each cgroup gets a line of its own. The file must have the same
 * events for each cgroup, one cgroup after another, and each cgroup must have all @nr_metrics.
 */
static void set_blocks(const struct recording *r, struct plan *p, int nr_metrics)
{
	const struct cgroup_list *cgroups = text__cgroups(r);
	int nr, nr_all = r->traits.nr;

	if (cgroups->nr < 2)
		return;
	nr = nr_all / cgroups->nr;
	/* Added events come last, and do not belong to a cgroup. */
	if (nr * cgroups->nr != nr_all || p->events.nr - nr_all >= cgroups->nr ||
	    p->nr_metrics != nr_metrics * cgroups->nr)
		return;
	for (int i = 0; i < nr_all; i++)
		if (p->events.at[i]->cgroup != cgroups->at[i / nr] ||
		    strcmp(p->events.at[i]->name, p->events.at[i % nr]->name))
			return;
	p->nr_cgroups = cgroups->nr;
}

/* Bind metrics for each cgroup: several cgroups have counts of the same events. */
static void bind_cgroups(struct binding *b)
{
	const struct cgroup_list *cgroups = text__cgroups(b->r);
	int nr = b->plan->nr_metrics;

	for (int c = 1; c < cgroups->nr; c++) {
		b->cgroup = cgroups->at[c];
		for (int i = 0; i < nr; i++)
			bind_in_cgroup(b, &b->plan->metrics[i]);
	}
	set_blocks(b->r, b->plan, nr);
	b->cgroup = cgroups->nr ? cgroups->at[0] : NULL;
}

int recording__bind(struct recording *r, struct plan *plan, struct metrics_scope *scope,
		    const char *names, bool topdown, struct err *err)
{
	struct binding b = { .r = r, .plan = plan, .scope = scope };
	int rc;

	event_list__splice(&plan->events, &r->events);
	r->list = &plan->events;
	if (!names) {
		set_blocks(r, plan, 0);
		return plan__finish(plan, err);
	}
	recording__parse_names(r, scope->tables);
	plan->topdown = topdown;
	if (r->text)
		text__adopt_tables(r);
	if (text__cgroups(r)->nr)
		b.cgroup = text__cgroups(r)->at[0];
	binding__prepare_events(&b);
	rc = binding__guess_host(&b, names, err);
	if (!rc)
		rc = binding__select(&b, names, false, &b.full, err)
			     ?: binding__select(&b, names, true, &b.bare, err);
	if (!rc)
		rc = bind_list(&b, err);
	if (!rc) {
		bind_cgroups(&b);
		tell_tsc(&b);
		look_deeper(&b);
		rc = plan__finish(plan, err);
	}
	metric_list__free(&b.full);
	metric_list__free(&b.bare);
	sb__free(&b.lacks);
	free(b.known);
	return rc;
}
