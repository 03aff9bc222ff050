// SPDX-License-Identifier: GPL-2.0-only
/* Reads between those that are asked for: what for, of which groups, and when. */
#include <errno.h>
#include <stdlib.h>

#include "base/file.h"
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

/* Groups of events like a leader's, which take turns with each other. */
static int nr_alike(const struct session *s, int leader)
{
	const struct event *e = s->counters[leader].event;
	int nr = 0;

	for (int i = 0; i < s->nr_counters; i++) {
		const struct counter *c = &s->counters[i];

		nr += c->leader == i && c->opened && c->event->pmu == e->pmu &&
		      c->event->cgroup == e->cgroup && has_metric_events(s, i);
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
		nr = nr_alike(s, leader);
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

/* With each turn the kernel puts the first of a PMU's groups behind all others. */
static uint64_t rotation_ns(const struct session *s, int event)
{
	const struct event *e = s->counters[event].event;
	uint64_t groups = 0;

	for (int i = 0; i < s->nr_counters; i++) {
		const struct counter *c = &s->counters[i];

		if (c->leader == i && c->opened && c->event->pmu == e->pmu &&
		    c->event->cgroup == e->cgroup)
			groups++;
	}
	return groups * turn_ms(s, e) * 1000000;
}

int between__new(struct session *s)
{
	struct between *b = &s->between;
	const struct slice_options *o = &s->opts.slices;

	if (!o->step_ns)
		return 0;
	b->rotation_ns = calloc(s->nr_counters + 1, sizeof(*b->rotation_ns));
	if (!b->rotation_ns || counts__init(&b->counts, s) ||
	    slices__init(&b->interval, s->nr_counters, s->units.nr, o->step_ns) ||
	    (o->of_run && slices__init(&b->run, s->nr_counters, s->units.nr, o->step_ns)))
		return -ENOMEM;
	for (int i = 0; i < s->nr_counters; i++)
		b->rotation_ns[i] = rotation_ns(s, i);
	b->interval.rotation_ns = b->run.rotation_ns = b->rotation_ns;
	return 0;
}

void between__free(struct session *s)
{
	slices__free(&s->between.interval);
	slices__free(&s->between.run);
	counts__free(&s->between.counts);
	free(s->between.rotation_ns);
	s->between.rotation_ns = NULL;
}

static uint64_t turns_due_ns(const struct session *s, uint64_t deadline_ns)
{
	const struct slices *slices = &s->between.interval;
	uint64_t due_ns = slices->nr ? slices__due_ns(slices) : UINT64_MAX;

	return due_ns < deadline_ns ? due_ns : UINT64_MAX;
}

static void turns_read(struct session *s, uint64_t now_ns)
{
	(void)now_ns;
	session__read(s, &s->between.counts);
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

/* --- All of them ----------------------------------------------------------------------------- */

/**
 * struct purpose - what reads in between are for
 * @due_ns: when its groups are to be read, since the start, if all are at @deadline_ns;
 *          UINT64_MAX: not before
 * @read:   read them
 */
static const struct purpose {
	uint64_t (*due_ns)(const struct session *s, uint64_t deadline_ns);
	void (*read)(struct session *s, uint64_t now_ns);
} purposes[] = {
	{ turns_due_ns, turns_read }, /* first, as it reads everything */
	{ topdown_due_ns, topdown_read },
};

#define NR_PURPOSES ((int)(sizeof(purposes) / sizeof(*purposes)))

uint64_t between__read(struct session *s, uint64_t now_ns, uint64_t deadline_ns)
{
	uint64_t next_ns = deadline_ns;

	for (int i = 0; s->between.on && i < NR_PURPOSES; i++) {
		uint64_t due_ns = purposes[i].due_ns(s, deadline_ns);

		if (now_ns >= due_ns) {
			purposes[i].read(s, now_ns);
			due_ns = purposes[i].due_ns(s, deadline_ns);
		}
		if (next_ns > due_ns)
			next_ns = due_ns;
	}
	return next_ns;
}

void between__was_read(struct session *s, const struct counts *total)
{
	struct between *b = &s->between;

	b->topdown_ns = total->time_ns;
	if (!b->on || !b->interval.nr)
		return;
	slices__add(&b->interval, total);
	if (b->run.nr)
		slices__add(&b->run, total);
}
