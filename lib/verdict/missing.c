// SPDX-License-Identifier: GPL-2.0-only
/* Name the missing metrics and events if there is no verdict. */
#include <math.h>
#include <string.h>

#include "base/sb.h"
#include "verdict/trees.h"

/* Append which events of a metric were not counted, or which part of the machine an event lacks. */
static void put_uncounted(const struct verdicts *v, const struct plan_metric *pm, int row,
			  struct sb *sb)
{
	const char *before = " (no count of ";
	int lacking = sums__lacking_event(v->sums, pm);

	if (lacking >= 0) {
		sb__printf(sb, " (%s %s)", v->sums->events[lacking].event->name,
			   v->sums->events[lacking].lacking.words);
		return;
	}
	for (int i = 0; i < pm->metric->nr_ids; i++) {
		const struct event *e = pm->events ? pm->events[i] : NULL;

		if (!e || sum__is_counted(sums__at(v->sums, e->index, row)))
			continue;
		sb__printf(sb, "%s%s", before, e->name);
		before = ", ";
	}
	sb__puts(sb, *before == ',' ? ")" : "");
}

static void missing__put(const char *name, struct sb *sb)
{
	sb__printf(sb, "%s%s", sb->len ? ", " : "", name);
}

char *verdicts__list_missing(const struct verdicts *v, const struct verdict_subject *s, int row)
{
	const struct plan *plan = v->sums->plan;
	const struct plan_gap *gap;
	struct metric_info info;
	struct sb sb = SB_INIT;

	for (int i = 0; i < s->tree.nr; i++) {
		if (s->tree.nodes[i].level != 1 || isfinite(s->tree.nodes[i].value))
			continue;
		missing__put(s->tree.nodes[i].name, &sb);
		put_uncounted(v, s->metrics[i].summed->metric, row, &sb);
	}
	vec__for_each(gap, &plan->gaps) {
		int at = plan->scope && plan->scope->tables ?
				 tables__find_metric(plan->scope->tables, gap->pmu, gap->name) :
				 -1;

		if (at < 0 || strcmp(gap->pmu, s->pmu))
			continue;
		tables__metric(plan->scope->tables, at, &info);
		if (metrics__topdown_level(&info) != 1)
			continue;
		missing__put(gap->name, &sb);
		sb__printf(&sb, " (no event %s)", gap->lacks);
	}
	return sb__detach(&sb);
}

/* Append why a metric has no value: a part of the machine, a counter or a literal is missing. */
static void missing__put_reason(const struct verdicts *v, const struct plan_metric *pm, int row,
		       struct sb *sb)
{
	int lacking = sums__lacking_event(v->sums, pm), dead = sums__dead_event(v->sums, pm, row);
	const struct summed_event *events = v->sums->events;

	if (lacking >= 0)
		sb__printf(sb, "%s was counted %s", events[lacking].event->name,
			   events[lacking].lacking.words);
	else if (dead >= 0)
		sb__printf(sb, "%s stays at 0 while the CPU executes", events[dead].event->name);
	else if (pm->metric->why_unknown)
		sb__puts(sb, pm->metric->why_unknown);
}

void verdicts__tell_lacking(struct grid_verdict *to, const struct verdicts *v,
			    const struct verdict_subject *s)
{
	struct sb reason = SB_INIT;

	for (int i = 0; i < s->tree.nr && !reason.len; i++)
		missing__put_reason(v, s->metrics[i].summed->metric, to->row, &reason);
	if (!reason.len)
		return;
	to->outcome = OUTCOME_NOT_ALL;
	to->own_reason = sb__detach(&reason);
	to->reason = to->own_reason;
}
