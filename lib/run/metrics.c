// SPDX-License-Identifier: GPL-2.0-only
/*
 * Find the metrics of a run: of -M, of --topdown, and metrics of the TopDown tree that --verdict
 * needs.
 */
#include <ctype.h>
#include <errno.h>
#include <string.h>

#include "base/auto.h"
#include "base/err.h"
#include "base/text.h"
#include "base/xalloc.h"
#include "machine/machine.h"
#include "metrics/expr.h"
#include "run/internal.h"

/* --- Metrics for --verdict ---------------------------------------------- */

static bool run_metrics__is_named(const struct metric_list *list, const struct metric *of,
				  const char *name)
{
	return vec__find(m, list,
			 !strcasecmp((*m)->info.name, name) &&
				 !strcmp((*m)->info.pmu, of->info.pmu) &&
				 text__same((*m)->modifier, of->modifier));
}

static void run_metrics__add_name(const struct metric_list *list, const struct metric *of,
				  const char *name, struct sb *more)
{
	if (run_metrics__is_named(list, of, name))
		return;
	sb__printf(more, ",%s", name);
	if (of->modifier)
		sb__printf(more, ":%s", of->modifier);
}

/* Add all metrics of the first level: the largest share is only known if all shares are. */
static void add_siblings(const struct metrics_scope *scope, const struct metric_list *list,
			 const struct metric *m, struct sb *more)
{
	struct metric_info other;

	for (int i = 0; i < tables__nr_metrics(scope->tables); i++) {
		tables__metric(scope->tables, i, &other);
		if (metrics__topdown_level(&other) == 1 &&
		    metrics__related(&m->info, METRIC_SIBLING, &other))
			run_metrics__add_name(list, m, other.name, more);
	}
}

/* Add the parent of a metric of the tree, and the metrics that its threshold compares. */
static void add_needed(const struct metrics_scope *scope, const struct metric_list *list,
		       const struct metric *m, struct sb *more)
{
	const struct expr *e = m->threshold;
	struct metric_info parent;

	if (!metrics__topdown_level(&m->info))
		return;
	if (metrics__topdown_level(&m->info) == 1)
		add_siblings(scope, list, m, more);
	if (metrics__topdown_parent(scope->tables, &m->info, &parent))
		run_metrics__add_name(list, m, parent.name, more);
	for (int i = 0; e && i < e->nr; i++)
		if (e->at[i].op == EXPR_ID &&
		    tables__find_metric(scope->tables, m->info.pmu, e->at[i].id) >= 0)
			run_metrics__add_name(list, m, e->at[i].id, more);
}

static void add_parents(const struct metrics_scope *scope, struct sb *names)
{
	auto_free(metric_list) list = METRIC_LIST_INIT;
	auto_free(sb) more = SB_INIT;
	int from = 0;

	/* Unknown names are reported when the plan is made. */
	if (metrics__select(scope, sb__str(names), false, &list, NULL))
		list.nr = 0;
	/* Added metrics may need further metrics. */
	while (from < list.nr) {
		sb__clear(&more);
		for (; from < list.nr; from++)
			add_needed(scope, &list, list.at[from], &more);
		if (more.len && !metrics__select(scope, more.buf + 1, false, &list, NULL))
			sb__puts(names, more.buf);
	}
}

void run_metrics__put_names(const struct run *run, struct sb *names)
{
	sb__puts(names, run->names);
	if (run->req->verdict && names->len && run->metrics.tables)
		add_parents(&run->metrics, names);
}

/* --- --topdown ---------------------------------------------------------- */

static int no_topdown(const struct run *run, const char *cpu, struct err *err)
{
	const struct host *host = run->host;
	const char *cpuid = host->machine->cpuid;
	auto_free(sb) family = SB_INIT;

	if (run->req->input)
		return err__set(err, ENOENT, "--topdown: no TopDown metrics for %s", cpu);
	if (!machine__nr_core_pmus(host->machine))
		return host__no_pmu("--topdown", "alderlake stat -a --topdown -I1000", err);
	if (!tables__name_cpu(host->tables)) {
		host__family(host, &family);
		return err__set(
			err, ENOENT,
			"--topdown: no metrics for this CPU (%s); events can still be counted%s",
			cpuid, sb__str(&family));
	}
	return err__set(err, ENOENT,
			"--topdown: the tables of this CPU (%s, %s) have no TopDown "
			"metrics; 'tma list metricgroup' shows what they have",
			cpuid, tables__model(host->tables));
}

/* Write the name of the CPU for messages. */
static void name_cpu(const struct run *run, char *name, size_t size)
{
	const char *cpuid = run->host->machine->cpuid;

	if (run->req->input)
		snprintf(name, size, "CPU %s", *cpuid ? cpuid : "(unknown)");
	else
		snprintf(name, size, "this CPU (%s)",
			 tables__name_cpu(run->host->tables) ? tables__model(run->host->tables)
							     : cpuid);
}

/*
 * Whether to count the levels above, too, and show a tree: for the deepest level, which means
 * little by itself, and if a table is too wide.
 */
static bool is_tree(const struct run *run, const char *prefix, int level)
{
	const struct request *req = run->req;

	return req->table_most && !req->input &&
	       (req->td_level == TD_LEVEL_MAX ||
		metrics__topdown_columns(run->host->tables, run->events.pmu_filter, prefix,
					 level) > req->table_most);
}

/*
 * Append the metrics of Intel's view of bottlenecks, which begin with @prefix. Skip such metrics of
 * E-cores: they are shares of cycles, and belong to another view without mispredictions. Return:
 * whether there are such metrics.
 */
static bool put_with_prefix(const struct tables *tables, const char *prefix, struct sb *names)
{
	struct metric_info info;
	size_t len = strlen(prefix), before = names->len;
	bool is_view = false;

	for (int i = 0; i < tables__nr_metrics(tables); i++) {
		tables__metric(tables, i, &info);
		if (!text__has_prefix(info.name, prefix) || strchr(info.name, '%'))
			continue;
		sb__printf(names, "%s%s", names->len > before ? "," : "", info.name);
		is_view |= !strcmp(info.name + len, "mispredictions");
	}
	if (!is_view)
		sb__truncate(names, before);
	return is_view;
}

/* Tables before TMA 5.0 use the second prefix; newer tables use it for other metrics. */
static int put_bottlenecks(const struct run *run, const char *cpu, struct sb *names,
			   struct err *err)
{
	const struct tables *tables = run->host->tables;

	if (tables && (put_with_prefix(tables, "tma_bottleneck_", names) ||
		       put_with_prefix(tables, "tma_info_bottleneck_", names)))
		return 0;
	return err__set(err, ENOENT,
			"--topdown=bottlenecks: the tables of %s have no such view; Intel's P-cores "
			"have it, from Skylake on",
			cpu);
}

int run_metrics__put_topdown(const struct run *run, struct sb *names, struct err *err)
{
	const struct request *req = run->req;
	const char *prefix = "";
	uint64_t level = req->td_level ? req->td_level : 1;
	char cpu[128] = "";
	bool above;
	int max = 0;

	name_cpu(run, cpu, sizeof(cpu));
	if (run->host->tables)
		max = metrics__topdown_levels(run->host->tables, run->events.pmu_filter, &prefix);
	if (!max || (!req->input && !machine__nr_core_pmus(run->host->machine)))
		return no_topdown(run, cpu, err);
	if (req->bottlenecks)
		return put_bottlenecks(run, cpu, names, err);
	if (level == TD_LEVEL_MAX)
		level = max;
	if (level > (uint64_t)max)
		return err__set(err, EINVAL, "--td-level %d: the deepest level of %s is %d",
				(int)level, cpu, max);
	above = req->verdict || req->levels_above || is_tree(run, prefix, level);
	/* A verdict or a tree also needs the levels above. */
	for (uint64_t i = above ? 1 : level; i < level; i++)
		sb__printf(names, "%s%d,", prefix, (int)i);
	sb__printf(names, "%s%d", prefix, (int)level);
	return 0;
}

int run_metrics__check_verdict(struct run *run, struct err *err)
{
	const struct plan *plan = run->plan;

	if (!run->report.verdict)
		return 0;
	for (int i = 0; i < plan->nr_metrics; i++)
		if (metrics__topdown_level(&plan->metrics[i].metric->info))
			return 0;
	run->report.verdict = run->req->verdict;
	if (!run->report.verdict)
		return 0;
	return err__set(err, EINVAL,
			"--verdict: no TopDown metric is counted: add --topdown, or -M with a "
			"metric of the tree");
}
