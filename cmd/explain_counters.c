// SPDX-License-Identifier: GPL-2.0-only
/* Which counters events may use. */
#include "base/sb.h"
#include "explain.h"
#include "machine/machine.h"
#include "plan/fit.h"

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
