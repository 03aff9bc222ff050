// SPDX-License-Identifier: GPL-2.0-only
/*
 * Messages for counters that the kernel refused: what the refusal means, and what to do about it.
 */
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
	/*
	 * ENOSYS is not in this list: the kernel lacks the whole call, and a table without any
	 * counts would not help.
	 */
	return code == EINVAL || code == ENOENT || code == ENXIO || code == EOPNOTSUPP ||
	       code == ENODEV;
}

/* Whether the CPU's own PMU counts the event. */
static bool is_hardware(const struct counter *c)
{
	uint32_t type = c->event->attr.type;

	return type == PERF_TYPE_HARDWARE || type == PERF_TYPE_HW_CACHE || type == PERF_TYPE_RAW ||
	       event__is_of_core(c->event);
}

/* Append the group of a leader as the user wrote it: "{a,b}". */
static void refusal__put_members(const struct event_list *events, const struct event *leader,
				 struct sb *sb)
{
	const char *comma = "";

	sb__putc(sb, '{');
	for (int i = 0; i < events->nr; i++) {
		if (events->at[i]->leader != leader)
			continue;
		sb__printf(sb, "%s%s", comma, events->at[i]->name);
		comma = ",";
	}
	sb__putc(sb, '}');
}

void refusal__put_group(const struct session *s, const struct counter *leader, struct sb *sb)
{
	const char *comma = "";
	const struct counter *c;

	sb__puts(sb, leader->nr_members > 1 ? "{" : "");
	counters__for_each_member(c, &s->counters, leader) {
		sb__printf(sb, "%s%s", comma, c->event->name);
		comma = ",";
	}
	sb__puts(sb, leader->nr_members > 1 ? "}" : "");
}

/* Return: the highest kernel.perf_event_paranoid that allows this counter. */
static int paranoid_needed(const struct counter *c, bool per_cpu)
{
	if (c->event->attr.type == PERF_TYPE_TRACEPOINT)
		return -1;
	if (per_cpu || event__is_any_thread(c->event))
		return 0;
	return counter__attr(c)->exclude_kernel ? 2 : 1;
}

#define PARANOID_TASKS 2 /* the highest value at which a user may count a task of his own */

/*
 * Suggest what to count instead. There is no suggestion if the kernel of a distribution does not
 * let users count at all.
 */
static int put_instead(const struct session *s, const struct counter *c, struct err *err)
{
	if (s->machine->paranoid != INT_MIN && s->machine->paranoid > PARANOID_TASKS)
		return 1;
	if (s->counters.units.per_cpu)
		err__append(err, "\n1. count one command only: leave out -a and -C, and name it");
	else if (target__has_tasks(s->target))
		err__append(err, "\n1. count a process of your own, or start it as the command");
	else if (!counter__attr(c)->exclude_kernel && !event__is_any_thread(c->event))
		err__append(err, "\n1. count user space only, with the modifier :u");
	else
		return 1;
	return 2;
}

static int explain_permission(const struct session *s, const struct counter *c, int code,
			      struct err *err)
{
	bool per_cpu = s->counters.units.per_cpu;
	int paranoid = s->machine->paranoid, needed = paranoid_needed(c, per_cpu), step;

	err__set(err, code, "no permission to count %s%s: %s", c->event->name,
		 per_cpu ? " on whole CPUs" : "", strerror(code));
	if (paranoid != INT_MIN)
		err__append(err,
			    "\nkernel.perf_event_paranoid is %d here. What helps, in this order:",
			    paranoid);
	else
		err__append(err, "\nWhat helps, in this order:");
	step = put_instead(s, c, err);
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

static int explain_no_call(const struct counter *c, int paranoid, int code, struct err *err)
{
	err__set(err, code, "cannot count %s: this kernel has no perf_event_open(2) (%s)",
		 c->event->name, strerror(code));
	if (paranoid == INT_MIN)
		return err__append(err,
				   "\nThere is no kernel.perf_event_paranoid either: this kernel is"
				   " built without CONFIG_PERF_EVENTS");
	return err__append(err,
			   "\nkernel.perf_event_paranoid is %d here, so the kernel has it: in a"
			   " container, its seccomp profile hides the call; allow it there, or"
			   " run outside",
			   paranoid);
}

/*
 * Whether the groups can be opened in several sets, which is possible if each group can be opened
 * by itself.
 */
static bool groups_fit(const struct session *s, rlim_t limit)
{
	const struct counter *leader, *c;

	counters__for_each(leader, &s->counters) {
		rlim_t needed = SPARE_FILES;

		counters__for_each_member(c, &s->counters, leader)
			needed += counter__count_fds(&s->counters, c);
		if (needed > limit)
			return false;
	}
	return true;
}

/* Return: how many of the CPUs can be counted; 0 if the number of CPUs is not the problem. */
static int cpus_that_fit(const struct session *s, int needed, rlim_t limit)
{
	const struct unit_list *units = &s->counters.units;

	if (!units->per_cpu || limit <= SPARE_FILES || limit - SPARE_FILES >= (rlim_t)needed)
		return 0;
	return (limit - SPARE_FILES) * units->nr / needed;
}

static int explain_files(const struct session *s, const struct counter *c, int code,
			 struct err *err)
{
	struct rlimit limit = {0};
	int needed = counters__count_fds(&s->counters), cpus;

	if (code == ENFILE)
		return err__set(
			err, code,
			"cannot open %s: the system has too many open files (sysctl fs.file-max)",
			c->event->name);
	getrlimit(RLIMIT_NOFILE, &limit);
	cpus = cpus_that_fit(s, needed, limit.rlim_cur);
	err__set(
		err, code,
		"cannot open %s: %d counters need as many open files, and %llu are allowed"
		"\nRaise the limit (ulimit -n %d, or LimitNOFILE= of a service), or count fewer"
		" events or CPUs",
		c->event->name, needed, (unsigned long long)limit.rlim_cur, needed + SPARE_FILES);
	if (cpus)
		err__append(err, ": %d of the %d CPUs can be counted (-C)", cpus, s->counters.units.nr);
	if (s->opts.sets || !groups_fit(s, limit.rlim_cur))
		return -code;
	return err__append(err, "\nOr count sets of groups one after the other: in several runs of the"
				" command (--passes), or in turns (--schedule=rotate)");
}

#define NO_PERMISSION                                                                              \
	"no permission: kernel.perf_event_paranoid is too high, and its PMU cannot count only user" \
	" space"

#define ANY_THREAD                                                         \
	"no permission: it counts for all threads of a core, which needs " \
	"kernel.perf_event_paranoid=0"                                     \
	" or CAP_PERFMON"

/* Errnos that one sentence explains. */
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
	{E2BIG, "this kernel is too old for a term of the event"},
	{ENOMEM, "the kernel is out of memory"},
	{ENOSPC, "the counters have run out"},
	{ECANCELED, "its group was refused"},
	{EACCES, NO_PERMISSION},
	{EPERM, NO_PERMISSION},
};

static const char *refusal__text_of(int code)
{
	for (size_t i = 0; i < sizeof(sentences) / sizeof(*sentences); i++)
		if (sentences[i].code == code)
			return sentences[i].text;
	return "perf_event_open(2) failed";
}

static const char *text_of_counter(const struct counter *c, int code)
{
	if ((code == EACCES || code == EPERM) && event__is_any_thread(c->event))
		return ANY_THREAD;
	if (event__is_precise(c->event) && refusal__unsupported(code))
		return "a precise event (modifier p) is for sampling only: remove the modifier to "
		       "count it";
	/*
	 * Counting with the kernel was denied; a PMU without modes (msr) refuses an event that
	 * excludes the kernel.
	 */
	if (code == EINVAL && c->denied && !is_hardware(c))
		return NO_PERMISSION;
	if (code == EOPNOTSUPP && counter__attr(c)->exclude_host)
		return "the hardware cannot count guests alone, or a virtual machine has the "
		       "counters for itself while its guests run (since Linux 7.0)";
	return refusal__text_of(code);
}

/* Whether an earlier member of the group is the same TopDown event. */
static bool is_second(const struct counter_list *cs, const struct counter *c)
{
	for (const struct counter *before = cs->at; before < c; before++) {
		const struct event *other = before->event;

		if (other->leader == c->event->leader && other->topdown == c->event->topdown)
			return true;
	}
	return false;
}

/*
 * Return: the rule of the kernel that a member of a group breaks, and what to do; NULL if no broken
 * rule is known.
 */
static const char *broken_rule(const struct counter_list *cs, const struct counter *c)
{
	const struct perf_event_attr *attr = &c->event->attr;

	if (c->event->leader != c->event && (attr->pinned || attr->exclusive))
		return "Only the leader of a group can be pinned (D) or exclusive (e): put the "
		       "modifier after the braces";
	return topdown__broken_rule(c->event, is_second(cs, c));
}

/* If an obstacle of kind @what keeps a group from being counted, set the leader's @why. */
static void look_for(const struct session *s, struct counter *leader, enum obstacle what,
		     const char *words)
{
	const struct event *members[FIT_MAX_EVENTS];
	struct sb why = SB_INIT;
	const struct counter *c;
	int nr = 0;

	if (!s->opts.scope || leader->why)
		return;
	counters__for_each_member(c, &s->counters, leader)
		if (nr < FIT_MAX_EVENTS)
			members[nr++] = c->event;
	sb__puts(&why, words);
	if (obstacle__find(s->opts.scope, members, nr, &why) == what)
		leader->why = sb__detach(&why);
	sb__free(&why);
}

void refusal__find_conflict(const struct session *s, struct counter *leader)
{
	look_for(s, leader, OBSTACLE_TOO_MUCH, "its group was refused: ");
}

void refusal__find_obstacles(const struct session *s)
{
	struct counter *c;

	if (!s->machine->nmi_watchdog)
		return;
	counters__for_each(c, &s->counters)
		if (c->leader == c && c->opened)
			look_for(s, c, OBSTACLE_WATCHDOG,
				 "the NMI watchdog holds a counter that it needs: ");
}

static int refusal__explain_group(const struct session *s, const struct counter *c, int code,
				  struct err *err)
{
	const char *rule = code == EINVAL ? broken_rule(&s->counters, c) : NULL;
	const char *why = c->leader->why;
	struct sb group = SB_INIT;

	refusal__put_members(s->events, c->event->leader, &group);
	err__set(err, code, "cannot count %s in the group %s: %s (%s)", c->event->name,
		 sb__str(&group), text_of_counter(c, code), strerror(code));
	sb__free(&group);
	if (c->event->leader->requires_cpu && !s->counters.units.per_cpu)
		return err__append(err,
				   "\n%s cannot count one task: it needs whole CPUs (-a or -C)",
				   c->event->leader->name);
	if (rule)
		return err__append(err, "\n%s", rule);
	if (event__is_precise(c->event))
		return -code;
	if (code == EINVAL && why)
		err__append(err, "\n%c%s", toupper((unsigned char)*why), why + 1);
	else if (code == EINVAL && c->event->leader != c->event)
		err__append(err,
			    "\nA group is refused when it needs more counters than the CPU has,"
			    " or when its members exclude one another");
	return err__append(
		err,
		"\n"
		"Count them without the braces, or let the group be split when needed: {...}:W");
}

int refusal__explain(const struct session *s, const struct counter *c, int unit, int code,
		     struct err *err)
{
	if (code == EPERM || code == EACCES)
		return explain_permission(s, c, code, err);
	if (code == ENOSYS)
		return explain_no_call(c, s->machine->paranoid, code, err);
	if (code == EMFILE || code == ENFILE)
		return explain_files(s, c, code, err);
	if (refusal__unsupported(code) && c->event->leader->nr_members > 1)
		return refusal__explain_group(s, c, code, err);
	return err__set(err, code, "cannot count %s on %s %d: %s (%s)", c->event->name,
			unit_list__kind(&s->counters.units), s->counters.units.at[unit].id,
			text_of_counter(c, code), strerror(code));
}

void refusal__note_place(const struct session *s, struct counter *c, int unit)
{
	const struct unit_list *units = &s->counters.units;
	struct sb text = SB_INIT;

	if (!units->per_cpu || !c->opened || c->refused_there)
		return;
	sb__printf(&text, "%s (on CPU %d)", text_of_counter(c, c->refused), units->at[unit].id);
	c->refused_there = sb__detach(&text);
}

bool session__needs_whole_cpus(const struct session *s, int index)
{
	const struct counter *c = &s->counters.at[index];

	return c->event->requires_cpu &&
	       (!s->counters.units.per_cpu || (c->event->cgroup && c->refused == EINVAL));
}

const char *session__refusal(const struct session *s, int index)
{
	const struct counter *c = &s->counters.at[index];

	if (s->taken.sure && c->opened)
		return "the kernel took its counter away: the program has privileges of its own, "
		       "or may not be read";
	if (c->event->retire_latency && !c->event->sampled)
		return "a latency (:R), which is not sampled here";
	if (session__needs_whole_cpus(s, index))
		return s->counters.units.per_cpu ? "it cannot count one cgroup: it needs whole CPUs (without cgroups)" :
				    "it cannot count one task: it needs whole CPUs (-a or -C)";
	if (s->counters.units.per_cpu && !c->cpus.nr && !c->event->tool)
		return "its PMU covers none of the CPUs given with -C";
	if (c->refused == ECANCELED && c->apart)
		return c->why;
	if (c->too_large && c->leader->why)
		return c->leader->why;
	if (c->too_large)
		return "its group was refused: it needs more counters than the CPU has, or its members"
		       " exclude one another";
	if ((c->refused == ENOENT || c->refused == ENXIO) && is_hardware(c) &&
	    machine__is_virtual(s->machine))
		return "this virtual machine does not have it: its host provides no such counter";
	if (c->refused_there)
		return c->refused_there;
	return c->refused ? text_of_counter(c, c->refused) : NULL;
}

const char *session__obstacle(const struct session *s, int index)
{
	const struct counter *c = &s->counters.at[index];

	return c->opened ? c->leader->why : NULL;
}

/*
 * Whether a counter is the first with its name; the boxes of a unit, or metrics, may have counters
 * with the same name.
 */
static bool is_named_first(const struct session *s, int counter)
{
	for (int i = 0; i < counter; i++)
		if (session__needs_whole_cpus(s, i) &&
		    !strcmp(s->counters.at[i].event->name, s->counters.at[counter].event->name))
			return false;
	return true;
}

void refusal__warn_of_whole_cpus(struct session *s)
{
	bool per_cpu = s->counters.units.per_cpu;
	int nr = 0;

	for (int i = 0; i < s->counters.nr; i++)
		if (session__needs_whole_cpus(s, i) && is_named_first(s, i))
			sb__printf(&s->warnings, "%s%s", nr++ ? ", " : "",
				   s->counters.at[i].event->name);
	if (nr)
		sb__printf(&s->warnings, " cannot count one %s: %s whole CPUs (%s)\n",
			   per_cpu ? "cgroup" : "task", nr > 1 ? "they need" : "it needs",
			   per_cpu ? "without cgroups" : "-a or -C");
}
