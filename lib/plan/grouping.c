// SPDX-License-Identifier: GPL-2.0-only
/* Functions that both ways of grouping use. */
#include "plan/grouping.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/text.h"
#include "machine/machine.h"
#include "metrics/idset.h"
#include "metrics/lex.h"
#include "metrics/print.h"

#define IDLE_STATES "cstate_"

static int by_size(const void *a, const void *b)
{
	const struct want *l = a, *r = b;

	if (l->size != r->size)
		return r->size - l->size;
	/* perf adds metrics at the head of its list: the last selected metric comes first. */
	return r->place - l->place;
}

void grouping__sort(struct grouping *g)
{
	for (int i = 0; i < g->want.nr; i++) {
		struct want *w = &g->want.at[i];

		w->place = i;
		w->size = 0;
		for (int j = 0; j < w->pm.metric->nr_ids; j++)
			w->size += events__tool(w->pm.metric->ids[j]) == EVENT_TOOL_NONE;
	}
	if (g->want.nr)
		qsort(g->want.at, g->want.nr, sizeof(*g->want.at), by_size);
}

/* Find a metric whose group has exactly these ids, so that perf opens the same group. */
static const struct metric *grouping__find_whole(const struct grouping *g, const char **ids, int nr)
{
	for (int i = 0; i < g->want.nr; i++) {
		const struct metric *m = g->want.at[i].pm.metric;
		bool all = m->group_events && g->want.at[i].size == nr;

		for (int j = 0; j < nr && all; j++)
			all = idset__has(m->id_set, ids[j]);
		if (all)
			return m;
	}
	return NULL;
}

void grouping__sort_ids(const struct grouping *g, const char **ids, int nr)
{
	const struct metric *whole = grouping__find_whole(g, ids, nr);
	struct idset *set = idset__new();
	int kept = 0;

	for (int i = 0; whole && i < whole->nr_ids; i++)
		if (events__tool(whole->ids[i]) == EVENT_TOOL_NONE)
			ids[kept++] = whole->ids[i];
	for (int i = 0; !whole && i < nr; i++)
		idset__add(set, ids[i]);
	if (!whole)
		idset__list(set, ids);
	idset__free(set);
}

static const char *find_missing(const struct grouping *g, const struct metric *m)
{
	for (int i = 0; i < m->nr_ids; i++)
		if (!events__exists(g->scope, m->ids[i]))
			return m->ids[i];
	return NULL;
}

/*
 * Join the words of an expression from @from on that minus signs separate ("page - faults"), into
 * one name. @escaped is this name with a backslash before each minus sign. Return: the end of the
 * last word.
 */
static int join_words(const char *expr, int from, struct sb *name, struct sb *escaped)
{
	struct token word, minus;
	int end = from;

	sb__clear(name);
	sb__clear(escaped);
	while (!lex__next("", expr, end, &word, NULL) && word.kind == TOKEN_ID) {
		sb__add(name, expr + word.column, word.len);
		sb__add(escaped, expr + word.column, word.len);
		end = word.column + word.len;
		if (lex__next("", expr, end, &minus, NULL) || minus.kind != TOKEN_CHAR ||
		    minus.c != '-')
			break;
		sb__putc(name, '-');
		sb__puts(escaped, "\\-");
		end = minus.column + 1;
	}
	return end;
}

/* Hint that an event's name with '-' and without backslashes was parsed as a difference. */
static void hint_minus(const struct grouping *g, const char *expr, struct err *err)
{
	struct sb name = SB_INIT, escaped = SB_INIT;
	struct token token;
	int at = 0, end;

	while (!lex__next("", expr, at, &token, NULL) && token.kind != TOKEN_END) {
		end = join_words(expr, at, &name, &escaped);
		at = end > token.column ? end : token.column + token.len;
		if (escaped.len == name.len || !events__exists(g->scope, sb__str(&name)))
			continue;
		err__append(err, "\nA '-' is the minus sign: write %s for the event %s.",
			    sb__str(&escaped), name.buf);
		break;
	}
	sb__free(&name);
	sb__free(&escaped);
}

void grouping__drop(struct grouping *g, struct want *w, const struct err *why)
{
	const char *arch = tables__only_listed(g->scope->tables);

	w->dropped = true;
	w->missing = find_missing(g, w->pm.metric);
	if (!w->missing)
		sb__printf(g->warnings, "Metric %s left out: %s\n", w->pm.metric->info.name, why->msg);
	if (g->nr_dropped++)
		return;
	g->failure = *why;
	err__prefix(&g->failure, "metric %s cannot be measured on this machine:\n",
		    w->pm.metric->info.name);
	if (w->missing)
		hint_minus(g, w->pm.metric->info.expr, &g->failure);
	if (arch)
		err__append(&g->failure,
			    "\nIts table is of %s: tma lists and explains such metrics, but "
			    "counts only on x86 and arm64",
			    arch);
}

static void print_absence(const struct grouping *g, const char *id)
{
	struct sb why = SB_INIT;

	events__describe_absence(g->scope, id, &why);
	if (why.len)
		sb__printf(g->warnings, "%s: ", sb__str(&why));
	sb__free(&why);
}

void grouping__warn_dropped(struct grouping *g)
{
	struct want *w, *other;

	vec__for_each(w, &g->want) {
		const char *missing = w->missing;

		if (!missing)
			continue;
		sb__printf(g->warnings, "Left out %s", w->pm.metric->info.name);
		vec__for_each(other, &g->want) {
			if (other == w || !other->missing || strcmp(other->missing, missing))
				continue;
			sb__printf(g->warnings, ", %s", other->pm.metric->info.name);
			other->missing = NULL;
		}
		w->missing = NULL;
		sb__puts(g->warnings, ": ");
		print_absence(g, missing);
		sb__puts(g->warnings, "this machine has no event ");
		expr__print_id(missing, g->warnings);
		sb__putc(g->warnings, '\n');
	}
}

/* Whether an event counts on the metric's PMU, or on no particular PMU. */
static bool grouping__serves(const struct grouping *g, const struct event *e,
			     const struct metric *metric)
{
	const struct machine *machine = g->scope->machine;
	const struct pmu *pmu;

	if (!e->pmu || !e->pmu->is_core || !machine__is_hybrid(machine))
		return true;
	pmu = machine__pmu(machine, metric->info.pmu);
	return !pmu || !pmu->is_core || pmu == e->pmu;
}

struct event *grouping__find(const struct grouping *g, const struct event_list *list,
			     int first, int end, const struct metric *metric, const char *id)
{
	for (int i = first; i < end; i++) {
		struct event *e = list->at[i];

		if (e->id && !strcmp(e->id, id) && grouping__serves(g, e, metric))
			return e;
	}
	return NULL;
}

bool residency__is(const struct metric *metric)
{
	const char *states = NULL;
	bool tsc = false;

	for (int i = 0; i < metric->nr_ids; i++) {
		const char *id = metric->ids[i];

		if (!strcasecmp(id, "TSC") || !strcasecmp(id, "msr@tsc@")) {
			tsc = true;
		} else if (!text__has_prefix(id, IDLE_STATES) ||
			   (states && strncmp(states, id, strcspn(id, "@") + 1))) {
			return false;
		} else {
			states = id;
		}
	}
	return tsc && states;
}

void residency__set_cpus(struct event_list *list)
{
	const struct event *states = NULL;

	for (int i = 0; i < list->nr; i++)
		if (list->at[i]->pmu && text__has_prefix(list->at[i]->pmu->name, IDLE_STATES))
			states = list->at[i];
	for (int i = 0; states && i < list->nr; i++) {
		struct event *e = list->at[i];

		if (!e->pmu || strcmp(e->pmu->name, "msr"))
			continue;
		cpulist__free(&e->cpus);
		cpulist__copy(&states->cpus, &e->cpus);
		e->any_cpu = false;
		e->requires_cpu = true;
	}
}
