// SPDX-License-Identifier: GPL-2.0-only
/* Put CPUs and threads into rows by their places. */
#include <stdlib.h>
#include <string.h>

#include "aggregate/internal.h"
#include "base/xalloc.h"

static int rows__compare(const struct unit_place *a, const struct unit_place *b)
{
	for (int i = 0; i < PLACE_NR; i++)
		if (a->at[i] != b->at[i])
			return a->at[i] < b->at[i] ? -1 : 1;
	return 0;
}

static int compare_units(const void *a, const void *b)
{
	const struct unit_place *pa = a, *pb = b;

	return rows__compare(pa, pb) ?: pa->unit - pb->unit;
}

/* Old kernels do not report dies and clusters: assume one. */
static int or_zero(int id)
{
	return id < 0 ? 0 : id;
}

struct unit_place unit_place__find(const struct sums *s, enum grid_aggr aggr, int cpu, int unit)
{
	const struct cpu at = machine__cpu(s->machine, cpu);
	const unsigned int places = row_kinds[aggr].places;
	struct unit_place p = {
		.unit = unit,
		.at = {[PLACE_NODE] = at.node,
		       [PLACE_SOCKET] = at.socket,
		       [PLACE_DIE] = or_zero(at.die),
		       [PLACE_CLUSTER] = or_zero(at.cluster),
		       [PLACE_CACHE] = -1,
		       [PLACE_CORE] = at.core,
		       [PLACE_CPU] = cpu},
	};

	if (places & IN(CACHE))
		p.at[PLACE_CACHE_LEVEL] = machine__cache_id(s->machine, cpu, s->opts->cache_level,
							    &p.at[PLACE_CACHE]);
	for (int place = 0; place < PLACE_NR; place++)
		if (!(places & 1u << place))
			p.at[place] = -1;
	return p;
}

static struct grid_row *add_row(struct sums *s)
{
	struct grid_row *row = &s->rows[s->nr_rows++];

	memset(row->at, -1, sizeof(row->at));
	return row;
}

static void rows_of_units(struct sums *s, const struct units *units)
{
	for (int i = 0; i < units->nr; i++) {
		struct grid_row *row = add_row(s);

		row->nr_units = s->weight_of[i];
		s->row_of[i] = i;
		/* Rows of sites get their names later. */
		if (row_kind__is_site(s->opts->aggr))
			continue;
		row->at[s->opts->aggr == AGGR_NONE ? PLACE_CPU : PLACE_THREAD] = units->ids[i];
		if (units->comms)
			row->comm = arena__keep(&s->row_memory, xstrdup(units->comms[i] ?: ""));
	}
}

/* Find or add the row of a thread's process, or of the thread itself if the process is unknown. */
static struct grid_row *row_of_process(struct sums *s, const struct units *units, int unit)
{
	int id = units->processes[unit] ?: units->ids[unit];

	for (int row = 0; row < s->nr_rows; row++)
		if (s->rows[row].at[PLACE_THREAD] == id)
			return &s->rows[row];
	add_row(s)->at[PLACE_THREAD] = id;
	return &s->rows[s->nr_rows - 1];
}

/* A process is named after its first thread, or after another thread if the first one has ended. */
static void rows_of_processes(struct sums *s, const struct units *units)
{
	for (int i = 0; i < units->nr; i++) {
		struct grid_row *row = row_of_process(s, units, i);

		if (!row->comm || row->at[PLACE_THREAD] == units->ids[i])
			row->comm = arena__keep(&s->row_memory, xstrdup(units->comms[i] ?: ""));
		row->nr_units += s->weight_of[i];
		s->row_of[i] = row - s->rows;
	}
}

/* Return: the places of all units, sorted by row, then by unit. */
static struct unit_place *sorted_places(const struct sums *s, const struct units *units,
					enum grid_aggr aggr)
{
	struct unit_place *places = xcalloc(units->nr, sizeof(*places));

	for (int i = 0; i < units->nr; i++)
		places[i] = unit_place__find(s, aggr, units->ids[i], i);
	qsort(places, units->nr, sizeof(*places), compare_units);
	return places;
}

/* Units that share a place share a row; rows come in the order of places. */
static void rows_of_places(struct sums *s, const struct units *units)
{
	struct unit_place *places = sorted_places(s, units, s->opts->aggr);
	struct grid_row *row = NULL;

	for (int i = 0; i < units->nr; i++) {
		if (!i || rows__compare(&places[i], &places[i - 1])) {
			row = add_row(s);
			memcpy(row->at, places[i].at, sizeof(row->at));
		}
		row->nr_units += s->weight_of[places[i].unit];
		s->row_of[places[i].unit] = s->nr_rows - 1;
	}
	free(places);
}

static void find_packages(struct sums *s, const struct units *units)
{
	for (int i = 0; i < units->nr; i++) {
		struct cpu at = machine__cpu(s->machine, units->ids[i]);

		s->package_of[i] = at.socket < 0 ? -1 : i;
		for (int j = 0; at.socket >= 0 && j < i; j++) {
			struct cpu other = machine__cpu(s->machine, units->ids[j]);

			if (other.socket == at.socket && or_zero(other.die) == or_zero(at.die)) {
				s->package_of[i] = j;
				break;
			}
		}
	}
}

/* Find the core of each CPU, for events that count whole cores. */
static void find_cores(struct sums *s, const struct units *units)
{
	struct unit_place *places = sorted_places(s, units, AGGR_CORE);
	int first = 0;

	s->core_of = arena__calloc(&s->row_memory, units->nr, sizeof(*s->core_of));
	for (int i = 0; i < units->nr; i++) {
		int unit = places[i].unit;

		if (!i || rows__compare(&places[i], &places[i - 1])) {
			first = unit;
			s->rows[unit].leads_core = true;
		}
		s->core_of[unit] = first;
		memcpy(s->rows[unit].core, places[i].at, sizeof(places[i].at));
	}
	free(places);
}

void rows__build(struct sums *s, const struct units *units)
{
	enum grid_aggr aggr = s->opts->aggr;
	bool places = row_kinds[aggr].adds_cpus;
	bool packages = false, cores = false;

	for (int i = 0; i < s->nr_events; i++) {
		packages |= !units->comms && s->events[i].event->per_pkg;
		cores |= aggr == AGGR_NONE && s->events[i].event->percore;
	}
	if (places || packages || cores)
		machine__load_topology(s->machine);
	s->nr_units = units->nr;
	s->per_cpu = !units->comms;
	s->uncounted = units->uncounted;
	s->rows = arena__calloc(&s->row_memory, units->nr + 1, sizeof(*s->rows));
	s->row_of = arena__calloc(&s->row_memory, units->nr, sizeof(*s->row_of));
	s->unit_ids = arena__calloc(&s->row_memory, units->nr, sizeof(*s->unit_ids));
	s->weight_of = arena__calloc(&s->row_memory, units->nr, sizeof(*s->weight_of));
	if (aggr == AGGR_GLOBAL || places)
		s->idle = arena__calloc(&s->row_memory, (size_t)s->nr_events * units->nr,
					sizeof(*s->idle));
	s->package_of = arena__calloc(&s->row_memory, units->nr, sizeof(*s->package_of));
	s->package_taken = arena__calloc(&s->row_memory, units->nr, sizeof(*s->package_taken));
	memset(s->package_of, -1, units->nr * sizeof(*s->package_of));
	for (int i = 0; i < units->nr; i++) {
		s->unit_ids[i] = units->ids[i];
		s->weight_of[i] = units->weights ? units->weights[i] : 1;
	}
	if (packages)
		find_packages(s, units);
	if (places)
		rows_of_places(s, units);
	else if (aggr == AGGR_THREAD && s->opts->by_process && units->processes)
		rows_of_processes(s, units);
	else if (aggr != AGGR_GLOBAL)
		rows_of_units(s, units);
	else
		add_row(s)->nr_units = units->nr;
	if (cores)
		find_cores(s, units);
}

void rows__free(struct sums *s)
{
	arena__free(&s->row_memory);
	s->core_of = NULL;
	s->idle = NULL;
	s->nr_rows = 0;
}
