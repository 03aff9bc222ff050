// SPDX-License-Identifier: GPL-2.0-only
#include "sim/raw.h"
#include "sim/rdpmc.h"
#include "sim/sim.h"

#define COUNTER_MASK ((1ULL << EVENT_COUNTER_BITS) - 1)

uint32_t rdpmc__index(const struct sim_event *event)
{
	int counter = event->counter - 1;

	if (counter < 0 || event->state != SIM_EVENT_ACTIVE ||
	    event->leader->state != SIM_EVENT_ACTIVE || !event->pmu->rdpmc)
		return 0;
	if (counter >= SIM_METRIC_BIT)
		return RDPMC_METRICS + 1;
	if (counter >= SIM_FIXED_BIT)
		return RDPMC_FIXED + (counter - SIM_FIXED_BIT) + 1;
	return counter + 1;
}

static bool has_metrics(const struct sim_pmu *pmu)
{
	const struct sim_constraint *c;

	vec__for_each(c, &pmu->constraints)
		if (c->mask & SIM_METRIC_BITS)
			return true;
	return false;
}

static bool has_counter(const struct sim_pmu *pmu, uint32_t index)
{
	if (index == RDPMC_METRICS)
		return has_metrics(pmu);
	if (index & RDPMC_FIXED)
		return (index & ~RDPMC_FIXED) < (uint32_t)pmu->nr_fixed;
	return index < (uint32_t)pmu->nr_counters;
}

/* As the kernel: who has mapped one event that can be read so may use the instruction. */
static bool is_permitted(const struct sim_pmu *pmu)
{
	struct sim_event **event;

	if (pmu->rdpmc != 1)
		return pmu->rdpmc;
	vec__for_each(event, &sim.events)
		if (*event && (*event)->mapped && (*event)->pmu && (*event)->pmu->rdpmc)
			return true;
	return false;
}

static struct sim_event *find_in_context(const struct sim_context *ctx, uint32_t index)
{
	struct sim_event **group, *event;

	vec__for_each(group, &ctx->groups)
		group__for_each(event, *group)
			if (rdpmc__index(event) == index + 1)
				return event;
	return NULL;
}

/* @tid: 0 for the CPU's contexts. */
static struct sim_event *find_counter(pid_t tid, int cpu, uint32_t index)
{
	struct sim_event *event;
	struct sim_context **p;

	vec__for_each(p, &sim.contexts) {
		struct sim_context *ctx = *p;

		if (!ctx->pmu || ctx->pmu->kind != SIM_PMU_CORE ||
		    (tid ? !ctx->task || ctx->task->tid != tid : ctx->cpu != cpu))
			continue;
		event = find_in_context(ctx, index);
		if (event)
			return event;
	}
	return NULL;
}

static const struct sim_pmu *pmu_of(int cpu)
{
	const struct sim_pmu *pmu;

	vec__for_each(pmu, &sim.m.pmus)
		if (pmu->kind == SIM_PMU_CORE && cpulist__has(&pmu->cpus, cpu))
			return pmu;
	return NULL;
}

bool sim__rdpmc(uint32_t index, uint64_t *value)
{
	pid_t tid = RAW(SYS_gettid, 0, 0, 0, 0);
	struct sim_event *event = find_counter(tid, -1, index);
	const struct sim_pmu *pmu = event ? event->pmu : NULL;

	if (!event) {
		int cpu = sim__caller_cpu();

		pmu = pmu_of(cpu);
		event = find_counter(0, cpu, index);
	}
	if (!pmu || !is_permitted(pmu) || !has_counter(pmu, index))
		return false;
	*value = 0;
	if (!event)
		return true;
	sim__sync(event->ctx);
	*value = event__raw(event);
	if (index != RDPMC_METRICS)
		*value &= COUNTER_MASK;
	return true;
}
