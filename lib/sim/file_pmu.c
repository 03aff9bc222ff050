// SPDX-License-Identifier: GPL-2.0-only
/* Lines of a machine file inside a PMU section. */
#include <errno.h>
#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/num.h"
#include "base/sb.h"
#include "base/text.h"
#include "sim/file_reader.h"
#include "sim/formula.h"

static int read_type(struct file_reader *r)
{
	int rc = file_reader__int(r, "type", 4, 65535, &r->pmu->type);

	r->pmu->type += rc ? 0 : r->pmu->instance;
	return rc;
}

static int read_kind(struct file_reader *r)
{
	static const char *const names[] = {
		[SIM_PMU_CORE] = "core",
		[SIM_PMU_UNCORE] = "uncore",
		[SIM_PMU_FREE] = "free",
	};
	char *word = file_reader__word(r, "core, uncore or free");

	if (!word)
		return -EINVAL;
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (!strcmp(names[i], word)) {
			r->pmu->kind = i;
			return 0;
		}
	return err__set(r->err, EINVAL, "'%s' is none of core, uncore, free", word);
}

static int add_text(struct file_reader *r, const char *dir, const char *name, const char *suffix,
		    const char *text)
{
	char *path = malloc(strlen(dir) + strlen(name) + strlen(suffix) + 1);

	if (path)
		stpcpy(stpcpy(stpcpy(path, dir), name), suffix);
	return file_reader__file(r, path, strdup(text), &r->pmu->files);
}

/* Writes the PMU's CPUs into the file of this name. */
static int add_cpus_file(struct file_reader *r, const char *name)
{
	struct sb text = SB_INIT;

	cpulist__print(&r->pmu->cpus, &text);
	return file_reader__file(r, strdup(name), sb__detach(&text), &r->pmu->files);
}

static int read_cpus(struct file_reader *r)
{
	int rc = file_reader__cpus(r, "cpus", &r->pmu->cpus);

	r->pmu->has_cpus = true;
	return rc ? rc : add_cpus_file(r, "cpus");
}

/* The first CPU of each core, or of the first core of each package. */
static int add_first_cpus(struct file_reader *r, bool packages)
{
	const struct sim_core *core, *other;

	vec__for_each(core, &r->m->cores) {
		other = r->m->cores.at;
		while (packages && other->package != core->package)
			other++;
		if ((!packages || other == core) &&
		    cpulist__add(&r->pmu->cpus, core->cpus.at[0]))
			return file_reader__nomem(r);
	}
	return 0;
}

/* "cpumask 0,4", "cpumask packages" or "cpumask cores" */
static int read_cpumask(struct file_reader *r)
{
	char *word = file_reader__word(r, "cpumask");
	int rc;

	if (!word)
		return -EINVAL;
	cpulist__free(&r->pmu->cpus);
	if (!strcmp(word, "packages") || !strcmp(word, "cores"))
		rc = add_first_cpus(r, !strcmp(word, "packages"));
	else
		rc = cpulist__parse("cpumask", word, &r->pmu->cpus, r->err);
	return rc ? rc : add_cpus_file(r, "cpumask");
}

static int read_counters(struct file_reader *r)
{
	return file_reader__int(r, "counters", 0, SIM_FIXED_BIT, &r->pmu->nr_counters);
}

static uint64_t all_counters(const struct sim_pmu *pmu)
{
	return (1ULL << pmu->nr_counters) - 1;
}

static int counters_mask(struct file_reader *r, uint64_t *mask)
{
	struct cpulist list = CPULIST_INIT;
	int rc = file_reader__cpus(r, "counters", &list);

	for (int i = 0; !rc && i < list.nr; i++) {
		if (list.at[i] >= r->pmu->nr_counters)
			rc = err__set(r->err, ERANGE, "there is no counter %d", list.at[i]);
		else
			*mask |= 1ULL << list.at[i];
	}
	cpulist__free(&list);
	return rc;
}

static int read_held(struct file_reader *r)
{
	return counters_mask(r, &r->pmu->held);
}

static int read_fixed(struct file_reader *r)
{
	return file_reader__int(r, "fixed", 0, SIM_METRIC_BIT - SIM_FIXED_BIT, &r->pmu->nr_fixed);
}

static int read_mux(struct file_reader *r)
{
	return file_reader__int(r, "mux", 1, 10000, &r->pmu->mux_interval_ms);
}

static int read_format(struct file_reader *r)
{
	const char *name = file_reader__word(r, "name");
	const char *format = name ? file_reader__word(r, "config bits") : NULL;

	if (!format)
		return -EINVAL;
	if (sim_pmu__field(r->pmu, name) >= 0)
		return err__set(r->err, EEXIST, "there is a format term %s already", name);
	name = file_reader__keep(r, strdup(name));
	format = file_reader__keep(r, strdup(format));
	if (!name || !format || sim_pmu__add_field(r->pmu, name, format, r->err))
		return -EINVAL;
	return add_text(r, "format/", name, "", format);
}

/* "event NAME TERMS [scale=X] [unit=X] [per-pkg] [snapshot]" */
static int read_event(struct file_reader *r)
{
	struct sim_match match = SIM_MATCH_INIT;
	char *name = file_reader__word(r, "name"), *word;
	char *terms = name ? file_reader__word(r, "terms") : NULL;
	int rc = terms ? sim_match__parse(r->pmu, terms, &match, r->err) : -EINVAL;

	sim_match__free(&match);
	rc = rc ? rc : add_text(r, "events/", name, "", terms);
	while (!rc && (word = file_reader__optional(r))) {
		if (text__has_prefix(word, "scale="))
			rc = add_text(r, "events/", name, ".scale", word + 6);
		else if (text__has_prefix(word, "unit="))
			rc = add_text(r, "events/", name, ".unit", word + 5);
		else if (!strcmp(word, "per-pkg"))
			rc = add_text(r, "events/", name, ".per-pkg", "1");
		else if (!strcmp(word, "snapshot"))
			rc = add_text(r, "events/", name, ".snapshot", "1");
		else
			rc = err__set(r->err, EINVAL,
				      "'%s' is none of scale=, unit=, per-pkg, snapshot", word);
	}
	return rc;
}

static int read_file(struct file_reader *r)
{
	char *path = file_reader__word(r, "path");
	char *text = path ? file_reader__rest(r, "text") : NULL;
	const struct {
		const char *path;
		uint64_t max;
		int *value;
	} numbers[] = {
		{ "caps/max_precise", 3, &r->pmu->max_precise },
		{ "rdpmc", 2, &r->pmu->rdpmc },
	};
	uint64_t value = 0;

	if (!text)
		return -EINVAL;
	if (*path == '/' || strstr(path, ".."))
		return err__set(r->err, EINVAL, "'%s' is not below the PMU's directory", path);
	for (size_t i = 0; i < sizeof(numbers) / sizeof(*numbers); i++) {
		if (strcmp(path, numbers[i].path))
			continue;
		if (num__parse_u64(path, text, 0, numbers[i].max, &value, r->err))
			return -EINVAL;
		*numbers[i].value = value;
	}
	return add_text(r, "", path, "", text);
}

/* "counters 0-3", "fixed 0 [any]", "fixed 3 slots", "metric 2" */
static int read_place(struct file_reader *r, struct sim_constraint *c)
{
	char *word = file_reader__word(r, "counters, fixed or metric");
	int number, rc;

	if (!word)
		return -EINVAL;
	if (!strcmp(word, "counters"))
		return counters_mask(r, &c->mask);
	if (!strcmp(word, "metric")) {
		rc = file_reader__int(r, "metric", 0, 15, &number);
		c->mask = rc ? 0 : 1ULL << (SIM_METRIC_BIT + number);
		return rc;
	}
	if (strcmp(word, "fixed"))
		return err__set(r->err, EINVAL, "'%s' is none of counters, fixed, metric", word);
	if (!r->pmu->nr_fixed)
		return err__set(r->err, EINVAL, "there are no fixed counters");
	rc = file_reader__int(r, "fixed", 0, r->pmu->nr_fixed - 1, &number);
	if (rc)
		return rc;
	c->mask = 1ULL << (SIM_FIXED_BIT + number);
	word = file_reader__optional(r);
	if (word && !strcmp(word, "any"))
		c->mask |= all_counters(r->pmu);
	else if (word && !strcmp(word, "slots"))
		c->slots = true;
	else if (word)
		return err__set(r->err, EINVAL, "'%s' is neither any nor slots", word);
	/* A slots event with a filter is an error; another is no fixed counter's event then. */
	c->exact = !c->slots;
	return 0;
}

static int read_constraint(struct file_reader *r)
{
	struct sim_constraint c = { .mask = 0 };
	char *pattern = file_reader__word(r, "events");
	int rc = pattern ? sim_match__parse(r->pmu, pattern, &c.match, r->err) : -EINVAL;

	rc = rc ?: read_place(r, &c);
	rc = rc ?: file_reader__push(r, &r->pmu->constraints, c);
	if (rc)
		sim_match__free(&c.match);
	return rc;
}

/* "shared offcore 2 0x3fffffffff event=0x2a-0x2b,umask=0x1" */
static int read_shared(struct file_reader *r)
{
	struct sim_shared s = { .registers = 0 };
	char *name = file_reader__word(r, "name"), *valid, *pattern;

	if (!name || file_reader__int(r, "registers", 1, 16, &s.registers))
		return -EINVAL;
	valid = file_reader__word(r, "valid bits");
	pattern = valid ? file_reader__word(r, "events") : NULL;
	if (!pattern || num__parse_u64("valid bits", valid, 0, UINT64_MAX, &s.valid, r->err) ||
	    sim_match__parse(r->pmu, pattern, &s.match, r->err))
		return -EINVAL;
	s.name = file_reader__keep(r, strdup(name));
	if (s.name && !vec__push(&r->pmu->shared, s))
		return 0;
	sim_match__free(&s.match);
	return file_reader__nomem(r);
}

static const char *const hardware_names[PERF_COUNT_HW_MAX] = {
	[PERF_COUNT_HW_CPU_CYCLES] = "cpu-cycles",
	[PERF_COUNT_HW_INSTRUCTIONS] = "instructions",
	[PERF_COUNT_HW_CACHE_REFERENCES] = "cache-references",
	[PERF_COUNT_HW_CACHE_MISSES] = "cache-misses",
	[PERF_COUNT_HW_BRANCH_INSTRUCTIONS] = "branch-instructions",
	[PERF_COUNT_HW_BRANCH_MISSES] = "branch-misses",
	[PERF_COUNT_HW_BUS_CYCLES] = "bus-cycles",
	[PERF_COUNT_HW_STALLED_CYCLES_FRONTEND] = "stalled-cycles-frontend",
	[PERF_COUNT_HW_STALLED_CYCLES_BACKEND] = "stalled-cycles-backend",
	[PERF_COUNT_HW_REF_CPU_CYCLES] = "ref-cycles",
};

static const char *const cache_names[PERF_COUNT_HW_CACHE_MAX] = {
	[PERF_COUNT_HW_CACHE_L1D] = "L1-dcache", [PERF_COUNT_HW_CACHE_L1I] = "L1-icache",
	[PERF_COUNT_HW_CACHE_LL] = "LLC",	 [PERF_COUNT_HW_CACHE_DTLB] = "dTLB",
	[PERF_COUNT_HW_CACHE_ITLB] = "iTLB",	 [PERF_COUNT_HW_CACHE_BPU] = "branch",
	[PERF_COUNT_HW_CACHE_NODE] = "node",
};

/* By operation, then by result, as in PERF_TYPE_HW_CACHE's config. */
static const char *const cache_suffixes[PERF_COUNT_HW_CACHE_OP_MAX]
				       [PERF_COUNT_HW_CACHE_RESULT_MAX] = {
	{ "-loads", "-load-misses" },
	{ "-stores", "-store-misses" },
	{ "-prefetches", "-prefetch-misses" },
};

static int cache_config(const char *name, uint64_t *config)
{
	for (int cache = 0; cache < PERF_COUNT_HW_CACHE_MAX; cache++) {
		size_t len = strlen(cache_names[cache]);

		if (strncmp(name, cache_names[cache], len))
			continue;
		for (int op = 0; op < PERF_COUNT_HW_CACHE_OP_MAX; op++)
			for (int res = 0; res < PERF_COUNT_HW_CACHE_RESULT_MAX; res++)
				if (!strcmp(name + len, cache_suffixes[op][res])) {
					*config = cache | op << 8 | res << 16;
					return 0;
				}
	}
	return -EINVAL;
}

static int find_generic(const char *name, struct sim_generic *g)
{
	for (g->config = 0; g->config < PERF_COUNT_HW_MAX; g->config++)
		if (!strcmp(hardware_names[g->config], name)) {
			g->type = PERF_TYPE_HARDWARE;
			return 0;
		}
	g->type = PERF_TYPE_HW_CACHE;
	return cache_config(name, &g->config);
}

/* "generic cpu-cycles event=0x3c" */
static int read_generic(struct file_reader *r)
{
	char *name = file_reader__word(r, "name");
	char *terms = name ? file_reader__word(r, "terms") : NULL;
	struct sim_match match = SIM_MATCH_INIT;
	struct sim_generic g;
	int rc;

	if (!terms)
		return -EINVAL;
	if (find_generic(name, &g))
		return err__set(r->err, EINVAL, "'%s' is no generic event", name);
	rc = sim_match__parse(r->pmu, terms, &match, r->err);
	rc = rc ? rc : sim_match__config(r->pmu, &match, &g.target, r->err);
	sim_match__free(&match);
	return rc ?: file_reader__push(r, &r->pmu->generics, g);
}

static int read_rate(struct file_reader *r)
{
	char *pattern = file_reader__word(r, "events");
	char *text = pattern ? file_reader__rest(r, "rate") : NULL;
	struct sim_rule rule = { .match = SIM_MATCH_INIT };
	double value[SIM_MAX_PHASES];
	int rc;

	if (!text)
		return -EINVAL;
	rc = formula__eval(r->m, r->pmu, text, value, r->err);
	rc = rc ? rc : formula__to_rate(r->m, value, &rule.rate, r->err);
	rc = rc ? rc : sim_match__parse(r->pmu, pattern, &rule.match, r->err);
	rc = rc ?: file_reader__push(r, &r->pmu->rules, rule);
	if (rc)
		sim_match__free(&rule.match);
	return rc;
}

/* A part of a whole. */
static int parse_part(struct file_reader *r, const char *what, const char *text, double *part)
{
	int rc = num__parse_double(what, text, part, r->err);

	if (!rc && !(*part >= 0 && *part <= 1))
		rc = err__set(r->err, ERANGE, "%s: %s is not between 0 and 1", what, text);
	return rc;
}

/* "latency event=0xd1,umask=0x04 100 60 90 80 spread=0.3" */
static int read_latency(struct file_reader *r)
{
	struct sim_latency latency = { .match = SIM_MATCH_INIT, .spread = 0.5 };
	char *pattern = file_reader__word(r, "events"), *spread;
	char *text = pattern ? file_reader__rest(r, "latency") : NULL;
	int rc = 0;

	if (!text)
		return -EINVAL;
	spread = strstr(text, "spread=");
	if (spread) {
		*spread = '\0';
		rc = parse_part(r, "spread", spread + 7, &latency.spread);
	}
	rc = rc ? rc : formula__eval(r->m, r->pmu, text__trim(text), latency.cycles, r->err);
	for (int i = 0; !rc && i < r->m->nr_phases; i++)
		if (!(latency.cycles[i] >= 0))
			rc = err__set(r->err, ERANGE, "%g cycles in phase %d", latency.cycles[i],
				      i + 1);
	rc = rc ? rc : sim_match__parse(r->pmu, pattern, &latency.match, r->err);
	rc = rc ?: file_reader__push(r, &r->pmu->latencies, latency);
	if (rc)
		sim_match__free(&latency.match);
	return rc;
}

static int read_retire_latency(struct file_reader *r)
{
	r->pmu->retire_latency = true;
	return 0;
}

static int read_precise(struct file_reader *r)
{
	struct sim_match match = SIM_MATCH_INIT;
	char *pattern = file_reader__word(r, "events");
	int rc = pattern ? sim_match__parse(r->pmu, pattern, &match, r->err) : -EINVAL;

	rc = rc ?: file_reader__push(r, &r->pmu->precise, match);
	if (rc)
		sim_match__free(&match);
	return rc;
}

static int read_hash(struct file_reader *r)
{
	char *lo = file_reader__word(r, "lower bound");
	char *hi = lo ? file_reader__word(r, "upper bound") : NULL;
	int rc = hi ? formula__eval(r->m, r->pmu, lo, r->pmu->hash_lo.value, r->err) : -EINVAL;

	return rc ? rc : formula__eval(r->m, r->pmu, hi, r->pmu->hash_hi.value, r->err);
}

static int read_user(struct file_reader *r)
{
	char *word = file_reader__word(r, "user");

	return word ? parse_part(r, "user", word, &r->pmu->user_share) : -EINVAL;
}

const struct file_keyword file_pmu_keywords[] = {
	{ "type", read_type },
	{ "kind", read_kind },
	{ "cpus", read_cpus },
	{ "cpumask", read_cpumask },
	{ "counters", read_counters },
	{ "held", read_held },
	{ "fixed", read_fixed },
	{ "mux", read_mux },
	{ "format", read_format },
	{ "event", read_event },
	{ "file", read_file },
	{ "constraint", read_constraint },
	{ "shared", read_shared },
	{ "generic", read_generic },
	{ "let", file_reader__let },
	{ "rate", read_rate },
	{ "hash", read_hash },
	{ "precise", read_precise },
	{ "latency", read_latency },
	{ "retire-latency", read_retire_latency },
	{ "user", read_user },
	{ NULL, NULL },
};
