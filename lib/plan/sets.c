// SPDX-License-Identifier: GPL-2.0-only
/* Put each group into the first set that has room for it, in the plan's order. */
#include "plan/sets.h"

#include <stdlib.h>

#include "base/vec.h"
#include "base/xalloc.h"
#include "machine/machine.h"
#include "plan/counters.h"
#include "plan/load.h"

/**
 * struct room - counters of a PMU that are free in a set
 * @cgroup: the cgroup of the events, or NULL. Events of two cgroups do not compete: only one cgroup
 *          runs on a CPU at a time
 */
struct room {
	const struct pmu *pmu;
	const struct cgroup *cgroup;
	struct fit_pmu counters;
	struct fit fit;
};

/**
 * struct set_bin - a set that is being filled
 * @fds: number of file descriptors that the set's events take
 */
struct set_bin {
	VEC(struct room *) rooms;
	int fds;
};

/**
 * struct filling - the state of making sets
 * @set_of: for each turn of the schedule, the first set that the turn is in
 * @fds:   number of file descriptors of events that are in every set
 */
struct filling {
	const struct plan *plan;
	const struct schedule *schedule;
	const struct events_scope *scope;
	const struct sets_limit *limit;
	int *set_of;
	VEC(struct set_bin) bins;
	int fds;
};

static int fds_of(const struct filling *f, int event)
{
	return f->limit && f->limit->fds ? f->limit->fds[event] : 0;
}

/* --- Turns ----------------------------------------------------------------------------------- */

/* Whether an event needs no general counter; TopDown metric events use a register. */
static bool has_fixed(const struct filling *f, int event)
{
	const struct fit_event *need = &f->schedule->events[event].need;

	return need->topdown || need->counters >> FIT_FIXED;
}

/* Whether fixed counters are enough for all events of a turn. */
static bool is_fixed(const struct filling *f, const struct schedule_turn *turn)
{
	for (int i = turn->first; i < turn->first + turn->nr; i++) {
		int event = f->schedule->order.at[i];

		if (load__takes_turns(f->plan->events.at[event]) && !has_fixed(f, event))
			return false;
	}
	return true;
}

static bool is_never_counted(const struct filling *f, int turn)
{
	return f->schedule->groups[f->schedule->turns.at[turn].group].state == SCHEDULE_NEVER;
}

/* --- Filling --------------------------------------------------------------------------------- */

static struct room *find_room(const struct filling *f, struct set_bin *bin, const struct pmu *pmu,
			      const struct cgroup *cgroup)
{
	struct room *room;

	for (int i = 0; i < bin->rooms.nr; i++)
		if (bin->rooms.at[i]->pmu == pmu && bin->rooms.at[i]->cgroup == cgroup)
			return bin->rooms.at[i];
	room = xcalloc(1, sizeof(*room));
	room->pmu = pmu;
	room->cgroup = cgroup;
	room->counters = counters__left_on(f->scope, pmu);
	fit__init(&room->fit, &room->counters);
	vec__push(&bin->rooms, room);
	return room;
}

/*
 * Add a turn to a set. All its events that need counters are of one PMU. Return: whether the turn
 * fits.
 */
static bool fill_in(struct filling *f, struct set_bin *bin, const struct schedule_turn *turn)
{
	const int *events = &f->schedule->order.at[turn->first];
	struct room *room;
	struct fit before;
	int fds = 0;

	for (int i = 0; i < turn->nr; i++)
		/* cppcheck-suppress objectIndex ; an order of one number has turns of one */
		fds += fds_of(f, events[i]);
	if (f->limit && f->limit->max_fds && f->fds + bin->fds + fds > f->limit->max_fds)
		return false;
	if (turn->pmu) {
		room = find_room(f, bin, turn->pmu, f->plan->events.at[events[0]]->cgroup);
		before = room->fit;
		if (!schedule__join(f->schedule, f->plan, turn, &room->fit)) {
			room->fit = before;
			return false;
		}
	}
	bin->fds += fds;
	return true;
}

static void add_set(struct filling *f)
{
	vec__push(&f->bins, (struct set_bin){.fds = 0});
}

static void find_set(struct filling *f, int turn)
{
	int *set = &f->set_of[turn];

	for (*set = 0; *set < f->bins.nr; ++*set)
		if (fill_in(f, &f->bins.at[*set], &f->schedule->turns.at[turn]))
			return;
	add_set(f);
	fill_in(f, &f->bins.at[*set], &f->schedule->turns.at[turn]);
}

/*
 * Put the turns into sets. Groups that can never be counted get the last set, so that they do not
 * displace others.
 */
static void sets__fill(struct filling *f)
{
	const struct schedule *s = f->schedule;
	int last = -1;

	for (int i = 0; i < s->nr_groups; i++)
		for (int e = 0; !schedule_group__has_turn(&s->groups[i]) && e < s->groups[i].nr;
		     e++)
			f->fds += fds_of(f, s->groups[i].first + e);
	for (int i = 0; i < s->turns.nr; i++)
		if (!is_never_counted(f, i))
			find_set(f, i);
	for (int i = 0; i < s->turns.nr; i++) {
		if (!is_never_counted(f, i))
			continue;
		if (last < 0) {
			last = f->bins.nr;
			add_set(f);
		}
		f->set_of[i] = last;
	}
	if (!f->bins.nr)
		add_set(f);
}

/*
 * Put events without a turn into all sets, but events that are refused or not measured only into
 * the first.
 */
static void put_free(struct sets *sets, const struct schedule_group *g, const struct plan *plan)
{
	for (int i = g->first; i < g->first + g->nr; i++) {
		bool once = g->state != SCHEDULE_FREE || plan->events.at[i]->retire_latency;

		for (int set = 0; set < (once ? 1 : sets->nr); set++)
			sets->has[set * sets->nr_events + i] = true;
	}
}

static void put_turn(struct filling *f, struct sets *sets, int number)
{
	const struct schedule_turn *turn = &f->schedule->turns.at[number];
	bool fixed = is_fixed(f, turn);

	for (int set = 0; set < sets->nr; set++) {
		if (set != f->set_of[number] && !(fixed && fill_in(f, &f->bins.at[set], turn)))
			continue;
		for (int i = turn->first; i < turn->first + turn->nr; i++)
			sets->has[set * sets->nr_events + f->schedule->order.at[i]] = true;
	}
}

static void put_in(struct filling *f, struct sets *sets)
{
	for (int i = 0; i < f->schedule->nr_groups; i++)
		if (!schedule_group__has_turn(&f->schedule->groups[i]))
			put_free(sets, &f->schedule->groups[i], f->plan);
	for (int never = 0; never <= 1; never++)
		for (int i = 0; i < f->schedule->turns.nr; i++)
			if (is_never_counted(f, i) == never)
				put_turn(f, sets, i);
}

static void filling__free(struct filling *f)
{
	for (int i = 0; i < f->bins.nr; i++) {
		for (int j = 0; j < f->bins.at[i].rooms.nr; j++)
			free(f->bins.at[i].rooms.at[j]);
		vec__free(&f->bins.at[i].rooms);
	}
	vec__free(&f->bins);
	free(f->set_of);
}

struct sets *sets__new(const struct plan *plan, const struct schedule *schedule,
		       const struct events_scope *events, const struct sets_limit *limit)
{
	int nr = plan->events.nr;
	struct sets *sets = xcalloc(1, sizeof(*sets));
	struct filling f = {
		.plan = plan,
		.schedule = schedule,
		.scope = events,
		.limit = limit,
		.set_of = xcalloc(schedule->turns.nr + 1, sizeof(*f.set_of)),
	};

	sets__fill(&f);
	sets->nr = f.bins.nr;
	sets->nr_events = nr;
	sets->has = xcalloc((size_t)sets->nr * nr + 1, sizeof(*sets->has));
	put_in(&f, sets);
	filling__free(&f);
	return sets;
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

/* Whether a set has all events of a metric. Latencies are skipped, as every run has them. */
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
