// SPDX-License-Identifier: GPL-2.0-only
/* Walks the events, and the metrics in their groups, and picks the ones that are asked for. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/sb.h"
#include "base/strmap.h"
#include "base/text.h"
#include "base/vec.h"
#include "base/xalloc.h"
#include "count/kernel.h"
#include "list/list.h"
#include "machine/machine.h"
#include "metrics/metrics.h"

/* --- Selection -------------------------------------------------------------------------------- */

static bool hit(const struct list_pattern *p, const char *text)
{
	return p->glob ? text__match(p->glob, text, true) : strcasestr(text, p->text) != NULL;
}

static bool hits_event(const struct list_pattern *p, const struct event_name *e)
{
	if (hit(p, e->name) || (*e->alias && hit(p, e->alias)) || (*e->topic && hit(p, e->topic)))
		return true;
	return e->on && !p->glob && pmu__matches(e->on, p->text);
}

bool list__names(const struct list *l, const char *name)
{
	return !l->patterns.nr || vec__find(pattern, &l->patterns, hit(pattern, name));
}

bool list__wants_unit(const struct list *l, struct pmu *on)
{
	if (l->cputype && !(on && is_core_type(on, l->cputype)))
		return false;
	return !l->unit || (on && pmu__matches(on, l->unit));
}

/*
 * Return: whether the options allow an event that all instances of a unit have; @on is the first.
 */
static bool wants_any_of_unit(const struct list *l, struct pmu *on)
{
	const struct pmu *one = l->unit ? machine__pmu(l->host.machine, l->unit) : NULL;

	return list__wants_unit(l, on) || (!l->cputype && on && one && pmu__same_unit(one, on));
}

static bool matches_event(struct list *l, const struct event_name *e)
{
	bool is_instance = l->instances && !e->info, found = !l->patterns.nr;
	struct list_pattern *p;

	if (e->deprecated && !l->deprecated && !l->write->all)
		return false;
	/* Scripts use a list without patterns, so it has only names that perf has. */
	if (e->newer && !l->patterns.nr && l->kinds != 1u << NAME_KIND_TOOL)
		return false;
	if (!(is_instance ? list__wants_unit(l, e->on) : wants_any_of_unit(l, e->on)))
		return false;
	vec__for_each(p, &l->patterns)
		if (hits_event(p, e))
			p->found = found = true;
	return found;
}

static bool matches_metric(struct list *l, const struct list_metric *m)
{
	bool found = !l->patterns.nr;
	struct list_pattern *p;

	if ((l->unit || l->cputype) &&
	    !list__wants_unit(l, machine__pmu(l->host.machine, m->pmu)))
		return false;
	vec__for_each(p, &l->patterns)
		if ((l->metrics && hit(p, m->info.name)) || (l->groups && hit(p, m->group)))
			p->found = found = true;
	return found;
}

/* --- Events ------------------------------------------------------------------------------- */

/*
 * Return: whether an event can be opened. Some events can be opened only if the kernel is excluded,
 * and some only if guests are excluded too: also try these.
 */
static bool counts(const struct event_name *e)
{
	const struct count_kernel *kernel = &count_kernel__linux;
	struct perf_event_attr attr = {
		.size = sizeof(attr),
		.type = e->type,
		.config = e->config,
		.disabled = 1,
	};
	int fd;

	for (int attempt = 0; attempt < 3; attempt++) {
		attr.exclude_kernel = attempt > 0;
		attr.exclude_guest = attempt > 1;
		fd = kernel->open(&attr, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
		if (fd >= 0) {
			kernel->close(fd);
			return true;
		}
		/*
		 * With these errors, a counter, descriptor or memory is missing: the event itself
		 * may work.
		 */
		if (errno == EMFILE || errno == ENFILE || errno == EBUSY || errno == ENOMEM)
			return true;
	}
	return errno == EACCES || errno == EPERM;
}

static bool is_available(const struct list *l, const struct event_name *e)
{
	switch (e->kind) {
	case NAME_KIND_HARDWARE:
	case NAME_KIND_SOFTWARE:
	case NAME_KIND_CACHE:
		return counts(e);
	case NAME_KIND_PMU:
		return event_name__fits(&l->events, e);
	default:
		return true;
	}
}

static void list_event(void *arg, const struct event_name *e)
{
	struct list *l = arg;
	bool available;

	if (!matches_event(l, e) || l->dry)
		return;
	available = is_available(l, e);
	/*
	 * List an event that cannot be counted only if the user names it, or if the tables are for
	 * another CPU.
	 */
	if (!available && (l->write->only_available ||
			   !(l->patterns.nr || (l->elsewhere && e->info && !e->on))))
		return;
	l->found++;
	l->write->event(l, e, available);
}

void list__events(struct list *l)
{
	const struct event_names walk = {
		.kinds = l->kinds,
		.instances = l->instances,
		.details = l->details || l->write->details,
		.absent = !l->write->only_available,
		.visit = list_event,
		.arg = l,
	};

	if (l->kinds)
		events__each(&l->events, &walk);
}

/* --- Metrics ------------------------------------------------------------------------------ */

/* A metric (its number in the tables) in one of its groups. The group's name is owned. */
struct group_member {
	char *group;
	const char *name;
	int number;
};

/**
 * struct metrics_walk - the metrics of a listing
 * @members:  all metrics in all groups
 * @wanted:   for each metric by number, whether patterns ask for it
 * @absences: for each wanted metric, what this machine lacks to measure it, or NULL; owned
 * @ids:      events that were looked up, which many metrics share: 1 if the machine has the event
 */
struct metrics_walk {
	struct list *l;
	VEC(struct group_member) members;
	bool *wanted;
	char **absences;
	struct strmap *ids;
};

static int list_items__by_name(const void *va, const void *vb)
{
	const struct group_member *a = va, *b = vb;
	int cmp = strcmp(a->name, b->name);

	return cmp ? cmp : b->number - a->number; /* cpu_core before cpu_atom */
}

static int by_group(const void *va, const void *vb)
{
	const struct group_member *a = va, *b = vb;

	return strcmp(a->group, b->group) ?: list_items__by_name(a, b);
}

static void add_members(struct metrics_walk *w, int number)
{
	struct metric_info info;
	const char *at;

	tables__metric(w->l->host.tables, number, &info);
	at = info.groups + strspn(info.groups, "; ");
	/* A metric without a group is listed as a group of the metric's name. */
	if (!*at)
		at = info.name;
	while (*at) {
		int len = strcspn(at, ";");

		vec__push(&w->members, (struct group_member){xstrndup(at, len), info.name, number});
		at += len;
		at += strspn(at, "; ");
	}
}

static struct list_metric list_items__describe(const struct list *l,
					       const struct group_member *member)
{
	struct list_metric m = { .group = member->group };

	tables__metric(l->host.tables, member->number, &m.info);
	m.pmu = host__pmu_name(&l->host, m.info.pmu);
	return m;
}

static void find_wanted(struct metrics_walk *w)
{
	struct group_member *member;

	vec__for_each(member, &w->members) {
		struct list_metric m = list_items__describe(w->l, member);

		if (matches_metric(w->l, &m))
			w->wanted[member->number] = true;
	}
}

static bool list_items__has_event(const struct metrics_walk *w, const char *id)
{
	int known = strmap__get(w->ids, id);

	if (known < 0) {
		known = events__exists(&w->l->events, id);
		strmap__put(w->ids, id, known);
	}
	return known;
}

/* Find out which event of a metric this machine lacks. */
static void look_at_metric(void *arg, int number, const struct metric *metric)
{
	const struct metrics_walk *w = arg;
	struct sb absence = SB_INIT;
	bool has = metric != NULL;

	for (int i = 0; has && i < metric->nr_ids; i++) {
		has = list_items__has_event(w, metric->ids[i]);
		if (!has)
			events__describe_absence(&w->l->events, metric->ids[i], &absence);
	}
	if (!has)
		w->absences[number] = sb__detach(&absence);
}

static void list_members(struct metrics_walk *w)
{
	struct list *l = w->l;
	struct metrics_scope scope = host__metrics_scope(&l->host, &l->events);
	struct group_member *member;

	if (l->metrics && !l->write->only_available)
		metrics__each(&scope, w->wanted, look_at_metric, w);
	vec__for_each(member, &w->members) {
		struct list_metric m = list_items__describe(l, member);

		if (!matches_metric(l, &m))
			continue;
		l->found++;
		m.absence = w->absences[member->number];
		l->write->metric(l, &m);
	}
}

void list__metrics(struct list *l)
{
	int nr = l->host.tables ? tables__nr_metrics(l->host.tables) : 0;
	struct metrics_walk w = { .l = l };

	if ((!l->metrics && !l->groups) || !nr)
		return;
	for (int i = 0; i < nr; i++)
		add_members(&w, i);
	if (w.members.nr)
		qsort(w.members.at, w.members.nr, sizeof(*w.members.at),
		      l->groups || l->write->all ? by_group : list_items__by_name);
	w.wanted = xcalloc(nr, sizeof(*w.wanted));
	w.absences = xcalloc(nr, sizeof(*w.absences));
	w.ids = strmap__new();
	find_wanted(&w);
	if (!l->dry)
		list_members(&w);
	strmap__free(w.ids);
	for (int i = 0; i < nr; i++)
		free(w.absences[i]);
	free(w.absences);
	free(w.wanted);
	for (int i = 0; i < w.members.nr; i++)
		free(w.members.at[i].group);
	vec__free(&w.members);
}
