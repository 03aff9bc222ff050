// SPDX-License-Identifier: GPL-2.0-only
/* Every name there is: the kernel's, those of sysfs, of the tables, tracepoints. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/sb.h"
#include "base/suggest.h"
#include "events/internal.h"
#include "machine/machine.h"
#include "tables/tables.h"

#define TABLE_NAME_MAX 256

/* An event of the tables, and the PMU that stands for those which count it. */
struct listed {
	struct event_info info;
	const struct pmu *pmu;
};

static int each_of_sysfs(const struct events_scope *scope, struct pmu *pmu,
			 int (*visit)(void *arg, const struct event_name *name), void *arg)
{
	struct event_name name = { "kernel pmu", NULL, "", pmu->name, "", "", false };
	struct sb sb = SB_INIT;
	int rc = 0;

	if (pmu__event_names(pmu))
		return 0;
	for (int i = 0; i < pmu->nr_events && !rc; i++) {
		const char *event = pmu->events[i].name;

		if (named__in_tables(scope, pmu, event) >= 0)
			continue; /* described better there */
		sb__clear(&sb);
		sb__printf(&sb, "%.*s/%s/", pmu__base_len(pmu->name), pmu->name, event);
		name.name = pmu->is_core ? event : sb__str(&sb);
		name.alias = pmu->is_core ? sb__str(&sb) : "";
		rc = sb.err ? -ENOMEM : visit(arg, &name);
	}
	sb__free(&sb);
	return rc;
}

static const struct pmu *find_pmu(const struct machine *m, const char *table)
{
	char name[TABLE_NAME_MAX];

	for (int i = 0; i < m->nr_pmus; i++) {
		pmu__table_name(m->pmus[i], name, sizeof(name));
		if (!strcmp(name, table) || !strcmp(m->pmus[i]->name, table))
			return m->pmus[i];
	}
	return NULL;
}

static int by_topic(const void *va, const void *vb)
{
	const struct listed *a = va, *b = vb;
	int cmp = strcmp(a->info.topic, b->info.topic);

	if (!cmp)
		cmp = a->pmu->order - b->pmu->order;
	return cmp ? cmp : strcmp(a->info.name, b->info.name);
}

static int each_of_tables(const struct events_scope *scope,
			  int (*visit)(void *arg, const struct event_name *name), void *arg)
{
	int nr = tables__nr_events(scope->tables), kept = 0, rc = 0;
	struct listed *all = calloc(nr ? nr : 1, sizeof(*all));
	const struct pmu *pmu = NULL;
	const char *last = "";

	if (!all)
		return -ENOMEM;
	for (int i = 0; i < nr; i++) {
		tables__event(scope->tables, i, &all[kept].info);
		if (strcmp(last, all[kept].info.pmu)) {
			last = all[kept].info.pmu; /* they stand together */
			pmu = find_pmu(scope->machine, last);
		}
		all[kept].pmu = pmu;
		kept += pmu != NULL;
	}
	qsort(all, kept, sizeof(*all), by_topic);
	for (int i = 0; i < kept && !rc; i++) {
		const struct event_info *info = &all[i].info;
		struct event_name name = { info->topic,	    info->name, "",
					   info->pmu,	    info->desc, info->long_desc,
					   info->deprecated };

		if (!strcmp(info->pmu, "default_core"))
			name.pmu = all[i].pmu->name;
		rc = visit(arg, &name);
	}
	free(all);
	return rc;
}

static int each_tracepoint(const struct machine *m,
			   int (*visit)(void *arg, const struct event_name *name), void *arg)
{
	struct event_name name = { "tracepoint", NULL, "", "", "", "", false };
	struct sb sb = SB_INIT;
	struct tracepoint *at;
	int nr, rc = 0;

	if (machine__tracepoint_names(m, "*", &at, &nr))
		return 0; /* not for everyone's eyes */
	for (int i = 0; i < nr && !rc; i++) {
		sb__clear(&sb);
		sb__printf(&sb, "%s:%s", at[i].system, at[i].name);
		name.name = sb__str(&sb);
		rc = sb.err ? -ENOMEM : visit(arg, &name);
	}
	sb__free(&sb);
	tracepoint__free_all(at, nr);
	return rc;
}

int events__each(const struct events_scope *scope,
		 int (*visit)(void *arg, const struct event_name *name), void *arg)
{
	const struct machine *m = scope->machine;
	int rc = legacy__each(visit, arg);

	for (int i = 0; i < m->nr_pmus && !rc; i++)
		/* Of several instances of a unit, the first stands for all. */
		if (!i || !pmu__same_unit(m->pmus[i - 1], m->pmus[i]))
			rc = each_of_sysfs(scope, m->pmus[i], visit, arg);
	if (!rc && scope->tables)
		rc = each_of_tables(scope, visit, arg);
	return rc ? rc : each_tracepoint(m, visit, arg);
}

void events__suggest(const struct events_scope *scope, struct suggest *s)
{
	const struct machine *m = scope->machine;

	legacy__suggest(s);
	for (int i = 0; i < m->nr_pmus; i++) {
		struct pmu *pmu = m->pmus[i];

		suggest__offer(s, pmu->name);
		if (pmu__event_names(pmu))
			continue;
		for (int j = 0; j < pmu->nr_events; j++)
			suggest__offer(s, pmu->events[j].name);
	}
	if (scope->tables)
		tables__suggest(scope->tables, false, s);
}
