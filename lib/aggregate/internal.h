/* SPDX-License-Identifier: GPL-2.0-only */
/* The functions and types that the files of lib/aggregate share. */
#ifndef TMA_AGGREGATE_INTERNAL_H
#define TMA_AGGREGATE_INTERNAL_H

#include "aggregate/sums.h"

/**
 * struct unit_place - the place of a unit in the machine
 * @at: -1 for parts that the mode does not distinguish
 * @unit: number of the unit; places that differ in it alone are equal
 */
struct unit_place {
	int at[PLACE_NR];
	int unit;
};

/** unit_place__find() - find the place of a CPU in rows of kind @aggr. */
struct unit_place unit_place__find(const struct sums *s, enum grid_aggr aggr, int cpu, int unit);
/** rows__build() - put units into rows. */
void rows__build(struct sums *s, const struct units *units);
/** rows__free() - free the rows. */
void rows__free(struct sums *s);
/** row_counts__build() - count each row's packages, dies, cores and CPUs, if metrics need them. */
void row_counts__build(struct sums *s);
/**
 * sum__merge() - add another sum: of the core's other thread, of another box, or of another run.
 */
void sum__merge(struct sum *to, const struct sum *from);

/** lacking__forget() - begin a row: no part is lacking yet. */
void lacking__forget(struct sums *s);
/**
 * lacking__take_event() - note which counters of an event never ran; the event's sums must be
 * complete
 * @samples: the sample of each unit
 */
void lacking__take_event(struct sums *s, int event, const struct sample *samples);
/**
 * lacking__conclude() - find the parts that each event lacks; all sums of the row must be complete.
 */
void lacking__conclude(struct sums *s);
/**
 * lacking__recall() - mark the parts that an event lacked in one run as lacking in the mean of
 * runs.
 */
void lacking__recall(struct sums *s, int event, const struct sum *sum);
/** lacking__strike() - remove the values of metrics whose events cover different parts. */
void lacking__strike(struct sums *s, double *out);
/** lacking__free() - free the texts of all events. */
void lacking__free(struct sums *s);

/** latencies__take() - add the samples of an event (:R) to its sums. */
void latencies__take(struct sums *s, const struct counts *counts, int event);
/**
 * latencies__conclude() - set the latency of each sum from its samples; without samples, use the
 * vendor's.
 */
void latencies__conclude(struct sums *s, int event);
/**
 * latencies__add_run() - add the latencies of a run; __take_runs() - use the latencies of all runs.
 */
void latencies__add_run(struct sums *s);
void latencies__take_runs(struct sums *s);

/** shares__allocate() - allocate the shares of all rows, on a hybrid machine. */
void shares__allocate(struct sums *s);
/**
 * shares__measure() - compute the shares from the sums of each core type, which must not be merged
 * yet.
 */
void shares__measure(struct sums *s, bool is_total);

#endif
