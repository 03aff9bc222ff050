/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Estimate the counts of multiplexed events better than by time. The input is the sums of a row and
 * the rates of its turns; the output is the values of the program's columns, and the part of each
 * turn's rates that remains unexplained. Pure calculation.
 *
 * Groups have common events: cycles, slots, instructions. Together these groups cover nearly all of
 * the row's time, so that the common events show by how much one group saw too much or too little.
 * The group's other events are corrected by the part that correlates with them.
 */
#ifndef TMA_VERDICT_ESTIMATE_H
#define TMA_VERDICT_ESTIMATE_H

#include <stdbool.h>

#include "aggregate/options.h"

struct error_group;
struct estimates;
struct sums;

/** estimate__name() - return "time" or "joint", as --estimate has them. */
const char *estimate__name(enum estimate_method method);

/**
 * estimates__new() - allocate memory, and find the common events of groups
 * @sums:   receive the estimates (sums.estimated)
 * @groups: with the variations of their events; both must outlive the estimates
 */
struct estimates *estimates__new(struct sums *sums, const struct error_group *groups,
				 int nr_groups);
/** estimates__free() - release them; NULL is allowed. */
void estimates__free(struct estimates *x);
/**
 * estimates__make() - estimate the events of the row, after its sums and turns were found
 * @learns: the moves between turns of this row are not part of an earlier row: learn from them
 *
 * Sets sums.estimated: a value for each column, NAN where counts are used unchanged. A row without
 * reads within it counts as one turn.
 */
void estimates__make(struct estimates *x, bool learns);
/**
 * estimates__take_out() - subtract what its estimates explain from the rates of a group's turns
 *
 * Rates are read from error_group.of; the remainder is written to error_group.left, a copy of it.
 */
void estimates__take_out(const struct estimates *x, int group);

#endif
