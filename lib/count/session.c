// SPDX-License-Identifier: GPL-2.0-only
/* A session from its creation to its end. Waiting, reading and refusals are in other files. */
#include "count/session.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/xalloc.h"
#include "count/bpf_shared.h"
#include "count/cpu_time.h"
#include "count/locate.h"
#include "count/rotate.h"

static void tell_units(struct session *s)
{
	const struct unit_list *units = &s->counters.units;
	int *ids = xcalloc(units->nr, sizeof(*ids));
	const char **comms = units->per_cpu ? NULL : xcalloc(units->nr, sizeof(*comms));
	int *processes = comms ? xcalloc(units->nr, sizeof(*processes)) : NULL;

	for (int i = 0; i < units->nr; i++) {
		ids[i] = units->at[i].id;
		if (!comms)
			continue;
		comms[i] = units->at[i].comm;
		processes[i] = units->at[i].process;
	}
	s->public_units =
		(struct units){.nr = units->nr, .ids = ids, .comms = comms, .processes = processes};
}

/*
 * Whether CPUs that come online later can be counted. Such a CPU is not prepared: it has no
 * buffers, and no times from before.
 */
static bool takes_newcomers(const struct session *s)
{
	const struct counter *c;

	counters__for_each(c, &s->counters)
		if (c->event->sampled || c->event->bpf || cpu_times__is(c->event))
			return false;
	return s->opts.newcomers && !s->opts.sets;
}

/*
 * Name the command like its program, if all threads are counted. The command is then a unit, too;
 * as tma's child, it still had tma's name when threads were searched.
 */
static void name_command(struct session *s)
{
	const struct unit command = workload__unit(&s->workload);
	struct unit *unit;

	vec__for_each(unit, &s->counters.units)
		if (unit->id == command.id)
			memcpy(unit->comm, command.comm, sizeof(unit->comm));
}

/* Make the counters, and find all units but the command. */
static int find_units(struct session *s, struct err *err)
{
	const struct target *t = s->target;
	struct counter *c;
	int rc;

	counters__new(&s->counters, s->events);
	if (s->opts.sets)
		counters__leave_out(&s->counters, &s->opts);
	counters__for_each(c, &s->counters)
		c->located = locator__samples(s, c);
	for (int i = 0; s->opts.taken_apart && i < s->counters.nr; i++)
		if (s->opts.taken_apart[i])
			counters__take_starved_apart(&s->counters, &s->counters.at[i]);
	rc = target__find_threads(t, s->machine->procfs, &s->counters.units, &s->watch, err);
	if (rc)
		return rc;
	if (t->all_threads && s->workload.argv)
		name_command(s);
	/* Sets, and commands of --control, enable and disable events one at a time. */
	return target__place(t, s->machine, &s->counters, takes_newcomers(s),
			     s->opts.sets || s->opts.control_fd, &s->warnings, err);
}

static int prepare(struct session *s, struct err *err)
{
	const struct target *t = s->target;
	int rc = 0;

	if (t->argv && t->argv[0])
		s->workload.argv = t->argv;
	if (!s->counters.units.per_cpu && !target__has_tasks(t) && !s->workload.argv)
		return err__set(err, EINVAL,
				"nothing to count on: give a command, -a, -C, -p or -t");
	signals__install();
	s->has_signals = true;
	if (s->workload.argv)
		rc = workload__fork(&s->workload, err);
	if (!rc)
		rc = find_units(s, err);
	if (rc)
		return rc;
	/*
	 * With -p, -t, -a or -C the command only determines how long to count, and is not a unit.
	 */
	if (!s->counters.units.per_cpu && !target__has_tasks(t))
		vec__push(&s->counters.units, workload__unit(&s->workload));
	tell_units(s);
	watch__open(&s->watch, s->opts.control_fd ?: s->opts.wake_fd);
	counters__make_evsels(&s->counters);
	return attached__new(s, err);
}

int session__new(struct machine *machine, struct event_list *events, const struct target *target,
		 const struct count_options *opts, struct session **out, struct err *err)
{
	struct session *s = xcalloc(1, sizeof(*s));
	bool per_cpu = target__per_cpu(target);
	int rc;

	s->machine = machine;
	s->events = events;
	s->target = target;
	s->opts = *opts;
	s->counters.kernel = &count_kernel__linux;
	s->counters.units.per_cpu = per_cpu;
	s->readings = (struct readings){ .session = s, .counters = &s->counters };
	s->workload = (struct workload){.fd = -1, .output_fd = target->output_fd};
	s->enable_on_exec = !per_cpu && !target__has_tasks(target) && !session__is_late(s);
	rc = prepare(s, err);
	if (rc)
		session__free(s);
	else
		*out = s;
	return rc;
}

void session__set_kernel(struct session *s, const struct count_kernel *kernel)
{
	s->counters.kernel = kernel;
}

void session__free(struct session *s)
{
	if (!s)
		return;
	workload__discard(&s->workload);
	attached__free(s);
	readings__free(&s->readings);
	counters__free(&s->counters);
	watch__free(&s->watch);
	if (s->has_signals)
		signals__restore();
	free((void *)s->public_units.ids);
	free((void *)s->public_units.comms);
	free((void *)s->public_units.processes);
	sb__free(&s->warnings);
	free(s);
}

const char *session__warnings(struct session *s)
{
	size_t told = s->warnings_given;

	s->warnings_given = s->warnings.len;
	return s->warnings.len > told ? sb__str(&s->warnings) + told : NULL;
}

int session__unread(const struct session *s)
{
	return s->readings.unread;
}

bool session__supported(const struct session *s, int index)
{
	const struct counter *c = &s->counters.at[index];

	if (c->event->retire_latency && !c->event->sampled)
		return false;
	return c->opened || c->event->tool || (s->counters.units.per_cpu && !c->cpus.nr);
}

const struct perf_event_attr *session__attr(const struct session *s, int index)
{
	const struct counter *c = &s->counters.at[index];

	return c->evsel ? counter__attr(c) : &c->event->attr;
}

int session__leader(const struct session *s, int index)
{
	const struct counter *c = &s->counters.at[index];

	return c->joined ? index : c->leader - s->counters.at;
}

const struct cpulist *session__cpus(const struct session *s, int index)
{
	return &s->counters.at[index].cpus;
}

unsigned int session__regrouped(const struct session *s)
{
	return s->nr_regrouped;
}

const struct units *session__units(const struct session *s)
{
	return &s->public_units;
}

int session__open(struct session *s, struct err *err)
{
	struct rotation *rotation = s->attached[ROTATION];
	int rc = open__all(s, err);

	/*
	 * Counters of tasks cannot be reopened for turns: only counters that were open at the fork
	 * count children of a task.
	 */
	if (rc == -EMFILE && rotation && s->counters.units.per_cpu)
		rc = rotation__open_each(rotation, err);
	if (!rc)
		rc = open__set_filters(s, err);
	if (!rc)
		rc = attached__try(s, open, err);
	if (rc)
		return rc;
	refusal__find_obstacles(s);
	refusal__warn_of_whole_cpus(s);
	readings__new(&s->readings);
	return 0;
}

/*
 * Record that counters are enabled or disabled from now on. When all counters are off, the clock of
 * the run is off, too.
 */
static void switch_clocks(struct session *s, int event, bool on, uint64_t now_ns)
{
	struct counter *c;
	bool some = false, tools = false, counted = false;

	/* Members follow their leader. Events without a counter do not matter here. */
	counters__for_each(c, &s->counters) {
		if (event < 0 || c == &s->counters.at[event] ||
		    c->leader == &s->counters.at[event]) {
			c->on = on;
			if (!s->stopping)
				off_time__switch(&c->off, on, now_ns);
		}
		some |= !c->off.since_ns && !c->event->tool;
		tools |= !c->off.since_ns;
		counted |= !c->event->tool;
	}
	if (!counted)
		some = tools;
	if (!s->stopping)
		off_time__switch(&s->off, some, now_ns);
}

/* Record that all counters are enabled, or disabled, from the start. */
static void start_clocks(struct session *s, bool on)
{
	struct counter *c;

	s->clock.start_ns = clock__now_ns();
	s->off = (struct off_time){ .since_ns = on ? 0 : s->clock.start_ns };
	counters__for_each(c, &s->counters)
		c->off = s->off;
}

void session__enable(struct session *s, int event, bool on)
{
	struct counter_list *cs = &s->counters;
	uint64_t before_ns = clock__now_ns();
	struct counter *c;

	switch_clocks(s, event, on, before_ns);
	for (int unit = 0; unit < cs->units.nr; unit++)
		counters__for_each(c, cs)
			/*
			 * Members follow their leader. A task that has ended does not count as a
			 * failure.
			 */
			if ((event < 0 ? c->leader == c : c == &cs->at[event]) &&
			    (!on || c->turn == TURN_NOW))
				counter__ioctl(cs, c, unit, counter__request(on), NULL);
	attached__call(s, enable, event, on);
	cs->switching_ns += clock__now_ns() - before_ns;
}

static void count_from_now(struct session *s)
{
	start_clocks(s, true);
	if (!s->enable_on_exec)
		session__enable(s, -1, true);
	else
		bpf_shared__let_run(s);
}

int session__start(struct session *s, struct err *err)
{
	bool late = session__is_late(s);
	enum wait_result why;
	struct counter *c;
	int rc;

	attached__call(s, start);
	if (!late)
		count_from_now(s);
	rc = s->workload.pid ? workload__release(&s->workload, err) : 0;
	if (!rc)
		taken__begin(s);
	if (late)
		start_clocks(s, false);
	/* Wait for the delay: the command runs for a while before it is counted. */
	if (!rc && s->opts.delay_ns) {
		while ((why = session__wait(s, s->opts.delay_ns)) == WAIT_ASKED)
			sb__puts(&s->warnings, "SIGUSR1: nothing has been counted yet\n");
		/* If the command has ended during the delay, there is nothing to count. */
		s->too_late = why == WAIT_EXITED || why == WAIT_SIGNAL;
		attached__call(s, start);
		count_from_now(s);
	}
	/* Letting the command go has enabled its counters. */
	if (s->enable_on_exec)
		counters__for_each(c, &s->counters)
			c->on = true;
	s->enable_on_exec = false;
	s->clock.counting = true;
	return rc;
}

bool session__is_too_late(const struct session *s)
{
	return s->too_late;
}

void session__stop(struct session *s)
{
	if (s->clock.end_ns)
		return;
	s->stopping = true;
	session__enable(s, -1, false);
	s->clock.end_ns = clock__now_ns();
	workload__stop_clock(&s->workload, s->machine->procfs);
	/* The counters of a command ended with it; other counters ran until they were disabled. */
	if (s->workload.reaped && !s->counters.units.per_cpu && !target__has_tasks(s->target))
		s->clock.end_ns = s->workload.ended_ns;
}

void session__reap(struct session *s, int signal, int *status, struct counts *total)
{
	struct cpu_times *cpu_times = s->attached[CPU_TIMES];

	*status = 0;
	if (!s->workload.pid)
		return;
	workload__finish(&s->workload, signal);
	*status = s->workload.status;
	/* Other tasks and CPUs continue after the command, and keep the values of the last read. */
	if (total && cpu_times && !s->counters.units.per_cpu && !target__has_tasks(s->target))
		cpu_times__read(cpu_times, total);
	if (!total)
		return;
	workload__tell(&s->workload, total);
	taken__judge(s, total);
}
