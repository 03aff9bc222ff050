// SPDX-License-Identifier: GPL-2.0-only
/*
 * How many groups the TopDown metrics of every model that is built in need: as perf groups their
 * events, and by the counters these may use. What tests/bench/groups calls; nothing is counted.
 *
 *	groups [MODEL ...]
 *
 * A line for each core PMU and level, its fields separated by tabs: model, PMU, level, metrics,
 * events and groups as perf has them, events and groups by counters, the lower bound, "proven" or
 * "-", and the share of metrics the events of whose values are in one group, in per cent: perf's,
 * where no group that is taken apart counts, and by counters; and of those which the counters can
 * hold in one.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/err.h"
#include "base/text.h"
#include "machine/machine.h"
#include "metrics/idset.h"
#include "plan/counters.h"
#include "plan/pack_unit.h"
#include "plan/schedule.h"

#define BITS(from, to) ((~0ULL >> (63 - (to))) & (~0ULL << (from)))

/* What core PMUs have in sysfs, and some more: by name. */
static const struct pmu_format x86_formats[] = {
	{ .name = (char *)"any", .bits = { BITS(21, 21) } },
	{ .name = (char *)"cmask", .bits = { BITS(24, 31) } },
	{ .name = (char *)"edge", .bits = { BITS(18, 18) } },
	{ .name = (char *)"event", .bits = { BITS(0, 7) | BITS(32, 35) } },
	{ .name = (char *)"frontend", .bits = { 0, BITS(0, 23) } },
	{ .name = (char *)"in_tx", .bits = { BITS(32, 32) } },
	{ .name = (char *)"in_tx_cp", .bits = { BITS(33, 33) } },
	{ .name = (char *)"inv", .bits = { BITS(23, 23) } },
	{ .name = (char *)"ldlat", .bits = { 0, BITS(0, 15) } },
	{ .name = (char *)"offcore_rsp", .bits = { 0, BITS(0, 63) } },
	{ .name = (char *)"pc", .bits = { BITS(19, 19) } },
	{ .name = (char *)"snoop_rsp", .bits = { 0, BITS(0, 63) } },
	{ .name = (char *)"umask", .bits = { BITS(8, 15) | BITS(40, 47) } },
};

static const struct pmu_format arm_formats[] = {
	{ .name = (char *)"event", .bits = { BITS(0, 15) } },
	{ .name = (char *)"threshold", .bits = { 0, BITS(0, 31) } },
};

static const struct pmu_event topdown_events[] = {
	{ .name = (char *)"slots", .terms = (char *)"event=0x00,umask=0x4" },
	{ .name = (char *)"topdown-bad-spec", .terms = (char *)"event=0x00,umask=0x81" },
	{ .name = (char *)"topdown-be-bound", .terms = (char *)"event=0x00,umask=0x83" },
	{ .name = (char *)"topdown-br-mispredict", .terms = (char *)"event=0x00,umask=0x85" },
	{ .name = (char *)"topdown-fe-bound", .terms = (char *)"event=0x00,umask=0x82" },
	{ .name = (char *)"topdown-fetch-lat", .terms = (char *)"event=0x00,umask=0x86" },
	{ .name = (char *)"topdown-heavy-ops", .terms = (char *)"event=0x00,umask=0x84" },
	{ .name = (char *)"topdown-mem-bound", .terms = (char *)"event=0x00,umask=0x87" },
	{ .name = (char *)"topdown-retiring", .terms = (char *)"event=0x00,umask=0x80" },
};

static const struct pmu_event msr_events[] = {
	{ .name = (char *)"tsc", .terms = (char *)"event=0x00" },
};

#define COUNT(array) ((int)(sizeof(array) / sizeof(*(array))))

/** struct model - a machine of the model */
struct model {
	const char *name;
	struct tables *tables;
	struct machine *machine;
	struct events_scope events;
};

static void *must(void *memory)
{
	if (memory)
		return memory;
	fputs("groups: out of memory\n", stderr);
	exit(1);
}

static struct pmu *add_pmu(struct model *m, const char *name, uint32_t type,
			   const struct pmu_format *formats, int nr)
{
	struct pmu *pmu = must(machine__add_pmu(m->machine, name, type));

	pmu->formats = must(calloc(nr, sizeof(*formats)));
	for (int i = 0; i < nr; i++) {
		pmu->formats[i] = formats[i];
		pmu->formats[i].name = must(strdup(formats[i].name));
		pmu->formats[i].loaded = true;
	}
	pmu->nr_formats = nr;
	if (cpulist__add(&pmu->cpus, 0))
		must(NULL);
	return pmu;
}

static void add_events(struct pmu *pmu, const struct pmu_event *events, int nr)
{
	pmu->events = must(calloc(nr, sizeof(*events)));
	for (int i = 0; i < nr; i++) {
		pmu->events[i].name = must(strdup(events[i].name));
		pmu->events[i].terms = must(strdup(events[i].terms));
		pmu->events[i].unit = must(strdup(""));
		pmu->events[i].scale = 1;
	}
	pmu->nr_events = nr;
}

static void add_core(struct model *m, const char *name, const char *table, uint32_t type)
{
	bool arm = strchr(m->name, '/');
	struct pmu *pmu = add_pmu(m, name, type, arm ? arm_formats : x86_formats,
				  arm ? COUNT(arm_formats) : COUNT(x86_formats));

	/* The E-cores have slots as an event like any other. */
	if (tables__find_event(m->tables, table, "topdown.slots") >= 0)
		add_events(pmu, topdown_events, COUNT(topdown_events));
}

static bool model__open(struct model *m, const char *name)
{
	const char *cpuid = strchr(name, '/')		       ? "0x00000000410fd490" :
			    text__has_prefix(name, "amdzen") ? "AuthenticAMD-25-11-1" :
							       "GenuineIntel-6-0-0";

	*m = (struct model){ .name = name, .tables = tables__find_model(name) };
	if (!m->tables)
		return false;
	m->machine = must(machine__new_recorded(cpuid, NULL));
	cpulist__add(&m->machine->online, 0);
	cpulist__add(&m->machine->present, 0);
	cpulist__add(&m->machine->possible, 0);
	m->machine->smt = true;
	if (metrics__topdown_levels(m->tables, "cpu_core", NULL)) {
		add_core(m, "cpu_core", "cpu_core", 4);
		add_core(m, "cpu_atom", "cpu_atom", 8);
	} else {
		add_core(m, strchr(name, '/') ? "armv8_pmuv3_0" : "cpu", "default_core", 4);
	}
	add_events(add_pmu(m, "msr", 9, arm_formats, 1), msr_events, COUNT(msr_events));
	m->events = (struct events_scope){ .machine = m->machine, .tables = m->tables };
	return true;
}

static void model__close(struct model *m)
{
	tables__free(m->tables);
	machine__free(m->machine);
}

static bool has_event(void *arg, const char *id)
{
	return events__exists(arg, id);
}

/** struct result - what became of the metrics of a level; @possible: that could be together */
struct result {
	int metrics, events, groups, bound, together, possible;
	bool proven;
};

/* The group of the schedule an event is in; the event itself where the group is taken apart. */
static int place_of(const struct schedule *s, int event)
{
	for (int i = 0; i < s->nr_groups; i++) {
		const struct schedule_group *g = &s->groups[i];

		if (event >= g->first && event < g->first + g->nr)
			return g->state == SCHEDULE_APART ? -1 - event : i;
	}
	return -1;
}

/* The ids of the value alone, without those of the threshold. */
static const struct idset *value_ids(const struct metric_list *values, const struct metric *m)
{
	for (int i = 0; i < values->nr; i++)
		if (!strcmp(values->at[i]->info.name, m->info.name))
			return values->at[i]->id_set;
	return NULL;
}

/* Whether the events of a metric's value are counted at one time. */
static bool is_together(const struct schedule *s, const struct pmu *pmu,
			const struct plan_metric *pm, const struct idset *ids)
{
	bool some = false;
	int place = 0;

	for (int i = 0; i < pm->metric->nr_ids; i++) {
		const struct event *e = pm->events[i];
		int at;

		if (!e || e->pmu != pmu || (ids && !idset__has(ids, pm->metric->ids[i])))
			continue;
		at = place_of(s, e->index);
		if (some && at != place)
			return false;
		place = at;
		some = true;
	}
	return true;
}

/* Whether the counters can hold the events of a metric's value in one group. */
static bool fits_one(const struct events_scope *scope, struct pmu *pmu,
		     const struct plan_metric *pm, const struct idset *ids)
{
	struct pack_unit u = { .pmu = pmu, .owner = -1, .counters = counters__left_on(scope, pmu) };
	int list[pm->metric->nr_ids + 1], nr = 0;
	bool fits;

	for (int i = 0; i < pm->metric->nr_ids; i++) {
		const struct event *e = pm->events[i];
		struct fit_event need;

		if (!e || e->pmu != pmu || (ids && !idset__has(ids, pm->metric->ids[i])))
			continue;
		need = counters__need(scope->tables, &u.counters, e);
		nr = array__add_once(
			list, nr,
			unit__add_event(&u, &(struct unit_event){.id = e->name, .look = e}, &need));
	}
	fits = unit__fits(&u, list, nr);
	unit__free(&u);
	return fits;
}

static void judge(const struct plan *plan, const struct schedule *s,
		  const struct events_scope *scope, struct pmu *pmu,
		  const struct metric_list *values, struct result *out)
{
	*out = (struct result){ .metrics = plan->nr_metrics };
	for (int i = 0; i < s->nr_pmus; i++) {
		if (s->pmus[i].pmu != pmu)
			continue;
		out->events = s->pmus[i].nr_events;
		out->groups = s->pmus[i].nr_turns;
		out->bound = s->pmus[i].lower_bound;
		out->proven = out->groups <= out->bound;
	}
	for (int i = 0; i < plan->nr_metrics; i++) {
		const struct plan_metric *pm = &plan->metrics[i];
		const struct idset *ids = value_ids(values, pm->metric);

		out->together += is_together(s, pmu, pm, ids);
		out->possible += fits_one(scope, pmu, pm, ids);
	}
}

/* Return: whether any of the metrics can be measured. */
static bool group(struct model *m, struct pmu *pmu, const char *text, enum plan_grouping grouping,
		  struct result *out)
{
	struct metrics_scope scope = {
		.machine = m->machine,
		.tables = m->tables,
		.system_wide = true,
		.pmu = pmu->name,
		.has_event = has_event,
		.arg = &m->events,
	};
	struct plan_options opts = { .grouping = grouping };
	struct metrics_scope without;
	struct metric_list values = METRIC_LIST_INIT;
	struct plan *plan = plan__new(&scope);
	struct schedule *s = NULL;
	bool done;

	if (!machine__is_hybrid(m->machine))
		scope.pmu = NULL;
	without = scope;
	without.no_threshold = true;
	m->events.pmu_filter = scope.pmu;
	done = !metrics__select(&without, text, false, &values, NULL) &&
	       !plan__add_metrics(plan, &scope, &m->events, &opts, text, NULL) &&
	       !plan__finish(plan, NULL);
	if (done) {
		s = schedule__new(plan, &m->events);
		judge(plan, s, &m->events, pmu, &values, out);
	}
	schedule__free(s);
	metric_list__free(&values);
	plan__free(plan);
	return done;
}

static double percent(int part, const struct result *r)
{
	return r->metrics ? 100.0 * part / r->metrics : 100;
}

static void print_levels(struct model *m, struct pmu *pmu)
{
	const char *prefix = "";
	char table[64], text[128];
	int levels = metrics__topdown_levels(m->tables, pmu__table_name(pmu, table, sizeof(table)),
					     &prefix);

	for (int level = 1; level <= levels; level++) {
		struct result perf, ours;

		snprintf(text, sizeof(text), "%s%d", prefix, level);
		if (!group(m, pmu, text, PLAN_AS_PERF, &perf) ||
		    !group(m, pmu, text, PLAN_BY_COUNTERS, &ours) || !perf.events)
			continue;
		printf("%s\t%s\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%s\t%.0f\t%.0f\t%.0f\n", m->name, pmu->name,
		       level, ours.metrics, perf.events, perf.groups, ours.events, ours.groups,
		       ours.bound, ours.proven ? "proven" : "-",
		       percent(perf.together, &perf), percent(ours.together, &ours),
		       percent(ours.possible, &ours));
	}
}

static void print_model(const char *name)
{
	struct model m;

	if (!model__open(&m, name))
		return;
	for (int i = 0; i < machine__nr_core_pmus(m.machine); i++)
		print_levels(&m, machine__core_pmu(m.machine, i));
	model__close(&m);
}

int main(int argc, char **argv)
{
	for (int i = 1; i < argc; i++)
		print_model(argv[i]);
	for (int i = 0; argc == 1 && i < tables__models(); i++)
		print_model(tables__model_name(i));
	return 0;
}
