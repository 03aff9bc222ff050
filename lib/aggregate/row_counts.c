// SPDX-License-Identifier: GPL-2.0-only
/*
 * Count the packages, dies, cores and CPUs of each row. Metrics divide the clocks of all boxes by
 * #num_packages, which must be the number of packages in the row.
 */
#include <stdlib.h>
#include <string.h>

#include "aggregate/internal.h"
#include "base/xalloc.h"

/**
 * struct online_cpu - the place of a CPU
 * @of:       number of the first CPU of the package, die and core; for ROW_CPUS the CPU's own
 *            number
 * @measured: the CPU is counted
 * @seen:     the current row has the package, die or core whose first CPU this is
 */
struct online_cpu {
	int of[ROW_COUNT_NR];
	struct unit_place place;
	bool measured, seen[ROW_COUNT_NR];
};

/*
 * Return: the number of the first CPU in the same package, die or core (@shared) as CPU number
 * @cpu.
 */
static int row_counts__first_of(const struct machine *m, int cpu, enum cpu_shared shared)
{
	struct cpu at = machine__cpu(m, m->online.at[cpu]);

	for (int i = 0; i < cpu; i++) {
		struct cpu other = machine__cpu(m, m->online.at[i]);

		if (cpu__shared(&at, &other) >= shared)
			return i;
	}
	return cpu;
}

static void find_places(struct sums *s, const struct cpulist *measured, struct online_cpu *cpus)
{
	const struct cpulist *online = &s->machine->online;

	for (int i = 0; i < online->nr; i++) {
		cpus[i].measured = cpulist__has(measured, online->at[i]);
		cpus[i].place = unit_place__find(s, s->opts->aggr, online->at[i], 0);
		cpus[i].of[ROW_PACKAGES] = row_counts__first_of(s->machine, i, SHARED_PACKAGE);
		cpus[i].of[ROW_DIES] = row_counts__first_of(s->machine, i, SHARED_DIE);
		cpus[i].of[ROW_CORES] = row_counts__first_of(s->machine, i, SHARED_CORE);
		cpus[i].of[ROW_CPUS] = i;
	}
}

static void count_row(struct sums *s, int row, struct online_cpu *cpus)
{
	const struct cpulist *online = &s->machine->online;
	const int *at = s->rows[row].at;
	double *counts = s->row_counts + row;

	for (int i = 0; i < online->nr; i++)
		memset(cpus[i].seen, 0, sizeof(cpus[i].seen));
	for (int i = 0; i < online->nr; i++) {
		if (!cpus[i].measured || memcmp(at, cpus[i].place.at, sizeof(cpus[i].place.at)))
			continue;
		cpus[cpus[i].of[ROW_PACKAGES]].seen[ROW_PACKAGES] = true;
		cpus[cpus[i].of[ROW_DIES]].seen[ROW_DIES] = true;
		cpus[i].seen[ROW_CPUS] = true;
	}
	/* A box of a die counts for all cores of the die, even those that are not in the row. */
	for (int i = 0; i < online->nr; i++)
		if (cpus[cpus[i].of[ROW_DIES]].seen[ROW_DIES])
			cpus[cpus[i].of[ROW_CORES]].seen[ROW_CORES] = true;
	for (int i = 0; i < online->nr; i++)
		for (int what = 0; what < ROW_COUNT_NR; what++)
			counts[what * s->nr_rows] += cpus[i].seen[what];
}

/* Whether rows cover parts of the machine, and the places of all CPUs are known. */
static bool are_parts(const struct sums *s, const struct cpulist *measured)
{
	if (s->opts->aggr == AGGR_GLOBAL && measured == &s->machine->online)
		return false;
	for (int i = 0; i < measured->nr; i++)
		if (machine__cpu(s->machine, measured->at[i]).socket < 0)
			return false;
	return true;
}

void row_counts__build(struct sums *s)
{
	const struct cpulist *measured = NULL;
	struct online_cpu *cpus;

	if (!s->nr_metrics || !s->per_cpu || !program__has_rows(s->plan->program))
		return;
	if (s->plan->scope)
		measured = s->plan->scope->user_cpus;
	if (!measured || !measured->nr)
		measured = &s->machine->online;
	machine__load_topology(s->machine);
	if (!are_parts(s, measured))
		return;
	cpus = xcalloc(s->machine->online.nr, sizeof(*cpus));
	s->row_counts = arena__calloc(&s->memory, (size_t)ROW_COUNT_NR * s->nr_rows,
				      sizeof(*s->row_counts));
	find_places(s, measured, cpus);
	for (int i = 0; i < s->nr_rows; i++)
		count_row(s, i, cpus);
	free(cpus);
}
