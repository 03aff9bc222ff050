/* SPDX-License-Identifier: GPL-2.0-only */
/* The counters of this machine's PMUs, and the counters that each event may use. */
#ifndef TMA_PLAN_COUNTERS_H
#define TMA_PLAN_COUNTERS_H

#include "events/events.h"
#include "plan/fit.h"
#include "tables/tables.h"

/**
 * counters__event_info() - fill in the tables' information on an event
 * @tables: the tables that the event was parsed with, or NULL
 *
 * Return: false if the event is not from the tables.
 */
bool counters__event_info(const struct tables *tables, const struct event *e,
			  struct event_info *info);
/**
 * counters__need() - find the counters and registers that an event needs on this machine
 * @on: the counters of the event's PMU, from counters__on(); there may be more than in the tables.
 *      NULL if not known
 *
 * The function applies the machine's rules for events, which the tables do not have; its rules for
 * PMUs are in @on. An event that is not in the tables may use any counter, except for slots,
 * TopDown metric events, and events that a fixed counter can count, which their encoding shows.
 *
 * Return: the event's needs. They refer to the event's name, which must outlive them.
 */
struct fit_event counters__need(const struct tables *tables, const struct fit_pmu *on,
				const struct event *e);
/**
 * counters__of_pmu() - find the counters of a PMU in the tables
 * @tables: may be NULL
 *
 * The number of counters is in the tables, or is found from the counters that the PMU's events use.
 *
 * Return: false if the number is not known.
 */
bool counters__of_pmu(const struct tables *tables, const struct pmu *pmu, struct fit_pmu *out);
/**
 * counters__limit() - remove the general counters from number @pmu->general on, if @pmu->general is
 * known.
 */
void counters__limit(const struct pmu *pmu, struct fit_pmu *counters);
/**
 * counters__on() - find the counters of a PMU; if the tables do not have the PMU, assume the usual
 * counters
 *
 * If @pmu->general is known, there are at most that many general counters.
 */
struct fit_pmu counters__on(const struct events_scope *scope, const struct pmu *pmu);
/**
 * counters__left_on() - find the counters of a PMU that the NMI watchdog and other users do not
 * hold.
 */
struct fit_pmu counters__left_on(const struct events_scope *scope, const struct pmu *pmu);
/**
 * counters__hold_for_watchdog() - mark the counter that the kernel's NMI watchdog holds as taken
 *
 * The watchdog counts cycles, on the fixed counter of cycles if there is one. (If the watchdog has
 * moved to a general counter, the fixed counter is free for cycles: as many counters are left.)
 */
void counters__hold_for_watchdog(struct fit_pmu *counters);
/** counters__are_missing() - find out whether a hardware event has no core PMU on this machine. */
bool counters__are_missing(const struct event *e);
/** counters__are_shared() - find out whether events of a PMU compete for counters. */
bool counters__are_shared(const struct pmu *pmu);

#endif
