/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Estimate the counts of multiplexed events better than by scaling with time. The input is the sums
 * of a row and the rates in its turns; the output is the values of the program's columns, and the
 * part of each turn's rates that remains unexplained. Pure calculation.
 *
 * Groups have common events: cycles, slots, instructions. Together the groups cover nearly all of
 * the row's time, so the common events show how much the time of one group differed from the whole
 * time. The other events of the group are corrected as far as they correlate with the common
 * events.
 */
#ifndef TMA_VERDICT_ESTIMATE_H
#define TMA_VERDICT_ESTIMATE_H

#include <stdbool.h>

#include "aggregate/options.h"

struct error_group;
struct estimates;
struct sums;

/** estimate__name() - return "time" or "joint", the words of --estimate. */
const char *estimate__name(enum estimate_method method);

/**
 * estimates__new() - allocate memory, and find the common events of groups
 * @sums:   receive the estimates (sums.estimated)
 * @groups: groups with the variations of their events. @sums and @groups must outlive the estimates
 */
struct estimates *estimates__new(struct sums *sums, const struct error_group *groups,
				 int nr_groups);
/** estimates__free() - release estimates; NULL is allowed. */
void estimates__free(struct estimates *x);
/**
 * estimates__make() - estimate the events of a row; its sums and turns must be known
 * @learns: learn from the turns of this row, which are not part of an earlier row
 *
 * Sets sums.estimated: a value for each column, NAN where counts are used unchanged. A row without
 * reads inside counts as one turn.
 */
void estimates__make(struct estimates *x, bool learns);
/**
 * estimates__take_out() - subtract from the rates of a group's turns what the estimates explain
 *
 * Rates are read from error_group.of; the remainder is written to error_group.left, a copy of it.
 */
void estimates__take_out(const struct estimates *x, int group);

#endif
