// SPDX-License-Identifier: GPL-2.0-only
/* Reading: one read(2) per group and unit, its values sorted out by the ids the kernel gave. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "count/sampler.h"
#include "count/session.h"
#include "count/task_stat.h"

#define MAX_TRANSIENT 100 /* EINTR and EAGAIN in a row before the read counts as failed */

/* What read(2) gives for an event alone, and for a group. */
enum { ALONE_VALUE, ALONE_ENABLED, ALONE_RUNNING, ALONE_WORDS };
#define SAMPLED_LOST ALONE_WORDS /* and of one that is sampled: how many samples were lost */
enum { GROUP_NR, GROUP_ENABLED, GROUP_RUNNING, GROUP_WORDS };
#define GROUP_MEMBER_WORDS 2 /* the value and its id */

static int add_member(struct session *s, struct reading *r, int event, int fd)
{
	struct member member = { .event = event };

	/* A kernel without the call leaves id 0, and the order decides. */
	if (r->group && s->kernel->ioctl(fd, PERF_EVENT_IOC_ID, &member.id))
		member.id = 0;
	r->nr++;
	return vec__push(&s->members, member);
}

static int add_reading(struct session *s, int leader, int unit)
{
	const struct counter *c = &s->counters[leader];
	const int *fd = counter__fd(s, c, unit);
	struct reading r;
	int rc;

	if (!fd || *fd < 0)
		return 0;
	r = (struct reading){
		.fd = *fd,
		.unit = unit,
		.first = s->members.nr,
		.group = c->nr_members > 1,
		.pinned = c->event->attr.pinned,
		.sampled = c->event->sampled,
	};
	rc = add_member(s, &r, leader, *fd);
	for (int i = leader + 1; !rc && c->nr_members > 1 && i < s->nr_counters; i++) {
		if (s->counters[i].leader != leader)
			continue;
		fd = counter__fd(s, &s->counters[i], unit);
		if (fd && *fd >= 0)
			rc = add_member(s, &r, i, *fd);
	}
	return rc ? rc : vec__push(&s->readings, r);
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

int readings__new(struct session *s)
{
	int nr = s->nr_counters * s->units.nr, largest = 1, rc = 0;

	for (int unit = 0; !rc && unit < s->units.nr; unit++)
		for (int i = 0; !rc && i < s->nr_counters; i++)
			if (s->counters[i].leader == i)
				rc = add_reading(s, i, unit);
	for (int i = 0; i < s->nr_counters; i++)
		if (s->counters[i].nr_members > largest)
			largest = s->counters[i].nr_members;
	/* Enough for one that is sampled, too. */
	s->buf_size = (GROUP_WORDS + GROUP_MEMBER_WORDS * largest) * sizeof(*s->buf);
	s->buf = malloc(s->buf_size);
	s->status = calloc(nr ? nr : 1, sizeof(*s->status));
	if (rc || !s->buf || !s->status)
		return -ENOMEM;
	between__find_topdown(s);
	for (int i = 0; i < nr; i++)
		s->status[i] = unread_status(s, &s->counters[i / s->units.nr], i % s->units.nr);
	return 0;
}

void readings__free(struct session *s)
{
	vec__free(&s->readings);
	vec__free(&s->members);
	free(s->buf);
	free(s->status);
	s->buf = NULL;
	s->status = NULL;
}

void sample__finish(struct sample *sample, bool tool, bool scale)
{
	double estimate;

	sample->scaled = sample->value;
	if (tool) {
		/* Measured by us: a time of 0 ns is one. */
		sample->status = SAMPLE_COUNTED;
		return;
	}
	if (!sample->running) {
		sample->scaled = scale ? 0 : sample->value;
		sample->status = SAMPLE_NOT_COUNTED;
		return;
	}
	if (sample->running >= sample->enabled) {
		sample->status = SAMPLE_COUNTED;
		return;
	}
	sample->status = SAMPLE_SCALED;
	/* The same order of operations as libperf's perf_counts_values__scale(), to the last bit.
	 */
	if (!scale)
		return;
	estimate = (double)sample->value * sample->enabled / sample->running;
	/* No counter gets there; what a damaged file holds may. */
	sample->scaled = estimate < 0x1p64 ? (uint64_t)estimate : UINT64_MAX;
}

void sample__finish_samples(struct sample *sample)
{
	/* A sample stands for none that was not taken; and without one there is no latency. */
	sample->scaled = sample->value;
	if (!sample->value &&
	    (sample->status == SAMPLE_COUNTED || sample->status == SAMPLE_SCALED))
		sample->status = SAMPLE_NOT_COUNTED;
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
	const int *fd = counter__fd(s, &s->counters[event], unit);
	const uint64_t *buf = s->buf;
	ssize_t words = read_counter(s, *fd, s->buf_size) / (ssize_t)sizeof(*buf);
	uint64_t id = 0;

	if (words >= ALONE_WORDS &&
	    !(counter__attr(&s->counters[event])->read_format & PERF_FORMAT_GROUP)) {
		*sample = (struct sample){ .value = buf[ALONE_VALUE],
					   .enabled = buf[ALONE_ENABLED],
					   .running = buf[ALONE_RUNNING] };
		return 0;
	}
	if (s->kernel->ioctl(*fd, PERF_EVENT_IOC_ID, &id))
		return -1;
	for (ssize_t i = GROUP_WORDS; i + GROUP_MEMBER_WORDS <= words; i += GROUP_MEMBER_WORDS)
		if (buf[i + 1] == id) {
			*sample = (struct sample){ .value = buf[i],
						   .enabled = buf[GROUP_ENABLED],
						   .running = buf[GROUP_RUNNING] };
			return 0;
		}
	return -1;
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
		   s->per_cpu ? "CPU" : "thread", s->units.at[r->unit].id, why);
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

static int read_group(struct session *s, struct counts *total, const struct reading *r)
{
	size_t size = (GROUP_WORDS + GROUP_MEMBER_WORDS * (size_t)r->nr) * sizeof(*s->buf);
	const uint64_t *buf = s->buf, *pair = buf + GROUP_WORDS;
	ssize_t n = read_counter(s, r->fd, size);
	uint64_t got;

	/* Members that the answer does not hold stay lost. */
	set_all(s, total, r, n || !r->pinned ? SAMPLE_LOST : SAMPLE_BUSY);
	if (n < (ssize_t)(GROUP_WORDS * sizeof(*s->buf)))
		return unread(s, r, n);
	if (was_busy(s, r, buf[GROUP_ENABLED])) {
		set_all(s, total, r, SAMPLE_BUSY);
		return 1;
	}
	got = (n / sizeof(*s->buf) - GROUP_WORDS) / GROUP_MEMBER_WORDS;
	if (got > buf[GROUP_NR])
		got = buf[GROUP_NR];
	for (uint64_t i = 0; i < got; i++, pair += GROUP_MEMBER_WORDS) {
		int member = find_member(s, r, pair[1], i);

		if (member >= 0)
			set_sample(sample_at(s, total, r, member), pair[0], buf[GROUP_ENABLED],
				   buf[GROUP_RUNNING], total->scale);
	}
	if (got >= (uint64_t)r->nr)
		return 0;
	if (buf[GROUP_NR] < (uint64_t)r->nr && hotplug__fell_apart(s, r->unit))
		return 1;
	return unread(s, r, n);
}

static int read_alone(struct session *s, struct counts *total, const struct reading *r)
{
	const size_t size = ALONE_WORDS * sizeof(*s->buf);
	ssize_t n = read_counter(s, r->fd, size);

	if (n != (ssize_t)size) {
		set_all(s, total, r, n || !r->pinned ? SAMPLE_LOST : SAMPLE_BUSY);
		return unread(s, r, n);
	}
	if (was_busy(s, r, s->buf[ALONE_ENABLED])) {
		set_all(s, total, r, SAMPLE_BUSY);
		return 1;
	}
	set_sample(sample_at(s, total, r, 0), s->buf[ALONE_VALUE], s->buf[ALONE_ENABLED],
		   s->buf[ALONE_RUNNING], total->scale);
	return 0;
}

/* In each of its places: the task was in one of them at a time, and enabled in all. */
static int read_sampled(struct session *s, struct counts *total, const struct reading *r)
{
	const struct counter *c = &s->counters[s->members.at[r->first].event];
	struct sample *out = sample_at(s, total, r, 0);
	uint64_t enabled = 0, running = 0;

	for (int place = 0; place < counter__nr_places(c); place++) {
		const int *fd = counter__place(s, c, r->unit, place);
		ssize_t n;

		/* Of a thread that ended while it was opened. */
		if (*fd < 0)
			continue;
		n = read_counter(s, *fd, s->buf_size);
		if (n < (ssize_t)(ALONE_WORDS * sizeof(*s->buf))) {
			out->status = n || !r->pinned ? SAMPLE_LOST : SAMPLE_BUSY;
			return unread(s, r, n);
		}
		if (s->buf[ALONE_ENABLED] > enabled)
			enabled = s->buf[ALONE_ENABLED];
		running += s->buf[ALONE_RUNNING];
		if (n > (ssize_t)(SAMPLED_LOST * sizeof(*s->buf)))
			sampler__add_lost(s, s->buf[SAMPLED_LOST]);
	}
	set_sample(out, 0, enabled, running, total->scale);
	return 0;
}

static int read_one(struct session *s, struct counts *total, const struct reading *r)
{
	if (r->sampled)
		return read_sampled(s, total, r);
	return r->group ? read_group(s, total, r) : read_alone(s, total, r);
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
		total->at[i] = (struct sample){ .status = s->status ? s->status[i] : SAMPLE_LOST };
	vec__for_each(r, &s->readings)
		failed += read_one(s, total, r);
	return failed;
}

int session__read(struct session *s, struct counts *total)
{
	int failed;

	sampler__clear_lost(s);
	s->unread = 0;
	/* Before the counters are read: the time between two reads is then that of the counters. */
	total->time_ns = session__elapsed_ns(s);
	hotplug__look_again(s, total->time_ns);
	failed = readings__read(s, total);
	/* A CPU may have left since the last look. */
	if (failed && hotplug__look(s))
		failed = readings__read(s, total);
	/* Now, as with a fixed period the CPU keeps samples back until its counters are read. */
	sampler__drain(s);
	hotplug__add_kept(s, total);
	rotation__finish(s, total);
	hotplug__find_lost(s, total);
	hotplug__tell(s, total);
	hotplug__check(s, total);
	sampler__fill(s, total);
	read_duration(s, total);
	cpu_time__read(s, total);
	between__was_read(s, total);
	return failed;
}
