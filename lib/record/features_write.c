// SPDX-License-Identifier: GPL-2.0-only
/*
 * Writes the features of the header, which describe the computer, the program and the events. Each
 * feature has a function.
 */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/array.h"
#include "base/file.h"
#include "base/num.h"
#include "base/text.h"
#include "base/xalloc.h"
#include "record/recorder.h"

#define PROC_BYTES 8192 /* enough bytes for the first CPU of cpuinfo, and for the first lines of
			 * meminfo */

void put_string(struct sb *sb, const char *text)
{
	size_t len = strlen(text) + 1;
	size_t padded = (len + STRING_ALIGN - 1) / STRING_ALIGN * STRING_ALIGN;

	put_u32(sb, padded);
	sb__add(sb, text, len);
	put_zeros(sb, padded - len);
}

static void put_cpus_string(struct sb *sb, const struct cpulist *cpus)
{
	struct sb text = SB_INIT;

	cpulist__print(cpus, &text);
	put_string(sb, sb__str(&text));
	sb__free(&text);
}

/*
 * Append room for a number that counts items while they are written. Return: position of the
 * number, for count_one().
 */
static size_t put_count(struct sb *sb)
{
	put_u32(sb, 0);
	return sb->len - sizeof(uint32_t);
}

static void count_one(struct sb *sb, size_t count)
{
	uint32_t nr;

	memcpy(&nr, sb->buf + count, sizeof(nr));
	nr++;
	memcpy(sb->buf + count, &nr, sizeof(nr));
}

static void version(struct recorder *r, struct sb *sb)
{
	put_string(sb, r->opts.version);
}

static int nr_cpus(const struct machine *m)
{
	const struct cpulist *all = m->present.nr ? &m->present : &m->online;

	return all->nr ? all->at[all->nr - 1] + 1 : 0;
}

static void nrcpus(struct recorder *r, struct sb *sb)
{
	put_u32(sb, nr_cpus(r->machine));
	put_u32(sb, r->machine->online.nr);
}

/*
 * Find the text after "key : " or "key:" on the first line with this key, up to the end of the
 * line.
 */
static const char *proc_value(const char *text, const char *key)
{
	int len;

	text__for_each_item(line, len, text, "\n") {
		const char *colon = text__has_prefix(line, key) ? memchr(line, ':', len) : NULL;

		if (colon)
			return colon + 1 + strspn(colon + 1, " \t");
	}
	return NULL;
}

/* Read the number before "kB". Return: 0 if there is none. */
static uint64_t kilobytes(const char *text, const char *key)
{
	const char *value = proc_value(text, key);
	uint64_t kb = 0;

	if (value)
		num__scan_u64(value, 10, &kb);
	return kb;
}

static void cpudesc(struct recorder *r, struct sb *sb)
{
	char *name = machine__processor(r->machine);

	if (name)
		put_string(sb, name);
	free(name);
}

/*
 * Convert an id of the tables like "GenuineIntel-6-8F-8" to the form of the header,
 * "GenuineIntel,6,143,8". An id of another form is written unchanged.
 */
static void cpuid(struct recorder *r, struct sb *sb)
{
	unsigned int family, model, stepping;
	char vendor[16], end, text[64];

	if (!*r->machine->cpuid)
		return;
	if (sscanf(r->machine->cpuid, "%12[A-Za-z]-%u-%X-%X%c", vendor, &family, &model, &stepping,
		   &end) != 4) {
		put_string(sb, r->machine->cpuid);
		return;
	}
	snprintf(text, sizeof(text), "%s,%u,%u,%u", vendor, family, model, stepping);
	put_string(sb, text);
}

static void total_mem(struct recorder *r, struct sb *sb)
{
	char text[PROC_BYTES] = "";
	uint64_t kb;

	file__read_start(text, sizeof(text), "%s/meminfo", r->machine->procfs);
	kb = kilobytes(text, "MemTotal");
	if (kb)
		put_u64(sb, kb);
}

static void cmdline(struct recorder *r, struct sb *sb)
{
	char exe[PATH_MAX] = "";
	ssize_t len = readlink("/proc/self/exe", exe, sizeof(exe) - 1);
	uint32_t nr = 1;

	exe[len > 0 ? len : 0] = '\0';
	for (const char *const *arg = r->opts.argv; arg && *arg; arg++)
		nr++;
	put_u32(sb, nr);
	put_string(sb, exe);
	for (const char *const *arg = r->opts.argv; arg && *arg; arg++)
		put_string(sb, *arg);
}

static void event_desc(struct recorder *r, struct sb *sb)
{
	put_u32(sb, r->events->nr);
	put_u32(sb, sizeof(struct perf_event_attr));
	for (int i = 0; i < r->events->nr; i++) {
		struct perf_event_attr attr = recorder__attr(r, i);

		sb__add(sb, (const char *)&attr, sizeof(attr));
		put_u32(sb, 1); /* one id */
		put_string(sb, r->events->at[i]->name);
		put_u64(sb, recorder__id(i));
	}
}

/* The depth down to which CPUs in one list have the same place. */
enum depth { DEPTH_SOCKET, DEPTH_DIE, DEPTH_CORE };

static bool same_place(const struct cpu *a, const struct cpu *b, enum depth depth)
{
	return a->socket == b->socket && (depth < DEPTH_DIE || a->die == b->die) &&
	       (depth < DEPTH_CORE || (a->cluster == b->cluster && a->core == b->core));
}

/* Find the CPUs at the place of @cpu. If an earlier CPU has this place, find no CPUs. */
static void features_write__find_place(const struct machine *m, enum depth depth, int cpu,
				       struct cpulist *out)
{
	struct cpu at = machine__cpu(m, cpu), there;
	const int *other;

	cpulist__for_each(other, &m->online) {
		there = machine__cpu(m, *other);
		if (!same_place(&at, &there, depth))
			continue;
		if (*other < cpu)
			return;
		cpulist__add(out, *other);
	}
}

/* Append the lists of CPUs that form a socket, die or core. */
static void put_lists(const struct machine *m, enum depth depth, struct sb *sb)
{
	size_t count = put_count(sb);
	const int *cpu;

	cpulist__for_each(cpu, &m->online) {
		struct cpulist list = CPULIST_INIT;

		features_write__find_place(m, depth, *cpu, &list);
		if (list.nr) {
			put_cpus_string(sb, &list);
			count_one(sb, count);
		}
		cpulist__free(&list);
	}
}

static bool has_dies(const struct machine *m)
{
	const int *cpu;

	cpulist__for_each(cpu, &m->online)
		if (machine__cpu(m, *cpu).die >= 0)
			return true;
	return false;
}

static void cpu_topology(struct recorder *r, struct sb *sb)
{
	const struct machine *m = r->machine;

	put_lists(m, DEPTH_SOCKET, sb);
	put_lists(m, DEPTH_CORE, sb);
	for (int i = 0; i < nr_cpus(m); i++) {
		put_u32(sb, machine__cpu(m, i).core);
		put_u32(sb, machine__cpu(m, i).socket);
	}
	if (!has_dies(m))
		return;
	put_lists(m, DEPTH_DIE, sb);
	for (int i = 0; i < nr_cpus(m); i++)
		put_u32(sb, machine__cpu(m, i).die);
}

static void put_node(struct recorder *r, struct sb *sb, int node, const struct cpulist *cpus)
{
	static const char *const keys[] = { "MemTotal", "MemFree" };
	char text[PROC_BYTES] = "", key[64];

	file__read_start(text, sizeof(text), "%s/devices/system/node/node%d/meminfo",
			 r->machine->sysfs, node);
	put_u32(sb, node);
	for (int i = 0; i < array__nr(keys); i++) {
		snprintf(key, sizeof(key), "Node %d %s", node, keys[i]);
		put_u64(sb, kilobytes(text, key));
	}
	put_cpus_string(sb, cpus);
}

static void numa_topology(struct recorder *r, struct sb *sb)
{
	const struct machine *m = r->machine;
	int last = -1;
	size_t count;
	const int *cpu;

	cpulist__for_each(cpu, &m->online)
		if (machine__cpu(m, *cpu).node > last)
			last = machine__cpu(m, *cpu).node;
	if (last < 0)
		return;
	count = put_count(sb);
	for (int node = 0; node <= last; node++) {
		struct cpulist list = CPULIST_INIT;

		cpulist__for_each(cpu, &m->online)
			if (machine__cpu(m, *cpu).node == node)
				cpulist__add(&list, *cpu);
		if (list.nr) {
			put_node(r, sb, node, &list);
			count_one(sb, count);
		}
		cpulist__free(&list);
	}
}

static void pmu_mappings(struct recorder *r, struct sb *sb)
{
	const struct machine *m = r->machine;
	size_t count = put_count(sb);

	for (int i = 0; i < m->nr_pmus; i++) {
		if (pmu__load(m->pmus[i]))
			continue;
		count_one(sb, count);
		put_u32(sb, m->pmus[i]->type);
		put_string(sb, m->pmus[i]->name);
	}
}

/*
 * Count the members of a group that directly follow the leader; the format cannot describe other
 * members.
 */
static int members_of(const struct recorder *r, int leader)
{
	int nr = 1;

	if (session__leader(r->session, leader) != leader)
		return 0;
	while (leader + nr < r->events->nr && session__leader(r->session, leader + nr) == leader)
		nr++;
	return nr;
}

static void group_desc(struct recorder *r, struct sb *sb)
{
	size_t count = put_count(sb);

	for (int i = 0; i < r->events->nr; i++) {
		int members = members_of(r, i);

		if (members < 2)
			continue;
		count_one(sb, count);
		put_string(sb, ANONYMOUS_GROUP);
		put_u32(sb, i);
		put_u32(sb, members);
	}
}

static void hybrid_topology(struct recorder *r, struct sb *sb)
{
	const struct machine *m = r->machine;

	if (!machine__is_hybrid(m))
		return;
	put_u32(sb, machine__nr_core_pmus(m));
	for (int i = 0; i < machine__nr_core_pmus(m); i++) {
		put_string(sb, machine__core_pmu(m, i)->name);
		put_cpus_string(sb, &machine__core_pmu(m, i)->cpus);
	}
}

/*
 * The features in the order of their numbers. A feature has a function that appends it, or is a
 * text of the recorder. A feature without a function or text has no content.
 */
static const struct {
	enum file_feature id;
	void (*write)(struct recorder *r, struct sb *sb);
	size_t text;
} table[] = {
	{ FEATURE_HOSTNAME, .text = offsetof(struct recorder, uts.nodename) },
	{ FEATURE_OSRELEASE, .text = offsetof(struct recorder, uts.release) },
	{ FEATURE_VERSION, .write = version },
	{ FEATURE_ARCH, .text = offsetof(struct recorder, uts.machine) },
	{ FEATURE_NRCPUS, .write = nrcpus },
	{ FEATURE_CPUDESC, .write = cpudesc },
	{ FEATURE_CPUID, .write = cpuid },
	{ FEATURE_TOTAL_MEM, .write = total_mem },
	{ FEATURE_CMDLINE, .write = cmdline },
	{ FEATURE_EVENT_DESC, .write = event_desc },
	{ FEATURE_CPU_TOPOLOGY, .write = cpu_topology },
	{ FEATURE_NUMA_TOPOLOGY, .write = numa_topology },
	{ FEATURE_PMU_MAPPINGS, .write = pmu_mappings },
	{ FEATURE_GROUP_DESC, .write = group_desc },
	{ .id = FEATURE_STAT },
	{ FEATURE_CACHE, .write = feature_caches },
	{ FEATURE_HYBRID_TOPOLOGY, .write = hybrid_topology },
};

void recorder__make_features(struct recorder *r)
{
	machine__load_topology(r->machine);
	uname(&r->uts);
	for (int i = 0; i < array__nr(table); i++) {
		struct feature f = { .id = table[i].id, .at = r->text.len };

		if (table[i].write)
			table[i].write(r, &r->text);
		else if (table[i].text)
			put_string(&r->text, (const char *)r + table[i].text);
		f.size = r->text.len - f.at;
		if (f.size || !table[i].write)
			vec__push(&r->features, f);
	}
}
