// SPDX-License-Identifier: GPL-2.0-only
/* Where in the program what "tma why" found is: the events to sample are chosen here. */
#include <string.h>

#include "base/auto.h"
#include "base/err.h"
#include "base/text.h"
#include "base/xalloc.h"
#include "cmd.h"
#include "count/count.h"
#include "events/events.h"
#include "machine/machine.h"
#include "simulated.h"
#include "why.h"

#define FREQUENCY 997 /* samples a second: in step with nothing */
#define MOST_PRECISE 3

static bool attr_is_of_pmu(const struct perf_event_attr *attr)
{
	return attr->type == PERF_TYPE_HARDWARE || attr->type == PERF_TYPE_RAW;
}

/* Encode an event as it is to be sampled. Return: whether this computer has it. */
static bool add_event(struct where_options *o, const struct host *host, const char *name)
{
	struct events_scope scope = host__events_scope(host, NULL);
	auto_free(event_list) list = EVENT_LIST_INIT;

	if (events__parse(&scope, name, &list, NULL) || !list.nr)
		return false;
	o->events[o->nr_events] = (struct where_event){.name = name, .attr = list.at[0]->attr};
	/*
	 * As precise as the CPU can, for less is taken where that is refused: PEBS, or IBS, to
	 * which the kernel turns cycles and ops of AMD that are to be precise.
	 */
	if (attr_is_of_pmu(&o->events[o->nr_events].attr))
		o->events[o->nr_events].attr.precise_ip = MOST_PRECISE;
	o->nr_events++;
	return true;
}

/*
 * Time is told by cycles where a core PMU counts them, and else by the kernel's clock. A simulated
 * PMU does not know where the program is.
 */
static void add_time(struct where_options *o, const struct host *host)
{
	if (simulated__machine() || !machine__nr_core_pmus(host->machine) ||
	    !add_event(o, host, "cycles"))
		add_event(o, host, "cpu-clock");
}

static int sample(struct why_answer *a, struct where_options *o, struct err *err)
{
	int rc = where__find(o, &a->where, err);

	for (int i = 0; i < WHERE_EVENTS; i++)
		a->sampled[i] = xstrdup(i < o->nr_events ? o->events[i].name : "");
	a->has_where = !rc;
	return rc;
}

int why__sample(struct why_answer *a, const struct target *target, const char *names,
		uint64_t limit_ns, bool download, struct err *err)
{
	struct where_options o = {.target = target,
				  .cgroup_fd = -1,
				  .frequency = FREQUENCY,
				  .limit_ns = limit_ns,
				  .download = download};
	auto_text name = NULL;
	struct host host = {0};
	int len, rc = host__load(&host, err);

	/* A simulated machine runs nothing but the command. */
	if (!rc && simulated__machine() && !target->argv) {
		host__free(&host);
		return 0;
	}
	o.machine = host.machine;
	text__for_each_item(item, len, names, " ,")
	{
		name = xstrndup(item, len);
		if (!rc && !simulated__machine() && add_event(&o, &host, name))
			break;
		free(name);
		name = NULL;
	}
	if (!rc) {
		add_time(&o, &host);
		rc = sample(a, &o, err);
	}
	host__free(&host);
	return rc;
}
