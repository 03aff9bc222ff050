// SPDX-License-Identifier: GPL-2.0-only
/*
 * CPUs that go offline while they are counted, and come back. When a CPU goes offline, the kernel
 * removes its counters for good: they keep their counts, and a group falls apart. So tma keeps the
 * counts, and opens the counters again when the CPU is back.
 */
#include "count/hotplug.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/err.h"
#include "base/xalloc.h"
#include "count/rotate.h"
#include "count/session.h"
#include "machine/machine.h"

#define LOOK_IDLE_NS 5000000000ULL /* time between checks while nothing is read */
#define FROZEN_NS 1000000ULL /* a counter that has stopped for this long has been removed */
#define EARLY_LOOKS 2	     /* number of checks after the start: two are needed to find stopped
			      * counters */
#define LOOK_NS 100000000ULL /* least time between checks if rows are short */
#define LOST_NS 20000000ULL  /* a counter had been removed if its time enabled is shorter by this */
#define ONLINE_BYTES 4096    /* the most that sysfs returns: a page */

/**
 * struct cpu_life - whether the counters of a CPU still count
 * @frozen: the counters have stopped
 * @enabled: time that the counter @enabled_of was enabled, when last read
 */
struct cpu_life {
	bool frozen;
	uint64_t enabled;
	const struct counter *enabled_of;
};

/**
 * struct hotplug - CPUs that go and come
 * @online: the list of online CPUs in sysfs, as last read
 * @online_fd: descriptor of the file with this list; 0 before the first check
 * @newcomers: CPUs that came online during the run and are not counted
 * @cpus, @presence: state and presence of each unit
 * @frozen: cpu_life.frozen is set for some unit
 * @checked_ns: when stopped counters were last searched for, since the start
 * @early: how many more early checks are made: a counter that was open before the start may have
 *         lost its CPU, which shows only once it is enabled
 * @looked_ns: when the list of online CPUs was last checked, since the start
 */
struct hotplug {
	struct session *session;
	struct counter_list *counters;
	struct readings *readings;
	struct sb online;
	int online_fd;
	struct cpulist newcomers;
	struct cpu_life *cpus;
	struct presence *presence;
	bool frozen;
	int early;
	uint64_t checked_ns, looked_ns;
};

/*
 * Whether a counter is lost with its CPU. The kernel moves an uncore counter to another CPU of its
 * package instead.
 */
static bool stays_on_cpu(const struct counter *c)
{
	return c->opened && !c->event->requires_cpu;
}

static void close_unit(struct hotplug *h, int unit)
{
	struct counter_list *cs = h->counters;

	attached__call(h->session, leave, unit);
	/*
	 * Leaders come last: when a leader is closed, the other members of its group become single
	 * events.
	 */
	for (struct counter *c = cs->at + cs->nr - 1; c >= cs->at; c--) {
		int *fd = counter__place(cs, c, unit, 0);
		struct sample now = { .status = SAMPLE_COUNTED };

		if (!fd || *fd < 0 || !stays_on_cpu(c))
			continue;
		if (readings__read_one(h->readings, c, unit, &now))
			now = (struct sample){ .status = SAMPLE_LOST };
		counters__keep(cs, c, unit, &now);
		cs->kernel->close(*fd);
		*fd = -1;
	}
}

static void enable_unit(const struct hotplug *h, int unit)
{
	const struct counter *c;

	counters__for_each(c, h->counters)
		if (c->on && stays_on_cpu(c) && c->turn == TURN_NOW)
			counter__ioctl(h->counters, c, unit, PERF_EVENT_IOC_ENABLE, NULL);
}

static void count_moves(struct hotplug *h, int unit, int nr)
{
	h->presence[unit].moves += nr;
	h->presence[unit].away = true;
}

static void hotplug__leave(struct hotplug *h, int unit)
{
	struct unit *u = &h->counters->units.at[unit];

	u->away = true;
	count_moves(h, unit, 1);
	close_unit(h, unit);
	sb__printf(&h->session->warnings,
		   "CPU %d went offline: it is not counted until it is back\n", u->id);
}

static void hotplug__come_back(struct hotplug *h, int unit)
{
	struct session *s = h->session;
	struct unit *u = &h->counters->units.at[unit];
	struct err err = ERR_INIT;
	int rc;

	if (u->late)
		u->core = machine__core_pmu_on(s->machine, u->id);
	rc = open__again(s, unit, &err);
	if (!rc)
		rc = attached__try(s, come_back, unit, &err);
	if (rc) {
		close_unit(h, unit);
		sb__printf(&s->warnings, "CPU %d is back but cannot be counted: %s\n", u->id,
			   err.msg);
		return;
	}
	u->away = false;
	count_moves(h, unit, 1);
	h->cpus[unit].enabled = 0;
	enable_unit(h, unit);
	sb__printf(&s->warnings, "CPU %d %s counted from here on\n", u->id,
		   u->unseen ? "came online, and is" : "is back, and");
	u->unseen = h->presence[unit].unseen = false;
}

static void look_at_units(struct hotplug *h, const struct cpulist *online)
{
	for (int unit = 0; unit < h->counters->units.nr; unit++) {
		const struct unit *u = &h->counters->units.at[unit];
		bool here = cpulist__has(online, u->id);

		if (u->gone)
			continue;
		if (!u->away && (!here || h->cpus[unit].frozen))
			hotplug__leave(h, unit);
		if (u->away && here)
			hotplug__come_back(h, unit);
		h->cpus[unit].frozen = false;
	}
}

/* Warn of CPUs that came late: if they had been online at the start, -a would have counted them. */
static void tell_newcomers(struct hotplug *h, const struct cpulist *online)
{
	struct session *s = h->session;
	const int *cpu;

	if (s->target->cpus.nr)
		return;
	cpulist__for_each(cpu, online) {
		if (cpulist__has(&s->machine->online, *cpu) ||
		    unit_list__find(&h->counters->units, *cpu, 0) >= 0 ||
		    cpulist__has(&h->newcomers, *cpu))
			continue;
		cpulist__add(&h->newcomers, *cpu);
		sb__printf(&s->warnings,
			   "CPU %d came online: it was offline at the start, and is not counted in "
			   "this run\n",
			   *cpu);
	}
}

/* The file stays open, so that a check with every row costs one system call. */
static bool hotplug__read_online(struct hotplug *h, char *text)
{
	char path[PATH_MAX];
	ssize_t n;

	if (h->online_fd <= 0) {
		snprintf(path, sizeof(path), "%s/devices/system/cpu/online",
			 h->session->machine->sysfs);
		h->online_fd = open(path, O_RDONLY | O_CLOEXEC);
	}
	n = pread(h->online_fd, text, ONLINE_BYTES - 1, 0);
	if (n <= 0)
		return false;
	text[n] = '\0';
	text[strcspn(text, "\n")] = '\0';
	return true;
}

static bool has_changed(struct hotplug *h, char *text)
{
	if (!hotplug__read_online(h, text))
		return false;
	if (!h->online.len)
		cpulist__print(&h->session->machine->online, &h->online);
	if (!strcmp(sb__str(&h->online), text))
		return false;
	sb__clear(&h->online);
	sb__puts(&h->online, text);
	return true;
}

/* Handle CPUs that went or came. Return: whether the list in sysfs has changed. */
static bool hotplug__look(struct hotplug *h)
{
	struct cpulist online = CPULIST_INIT;
	char text[ONLINE_BYTES];
	bool changed;

	text[0] = '\0';
	changed = has_changed(h, text);
	if (!changed && !h->frozen)
		return false;
	h->frozen = false;
	/* A list without CPUs is invalid, as the CPU that runs this code is online. */
	if (cpulist__parse("online CPUs", text, &online, NULL) || !online.nr)
		return false;
	look_at_units(h, &online);
	tell_newcomers(h, &online);
	cpulist__free(&online);
	readings__new(h->readings);
	return changed;
}

void hotplug__check_cpus(void *self, struct counts *total)
{
	struct hotplug *h = self;

	if (!h->frozen && h->looked_ns && total->time_ns < h->looked_ns + LOOK_NS)
		return;
	h->looked_ns = total->time_ns;
	hotplug__look(h);
}

void hotplug__read_again(void *self, struct counts *total)
{
	struct hotplug *h = self;

	if (h->readings->failed && hotplug__look(h))
		readings__read(h->readings, total);
}

/*
 * Whether a counter shows the presence of its CPU: its time enabled advances while the CPU is
 * online, whatever runs on the CPU.
 */
static bool shows_presence(const struct counter *c, const struct sample *sample)
{
	return !c->event->cgroup && stays_on_cpu(c) && sample->status != SAMPLE_LOST &&
	       sample->status != SAMPLE_BUSY;
}

static void look_at_sample(struct hotplug *h, const struct reading *r, const struct sample *sample,
			   bool long_enough)
{
	const struct counter *c = reading__counter(h->readings, r);
	struct cpu_life *cpu = &h->cpus[r->unit];

	if (!c->on || !shows_presence(c, sample))
		return;
	if (long_enough && sample->enabled == cpu->enabled && cpu->enabled_of == c)
		h->frozen = cpu->frozen = true;
	if (cpu->frozen)
		return;
	cpu->enabled = sample->enabled;
	cpu->enabled_of = c;
}

bool hotplug__fell_apart(struct hotplug *h, int unit)
{
	struct cpu_life *cpu = &h->cpus[unit];

	/*
	 * A group that was opened again must be read once as a whole before it can count as fallen
	 * apart.
	 */
	if (h->session->clock.end_ns || !cpu->enabled_of)
		return false;
	h->frozen = cpu->frozen = true;
	cpu->enabled_of = NULL;
	return true;
}

/* Walk the first reading of each unit, which is enough. Readings are in the order of units. */
#define for_each_unit(r, rs)                                                                       \
	vec__for_each(r, rs)                                                                       \
		if ((r) == (rs)->at || (r)[-1].unit != (r)->unit)

static void end_check(struct hotplug *h, uint64_t now_ns)
{
	h->checked_ns = now_ns;
	if (h->frozen)
		hotplug__look(h);
}

/* Find counters that have stopped, which happens when their CPU has been away. */
static void hotplug__check(struct hotplug *h, struct counts *total)
{
	bool long_enough = total->time_ns >= h->checked_ns + FROZEN_NS;
	const struct reading *r;

	if (h->checked_ns && !long_enough)
		return;
	for_each_unit(r, h->readings)
		look_at_sample(h, r, reading__sample(h->readings, total, r, 0), long_enough);
	end_check(h, total->time_ns);
}

/* Find out how long a unit was enabled. Return: false if no counter of the unit shows it. */
static bool read_enabled(const struct hotplug *h, const struct reading *r, uint64_t *enabled)
{
	struct rotation *rotation = h->session->attached[ROTATION];
	uint64_t *buf = h->readings->buf;
	ssize_t n;

	if (rotation) {
		*enabled = rotation__enabled_ns(rotation, r->unit);
		return true;
	}
	if (r->sampled)
		return false;
	n = h->counters->kernel->read(r->fd, buf, h->readings->buf_size);
	if (n < (ssize_t)(READ_WORDS * sizeof(*buf)))
		return false;
	*enabled = buf[READ_ENABLED];
	return true;
}

/* Between reads, make the check of hotplug__check() with one counter of each CPU. */
static void probe(struct hotplug *h, uint64_t now_ns)
{
	struct sample sample = { .status = SAMPLE_COUNTED };
	const struct reading *r;

	if (h->session->clock.end_ns || now_ns < h->checked_ns + FROZEN_NS)
		return;
	for_each_unit(r, h->readings)
		if (read_enabled(h, r, &sample.enabled))
			look_at_sample(h, r, &sample, true);
	end_check(h, now_ns);
}

static uint64_t hotplug__before_sleep(void *self, uint64_t now_ns, uint64_t deadline_ns)
{
	const struct hotplug *h = self;

	(void)deadline_ns;
	return now_ns + (h->early ? 2 * FROZEN_NS : LOOK_IDLE_NS);
}

static void after_sleep(void *self)
{
	struct hotplug *h = self;
	uint64_t now = clock__now_ns() - h->session->clock.start_ns;

	if (h->early && h->session->clock.counting)
		h->early--;
	else if (now < h->looked_ns + LOOK_IDLE_NS)
		return;
	h->looked_ns = now;
	hotplug__look(h);
	probe(h, now);
}

/* Return: the longest time that a counter of an event was enabled on any CPU. */
static uint64_t longest(const struct counts *total, int event)
{
	const struct sample *at = &total->at[event * total->nr_units];
	uint64_t most = 0;

	for (int unit = 0; unit < total->nr_units; unit++)
		if (at[unit].enabled > most)
			most = at[unit].enabled;
	return most;
}

/*
 * Find CPUs whose last counts are lost. All CPUs were enabled for the same time, up to the time
 * that it takes to switch all of them: a CPU with a shorter time was offline.
 */
static void find_lost(struct hotplug *h, struct counts *total)
{
	const struct readings *rs = h->readings;
	const struct reading *r;

	for_each_unit(r, rs) {
		const struct sample *sample = reading__sample(rs, total, r, 0);
		uint64_t most = longest(total, rs->members.at[r->first].event);

		if (h->presence[r->unit].moves ||
		    !shows_presence(reading__counter(rs, r), sample) ||
		    most <= sample->enabled + h->counters->switching_ns + LOST_NS)
			continue;
		/* The CPU went offline and came back: two moves. */
		count_moves(h, r->unit, 2);
		sb__printf(&h->session->warnings,
			   "CPU %d was offline in between: its last %.1f s are not counted\n",
			   h->counters->units.at[r->unit].id, (most - sample->enabled) / 1e9);
	}
}

void hotplug__judge(void *self, struct counts *total)
{
	struct hotplug *h = self;

	if (h->session->clock.end_ns)
		find_lost(h, total);
	memcpy(total->presence, h->presence, total->nr_units * sizeof(*h->presence));
	if (!h->session->clock.end_ns)
		hotplug__check(h, total);
}

static void hotplug__init(void *self)
{
	struct hotplug *h = self;
	struct session *s = h->session;
	const struct unit_list *units = &s->counters.units;

	h->counters = &s->counters;
	h->readings = &s->readings;
	h->cpus = xcalloc(units->nr, sizeof(*h->cpus));
	h->presence = xcalloc(units->nr, sizeof(*h->presence));
	for (int i = 0; i < units->nr; i++)
		h->presence[i] = (struct presence){ .moves = units->at[i].away,
						    .away = units->at[i].away,
						    .unseen = units->at[i].unseen };
}

static void hotplug__free_all(void *self)
{
	struct hotplug *h = self;

	sb__free(&h->online);
	if (h->online_fd > 0)
		close(h->online_fd);
	cpulist__free(&h->newcomers);
	free(h->cpus);
	free(h->presence);
}

/* From the start on, times are measured since the start. Checks during --delay used other times. */
static void hotplug__start(void *self)
{
	struct hotplug *h = self;

	h->checked_ns = h->looked_ns = 0;
	h->early = h->session->clock.start_ns ? EARLY_LOOKS : 0;
	for (int unit = 0; unit < h->counters->units.nr; unit++)
		h->cpus[unit].enabled_of = NULL;
}

const struct attachment hotplug__attachment = {
	.size = sizeof(struct hotplug),
	.init = hotplug__init,
	.start = hotplug__start,
	.before_sleep = hotplug__before_sleep,
	.after_sleep = after_sleep,
	.free = hotplug__free_all,
};
