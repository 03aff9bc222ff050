// SPDX-License-Identifier: GPL-2.0-only
/*
 * Reads that no caller asked for. Two attachments make them, each for its own reason and at its own
 * times.
 */
#include "count/between.h"

#include <stdlib.h>

#include "base/xalloc.h"
#include "count/session.h"
#include "count/starvation.h"

/*
 * --- TopDown ---------------------------------------------------------------------------------
 *
 * The hardware keeps each metric event as a fraction, of 8 bits, of all slots since the last read.
 * A read lets the kernel turn it into a count, and both begin at 0 again. The longer ago the last
 * read, the more slots one step of the fraction represents; additional reads, whose values are not
 * used, keep it small. Groups of such events multiplex, as there is only one register, and the
 * kernel keeps its state for each group over the turns of others; a read resets only the group that
 * is on the PMU. So the number of additional reads is twice the number of groups.
 */
#define LONG_NS 1000000000ULL /* a wait no longer than this needs no additional reads */
#define SHORTEST_NS 750000000ULL
#define SPREAD_NS 500000000ULL
#define GOLDEN_NS 309016994ULL /* multiples of this, modulo SPREAD_NS, fill SPREAD_NS evenly */

/**
 * struct topdown_reads - reads of groups with TopDown metric events (attached if there are such
 * groups)
 * @read_ns: when all these groups were last read, since the start
 * @nr:     number of reads that were made only for precision
 */
struct topdown_reads {
	struct session *session;
	uint64_t read_ns, nr;
};

/* A single group needs one read a second; several groups that multiplex need more. */
static int reads_a_second(const struct topdown_reads *t)
{
	int nr = t->session->readings.nr_topdown_groups;

	if (!t->session->opts.read_topdown)
		return nr > 0;
	return nr > 1 ? 2 * nr : nr;
}

/*
 * The time between reads is a second on average, divided by reads_a_second(), and no time occurs
 * twice. With equal times, the errors for a workload that repeats every second would be rounded in
 * one direction each time, and add up.
 */
static uint64_t topdown_due_ns(const struct topdown_reads *t, uint64_t deadline_ns)
{
	uint64_t after_ns = SHORTEST_NS + t->nr * GOLDEN_NS % SPREAD_NS;
	int reads = reads_a_second(t);

	if (!reads || deadline_ns <= t->read_ns + LONG_NS / reads)
		return UINT64_MAX;
	return t->read_ns + after_ns / reads;
}

static uint64_t topdown_before_sleep(void *self, uint64_t now_ns, uint64_t deadline_ns)
{
	struct topdown_reads *t = self;
	const struct readings *rs = &t->session->readings;
	struct starvation *starvation = t->session->attached[STARVATION];
	const struct reading *r;
	ssize_t n;

	if (!t->session->clock.counting)
		return UINT64_MAX;
	if (now_ns < topdown_due_ns(t, deadline_ns))
		return topdown_due_ns(t, deadline_ns);
	/* The read of the next row reports failures. */
	vec__for_each(r, rs) {
		if (!r->topdown)
			continue;
		n = rs->counters->kernel->read(r->fd, rs->buf, rs->buf_size);
		if (starvation)
			starvation__take(starvation, r, n);
	}
	t->read_ns = now_ns;
	t->nr++;
	return topdown_due_ns(t, deadline_ns);
}

void topdown_reads__was_read(void *self, struct counts *total)
{
	struct topdown_reads *t = self;

	t->read_ns = total->time_ns;
}

const struct attachment topdown_reads__attachment = {
	.size = sizeof(struct topdown_reads),
	.before_sleep = topdown_before_sleep,
};

/* --- Slices ---------------------------------------------------------------------------------- */

/**
 * struct slicer - reads of everything, to make slices of rows (attached if slices are wanted)
 * @counts: counts of the latest of these reads
 * @interval: slices of the current row; rows after some row do not have any
 *           (slice_options.last_step_ns)
 * @run: slices of the whole run, if they are wanted
 * @rotation_ns: rotation times for both kinds of slices
 */
struct slicer {
	struct session *session;
	struct counts counts;
	struct slices interval, run;
	uint64_t *rotation_ns;
};

/* Rotations change when groups are split. Neighbouring events mostly have the same rotation. */
static void find_rotations(void *self)
{
	struct slicer *b = self;
	const struct counter_list *cs = &b->session->counters;
	const struct event *last = NULL;

	for (int i = 0; i < cs->nr; i++) {
		const struct event *e = cs->at[i].event;

		b->rotation_ns[i] = last && last->pmu == e->pmu && last->cgroup == e->cgroup
					    ? b->rotation_ns[i - 1]
					    : counters__rotation_ns(cs, e);
		last = e;
	}
}

static int open_slicer(void *self, struct err *err)
{
	struct slicer *b = self;
	const struct session *s = b->session;
	const struct counter_list *cs = &s->counters;

	(void)err;
	b->rotation_ns = xcalloc(cs->nr, sizeof(*b->rotation_ns));
	counts__init(&b->counts, s);
	slices__init(&b->interval, cs->nr, cs->units.nr, &s->opts.slices);
	if (s->opts.slices.of_run)
		slices__init(&b->run, cs->nr, cs->units.nr, &s->opts.slices);
	find_rotations(b);
	b->interval.rotation_ns = b->run.rotation_ns = b->rotation_ns;
	return 0;
}

static void free_slicer(void *self)
{
	struct slicer *b = self;

	slices__free(&b->interval);
	slices__free(&b->run);
	counts__free(&b->counts);
	free(b->rotation_ns);
}

static uint64_t slicer_before_sleep(void *self, uint64_t now_ns, uint64_t deadline_ns)
{
	struct slicer *b = self;
	uint64_t due_ns = b->interval.nr ? slices__due_ns(&b->interval) : UINT64_MAX;

	if (!b->session->clock.counting || due_ns >= deadline_ns)
		return UINT64_MAX;
	if (now_ns >= due_ns)
		session__read(b->session, &b->counts);
	return slices__due_ns(&b->interval);
}

void slicer__was_read(void *self, struct counts *total)
{
	struct slicer *b = self;

	if (!b->session->clock.counting)
		return;
	if (b->interval.nr)
		slices__add(&b->interval, total);
	if (b->run.nr)
		slices__add(&b->run, total);
}

const struct attachment slicer__attachment = {
	.size = sizeof(struct slicer),
	.open = open_slicer,
	.regroup = find_rotations,
	.before_sleep = slicer_before_sleep,
	.free = free_slicer,
};

const struct slices *session__slices(const struct session *s, bool of_run)
{
	const struct slicer *b = s->attached[SLICER];
	const struct slices *slices = !b ? NULL : of_run ? &b->run : &b->interval;

	return slices && slices->nr ? slices : NULL;
}

void session__end_row(struct session *s)
{
	struct slicer *b = s->attached[SLICER];

	if (b && b->interval.nr)
		slices__restart(&b->interval);
}
