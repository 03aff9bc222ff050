// SPDX-License-Identifier: GPL-2.0-only
/* Find the events to sample for a metric, which its description names. */
#include <stdio.h>
#include <string.h>

#include "base/sb.h"
#include "base/text.h"
#include "machine/machine.h"
#include "metrics/metrics.h"

#define SAMPLE_WITH "Sample with:"

/*
 * Find an event of the tables under the given name, or without the suffix of the name that means
 * precise.
 */
static int find_sampled(const struct tables *tables, const struct metric_info *info, char *name,
			bool *precise)
{
	int found = tables__find_event(tables, info->pmu, name);

	*precise = text__has_suffix(name, "_PS");
	if (found < 0 && *precise) {
		name[strlen(name) - strlen("_PS")] = '\0';
		found = tables__find_event(tables, info->pmu, name);
	}
	return found;
}

static bool can_be_precise(struct machine *m, const char *pmu)
{
	struct pmu *core = strcmp(pmu, "default_core") ? machine__pmu(m, pmu)
						       : machine__core_pmu(m, 0);

	return !core || pmu__max_precise(core);
}

/* Add one name of the list to the text, and to the events of a command. */
static void add_sampled(const struct tables *tables, const struct metric_info *info, bool can_be,
			char *name, struct sb *list, struct sb *events)
{
	struct event_info event;
	const char *modifier;
	bool precise;
	int found = find_sampled(tables, info, name, &precise);

	sb__printf(list, "%s%s", list->len ? ", " : "", name);
	if (found < 0) {
		sb__puts(list, " (not in the tables)");
		return;
	}
	if (!events)
		return;
	tables__event(tables, found, &event);
	/* P: as precisely as the event allows */
	modifier = precise && can_be ? "pp" : "P";
	if (strcmp(info->pmu, "default_core"))
		sb__printf(events, " -e %s/%s/%s", info->pmu, event.name, modifier);
	else
		sb__printf(events, " -e %s:%s", event.name, modifier);
}

/* Descriptions end in "Sample with: A_PS;B. Related metrics: ..." */
void metrics__sampling(const struct tables *tables, struct machine *m,
		       const struct metric_info *info, struct sb *list, struct sb *events)
{
	bool can_be = can_be_precise(m, info->pmu);
	const char *at = strstr(info->long_desc, SAMPLE_WITH) ?: strstr(info->desc, SAMPLE_WITH);
	char name[128];
	int len;

	text__for_each_item(item, len, at ? at + strlen(SAMPLE_WITH) : "", " ;,") {
		/* A full stop ends the list, except inside a name. */
		bool stop = item[len - 1] == '.';

		snprintf(name, sizeof(name), "%.*s", len - stop, item);
		if (*name)
			add_sampled(tables, info, can_be, name, list, events);
		if (stop || item[len] == ' ')
			break;
	}
}
