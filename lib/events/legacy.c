// SPDX-License-Identifier: GPL-2.0-only
/* Events the kernel knows by number: hardware, caches, software. */
#include <errno.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/num.h"
#include "base/suggest.h"
#include "events/internal.h"
#include "machine/machine.h"

#define HW(name, alias, config)                                         \
	{                                                               \
		name, alias, PERF_TYPE_HARDWARE, PERF_COUNT_HW_##config \
	}
#define SW(name, alias, config)                                         \
	{                                                               \
		name, alias, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_##config \
	}

static const struct legacy_name legacy_names[] = {
	HW("cpu-cycles", "cycles", CPU_CYCLES),
	HW("instructions", NULL, INSTRUCTIONS),
	HW("cache-references", NULL, CACHE_REFERENCES),
	HW("cache-misses", NULL, CACHE_MISSES),
	HW("branch-instructions", "branches", BRANCH_INSTRUCTIONS),
	HW("branch-misses", NULL, BRANCH_MISSES),
	HW("bus-cycles", NULL, BUS_CYCLES),
	HW("stalled-cycles-frontend", "idle-cycles-frontend", STALLED_CYCLES_FRONTEND),
	HW("stalled-cycles-backend", "idle-cycles-backend", STALLED_CYCLES_BACKEND),
	HW("ref-cycles", NULL, REF_CPU_CYCLES),
	SW("cpu-clock", NULL, CPU_CLOCK),
	SW("task-clock", NULL, TASK_CLOCK),
	SW("page-faults", "faults", PAGE_FAULTS),
	SW("context-switches", "cs", CONTEXT_SWITCHES),
	SW("cpu-migrations", "migrations", CPU_MIGRATIONS),
	SW("minor-faults", NULL, PAGE_FAULTS_MIN),
	SW("major-faults", NULL, PAGE_FAULTS_MAJ),
	SW("alignment-faults", NULL, ALIGNMENT_FAULTS),
	SW("emulation-faults", NULL, EMULATION_FAULTS),
	SW("dummy", NULL, DUMMY),
	SW("bpf-output", NULL, BPF_OUTPUT),
	SW("cgroup-switches", NULL, CGROUP_SWITCHES),
};

static const struct {
	const char *name;
	enum event_tool tool;
} tools[] = {
	{ "duration_time", EVENT_DURATION_TIME },
	{ "user_time", EVENT_USER_TIME },
	{ "system_time", EVENT_SYSTEM_TIME },
};

#define NR(a) ((int)(sizeof(a) / sizeof(*(a))))
#define MAX_ALIASES 6

/* A word of a cache event's name and the number it stands for. */
struct cache_word {
	const char *names[MAX_ALIASES]; /* the first is the one shown */
	unsigned int ops;		/* of a cache: which operations it has */
};

#define READ (1 << PERF_COUNT_HW_CACHE_OP_READ)
#define WRITE (1 << PERF_COUNT_HW_CACHE_OP_WRITE)
#define PREFETCH (1 << PERF_COUNT_HW_CACHE_OP_PREFETCH)

static const struct cache_word caches[] = {
	[PERF_COUNT_HW_CACHE_L1D] = { { "L1-dcache", "l1-d", "l1d", "L1-data" },
				      READ | WRITE | PREFETCH },
	[PERF_COUNT_HW_CACHE_L1I] = { { "L1-icache", "l1-i", "l1i", "L1-instruction" },
				      READ | PREFETCH },
	[PERF_COUNT_HW_CACHE_LL] = { { "LLC", "L2" }, READ | WRITE | PREFETCH },
	[PERF_COUNT_HW_CACHE_DTLB] = { { "dTLB", "d-tlb", "Data-TLB" }, READ | WRITE | PREFETCH },
	[PERF_COUNT_HW_CACHE_ITLB] = { { "iTLB", "i-tlb", "Instruction-TLB" }, READ },
	[PERF_COUNT_HW_CACHE_BPU] = { { "branch", "branches", "bpu", "btb", "bpc" }, READ },
	[PERF_COUNT_HW_CACHE_NODE] = { { "node" }, READ | WRITE | PREFETCH },
};

static const struct cache_word ops[] = {
	[PERF_COUNT_HW_CACHE_OP_READ] = { { "load", "loads", "read" }, 0 },
	[PERF_COUNT_HW_CACHE_OP_WRITE] = { { "store", "stores", "write" }, 0 },
	[PERF_COUNT_HW_CACHE_OP_PREFETCH] = { { "prefetch", "prefetches", "speculative-read",
						"speculative-load" },
					      0 },
};

static const struct cache_word results[] = {
	[PERF_COUNT_HW_CACHE_RESULT_ACCESS] = { { "refs", "Reference", "ops", "access" }, 0 },
	[PERF_COUNT_HW_CACHE_RESULT_MISS] = { { "misses", "miss" }, 0 },
};

const struct legacy_name *legacy__find(const char *name)
{
	for (int i = 0; i < NR(legacy_names); i++) {
		const struct legacy_name *n = &legacy_names[i];

		/* Every name of an event is held against all of these. */
		if ((*name == *n->name && !strcmp(name, n->name)) ||
		    (n->alias && *name == *n->alias && !strcmp(name, n->alias)))
			return n;
	}
	return NULL;
}

enum event_tool events__tool(const char *name)
{
	for (int i = 0; i < NR(tools); i++)
		if (!strcmp(name, tools[i].name))
			return tools[i].tool;
	return EVENT_TOOL_NONE;
}

/*
 * The longest word of a table that @text begins with, ended by '-' or the end of the text ("node"
 * does not begin "nodejs"). Moves @text behind it and the '-'.
 */
static int cache_word(const char **text, const struct cache_word *table, int nr)
{
	size_t best_len = 0;
	int best = -1;

	for (int i = 0; i < nr; i++) {
		for (int j = 0; j < MAX_ALIASES && table[i].names[j]; j++) {
			const char *name = table[i].names[j];
			size_t len;

			if (*name != **text)
				continue;
			len = strlen(name);
			if (len > best_len && !strncmp(*text, name, len) &&
			    ((*text)[len] == '-' || !(*text)[len])) {
				best = i;
				best_len = len;
			}
		}
	}
	if (best >= 0)
		*text += best_len + ((*text)[best_len] == '-' && (*text)[best_len + 1]);
	return best;
}

int legacy__cache(const char *name, uint64_t *config)
{
	int cache, op = -1, result = -1;

	cache = cache_word(&name, caches, NR(caches));
	if (cache < 0)
		return -ENOENT;
	/* Operation and result stand in any order, and each may be left out. */
	for (int i = 0; i < 2 && *name; i++) {
		const char *before = name;

		if (op < 0)
			op = cache_word(&name, ops, NR(ops));
		if (name == before && result < 0)
			result = cache_word(&name, results, NR(results));
		if (name == before)
			return -ENOENT;
	}
	if (*name)
		return -ENOENT;
	if (op < 0)
		op = PERF_COUNT_HW_CACHE_OP_READ;
	if (result < 0)
		result = PERF_COUNT_HW_CACHE_RESULT_ACCESS;
	if (!(caches[cache].ops & (1 << op)))
		return -EINVAL;
	*config = cache | op << 8 | result << 16;
	return 0;
}

bool legacy__raw(const char *name, uint64_t *config)
{
	int len;

	if (*name != 'r')
		return false;
	name++;
	if (name[0] == '0' && name[1] == 'x')
		name += 2;
	len = num__scan_u64(name, 16, config);
	return len && !name[len];
}

/* Spelt as in the kernel's documentation: L1-dcache-loads, L1-dcache-load-misses. */
static const char *cache_name(int cache, int op, int result, char *buf, size_t size)
{
	bool misses = result == PERF_COUNT_HW_CACHE_RESULT_MISS;

	snprintf(buf, size, "%s-%s%s", caches[cache].names[0], ops[op].names[!misses],
		 misses ? "-misses" : "");
	return buf;
}

static int each_cache_of(struct pmu *pmu, const struct event_names *walk)
{
	struct event_name name = { EVENT_NAME_INIT, .kind = NAME_KIND_CACHE, .on = pmu };
	char buf[64], alias[sizeof(buf) + 264];
	int rc = 0;

	name.topic = "cache";
	name.type = PERF_TYPE_HW_CACHE;
	name.pmu = pmu->name;
	name.name = buf;
	name.alias = alias;
	for (int c = 0; c < NR(caches); c++) {
		for (int o = 0; o < NR(ops); o++) {
			if (!(caches[c].ops & (1 << o)))
				continue;
			for (int r = 0; r < NR(results) && !rc; r++) {
				cache_name(c, o, r, buf, sizeof(buf));
				snprintf(alias, sizeof(alias), "%.255s/%s/", pmu->name, buf);
				name.config = encode__extended(pmu) | c | o << 8 | r << 16;
				rc = walk->visit(walk->arg, &name);
			}
		}
	}
	return rc;
}

/* Of each core PMU, as the same event may count on one of them only. */
static int each_cache(const struct machine *m, const struct event_names *walk)
{
	int rc = 0;

	for (int i = 0; i < machine__nr_core_pmus(m) && !rc; i++)
		rc = each_cache_of(machine__core_pmu(m, i), walk);
	return rc;
}

int legacy__each(const struct events_scope *scope, const struct event_names *walk)
{
	struct event_name name = { EVENT_NAME_INIT };
	int rc = 0;

	for (int i = 0; i < NR(legacy_names) && !rc; i++) {
		const struct legacy_name *n = &legacy_names[i];

		name.kind = n->type == PERF_TYPE_HARDWARE ? NAME_KIND_HARDWARE :
							    NAME_KIND_SOFTWARE;
		name.name = n->name;
		name.alias = n->alias ? n->alias : "";
		name.type = n->type;
		name.config = n->config;
		if (walk->kinds & 1u << name.kind)
			rc = walk->visit(walk->arg, &name);
	}
	name = (struct event_name){ EVENT_NAME_INIT, .kind = NAME_KIND_TOOL };
	name.topic = "tool";
	for (int i = 0; i < NR(tools) && !rc && walk->kinds & 1u << NAME_KIND_TOOL; i++) {
		name.name = tools[i].name;
		rc = walk->visit(walk->arg, &name);
	}
	if (!rc && walk->kinds & 1u << NAME_KIND_CACHE)
		rc = each_cache(scope->machine, walk);
	return rc;
}

void legacy__suggest(struct suggest *s)
{
	static char names[NR(caches)][NR(ops)][NR(results)][40];

	for (int i = 0; i < NR(legacy_names); i++) {
		suggest__offer(s, legacy_names[i].name);
		if (legacy_names[i].alias)
			suggest__offer(s, legacy_names[i].alias);
	}
	for (int i = 0; i < NR(tools); i++)
		suggest__offer(s, tools[i].name);
	/* What is offered must outlive this. */
	for (int c = 0; c < NR(caches); c++)
		for (int o = 0; o < NR(ops); o++)
			for (int r = 0; caches[c].ops & (1 << o) && r < NR(results); r++)
				suggest__offer(s, cache_name(c, o, r, names[c][o][r],
							     sizeof(names[c][o][r])));
}
