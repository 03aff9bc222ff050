// SPDX-License-Identifier: GPL-2.0-only
/* Read the lines of a machine file inside a PMU section. */
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/auto.h"
#include "base/num.h"
#include "base/sb.h"
#include "base/text.h"
#include "sim/file_reader.h"

static void read_type(struct file_reader *r)
{
	r->pmu->type = file_reader__int(r, "type", 4, 65535) + r->pmu->instance;
}

static void read_kind(struct file_reader *r)
{
	static const char *const names[] = {
		[SIM_PMU_CORE] = "core",
		[SIM_PMU_UNCORE] = "uncore",
		[SIM_PMU_FREE] = "free",
	};

	r->pmu->kind = file_reader__choice(r, names);
}

static void add_text(struct file_reader *r, const char *dir, const char *name, const char *suffix,
		     const char *text)
{
	char *path = malloc(strlen(dir) + strlen(name) + strlen(suffix) + 1);

	if (path)
		stpcpy(stpcpy(stpcpy(path, dir), name), suffix);
	file_reader__file(r, path, strdup(text), &r->pmu->files);
}

/* Write the PMU's CPUs into the file @name. */
static void add_cpus_file(struct file_reader *r, const char *name)
{
	struct sb text = SB_INIT;

	cpulist__print(&r->pmu->cpus, &text);
	file_reader__file(r, strdup(name), sb__detach(&text), &r->pmu->files);
}

static void file_pmu__read_cpus(struct file_reader *r)
{
	file_reader__cpus(r, "cpus", &r->pmu->cpus);
	r->pmu->has_cpus = true;
	add_cpus_file(r, "cpus");
}

/* Add the first CPU of each core, or of the first core of each package. */
static void add_first_cpus(struct file_reader *r, bool packages)
{
	const struct sim_core *core, *other;

	vec__for_each(core, &r->m->cores) {
		other = r->m->cores.at;
		while (packages && other->package != core->package)
			other++;
		if (!packages || other == core)
			file_reader__check(r, cpulist__add(&r->pmu->cpus, core->cpus.at[0]));
	}
}

/* Read "cpumask 0,4", "cpumask packages" or "cpumask cores". */
static void read_cpumask(struct file_reader *r)
{
	char *word = file_reader__word(r, "cpumask");

	cpulist__free(&r->pmu->cpus);
	if (!strcmp(word, "packages") || !strcmp(word, "cores"))
		add_first_cpus(r, !strcmp(word, "packages"));
	else
		file_reader__check(r, cpulist__parse("cpumask", word, &r->pmu->cpus, r->err));
	add_cpus_file(r, "cpumask");
}

static void read_counters(struct file_reader *r)
{
	r->pmu->nr_counters = file_reader__int(r, "counters", 0, SIM_FIXED_BIT);
}

static uint64_t all_counters(const struct sim_pmu *pmu)
{
	return (1ULL << pmu->nr_counters) - 1;
}

static uint64_t counters_mask(struct file_reader *r)
{
	auto_free(cpulist) list = CPULIST_INIT;
	uint64_t mask = 0;
	const int *counter;

	file_reader__cpus(r, "counters", &list);
	cpulist__for_each(counter, &list) {
		if (*counter >= r->pmu->nr_counters)
			file_reader__fail(r, ERANGE, "there is no counter %d", *counter);
		mask |= 1ULL << *counter % 64;
	}
	return mask;
}

static void read_held(struct file_reader *r)
{
	r->pmu->held |= counters_mask(r);
}

static void read_fixed(struct file_reader *r)
{
	r->pmu->nr_fixed = file_reader__int(r, "fixed", 0, SIM_METRIC_BIT - SIM_FIXED_BIT);
}

static void read_mux(struct file_reader *r)
{
	char *word;

	r->pmu->mux_interval_ms = file_reader__int(r, "mux", 1, 10000);
	word = file_reader__optional(r);
	if (!word)
		return;
	if (strcmp(word, "late"))
		file_reader__fail(r, EINVAL, "'%s' is not 'late'", word);
	r->pmu->late_percent = file_reader__int(r, "late", 0, 100);
}

static void read_format(struct file_reader *r)
{
	const char *name = file_reader__copy(r, file_reader__word(r, "name"));
	const char *format = file_reader__copy(r, file_reader__word(r, "config bits"));

	if (r->rc)
		return;
	if (sim_pmu__field(r->pmu, name, strlen(name)) >= 0)
		file_reader__fail(r, EEXIST, "there is a format term %s already", name);
	file_reader__check(r, sim_pmu__add_field(r->pmu, name, format, r->err));
	add_text(r, "format/", name, "", format);
}

/* Read "event NAME TERMS [scale=X] [unit=X] [per-pkg] [snapshot]". */
static void file_pmu__read_event(struct file_reader *r)
{
	char *name = file_reader__word(r, "name"), *word;
	char *terms = file_reader__word(r, "terms");
	struct sim_match match;

	file_reader__check(r, sim_match__parse(r->pmu, terms, &match, r->err));
	add_text(r, "events/", name, "", terms);
	while ((word = file_reader__optional(r))) {
		if (text__has_prefix(word, "scale="))
			add_text(r, "events/", name, ".scale", word + 6);
		else if (text__has_prefix(word, "unit="))
			add_text(r, "events/", name, ".unit", word + 5);
		else if (!strcmp(word, "per-pkg"))
			add_text(r, "events/", name, ".per-pkg", "1");
		else if (!strcmp(word, "snapshot"))
			add_text(r, "events/", name, ".snapshot", "1");
		else
			file_reader__fail(r, EINVAL,
					  "'%s' is none of scale=, unit=, per-pkg, snapshot", word);
	}
}

/*
 * Read "root-ports 0 0000:00 0000:17": the PCIe root port of each instance of the PMU on a die. The
 * kernel shows it in a file of the instance.
 */
static void read_root_ports(struct file_reader *r)
{
	char digits[16];
	const char *port;

	snprintf(digits, sizeof(digits), "%d", file_reader__int(r, "die", 0, UINT8_MAX));
	port = file_reader__word(r, "root port");
	for (int i = 0; i < r->pmu->instance && port; i++)
		port = file_reader__optional(r);
	while (file_reader__optional(r))
		;
	if (port)
		add_text(r, "die", digits, "", port);
	else
		file_reader__fail(r, EINVAL, "there is no root port for instance %d",
				  r->pmu->instance);
}

static void read_file(struct file_reader *r)
{
	char *path = file_reader__word(r, "path");
	char *text = file_reader__rest(r, "text");
	const struct {
		const char *path;
		uint64_t max;
		int *value;
	} numbers[] = {
		{ "caps/max_precise", 3, &r->pmu->max_precise },
		{ "rdpmc", 2, &r->pmu->rdpmc },
	};
	uint64_t value = 0;

	for (int i = 0; i < array__nr(numbers); i++) {
		if (strcmp(path, numbers[i].path))
			continue;
		file_reader__check(r, num__parse_u64(path, text, 0, numbers[i].max, &value,
						     r->err));
		*numbers[i].value = value;
	}
	add_text(r, "", path, "", text);
}

/* Read the words after "fixed": "0", "0 any", "3 slots". */
static void read_fixed_place(struct file_reader *r, struct sim_constraint *c)
{
	char *word;

	if (!r->pmu->nr_fixed)
		file_reader__fail(r, EINVAL, "there are no fixed counters");
	c->mask = 1ULL << (SIM_FIXED_BIT + file_reader__int(r, "fixed", 0, r->pmu->nr_fixed - 1));
	word = file_reader__optional(r);
	if (word && !strcmp(word, "any"))
		c->mask |= all_counters(r->pmu);
	else if (word && !strcmp(word, "slots"))
		c->slots = true;
	else if (word)
		file_reader__fail(r, EINVAL, "'%s' is neither any nor slots", word);
	/*
	 * A slots event with a filter is refused later. Any other event with a filter cannot use
	 * the fixed counter.
	 */
	c->exact = !c->slots;
}

/* Read the words after "counters": "0-3", "0-5 pair". */
static void read_counters_place(struct file_reader *r, struct sim_constraint *c)
{
	char *word;

	c->mask = counters_mask(r);
	word = file_reader__optional(r);
	c->pair = word && !strcmp(word, "pair");
	if (word && !c->pair)
		file_reader__fail(r, EINVAL, "'%s' is not pair", word);
}

/* Read "constraint EVENTS counters 0-3", "... fixed 0" or "... metric 2". */
static void read_constraint(struct file_reader *r)
{
	enum { COUNTERS, FIXED, METRIC };
	static const char *const places[] = { "counters", "fixed", "metric" };
	struct sim_constraint c = { .match = file_reader__match(r) };

	switch (file_reader__choice(r, places)) {
	case COUNTERS:
		read_counters_place(r, &c);
		break;
	case FIXED:
		read_fixed_place(r, &c);
		break;
	case METRIC:
		c.mask = 1ULL << (SIM_METRIC_BIT + file_reader__int(r, "metric", 0, 15));
		break;
	}
	file_reader__push(r, &r->pmu->constraints, c);
}

/* Read "shared offcore 2 0x3fffffffff event=0x2a-0x2b,umask=0x1". */
static void read_shared(struct file_reader *r)
{
	struct sim_shared s = { .name = file_reader__copy(r, file_reader__word(r, "name")) };
	char *valid, *pattern;

	s.registers = file_reader__int(r, "registers", 1, 16);
	valid = file_reader__word(r, "valid bits");
	pattern = file_reader__word(r, "events");
	file_reader__check(r, num__parse_u64("valid bits", valid, 0, UINT64_MAX, &s.valid, r->err));
	file_reader__check(r, sim_match__parse(r->pmu, pattern, &s.match, r->err));
	file_reader__push(r, &r->pmu->shared, s);
}

/* Read "starved 0-1 event=0xd0-0xd3". */
static void read_starved(struct file_reader *r)
{
	struct sim_starved s = { .mask = counters_mask(r) };

	s.match = file_reader__match(r);
	file_reader__push(r, &r->pmu->starved, s);
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

/* Suffixes of names, by the numbers of operation and result in the config of PERF_TYPE_HW_CACHE. */
static const char *const cache_suffixes[PERF_COUNT_HW_CACHE_OP_MAX]
				       [PERF_COUNT_HW_CACHE_RESULT_MAX] = {
	{ "-loads", "-load-misses" },
	{ "-stores", "-store-misses" },
	{ "-prefetches", "-prefetch-misses" },
};

/* Find the config of a generic cache event by its name. Return: whether the name is known. */
static bool find_cache_event(const char *name, uint64_t *config)
{
	for (int cache = 0; cache < PERF_COUNT_HW_CACHE_MAX; cache++) {
		size_t len = strlen(cache_names[cache]);

		if (strncmp(name, cache_names[cache], len))
			continue;
		for (int op = 0; op < PERF_COUNT_HW_CACHE_OP_MAX; op++)
			for (int res = 0; res < PERF_COUNT_HW_CACHE_RESULT_MAX; res++)
				if (!strcmp(name + len, cache_suffixes[op][res])) {
					*config = cache | op << 8 | res << 16;
					return true;
				}
	}
	return false;
}

static bool find_generic(const char *name, struct sim_generic *g)
{
	for (g->config = 0; g->config < PERF_COUNT_HW_MAX; g->config++)
		if (!strcmp(hardware_names[g->config], name)) {
			g->type = PERF_TYPE_HARDWARE;
			return true;
		}
	g->type = PERF_TYPE_HW_CACHE;
	return find_cache_event(name, &g->config);
}

/* Read "generic cpu-cycles event=0x3c". */
static void read_generic(struct file_reader *r)
{
	char *name = file_reader__word(r, "name");
	char *terms = file_reader__word(r, "terms");
	struct sim_generic g = { .type = 0 };
	struct sim_match match;

	if (!find_generic(name, &g))
		file_reader__fail(r, EINVAL, "'%s' is not a generic event", name);
	file_reader__check(r, sim_match__parse(r->pmu, terms, &match, r->err));
	file_reader__check(r, sim_match__config(r->pmu, &match, &g.target, r->err));
	file_reader__push(r, &r->pmu->generics, g);
}

static void read_rate(struct file_reader *r)
{
	char *pattern = file_reader__word(r, "events");
	struct sim_rule rule;

	file_reader__rate(r, file_reader__rest(r, "rate"), &rule.rate);
	file_reader__check(r, sim_match__parse(r->pmu, pattern, &rule.match, r->err));
	file_reader__push(r, &r->pmu->rules, rule);
}

/* Read "latency event=0xd1,umask=0x04 100 60 90 80 spread=0.3". */
static void read_latency(struct file_reader *r)
{
	struct sim_latency latency = { .spread = 0.5 };
	char *pattern = file_reader__word(r, "events");
	char *text = file_reader__rest(r, "latency");
	char *spread = strstr(text, "spread=");

	if (spread) {
		*spread = '\0';
		latency.spread = file_reader__part(r, "spread", spread + 7);
	}
	file_reader__values(r, text__trim(text), latency.cycles);
	for (int i = 0; i < sim_machine__nr_columns(r->m); i++)
		if (!(latency.cycles[i] >= 0))
			file_reader__fail(r, ERANGE, "%g cycles in phase %d", latency.cycles[i],
					  i + 1);
	file_reader__check(r, sim_match__parse(r->pmu, pattern, &latency.match, r->err));
	file_reader__push(r, &r->pmu->latencies, latency);
}

/*
 * Read "20ns" or "20ns spread=0.5": a mean, and the largest distance from it as a part of the mean.
 */
static struct sim_skid read_distance_ns(struct file_reader *r, const char *what)
{
	struct sim_skid skid = {.mean = file_reader__time(r, what)};
	char *word = file_reader__optional(r);

	if (word && !text__has_prefix(word, "spread="))
		file_reader__fail(r, EINVAL, "'%s' is not spread=", word);
	skid.spread = skid.mean * (word && !r->rc ? file_reader__part(r, "spread", word + 7) : 0.5);
	return skid;
}

static void read_skid(struct file_reader *r)
{
	r->pmu->skid = read_distance_ns(r, "skid");
}

/* Read "issue-distance event=0x9c,umask=0x01 120ns spread=0.5". */
static void read_issue_distance(struct file_reader *r)
{
	struct sim_distance distance = {.match = file_reader__match(r)};

	distance.skid = read_distance_ns(r, "issue-distance");
	file_reader__push(r, &r->pmu->distances, distance);
}

static void read_maskable(struct file_reader *r)
{
	r->pmu->maskable = true;
}

static void read_mediated_vpmu(struct file_reader *r)
{
	r->pmu->mediated_vpmu = true;
}

/* Read "rdpmc-user-disable" or "rdpmc-user-disable all". */
static void read_rdpmc_user_disable(struct file_reader *r)
{
	char *word = file_reader__optional(r);

	if (word && strcmp(word, "all"))
		file_reader__fail(r, EINVAL, "'%s' is not all", word);
	r->pmu->rdpmc_blind = word ? SIM_BLIND_ALL : SIM_BLIND_WIDE;
}

static void read_retire_latency(struct file_reader *r)
{
	r->pmu->retire_latency = true;
}

static void read_precise(struct file_reader *r)
{
	struct sim_match match = file_reader__match(r);

	file_reader__push(r, &r->pmu->precise, match);
}

static void read_hash(struct file_reader *r)
{
	char *lo = file_reader__word(r, "lower bound");
	char *hi = file_reader__word(r, "upper bound");

	file_reader__values(r, lo, r->pmu->hash_lo.value);
	file_reader__values(r, hi, r->pmu->hash_hi.value);
}

static void read_user(struct file_reader *r)
{
	r->pmu->user_share = file_reader__part(r, "user", file_reader__word(r, "user"));
}

const struct file_keyword file_pmu_keywords[] = {
	{"type", read_type},
	{"kind", read_kind},
	{"cpus", file_pmu__read_cpus},
	{"cpumask", read_cpumask},
	{"counters", read_counters},
	{"held", read_held},
	{"fixed", read_fixed},
	{"mux", read_mux},
	{"format", read_format},
	{"event", file_pmu__read_event},
	{"file", read_file},
	{"root-ports", read_root_ports},
	{"constraint", read_constraint},
	{"shared", read_shared},
	{"starved", read_starved},
	{"generic", read_generic},
	{"let", file_reader__let},
	{"rate", read_rate},
	{"hash", read_hash},
	{"precise", read_precise},
	{"latency", read_latency},
	{"retire-latency", read_retire_latency},
	{"skid", read_skid},
	{"issue-distance", read_issue_distance},
	{"maskable", read_maskable},
	{"mediated-vpmu", read_mediated_vpmu},
	{"rdpmc-user-disable", read_rdpmc_user_disable},
	{"user", read_user},
	{NULL, NULL},
};
