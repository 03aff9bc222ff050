/* SPDX-License-Identifier: GPL-2.0-only */
/* The last step of a plan: metrics with their events come in, the program goes out. */
#ifndef TMA_PLAN_COMPILE_H
#define TMA_PLAN_COMPILE_H

struct err;
struct plan;

/**
 * plan__compile() - compile all metrics, whose events have their numbers
 *
 * A threshold names other metrics, as a rule those above in the TopDown tree. Where the events that
 * only thresholds need were left out, most of these metrics are made of events that other metrics
 * have, and are computed from them: no event is added. Where one is missing, the threshold stays
 * without an answer.
 *
 * Return: 0; what program__add() returns.
 */
int plan__compile(struct plan *p, struct err *err);

#endif
