// SPDX-License-Identifier: GPL-2.0-only
/* Where in the program what "tma why" found is: the events to sample are chosen here. */
#include <stdlib.h>
#include <string.h>

#include "base/auto.h"
#include "base/err.h"
#include "base/text.h"
#include "base/xalloc.h"
#include "cmd.h"
#include "count/count.h"
#include "events/events.h"
#include "machine/machine.h"
#include "why/why.h"

#define FREQUENCY 997 /* samples a second: in step with nothing */
#define MOST_PRECISE 3

static bool attr_is_of_pmu(const struct perf_event_attr *attr)
{
	return attr->type == PERF_TYPE_HARDWARE || attr->type == PERF_TYPE_RAW;
}

/* Encode an event as it is to be sampled. Return: whether this computer has it. */
static bool why_where__add_event(struct where_options *o, const struct host *host, const char *name)
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
	if (host->simulated || !machine__nr_core_pmus(host->machine) ||
	    !why_where__add_event(o, host, "cycles"))
		why_where__add_event(o, host, "cpu-clock");
}

/* What is sampled does not run on a simulated machine, which is told of its CPUs alone. */
static bool choose_target(struct why_sampler *s, const struct why_target *t)
{
	struct request req = REQUEST_INIT;

	why_target__request(t, &req);
	s->target = req.target;
	if (!s->host->simulated)
		return true;
	s->target.system_wide = false;
	s->target.cpus.nr = 0;
	return s->target.argv;
}

int why_sampler__open(struct why_sampler *s, struct why_answer *a, struct err *err)
{
	const char *cgroups = a->target.cgroups;

	if (!choose_target(s, &a->target))
		a->no_samples = "nothing can be sampled on a simulated machine";
	else if (cgroups && !s->host->simulated)
		return cgroups__open(s->host->machine, "-G", cgroups, true, &s->cgroups, err);
	return 0;
}

int why_sampler__nr(const struct why_sampler *s)
{
	return s->cgroups.nr ?: 1;
}

const char *why_sampler__cgroup(const struct why_sampler *s, int run)
{
	return s->cgroups.nr ? s->cgroups.at[run]->name : NULL;
}

static int why_where__find(const struct where_options *o, const char *cgroup, struct why_answer *a,
			   struct err *err)
{
	struct why_samples samples = {.cgroup = cgroup ? xstrdup(cgroup) : NULL};
	int rc = where__find(o, &samples.where, err);

	if (rc) {
		where__free(&samples.where);
		free(samples.cgroup);
		return rc;
	}
	for (int i = 0; i < WHERE_EVENTS; i++)
		samples.sampled[i] = xstrdup(i < o->nr_events ? o->events[i].name : "");
	vec__push(&a->samples, samples);
	return 0;
}

int why_sampler__take(struct why_sampler *s, int run, struct why_answer *a, const char *names,
		      uint64_t limit_ns, struct err *err)
{
	struct where_options o = {.machine = s->host->machine,
				  .target = &s->target,
				  .cgroup_fd = s->cgroups.nr ? s->cgroups.at[run]->fd : -1,
				  .frequency = FREQUENCY,
				  .limit_ns = limit_ns,
				  .read_until_ns = s->read_until_ns,
				  .download = s->download};
	auto_text name = NULL;
	int len;

	text__for_each_item(item, len, names, " ,")
	{
		name = xstrndup(item, len);
		if (!s->host->simulated && why_where__add_event(&o, s->host, name))
			break;
		free(name);
		name = NULL;
	}
	add_time(&o, s->host);
	return why_where__find(&o, why_sampler__cgroup(s, run), a, err);
}

void why_sampler__close(struct why_sampler *s)
{
	cgroup_list__free(&s->cgroups);
}
