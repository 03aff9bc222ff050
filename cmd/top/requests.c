// SPDX-License-Identifier: GPL-2.0-only
/* Requests for the runs of "tma top": the tree, and rows of processes, cgroups or functions. */
#include <string.h>

#include "base/auto.h"
#include "count/clock.h"
#include "metrics/metrics.h"
#include "run/metric_names.h"
#include "screen/screen.h"
#include "simulated.h"
#include "top/top.h"

#define ALL_CGROUPS "^[^/]*$" /* pattern for cgroups of the first level */
#define MOST_FREQUENCY 499 /* samples per second, for a CPU or task */
#define LEAST_FREQUENCY 99
#define MOST_SAMPLES 4000 /* samples per second, for all CPUs */
#define LEAST_MS 150 /* shortest first row of functions, in ms */
#define NS_PER_MS 1000000
#define CPU_TIME "user_time,system_time"
#define OWN_FAULTS "task-clock,page-faults,minor-faults,major-faults"
#define SWITCHES_FAULTS ",context-switches,page-faults"
#define WITHOUT_COUNTERS \
	CPU_TIME ",context-switches,cpu-migrations,page-faults,minor-faults,major-faults"

/*
 * Put the metrics: the children and all ancestors of the branch; without a branch, the first
 * levels. Functions have no deeper levels: with more groups, each would have fewer samples.
 */
static void put_metrics(const struct tops *t, const struct top_run *r, int levels, struct sb *sb)
{
	const char *branch = top__branch(t->model), *above;
	bool deeper = r == &t->whole || top__rows(t->model) != TOP_FUNCTIONS;

	if (levels > t->levels)
		levels = t->levels;
	if (!branch)
		for (int i = 1; i <= levels; i++)
			sb__printf(sb, "%s%s%d", i > 1 ? "," : "", t->group, i);
	for (int i = 0; branch && (above = top__each_above(t->model, i)); i++)
		sb__printf(sb, "%s%s", i ? "," : "", above);
	if (branch)
		sb__printf(sb, ",%s_group", branch);
	else if (deeper && levels > 1 && t->deeper.len)
		sb__printf(sb, ",%s_group", sb__str(&t->deeper));
}

static void top_requests__ask(struct tops *t, struct top_run *r, const char *event, int levels)
{
	struct request *req = &r->req;

	r->event = (struct request_event){.text = event};
	r->rows = 0;
	sb__clear(&r->metrics);
	*req = (struct request)REQUEST_INIT;
	req->interval_ms = t->options.interval_ms;
	req->events = &r->event;
	req->nr_events = 1;
	req->cgroups_option = t->cgroups ? "-G" : "cgroups of the first level";
	req->wake_fd = t->screen ? screen__fd(t->screen) : 0;
	/*
	 * Threads that have just begun may lack some counts: their rows show which values are
	 * missing, so no note is needed.
	 */
	if (r == &t->places)
		req->notes &= ~NOTE(LACKING);
	req->wants = WANT_EVENTS | WANT_RATIOS | WANT_RATES | WANT_METRICS | WANT_TREE |
		     WANT_STATUS | WANT_REASONS | WANT_ERRORS;
	if (!t->levels)
		return;
	put_metrics(t, r, levels, &r->metrics);
	req->metrics = sb__str(&r->metrics);
	req->error = true;
}

/* Choose the processes again. Return: whether this is allowed: not if the user named them. */
bool top_requests__choose_again(struct tops *t)
{
	if (t->pids)
		return false;
	process_pick__choose(&t->pick, t->most, &t->picked);
	return true;
}

/*
 * Ask for the user's own processes, which are the whole and the rows in one. The kernel does not
 * count its switches of tasks for a user who may count the user part alone.
 */
static void ask_for_own(struct tops *t)
{
	struct request *req = &t->whole.req;

	if (!t->pids && !t->picked.len)
		top_requests__choose_again(t);
	sb__clear(&t->mine);
	sb__puts(&t->mine, t->pids ?: sb__str(&t->picked));
	top_requests__ask(t, &t->whole,
			  t->no_perf  ? CPU_TIME
			  : t->levels ? "task-clock"
				      : OWN_FAULTS,
			  FIRST_LEVELS);
	req->along = t->levels ? TOP_IPC : NULL;
	req->target.pids = sb__str(&t->mine);
	req->places = req->by_process = true;
	req->places_by = AGGR_THREAD;
	req->notes &= ~NOTE(LACKING);
}

void top_requests__whole(struct tops *t)
{
	/* The clock frequency needs the CPU time of those CPUs whose cycles are counted. */
	static const char *const rates[] = {TOP_IPC "," TOP_GHZ, TOP_IPC};

	if (t->own) {
		ask_for_own(t);
		return;
	}
	top_requests__ask(t, &t->whole, t->levels ? CPU_TIME : WITHOUT_COUNTERS, FIRST_LEVELS);
	t->whole.req.along = t->levels ? rates[simulated__machine() != NULL] : NULL;
	t->whole.req.target.system_wide = true;
	t->whole.req.places = t->options.rows == TOP_CPUS;
	t->whole.req.places_by = AGGR_NONE;
}

/*
 * Choose the samples per second of each CPU: fewer if there are many CPUs, so that the cost of
 * reading all samples stays the same.
 */
static uint64_t frequency_of(const struct tops *t, bool per_cpu)
{
	uint64_t each = per_cpu ? MOST_SAMPLES / t->options.cpus : MOST_FREQUENCY;

	return each > MOST_FREQUENCY ? MOST_FREQUENCY
	       : each < LEAST_FREQUENCY ? LEAST_FREQUENCY
					: each;
}

/*
 * Choose the length of the first row of functions: it ends with the current row of the whole
 * machine, or with the next one if the current row ends too soon for samples.
 */
static uint64_t first_ms_of(const struct tops *t)
{
	uint64_t now = clock__now_ns(), passed = (now - t->row_ns) / NS_PER_MS;
	uint64_t each = t->options.interval_ms;

	if (!t->row_ns || passed >= each)
		return 0;
	return each - passed < LEAST_MS ? 2 * each - passed : each - passed;
}

/*
 * Count functions of the chosen process, else of the processes that the user named, else of all
 * CPUs.
 */
static void ask_for_functions(struct tops *t)
{
	struct request *req = &t->places.req;
	int process = top__process(t->model);

	sb__clear(&t->process);
	if (process)
		sb__printf(&t->process, "%d", process);
	top_requests__ask(t, &t->places, process || t->pids || t->own ? "task-clock" : "cpu-clock",
			  t->place_levels);
	/* A clock event next to the tree would be sampled too. */
	if (t->levels)
		req->nr_events = 0;
	req->target.pids = process		? sb__str(&t->process)
			   : t->own && !t->pids ? sb__str(&t->picked)
						: t->pids;
	req->target.system_wide = !req->target.pids;
	req->aggr = AGGR_FUNCTION;
	req->metric_only = t->levels;
	req->frequency = frequency_of(t, req->target.system_wide);
	req->kept_rows = t->options.functions_ms / t->options.interval_ms;
	req->first_ms = first_ms_of(t);
	/*
	 * The screen itself shows which functions are near, and which are named after their file.
	 */
	req->notes &= ~(NOTE(SITES_END) | NOTE(SITES_NAMES));
}

void top_requests__places(struct tops *t)
{
	struct request *req = &t->places.req;

	if (top__rows(t->model) == TOP_FUNCTIONS) {
		ask_for_functions(t);
		return;
	}
	if (t->options.rows == TOP_CGROUPS) {
		top_requests__ask(t, &t->places,
				  t->levels ? "cpu-clock" : "cpu-clock" SWITCHES_FAULTS,
				  t->place_levels);
		req->target.system_wide = true;
		req->each_cgroup = t->cgroups ?: ALL_CGROUPS;
		return;
	}
	top_requests__ask(t, &t->places, t->levels ? "task-clock" : "task-clock" SWITCHES_FAULTS,
			  t->place_levels);
	req->target.pids = sb__str(&t->picked);
	req->places = req->by_process = true;
	req->places_by = AGGR_THREAD;
}

void top_requests__define(void)
{
	auto_free(sb) names = SB_INIT;

	metric_names__add(&names, host_asked(),
			  TOP_IPC "=instructions/cycles," TOP_GHZ
				  "=cycles/duration_time/1000000000",
			  NULL);
}
