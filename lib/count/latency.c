// SPDX-License-Identifier: GPL-2.0-only
/* Sums of latencies, and the value that represents all latencies. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "count/latency.h"
#include "events/events.h"

/*
 * @share: the value of the mode is the latency that this share of all events is below, according to
 *          the cells.
 */
static const struct {
	const char *name;
	bool needs_cells;
	double share;
} modes[LATENCY_NR_MODES] = {
	[LATENCY_MEAN] = { .name = "mean" },
	[LATENCY_MIN] = { "min", true, 0 },
	[LATENCY_MAX] = { "max", true, 1 },
	[LATENCY_LAST] = { .name = "last" },
	[LATENCY_P50] = { "p50", true, 0.5 },
	[LATENCY_P95] = { "p95", true, 0.95 },
};

int latency_mode__find(const char *name)
{
	for (int i = 0; i < LATENCY_NR_MODES; i++)
		if (!strcmp(name, modes[i].name))
			return i;
	return -1;
}

bool latency_mode__needs_cells(enum latency_mode mode)
{
	return modes[mode].needs_cells;
}

struct latency *latencies__new(const struct event_list *events, int nr_places,
			       enum latency_mode mode)
{
	int nr = events->nr * nr_places;
	struct latency *at;
	bool some = false;

	for (int i = 0; i < events->nr; i++)
		some |= events->at[i]->retire_latency;
	if (!some)
		return NULL;
	at = xcalloc(nr, sizeof(*at));
	for (int i = 0; latency_mode__needs_cells(mode) && i < nr; i++)
		if (events->at[i / nr_places]->sampled)
			at[i].cells = xcalloc(LATENCY_CELLS, sizeof(*at[i].cells));
	return at;
}

void latencies__free(struct latency *latencies, int nr)
{
	for (int i = 0; latencies && i < nr; i++)
		free(latencies[i].cells);
	free(latencies);
}

/*
 * Return: the number of bits by which a latency is shifted right to be one of the 256 steps of its
 * power of two.
 */
static int shift_of(unsigned int cycles)
{
	int shift = 0;

	while (cycles >> shift >= LATENCY_EXACT)
		shift++;
	return shift;
}

static int cell_of(unsigned int cycles)
{
	int shift = shift_of(cycles);

	if (!shift)
		return cycles;
	return LATENCY_EXACT + (shift - 1) * LATENCY_STEPS + (cycles >> shift) - LATENCY_STEPS;
}

/* Return: the middle of the latencies that a cell counts. */
static double cell_cycles(int cell)
{
	int shift, step;

	if (cell < LATENCY_EXACT)
		return cell;
	shift = (cell - LATENCY_EXACT) / LATENCY_STEPS + 1;
	step = (cell - LATENCY_EXACT) % LATENCY_STEPS + LATENCY_STEPS;
	return ((double)step + 0.5) * (1 << shift) - 0.5;
}

void latency__add(struct latency *l, uint16_t cycles, uint64_t period, uint64_t time_ns)
{
	uint64_t weight = period ? period : 1;
	const struct latency one = { .nr = 1, .weight = weight, .cycles = cycles * weight,
				     .last = cycles, .last_ns = time_ns };

	latency__merge(l, &one);
	if (l->cells)
		l->cells[cell_of(cycles)] += weight;
}

void latency__merge(struct latency *l, const struct latency *more)
{
	if (!more->nr)
		return;
	l->nr += more->nr;
	l->weight += more->weight;
	l->cycles += more->cycles;
	if (more->last_ns >= l->last_ns) {
		l->last_ns = more->last_ns;
		l->last = more->last;
	}
	for (int i = 0; l->cells && more->cells && i < LATENCY_CELLS; i++)
		l->cells[i] += more->cells[i];
}

void latency__delta(const struct latency *now, const struct latency *before, struct latency *out)
{
	out->nr = now->nr - before->nr;
	out->weight = now->weight - before->weight;
	out->cycles = now->cycles - before->cycles;
	out->last = out->nr ? now->last : 0;
	out->last_ns = out->nr ? now->last_ns : 0;
	for (int i = 0; out->cells && now->cells && before->cells && i < LATENCY_CELLS; i++)
		out->cells[i] = now->cells[i] - before->cells[i];
}

void latency__clear(struct latency *l)
{
	uint64_t *cells = l->cells;

	*l = (struct latency){ .cells = cells };
	if (cells)
		memset(cells, 0, LATENCY_CELLS * sizeof(*cells));
}

void latency__copy(const struct latency *from, struct latency *to)
{
	latency__clear(to);
	latency__merge(to, from);
}

/*
 * Return: the latency of the first cell up to which there are more than @share of all events; if
 * @share is 1, that of the last cell.
 */
static double quantile(const struct latency *l, double share)
{
	double passed = 0;
	int last = 0;

	for (int i = 0; i < LATENCY_CELLS; i++) {
		if (!l->cells[i])
			continue;
		last = i;
		passed += l->cells[i];
		if (share < 1 && passed > share * l->weight)
			break;
	}
	return cell_cycles(last);
}

double latency__value(const struct latency *l, enum latency_mode mode)
{
	if (!l->nr || !l->weight || (latency_mode__needs_cells(mode) && !l->cells))
		return NAN;
	if (latency_mode__needs_cells(mode))
		return quantile(l, modes[mode].share);
	return mode == LATENCY_LAST ? l->last : (double)l->cycles / l->weight;
}
