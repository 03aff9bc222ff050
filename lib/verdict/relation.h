/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Learn how the events of a group correlate. The input is the rates in the turns of the group. The
 * output is how much of each event's deviation follows from the deviations of the group's common
 * events. Pure calculation. Documentation/estimators.adoc explains the terms.
 */
#ifndef TMA_VERDICT_RELATION_H
#define TMA_VERDICT_RELATION_H

#include <stdbool.h>

struct arena;

/**
 * struct relation - what was learnt of the members of a group; common members, which other groups
 * have too, come first
 * @nr, @nr_common: number of members, and of common members
 * @turns:   number of moves (differences of two turns) that were learnt; older moves count less
 * @moves:   sums of products of two members' moves, [member * nr_common + known]; @squares: sums of
 *           squares of each member's moves
 * @last:    the rates of the latest turn, if it @has_last
 * @loads:   how much a member moves with the innovation of each common member, [member * nr_common
 *           + known]
 * @innovations: in the current row, the part of each common member's deviation that the common
 *           members before it do not explain, in standard deviations; @scratch: memory of the same
 *           size
 * @usable:  enough turns were learnt
 */
struct relation {
	int nr, nr_common;
	double turns, *moves, *squares, *last, *loads, *innovations, *scratch;
	bool has_last, usable;
};

/** relation__init() - allocate room from @memory. */
void relation__init(struct relation *r, int nr, int nr_common, struct arena *memory);
/** relation__learn() - learn from a turn; @rates: rate of each member. */
void relation__learn(struct relation *r, const double *rates);
/**
 * relation__solve() - find the loads, and reset the innovations
 *
 * Loads are reduced towards 0 by the part that chance explains.
 */
void relation__solve(struct relation *r);
/**
 * relation__explained() - predict a member's deviation from the innovations of the common members
 * before it.
 */
double relation__explained(const struct relation *r, int member);
/**
 * relation__set_deviation() - set the deviation of common member @known to @off; the common members
 * before it must be set
 */
void relation__set_deviation(struct relation *r, int known, double off);
/**
 * relation__take_out() - subtract from the rates of a turn what the relation explains
 * @rates:  each member's rate minus its rate in the row; set to the remainder
 * @remains: for each common member, the part of its innovation that is unknown, from 0 to 1
 */
void relation__take_out(const struct relation *r, double *rates, const double *remains);
/** relation__fitted() - return the factor that corrects the residual variance for the fit. */
double relation__fitted(const struct relation *r);
/**
 * relation__leverage() - return the variance of the explained part divided by the residual
 * variance.
 */
double relation__leverage(const struct relation *r);

#endif
