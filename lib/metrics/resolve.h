/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Find the expressions of a metric of the tables, all metrics that it refers to, and the ids of the
 * events that they need.
 */
#ifndef TMA_METRICS_RESOLVE_H
#define TMA_METRICS_RESOLVE_H

#include "base/strmap.h"
#include "metrics/literal.h"
#include "metrics/metrics.h"

struct parsed;

/**
 * struct resolver - the state of reading metrics of one scope, one at a time
 * @parsed: an entry for each metric of the tables
 * @resolutions: number of metrics resolved so far, with the current one
 * @pmu:    PMU of the current metric, and of all metrics that it may refer to
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
