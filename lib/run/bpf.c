// SPDX-License-Identifier: GPL-2.0-only
/* Events that BPF programs read: -b, --bpf-counters, and events with the modifier ":b". */
#include <errno.h>

#include "base/err.h"
#include "run/internal.h"

/* Return: why BPF programs cannot read an event; NULL if they can. */
static const char *bpf__why_not(const struct request *req, const struct event *e)
{
	if (e->retire_latency)
		return "a latency (:R) is sampled, and BPF programs only count";
	if (topdown__is_metric(e->topdown))
		return "a TopDown metric event only counts in a group with slots, and events that "
		       "BPF programs read are not in groups";
	if (e->requires_cpu)
		return "its PMU counts for a whole package or the like, and BPF programs cannot "
		       "divide these counts";
	if (e->cgroup)
		return "BPF programs distinguish tasks and CPUs, but not cgroups: leave out -G and "
		       "--for-each-cgroup";
	if (e->filter && !req->bpf_text)
		return "a shared counter has no filter: leave out --filter";
	return NULL;
}

/*
 * Whether the kernel reads an event. Retire latencies of metrics come from the tables unless
 * sampled.
 */
static bool is_read_by_kernel(const struct event *e)
{
	return !e->tool && !(e->retire_latency && e->from_metric && !e->sampled);
}

static int check_event(const struct request *req, const struct event *e, struct err *err)
{
	const char *why = bpf__why_not(req, e);

	return why ? err__set(err, EINVAL, "%s: %s", e->name, why) : 0;
}

int run_bpf__choose(struct run *run, struct err *err)
{
	const struct request *req = run->req;
	struct plan *plan = run->plan;
	bool some = false, grouped = false;
	int rc = 0;

	for (int i = 0; !rc && i < plan->events.nr; i++) {
		struct event *e = plan->events.at[i];

		e->bpf |= req->by_bpf && is_read_by_kernel(e);
		if (!e->bpf)
			continue;
		some = true;
		grouped |= e->leader != e && !e->from_metric && !e->default_group;
		rc = check_event(req, e, err);
	}
	if (rc)
		return rc;
	if (some && run->host->simulated && run->will_count)
		return err__set(err, ENOTSUP,
				"BPF programs run in the real kernel, which has no events of a "
				"simulated machine: leave out --machine");
	if (grouped)
		sb__puts(&plan->warnings, "events that BPF programs read are not in groups: each "
					  "is counted by itself\n");
	if (req->bpf_attr_map && (!some || req->bpf_text))
		sb__puts(&plan->warnings, "--bpf-attr-map: no counter is shared\n");
	return 0;
}
