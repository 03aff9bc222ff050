// SPDX-License-Identifier: GPL-2.0-only
/* A session from its making to its end; what happens in between has files of its own. */
#include <errno.h>
#include <stdlib.h>

#include "base/err.h"
#include "count/sampler.h"
#include "count/session.h"

static int index_of(const struct session *s, const struct event *e)
{
	for (int i = 0; i < s->events->nr; i++)
		if (s->events->at[i] == e)
			return i;
	return -1;
}

/*
 * A latency is no member of a group: what is sampled has a period and a buffer of its own, and no
 * other counter has to wait for it. It leads a group only where all members are latencies.
 */
static void ungroup_latencies(struct session *s)
{
	for (int i = 0; i < s->nr_counters; i++) {
		struct counter *c = &s->counters[i];

		if (!c->event->retire_latency)
			continue;
		s->counters[c->leader].nr_members--;
		c->leader = i;
		c->nr_members = 1;
	}
}

static int make_counters(struct session *s)
{
	int nr = s->events->nr;

	s->counters = calloc(nr ? nr : 1, sizeof(*s->counters));
	if (!s->counters)
		return -ENOMEM;
	s->nr_counters = nr;
	for (int i = 0; i < nr; i++) {
		struct counter *c = &s->counters[i];

		c->event = s->events->at[i];
		c->leader = c->event->leader == c->event ? i : index_of(s, c->event->leader);
		c->nr_members = c->event->nr_members;
		if (c->leader < 0)
			c->leader = i;
	}
	ungroup_latencies(s);
	return rotation__init(s);
}

bool counter__may_come_apart(const struct counter *leader)
{
	return leader->joined || leader->event->weak || leader->event->from_metric ||
	       leader->event->default_group;
}

static int check_target(const struct session *s, struct err *err)
{
	const struct target *t = s->target;

	if (!s->per_cpu && !target__has_tasks(t) && !(t->argv && t->argv[0]))
		return err__set(err, EINVAL,
				"nothing to count on: give a command, -a, -C, -p or -t");
	return 0;
}

static int prepare(struct session *s, struct err *err)
{
	int rc = check_target(s, err);

	if (!rc)
		rc = make_counters(s) ? err__set(err, ENOMEM, "out of memory for the counters") : 0;
	if (!rc)
		rc = session__find_threads(s, err);
	if (!rc)
		rc = session__place(s, err);
	if (rc)
		return rc;
	session__join(s);
	signals__install(s);
	if (s->target->argv && s->target->argv[0])
		rc = workload__fork(s, err);
	if (rc)
		return rc;
	if (watched__open(s) || cpu_time__init(s))
		return err__set(err, ENOMEM, "out of memory for the counters");
	rc = counters__new(s, err);
	return rc ? rc : sampler__new(s, err);
}

int session__new(struct machine *machine, struct event_list *events, const struct target *target,
		 const struct count_options *opts, struct session **out, struct err *err)
{
	struct session *s = calloc(1, sizeof(*s));
	int rc;

	if (!s)
		return err__set(err, ENOMEM, "out of memory for the counters");
	s->machine = machine;
	s->events = events;
	s->target = target;
	s->opts = *opts;
	s->kernel = &count_kernel__linux;
	s->per_cpu = target__per_cpu(target);
	s->workload.fd = -1;
	s->enable_on_exec = !s->per_cpu && !target__has_tasks(target) && !opts->start_disabled &&
			    !opts->delay_ns;
	rc = prepare(s, err);
	if (rc) {
		session__free(s);
		return rc;
	}
	*out = s;
	return 0;
}

void session__set_kernel(struct session *s, const struct count_kernel *kernel)
{
	s->kernel = kernel;
}

void session__free(struct session *s)
{
	if (!s)
		return;
	workload__discard(s);
	rotation__free(s);
	readings__free(s);
	between__free(s);
	hotplug__free(s);
	sampler__free(s);
	counters__free(s);
	cpu_time__free(s);
	watched__free(s);
	signals__restore(s);
	free(s->counters);
	vec__free(&s->units);
	sb__free(&s->warnings);
	free(s);
}

const char *session__warnings(struct session *s)
{
	size_t told = s->warnings_told;

	s->warnings_told = s->warnings.len;
	return s->warnings.len > told ? sb__str(&s->warnings) + told : NULL;
}

int session__unread(const struct session *s)
{
	return s->unread;
}

bool session__supported(const struct session *s, int index)
{
	const struct counter *c = &s->counters[index];

	if (c->event->retire_latency && !c->event->sampled)
		return false;
	return c->opened || c->event->tool || (s->per_cpu && !c->cpus.nr);
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
	if (refusal__is_missing(c->refused) && refusal__is_hardware(c) &&
	    machine__is_virtual(s->machine))
		return "this virtual machine does not have it: its host gives it no such counter";
	return c->refused ? refusal__of(c, c->refused) : NULL;
}

const char *session__obstacle(const struct session *s, int index)
{
	const struct counter *c = &s->counters[index];

	return c->opened ? s->counters[c->leader].why : NULL;
}

const struct perf_event_attr *session__attr(const struct session *s, int index)
{
	const struct counter *c = &s->counters[index];

	return c->evsel ? counter__attr(c) : &c->event->attr;
}

int session__leader(const struct session *s, int index)
{
	return s->counters[index].joined ? index : s->counters[index].leader;
}

const struct cpulist *session__cpus(const struct session *s, int index)
{
	return &s->counters[index].cpus;
}

bool session__per_cpu(const struct session *s)
{
	return s->per_cpu;
}

int session__nr_units(const struct session *s)
{
	return s->units.nr;
}

int session__unit(const struct session *s, int unit)
{
	return s->units.at[unit].id;
}

const char *session__unit_comm(const struct session *s, int unit)
{
	return s->units.at[unit].comm;
}

static void control_counter(struct session *s, const struct counter *c, int unit,
			    unsigned long request)
{
	for (int place = 0; place < counter__nr_places(c); place++) {
		const int *fd = counter__place(s, c, unit, place);

		/* A task that has ended meanwhile is no failure. */
		if (fd && *fd >= 0)
			s->kernel->ioctl(*fd, request, NULL);
	}
}

void session__enable(struct session *s, int event, bool on)
{
	unsigned long request = on ? PERF_EVENT_IOC_ENABLE : PERF_EVENT_IOC_DISABLE;
	uint64_t before_ns = clock__now_ns();

	for (int i = 0; i < s->nr_counters; i++)
		if (event < 0 || i == event)
			s->counters[i].on = on;
	for (int unit = 0; unit < s->units.nr; unit++)
		for (int i = 0; i < s->nr_counters; i++)
			/* Members follow their leader. */
			if ((event < 0 ? s->counters[i].leader == i : i == event) &&
			    (!on || rotation__is_on(s, i)))
				control_counter(s, &s->counters[i], unit, request);
	if (event < 0)
		rotation__enable(s, on);
	s->switching_ns += clock__now_ns() - before_ns;
}

/* The command runs for a while before it is counted. */
static int start_late(struct session *s, struct err *err)
{
	int rc = s->workload.pid ? workload__release(s, err) : 0;

	s->start_ns = clock__now_ns();
	if (rc || !s->opts.delay_ns)
		return rc;
	session__wait(s, s->opts.delay_ns);
	cpu_time__start(s);
	s->start_ns = clock__now_ns();
	session__enable(s, -1, true);
	rotation__start(s);
	return 0;
}

static int start_now(struct session *s, struct err *err)
{
	s->start_ns = clock__now_ns();
	if (!s->enable_on_exec)
		session__enable(s, -1, true);
	rotation__start(s);
	return s->workload.pid ? workload__release(s, err) : 0;
}

int session__start(struct session *s, struct err *err)
{
	bool late = s->opts.start_disabled || s->opts.delay_ns;
	int rc;

	cpu_time__start(s);
	rc = late ? start_late(s, err) : start_now(s, err);
	s->between.on = true;
	return rc;
}

void session__stop(struct session *s)
{
	if (s->end_ns)
		return;
	session__enable(s, -1, false);
	s->end_ns = clock__now_ns();
	/* A command's own counters ended with it; others ran until they were disabled. */
	if (s->workload.reaped && !s->per_cpu && !target__has_tasks(s->target))
		s->end_ns = s->workload.ended_ns;
}
