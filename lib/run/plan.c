// SPDX-License-Identifier: GPL-2.0-only
/* Make the plan of what to count and compute, from a request and a host. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/auto.h"
#include "base/err.h"
#include "base/xalloc.h"
#include "count/kernel.h"
#include "count/probe.h"
#include "machine/machine.h"
#include "plan/counters.h"
#include "plan/load.h"
#include "run/internal.h"

/* perf's events for a run without -e, -M and --topdown; add_default() adds metrics. */
static const char *const default_events[] = {
	"context-switches",	   "cpu-migrations",	     "page-faults",  "cycles",
	"stalled-cycles-frontend", "stalled-cycles-backend", "instructions", "branches",
	"branch-misses",
};

/* Facts about metrics that could not be planned. */
struct doubt {
	bool exist;    /* metrics with the given names exist */
	bool lack_pmu; /* an event of these metrics belongs to a PMU that this machine lacks */
};

static struct doubt look_closer(const struct run *run, const char *names)
{
	auto_free(metric_list) list = METRIC_LIST_INIT;
	struct doubt doubt = {
		.exist = !metrics__select(&run->metrics, names, false, &list, NULL),
	};
	auto_free(sb) why = SB_INIT;

	for (int i = 0; doubt.exist && i < list.nr && !why.len; i++)
		for (int j = 0; j < list.at[i]->nr_ids && !why.len; j++)
			events__describe_absence(&run->events, list.at[i]->ids[j], &why);
	doubt.lack_pmu = why.len;
	return doubt;
}

static int add_metrics(struct run *run, const char *names, bool topdown, struct err *err)
{
	const struct request *req = run->req;
	const struct plan_options opts = {
		.grouping = req->grouping,
		.no_group = req->no_group || req->by_bpf,
		.no_merge = req->no_merge,
		.perfs_thresholds = req->perf || req->no_threshold,
		.topdown = topdown,
		.least_shared = req->compat7,
		.with_cycles = run_sites__are_wanted(req),
	};

	return plan__add_metrics(run->plan, &run->metrics, &run->events, &opts, names, err);
}

/* Add the metrics of -M. */
static int add_named(struct run *run, const char *names, struct err *err)
{
	const struct host *host = run->host;
	char what[128], example[192];
	struct doubt doubt;
	int rc = add_metrics(run, names, false, err);

	if (!rc)
		return 0;
	doubt = look_closer(run, names);
	if (rc == -ENOENT && run->req->perf && doubt.exist)
		err__append(err, "\nCannot resolve IDs for %s", names);
	if (machine__nr_core_pmus(host->machine) || (host->tables && !doubt.lack_pmu))
		return rc;
	/*
	 * With perf's wording, scripts distinguish a metric that a machine lacks from an unknown
	 * one.
	 */
	if (run->req->perf)
		return err__set(err, ENODEV, "Cannot resolve IDs for %s: there is no core PMU here",
				names);
	snprintf(what, sizeof(what), "-M %s", names);
	snprintf(example, sizeof(example), "alderlake stat -a -M %s", names);
	return host__no_pmu(what, example, err);
}

/*
 * Whether a run has a default event: as in perf, stalled cycles are left out if sysfs does not name
 * them.
 */
static bool has_default(const struct host *host, const char *event)
{
	struct pmu *core = machine__core_pmu(host->machine, 0);

	return strncmp(event, "stalled-", strlen("stalled-")) ||
	       (core && pmu__has_event(core, event));
}

/*
 * perf's metric groups for a run without -e since Linux 6.19: the first, and a further one for each
 * -d.
 */
static const char *const default_groups[] = {"Default", "Default2", "Default3", "Default4"};

static int add_default_groups(struct run *run)
{
	const struct plan_options opts = {
		.default_run = true,
		.with_counts = true,
		.perfs_thresholds = run->req->perf,
	};
	int first = run->plan->events.nr;

	for (int i = 0; i <= run->req->detailed && i < array__nr(default_groups); i++)
		plan__add_metrics(run->plan, &run->metrics, &run->events, &opts, default_groups[i],
				  NULL);
	plan__arrange_default(run->plan, first);
	return 0;
}

/* Add perf's default events, and the metrics of the group Default if the tables have it. */
static int add_default(struct run *run, struct err *err)
{
	const struct plan_options opts = {.default_run = true, .perfs_thresholds = run->req->perf};
	const struct host *host = run->host;
	auto_free(sb) text = SB_INIT;
	int rc;

	if (run->req->compat7)
		return add_default_groups(run);
	sb__puts(&text, target__per_cpu(&run->target) ? "cpu-clock" : "task-clock");
	for (int i = 0; i < array__nr(default_events); i++)
		if (has_default(host, default_events[i]))
			sb__printf(&text, ",%s", default_events[i]);
	rc = events__parse(&run->events, text.buf, &run->plan->events, err);
	if (!rc && host->tables && machine__nr_core_pmus(host->machine))
		plan__add_metrics(run->plan, &run->metrics, &run->events, &opts, "Default", NULL);
	return rc;
}

/* Each -d adds one further line. */
static const char *const detailed_events[] = {
	"L1-dcache-loads,L1-dcache-load-misses,LLC-loads,LLC-load-misses",
	("L1-icache-loads,L1-icache-load-misses,"
	 "dTLB-loads,dTLB-load-misses,iTLB-loads,iTLB-load-misses"),
	"L1-dcache-prefetches,L1-dcache-prefetch-misses",
};

static int add_detailed(struct run *run, struct err *err)
{
	int rc = 0;

	for (int i = 0; !rc && i < run->req->detailed && i < array__nr(detailed_events); i++)
		rc = events__parse(&run->events, detailed_events[i], &run->plan->events, err);
	return rc;
}

/* Apply --all-user and --all-kernel, which override the modifiers of events. */
static void limit_modes(const struct request *req, struct event_list *list)
{
	for (int i = 0; (req->all_user || req->all_kernel) && i < list->nr; i++) {
		list->at[i]->attr.exclude_kernel = req->all_user;
		list->at[i]->attr.exclude_user = req->all_kernel;
	}
}

/* Set the filter of --filter on all tracepoints of the preceding -e. */
static int set_filter(struct run *run, int first, const char *filter, struct err *err)
{
	for (int i = first; i < run->plan->events.nr; i++) {
		struct event *e = run->plan->events.at[i];
		int rc;

		if (e->attr.type != PERF_TYPE_TRACEPOINT)
			return err__set(err, EINVAL,
					"--filter '%s': %s is not a tracepoint; only tracepoints "
					"take a filter",
					filter, e->name);
		rc = machine__check_filter(run->host->machine, e->tracepoint, filter, err);
		if (rc)
			return rc;
		free(e->filter);
		e->filter = xstrdup(filter);
	}
	return 0;
}

/* Whether an event may become an instance of an event of another core type with the same name. */
static bool can_merge(const struct event *e)
{
	return e->bare && !e->from_metric && e->first == e && e->pmu && e->pmu->is_core;
}

/* With --hybrid-merge, make events of all core types with the same name instances of the first. */
static void merge_core_types(struct event_list *list)
{
	for (int i = 0; i < list->nr; i++) {
		struct event *first = list->at[i];

		for (int j = i + 1; can_merge(first) && j < list->nr; j++) {
			struct event *e = list->at[j];

			if (!can_merge(e) || e->pmu == first->pmu || e->cgroup != first->cgroup ||
			    strcmp(e->bare, first->bare))
				continue;
			e->merge = first->merge = true;
			e->first = first;
			event__set_text(&e->name, e->bare);
			event__set_text(&first->name, first->bare);
		}
	}
}

static int choose_cgroups(struct run *run, struct err *err)
{
	const struct request *req = run->req;
	const char *option = req->cgroups_option ?: "--for-each-cgroup";
	struct machine *m = run->host->machine;
	int rc;

	if (req->cgroup_names) {
		rc = cgroups__open(m, "-G", req->cgroup_names, false, &run->cgroups, err);
		return rc ?: plan__set_cgroups(run->plan, &run->cgroups, err);
	}
	if (req->each_cgroup)
		rc = cgroups__open(m, option, req->each_cgroup, true, &run->cgroups, err);
	else
		rc = cgroups__open_named(m, option, req->cgroups, req->nr_cgroups, &run->cgroups,
					 err);
	if (!rc)
		plan__for_each_cgroup(run->plan, &run->cgroups);
	return rc;
}

/* Add the events of -e and --pfm-events. */
static int run_plan__add_events(struct run *run, struct err *err)
{
	const struct request *req = run->req;
	int rc = 0;

	for (int i = 0; i < req->nr_events; i++) {
		const struct request_event *event = &req->events[i];
		int first = run->plan->events.nr;

		rc = (event->pfm ? events__parse_pfm : events__parse)(&run->events, event->text,
								      &run->plan->events, err);
		if (!rc && event->filter)
			rc = set_filter(run, first, event->filter, err);
		if (rc)
			return rc;
	}
	events__join_topdown(&run->events, &run->plan->events);
	return 0;
}

/* Add the metrics of -M and --topdown. */
static int add_all_metrics(struct run *run, struct err *err)
{
	auto_free(sb) names = SB_INIT;
	int rc = 0;

	run_metrics__put_names(run, &names);
	if (names.len)
		rc = add_named(run, sb__str(&names), err);
	sb__clear(&names);
	if (!rc && run->topdown)
		rc = run_metrics__put_topdown(run, &names, err)
			     ?: add_metrics(run, sb__str(&names), true, err);
	if (!rc && run->req->along)
		rc = add_named(run, run->req->along, err);
	return rc;
}

/*
 * Add the metrics of rows of code: level 1 of the tree. Without a tree, rows only have shares of
 * time.
 */
static int add_default_of_sites(struct run *run, struct err *err)
{
	const char *why = "";

	if (run->req->aggr == AGGR_LINE && machine__nr_core_pmus(run->host->machine))
		return events__parse(&run->events, "cycles:P", &run->plan->events, err);
	if (host__levels(run->host, NULL, &why)) {
		run->topdown = run->report.topdown = true;
		return 0;
	}
	tell(run, SITES, NULL, "no TopDown here, since %s: rows only have shares of the time", why);
	return events__parse(&run->events, "cpu-clock", &run->plan->events, err);
}

static bool asks_nothing(const struct run *run)
{
	return !run->req->nr_events && !*run->names && !run->topdown && !run->req->null;
}

static int add_all(struct run *run, struct err *err)
{
	const struct request *req = run->req;
	int rc = 0;

	if (run_sites__are_wanted(req) && asks_nothing(run))
		rc = add_default_of_sites(run, err);
	rc = rc ?: run_plan__add_events(run, err) ?: add_all_metrics(run, err);
	if (!rc && req->iostat)
		return run_iostat__add(run, err) ?: plan__finish(run->plan, err);
	if (rc || req->null)
		return rc ?: plan__finish(run->plan, err);
	run->report.default_events = !req->nr_events && !*run->names &&
								 !run->topdown &&
				     !run_sites__are_wanted(req);
	if (run->report.default_events)
		rc = add_default(run, err);
	if (!rc && !req->compat7)
		rc = add_detailed(run, err);
	limit_modes(req, &run->plan->events);
	if (!rc && req->hybrid_merge)
		merge_core_types(&run->plan->events);
	if (!rc && (req->cgroup_names || req->each_cgroup || req->nr_cgroups))
		rc = choose_cgroups(run, err);
	return rc ?: plan__finish(run->plan, err);
}

static int check_tpebs(const struct run *run, struct err *err)
{
	const struct host *host = run->host;

	/* Scripts written for perf give --record-tpebs on any machine. */
	if (machine__samples_latencies(host->machine) || run->req->perf)
		return 0;
	if (!machine__nr_core_pmus(host->machine))
		return host__no_pmu("--record-tpebs",
				    "graniterapids stat -a --record-tpebs -M tma_l3_hit_latency",
				    err);
	return err__set(err, ENODEV,
			"--record-tpebs: this CPU (%s) does not measure retire latencies\n"
			"Intel's CPUs do since Granite Rapids, Sierra Forest and Meteor Lake. "
			"Without the option, latencies from the tables are used, if they have any",
			host->machine->cpuid);
}

/*
 * Choose the latencies that are sampled: events of the user if possible, events of metrics on
 * request.
 */
static void choose_sampled(struct run *run)
{
	const struct request *req = run->req;
	struct plan *plan = run->plan;
	int nr = 0, sampled = 0;

	for (int i = 0; i < plan->events.nr; i++) {
		struct event *e = plan->events.at[i];

		if (!e->retire_latency)
			continue;
		e->sampled = e->pmu && pmu__samples_latencies(e->pmu) &&
			     (!e->from_metric || req->record_tpebs);
		nr++;
		sampled += e->sampled;
	}
	if (req->record_tpebs && !nr)
		sb__puts(&plan->warnings, "--record-tpebs: no retire latency (EVENT:R) is counted, "
					  "so nothing is sampled\n");
	else if (!sampled && (req->latency.frequency || req->latency.period))
		sb__puts(&plan->warnings,
			 "--tpebs-frequency and --tpebs-period control sampling, and nothing is "
			 "sampled: add --record-tpebs for metrics\n");
	else if (!nr && req->latency_mode_given)
		sb__puts(&plan->warnings, "--tpebs-mode: no retire latency (EVENT:R) is counted\n");
}

/* Whether everything on the CPUs is counted, not only some tasks or cgroups. */
static bool counts_all(const struct request *req)
{
	return (req->target.system_wide || req->cpu_text) && !target__has_tasks(&req->target) &&
	       !req->each_cgroup && !req->nr_cgroups;
}

/* Return: the text between "Performance counter stats for" and the colon. */
static char *run_plan__heading(const struct run *run)
{
	const struct target *t = &run->target;
	const struct request *req = run->req;
	struct sb sb = SB_INIT;

	if (req->bpf_text) {
		sb__printf(&sb, "'BPF program(s) %s'", req->bpf_text);
	} else if (t->system_wide) {
		sb__puts(&sb, "'system wide'");
	} else if (req->cpu_text) {
		sb__printf(&sb, "'CPU(s) %s'", req->cpu_text);
	} else if (target__names_tasks(t)) {
		sb__printf(&sb, "%s id '%s'", t->pids ? "process" : "thread",
			   t->pids ? t->pids : t->tids);
	} else {
		for (char *const *arg = t->argv; *arg; arg++)
			sb__printf(&sb, "%s%s", arg == t->argv ? "'" : " ", *arg);
		sb__putc(&sb, '\'');
	}
	if (req->repeat > 1)
		sb__printf(&sb, " (%d runs)", (int)req->repeat);
	if (run->report.nr_passes)
		sb__printf(&sb, " (%d pass%s)", run->report.nr_passes,
			   run->report.nr_passes > 1 ? "es" : "");
	return sb__detach(&sb);
}

/* --- Which counters groups may be made for: existing ones that are not held by others -------- */

/* Return: the first CPU that is counted; -1 for tasks. */
static int where_to_try(const struct request *req, const struct pmu *pmu)
{
	if (!req->target.system_wide && !req->cpu_text)
		return -1;
	for (int i = 0; i < pmu->cpus.nr; i++)
		if (!req->cpu_text || cpulist__has(&req->target.cpus, pmu->cpus.at[i]))
			return pmu->cpus.at[i];
	return -1;
}

static void try_pmu(struct run *run, struct pmu *pmu)
{
	int most;

	if (!host__try_counters(&run->events, pmu, where_to_try(run->req, pmu), &most))
		return;
	if (pmu->general < most)
		tell(run, COUNTERS, pmu->name, "%d of %d general counters are available",
		     pmu->general, most);
	if (pmu->held)
		tell(run, COUNTERS, pmu->name, "other users hold %d of %d general counters", pmu->held,
		     pmu->general);
}

/* Find the number of counters, if groups or sets are made for them, or a schedule is printed. */
static void find_counters(struct run *run)
{
	const struct request *req = run->req;
	bool packs = (*run->names || run->topdown) && req->grouping == PLAN_BY_COUNTERS;
	bool matters = packs || req->passes || req->rotate || !run->will_count;
	struct pmu *pmu;

	for (int i = 0; matters && (pmu = machine__core_pmu(run->host->machine, i)); i++)
		try_pmu(run, pmu);
}

/* --- The plan ------------------------------------------------------------------------------ */

/*
 * (metrics_scope.lacks_event) Whether an event counts all threads of a core, for which the user
 * lacks the rights.
 */
static bool is_any_thread(void *arg, const char *id)
{
	const struct events_scope *scope = arg;
	auto_free(event_list) list = EVENT_LIST_INIT;

	return !events__parse_id(scope, id, NULL, &list, NULL) && list.nr &&
	       event__is_any_thread(list.at[0]);
}

/*
 * (metrics_scope.has_event) Whether the kernel counts an event. Formulas ask this, not whether the
 * name is known.
 */
static bool is_counted_here(void *arg, const char *id)
{
	const struct events_scope *scope = arg;
	auto_free(event_list) list = EVENT_LIST_INIT;

	if (events__parse_id(scope, id, NULL, &list, NULL))
		return false;
	for (int i = 0; i < list.nr; i++)
		if (!probe__lacks(&count_kernel__linux, list.at[i]))
			return true;
	return false;
}

/* For tasks, let formulas avoid events that need rights on whole CPUs, if the user lacks them. */
static void find_rights(struct run *run)
{
	const struct request *req = run->req;
	struct pmu *pmu = machine__core_pmu(run->host->machine, 0);

	bool metrics = *run->names || run->topdown || !req->nr_events;

	if (pmu && metrics && run->host->machine->paranoid > 0 && !target__per_cpu(&run->target) &&
	    probe__denies_any_thread(&count_kernel__linux, pmu))
		run->metrics.lacks_event = is_any_thread;
}

static int set_scopes(struct run *run, struct err *err)
{
	const struct request *req = run->req;
	/* Slots of whole cores cover both threads, which may run different functions. */
	bool all = counts_all(req) && !run_sites__are_wanted(req);
	const char *pmu = NULL;
	int rc = 0;

	if (req->cputype)
		rc = host__find_core_type(run->host, req->cputype, &pmu, err);
	if (!rc && req->pmu_filter && !machine__pmu(run->host->machine, req->pmu_filter))
		rc = err__set(
			err, ENOENT,
			"--pmu-filter %s: this computer has no PMU of that name ('tma list pmu' "
			"shows its events)",
			req->pmu_filter);
	if (rc)
		return rc;
	if (req->pmu_filter)
		pmu = req->pmu_filter;
	run->events = host__events_scope(run->host, pmu);
	run->events.filters_cores = !req->pmu_filter;
	run->events.joins_pmus = req->joins_pmus;
	run->events.names_modes = req->compat7;
	run->count.scope = &run->events;
	run->metrics = host__metrics_scope(run->host, &run->events);
	run->metrics.system_wide = all;
	run->metrics.has_event = is_counted_here;
	run->metrics.target_cpu = target__per_cpu(&run->target);
	run->count.facts = &run->metrics;
	run->metrics.user_cpus = req->cpu_text ? &req->target.cpus : NULL;
	run->metrics.no_threshold = req->no_threshold;
	run->metrics.no_floor = run_sites__are_wanted(req);
	run->plan = plan__new(&run->metrics);
	run->plan->wholes = req->wants & WANT_SLOTS;
	return req->record_tpebs ? check_tpebs(run, err) : 0;
}

/* Whether events of metrics will be multiplexed, as far as known before counting. */
static bool takes_turns(const struct run *run)
{
	const struct machine *machine = run->host->machine;
	const struct event_list *list = &run->plan->events;

	for (int i = 0; run->plan->nr_metrics && i < machine__nr_core_pmus(machine); i++) {
		const struct pmu *pmu = machine__core_pmu(machine, i);
		struct load load = load__of(list, pmu);
		enum load_fit fit = load__fit(run->host->tables, list, pmu);

		if (load.groups + load.alone > 1 && fit != LOAD_FITS)
			return true;
	}
	return false;
}

/*
 * Drop estimates, and with them reads within rows, if no event is multiplexed. Also drop them for a
 * task on cores of several types: a counter does not show how long the other counters of its type
 * were enabled.
 */
static void settle_estimates(struct run *run)
{
	bool changes_type = !target__per_cpu(&run->target) &&
			    machine__is_hybrid(run->host->machine);

	if (run->report.estimate == ESTIMATE_TIME || (takes_turns(run) && !changes_type))
		return;
	if (run->req->estimate_given && changes_type)
		tell(run, UNWHOLE, NULL,
		     "--estimate=%s is not used: counts of a task on cores of several types are "
		     "scaled by time",
		     estimate__name(run->req->estimate));
	run->report.estimate = ESTIMATE_TIME;
	if (!run->report.turns)
		run->count.slices.step_ns = 0;
}

int run_plan__make(struct run *run, struct err *err)
{
	const struct request *req = run->req;
	int rc = set_scopes(run, err);

	if (rc)
		return rc;
	find_counters(run);
	find_rights(run);
	rc = add_all(run, err);
	if (rc)
		return rc;
	choose_sampled(run);
	rc = settle__target(run, err) ?: run_bpf__choose(run, err)
	     ?: run_metrics__check_verdict(run, err);
	if (!rc && (req->passes || req->rotate))
		run_sets__use(run);
	if (rc)
		return rc;
	settle_estimates(run);
	if (run_sites__are_wanted(req) && run->will_count && !req->input)
		run_sites__begin(run);
	run->about.head = run->head = run_plan__heading(run);
	return 0;
}
