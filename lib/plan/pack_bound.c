// SPDX-License-Identifier: GPL-2.0-only
/*
 * No packing has fewer groups than the larger of two lower bounds. First, if some events can use
 * only some counters, there must be at least as many groups as the number of these events divided
 * by the number of these counters, rounded up. Second, if no two of some sets fit into one group,
 * each of these sets needs a group of its own.
 */
#include <string.h>

#include "plan/pack_search.h"

static int divide_up(int a, int b)
{
	return (a + b - 1) / b;
}

static uint64_t choice(const struct pack_problem *p, int event)
{
	return fit__choice(p->pmu, p->events[event].counters);
}

/* Return: the number of groups that are needed for the events that can use only these counters. */
static int turns(const struct search *s, const bool *wanted, uint64_t counters)
{
	int nr = 0;

	for (int e = 0; e < s->p->nr_events; e++)
		nr += wanted[e] && !topdown__is_metric(s->p->events[e].topdown) &&
		      !(choice(s->p, e) & ~counters);
	return divide_up(nr, __builtin_popcountll(counters));
}

/*
 * List the events' choices of counters, each choice once, up to @room of them. Return: number of
 * choices.
 */
static int list_choices(const struct search *s, const bool *wanted, uint64_t *list, int room)
{
	int nr = 0;

	for (int e = 0; e < s->p->nr_events && nr < room; e++) {
		uint64_t counters = choice(s->p, e);
		int at = 0;

		while (at < nr && list[at] != counters)
			at++;
		if (at == nr && wanted[e] && counters)
			list[nr++] = counters;
	}
	return nr;
}

static int bound_by_counters(const struct search *s, const bool *wanted)
{
	uint64_t choices[FIT_COUNTERS];
	int nr = list_choices(s, wanted, choices, FIT_COUNTERS), bound = 0;

	for (int a = 0; a < nr; a++) {
		for (int b = 0; b <= a; b++) {
			int needed = turns(s, wanted, choices[a] | choices[b]);

			bound = needed > bound ? needed : bound;
		}
	}
	return bound;
}

/*
 * Collect sets of which no two fit into one group, starting with the largest. Return: number of
 * such sets.
 */
static int bound_by_pairs(struct search *s)
{
	int apart[s->nr + 1], nr = 0;

	for (int i = 0; i < s->nr; i++) {
		int j = 0;

		while (j < nr && !search__fit_together(s, s->items[i], apart[j]))
			j++;
		if (j == nr)
			apart[nr++] = s->items[i];
	}
	return nr;
}

static void find_general(struct search *s, const bool *wanted)
{
	uint64_t all = fit__choice(s->p->pmu, 0);

	s->general = __builtin_popcountll(all);
	for (int e = 0; e < s->p->nr_events; e++) {
		s->is_general[e] = wanted[e] && !topdown__is_metric(s->p->events[e].topdown) &&
				   !(choice(s->p, e) & ~all);
		s->missing += s->is_general[e];
	}
}

int search__bound(struct search *s)
{
	bool wanted[s->p->nr_events + 1];
	int by_counters, by_pairs;

	memset(wanted, 0, sizeof(wanted));
	for (int i = 0; i < s->nr; i++)
		for (int e = 0; e < s->p->sets[s->items[i]].nr; e++)
			wanted[s->p->sets[s->items[i]].events[e]] = true;
	find_general(s, wanted);
	by_counters = bound_by_counters(s, wanted);
	by_pairs = bound_by_pairs(s);
	return by_counters > by_pairs ? by_counters : by_pairs;
}
