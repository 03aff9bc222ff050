// SPDX-License-Identifier: GPL-2.0-only
/* Reads between those that are asked for: what for, of which groups, and when. */
#include <stdlib.h>

#include "base/file.h"
#include "base/xalloc.h"
#include "count/session.h"

/* --- TopDown ---------------------------------------------------------------------------------
 *
 * The hardware keeps each metric event as a fraction of 8 bits of all slots since the last read, at
 * which the kernel turns it into a count and lets both begin at 0 again. So one step of the
 * fraction stands for the more slots the longer that is ago; reads in between, whose values nobody
 * looks at, keep it small. Groups of such events take turns, as there is one register, whose state
 * the kernel keeps for each over the turns of others; a read begins at 0 for the one on the PMU
 * alone. So there are twice as many more reads as groups.
 */
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

/* Groups of events like this one, which take turns with each other. */
static int nr_alike(const struct session *s, const struct event *e, bool topdown)
{
	int nr = 0;

	for (int i = 0; i < s->nr_counters; i++) {
		const struct counter *c = &s->counters[i];

		nr += c->leader == i && c->opened && c->event->pmu == e->pmu &&
		      c->event->cgroup == e->cgroup && (!topdown || has_metric_events(s, i));
	}
	return nr;
}

void between__find_topdown(struct session *s)
{
	struct between *b = &s->between;
	struct reading *r;
	int of = -1;

	b->nr_topdown_groups = 0;
	vec__for_each(r, &s->readings) {
		int leader = s->members.at[r->first].event, nr;

		r->topdown = r->group && has_metric_events(s, leader);
		if (!r->topdown || leader == of)
			continue;
		of = leader;
		nr = nr_alike(s, s->counters[leader].event, true);
		if (nr > b->nr_topdown_groups)
			b->nr_topdown_groups = nr;
	}
}

/* How many reads take the place of the one a second that a group by itself needs. */
static int reads_a_second(const struct session *s)
{
	int nr = s->between.nr_topdown_groups;

	if (!s->opts.read_topdown)
		return nr > 0;
	return nr > 1 ? 2 * nr : nr;
}

/*
 * After a second in the mean, or so many times more often, and never twice after the same time:
 * what a workload does every second would be rounded the same way each time, and the errors would
 * add up.
 */
static uint64_t topdown_due_ns(const struct session *s, uint64_t deadline_ns)
{
	const struct between *b = &s->between;
	uint64_t after_ns = SHORTEST_NS + b->nr_topdown * GOLDEN_NS % SPREAD_NS;
	int reads = reads_a_second(s);

	if (!reads || deadline_ns <= b->topdown_ns + LONG_NS / reads)
		return UINT64_MAX;
	return b->topdown_ns + after_ns / reads;
}

static void topdown_read(struct session *s, uint64_t now_ns)
{
	const struct reading *r;

	/* What a failure means, the read that counts will tell. */
	vec__for_each(r, &s->readings)
		if (r->topdown)
			s->kernel->read(r->fd, s->buf, s->buf_size);
	s->between.topdown_ns = now_ns;
	s->between.nr_topdown++;
}

/* --- Turns ----------------------------------------------------------------------------------- */

#define NS_PER_MS 1000000
#define USUAL_TURN_MS 4 /* the kernel's, where sysfs does not tell: a PMU of tasks' clocks */

static int turn_ms(const struct session *s, const struct event *e)
{
	int ms;

	if (!e->pmu ||
	    file__read_int(&ms, "%s/bus/event_source/devices/%s/perf_event_mux_interval_ms",
			   s->machine->sysfs, e->pmu->name) ||
	    ms <= 0)
		return USUAL_TURN_MS;
	return ms;
}

void between__new(struct session *s)
{
	struct between *b = &s->between;
	const struct slice_options *o = &s->opts.slices;

	if (!o->step_ns)
		return;
	b->rotation_ns = xcalloc(s->nr_counters, sizeof(*b->rotation_ns));
	counts__init(&b->counts, s);
	slices__init(&b->interval, s->nr_counters, s->units.nr, o->step_ns);
	if (o->of_run)
		slices__init(&b->run, s->nr_counters, s->units.nr, o->step_ns);
	/* With each turn the kernel puts the first of a PMU's groups behind all others. */
	for (int i = 0; i < s->nr_counters; i++) {
		const struct event *e = s->counters[i].event;

		b->rotation_ns[i] = (uint64_t)nr_alike(s, e, false) * turn_ms(s, e) * NS_PER_MS;
	}
	b->interval.rotation_ns = b->run.rotation_ns = b->rotation_ns;
}

void between__free(struct session *s)
{
	slices__free(&s->between.interval);
	slices__free(&s->between.run);
	counts__free(&s->between.counts);
	free(s->between.rotation_ns);
}

static uint64_t turns_due_ns(const struct session *s, uint64_t deadline_ns)
{
	const struct slices *slices = &s->between.interval;
	uint64_t due_ns = slices->nr ? slices__due_ns(slices) : UINT64_MAX;

	return due_ns < deadline_ns ? due_ns : UINT64_MAX;
}

const struct slices *session__slices(const struct session *s, bool of_run)
{
	const struct between *b = &s->between;
	const struct slices *slices = of_run && b->run.nr ? &b->run : &b->interval;

	return slices->nr ? slices : NULL;
}

void session__end_row(struct session *s)
{
	if (s->between.interval.nr)
		slices__restart(&s->between.interval);
}

/* --- Both ------------------------------------------------------------------------------------ */

uint64_t between__read(struct session *s, uint64_t now_ns, uint64_t deadline_ns)
{
	uint64_t turns_ns, topdown_ns, first_ns;

	if (!s->between.on)
		return deadline_ns;
	/* First, as it reads everything. */
	if (now_ns >= turns_due_ns(s, deadline_ns))
		session__read(s, &s->between.counts);
	if (now_ns >= topdown_due_ns(s, deadline_ns))
		topdown_read(s, now_ns);
	turns_ns = turns_due_ns(s, deadline_ns);
	topdown_ns = topdown_due_ns(s, deadline_ns);
	first_ns = turns_ns < topdown_ns ? turns_ns : topdown_ns;
	return first_ns < deadline_ns ? first_ns : deadline_ns;
}

void between__was_read(struct session *s, struct counts *total)
{
	struct between *b = &s->between;

	b->topdown_ns = total->time_ns;
	if (!b->on || !b->interval.nr)
		return;
	slices__add(&b->interval, total);
	if (b->run.nr)
		slices__add(&b->run, total);
}
