/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What metrics are made of when events take turns: estimates that are better than a count scaled by
 * time. In come the sums of a row and the rates of its turns; out of it come the values of the
 * program's columns, and what of each turn's rates remains unexplained. Pure calculation.
 *
 * Groups have events in common: cycles, slots, instructions. Counted in all of these groups, they
 * tell what went on in nearly all of the row's time, and so by how much one group saw too much or
 * too little of it. The other events of that group are off by what goes with it.
 */
#ifndef TMA_VERDICT_ESTIMATE_H
#define TMA_VERDICT_ESTIMATE_H

#include <stdbool.h>

#include "aggregate/options.h"

struct error_group;
struct estimates;
struct sums;

/** estimate__name() - "time" or "joint", as --estimate has them. */
const char *estimate__name(enum estimate_method method);

/**
 * estimates__new() - make room, and find what groups have in common
 * @sums:   get the estimates (sums.estimated)
 * @groups: with the variations of their events; both must outlive the estimates
 */
struct estimates *estimates__new(struct sums *sums, const struct error_group *groups,
				 int nr_groups);
/** estimates__free() - release them; NULL is allowed. */
void estimates__free(struct estimates *x);
/**
 * estimates__make() - estimate the events of the row whose sums stand and whose turns are known
 * @learns: how the rates differ from turn to turn is new, and no part of what was learnt before
 *
 * Sets sums.estimated: a value for each column, NAN for one that is made of counts as they are. Of
 * a row without reads in between all is one turn.
 */
void estimates__make(struct estimates *x, bool learns);
/**
 * estimates__take_out() - take from the rates of a group's turns what its estimates explain
 *
 * They are read from error_group.of, and what remains goes into error_group.left, copies of it.
 */
void estimates__take_out(const struct estimates *x, int group);

#endif
