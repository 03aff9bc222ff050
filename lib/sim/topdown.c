// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "sim/topdown.h"

#define FIELD_BITS 8
#define FIELD_MAX 255

static int metric_number(const struct sim_need *need)
{
	return __builtin_ctzll(need->mask & SIM_METRIC_BITS) - __builtin_ctzll(SIM_METRIC_BITS);
}

static void find_parts(const struct sim_machine *m, const struct sim_event *slots,
		       struct sim_topdown *t)
{
	const struct sim_pmu *pmu = slots->pmu;
	const struct sim_constraint *c;
	struct sim_config config;

	vec__for_each(c, &pmu->constraints) {
		const struct sim_need need = { .mask = c->mask };
		int i = sim_need__is_metric(&need) ? metric_number(&need) : TOPDOWN_MAX_PARTS;

		if (i >= TOPDOWN_MAX_PARTS || sim_match__config(pmu, &c->match, &config, NULL))
			continue;
		rate__of_event(m, pmu, &config, &t->part_rate[i]);
		event__scale(slots, m, &t->part_rate[i]);
		if (i >= t->nr_parts)
			t->nr_parts = i + 1;
	}
}

int topdown__new(const struct sim_machine *m, struct sim_event *slots)
{
	struct sim_topdown *t = calloc(1, sizeof(*t));

	if (!t)
		return -ENOMEM;
	find_parts(m, slots, t);
	slots->topdown = t;
	return 0;
}

static uint64_t field(const struct sim_topdown *t, int i)
{
	sim_count_t share;

	if (!t->slots)
		return 0;
	share = (t->part[i] * FIELD_MAX + t->slots / 2) / t->slots;
	return share < FIELD_MAX ? share : FIELD_MAX;
}

uint64_t topdown__slots(const struct sim_topdown *t)
{
	return rate__whole(t->slots);
}

uint64_t topdown__register(const struct sim_topdown *t)
{
	uint64_t value = 0;

	for (int i = 0; i < t->nr_parts; i++)
		value |= field(t, i) << i * FIELD_BITS;
	return value;
}

void topdown__fold(struct sim_event *leader)
{
	struct sim_topdown *t = leader->topdown;
	struct sim_event **p;

	if (!t || !t->on)
		return;
	vec__for_each(p, &leader->siblings) {
		sim_count_t part;

		if (!sim_need__is_metric(&(*p)->need))
			continue;
		part = topdown__slots(t) * field(t, metric_number(&(*p)->need)) / FIELD_MAX;
		part <<= SIM_RATE_SHIFT;
		/* The fraction may have decreased by one step. */
		if (part > (*p)->folded && (*p)->state > SIM_EVENT_OFF)
			(*p)->count += part - (*p)->folded;
		(*p)->folded = part;
	}
	leader->count += t->slots - t->folded;
	t->folded = t->slots;
}

void topdown__read(struct sim_event *leader)
{
	struct sim_topdown *t = leader->topdown;
	struct sim_event **p;

	topdown__fold(leader);
	/* While the group is off the PMU, its registers are saved and not reset. */
	if (!t || leader->state != SIM_EVENT_ACTIVE)
		return;
	t->slots = t->folded = 0;
	memset(t->part, 0, sizeof(t->part));
	vec__for_each(p, &leader->siblings)
		(*p)->folded = 0;
}
