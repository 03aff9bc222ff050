// SPDX-License-Identifier: GPL-2.0-only
/*
 * Events for which the kernel has numbers (hardware, caches, software): their names, and the codes
 * that the kernel puts into counters.
 */
#include <errno.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/array.h"
#include "base/num.h"
#include "base/suggest.h"
#include "base/text.h"
#include "events/internal.h"
#include "machine/machine.h"
#include "machine/models.h"

#define CONFIG_MASK 0xffffffff /* the bits above are the PMU of an extended type */

/* clang-format off */
#define HW(name, alias, config, kind) \
	{ name, alias, "", PERF_TYPE_HARDWARE, PERF_COUNT_HW_##config, EVENT_KIND_##kind }
#define SW(name, alias, config, kind, desc) \
	{ name, alias, desc, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_##config, EVENT_KIND_##kind }
/* clang-format on */

static const struct legacy_name {
	const char *name, *alias, *desc;
	uint32_t type;
	uint64_t config;
	enum event_kind kind;
} legacy_names[] = {
	HW("cpu-cycles", "cycles", CPU_CYCLES, CYCLES),
	HW("instructions", NULL, INSTRUCTIONS, INSTRUCTIONS),
	HW("cache-references", NULL, CACHE_REFERENCES, CACHE_REFS),
	HW("cache-misses", NULL, CACHE_MISSES, CACHE_MISSES),
	HW("branch-instructions", "branches", BRANCH_INSTRUCTIONS, BRANCHES),
	HW("branch-misses", NULL, BRANCH_MISSES, BRANCH_MISSES),
	HW("bus-cycles", NULL, BUS_CYCLES, NONE),
	HW("stalled-cycles-frontend", "idle-cycles-frontend", STALLED_CYCLES_FRONTEND, STALLED_FRONT),
	HW("stalled-cycles-backend", "idle-cycles-backend", STALLED_CYCLES_BACKEND, STALLED_BACK),
	HW("ref-cycles", NULL, REF_CPU_CYCLES, NONE),
	SW("cpu-clock", NULL, CPU_CLOCK, NSECS,
	   "Time of the CPU's clock; for a task, only while it runs"),
	SW("task-clock", NULL, TASK_CLOCK, NSECS, "Time that tasks run"),
	SW("page-faults", "faults", PAGE_FAULTS, NONE, "Page faults of all kinds"),
	SW("context-switches", "cs", CONTEXT_SWITCHES, NONE, "Switches from one task to another"),
	SW("cpu-migrations", "migrations", CPU_MIGRATIONS, NONE, "Moves of tasks to another CPU"),
	SW("minor-faults", NULL, PAGE_FAULTS_MIN, NONE,
	   "Page faults that needed no input or output"),
	SW("major-faults", NULL, PAGE_FAULTS_MAJ, NONE,
	   "Page faults that waited for input or output"),
	SW("alignment-faults", NULL, ALIGNMENT_FAULTS, NONE,
	   "Unaligned accesses that the kernel completed"),
	SW("emulation-faults", NULL, EMULATION_FAULTS, NONE,
	   "Instructions that the kernel emulated"),
	SW("dummy", NULL, DUMMY, NONE, "Counts nothing, but has records of tasks and mappings"),
	SW("bpf-output", NULL, BPF_OUTPUT, NONE, "Samples that BPF programs write"),
	SW("cgroup-switches", NULL, CGROUP_SWITCHES, NONE, "Switches to a task of another cgroup"),
};

/* Names of the program's own events, as in perf's tool PMU. */
static const char *const tools[EVENT_GAUGE] = {
	[EVENT_DURATION_TIME] = "duration_time",
	[EVENT_USER_TIME] = "user_time",
	[EVENT_SYSTEM_TIME] = "system_time",
	[EVENT_HAS_PMEM] = "has_pmem",
	[EVENT_NUM_CORES] = "num_cores",
	[EVENT_NUM_CPUS] = "num_cpus",
	[EVENT_NUM_CPUS_ONLINE] = "num_cpus_online",
	[EVENT_NUM_DIES] = "num_dies",
	[EVENT_NUM_PACKAGES] = "num_packages",
	[EVENT_SLOTS] = "slots",
	[EVENT_SMT_ON] = "smt_on",
	[EVENT_SYSTEM_TSC_FREQ] = "system_tsc_freq",
	[EVENT_CORE_WIDE] = "core_wide",
	[EVENT_TARGET_CPU] = "target_cpu",
};

#define MAX_ALIASES 6

/**
 * struct cache_word - a word of a cache event's name; its place in the table is its number
 * @names: its forms, of which the first one is printed
 * @ops:   (caches) the operations that the cache has
 * @kinds: (caches) enum event_kind of reads, by their result
 */
struct cache_word {
	const char *names[MAX_ALIASES];
	unsigned int ops;
	enum event_kind kinds[2];
};

#define READ (1 << PERF_COUNT_HW_CACHE_OP_READ)
#define WRITE (1 << PERF_COUNT_HW_CACHE_OP_WRITE)
#define PREFETCH (1 << PERF_COUNT_HW_CACHE_OP_PREFETCH)
#define READS(cache) { EVENT_KIND_##cache, EVENT_KIND_##cache##_MISSES }

static const struct cache_word caches[] = {
	[PERF_COUNT_HW_CACHE_L1D] = { { "L1-dcache", "l1-d", "l1d", "L1-data" },
				      READ | WRITE | PREFETCH, READS(L1D) },
	[PERF_COUNT_HW_CACHE_L1I] = { { "L1-icache", "l1-i", "l1i", "L1-instruction" },
				      READ | PREFETCH, READS(L1I) },
	[PERF_COUNT_HW_CACHE_LL] = { { "LLC", "L2" }, READ | WRITE | PREFETCH, READS(LL) },
	[PERF_COUNT_HW_CACHE_DTLB] = { { "dTLB", "d-tlb", "Data-TLB" },
				       READ | WRITE | PREFETCH, READS(DTLB) },
	[PERF_COUNT_HW_CACHE_ITLB] = { { "iTLB", "i-tlb", "Instruction-TLB" }, READ, READS(ITLB) },
	[PERF_COUNT_HW_CACHE_BPU] = { { "branch", "branches", "bpu", "btb", "bpc" }, .ops = READ },
	[PERF_COUNT_HW_CACHE_NODE] = { { "node" }, .ops = READ | WRITE | PREFETCH },
};

static const struct cache_word ops[] = {
	[PERF_COUNT_HW_CACHE_OP_READ] = { { "load", "loads", "read" } },
	[PERF_COUNT_HW_CACHE_OP_WRITE] = { { "store", "stores", "write" } },
	[PERF_COUNT_HW_CACHE_OP_PREFETCH] = { { "prefetch", "prefetches", "speculative-read",
						"speculative-load" } },
};

static const struct cache_word results[] = {
	[PERF_COUNT_HW_CACHE_RESULT_ACCESS] = { { "refs", "Reference", "ops", "access" } },
	[PERF_COUNT_HW_CACHE_RESULT_MISS] = { { "misses", "miss" } },
};

/*
 * Compare first letters before anything else, since every name is compared with all of these words.
 */
static bool is_spelt(const char *name, const char *word, bool any_case)
{
	return word && (any_case ? !strcasecmp(name, word) : *name == *word && !strcmp(name, word));
}

static const struct legacy_name *find_name(const char *name, bool any_case)
{
	for (int i = 0; i < array__nr(legacy_names); i++) {
		const struct legacy_name *n = &legacy_names[i];

		if (is_spelt(name, n->name, any_case) || is_spelt(name, n->alias, any_case))
			return n;
	}
	return NULL;
}

static enum event_tool find_tool(const char *name, size_t len)
{
	for (int i = EVENT_TOOL_NONE + 1; i < EVENT_GAUGE; i++)
		if ((*name | 0x20) == *tools[i] && !strncasecmp(name, tools[i], len) &&
		    !tools[i][len])
			return i;
	return EVENT_TOOL_NONE;
}

enum event_tool events__tool(const char *name)
{
	size_t len = strlen(name);

	if (text__has_prefix(name, TOOL_PMU "/") || text__has_prefix(name, TOOL_PMU "@")) {
		name += strlen(TOOL_PMU) + 1;
		return find_tool(name, strcspn(name, "/@,"));
	}
	/* All names of tools have an underscore, so most names are not compared. */
	return memchr(name, '_', len) ? find_tool(name, len) : EVENT_TOOL_NONE;
}

enum event_tool events__recorded_tool(const char *name, const char *unit)
{
	return events__tool(name) ?:
	       gauges__has_recorded(name, unit) ? EVENT_GAUGE : EVENT_TOOL_NONE;
}

const char *events__tool_name(enum event_tool tool)
{
	return tools[tool];
}

void event__set_tool(struct event *e, enum event_tool tool)
{
	e->tool = tool;
	e->snapshot = event_tool__is_state(tool);
	event__set_text(&e->unit, e->snapshot ? "" : "ns");
}

/*
 * Finds the longest word of a table that @text begins with, and moves @text to the end of the word.
 * '-' or the end of the text must follow the word ("node" does not begin "nodejs"). Return: the
 * word's number, or -1.
 */
static int cache_word(const char **text, const struct cache_word *table, int nr, bool any_case)
{
	size_t best_len = 0;
	int best = -1;

	for (int i = 0; i < nr; i++) {
		for (int j = 0; j < MAX_ALIASES && table[i].names[j]; j++) {
			const char *name = table[i].names[j];
			size_t len;

			if (*name != **text && !any_case)
				continue;
			len = strlen(name);
			if (len > best_len && !strncasecmp(*text, name, len) &&
			    (any_case || !strncmp(*text, name, len)) &&
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

static int decode_cache(const char *name, bool any_case, uint64_t *config)
{
	int cache, op = -1, result = -1;

	cache = cache_word(&name, caches, array__nr(caches), any_case);
	if (cache < 0)
		return -ENOENT;
	/* Operation and result may have any order, and each may be missing. */
	for (int i = 0; i < 2 && *name; i++) {
		const char *before = name;

		if (op < 0)
			op = cache_word(&name, ops, array__nr(ops), any_case);
		if (name == before && result < 0)
			result = cache_word(&name, results, array__nr(results), any_case);
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

static bool decode_raw(const char *name, uint64_t *config)
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

int legacy__decode(const char *name, bool any_case, uint32_t *type, uint64_t *config)
{
	const struct legacy_name *found;

	*type = PERF_TYPE_RAW;
	if (decode_raw(name, config))
		return 0;
	found = find_name(name, any_case);
	if (found) {
		*type = found->type;
		*config = found->config;
		return 0;
	}
	*type = PERF_TYPE_HW_CACHE;
	return decode_cache(name, any_case, config);
}

bool events__is_kernel_name(const char *name)
{
	uint64_t config;
	uint32_t type;

	return legacy__decode(name, false, &type, &config) != -ENOENT;
}

#define NR_CACHE_NAMES (array__nr(caches) * array__nr(ops) * array__nr(results))

/*
 * Makes the name with number @i from the words, spelt as in the kernel's documentation:
 * L1-dcache-loads, L1-dcache-load-misses. Return: whether the cache has the operation.
 */
static bool cache_name(int i, char *buf, size_t size, uint64_t *config)
{
	int result = i % array__nr(results), op = i / array__nr(results) % array__nr(ops);
	int cache = i / array__nr(results) / array__nr(ops);
	bool misses = result == PERF_COUNT_HW_CACHE_RESULT_MISS;

	snprintf(buf, size, "%s-%s%s", caches[cache].names[0], ops[op].names[!misses],
		 misses ? "-misses" : "");
	*config = cache | op << 8 | result << 16;
	return caches[cache].ops & (1 << op);
}

/* Visits the names for each core PMU, as one core PMU may have an event that others lack. */
static void each_cache(struct pmu *pmu, const struct event_names *walk)
{
	struct event_name name = { EVENT_NAME_INIT, .kind = NAME_KIND_CACHE, .on = pmu };
	char buf[64], alias[sizeof(buf) + 264];

	name.topic = "cache";
	name.type = PERF_TYPE_HW_CACHE;
	name.pmu = pmu->name;
	name.name = buf;
	name.alias = alias;
	for (int i = 0; i < NR_CACHE_NAMES; i++) {
		if (!cache_name(i, buf, sizeof(buf), &name.config))
			continue;
		snprintf(alias, sizeof(alias), "%.255s/%s/", pmu->name, buf);
		name.config |= encode__extended(pmu);
		walk->visit(walk->arg, &name);
	}
}

void legacy__each(const struct events_scope *scope, const struct event_names *walk)
{
	const struct machine *m = scope->machine;
	bool caches_too = walk->kinds & 1u << NAME_KIND_CACHE;
	bool tools_too = walk->kinds & 1u << NAME_KIND_TOOL;
	struct event_name name = { EVENT_NAME_INIT };
	char fact[64];

	for (int i = 0; i < array__nr(legacy_names); i++) {
		const struct legacy_name *n = &legacy_names[i];

		name.kind = n->type == PERF_TYPE_HARDWARE ? NAME_KIND_HARDWARE :
							    NAME_KIND_SOFTWARE;
		name.name = n->name;
		name.alias = n->alias ? n->alias : "";
		name.desc = n->desc;
		name.type = n->type;
		name.config = n->config;
		if (walk->kinds & 1u << name.kind)
			walk->visit(walk->arg, &name);
	}
	name = (struct event_name){ EVENT_NAME_INIT, .kind = NAME_KIND_TOOL };
	name.topic = "tool";
	for (int i = EVENT_TOOL_NONE + 1; i < EVENT_GAUGE && tools_too; i++) {
		/* Show it with the PMU, since a core PMU may have an event with the same name. */
		snprintf(fact, sizeof(fact), TOOL_PMU "/%s/", tools[i]);
		name.newer = i > EVENT_SYSTEM_TIME;
		name.name = name.newer ? fact : tools[i];
		walk->visit(walk->arg, &name);
	}
	for (int i = 0; caches_too && i < machine__nr_core_pmus(m); i++)
		each_cache(machine__core_pmu(m, i), walk);
}

void legacy__suggest(struct suggest *s)
{
	/* Texts that are offered must outlive this call. */
	static char names[NR_CACHE_NAMES][40];
	uint64_t config;

	for (int i = 0; i < array__nr(legacy_names); i++) {
		suggest__offer(s, legacy_names[i].name);
		if (legacy_names[i].alias)
			suggest__offer(s, legacy_names[i].alias);
	}
	for (int i = EVENT_TOOL_NONE + 1; i < EVENT_GAUGE; i++)
		suggest__offer(s, tools[i]);
	for (int i = 0; i < NR_CACHE_NAMES; i++)
		if (cache_name(i, names[i], sizeof(names[i]), &config))
			suggest__offer(s, names[i]);
}

/* --- Codes of counters ---------------------------------------------------------------------- */

static enum event_kind legacy__kind_of(uint32_t type, uint64_t config)
{
	uint32_t low = config;
	unsigned int cache = low & 0xff, result = low >> 16;

	if (type == PERF_TYPE_HW_CACHE)
		return cache < array__nr(caches) && result < array__nr(results) &&
		       (low >> 8 & 0xff) == PERF_COUNT_HW_CACHE_OP_READ ?
			       caches[cache].kinds[result] : EVENT_KIND_NONE;
	if (type == PERF_TYPE_HARDWARE)
		config = low;
	for (int i = 0; i < array__nr(legacy_names); i++)
		if (legacy_names[i].type == type && legacy_names[i].config == config)
			return legacy_names[i].kind;
	return EVENT_KIND_NONE;
}

enum event_kind legacy__kind(const char *name)
{
	const struct legacy_name *legacy = find_name(name, false);

	return legacy && legacy->type == PERF_TYPE_HARDWARE ? legacy->kind : EVENT_KIND_NONE;
}

void event__set_kind(struct event *e)
{
	enum event_kind kind = legacy__kind_of(e->attr.type, e->attr.config);

	if (e->tool || e->retire_latency)
		e->kind = EVENT_KIND_NONE;
	else if (kind || !e->pmu || e->attr.type != e->pmu->type)
		e->kind = kind;
}

/* The codes that the kernel uses for its own events on a vendor's CPUs. */
static const struct {
	enum cpu_vendor vendor;
	uint64_t generic, config;
} codes[] = {
	{ VENDOR_INTEL, PERF_COUNT_HW_CPU_CYCLES, 0x3c },
	{ VENDOR_INTEL, PERF_COUNT_HW_INSTRUCTIONS, 0xc0 },
	{ VENDOR_INTEL, PERF_COUNT_HW_REF_CPU_CYCLES, 0x300 },
	{ VENDOR_INTEL, PERF_COUNT_HW_BUS_CYCLES, 0x13c },
	{ VENDOR_INTEL, PERF_COUNT_HW_CACHE_REFERENCES, 0x4f2e },
	{ VENDOR_INTEL, PERF_COUNT_HW_CACHE_MISSES, 0x412e },
	{ VENDOR_INTEL, PERF_COUNT_HW_BRANCH_INSTRUCTIONS, 0xc4 },
	{ VENDOR_INTEL, PERF_COUNT_HW_BRANCH_MISSES, 0xc5 },
	{ VENDOR_AMD, PERF_COUNT_HW_CPU_CYCLES, 0x76 },
	{ VENDOR_AMD, PERF_COUNT_HW_INSTRUCTIONS, 0xc0 },
	{ VENDOR_AMD, PERF_COUNT_HW_BRANCH_INSTRUCTIONS, 0xc2 },
	{ VENDOR_AMD, PERF_COUNT_HW_BRANCH_MISSES, 0xc3 },
	{ VENDOR_ARM, PERF_COUNT_HW_CPU_CYCLES, 0x11 },
	{ VENDOR_ARM, PERF_COUNT_HW_INSTRUCTIONS, 0x08 },
};

/** struct code - code in a counter; @type is PERF_TYPE_RAW if the code is known */
struct code {
	uint32_t type;
	uint64_t config;
};

static struct code code_of(const struct event *e, const char *cpuid)
{
	struct code code = { e->attr.type, e->attr.config };
	enum cpu_vendor vendor = cpu_vendor__of(cpuid);

	if (code.type != PERF_TYPE_HARDWARE && code.type != PERF_TYPE_HW_CACHE)
		return (struct code){ PERF_TYPE_RAW, code.config };
	code.config &= CONFIG_MASK;
	for (int i = 0; code.type == PERF_TYPE_HARDWARE && i < array__nr(codes); i++)
		if (codes[i].generic == code.config && codes[i].vendor == vendor)
			return (struct code){ PERF_TYPE_RAW, codes[i].config };
	return code;
}

bool event__same_terms(const struct event *a, const struct event *b)
{
	if (a->tool || b->tool)
		return a->tool == b->tool && a->gauge == b->gauge;
	/* "software/cpu-clock/" has a term, but "cpu-clock" has none. */
	if (a->attr.type == PERF_TYPE_SOFTWARE && b->attr.type == PERF_TYPE_SOFTWARE)
		return a->attr.config == b->attr.config;
	if (*a->terms || *b->terms)
		return !strcmp(a->terms, b->terms);
	return a->attr.type == b->attr.type && !((a->attr.config ^ b->attr.config) & CONFIG_MASK);
}

bool event__same_code(const struct event *a, const struct event *b, const char *cpuid)
{
	struct code left = code_of(a, cpuid), right = code_of(b, cpuid);

	return !a->unknown_code && !b->unknown_code && left.type == right.type &&
	       left.config == right.config && a->attr.config1 == b->attr.config1 &&
	       a->attr.config2 == b->attr.config2;
}
