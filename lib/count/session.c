// SPDX-License-Identifier: GPL-2.0-only
/* A session from its making to its end; what happens in between has files of its own. */
#include <errno.h>
#include <stdlib.h>

#include "base/err.h"
#include "base/xalloc.h"
#include "count/sampler.h"
#include "count/session.h"

void counter__leave_group(struct session *s, struct counter *c)
{
	s->counters[c->leader].nr_members--;
	c->leader = c - s->counters;
	c->nr_members = 1;
}

/*
 * A latency is no member of a group: what is sampled has a period and a buffer of its own, and no
 * other counter has to wait for it. It leads a group only where all members are latencies.
 */
static void ungroup_latencies(struct session *s)
{
	for (int i = 0; i < s->nr_counters; i++)
		if (s->counters[i].event->retire_latency)
			counter__leave_group(s, &s->counters[i]);
}

static void make_counters(struct session *s)
{
	s->nr_counters = s->events->nr;
	s->counters = xcalloc(s->nr_counters, sizeof(*s->counters));
	for (int i = 0; i < s->nr_counters; i++) {
		struct counter *c = &s->counters[i];

		c->event = s->events->at[i];
		c->leader = c->event->leader->index;
		c->nr_members = c->event->nr_members;
	}
	ungroup_latencies(s);
	if (s->opts.sets)
		rotation__init(s);
}

bool counter__may_come_apart(const struct counter *leader)
{
	return leader->joined || leader->event->weak || leader->event->from_metric ||
	       leader->event->default_group;
}

static void tell_units(struct session *s)
{
	int nr = s->units.nr, *ids = xcalloc(nr, sizeof(*ids));
	const char **comms = s->per_cpu ? NULL : xcalloc(nr, sizeof(*comms));

	for (int i = 0; i < nr; i++) {
		ids[i] = s->units.at[i].id;
		if (comms)
			comms[i] = s->units.at[i].comm;
	}
	s->told_units = (struct units){ .nr = nr, .ids = ids, .comms = comms };
}

static int prepare(struct session *s, struct err *err)
{
	const struct target *t = s->target;
	bool has_command = t->argv && t->argv[0];
	int rc;

	if (!s->per_cpu && !target__has_tasks(t) && !has_command)
		return err__set(err, EINVAL,
				"nothing to count on: give a command, -a, -C, -p or -t");
	make_counters(s);
	rc = session__find_threads(s, err);
	if (!rc)
		rc = session__place(s, err);
	if (rc)
		return rc;
	signals__install(s);
	if (has_command)
		rc = workload__fork(s, err);
	if (rc)
		return rc;
	tell_units(s);
	watched__open(s);
	cpu_time__init(s);
	counters__new(s);
	return sampler__new(s, err);
}

int session__new(struct machine *machine, struct event_list *events, const struct target *target,
		 const struct count_options *opts, struct session **out, struct err *err)
{
	struct session *s = xcalloc(1, sizeof(*s));
	int rc;

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
	if (rc)
		session__free(s);
	else
		*out = s;
	return rc;
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
	if (s->rotation.clocks)
		rotation__free(s);
	readings__free(s);
	between__free(s);
	hotplug__free(s);
	if (s->sampler)
		sampler__free(s);
	counters__free(s);
	free(s->stat_buf);
	watched__free(s);
	signals__restore(s);
	free(s->counters);
	vec__free(&s->units);
	free((void *)s->told_units.ids);
	free((void *)s->told_units.comms);
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

const struct units *session__units(const struct session *s)
{
	return &s->told_units;
}

int session__find_unit(const struct session *s, int id, int hint)
{
	if (hint < s->units.nr && s->units.at[hint].id == id)
		return hint;
	for (int i = 0; i < s->units.nr; i++)
		if (s->units.at[i].id == id)
			return i;
	return -1;
}

void session__enable(struct session *s, int event, bool on)
{
	uint64_t before_ns = clock__now_ns();

	for (int i = 0; i < s->nr_counters; i++)
		if (event < 0 || i == event)
			s->counters[i].on = on;
	for (int unit = 0; unit < s->units.nr; unit++)
		for (int i = 0; i < s->nr_counters; i++)
			/* Members follow their leader. A task that has ended is no failure. */
			if ((event < 0 ? s->counters[i].leader == i : i == event) &&
			    (!on || rotation__is_on(s, i)))
				counter__ioctl(s, &s->counters[i], unit, counter__request(on),
					       NULL);
	if (event < 0 && rotation__is_used(s))
		rotation__enable(s, on);
	s->switching_ns += clock__now_ns() - before_ns;
}

static void count_from_now(struct session *s)
{
	s->start_ns = clock__now_ns();
	if (!s->enable_on_exec)
		session__enable(s, -1, true);
	if (rotation__is_used(s))
		rotation__start(s);
}

int session__start(struct session *s, struct err *err)
{
	bool late = s->opts.start_disabled || s->opts.delay_ns;
	int rc;

	cpu_time__start(s);
	if (!late)
		count_from_now(s);
	rc = s->workload.pid ? workload__release(s, err) : 0;
	if (late)
		s->start_ns = clock__now_ns();
	/* The command runs for a while before it is counted. */
	if (!rc && s->opts.delay_ns) {
		session__wait(s, s->opts.delay_ns);
		cpu_time__start(s);
		count_from_now(s);
	}
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
