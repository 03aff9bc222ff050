/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Intel's tables count the time stamp counter (TSC) in metrics, and mean that of one CPU. It is
 * counted on all CPUs of a row, so each metric has a column of what its formula means.
 */
#ifndef TMA_PLAN_TSC_H
#define TMA_PLAN_TSC_H

#include "plan/plan.h"

/**
 * struct tsc - the TSC in a metric
 * @event: that counts it; NULL when the metric has none
 * @column, @time_column: of the program, for it and for duration_time; -1: those of the events
 */
struct tsc {
	const struct event *event;
	int column, time_column;
};

/** tsc__of() - find it among the events of a metric, and the columns that it has there. */
struct tsc tsc__of(struct plan *p, const struct plan_metric *pm);

#endif
