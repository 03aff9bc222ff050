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
#include "count/sampler.h"
#include "count/session.h"
#include "machine/machine.h"

#define FROZEN_NS 1000000ULL /* counters which stood still for so long are out */
#define LOOK_NS 100000000ULL /* how often it is looked at most, when rows are short */
#define LOST_NS 20000000ULL  /* a counter enabled for so much less than others was out */
#define ONLINE_BYTES 4096    /* sysfs gives a page */

/* What read(2) of a counter gives begins with the same words, alone and for a group. */
enum { READ_ENABLED = 1, READ_WORDS = 3 };

static struct sample *kept_at(const struct session *s, int event, int unit)
{
	return &s->kept[event * s->units.nr + unit];
}

/* Uncore counters move to another CPU of their package by themselves. */
static bool stays_on_cpu(const struct counter *c)
{
	return c->opened && !c->event->requires_cpu;
}

int kept__new(struct session *s)
{
	if (!s->kept)
		s->kept = calloc(s->nr_counters * s->units.nr, sizeof(*s->kept));
	return s->kept ? 0 : -ENOMEM;
}

/* What it counted up to here goes to what it had counted before it last came back. */
static void put_aside(struct session *s, int event, int unit)
{
	struct sample *kept = kept_at(s, event, unit), now;

	if (reading__member(s, event, unit, &now)) {
		kept->status = SAMPLE_LOST;
		return;
	}
	kept->value += now.value;
	kept->enabled += now.enabled;
	kept->running += now.running;
}

static void close_unit(struct session *s, int unit)
{
	sampler__unmap_unit(s, unit);
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
		const int *fd = counter__fd(s, &s->counters[i], unit);

		if (fd && *fd >= 0 && s->counters[i].on && stays_on_cpu(&s->counters[i]) &&
		    rotation__is_on(s, i))
			s->kernel->ioctl(*fd, PERF_EVENT_IOC_ENABLE, NULL);
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

static bool is_unit(const struct session *s, int cpu)
{
	const struct unit *u;

	vec__for_each(u, &s->units)
		if (u->id == cpu)
			return true;
	return false;
}

/* With -a they would be counted, had they been there from the start. */
static void look_for_new(struct session *s, const struct cpulist *online)
{
	const int *cpu;

	if (s->target->cpus.nr)
		return;
	cpulist__for_each(cpu, online) {
		if (cpulist__has(&s->machine->online, *cpu) ||
		    is_unit(s, *cpu) || cpulist__has(&s->newcomers, *cpu) ||
		    cpulist__add(&s->newcomers, *cpu))
			continue;
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
	struct sb start = SB_INIT;
	bool same;

	if (!read_online(s, text))
		return false;
	if (!s->online) {
		cpulist__print(&s->machine->online, &start);
		s->online = strdup(sb__str(&start));
		sb__free(&start);
	}
	same = s->online && !strcmp(s->online, text);
	if (same)
		return false;
	free(s->online);
	s->online = strdup(text);
	return true;
}

bool hotplug__look(struct session *s)
{
	struct cpulist online = CPULIST_INIT;
	char text[ONLINE_BYTES];
	bool changed;

	text[0] = '\0';
	if (!s->per_cpu || !s->buf)
		return false;
	changed = has_changed(s, text);
	if (!changed && !s->frozen)
		return false;
	s->frozen = false;
	if (kept__new(s) || cpulist__parse("online CPUs", text, &online, NULL))
		return false;
	look_at_units(s, &online);
	look_for_new(s, &online);
	cpulist__free(&online);
	/* Without memory for the plan of reading there is none: nothing is counted from then on. */
	readings__free(s);
	if (readings__new(s))
		readings__free(s);
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

void hotplug__tell(const struct session *s, struct counts *total)
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

void hotplug__check(struct session *s, const struct counts *total)
{
	bool long_enough = total->time_ns >= s->checked_ns + FROZEN_NS;
	const struct reading *r, *before = NULL;

	if (!s->per_cpu || s->end_ns || (s->checked_ns && !long_enough))
		return;
	vec__for_each(r, &s->readings) {
		int event = s->members.at[r->first].event;

		/* One of a CPU is enough; readings are in the order of units. */
		if (!before || before->unit != r->unit)
			look_at_sample(s, &s->counters[event], &s->units.at[r->unit],
				       &total->at[event * total->nr_units + r->unit], long_enough);
		before = r;
	}
	s->checked_ns = total->time_ns;
	if (s->frozen)
		hotplug__look(s);
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
	const struct reading *r, *before = NULL;

	if (!s->per_cpu || s->end_ns || now_ns < s->checked_ns + FROZEN_NS)
		return;
	vec__for_each(r, &s->readings) {
		const struct counter *c = &s->counters[s->members.at[r->first].event];
		struct sample sample = { .status = SAMPLE_COUNTED };

		if ((!before || before->unit != r->unit) && read_enabled(s, r, &sample.enabled))
			look_at_sample(s, c, &s->units.at[r->unit], &sample, true);
		before = r;
	}
	s->checked_ns = now_ns;
	if (s->frozen)
		hotplug__look(s);
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
void hotplug__find_lost(struct session *s, const struct counts *total)
{
	const struct reading *r, *before = NULL;

	if (!s->per_cpu || !s->end_ns)
		return;
	vec__for_each(r, &s->readings) {
		struct unit *u = &s->units.at[r->unit];
		int event = s->members.at[r->first].event;
		const struct sample *sample = &total->at[event * total->nr_units + r->unit];
		uint64_t least = sample->enabled + s->switching_ns + LOST_NS;
		bool first = !before || before->unit != r->unit;

		before = r;
		if (!first || u->moves || !is_telling(&s->counters[event], sample) ||
		    longest(total, event) <= least)
			continue;
		/* It went, and it came back. */
		u->moves += 2;
		sb__printf(&s->warnings,
			   "CPU %d was offline in between: its last %.1f s are not counted\n",
			   u->id, (longest(total, event) - sample->enabled) / 1e9);
	}
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
		sample->value += kept->value;
		sample->enabled += kept->enabled;
		sample->running += kept->running;
		sample__finish(sample, false, total->scale);
	}
}

void hotplug__free(struct session *s)
{
	free(s->kept);
	free(s->online);
	if (s->online_fd > 0)
		close(s->online_fd);
	cpulist__free(&s->newcomers);
}
