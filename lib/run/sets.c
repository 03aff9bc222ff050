// SPDX-License-Identifier: GPL-2.0-only
/* Make sets of groups that are counted together, for --passes, --schedule=rotate and plans. */
#include <inttypes.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/auto.h"
#include "base/xalloc.h"
#include "plan/counters.h"
#include "plan/schedule.h"
#include "run/internal.h"

#define NS_PER_MS 1000000ULL
#define DEFAULT_TURN_MS 50
#define SHORTEST_TURN_MS 10
#define LONGEST_TURN_MS 1000

int run_sets__fds(const struct run *run, const struct event *e)
{
	const struct target *t = &run->target;
	const struct cpulist *online = &run->host->machine->online;
	auto_free(cpulist) some = CPULIST_INIT, counted = CPULIST_INIT;

	if (e->tool || e->bpf || (e->retire_latency && !e->sampled) || counters__are_missing(e))
		return 0;
	if (!target__per_cpu(t))
		return !e->requires_cpu;
	cpulist__and(e->any_cpu ? online : &e->cpus, t->cpus.nr ? &t->cpus : online, &some);
	cpulist__and(&some, online, &counted);
	return counted.nr;
}

/* Return: how many descriptors the user may open; 0 for root, who has no limit. */
static int max_fds(void)
{
	struct rlimit limit;

	if (!geteuid() || getrlimit(RLIMIT_NOFILE, &limit) || limit.rlim_max > INT32_MAX ||
	    limit.rlim_max <= SPARE_FILES)
		return 0;
	return limit.rlim_max - SPARE_FILES;
}

void run_sets__make(struct run *run)
{
	const struct plan *plan = run->plan;
	struct sets_limit limit = {.max_fds = max_fds()};
	struct schedule *schedule;
	int *fds;

	if (run->sets)
		return;
	limit.fds = fds = xcalloc(plan->events.nr, sizeof(*fds));
	schedule = schedule__new(plan, &run->events);

	for (int i = 0; i < plan->events.nr; i++)
		fds[i] = run_sets__fds(run, plan->events.at[i]);
	run->sets = sets__new(plan, schedule, &run->events, &limit);
	schedule__free(schedule);
	free(fds);
}

static void tell_runs(struct run *run)
{
	uint64_t repeat = run->req->repeat, runs = repeat * run->sets->nr;
	struct notes *notes = &run->notes;
	int passes = run->sets->nr;

	if (passes == 1)
		notes__add(notes, NOTE_REPEATS, NULL,
			   "all groups fit the counters together: one pass is enough");
	else if (!repeat)
		notes__add(notes, NOTE_REPEATS, NULL,
			   "the command will run repeatedly, for each of %d sets of groups in turn",
			   passes);
	else if (repeat > 1)
		notes__add(notes, NOTE_REPEATS, NULL,
			   "the command will run %" PRIu64 " times: %" PRIu64
			   " times for each of %d sets of groups",
			   runs, repeat, passes);
	else
		notes__add(notes, NOTE_REPEATS, NULL,
			   "the command will run %d times, once for each set of groups", passes);
}

static void tell_sets(struct run *run)
{
	const struct sets *sets = run->sets;

	for (int set = 0; sets->nr > 1 && set < sets->nr; set++) {
		auto_free(sb) names = SB_INIT;

		for (int i = 0; i < sets->nr_events; i++)
			if (sets__has(sets, set, i) && sets__count(sets, i) < sets->nr)
				sb__printf(&names, "%s%s", names.len ? ", " : "",
					   run->plan->events.at[i]->name);
		tell(run, SETS, NULL, "set %d: %s", set + 1, sb__str(&names));
	}
}

static uint64_t turn_ms(const struct request *req, int sets)
{
	uint64_t ms = req->interval_ms ? req->interval_ms / sets : DEFAULT_TURN_MS;

	if (req->turn_ms)
		return req->turn_ms;
	if (ms < SHORTEST_TURN_MS)
		return SHORTEST_TURN_MS;
	return ms > LONGEST_TURN_MS ? LONGEST_TURN_MS : ms;
}

void run_sets__use(struct run *run)
{
	run_sets__make(run);
	run->count.sets = run->sets;
	if (run->req->passes) {
		run->about.nr_passes = run->report.nr_passes = run->sets->nr;
		run->report.passes = run->sets;
		sets__mark_metrics(run->sets, run->plan);
		tell_runs(run);
	} else {
		run->count.turn_ns = turn_ms(run->req, run->sets->nr) * NS_PER_MS;
		tell(run, SETS, NULL, "%d sets of groups take turns of %" PRIu64 " ms",
		     run->sets->nr, (uint64_t)(run->count.turn_ns / NS_PER_MS));
	}
	tell_sets(run);
}
