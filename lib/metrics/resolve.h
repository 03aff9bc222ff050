/* SPDX-License-Identifier: GPL-2.0-only */
/* References between metrics: followed down to event ids. */
#ifndef TMA_METRICS_RESOLVE_H
#define TMA_METRICS_RESOLVE_H

#include "metrics/literal.h"
#include "metrics/metrics.h"

#define RESOLVE_MAX_DEPTH 500 /* metrics that refer to each other; the deepest so far is 12 */

/**
 * struct parsed - a metric's texts, read once for all metrics that refer to it
 * @value_ids, @threshold_ids: what each needs; NULL for nothing. Ids that name a metric of the same
 *             PMU are marked with its number.
 * @referred:  number of the last resolution that met it
 */
struct parsed {
	struct expr *value, *threshold;
	struct idset *value_ids, *threshold_ids;
	int referred;
};

/**
 * struct resolver - the state of one selection
 * @parsed: for each metric of the table
 * @resolutions: how many have begun
 */
struct resolver {
	const struct metrics_scope *scope;
	struct literals literals;
	struct parsed *parsed;
	int resolutions;
};

/** resolver__init() - begin; @scope must have tables. */
void resolver__init(struct resolver *r, const struct metrics_scope *scope);
/** resolver__exit() - release it. */
void resolver__exit(struct resolver *r);
/**
 * resolver__metric() - read a metric and everything it refers to
 * @number: of the table
 * @m: @info is set; expressions, references and ids are filled in. metric__free() it on failure too
 *
 * Return: 0; -EINVAL or -E2BIG with the place in an expression; -ELOOP with the path; -E2BIG for
 * references deeper than RESOLVE_MAX_DEPTH.
 */
int resolver__metric(struct resolver *r, int number, struct metric *m, struct err *err);

#endif
