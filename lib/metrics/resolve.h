/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Find, for a metric of the tables, its expressions, all metrics that it refers to and the ids of
 * the events that they need.
 */
#ifndef TMA_METRICS_RESOLVE_H
#define TMA_METRICS_RESOLVE_H

#include "base/strmap.h"
#include "metrics/literal.h"
#include "metrics/metrics.h"

struct parsed;

/**
 * struct resolver - metrics of one scope, which are read one by one
 * @parsed: one for each metric of the table
 * @resolutions: how many metrics were resolved so far, the present one included
 * @pmu:    the PMU of the present one, and of all it may refer to
 */
struct resolver {
	const struct metrics_scope *scope;
	struct literals literals;
	struct parsed *parsed;
	int resolutions;
	const char *pmu;
};

void resolver__init(struct resolver *r, const struct metrics_scope *scope);
void resolver__exit(struct resolver *r);
int resolver__metric(struct resolver *r, int number, struct metric *m, struct err *err);

#endif
