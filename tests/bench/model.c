// SPDX-License-Identifier: GPL-2.0-only
#include "model.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"

#define BITS(from, to) ((~0ULL >> (63 - (to))) & (~0ULL << (from)))

/* The events that core PMUs have in sysfs by name, and some others. */
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

static void *must(void *memory)
{
	if (memory)
		return memory;
	fputs("out of memory\n", stderr);
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

	/* On E-cores, slots are an ordinary event. */
	if (tables__find_event(m->tables, table, "topdown.slots") >= 0)
		add_events(pmu, topdown_events, COUNT(topdown_events));
}

bool model__open(struct model *m, const char *name)
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

bool model__lose_metric_events(struct model *m)
{
	for (int i = 0; i < machine__nr_core_pmus(m->machine); i++) {
		struct pmu *pmu = machine__core_pmu(m->machine, i);

		for (int e = 0; e < pmu->nr_events; e++) {
			free(pmu->events[e].name);
			free(pmu->events[e].terms);
			free(pmu->events[e].unit);
		}
		pmu->nr_events = 0;
	}
	tables__use_plain_events(m->tables, m->machine, false);
	return tables__has_plain_events(m->tables, NULL);
}

void model__close(struct model *m)
{
	tables__free(m->tables);
	machine__free(m->machine);
}

static bool has_event(void *arg, const char *id)
{
	return events__exists(arg, id);
}

struct metrics_scope model__scope(struct model *m, const struct pmu *pmu)
{
	m->events.pmu_filter = machine__is_hybrid(m->machine) ? pmu->name : NULL;
	return (struct metrics_scope){
		.machine = m->machine,
		.tables = m->tables,
		.system_wide = true,
		.pmu = m->events.pmu_filter,
		.has_event = has_event,
		.arg = &m->events,
	};
}
