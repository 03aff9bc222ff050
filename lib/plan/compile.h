/* SPDX-License-Identifier: GPL-2.0-only */
/* The last step of a plan: compile the program, once the metrics have their events. */
#ifndef TMA_PLAN_COMPILE_H
#define TMA_PLAN_COMPILE_H

struct err;
struct plan;

/**
 * plan__compile() - compile all metrics, after events have got their numbers
 *
 * A threshold names other metrics, mostly metrics above its own in the TopDown tree. Even if events
 * that only thresholds need were left out, most of the named metrics can be computed from the
 * events of other metrics. No event is added. If an event is missing, the threshold is not
 * evaluated.
 *
 * Return: 0; the errors of program__add().
 */
int plan__compile(struct plan *p, struct err *err);

#endif
