/* SPDX-License-Identifier: GPL-2.0-only */
/* The counters of this machine's PMUs, and which of them its events may use. */
#ifndef TMA_PLAN_COUNTERS_H
#define TMA_PLAN_COUNTERS_H

#include "events/events.h"
#include "plan/fit.h"
#include "tables/tables.h"

/**
 * counters__event_info() - what the tables say of an event
 * @tables: those it was parsed with, or NULL
 *
 * Return: false when it is none of theirs.
 */
bool counters__event_info(const struct tables *tables, const struct event *e,
			  struct event_info *info);
/**
 * counters__need() - what an event needs on this machine
 * @on: the counters of its PMU, which may be more than the tables tell of; NULL where not known
 *
 * What holds on a machine beside the tables stands here, and what it depends on comes in @on, which
 * counters__on() fills. One that the tables do not have may use any counter, apart from what its
 * encoding says: slots, TopDown metric events, and what a fixed counter counts as well.
 *
 * Return: with the event's own name, which must outlive it.
 */
struct fit_event counters__need(const struct tables *tables, const struct fit_pmu *on,
				const struct event *e);
/**
 * counters__of_pmu() - the counters a PMU has
 * @tables: may be NULL
 *
 * As many as the tables say, or else as their events use. Return: false when they do not.
 */
bool counters__of_pmu(const struct tables *tables, const struct pmu *pmu, struct fit_pmu *out);
/** counters__lend() - take away the general ones beyond @pmu->general, where that is known. */
void counters__lend(const struct pmu *pmu, struct fit_pmu *counters);
/**
 * counters__on() - the same, or where they do not say, as many as such PMUs have
 *
 * No more general ones than @pmu->general, where it is known.
 */
struct fit_pmu counters__on(const struct events_scope *scope, const struct pmu *pmu);
/** counters__left_on() - the same without what the NMI watchdog and others (@pmu->held) hold. */
struct fit_pmu counters__left_on(const struct events_scope *scope, const struct pmu *pmu);
/**
 * counters__take_for_watchdog() - without the one the kernel's NMI watchdog holds
 *
 * It counts cycles: on their fixed counter where there is one. (Where it has moved to a general
 * one, cycles may have the fixed one: there is room for as much.)
 */
void counters__take_for_watchdog(struct fit_pmu *counters);
/** counters__are_missing() - an event of the hardware, on a machine without a core PMU. */
bool counters__are_missing(const struct event *e);
/** counters__are_shared() - whether events of a PMU compete for counters at all. */
bool counters__are_shared(const struct pmu *pmu);

#endif
