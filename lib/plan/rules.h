/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What Linux 6.12 makes of events of x86 core PMUs where the vendors' tables say nothing, or
 * something else: its own tables of constraints, as far as tests/kernel found them to matter.
 */
#ifndef TMA_PLAN_RULES_H
#define TMA_PLAN_RULES_H

#include "events/events.h"
#include "plan/fit.h"
#include "tables/tables.h"

/**
 * rules__of_pmu() - what sets a core PMU apart from others with as many counters
 * @tables: of the machine, or NULL
 * @counters: changed: more of them where one thread has the counters of two, and a limit where the
 *          threads of a core must not use the same one
 */
void rules__of_pmu(const struct tables *tables, const struct pmu *pmu, struct fit_pmu *counters);

/** rules__code() - event and umask by which the kernel counts an event with a number of its own, or
 * 0. */
uint16_t rules__code(const struct tables *tables, const struct event *e);

/**
 * rules__apply() - what an event needs by the kernel's rules
 * @on:   the counters of its PMU, or NULL where not known
 * @need: what it needs by the tables; changed
 */
void rules__apply(const struct tables *tables, const struct fit_pmu *on, const struct event *e,
		  struct fit_event *need);

#endif
