// SPDX-License-Identifier: GPL-2.0-only
/* --verdict: what must be measured for it, and where it is said. */
#include <errno.h>
#include <string.h>

#include "base/err.h"
#include "base/text.h"
#include "cmd.h"
#include "metrics/expr.h"
#include "stat.h"

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

int stat_verdict__add_parents(const struct stat_options *o, const struct metrics_scope *scope,
			      struct sb *names)
{
	struct metric_list list = METRIC_LIST_INIT;
	struct sb more = SB_INIT;
	int rc = 0, from = 0;

	if (!o->report.verdict || !names->len || !scope->tables)
		return 0;
	/* What cannot be selected is told of by whoever does. */
	if (metrics__select(scope, sb__str(names), false, &list, NULL))
		list.nr = 0;
	/* Those that are added need others in turn. */
	while (!rc && from < list.nr) {
		sb__clear(&more);
		for (; from < list.nr; from++)
			add_needed(scope, &list, list.at[from], &more);
		if (more.len && !metrics__select(scope, more.buf + 1, false, &list, NULL))
			sb__puts(names, more.buf);
		rc = more.err || names->err ? -ENOMEM : 0;
	}
	metric_list__free(&list);
	sb__free(&more);
	return rc;
}

int stat_verdict__check(const struct stat_options *o, const struct plan *plan, struct err *err)
{
	for (int i = 0; o->report.verdict && i < plan->nr_metrics; i++)
		if (metrics__topdown_level(&plan->metrics[i].metric->info))
			return 0;
	return o->report.verdict ?
		       err__set(err, EINVAL, "--verdict: nothing that is counted is a metric of the "
				"TopDown tree: add --topdown, or -M and a part of it") :
		       0;
}

int stat_verdict__print(const struct stat_options *o, struct report *report,
			const struct counts *counts, const struct report_time *time,
			struct err *err)
{
	struct sb lines = SB_INIT;
	int rc = report__print_verdict(report, counts, time, &lines, err);

	for (char *rest = lines.buf, *line; !rc && !o->quiet && (line = strsep(&rest, "\n"));)
		if (*line)
			say("%s", text__trim(line));
	sb__free(&lines);
	return rc;
}
