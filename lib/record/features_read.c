// SPDX-License-Identifier: GPL-2.0-only
/*
 * Reads the features of the header, which describe the computer and the events. Each feature has a
 * function. A span becomes bad if a value is impossible; the value is then treated as missing.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/auto.h"
#include "base/text.h"
#include "base/xalloc.h"
#include "record/recording.h"

#define MAX_CPU_NUMBER CPULIST_MAX_CPU

static void read_text(struct span *s, char **out)
{
	const char *text = span__string(s);

	if (!s->bad)
		event__set_text(out, text);
}

static void cpudesc(struct recording *r, struct span *s)
{
	read_text(s, &r->cpu_desc);
}

static void hostname(struct recording *r, struct span *s)
{
	read_text(s, &r->host);
}

static void osrelease(struct recording *r, struct span *s)
{
	read_text(s, &r->kernel);
}

static void version(struct recording *r, struct span *s)
{
	read_text(s, &r->version);
}

/*
 * Convert an id of the header like "GenuineIntel,6,143,8" to the form of the tables,
 * "GenuineIntel-6-8F-8". Ids of other forms are not changed.
 */
static void cpuid(struct recording *r, struct span *s)
{
	unsigned int family, model, stepping;
	char vendor[16], end, text[64];
	const char *id = span__string(s);

	if (sscanf(id, "%12[A-Za-z],%u,%u,%u%c", vendor, &family, &model, &stepping, &end) == 4) {
		snprintf(text, sizeof(text), "%s-%u-%X-%X", vendor, family, model, stepping);
		id = text;
	}
	event__set_text(&r->machine->cpuid, id);
}

/*
 * Read a list of CPUs. To limit the memory, all lists together may have as many CPUs as the largest
 * machine.
 */
static void parse_cpus(struct recording *r, struct span *s, const char *text,
		       struct cpulist *list)
{
	if (s->bad || cpulist__parse("CPUs", text, list, NULL)) {
		s->bad = true;
		return;
	}
	r->nr_own_cpus += list->nr;
	if (r->nr_own_cpus <= MAX_SAMPLES)
		return;
	cpulist__free(list);
	s->bad = true;
}

static void nrcpus(struct recording *r, struct span *s)
{
	/*
	 * The places of CPUs are already known, and belong to the number of CPUs that was read
	 * before.
	 */
	if (r->places)
		return;
	r->nr_cpus = span__u32(s);
	r->nr_online = span__u32(s);
}

static void cmdline(struct recording *r, struct span *s)
{
	uint32_t nr = span__u32(s);

	sb__clear(&r->command);
	recording__clear_words(r);
	for (uint32_t i = 0; i < nr && !s->bad; i++) {
		const char *word = span__string(s);

		sb__printf(&r->command, "%s%s", i ? " " : "", word);
		vec__push(&r->words, xstrdup(word));
	}
}

/* Read the names of events: entry number n belongs to event number n. */
static void event_desc(struct recording *r, struct span *s)
{
	uint32_t nr = span__u32(s), attr_size = span__u32(s);

	for (uint32_t i = 0; i < nr && !s->bad; i++) {
		uint32_t nr_ids;
		const char *name;

		span__take(s, attr_size);
		nr_ids = span__u32(s);
		name = span__string(s);
		span__take(s, nr_ids * sizeof(uint64_t));
		if (s->bad || i >= (uint32_t)r->events.nr)
			break;
		event__set_text(&r->events.at[i]->name, name);
	}
}

/* The entries of this feature are records with a header. */
static void read_build_ids(struct recording *r, struct span *s)
{
	struct perf_event_header h;

	while (span__left(s) >= sizeof(h)) {
		struct span body;

		span__copy(s, &h, sizeof(h));
		body = (struct span){.data = s->data + s->at,
				     .len = h.size < sizeof(h) ? 0 : h.size - sizeof(h)};
		if (!span__take(s, body.len) || samples__take_build_id(r, &h, &body))
			s->bad = true;
	}
}

static void skip_strings(struct span *s)
{
	uint32_t nr = span__u32(s);

	while (nr-- && !s->bad)
		span__string(s);
}

/* Old writers end the feature after the lists, or before the dies. */
static void cpu_topology(struct recording *r, struct span *s)
{
	uint32_t nr = r->nr_cpus;

	skip_strings(s);
	skip_strings(s);
	if (!span__left(s))
		return;
	if (!nr || nr > MAX_CPU_NUMBER + 1 || span__left(s) / (2 * sizeof(uint32_t)) < nr) {
		s->bad = true;
		return;
	}
	free(r->places);
	r->places = xcalloc(nr, sizeof(*r->places));
	for (uint32_t i = 0; i < nr; i++) {
		r->places[i] = (struct cpu){ .die = -1, .cluster = -1, .node = -1 };
		r->places[i].core = span__u32(s);
		r->places[i].socket = span__u32(s);
	}
	if (!span__left(s))
		return;
	skip_strings(s);
	for (uint32_t i = 0; i < nr; i++)
		r->places[i].die = span__u32(s);
}

static void numa_topology(struct recording *r, struct span *s)
{
	uint32_t nr = span__u32(s);

	while (nr-- && !s->bad) {
		struct cpulist list = CPULIST_INIT;
		uint32_t node = span__u32(s);
		const int *cpu;

		span__take(s, 2 * sizeof(uint64_t)); /* total and free memory */
		parse_cpus(r, s, span__string(s), &list);
		cpulist__for_each(cpu, &list)
			if (r->places && *cpu < (int)r->nr_cpus)
				r->places[*cpu].node = node;
		cpulist__free(&list);
	}
}

static void pmu_mappings(struct recording *r, struct span *s)
{
	uint32_t nr = span__u32(s);

	while (nr-- && !s->bad) {
		uint32_t type = span__u32(s);
		/* Rows of caches are labelled with the level. */
		auto_text name = text__one_line(xstrdup(span__string(s)));

		if (!s->bad)
			machine__add_pmu(r->machine, name, type);
	}
}

static void group_desc(struct recording *r, struct span *s)
{
	uint32_t nr = span__u32(s), all = r->events.nr;

	while (nr-- && !s->bad) {
		uint32_t leader, members;

		span__string(s);
		leader = span__u32(s);
		members = span__u32(s);
		s->bad |= leader >= all || members > all - leader || !members;
		if (s->bad)
			return;
		for (uint32_t i = leader; i < leader + members; i++) {
			r->events.at[i]->leader = r->events.at[leader];
			r->events.at[i]->nr_members = i == leader ? members : 1;
		}
	}
}

static void caches(struct recording *r, struct span *s)
{
	uint32_t form = span__u32(s), nr = span__u32(s);

	if (form != CACHE_FEATURE_VERSION)
		return;
	while (nr-- && !s->bad) {
		struct cpulist cpus = CPULIST_INIT;
		uint32_t level = span__u32(s);

		span__take(s, 3 * sizeof(uint32_t)); /* line size, sets, ways */
		span__string(s);		     /* type */
		span__string(s);		     /* size */
		parse_cpus(r, s, span__string(s), &cpus);
		machine__add_cache(r->machine, level, &cpus);
	}
}

static void hybrid_topology(struct recording *r, struct span *s)
{
	uint32_t nr = span__u32(s);

	while (nr-- && !s->bad) {
		const char *name = span__string(s), *text = span__string(s);
		struct pmu *pmu = machine__pmu(r->machine, name);
		struct cpulist cpus = CPULIST_INIT;

		parse_cpus(r, s, text, &cpus);
		if (!s->bad && pmu && !pmu->has_cpus) {
			cpulist__copy(&cpus, &pmu->cpus);
			pmu->has_cpus = true;
		}
		cpulist__free(&cpus);
	}
}

typedef void (*feature_read_fn)(struct recording *r, struct span *s);

static const feature_read_fn table[FEATURE_LAST] = {
	[FEATURE_HOSTNAME] = hostname,
	[FEATURE_OSRELEASE] = osrelease,
	[FEATURE_BUILD_ID] = read_build_ids,
	[FEATURE_VERSION] = version,
	[FEATURE_NRCPUS] = nrcpus,
	[FEATURE_CPUDESC] = cpudesc,
	[FEATURE_CPUID] = cpuid,
	[FEATURE_CMDLINE] = cmdline,
	[FEATURE_EVENT_DESC] = event_desc,
	[FEATURE_CPU_TOPOLOGY] = cpu_topology,
	[FEATURE_NUMA_TOPOLOGY] = numa_topology,
	[FEATURE_PMU_MAPPINGS] = pmu_mappings,
	[FEATURE_GROUP_DESC] = group_desc,
	[FEATURE_CACHE] = caches,
	[FEATURE_HYBRID_TOPOLOGY] = hybrid_topology,
};

int features__read(struct recording *r, uint64_t feature, const char *data, size_t len)
{
	struct span s = { .data = data, .len = len };

	if (feature >= FEATURE_LAST || !table[feature])
		return 0;
	table[feature](r, &s);
	return s.bad ? -EINVAL : 0;
}
