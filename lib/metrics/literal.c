// SPDX-License-Identifier: GPL-2.0-only
/* The value of a literal (#smt_on and the like) is looked up on this machine, once. */
#include "metrics/literal.h"

#include <errno.h>
#include <math.h>
#include <string.h>
#include <strings.h>

#include "base/err.h"
#include "base/num.h"
#include "base/sb.h"
#include "machine/machine.h"
#include "metrics/metrics.h"

enum literal {
	NUM_CPUS,
	NUM_CPUS_ONLINE,
	NUM_CORES,
	NUM_DIES,
	NUM_PACKAGES,
	SMT_ON,
	CORE_WIDE,
	SYSTEM_TSC_FREQ,
	HAS_PMEM,
	SLOTS,
	TARGET_CPU,
};

/* sysfs may lack these facts. */
#define UNTOLD " is unknown (sysfs does not have it)"

/*
 * @name: name as in formulas; @lo, @hi: bounds of the values; @row: the enum row_count of a row
 * that it is, or -1; @fact: the event that has its value; @unknown: message if the value is missing
 */
static const struct {
	const char *name;
	double lo, hi;
	int row;
	enum event_tool fact;
	const char *unknown;
} literals[LITERAL_NR] = {
	[NUM_CPUS] = { "#num_cpus", 1, INFINITY, -1, EVENT_NUM_CPUS, "#num_cpus" UNTOLD },
	[NUM_CPUS_ONLINE] = { "#num_cpus_online", 1, INFINITY, ROW_CPUS, EVENT_NUM_CPUS_ONLINE,
			      "#num_cpus_online" UNTOLD },
	[NUM_CORES] = { "#num_cores", 1, INFINITY, ROW_CORES, EVENT_NUM_CORES,
			"#num_cores" UNTOLD },
	[NUM_DIES] = { "#num_dies", 1, INFINITY, ROW_DIES, EVENT_NUM_DIES, "#num_dies" UNTOLD },
	[NUM_PACKAGES] = { "#num_packages", 1, INFINITY, ROW_PACKAGES, EVENT_NUM_PACKAGES,
			   "#num_packages" UNTOLD },
	[SMT_ON] = { "#smt_on", 0, 1, -1, EVENT_SMT_ON, "#smt_on" UNTOLD },
	[CORE_WIDE] = { "#core_wide", 0, 1, -1, EVENT_CORE_WIDE, "#core_wide" UNTOLD },
	[SYSTEM_TSC_FREQ] = { "#system_tsc_freq", 0, INFINITY, -1, EVENT_SYSTEM_TSC_FREQ,
			      "#system_tsc_freq is unknown (neither CPUID nor cpuinfo has it)" },
	[HAS_PMEM] = { "#has_pmem", 0, 1, -1, EVENT_HAS_PMEM, "#has_pmem" UNTOLD },
	[SLOTS] = { "#slots", 0, INFINITY, -1, EVENT_SLOTS,
		    "#slots is unknown (caps/slots is 0, as in virtual machines)" },
	[TARGET_CPU] = { "#target_cpu", 0, 1, -1, EVENT_TARGET_CPU, "#target_cpu is unknown" },
};

bool metrics__core_wide(const struct metrics_scope *scope)
{
	if (!scope->system_wide)
		return false;
	if (!machine__smt_on(scope->machine) || !scope->user_cpus || !scope->user_cpus->nr)
		return true;
	return machine__covers_cores(scope->machine, scope->user_cpus);
}

static double literal__value_of(enum literal literal, const struct metrics_scope *scope)
{
	struct machine *m = scope->machine;

	switch (literal) {
	case NUM_CPUS:
		/* perf uses the highest number plus one, so it counts holes in the numbers, too. */
		return m->present.nr ? m->present.at[m->present.nr - 1] + 1 : NAN;
	case NUM_CPUS_ONLINE:
		return m->online.nr ?: NAN;
	case NUM_CORES:
		return machine__nr_cores(m) ?: NAN;
	case NUM_DIES:
		return machine__nr_dies(m) ?: NAN;
	case NUM_PACKAGES:
		return machine__nr_packages(m) ?: NAN;
	case SMT_ON:
		return machine__smt_on(m);
	case CORE_WIDE:
		return metrics__core_wide(scope);
	case SYSTEM_TSC_FREQ:
		return machine__tsc_hz(m) ?: NAN;
	case HAS_PMEM:
		return machine__has_pmem(m);
	case SLOTS:
		/* Only kernels for arm64 have this file. */
		return machine__slots(m) ?: NAN;
	case TARGET_CPU:
		return scope->target_cpu;
	}
	return NAN;
}

int literal__find(const char *name, int len)
{
	for (int i = 0; i < LITERAL_NR; i++)
		if (strlen(literals[i].name + 1) == (size_t)len &&
		    !strncasecmp(literals[i].name + 1, name, len))
			return i;
	return -1;
}

void literal__bounds(int literal, double *lo, double *hi)
{
	*lo = literals[literal].lo;
	*hi = literals[literal].hi;
}

const char *literal__name(int literal)
{
	return literals[literal].name + 1;
}

const char *literal__written(int literal)
{
	return literals[literal].name;
}

const char *literal__unknown(int literal)
{
	return literals[literal].unknown;
}

double literal__value(struct literals *cache, const struct metrics_scope *scope, int literal)
{
	if (!(cache->known & 1u << literal)) {
		if (scope->literals && scope->literals->known & 1u << literal)
			cache->value[literal] = scope->literals->value[literal];
		else
			cache->value[literal] = scope->machine ? literal__value_of(literal, scope)
							       : NAN;
		cache->known |= 1u << literal;
	}
	return cache->value[literal];
}

double literal__of_pmu(struct literals *cache, const struct metrics_scope *scope, int literal,
		       const char *pmu)
{
	struct pmu *core = NULL;
	int slots;

	if (literal == SLOTS && !(scope->literals && scope->literals->known & 1u << literal) &&
	    scope->machine && !scope->machine->recorded && machine__is_hybrid(scope->machine) &&
	    pmu)
		core = machine__pmu(scope->machine, pmu);
	slots = core && core->is_core ? pmu__slots(core) : 0;
	return slots ? slots : literal__value(cache, scope, literal);
}

double literals__fact(struct literals *cache, const struct metrics_scope *scope,
		      enum event_tool fact)
{
	for (int i = 0; i < LITERAL_NR; i++)
		if (literals[i].fact == fact)
			return literal__value(cache, scope, i);
	return NAN;
}

int literals__set(struct literals *given, const char *text, struct err *err)
{
	const char *equals = strchr(text, '=');
	struct sb names = SB_INIT;
	double value;
	int literal = -1;

	if (*text == '#' && equals)
		literal = literal__find(text + 1, equals - text - 1);
	for (int i = 0; literal < 0 && i < LITERAL_NR; i++)
		sb__printf(&names, "%s%s", i ? ", " : "", literals[i].name);
	if (literal < 0)
		err__set(err, EINVAL, "--set %s: give NAME=NUMBER with one of the names %s", text,
			 sb__str(&names));
	sb__free(&names);
	if (literal < 0 || num__parse_double("--set", equals + 1, &value, err))
		return -EINVAL;
	if (value < literals[literal].lo || value > literals[literal].hi)
		return err__set(err, ERANGE, "--set %s: %s must be from %g to %g", text,
				literals[literal].name, literals[literal].lo, literals[literal].hi);
	given->value[literal] = value;
	given->known |= 1u << literal;
	return 0;
}

bool literals__is_set(const struct literals *given, const char *name)
{
	int literal = literal__find(name, strlen(name));

	return literal >= 0 && given->known & 1u << literal;
}

int literal__row_count(struct literals *cache, const struct metrics_scope *scope, int literal)
{
	if (scope->literals && scope->literals->known & 1u << literal)
		return -1;
	return literal__value(cache, scope, literal) > 0 ? literals[literal].row : -1;
}
