/* SPDX-License-Identifier: GPL-2.0-only */
/* Helpers that the tests of lib/plan share. */
#ifndef TMA_TESTS_PLAN_FIXTURE_H
#define TMA_TESTS_PLAN_FIXTURE_H

#include "base/sb.h"
#include "plan/plan.h"

/* Describe the events as "a {b,c}", with groups in braces; a weak group follows a "+". */
static const char *groups_text(const struct plan *plan)
{
	static struct sb sb;

	sb__clear(&sb);
	for (int i = 0; i < plan->events.nr; i++) {
		const struct event *e = plan->events.at[i];
		bool first = e->leader == e, many = e->leader->nr_members > 1;
		bool last = i + 1 == plan->events.nr ||
			    plan->events.at[i + 1]->leader == plan->events.at[i + 1];

		sb__printf(&sb, "%s%s%s%s", !i ? "" : first ? " " : ",",
			   first && many ? e->weak ? "+{" : "{" : "", e->name,
			   last && many ? "}" : "");
	}
	return sb__str(&sb);
}

#endif
