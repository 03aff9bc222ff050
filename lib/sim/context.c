// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <string.h>

#include "sim/context.h"
#include "sim/counting.h"
#include "sim/topdown.h"

void context__init(struct sim_context *ctx, const struct sim_machine *m, struct sim_pmu *pmu,
		   int cpu, struct sim_task *task, uint64_t now)
{
	*ctx = (struct sim_context){ .m = m, .pmu = pmu, .cpu = cpu, .task = task, .now = now };
	ctx->course.round = &m->phases;
	if (cpu >= 0)
		ctx->course.offset = m->stagger_ns * cpulist__index(&m->cpus, cpu);
	if (pmu)
		ctx->course.offset += m->stagger_ns * pmu->instance;
}

void context__free(struct sim_context *ctx)
{
	vec__free(&ctx->groups);
}

static bool uses_counter(const struct sim_event *event)
{
	return event->need.mask;
}

static bool add_need(struct counters *c, const struct sim_event *event)
{
	return !uses_counter(event) || counters__add(c, &event->need);
}

int context__fits(const struct sim_event *event, const struct sim_event *leader)
{
	const struct sim_event *e;
	struct counters c;

	if (!event->pmu || event->pmu->kind == SIM_PMU_FREE)
		return 0;
	counters__init(&c, event->pmu, 0);
	group__for_each(e, leader)
		if ((e == leader ? e->pmu != NULL : e->state > SIM_EVENT_OFF) && !add_need(&c, e))
			return -EINVAL;
	return uses_counter(event) && counters__add(&c, &event->need) ? 0 : -EINVAL;
}

static int insert_group(struct sim_context *ctx, struct sim_event *event)
{
	int at = ctx->groups.nr;

	if (vec__push(&ctx->groups, event))
		return -ENOMEM;
	if (!event->attr.pinned)
		return 0;
	while (at && !ctx->groups.at[at - 1]->attr.pinned)
		at--;
	memmove(&ctx->groups.at[at + 1], &ctx->groups.at[at],
		(ctx->groups.nr - 1 - at) * sizeof(*ctx->groups.at));
	ctx->groups.at[at] = event;
	return 0;
}

int context__add(struct sim_context *ctx, struct sim_event *event)
{
	int rc = 0;

	if (event->need.slots && event->leader == event && !event->topdown)
		rc = topdown__new(ctx->m, event);
	if (!rc)
		rc = event->leader == event ? insert_group(ctx, event)
					    : vec__push(&event->leader->siblings, event);
	if (rc)
		return rc;
	if (event->leader->topdown && sim_need__is_metric(&event->need))
		event->leader->topdown->on = true;
	event->ctx = ctx;
	ctx->nr_events++;
	ctx->nr_sampling += event__writes_records(event);
	ctx->changed = true;
	return 0;
}

static void context__drop(struct sim_event **at, int *nr, const struct sim_event *event)
{
	for (int i = 0; i < *nr; i++)
		if (at[i] == event) {
			memmove(&at[i], &at[i + 1], (*nr - i - 1) * sizeof(*at));
			(*nr)--;
			return;
		}
}

void context__drop_group(struct sim_context *ctx, const struct sim_event *leader)
{
	context__drop(ctx->groups.at, &ctx->groups.nr, leader);
}

void context__remove(struct sim_event *event)
{
	struct sim_context *ctx = event->ctx;
	struct sim_event **p;

	topdown__fold(event->leader);
	ctx->changed = true;
	ctx->nr_events--;
	ctx->nr_sampling -= event__writes_records(event);
	if (event->leader != event) {
		context__drop(event->leader->siblings.at, &event->leader->siblings.nr, event);
		return;
	}
	context__drop_group(ctx, event);
	vec__for_each(p, &event->siblings) {
		(*p)->leader = *p;
		/* A metric event cannot count without its slots event. */
		if (sim_need__is_metric(&(*p)->need))
			(*p)->state = SIM_EVENT_ERROR;
		insert_group(ctx, *p);
	}
	vec__free(&event->siblings);
}

bool event__is_topdown(const struct sim_event *event)
{
	return event->leader->topdown && event->leader->topdown->on &&
	       (event->need.slots || sim_need__is_metric(&event->need));
}

static void unthrottle(struct sim_event *event)
{
	if (!event->sampling.throttled)
		return;
	event->sampling.throttled = false;
	event->sampling.in_tick = 0;
	event->ctx->output(event, SIM_OUTPUT_UNTHROTTLE, 0);
}

static void set_state(struct sim_event *event, enum sim_state state)
{
	event->stale |= event->state != state;
	event->state = state;
}

static void set_group(struct sim_event *leader, enum sim_state state)
{
	bool was_active = leader->state == SIM_EVENT_ACTIVE;
	struct sim_event **p, *event;

	if (was_active && state != SIM_EVENT_ACTIVE)
		topdown__fold(leader);
	if (leader->state > SIM_EVENT_OFF)
		set_state(leader, state);
	vec__for_each(p, &leader->siblings)
		if ((*p)->state > SIM_EVENT_OFF)
			set_state(*p, leader->state == SIM_EVENT_ACTIVE ? SIM_EVENT_ACTIVE
									: SIM_EVENT_INACTIVE);
	if (was_active || leader->state != SIM_EVENT_ACTIVE || !leader->ctx->nr_sampling)
		return;
	group__for_each(event, leader)
		if (event->state == SIM_EVENT_ACTIVE)
			unthrottle(event);
}

/* Find the counters that the workaround of an erratum leaves to a group. */
static uint64_t left_to(const struct sim_context *ctx, const struct sim_event *leader)
{
	uint64_t mask = UINT64_MAX;
	const struct sim_starved *s;
	const struct sim_event *e;

	vec__for_each(s, &ctx->pmu->starved)
		group__for_each(e, leader)
			if (e->pmu == ctx->pmu && e->state > SIM_EVENT_OFF &&
			    sim_pmu__matches(ctx->pmu, &s->match, false, &e->config))
				mask &= s->mask | SIM_FIXED_BITS | SIM_METRIC_BITS;
	return mask;
}

/* Find out whether a group can never have its counters, even without other groups. */
static bool is_starved(const struct sim_context *ctx, const struct sim_event *leader)
{
	const struct sim_event *e;
	struct counters alone;

	if (!ctx->pmu->starved.nr)
		return false;
	counters__init(&alone, ctx->pmu, ctx->reserved | ~left_to(ctx, leader));
	group__for_each(e, leader)
		if (e->state > SIM_EVENT_OFF && !add_need(&alone, e))
			return true;
	return false;
}

static bool group_goes_on(struct counters *c, const struct sim_event *leader)
{
	struct counters before = *c;
	bool fits = add_need(c, leader);

	for (int i = 0; fits && i < leader->siblings.nr; i++)
		if (leader->siblings.at[i]->state > SIM_EVENT_OFF)
			fits = add_need(c, leader->siblings.at[i]);
	if (!fits)
		*c = before;
	return fits;
}

/* Find out whether a fault keeps a group off the PMU. Groups after it are still tried. */
static bool never_runs(const struct sim_event *leader)
{
	const struct sim_event *event;

	group__for_each(event, leader)
		if (event->spoilt == FAULT_COUNT_NEVER)
			return true;
	return false;
}

static bool wants_in(const struct sim_event *leader, int cpu)
{
	return !never_runs(leader) && leader->state > SIM_EVENT_OFF &&
	       (leader->cpu == -1 || leader->cpu == cpu);
}

static void assign_counter(struct sim_event *event, const struct counters *c)
{
	int counter = 0;

	for (uint64_t used = c->used; used && event->state == SIM_EVENT_ACTIVE; used &= used - 1)
		if (c->event[__builtin_ctzll(used)] == &event->need)
			counter = __builtin_ctzll(used) + 1;
	event->stale |= event->counter != counter;
	event->counter = counter;
}

/* Choose which groups count from now on; the context's task, if any, runs on @cpu. */
static void schedule(struct sim_context *ctx, int cpu)
{
	bool here = !ctx->pmu || !ctx->task || cpulist__has(&ctx->pmu->cpus, cpu);
	bool was_rotating = ctx->rotate, can_add = true;
	struct sim_event **p, *event;
	struct counters c;

	if (ctx->pmu)
		counters__init(&c, ctx->pmu, ctx->reserved);
	ctx->rotate = false;
	ctx->where = cpu;
	vec__for_each(p, &ctx->groups) {
		bool active = here && can_add && wants_in(*p, cpu), refused;

		if (active && ctx->pmu)
			active = !is_starved(ctx, *p) && group_goes_on(&c, *p);
		refused = !active && here && wants_in(*p, cpu);
		/* As in the kernel, no group is tried after one that did not fit. */
		if (refused && !(*p)->attr.pinned) {
			can_add = false;
			ctx->rotate = true;
		}
		set_group(*p, active				 ? SIM_EVENT_ACTIVE
			      : refused && (*p)->attr.pinned ? SIM_EVENT_ERROR
							     : SIM_EVENT_INACTIVE);
	}
	if (ctx->pmu)
		context__for_each(event, ctx)
			assign_counter(event, &c);
	if (ctx->rotate && !was_rotating)
		ctx->next_turn = ctx->now + (ctx->pmu ? ctx->pmu->mux_interval_ms : 4) * 1000000ULL;
	ctx->changed = false;
}

/*
 * Move the first active group to the end of the list, or without active groups the first one that
 * is not pinned.
 */
static void take_turns(struct sim_context *ctx)
{
	struct sim_event *moved;
	int first = 0, at;

	while (first < ctx->groups.nr && ctx->groups.at[first]->attr.pinned)
		first++;
	for (at = first; at < ctx->groups.nr; at++)
		if (ctx->groups.at[at]->state == SIM_EVENT_ACTIVE)
			break;
	if (at == ctx->groups.nr)
		at = first;
	if (at == ctx->groups.nr)
		return;
	moved = ctx->groups.at[at];
	context__drop_group(ctx, moved);
	ctx->groups.at[ctx->groups.nr++] = moved;
}

/* Hash a number, for pseudo-random values that are the same in every run. */
static uint64_t mixed(uint64_t x)
{
	x *= UINT64_C(0x9e3779b97f4a7c15);
	x = (x ^ x >> 29) * UINT64_C(0xbf58476d1ce4e5b9);
	return x ^ x >> 32;
}

/* Choose the length of the turn that begins now, in ns. */
static uint64_t turn_ns(const struct sim_context *ctx)
{
	uint64_t ns = ctx->pmu->mux_interval_ms * UINT64_C(1000000);
	uint64_t chance = mixed(ctx->now + mixed(ctx->cpu + 1));
	bool late = chance % 100 < (unsigned int)ctx->pmu->late_percent;

	return ns + (late ? chance / 100 % (2 * ns) : 0);
}

/* Find out whether an event samples and is on a counter. */
static bool samples(const struct sim_event *event)
{
	return sampling__is_on(&event->sampling) && event->state == SIM_EVENT_ACTIVE &&
	       event->leader->state == SIM_EVENT_ACTIVE;
}

static uint64_t overflow_before(const struct sim_context *ctx, const struct sim_event *event,
				uint64_t to)
{
	uint64_t at;

	if (!samples(event) || event->sampling.throttled)
		return to;
	at = rate__reach(&ctx->course, &event->rate, ctx->now, to, event->sampling.left);
	return at == UINT64_MAX ? to : at;
}

/*
 * Return: the time at which the first event of a context overflows or the timer ticks; @to if that
 * is earlier.
 */
static uint64_t next_interrupt(const struct sim_context *ctx, uint64_t to)
{
	uint64_t tick = (ctx->now / SAMPLING_TICK_NS + 1) * SAMPLING_TICK_NS;
	struct sim_event *event;

	if (tick < to)
		to = tick;
	context__for_each(event, ctx)
		to = overflow_before(ctx, event, to);
	return to;
}

static void interrupt(struct sim_event *event)
{
	struct sim_context *ctx = event->ctx;
	struct sim_sampling *s = &event->sampling;
	uint64_t period;

	if (!samples(event))
		return;
	if (!s->throttled && s->left <= 0) {
		period = sampling__overflow(s, ctx->now);
		if (truth__is_wanted())
			truth__sample(event);
		if (s->throttled)
			ctx->output(event, SIM_OUTPUT_THROTTLE, 0);
		ctx->output(event, SIM_OUTPUT_SAMPLE, period);
		if (s->limit && !--s->limit)
			event__disable(event);
	}
	if (ctx->now % SAMPLING_TICK_NS == 0) {
		unthrottle(event);
		sampling__tick(s);
	}
}

/*
 * Count up to a time before which no event changes its state, then handle the interrupts at this
 * time.
 */
static void count_span(struct sim_context *ctx, uint64_t to)
{
	struct sim_event *event;

	context__for_each(event, ctx)
		counting__advance(event, to);
	ctx->now = to;
	if (ctx->nr_sampling)
		context__for_each(event, ctx)
			interrupt(event);
}

int context__task_cpu(const struct sim_machine *m, const struct cpulist *allowed, uint64_t now,
		      uint64_t *until)
{
	uint64_t round = 0, left;
	const struct sim_stop *stop;
	int cpu = m->cpus.at[0];

	*until = UINT64_MAX;
	if (m->stops.nr) {
		vec__for_each(stop, &m->stops)
			round += stop->ns;
		/* cppcheck-suppress zerodiv ; there are stops, and each has a length */
		left = now % round;
		for (stop = m->stops.at; left >= stop->ns; stop++)
			left -= stop->ns;
		*until = now + stop->ns - left;
		cpu = stop->cpu;
	}
	return allowed && !cpulist__has(allowed, cpu) ? allowed->at[0] : cpu;
}

static int present_cpu(const struct sim_context *ctx, uint64_t *until)
{
	*until = UINT64_MAX;
	return ctx->task ? context__task_cpu(ctx->m, ctx->allowed, ctx->now, until) : ctx->cpu;
}

void context__reschedule(struct sim_context *ctx)
{
	uint64_t until;

	if (ctx->changed && !ctx->frozen)
		schedule(ctx, present_cpu(ctx, &until));
}

int context__column(const struct sim_context *ctx)
{
	uint64_t until;

	return course__at(&ctx->course, ctx->now, &until)->column;
}

/*
 * Schedule pinned groups immediately, since they must be on counters or in error. Other groups are
 * scheduled when time advances.
 */
static void schedule_pinned(struct sim_context *ctx)
{
	uint64_t stay;

	if (ctx->changed && ctx->groups.nr && ctx->groups.at[0]->attr.pinned)
		schedule(ctx, present_cpu(ctx, &stay));
}

/*
 * Find out whether all groups are off, so that nothing has to be scheduled: for example while a
 * program opens its events.
 */
static bool is_idle(const struct sim_context *ctx)
{
	for (int i = 0; i < ctx->groups.nr; i++)
		if (ctx->groups.at[i]->state > SIM_EVENT_OFF)
			return false;
	return true;
}

void context__advance(struct sim_context *ctx, uint64_t to)
{
	if (ctx->frozen)
		return;
	if (to <= ctx->now) {
		schedule_pinned(ctx);
		return;
	}
	if (is_idle(ctx)) {
		ctx->now = to;
		return;
	}
	while (ctx->now < to) {
		uint64_t until = to, stay;
		int cpu = present_cpu(ctx, &stay);

		ctx->where = cpu;
		if (ctx->changed)
			schedule(ctx, cpu);
		if (stay < until)
			until = stay;
		if (ctx->rotate && ctx->next_turn < until)
			until = ctx->next_turn;
		if (ctx->nr_sampling)
			until = next_interrupt(ctx, until);
		count_span(ctx, until);
		if (ctx->rotate && until == ctx->next_turn) {
			take_turns(ctx);
			ctx->next_turn += turn_ns(ctx);
			ctx->changed = true;
		}
		if (until == stay)
			ctx->changed = true;
	}
}

void event__scale(const struct sim_event *event, const struct sim_machine *m,
		  struct sim_rate *rate)
{
	if (event->cpu >= 0)
		rate__scale(rate, sim_machine__load_of(m, event->cpu));
	rate__scale_modes(m, event->pmu, !event->attr.exclude_user, !event->attr.exclude_kernel,
			  rate);
}

void event__enable(struct sim_event *event)
{
	if (event->state > SIM_EVENT_OFF)
		return;
	/* Leave out what the registers have counted up to now. */
	topdown__fold(event->leader);
	event->state = SIM_EVENT_INACTIVE;
	event->ctx->changed = true;
}

void event__disable(struct sim_event *event)
{
	/* An event in error stays in error until it is enabled again. */
	if (event->state <= SIM_EVENT_OFF)
		return;
	topdown__fold(event->leader);
	/* If the leader is off, the members of its group are off the PMU. */
	if (event->leader == event)
		set_group(event, SIM_EVENT_INACTIVE);
	set_state(event, SIM_EVENT_OFF);
	event->ctx->changed = true;
}

uint64_t event__count(struct sim_event *event)
{
	if (event__is_topdown(event))
		topdown__read(event->leader);
	return event__counted(event);
}

uint64_t event__counted(const struct sim_event *event)
{
	return event->spoilt == FAULT_COUNT_ZERO ? 0 : rate__whole(event->count);
}

void event__reset(struct sim_event *event)
{
	if (event__is_topdown(event))
		topdown__read(event->leader);
	event->before += rate__whole(event->count);
	event->count = 0;
	event->stale = true;
}

static uint64_t counted_ever(const struct sim_event *event)
{
	return event->before + rate__whole(event->count);
}

uint64_t event__raw(const struct sim_event *event)
{
	if (!event__is_topdown(event))
		return counted_ever(event) % EVENT_MAX_PERIOD - EVENT_MAX_PERIOD;
	return sim_need__is_metric(&event->need) ? topdown__register(event->leader->topdown)
						 : topdown__slots(event->leader->topdown);
}

uint64_t event__laps(const struct sim_event *event)
{
	return counted_ever(event) / EVENT_MAX_PERIOD;
}

uint64_t context__clock(const struct sim_context *ctx)
{
	uint64_t span = ctx->clock_to - ctx->clock_from;

	/* The clock of a CPU is the machine's clock. */
	if (!ctx->task)
		return ctx->now;
	if (!span || ctx->now <= ctx->clock_from)
		return ctx->clock_ns;
	return ctx->clock_ns +
	       (unsigned __int128)(ctx->now - ctx->clock_from) * ctx->clock_span / span;
}
