// SPDX-License-Identifier: GPL-2.0-only
/* Facts of a recorded computer come from the recording; no file is read to find them. */
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/array.h"
#include "base/text.h"
#include "base/vec.h"
#include "base/xalloc.h"
#include "machine/internal.h"
#include "machine/models.h"

/* A path in place of the mount points. It is not a directory, so no file below it exists. */
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
	if (cpu_desc && cpu_vendor__of(cpuid) == VENDOR_INTEL)
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
	/* Core PMUs come first, in the order in which they are added. */
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

/* A CPU's number and place; the list is sorted by place. */
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

/* Count packages, dies and cores of sorted CPUs. */
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

/*
 * --- Contents of sysfs that all core PMUs of a vendor have ---------------------------------------
 */

/** struct known_format - name and text of a format that CPUs of some vendors have in sysfs */
struct known_format {
	const char *name, *text;
	unsigned int vendors;
};

static const struct known_format formats[] = {
	{"any", "config:21", VENDOR_INTEL},
	{"cmask", "config:24-31", VENDOR_INTEL | VENDOR_AMD},
	{"edge", "config:18", VENDOR_INTEL | VENDOR_AMD},
	{"event", "config:0-7", VENDOR_INTEL},
	{"event", "config:0-7,32-35", VENDOR_AMD},
	{"event", "config:0-15", VENDOR_ARM},
	{"frontend", "config1:0-23", VENDOR_INTEL},
	{"in_tx", "config:32", VENDOR_INTEL},
	{"in_tx_cp", "config:33", VENDOR_INTEL},
	{"inv", "config:23", VENDOR_INTEL | VENDOR_AMD},
	{"ldlat", "config1:0-15", VENDOR_INTEL},
	{"offcore_rsp", "config1:0-63", VENDOR_INTEL},
	{"pc", "config:19", VENDOR_INTEL},
	{"snoop_rsp", "config1:0-63", VENDOR_INTEL},
	{"umask", "config:8-15", VENDOR_INTEL | VENDOR_AMD},
};

static const struct known_format events[] = {
	{"branch-instructions", "event=0xc4", VENDOR_INTEL},
	{"branch-misses", "event=0xc5", VENDOR_INTEL},
	{"branches", "event=0xc4", VENDOR_INTEL},
	{"cpu-cycles", "event=0x3c", VENDOR_INTEL},
	{"cpu-cycles", "event=0x76", VENDOR_AMD},
	{"cycles", "event=0x3c", VENDOR_INTEL},
	{"cycles", "event=0x76", VENDOR_AMD},
	{"instructions", "event=0xc0", VENDOR_INTEL | VENDOR_AMD},
	{"ref-cycles", "event=0x00,umask=0x03", VENDOR_INTEL},
};

static void add_format(struct pmu *pmu, const struct known_format *known)
{
	struct pmu_format *format = &pmu->formats[pmu->nr_formats++];

	format->name = xstrdup(known->name);
	pmu_format__parse(known->text, format->bits);
	format->loaded = true;
}

/* pmu__event() needs events sorted by name. */
void pmu__add_event(struct pmu *pmu, const char *name, const char *terms, double scale)
{
	int at = pmu->nr_events++;

	pmu->events = xreallocarray(pmu->events, pmu->nr_events, sizeof(*pmu->events));
	for (; at && strcasecmp(pmu->events[at - 1].name, name) > 0; at--)
		pmu->events[at] = pmu->events[at - 1];
	pmu->events[at] = (struct pmu_event){
		.name = xstrdup(name),
		.terms = xstrdup(terms),
		.unit = xstrdup(""),
		.scale = scale,
	};
}

void machine__assume_formats(struct machine *m)
{
	unsigned int vendor = cpu_vendor__of(m->cpuid);

	for (int i = 0; i < machine__nr_core_pmus(m); i++) {
		struct pmu *pmu = machine__core_pmu(m, i);

		pmu__forget_terms(pmu);
		pmu->formats = xcalloc(array__nr(formats), sizeof(*pmu->formats));
		for (int j = 0; j < array__nr(formats); j++)
			if (formats[j].vendors & vendor)
				add_format(pmu, &formats[j]);
		for (int j = 0; j < array__nr(events); j++)
			if (events[j].vendors & vendor)
				pmu__add_event(pmu, events[j].name, events[j].text, 1);
	}
}
