// SPDX-License-Identifier: GPL-2.0-only
#include "plan/residency.h"

#include <string.h>
#include <strings.h>

#include "base/text.h"
#include "events/events.h"
#include "machine/machine.h"
#include "metrics/metrics.h"

#define IDLE_STATES "cstate_"

bool residency__is(const struct metric *metric)
{
	const char *states = NULL;
	bool tsc = false;

	for (int i = 0; i < metric->nr_ids; i++) {
		const char *id = metric->ids[i];

		if (!strcasecmp(id, "TSC") || !strcasecmp(id, "msr@tsc@")) {
			tsc = true;
		} else if (!text__has_prefix(id, IDLE_STATES) ||
			   (states && strncmp(states, id, strcspn(id, "@") + 1))) {
			return false;
		} else {
			states = id;
		}
	}
	return tsc && states;
}

void residency__place(struct event_list *list)
{
	const struct event *states = NULL;

	for (int i = 0; i < list->nr; i++)
		if (list->at[i]->pmu && text__has_prefix(list->at[i]->pmu->name, IDLE_STATES))
			states = list->at[i];
	for (int i = 0; states && i < list->nr; i++) {
		struct event *e = list->at[i];

		if (!e->pmu || strcmp(e->pmu->name, "msr"))
			continue;
		cpulist__free(&e->cpus);
		cpulist__copy(&states->cpus, &e->cpus);
		e->any_cpu = false;
		e->requires_cpu = true;
	}
}
