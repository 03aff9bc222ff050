/* SPDX-License-Identifier: GPL-2.0-only */
/* The last step of a plan: compile the program from metrics that have their events. */
#ifndef TMA_PLAN_COMPILE_H
#define TMA_PLAN_COMPILE_H

struct err;
struct plan;

/**
 * plan__compile() - compile all metrics, after events have got their numbers
 *
 * A threshold names other metrics, mostly those above it in the TopDown tree. If events that only
 * thresholds need were left out, most of these metrics can still be computed from events of other
 * metrics; no event is added. If an event is missing, the threshold is not evaluated.
 *
 * Return: 0; the errors of program__add().
 */
int plan__compile(struct plan *p, struct err *err);

#endif
