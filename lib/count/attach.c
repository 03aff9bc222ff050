// SPDX-License-Identifier: GPL-2.0-only
/* The attachments, and which runs use them. */
#include "count/attach.h"

#include <stdlib.h>

#include "base/xalloc.h"
#include "count/cpu_time.h"
#include "count/session.h"
#include "plan/sets.h"

const struct attachment *const attachments[NR_ATTACHED] = {
	[SAMPLER] = &sampler__attachment,
	[LOCATOR] = &locator__attachment,
	[BPF_SHARED] = &bpf_shared__attachment,
	[BPF_PROGRAMS] = &bpf_programs__attachment,
	[CGROUP_TIMES] = &cgroup_times__attachment,
	[ROTATION] = &rotation__attachment,
	[HOTPLUG] = &hotplug__attachment,
	[CPU_TIMES] = &cpu_times__attachment,
	[SLICER] = &slicer__attachment,
	[STARVATION] = &starvation__attachment,
	[TOPDOWN_READS] = &topdown_reads__attachment,
};

int attached__new(struct session *s, struct err *err)
{
	const struct count_options *o = &s->opts;
	const struct counter *c;
	bool used[NR_ATTACHED] = {
		[ROTATION] = o->turn_ns && o->sets && o->sets->nr > 1,
		[LOCATOR] = o->locate.frequency,
		[HOTPLUG] = s->counters.units.per_cpu,
		[SLICER] = o->slices.step_ns,
	};

	counters__for_each(c, &s->counters) {
		used[SAMPLER] |= c->event->sampled && c->evsel;
		used[BPF_SHARED] |= c->event->bpf && !o->nr_bpf_programs;
		used[BPF_PROGRAMS] |= c->event->bpf && o->nr_bpf_programs;
		used[CGROUP_TIMES] |= c->event->cgroup && s->counters.units.per_cpu;
		used[CPU_TIMES] |= cpu_times__is(c->event);
		used[STARVATION] |= o->watch_groups && counter__can_starve(c);
		used[TOPDOWN_READS] |= c->event->topdown;
	}
	s->attached[EVERY_RUN] = s;
	for (int i = EVERY_RUN + 1; i < NR_ATTACHED; i++)
		if (used[i]) {
			s->attached[i] = xcalloc(1, attachments[i]->size);
			*(struct session **)s->attached[i] = s;
		}
	attached__call(s, init);
	return attached__try(s, check, err);
}

void attached__free(struct session *s)
{
	attached__call(s, free);
	for (int i = EVERY_RUN + 1; i < NR_ATTACHED; i++)
		free(s->attached[i]);
}
