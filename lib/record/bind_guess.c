// SPDX-License-Identifier: GPL-2.0-only
/*
 * A recording may not show whether SMT was on, or whether whole cores were counted. This file
 * guesses both from the events.
 */
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "record/bind.h"
#include "record/text.h"

/**
 * struct guess - a guess of facts that formulas depend on, and its result
 * @smt:    SMT was on
 * @wide:   everything on the cores was counted, not only a task
 * @served: number of metrics that have all events they need
 * @exact:  number of these metrics that have all events of their formula
 * @used:   number of the file's events that these metrics use
 * @ids:    ids of the used events, each on a line
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

		if (binding__find_events(b, m, used, NULL, NULL))
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
	rc = binding__select(b, names, true, &list, err);
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

/* Warn of the guess if metrics would use other events with another guess. */
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
		   "%s does not show %s%s%s: metrics are computed as with %s%s%s, %s (--smt and "
		   "--scope override it)\n",
		   b->r->in.name, smt ? "whether SMT was on" : "", smt && scope ? ", nor " : "",
		   scope ? "whether everything on the cores was counted" : "",
		   smt ? taken->smt ? "SMT on" : "SMT off" : "", smt && scope ? " and " : "",
		   scope ? taken->wide ? "whole cores counted" : "one task counted" : "",
		   tie ? "as the events do not show it" : "as the events suggest");
}

/*
 * List the possible @values: the value that the user gave, or both values. Return: number of
 * values.
 */
static int choices(enum fact fact, bool open, bool known, bool values[2])
{
	values[0] = fact != FACT_UNKNOWN ? fact == FACT_YES : known;
	values[1] = !values[0];
	return fact == FACT_UNKNOWN && open ? 2 : 1;
}

static bool has_clock(const struct binding *b, uint64_t clock)
{
	for (int i = 0; i < b->nr; i++)
		if (event__is_clock(b->known[i].coded) && b->known[i].coded->attr.config == clock)
			return true;
	return false;
}

/*
 * Whether CPUs or tasks were counted. A text does not have this fact, but perf has a clock for CPUs
 * and another for tasks.
 */
static bool counts_cpus(const struct binding *b)
{
	bool cpus = has_clock(b, PERF_COUNT_SW_CPU_CLOCK);

	if (cpus != has_clock(b, PERF_COUNT_SW_TASK_CLOCK))
		return cpus;
	return b->r->text->scope != FACT_NO;
}

int binding__guess_host(struct binding *b, const char *names, struct err *err)
{
	const struct recording_info *info = &b->r->info;
	const struct recording_options *opts = &b->r->opts;
	bool smt[2], wide[2];
	int nr_smt = choices(opts->smt, info->text || !info->has_places, false, smt);
	/* The heading of a text shows this, but the user may know better. */
	enum fact scope = opts->core_wide ?: b->r->text ? b->r->text->scope : FACT_UNKNOWN;
	int nr_wide = choices(scope, info->text && info->aggr == AGGR_GLOBAL,
			      b->scope->system_wide, wide);
	struct guess all[4] = {0}, *best = all;
	int nr = 0, rc = 0;

	if (info->text)
		b->scope->target_cpu = counts_cpus(b);
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
