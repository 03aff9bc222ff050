// SPDX-License-Identifier: GPL-2.0-only
/*
 * CPUs which go offline while they are counted, and come back. The kernel takes their counters out
 * for good: they keep what they had, and a group falls apart. So what was counted is put aside, and
 * the counters are opened anew when the CPU is back.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/err.h"
#include "base/xalloc.h"
#include "count/sampler.h"
#include "count/session.h"
#include "machine/machine.h"

#define FROZEN_NS 1000000ULL /* counters which stood still for so long are out */
#define LOOK_NS 100000000ULL /* how often it is looked at most, when rows are short */
#define LOST_NS 20000000ULL  /* a counter enabled for so much less than others was out */
#define ONLINE_BYTES 4096    /* sysfs gives a page */

/* Uncore counters move to another CPU of their package by themselves. */
static bool stays_on_cpu(const struct counter *c)
{
	return c->opened && !c->event->requires_cpu;
}

void kept__new(struct session *s)
{
	if (!s->kept)
		s->kept = xcalloc(s->nr_counters * s->units.nr, sizeof(*s->kept));
}

/* What it counted up to here goes to what it had counted before it last came back. */
static void put_aside(struct session *s, int event, int unit)
{
	struct sample *kept = &s->kept[event * s->units.nr + unit], now;

	if (reading__member(s, event, unit, &now))
		kept->status = SAMPLE_LOST;
	else
		sample__add(kept, &now);
}

static void close_unit(struct session *s, int unit)
{
	if (s->sampler)
		sampler__unmap_unit(s, unit);
	if (rotation__is_used(s))
		rotation__leave(s, unit);
	/* Leaders last: without its leader, the other members of a group go on as if alone. */
	for (int i = s->nr_counters - 1; i >= 0; i--) {
		struct counter *c = &s->counters[i];
		int *fd = counter__fd(s, c, unit);

		if (!fd || *fd < 0 || !stays_on_cpu(c))
			continue;
		put_aside(s, i, unit);
		s->kernel->close(*fd);
		*fd = -1;
	}
}

static void enable_unit(struct session *s, int unit)
{
	for (int i = 0; i < s->nr_counters; i++) {
		const struct counter *c = &s->counters[i];

		if (c->on && stays_on_cpu(c) && rotation__is_on(s, i))
			counter__ioctl(s, c, unit, PERF_EVENT_IOC_ENABLE, NULL);
	}
}

static void leave(struct session *s, int unit)
{
	struct unit *u = &s->units.at[unit];

	u->away = true;
	u->moves++;
	close_unit(s, unit);
	sb__printf(&s->warnings, "CPU %d went offline: it is not counted while it is\n", u->id);
}

static void come_back(struct session *s, int unit)
{
	struct unit *u = &s->units.at[unit];
	struct err err = ERR_INIT;

	if (u->late)
		u->core = machine__core_pmu_on(s->machine, u->id);
	if (session__open_unit(s, unit, &err)) {
		close_unit(s, unit);
		sb__printf(&s->warnings, "CPU %d is back, and cannot be counted: %s\n", u->id,
			   err.msg);
		return;
	}
	u->away = false;
	u->moves++;
	u->enabled = 0;
	enable_unit(s, unit);
	if (rotation__is_used(s))
		rotation__come_back(s, unit);
	sb__printf(&s->warnings, "CPU %d %s counted from here on\n", u->id,
		   u->unseen ? "came online, and is" : "is back, and");
	u->unseen = false;
}

static void look_at_units(struct session *s, const struct cpulist *online)
{
	for (int unit = 0; unit < s->units.nr; unit++) {
		struct unit *u = &s->units.at[unit];
		bool here = cpulist__has(online, u->id);

		if (u->gone)
			continue;
		if (!u->away && (!here || u->frozen))
			leave(s, unit);
		if (u->away && here)
			come_back(s, unit);
		u->frozen = false;
	}
}

/* With -a they would be counted, had they been there from the start. */
static void look_for_new(struct session *s, const struct cpulist *online)
{
	const int *cpu;

	if (s->target->cpus.nr)
		return;
	cpulist__for_each(cpu, online) {
		if (cpulist__has(&s->machine->online, *cpu) ||
		    session__find_unit(s, *cpu, 0) >= 0 || cpulist__has(&s->newcomers, *cpu))
			continue;
		cpulist__add(&s->newcomers, *cpu);
		sb__printf(&s->warnings,
			   "CPU %d came online: it was not there at the start, and is not counted in "
			   "this run\n",
			   *cpu);
	}
}

/* The file stays open: to look again, with every row, is then one system call. */
static bool read_online(struct session *s, char *text)
{
	char path[PATH_MAX];
	ssize_t n;

	if (s->online_fd <= 0) {
		snprintf(path, sizeof(path), "%s/devices/system/cpu/online", s->machine->sysfs);
		s->online_fd = open(path, O_RDONLY | O_CLOEXEC);
	}
	n = pread(s->online_fd, text, ONLINE_BYTES - 1, 0);
	if (n <= 0)
		return false;
	text[n] = '\0';
	text[strcspn(text, "\n")] = '\0';
	return true;
}

static bool has_changed(struct session *s, char *text)
{
	if (!read_online(s, text))
		return false;
	if (!s->online.len)
		cpulist__print(&s->machine->online, &s->online);
	if (!strcmp(sb__str(&s->online), text))
		return false;
	sb__clear(&s->online);
	sb__puts(&s->online, text);
	return true;
}

bool hotplug__look(struct session *s)
{
	struct cpulist online = CPULIST_INIT;
	char text[ONLINE_BYTES];
	bool changed;

	text[0] = '\0';
	changed = has_changed(s, text);
	if (!changed && !s->frozen)
		return false;
	s->frozen = false;
	kept__new(s);
	if (cpulist__parse("online CPUs", text, &online, NULL))
		return false;
	look_at_units(s, &online);
	look_for_new(s, &online);
	cpulist__free(&online);
	readings__new(s);
	return changed;
}

void hotplug__look_again(struct session *s, uint64_t now_ns)
{
	if (!s->frozen && s->looked_ns && now_ns < s->looked_ns + LOOK_NS)
		return;
	s->looked_ns = now_ns;
	hotplug__look(s);
}

/* The time enabled of a CPU's counter goes on while the CPU is there, whatever runs on it. */
static bool is_telling(const struct counter *c, const struct sample *sample)
{
	return !c->event->cgroup && stays_on_cpu(c) && sample->status != SAMPLE_LOST &&
	       sample->status != SAMPLE_BUSY && sample->enabled;
}

static void look_at_sample(struct session *s, const struct counter *c, struct unit *u,
			   const struct sample *sample, bool long_enough)
{
	if (!c->on || !is_telling(c, sample))
		return;
	if (long_enough && sample->enabled == u->enabled && u->enabled_of == c)
		s->frozen = u->frozen = true;
	if (u->frozen)
		return;
	u->enabled = sample->enabled;
	u->enabled_of = c;
}

bool hotplug__fell_apart(struct session *s, int unit)
{
	struct unit *u = &s->units.at[unit];

	/* Opened anew, it has been read as a whole before it falls apart once more. */
	if (!s->per_cpu || s->end_ns || !u->enabled_of)
		return false;
	s->frozen = u->frozen = true;
	u->enabled_of = NULL;
	return true;
}

/* Readings are in the order of units, and one of a unit is enough. */
#define for_each_unit(r, s)                                                                        \
	vec__for_each(r, &(s)->readings)                                                           \
		if ((r) == (s)->readings.at || (r)[-1].unit != (r)->unit)

static const struct sample *sample_of(const struct session *s, const struct counts *total,
				      const struct reading *r)
{
	return &total->at[s->members.at[r->first].event * total->nr_units + r->unit];
}

static const struct counter *counter_of(const struct session *s, const struct reading *r)
{
	return &s->counters[s->members.at[r->first].event];
}

static void end_check(struct session *s, uint64_t now_ns)
{
	s->checked_ns = now_ns;
	if (s->frozen)
		hotplug__look(s);
}

/* Whether counters stand still, as if their CPU had been away. */
static void check(struct session *s, const struct counts *total)
{
	bool long_enough = total->time_ns >= s->checked_ns + FROZEN_NS;
	const struct reading *r;

	if (s->checked_ns && !long_enough)
		return;
	for_each_unit(r, s)
		look_at_sample(s, counter_of(s, r), &s->units.at[r->unit], sample_of(s, total, r),
			       long_enough);
	end_check(s, total->time_ns);
}

/* For how long a counter was enabled; false when it does not say. */
static bool read_enabled(struct session *s, const struct reading *r, uint64_t *enabled)
{
	ssize_t n;

	if (rotation__clock(s, r->unit, enabled))
		return true;
	if (r->sampled)
		return false;
	n = s->kernel->read(r->fd, s->buf, s->buf_size);
	if (n < (ssize_t)(READ_WORDS * sizeof(*s->buf)))
		return false;
	*enabled = s->buf[READ_ENABLED];
	return true;
}

void hotplug__probe(struct session *s, uint64_t now_ns)
{
	struct sample sample = { .status = SAMPLE_COUNTED };
	const struct reading *r;

	if (s->end_ns || now_ns < s->checked_ns + FROZEN_NS)
		return;
	for_each_unit(r, s)
		if (read_enabled(s, r, &sample.enabled))
			look_at_sample(s, counter_of(s, r), &s->units.at[r->unit], &sample, true);
	end_check(s, now_ns);
}

/* The longest that a counter of an event was enabled on any CPU. */
static uint64_t longest(const struct counts *total, int event)
{
	const struct sample *at = &total->at[event * total->nr_units];
	uint64_t most = 0;

	for (int unit = 0; unit < total->nr_units; unit++)
		if (at[unit].enabled > most)
			most = at[unit].enabled;
	return most;
}

/* All CPUs were enabled for as long, but for the time that it takes to switch them all. */
static void find_lost(struct session *s, const struct counts *total)
{
	const struct reading *r;

	for_each_unit(r, s) {
		struct unit *u = &s->units.at[r->unit];
		const struct sample *sample = sample_of(s, total, r);
		uint64_t most = longest(total, s->members.at[r->first].event);

		if (u->moves || !is_telling(counter_of(s, r), sample) ||
		    most <= sample->enabled + s->switching_ns + LOST_NS)
			continue;
		/* It went, and it came back. */
		u->moves += 2;
		sb__printf(&s->warnings,
			   "CPU %d was offline in between: its last %.1f s are not counted\n",
			   u->id, (most - sample->enabled) / 1e9);
	}
}

static void tell(const struct session *s, struct counts *total)
{
	for (int unit = 0; unit < total->nr_units; unit++) {
		const struct unit *u = &s->units.at[unit];

		total->presence[unit] = (struct presence){
			.moves = u->moves,
			.away = u->moves,
			.unseen = u->unseen,
		};
	}
}

void hotplug__judge(struct session *s, struct counts *total)
{
	if (s->end_ns)
		find_lost(s, total);
	tell(s, total);
	if (!s->end_ns)
		check(s, total);
}

void hotplug__add_kept(struct session *s, struct counts *total)
{
	for (int i = 0; s->kept && i < total->nr_events * total->nr_units; i++) {
		struct sample *sample = &total->at[i], *kept = &s->kept[i];
		bool away = s->units.at[i % total->nr_units].away ||
			    rotation__is_closed(s, i / total->nr_units);

		if (!kept->enabled && kept->status != SAMPLE_LOST)
			continue;
		if (kept->status == SAMPLE_LOST || (sample->status == SAMPLE_LOST && !away)) {
			*sample = (struct sample){ .status = SAMPLE_LOST };
			continue;
		}
		if (away)
			*sample = (struct sample){ .status = SAMPLE_NOT_COUNTED };
		sample__add(sample, kept);
		sample__finish(sample, false, total->scale);
	}
}

void hotplug__free(struct session *s)
{
	free(s->kept);
	sb__free(&s->online);
	if (s->online_fd > 0)
		close(s->online_fd);
	cpulist__free(&s->newcomers);
}
