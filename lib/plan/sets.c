// SPDX-License-Identifier: GPL-2.0-only
/* Sets of groups: each group into the first set that has room for it, in the plan's order. */
#include "plan/sets.h"

#include <errno.h>
#include <stdlib.h>

#include "base/err.h"
#include "base/vec.h"
#include "machine/machine.h"
#include "plan/counters.h"
#include "plan/load.h"

/**
 * struct turn - events that are counted together
 * @first, @nr: their numbers in filling.order
 * @set:   in which they are first of all
 * @fixed: fixed counters will do for all of them
 */
struct turn {
	int first, nr, set;
	bool fixed;
};

/**
 * struct room - what is left of a PMU's counters in a set
 * @cgroup: the events of one compete among themselves: no other cgroup runs then on that CPU
 */
struct room {
	const struct pmu *pmu;
	const struct cgroup *cgroup;
	struct fit_pmu counters;
	struct fit fit;
};

/**
 * struct bin - a set being filled
 * @fds: file descriptors of what is in it
 */
struct bin {
	VEC(struct room *) rooms;
	int fds;
};

/**
 * struct filling - sets being made
 * @needs: of each event
 * @order: numbers of events, those of a turn one after the other
 * @always: events of every set; @first_only: of the first one
 * @fds:   of what is in every set
 */
struct filling {
	const struct plan *plan;
	const struct events_scope *scope;
	const struct sets_limit *limit;
	struct fit_event *needs;
	bool *always, *first_only;
	VEC(int) order;
	VEC(struct turn) turns;
	VEC(struct bin) bins;
	int fds;
};

static struct fit_event need_of(const struct filling *f, const struct event *e)
{
	struct fit_pmu counters;

	if (!load__takes_turns(e))
		return counters__need(f->scope->tables, NULL, e);
	counters = counters__on(f->scope, e->pmu);
	return counters__need(f->scope->tables, &counters, e);
}

static int fds_of(const struct filling *f, int event)
{
	return f->limit && f->limit->fds ? f->limit->fds[event] : 0;
}

/* --- Turns ----------------------------------------------------------------------------------- */

/* TopDown metric events have a register of their own. */
static bool has_fixed(const struct filling *f, int event)
{
	const struct fit_event *need = &f->needs[event];

	return need->slots || need->topdown || need->counters >> FIT_FIXED;
}

static int start_turn(struct filling *f)
{
	return vec__push(&f->turns,
			 (struct turn){ .first = f->order.nr, .set = -1, .fixed = true });
}

static int join_turn(struct filling *f, int event)
{
	struct turn *turn = &f->turns.at[f->turns.nr - 1];

	turn->nr++;
	turn->fixed &= !load__takes_turns(f->plan->events.at[event]) || has_fixed(f, event);
	return vec__push(&f->order, event);
}

/* TopDown metric events stay with the slots that lead them, as when the kernel refuses a group. */
static int add_apart(struct filling *f, const struct schedule_group *g)
{
	int rc = start_turn(f);

	for (int i = g->first; i < g->first + g->nr && !rc; i++)
		if (i == g->first || f->plan->events.at[i]->topdown)
			rc = join_turn(f, i);
	for (int i = g->first + 1; i < g->first + g->nr && !rc; i++) {
		if (f->plan->events.at[i]->topdown)
			continue;
		rc = start_turn(f);
		if (!rc)
			rc = join_turn(f, i);
	}
	return rc;
}

static int add_group(struct filling *f, const struct schedule_group *g)
{
	int rc;

	if (g->state == SCHEDULE_APART)
		return add_apart(f, g);
	if (g->state == SCHEDULE_FREE || g->state == SCHEDULE_REFUSED) {
		for (int i = g->first; i < g->first + g->nr; i++) {
			bool once = g->state == SCHEDULE_REFUSED ||
				    f->plan->events.at[i]->retire_latency;

			/* What is refused, and what is not measured, is told once. */
			(once ? f->first_only : f->always)[i] = true;
			f->fds += fds_of(f, i);
		}
		return 0;
	}
	rc = start_turn(f);
	for (int i = g->first; i < g->first + g->nr && !rc; i++)
		rc = join_turn(f, i);
	return rc;
}

/* --- Filling --------------------------------------------------------------------------------- */

static struct room *find_room(const struct filling *f, struct bin *bin, const struct event *e)
{
	struct room *room;

	for (int i = 0; i < bin->rooms.nr; i++)
		if (bin->rooms.at[i]->pmu == e->pmu && bin->rooms.at[i]->cgroup == e->cgroup)
			return bin->rooms.at[i];
	room = calloc(1, sizeof(*room));
	if (!room)
		return NULL;
	room->pmu = e->pmu;
	room->cgroup = e->cgroup;
	room->counters = counters__left_on(f->scope, e->pmu);
	fit__init(&room->fit, &room->counters);
	if (!vec__push(&bin->rooms, room))
		return room;
	free(room);
	return NULL;
}

/* The events of a turn that need one are of one PMU. Return: 1 it is in, 0 no room, -ENOMEM. */
static int fill_in(struct filling *f, struct bin *bin, const struct turn *turn)
{
	struct room *room = NULL;
	struct fit before;
	int fds = 0;

	for (int i = turn->first; i < turn->first + turn->nr; i++)
		fds += fds_of(f, f->order.at[i]);
	if (f->limit && f->limit->max_fds && f->fds + bin->fds + fds > f->limit->max_fds)
		return 0;
	for (int i = turn->first; i < turn->first + turn->nr; i++) {
		int event = f->order.at[i];

		if (!load__takes_turns(f->plan->events.at[event]))
			continue;
		if (!room) {
			room = find_room(f, bin, f->plan->events.at[event]);
			if (!room)
				return -ENOMEM;
			before = room->fit;
		}
		if (!fit__add(&room->fit, &f->needs[event], NULL)) {
			room->fit = before;
			return 0;
		}
	}
	if (room && !fit__complete(&room->fit, NULL)) {
		room->fit = before;
		return 0;
	}
	bin->fds += fds;
	return 1;
}

static int find_set(struct filling *f, struct turn *turn)
{
	int rc = 0;

	for (int i = 0; i < f->bins.nr && !rc; i++) {
		rc = fill_in(f, &f->bins.at[i], turn);
		turn->set = i;
	}
	if (rc)
		return rc < 0 ? rc : 0;
	if (vec__push(&f->bins, (struct bin){ .fds = 0 }))
		return -ENOMEM;
	turn->set = f->bins.nr - 1;
	rc = fill_in(f, &f->bins.at[turn->set], turn);
	return rc < 0 ? rc : 0;
}

/* What counts nothing, whoever it is with, keeps nobody else from being counted. */
static int fill(struct filling *f, const struct schedule *schedule)
{
	int rc = 0, first_never;

	for (int i = 0; i < schedule->nr_groups && !rc; i++)
		if (schedule->groups[i].state != SCHEDULE_NEVER)
			rc = add_group(f, &schedule->groups[i]);
	first_never = f->turns.nr;
	for (int i = 0; i < schedule->nr_groups && !rc; i++)
		if (schedule->groups[i].state == SCHEDULE_NEVER)
			rc = add_group(f, &schedule->groups[i]);
	for (int i = 0; i < first_never && !rc; i++)
		rc = find_set(f, &f->turns.at[i]);
	for (int i = first_never; i < f->turns.nr && !rc; i++) {
		if (i == first_never)
			rc = vec__push(&f->bins, (struct bin){ .fds = 0 });
		f->turns.at[i].set = f->bins.nr - 1;
	}
	if (!rc && !f->bins.nr)
		rc = vec__push(&f->bins, (struct bin){ .fds = 0 });
	return rc;
}

static int put_in(struct filling *f, struct sets *sets)
{
	int rc = 0;

	for (int e = 0; e < sets->nr_events; e++)
		for (int set = 0; set < sets->nr; set++)
			sets->has[set * sets->nr_events + e] =
				f->always[e] || (f->first_only[e] && !set);
	for (int t = 0; t < f->turns.nr; t++) {
		const struct turn *turn = &f->turns.at[t];

		for (int set = 0; set < sets->nr && rc >= 0; set++) {
			rc = set == turn->set;
			if (!rc && turn->fixed)
				rc = fill_in(f, &f->bins.at[set], turn);
			for (int i = turn->first; rc == 1 && i < turn->first + turn->nr; i++)
				sets->has[set * sets->nr_events + f->order.at[i]] = true;
		}
	}
	return rc < 0 ? rc : 0;
}

static struct sets *make_sets(struct filling *f, const struct schedule *schedule)
{
	int nr = f->plan->events.nr;
	struct sets *sets;

	for (int i = 0; i < nr; i++)
		f->needs[i] = need_of(f, f->plan->events.at[i]);
	if (fill(f, schedule))
		return NULL;
	sets = calloc(1, sizeof(*sets));
	if (!sets)
		return NULL;
	sets->nr = f->bins.nr;
	sets->nr_events = nr;
	sets->has = calloc((size_t)sets->nr * nr + 1, sizeof(*sets->has));
	if (sets->has && !put_in(f, sets))
		return sets;
	sets__free(sets);
	return NULL;
}

static void filling__free(struct filling *f)
{
	for (int i = 0; i < f->bins.nr; i++) {
		for (int j = 0; j < f->bins.at[i].rooms.nr; j++)
			free(f->bins.at[i].rooms.at[j]);
		vec__free(&f->bins.at[i].rooms);
	}
	vec__free(&f->bins);
	vec__free(&f->turns);
	vec__free(&f->order);
	free(f->needs);
	free(f->always);
	free(f->first_only);
}

int sets__new(const struct plan *plan, const struct schedule *schedule,
	      const struct events_scope *events, const struct sets_limit *limit,
	      struct sets **out, struct err *err)
{
	int nr = plan->events.nr + 1;
	struct filling f = {
		.plan = plan,
		.scope = events,
		.limit = limit,
		.needs = calloc(nr, sizeof(*f.needs)),
		.always = calloc(nr, sizeof(*f.always)),
		.first_only = calloc(nr, sizeof(*f.first_only)),
	};

	*out = f.needs && f.always && f.first_only ? make_sets(&f, schedule) : NULL;
	filling__free(&f);
	return *out ? 0 : err__set(err, ENOMEM, "out of memory for sets of groups");
}

void sets__free(struct sets *sets)
{
	if (!sets)
		return;
	free(sets->has);
	free(sets);
}

bool sets__has(const struct sets *sets, int set, int event)
{
	return sets->has[set * sets->nr_events + event];
}

int sets__count(const struct sets *sets, int event)
{
	int nr = 0;

	for (int set = 0; set < sets->nr; set++)
		nr += sets__has(sets, set, event);
	return nr;
}

/* Those of which every run has one need no common run. */
static bool has_metric(const struct sets *sets, int set, const struct plan_metric *pm)
{
	for (int i = 0; pm->events && i < plan_metric__nr_events(pm); i++)
		if (pm->events[i] && !pm->events[i]->retire_latency &&
		    !sets__has(sets, set, pm->events[i]->index))
			return false;
	return true;
}

void sets__mark_metrics(const struct sets *sets, struct plan *plan)
{
	for (int i = 0; i < plan->nr_metrics; i++) {
		plan->metrics[i].over_passes = true;
		for (int set = 0; set < sets->nr; set++)
			if (has_metric(sets, set, &plan->metrics[i]))
				plan->metrics[i].over_passes = false;
	}
}
