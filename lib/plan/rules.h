/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Linux 6.12's own constraints for events of x86 core PMUs, if the vendors' tables do not have them
 * or differ. Only constraints that tests/kernel found to matter are here.
 */
#ifndef TMA_PLAN_RULES_H
#define TMA_PLAN_RULES_H

#include "events/events.h"
#include "plan/fit.h"
#include "tables/tables.h"

/**
 * rules__of_pmu() - change the counters of a core PMU to those that Linux lets the core's threads
 * use
 * @tables: tables of the machine, or NULL
 * @counters: changed: one thread may have the counters of two, and there is a limit if the threads
 *          of a core must not use the same counter
 */
void rules__of_pmu(const struct tables *tables, const struct pmu *pmu, struct fit_pmu *counters);

/**
 * rules__code() - return the event and umask by which the kernel counts one of its own events, or 0
 */
uint16_t rules__code(const struct tables *tables, const struct event *e);

/**
 * rules__apply() - change an event's needs to what the kernel requires
 * @on:   the counters of the event's PMU, or NULL if not known
 * @need: needs of the event by the tables; changed
 */
void rules__apply(const struct tables *tables, const struct fit_pmu *on, const struct event *e,
		  struct fit_event *need);

#endif
