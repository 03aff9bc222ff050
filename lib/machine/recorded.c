// SPDX-License-Identifier: GPL-2.0-only
/* A computer known from a recording: what it is was said by others, and is not looked up. */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "base/vec.h"
#include "base/xalloc.h"
#include "machine/internal.h"

/* No directory: whatever is looked up below it is not there. */
#define NOWHERE "/dev/null"

struct machine *machine__new_recorded(const char *cpuid, const char *cpu_desc)
{
	struct machine *m = xcalloc(1, sizeof(*m));

	m->recorded = m->fake_sysfs = true;
	m->paranoid = INT_MIN;
	m->siblings_loaded = true;
	m->sysfs = xstrdup(NOWHERE);
	m->procfs = xstrdup(NOWHERE);
	machine__set_cpuid(m, cpuid, cpu_desc);
	return m;
}

void machine__set_cpuid(struct machine *m, const char *cpuid, const char *cpu_desc)
{
	char *old = m->cpuid;

	m->cpuid = xstrdup(cpuid);
	if (cpu_desc && text__has_prefix(cpuid, "GenuineIntel"))
		m->tsc_hz = cpuid__tsc_hz(cpu_desc);
	free(old);
}

struct pmu *machine__add_pmu(struct machine *m, const char *name, uint32_t type)
{
	bool is_core = !strcmp(name, "cpu") || text__has_prefix(name, "cpu_") ||
		       text__has_prefix(name, "armv8_") || text__has_prefix(name, "cpum_cf");
	struct pmu *pmu = pmu__new(m, name, is_core), **pmus;
	int place = m->nr_pmus;

	m->pmus = pmus = xreallocarray(m->pmus, m->nr_pmus + 1, sizeof(*pmus));
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

void machine__add_cache(struct machine *m, int level, struct cpulist *cpus)
{
	if (!cpus->nr)
		return;
	vec__reserve_raw(&m->caches, &m->cap_caches, m->nr_caches + 1, sizeof(*m->caches));
	m->caches[m->nr_caches++] = (struct cpu_cache){ .level = level, .cpus = *cpus };
	*cpus = (struct cpulist)CPULIST_INIT;
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

/* How many packages, dies and cores there are, of CPUs sorted by them. */
static void count_places(struct machine *m, const struct placed *sorted, int nr)
{
	struct cpulist *core = NULL;

	m->core_lists = xcalloc(nr, sizeof(*m->core_lists));
	for (int i = 0; i < nr; i++) {
		enum cpu_shared shared = i ? cpu__shared(&sorted[i].at, &sorted[i - 1].at) :
					     SHARED_NOTHING;

		m->nr_packages += shared < SHARED_PACKAGE;
		m->nr_dies += shared < SHARED_DIE;
		if (shared < SHARED_CORE)
			core = &m->core_lists[m->nr_core_lists++];
		cpulist__add(core, sorted[i].cpu);
	}
}

void machine__set_topology(struct machine *m, const struct cpu *cpus, int nr)
{
	struct placed *placed = xcalloc(nr, sizeof(*placed));
	int known = 0;

	m->cpus = xcalloc(nr, sizeof(*m->cpus));
	memcpy(m->cpus, cpus, nr * sizeof(*m->cpus));
	m->nr_cpus = nr;
	for (int i = 0; i < nr; i++)
		if (cpus[i].socket >= 0)
			placed[known++] = (struct placed){ .at = cpus[i], .cpu = i };
	qsort(placed, known, sizeof(*placed), by_core);
	count_places(m, placed, known);
	free(placed);
}
