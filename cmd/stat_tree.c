// SPDX-License-Identifier: GPL-2.0-only
/* Which metrics: those of -M, what of the TopDown tree --verdict needs besides, and --topdown. */
#include <errno.h>
#include <string.h>

#include "base/err.h"
#include "machine/machine.h"
#include "metrics/expr.h"
#include "stat.h"

/* --- What --verdict needs ----------------------------------------------- */

static bool is_named(const struct metric_list *list, const struct metric *of, const char *name)
{
	for (int i = 0; i < list->nr; i++) {
		const struct metric *m = list->at[i];

		if (!strcasecmp(m->info.name, name) && !strcmp(m->info.pmu, of->info.pmu) &&
		    (m->modifier ? of->modifier && !strcmp(m->modifier, of->modifier)
				 : !of->modifier))
			return true;
	}
	return false;
}

static void add_name(const struct metric_list *list, const struct metric *of, const char *name,
		     struct sb *more)
{
	if (is_named(list, of, name))
		return;
	sb__printf(more, ",%s", name);
	if (of->modifier)
		sb__printf(more, ":%s", of->modifier);
}

/* The metrics that one of the tree is a part of, and those that its threshold compares. */
static void add_needed(const struct metrics_scope *scope, const struct metric_list *list,
		       const struct metric *m, struct sb *more)
{
	const struct expr *e = m->threshold;
	struct metric_info parent;

	if (!metrics__topdown_level(&m->info))
		return;
	if (metrics__topdown_parent(scope->tables, &m->info, &parent))
		add_name(list, m, parent.name, more);
	for (int i = 0; e && i < e->nr; i++)
		if (e->at[i].op == EXPR_ID &&
		    tables__find_metric(scope->tables, m->info.pmu, e->at[i].id) >= 0)
			add_name(list, m, e->at[i].id, more);
}

static void add_parents(const struct metrics_scope *scope, struct sb *names)
{
	struct metric_list list = METRIC_LIST_INIT;
	struct sb more = SB_INIT;
	int from = 0;

	/* What cannot be selected is told of by whoever does. */
	if (metrics__select(scope, sb__str(names), false, &list, NULL))
		list.nr = 0;
	/* Those that are added need others in turn. */
	while (from < list.nr) {
		sb__clear(&more);
		for (; from < list.nr; from++)
			add_needed(scope, &list, list.at[from], &more);
		if (more.len && !metrics__select(scope, more.buf + 1, false, &list, NULL))
			sb__puts(names, more.buf);
	}
	metric_list__free(&list);
	sb__free(&more);
}

/* --- --topdown ---------------------------------------------------------- */

static int no_topdown(const struct stat_run *run, const char *cpu, struct err *err)
{
	const struct host *host = &run->host;
	const char *cpuid = host->machine->cpuid;

	if (run->o->verb == STAT_REPORT)
		return err__set(err, ENOENT, "--topdown: there are no TopDown metrics for %s", cpu);
	if (!machine__nr_core_pmus(host->machine))
		return host__no_pmu("--topdown", "alderlake stat -a --topdown -I1000", err);
	if (!host->tables)
		return err__set(err, ENOENT,
				"--topdown: there are no metrics for this CPU (%s); events still count",
				cpuid);
	return err__set(err, ENOENT, "--topdown: the tables of this CPU (%s, %s) have no TopDown "
			"metrics; 'tma list metricgroup' shows what they have", cpuid,
			tables__model(host->tables));
}

/* What messages call the CPU. */
static void name_cpu(const struct stat_run *run, char *name, size_t size)
{
	const char *cpuid = run->host.machine->cpuid;

	if (run->o->verb == STAT_REPORT)
		snprintf(name, size, "CPU %s", *cpuid ? cpuid : "(unknown)");
	else if (run->host.tables)
		snprintf(name, size, "this CPU (%s)", tables__model(run->host.tables));
}

/* The metric groups of --topdown and --td-level. */
static int name_levels(const struct stat_run *run, struct sb *names, struct err *err)
{
	const struct stat_options *o = run->o;
	const char *prefix = "";
	uint64_t level = o->td_level ? o->td_level : 1;
	char cpu[128] = "";
	int max = 0;

	name_cpu(run, cpu, sizeof(cpu));
	if (run->host.tables)
		max = metrics__topdown_levels(run->host.tables, run->events.pmu_filter, &prefix);
	if (!max || (o->verb != STAT_REPORT && !machine__nr_core_pmus(run->host.machine)))
		return no_topdown(run, cpu, err);
	if (level == TD_LEVEL_MAX)
		level = max;
	if (level > (uint64_t)max)
		return err__set(err, EINVAL, "--td-level %d: the deepest level of %s is %d",
				(int)level, cpu, max);
	/* For a verdict, the way there too. */
	for (uint64_t i = o->report.verdict ? 1 : level; i < level; i++)
		sb__printf(names, "%s%d,", prefix, (int)i);
	sb__printf(names, "%s%d", prefix, (int)level);
	return 0;
}

int stat_tree__add_metrics(const struct stat_run *run, stat_add_metrics add, void *arg,
			   struct err *err)
{
	const struct stat_options *o = run->o;
	struct sb names = SB_INIT;
	int rc = 0;

	sb__puts(&names, sb__str(&o->metrics));
	if (o->report.verdict && names.len && run->metrics.tables)
		add_parents(&run->metrics, &names);
	if (names.len)
		rc = add(arg, sb__str(&names), false, err);
	sb__clear(&names);
	if (!rc && o->topdown)
		rc = name_levels(run, &names, err) ?: add(arg, sb__str(&names), true, err);
	sb__free(&names);
	return rc;
}

int stat_tree__check(const struct plan *plan, struct err *err)
{
	for (int i = 0; i < plan->nr_metrics; i++)
		if (metrics__topdown_level(&plan->metrics[i].metric->info))
			return 0;
	return err__set(err, EINVAL, "--verdict: nothing that is counted is a metric of the "
			"TopDown tree: add --topdown, or -M and a part of it");
}
