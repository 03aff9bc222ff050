// SPDX-License-Identifier: GPL-2.0-only
/* The counters of this machine's PMUs, and the counters that each event may use. */
#include "plan/counters.h"

#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "events/topdown.h"
#include "machine/machine.h"
#include "machine/models.h"
#include "plan/rules.h"

#define NAME_MAX_BYTES 256
#define TERMS_MAX_BYTES 64
#define CYCLES_COUNTER (1ULL << (FIT_FIXED + 1)) /* on x86 */
#define ARM_CYCLES_COUNTER (1ULL << (FIT_FIXED + 31))
#define ARM_CYCLES 0x11 /* CPU_CYCLES */

bool counters__event_info(const struct tables *tables, const struct event *e,
			  struct event_info *info)
{
	if (!tables || e->table_event < 0)
		return false;
	tables__event(tables, e->table_event, info);
	return true;
}

/*
 * Append the terms of an event for x86 core PMUs, if it is an event of the kernel's own, or given
 * as a number.
 */
static void encode(const struct tables *tables, const struct event *e, char *terms, int size)
{
	uint64_t code = e->attr.config & 0xffff;

	if (e->attr.type == PERF_TYPE_HARDWARE)
		code = rules__code(tables, e);
	else if (!e->pmu || !e->pmu->is_core || e->attr.type != e->pmu->type ||
		 e->attr.config & ~0xffffULL)
		code = 0;
	*terms = '\0';
	if (code)
		snprintf(terms, size, "event=0x%x,umask=0x%x", (unsigned int)(code & 0xff),
			 (unsigned int)(code >> 8));
}

/* Find an event in the tables that has the same encoding, but another name. */
static void find_by_code(const struct tables *tables, const struct event *e, const char *terms,
			 struct event_info *info)
{
	uint64_t code = fit__code(terms, false);
	char pmu[NAME_MAX_BYTES];
	struct event_info other;
	int first, nr;

	if (!tables || !code || !e->pmu)
		return;
	pmu__table_name(e->pmu, pmu, sizeof(pmu));
	nr = tables__pmu_events(tables, pmu, &first);
	for (int i = first; i < first + nr; i++) {
		tables__event(tables, i, &other);
		if (!fit__has_code(other.terms, code))
			continue;
		info->counter_mask = other.counter_mask;
		info->taken_alone = other.taken_alone;
		return;
	}
}

static bool is_arm(const struct machine *m)
{
	return m && cpu_vendor__of(m->cpuid) == VENDOR_ARM;
}

struct fit_event counters__need(const struct tables *tables, const struct fit_pmu *on,
				const struct event *e)
{
	char terms[TERMS_MAX_BYTES];
	struct event_info info = { .name = e->name, .pmu = "", .terms = terms };
	struct fit_event need;

	if (counters__event_info(tables, e, &info)) {
		info.terms = e->terms;
	} else {
		encode(tables, e, terms, sizeof(terms));
		/* The codes of TopDown events are known, and a search of the tables takes long. */
		if (!e->topdown)
			find_by_code(tables, e, terms, &info);
	}
	need = fit__event(&info);
	need.name = e->name;
	/*
	 * On E-cores slots and its parts are ordinary events, some with the codes of P-cores'
	 * events.
	 */
	need.topdown = e->topdown;
	if (need.topdown == TOPDOWN_SLOTS)
		need.counters = fit__slots().counters;
	rules__apply(tables, on, e, &need);
	if (e->pmu && is_arm(e->pmu->machine) && e->attr.config == ARM_CYCLES)
		need.counters = UINT32_MAX | ARM_CYCLES_COUNTER;
	return need;
}

static int highest(uint64_t mask)
{
	return mask ? 64 - __builtin_clzll(mask) : 0;
}

/*
 * Find the highest counters that events of a PMU use, in case the vendor does not give their
 * number.
 */
static bool counters_used(const struct tables *tables, const char *pmu, int *general, int *fixed)
{
	uint64_t used = 0;
	struct event_info info;
	int first, nr = tables__pmu_events(tables, pmu, &first);

	for (int i = first; i < first + nr; i++) {
		tables__event(tables, i, &info);
		used |= info.counter_mask;
	}
	*general = highest(used & UINT32_MAX);
	*fixed = highest(used >> FIT_FIXED);
	return used;
}

bool counters__of_pmu(const struct tables *tables, const struct pmu *pmu, struct fit_pmu *out)
{
	char name[NAME_MAX_BYTES];
	int general, fixed;

	if (!tables)
		return false;
	pmu__table_name(pmu, name, sizeof(name));
	if (!tables__counters(tables, name, &general, &fixed) &&
	    !counters_used(tables, name, &general, &fixed))
		return false;
	*out = fit__pmu(general, fixed);
	rules__of_pmu(tables, pmu, out);
	return true;
}

/*
 * Assume the counters of an Intel core PMU that is not in the tables: as CPUID reports, or those
 * that all Intel cores have. A PMU with the event slots has a fixed counter for it.
 */
static struct fit_pmu assume_intel(const struct machine *machine, const struct pmu *pmu)
{
	bool slots = topdown__is_on(machine__pmu(machine, pmu->name));
	struct fit_pmu fit = fit__pmu(pmu->general > 4 ? pmu->general : 4,
				      slots ? TOPDOWN_FIXED_COUNTER + 1 : 3);
	uint32_t general, fixed;

	if (machine__core_counters(machine, pmu, &general, &fixed))
		fit.counters = general | (uint64_t)fixed << FIT_FIXED;
	return fit;
}

/* Assume the usual counters of the vendor's PMUs, for a PMU that is not in the tables. */
static struct fit_pmu counters__assume(const struct machine *machine, const struct pmu *pmu)
{
	struct fit_pmu fit;

	if (!pmu->is_core)
		return fit__pmu(4, 0);
	if (cpu_vendor__of(machine->cpuid) == VENDOR_INTEL)
		return assume_intel(machine, pmu);
	fit = fit__pmu(6, 0);
	if (is_arm(machine))
		fit.counters |= ARM_CYCLES_COUNTER;
	return fit;
}

void counters__limit(const struct pmu *pmu, struct fit_pmu *counters)
{
	if (pmu->general)
		counters->counters &= ~(uint64_t)UINT32_MAX | ((1ULL << pmu->general) - 1);
}

struct fit_pmu counters__on(const struct events_scope *scope, const struct pmu *pmu)
{
	struct fit_pmu counters;

	if (!counters__of_pmu(scope->tables, pmu, &counters))
		counters = counters__assume(scope->machine, pmu);
	/* A hypervisor may give a virtual machine only the first few counters. */
	counters__limit(pmu, &counters);
	return counters;
}

struct fit_pmu counters__left_on(const struct events_scope *scope, const struct pmu *pmu)
{
	struct fit_pmu counters = counters__on(scope, pmu);

	if (pmu->is_core && scope->machine->nmi_watchdog)
		counters__hold_for_watchdog(&counters);
	/* pmu->held includes the watchdog's counter. */
	if (pmu->held > counters.others)
		counters.others = pmu->held;
	return counters;
}

void counters__hold_for_watchdog(struct fit_pmu *counters)
{
	if (counters->counters & CYCLES_COUNTER)
		counters->taken |= CYCLES_COUNTER;
	else
		counters->others++;
}

bool counters__are_missing(const struct event *e)
{
	return !e->pmu && !e->tool &&
	       (e->attr.type == PERF_TYPE_HARDWARE || e->attr.type == PERF_TYPE_HW_CACHE ||
		e->attr.type == PERF_TYPE_RAW);
}

bool counters__are_shared(const struct pmu *pmu)
{
	static const char *const running_free[] = { "power", "cstate_", "msr" };

	for (size_t i = 0; i < sizeof(running_free) / sizeof(*running_free); i++)
		if (text__has_prefix(pmu->name, running_free[i]))
			return false;
	return !pmu__is_software(pmu) && !strstr(pmu->name, "free_running");
}
