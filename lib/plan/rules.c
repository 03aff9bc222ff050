// SPDX-License-Identifier: GPL-2.0-only
#include "plan/rules.h"

#include <string.h>

#include "machine/machine.h"
#include "machine/models.h"

#define HALF_OF_CORE 0x0full
#define WHOLE_CORE 0xffull
#define FIXED(n) (1ULL << (FIT_FIXED + (n)))
#define CODE_REF_CYCLES 0x0300	 /* counted only on fixed counter 2 */
#define CODE_REF_CYCLES_P 0x013c /* on any counter */
#define CODE_PREC_DIST 0x01c0
#define EVENT_L1D_PEND_MISS 0x48
#define CODE_LOAD_LATENCY 0x01cd
#define OF_THE_KERNEL (1ULL << 63) /* a bit in a register's value that no event in the tables has */

static enum cpu_core rules__core_of(const struct tables *tables)
{
	return tables ? cpu_model__named(tables__model(tables))->core : CORE_OTHER;
}

/*
 * Whether the two threads of a core share its eight counters, as before Ice Lake. If firmware has
 * switched SMT off, one thread has all of them, except for events that Linux keeps on the first
 * four.
 */
static bool halves_core(enum cpu_core core)
{
	return core >= CORE_SANDY_BRIDGE && core <= CORE_SKYLAKE;
}

static uint64_t with_other_half(enum cpu_core core, const struct event *e, uint64_t counters)
{
	static const uint8_t first_half[] = {0xa3, 0xc6, 0xcd, 0xd0, 0xd1, 0xd2, 0xd3};
	static const uint16_t first_half_of_ivy[] = {0x0279, 0x019c};
	uint16_t code = e->attr.config;

	if (memchr(first_half, code & 0xff, sizeof(first_half)))
		return counters;
	for (int i = 0; i < 2 && core == CORE_IVY_BRIDGE; i++)
		if (code == first_half_of_ivy[i])
			return counters;
	return counters | WHOLE_CORE;
}

/*
 * Whether retired loads and stores are counted wrongly while the other thread of the core uses the
 * same counter: on Sandy Bridge to Haswell (errata BJ122, BV98, HSD29). With SMT, Linux keeps half
 * of the counters for each thread while one counts these events.
 */
static bool has_exclusive(enum cpu_core core)
{
	return core >= CORE_SANDY_BRIDGE && core <= CORE_HASWELL;
}

static bool is_cache_event(const struct event *e, uint8_t cache)
{
	return e->attr.type == PERF_TYPE_HW_CACHE && (e->attr.config & 0xff) == cache;
}

static bool is_hit_or_miss(const struct event *e)
{
	return (e->attr.config >> 16 & 0xff) == PERF_COUNT_HW_CACHE_RESULT_ACCESS;
}

static bool is_load_or_store(const struct event *e)
{
	if (e->attr.type == PERF_TYPE_HW_CACHE)
		return is_hit_or_miss(e) && (is_cache_event(e, PERF_COUNT_HW_CACHE_L1D) ||
					     is_cache_event(e, PERF_COUNT_HW_CACHE_DTLB));
	return (e->attr.config & 0xff) >= 0xd0 && (e->attr.config & 0xff) <= 0xd3;
}

/* Whether a PMU is of a P-core from Ice Lake on, by counters that no other core has. */
static bool is_wide(const struct fit_pmu *on, const struct pmu *pmu)
{
	return on && (on->counters & WHOLE_CORE) == WHOLE_CORE && on->counters & FIXED(3) &&
	       strcmp(pmu->name, "cpu_atom");
}

/* Whether a PMU is of a P-core from Lion Cove on, which has ten general counters. */
static bool is_ten(const struct fit_pmu *on, const struct pmu *pmu)
{
	return is_wide(on, pmu) && (on->counters & UINT32_MAX) >> 9;
}

void rules__of_pmu(const struct tables *tables, const struct pmu *pmu, struct fit_pmu *counters)
{
	enum cpu_core core = rules__core_of(tables);

	if (!pmu->is_core || !halves_core(core))
		return;
	if (machine__lacks_smt(pmu->machine))
		counters->counters |= WHOLE_CORE;
	else if (has_exclusive(core))
		counters->exclusive_most = __builtin_popcountll(counters->counters & UINT32_MAX) /
					   2;
}

uint16_t rules__code(const struct tables *tables, const struct event *e)
{
	if (e->attr.type != PERF_TYPE_HARDWARE)
		return 0;
	switch ((uint32_t)e->attr.config) {
	case PERF_COUNT_HW_CPU_CYCLES:
		return 0x3c;
	case PERF_COUNT_HW_INSTRUCTIONS:
		return 0xc0;
	case PERF_COUNT_HW_BUS_CYCLES:
		return CODE_REF_CYCLES_P;
	case PERF_COUNT_HW_REF_CPU_CYCLES:
		return rules__core_of(tables) == CORE_GOLDEN_COVE ? CODE_REF_CYCLES_P
								  : CODE_REF_CYCLES;
	}
	return 0;
}

/* Apply rules for the kernel's own cache events, whose codes and registers depend on the model. */
static void apply_to_cache(const struct fit_pmu *on, const struct event *e, struct fit_event *need)
{
	if (is_cache_event(e, PERF_COUNT_HW_CACHE_LL) ||
	    is_cache_event(e, PERF_COUNT_HW_CACHE_NODE)) {
		need->reg = FIT_OFFCORE_RSP;
		need->value = OF_THE_KERNEL | (uint32_t)e->attr.config;
	}
	if (is_wide(on, e->pmu) && !is_cache_event(e, PERF_COUNT_HW_CACHE_BPU))
		need->counters = HALF_OF_CORE;
}

/*
 * Whether an event counts stalls: such events may use any counter, although the tables name four.
 */
static bool is_stalls(uint16_t code)
{
	return code == 0x05a3 || code == 0x06a3 || code == 0x0ca3 || code == 0x10a3;
}

/*
 * Whether an event's code is qualified by the offcore response registers, even if their value is 0.
 */
static bool is_offcore(uint16_t code)
{
	return code == 0x01b7 || code == 0x01bb || code == 0x012a || code == 0x012b;
}

static void apply_code(enum cpu_core core, const struct fit_pmu *on, const struct event *e,
		       uint16_t code, struct fit_event *need)
{
	uint64_t general = on ? on->counters & UINT32_MAX : UINT32_MAX;

	if (is_offcore(code) && !need->reg)
		need->reg = FIT_OFFCORE_RSP;
	if (is_offcore(code) && is_ten(on, e->pmu))
		need->counters &= HALF_OF_CORE;
	if ((code & 0xff) == EVENT_L1D_PEND_MISS && core == CORE_SANDY_BRIDGE)
		need->counters = 1 << 2;
	else if (code == CODE_REF_CYCLES_P && core == CORE_GOLDEN_COVE)
		need->counters = general | FIXED(2);
	else if (code == CODE_PREC_DIST && halves_core(core))
		need->counters = 1 << 1;
	else if (is_stalls(code) && core == CORE_GOLDEN_COVE && is_wide(on, e->pmu) &&
		 !is_ten(on, e->pmu))
		need->counters = general;
	else if (code == CODE_LOAD_LATENCY && is_ten(on, e->pmu))
		need->counters = general & ~3ull;
}

void rules__apply(const struct tables *tables, const struct fit_pmu *on, const struct event *e,
		  struct fit_event *need)
{
	enum cpu_vendor vendor =
		cpu_vendor__of(e->pmu && e->pmu->is_core ? e->pmu->machine->cpuid : "");
	enum cpu_core core = rules__core_of(tables);
	bool raw = e->pmu && e->attr.type == e->pmu->type;

	if (vendor == VENDOR_AMD) {
		/* More floating-point operations may happen in a cycle than one counter can add. */
		need->pair = raw && (e->attr.config & 0xf000000ffull) == 0x03;
		return;
	}
	if (vendor != VENDOR_INTEL)
		return;
	if (on && (on->counters & WHOLE_CORE) == WHOLE_CORE &&
	    (need->counters & UINT32_MAX) == HALF_OF_CORE && halves_core(core))
		need->counters = with_other_half(core, e, need->counters);
	need->exclusive = is_load_or_store(e) && has_exclusive(core);
	if (e->attr.type == PERF_TYPE_HW_CACHE)
		apply_to_cache(on, e, need);
	else
		apply_code(core, on, e, raw ? e->attr.config : rules__code(tables, e), need);
}
