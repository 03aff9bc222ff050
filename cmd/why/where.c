// SPDX-License-Identifier: GPL-2.0-only
/* Chooses the events and the target that are sampled to find the place in the program. */
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
#include "simulated.h"
#include "why/choose.h"
#include "why/why.h"

#define FREQUENCY 997 /* samples per second: a prime number, so that no loop is in step */

/*
 * Choose the tasks to sample. On a simulated machine, tasks do not run on its CPUs, so CPUs are not
 * part of the target.
 */
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
	if (samples.where.clock_alone) {
		free(samples.sampled[0]);
		samples.sampled[0] = xstrdup(WHERE_CLOCK);
		*samples.sampled[1] = '\0';
	}
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
				  .has_source = why_source__is_there,
				  .download = s->download};
	/*
	 * If a simulated machine is hybrid, or does not follow the program, only the real clock is
	 * sampled: its samples cannot go into the buffer of a simulated event.
	 */
	bool knows = !s->host->simulated ||
		     (simulated__follows() && !machine__is_hybrid(s->host->machine));
	auto_text name = NULL;
	int len;

	text__for_each_item(item, len, names, " ,")
	{
		name = xstrndup(item, len);
		if (knows && where__add_event(&o, s->host, name))
			break;
		free(name);
		name = NULL;
	}
	where__add_time(&o, s->host, knows);
	return why_where__find(&o, why_sampler__cgroup(s, run), a, err);
}

void why_sampler__close(struct why_sampler *s)
{
	cgroup_list__free(&s->cgroups);
}
