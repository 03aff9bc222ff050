// SPDX-License-Identifier: GPL-2.0-only
/* Forecast how the groups of a plan are scheduled, and find how many groups are needed at least. */
#include "plan/schedule.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/sb.h"
#include "base/vec.h"
#include "base/xalloc.h"
#include "machine/machine.h"
#include "plan/counters.h"
#include "plan/load.h"
#include "plan/pack_unit.h"

/**
 * struct forecast_pmu - the counters of a PMU
 * @all:  the counters by which the kernel accepts or refuses a group
 * @left: the counters that the NMI watchdog and other users do not hold, less those that the other
 *        thread of the core needs
 */
struct forecast_pmu {
	const struct pmu *pmu;
	struct fit_pmu all, left;
};

/**
 * struct forecast - the state of making a schedule
 * @counters: the counters of each PMU that has events
 * @order:    the turns of the current PMU
 */
struct forecast {
	struct schedule *s;
	const struct plan *plan;
	const struct events_scope *scope;
	VEC(struct forecast_pmu) counters;
	VEC(int) order;
};

static bool takes_counter(const struct forecast *f, int event)
{
	return load__takes_turns(f->plan->events.at[event]);
}

/* Find the counters of a PMU. */
static const struct forecast_pmu *schedule__find_counters(struct forecast *f, const struct pmu *pmu)
{
	for (int i = 0; i < f->counters.nr; i++)
		if (f->counters.at[i].pmu == pmu)
			return &f->counters.at[i];
	vec__push(&f->counters, ((struct forecast_pmu){ pmu, counters__on(f->scope, pmu),
						   counters__left_on(f->scope, pmu) }));
	f->counters.at[f->counters.nr - 1].all.exclusive_most = 0;
	return &f->counters.at[f->counters.nr - 1];
}

/* --- Groups --------------------------------------------------------------- */

/* List the events of a group that take counters; software events are left out. */
static int schedule__gather(const struct forecast *f, int first, int nr, struct fit_event *needs,
			    int *at)
{
	int kept = 0;

	for (int i = first; i < first + nr && kept < FIT_MAX_EVENTS; i++) {
		if (!takes_counter(f, i))
			continue;
		at[kept] = i;
		needs[kept++] = f->s->events[i].need;
	}
	return kept;
}

/*
 * Put a group on the counters, and record the counter of each event. Return: whether the group
 * fits.
 */
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

/* Set the state of a group whose events take no counter. */
static void judge_free(const struct forecast *f, struct schedule_group *g)
{
	for (int i = g->first; i < g->first + g->nr && !g->why; i++) {
		if (!counters__are_missing(f->plan->events.at[i]))
			continue;
		g->state = SCHEDULE_MISSING;
		g->why = xstrdup("this machine has no core PMU");
	}
}

/* Set the state of a group with a precise event: a weak group is taken apart. */
static bool judge_precise(const struct forecast *f, struct schedule_group *g)
{
	struct event *const *events = f->plan->events.at;

	for (int i = g->first; i < g->first + g->nr; i++) {
		struct sb why = SB_INIT;

		if (!event__is_precise(events[i]))
			continue;
		g->pmu = events[i]->pmu;
		g->state = events[g->first]->weak && g->nr > 1 ? SCHEDULE_APART : SCHEDULE_MISSING;
		sb__printf(&why, "%s is precise (modifier p), which is for sampling only",
			   events[i]->name);
		g->why = sb__detach(&why);
		return true;
	}
	return false;
}

static void schedule__judge(struct forecast *f, struct schedule_group *g)
{
	struct fit_event needs[FIT_MAX_EVENTS];
	struct fit_conflict why;
	const struct forecast_pmu *own;
	int at[FIT_MAX_EVENTS], nr = schedule__gather(f, g->first, g->nr, needs, at);
	struct sb text = SB_INIT;

	if (judge_precise(f, g))
		return;
	if (!nr) {
		judge_free(f, g);
		return;
	}
	g->pmu = f->plan->events.at[at[0]]->pmu;
	own = schedule__find_counters(f, g->pmu);
	g->state = SCHEDULE_FITS;
	if (put_on(&own->left, needs, nr, at, f->s->events, &why))
		return;
	fit__explain(&own->left, needs, nr, &why, &text);
	g->why = sb__detach(&text);
	if (put_on(&own->all, needs, nr, at, f->s->events, &why))
		g->state = SCHEDULE_NEVER;
	else
		g->state = f->plan->events.at[g->first]->weak ? SCHEDULE_APART : SCHEDULE_REFUSED;
}

static void join_turn(struct forecast *f, int event)
{
	struct schedule_turn *turn = &f->s->turns.at[f->s->turns.nr - 1];
	const struct event *e = f->plan->events.at[event];

	if (load__takes_turns(e))
		turn->pmu = e->pmu;
	turn->nr++;
	vec__push(&f->s->order, event);
}

static void start_turn(struct forecast *f, int event)
{
	vec__push(&f->s->turns, (struct schedule_turn){ .first = f->s->order.nr,
							.group = f->s->nr_groups - 1 });
	join_turn(f, event);
}

/* When a group is taken apart, the leader stays, and TopDown metric events stay with slots. */
static void add_turns(struct forecast *f, const struct schedule_group *g)
{
	struct event *const *events = f->plan->events.at;
	bool apart = g->state == SCHEDULE_APART;

	if (!schedule_group__has_turn(g))
		return;
	start_turn(f, g->first);
	for (int i = g->first + 1; i < g->first + g->nr; i++)
		if (!apart || events[i]->topdown)
			join_turn(f, i);
	for (int i = g->first + 1; i < g->first + g->nr; i++)
		if (apart && !events[i]->topdown)
			start_turn(f, i);
}

static void find_groups(struct forecast *f)
{
	const struct event_list *list = &f->plan->events;
	struct schedule *s = f->s;

	s->groups = xcalloc(list->nr + 1, sizeof(*s->groups));
	for (int first = 0, end; first < list->nr; first = end) {
		struct schedule_group *g = &s->groups[s->nr_groups++];

		for (end = first + 1; end < list->nr; end++)
			if (list->at[end]->leader != list->at[first])
				break;
		*g = (struct schedule_group){
			.first = first,
			.nr = end - first,
			.state = SCHEDULE_FREE,
		};
		schedule__judge(f, g);
		add_turns(f, g);
	}
}

/* --- The fewest groups ------------------------------------------------------------------------ */

/*
 * Pack the events of the metrics and the groups of the user again, to find how many groups they
 * need. The groups of the plan do not matter here.
 */
/**
 * struct repack - the packing of one PMU's events
 * @numbers: for each event of the plan, its number in @unit; -1 if it is left out
 */
struct repack {
	const struct plan *plan;
	struct pack_unit unit;
	int *numbers;
};

static bool is_packed(const struct repack *r, const struct event *e)
{
	return e->pmu == r->unit.pmu && !e->retire_latency && !event__is_precise(e);
}

static void schedule__add_events(struct repack *r, const struct schedule_event *events)
{
	const struct event_list *list = &r->plan->events;

	for (int i = 0; i < list->nr; i++) {
		struct event *e = list->at[i];

		r->numbers[i] = -1;
		if (is_packed(r, e))
			r->numbers[i] = unit__add_event(
				&r->unit, &(struct unit_event){.id = e->name, .look = e},
				&events[i].need);
	}
}

static void schedule__add_metric(struct repack *r, const struct plan_metric *pm)
{
	struct spot spots[pm->metric->nr_ids + 1];
	struct parts parts;

	for (int i = 0; i < pm->metric->nr_ids; i++) {
		int at = pm->events[i] ? r->numbers[pm->events[i]->index] : -1;

		spots[i] = (struct spot){ at < 0 ? -1 : 0, at };
	}
	parts__init(&parts, pm->metric);
	unit__add_metric(&r->unit, 0, &parts, spots);
	parts__free(&parts);
}

/* Add a group of the user. If its events do not fit together, they are counted one at a time. */
static void add_users_group(struct repack *r, int first)
{
	const struct event_list *events = &r->plan->events;
	const struct event *leader = events->at[first];
	int list[events->nr - first], nr = 0;

	if (leader->from_metric || leader->leader != leader)
		return;
	for (int i = first; i < events->nr && events->at[i]->leader == leader; i++)
		if (r->numbers[i] >= 0)
			nr = array__add_once(list, nr, r->numbers[i]);
	if (nr && unit__fits(&r->unit, list, nr)) {
		unit__add_set(&r->unit, list, nr, PACK_MUST);
		return;
	}
	for (int i = 0; i < nr; i++)
		unit__add_set(&r->unit, &list[i], 1, PACK_MUST);
}

/* Count the latencies that are sampled: each is a group of its own. */
static int count_latencies(const struct repack *r)
{
	const struct event_list *events = &r->plan->events;
	int nr = 0;

	for (int i = 0; i < events->nr; i++)
		nr += events->at[i]->pmu == r->unit.pmu && events->at[i]->retire_latency &&
		      events->at[i]->sampled;
	return nr;
}

static bool has_refused(const struct schedule *s, const struct pmu *pmu)
{
	for (int i = 0; i < s->nr_groups; i++)
		if (s->groups[i].pmu == pmu && s->groups[i].state == SCHEDULE_REFUSED)
			return true;
	return false;
}

/* Set @packed, @lower_bound and @proven of @info for the events of @info->pmu. */
static void find_bound(const struct plan *plan, const struct fit_pmu *counters,
		       const struct schedule *s, struct schedule_pmu *info)
{
	struct repack r = {
		.plan = plan,
		.unit = { .pmu = info->pmu, .owner = -1, .counters = *counters },
		.numbers = xcalloc(plan->events.nr + 1, sizeof(*r.numbers)),
	};
	struct pack_result result;

	schedule__add_events(&r, s->events);
	for (int i = 0; i < plan->nr_metrics; i++)
		schedule__add_metric(&r, &plan->metrics[i]);
	for (int i = 0; i < plan->events.nr; i++)
		add_users_group(&r, i);
	result = unit__solve(&r.unit);
	/*
	 * The plan may have fewer groups than the packing: the packing ignores modifiers, and may
	 * put metric events under slots of another mode, which it then has to take apart.
	 */
	if (result.nr_groups > info->nr_turns && !has_refused(s, info->pmu))
		result.nr_groups = info->nr_turns;
	if (result.lower_bound > result.nr_groups)
		result.lower_bound = result.nr_groups;
	info->packed = result.nr_groups + count_latencies(&r);
	info->lower_bound = result.lower_bound + count_latencies(&r);
	info->proven = result.proven;
	unit__free(&r.unit);
	free(r.numbers);
}

/* --- Turns --------------------------------------------------------------- */

bool schedule__join(const struct schedule *s, const struct plan *plan,
		    const struct schedule_turn *turn, struct fit *fit)
{
	for (int i = turn->first; i < turn->first + turn->nr; i++) {
		int event = s->order.at[i];

		if (load__takes_turns(plan->events.at[event]) &&
		    !fit__add(fit, &s->events[event].need, NULL))
			return false;
	}
	return fit__complete(fit, NULL);
}

/* Add a share of the time to the events of a turn. Return: number of events that take a counter. */
static int add_share(const struct forecast *f, const struct schedule_turn *turn, double share)
{
	int nr = 0;

	for (int i = turn->first; i < turn->first + turn->nr; i++) {
		int event = f->s->order.at[i];

		if (!takes_counter(f, event))
			continue;
		f->s->events[event].share += share;
		nr++;
	}
	return nr;
}

/*
 * Simulate a round, in which each turn comes first once. Return: whether all turns fit at one time.
 */
static bool go_round(struct forecast *f, const struct fit_pmu *counters)
{
	const struct schedule_turn *turns = f->s->turns.at;
	int nr = f->order.nr;
	bool all = true;

	for (int from = 0; from < nr; from++) {
		struct fit fit;
		int i = 0;

		fit__init(&fit, counters);
		for (; i < nr; i++) {
			const struct schedule_turn *turn = &turns[f->order.at[(from + i) % nr]];

			if (!schedule__join(f->s, f->plan, turn, &fit))
				break;
			add_share(f, turn, 1.0 / nr);
		}
		all &= i == nr;
	}
	return all;
}

/*
 * The kernel schedules groups in the order in which they were opened. Groups that are taken apart
 * are opened last.
 */
static void order_turns(struct forecast *f, const struct pmu *pmu)
{
	const struct schedule *s = f->s;

	f->order.nr = 0;
	for (int late = 0; late <= 1; late++)
		for (int i = 0; i < s->turns.nr; i++)
			if (s->turns.at[i].pmu == pmu &&
			    (s->groups[s->turns.at[i].group].state == SCHEDULE_APART) == late)
				vec__push(&f->order, i);
}

/*
 * Find counters for the groups that are counted all the time, and so are on the counters together.
 */
static void put_together(struct forecast *f, const struct pmu *pmu, const struct forecast_pmu *own)
{
	struct fit_event needs[FIT_MAX_EVENTS];
	struct fit_conflict why;
	int at[FIT_MAX_EVENTS], nr = 0;

	for (int i = 0; i < f->s->nr_groups; i++) {
		const struct schedule_group *g = &f->s->groups[i];

		if (g->pmu != pmu || g->state != SCHEDULE_FITS)
			continue;
		if (nr + g->nr > FIT_MAX_EVENTS)
			return;
		nr += schedule__gather(f, g->first, g->nr, needs + nr, at + nr);
	}
	put_on(&own->left, needs, nr, at, f->s->events, &why);
}

static void share_out(struct forecast *f, struct pmu *pmu)
{
	struct schedule_pmu info = { .pmu = pmu };
	struct schedule *s = f->s;
	const struct forecast_pmu *own;

	order_turns(f, pmu);
	if (!f->order.nr)
		return;
	own = schedule__find_counters(f, pmu);
	info.nr_turns = f->order.nr;
	for (int i = 0; i < f->order.nr; i++)
		info.nr_events += add_share(f, &s->turns.at[f->order.at[i]], 0);
	info.all_fit = go_round(f, &own->left);
	if (info.all_fit)
		put_together(f, pmu, own);
	if (!pmu->is_core)
		return;
	find_bound(f->plan, &own->left, s, &info);
	s->pmus = xreallocarray(s->pmus, s->nr_pmus + 1, sizeof(*s->pmus));
	s->pmus[s->nr_pmus++] = info;
}

static void look_at_event(struct forecast *f, int number)
{
	const struct event *e = f->plan->events.at[number];
	bool turns = load__takes_turns(e);

	f->s->events[number] = (struct schedule_event){
		.need = counters__need(f->scope->tables,
				       turns ? &schedule__find_counters(f, e->pmu)->all : NULL, e),
		.counter = SCHEDULE_NO_COUNTER,
		.share = !turns && load__is_counted(e) && !counters__are_missing(e),
	};
}

struct schedule *schedule__new(const struct plan *plan, const struct events_scope *events)
{
	struct schedule *s = xcalloc(1, sizeof(*s));
	struct forecast f = {
		.s = s,
		.plan = plan,
		.scope = events,
	};

	s->events = xcalloc(plan->events.nr + 1, sizeof(*s->events));
	for (int i = 0; i < plan->events.nr; i++)
		look_at_event(&f, i);
	find_groups(&f);
	for (int i = 0; i < events->machine->nr_pmus; i++)
		share_out(&f, events->machine->pmus[i]);
	vec__free(&f.counters);
	vec__free(&f.order);
	return s;
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
	vec__free(&s->turns);
	vec__free(&s->order);
	free(s);
}

bool schedule_group__serves(const struct schedule_group *g, const struct plan_metric *pm)
{
	for (int i = 0; i < plan_metric__nr_events(pm); i++)
		if (pm->events[i] && pm->events[i]->index >= g->first &&
		    pm->events[i]->index < g->first + g->nr)
			return true;
	return false;
}
