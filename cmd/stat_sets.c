// SPDX-License-Identifier: GPL-2.0-only
/* --passes and --schedule=rotate: which events are counted together, and what is said of it. */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/err.h"
#include "base/xalloc.h"
#include "machine/machine.h"
#include "plan/counters.h"
#include "plan/schedule.h"
#include "plan/sets.h"
#include "stat.h"

#define SPARE_FILES 64
#define NS_PER_MS 1000000ULL
#define DEFAULT_TURN_MS 50
#define SHORTEST_TURN_MS 10
#define LONGEST_TURN_MS 1000

int stat_nr_fds(const struct stat_run *run, const struct event *e)
{
	const struct target *t = &run->target;
	const struct cpulist *online = &run->host.machine->online;
	struct cpulist some = CPULIST_INIT, counted = CPULIST_INIT;
	int nr;

	if (e->tool || (e->retire_latency && !e->sampled) || counters__are_missing(e))
		return 0;
	if (!target__per_cpu(t))
		return !e->requires_cpu;
	cpulist__and(e->any_cpu ? online : &e->cpus, t->cpus.nr ? &t->cpus : online, &some);
	cpulist__and(&some, online, &counted);
	nr = counted.nr;
	cpulist__free(&some);
	cpulist__free(&counted);
	return nr;
}

/* What a user may have; root has as many as it takes. */
static int max_fds(void)
{
	struct rlimit limit;

	if (!geteuid() || getrlimit(RLIMIT_NOFILE, &limit) || limit.rlim_max > INT32_MAX ||
	    limit.rlim_max <= SPARE_FILES)
		return 0;
	return limit.rlim_max - SPARE_FILES;
}

static void make(struct stat_run *run)
{
	const struct plan *plan = run->plan;
	int *fds = xcalloc(plan->events.nr, sizeof(*fds));
	struct sets_limit limit = { .fds = fds, .max_fds = max_fds() };
	struct schedule *schedule = schedule__new(plan, &run->events);

	for (int i = 0; i < plan->events.nr; i++)
		fds[i] = stat_nr_fds(run, plan->events.at[i]);
	run->sets = sets__new(plan, schedule, &run->events, &limit);
	schedule__free(schedule);
	free(fds);
}

static void say_runs(const struct stat_options *o, int passes)
{
	uint64_t runs = o->repeat * passes;

	if (passes == 1)
		say("all groups are counted at the same time: one pass is enough");
	else if (!o->repeat)
		say("the command will be run again and again, in turn for each of %d sets of groups",
		    passes);
	else if (o->repeat > 1)
		say("the command will be run %" PRIu64 " times: %" PRIu64
		    " times for each of %d sets of groups", runs, o->repeat, passes);
	else
		say("the command will be run %d times, once for each set of groups", passes);
}

static void say_sets(const struct plan *plan, const struct sets *sets)
{
	for (int set = 0; set < sets->nr; set++) {
		struct sb names = SB_INIT;

		for (int i = 0; i < sets->nr_events; i++)
			if (sets__has(sets, set, i) && sets__count(sets, i) < sets->nr)
				sb__printf(&names, "%s%s", names.len ? ", " : "",
					   plan->events.at[i]->name);
		say("set %d: %s", set + 1, sb__str(&names));
		sb__free(&names);
	}
}

static uint64_t turn_ms(const struct stat_options *o, int sets)
{
	uint64_t ms = o->interval_ms ? o->interval_ms / sets : DEFAULT_TURN_MS;

	if (o->turn_ms)
		return o->turn_ms;
	if (ms < SHORTEST_TURN_MS)
		return SHORTEST_TURN_MS;
	return ms > LONGEST_TURN_MS ? LONGEST_TURN_MS : ms;
}

void stat_sets(struct stat_run *run)
{
	const struct stat_options *o = run->o;
	bool tells_sets = o->verbose || o->dry_run;

	make(run);
	run->count.sets = run->sets;
	if (o->passes) {
		run->report.nr_passes = run->sets->nr;
		run->report.passes = run->sets;
		sets__mark_metrics(run->sets, run->plan);
		say_runs(o, run->sets->nr);
	} else {
		run->count.turn_ns = turn_ms(o, run->sets->nr) * NS_PER_MS;
		if (tells_sets)
			say("%d sets of groups take turns of %" PRIu64 " ms", run->sets->nr,
			    (uint64_t)(run->count.turn_ns / NS_PER_MS));
	}
	if (tells_sets && run->sets->nr > 1)
		say_sets(run->plan, run->sets);
}
