// SPDX-License-Identifier: GPL-2.0-only
/*
 * Find the sockets, dies, clusters, cores, NUMA nodes and shared caches of CPUs.
 */
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/num.h"
#include "base/strmap.h"
#include "base/text.h"
#include "base/xalloc.h"
#include "machine/internal.h"

#define CPU_PATH "%s/devices/system/cpu/cpu%d/"
#define NODE_PATH "%s/devices/system/node/"
#define CACHE_INDEX_MAX 16

static const struct cpu nowhere = { -1, -1, -1, -1, -1 };

/* Return: the number in a file; -1 if the kernel does not report it. */
static int topology_int(const struct machine *m, int cpu, const char *name)
{
	int value;

	return machine__read_int(m, &value, CPU_PATH "topology/%s", m->sysfs, cpu, name) ? -1
											 : value;
}

/* Read a number that every online CPU has in any sysfs; note a file that is missing. */
static int sure_topology_int(const struct machine *m, int cpu, const char *name)
{
	int value = topology_int(m, cpu, name);

	if (value < 0 && file__exists(CPU_PATH "topology", m->sysfs, cpu) &&
	    !file__exists(CPU_PATH "topology/%s", m->sysfs, cpu, name))
		machine__note_odd(m, -EINVAL, CPU_PATH "topology/%s", m->sysfs, cpu, name);
	return value;
}

static void load_node(struct machine *m, int node, const char *dir)
{
	struct cpulist cpus = CPULIST_INIT;
	int *cpu;

	machine__read_cpulist(m, &cpus, NODE_PATH "%s/cpulist", m->sysfs, dir);
	cpulist__for_each(cpu, &cpus)
		if (*cpu < m->nr_cpus)
			m->cpus[*cpu].node = node;
	cpulist__free(&cpus);
}

static void load_nodes(struct machine *m)
{
	char **names;
	bool any = false;
	uint64_t node;
	int nr, *cpu;

	if (machine__note_odd(m, file__list_dir(&names, &nr, NODE_PATH, m->sysfs), NODE_PATH,
				 m->sysfs))
		return; /* a kernel without NUMA does not have the directory */
	for (int i = 0; i < nr; i++)
		if (text__has_prefix(names[i], "node") &&
		    !num__parse_u64("node", names[i] + 4, 0, INT_MAX, &node, NULL)) {
			load_node(m, node, names[i]);
			any = true;
		}
	file__free_names(names, nr);
	/* A node may have no CPUs, but every CPU has a node. */
	cpulist__for_each(cpu, &m->online)
		if (any && m->cpus[*cpu].node < 0)
			machine__note_odd(m, -EINVAL, NODE_PATH "node*/cpulist (CPU %d)", m->sysfs,
					  *cpu);
}

void machine__load_topology(struct machine *m)
{
	const struct cpulist *all = m->possible.nr ? &m->possible : &m->online;
	int nr, *cpu;

	if (m->cpus)
		return;
	nr = all->nr ? all->at[all->nr - 1] + 1 : 1;
	if (m->online.nr && m->online.at[m->online.nr - 1] >= nr)
		nr = m->online.at[m->online.nr - 1] + 1;
	m->cpus = xcalloc(nr, sizeof(*m->cpus));
	m->nr_cpus = nr;
	for (int i = 0; i < nr; i++)
		m->cpus[i] = nowhere;
	cpulist__for_each(cpu, &m->online) {
		struct cpu *at = &m->cpus[*cpu];

		at->socket = sure_topology_int(m, *cpu, "physical_package_id");
		at->die = topology_int(m, *cpu, "die_id");
		at->cluster = topology_int(m, *cpu, "cluster_id");
		at->core = sure_topology_int(m, *cpu, "core_id");
	}
	load_nodes(m);
}

enum cpu_shared cpu__shared(const struct cpu *a, const struct cpu *b)
{
	if (a->socket != b->socket)
		return SHARED_NOTHING;
	if (a->die != b->die)
		return SHARED_PACKAGE;
	return a->cluster == b->cluster && a->core == b->core ? SHARED_CORE : SHARED_DIE;
}

struct cpu machine__cpu(const struct machine *m, int cpu)
{
	return cpu >= 0 && cpu < m->nr_cpus ? m->cpus[cpu] : nowhere;
}

/* Read the list of CPUs that share a unit with @cpu; Linux 5.3 renamed these files. */
static char *read_siblings(const struct machine *m, int cpu, const char *name, const char *old)
{
	char *text = machine__read_file(CPULIST_TEXT_MAX, CPU_PATH "topology/%s", m->sysfs, cpu,
					name);

	return text || !old ? text : read_siblings(m, cpu, old, NULL);
}

/**
 * list_siblings() - list the distinct lists of siblings of all online CPUs
 * @lists: set to the lists that can be read; room for as many lists as there are CPUs; or NULL
 * @nr:    increased by the number of these lists
 *
 * Return: number of distinct lists.
 */
static int list_siblings(const struct machine *m, const char *name, const char *old,
			 struct cpulist *lists, int *nr)
{
	struct strmap *seen = strmap__new();
	int found, *cpu;

	cpulist__for_each(cpu, &m->online) {
		char *text = read_siblings(m, *cpu, name, old);

		if (text && lists && strmap__get(seen, text) < 0)
			*nr += !machine__note_odd(m, cpulist__parse(name, text, &lists[*nr], NULL),
						  CPU_PATH "topology/%s", m->sysfs, *cpu, name);
		if (text)
			strmap__put(seen, text, 0);
		free(text);
	}
	found = strmap__nr(seen);
	strmap__free(seen);
	return found;
}

static void load_core_lists(struct machine *m)
{
	if (m->siblings_loaded)
		return;
	m->siblings_loaded = true;
	m->core_lists = xcalloc(m->online.nr, sizeof(*m->core_lists));
	list_siblings(m, "core_cpus_list", "thread_siblings_list", m->core_lists,
		      &m->nr_core_lists);
}

int machine__nr_packages(struct machine *m)
{
	if (m->nr_packages < 0)
		m->nr_packages = list_siblings(m, "package_cpus_list", "core_siblings_list", NULL,
					       NULL);
	return m->nr_packages;
}

int machine__nr_dies(struct machine *m)
{
	if (m->nr_dies < 0)
		m->nr_dies = list_siblings(m, "die_cpus_list", NULL, NULL, NULL);
	return m->nr_dies;
}

int machine__nr_cores(struct machine *m)
{
	load_core_lists(m);
	return m->nr_core_lists;
}

static bool has_smt_on(struct machine *m)
{
	int active;

	if (!m->recorded &&
	    !machine__read_int(m, &active, "%s/devices/system/cpu/smt/active", m->sysfs))
		return active == 1;
	load_core_lists(m);
	for (int i = 0; i < m->nr_core_lists; i++)
		if (m->core_lists[i].nr > 1)
			return true;
	return false;
}

bool machine__smt_on(struct machine *m)
{
	enum machine_answer *known = &m->answers.smt_on;

	/* The places of a recorded machine's CPUs may be set later. */
	if (*known == ANSWER_OPEN || m->recorded)
		*known = m->smt || has_smt_on(m) ? ANSWER_YES : ANSWER_NO;
	return *known == ANSWER_YES;
}

static bool has_no_smt(struct machine *m)
{
	char control[32];

	return file__read_line(control, sizeof(control), "%s/devices/system/cpu/smt/control",
			       m->sysfs) > 0 &&
	       !strcmp(control, "notsupported") && !machine__is_virtual(m);
}

bool machine__lacks_smt(struct machine *m)
{
	enum machine_answer *known = &m->answers.lacks_smt;

	if (*known == ANSWER_OPEN)
		*known = has_no_smt(m) ? ANSWER_YES : ANSWER_NO;
	return *known == ANSWER_YES;
}

bool machine__covers_cores(struct machine *m, const struct cpulist *cpus)
{
	load_core_lists(m);
	for (int i = 0; i < m->nr_core_lists; i++) {
		const struct cpulist *core = &m->core_lists[i];

		for (int j = 1; j < core->nr; j++)
			if (cpulist__has(cpus, core->at[j]) != cpulist__has(cpus, core->at[0]))
				return false;
	}
	return true;
}

static bool overlap(const struct cpulist *a, const struct cpulist *b)
{
	for (int i = 0; i < a->nr; i++)
		if (cpulist__has(b, a->at[i]))
			return true;
	return false;
}

void machine__whole_cores(struct machine *m, const struct cpulist *cpus, struct cpulist *out)
{
	cpulist__copy(cpus, out);
	load_core_lists(m);
	for (int i = 0; i < m->nr_core_lists; i++) {
		const struct cpulist *core = &m->core_lists[i];

		for (int j = 0; j < core->nr && overlap(core, cpus); j++)
			cpulist__add(out, core->at[j]);
	}
}

/* Find the cache of a level; level 0 means the highest level. */
static int recorded_cache_id(const struct machine *m, int cpu, int level, int *id)
{
	int best = -1;

	for (int i = 0; i < m->nr_caches; i++) {
		const struct cpu_cache *cache = &m->caches[i];

		if ((level ? cache->level != level : cache->level <= best) ||
		    !cpulist__has(&cache->cpus, cpu))
			continue;
		best = cache->level;
		*id = cache->cpus.at[0];
	}
	return best;
}

int machine__cache_id(const struct machine *m, int cpu, int level, int *id)
{
	int best = -1, best_index = -1, found;
	struct cpulist shared = CPULIST_INIT;

	if (m->recorded)
		return recorded_cache_id(m, cpu, level, id);
	for (int i = 0; i < CACHE_INDEX_MAX; i++) {
		if (machine__read_int(m, &found, CPU_PATH "cache/index%d/level", m->sysfs, cpu, i))
			break;
		if (level ? found == level : found > best) {
			best = found;
			best_index = i;
		}
	}
	if (best_index < 0)
		return -1;
	machine__read_cpulist(m, &shared, CPU_PATH "cache/index%d/shared_cpu_list", m->sysfs, cpu,
			      best_index);
	if (!shared.nr)
		machine__note_odd(m, -EINVAL, CPU_PATH "cache/index%d/shared_cpu_list", m->sysfs,
				  cpu, best_index);
	*id = shared.nr ? shared.at[0] : cpu;
	cpulist__free(&shared);
	return best;
}
