// SPDX-License-Identifier: GPL-2.0-only
/* From the options of "tma stat" to what is counted and computed. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "cmd.h"
#include "machine/machine.h"
#include "plan/schedule.h"
#include "stat.h"

/* perf's choice for a run without -e, -M and --topdown; see add_default_events() for the rest. */
static const char *const default_events[] = {
	"context-switches", "cpu-migrations", "page-faults", "cycles",
	"stalled-cycles-frontend", "stalled-cycles-backend", "instructions", "branches",
	"branch-misses",
};

static int add_topdown(struct stat_options *o, struct host *host, const struct stat_scope *scope,
		       struct plan *plan, struct err *err)
{
	const char *cpuid = host->machine->cpuid;
	struct sb group = SB_INIT;
	char cpu[128];
	int rc;

	if (!machine__nr_core_pmus(host->machine))
		return host__no_pmu("--topdown", "alderlake stat -a --topdown -I1000", err);
	if (!host->tables)
		return err__set(err, ENOENT,
				"--topdown: there are no metrics for this CPU (%s); events still count",
				cpuid);
	snprintf(cpu, sizeof(cpu), "this CPU (%s)", tables__model(host->tables));
	rc = stat_topdown__group(o, host->tables, scope->events.pmu_filter, cpu, &group, err);
	if (!rc)
		rc = err__set(err, ENOENT, "--topdown: the tables of this CPU (%s, %s) have no "
			      "TopDown metrics; 'tma list metricgroup' shows what they have",
			      cpuid, tables__model(host->tables));
	if (rc > 0) {
		o->report.metric_only |= !o->no_metric_only;
		rc = plan__add_metrics(plan, &scope->metrics, &scope->events, &o->plan,
				       sb__str(&group), err);
	}
	sb__free(&group);
	return rc;
}

static bool metrics_exist(const struct stat_scope *scope, const char *names)
{
	struct metric_list list = METRIC_LIST_INIT;
	int rc = metrics__select(&scope->metrics, names, false, &list, NULL);

	metric_list__free(&list);
	return !rc;
}

/* Whether one of the metrics' events is known to be of a PMU that is not there. */
static bool lack_pmu(const struct stat_scope *scope, const char *names)
{
	struct metric_list list = METRIC_LIST_INIT;
	struct sb why = SB_INIT;
	bool lack;

	if (metrics__select(&scope->metrics, names, false, &list, NULL))
		return false;
	for (int i = 0; i < list.nr && !why.len; i++)
		for (int j = 0; j < list.at[i]->nr_ids && !why.len; j++)
			events__absence(&scope->events, list.at[i]->ids[j], &why);
	lack = why.len;
	metric_list__free(&list);
	sb__free(&why);
	return lack;
}

static int add_metrics(struct stat_options *o, struct host *host, const struct stat_scope *scope,
		       struct plan *plan, struct err *err)
{
	struct plan_options opts = o->plan;
	const char *names = sb__str(&o->metrics);
	char what[128], example[192];
	int rc;

	opts.topdown = false;
	rc = plan__add_metrics(plan, &scope->metrics, &scope->events, &opts, names, err);
	if (rc == -ENOENT && as_perf() && metrics_exist(scope, names))
		err__append(err, "\nCannot resolve IDs for %s", names);
	if (!rc || machine__nr_core_pmus(host->machine) ||
	    (host->tables && !lack_pmu(scope, names)))
		return rc;
	/* perf's words: scripts tell a metric that a machine lacks from one that does not exist. */
	if (as_perf())
		return err__set(err, ENODEV, "Cannot resolve IDs for %s: there is no core PMU here",
				names);
	snprintf(what, sizeof(what), "-M %s", names);
	snprintf(example, sizeof(example), "alderlake stat -a -M %s", names);
	return host__no_pmu(what, example, err);
}

/* perf leaves the stalled cycles out where sysfs does not name them. */
static bool has_default(struct host *host, const char *event)
{
	struct pmu *core = machine__core_pmu(host->machine, 0);

	return strncmp(event, "stalled-", strlen("stalled-")) ||
	       (core && pmu__has_event(core, event));
}

static int add_default_events(struct stat_options *o, struct host *host,
			      const struct stat_scope *scope, struct plan *plan, struct err *err)
{
	struct sb text = SB_INIT;
	int rc;

	sb__puts(&text, target__per_cpu(&o->target) ? "cpu-clock" : "task-clock");
	for (size_t i = 0; i < sizeof(default_events) / sizeof(*default_events); i++)
		if (has_default(host, default_events[i]))
			sb__printf(&text, ",%s", default_events[i]);
	rc = text.err ? err__set(err, ENOMEM, "out of memory") :
			plan__add_events(plan, &scope->events, text.buf, err);
	sb__free(&text);
	return rc;
}

/* The metrics of the group Default go along where the tables have it. */
static int add_default_metrics(struct host *host, const struct stat_scope *scope, struct plan *plan)
{
	const struct plan_options opts = { .default_run = true };
	int rc;

	if (!host->tables || !machine__nr_core_pmus(host->machine))
		return 0;
	rc = plan__add_metrics(plan, &scope->metrics, &scope->events, &opts, "Default", NULL);
	return rc == -ENOMEM ? rc : 0;
}

/* -d: each time given adds what stands in the next line. */
static const char *const detailed_events[] = {
	"L1-dcache-loads,L1-dcache-load-misses,LLC-loads,LLC-load-misses",
	("L1-icache-loads,L1-icache-load-misses,"
	"dTLB-loads,dTLB-load-misses,iTLB-loads,iTLB-load-misses"),
	"L1-dcache-prefetches,L1-dcache-prefetch-misses",
};
#define NR_DETAILED ((int)(sizeof(detailed_events) / sizeof(*detailed_events)))

static int add_detailed(const struct stat_options *o, const struct stat_scope *scope,
			struct plan *plan, struct err *err)
{
	int rc = 0;

	for (int i = 0; !rc && i < o->detailed && i < NR_DETAILED; i++)
		rc = plan__add_events(plan, &scope->events, detailed_events[i], err);
	return rc;
}

/* --all-user and --all-kernel: whatever the events' own modifiers say. */
static void limit_modes(const struct stat_options *o, struct event_list *list)
{
	for (int i = 0; (o->all_user || o->all_kernel) && i < list->nr; i++) {
		list->at[i]->attr.exclude_kernel = o->all_user;
		list->at[i]->attr.exclude_user = o->all_kernel;
	}
}

/* --filter: for all tracepoints of the -e before it. */
static int set_filter(struct host *host, struct plan *plan, int first, const char *filter,
		      struct err *err)
{
	int rc = 0;

	for (int i = first; !rc && i < plan->events.nr; i++) {
		struct event *e = plan->events.at[i];

		if (e->attr.type != PERF_TYPE_TRACEPOINT)
			return err__set(err, EINVAL,
					"--filter '%s': %s is no tracepoint, and only tracepoints "
					"have a filter", filter, e->name);
		rc = machine__check_filter(host->machine, e->name, filter, err);
		free(e->filter);
		e->filter = rc ? NULL : strdup(filter);
		if (!rc && !e->filter)
			rc = err__set(err, ENOMEM, "out of memory");
	}
	return rc;
}

/* Whether one of a core type's events may become an instance of another's with its bare name. */
static bool can_merge(const struct event *e)
{
	return e->bare && !e->from_metric && e->first == e && e->pmu && e->pmu->is_core;
}

/* --hybrid-merge: the core types' events of one name become instances of the first. */
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

static int choose_cgroups(struct stat_options *o, struct host *host, struct plan *plan,
			  struct err *err)
{
	int rc = 0;

	if (o->each_cgroup) {
		rc = cgroups__match(host->machine, "--for-each-cgroup", o->each_cgroup, &o->cgroups,
				    err);
		return rc ? rc : plan__for_each_cgroup(plan, &o->cgroups, err);
	}
	if (o->cgroup_names.len) {
		rc = cgroups__open(host->machine, "-G", sb__str(&o->cgroup_names), &o->cgroups,
				   err);
		return rc ? rc : plan__set_cgroups(plan, &o->cgroups, err);
	}
	return 0;
}

static int add_all(struct stat_options *o, struct host *host, const struct stat_scope *scope,
		   struct plan *plan, struct err *err)
{
	int rc = 0;

	for (int i = 0; !rc && i < o->events.nr; i++) {
		int first = plan->events.nr;

		rc = plan__add_events(plan, &scope->events, o->events.at[i].text, err);
		if (!rc && o->events.at[i].filter)
			rc = set_filter(host, plan, first, o->events.at[i].filter, err);
	}
	if (!rc)
		rc = plan__join_events(plan, &scope->events, err);
	if (!rc && stat_verdict__add_parents(o, &scope->metrics, &o->metrics))
		rc = err__set(err, ENOMEM, "out of memory");
	if (!rc && o->metrics.len)
		rc = add_metrics(o, host, scope, plan, err);
	if (!rc && o->topdown)
		rc = add_topdown(o, host, scope, plan, err);
	if (!rc && o->null)
		return plan__finish(plan, err);
	if (!rc && !o->events.nr && !o->metrics.len && !o->topdown) {
		o->report.default_events = true;
		rc = add_default_events(o, host, scope, plan, err);
		if (!rc)
			rc = add_default_metrics(host, scope, plan);
	}
	if (!rc)
		rc = add_detailed(o, scope, plan, err);
	limit_modes(o, &plan->events);
	if (!rc && o->hybrid_merge)
		merge_core_types(&plan->events);
	if (!rc)
		rc = choose_cgroups(o, host, plan, err);
	return rc ? rc : plan__finish(plan, err);
}

static int check_tpebs(const struct host *host, struct err *err)
{
	/* Scripts that know perf ask for it wherever they are. */
	if (machine__samples_latencies(host->machine) || as_perf())
		return 0;
	if (!machine__nr_core_pmus(host->machine))
		return host__no_pmu("--record-tpebs",
				    "graniterapids stat -a --record-tpebs -M tma_l3_hit_latency",
				    err);
	return err__set(err, ENODEV,
			"--record-tpebs: this CPU (%s) does not measure retire latencies\n"
			"Intel's do since Granite Rapids, Sierra Forest and Meteor Lake. Leave the "
			"option out: the latencies of the tables are used where they have them",
			host->machine->cpuid);
}

/* Which latencies are measured: the user's own wherever they can be, metrics' when asked for. */
static void choose_sampled(const struct stat_options *o, struct plan *plan)
{
	int nr = 0, sampled = 0;

	for (int i = 0; i < plan->events.nr; i++) {
		struct event *e = plan->events.at[i];

		if (!e->retire_latency)
			continue;
		e->sampled = e->pmu && pmu__samples_latencies(e->pmu) &&
			     (!e->from_metric || o->record_tpebs);
		nr++;
		sampled += e->sampled;
	}
	if (o->record_tpebs && !nr)
		sb__puts(&plan->warnings, "--record-tpebs: nothing that is counted is a retire "
			 "latency (EVENT:R), so nothing is sampled\n");
	else if (!sampled && (o->count.latency.frequency || o->count.latency.period))
		sb__puts(&plan->warnings, "--tpebs-frequency and --tpebs-period are about sampling, and "
			 "nothing is sampled: --record-tpebs does it for metrics\n");
	else if (!nr && o->tpebs_mode)
		sb__puts(&plan->warnings, "--tpebs-mode: nothing that is counted is a retire latency "
			 "(EVENT:R)\n");
}

/* Events that cannot count a task count the machine while the command runs, as in perf. */
static bool needs_all_cpus(const struct event_list *list)
{
	for (int i = 0; i < list->nr; i++)
		if (!list->at[i]->requires_cpu && list->at[i]->tool != EVENT_DURATION_TIME)
			return false;
	return list->nr;
}

/* Whether all that runs on the CPUs counted on is counted. */
static bool counts_all(const struct stat_options *o)
{
	return (o->target.system_wide || o->cpu_text) && !target__has_tasks(&o->target) &&
	       !o->each_cgroup;
}

int stat_plan(struct stat_options *o, struct host *host, struct stat_scope *scope,
	      struct plan **out, struct err *err)
{
	const char *pmu = NULL;
	struct plan *plan;
	int rc = 0;

	if (o->cputype)
		rc = host__find_core_type(host, o->cputype, &pmu, err);
	if (rc)
		return rc;
	scope->events = host__events_scope(host, pmu);
	o->count.scope = &scope->events;
	scope->metrics = host__metrics_scope(host, &scope->events);
	scope->metrics.system_wide = counts_all(o);
	scope->metrics.user_cpus = o->cpu_text ? &o->target.cpus : NULL;
	scope->metrics.no_threshold = o->no_threshold;

	plan = plan__new(&scope->metrics);
	if (!plan)
		return err__set(err, ENOMEM, "out of memory");
	rc = o->record_tpebs ? check_tpebs(host, err) : 0;
	if (!rc) {
		stat_find_counters(o, host, scope);
		rc = add_all(o, host, scope, plan, err);
	}
	if (rc) {
		plan__free(plan);
		return rc;
	}
	if (o->target.argv && !o->target.pids && !o->target.tids && !o->cpu_text &&
	    needs_all_cpus(&plan->events))
		o->target.system_wide = true;
	choose_sampled(o, plan);
	*out = plan;
	return 0;
}

static void explain_group(const struct event_list *list, int first)
{
	const struct event *leader = list->at[first];

	for (int i = first; i < list->nr && list->at[i]->leader == leader; i++)
		fprintf(stderr, "%s%s", i == first ? "" : ", ", list->at[i]->name);
}

/* How far the groups are from the fewest, and which metrics are in several. */
static void explain_schedule(const struct plan *plan, const struct schedule *s)
{
	const char *separator = "in several groups, at different times: ";
	struct sb split = SB_INIT;

	for (int i = 0; i < s->nr_pmus; i++) {
		const struct schedule_pmu *p = &s->pmus[i];

		say("%s: %d group%s; %d would do%s", p->pmu->name, p->nr_turns,
		    p->nr_turns == 1 ? "" : "s", p->packed, p->proven ? ", and no fewer" : "");
		if (!p->proven)
			say("%s: at least %d are needed", p->pmu->name, p->lower_bound);
	}
	for (int i = 0; i < plan->nr_metrics; i++) {
		if (!plan->metrics[i].split)
			continue;
		sb__printf(&split, "%s%s", separator, plan->metrics[i].name);
		separator = ", ";
	}
	if (split.len)
		say("%s", split.buf);
	sb__free(&split);
}

int stat_explain(const struct host *host, const struct stat_scope *scope, const struct plan *plan,
		 struct err *err)
{
	const struct event_list *list = &plan->events;
	struct schedule *schedule;
	struct sb about = SB_INIT;
	char *rest, *line;
	int rc;

	host__describe(host, &about);
	for (rest = about.buf; (line = strsep(&rest, "\n"));)
		say("%s", line);
	sb__free(&about);
	say("%d events, %d metrics in %d operations", list->nr, plan->nr_metrics,
	    plan->program ? program__nodes(plan->program) : 0);
	for (int i = 0; i < list->nr; i++) {
		if (list->at[i]->leader != list->at[i])
			continue;
		fprintf(stderr, "  %s%s: ", list->at[i]->nr_members > 1 ? "group" : "event",
			list->at[i]->weak ? " (weak)" : "");
		explain_group(list, i);
		fputc('\n', stderr);
	}
	rc = schedule__new(plan, &scope->events, &schedule, err);
	if (rc)
		return rc;
	explain_schedule(plan, schedule);
	schedule__free(schedule);
	return 0;
}
