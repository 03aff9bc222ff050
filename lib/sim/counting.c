// SPDX-License-Identifier: GPL-2.0-only
#include "sim/counting.h"
#include "sim/topdown.h"

/* Return: the count at a rate from the context's present time up to @to. */
static sim_count_t happens(const struct sim_context *ctx, const struct sim_rate *rate, uint64_t to)
{
	return rate__count(&ctx->course, rate, ctx->now, to);
}

static void count_topdown(const struct sim_context *ctx, struct sim_event *slots, uint64_t to)
{
	struct sim_topdown *t = slots->topdown;

	t->slots += happens(ctx, &slots->rate, to);
	for (int i = 0; i < t->nr_parts; i++)
		t->part[i] += happens(ctx, &t->part_rate[i], to);
}

/* Find out whether the task is on a CPU where the event counts; always true for events of CPUs. */
static bool is_here(const struct sim_event *event)
{
	const struct sim_context *ctx = event->ctx;

	return !ctx->task || ((event->cpu < 0 || event->cpu == ctx->where) &&
			      (!ctx->pmu || cpulist__has(&ctx->pmu->cpus, ctx->where)));
}

static void share_stay(const struct sim_stay *stay, uint64_t ns, void *arg)
{
	struct sim_event *event = arg;
	struct sim_share fresh = {.thread = stay->thread};
	struct sim_share *share = vec__find(s, &event->shares, s->thread == stay->thread);
	bool active = event->state == SIM_EVENT_ACTIVE;

	if (!share) {
		/* If memory runs out, the thread's counts are missing. */
		if (vec__push(&event->shares, fresh))
			return;
		share = &event->shares.at[event->shares.nr - 1];
	}
	share->enabled_ns += ns;
	share->running_ns += active ? ns : 0;
	if (active && !event->sampling.throttled)
		share->count += (sim_count_t)ns * event->rate.per_ns[stay->column];
}

void counting__advance(struct sim_event *event, uint64_t to)
{
	struct sim_context *ctx = event->ctx;
	sim_count_t more;

	if (event->state <= SIM_EVENT_OFF || event->leader->state <= SIM_EVENT_OFF)
		return;
	event->enabled_ns += to - ctx->now;
	if (event__shares(event))
		course__each(&ctx->course, ctx->now, to, share_stay, event);
	if (truth__is_wanted() && is_here(event))
		truth__add(event, to,
			   event->state == SIM_EVENT_ACTIVE && !event->sampling.throttled);
	if (event->state != SIM_EVENT_ACTIVE)
		return;
	event->running_ns += to - ctx->now;
	if (event->sampling.throttled)
		return;
	if (event__is_topdown(event)) {
		if (event->leader == event)
			count_topdown(ctx, event, to);
		return;
	}
	more = happens(ctx, &event->rate, to);
	event->count += more;
	if (sampling__is_on(&event->sampling))
		sampling__count(&event->sampling, more);
}
