/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Intel's tables use the time stamp counter (TSC) in metrics, and mean the TSC of one CPU. But the
 * TSC is counted on all CPUs of a row, so a metric gets a column with the count that its formula
 * means.
 */
#ifndef TMA_PLAN_TSC_H
#define TMA_PLAN_TSC_H

#include "plan/plan.h"

/**
 * struct tsc - the TSC in a metric
 * @event: the event that counts the TSC; NULL if the metric does not use the TSC
 * @column: column of the program for the TSC; -1: the column of @event
 * @time_column: column of the program for duration_time; -1: the column of its event
 */
struct tsc {
	const struct event *event;
	int column, time_column;
};

/** tsc__of() - find the TSC among the events of a metric, and add the column that it needs. */
struct tsc tsc__of(struct plan *p, const struct plan_metric *pm);

#endif
