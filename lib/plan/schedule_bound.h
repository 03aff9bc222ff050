/* SPDX-License-Identifier: GPL-2.0-only */
/* Between the files of schedule.h. */
#ifndef TMA_PLAN_SCHEDULE_BOUND_H
#define TMA_PLAN_SCHEDULE_BOUND_H

#include "plan/schedule.h"

/**
 * schedule__bound() - how many groups a plan's metrics and events need, however they are grouped
 * @needs: of the plan's events, by number
 * @info:  @info->pmu says of which PMU; packed, lower_bound and proven are set
 *
 * Return: 0 or -ENOMEM.
 */
int schedule__bound(const struct plan *plan, const struct fit_pmu *counters,
		    const struct fit_event *needs, struct schedule_pmu *info);

#endif
