// SPDX-License-Identifier: GPL-2.0-only
/* Lines of a machine file outside PMU sections. */
#include <errno.h>
#include <linux/perf_event.h>
#include <string.h>

#include "base/err.h"
#include "base/num.h"
#include "base/text.h"
#include "sim/file_reader.h"
#include "sim/formula.h"

static int set_text(struct file_reader *r, const char **text, const char *what)
{
	char *rest = file_reader__rest(r, what);

	if (!rest)
		return -EINVAL;
	*text = file_reader__keep(r, strdup(rest));
	return *text ? 0 : -ENOMEM;
}

static int read_cpuid(struct file_reader *r)
{
	return set_text(r, &r->m->cpuid, "CPU id");
}

static int read_model(struct file_reader *r)
{
	return set_text(r, &r->m->model_name, "model name");
}

static int read_cpus(struct file_reader *r)
{
	return file_reader__cpus(r, "cpus", &r->m->cpus);
}

static int read_online(struct file_reader *r)
{
	return file_reader__cpus(r, "online", &r->m->online);
}

/* "package=1": one of the numbers of a core. */
static int read_core_option(struct file_reader *r, const char *word, struct sim_core *core)
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

	for (size_t i = 0; i < sizeof(options) / sizeof(*options); i++) {
		uint64_t value;
		size_t len = strlen(options[i].name);

		if (strncmp(word, options[i].name, len))
			continue;
		if (num__parse_u64(options[i].name, word + len, 0, 65535, &value, r->err))
			return -EINVAL;
		*options[i].value = value;
		return 0;
	}
	return err__set(r->err, EINVAL, "'%s' is none of package=, die=, cluster=, id=", word);
}

static int read_core(struct file_reader *r)
{
	struct sim_core core = { .core = r->m->cores.nr, .cluster = -1 };
	char *word;
	int rc = file_reader__cpus(r, "core", &core.cpus);

	while (!rc && (word = file_reader__optional(r)))
		rc = read_core_option(r, word, &core);
	for (int i = 0; !rc && i < core.cpus.nr; i++)
		if (sim_machine__core_of(r->m, core.cpus.at[i]))
			rc = err__set(r->err, EEXIST, "CPU %d is in two cores", core.cpus.at[i]);
	if (!rc && !cpulist__subset(&core.cpus, &r->m->cpus))
		rc = err__set(r->err, EINVAL, "not all of its CPUs are in the cpus line above");
	rc = rc ?: file_reader__push(r, &r->m->cores, core);
	if (rc)
		cpulist__free(&core.cpus);
	return rc;
}

/* Which CPUs share a cache with @core. */
static bool shares(const struct sim_core *core, const struct sim_core *other, const char *scope)
{
	if (!strcmp(scope, "package"))
		return core->package == other->package;
	if (!strcmp(scope, "cluster"))
		return core->package == other->package && core->cluster == other->cluster;
	return core == other;
}

static int add_cache(struct file_reader *r, const struct sim_core *core, const char *scope,
		     const struct cpulist *within, struct sim_cache cache)
{
	const struct sim_core *other;
	struct cpulist all = CPULIST_INIT;
	int rc = 0;

	vec__for_each(other, &r->m->cores)
		for (int i = 0; !rc && shares(core, other, scope) && i < other->cpus.nr; i++)
			rc = cpulist__add(&all, other->cpus.at[i]);
	rc = rc ?: cpulist__and(&all, within, &cache.cpus);
	cpulist__free(&all);
	cache.type = file_reader__keep(r, strdup(cache.type));
	cache.size = file_reader__keep(r, strdup(cache.size));
	if (!rc && cache.type && cache.size && !vec__push(&r->m->caches, cache))
		return 0;
	cpulist__free(&cache.cpus);
	return file_reader__nomem(r);
}

static bool has_cache(const struct sim_machine *m, const struct sim_cache *like, int cpu)
{
	const struct sim_cache *cache;

	vec__for_each(cache, &m->caches)
		if (cache->level == like->level && !strcmp(cache->type, like->type) &&
		    cpulist__has(&cache->cpus, cpu))
			return true;
	return false;
}

/* "cache 2 Unified 2048K cluster 16-23": one cache for each cluster that has some of the CPUs. */
static int read_cache(struct file_reader *r)
{
	struct sim_cache cache = { .level = 0 };
	struct cpulist cpus = CPULIST_INIT;
	const struct sim_core *core;
	char *scope = NULL;
	int rc = file_reader__int(r, "cache level", 1, 4, &cache.level);

	if (!rc && (!(cache.type = file_reader__word(r, "cache type")) ||
		    !(cache.size = file_reader__word(r, "cache size")) ||
		    !(scope = file_reader__word(r, "core, cluster or package"))))
		rc = -EINVAL;
	if (!rc && !text__has_item("core cluster package", " ", scope))
		rc = err__set(r->err, EINVAL, "'%s' is none of core, cluster, package", scope);
	rc = rc ? rc : file_reader__cpus(r, "cache", &cpus);
	vec__for_each(core, &r->m->cores) {
		if (rc)
			break;
		if (cpulist__has(&cpus, core->cpus.at[0]) &&
		    !has_cache(r->m, &cache, core->cpus.at[0]))
			rc = add_cache(r, core, scope, &cpus, cache);
	}
	cpulist__free(&cpus);
	return rc;
}

static int read_node(struct file_reader *r)
{
	struct sim_node node = { .node = 0 };
	int rc = file_reader__int(r, "node", 0, 1023, &node.node);

	rc = rc ?: file_reader__cpus(r, "node", &node.cpus);
	rc = rc ?: file_reader__push(r, &r->m->nodes, node);
	if (rc)
		cpulist__free(&node.cpus);
	return rc;
}

static int read_sysctl(struct file_reader *r)
{
	char *name = file_reader__word(r, "name of a file in /proc/sys/kernel");
	char *value = name ? file_reader__word(r, "value") : NULL;
	int64_t number = 0;

	if (!value)
		return -EINVAL;
	if (num__parse_i64(name, value, INT32_MIN, INT32_MAX, &number, r->err))
		return -EINVAL;
	if (!strcmp(name, "nmi_watchdog"))
		r->m->nmi_watchdog = number;
	else if (!strcmp(name, "perf_event_paranoid"))
		r->m->paranoid = number;
	return file_reader__file(r, strdup(name), strdup(value), &r->m->sysctls);
}

static int read_phases(struct file_reader *r)
{
	struct sim_machine *m = r->m;

	if (m->vars.nr || m->pmus.nr || m->softs.nr)
		return err__set(r->err, EINVAL, "must come before every let, software and pmu line");
	m->nr_phases = 0;
	do {
		if (m->nr_phases == SIM_MAX_PHASES)
			return err__set(r->err, EINVAL, "more than %d phases", SIM_MAX_PHASES);
		if (file_reader__time(r, "phases", &m->phase_ns[m->nr_phases]))
			return -EINVAL;
		if (!m->phase_ns[m->nr_phases++])
			return err__set(r->err, EINVAL, "a phase cannot last 0");
	} while (*text__trim(r->args));
	return 0;
}

static int read_stagger(struct file_reader *r)
{
	return file_reader__time(r, "stagger", &r->m->stagger_ns);
}

static int read_load(struct file_reader *r)
{
	struct sim_load load = { .factor = 0 };
	int rc = file_reader__cpus(r, "load", &load.cpus);
	char *factor = rc ? NULL : file_reader__word(r, "factor");

	if (!rc)
		rc = factor ? num__parse_double("load", factor, &load.factor, r->err) : -EINVAL;
	if (!rc && !(load.factor >= 0 && load.factor <= 100))
		rc = err__set(r->err, ERANGE, "load: %s is not between 0 and 100", factor);
	rc = rc ?: file_reader__push(r, &r->m->loads, load);
	if (rc)
		cpulist__free(&load.cpus);
	return rc;
}

static int read_task_path(struct file_reader *r)
{
	struct sim_stop stop;

	do {
		if (file_reader__int(r, "task-path", 0, CPULIST_MAX_CPU, &stop.cpu) ||
		    file_reader__time(r, "task-path", &stop.ns))
			return -EINVAL;
		if (!stop.ns)
			return err__set(r->err, EINVAL, "a task cannot stay for 0");
		if (file_reader__push(r, &r->m->stops, stop))
			return -ENOMEM;
	} while (*text__trim(r->args));
	return 0;
}

static int read_software(struct file_reader *r)
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
	char *text = name ? file_reader__rest(r, "rate") : NULL;
	double value[SIM_MAX_PHASES];
	struct sim_soft soft;
	int rc;

	if (!text)
		return -EINVAL;
	for (soft.config = 0; soft.config < PERF_COUNT_SW_MAX; soft.config++)
		if (names[soft.config] && !strcmp(names[soft.config], name))
			break;
	if (soft.config == PERF_COUNT_SW_MAX)
		return err__set(r->err, EINVAL, "'%s' is no software event with a rate", name);
	rc = formula__eval(r->m, NULL, text, value, r->err);
	rc = rc ?: formula__to_rate(r->m, value, &soft.rate, r->err);
	return rc ?: file_reader__push(r, &r->m->softs, soft);
}

const struct file_keyword file_machine_keywords[] = {
	{ "cpuid", read_cpuid },
	{ "model", read_model },
	{ "cpus", read_cpus },
	{ "online", read_online },
	{ "core", read_core },
	{ "cache", read_cache },
	{ "node", read_node },
	{ "sysctl", read_sysctl },
	{ "phases", read_phases },
	{ "stagger", read_stagger },
	{ "load", read_load },
	{ "task-path", read_task_path },
	{ "software", read_software },
	{ "let", file_reader__let },
	{ NULL, NULL },
};
