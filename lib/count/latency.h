/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Retire latencies: one value is computed for many samples. A retire latency is the number of
 * cycles from the retirement of the previous instruction to that of the sampled one. Pure
 * calculation.
 */
#ifndef TMA_COUNT_LATENCY_H
#define TMA_COUNT_LATENCY_H

#include <stdbool.h>
#include <stdint.h>

struct event_list;

/* The value that represents all latencies of an interval (--tpebs-mode). */
enum latency_mode {
	LATENCY_MEAN,
	LATENCY_MIN,
	LATENCY_MAX,
	LATENCY_LAST, /* the latency of the last sample */
	LATENCY_P50,
	LATENCY_P95,
	LATENCY_NR_MODES,
};

/*
 * A histogram of the 16 bits of a latency has one cell for each value below 512, then 256 cells for
 * each power of two, so that the middle of a cell is off by less than 0.2 %.
 */
#define LATENCY_EXACT 512
#define LATENCY_STEPS 256
#define LATENCY_CELLS (LATENCY_EXACT + 7 * LATENCY_STEPS)

/**
 * struct latency - the samples of an event on a CPU or thread, since the start or in an interval
 * @nr:      number of samples
 * @weight:  number of events that the samples represent: the sum of their periods
 * @cycles:  sum of latency times period
 * @last:    latency of the latest sample, in cycles; @last_ns: time stamp of the latest sample
 * @cells:   LATENCY_CELLS sums of periods, or NULL if the mode does not need cells
 */
struct latency {
	uint64_t nr, weight, cycles, last_ns;
	uint16_t last;
	uint64_t *cells;
};

/**
 * latency_mode__find() - find the mode with a name of --tpebs-mode. Return: -1 if there is none.
 */
int latency_mode__find(const char *name);
/** latency_mode__needs_cells() - whether the value of this mode is computed from the cells. */
bool latency_mode__needs_cells(enum latency_mode mode);

/**
 * latencies__new() - allocate the latencies of events, in each of several places (CPUs, threads,
 * rows)
 * @nr_places: number of places; latencies are at[event * nr_places + place]
 * @mode:  decides whether sampled events have cells, which are large
 *
 * Return: an array for latencies__free(); NULL when no event is a latency (:R).
 */
struct latency *latencies__new(const struct event_list *events, int nr_places,
			       enum latency_mode mode);
/** latencies__free() - release the latencies of @nr events and places; NULL is allowed. */
void latencies__free(struct latency *latencies, int nr);

/**
 * latency__add() - add a sample
 * @cycles: retire latency of the sample
 * @period: number of events that the sample represents, which are those since the previous sample;
 *          0 counts as 1. If Linux 6.12 adjusts the period for PEBS, it reports the events up to
 *          the next sample instead, which gives the same sum
 */
void latency__add(struct latency *l, uint16_t cycles, uint64_t period, uint64_t time_ns);
/** latency__merge() - add the samples of another CPU, thread or run. */
void latency__merge(struct latency *l, const struct latency *more);
/** latency__delta() - compute the samples between two reads; @out keeps its own cells. */
void latency__delta(const struct latency *now, const struct latency *before, struct latency *out);
/** latency__copy() - copy the samples of another; @to has cells of its own. */
void latency__copy(const struct latency *from, struct latency *to);
/** latency__clear() - remove all samples; the cells are kept, and are then empty. */
void latency__clear(struct latency *l);
/**
 * latency__value() - return the value in cycles; NAN without a sample, or without cells that the
 * mode needs.
 */
double latency__value(const struct latency *l, enum latency_mode mode);

#endif
