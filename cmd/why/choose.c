// SPDX-License-Identifier: GPL-2.0-only
#include "why/choose.h"

#include "base/auto.h"
#include "events/events.h"
#include "machine/machine.h"
#include "run/host.h"

#define MOST_PRECISE 3

static bool attr_is_of_pmu(const struct perf_event_attr *attr)
{
	return attr->type == PERF_TYPE_HARDWARE || attr->type == PERF_TYPE_RAW;
}

bool where__add_event(struct where_options *o, const struct host *host, const char *name)
{
	struct events_scope scope = host__events_scope(host, NULL);
	auto_free(event_list) list = EVENT_LIST_INIT;

	if (events__parse(&scope, name, &list, NULL) || !list.nr)
		return false;
	o->events[o->nr_events] = (struct where_event){.name = name, .attr = list.at[0]->attr};
	/*
	 * Ask for the highest precision (PEBS; or IBS, which the kernel uses for precise cycles and
	 * ops of AMD). If the CPU refuses it, a lower precision is used.
	 */
	if (attr_is_of_pmu(&o->events[o->nr_events].attr))
		o->events[o->nr_events].attr.precise_ip = MOST_PRECISE;
	o->nr_events++;
	return true;
}

void where__add_time(struct where_options *o, const struct host *host, bool knows)
{
	/* On a hybrid CPU each type of cores has its own cycles, but they share the clock. */
	if (!knows || machine__nr_core_pmus(host->machine) != 1 ||
	    !where__add_event(o, host, "cycles"))
		where__add_event(o, host, "cpu-clock");
}
