// SPDX-License-Identifier: GPL-2.0-only
/* The tables of a machine: those of its CPUs, and of its system PMUs. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "machine/machine.h"
#include "tables/cpuid.h"
#include "tables/internal.h"

/* Whether some PMU of the machine is what a record of a system PMU's model is for. */
static bool has_system_pmu(const struct machine *m, const char *unit, const char *compat)
{
	for (int i = machine__nr_core_pmus(m); *compat && i < m->nr_pmus; i++) {
		const char *identifier = pmu__is_table_unit(m->pmus[i], unit)
						 ? pmu__identifier(m->pmus[i])
						 : NULL;

		if (identifier && cpuid__matches(compat, identifier, CPUID_TEXT))
			return true;
	}
	return false;
}

/* The records of one PMU in a folder are all for the same identifiers. */
static bool is_for(const struct layer *layer, const struct machine *m)
{
	for (int kind = EVENTS; kind < NR_RECORD_KINDS; kind++) {
		for (uint32_t i = 0; i < layer__nr_ranges(layer, kind); i++) {
			struct pmu_range r = layer__range(layer, kind, i);
			uint16_t compat = kind == EVENTS ? layer__event(layer, r.first)->compat
							 : layer__metric(layer, r.first)->compat;

			if (has_system_pmu(m, r.pmu, layer__word(layer, compat)))
				return true;
		}
	}
	return false;
}

static int add_system(struct tables **t, const struct machine *m, const struct table_data *data)
{
	for (uint32_t i = 0; i < data->nr_models; i++) {
		struct layer layer = { .data = data, .model = &data->models[i], .version = "" };
		int rc;

		if (!(layer.model->flags & TABLE_MODEL_SYS) || !is_for(&layer, m))
			continue;
		rc = tables__push(t, &layer);
		if (rc)
			return rc;
	}
	return 0;
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
