/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Linux 6.12's own constraints for events of x86 core PMUs, where the vendors' tables say nothing
 * or something else. Only those that tests/kernel found to matter are here.
 */
#ifndef TMA_PLAN_RULES_H
#define TMA_PLAN_RULES_H

#include "events/events.h"
#include "plan/fit.h"
#include "tables/tables.h"

/**
 * rules__of_pmu() - change the counters of a core PMU to what Linux lets its threads use
 * @tables: of the machine, or NULL
 * @counters: changed: more counters if one thread has those of two, and a limit if the threads of a
 *          core must not use the same counter
 */
void rules__of_pmu(const struct tables *tables, const struct pmu *pmu, struct fit_pmu *counters);

/** rules__code() - find the event and umask by which the kernel counts an event of its own, or 0 */
uint16_t rules__code(const struct tables *tables, const struct event *e);

/**
 * rules__apply() - change what an event needs to what the kernel requires
 * @on:   the counters of its PMU, or NULL if not known
 * @need: what it needs by the tables; changed
 */
void rules__apply(const struct tables *tables, const struct fit_pmu *on, const struct event *e,
		  struct fit_event *need);

#endif
