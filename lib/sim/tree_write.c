// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/uio.h>

#include "base/array.h"
#include "base/auto.h"
#include "base/num.h"
#include "base/sb.h"
#include "base/strmap.h"
#include "base/text.h"
#include "sim/raw.h"
#include "sim/sim.h"
#include "sim/tree_write.h"

#define CPU_DIR "sys/devices/system/cpu"
#define NODE_DIR "sys/devices/system/node"
#define PMU_DIR "sys/bus/event_source/devices"

static void note_error(struct tree_writer *w, long rc)
{
	if (rc < 0 && !w->error)
		w->error = -rc;
}

static void note_memory(struct tree_writer *w, bool failed)
{
	note_error(w, failed ? -ENOMEM : 0);
}

/* Make the folders of a path, and try the lowest folder first, since most exist. */
static long make_parents(char *path)
{
	char *slash = strrchr(path + 1, '/');
	long rc;

	if (!slash)
		return 0;
	*slash = '\0';
	rc = RAW(SYS_mkdirat, AT_FDCWD, path, 0700, 0);
	if (rc == -ENOENT) {
		rc = make_parents(path);
		if (!rc)
			rc = RAW(SYS_mkdirat, AT_FDCWD, path, 0700, 0);
	}
	*slash = '/';
	return rc == -EEXIST ? 0 : rc;
}

static long write_file(char *path, const char *text)
{
	const struct iovec line[] = {{(void *)text, strlen(text)}, {"\n", 1}};
	int flags = O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC;
	long fd = RAW(SYS_openat, AT_FDCWD, path, flags, 0600), rc;

	if (fd == -ENOENT) {
		rc = make_parents(path);
		if (rc)
			return rc;
		fd = RAW(SYS_openat, AT_FDCWD, path, flags, 0600);
	}
	if (fd < 0)
		return fd;
	rc = RAW(SYS_writev, fd, line, 2, 0);
	/*
	 * On a full disk or at the size limit of files, only a part is written: writing one more
	 * byte returns the errno.
	 */
	if (rc >= 0 && rc < (long)(line[0].iov_len + line[1].iov_len)) {
		rc = RAW(SYS_write, fd, "\n", 1, 0);
		rc = rc < 0 ? rc : -ENOSPC;
	}
	RAW(SYS_close, fd, 0, 0, 0);
	return rc < 0 ? rc : 0;
}

static long link_file(const char *from, char *to)
{
	long rc = raw_syscall(SYS_linkat, AT_FDCWD, (long)from, AT_FDCWD, (long)to, 0, 0);

	if (rc != -ENOENT && rc != -EEXIST)
		return rc;
	/* A later line of the machine file replaces an earlier one. */
	rc = rc == -EEXIST ? RAW(SYS_unlinkat, AT_FDCWD, to, 0, 0) : make_parents(to);
	if (rc)
		return rc;
	return raw_syscall(SYS_linkat, AT_FDCWD, (long)from, AT_FDCWD, (long)to, 0, 0);
}

/* Make "ROOT/DIR/NAME", cut off at the size of @path. printf() is too slow for a thousand files. */
static void tree_write__join(const struct tree_writer *w, const char *dir, const char *name,
			     char path[PATH_MAX])
{
	const char *const parts[] = { w->root, "/", dir, "/", name };
	size_t len = 0, more;

	for (int i = 0; i < array__nr(parts); i++) {
		more = strnlen(parts[i], PATH_MAX - 1 - len);
		memcpy(path + len, parts[i], more);
		len += more;
	}
	path[len] = '\0';
}

static void number_text(unsigned int value, char text[16])
{
	char *at = text + 15;

	*at = '\0';
	do
		*--at = '0' + value % 10;
	while (value /= 10);
	memmove(text, at, text + 16 - at);
}

/* Write a file with a text and a newline, and make the directories on the way. */
static void write_shared(struct tree_writer *w, const char *text, const char *dir, const char *name)
{
	char path[PATH_MAX], first[PATH_MAX], digits[16];
	int number;

	if (!w->texts)
		w->texts = strmap__new();
	number = w->texts ? strmap__get(w->texts, text) : -1;
	number_text(number < 0 ? w->nr_texts : number, digits);
	tree_write__join(w, "texts", digits, first);
	tree_write__join(w, dir, name, path);
	if (number < 0) {
		note_error(w, write_file(first, text));
		/* If memory runs out, later files with this text are written instead of linked. */
		if (w->texts)
			strmap__put(w->texts, text, w->nr_texts);
		w->nr_texts++;
	}
	/* Some file systems have no hard links, or only allow few. */
	if (link_file(first, path))
		note_error(w, write_file(path, text));
}

/* Write a file that may be rewritten later with another text. */
static void write_changing(struct tree_writer *w, const char *text, const char *dir,
			   const char *name)
{
	char path[PATH_MAX];

	tree_write__join(w, dir, name, path);
	note_error(w, write_file(path, text));
}

static void write_link(struct tree_writer *w, const char *target, const char *dir,
		       const char *name)
{
	char path[PATH_MAX];
	long rc;

	tree_write__join(w, dir, name, path);
	rc = make_parents(path);
	if (!rc)
		rc = RAW(SYS_symlinkat, target, AT_FDCWD, path, 0);
	note_error(w, rc == -EEXIST ? 0 : rc);
}

static void write_number(struct tree_writer *w, int value, const char *dir, const char *name)
{
	char text[16];

	number_text(value, text);
	write_shared(w, text, dir, name);
}

typedef void write_t(struct tree_writer *w, const char *text, const char *dir, const char *name);

static void write_list(struct tree_writer *w, write_t *write, const struct cpulist *cpus,
		       const char *dir, const char *name)
{
	auto_free(sb) text = SB_INIT;

	cpulist__print(cpus, &text);
	write(w, sb__str(&text), dir, name);
	note_memory(w, text.err);
}

static void write_pmu(struct tree_writer *w, const struct sim_pmu *pmu)
{
	const struct sim_sysfs *file;
	char dir[PATH_MAX];

	snprintf(dir, sizeof(dir), "sys/devices/%s", pmu->name);
	write_number(w, pmu->type, dir, "type");
	write_number(w, pmu->mux_interval_ms, dir, "perf_event_mux_interval_ms");
	vec__for_each(file, &pmu->files)
		if (!pmu->has_cpus || strcmp(file->path, "cpus"))
			write_shared(w, file->text, dir, file->path);
	snprintf(dir, sizeof(dir), "../../../devices/%s", pmu->name);
	write_link(w, dir, PMU_DIR, pmu->name);
}

static int real_type(const char *name)
{
	char path[PATH_MAX], text[32];
	uint64_t type;

	snprintf(path, sizeof(path), "/" PMU_DIR "/%s/type", name);
	raw_read_file(path, text, sizeof(text));
	return num__scan_u64(text, 0, &type) ? (int)type : -1;
}

/* Link to a real PMU, unless the machine has a PMU with the same name or type. */
static void link_real_pmu(struct tree_writer *w, const struct sim_machine *m, const char *name)
{
	const struct sim_pmu *pmu;
	char target[PATH_MAX];
	int type = real_type(name);

	vec__for_each(pmu, &m->pmus)
		if (pmu->type == type || !strcmp(pmu->name, name))
			return;
	snprintf(target, sizeof(target), "/" PMU_DIR "/%s", name);
	if (type >= 0)
		write_link(w, target, PMU_DIR, name);
	else if (!strcmp(name, "software"))
		write_shared(w, "1", PMU_DIR "/software", "type");
}

void tree_write__pmus(struct tree_writer *w, const struct sim_machine *m)
{
	static const char *const real[] = { "software", "tracepoint", "breakpoint", "kprobe",
					    "uprobe" };
	const struct sim_pmu *pmu;

	vec__for_each(pmu, &m->pmus)
		write_pmu(w, pmu);
	for (int i = 0; i < array__nr(real); i++)
		link_real_pmu(w, m, real[i]);
}

void tree_write__pmu_cpus(struct tree_writer *w, const struct sim_machine *m)
{
	const struct sim_pmu *pmu;
	const int *cpu;

	vec__for_each(pmu, &m->pmus) {
		auto_free(cpulist) online = CPULIST_INIT;
		char dir[PATH_MAX];

		if (!pmu->has_cpus)
			continue;
		cpulist__for_each(cpu, &pmu->cpus)
			if (sim__is_online(*cpu))
				note_memory(w, cpulist__add(&online, *cpu) != 0);
		snprintf(dir, sizeof(dir), "sys/devices/%s", pmu->name);
		write_list(w, write_changing, &online, dir, "cpus");
	}
}

enum topology_scope { SCOPE_CORE, SCOPE_CLUSTER, SCOPE_DIE, SCOPE_PACKAGE };

static bool same_scope(const struct sim_core *a, const struct sim_core *b,
		       enum topology_scope scope)
{
	if (scope == SCOPE_CORE)
		return a == b;
	if (a->package != b->package)
		return false;
	if (scope == SCOPE_PACKAGE)
		return true;
	return a->die == b->die && (scope == SCOPE_DIE || a->cluster == b->cluster);
}

static void write_scope(struct tree_writer *w, const struct sim_machine *m,
			const struct sim_core *core, enum topology_scope scope, const char *dir,
			const char *name)
{
	auto_free(cpulist) online = CPULIST_INIT;
	const struct sim_core *other;
	const int *cpu;

	vec__for_each(other, &m->cores)
		cpulist__for_each(cpu, &other->cpus)
			if (same_scope(core, other, scope) && cpulist__has(&m->online, *cpu))
				note_memory(w, cpulist__add(&online, *cpu) != 0);
	write_list(w, write_shared, &online, dir, name);
}

static void write_topology(struct tree_writer *w, const struct sim_machine *m, int cpu)
{
	static const struct {
		const char *name;
		enum topology_scope scope;
	} lists[] = {
		{ "core_cpus_list", SCOPE_CORE },	  { "thread_siblings_list", SCOPE_CORE },
		{ "cluster_cpus_list", SCOPE_CLUSTER },	  { "die_cpus_list", SCOPE_DIE },
		{ "package_cpus_list", SCOPE_PACKAGE },	  { "core_siblings_list", SCOPE_PACKAGE },
	};
	const struct sim_core *core = sim_machine__core_of(m, cpu);
	char dir[PATH_MAX];

	snprintf(dir, sizeof(dir), CPU_DIR "/cpu%d/topology", cpu);
	write_number(w, core->package, dir, "physical_package_id");
	write_number(w, core->die, dir, "die_id");
	write_number(w, core->core, dir, "core_id");
	/* The kernel shows 65535 if the cluster is unknown. */
	write_number(w, core->cluster < 0 ? 65535 : core->cluster, dir, "cluster_id");
	for (int i = 0; i < array__nr(lists); i++)
		write_scope(w, m, core, lists[i].scope, dir, lists[i].name);
}

static void write_cache(struct tree_writer *w, const struct sim_cache *cache, int id, int cpu,
			int index)
{
	char dir[PATH_MAX];

	snprintf(dir, sizeof(dir), CPU_DIR "/cpu%d/cache/index%d", cpu, index);
	write_number(w, cache->level, dir, "level");
	write_number(w, id, dir, "id");
	write_number(w, 64, dir, "coherency_line_size");
	write_number(w, 64, dir, "number_of_sets");
	write_number(w, 8, dir, "ways_of_associativity");
	write_shared(w, cache->type, dir, "type");
	write_shared(w, cache->size, dir, "size");
	write_list(w, write_shared, &cache->cpus, dir, "shared_cpu_list");
}

static void write_caches(struct tree_writer *w, const struct sim_machine *m, int cpu)
{
	const struct sim_cache *cache, *before;
	int index = 0;

	vec__for_each(cache, &m->caches) {
		int id = 0;

		if (!cpulist__has(&cache->cpus, cpu))
			continue;
		for (before = m->caches.at; before < cache; before++)
			id += before->level == cache->level && !strcmp(before->type, cache->type);
		write_cache(w, cache, id, cpu, index++);
	}
}

static void link_cpu(struct tree_writer *w, const char *dir, int cpu)
{
	char target[64], name[32];

	snprintf(name, sizeof(name), "cpu%d", cpu);
	snprintf(target, sizeof(target), "../../cpu/%s", name);
	write_link(w, target, dir, name);
}

static void write_nodes(struct tree_writer *w, const struct sim_machine *m)
{
	auto_free(cpulist) nodes = CPULIST_INIT;
	const struct sim_node *node;

	vec__for_each(node, &m->nodes) {
		char dir[PATH_MAX];

		note_memory(w, cpulist__add(&nodes, node->node) != 0);
		snprintf(dir, sizeof(dir), NODE_DIR "/node%d", node->node);
		write_list(w, write_shared, &node->cpus, dir, "cpulist");
		for (int i = 0; i < node->cpus.nr; i++)
			link_cpu(w, dir, node->cpus.at[i]);
	}
	write_list(w, write_shared, &nodes, NODE_DIR, "online");
	write_list(w, write_shared, &nodes, NODE_DIR, "possible");
	write_list(w, write_shared, &nodes, NODE_DIR, "has_cpu");
}

void tree_write__cpu_lists(struct tree_writer *w, const struct sim_machine *m)
{
	bool smt = false;

	for (int i = 0; i < m->cores.nr; i++)
		smt |= m->cores.at[i].cpus.nr > 1;
	write_list(w, write_shared, &m->cpus, CPU_DIR, "possible");
	write_list(w, write_shared, &m->cpus, CPU_DIR, "present");
	write_number(w, m->cpus.at[m->cpus.nr - 1], CPU_DIR, "kernel_max");
	write_shared(w, smt ? "1" : "0", CPU_DIR "/smt", "active");
	write_shared(w, smt ? "on" : "notsupported", CPU_DIR "/smt", "control");
}

/*
 * Return: the value of MIDR_EL1, which is the id of a CPU on arm64: there are no vendors and
 * families.
 */
static uint64_t midr(const struct sim_machine *m)
{
	uint64_t value;

	return text__has_prefix(m->cpuid, "0x") && num__scan_u64(m->cpuid, 0, &value) ? value : 0;
}

void tree_write__cpus(struct tree_writer *w, const struct sim_machine *m)
{
	const int *cpu;

	cpulist__for_each(cpu, &m->cpus) {
		char dir[64];

		if (!cpulist__has(&m->online, *cpu))
			continue;
		write_topology(w, m, *cpu);
		write_caches(w, m, *cpu);
		snprintf(dir, sizeof(dir), CPU_DIR "/cpu%d/regs/identification", *cpu);
		if (midr(m))
			write_shared(w, m->cpuid, dir, "midr_el1");
	}
	write_nodes(w, m);
}

void tree_write__online(struct tree_writer *w, const struct sim_machine *m, bool each)
{
	auto_free(cpulist) online = CPULIST_INIT, offline = CPULIST_INIT;
	const int *cpu;

	cpulist__for_each(cpu, &m->cpus) {
		bool on = sim__is_online(*cpu);
		char dir[64];

		note_memory(w, cpulist__add(on ? &online : &offline, *cpu) != 0);
		snprintf(dir, sizeof(dir), CPU_DIR "/cpu%d", *cpu);
		/* The first CPU cannot be taken offline and does not have this file. */
		if (each && *cpu)
			write_changing(w, on ? "1" : "0", dir, "online");
	}
	write_list(w, write_changing, &online, CPU_DIR, "online");
	write_list(w, write_changing, &offline, CPU_DIR, "offline");
}

static void add_arm_cpuinfo(struct sb *sb, uint64_t midr, int cpu)
{
	sb__printf(sb, "processor\t: %d\nBogoMIPS\t: 2000.00\nFeatures\t: fp asimd\n", cpu);
	sb__printf(sb, "CPU implementer\t: 0x%02x\nCPU architecture: 8\nCPU variant\t: 0x%x\n",
		   (unsigned int)(midr >> 24 & 0xff), (unsigned int)(midr >> 20 & 0xf));
	sb__printf(sb, "CPU part\t: 0x%03x\nCPU revision\t: %u\n\n",
		   (unsigned int)(midr >> 4 & 0xfff), (unsigned int)(midr & 0xf));
}

static void add_x86_cpuinfo(struct sb *sb, const struct sim_machine *m, int cpu)
{
	const struct sim_core *core = sim_machine__core_of(m, cpu), *other;
	char vendor[32] = "";
	unsigned int family = 0, model = 0, stepping = 0;
	int cores = 0, threads = 0;

	vec__for_each(other, &m->cores)
		if (other->package == core->package) {
			cores++;
			threads += other->cpus.nr;
		}
	sscanf(m->cpuid, "%31[^-]-%u-%x-%x", vendor, &family, &model, &stepping);
	sb__printf(sb, "processor\t: %d\nvendor_id\t: %s\ncpu family\t: %u\nmodel\t\t: %u\n", cpu,
		   vendor, family, model);
	sb__printf(sb, "model name\t: %s\nstepping\t: %u\n",
		   m->model_name ? m->model_name : m->cpuid, stepping);
	sb__printf(sb, "physical id\t: %d\nsiblings\t: %d\ncore id\t\t: %d\ncpu cores\t: %d\n",
		   core->package, threads, core->core, cores);
	sb__printf(sb, "flags\t\t: fpu tsc msr arch_perfmon constant_tsc nonstop_tsc%s\n\n",
		   m->is_guest ? " hypervisor" : "");
}

void tree_write__proc(struct tree_writer *w, const struct sim_machine *m)
{
	static const struct sim_sysfs defaults[] = {
		{ "nmi_watchdog", "0" },
		{ "perf_event_paranoid", "-1" },
		{ "perf_event_max_sample_rate", "100000" },
		{ "perf_event_mlock_kb", "516" },
	};
	const struct sim_sysfs *file;
	auto_free(sb) cpuinfo = SB_INIT;

	for (int i = 0; i < m->online.nr; i++) {
		if (midr(m))
			add_arm_cpuinfo(&cpuinfo, midr(m), m->online.at[i]);
		else
			add_x86_cpuinfo(&cpuinfo, m, m->online.at[i]);
	}
	write_shared(w, sb__str(&cpuinfo), "proc", "cpuinfo");
	note_memory(w, cpuinfo.err);
	for (int i = 0; i < array__nr(defaults); i++)
		write_shared(w, defaults[i].text, "proc/sys/kernel", defaults[i].path);
	vec__for_each(file, &m->sysctls)
		write_shared(w, file->text, "proc/sys/kernel", file->path);
}
