/* SPDX-License-Identifier: GPL-2.0-only */
/* The counters of this machine's PMUs, and which of them its events may use. */
#ifndef TMA_PLAN_COUNTERS_H
#define TMA_PLAN_COUNTERS_H

#include "events/events.h"
#include "plan/fit.h"
#include "tables/tables.h"

/**
 * counters__event_info() - fill in what the tables say of an event
 * @tables: the tables it was parsed with, or NULL
 *
 * Return: false if the event is not from the tables.
 */
bool counters__event_info(const struct tables *tables, const struct event *e,
			  struct event_info *info);
/**
 * counters__need() - find what an event needs on this machine
 * @on: the counters of its PMU, which may be more than the tables know of; NULL if not known
 *
 * The rules of the machine that the tables do not have are applied here; those that depend on the
 * PMU come in @on, which counters__on() fills. An event that the tables do not have may use any
 * counter, unless its encoding says otherwise: slots, TopDown metric events, and events that a
 * fixed counter counts as well.
 *
 * Return: the needs, with the event's own name, which must outlive them.
 */
struct fit_event counters__need(const struct tables *tables, const struct fit_pmu *on,
				const struct event *e);
/**
 * counters__of_pmu() - find the counters of a PMU in the tables
 * @tables: may be NULL
 *
 * There are as many as the tables say, or else as many as the PMU's events use.
 *
 * Return: false if neither is known.
 */
bool counters__of_pmu(const struct tables *tables, const struct pmu *pmu, struct fit_pmu *out);
/** counters__limit() - remove general counters from number @pmu->general on, if it is known. */
void counters__limit(const struct pmu *pmu, struct fit_pmu *counters);
/**
 * counters__on() - find the counters of a PMU; if the tables do not have them, assume usual ones
 *
 * There are at most @pmu->general general counters, where that is known.
 */
struct fit_pmu counters__on(const struct events_scope *scope, const struct pmu *pmu);
/** counters__left_on() - counters__on() without those that the NMI watchdog and others hold. */
struct fit_pmu counters__left_on(const struct events_scope *scope, const struct pmu *pmu);
/**
 * counters__hold_for_watchdog() - mark the counter that the kernel's NMI watchdog holds as taken
 *
 * The watchdog counts cycles, on their fixed counter where there is one. (If it has moved to a
 * general counter, cycles may use the fixed one: the room left is the same.)
 */
void counters__hold_for_watchdog(struct fit_pmu *counters);
/** counters__are_missing() - find out whether a hardware event has no core PMU on this machine. */
bool counters__are_missing(const struct event *e);
/** counters__are_shared() - find out whether events of a PMU compete for counters at all. */
bool counters__are_shared(const struct pmu *pmu);

#endif
