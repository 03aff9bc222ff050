// SPDX-License-Identifier: GPL-2.0-only
/* A computer known from a recording: what it is was said by others, and is not looked up. */
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "base/vec.h"
#include "machine/internal.h"

/* No directory: whatever is looked up below it is not there. */
#define NOWHERE "/dev/null"

int machine__new_recorded(const char *cpuid, const char *cpu_desc, struct machine **out)
{
	struct machine *m = calloc(1, sizeof(*m));

	if (!m)
		return -ENOMEM;
	m->recorded = m->fake_sysfs = true;
	m->paranoid = INT_MIN;
	m->siblings_loaded = true;
	m->sysfs = strdup(NOWHERE);
	m->procfs = strdup(NOWHERE);
	m->cpuid = strdup(cpuid);
	if (!m->sysfs || !m->procfs || !m->cpuid) {
		machine__free(m);
		return -ENOMEM;
	}
	if (cpu_desc && text__has_prefix(cpuid, "GenuineIntel"))
		m->tsc_hz = cpuid__tsc_hz(cpu_desc);
	*out = m;
	return 0;
}

struct pmu *machine__add_pmu(struct machine *m, const char *name, uint32_t type)
{
	bool is_core = !strcmp(name, "cpu") || text__has_prefix(name, "cpu_") ||
		       text__has_prefix(name, "armv8_") || text__has_prefix(name, "cpum_cf");
	struct pmu *pmu = pmu__new(m, name, is_core), **pmus;
	int place = m->nr_pmus;

	pmus = pmu ? realloc(m->pmus, (m->nr_pmus + 1) * sizeof(*pmus)) : NULL;
	if (!pmus) {
		pmu__free(pmu);
		return NULL;
	}
	m->pmus = pmus;
	pmu->type = type;
	pmu->is_uncore = text__has_prefix(name, "uncore_");
	pmu->loaded = pmu->alias_read = pmu->formats_listed = pmu->events_listed = true;
	/* Core PMUs come first, in the order they are told of. */
	if (is_core)
		for (place = 0; place < m->nr_pmus && pmus[place]->is_core; place++)
			;
	memmove(&pmus[place + 1], &pmus[place], (m->nr_pmus - place) * sizeof(*pmus));
	pmus[place] = pmu;
	m->nr_pmus++;
	for (int i = 0; i < m->nr_pmus; i++)
		pmus[i]->order = i;
	return pmu;
}

int machine__add_cache(struct machine *m, int level, struct cpulist *cpus)
{
	struct cpu_cache cache = { .level = level, .cpus = *cpus };

	if (!cpus->nr)
		return 0;
	if (vec__reserve_raw(&m->caches, &m->cap_caches, m->nr_caches + 1, sizeof(cache)))
		return -ENOMEM;
	m->caches[m->nr_caches++] = cache;
	*cpus = (struct cpulist)CPULIST_INIT;
	return 0;
}

/* A CPU with its number, to be sorted by where it stands. */
struct placed {
	struct cpu at;
	int cpu;
};

static int by_core(const void *a, const void *b)
{
	const struct placed *l = a, *r = b;
	const int left[] = { l->at.socket, l->at.die, l->at.cluster, l->at.core, l->cpu };
	const int right[] = { r->at.socket, r->at.die, r->at.cluster, r->at.core, r->cpu };

	for (int i = 0; i < 5; i++)
		if (left[i] != right[i])
			return left[i] < right[i] ? -1 : 1;
	return 0;
}

static bool same_core(const struct cpu *a, const struct cpu *b)
{
	return a->socket == b->socket && a->die == b->die && a->cluster == b->cluster &&
	       a->core == b->core;
}

/* How many packages, dies and cores there are, of CPUs sorted by them. */
static int count_places(struct machine *m, const struct placed *sorted, int nr)
{
	struct cpulist *core = NULL;

	m->core_lists = calloc(nr + 1, sizeof(*m->core_lists));
	if (!m->core_lists)
		return -ENOMEM;
	for (int i = 0; i < nr; i++) {
		const struct cpu *at = &sorted[i].at, *last = i ? &sorted[i - 1].at : NULL;

		m->nr_packages += !last || last->socket != at->socket;
		m->nr_dies += !last || last->socket != at->socket || last->die != at->die;
		if (!last || !same_core(last, at))
			core = &m->core_lists[m->nr_core_lists++];
		if (cpulist__add(core, sorted[i].cpu))
			return -ENOMEM;
	}
	return 0;
}

int machine__set_topology(struct machine *m, const struct cpu *cpus, int nr)
{
	struct placed *placed = calloc(nr + 1, sizeof(*placed));
	int known = 0, rc;

	m->cpus = malloc((nr + 1) * sizeof(*m->cpus));
	if (!placed || !m->cpus) {
		free(placed);
		return -ENOMEM;
	}
	memcpy(m->cpus, cpus, nr * sizeof(*m->cpus));
	m->nr_cpus = nr;
	for (int i = 0; i < nr; i++)
		if (cpus[i].socket >= 0)
			placed[known++] = (struct placed){ .at = cpus[i], .cpu = i };
	qsort(placed, known, sizeof(*placed), by_core);
	rc = count_places(m, placed, known);
	free(placed);
	return rc;
}
