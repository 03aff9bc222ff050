// SPDX-License-Identifier: GPL-2.0-only
/*
 * What part of the machine a row is: metrics divide the clocks of all boxes by #num_packages, which
 * must be the packages that the row's counts are of.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "report/internal.h"

/**
 * struct online_cpu - where a CPU is, as the numbers of the first CPUs of its package, die and core
 * @measured: it is one of those that are counted
 * @seen:     as the first of a package, die, core: in a bucket under way
 */
struct online_cpu {
	int of[ROW_COUNT_NR];
	struct place place;
	bool measured, seen[ROW_COUNT_NR];
};

static bool is_same(enum row_count what, struct cpu a, struct cpu b)
{
	if (a.socket != b.socket)
		return false;
	if (what == ROW_PACKAGES)
		return true;
	return a.die == b.die && (what == ROW_DIES || (a.cluster == b.cluster && a.core == b.core));
}

static void find_places(struct report *r, const struct cpulist *measured, struct online_cpu *cpus)
{
	const struct cpulist *online = &r->machine->online;
	bool has_places = r->opts.aggr != AGGR_GLOBAL && r->opts.aggr != AGGR_NONE;

	for (int i = 0; i < online->nr; i++) {
		struct cpu at = machine__cpu(r->machine, online->at[i]);

		cpus[i].measured = cpulist__has(measured, online->at[i]);
		if (has_places)
			cpus[i].place = place__of(r, r->opts.aggr, online->at[i], 0);
		for (int what = 0; what < ROW_CPUS; what++)
			while (!is_same(what, at, machine__cpu(r->machine,
							       online->at[cpus[i].of[what]])))
				cpus[i].of[what]++;
		cpus[i].of[ROW_CPUS] = i;
	}
}

static bool is_of_bucket(const struct report *r, int bucket, int cpu, const struct place *place)
{
	const int *at = r->buckets[bucket].at;

	if (r->opts.aggr == AGGR_GLOBAL)
		return true;
	if (r->opts.aggr == AGGR_NONE)
		return at[PLACE_CPU] == cpu;
	return !memcmp(at, place->at, sizeof(place->at));
}

static void count_bucket(struct report *r, int bucket, struct online_cpu *cpus)
{
	const struct cpulist *online = &r->machine->online;
	double *counts = r->row_counts + bucket;

	for (int i = 0; i < online->nr; i++)
		memset(cpus[i].seen, 0, sizeof(cpus[i].seen));
	for (int i = 0; i < online->nr; i++) {
		if (!cpus[i].measured || !is_of_bucket(r, bucket, online->at[i], &cpus[i].place))
			continue;
		cpus[cpus[i].of[ROW_PACKAGES]].seen[ROW_PACKAGES] = true;
		cpus[cpus[i].of[ROW_DIES]].seen[ROW_DIES] = true;
		cpus[i].seen[ROW_CPUS] = true;
	}
	/* A box of a die counts for all cores of it, whichever of them the row is of. */
	for (int i = 0; i < online->nr; i++)
		if (cpus[cpus[i].of[ROW_DIES]].seen[ROW_DIES])
			cpus[cpus[i].of[ROW_CORES]].seen[ROW_CORES] = true;
	for (int i = 0; i < online->nr; i++)
		for (int what = 0; what < ROW_COUNT_NR; what++)
			counts[what * r->nr_buckets] += cpus[i].seen[what];
}

/* Rows of the whole machine need no counting, and of CPUs that are nowhere nothing is known. */
static bool are_parts(const struct report *r, const struct cpulist *measured)
{
	if (r->opts.aggr == AGGR_GLOBAL && measured == &r->machine->online)
		return false;
	for (int i = 0; i < measured->nr; i++)
		if (machine__cpu(r->machine, measured->at[i]).socket < 0)
			return false;
	return true;
}

int row_counts__build(struct report *r, struct err *err)
{
	const struct cpulist *measured = NULL;
	struct online_cpu *cpus;
	int rc;

	if (!r->nr_metrics || !r->per_cpu || !program__has_rows(r->plan->program))
		return 0;
	if (r->plan->scope)
		measured = r->plan->scope->user_cpus;
	if (!measured || !measured->nr)
		measured = &r->machine->online;
	rc = machine__topology(r->machine, err);
	if (rc || !are_parts(r, measured))
		return rc;
	cpus = calloc(r->machine->online.nr + 1, sizeof(*cpus));
	r->row_counts = calloc((size_t)ROW_COUNT_NR * r->nr_buckets + 1, sizeof(*r->row_counts));
	rc = cpus && r->row_counts ? 0 : -ENOMEM;
	if (!rc)
		find_places(r, measured, cpus);
	for (int i = 0; i < r->nr_buckets && !rc; i++)
		count_bucket(r, i, cpus);
	free(cpus);
	return rc;
}
