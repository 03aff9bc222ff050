// SPDX-License-Identifier: GPL-2.0-only
/* What the header says of the computer, the program and the events: one function for each. */
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "base/file.h"
#include "base/num.h"
#include "base/text.h"
#include "base/xalloc.h"
#include "record/recorder.h"

#define PROC_BYTES 8192 /* the first CPU of cpuinfo, the first lines of meminfo */

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

static void hostname(struct recorder *r, struct sb *sb)
{
	struct utsname uts;

	(void)r;
	if (!uname(&uts))
		put_string(sb, uts.nodename);
}

static void osrelease(struct recorder *r, struct sb *sb)
{
	struct utsname uts;

	(void)r;
	if (!uname(&uts))
		put_string(sb, uts.release);
}

static void arch(struct recorder *r, struct sb *sb)
{
	struct utsname uts;

	(void)r;
	if (!uname(&uts))
		put_string(sb, uts.machine);
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

/* The text behind "key : " or "key:" on the first line with that key, without blanks around. */
static char *proc_value(char *text, const char *key)
{
	char *line, *save, *colon;

	for (line = strtok_r(text, "\n", &save); line; line = strtok_r(NULL, "\n", &save)) {
		colon = text__has_prefix(line, key) ? strchr(line, ':') : NULL;
		if (colon)
			return text__trim(colon + 1);
	}
	return NULL;
}

static void cpudesc(struct recorder *r, struct sb *sb)
{
	char text[PROC_BYTES], *value;

	if (file__read_start(text, sizeof(text), "%s/cpuinfo", r->machine->procfs) < 0)
		return;
	value = proc_value(text, "model name");
	if (value)
		put_string(sb, value);
}

/* "GenuineIntel-6-8F-8" is "GenuineIntel,6,143,8" there. What has another form stays as it is. */
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

/* A number in front of "kB". */
static bool kilobytes(const char *text, uint64_t *out)
{
	return text && num__scan_u64(text, 10, out) > 0;
}

static void total_mem(struct recorder *r, struct sb *sb)
{
	char text[PROC_BYTES];
	uint64_t kb;

	if (file__read_start(text, sizeof(text), "%s/meminfo", r->machine->procfs) >= 0 &&
	    kilobytes(proc_value(text, "MemTotal"), &kb))
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

/* How far down CPUs must be the same place to stand in one list. */
enum depth { DEPTH_SOCKET, DEPTH_DIE, DEPTH_CORE };

static bool same_place(const struct cpu *a, const struct cpu *b, enum depth depth)
{
	return a->socket == b->socket && (depth < DEPTH_DIE || a->die == b->die) &&
	       (depth < DEPTH_CORE || (a->cluster == b->cluster && a->core == b->core));
}

/* The first CPU of each place in @first, of room for all. Return: how many places. */
static int find_places(const struct machine *m, enum depth depth, int *first)
{
	int nr = 0, known;
	const int *cpu;

	cpulist__for_each(cpu, &m->online) {
		struct cpu at = machine__cpu(m, *cpu);

		/* The nearest before it is mostly the one. */
		for (known = nr - 1; known >= 0; known--) {
			struct cpu other = machine__cpu(m, first[known]);

			if (same_place(&at, &other, depth))
				break;
		}
		if (known < 0)
			first[nr++] = *cpu;
	}
	return nr;
}

/* The lists of CPUs which are one socket, die or core. */
static void put_lists(const struct machine *m, enum depth depth, struct sb *sb)
{
	int *first = xcalloc(m->online.nr, sizeof(*first));
	int nr = find_places(m, depth, first);
	const int *cpu;

	put_u32(sb, nr);
	for (int i = 0; i < nr; i++) {
		struct cpu at = machine__cpu(m, first[i]), other;
		struct cpulist list = CPULIST_INIT;

		cpulist__for_each(cpu, &m->online) {
			other = machine__cpu(m, *cpu);
			if (same_place(&at, &other, depth))
				cpulist__add(&list, *cpu);
		}
		put_cpus_string(sb, &list);
		cpulist__free(&list);
	}
	free(first);
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
	char text[PROC_BYTES], copy[PROC_BYTES], key[64];
	static const char *const keys[] = { "MemTotal", "MemFree" };
	uint64_t kb;

	if (file__read_start(text, sizeof(text), "%s/devices/system/node/node%d/meminfo",
			     r->machine->sysfs, node) < 0)
		text[0] = '\0';
	put_u32(sb, node);
	for (int i = 0; i < 2; i++) {
		snprintf(key, sizeof(key), "Node %d %s", node, keys[i]);
		memcpy(copy, text, sizeof(copy));
		if (!kilobytes(proc_value(copy, key), &kb))
			kb = 0;
		put_u64(sb, kb);
	}
	put_cpus_string(sb, cpus);
}

static void numa_topology(struct recorder *r, struct sb *sb)
{
	const struct machine *m = r->machine;
	int last = -1, nr = 0;
	size_t start = sb->len;
	const int *cpu;

	cpulist__for_each(cpu, &m->online)
		if (machine__cpu(m, *cpu).node > last)
			last = machine__cpu(m, *cpu).node;
	if (last < 0)
		return;
	put_u32(sb, 0);
	for (int node = 0; node <= last; node++) {
		struct cpulist list = CPULIST_INIT;

		cpulist__for_each(cpu, &m->online)
			if (machine__cpu(m, *cpu).node == node)
				cpulist__add(&list, *cpu);
		if (list.nr) {
			put_node(r, sb, node, &list);
			nr++;
		}
		cpulist__free(&list);
	}
	memcpy(sb->buf + start, &nr, sizeof(uint32_t));
}

static void pmu_mappings(struct recorder *r, struct sb *sb)
{
	const struct machine *m = r->machine;
	uint32_t nr = 0;

	for (int i = 0; i < m->nr_pmus; i++)
		nr += !pmu__load(m->pmus[i]);
	put_u32(sb, nr);
	for (int i = 0; i < m->nr_pmus; i++) {
		if (pmu__load(m->pmus[i]))
			continue;
		put_u32(sb, m->pmus[i]->type);
		put_string(sb, m->pmus[i]->name);
	}
}

/* Members of the group that stand right behind its leader: there is no way to say more. */
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
	uint32_t nr = 0;

	for (int i = 0; i < r->events->nr; i++)
		nr += members_of(r, i) > 1;
	put_u32(sb, nr);
	for (int i = 0; i < r->events->nr; i++) {
		if (members_of(r, i) < 2)
			continue;
		put_string(sb, ANONYMOUS_GROUP);
		put_u32(sb, i);
		put_u32(sb, members_of(r, i));
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

static void nothing(struct recorder *r, struct sb *sb)
{
	(void)r;
	(void)sb;
}

/* In the order of their numbers. @flag: there is nothing to be said but that it is so. */
static const struct {
	enum file_feature id;
	void (*write)(struct recorder *r, struct sb *sb);
	bool flag;
} table[] = {
	{ FEATURE_HOSTNAME, hostname, false },
	{ FEATURE_OSRELEASE, osrelease, false },
	{ FEATURE_VERSION, version, false },
	{ FEATURE_ARCH, arch, false },
	{ FEATURE_NRCPUS, nrcpus, false },
	{ FEATURE_CPUDESC, cpudesc, false },
	{ FEATURE_CPUID, cpuid, false },
	{ FEATURE_TOTAL_MEM, total_mem, false },
	{ FEATURE_CMDLINE, cmdline, false },
	{ FEATURE_EVENT_DESC, event_desc, false },
	{ FEATURE_CPU_TOPOLOGY, cpu_topology, false },
	{ FEATURE_NUMA_TOPOLOGY, numa_topology, false },
	{ FEATURE_PMU_MAPPINGS, pmu_mappings, false },
	{ FEATURE_GROUP_DESC, group_desc, false },
	{ FEATURE_STAT, nothing, true },
	{ FEATURE_CACHE, feature_caches, false },
	{ FEATURE_HYBRID_TOPOLOGY, hybrid_topology, false },
};

void recorder__make_features(struct recorder *r)
{
	machine__load_topology(r->machine);
	for (size_t i = 0; i < sizeof(table) / sizeof(*table); i++) {
		struct feature f = { .id = table[i].id, .at = r->text.len };

		table[i].write(r, &r->text);
		f.size = r->text.len - f.at;
		if (f.size || table[i].flag)
			vec__push(&r->features, f);
	}
}
