// SPDX-License-Identifier: GPL-2.0-only
/*
 * Software events of a CPU that nobody put into a group are opened as one: to read a counter of
 * another CPU the kernel interrupts that CPU, and does so once for a group. They are always
 * counting, so that no event keeps another of them from it, as with counters of hardware.
 */
#include "count/session.h"

#define MAX_JOINED 256 /* the kernel refuses groups whose read is longer than 16 KiB */

static bool is_software(const struct counter *c)
{
	const struct perf_event_attr *attr = &c->event->attr;

	return !c->event->tool && !c->event->retire_latency && attr->type == PERF_TYPE_SOFTWARE &&
	       attr->config != PERF_COUNT_SW_BPF_OUTPUT && !attr->pinned && !attr->exclusive;
}

static bool go_together(const struct counter *a, const struct counter *b)
{
	return a->event->cgroup == b->event->cgroup && cpulist__equal(&a->cpus, &b->cpus);
}

void session__join(struct session *s)
{
	struct counter *leader = NULL;

	/* Sets, and commands that come in, start and stop events one by one. */
	if (!s->per_cpu || s->opts.sets || s->opts.control_fd)
		return;
	for (int i = 0; i < s->nr_counters; i++) {
		struct counter *c = &s->counters[i];

		if (c->leader != i || c->nr_members != 1 || !is_software(c))
			continue;
		if (!leader || leader->nr_members == MAX_JOINED || !go_together(leader, c)) {
			leader = c;
			continue;
		}
		c->leader = leader - s->counters;
		c->joined = leader->joined = true;
		leader->nr_members++;
	}
}
