// SPDX-License-Identifier: GPL-2.0-only
/* Retire latencies in words: those of the tables, and which of them were used. */
#include <string.h>

#include "base/sb.h"
#include "cmd.h"
#include "machine/machine.h"
#include "metrics/print.h"
#include "plan/plan.h"
#include "report/report.h"
#include "retire_latency.h"
#include "tables/tables.h"

#define NAMED 3 /* events in a line; of more, how many */

void retire_latency__print(const struct event_info *info, struct sb *out)
{
	if (!info->retire_latency_mean && !info->retire_latency_max)
		return;
	expr__print_number(info->retire_latency_mean, out);
	sb__puts(out, " cycles in the mean, ");
	expr__print_number(info->retire_latency_min, out);
	sb__puts(out, " to ");
	expr__print_number(info->retire_latency_max, out);
	sb__puts(out, ", as the vendor measured it");
}

void retire_latency__print_need(const struct event_info *info, bool measured, struct sb *out)
{
	bool known = info && info->retire_latency_mean;

	sb__puts(out, "a retire latency: ");
	if (measured)
		sb__puts(out, "sampled by -e or --record-tpebs, else ");
	if (known)
		expr__print_number(info->retire_latency_mean, out);
	sb__puts(out, known ? " cycles, the vendor's mean" : "without a value, which the tables lack");
}

/* Whether an event is to be told: not a second time, when it stands in several groups. */
static bool is_told(const struct plan *plan, const struct report *report, int index, bool sampled)
{
	const struct event *e = plan->events.at[index];

	if (e->sampled != sampled || !report__assumed(report, index))
		return false;
	for (int i = 0; i < index; i++)
		if (report__assumed(report, i) && !strcmp(plan->events.at[i]->name, e->name))
			return false;
	return true;
}

/* Return: how many names there are, of which the first ones stand in @names. */
static int collect(const struct plan *plan, const struct report *report, bool sampled,
		   struct sb *names, bool *measurable)
{
	int nr = 0;

	*measurable = false;
	for (int i = 0; i < plan->events.nr; i++) {
		const struct event *e = plan->events.at[i];

		if (!is_told(plan, report, i, sampled))
			continue;
		*measurable |= e->pmu && pmu__samples_latencies(e->pmu);
		if (++nr <= NAMED)
			sb__printf(names, "%s%s", names->len ? ", " : "", e->name);
	}
	if (nr > NAMED)
		sb__printf(names, " and %d more", nr - NAMED);
	return nr;
}

void retire_latency__say_assumed(const struct plan *plan, const struct report *report, bool counted)
{
	struct sb names = SB_INIT;
	bool measurable;
	int nr = collect(plan, report, false, &names, &measurable);

	if (nr)
		say("%s: not measured: the vendor's latency stands for %s%s", sb__str(&names),
		    nr > 1 ? "each" : "it",
		    counted && measurable ? "; --record-tpebs measures" : "");
	sb__clear(&names);
	if (collect(plan, report, true, &names, &measurable))
		say("%s: where no sample came, the vendor's latency stands for it", sb__str(&names));
	sb__free(&names);
}
