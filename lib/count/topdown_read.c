// SPDX-License-Identifier: GPL-2.0-only
/*
 * TopDown metric events in long intervals. The hardware keeps each as a fraction of 8 bits of all
 * slots since the last read, at which the kernel turns it into a count and lets both begin at 0
 * again. So one step of the fraction stands for the more slots the longer that is ago; reads in
 * between, whose values nobody looks at, keep it small.
 */
#include "count/session.h"

#define LONG_NS 1000000000ULL /* what is no longer needs no reads in between */
#define SHORTEST_NS 750000000ULL
#define SPREAD_NS 500000000ULL
#define GOLDEN_NS 309016994ULL /* its multiples modulo the spread fill it evenly */

/* Whether the kernel counts TopDown metric events in the group of a leader. */
static bool has_metric_events(const struct session *s, int leader)
{
	if (!s->counters[leader].event->topdown)
		return false;
	for (int i = leader + 1; i < s->nr_counters; i++)
		if (s->counters[i].leader == leader && s->counters[i].event->topdown &&
		    s->counters[i].opened)
			return true;
	return false;
}

void topdown__plan_reads(struct session *s)
{
	struct reading *r;

	vec__for_each(r, &s->readings) {
		r->topdown = r->group && has_metric_events(s, s->members.at[r->first].event);
		s->topdown.wanted |= r->topdown;
	}
}

/*
 * After a second in the mean, and never twice after the same time: what a workload does every
 * second would be rounded the same way each time, and the errors would add up.
 */
uint64_t topdown__due_ns(const struct session *s, uint64_t deadline_ns)
{
	const struct topdown_reads *t = &s->topdown;

	if (!t->wanted || deadline_ns <= t->read_ns + LONG_NS)
		return UINT64_MAX;
	return t->read_ns + SHORTEST_NS + t->nr * GOLDEN_NS % SPREAD_NS;
}

void topdown__read(struct session *s, uint64_t now_ns)
{
	const struct reading *r;

	/* What a failure means, the read that counts will tell. */
	vec__for_each(r, &s->readings)
		if (r->topdown)
			s->kernel->read(r->fd, s->buf, s->buf_size);
	s->topdown.read_ns = now_ns;
	s->topdown.nr++;
}
