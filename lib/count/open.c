// SPDX-License-Identifier: GPL-2.0-only
/*
 * Opening the counters, in perf's order: all events of one CPU, then all events of the next CPU.
 * Events of split groups come after all others. The kernel rotates counters in the order in which
 * they were opened, so this order decides which events share a time slice.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "base/err.h"
#include "base/file.h"
#include "count/locate.h"
#include "count/sampler.h"
#include "count/session.h"
#include "machine/cgroup.h"

#define MAX_TRANSIENT 100 /* EINTR and EAGAIN may come this often in a row before they count as a
			   * failure */

/* Responses to a failure to open a counter on a unit, if the failure is not fatal (-errno). */
enum {
	SKIP, /* the counter is refused, its unit is gone, or the second pass opens it */
	RETRY,
};

void open__attr(const struct session *s, struct perf_event_attr *attr)
{
	attr->size = sizeof(*attr);
	attr->read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;
	attr->inherit = !s->opts.no_inherit;
	attr->disabled = 1;
	attr->enable_on_exec = s->enable_on_exec;
}

static void open__set_attr(const struct session *s, const struct counter *c, bool is_leader,
			   bool grouped)
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
	if (c->host_only)
		attr->exclude_guest = 1;
	/* Group members run when their leader does. */
	attr->disabled = is_leader;
	attr->enable_on_exec = is_leader && s->enable_on_exec && c->turn == TURN_NOW;
	if (c->event->sampled)
		sampler__set_attr(s->attached[SAMPLER], c, attr);
	if (c->located)
		locator__set_attr(s->attached[LOCATOR], c, attr);
}

/* Raise the soft limit to the hard limit; then, if the user may, raise the hard limit as needed. */
static bool raise_file_limit(struct session *s)
{
	rlim_t needed = counters__count_fds(&s->counters) + SPARE_FILES;
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

static bool may_exclude_kernel(const struct perf_event_attr *attr, const struct machine *machine)
{
	return !attr->exclude_kernel && !attr->exclude_user && machine->paranoid > 1;
}

/*
 * The user has no right to count the kernel: the event gets a name with :u, even if it is then
 * refused, too.
 */
static void rename_user_only(struct counter *c)
{
	struct event *e = c->event;
	struct sb name = SB_INIT;

	sb__printf(&name, "%s%su", e->name, strpbrk(e->name, "/:") ? "" : ":");
	free(e->name);
	e->name = sb__detach(&name);
	e->attr.exclude_kernel = 1;
	e->attr.exclude_hv = 1;
	c->user_only = false;
}

/* Leave a counter out with a warning; the other counters are opened. */
static void leave_out(struct session *s, const struct counter *c, int unit, int code)
{
	struct err why = ERR_INIT;

	refusal__explain(s, c, unit, code, &why);
	sb__printf(&s->warnings, "%s\n", why.msg);
}

/*
 * Give up the group of a counter. Events in braces that the user wrote are counted together or not
 * at all; other events are opened.
 */
static void give_group_up(struct session *s, const struct counter *culprit, int unit, int code)
{
	struct counter *c;

	bool too_large = code == EINVAL && !event__is_precise(culprit->event);

	if (too_large)
		refusal__find_conflict(s, culprit->leader);
	leave_out(s, culprit, unit, code);
	counters__for_each_member(c, &s->counters, culprit->leader) {
		c->refused = ECANCELED;
		c->too_large = too_large;
	}
}

bool cpu__is_offline(const struct machine *machine, int cpu)
{
	struct cpulist online = CPULIST_INIT;
	char text[4096];
	bool offline;

	if (file__read_line(text, sizeof(text), "%s/devices/system/cpu/online", machine->sysfs) <
		    0 ||
	    cpulist__parse("online CPUs", text, &online, NULL))
		return false;
	offline = !cpulist__has(&online, cpu);
	cpulist__free(&online);
	return offline;
}

/* Whether an errno concerns the unit and not the event; a PMU may also return ENODEV. */
static bool is_about_unit(const struct session *s, const struct unit *unit, int code)
{
	if (s->counters.units.per_cpu)
		return code == ENODEV && cpu__is_offline(s->machine, unit->id);
	return code == ESRCH;
}

static int unit_gone(struct session *s, int unit, int code, const struct counter *c,
		     struct err *err)
{
	struct unit_list *units = &s->counters.units;
	int alive = 0;

	units->at[unit].gone = true;
	for (int i = 0; i < units->nr; i++)
		alive += !units->at[i].gone;
	if (!alive)
		return refusal__explain(s, c, unit, code, err);
	sb__printf(&s->warnings, "%s %d ended before it could be counted\n", unit_list__kind(units),
		   units->at[unit].id);
	return SKIP;
}

/*
 * Whether a counter is refused because its event, which only metrics need, requires more rights
 * than other events. The others are counted without it.
 */
static bool is_denied_alone(const struct counter *c, int code)
{
	return (code == EACCES || code == EPERM) && c->event->from_metric &&
	       event__is_any_thread(c->event);
}

static int refused(struct session *s, struct counter *c, int unit, int code, struct err *err)
{
	struct counter *leader = c->leader;
	bool grouped = leader->nr_members > 1;
	bool braced = grouped && !counter__may_come_apart(leader);

	/*
	 * EINVAL does not show which member makes a group too large. If the leader cannot be
	 * opened, for whatever reason, the group cannot be opened.
	 */
	if (grouped && !braced && !c->second_pass &&
	    (c == leader || code == EINVAL || code == EBADF)) {
		counters__take_apart(&s->counters, leader);
		return SKIP;
	}
	if ((!refusal__unsupported(code) && !is_denied_alone(c, code)) ||
	    (braced && c == leader && s->opts.needs_leaders))
		return refusal__explain(s, c, unit, code, err);
	if (braced)
		give_group_up(s, c, unit, code);
	/* This is a TopDown event of the user in a group that tma made for TopDown events. */
	else if (grouped && c->event->topdown && !c->event->from_metric)
		leave_out(s, c, unit, code);
	c->refused = code;
	refusal__note_place(s, c, unit);
	return SKIP;
}

static int open__failed(struct session *s, struct counter *c, int unit, int code, int *transient,
			struct err *err)
{
	struct perf_event_attr *attr = counter__attr(c);

	if ((code == EINTR || code == EAGAIN) && ++*transient < MAX_TRANSIENT)
		return RETRY;
	if (code == EMFILE && raise_file_limit(s))
		return RETRY;
	if ((code == EACCES || code == EPERM) && may_exclude_kernel(attr, s->machine)) {
		c->user_only = c->denied = true;
		return RETRY;
	}
	if (code == EINVAL && c->event->sampled && !c->no_lost) {
		c->no_lost = true;
		return RETRY;
	}
	if (refusal__unsupported(code) && c->event->precise_max && attr->precise_ip &&
	    !c->no_precise) {
		c->no_precise = true;
		return RETRY;
	}
	/* PMUs that cannot distinguish guests, mostly uncore PMUs, refuse the bits. */
	if (code == EINVAL && !c->no_guest && (attr->exclude_guest || attr->exclude_host)) {
		c->no_guest = true;
		return RETRY;
	}
	if (code == EINVAL)
		c->no_guest = false;
	/* Since Linux 7.0 a running virtual machine may own the counters. */
	if (code == EOPNOTSUPP && !c->no_guest && !c->host_only && !attr->exclude_guest &&
	    !attr->exclude_host) {
		c->host_only = true;
		return RETRY;
	}
	if (is_about_unit(s, &s->counters.units.at[unit], code))
		return unit_gone(s, unit, code, c, err);
	return refused(s, c, unit, code, err);
}

/* Return: 0 or the errno. */
static int open_once(struct session *s, struct counter *c, int unit, int place, int *fd)
{
	const struct counter_list *cs = &s->counters;
	const struct counter *leader = c->leader;
	const int *leader_fd = leader == c ? NULL : counter__place(cs, leader, unit, place);
	int group_fd = leader_fd ? *leader_fd : -1;
	int task = cs->units.per_cpu ? -1 : cs->units.at[unit].id;
	unsigned long flags = PERF_FLAG_FD_CLOEXEC;

	if (leader != c && group_fd < 0)
		return leader->refused ? leader->refused : EINVAL;
	if (cs->units.per_cpu && c->event->cgroup) {
		task = c->event->cgroup->fd;
		flags |= PERF_FLAG_PID_CGROUP;
	}
	open__set_attr(s, c, leader == c, leader->nr_members > 1 || c->apart);
	*fd = cs->kernel->open(counter__attr(c), task, counter__cpu(cs, c, unit, place), group_fd,
			       flags);
	if (*fd >= 0)
		return 0;
	*fd = -1;
	return errno;
}

static int open_in_place(struct session *s, struct counter *c, int unit, int place,
			 struct err *err)
{
	const struct unit *u = &s->counters.units.at[unit];
	int *fd = counter__place(&s->counters, c, unit, place), transient = 0, code, rc;
	bool with_guests = !c->host_only;

	if (!fd || *fd >= 0 || c->refused || u->gone || u->away)
		return 0;
	do {
		code = open_once(s, c, unit, place, fd);
		rc = code ? open__failed(s, c, unit, code, &transient, err) : 0;
	} while (rc == RETRY);
	if (rc < 0)
		return rc;
	c->opened |= !code;
	if (!code && c->host_only && with_guests)
		sb__printf(&s->warnings,
			   "%s is counted without guests: a virtual machine has the"
			   " counters for itself while its guests run\n",
			   c->event->name);
	if (c->user_only && (c->opened || c->refused))
		rename_user_only(c);
	return 0;
}

static int open_pass(struct session *s, bool second, struct err *err)
{
	struct counter *c;
	int rc = 0;

	for (int unit = 0; unit < s->counters.units.nr; unit++)
		counters__for_each(c, &s->counters) {
			/*
			 * A group that was split on this unit or an earlier unit is opened later.
			 */
			if (c->second_pass != second || c->turn >= TURN_CLOSED)
				continue;
			for (int place = 0; !rc && place < counter__nr_places(c); place++)
				rc = open_in_place(s, c, unit, place, err);
			if (rc)
				return rc;
		}
	return 0;
}

/*
 * Close counters that are open on earlier units, but were refused on a later unit, or (@waiting)
 * that the second pass opens.
 */
static void close_leftovers(struct counter_list *cs, bool waiting)
{
	struct counter *c;

	counters__for_each(c, cs)
		if (c->refused || (waiting && c->second_pass)) {
			counters__close(cs, c);
			c->opened = false;
		}
}

int open__all(struct session *s, struct err *err)
{
	int rc = open_pass(s, false, err);

	if (rc)
		return rc;
	close_leftovers(&s->counters, true);
	rc = open_pass(s, true, err);
	if (!rc)
		close_leftovers(&s->counters, false);
	return rc;
}

int open__set_filters(const struct session *s, struct err *err)
{
	const struct counter *c;

	counters__for_each(c, &s->counters) {
		const struct event *e = c->event;
		int rc = 0;

		for (int unit = 0; !rc && e->filter && unit < s->counters.units.nr; unit++)
			rc = counter__ioctl(&s->counters, c, unit, PERF_EVENT_IOC_SET_FILTER,
					    e->filter);
		if (rc)
			return err__set(err, -rc, "%s: the kernel does not accept the filter '%s': %s",
					e->name, e->filter, strerror(-rc));
	}
	return 0;
}

/*
 * Open a counter in the same way as on the other units: no group is split or given up any more. A
 * unit that comes back is a CPU, which has one place.
 */
static int open_anew(struct session *s, struct counter *c, int unit, struct err *err)
{
	int *fd = counter__place(&s->counters, c, unit, 0), tries = 0, code;

	if (!fd || *fd >= 0 || c->refused || c->turn >= TURN_CLOSED)
		return 0;
	while ((code = open_once(s, c, unit, 0, fd)))
		if ((code != EINTR && code != EAGAIN) || ++tries == MAX_TRANSIENT)
			return refusal__explain(s, c, unit, code, err);
	return 0;
}

int open__again(struct session *s, int unit, struct err *err)
{
	struct counter *c;
	int rc = 0;

	for (int pass = 0; pass < 2; pass++)
		counters__for_each(c, &s->counters)
			if (!rc && c->second_pass == pass)
				rc = open_anew(s, c, unit, err);
	return rc ? rc : open__set_filters(s, err);
}
