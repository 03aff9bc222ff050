// SPDX-License-Identifier: GPL-2.0-only
/* From the options of "tma stat" to what is counted and computed. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/err.h"
#include "cmd.h"
#include "machine/machine.h"
#include "stat.h"

/* perf's choice for a run without -e, -M and --topdown; see add_default_events() for the rest. */
static const char *const default_events[] = {
	"context-switches", "cpu-migrations", "page-faults", "cycles",
	"stalled-cycles-frontend", "stalled-cycles-backend", "instructions", "branches",
	"branch-misses",
};

/* "core" and "atom" as perf has them; any core PMU's own name too. */
static int find_cputype(struct host *host, const char *text, const char **pmu, struct err *err)
{
	struct sb known = SB_INIT;
	int rc;

	for (int i = 0; i < machine__nr_core_pmus(host->machine); i++) {
		const char *name = machine__core_pmu(host->machine, i)->name;

		if (!strcmp(name, text) ||
		    (!strncmp(name, "cpu_", 4) && !strcmp(name + 4, text))) {
			*pmu = name;
			return 0;
		}
		sb__printf(&known, "%s%s", i ? ", " : "", name);
	}
	rc = err__set(err, EINVAL, "--cputype %s: no such core PMU here (there is: %s)", text,
		      known.len ? known.buf : "none");
	sb__free(&known);
	return rc;
}

static int check_topdown(struct stat_options *o, struct host *host, const char *pmu,
			 struct err *err)
{
	int max;

	if (!machine__nr_core_pmus(host->machine))
		return host__no_pmu("--topdown", "stat -a --topdown -I1000", err);
	if (!host->tables)
		return err__set(err, ENOENT,
				"--topdown: there are no metrics for this CPU (%s); events still count",
				host->machine->cpuid);
	max = metrics__topdown_max_level(host->tables, pmu);
	if (!max)
		return err__set(err, ENOENT, "--topdown: the tables of this CPU (%s, %s) have no "
				"TopDown metrics; 'tma list metricgroup' shows what they have",
				host->machine->cpuid, tables__model(host->tables));
	if (o->td_level > (uint64_t)max)
		return err__set(err, EINVAL, "--td-level %d: the deepest level of this CPU (%s) is %d",
				(int)o->td_level, tables__model(host->tables), max);
	return 0;
}

static int add_topdown(struct stat_options *o, struct host *host, struct plan *plan,
		       const struct metrics_scope *metrics, const struct events_scope *events,
		       struct err *err)
{
	struct metrics_scope scope = *metrics;
	char group[32];
	int rc;

	rc = check_topdown(o, host, events->pmu_filter, err);
	if (rc)
		return rc;
	snprintf(group, sizeof(group), "TopdownL%d", o->td_level ? (int)o->td_level : 1);
	scope.no_threshold = true;
	if (!o->no_metric_only)
		o->report.metric_only = true;
	return plan__add_metrics(plan, &scope, events, &o->plan, group, err);
}

static int add_metrics(struct stat_options *o, struct host *host, struct plan *plan,
		       const struct metrics_scope *metrics, const struct events_scope *events,
		       struct err *err)
{
	int rc = plan__add_metrics(plan, metrics, events, &o->plan, sb__str(&o->metrics), err);

	if (rc && !machine__nr_core_pmus(host->machine)) {
		char what[128], example[192];

		snprintf(what, sizeof(what), "-M %s", sb__str(&o->metrics));
		snprintf(example, sizeof(example), "stat -a -M %s", sb__str(&o->metrics));
		return host__no_pmu(what, example, err);
	}
	return rc;
}

/* perf leaves the stalled cycles out where sysfs does not name them. */
static bool has_default(struct host *host, const char *event)
{
	struct pmu *core = machine__core_pmu(host->machine, 0);

	return strncmp(event, "stalled-", strlen("stalled-")) ||
	       (core && pmu__event(core, event));
}

static int add_default_events(struct stat_options *o, struct host *host, struct plan *plan,
			      const struct events_scope *events, struct err *err)
{
	struct sb text = SB_INIT;
	int rc;

	sb__puts(&text, target__per_cpu(&o->target) ? "cpu-clock" : "task-clock");
	for (size_t i = 0; i < sizeof(default_events) / sizeof(*default_events); i++)
		if (has_default(host, default_events[i]))
			sb__printf(&text, ",%s", default_events[i]);
	rc = text.err ? err__set(err, ENOMEM, "out of memory") :
			plan__add_events(plan, events, text.buf, err);
	sb__free(&text);
	return rc;
}

int stat_plan(struct stat_options *o, struct host *host, struct plan **out, struct err *err)
{
	struct events_scope events;
	struct metrics_scope metrics;
	const char *pmu = NULL;
	struct plan *plan;
	int rc = 0;

	if (o->cputype)
		rc = find_cputype(host, o->cputype, &pmu, err);
	if (rc)
		return rc;
	events = host__events_scope(host, pmu);
	metrics = host__metrics_scope(host, &events);
	metrics.system_wide = o->target.system_wide;
	metrics.user_cpus = o->cpu_text ? &o->target.cpus : NULL;
	metrics.no_threshold = o->no_threshold;

	plan = plan__new(&metrics);
	if (!plan)
		return err__set(err, ENOMEM, "out of memory");
	for (int i = 0; !rc && i < o->events.nr; i++)
		rc = plan__add_events(plan, &events, o->events.at[i], err);
	if (!rc && o->metrics.len)
		rc = add_metrics(o, host, plan, &metrics, &events, err);
	if (!rc && o->topdown)
		rc = add_topdown(o, host, plan, &metrics, &events, err);
	if (!rc && !o->events.nr && !o->metrics.len && !o->topdown)
		rc = add_default_events(o, host, plan, &events, err);
	if (!rc)
		rc = plan__finish(plan, err);
	if (rc) {
		plan__free(plan);
		return rc;
	}
	*out = plan;
	return 0;
}
