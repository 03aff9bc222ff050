// SPDX-License-Identifier: GPL-2.0-only
/* What every way of grouping needs. */
#include "plan/grouping.h"

#include <string.h>

#include "machine/machine.h"
#include "metrics/lex.h"

static const char *find_missing(const struct grouping *g, const struct metric *m)
{
	for (int i = 0; i < m->nr_ids; i++)
		if (!events__exists(g->scope, m->ids[i]))
			return m->ids[i];
	return NULL;
}

/*
 * The words at @from of an expression with a minus sign between each two ("page - faults"), as one
 * name, and with backslashes. Return: the place behind them.
 */
static int join_words(const char *expr, int from, struct sb *name, struct sb *escaped)
{
	struct token word, minus;
	int behind = from;

	sb__clear(name);
	sb__clear(escaped);
	while (!lex__next("", expr, behind, &word, NULL) && word.kind == TOKEN_ID) {
		sb__add(name, expr + word.column, word.len);
		sb__add(escaped, expr + word.column, word.len);
		behind = word.column + word.len;
		if (lex__next("", expr, behind, &minus, NULL) || minus.kind != TOKEN_CHAR ||
		    minus.c != '-')
			break;
		sb__putc(name, '-');
		sb__puts(escaped, "\\-");
		behind = minus.column + 1;
	}
	return behind;
}

/* A name which was written without backslashes is taken for a difference. */
static void hint_minus(const struct grouping *g, const char *expr, struct err *err)
{
	struct sb name = SB_INIT, escaped = SB_INIT;
	struct token token;
	int at = 0, behind;

	while (!lex__next("", expr, at, &token, NULL) && token.kind != TOKEN_END) {
		behind = join_words(expr, at, &name, &escaped);
		at = behind > token.column ? behind : token.column + token.len;
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
	w->dropped = true;
	w->missing = find_missing(g, w->metric);
	if (!w->missing)
		sb__printf(g->warnings, "Metric %s left out: %s\n", w->metric->info.name, why->msg);
	if (g->nr_dropped++)
		return;
	g->failure = *why;
	err__prefix(&g->failure, "metric %s cannot be measured on this machine:\n",
		    w->metric->info.name);
	if (w->missing)
		hint_minus(g, w->metric->info.expr, &g->failure);
}

/* An id as the user would write the event. */
static void print_event(const char *id, struct sb *sb)
{
	for (; *id; id++)
		sb__putc(sb, *id == '@' ? '/' : *id);
}

static void print_absence(const struct grouping *g, const char *id)
{
	struct sb why = SB_INIT;

	events__absence(g->scope, id, &why);
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
		sb__printf(g->warnings, "Left out %s", w->metric->info.name);
		vec__for_each(other, &g->want) {
			if (other == w || !other->missing || strcmp(other->missing, missing))
				continue;
			sb__printf(g->warnings, ", %s", other->metric->info.name);
			other->missing = NULL;
		}
		w->missing = NULL;
		sb__puts(g->warnings, ": ");
		print_absence(g, missing);
		sb__puts(g->warnings, "this machine has no event ");
		print_event(missing, g->warnings);
		sb__putc(g->warnings, '\n');
	}
}

bool grouping__serves(const struct grouping *g, const struct event *e, const struct metric *metric)
{
	const struct machine *machine = g->scope->machine;
	const struct pmu *pmu;

	if (!e->pmu || !e->pmu->is_core || !machine__is_hybrid(machine))
		return true;
	pmu = machine__pmu(machine, metric->info.pmu);
	return !pmu || !pmu->is_core || pmu == e->pmu;
}

struct event *grouping__find(const struct grouping *g, const struct event_list *list,
			     const struct metric *metric, const char *id)
{
	for (int i = 0; i < list->nr; i++) {
		struct event *e = list->at[i];

		if (e->id && !strcmp(e->id, id) && grouping__serves(g, e, metric))
			return e;
	}
	return NULL;
}
