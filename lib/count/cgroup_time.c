// SPDX-License-Identifier: GPL-2.0-only
/*
 * The time of a cgroup's counters follows a clock that the kernel keeps for each cgroup on each
 * CPU. The clock should run while a task of the cgroup has the CPU. It has two errors, which last
 * until a task of the cgroup gets the CPU the next time.
 *
 * First, since Linux 6.12, enabling the first event of any cgroup on a CPU does not set the clock
 * of the cgroup that is on the CPU. At the clock's next use, it jumps by all the time since a
 * cgroup was last counted. For this reason, an event that counts nothing is enabled first on every
 * CPU, and kept open: the jump is over before other events are enabled.
 *
 * Second, the clock does not stop if the last event of a cgroup is closed while the cgroup is on
 * the CPU. Later, each read of a counter of the idle cgroup makes the clock jump. For this reason,
 * the cgroup's time on a CPU counts as 0 as long as no counter of the cgroup has run there.
 *
 * Any other jump is cut to the time that passed.
 */
#include "count/cgroup_time.h"

#include <stdlib.h>

#include "base/xalloc.h"
#include "count/session.h"
#include "machine/cgroup.h"

#define JITTER_NS 1000000ULL /* the kernel's clock may differ from the clock of rows by this */
#define JITTER_SHARE 64	     /* the kernel's clock may be faster than the clock of rows by 1 part in
			      * this many */

/**
 * struct cgroup_time - the times of an event on a unit
 * @enabled, @running: times as last read, in ns
 * @enabled_over, @running_over: impossible part of @enabled and of @running, in ns
 * @read_ns: when the last read began, since the start of the run
 */
struct cgroup_time {
	uint64_t enabled, running, enabled_over, running_over, read_ns;
};

/**
 * struct cgroup_times - what a run keeps for its cgroups' times
 * @fds: for each unit, the event that is enabled before all others; -1 for none
 * @at:  times of each (event, unit), at the indexes of struct counts
 * @cgroups: for each event, the number of its cgroup
 * @ran: for each (cgroup, unit), whether any counter of the cgroup has run on the unit
 */
struct cgroup_times {
	struct session *session;
	int *fds;
	struct cgroup_time *at;
	int *cgroups;
	bool *ran;
};

/* Number the cgroups in the order of the events that count them. Return: number of cgroups. */
static int number_cgroups(struct cgroup_times *t)
{
	const struct counter_list *cs = &t->session->counters;
	int nr = 0;

	t->cgroups = xcalloc(cs->nr, sizeof(*t->cgroups));
	for (int i = 0; i < cs->nr; i++) {
		int same;

		/* The events of a cgroup usually follow one another. */
		for (same = i - 1; same >= 0; same--)
			if (cs->at[same].event->cgroup == cs->at[i].event->cgroup)
				break;
		t->cgroups[i] = same >= 0 ? t->cgroups[same] : nr++;
	}
	return nr;
}

static void cgroup_time__init(void *self)
{
	struct cgroup_times *t = self;
	struct counter_list *cs = &t->session->counters;

	t->fds = xmalloc(cs->units.nr * sizeof(*t->fds));
	for (int unit = 0; unit < cs->units.nr; unit++)
		t->fds[unit] = -1;
	t->at = xcalloc(cs->nr * cs->units.nr, sizeof(*t->at));
	t->ran = xcalloc(number_cgroups(t) * cs->units.nr, sizeof(*t->ran));
	cs->nr_more_fds += cs->units.nr;
}

/*
 * Open the event that is enabled before all others. A failure does not matter: times are limited in
 * any case.
 */
static void start_clock(struct cgroup_times *t, int unit)
{
	struct counter_list *cs = &t->session->counters;
	struct perf_event_attr attr = {
		.type = PERF_TYPE_SOFTWARE, .config = PERF_COUNT_SW_DUMMY, .size = sizeof(attr)};
	const struct counter *c;

	counters__for_each(c, cs)
		if (c->event->cgroup && t->fds[unit] < 0 && counter__open_fd(cs, c, unit) >= 0)
			t->fds[unit] =
				cs->kernel->open(&attr, c->event->cgroup->fd, cs->units.at[unit].id,
						 -1, PERF_FLAG_PID_CGROUP | PERF_FLAG_FD_CLOEXEC);
}

static int open_clocks(void *self, struct err *err)
{
	struct cgroup_times *t = self;

	(void)err;
	for (int unit = 0; unit < t->session->counters.units.nr; unit++)
		start_clock(t, unit);
	return 0;
}

static int cgroup_time__come_back(void *self, int unit, struct err *err)
{
	(void)err;
	start_clock(self, unit);
	return 0;
}

static void cgroup_time__leave(void *self, int unit)
{
	struct cgroup_times *t = self;

	if (t->fds[unit] >= 0)
		t->session->counters.kernel->close(t->fds[unit]);
	t->fds[unit] = -1;
}

/*
 * Remove impossible times. A counter that ran all the time it was enabled (@whole) was enabled for
 * at most the time of the row. For other counters, this time is the only known limit. A counter was
 * not enabled if no counter of its cgroup has run (@ran).
 */
static void bound(struct cgroup_time *time, struct sample *sample, bool ran, bool whole,
		  uint64_t stamp_ns, uint64_t now_ns)
{
	uint64_t longest = now_ns - time->read_ns, row = stamp_ns - time->read_ns;
	uint64_t enabled, running;

	/* The counter was restarted. */
	if (sample->enabled < time->enabled || sample->running < time->running)
		*time = (struct cgroup_time){.read_ns = time->read_ns};
	enabled = sample->enabled - time->enabled;
	running = sample->running - time->running;
	time->enabled = sample->enabled;
	time->running = sample->running;
	time->read_ns = stamp_ns;
	if (!ran) {
		time->enabled_over += enabled;
	} else if (enabled > longest + longest / JITTER_SHARE + JITTER_NS) {
		uint64_t real = running < row ? running : row;

		time->running_over += running - real;
		time->enabled_over += enabled - (whole || running >= enabled ? real : row);
	}
	sample->enabled -= time->enabled_over;
	sample->running -= time->running_over;
}

static void look_at_sample(struct cgroup_times *t, const struct counter *c, int unit,
			   uint64_t now_ns, struct counts *total)
{
	int e = c - t->session->counters.at, i = e * total->nr_units + unit;
	bool ran = t->ran[t->cgroups[e] * total->nr_units + unit];
	struct sample *sample = &total->at[i];

	if (!sample__has_numbers(sample))
		return;
	bound(&t->at[i], sample, ran, event__is_software(c->event), total->time_ns, now_ns);
	if (t->at[i].enabled_over)
		sample__finish(sample, false, total->scale);
}

void cgroup_times__limit(void *self, struct counts *total)
{
	struct cgroup_times *t = self;
	uint64_t now_ns = session__elapsed_ns(t->session);
	const struct counter *c;

	for (int i = 0; i < total->nr_events * total->nr_units; i++) {
		int e = i / total->nr_units, unit = i % total->nr_units;

		if (sample__has_numbers(&total->at[i]) && total->at[i].running)
			t->ran[t->cgroups[e] * total->nr_units + unit] = true;
	}
	counters__for_each(c, &t->session->counters)
		for (int unit = 0; c->event->cgroup && unit < total->nr_units; unit++)
			look_at_sample(t, c, unit, now_ns, total);
}

static void cgroup_time__free_all(void *self)
{
	struct cgroup_times *t = self;

	for (int unit = 0; t->fds && unit < t->session->counters.units.nr; unit++)
		cgroup_time__leave(t, unit);
	free(t->fds);
	free(t->at);
	free(t->cgroups);
	free(t->ran);
}

const struct attachment cgroup_times__attachment = {
	.size = sizeof(struct cgroup_times),
	.init = cgroup_time__init,
	.open = open_clocks,
	.leave = cgroup_time__leave,
	.come_back = cgroup_time__come_back,
	.before_sleep = cgroup_times__before_sleep,
	.free = cgroup_time__free_all,
};
