// SPDX-License-Identifier: GPL-2.0-only
/* Events that BPF programs read: -b, --bpf-counters, and events of their own accord (:b). */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/auto.h"
#include "base/err.h"
#include "base/num.h"
#include "base/xalloc.h"
#include "simulated.h"
#include "stat.h"

static int add_program(struct stat_options *o, const char *text, struct err *err)
{
	const uint32_t *other;
	uint64_t id;
	int rc = num__parse_u64("-b (number of a BPF program)", text, 1, UINT32_MAX - 1, &id, err);

	if (rc)
		return rc;
	vec__for_each(other, &o->bpf_programs)
		if (*other == id)
			return err__set(err, EINVAL, "-b names the BPF program %s twice", text);
	vec__push(&o->bpf_programs, id);
	return 0;
}

int stat_bpf__parse(struct stat_options *o, struct err *err)
{
	auto_text text = xstrdup(o->bpf_text ?: "");
	char *rest = text, *item;
	int rc = 0;

	if (o->bpf_text && !*text)
		return err__set(err, EINVAL, "-b needs numbers of BPF programs, as 'bpftool prog' "
					     "shows them");
	while (!rc && o->bpf_text && (item = strsep(&rest, ",")))
		rc = add_program(o, item, err);
	o->count.bpf_programs = o->bpf_programs.at;
	o->count.nr_bpf_programs = o->bpf_programs.nr;
	o->count.bpf_attr_map = o->bpf_attr_map;
	return rc;
}

/* Return: why BPF programs cannot read an event; NULL where they can. */
static const char *why_not(const struct stat_options *o, const struct event *e)
{
	if (e->retire_latency)
		return "a latency (:R) is sampled, and BPF programs only count";
	if (topdown__is_metric(e->topdown))
		return "a TopDown metric event counts in a group with slots alone, and what BPF "
		       "programs read is in no group";
	if (e->requires_cpu)
		return "its PMU counts whatever runs on a package or the like, which BPF programs "
		       "cannot tell apart";
	if (e->cgroup)
		return "BPF programs tell tasks and CPUs apart, and not cgroups: leave out -G and "
		       "--for-each-cgroup";
	if (e->filter && !o->bpf_text)
		return "a shared counter has no filter: leave out --filter";
	return NULL;
}

/* Latencies of metrics are those of the tables where none is sampled. */
static bool is_read_by_kernel(const struct event *e)
{
	return !e->tool && !(e->retire_latency && e->from_metric && !e->sampled);
}

static int check_event(const struct stat_options *o, const struct event *e, struct err *err)
{
	const char *why = why_not(o, e);

	return why ? err__set(err, EINVAL, "%s: %s", e->name, why) : 0;
}

int stat_bpf__choose(struct stat_run *run, struct err *err)
{
	const struct stat_options *o = run->o;
	struct plan *plan = run->plan;
	bool some = false, grouped = false;
	int rc = 0;

	for (int i = 0; !rc && i < plan->events.nr; i++) {
		struct event *e = plan->events.at[i];

		e->bpf |= o->by_bpf && is_read_by_kernel(e);
		if (!e->bpf)
			continue;
		some = true;
		grouped |= e->leader != e && !e->from_metric && !e->default_group;
		rc = check_event(o, e, err);
	}
	if (rc)
		return rc;
	if (some && simulated__machine() && !o->dry_run)
		return err__set(err, ENOTSUP,
				"BPF programs run in the real kernel, which has no events of a "
				"simulated machine: leave out --machine");
	if (grouped)
		sb__puts(&plan->warnings, "events that BPF programs read are in no group: each is "
					  "counted by itself\n");
	if (o->bpf_attr_map && (!some || o->bpf_text))
		sb__puts(&plan->warnings, "--bpf-attr-map: no counter is shared\n");
	return 0;
}
