// SPDX-License-Identifier: GPL-2.0-only
/* Which counters events may use, and whether they can be counted together. */
#include "base/sb.h"
#include "explain.h"
#include "machine/machine.h"
#include "plan/counters.h"

void explain__counters(const struct event_info *info, struct sb *out)
{
	struct fit_event need = fit__event(info);
	struct sb sb = SB_INIT;

	fit__print_counters(info->counter_mask, " or ", &sb);
	if (!sb.len && need.topdown)
		sb__puts(&sb, EXPLAIN_TOPDOWN);
	if (!sb.len)
		sb__puts(&sb, info->counter);
	if (info->taken_alone)
		sb__printf(&sb, "%sone such event in a group", sb.len ? ", " : "");
	sb__puts(out, sb__str(&sb));
	sb__free(&sb);
}

void explain__fit(const struct explain *x, const struct event_list *list,
		  const struct event *leader, struct sb *out)
{
	struct fit_event needs[FIT_MAX_EVENTS];
	struct fit_conflict why;
	struct fit_pmu counters;
	int nr = 0;

	if (!leader->pmu || !leader->pmu->is_core ||
	    !counters__of_pmu(x->host.tables, leader->pmu, &counters))
		return;
	for (int i = 0; i < list->nr && nr < FIT_MAX_EVENTS; i++)
		if (list->at[i]->leader == leader && list->at[i]->pmu == leader->pmu)
			needs[nr++] = counters__need(x->host.tables, &counters, list->at[i]);
	if (!fit__possible(&counters, needs, nr, &why))
		fit__explain(&counters, needs, nr, &why, out);
}
