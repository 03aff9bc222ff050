// SPDX-License-Identifier: GPL-2.0-only
/* What a counter that the kernel refused means, in words, and what to do about it. */
#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <string.h>
#include <sys/resource.h>

#include "base/err.h"
#include "count/session.h"
#include "plan/load.h"

bool refusal__unsupported(int code)
{
	/* Not ENOSYS: the whole call is missing then, and a table without a number helps nobody. */
	return code == EINVAL || code == ENOENT || code == ENXIO || code == EOPNOTSUPP ||
	       code == ENODEV;
}

/* Whether it is the CPU's own PMU that would count it. */
static bool is_hardware(const struct counter *c)
{
	uint32_t type = c->event->attr.type;

	return type == PERF_TYPE_HARDWARE || type == PERF_TYPE_HW_CACHE || type == PERF_TYPE_RAW ||
	       event__is_of_core(c->event);
}

/* "{a,b}" of the group a counter belongs to as the user wrote it. */
static void put_group(const struct session *s, const struct counter *c, struct sb *sb)
{
	const struct event *leader = c->event->leader;
	const char *comma = "";

	sb__putc(sb, '{');
	for (int i = 0; i < s->events->nr; i++) {
		if (s->events->at[i]->leader != leader)
			continue;
		sb__printf(sb, "%s%s", comma, s->events->at[i]->name);
		comma = ",";
	}
	sb__putc(sb, '}');
}

/* The highest kernel.perf_event_paranoid with which this counter would be allowed. */
static int paranoid_needed(const struct session *s, const struct counter *c)
{
	if (c->event->attr.type == PERF_TYPE_TRACEPOINT)
		return -1;
	if (s->per_cpu)
		return 0;
	return counter__attr(c)->exclude_kernel ? 2 : 1;
}

static int explain_permission(const struct session *s, const struct counter *c, int code,
			      struct err *err)
{
	int paranoid = s->machine->paranoid, needed = paranoid_needed(s, c), step = 1;

	err__set(err, code, "no permission to count %s%s: %s", c->event->name,
		 s->per_cpu ? " on whole CPUs" : "", strerror(code));
	if (paranoid != INT_MIN)
		err__append(err,
			    "\nkernel.perf_event_paranoid is %d here. What helps, in this order:",
			    paranoid);
	else
		err__append(err, "\nWhat helps, in this order:");
	if (s->per_cpu)
		err__append(err, "\n%d. count one command only: leave out -a and -C, and name it",
			    step++);
	else if (target__has_tasks(s->target))
		err__append(err, "\n%d. count a process of your own, or start it as the command",
			    step++);
	else if (!counter__attr(c)->exclude_kernel)
		err__append(err, "\n%d. count user space only, with the modifier :u", step++);
	err__append(err, "\n%d. let the program count: setcap cap_perfmon+ep on its file, as root",
		    step++);
	if (paranoid == INT_MIN || paranoid > needed)
		err__append(
			err,
			"\n%d. let everyone count: sysctl kernel.perf_event_paranoid=%d, as root",
			step++, needed);
	return err__append(
		err,
		"\n%d. in a container: its seccomp profile may forbid perf_event_open(2);"
		" allow it, or add CAP_PERFMON",
		step);
}

static int explain_no_call(const struct session *s, const struct counter *c, int code,
			   struct err *err)
{
	err__set(err, code, "cannot count %s: there is no perf_event_open(2) here (%s)",
		 c->event->name, strerror(code));
	if (s->machine->paranoid == INT_MIN)
		return err__append(err,
				   "\nThere is no kernel.perf_event_paranoid either: this kernel is"
				   " built without CONFIG_PERF_EVENTS");
	return err__append(err,
			   "\nkernel.perf_event_paranoid is %d here, so the kernel has it: in a"
			   " container, its seccomp profile hides the call; allow it there, or"
			   " run outside",
			   s->machine->paranoid);
}

static int explain_files(const struct session *s, const struct counter *c, int code,
			 struct err *err)
{
	struct rlimit limit = {0};
	int needed = counters__count_fds(s);

	if (code == ENFILE)
		return err__set(
			err, code,
			"cannot open %s: the system has too many open files (sysctl fs.file-max)",
			c->event->name);
	getrlimit(RLIMIT_NOFILE, &limit);
	err__set(
		err, code,
		"cannot open %s: %d counters need as many open files, and %llu are allowed"
		"\nRaise the limit (ulimit -n %d, or LimitNOFILE= of a service), or count fewer"
		" events or CPUs",
		c->event->name, needed, (unsigned long long)limit.rlim_cur, needed + 64);
	if (s->opts.sets)
		return -code;
	return err__append(err, "\nOr count sets of groups one after the other: in several runs of the"
				" command (--passes), or in turns (--schedule=rotate)");
}

#define NO_PERMISSION                                                                              \
	"no permission: kernel.perf_event_paranoid is too high, and its PMU cannot count user space" \
	" alone"

/* Errnos which need no more than a sentence. */
static const struct {
	int code;
	const char *text;
} sentences[] = {
	{ENOENT, "this machine or kernel does not have it"},
	{ENXIO, "this machine does not have it"},
	{EOPNOTSUPP,
	 "the hardware cannot count it this way (a precise event, or filtered by mode)"},
	{EINVAL, "the kernel does not accept it"},
	{ENODEV, "this CPU does not have it, or is offline"},
	{EBUSY, "another profiler has its counters for itself"},
	{ESRCH, "the process has ended"},
	{E2BIG, "this kernel is older than one of the terms used"},
	{ENOMEM, "the kernel is out of memory"},
	{ENOSPC, "the counters have run out"},
	{ECANCELED, "its group was refused"},
	{EACCES, NO_PERMISSION},
	{EPERM, NO_PERMISSION},
};

static const char *text_of(int code)
{
	for (size_t i = 0; i < sizeof(sentences) / sizeof(*sentences); i++)
		if (sentences[i].code == code)
			return sentences[i].text;
	return "perf_event_open(2) failed";
}

static const char *text_of_counter(const struct counter *c, int code)
{
	/* With the kernel it was denied; without it a PMU that has no modes (msr) takes nothing. */
	if (code == EINVAL && c->denied && !is_hardware(c))
		return NO_PERMISSION;
	return text_of(code);
}

#define TOPDOWN_CODE 0xffff /* event and umask: all that a TopDown event's config has */

/* The same TopDown event stands before it in its group. */
static bool is_second(const struct session *s, const struct counter *c)
{
	for (int i = 0; i < s->nr_counters && &s->counters[i] != c; i++) {
		const struct event *other = s->counters[i].event;

		if (other->leader == c->event->leader && other->topdown &&
		    !((other->attr.config ^ c->event->attr.config) & TOPDOWN_CODE))
			return true;
	}
	return false;
}

/* The kernel's rule that a member of a group breaks, with what to do; NULL: none that is known. */
static const char *broken_rule(const struct session *s, const struct counter *c)
{
	const struct perf_event_attr *attr = &c->event->attr;

	if (c->event->leader != c->event && (attr->pinned || attr->exclusive))
		return "Only the leader of a group can be pinned (D) or exclusive (e): put the"
		       " modifier behind the braces";
	if (!c->event->topdown)
		return NULL;
	if (attr->precise_ip)
		return "TopDown metric events take no samples, so none is precise: leave out the p";
	if (attr->config1 || attr->config2 || attr->config & UINT32_MAX & ~TOPDOWN_CODE)
		return "Slots and TopDown metric events have no terms but event and umask: leave"
		       " out the others (cmask, inv, edge ...)";
	if (is_second(s, c))
		return "There is one register for it, so a group has each TopDown event once: leave"
		       " one out, or put it into another group";
	return NULL;
}

/* Whether that is what is in the way of a group as it is opened. */
static void look_for(struct session *s, int leader, enum obstacle what, const char *words)
{
	const struct event *members[FIT_MAX_EVENTS];
	struct sb why = SB_INIT;
	int nr = 0;

	if (!s->opts.scope || s->counters[leader].why)
		return;
	for (int i = leader; i < s->nr_counters && nr < FIT_MAX_EVENTS; i++)
		if (s->counters[i].leader == leader)
			members[nr++] = s->counters[i].event;
	sb__puts(&why, words);
	if (obstacle__find(s->opts.scope, members, nr, &why) == what)
		s->counters[leader].why = sb__detach(&why);
	sb__free(&why);
}

void refusal__find_conflict(struct session *s, int leader)
{
	look_for(s, leader, OBSTACLE_TOO_MUCH, "its group was refused: ");
}

void refusal__find_obstacles(struct session *s)
{
	for (int i = 0; s->machine->nmi_watchdog && i < s->nr_counters; i++)
		if (s->counters[i].leader == i && s->counters[i].opened)
			look_for(s, i, OBSTACLE_WATCHDOG,
				 "the NMI watchdog holds a counter that it needs: ");
}

static int explain_group(const struct session *s, const struct counter *c, int code,
			 struct err *err)
{
	const char *rule = code == EINVAL ? broken_rule(s, c) : NULL;
	const char *why = s->counters[c->leader].why;
	struct sb group = SB_INIT;

	put_group(s, c, &group);
	err__set(err, code, "cannot count %s in the group %s: %s (%s)", c->event->name,
		 sb__str(&group), text_of_counter(c, code), strerror(code));
	sb__free(&group);
	if (c->event->leader->requires_cpu && !s->per_cpu)
		return err__append(err,
				   "\n%s cannot count one task: it needs whole CPUs (-a or -C)",
				   c->event->leader->name);
	if (rule)
		return err__append(err, "\n%s", rule);
	if (code == EINVAL && why)
		err__append(err, "\n%c%s", toupper((unsigned char)*why), why + 1);
	else if (code == EINVAL && c->event->leader != c->event)
		err__append(err,
			    "\nA group is refused when it needs more counters than the CPU has,"
			    " or when its members exclude one another");
	return err__append(err, "\nCount them without the braces, or let the group come apart"
				" when it must: {...}:W");
}

int refusal__explain(const struct session *s, const struct counter *c, int unit, int code,
		     struct err *err)
{
	if (code == EPERM || code == EACCES)
		return explain_permission(s, c, code, err);
	if (code == ENOSYS)
		return explain_no_call(s, c, code, err);
	if (code == EMFILE || code == ENFILE)
		return explain_files(s, c, code, err);
	if (refusal__unsupported(code) && c->event->leader->nr_members > 1)
		return explain_group(s, c, code, err);
	return err__set(err, code, "cannot count %s on %s %d: %s (%s)", c->event->name,
			session__unit_kind(s), s->units.at[unit].id, text_of(code),
			strerror(code));
}

bool session__needs_whole_cpus(const struct session *s, int index)
{
	const struct counter *c = &s->counters[index];

	return c->event->requires_cpu &&
	       (!s->per_cpu || (c->event->cgroup && c->refused == EINVAL));
}

const char *session__refusal(const struct session *s, int index)
{
	const struct counter *c = &s->counters[index];

	if (c->event->retire_latency && !c->event->sampled)
		return "a latency (:R), which is not sampled here";
	if (session__needs_whole_cpus(s, index))
		return s->per_cpu ? "it cannot count one cgroup: it needs whole CPUs (without cgroups)" :
				    "it cannot count one task: it needs whole CPUs (-a or -C)";
	if (s->per_cpu && !c->cpus.nr && !c->event->tool)
		return "none of the CPUs asked for (-C) is one that it is counted on: its PMU is that of"
		       " others";
	if (c->too_large && s->counters[c->leader].why)
		return s->counters[c->leader].why;
	if (c->too_large)
		return "its group was refused: it needs more counters than the CPU has, or its members"
		       " exclude one another";
	if ((c->refused == ENOENT || c->refused == ENXIO) && is_hardware(c) &&
	    machine__is_virtual(s->machine))
		return "this virtual machine does not have it: its host gives it no such counter";
	return c->refused ? text_of_counter(c, c->refused) : NULL;
}

const char *session__obstacle(const struct session *s, int index)
{
	const struct counter *c = &s->counters[index];

	return c->opened ? s->counters[c->leader].why : NULL;
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

void refusal__warn_of_whole_cpus(struct session *s)
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
