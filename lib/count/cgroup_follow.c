// SPDX-License-Identifier: GPL-2.0-only
/*
 * A cgroup that is removed and made again with the same name, like that of a service that restarts,
 * is counted again: the earlier counts are kept, and the events are opened for the new cgroup.
 */
#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "base/err.h"
#include "base/sb.h"
#include "count/cgroup_time.h"
#include "count/session.h"
#include "machine/cgroup.h"

#define LOOK_NS 100000000ULL	/* least time between two checks of cgroups */
#define WAIT_NS 1000000000ULL	/* time between two checks while nothing is read */

/* Attachments that keep state for each counter would not notice that a counter was replaced. */
static bool can_follow(const struct session *s)
{
	return !s->attached[SAMPLER] && !s->attached[BPF_SHARED] && !s->attached[ROTATION];
}

/* Leaders come last, as members continue without them. */
static void keep_counts(struct session *s, const struct cgroup *cgroup, int unit)
{
	struct counter_list *cs = &s->counters;

	for (struct counter *c = cs->at + cs->nr - 1; c >= cs->at; c--) {
		int *fd = c->event->cgroup == cgroup ? counter__place(cs, c, unit, 0) : NULL;
		struct sample now = {.status = SAMPLE_COUNTED};

		if (!fd || *fd < 0)
			continue;
		if (readings__read_one(&s->readings, c, unit, &now))
			now = (struct sample){.status = SAMPLE_LOST};
		counters__keep(cs, c, unit, &now);
		cs->kernel->close(*fd);
		*fd = -1;
	}
}

static void enable_again(struct session *s, const struct cgroup *cgroup, int unit)
{
	const struct counter *c;

	counters__for_each(c, &s->counters)
		if (c->event->cgroup == cgroup && c->on && c->turn == TURN_NOW)
			counter__ioctl(&s->counters, c, unit, PERF_EVENT_IOC_ENABLE, NULL);
}

static bool cgroup_follow__is_there(const struct unit *u)
{
	return !u->away && !u->gone;
}

/* Open the events of a cgroup for the cgroup that has its name now. Return: 0 or -errno. */
static int cgroup_follow__open(struct session *s, struct cgroup *cgroup, struct err *err)
{
	struct counter_list *cs = &s->counters;
	int fd = open(cgroup->path, O_RDONLY | O_DIRECTORY | O_CLOEXEC), rc = 0;
	unsigned long long before = cgroup->inode;

	if (fd < 0)
		return err__set(err, ENOENT, "it is gone again");
	for (int unit = 0; unit < cs->units.nr; unit++) {
		if (!cgroup_follow__is_there(&cs->units.at[unit]))
			continue;
		attached__call(s, leave, unit);
		keep_counts(s, cgroup, unit);
	}
	cgroup__replace(cgroup, fd);
	for (int unit = 0; unit < cs->units.nr && !rc; unit++) {
		if (!cgroup_follow__is_there(&cs->units.at[unit]))
			continue;
		rc = open__again(s, unit, err) ?: attached__try(s, come_back, unit, err);
		if (!rc)
			enable_again(s, cgroup, unit);
	}
	/* In the state "another", opening the cgroup is tried again. */
	if (rc) {
		cgroup->inode = before;
		cgroup->state = CGROUP_ANOTHER;
	}
	readings__new(&s->readings);
	return rc;
}

static void cgroup_follow__look_at(struct session *s, struct cgroup *cgroup)
{
	struct err err = ERR_INIT;

	cgroup__update(cgroup);
	if (cgroup->state != CGROUP_ANOTHER || !can_follow(s))
		return;
	/* After a failure the state is unchanged, and the end of the run reports it once. */
	if (!cgroup_follow__open(s, cgroup, &err))
		sb__printf(&s->warnings,
			   "cgroup %s was made again: it is counted from here on, without the time "
			   "since it was made\n",
			   cgroup->name);
}

static void cgroup_follow__look(struct session *s, uint64_t now_ns)
{
	const struct cgroup *before = NULL;
	struct counter *c;

	s->followed_ns = now_ns;
	/* The events of a cgroup usually follow one another. */
	counters__for_each(c, &s->counters) {
		if (c->event->cgroup && c->event->cgroup != before)
			cgroup_follow__look_at(s, (struct cgroup *)c->event->cgroup);
		before = c->event->cgroup;
	}
}

void cgroup_times__follow(void *self, struct counts *total)
{
	struct session *s = *(struct session **)self;

	if (total->time_ns >= s->followed_ns + LOOK_NS)
		cgroup_follow__look(s, total->time_ns);
}

uint64_t cgroup_times__before_sleep(void *self, uint64_t now_ns, uint64_t deadline_ns)
{
	struct session *s = *(struct session **)self;

	(void)deadline_ns;
	if (now_ns >= s->followed_ns + WAIT_NS)
		cgroup_follow__look(s, now_ns);
	return s->followed_ns + WAIT_NS;
}
