/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Residencies in idle states: time in a state, of a core or a package, divided by the time stamp
 * counter. Every CPU has the latter, so that its sum over all CPUs is several times the time that
 * the cores or packages had; it is read where the residency is.
 */
#ifndef TMA_PLAN_RESIDENCY_H
#define TMA_PLAN_RESIDENCY_H

#include <stdbool.h>

struct event_list;
struct metric;

/** residency__is() - whether a metric is made of one PMU's residencies and the TSC. */
bool residency__is(const struct metric *metric);
/** residency__place() - its TSC counts on the CPUs of the residencies. */
void residency__place(struct event_list *list);

#endif
