// SPDX-License-Identifier: GPL-2.0-only
#include "verdict/estimate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "verdict/error.h"
#include "verdict/relation.h"

#define LARGEST_RATIO 10 /* greatest factor between an estimate and the scaled count */

/**
 * struct common - an event that several groups count
 * @nr, @groups: the groups, by their numbers
 * @members: the event's index in the relation of each group
 * @remains: for each row, the part of the event's innovation that is unknown
 */
struct common {
	int nr, *groups, *members;
	double *remains;
};

/* How the counts of a group in a row are used. */
enum estimated_state {
	STATE_NONE,    /* there are no counts, or no common event */
	STATE_EXACT,   /* the group was counted all the time */
	STATE_TURNS,   /* the group was multiplexed, and too little is known to correct it */
	STATE_RELATED, /* the group was multiplexed, and its counts can be corrected */
};

/**
 * struct estimated - a group whose counts are estimated
 * @order: numbers of the members, common members first
 * @commons: numbers of the members that are common events
 * @of:    in each row, how the members correlate
 * @state: in each row, how the counts are used
 */
struct estimated {
	const struct error_group *group;
	int nr_common, *order, *commons;
	struct relation *of;
	enum estimated_state *state;
};

struct estimates {
	struct arena memory;
	struct sums *sums;
	struct estimated *groups;
	struct common *commons;
	int nr_groups, nr_commons;
	double *rates, *remains;
};

static const char *const names[] = {"time", "joint"};

const char *estimate__name(enum estimate_method method)
{
	return names[method];
}

/* --- What groups have in common --------------------------------------------------------------- */

static const struct event *event_of(const struct estimates *x, int group, int member)
{
	return x->sums->events[x->groups[group].group->events[member]].event;
}

/* Whether a group can be estimated: not if its counts are sums over the threads of a core. */
static bool is_estimated(const struct estimates *x, int group)
{
	const struct error_group *g = x->groups[group].group;
	bool all = g->nr > 0;

	for (int m = 0; m < g->nr; m++) {
		const struct event *e = event_of(x, group, m);

		all = all && event__is_of_core(e) && !e->percore && !e->merge;
	}
	/* On a hybrid machine a task's event runs for less than its enabled time. */
	return all && !x->sums->shares;
}

/**
 * struct member_event - a member of a group, to be matched with members of other groups that count
 * the same
 */
struct member_event {
	const struct event *event;
	int group, member;
};

static int compare_counted(const void *a, const void *b)
{
	const struct member_event *x = a, *y = b;

	return event__compare(x->event, y->event) ?: x->group - y->group ?: x->member - y->member;
}

/* Events that more groups have are known better, and come first. */
static int compare_commons(const void *a, const void *b)
{
	const struct common *x = a, *y = b;

	if (x->nr != y->nr)
		return y->nr - x->nr;
	return x->groups[0] != y->groups[0] ? x->groups[0] - y->groups[0]
					    : x->members[0] - y->members[0];
}

/* Make a common event from members that count the same: the first such member of each group. */
static void add_common(struct estimates *x, const struct member_event *same, int nr)
{
	struct common c = {.groups = arena__calloc(&x->memory, nr, sizeof(int)),
			   .members = arena__calloc(&x->memory, nr, sizeof(int))};

	for (int i = 0; i < nr; i++) {
		if (i && same[i].group == same[i - 1].group)
			continue;
		c.groups[c.nr] = same[i].group;
		c.members[c.nr++] = same[i].member;
	}
	if (c.nr < 2)
		return;
	c.remains = arena__calloc(&x->memory, x->sums->nr_rows, sizeof(double));
	x->commons[x->nr_commons++] = c;
}

static void find_commons(struct estimates *x)
{
	struct member_event *all;
	int nr = 0, first = 0;

	for (int g = 0; g < x->nr_groups; g++)
		nr += x->groups[g].group->nr;
	all = xcalloc(nr + 1, sizeof(*all));
	x->commons = arena__calloc(&x->memory, nr + 1, sizeof(*x->commons));
	nr = 0;
	for (int g = 0; g < x->nr_groups; g++)
		for (int m = 0; is_estimated(x, g) && m < x->groups[g].group->nr; m++)
			all[nr++] = (struct member_event){event_of(x, g, m), g, m};
	qsort(all, nr, sizeof(*all), compare_counted);
	for (int i = 1; i <= nr; i++) {
		if (i < nr && !event__compare(all[first].event, all[i].event))
			continue;
		add_common(x, all + first, i - first);
		first = i;
	}
	free(all);
	qsort(x->commons, x->nr_commons, sizeof(*x->commons), compare_commons);
}

static void add_others(struct estimated *e)
{
	for (int m = 0, at = e->nr_common; m < e->group->nr; m++) {
		bool placed = false;

		for (int i = 0; i < e->nr_common; i++)
			placed |= e->order[i] == m;
		if (!placed)
			e->order[at++] = m;
	}
}

/* Sort members: common members first, in the order of the common events. */
static void order_groups(struct estimates *x)
{
	for (int g = 0; g < x->nr_groups; g++) {
		struct estimated *e = &x->groups[g];

		e->order = arena__calloc(&x->memory, e->group->nr + 1, sizeof(int));
		e->commons = arena__calloc(&x->memory, e->group->nr + 1, sizeof(int));
	}
	for (int n = 0; n < x->nr_commons; n++)
		for (int i = 0; i < x->commons[n].nr; i++) {
			struct estimated *e = &x->groups[x->commons[n].groups[i]];
			int *member = &x->commons[n].members[i];

			e->order[e->nr_common] = *member;
			e->commons[e->nr_common] = n;
			*member = e->nr_common++;
		}
	for (int g = 0; g < x->nr_groups; g++)
		add_others(&x->groups[g]);
}

static void estimate__allocate(struct estimates *x)
{
	int rows = x->sums->nr_rows, largest = 1;

	for (int g = 0; g < x->nr_groups; g++) {
		struct estimated *e = &x->groups[g];

		if (e->group->nr > largest)
			largest = e->group->nr;
		e->of = arena__calloc(&x->memory, rows, sizeof(*e->of));
		e->state = arena__calloc(&x->memory, rows, sizeof(*e->state));
		for (int row = 0; row < rows && e->nr_common; row++)
			relation__init(&e->of[row], e->group->nr, e->nr_common, &x->memory);
	}
	x->rates = arena__calloc(&x->memory, 2 * (size_t)largest, sizeof(double));
	x->remains = x->rates + largest;
	x->sums->estimated = arena__calloc(&x->memory, (size_t)x->sums->nr_events * rows,
					   sizeof(double));
}

struct estimates *estimates__new(struct sums *sums, const struct error_group *groups,
				 int nr_groups)
{
	struct estimates *x = xcalloc(1, sizeof(*x));

	x->sums = sums;
	x->nr_groups = nr_groups;
	x->groups = arena__calloc(&x->memory, nr_groups + 1, sizeof(*x->groups));
	for (int g = 0; g < nr_groups; g++)
		x->groups[g].group = &groups[g];
	find_commons(x);
	order_groups(x);
	estimate__allocate(x);
	return x;
}

void estimates__free(struct estimates *x)
{
	if (!x)
		return;
	x->sums->estimated = NULL;
	arena__free(&x->memory);
	free(x);
}

/* --- Learning --------------------------------------------------------------------------------- */

static const struct sum *sum_of(const struct estimates *x, const struct estimated *e, int member,
				int row)
{
	return sums__at(x->sums, e->group->events[e->order[member]], row);
}

/* Compute the counts per ns of a group's enabled time, on all units together. */
static double rate_of(const struct estimates *x, const struct estimated *e, int member, int row)
{
	const struct sum *sum = sum_of(x, e, member, row);

	return (double)sum->value / sum->enabled;
}

static bool estimate__is_counted(const struct estimates *x, const struct estimated *e, int row)
{
	for (int m = 0; m < e->group->nr; m++)
		if (!sum__is_counted(sum_of(x, e, m, row)))
			return false;
	return e->nr_common && !e->group->of[row].unknown;
}

static bool estimate__took_turns(const struct sum *sum)
{
	return sum->running < WHOLE_TIME * sum->enabled;
}

static void learn(const struct estimates *x, const struct estimated *e, int row)
{
	const struct variation *v = &e->group->of[row];
	const struct sum *sum = sum_of(x, e, 0, row);

	for (int k = 0; k < (v->nr_turns ?: 1); k++) {
		for (int m = 0; m < e->group->nr; m++)
			x->rates[m] = v->nr_turns ? v->rates[e->order[m] * TURN_RATES + k] /
							    sum->enabled
						  : rate_of(x, e, m, row);
		relation__learn(&e->of[row], x->rates);
	}
}

/* Learn from the turns of a group if @learns, and find the state of the group. */
static void estimate__find_state(const struct estimates *x, const struct estimated *e, int row,
			      bool learns)
{
	struct relation *of = &e->of[row];

	e->state[row] = STATE_NONE;
	if (!estimate__is_counted(x, e, row))
		return;
	e->state[row] = estimate__took_turns(sum_of(x, e, 0, row)) ? STATE_TURNS : STATE_EXACT;
	if (e->state[row] == STATE_EXACT)
		return;
	if (learns || !of->turns)
		learn(x, e, row);
	relation__solve(of);
	if (of->usable)
		e->state[row] = STATE_RELATED;
}

/* --- Estimating ------------------------------------------------------------------------------- */

/*
 * Compute the rate of a common event over the whole row: the rate in a group that ran all the time;
 * without such a group, the mean of the rates in all groups, weighted by running time.
 *
 * Return: the rate; NAN if no group can be used.
 */
static double estimate__find_whole(const struct estimates *x, struct common *c, int row)
{
	double rates = 0, running = 0, share = 0;

	for (int i = 0; i < c->nr; i++) {
		const struct estimated *e = &x->groups[c->groups[i]];
		const struct sum *sum = sum_of(x, e, 0, row);
		double rate;

		if (e->state[row] != STATE_EXACT && e->state[row] != STATE_RELATED)
			continue;
		rate = rate_of(x, e, c->members[i], row);
		if (e->state[row] == STATE_EXACT) {
			c->remains[row] = 0;
			return rate;
		}
		rate += relation__explained(&e->of[row], c->members[i]);
		rates += rate * sum->running;
		running += sum->running;
		share += (double)sum->running / sum->enabled;
	}
	share = fmin(share, 1);
	c->remains[row] = sqrt((1 - share) / (c->nr - share));
	return running ? rates / running : (double)NAN;
}

static void estimate__set(const struct estimates *x, const struct estimated *e, int member, int row,
			  double rate)
{
	const struct sum *sum = sum_of(x, e, member, row);
	double value = rate * sum->enabled, scaled = sum->value;

	/*
	 * A correction cannot make a count negative, nor large if hardly any events were counted.
	 */
	if (value < scaled / LARGEST_RATIO)
		value = scaled / LARGEST_RATIO;
	if (value > scaled * LARGEST_RATIO)
		value = scaled * LARGEST_RATIO;
	x->sums->estimated[e->group->events[e->order[member]] * x->sums->nr_rows + row] = value;
}

static void correct_common(const struct estimates *x, struct common *c, int row)
{
	double whole = estimate__find_whole(x, c, row);

	for (int i = 0; i < c->nr; i++) {
		const struct estimated *e = &x->groups[c->groups[i]];
		int member = c->members[i];

		if (isnan(whole) || e->state[row] != STATE_RELATED)
			continue;
		relation__set_deviation(&e->of[row], member, whole - rate_of(x, e, member, row));
		estimate__set(x, e, member, row, whole);
	}
}

static void make_row(const struct estimates *x, int row)
{
	for (int n = 0; n < x->nr_commons; n++)
		correct_common(x, &x->commons[n], row);
	for (int g = 0; g < x->nr_groups; g++) {
		const struct estimated *e = &x->groups[g];

		if (e->state[row] != STATE_RELATED)
			continue;
		for (int m = e->nr_common; m < e->group->nr; m++)
			estimate__set(x, e, m, row,
				      rate_of(x, e, m, row) + relation__explained(&e->of[row], m));
	}
}

void estimates__make(struct estimates *x, bool learns)
{
	size_t cells = (size_t)x->sums->nr_events * x->sums->nr_rows;

	for (size_t i = 0; i < cells; i++)
		x->sums->estimated[i] = NAN;
	for (int row = 0; row < x->sums->nr_rows; row++) {
		for (int g = 0; g < x->nr_groups; g++)
			estimate__find_state(x, &x->groups[g], row, learns);
		make_row(x, row);
	}
}

/* --- What remains ----------------------------------------------------------------------------- */

static void take_out_of(const struct estimates *x, const struct estimated *e, int row)
{
	struct variation *left = &e->group->left[row];
	const double *all = e->group->of[row].rates;

	for (int k = 0; k < left->nr_turns; k++) {
		for (int m = 0; m < e->group->nr; m++) {
			const double *of = all + e->order[m] * TURN_RATES;

			x->rates[m] = of[k] - of[TURN_MEAN];
		}
		relation__take_out(&e->of[row], x->rates, x->remains);
		for (int m = 0; m < e->group->nr; m++)
			left->rates[e->order[m] * TURN_RATES + k] =
				all[e->order[m] * TURN_RATES + TURN_MEAN] + x->rates[m];
	}
	for (int m = 0; m < e->group->nr; m++)
		x->rates[m] = left->leans[e->order[m]];
	relation__take_out(&e->of[row], x->rates, x->remains);
	for (int m = 0; m < e->group->nr; m++)
		left->leans[e->order[m]] = x->rates[m];
}

void estimates__take_out(const struct estimates *x, int group)
{
	const struct estimated *e = &x->groups[group];

	for (int row = 0; row < x->sums->nr_rows; row++) {
		struct variation *left = &e->group->left[row];

		left->fitted = 1;
		left->leverage = 0;
		if (e->state[row] != STATE_RELATED)
			continue;
		for (int j = 0; j < e->nr_common; j++)
			x->remains[j] = x->commons[e->commons[j]].remains[row];
		left->fitted = relation__fitted(&e->of[row]);
		left->leverage = relation__leverage(&e->of[row]);
		take_out_of(x, e, row);
	}
}
