// SPDX-License-Identifier: GPL-2.0-only
/* What will become of a plan's groups. schedule_bound.c has what could become of them. */
#include "plan/schedule.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/sb.h"
#include "base/vec.h"
#include "machine/machine.h"
#include "plan/counters.h"
#include "plan/load.h"
#include "plan/schedule_bound.h"

/**
 * struct turn - events that are put on the counters together
 * @first, @nr: by their numbers
 * @pmu: whose counters
 * @rest: of these, what stays together when a group is taken apart
 * @late: opened after all others, since it was taken apart
 */
struct turn {
	int first, nr;
	struct pmu *pmu;
	bool rest, late;
};

/** struct has - the counters of a PMU: @all, and those @left by the NMI watchdog */
struct has {
	const struct pmu *pmu;
	struct fit_pmu all, left;
};

/**
 * struct forecast - a schedule being made
 * @has:   of each PMU that events are of
 * @needs: of each event
 * @turns: of all PMUs
 * @order: those of the PMU being looked at
 */
struct forecast {
	struct schedule *s;
	const struct plan *plan;
	const struct events_scope *scope;
	VEC(struct has) has;
	struct fit_event *needs;
	VEC(struct turn) turns;
	VEC(int) order;
};

/* What stays of a group that is taken apart: its leader; with slots, TopDown metric events. */
static bool stays(const struct forecast *f, int first, int event)
{
	return event == first || f->plan->events.at[event]->topdown;
}

static bool is_in(const struct forecast *f, const struct turn *turn, int event)
{
	return load__takes_turns(f->plan->events.at[event]) &&
	       (!turn->rest || stays(f, turn->first, event));
}

/* The counters of a PMU; NULL when memory ran out. */
static const struct has *find_has(struct forecast *f, const struct pmu *pmu)
{
	struct has new = { .pmu = pmu };

	for (int i = 0; i < f->has.nr; i++)
		if (f->has.at[i].pmu == pmu)
			return &f->has.at[i];
	new.all = counters__on(f->scope, pmu);
	new.left = counters__left_on(f->scope, pmu);
	return vec__push(&f->has, new) ? NULL : &f->has.at[f->has.nr - 1];
}

/* --- Groups --------------------------------------------------------------- */

/* The events of a group that take counters: software events may be among them. */
static int gather(const struct forecast *f, int first, int nr, struct fit_event *needs, int *at)
{
	int kept = 0;

	for (int i = first; i < first + nr && kept < FIT_MAX_EVENTS; i++) {
		if (!load__takes_turns(f->plan->events.at[i]))
			continue;
		at[kept] = i;
		needs[kept++] = f->needs[i];
	}
	return kept;
}

/* Puts a group on the counters, and tells which events are on which. */
static bool put_on(const struct fit_pmu *counters, const struct fit_event *needs, int nr,
		   const int *at, struct schedule_event *events, struct fit_conflict *why)
{
	struct fit fit;

	fit__init(&fit, counters);
	for (int i = 0; i < nr; i++)
		if (!fit__add(&fit, &needs[i], why))
			return false;
	if (!fit__complete(&fit, why))
		return false;
	for (int counter = 0; counter < FIT_COUNTERS; counter++)
		if (fit.holder[counter] > 0)
			events[at[fit.holder[counter] - 1]].counter = counter;
	return true;
}

/* Of a group that takes no counter. */
static int judge_free(const struct forecast *f, struct schedule_group *g)
{
	for (int i = g->first; i < g->first + g->nr; i++)
		if (counters__are_missing(f->plan->events.at[i])) {
			g->state = SCHEDULE_MISSING;
			g->why = strdup("this machine has no core PMU");
			return g->why ? 0 : -ENOMEM;
		}
	return 0;
}

static int judge(struct forecast *f, struct schedule_group *g)
{
	struct fit_event needs[FIT_MAX_EVENTS];
	struct fit_conflict why;
	const struct has *has;
	int at[FIT_MAX_EVENTS], nr = gather(f, g->first, g->nr, needs, at);
	struct sb text = SB_INIT;

	if (!nr)
		return judge_free(f, g);
	g->pmu = f->plan->events.at[at[0]]->pmu;
	has = find_has(f, g->pmu);
	if (!has)
		return -ENOMEM;
	g->state = SCHEDULE_FITS;
	if (put_on(&has->left, needs, nr, at, f->s->events, &why))
		return 0;
	fit__explain(&has->left, needs, nr, &why, &text);
	g->why = sb__detach(&text);
	if (put_on(&has->all, needs, nr, at, f->s->events, &why))
		g->state = SCHEDULE_NEVER;
	else
		g->state = f->plan->events.at[g->first]->weak ? SCHEDULE_APART : SCHEDULE_REFUSED;
	return g->why ? 0 : -ENOMEM;
}

static int add_turns(struct forecast *f, const struct schedule_group *g)
{
	bool apart = g->state == SCHEDULE_APART;
	int rc = 0;

	if (!g->pmu || g->state == SCHEDULE_REFUSED)
		return 0;
	if (!apart || load__takes_turns(f->plan->events.at[g->first]))
		rc = vec__push(&f->turns,
			       (struct turn){ g->first, g->nr, g->pmu, apart, apart });
	for (int i = g->first; apart && i < g->first + g->nr && !rc; i++)
		if (load__takes_turns(f->plan->events.at[i]) && !stays(f, g->first, i))
			rc = vec__push(&f->turns, (struct turn){ i, 1, g->pmu, false, true });
	return rc;
}

static int find_groups(struct forecast *f)
{
	const struct event_list *list = &f->plan->events;
	struct schedule *s = f->s;
	int rc = 0;

	for (int first = 0, end; first < list->nr && !rc; first = end) {
		struct schedule_group g = { .first = first, .state = SCHEDULE_FREE };

		for (end = first + 1; end < list->nr; end++)
			if (list->at[end]->leader != list->at[first])
				break;
		g.nr = end - first;
		rc = judge(f, &g);
		if (!rc)
			rc = add_turns(f, &g);
		if (vec__reserve_raw(&s->groups, &s->cap_groups, s->nr_groups + 1, sizeof(g))) {
			free(g.why);
			rc = -ENOMEM;
		} else {
			s->groups[s->nr_groups++] = g;
		}
	}
	return rc;
}

/* --- Turns --------------------------------------------------------------- */

static bool join(const struct forecast *f, struct fit *fit, const struct turn *turn)
{
	struct fit before = *fit;

	for (int i = turn->first; i < turn->first + turn->nr; i++) {
		if (!is_in(f, turn, i) || fit__add(fit, &f->needs[i], NULL))
			continue;
		*fit = before;
		return false;
	}
	return fit__complete(fit, NULL);
}

/* One round, in which every turn is the first once. Return: whether all fit at the same time. */
static bool go_round(struct forecast *f, const struct fit_pmu *counters)
{
	int nr = f->order.nr;
	bool all = true;

	for (int from = 0; from < nr; from++) {
		struct fit fit;

		fit__init(&fit, counters);
		for (int i = 0; i < nr; i++) {
			const struct turn *turn = &f->turns.at[f->order.at[(from + i) % nr]];

			if (!join(f, &fit, turn)) {
				all = false;
				break;
			}
			for (int e = turn->first; e < turn->first + turn->nr; e++)
				if (is_in(f, turn, e))
					f->s->events[e].share += 1.0 / nr;
		}
	}
	return all;
}

/* The kernel's: as they are opened. */
static int order_turns(struct forecast *f, const struct pmu *pmu, bool late)
{
	int rc = 0;

	for (int i = 0; i < f->turns.nr && !rc; i++)
		if (f->turns.at[i].pmu == pmu && f->turns.at[i].late == late)
			rc = vec__push(&f->order, i);
	return rc;
}

/* Of the turns in order. */
static int count_events(const struct forecast *f)
{
	int nr = 0;

	for (int i = 0; i < f->order.nr; i++) {
		const struct turn *turn = &f->turns.at[f->order.at[i]];

		for (int e = turn->first; e < turn->first + turn->nr; e++)
			nr += is_in(f, turn, e);
	}
	return nr;
}

static int share_out(struct forecast *f, struct pmu *pmu)
{
	const struct has *has;
	struct schedule_pmu info = { .pmu = pmu };
	struct schedule *s = f->s;
	int rc;

	f->order.nr = 0;
	rc = order_turns(f, pmu, false);
	if (!rc)
		rc = order_turns(f, pmu, true);
	if (rc || !f->order.nr)
		return rc;
	has = find_has(f, pmu);
	if (!has)
		return -ENOMEM;
	info.nr_turns = f->order.nr;
	info.nr_events = count_events(f);
	info.all_fit = go_round(f, &has->left);
	if (!pmu->is_core)
		return 0;
	if (schedule__bound(f->plan, &has->left, f->needs, &info) ||
	    vec__reserve_raw(&s->pmus, &s->cap_pmus, s->nr_pmus + 1, sizeof(info)))
		return -ENOMEM;
	s->pmus[s->nr_pmus++] = info;
	return 0;
}

static int look_ahead(struct forecast *f)
{
	const struct event_list *list = &f->plan->events;
	const struct machine *machine = f->scope->machine;
	int rc;

	for (int i = 0; i < list->nr; i++) {
		const struct pmu *pmu = load__takes_turns(list->at[i]) ? list->at[i]->pmu : NULL;
		const struct has *has = pmu ? find_has(f, pmu) : NULL;

		if (pmu && !has)
			return -ENOMEM;
		f->needs[i] = counters__need(f->scope->tables, has ? &has->all : NULL, list->at[i]);
		f->s->events[i].counter = SCHEDULE_NO_COUNTER;
		f->s->events[i].share = !pmu && load__is_counted(list->at[i]) &&
					!counters__are_missing(list->at[i]);
	}
	rc = find_groups(f);
	for (int i = 0; i < machine->nr_pmus && !rc; i++)
		rc = share_out(f, machine->pmus[i]);
	return rc;
}

int schedule__new(const struct plan *plan, const struct events_scope *events,
		  struct schedule **out, struct err *err)
{
	int nr = plan->events.nr + 1;
	struct forecast f = {
		.s = calloc(1, sizeof(*f.s)),
		.plan = plan,
		.scope = events,
		.needs = calloc(nr, sizeof(*f.needs)),
	};
	int rc = f.s && f.needs ? 0 : -ENOMEM;

	if (!rc) {
		f.s->events = calloc(nr, sizeof(*f.s->events));
		rc = f.s->events ? look_ahead(&f) : -ENOMEM;
	}
	vec__free(&f.has);
	vec__free(&f.turns);
	vec__free(&f.order);
	free(f.needs);
	if (!rc) {
		*out = f.s;
		return 0;
	}
	schedule__free(f.s);
	return err__set(err, ENOMEM, "out of memory looking at the groups");
}

void schedule__free(struct schedule *s)
{
	if (!s)
		return;
	for (int i = 0; i < s->nr_groups; i++)
		free(s->groups[i].why);
	free(s->groups);
	free(s->events);
	free(s->pmus);
	free(s);
}
