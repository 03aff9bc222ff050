// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <string.h>

#include "sim/counters.h"

/*
 * Find the number of the registers that a pattern's events share: the index of the first pattern
 * with the same name of registers.
 */
static int shared_number(const struct sim_pmu *pmu, const struct sim_shared *shared)
{
	return vec__find(s, &pmu->shared, !strcmp(s->name, shared->name)) - pmu->shared.at;
}

int counters__need(const struct sim_pmu *pmu, const struct sim_config *config,
		   struct sim_need *need)
{
	const struct sim_constraint *c;
	const struct sim_shared *s;

	*need = (struct sim_need){ .mask = (1ULL << pmu->nr_counters) - 1, .shared = -1 };
	vec__for_each(c, &pmu->constraints)
		if (sim_pmu__matches(pmu, &c->match, c->exact, config)) {
			need->mask = c->mask;
			need->slots = c->slots;
			need->pair = c->pair;
			break;
		}
	vec__for_each(s, &pmu->shared)
		if (sim_pmu__matches(pmu, &s->match, false, config)) {
			if (config->word[1] & ~s->valid)
				return -EINVAL;
			need->shared = shared_number(pmu, s);
			need->config1 = config->word[1];
			break;
		}
	return 0;
}

bool sim_need__is_metric(const struct sim_need *need)
{
	return need->mask & SIM_METRIC_BITS;
}

void counters__init(struct counters *c, const struct sim_pmu *pmu, uint64_t reserved)
{
	c->pmu = pmu;
	c->used = 0;
	c->nr_registers = 0;
	c->free = (1ULL << pmu->nr_counters) - 1;
	c->free |= ((1ULL << pmu->nr_fixed) - 1) << SIM_FIXED_BIT;
	c->free |= SIM_METRIC_BITS;
	c->free &= ~reserved;
}

static bool has_register(struct counters *c, const struct sim_need *need)
{
	int same = 0;

	for (int i = 0; i < c->nr_registers; i++)
		if (c->registers[i].shared == need->shared) {
			if (c->registers[i].config1 == need->config1)
				return true;
			same++;
		}
	if (same == c->pmu->shared.at[need->shared].registers || c->nr_registers == SIM_MAX_SHARED)
		return false;
	c->registers[c->nr_registers].shared = need->shared;
	c->registers[c->nr_registers++].config1 = need->config1;
	return true;
}

static void counters__take(struct counters *c, const struct sim_need *need, uint64_t bit)
{
	c->free &= ~bit;
	c->used |= bit;
	c->event[__builtin_ctzll(bit)] = need;
}

/* Find a counter for an event; other events may move to other counters (Kuhn's augmenting path). */
static bool counters__place(struct counters *c, const struct sim_need *need, uint64_t usable,
			    uint64_t *seen)
{
	for (uint64_t left = need->mask & usable; left; left &= left - 1) {
		uint64_t bit = left & -left;
		int i = __builtin_ctzll(bit);

		if (*seen & bit)
			continue;
		*seen |= bit;
		if (!(c->free & bit) && !counters__place(c, c->event[i], usable, seen))
			continue;
		counters__take(c, need, bit);
		return true;
	}
	return false;
}

static bool counters__add_one(struct counters *c, const struct sim_need *need)
{
	uint64_t usable = c->free | c->used, seen = 0;
	uint64_t free = need->mask & c->free;
	int nr_registers = c->nr_registers;

	if (need->shared >= 0 && !has_register(c, need))
		return false;
	/* Prefer a fixed counter to a general one, as the kernel does. */
	if (free & SIM_FIXED_BITS)
		free &= SIM_FIXED_BITS;
	if (free)
		counters__take(c, need, free & -free);
	if (free || counters__place(c, need, usable, &seen))
		return true;
	c->nr_registers = nr_registers;
	return false;
}

bool counters__add(struct counters *c, const struct sim_need *need)
{
	/*
	 * The second counter of a pair may be any general counter: PMUs with pairs have equal
	 * counters.
	 */
	static const struct sim_need other = { .mask = UINT32_MAX, .shared = -1 };
	struct counters before = *c;

	if (!need->pair)
		return counters__add_one(c, need);
	if (counters__add_one(c, need) && counters__add_one(c, &other))
		return true;
	*c = before;
	return false;
}
