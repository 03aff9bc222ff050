// SPDX-License-Identifier: GPL-2.0-only
/*
 * Reading: one read(2) returns the values of a group on a unit; ids from the kernel tell the values
 * apart. The end of the file lists all steps of a session's read.
 */
#include "count/read.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "count/between.h"
#include "count/bpf_programs.h"
#include "count/bpf_shared.h"
#include "count/cgroup_time.h"
#include "count/cpu_time.h"
#include "count/gauges.h"
#include "count/hotplug.h"
#include "count/locate.h"
#include "count/rotate.h"
#include "count/sampler.h"
#include "count/session.h"
#include "count/starvation.h"

#define MAX_TRANSIENT 100 /* EINTR and EAGAIN may come this often in a row before the read counts as
			   * failed */

/*
 * After these words, a read returns the number of lost samples; or for a group, the value and id of
 * each member.
 */
#define SAMPLED_LOST READ_WORDS
#define GROUP_MEMBER_WORDS 2

static void add_member(struct readings *rs, struct reading *r, const struct counter *c)
{
	const struct counter_list *cs = rs->counters;
	struct member member = { .event = c - cs->at };
	int fd = counter__open_fd(cs, c, r->unit);

	if (fd < 0)
		return;
	/*
	 * Members with id 0 are found by their order. The kernel may not have the request for ids,
	 * and a counter with several places has several ids.
	 */
	if (r->group &&
	    (counter__nr_places(c) > 1 || cs->kernel->ioctl(fd, PERF_EVENT_IOC_ID, &member.id)))
		member.id = 0;
	member.at = member.event * cs->units.nr + r->unit;
	r->nr++;
	vec__push(&rs->members, member);
}

static void add_reading(struct readings *rs, const struct counter *leader, int unit)
{
	const struct counter *c;
	struct reading r = {
		.fd = counter__open_fd(rs->counters, leader, unit),
		.unit = unit,
		.first = rs->members.nr,
		.group = leader->nr_members > 1 || leader->apart,
		.pinned = leader->event->attr.pinned,
		.sampled = leader->event->sampled,
	};

	if (r.fd < 0)
		return;
	r.topdown = r.group && counters__has_topdown(rs->counters, leader);
	add_member(rs, &r, leader);
	if (r.group)
		counters__for_each_member(c, rs->counters, leader)
			if (c != leader)
				add_member(rs, &r, c);
	vec__push(rs, r);
}

static enum sample_status unread_status(const struct unit_list *units, const struct counter *c,
					int index)
{
	const struct unit *unit = &units->at[index];

	if (units->per_cpu &&
	    (!cpulist__has(&c->cpus, unit->id) || unit->unseen || !counter__is_for(c, unit)))
		return SAMPLE_ABSENT;
	if (c->event->tool)
		return !event__is_of_tasks(c->event) && index && !units->per_cpu
			       ? SAMPLE_ABSENT
			       : SAMPLE_NOT_COUNTED;
	if (c->refused == ECANCELED || c->turn == TURN_NEVER ||
	    (c->turn != TURN_NOW && c->opened))
		return SAMPLE_NOT_COUNTED;
	if (!c->opened)
		return SAMPLE_NOT_SUPPORTED;
	/*
	 * The counter was closed when its group was split, and the task had ended: its counts are
	 * kept.
	 */
	if (!units->per_cpu && c->apart)
		return SAMPLE_NOT_COUNTED;
	/* A thread that ended before had no counts to lose; a CPU that went offline had some. */
	return unit->gone && !units->per_cpu ? SAMPLE_ABSENT : SAMPLE_LOST;
}

/*
 * A sampled event is in rs->others, too, as its sample must be reset before several reads add to
 * it.
 */
static void find_others(struct readings *rs)
{
	const struct unit_list *units = &rs->counters->units;
	bool *is_read = xcalloc(rs->counters->nr * units->nr + 1, sizeof(*is_read));
	const struct reading *r;
	const struct counter *c;

	vec__for_each(r, rs)
		for (int i = 0; i < r->nr && !r->sampled; i++)
			is_read[rs->members.at[r->first + i].at] = true;
	counters__for_each(c, rs->counters)
		for (int unit = 0; unit < units->nr; unit++) {
			int at = (c - rs->counters->at) * units->nr + unit;

			if (is_read[at])
				continue;
			vec__push(&rs->others,
				  ((struct unread_sample){ at, unread_status(units, c, unit) }));
		}
	free(is_read);
}

void readings__new(struct readings *rs)
{
	const struct counter_list *cs = rs->counters;
	const struct counter *c;
	int largest = 1;

	readings__free(rs);
	for (int unit = 0; unit < cs->units.nr; unit++)
		counters__for_each(c, cs)
			if (c->leader == c)
				add_reading(rs, c, unit);
	rs->nr_topdown_groups = 0;
	counters__for_each(c, cs) {
		int nr = counters__has_topdown(cs, c) ? counters__nr_alike(cs, c->event, true) : 0;

		if (nr > rs->nr_topdown_groups)
			rs->nr_topdown_groups = nr;
		if (c->nr_members > largest)
			largest = c->nr_members;
	}
	/* This size is enough for a sampled counter, too. */
	rs->buf_size = (READ_WORDS + GROUP_MEMBER_WORDS * largest) * sizeof(*rs->buf);
	rs->buf = xmalloc(rs->buf_size);
	find_others(rs);
}

void readings__free(struct readings *rs)
{
	vec__free(rs);
	vec__free(&rs->members);
	free(rs->buf);
	vec__free(&rs->others);
}

static void set_sample(struct sample *sample, uint64_t value, uint64_t enabled, uint64_t running,
		       bool scale)
{
	*sample = (struct sample){ .value = value, .enabled = enabled, .running = running };
	sample__finish(sample, false, scale);
}

static void set_all(const struct readings *rs, struct counts *total, const struct reading *r,
		    enum sample_status status)
{
	for (int i = 0; i < r->nr; i++)
		*reading__sample(rs, total, r, i) = (struct sample){ .status = status };
}

static ssize_t read_counter(const struct readings *rs, int fd, size_t size)
{
	ssize_t n;
	int tries = 0;

	do
		n = rs->counters->kernel->read(fd, rs->buf, size);
	while (n < 0 && (errno == EINTR || errno == EAGAIN) && ++tries < MAX_TRANSIENT);
	return n;
}

static int find_member(const struct readings *rs, const struct reading *r, uint64_t id, int hint)
{
	const struct member *m = rs->members.at + r->first;

	if (hint < r->nr && (m[hint].id == id || !m[hint].id))
		return hint;
	for (int i = 0; i < r->nr; i++)
		if (m[i].id == id)
			return i;
	return -1;
}

int readings__read_one(const struct readings *rs, const struct counter *c, int unit,
		       struct sample *sample)
{
	int fd = counter__open_fd(rs->counters, c, unit);
	const uint64_t *buf = rs->buf;
	ssize_t words = read_counter(rs, fd, rs->buf_size) / (ssize_t)sizeof(*buf);
	bool group = counter__attr(c)->read_format & PERF_FORMAT_GROUP;
	ssize_t at = group ? READ_WORDS : READ_FIRST;
	uint64_t id = 0;

	if (words < READ_WORDS)
		return -1;
	if (group && rs->counters->kernel->ioctl(fd, PERF_EVENT_IOC_ID, &id))
		return -1;
	while (group && at + GROUP_MEMBER_WORDS <= words && buf[at + 1] != id)
		at += GROUP_MEMBER_WORDS;
	if (group && at + GROUP_MEMBER_WORDS > words)
		return -1;
	*sample = (struct sample){ .value = buf[at],
				   .enabled = buf[READ_ENABLED],
				   .running = buf[READ_RUNNING] };
	return 0;
}

/*
 * Report a failed read, but only once. It is not a failure if the CPU has just gone offline.
 * Return: 1.
 */
static int unread(struct readings *rs, const struct reading *r, ssize_t n)
{
	const struct unit_list *units = &rs->counters->units;
	const char *why = n < 0 ? strerror(errno) : "the kernel returned too few bytes";
	int id = units->at[r->unit].id;

	if ((!n && r->pinned) || (units->per_cpu && cpu__is_offline(rs->session->machine, id)))
		return 1;
	rs->unread++;
	if (!rs->warned_unread)
		sb__printf(&rs->session->warnings, "%s could not be read on %s %d: %s\n",
			   reading__counter(rs, r)->event->name, unit_list__kind(units), id, why);
	rs->warned_unread = true;
	return 1;
}

/*
 * A pinned event without a counter reads as nothing, and as zeros once its task has ended. A task
 * that ended did run. So if an event was enabled from the start but was never enabled while the
 * task ran, it had no counter.
 */
static bool was_busy(const struct readings *rs, const struct reading *r, uint64_t enabled)
{
	const struct session *s = rs->session;

	return r->pinned && !enabled && !s->counters.units.per_cpu && !session__is_late(s) &&
	       task_stat__has_ended(s->machine->procfs, s->counters.units.at[r->unit].id);
}

/* Take the members of a group, if the kernel returned all of them in tma's order. */
static bool take_in_order(const struct readings *rs, struct counts *total, const struct reading *r,
			  ssize_t n)
{
	const uint64_t *buf = rs->buf, *pair = buf + READ_WORDS;
	const struct member *m = rs->members.at + r->first, *end = m + r->nr;

	if (n < (ssize_t)((READ_WORDS + GROUP_MEMBER_WORDS * r->nr) * sizeof(*buf)) ||
	    buf[READ_FIRST] < (uint64_t)r->nr)
		return false;
	for (; m < end; m++, pair += GROUP_MEMBER_WORDS) {
		if (m->id && m->id != pair[1])
			return false;
		set_sample(&total->at[m->at], pair[0], buf[READ_ENABLED], buf[READ_RUNNING],
			   total->scale);
	}
	return true;
}

/*
 * Take the available values of a group of which @n bytes were read. Return: 1 for a failure, or 0.
 */
static int take_members(struct readings *rs, struct counts *total, const struct reading *r,
			ssize_t n)
{
	const uint64_t *buf = rs->buf, *pair = buf + READ_WORDS;
	uint64_t got = (n / sizeof(*buf) - READ_WORDS) / GROUP_MEMBER_WORDS;
	struct hotplug *hotplug = rs->session->attached[HOTPLUG];

	/* Members that are missing in the result stay lost. */
	set_all(rs, total, r, SAMPLE_LOST);
	if (got > buf[READ_FIRST])
		got = buf[READ_FIRST];
	for (uint64_t i = 0; i < got; i++, pair += GROUP_MEMBER_WORDS) {
		int member = find_member(rs, r, pair[1], i);

		if (member >= 0)
			set_sample(reading__sample(rs, total, r, member), pair[0],
				   buf[READ_ENABLED], buf[READ_RUNNING], total->scale);
	}
	if (got >= (uint64_t)r->nr)
		return 0;
	if (buf[READ_FIRST] < (uint64_t)r->nr && hotplug && hotplug__fell_apart(hotplug, r->unit))
		return 1;
	return unread(rs, r, n);
}

/* Read a counter, or the group that it leads, in one place. */
static int read_in_place(struct readings *rs, struct counts *total, const struct reading *r, int fd)
{
	size_t words = READ_WORDS + (r->group ? GROUP_MEMBER_WORDS * r->nr : 0);
	const uint64_t *buf = rs->buf;
	ssize_t n = read_counter(rs, fd, words * sizeof(*buf));

	if (n < (ssize_t)(READ_WORDS * sizeof(*buf))) {
		set_all(rs, total, r, n || !r->pinned ? SAMPLE_LOST : SAMPLE_BUSY);
		return unread(rs, r, n);
	}
	if (was_busy(rs, r, buf[READ_ENABLED])) {
		set_all(rs, total, r, SAMPLE_BUSY);
		return 1;
	}
	if (r->group)
		return take_in_order(rs, total, r, n) ? 0 : take_members(rs, total, r, n);
	set_sample(reading__sample(rs, total, r, 0), buf[READ_FIRST], buf[READ_ENABLED],
		   buf[READ_RUNNING], total->scale);
	return 0;
}

/* Add the sample of one place. The task was in only one place at any time, and enabled in all. */
static void read__add_place(struct sample *sum, const struct sample *more)
{
	sum->value += more->value;
	sum->running += more->running;
	if (more->enabled > sum->enabled)
		sum->enabled = more->enabled;
}

/* Read a counter that is open in several places, and add up the values. */
static int read_in_places(struct readings *rs, struct counts *total, const struct reading *r)
{
	const struct counter *c = reading__counter(rs, r);
	struct sample sums[r->nr];
	int place, failed = 0, *fd;

	memset(sums, 0, sizeof(sums));
	counter__for_each_fd(fd, place, rs->counters, c, r->unit) {
		failed = read_in_place(rs, total, r, *fd);
		if (failed)
			return failed;
		for (int i = 0; i < r->nr; i++)
			read__add_place(&sums[i], reading__sample(rs, total, r, i));
	}
	for (int i = 0; i < r->nr; i++)
		set_sample(reading__sample(rs, total, r, i), sums[i].value, sums[i].enabled,
			   sums[i].running, total->scale);
	return 0;
}

static int read_counted(struct readings *rs, struct counts *total, const struct reading *r)
{
	if (counter__nr_places(reading__counter(rs, r)) > 1)
		return read_in_places(rs, total, r);
	return read_in_place(rs, total, r, r->fd);
}

/*
 * Read a sampled latency in each of its places. The task was in only one place at any time, and
 * enabled in all.
 */
static int read_sampled(struct readings *rs, struct counts *total, const struct reading *r)
{
	const struct counter *c = reading__counter(rs, r);
	struct sample *out = reading__sample(rs, total, r, 0);
	uint64_t enabled = 0, running = 0;
	int place, *fd;

	/* If the thread ended while its places were opened, some are not open. */
	counter__for_each_fd(fd, place, rs->counters, c, r->unit) {
		ssize_t n = read_counter(rs, *fd, rs->buf_size);

		if (n < (ssize_t)(READ_WORDS * sizeof(*rs->buf))) {
			out->status = n || !r->pinned ? SAMPLE_LOST : SAMPLE_BUSY;
			return unread(rs, r, n);
		}
		if (rs->buf[READ_ENABLED] > enabled)
			enabled = rs->buf[READ_ENABLED];
		running += rs->buf[READ_RUNNING];
		if (n > (ssize_t)(SAMPLED_LOST * sizeof(*rs->buf)))
			rs->lost += rs->buf[SAMPLED_LOST];
	}
	set_sample(out, 0, enabled, running, total->scale);
	return 0;
}

void readings__read(struct readings *rs, struct counts *total)
{
	const struct unread_sample *other;
	const struct reading *r;

	rs->failed = 0;
	rs->lost = 0;
	vec__for_each(other, &rs->others)
		total->at[other->at] = (struct sample){ .status = other->status };
	vec__for_each(r, rs)
		rs->failed += r->sampled ? read_sampled(rs, total, r) : read_counted(rs, total, r);
}

/* --- The steps of a read --------------------------------------------------------------------- */

static void stamp(void *self, struct counts *total)
{
	const struct session *s = self;

	total->time_ns = run_clock__elapsed_ns(&s->clock);
	total->off_ns = off_time__until(&s->off, s->clock.start_ns + total->time_ns);
}

/* Counts from before the command started its program are not wanted. */
static void leave_out_taken(struct session *s, struct counts *total)
{
	const struct reading *r;

	s->readings.unread++;
	vec__for_each (r, &s->readings)
		set_all(&s->readings, total, r, SAMPLE_NOT_COUNTED);
}

static void read_counters(void *self, struct counts *total)
{
	struct session *s = self;

	s->readings.unread = 0;
	readings__read(&s->readings, total);
	if (taken__is(s, total))
		leave_out_taken(s, total);
}

static void add_kept(void *self, struct counts *total)
{
	const struct session *s = self;

	counters__add_kept(&s->counters, total);
}

/* A fact that the computer does not provide is not counted. */
static struct sample sample_of_fact(struct session *s, enum event_tool tool)
{
	double value = s->opts.facts ? literals__fact(&s->facts, s->opts.facts, tool) : NAN;
	uint64_t fact = value;

	if (isnan(value))
		return (struct sample){ .status = SAMPLE_NOT_COUNTED };
	return (struct sample){ fact, fact, 1, 1, SAMPLE_COUNTED };
}

uint64_t session__on_ns(const struct session *s, const struct counter *c,
			const struct counts *total)
{
	uint64_t off_ns = off_time__until(&c->off, s->clock.start_ns + total->time_ns);

	return total->time_ns > off_ns ? total->time_ns - off_ns : 0;
}

/*
 * Fill in values that belong to the whole run and not to a CPU or thread: the time, facts and
 * gauges.
 */
static void fill_once(void *self, struct counts *total)
{
	struct session *s = self;
	const struct counter *c;

	counters__for_each(c, &s->counters) {
		uint64_t ns = session__on_ns(s, c, total);
		struct sample sample = { ns, ns, ns, ns, SAMPLE_COUNTED }, *first;

		if (!event_tool__is_once(c->event->tool))
			continue;
		first = &total->at[(c - s->counters.at) * total->nr_units];
		if (c->event->tool == EVENT_GAUGE) {
			gauges__read(s, c, first);
			continue;
		}
		if (event_tool__is_fact(c->event->tool))
			sample = sample_of_fact(s, c->event->tool);
		for (int unit = 0; unit < total->nr_units; unit++)
			if (first[unit].status != SAMPLE_ABSENT)
				first[unit] = sample;
	}
}

static void tell_workload(void *self, struct counts *total)
{
	const struct session *s = self;

	workload__tell(&s->workload, total);
}

/* Each step uses the results of earlier steps. */
const struct read_step read_steps[] = {
	/*
	 * This step comes first, so that the time between two reads is the time between reads of
	 * the counters.
	 */
	{"the time", EVERY_RUN, stamp},
	/* CPUs that came online are opened for this read; CPUs that went offline are not read. */
	{"which CPUs are online", HOTPLUG, hotplug__check_cpus},
	/* The counts so far of a cgroup that was made again are kept. */
	{"cgroups that were made again", CGROUP_TIMES, cgroup_times__follow},
	{"counters", EVERY_RUN, read_counters},
	/* Reads fail if a CPU has gone offline since the check. */
	{"counters again, where a CPU left", HOTPLUG, hotplug__read_again},
	/* Up to here, times cover only the open counters since they were opened. */
	{"groups whose turn never came", STARVATION, starvation__find},
	/* Shared counters are not in a group, and are never closed during the run. */
	{"sums of shared counters", BPF_SHARED, bpf_shared__read},
	{"sums of BPF programs' runs", BPF_PROGRAMS, bpf_programs__read},
	/* With a fixed period, the CPU keeps samples back until the counters are read. */
	{"buffers of samples", SAMPLER, sampler__read},
	{"samples of code", LOCATOR, locator__read},
	{"what closed counters had", EVERY_RUN, add_kept},
	/* The turns of sets use the times of cgroups. */
	{"times of cgroups, which may jump", CGROUP_TIMES, cgroup_times__limit},
	/*
	 * All counts of turns are scaled to the whole time, even those from before a CPU went
	 * offline.
	 */
	{"the time of all turns", ROTATION, rotation__finish},
	/* Presence is found from the complete times. */
	{"which CPUs were there", HOTPLUG, hotplug__judge},
	/* The statuses of samples are known by now. Without samples there is no latency. */
	{"latencies", SAMPLER, sampler__fill},
	{"duration_time, facts and gauges", EVERY_RUN, fill_once},
	{"user_time and system_time", CPU_TIMES, cpu_times__read},
	/*
	 * Once the command has ended, wait4() has reported its CPU time more exactly than procfs.
	 */
	{"CPU time of the command", EVERY_RUN, tell_workload},
	/* The next reads within rows are timed from this read, and a slice contains all counts. */
	{"TopDown reads", TOPDOWN_READS, topdown_reads__was_read},
	{"slices", SLICER, slicer__was_read},
	{NULL},
};

int session__read(struct session *s, struct counts *total)
{
	for (const struct read_step *step = read_steps; step->name; step++)
		if (s->attached[step->of])
			step->run(s->attached[step->of], total);
	return s->readings.failed;
}
