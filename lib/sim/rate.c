// SPDX-License-Identifier: GPL-2.0-only
#include <math.h>

#include "sim/rate.h"

static sim_count_t count_from_zero(const struct sim_machine *m, const struct sim_rate *rate,
				   uint64_t to)
{
	uint64_t period = 0, left;
	sim_count_t whole = 0, part = 0;

	for (int i = 0; i < m->nr_phases; i++) {
		period += m->phase_ns[i];
		whole += (sim_count_t)m->phase_ns[i] * rate->per_ns[i];
	}
	/* cppcheck-suppress zerodiv ; there are phases, and each has a length */
	left = to % period;
	for (int i = 0; left; i++) {
		uint64_t ns = left < m->phase_ns[i] ? left : m->phase_ns[i];

		part += (sim_count_t)ns * rate->per_ns[i];
		left -= ns;
	}
	return to / period * whole + part;
}

sim_count_t rate__count(const struct sim_machine *m, int stay, const struct sim_rate *rate,
			uint64_t from, uint64_t to)
{
	if (stay)
		return (sim_count_t)rate->per_ns[stay - 1] * (to - from);
	return count_from_zero(m, rate, to) - count_from_zero(m, rate, from);
}

/* Find the phase at a time, and until when it lasts. */
static int find_phase(const struct sim_machine *m, int stay, uint64_t at, uint64_t *until)
{
	uint64_t period = 0, left;
	int i;

	*until = UINT64_MAX;
	if (stay)
		return stay - 1;
	for (i = 0; i < m->nr_phases; i++)
		period += m->phase_ns[i];
	left = at % period;
	for (i = 0; left >= m->phase_ns[i]; i++)
		left -= m->phase_ns[i];
	*until = at + m->phase_ns[i] - left;
	return i;
}

int rate__phase(const struct sim_machine *m, int stay, uint64_t at)
{
	uint64_t until;

	return find_phase(m, stay, at, &until);
}

uint64_t rate__reach(const struct sim_machine *m, int stay, const struct sim_rate *rate,
		     uint64_t from, uint64_t to, sim_count_t amount)
{
	while (from < to) {
		uint64_t until, per_ns = rate->per_ns[find_phase(m, stay, from, &until)], ns;

		if (until > to)
			until = to;
		if (amount <= (sim_count_t)per_ns * (until - from)) {
			ns = (amount + per_ns - 1) / per_ns;
			return from + ns;
		}
		amount -= (sim_count_t)per_ns * (until - from);
		from = until;
	}
	return UINT64_MAX;
}

void rate__scale(struct sim_rate *rate, double factor)
{
	for (int i = 0; factor != 1 && i < SIM_MAX_PHASES; i++)
		rate->per_ns[i] *= factor;
}

/* Every bit of the config moves every bit of the result (SplitMix64's finaliser). */
static uint64_t mix(uint64_t x)
{
	x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
	x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
	return x ^ (x >> 31);
}

void rate__of_seconds(const struct sim_machine *m, const double per_second[SIM_MAX_PHASES],
		      struct sim_rate *rate)
{
	*rate = (struct sim_rate){ { 0 } };
	for (int i = 0; i < m->nr_phases; i++)
		rate->per_ns[i] = llround(per_second[i] / 1e9 * (1ULL << SIM_RATE_SHIFT));
}

static void hashed_rate(const struct sim_machine *m, const struct sim_pmu *pmu,
			const struct sim_config *config, struct sim_rate *rate)
{
	double per_second[SIM_MAX_PHASES] = { 0 }, share;
	uint64_t hash = 0x9e3779b97f4a7c15ULL;

	for (int i = 0; i < SIM_CONFIG_WORDS; i++)
		hash = mix(hash + config->word[i]);
	/* Rates are spread evenly over the orders of magnitude between the bounds. */
	share = (hash >> 40) / 16777216.0;
	for (int i = 0; i < m->nr_phases; i++) {
		double lo = fmax(pmu->hash_lo.value[i], 1e-3);
		double hi = fmax(pmu->hash_hi.value[i], lo);

		per_second[i] = lo * pow(hi / lo, share);
	}
	rate__of_seconds(m, per_second, rate);
}

/* Events that a host's filter leaves out are opened, and stay at 0. */
static bool is_lent(const struct sim_pmu *pmu, const struct sim_config *config)
{
	const struct sim_match *match;

	vec__for_each(match, &pmu->lent)
		if (sim_pmu__matches(pmu, match, false, config))
			return true;
	return !pmu->lent.nr;
}

void rate__of_event(const struct sim_machine *m, const struct sim_pmu *pmu,
		    const struct sim_config *config, struct sim_rate *rate)
{
	const struct sim_rule *rule;

	if (!is_lent(pmu, config)) {
		*rate = (struct sim_rate){{0}};
		return;
	}
	vec__for_each(rule, &pmu->rules) {
		/* Most of some hundred rules are told apart by the event's code. */
		if ((config->word[0] ^ rule->match.value.word[0]) & rule->match.fixed.word[0])
			continue;
		if (sim_pmu__matches(pmu, &rule->match, true, config)) {
			*rate = rule->rate;
			return;
		}
	}
	hashed_rate(m, pmu, config, rate);
}
