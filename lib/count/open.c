// SPDX-License-Identifier: GPL-2.0-only
/*
 * Opening the counters, in perf's order: all events of one CPU, then the next CPU, and events of
 * groups taken apart after all others. The kernel rotates counters in the order they were opened,
 * so which events share a time slice depends on it.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "base/err.h"
#include "base/file.h"
#include "count/sampler.h"
#include "count/session.h"
#include "machine/cgroup.h"

#define MAX_TRANSIENT 100 /* EINTR and EAGAIN in a row before they count as a failure */
#define SPARE_FILES 64	  /* for what is not a counter, when the limit of open files is raised */

/* How an attempt to open one counter on one unit ended. */
enum outcome {
	OPENED,
	RETRY,
	SKIP,  /* it is refused, or its unit is gone, or it is left to the second pass */
	FATAL, /* @err is set */
};

void open__attr(const struct session *s, struct perf_event_attr *attr)
{
	attr->size = sizeof(*attr);
	attr->read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;
	attr->inherit = !s->opts.no_inherit;
	attr->disabled = 1;
	attr->enable_on_exec = s->enable_on_exec;
}

static void set_attr(const struct session *s, const struct counter *c, bool is_leader, bool grouped)
{
	struct perf_event_attr *attr = counter__attr(c);

	*attr = c->event->attr;
	open__attr(s, attr);
	if (grouped)
		attr->read_format |= PERF_FORMAT_ID | PERF_FORMAT_GROUP;
	attr->sample_period = 0;
	attr->sample_type = PERF_SAMPLE_IDENTIFIER;
	if (c->user_only)
		attr->exclude_kernel = attr->exclude_hv = 1;
	if (c->no_guest)
		attr->exclude_guest = attr->exclude_host = 0;
	/* Members run when their leader does. */
	attr->disabled = is_leader;
	attr->enable_on_exec = is_leader && s->enable_on_exec &&
			       rotation__is_on(s, c - s->counters);
	if (c->event->sampled)
		sampler__set_attr(s, c, attr);
}

/* The soft limit to the hard one; then, for those who may, the hard one to what is needed. */
static bool raise_file_limit(struct session *s)
{
	rlim_t needed = counters__count_fds(s) + SPARE_FILES;
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit))
		return false;
	if (limit.rlim_cur < limit.rlim_max) {
		limit.rlim_cur = limit.rlim_max;
	} else {
		if (s->raised_limit)
			return false;
		s->raised_limit = true;
		if (limit.rlim_max < needed)
			limit.rlim_max = needed;
		else
			limit.rlim_max += SPARE_FILES;
		limit.rlim_cur = limit.rlim_max;
	}
	return !setrlimit(RLIMIT_NOFILE, &limit);
}

static bool may_exclude_kernel(const struct session *s, const struct counter *c)
{
	const struct perf_event_attr *attr = counter__attr(c);

	return !attr->exclude_kernel && !attr->exclude_user && s->machine->paranoid > 1;
}

/* The kernel is out of bounds: the event is named with :u from here on, though that be refused. */
static int rename_user_only(struct counter *c, struct err *err)
{
	struct event *e = c->event;
	char *name;

	if (asprintf(&name, "%s%su", e->name, strpbrk(e->name, "/:") ? "" : ":") < 0)
		return err__set(err, ENOMEM, "out of memory for the name of %s", e->name);
	free(e->name);
	e->name = name;
	e->attr.exclude_kernel = 1;
	e->attr.exclude_hv = 1;
	c->user_only = false;
	return 0;
}

/* The group's members become events of their own, opened after all others. */
static void take_apart(struct session *s, int leader)
{
	struct counter *l = &s->counters[leader];

	for (int i = 0; i < s->nr_counters; i++) {
		struct counter *c = &s->counters[i];

		if (c->leader != leader)
			continue;
		c->second_pass = true;
		/* TopDown metric events count in a group led by slots only. */
		if (i == leader || c->event->topdown)
			continue;
		c->leader = i;
		c->nr_members = 1;
		l->nr_members--;
	}
}

/* What the user put in braces is counted together or not at all; the other events go on. */
static void give_group_up(struct session *s, const struct counter *culprit, int unit, int code)
{
	struct err why = ERR_INIT;

	if (code == EINVAL)
		refusal__find_conflict(s, culprit->leader);
	refusal__explain(s, culprit, unit, code, &why);
	sb__printf(&s->warnings, "%s\n", why.msg);
	for (int i = 0; i < s->nr_counters; i++)
		if (s->counters[i].leader == culprit->leader) {
			s->counters[i].refused = ECANCELED;
			s->counters[i].too_large = code == EINVAL;
		}
}

/* As sysfs has it by now, not as it was when the machine was read. */
bool unit__is_offline(const struct session *s, int unit)
{
	struct cpulist online = CPULIST_INIT;
	char text[4096];
	bool offline;

	if (!s->per_cpu ||
	    file__read_line(text, sizeof(text), "%s/devices/system/cpu/online",
			    s->machine->sysfs) < 0 ||
	    cpulist__parse("online CPUs", text, &online, NULL))
		return false;
	offline = !cpulist__has(&online, s->units.at[unit].id);
	cpulist__free(&online);
	return offline;
}

/* Whether an errno is about the unit; a PMU, too, has its reasons for ENODEV. */
static bool is_about_unit(const struct session *s, int unit, int code)
{
	if (s->per_cpu)
		return code == ENODEV && unit__is_offline(s, unit);
	return code == ESRCH;
}

static enum outcome unit_gone(struct session *s, int unit, int code, const struct counter *c,
			      struct err *err)
{
	int alive = 0;

	s->units.at[unit].gone = true;
	for (int i = 0; i < s->units.nr; i++)
		alive += !s->units.at[i].gone;
	if (!alive) {
		refusal__explain(s, c, unit, code, err);
		return FATAL;
	}
	sb__printf(&s->warnings, "%s %d went away before it could be counted\n",
		   s->per_cpu ? "CPU" : "thread", s->units.at[unit].id);
	return SKIP;
}

/* The user's TopDown event in a group that was made for it: the others of it go on. */
static void leave_out(struct session *s, const struct counter *c, int unit, int code)
{
	struct err why = ERR_INIT;

	refusal__explain(s, c, unit, code, &why);
	sb__printf(&s->warnings, "%s\n", why.msg);
}

static enum outcome refused(struct session *s, int index, int unit, int code, struct err *err)
{
	struct counter *c = &s->counters[index], *leader = &s->counters[c->leader];
	bool grouped = leader->nr_members > 1;

	/*
	 * Which of its members makes a group too large cannot be told from EINVAL. Without its
	 * leader, whatever the reason, a group is none.
	 */
	if (grouped && counter__may_come_apart(leader) && !c->second_pass &&
	    (c == leader || code == EINVAL || code == EBADF)) {
		take_apart(s, c->leader);
		return SKIP;
	}
	if (!refusal__unsupported(code)) {
		refusal__explain(s, c, unit, code, err);
		return FATAL;
	}
	if (grouped && !counter__may_come_apart(leader))
		give_group_up(s, c, unit, code);
	else if (grouped && c->event->topdown && !c->event->from_metric)
		leave_out(s, c, unit, code);
	c->refused = code;
	return SKIP;
}

static enum outcome failed(struct session *s, int index, int unit, int code, int *transient,
			   struct err *err)
{
	struct counter *c = &s->counters[index];
	struct perf_event_attr *attr = counter__attr(c);

	if ((code == EINTR || code == EAGAIN) && ++*transient < MAX_TRANSIENT)
		return RETRY;
	if (code == EMFILE && raise_file_limit(s))
		return RETRY;
	if ((code == EACCES || code == EPERM) && may_exclude_kernel(s, c)) {
		c->user_only = c->denied = true;
		return RETRY;
	}
	if (code == EINVAL && c->event->sampled && !c->no_lost) {
		c->no_lost = true;
		return RETRY;
	}
	/* PMUs which cannot tell guests apart, uncore ones mostly, refuse the bits. */
	if (code == EINVAL && !c->no_guest && (attr->exclude_guest || attr->exclude_host)) {
		c->no_guest = true;
		return RETRY;
	}
	if (code == EINVAL)
		c->no_guest = false;
	if (is_about_unit(s, unit, code))
		return unit_gone(s, unit, code, c, err);
	return refused(s, index, unit, code, err);
}

static enum outcome open_once(struct session *s, int index, int unit, int place, int *fd)
{
	struct counter *c = &s->counters[index], *leader = &s->counters[c->leader];
	const int *leader_fd = counter__fd(s, leader, unit);
	int group_fd = -1, task = s->per_cpu ? -1 : s->units.at[unit].id;
	unsigned long flags = PERF_FLAG_FD_CLOEXEC;

	if (leader != c) {
		group_fd = leader_fd ? *leader_fd : -1;
		if (group_fd < 0) {
			errno = leader->refused ? leader->refused : EINVAL;
			return RETRY;
		}
	}
	if (s->per_cpu && c->event->cgroup) {
		task = c->event->cgroup->fd;
		flags |= PERF_FLAG_PID_CGROUP;
	}
	set_attr(s, c, leader == c, leader->nr_members > 1);
	*fd = s->kernel->open(counter__attr(c), task, counter__cpu(s, c, unit, place), group_fd,
			      flags);
	if (*fd < 0) {
		*fd = -1;
		return RETRY;
	}
	return OPENED;
}

static int open_in_place(struct session *s, int index, int unit, int place, struct err *err)
{
	struct counter *c = &s->counters[index];
	int *fd = counter__place(s, c, unit, place), transient = 0;
	enum outcome outcome;

	if (!fd || *fd >= 0 || c->refused || s->units.at[unit].gone || s->units.at[unit].away)
		return 0;
	do {
		outcome = open_once(s, index, unit, place, fd);
		if (outcome != OPENED)
			outcome = failed(s, index, unit, errno, &transient, err);
	} while (outcome == RETRY);
	if (outcome == FATAL)
		return -err->code;
	if (outcome == OPENED)
		c->opened = true;
	return c->user_only && (c->opened || c->refused) ? rename_user_only(c, err) : 0;
}

static int open_on_unit(struct session *s, int index, int unit, struct err *err)
{
	int rc = 0;

	for (int i = 0; !rc && i < counter__nr_places(&s->counters[index]); i++)
		rc = open_in_place(s, index, unit, i, err);
	return rc;
}

static int open_pass(struct session *s, bool second, struct err *err)
{
	int rc;

	for (int unit = 0; unit < s->units.nr; unit++) {
		for (int i = 0; i < s->nr_counters; i++) {
			/* A group that came apart on this unit or an earlier one waits. */
			if (s->counters[i].second_pass != second || rotation__is_closed(s, i))
				continue;
			rc = open_on_unit(s, i, unit, err);
			if (rc)
				return rc;
		}
	}
	return 0;
}

/* What is left on earlier units of events which were refused, or wait for the second pass. */
static void close_leftovers(struct session *s, bool waiting)
{
	for (int i = 0; i < s->nr_counters; i++) {
		struct counter *c = &s->counters[i];

		if (c->refused || (waiting && c->second_pass)) {
			counter__close(s, c);
			c->opened = false;
		}
	}
}

static int open_all(struct session *s, struct err *err)
{
	int rc = open_pass(s, false, err);

	if (rc)
		return rc;
	close_leftovers(s, true);
	rc = open_pass(s, true, err);
	if (rc)
		return rc;
	close_leftovers(s, false);
	return 0;
}

static void close_all(struct session *s)
{
	for (int i = 0; i < s->nr_counters; i++)
		if (s->counters[i].evsel)
			counter__close(s, &s->counters[i]);
}

/* Each set once, so that what the kernel refuses of any is known before the start. */
static int open_by_set(struct session *s, struct err *err)
{
	struct rotation *r = &s->rotation;
	int rc = 0, first = r->set;

	r->by_opening = true;
	for (int i = 1; i <= r->nr && !rc; i++) {
		close_all(s);
		r->set = (first + i) % r->nr;
		rc = open_all(s, err);
	}
	return rc;
}

static int open_sets(struct session *s, struct err *err)
{
	int rc = open_all(s, err);

	/* Children of a task are counted by what was open when they were forked. */
	if (rc != -EMFILE || !rotation__is_used(s) || !s->per_cpu)
		return rc;
	*err = (struct err)ERR_INIT;
	return open_by_set(s, err);
}

static int set_filter(struct session *s, const struct counter *c, struct err *err)
{
	for (int unit = 0; unit < s->units.nr; unit++) {
		const int *fd = counter__fd(s, c, unit);

		if (fd && *fd >= 0 &&
		    s->kernel->ioctl(*fd, PERF_EVENT_IOC_SET_FILTER, c->event->filter))
			return err__set(err, errno,
					"%s: the kernel does not accept the filter '%s': %s",
					c->event->name, c->event->filter, strerror(errno));
	}
	return 0;
}

/*
 * As it was opened on the other units: nothing is taken apart or given up any more. A unit that
 * comes back is a CPU, where there is one place.
 */
static int open_anew(struct session *s, int index, int unit, struct err *err)
{
	struct counter *c = &s->counters[index];
	int *fd = counter__fd(s, c, unit), tries = 0;

	if (!fd || *fd >= 0 || c->refused || rotation__is_closed(s, index))
		return 0;
	while (open_once(s, index, unit, 0, fd) != OPENED)
		if ((errno != EINTR && errno != EAGAIN) || ++tries == MAX_TRANSIENT)
			return refusal__explain(s, c, unit, errno, err);
	return 0;
}

int session__open_unit(struct session *s, int unit, struct err *err)
{
	int rc = 0;

	for (int pass = 0; pass < 2; pass++)
		for (int i = 0; !rc && i < s->nr_counters; i++)
			if (s->counters[i].second_pass == pass)
				rc = open_anew(s, i, unit, err);
	for (int i = 0; !rc && i < s->nr_counters; i++)
		if (s->counters[i].event->filter)
			rc = set_filter(s, &s->counters[i], err);
	return rc ? rc : sampler__map_unit(s, unit, err);
}

/* Of an event that several counters count (boxes of a unit, metrics), the first one. */
static bool is_named_first(const struct session *s, int counter)
{
	for (int i = 0; i < counter; i++)
		if (session__needs_whole_cpus(s, i) &&
		    !strcmp(s->counters[i].event->name, s->counters[counter].event->name))
			return false;
	return true;
}

static void warn_of_whole_cpus(struct session *s)
{
	int nr = 0;

	for (int i = 0; i < s->nr_counters; i++)
		if (session__needs_whole_cpus(s, i) && is_named_first(s, i))
			sb__printf(&s->warnings, "%s%s", nr++ ? ", " : "",
				   s->counters[i].event->name);
	if (nr)
		sb__printf(&s->warnings, " cannot count one %s: %s whole CPUs (%s)\n",
			   s->per_cpu ? "cgroup" : "task", nr > 1 ? "they need" : "it needs",
			   s->per_cpu ? "without cgroups" : "-a or -C");
}

int session__open(struct session *s, struct err *err)
{
	struct err unread = ERR_INIT;
	int rc = open_sets(s, err ? err : &unread);

	for (int i = 0; !rc && i < s->nr_counters; i++)
		if (s->counters[i].event->filter)
			rc = set_filter(s, &s->counters[i], err);
	if (!rc)
		rc = sampler__map(s, err);
	if (!rc)
		rc = rotation__open(s, err);
	if (rc)
		return rc;
	refusal__find_obstacles(s);
	warn_of_whole_cpus(s);
	return readings__new(s) || between__new(s) ?
		       err__set(err, ENOMEM, "out of memory for the counters") : 0;
}
