// SPDX-License-Identifier: GPL-2.0-only
/*
 * A set whose events are all in another set joins the group of the other set, and needs no place.
 * The remaining sets are packed greedily: the largest set comes first, and each set goes into the
 * group to which it adds the fewest events. Then the sets are packed in other orders. A new order
 * is the best order so far, with the sets of one group moved to the front. Then a few groups of the
 * best answer are taken apart, again and again, and their sets are put into the other groups. A
 * group that remains empty is removed. In the end, branch and bound tries all placements, but gives
 * up a branch once all its groups have fewer counters left than there are events to be placed. With
 * many sets, branch and bound would never end: its effort is then spent on taking groups apart. The
 * search ends when the lower bound (pack_bound.c) is met or the effort is spent.
 *
 * Wishes are placed last, in groups that have counters left.
 */
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "plan/pack_search.h"

static bool is_member(const struct pack_set *set, int event)
{
	for (int i = 0; i < set->nr; i++)
		if (set->events[i] == event)
			return true;
	return false;
}

static bool is_subset(const struct pack_set *set, const struct pack_set *of)
{
	if (set->nr > of->nr)
		return false;
	for (int i = 0; i < set->nr; i++)
		if (!is_member(of, set->events[i]))
			return false;
	return true;
}

/* --- Bins --------------------------------------------------------------- */

static void bin__open(struct search *s)
{
	struct bin *bin = &s->bins[s->nr_bins++];

	fit__init(&bin->fit, s->p->pmu);
	memset(bin->has, 0, s->p->nr_events * sizeof(*bin->has));
}

static int bin__lacks(const struct bin *bin, const struct pack_set *set)
{
	int nr = 0;

	for (int i = 0; i < set->nr; i++)
		nr += !bin->has[set->events[i]];
	return nr;
}

/* Remove the events that were added last, so that @nr events stay. */
static void bin__truncate(struct search *s, struct bin *bin, int nr)
{
	for (int i = nr; i < bin->fit.nr; i++)
		bin->has[bin->fit.events[i] - s->p->events] = false;
	fit__truncate(&bin->fit, nr);
}

/* Put a set into a bin. Return: whether it fits; if not, the bin is unchanged. */
static bool bin__add(struct search *s, struct bin *bin, const struct pack_set *set)
{
	int before = bin->fit.nr;

	for (int i = 0; i < set->nr; i++) {
		if (bin->has[set->events[i]])
			continue;
		s->spent++;
		if (!fit__add(&bin->fit, &s->p->events[set->events[i]], NULL)) {
			bin__truncate(s, bin, before);
			return false;
		}
		bin->has[set->events[i]] = true;
	}
	return true;
}

bool search__fit_together(struct search *s, int a, int b)
{
	s->nr_bins = 0;
	bin__open(s);
	return bin__add(s, &s->bins[0], &s->p->sets[a]) && bin__add(s, &s->bins[0], &s->p->sets[b]);
}

static const struct pack_set *set_of(const struct search *s, int at)
{
	return &s->p->sets[s->order[at]];
}

/* --- Greedy answers in many orders ----------------------------------------------------------- */

/*
 * Put a set into the bin to which it adds the fewest events, and in which it fits. Return: number
 * of the bin, or -1.
 */
static int add_to_best(struct search *s, const struct pack_set *set)
{
	int lacks[s->nr_bins + 1];

	for (int b = 0; b < s->nr_bins; b++)
		lacks[b] = bin__lacks(&s->bins[b], set);
	for (int wanted = 0; wanted <= set->nr; wanted++)
		for (int b = 0; b < s->nr_bins; b++)
			if (lacks[b] == wanted && bin__add(s, &s->bins[b], set))
				return b;
	return -1;
}

static void keep_best(struct search *s)
{
	memcpy(s->best_order, s->order, s->nr * sizeof(*s->order));
	memcpy(s->best_place, s->place, s->nr * sizeof(*s->place));
	s->best = s->nr_bins;
}

static void pack_in_order(struct search *s)
{
	s->nr_bins = 0;
	for (int i = 0; i < s->nr; i++) {
		s->place[i] = add_to_best(s, set_of(s, i));
		if (s->place[i] < 0) {
			s->place[i] = s->nr_bins;
			bin__open(s);
			bin__add(s, &s->bins[s->nr_bins - 1], set_of(s, i));
		}
		if (s->nr_bins > s->best)
			return;
	}
	/* Keep an equally good answer, too: as it is different, other orders follow from it. */
	if (s->nr_bins <= s->best)
		keep_best(s);
}

/*
 * Draw a pseudo-random number below @below; every run draws the same numbers (Marsaglia's
 * xorshift64).
 */
static unsigned int draw(struct search *s, int below)
{
	s->random ^= s->random << 13;
	s->random ^= s->random >> 7;
	s->random ^= s->random << 17;
	return s->random % below;
}

static void shuffle(struct search *s, int *list, int nr)
{
	for (int i = nr - 1; i > 0; i--) {
		int j = draw(s, i + 1), swap = list[i];

		list[i] = list[j];
		list[j] = swap;
	}
}

/* Vary the best order: move the sets of one group, and a few others, to the front. */
static void vary_order(struct search *s)
{
	int group = draw(s, s->best), kept = 0;
	bool first[s->nr + 1];

	for (int i = 0; i < s->nr; i++)
		first[i] = s->best_place[i] == group || !draw(s, 8);
	for (int i = 0; i < s->nr; i++)
		if (first[i])
			s->order[kept++] = s->best_order[i];
	shuffle(s, s->order, kept);
	for (int i = 0; i < s->nr; i++)
		if (!first[i]) /* cppcheck-suppress uninitvar ; the first loop has set it */
			s->order[kept++] = s->best_order[i];
}

static bool is_over(const struct search *s, long effort)
{
	return s->best <= s->bound || s->spent >= effort;
}

/* --- Taking a few of many groups apart ------------------------------------------------------- */

#define TAKEN_APART 3

/**
 * struct apart - groups of the best answer that are taken apart
 * @bins:   numbers of these groups
 * @were:   events that these groups had before
 * @filled: for each bin, number of events that stay
 */
struct apart {
	int bins[TAKEN_APART];
	struct fit were[TAKEN_APART];
	int *filled;
};

/* Fill the bins as the best answer has them. */
static void fill_best(struct search *s)
{
	memcpy(s->order, s->best_order, s->nr * sizeof(*s->order));
	memcpy(s->place, s->best_place, s->nr * sizeof(*s->place));
	s->nr_bins = 0;
	while (s->nr_bins < s->best)
		bin__open(s);
	for (int i = 0; i < s->nr; i++)
		bin__add(s, &s->bins[s->place[i]], set_of(s, i));
}

static void take_apart(struct search *s, struct apart *a)
{
	for (int b = 0; b < s->nr_bins; b++)
		a->filled[b] = s->bins[b].fit.nr;
	for (int i = 0; i < TAKEN_APART; i++) {
		int b = draw(s, s->nr_bins);

		while (!s->bins[b].fit.nr)
			b = (b + 1) % s->nr_bins;
		a->bins[i] = b;
		a->were[i] = s->bins[b].fit;
		a->filled[b] = 0;
		bin__truncate(s, &s->bins[b], 0);
	}
}

/* Undo take_apart(), and remove all sets that were placed after it. */
static void put_back(struct search *s, const struct apart *a)
{
	for (int b = 0; b < s->nr_bins; b++)
		bin__truncate(s, &s->bins[b], a->filled[b]);
	for (int i = 0; i < TAKEN_APART; i++) {
		struct bin *bin = &s->bins[a->bins[i]];

		bin->fit = a->were[i];
		for (int k = 0; k < bin->fit.nr; k++)
			bin->has[bin->fit.events[k] - s->p->events] = true;
	}
	memcpy(s->place, s->best_place, s->nr * sizeof(*s->place));
}

/*
 * Place the sets of the groups that were taken apart, in random order. Return: whether every set
 * found a place.
 */
static bool place_again(struct search *s)
{
	int list[s->nr + 1], nr = 0;

	for (int i = 0; i < s->nr; i++)
		if (!s->bins[s->place[i]].fit.nr)
			list[nr++] = i;
	shuffle(s, list, nr);
	for (int i = 0; i < nr; i++) {
		s->place[list[i]] = add_to_best(s, set_of(s, list[i]));
		if (s->place[list[i]] < 0)
			return false;
	}
	return true;
}

/* Close empty bins; each gets the content of the last bin, which then does not exist any more. */
static void close_empty(struct search *s)
{
	for (int b = s->nr_bins - 1; b >= 0; b--) {
		struct bin *last = &s->bins[s->nr_bins - 1], empty = s->bins[b];

		if (empty.fit.nr)
			continue;
		s->bins[b] = *last;
		*last = empty;
		s->nr_bins--;
		for (int i = 0; i < s->nr; i++)
			if (s->place[i] == s->nr_bins)
				s->place[i] = b;
	}
}

static void improve(struct search *s, long effort)
{
	int filled[s->nr + 1];
	struct apart apart = {.filled = filled};

	fill_best(s);
	while (s->best > TAKEN_APART && !is_over(s, effort)) {
		take_apart(s, &apart);
		if (place_again(s)) {
			close_empty(s);
			keep_best(s);
		} else {
			put_back(s, &apart);
		}
	}
}

/* Replace the best answer only by one with fewer groups, so that other plans stay as they were. */
static void save_groups(struct search *s, long effort)
{
	int best = s->best, order[s->nr + 1], place[s->nr + 1];

	if (is_over(s, effort))
		return;
	memcpy(order, s->best_order, s->nr * sizeof(*order));
	memcpy(place, s->best_place, s->nr * sizeof(*place));
	improve(s, effort);
	if (s->best < best)
		return;
	memcpy(s->best_order, order, s->nr * sizeof(*order));
	memcpy(s->best_place, place, s->nr * sizeof(*place));
}

/* --- Branch and bound --------------------------------------------------------------- */

static bool descend(struct search *s, int at);

/*
 * Count the general events of a bin from place @from on: @step is 1 if they are added, -1 if they
 * are removed.
 */
static void tally(struct search *s, const struct bin *bin, int from, int step)
{
	for (int i = from; i < bin->fit.nr; i++) {
		int e = bin->fit.events[i] - s->p->events;

		if (!s->is_general[e])
			continue;
		s->used += step;
		if (step > 0 ? !s->home[e] : s->home[e] == 1)
			s->missing -= step;
		s->home[e] += step;
	}
}

/* Whether the missing events need at least as many groups as the best answer has. */
static bool is_hopeless(const struct search *s)
{
	return s->used + s->missing > (s->best - 1) * s->general;
}

static bool try_bin(struct search *s, int at, struct bin *bin)
{
	int before = bin->fit.nr;
	bool done = true;

	if (!bin__add(s, bin, set_of(s, at)))
		return true;
	tally(s, bin, before, 1);
	s->place[at] = bin - s->bins;
	if (!is_hopeless(s))
		done = descend(s, at + 1);
	tally(s, bin, before, -1);
	bin__truncate(s, bin, before);
	return done;
}

/*
 * Place the sets from @at on. Return: false if the effort was spent before all placements were
 * tried.
 */
static bool descend(struct search *s, int at)
{
	bool done = true;

	if (at == s->nr) {
		keep_best(s);
		return true;
	}
	for (int b = 0; b < s->nr_bins; b++) {
		if (is_over(s, s->p->effort))
			return s->best <= s->bound;
		/* An earlier branch has found an answer that is as good as any in this one. */
		if (s->nr_bins >= s->best)
			return done;
		done &= try_bin(s, at, &s->bins[b]);
		/* If the set adds no event to this bin, no other bin is better. */
		if (!bin__lacks(&s->bins[b], set_of(s, at)))
			return done;
	}
	if (s->nr_bins + 1 >= s->best)
		return done;
	bin__open(s);
	done &= try_bin(s, at, &s->bins[s->nr_bins - 1]);
	s->nr_bins--;
	return done;
}

/* Try all placements, the largest set first. Return: whether all were tried, as for descend(). */
static bool try_all(struct search *s)
{
	if (is_over(s, s->p->effort))
		return false;
	memcpy(s->order, s->items, s->nr * sizeof(*s->order));
	s->nr_bins = 0;
	return descend(s, 0);
}

/* --- The whole --------------------------------------------------------------- */

/*
 * Find the first of @nr sets that has all events of set @i. Return: its number, or @i if there is
 * none.
 */
static int find_host(const struct search *s, int i, const int *list, int nr)
{
	const struct pack_set *sets = s->p->sets;

	for (int k = 0; k < nr; k++) {
		int j = list[k];

		if (j != i && s->host[j] == j && is_subset(&sets[i], &sets[j]) &&
		    (sets[i].nr < sets[j].nr || j < i))
			return j;
	}
	return i;
}

/*
 * Decide which sets are placed, and sort these by size. Other sets join the group of a set that is
 * placed.
 */
static void choose_items(struct search *s)
{
	const struct pack_set *sets = s->p->sets;
	int list[s->p->nr_sets + 1], nr = 0;

	for (int i = 0; i < s->p->nr_sets; i++) {
		s->host[i] = sets[i].need == PACK_MUST && search__fit_together(s, i, i) ? i : -1;
		if (s->host[i] == i)
			list[nr++] = i;
	}
	for (int k = 0; k < nr; k++) {
		int i = list[k], at;

		s->host[i] = find_host(s, i, list, nr);
		if (s->host[i] != i)
			continue;
		for (at = s->nr++; at && sets[s->items[at - 1]].nr < sets[i].nr; at--)
			s->items[at] = s->items[at - 1];
		s->items[at] = i;
	}
}

static void search__init(struct search *s, const struct pack_problem *p)
{
	size_t nr = p->nr_sets + 1;
	int *ints = xcalloc(6 * nr + p->nr_events, sizeof(*ints));

	*s = (struct search){
		.p = p,
		.items = ints,
		.host = ints + nr,
		.order = ints + 2 * nr,
		.place = ints + 3 * nr,
		.best_order = ints + 4 * nr,
		.best_place = ints + 5 * nr,
		.home = ints + 6 * nr,
		.bins = xcalloc(nr, sizeof(*s->bins)),
		.has = xcalloc((nr + 1) * (p->nr_events + 1), sizeof(*s->has)),
		.random = 88172645463325252ull,
	};
	s->is_general = s->has + nr * (p->nr_events + 1);
	for (size_t i = 0; i < nr; i++)
		s->bins[i].has = s->has + i * (p->nr_events + 1);
}

/* Branch and bound never ended with more sets than this. */
#define MANY_SETS 100
/* A step changes a few groups, but a new order places all sets: steps are given more effort. */
#define MORE_EFFORT 10

/* Find the best answer. Return: whether it is proven that no better one exists. */
static bool search__run(struct search *s)
{
	long effort = s->p->effort;
	bool done = false;

	s->best = s->nr ? s->nr + 1 : 0;
	memcpy(s->order, s->items, s->nr * sizeof(*s->order));
	pack_in_order(s);
	while (!is_over(s, effort / 2)) {
		vary_order(s);
		pack_in_order(s);
	}
	if (s->nr > MANY_SETS) {
		improve(s, effort * MORE_EFFORT);
	} else {
		save_groups(s, effort * 3 / 4);
		done = try_all(s);
	}
	return done || s->best <= s->bound;
}

static void place_wishes(struct search *s)
{
	struct pack_set *sets = s->p->sets;

	fill_best(s);
	for (int need = PACK_MUST + 1; need < PACK_NEEDS; need++)
		for (int i = 0; i < s->p->nr_sets; i++)
			if ((int)sets[i].need == need)
				sets[i].group = add_to_best(s, &sets[i]);
}

/* Set the group of every set; groups are numbered in the order of their first sets. */
static void assign(struct search *s)
{
	struct pack_set *sets = s->p->sets;
	int number[s->best + 1], nr = 0;

	for (int b = 0; b < s->best; b++)
		number[b] = -1;
	for (int i = 0; i < s->nr; i++)
		sets[s->best_order[i]].group = s->best_place[i];
	place_wishes(s);
	for (int i = 0; i < s->p->nr_sets; i++) {
		int host = s->host[i];

		if (sets[i].need != PACK_MUST)
			continue;
		while (host >= 0 && s->host[host] != host)
			host = s->host[host];
		sets[i].group = host < 0 ? -1 : sets[host].group;
		if (host >= 0 && number[sets[i].group] < 0)
			number[sets[i].group] = nr++;
	}
	for (int i = 0; i < s->p->nr_sets; i++)
		if (sets[i].group >= 0)
			sets[i].group = number[sets[i].group];
}

struct pack_result pack__solve(const struct pack_problem *problem)
{
	struct pack_result result;
	struct search s;

	search__init(&s, problem);
	choose_items(&s);
	s.bound = search__bound(&s);
	s.spent = 0;
	result.proven = search__run(&s);
	result.nr_groups = s.best;
	result.lower_bound = result.proven && s.best > s.bound ? s.best : s.bound;
	assign(&s);
	free(s.items);
	free(s.bins);
	free(s.has);
	return result;
}
