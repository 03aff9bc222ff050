/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * This counts the events that happen in a span of time: the integral of a rate over the columns
 * that hold meanwhile.
 */
#ifndef TMA_SIM_RATE_H
#define TMA_SIM_RATE_H

#include "sim/course.h"

/*
 * A count is in 2^-SIM_RATE_SHIFT events, so that sums of spans are exact, however they were cut.
 */
typedef unsigned __int128 sim_count_t;

/** rate__whole() - a count in events: to the nearest, as rates in binary are a hair off. */
static inline uint64_t rate__whole(sim_count_t count)
{
	return (count + ((sim_count_t)1 << (SIM_RATE_SHIFT - 1))) >> SIM_RATE_SHIFT;
}

/**
 * rate__count() - events between two times
 * @rate: of the event
 * @from, @to: in ns on the clock of the CPU or task; @from <= @to
 *
 * Return: the count; the counts of adjacent spans add up to that of the whole.
 */
sim_count_t rate__count(const struct sim_course *course, const struct sim_rate *rate, uint64_t from,
			uint64_t to);

/**
 * rate__reach() - find when so many events have happened
 * @amount: counted from @from on, above 0
 *
 * Return: the first nanosecond at which they have, or UINT64_MAX when that is later than @to.
 */
uint64_t rate__reach(const struct sim_course *course, const struct sim_rate *rate, uint64_t from,
		     uint64_t to, sim_count_t amount);

/** rate__of_seconds() - events per second in each column as a rate. */
void rate__of_seconds(const struct sim_machine *m, const double per_second[SIM_MAX_COLUMNS],
		      struct sim_rate *rate);
/** rate__scale() - multiply a rate, rounded down. */
void rate__scale(struct sim_rate *rate, double factor);
/** rate__scale_modes() - leave of a rate what is in user space, or what is not, or neither. */
void rate__scale_modes(const struct sim_machine *m, const struct sim_pmu *pmu, bool user,
		       bool kernel, struct sim_rate *rate);
/** rate__user_share() - the part of a count that is in user space, in a column. */
double rate__user_share(const struct sim_machine *m, const struct sim_pmu *pmu, int column);

/**
 * rate__of_event() - find the rate of an event, by the PMU's rules or, without one, by its config
 *
 * An event without a rule gets a rate between the PMU's bounds that depends on nothing but its
 * config, so that it is the same in every run and program.
 */
void rate__of_event(const struct sim_machine *m, const struct sim_pmu *pmu,
		    const struct sim_config *config, struct sim_rate *rate);

#endif
