/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Intel's tables use the time stamp counter (TSC) in metrics, and mean that of one CPU. It is
 * counted on all CPUs of a row, so a metric gets a column with the count that its formula means.
 */
#ifndef TMA_PLAN_TSC_H
#define TMA_PLAN_TSC_H

#include "plan/plan.h"

/**
 * struct tsc - the TSC in a metric
 * @event: counts it; NULL if the metric does not use it
 * @column, @time_column: columns of the program for it and for duration_time; -1: use the columns
 *         of their events
 */
struct tsc {
	const struct event *event;
	int column, time_column;
};

/** tsc__of() - find the TSC among the events of a metric, and add the column that it needs. */
struct tsc tsc__of(struct plan *p, const struct plan_metric *pm);

#endif
