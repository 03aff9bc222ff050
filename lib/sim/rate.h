/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Compute how many events happen in a span of time: the integral of a rate over the columns that
 * apply meanwhile.
 */
#ifndef TMA_SIM_RATE_H
#define TMA_SIM_RATE_H

#include "sim/course.h"

/*
 * A count in units of 2^-SIM_RATE_SHIFT events. So the sum over spans is exact, wherever spans
 * begin and end.
 */
typedef unsigned __int128 sim_count_t;

/**
 * rate__whole() - round a count to the nearest whole number of events, since binary rates are
 * inexact.
 */
static inline uint64_t rate__whole(sim_count_t count)
{
	return (count + ((sim_count_t)1 << (SIM_RATE_SHIFT - 1))) >> SIM_RATE_SHIFT;
}

/**
 * rate__count() - count the events between two times
 * @rate: the rate of the event
 * @from, @to: in ns on the clock of the CPU or task; @from <= @to
 *
 * Return: the count; counts of adjacent spans add up to the count of the whole span.
 */
sim_count_t rate__count(const struct sim_course *course, const struct sim_rate *rate, uint64_t from,
			uint64_t to);

/**
 * rate__reach() - find when @amount events have happened
 * @amount: number of events from @from on, above 0
 *
 * Return: the first nanosecond at which all have happened; UINT64_MAX if this is after @to.
 */
uint64_t rate__reach(const struct sim_course *course, const struct sim_rate *rate, uint64_t from,
		     uint64_t to, sim_count_t amount);

/** rate__of_seconds() - convert events per second in each column to a rate. */
void rate__of_seconds(const struct sim_machine *m, const double per_second[SIM_MAX_COLUMNS],
		      struct sim_rate *rate);
/** rate__scale() - multiply a rate, rounded down. */
void rate__scale(struct sim_rate *rate, double factor);
/** rate__scale_modes() - reduce a rate to the chosen parts, in user space and in the kernel. */
void rate__scale_modes(const struct sim_machine *m, const struct sim_pmu *pmu, bool user,
		       bool kernel, struct sim_rate *rate);
/** rate__user_share() - find the part of a count that is in user space, in a column. */
double rate__user_share(const struct sim_machine *m, const struct sim_pmu *pmu, int column);

/**
 * rate__of_event() - find the rate of an event from the PMU's rules, or from the config if no rule
 * matches
 *
 * An event without a rule gets a rate between the PMU's bounds that depends only on the config, so
 * that it is the same in every run and program.
 */
void rate__of_event(const struct sim_machine *m, const struct sim_pmu *pmu,
		    const struct sim_config *config, struct sim_rate *rate);

#endif
