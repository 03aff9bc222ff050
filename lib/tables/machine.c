// SPDX-License-Identifier: GPL-2.0-only
/* The tables of a machine: those of its CPUs, and of its system PMUs. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "json/load.h"
#include "machine/machine.h"
#include "tables/cpuid.h"
#include "tables/internal.h"

/* Whether some PMU of the machine is what a record is for; a metric may be of several units. */
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
 * keep() - mark the records of a folder which are for some PMU of the machine
 *
 * Records of one PMU may be for several versions of it, each with its own pattern.
 *
 * Return: how many there are, or -ENOMEM.
 */
static int keep(struct layer *layer, const struct machine *m, enum record_kind kind)
{
	bool *kept = calloc(layer__nr(layer, kind) + 1, sizeof(*kept));
	int nr = 0;

	if (!kept)
		return -ENOMEM;
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

/* Put a folder of system PMUs on top; what @layer owns is moved. */
static int add_folder(struct tables **t, const struct machine *m, struct layer *layer)
{
	int events = keep(layer, m, EVENTS), metrics = keep(layer, m, METRICS);

	if (events < 0 || metrics < 0 || !(events + metrics)) {
		layer__free(layer);
		return events < 0 || metrics < 0 ? -ENOMEM : 0;
	}
	layer->nr_kept[EVENTS] = events;
	layer->nr_kept[METRICS] = metrics;
	return tables__push(t, layer);
}

static int add_system(struct tables **t, const struct machine *m, const struct table_data *data)
{
	int rc = 0;

	for (uint32_t i = 0; !rc && i < data->nr_models; i++) {
		struct layer layer = { .data = data, .model = &data->models[i], .version = "" };

		if (layer.model->flags & TABLE_MODEL_SYS)
			rc = add_folder(t, m, &layer);
	}
	return rc;
}

int tables__add_loaded_system(struct tables **t, const struct machine *m)
{
	/* Numbers, since the handle grows. */
	int top = (*t)->nr_layers - 1, rc = 0;
	const struct table_data *data = (*t)->layers[top].data;

	for (uint32_t i = 0; !rc && (*t)->layers[top].owner && i < data->nr_models; i++) {
		const struct layer *from = &(*t)->layers[top];
		struct layer layer = { .data = data,
				       .model = &data->models[i],
				       .version = "",
				       .release = from->release };

		if (!(layer.model->flags & TABLE_MODEL_SYS))
			continue;
		layer.owner = loaded__get(from->owner);
		layer.origin = strdup(from->origin);
		if (layer.origin) {
			rc = add_folder(t, m, &layer);
		} else {
			layer__free(&layer);
			rc = -ENOMEM;
		}
	}
	return rc;
}

/* Where core PMUs are of different CPUs, each has its own tables under its own name. */
static int add_core(struct tables **t, struct pmu *pmu)
{
	struct tables *own;
	struct layer layer;
	int rc = tables__find(pmu__cpuid(pmu), &own);

	if (rc || !own)
		return rc;
	layer = own->layers[0];
	tables__free(own);
	layer.core = strdup(pmu->name);
	return layer.core ? tables__push(t, &layer) : -ENOMEM;
}

int tables__of_machine(struct machine *m, struct tables **out)
{
	int rc = 0;

	*out = NULL;
	if (!m->has_midr || m->cpuid_given || !machine__is_hybrid(m))
		rc = tables__find(m->cpuid, out);
	else
		for (int i = 0; !rc && i < machine__nr_core_pmus(m); i++)
			rc = add_core(out, machine__core_pmu(m, i));
	/* Of an unknown CPU, the architecture is unknown as well. */
	for (const struct table_data *const *data = table_archs; !rc && *data; data++)
		if (!*out || (*out)->layers[0].data == *data)
			rc = add_system(out, m, *data);
	if (rc) {
		tables__free(*out);
		*out = NULL;
	}
	return rc;
}

int tables__find_unit_event(const struct tables *t, struct pmu *pmu, const char *name)
{
	int found = -1;

	for (int i = 0; found < 0 && i < tables__nr_pmus(t); i++)
		if (pmu__is_table_unit(pmu, tables__pmu(t, i)))
			found = tables__find_event(t, tables__pmu(t, i), name);
	return found;
}
