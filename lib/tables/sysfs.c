// SPDX-License-Identifier: GPL-2.0-only
/* Make metrics of events that the kernel has in sysfs, for CPUs without tables. */
#include <string.h>

#include "base/array.h"
#include "base/text.h"
#include "base/xalloc.h"
#include "machine/machine.h"
#include "tables/internal.h"

#define NAME_MAX_LEN 128
#define EVENTS_MAX 10

/*
 * Models of pmu-events/overlay/sysfs, with the events that each model is made of. The kernel
 * guarantees the names of these events: arch/x86/events/intel/core.c gives them the encoding of
 * each CPU. drivers/perf/arm_pmuv3.c shows the events that a CPU reports (PMCEID), and
 * PMMIR_EL1.SLOTS as caps/slots.
 *
 * @width: scale that the formulas assume for the first event, and sysfs must have; 0: any
 * @slots: formulas use #slots, which sysfs must have (for a recording the user may give it)
 * @below: the model is a level below the previous model
 */
static const struct {
	const char *model;
	double width;
	bool slots, below;
	const char *events[EVENTS_MAX];
} models[] = {
	/*
	 * Goldmont, Goldmont Plus. Sandy Bridge to Skylake have these events as well, also with
	 * SMT.
	 */
	{"topdown-3-slots", .width = 3,
	 .events = {"topdown-total-slots", "topdown-slots-issued", "topdown-slots-retired",
		    "topdown-fetch-bubbles", "topdown-recovery-bubbles"}},
	/* Shares of slots, since Ice Lake; on E-cores counts of slots, since Tremont. */
	{"topdown", .events = {"topdown-retiring", "topdown-bad-spec", "topdown-fe-bound",
			       "topdown-be-bound"}},
	{"topdown-level2", .below = true,
	 .events = {"topdown-heavy-ops", "topdown-br-mispredict", "topdown-fetch-lat",
		    "topdown-mem-bound"}},
	{"stall-slots", .slots = true,
	 .events = {"stall_slot_frontend", "stall_slot_backend", "op_retired", "op_spec",
		    "cpu_cycles"}},
};

static bool has_events(struct pmu *pmu, const char *const events[EVENTS_MAX])
{
	for (int i = 0; i < EVENTS_MAX && events[i]; i++)
		if (!pmu__has_event(pmu, events[i]))
			return false;
	return true;
}

/* Tell whether sysfs of a PMU has everything that model number @i needs. */
static bool tables_sysfs__serves(const struct machine *m, struct pmu *pmu, int i)
{
	const struct pmu_event *first;

	if (!has_events(pmu, models[i].events))
		return false;
	if (models[i].slots && !m->recorded && !pmu__slots(pmu))
		return false;
	first = models[i].width ? pmu__event(pmu, models[i].events[0]) : NULL;
	return !models[i].width || (first && first->scale == models[i].width);
}

static const struct table_model *tables_sysfs__find_model(const char *name)
{
	const struct table_data *data = &table_data_sysfs;

	for (uint32_t i = 0; i < data->nr_models; i++)
		if (!strcmp(data->strings + data->models[i].name, name))
			return &data->models[i];
	return NULL;
}

/* Tell whether a PMU has metrics of level 1, whatever the name of their group is. */
static bool has_level1(const struct tables *t, const char *pmu)
{
	static const char *const known[] = {"tma_retiring", "retiring"};
	struct metric_info info;

	for (int i = 0; t && i < array__nr(known); i++)
		if (tables__find_metric(t, pmu, known[i]) >= 0)
			return true;
	for (int i = 0; t && i < tables__nr_metrics(t); i++) {
		tables__metric(t, i, &info);
		if (!strcmp(info.pmu, pmu) && (text__has_item(info.groups, ";", "TopdownL1") ||
					       text__has_item(info.groups, ";", "PipelineL1")))
			return true;
	}
	return false;
}

static void add_model(struct tables **t, const char *model, const char *core)
{
	struct layer layer = {.data = &table_data_sysfs,
			      .model = tables_sysfs__find_model(model),
			      .version = "",
			      .origin = xstrdup("events of sysfs"),
			      .core = xstrdup(core),
			      .sysfs = true};

	tables__push(t, &layer);
}

static void add_pmu(struct tables **t, const struct machine *m, struct pmu *pmu)
{
	char name[NAME_MAX_LEN];
	const char *core = pmu__table_name(pmu, name, sizeof(name));
	bool added = false;

	/*
	 * Tables of a machine with one kind of core are used for the first kind of another machine.
	 */
	if (has_level1(*t, core) ||
	    (pmu == machine__core_pmu(m, 0) && has_level1(*t, "default_core")))
		return;
	for (int i = 0; i < array__nr(models); i++) {
		if (models[i].below != added || !tables_sysfs__serves(m, pmu, i))
			continue;
		add_model(t, models[i].model, strcmp(core, "default_core") ? core : NULL);
		added = true;
	}
}

bool tables__sysfs_uses(const char *event)
{
	for (int i = 0; i < array__nr(models); i++)
		for (int n = 0; n < EVENTS_MAX && models[i].events[n]; n++)
			if (!strcmp(models[i].events[n], event))
				return true;
	return false;
}

void tables__add_sysfs(struct tables **t, struct machine *m)
{
	for (int i = 0; i < machine__nr_core_pmus(m); i++)
		add_pmu(t, m, machine__core_pmu(m, i));
}
