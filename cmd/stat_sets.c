// SPDX-License-Identifier: GPL-2.0-only
/* --passes and --schedule=rotate: which events are counted together, and what is said of it. */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/err.h"
#include "cmd.h"
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

int stat_nr_fds(const struct stat_options *o, const struct machine *m, const struct event *e)
{
	const struct target *t = &o->target;
	struct cpulist some = CPULIST_INIT, online = CPULIST_INIT;
	int nr;

	if (e->tool || (e->retire_latency && !e->sampled) || counters__are_missing(e))
		return 0;
	if (!target__per_cpu(t))
		return !e->requires_cpu;
	if (cpulist__and(e->any_cpu ? &m->online : &e->cpus, t->cpus.nr ? &t->cpus : &m->online,
			 &some) ||
	    cpulist__and(&some, &m->online, &online))
		nr = 0;
	else
		nr = online.nr;
	cpulist__free(&some);
	cpulist__free(&online);
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

static int make(const struct stat_options *o, const struct host *host,
		const struct stat_scope *scope, const struct plan *plan, struct sets **sets,
		struct err *err)
{
	int *fds = calloc(plan->events.nr + 1, sizeof(*fds));
	struct sets_limit limit = { .fds = fds, .max_fds = max_fds() };
	struct schedule *schedule = NULL;
	int rc;

	if (!fds)
		return err__set(err, ENOMEM, "out of memory for sets of groups");
	for (int i = 0; i < plan->events.nr; i++)
		fds[i] = stat_nr_fds(o, host->machine, plan->events.at[i]);
	rc = schedule__new(plan, &scope->events, &schedule, err);
	if (!rc)
		rc = sets__new(plan, schedule, &scope->events, &limit, sets, err);
	schedule__free(schedule);
	free(fds);
	return rc;
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

int stat_sets(struct stat_options *o, const struct host *host, const struct stat_scope *scope,
	      struct plan *plan, struct sets **sets, struct err *err)
{
	int rc;

	if (!o->passes && !o->rotate)
		return 0;
	rc = make(o, host, scope, plan, sets, err);
	if (rc)
		return rc;
	o->count.sets = *sets;
	if (o->passes)
		sets__mark_metrics(*sets, plan);
	o->report.rotated = o->rotate;
	o->report.nr_passes = o->passes ? (*sets)->nr : 0;
	o->report.passes = o->passes ? *sets : NULL;
	if (o->rotate)
		o->count.turn_ns = turn_ms(o, (*sets)->nr) * NS_PER_MS;
	if (o->passes)
		say_runs(o, (*sets)->nr);
	else if (o->verbose || o->dry_run)
		say("%d sets of groups take turns of %" PRIu64 " ms", (*sets)->nr,
		    (uint64_t)(o->count.turn_ns / NS_PER_MS));
	if ((o->verbose || o->dry_run) && (*sets)->nr > 1)
		say_sets(plan, *sets);
	return 0;
}
