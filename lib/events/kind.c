// SPDX-License-Identifier: GPL-2.0-only
/* Which of the kernel's own events an event is, and what they are to a counter. */
#include <string.h>

#include "base/text.h"
#include "events/internal.h"
#include "machine/machine.h"

#define CONFIG_MASK 0xffffffff /* above stands the PMU of an extended type */
#define CACHE_READ_MISS(cache)                                                                     \
	(PERF_COUNT_HW_CACHE_##cache | PERF_COUNT_HW_CACHE_OP_READ << 8 |                          \
	 PERF_COUNT_HW_CACHE_RESULT_MISS << 16)
#define NR(array) ((int)(sizeof(array) / sizeof(*(array))))

static const struct {
	uint32_t type;
	uint64_t config;
	enum event_kind kind;
} kinds[] = {
	{ PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_CLOCK, EVENT_KIND_NSECS },
	{ PERF_TYPE_SOFTWARE, PERF_COUNT_SW_TASK_CLOCK, EVENT_KIND_NSECS },
	{ PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES, EVENT_KIND_CYCLES },
	{ PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS, EVENT_KIND_INSTRUCTIONS },
	{ PERF_TYPE_HARDWARE, PERF_COUNT_HW_STALLED_CYCLES_FRONTEND, EVENT_KIND_STALLED_FRONT },
	{ PERF_TYPE_HARDWARE, PERF_COUNT_HW_STALLED_CYCLES_BACKEND, EVENT_KIND_STALLED_BACK },
	{ PERF_TYPE_HARDWARE, PERF_COUNT_HW_BRANCH_INSTRUCTIONS, EVENT_KIND_BRANCHES },
	{ PERF_TYPE_HARDWARE, PERF_COUNT_HW_BRANCH_MISSES, EVENT_KIND_BRANCH_MISSES },
	{ PERF_TYPE_HARDWARE, PERF_COUNT_HW_CACHE_REFERENCES, EVENT_KIND_CACHE_REFS },
	{ PERF_TYPE_HARDWARE, PERF_COUNT_HW_CACHE_MISSES, EVENT_KIND_CACHE_MISSES },
	{ PERF_TYPE_HW_CACHE, PERF_COUNT_HW_CACHE_L1D, EVENT_KIND_L1D },
	{ PERF_TYPE_HW_CACHE, PERF_COUNT_HW_CACHE_L1I, EVENT_KIND_L1I },
	{ PERF_TYPE_HW_CACHE, PERF_COUNT_HW_CACHE_LL, EVENT_KIND_LL },
	{ PERF_TYPE_HW_CACHE, PERF_COUNT_HW_CACHE_DTLB, EVENT_KIND_DTLB },
	{ PERF_TYPE_HW_CACHE, PERF_COUNT_HW_CACHE_ITLB, EVENT_KIND_ITLB },
	{ PERF_TYPE_HW_CACHE, CACHE_READ_MISS(L1D), EVENT_KIND_L1D_MISSES },
	{ PERF_TYPE_HW_CACHE, CACHE_READ_MISS(L1I), EVENT_KIND_L1I_MISSES },
	{ PERF_TYPE_HW_CACHE, CACHE_READ_MISS(LL), EVENT_KIND_LL_MISSES },
	{ PERF_TYPE_HW_CACHE, CACHE_READ_MISS(DTLB), EVENT_KIND_DTLB_MISSES },
	{ PERF_TYPE_HW_CACHE, CACHE_READ_MISS(ITLB), EVENT_KIND_ITLB_MISSES },
};

static enum event_kind kind_of(uint32_t type, uint64_t config)
{
	if (type == PERF_TYPE_HARDWARE || type == PERF_TYPE_HW_CACHE)
		config &= CONFIG_MASK;
	for (int i = 0; i < NR(kinds); i++)
		if (kinds[i].type == type && kinds[i].config == config)
			return kinds[i].kind;
	return EVENT_KIND_NONE;
}

enum event_kind legacy__kind(const char *name)
{
	const struct legacy_name *legacy = legacy__find(name);

	if (!legacy || legacy->type != PERF_TYPE_HARDWARE)
		return EVENT_KIND_NONE;
	return kind_of(legacy->type, legacy->config);
}

void event__set_kind(struct event *e)
{
	enum event_kind kind = kind_of(e->attr.type, e->attr.config);

	if (e->tool || e->retire_latency)
		e->kind = EVENT_KIND_NONE;
	else if (kind || !e->pmu || e->attr.type != e->pmu->type)
		e->kind = kind;
}

/* How the kernel programs them on a vendor's CPUs, of which @cpuid tells the first letters. */
static const struct {
	const char *cpuid;
	uint64_t generic, config;
} codes[] = {
	{ "GenuineIntel", PERF_COUNT_HW_CPU_CYCLES, 0x3c },
	{ "GenuineIntel", PERF_COUNT_HW_INSTRUCTIONS, 0xc0 },
	{ "GenuineIntel", PERF_COUNT_HW_REF_CPU_CYCLES, 0x300 },
	{ "GenuineIntel", PERF_COUNT_HW_BUS_CYCLES, 0x13c },
	{ "GenuineIntel", PERF_COUNT_HW_CACHE_REFERENCES, 0x4f2e },
	{ "GenuineIntel", PERF_COUNT_HW_CACHE_MISSES, 0x412e },
	{ "GenuineIntel", PERF_COUNT_HW_BRANCH_INSTRUCTIONS, 0xc4 },
	{ "GenuineIntel", PERF_COUNT_HW_BRANCH_MISSES, 0xc5 },
	{ "AuthenticAMD", PERF_COUNT_HW_CPU_CYCLES, 0x76 },
	{ "AuthenticAMD", PERF_COUNT_HW_INSTRUCTIONS, 0xc0 },
	{ "AuthenticAMD", PERF_COUNT_HW_BRANCH_INSTRUCTIONS, 0xc2 },
	{ "AuthenticAMD", PERF_COUNT_HW_BRANCH_MISSES, 0xc3 },
	{ "HygonGenuine", PERF_COUNT_HW_CPU_CYCLES, 0x76 },
	{ "HygonGenuine", PERF_COUNT_HW_INSTRUCTIONS, 0xc0 },
	{ "HygonGenuine", PERF_COUNT_HW_BRANCH_INSTRUCTIONS, 0xc2 },
	{ "HygonGenuine", PERF_COUNT_HW_BRANCH_MISSES, 0xc3 },
	{ "0x", PERF_COUNT_HW_CPU_CYCLES, 0x11 },
	{ "0x", PERF_COUNT_HW_INSTRUCTIONS, 0x08 },
};

/* What a counter is programmed with; @type is PERF_TYPE_RAW where that is known. */
struct code {
	uint32_t type;
	uint64_t config;
};

static struct code code_of(const struct event *e, const char *cpuid)
{
	struct code code = { e->attr.type, e->attr.config };

	if (code.type != PERF_TYPE_HARDWARE && code.type != PERF_TYPE_HW_CACHE)
		return (struct code){ PERF_TYPE_RAW, code.config };
	code.config &= CONFIG_MASK;
	for (int i = 0; code.type == PERF_TYPE_HARDWARE && i < NR(codes); i++)
		if (codes[i].generic == code.config && text__has_prefix(cpuid, codes[i].cpuid))
			return (struct code){ PERF_TYPE_RAW, codes[i].config };
	return code;
}

bool event__same_terms(const struct event *a, const struct event *b)
{
	if (a->tool || b->tool)
		return a->tool == b->tool;
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
