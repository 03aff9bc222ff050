// SPDX-License-Identifier: GPL-2.0-only
/* Derive options of the lower folders from the request. */
#include <errno.h>

#include "base/err.h"
#include "run/internal.h"

#define NS_PER_MS UINT64_C(1000000)
#define FIRST_SLICE_NS (10 * NS_PER_MS)
#define LEAST_SLICE_NS NS_PER_MS

static void settle__count(struct run *run)
{
	const struct request *req = run->req;
	bool by_counters = req->grouping == PLAN_BY_COUNTERS;

	run->count = (struct count_options){
		.no_inherit = req->no_inherit,
		.scale = req->scale,
		.start_disabled = req->delay_ms < 0,
		.delay_ns = (req->delay_ms > 0 ? req->delay_ms : 0) * NS_PER_MS,
		.row_ns = req->interval_ms * NS_PER_MS,
		.read_topdown = by_counters,
		.watch_groups = by_counters,
		.needs_leaders = req->perf,
		.control_fd = req->control.fd,
		.wake_fd = req->wake_fd,
		.latency = req->latency,
		.bpf_programs = req->bpf_programs,
		.nr_bpf_programs = req->nr_bpf_programs,
		.bpf_attr_map = req->bpf_attr_map,
	};
}

static void settle__report(struct run *run)
{
	const struct request *req = run->req;
	bool estimates = request__is_one_run(req) && !req->input;

	run->report = (struct report_options){
		.wants = req->wants,
		/*
		 * With rows of code, this report has one row of everything. Another report has the
		 * rows of code.
		 */
		.aggr = run_sites__are_wanted(req) ? AGGR_GLOBAL : req->aggr,
		.cache_level = req->cache_level,
		.metric_only = req->metric_only,
		.topdown = req->topdown,
		.no_merge = req->no_merge_pmus,
		.no_threshold = req->no_threshold,
		.no_scale = !req->scale,
		.error = req->error,
		.verdict = req->verdict || req->judged,
		.fit = req->fit,
		.percore_threads = req->percore_threads,
		.skip_idle = req->skip_idle,
		.runs = req->repeat > 1,
		.no_ratios = req->no_ratios,
		.perf7 = req->compat7,
		.rotated = req->rotate,
		.latency_mode = req->latency.mode,
		.estimate = estimates ? req->estimate : ESTIMATE_TIME,
		.min_running = req->min_running,
		.restarts = req->restarts,
		.lost_ns = req->lost_ns,
		.again = req->again,
		.read = req->read,
		.program = req->program,
	};
}

/*
 * Set how often counters are read within rows, which shows how rates vary. With passes,
 * --schedule=rotate and BPF there are no such reads.
 */
static void settle__turns(struct run *run)
{
	const struct request *req = run->req;
	struct slice_options *slices = &run->count.slices;
	uint64_t interval_ns = req->interval_ms * NS_PER_MS;
	uint64_t step_ns = interval_ns ? interval_ns / SLICES_MAX : FIRST_SLICE_NS;

	/* Errors of rows of code come from the samples. */
	if (run_sites__are_wanted(req)) {
		run->report.estimate = ESTIMATE_TIME;
		run->report.error = false;
		return;
	}
	run->report.turns = req->error ||
			    (req->verdict && !req->passes && !req->rotate && !req->by_bpf);
	if (!run->report.turns && run->report.estimate == ESTIMATE_TIME)
		return;
	/*
	 * Without errors, estimates need reads within rows only at the start. Then they learn from
	 * whole rows.
	 */
	if (!run->report.turns)
		slices->last_step_ns = interval_ns;
	slices->step_ns = step_ns > LEAST_SLICE_NS ? step_ns : LEAST_SLICE_NS;
	slices->of_run = interval_ns && (req->summary || req->verdict);
}

void settle__run(struct run *run)
{
	const struct request *req = run->req;

	run->target = req->target;
	run->topdown = req->topdown;
	run->names = req->metrics;
	run->notes.wanted = req->notes;
	settle__count(run);
	settle__report(run);
	if (!req->input)
		settle__turns(run);
}

/*
 * Whether there is an event that cannot count tasks. Then the machine is counted while the command
 * runs, as in perf.
 */
static bool needs_all_cpus(const struct event_list *list)
{
	for (int i = 0; i < list->nr; i++)
		if (event__is_of_tasks(list->at[i]))
			return false;
	return list->nr;
}

int settle__target(struct run *run, struct err *err)
{
	const struct request *req = run->req;
	enum grid_aggr aggr = req->aggr;
	struct target *t = &run->target;

	if (t->argv && !target__names_tasks(t) && !req->cpu_text &&
	    needs_all_cpus(&run->plan->events))
		t->system_wide = true;
	if (aggr == AGGR_GLOBAL || aggr == AGGR_THREAD || row_kind__is_site(aggr) ||
	    target__per_cpu(t))
		return 0;
	return err__set(err, EDESTADDRREQ, "%s prints rows for CPUs: it needs -a or -C, not a task",
			row_kinds[aggr].option);
}

bool settle__outlasts_sigint(const struct request *req)
{
	return req->perf && req->target.argv && !req->interval_ms && !req->timeout_ms &&
	       !req->control.fd;
}

bool settle__ends_by_itself(const struct request *req)
{
	return req->perf || req->target.argv || req->timeout_ms || req->interval_count ||
	       req->end_ns || target__names_tasks(&req->target);
}
