// SPDX-License-Identifier: GPL-2.0-only
#include <math.h>

#include "sim/rate.h"

static sim_count_t count_from_zero(const struct sim_round *round, const struct sim_rate *rate,
				   uint64_t to)
{
	/* cppcheck-suppress zerodiv ; there are stays, and each has a length */
	uint64_t rounds = to / round->ns, left = to % round->ns;
	sim_count_t whole = 0, part = 0;
	const struct sim_stay *stay;

	vec__for_each(stay, &round->stays) {
		uint64_t ns = left < stay->ns ? left : stay->ns;

		whole += (sim_count_t)stay->ns * rate->per_ns[stay->column];
		part += (sim_count_t)ns * rate->per_ns[stay->column];
		left -= ns;
	}
	return rounds * whole + part;
}

static sim_count_t count_rounds(const struct sim_course *course, const struct sim_rate *rate,
				uint64_t from, uint64_t to)
{
	return count_from_zero(course->round, rate, to + course->offset) -
	       count_from_zero(course->round, rate, from + course->offset);
}

sim_count_t rate__count(const struct sim_course *course, const struct sim_rate *rate, uint64_t from,
			uint64_t to)
{
	sim_count_t count = 0;

	while (from < to) {
		uint64_t until;

		if (course__rounds_from(course, from, &until)) {
			until = until < to ? until : to;
			count += count_rounds(course, rate, from, until);
		} else {
			int column = course__at(course, from, &until)->column;

			until = until < to ? until : to;
			count += (sim_count_t)rate->per_ns[column] * (until - from);
		}
		from = until;
	}
	return count;
}

/*
 * Skip the whole rounds that pass before @amount events have happened, and subtract their events
 * from @amount. Return: the time of these rounds, in ns.
 */
static uint64_t skip_rounds(const struct sim_course *course, const struct sim_rate *rate,
			    uint64_t from, uint64_t to, sim_count_t *amount)
{
	sim_count_t whole, rounds;
	uint64_t until, most;

	if (!course__rounds_from(course, from, &until))
		return 0;
	until = until < to ? until : to;
	most = (until - from) / course->round->ns;
	if (!most)
		return 0;
	whole = count_from_zero(course->round, rate, course->round->ns);
	rounds = whole ? (*amount - 1) / whole : most;
	if (rounds > most)
		rounds = most;
	*amount -= rounds * whole;
	return (uint64_t)rounds * course->round->ns;
}

uint64_t rate__reach(const struct sim_course *course, const struct sim_rate *rate, uint64_t from,
		     uint64_t to, sim_count_t amount)
{
	while (from < to) {
		uint64_t until, per_ns;

		from += skip_rounds(course, rate, from, to, &amount);
		if (from >= to)
			break;
		per_ns = rate->per_ns[course__at(course, from, &until)->column];
		until = until < to ? until : to;
		if (amount <= (sim_count_t)per_ns * (until - from))
			return from + (uint64_t)((amount + per_ns - 1) / per_ns);
		amount -= (sim_count_t)per_ns * (until - from);
		from = until;
	}
	return UINT64_MAX;
}

void rate__scale(struct sim_rate *rate, double factor)
{
	for (int i = 0; factor != 1 && i < SIM_MAX_COLUMNS; i++)
		rate->per_ns[i] *= factor;
}

double rate__user_share(const struct sim_machine *m, const struct sim_pmu *pmu, int column)
{
	const struct sim_section *section = sim_machine__section(m, column);

	return section ? section->user : pmu ? pmu->user_share : 1;
}

void rate__scale_modes(const struct sim_machine *m, const struct sim_pmu *pmu, bool user,
		       bool kernel, struct sim_rate *rate)
{
	for (int i = 0; (!user || !kernel) && i < sim_machine__nr_columns(m); i++) {
		double share = rate__user_share(m, pmu, i);

		share = user ? share : kernel ? 1 - share : 0;
		if (share < 1)
			rate->per_ns[i] *= share;
	}
}

/* Hash a number so that each bit of it affects all bits of the result (SplitMix64's finaliser). */
static uint64_t mix(uint64_t x)
{
	x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
	x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
	return x ^ (x >> 31);
}

void rate__of_seconds(const struct sim_machine *m, const double per_second[SIM_MAX_COLUMNS],
		      struct sim_rate *rate)
{
	*rate = (struct sim_rate){ { 0 } };
	for (int i = 0; i < sim_machine__nr_columns(m); i++)
		rate->per_ns[i] = llround(per_second[i] / 1e9 * (1ULL << SIM_RATE_SHIFT));
}

static void hashed_rate(const struct sim_machine *m, const struct sim_pmu *pmu,
			const struct sim_config *config, struct sim_rate *rate)
{
	double per_second[SIM_MAX_COLUMNS] = { 0 }, share;
	uint64_t hash = 0x9e3779b97f4a7c15ULL;

	for (int i = 0; i < SIM_CONFIG_WORDS; i++)
		hash = mix(hash + config->word[i]);
	/* Logarithms of rates are evenly distributed between the bounds. */
	share = (hash >> 40) / 16777216.0;
	for (int i = 0; i < sim_machine__nr_columns(m); i++) {
		double lo = fmax(pmu->hash_lo.value[i], 1e-3);
		double hi = fmax(pmu->hash_hi.value[i], lo);

		per_second[i] = lo * pow(hi / lo, share);
	}
	rate__of_seconds(m, per_second, rate);
}

/* Find out whether the host lets an event count. Any other event can be opened, but stays at 0. */
static bool is_lent(const struct sim_pmu *pmu, const struct sim_config *config)
{
	const struct sim_match *match;

	vec__for_each(match, &pmu->lent)
		if (sim_pmu__matches(pmu, match, false, config))
			return true;
	return !pmu->lent.nr;
}

static void rate_by_rules(const struct sim_machine *m, const struct sim_pmu *pmu,
			  const struct sim_config *config, struct sim_rate *rate)
{
	const struct sim_rule *rule;

	vec__for_each(rule, &pmu->rules) {
		/* Comparing the event's code first rules out most of some hundred rules quickly. */
		if ((config->word[0] ^ rule->match.value.word[0]) & rule->match.fixed.word[0])
			continue;
		if (sim_pmu__matches(pmu, &rule->match, true, config)) {
			*rate = rule->rate;
			return;
		}
	}
	hashed_rate(m, pmu, config, rate);
}

void rate__of_event(const struct sim_machine *m, const struct sim_pmu *pmu,
		    const struct sim_config *config, struct sim_rate *rate)
{
	const struct sim_local *local;

	if (!is_lent(pmu, config)) {
		*rate = (struct sim_rate){{0}};
		return;
	}
	rate_by_rules(m, pmu, config, rate);
	/* The first matching line of a section wins, so apply lines from the last to the first. */
	for (int i = pmu->locals.nr; i-- > 0;) {
		local = &pmu->locals.at[i];
		if (sim_pmu__matches(pmu, &local->match, true, config))
			rate->per_ns[local->column] = local->per_ns;
	}
}
