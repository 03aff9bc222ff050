// SPDX-License-Identifier: GPL-2.0-only
/*
 * The groups that are planned for the metrics of every x86 model that is built in, as
 * tests/kernel/scheduler reads them; nothing is counted.
 *
 *	plans SYSFS [MODEL ...]
 *
 * SYSFS has the file devices/system/cpu/smt/control of a machine whose firmware has switched SMT
 *off.
 *
 * With SMT and without, with the NMI watchdog and without; each level of the TopDown tree, and all
 * metrics together ("all"); grouped by counters ("ours") and as perf groups ("perf"). A machine's
 * label is its model, "smt" or "-", and "watchdog" or "-"; a group's is who grouped, the PMU and
 *the level; all separated by tabs. Events of other PMUs are left out, and those that are not
 *counted.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "../bench/model.h"
#include "plan/load.h"
#include "plan/plan.h"
#include "plan/schedule.h"

#define DRAWN_GROUPS 300 /* of each machine */

/* Groups of which nothing is opened on the PMU have no line. */
static void print_group(const struct event *const *events, int nr, const struct pmu *pmu,
			const char *label)
{
	bool begun = false;

	for (int i = 0; i < nr; i++) {
		const struct event *e = events[i];

		if (e->pmu != pmu || !load__takes_turns(e))
			continue;
		if (!begun)
			printf("group %s\n", label);
		begun = true;
		printf("event %s %u %" PRIx64 " %" PRIx64 " %" PRIx64 " %d %s\n", pmu->name,
		       e->attr.type, (uint64_t)e->attr.config, (uint64_t)e->attr.config1,
		       (uint64_t)e->attr.config2,
		       e->attr.exclude_user | e->attr.exclude_kernel << 1, e->name);
	}
}

static void print_plan(struct model *m, const struct pmu *pmu, const char *text, const char *level,
		       enum plan_grouping grouping)
{
	struct metrics_scope scope = model__scope(m, pmu);
	struct plan_options opts = {.grouping = grouping};
	struct plan *plan = plan__new(&scope);
	char label[128];

	snprintf(label, sizeof(label), "%s\t%s\t%s", grouping == PLAN_AS_PERF ? "perf" : "ours",
		 pmu->name, level);
	if (!plan__add_metrics(plan, &scope, &m->events, &opts, text, NULL) &&
	    !plan__finish(plan, NULL)) {
		const struct event *const *at = (const struct event *const *)plan->events.at;

		for (int i = 0; i < plan->events.nr; i += at[i]->nr_members)
			print_group(at + i, at[i]->nr_members, pmu, label);
	}
	plan__free(plan);
}

/* Numbers that are the same in each run. */
static unsigned int draw(unsigned int below)
{
	static uint64_t state;

	state = state * 6364136223846793005u + 1442695040888963407u;
	return (state >> 33) % below;
}

/* What anybody can ask for on a core PMU: events of the tables, and those with the kernel's own
 * numbers. */
static const char *draw_event(const struct model *m, const char *pmu)
{
	static const char *const kernels[] = {
		"cycles",	    "instructions",	     "bus-cycles",
		"ref-cycles",	    "cache-misses",	     "branches",
		"LLC-loads",	    "LLC-load-misses",	     "LLC-stores",
		"node-loads",	    "node-load-misses",	     "L1-dcache-loads",
		"dTLB-load-misses", "L1-dcache-load-misses", "iTLB-load-misses",
	};
	struct event_info info;

	if (!draw(6))
		return kernels[draw(sizeof(kernels) / sizeof(*kernels))];
	do
		tables__event(m->tables, draw(tables__nr_events(m->tables)), &info);
	while (strcmp(info.pmu, pmu));
	return info.name;
}

/* A group as somebody might write it, with what is said of it beforehand. */
static void print_drawn(struct model *m, const struct pmu *pmu, const char *table)
{
	static const char *const forecasts[] = {
		[SCHEDULE_FITS] = "fits",
		[SCHEDULE_APART] = "refused",
		[SCHEDULE_REFUSED] = "refused",
		[SCHEDULE_NEVER] = "starved",
	};
	struct metrics_scope scope = model__scope(m, pmu);
	struct plan *plan = plan__new(&scope);
	char text[1024] = "{", label[128];
	int len = 1;

	for (int left = 2 + draw(5); left; left--)
		len += snprintf(text + len, sizeof(text) - len, "%s%s", draw_event(m, table),
				left > 1 ? "," : "}");
	if (!events__parse(&m->events, text, &plan->events, NULL) && !plan__finish(plan, NULL)) {
		struct schedule *s = schedule__new(plan, &m->events);

		if (s->nr_groups == 1 && forecasts[s->groups[0].state]) {
			snprintf(label, sizeof(label), "%s\t%s\tdrawn",
				 forecasts[s->groups[0].state], pmu->name);
			print_group((const struct event *const *)plan->events.at, plan->events.nr,
				    pmu, label);
		}
		schedule__free(s);
	}
	plan__free(plan);
}

static void print_levels(struct model *m, const struct pmu *pmu)
{
	const char *prefix = "";
	char table[64], text[128], level[16];
	int levels = metrics__topdown_levels(m->tables, pmu__table_name(pmu, table, sizeof(table)),
					     &prefix);

	for (int i = 1; i <= levels + 1; i++) {
		snprintf(text, sizeof(text), "%s%d", prefix, i);
		snprintf(level, sizeof(level), "%d", i);
		for (int as_perf = 0; levels && as_perf < 2; as_perf++)
			print_plan(m, pmu, i > levels ? "all" : text, i > levels ? "all" : level,
				   as_perf ? PLAN_AS_PERF : PLAN_BY_COUNTERS);
	}
	for (int i = 0; levels && i < DRAWN_GROUPS; i++)
		print_drawn(m, pmu, table);
}

static void print_model(const char *name, const char *sysfs_without_smt)
{
	struct model m;

	for (int i = 0; i < 4 && !strchr(name, '/'); i++) {
		bool smt = i & 1, watchdog = i & 2;

		if (!model__open(&m, name))
			return;
		m.machine->smt = smt;
		if (!smt) {
			free(m.machine->sysfs);
			m.machine->sysfs = strdup(sysfs_without_smt);
		}
		m.machine->nmi_watchdog = watchdog;
		if (metrics__topdown_levels(m.tables, NULL, NULL))
			printf("machine %s %d %d %s\t%s\t%s\n", name, smt, watchdog, name,
			       smt ? "smt" : "-", watchdog ? "watchdog" : "-");
		for (int j = 0; j < machine__nr_core_pmus(m.machine); j++)
			print_levels(&m, machine__core_pmu(m.machine, j));
		model__close(&m);
	}
}

int main(int argc, char **argv)
{
	if (argc < 2) {
		fputs("usage: plans SYSFS [MODEL ...]\n", stderr);
		return 2;
	}
	for (int i = 2; i < argc; i++)
		print_model(argv[i], argv[1]);
	for (int i = 0; argc == 2 && i < tables__models(); i++)
		print_model(tables__model_name(i), argv[1]);
	return 0;
}
