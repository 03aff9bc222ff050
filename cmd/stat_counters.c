// SPDX-License-Identifier: GPL-2.0-only
/* Which counters groups may be made for: those that are there, and that nobody holds. */
#include "base/err.h"
#include "count/kernel.h"
#include "count/probe.h"
#include "machine/machine.h"
#include "plan/counters.h"
#include "stat.h"

/* The first CPU counted on, or -1 for tasks. */
static int where_to_try(const struct stat_options *o, const struct pmu *pmu)
{
	if (!o->target.system_wide && !o->cpu_text)
		return -1;
	for (int i = 0; i < pmu->cpus.nr; i++)
		if (!o->cpu_text || cpulist__has(&o->target.cpus, pmu->cpus.at[i]))
			return pmu->cpus.at[i];
	return -1;
}

static void try_pmu(const struct stat_run *run, struct pmu *pmu)
{
	int cpu = where_to_try(run->o, pmu), most, general, held;

	most = __builtin_popcountll(counters__on(&run->events, pmu).counters & UINT32_MAX);
	/* No more than is known comes of it, and where it cannot be tried nothing. */
	if (!most || probe__counters(&count_kernel__linux, pmu, cpu, most, &general, &held))
		return;
	pmu->general = general;
	pmu->held = held;
	if (run->o->verbose && general < most)
		say("%s: %d of %d general counters are there", pmu->name, general, most);
	if (run->o->verbose && held)
		say("%s: others hold %d of %d general counters", pmu->name, held, general);
}

/* Whether groups or sets are made for the counters, or it is told what becomes of them. */
static bool matters(const struct stat_options *o)
{
	bool metrics = o->metrics.len || o->topdown;

	return (metrics && o->plan.grouping == PLAN_BY_COUNTERS) || o->passes || o->rotate ||
	       o->dry_run;
}

void stat_find_counters(const struct stat_run *run)
{
	const struct machine *machine = run->host.machine;

	for (int i = 0; matters(run->o) && i < machine__nr_core_pmus(machine); i++)
		try_pmu(run, machine__core_pmu(machine, i));
}
