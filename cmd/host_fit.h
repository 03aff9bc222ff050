/* SPDX-License-Identifier: GPL-2.0-only */
/* What the tables say of the counters that events of this machine need. */
#ifndef TMA_CMD_HOST_FIT_H
#define TMA_CMD_HOST_FIT_H

#include "cmd.h"
#include "events/events.h"
#include "plan/fit.h"
#include "tables/tables.h"

/**
 * host__find_info() - what the tables say of an event
 * @pmu:  as the tables have it, or NULL for any
 * @text: "EV", "EV:u", "pmu/EV,cmask=1/", or the same with '@' for slashes
 *
 * Return: false when they do not have it.
 */
bool host__find_info(const struct host *host, const char *pmu, const char *text,
		     struct event_info *info);
/**
 * host__event_info() - the same of an event that was found by its name
 *
 * Return: false when they do not have it.
 */
bool host__event_info(const struct host *host, const struct event *e, struct event_info *info);
/** host__fit_need() - what an event needs; one that the tables do not have, any counter. */
struct fit_event host__fit_need(const struct host *host, const struct event *e);
/** host__fit_pmu() - the counters of a core PMU. Return: whether they are known. */
bool host__fit_pmu(const struct host *host, const struct pmu *pmu, struct fit_pmu *out);

#endif
