// SPDX-License-Identifier: GPL-2.0-only
/* Reading: one read(2) per group and unit, its values sorted out by the ids the kernel gave. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "count/sampler.h"
#include "count/session.h"

#define MAX_TRANSIENT 100 /* EINTR and EAGAIN in a row before the read counts as failed */

/* What follows: of one that is sampled, the samples lost; of a group, value and id of each. */
#define SAMPLED_LOST READ_WORDS
#define GROUP_MEMBER_WORDS 2

static void add_member(struct session *s, struct reading *r, int event, int fd)
{
	struct member member = { .event = event };

	/* A kernel without the call leaves id 0, and the order decides. */
	if (r->group && s->kernel->ioctl(fd, PERF_EVENT_IOC_ID, &member.id))
		member.id = 0;
	r->nr++;
	vec__push(&s->members, member);
}

static void add_reading(struct session *s, int leader, int unit)
{
	const struct counter *c = &s->counters[leader];
	struct reading r = {
		.fd = counter__open_fd(s, c, unit),
		.unit = unit,
		.first = s->members.nr,
		.group = c->nr_members > 1,
		.pinned = c->event->attr.pinned,
		.sampled = c->event->sampled,
	};

	if (r.fd < 0)
		return;
	for (int i = leader; i == leader || (r.group && i < s->nr_counters); i++) {
		int fd = counter__open_fd(s, &s->counters[i], unit);

		if (s->counters[i].leader == leader && fd >= 0)
			add_member(s, &r, i, fd);
	}
	vec__push(&s->readings, r);
}

static enum sample_status unread_status(const struct session *s, const struct counter *c, int unit)
{
	if (s->per_cpu &&
	    (!cpulist__has(&c->cpus, s->units.at[unit].id) || s->units.at[unit].unseen ||
	     !counter__is_for(s, c, unit)))
		return SAMPLE_ABSENT;
	if (c->event->tool)
		return c->event->tool == EVENT_DURATION_TIME && unit && !s->per_cpu ?
			       SAMPLE_ABSENT :
			       SAMPLE_NOT_COUNTED;
	if (c->refused == ECANCELED)
		return SAMPLE_NOT_COUNTED;
	if (!rotation__is_on(s, c - s->counters) && (c->opened || !rotation__is_used(s)))
		return SAMPLE_NOT_COUNTED;
	if (!c->opened)
		return SAMPLE_NOT_SUPPORTED;
	/* A thread that had ended before took nothing with it; a CPU did. */
	if (s->units.at[unit].gone)
		return s->per_cpu ? SAMPLE_LOST : SAMPLE_ABSENT;
	return SAMPLE_LOST;
}

void readings__new(struct session *s)
{
	int nr = s->nr_counters * s->units.nr, largest = 1;

	readings__free(s);
	for (int unit = 0; unit < s->units.nr; unit++)
		for (int i = 0; i < s->nr_counters; i++)
			if (s->counters[i].leader == i)
				add_reading(s, i, unit);
	for (int i = 0; i < s->nr_counters; i++)
		if (s->counters[i].nr_members > largest)
			largest = s->counters[i].nr_members;
	/* Enough for one that is sampled, too. */
	s->buf_size = (READ_WORDS + GROUP_MEMBER_WORDS * largest) * sizeof(*s->buf);
	s->buf = xmalloc(s->buf_size);
	s->status = xcalloc(nr, sizeof(*s->status));
	between__find_topdown(s);
	for (int i = 0; i < nr; i++)
		s->status[i] = unread_status(s, &s->counters[i / s->units.nr], i % s->units.nr);
}

void readings__free(struct session *s)
{
	vec__free(&s->readings);
	vec__free(&s->members);
	free(s->buf);
	free(s->status);
}

static struct sample *sample_at(const struct session *s, struct counts *total,
				const struct reading *r, int member)
{
	return &total->at[s->members.at[r->first + member].event * total->nr_units + r->unit];
}

static void set_sample(struct sample *sample, uint64_t value, uint64_t enabled, uint64_t running,
		       bool scale)
{
	*sample = (struct sample){ .value = value, .enabled = enabled, .running = running };
	sample__finish(sample, false, scale);
}

static void set_all(const struct session *s, struct counts *total, const struct reading *r,
		    enum sample_status status)
{
	for (int i = 0; i < r->nr; i++)
		*sample_at(s, total, r, i) = (struct sample){ .status = status };
}

static ssize_t read_counter(const struct session *s, int fd, size_t size)
{
	ssize_t n;
	int tries = 0;

	do
		n = s->kernel->read(fd, s->buf, size);
	while (n < 0 && (errno == EINTR || errno == EAGAIN) && ++tries < MAX_TRANSIENT);
	return n;
}

static int find_member(const struct session *s, const struct reading *r, uint64_t id, int hint)
{
	const struct member *m = s->members.at + r->first;

	if (hint < r->nr && (m[hint].id == id || !m[hint].id))
		return hint;
	for (int i = 0; i < r->nr; i++)
		if (m[i].id == id)
			return i;
	return -1;
}

int reading__member(struct session *s, int event, int unit, struct sample *sample)
{
	int fd = counter__open_fd(s, &s->counters[event], unit);
	const uint64_t *buf = s->buf;
	ssize_t words = read_counter(s, fd, s->buf_size) / (ssize_t)sizeof(*buf);
	bool group = counter__attr(&s->counters[event])->read_format & PERF_FORMAT_GROUP;
	ssize_t at = group ? READ_WORDS : READ_FIRST;
	uint64_t id = 0;

	if (words < READ_WORDS)
		return -1;
	if (group && s->kernel->ioctl(fd, PERF_EVENT_IOC_ID, &id))
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

/* Told once; a CPU that went offline just now is no failure. */
static int unread(struct session *s, const struct reading *r, ssize_t n)
{
	const struct event *e = s->counters[s->members.at[r->first].event].event;
	const char *why = n < 0 ? strerror(errno) : "the kernel gave less than it should";

	if ((!n && r->pinned) || unit__is_offline(s, r->unit))
		return 1;
	s->unread++;
	if (s->told_unread)
		return 1;
	s->told_unread = true;
	sb__printf(&s->warnings, "%s could not be read on %s %d: %s\n", e->name,
		   session__unit_kind(s), s->units.at[r->unit].id, why);
	return 1;
}

/*
 * A pinned event that got no counter reads as nothing, and as zeros once its task has ended: a task
 * that ended did run, so what was enabled from the start and never saw it was in error.
 */
static bool was_busy(const struct session *s, const struct reading *r, uint64_t enabled)
{
	if (!r->pinned || enabled || s->per_cpu || s->opts.delay_ns || s->opts.start_disabled)
		return false;
	return task_stat__has_ended(s->machine->procfs, s->units.at[r->unit].id);
}

/* The pairs of a group of which @n bytes were read. */
static int take_members(struct session *s, struct counts *total, const struct reading *r, ssize_t n)
{
	const uint64_t *buf = s->buf, *pair = buf + READ_WORDS;
	uint64_t got = (n / sizeof(*buf) - READ_WORDS) / GROUP_MEMBER_WORDS;

	if (got > buf[READ_FIRST])
		got = buf[READ_FIRST];
	for (uint64_t i = 0; i < got; i++, pair += GROUP_MEMBER_WORDS) {
		int member = find_member(s, r, pair[1], i);

		if (member >= 0)
			set_sample(sample_at(s, total, r, member), pair[0], buf[READ_ENABLED],
				   buf[READ_RUNNING], total->scale);
	}
	if (got >= (uint64_t)r->nr)
		return 0;
	if (buf[READ_FIRST] < (uint64_t)r->nr && hotplug__fell_apart(s, r->unit))
		return 1;
	return unread(s, r, n);
}

static int read_counted(struct session *s, struct counts *total, const struct reading *r)
{
	size_t words = READ_WORDS + (r->group ? GROUP_MEMBER_WORDS * r->nr : 0);
	const uint64_t *buf = s->buf;
	ssize_t n = read_counter(s, r->fd, words * sizeof(*buf));

	/* Members that the answer does not hold stay lost. */
	set_all(s, total, r, n || !r->pinned ? SAMPLE_LOST : SAMPLE_BUSY);
	if (n < (ssize_t)(READ_WORDS * sizeof(*buf)))
		return unread(s, r, n);
	if (was_busy(s, r, buf[READ_ENABLED])) {
		set_all(s, total, r, SAMPLE_BUSY);
		return 1;
	}
	if (r->group)
		return take_members(s, total, r, n);
	set_sample(sample_at(s, total, r, 0), buf[READ_FIRST], buf[READ_ENABLED],
		   buf[READ_RUNNING], total->scale);
	return 0;
}

/* In each of its places: the task was in one of them at a time, and enabled in all. */
static int read_sampled(struct session *s, struct counts *total, const struct reading *r)
{
	const struct counter *c = &s->counters[s->members.at[r->first].event];
	struct sample *out = sample_at(s, total, r, 0);
	uint64_t enabled = 0, running = 0;
	int place, *fd;

	/* Some may not be open: of a thread that ended while it was opened. */
	counter__for_each_fd(fd, place, s, c, r->unit) {
		ssize_t n = read_counter(s, *fd, s->buf_size);

		if (n < (ssize_t)(READ_WORDS * sizeof(*s->buf))) {
			out->status = n || !r->pinned ? SAMPLE_LOST : SAMPLE_BUSY;
			return unread(s, r, n);
		}
		if (s->buf[READ_ENABLED] > enabled)
			enabled = s->buf[READ_ENABLED];
		running += s->buf[READ_RUNNING];
		if (n > (ssize_t)(SAMPLED_LOST * sizeof(*s->buf)))
			s->sampler->lost_read += s->buf[SAMPLED_LOST];
	}
	set_sample(out, 0, enabled, running, total->scale);
	return 0;
}

static void read_duration(struct session *s, struct counts *total)
{
	for (int i = 0; i < s->nr_counters; i++) {
		struct sample *first = &total->at[i * total->nr_units];

		if (s->counters[i].event->tool != EVENT_DURATION_TIME)
			continue;
		for (int unit = 0; unit < total->nr_units; unit++)
			if (first[unit].status != SAMPLE_ABSENT)
				first[unit] = (struct sample){
					.value = total->time_ns,
					.scaled = total->time_ns,
					.enabled = total->time_ns,
					.running = total->time_ns,
				};
	}
}

int readings__read(struct session *s, struct counts *total)
{
	const struct reading *r;
	int failed = 0;

	for (int i = 0; i < total->nr_events * total->nr_units; i++)
		total->at[i] = (struct sample){ .status = s->status[i] };
	vec__for_each(r, &s->readings)
		failed += r->sampled ? read_sampled(s, total, r) : read_counted(s, total, r);
	return failed;
}

/* Return: how many reads failed. */
static int read_counters(struct session *s, struct counts *total)
{
	int failed;

	s->unread = 0;
	if (s->sampler)
		s->sampler->lost_read = 0;
	/* Before the counters are read: the time between two reads is then that of the counters. */
	total->time_ns = session__elapsed_ns(s);
	if (s->per_cpu)
		hotplug__look_again(s, total->time_ns);
	failed = readings__read(s, total);
	/* A CPU may have left since the last look. */
	if (failed && s->per_cpu && hotplug__look(s))
		failed = readings__read(s, total);
	return failed;
}

/* Each step takes what those before it made of the counts. */
int session__read(struct session *s, struct counts *total)
{
	int failed = read_counters(s, total);

	/* Now, as with a fixed period the CPU keeps samples back until its counters are read. */
	if (s->sampler)
		sampler__drain(s);
	hotplug__add_kept(s, total);
	/* Turns stand for all of the time, also for what was counted before CPUs went. */
	if (rotation__is_used(s))
		rotation__finish(s, total);
	if (s->per_cpu)
		hotplug__judge(s, total);
	if (s->sampler)
		sampler__fill(s, total);
	read_duration(s, total);
	cpu_time__read(s, total);
	between__was_read(s, total);
	return failed;
}
