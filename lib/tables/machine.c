// SPDX-License-Identifier: GPL-2.0-only
/* Find the tables of a machine's CPUs and of its system PMUs. */

#include "base/xalloc.h"
#include "json/cpuid.h"
#include "json/load.h"
#include "machine/machine.h"
#include "tables/internal.h"

/* Tell whether the machine has a PMU that a record is for; a metric may use several units. */
static bool has_system_pmu(const struct machine *m, const char *unit, const char *compat)
{
	for (int i = machine__nr_core_pmus(m); *compat && i < m->nr_pmus; i++) {
		const char *identifier = !unit || pmu__is_table_unit(m->pmus[i], unit)
						 ? pmu__identifier(m->pmus[i])
						 : NULL;

		if (identifier && cpuid__matches(compat, identifier, CPUID_TEXT))
			return true;
	}
	return false;
}

/**
 * tables_machine__keep() - mark the records of a folder that are for PMUs of the machine
 *
 * A folder may have records for several versions of a PMU, each with its own pattern.
 *
 * Return: number of marked records.
 */
static int tables_machine__keep(struct layer *layer, const struct machine *m, enum record_kind kind)
{
	bool *kept = xcalloc(layer__nr(layer, kind), sizeof(*kept));
	int nr = 0;

	layer->kept[kind] = kept;
	for (uint32_t n = 0; n < layer__nr_ranges(layer, kind); n++) {
		struct pmu_range r = layer__range(layer, kind, n);
		int before = -1;

		for (uint32_t i = r.first; i < r.first + r.nr; i++) {
			int compat = kind == EVENTS ? layer__event(layer, i)->compat
						    : layer__metric(layer, i)->compat;

			if (compat == before)
				kept[i] = kept[i - 1];
			else
				kept[i] = has_system_pmu(m, kind == EVENTS ? r.pmu : NULL,
							 layer__word(layer, compat));
			before = compat;
			nr += kept[i];
		}
	}
	return nr;
}

/* Put a folder of system PMUs on top; the contents of @layer are moved. */
static void add_folder(struct tables **t, const struct machine *m, struct layer *layer)
{
	for (int kind = EVENTS; kind < NR_RECORD_KINDS; kind++)
		layer->nr_kept[kind] = tables_machine__keep(layer, m, kind);
	if (layer->nr_kept[EVENTS] || layer->nr_kept[METRICS])
		tables__push(t, layer);
	else
		layer__free(layer);
}

/*
 * Put all folders of system PMUs on top. @owner owns the tables, or is NULL for built-in tables;
 * @origin describes the tables.
 */
static void add_system(struct tables **t, const struct machine *m, const struct table_data *data,
		       struct loaded *owner, const char *origin)
{
	for (uint32_t i = 0; i < data->nr_models; i++) {
		struct layer layer = { .data = data, .model = &data->models[i], .version = "" };

		if (!(layer.model->flags & TABLE_MODEL_SYS))
			continue;
		layer.owner = owner ? loaded__get(owner) : NULL;
		layer.origin = xstrdup(origin);
		add_folder(t, m, &layer);
	}
}

void tables__add_loaded_system(struct tables **t, const struct machine *m)
{
	/* Copy the layer, since tables__push() moves the layers. */
	const struct layer top = (*t)->layers[(*t)->nr_layers - 1];

	if (top.owner)
		add_system(t, m, top.data, top.owner, top.origin);
}

/* If core PMUs belong to different CPUs, each has its own tables under its own name. */
static void add_core(struct tables **t, struct pmu *pmu)
{
	struct tables *own = tables__find(pmu__cpuid(pmu));
	struct layer layer;

	if (!own)
		return;
	layer = own->layers[0];
	tables__free(own);
	layer.core = xstrdup(pmu->name);
	tables__push(t, &layer);
}

struct tables *tables__of_machine(struct machine *m)
{
	struct tables *t = NULL;

	if (!m->has_midr || m->cpuid_given || !machine__is_hybrid(m))
		t = tables__find(m->cpuid);
	else
		for (int i = 0; i < machine__nr_core_pmus(m); i++)
			add_core(&t, machine__core_pmu(m, i));
	/* The architecture of an unknown CPU is unknown, too: use the tables of all. */
	for (const struct table_data *const *data = table_archs; *data; data++)
		if (!t || t->layers[0].data == *data)
			add_system(&t, m, *data, NULL, NULL);
	tables__add_sysfs(&t, m);
	return t;
}

int tables__find_unit_event(const struct tables *t, struct pmu *pmu, const char *name)
{
	int found = -1;

	for (int i = 0; found < 0 && i < tables__nr_pmus(t); i++)
		if (pmu__is_table_unit(pmu, tables__pmu(t, i)))
			found = tables__find_event(t, tables__pmu(t, i), name);
	return found;
}
