// SPDX-License-Identifier: GPL-2.0-only
/* What #smt_on and the like are on this machine. */
#include "metrics/literal.h"

#include <math.h>
#include <string.h>
#include <strings.h>

#include "machine/machine.h"
#include "metrics/metrics.h"

/* The highest CPU number the machine has room for, plus one: perf counts so, holes included. */
static double num_cpus(const struct metrics_scope *scope)
{
	const struct cpulist *present = &scope->machine->present;

	return present->nr ? present->at[present->nr - 1] + 1 : NAN;
}

static double num_cpus_online(const struct metrics_scope *scope)
{
	return scope->machine->online.nr;
}

static double num_cores(const struct metrics_scope *scope)
{
	return machine__nr_cores(scope->machine);
}

static double num_dies(const struct metrics_scope *scope)
{
	return machine__nr_dies(scope->machine);
}

static double num_packages(const struct metrics_scope *scope)
{
	return machine__nr_packages(scope->machine);
}

static double smt_on(const struct metrics_scope *scope)
{
	return machine__smt_on(scope->machine);
}

bool metrics__core_wide(const struct metrics_scope *scope)
{
	if (!scope->system_wide)
		return false;
	if (!machine__smt_on(scope->machine) || !scope->user_cpus || !scope->user_cpus->nr)
		return true;
	return machine__covers_cores(scope->machine, scope->user_cpus);
}

static double core_wide(const struct metrics_scope *scope)
{
	return metrics__core_wide(scope);
}

static double system_tsc_freq(const struct metrics_scope *scope)
{
	return machine__tsc_hz(scope->machine);
}

static double has_pmem(const struct metrics_scope *scope)
{
	return machine__has_pmem(scope->machine);
}

/* Only arm64 kernels say it. */
static double slots(const struct metrics_scope *scope)
{
	int nr = machine__slots(scope->machine);

	return nr ? nr : NAN;
}

/* @row: the enum row_count that it is of a row, or -1. */
static const struct {
	const char *name;
	double (*value)(const struct metrics_scope *scope);
	int row;
} literals[LITERAL_NR] = {
	{ "num_cpus", num_cpus, -1 },
	{ "num_cpus_online", num_cpus_online, ROW_CPUS },
	{ "num_cores", num_cores, ROW_CORES },
	{ "num_dies", num_dies, ROW_DIES },
	{ "num_packages", num_packages, ROW_PACKAGES },
	{ "smt_on", smt_on, -1 },
	{ "core_wide", core_wide, -1 },
	{ "system_tsc_freq", system_tsc_freq, -1 },
	{ "has_pmem", has_pmem, -1 },
	{ "slots", slots, -1 },
};

int literal__find(const char *name, int len)
{
	for (int i = 0; i < LITERAL_NR; i++)
		if (strlen(literals[i].name) == (size_t)len &&
		    !strncasecmp(literals[i].name, name, len))
			return i;
	return -1;
}

const char *literal__name(int literal)
{
	return literals[literal].name;
}

double literal__value(struct literals *cache, const struct metrics_scope *scope, int literal)
{
	if (!(cache->known & 1u << literal)) {
		cache->value[literal] = scope->machine ? literals[literal].value(scope) : NAN;
		cache->known |= 1u << literal;
	}
	return cache->value[literal];
}

int literal__row_count(struct literals *cache, const struct metrics_scope *scope, int literal)
{
	return literal__value(cache, scope, literal) > 0 ? literals[literal].row : -1;
}
