// SPDX-License-Identifier: GPL-2.0-only
/*
 * Prints the groups that are planned for the metrics of every built-in x86 model, as input for
 * tests/kernel/scheduler. Nothing is counted.
 *
 *	plans SYSFS [MODEL ...]
 *
 * SYSFS has the file devices/system/cpu/smt/control of a machine whose firmware has switched off
 * SMT.
 *
 * The groups are planned with SMT and without, with the NMI watchdog and without; for each level of
 * the TopDown tree, and for all metrics together ("all"); by counters ("ours"), as perf groups them
 * ("perf"), and, if the model has TopDown metric events, by counters from plain events ("guest").
 * Events of other PMUs, and events that are not counted, are left out.
 *
 * A machine's label is its model, "smt" or "-", and "watchdog" or "-". A group's label is "ours",
 * "perf" or "guest", the PMU and the level. Tabs separate these words.
 *
 * There are also groups that do not come from a plan: groups of random events ("drawn"), with a
 * forecast; and groups for the rules of one event code ("code"), which have several copies of an
 * event, alone and with other events, and each bit of the registers that qualify some events; also
 * for all threads of a core ("any").
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

/* A group that has no open event on the PMU has no line. */
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
		       enum plan_grouping grouping, const char *who)
{
	struct metrics_scope scope = model__scope(m, pmu);
	struct plan_options opts = {.grouping = grouping};
	struct plan *plan = plan__new(&scope);
	char label[128];

	snprintf(label, sizeof(label), "%s\t%s\t%s", who, pmu->name, level);
	if (!plan__add_metrics(plan, &scope, &m->events, &opts, text, NULL) &&
	    !plan__finish(plan, NULL)) {
		const struct event *const *at = (const struct event *const *)plan->events.at;

		for (int i = 0; i < plan->events.nr; i += at[i]->nr_members)
			print_group(at + i, at[i]->nr_members, pmu, label);
	}
	plan__free(plan);
}

/* Return: random numbers, the same in each run. */
static unsigned int draw(unsigned int below)
{
	static uint64_t state;

	state = state * 6364136223846793005u + 1442695040888963407u;
	return (state >> 33) % below;
}

/* A random event of a core PMU, from the tables or with one of the kernel's own numbers. */
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

/* A random group, as a user could write it, with its forecast. */
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

/* --- The rules of each code ------------------------------------------------------------------ */

#define MOST_COPIES 12

/* Codes that a register qualifies on some model: offcore requests, fetches, latencies, snoops. */
static const uint16_t registered[] = {
	0x01b7, 0x02b7, 0x01bb, 0x012a, 0x012b, 0x0127, 0x0227, 0x01c6,
	0x02c6, 0x03c6, 0x40ad, 0x04c2, 0x01cd, 0x05d0, 0x06d0,
};

/* Codes that have rules of their own, including codes that the tables lack. */
static const uint16_t special[] = {0x003c, 0x00c0, 0x0073, 0x0300, 0x013c, 0x01c0, 0x019c, 0x02c2};

#define ANY_THREAD (1 << 21)

static void begin_codes(const struct pmu *pmu)
{
	printf("group code\t%s\tcode\n", pmu->name);
}

static void print_code(const struct pmu *pmu, uint64_t config, uint64_t config1)
{
	printf("event %s %u %" PRIx64 " %" PRIx64 " 0 0 %" PRIx64 ":%" PRIx64 "\n", pmu->name,
	       pmu->type, config, config1, config, config1);
}

/* As many copies as there are counters, and one more. */
static void print_copies(const struct pmu *pmu, uint64_t config, int nr)
{
	begin_codes(pmu);
	while (nr--)
		print_code(pmu, config, 0);
}

static void print_register(const struct pmu *pmu, uint16_t code)
{
	for (int bit = 0; bit < 64; bit++) {
		begin_codes(pmu);
		print_code(pmu, code, 1ULL << bit);
	}
	/* How many values are tried at a time. */
	for (int nr = 2; nr < 5; nr++) {
		begin_codes(pmu);
		for (int i = 1; i <= nr; i++)
			print_code(pmu, code, i);
	}
	for (size_t i = 0; i < sizeof(registered) / sizeof(*registered); i++) {
		begin_codes(pmu);
		print_code(pmu, code, 1);
		print_code(pmu, code, 2);
		print_code(pmu, registered[i], 4);
	}
}

static void print_codes(struct model *m, const struct pmu *pmu, const char *table)
{
	bool *seen = calloc(1 << 16, sizeof(*seen)), intel = !!strncmp(m->name, "amd", 3);
	struct event_info info;

	for (int i = 0; i < tables__nr_events(m->tables); i++) {
		tables__event(m->tables, i, &info);
		if (!strcmp(info.pmu, table))
			seen[fit__code(info.terms, false) & 0xffff] = true;
	}
	for (size_t i = 0; intel && i < sizeof(special) / sizeof(*special); i++)
		seen[special[i]] = true;
	for (int code = 1; code < 1 << 16; code++) {
		/* A group has slots once, and then each of its children once. */
		if (!seen[code] || (intel && !(code & 0xff) && code != 0x0300))
			continue;
		for (int nr = 1; nr <= MOST_COPIES; nr++)
			print_copies(pmu, code, nr);
		for (int first = 1; first <= 4; first++) {
			begin_codes(pmu);
			for (int i = 0; i < first; i++)
				print_code(pmu, intel ? 0x81d0 : 0x03, 0);
			print_code(pmu, code, 0);
		}
	}
	for (size_t i = 0; intel && i < sizeof(registered) / sizeof(*registered); i++)
		print_register(pmu, registered[i]);
	for (int code = 1; intel && code < 1 << 16; code++) {
		if (!seen[code] || !(code & 0xff))
			continue;
		printf("group code\t%s\tany\n", pmu->name);
		print_code(pmu, code | ANY_THREAD, 0);
	}
	free(seen);
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
				   as_perf ? PLAN_AS_PERF : PLAN_BY_COUNTERS,
				   as_perf ? "perf" : "ours");
	}
	for (int i = 0; levels && i < DRAWN_GROUPS; i++)
		print_drawn(m, pmu, table);
	/* SMT and the NMI watchdog do not affect these groups. */
	if (levels && m->machine->smt && !m->machine->nmi_watchdog)
		print_codes(m, pmu, table);
}

/* The same tree from plain events, as in virtual machines, but with this machine's counters. */
static void print_guest(struct model *m, const struct pmu *pmu)
{
	char table[64], text[32], level[16];
	const char *prefix = "";
	int levels = metrics__topdown_levels(m->tables, pmu__table_name(pmu, table, sizeof(table)),
					     &prefix);

	for (int i = 1; i <= levels; i++) {
		snprintf(text, sizeof(text), "%s%d", prefix, i);
		snprintf(level, sizeof(level), "%d", i);
		print_plan(m, pmu, text, level, PLAN_BY_COUNTERS, "guest");
	}
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
		if (model__lose_metric_events(&m))
			print_guest(&m, machine__core_pmu(m.machine, 0));
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
	for (int i = 0; argc == 2 && i < tables__nr_models(); i++)
		print_model(tables__model_name(i), argv[1]);
	return 0;
}
