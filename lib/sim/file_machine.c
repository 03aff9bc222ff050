// SPDX-License-Identifier: GPL-2.0-only
/* Read the lines of a machine file outside PMU sections. */
#include <linux/perf_event.h>
#include <string.h>

#include "base/array.h"
#include "base/auto.h"
#include "base/num.h"
#include "base/text.h"
#include "sim/file_reader.h"

static void read_cpuid(struct file_reader *r)
{
	r->m->cpuid = file_reader__copy(r, file_reader__rest(r, "CPU id"));
}

static void read_model(struct file_reader *r)
{
	r->m->model_name = file_reader__copy(r, file_reader__rest(r, "model name"));
}

/* A second "cpus" line is a mistake: lines in between were checked with the CPUs of the first. */
static void file_machine__read_cpus(struct file_reader *r)
{
	if (r->m->cpus.nr)
		file_reader__fail(r, EEXIST, "there is a cpus line above already");
	file_reader__cpus(r, "cpus", &r->m->cpus);
}

static void file_machine__read_online(struct file_reader *r)
{
	file_reader__cpus(r, "online", &r->m->online);
}

/* Read a number of a core, as in "package=1". */
static void read_core_option(struct file_reader *r, const char *word, struct sim_core *core)
{
	const struct {
		const char *name;
		int *value;
	} options[] = {
		{ "package=", &core->package },
		{ "die=", &core->die },
		{ "cluster=", &core->cluster },
		{ "id=", &core->core },
	};
	uint64_t value = 0;

	for (int i = 0; i < array__nr(options); i++) {
		if (!text__has_prefix(word, options[i].name))
			continue;
		file_reader__check(r, num__parse_u64(options[i].name, strchr(word, '=') + 1, 0,
						     65535, &value, r->err));
		*options[i].value = value;
		return;
	}
	file_reader__fail(r, EINVAL, "'%s' is none of package=, die=, cluster=, id=", word);
}

static void read_core(struct file_reader *r)
{
	struct sim_core core = { .core = r->m->cores.nr, .cluster = -1 };
	char *word;

	file_reader__cpus(r, "core", &core.cpus);
	while ((word = file_reader__optional(r)))
		read_core_option(r, word, &core);
	for (int i = 0; i < core.cpus.nr; i++)
		if (sim_machine__core_of(r->m, core.cpus.at[i]))
			file_reader__fail(r, EEXIST, "CPU %d is in two cores", core.cpus.at[i]);
	if (!cpulist__subset(&core.cpus, &r->m->cpus))
		file_reader__fail(r, EINVAL, "some of its CPUs are not in the cpus line above");
	file_reader__push(r, &r->m->cores, core);
}

enum cache_scope { SCOPE_CORE, SCOPE_CLUSTER, SCOPE_PACKAGE };

/* Find out whether the CPUs of two cores share a cache. */
static bool shares(const struct sim_core *core, const struct sim_core *other,
		   enum cache_scope scope)
{
	if (scope == SCOPE_CORE)
		return core == other;
	return core->package == other->package &&
	       (scope == SCOPE_PACKAGE || core->cluster == other->cluster);
}

static void add_cache(struct file_reader *r, const struct sim_core *core, enum cache_scope scope,
		      const struct cpulist *within, struct sim_cache cache)
{
	const struct sim_core *other;
	const int *cpu;

	vec__for_each(other, &r->m->cores)
		cpulist__for_each(cpu, &other->cpus)
			if (shares(core, other, scope) && cpulist__has(within, *cpu))
				file_reader__check(r, cpulist__add(&cache.cpus, *cpu));
	file_reader__push(r, &r->m->caches, cache);
}

static bool has_cache(const struct sim_machine *m, const struct sim_cache *like, int cpu)
{
	return vec__find(cache, &m->caches,
			 cache->level == like->level && !strcmp(cache->type, like->type) &&
				 cpulist__has(&cache->cpus, cpu));
}

/*
 * Read "cache 2 Unified 2048K cluster 16-23": one cache for each cluster with some of these CPUs.
 */
static void read_cache(struct file_reader *r)
{
	static const char *const scopes[] = { "core", "cluster", "package" };
	struct sim_cache cache = { .level = file_reader__int(r, "cache level", 1, 4) };
	auto_free(cpulist) cpus = CPULIST_INIT;
	const struct sim_core *core;
	enum cache_scope scope;

	cache.type = file_reader__copy(r, file_reader__word(r, "cache type"));
	cache.size = file_reader__copy(r, file_reader__word(r, "cache size"));
	scope = file_reader__choice(r, scopes);
	file_reader__cpus(r, "cache", &cpus);
	if (!r->rc)
		vec__for_each(core, &r->m->cores)
			if (cpulist__has(&cpus, core->cpus.at[0]) &&
			    !has_cache(r->m, &cache, core->cpus.at[0]))
				add_cache(r, core, scope, &cpus, cache);
}

static void read_node(struct file_reader *r)
{
	struct sim_node node = { .node = file_reader__int(r, "node", 0, 1023) };

	file_reader__cpus(r, "node", &node.cpus);
	file_reader__push(r, &r->m->nodes, node);
}

static void read_sysctl(struct file_reader *r)
{
	char *name = file_reader__word(r, "name of a file in /proc/sys/kernel");
	char *value = file_reader__word(r, "value");
	int64_t number = 0;

	file_reader__check(r, num__parse_i64(name, value, INT32_MIN, INT32_MAX, &number, r->err));
	if (!strcmp(name, "nmi_watchdog"))
		r->m->nmi_watchdog = number;
	else if (!strcmp(name, "perf_event_paranoid"))
		r->m->paranoid = number;
	file_reader__file(r, strdup(name), strdup(value), &r->m->sysctls);
}

static void read_phases(struct file_reader *r)
{
	struct sim_machine *m = r->m;
	struct sim_stay phase = {.place = -1, .thread = 1, .spot = -1};
	int before = m->phases.stays.nr;

	if (m->vars.nr || m->pmus.nr || m->softs.nr)
		file_reader__fail(r, EINVAL, "must come before every let, software and pmu line");
	m->phases.stays.nr = 0;
	m->phases.ns = 0;
	do {
		phase.column = m->phases.stays.nr;
		phase.ns = file_reader__time(r, "phases");
		if (phase.column == SIM_MAX_PHASES)
			file_reader__fail(r, EINVAL, "more than %d phases", SIM_MAX_PHASES);
		if (!phase.ns)
			file_reader__fail(r, EINVAL, "a phase cannot last 0");
		file_reader__push(r, &m->phases.stays, phase);
		m->phases.ns += phase.ns;
	} while (!r->rc && *text__trim(r->args));
	file_at__follow_phases(r, m->phases.stays.nr - before);
}

static void read_phase_names(struct file_reader *r)
{
	struct sim_machine *m = r->m;

	for (int i = 0; i < m->phases.stays.nr && !r->rc; i++)
		m->phase_name[i] = file_reader__copy(r, file_reader__word(r, "a name for each "
									     "phase"));
}

static void read_stagger(struct file_reader *r)
{
	r->m->stagger_ns = file_reader__time(r, "stagger");
}

static void read_load(struct file_reader *r)
{
	struct sim_load load = { .factor = 0 };
	char *factor;

	file_reader__cpus(r, "load", &load.cpus);
	factor = file_reader__word(r, "factor");
	file_reader__check(r, num__parse_double("load", factor, &load.factor, r->err));
	if (!(load.factor >= 0 && load.factor <= 100))
		file_reader__fail(r, ERANGE, "load: %s is not between 0 and 100", factor);
	file_reader__push(r, &r->m->loads, load);
}

static void read_task_path(struct file_reader *r)
{
	struct sim_stop stop;

	do {
		stop.cpu = file_reader__int(r, "task-path", 0, CPULIST_MAX_CPU);
		stop.ns = file_reader__time(r, "task-path");
		if (!stop.ns)
			file_reader__fail(r, EINVAL, "a task cannot stay for 0");
		file_reader__push(r, &r->m->stops, stop);
	} while (!r->rc && *text__trim(r->args));
}

static void read_software(struct file_reader *r)
{
	static const char *const names[PERF_COUNT_SW_MAX] = {
		[PERF_COUNT_SW_PAGE_FAULTS] = "page-faults",
		[PERF_COUNT_SW_CONTEXT_SWITCHES] = "context-switches",
		[PERF_COUNT_SW_CPU_MIGRATIONS] = "cpu-migrations",
		[PERF_COUNT_SW_PAGE_FAULTS_MIN] = "minor-faults",
		[PERF_COUNT_SW_PAGE_FAULTS_MAJ] = "major-faults",
		[PERF_COUNT_SW_ALIGNMENT_FAULTS] = "alignment-faults",
		[PERF_COUNT_SW_EMULATION_FAULTS] = "emulation-faults",
		[PERF_COUNT_SW_CGROUP_SWITCHES] = "cgroup-switches",
	};
	char *name = file_reader__word(r, "name of a software event");
	char *text = file_reader__rest(r, "rate");
	struct sim_soft soft = { .config = 0 };

	while (soft.config < PERF_COUNT_SW_MAX && !text__same(names[soft.config], name))
		soft.config++;
	if (soft.config == PERF_COUNT_SW_MAX)
		file_reader__fail(r, EINVAL, "'%s' is not a software event with a rate", name);
	file_reader__rate(r, text, &soft.rate);
	file_reader__push(r, &r->m->softs, soft);
}

const struct file_keyword file_machine_keywords[] = {
	{ "cpuid", read_cpuid },
	{ "model", read_model },
	{ "cpus", file_machine__read_cpus },
	{ "online", file_machine__read_online },
	{ "core", read_core },
	{ "cache", read_cache },
	{ "node", read_node },
	{ "sysctl", read_sysctl },
	{ "phases", read_phases },
	{ "phase-names", read_phase_names },
	{ "stagger", read_stagger },
	{ "at", file_at__open },
	{ "stays", file_at__read_stays },
	{ "load", read_load },
	{ "task-path", read_task_path },
	{ "software", read_software },
	{ "guest", file_guest__read },
	{ "let", file_reader__let },
	{ NULL, NULL },
};
