/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Counts at times within a row. They show how the rates of multiplexed events varied from turn to
 * turn, which the counts at the row's ends do not.
 */
#ifndef TMA_COUNT_SLICES_H
#define TMA_COUNT_SLICES_H

#include <stdbool.h>
#include <stdint.h>

struct counts;
struct sample;

#define SLICES_MAX 32
#define SLICES_READS (SLICES_MAX + 2) /* the row's start, and one more than fit before they are
				       * thinned out */

/**
 * struct slice_options - whether and how they are made
 * @step_ns: length of a slice; 0: no slices. If a row lasts longer than SLICES_MAX of them, every
 *           other read is dropped, and slices are twice as long from then on
 * @last_step_ns: their length doubles with each row up to this, until a slice is as long as a row,
 *           and no more are made; 0: they do not grow
 * @of_run:  also make slices of the whole run
 */
struct slice_options {
	uint64_t step_ns, last_step_ns;
	bool of_run;
};

/**
 * struct slices - reads within a row, in order
 * @nr:      how many, including the row's start; the last one is the latest read. 0: no slices, now
 *           or later
 * @step_ns: the least time from each to the next, except before the last
 * @first_step_ns: that of the next row; @last_step_ns: the length that it grows to
 * @at:      counts since the start, at[read][event * nr_units + unit], all in @memory
 * @time_ns: of each, since the start
 * @rotation_ns: of each event: the time in which all events that multiplex with it have had a turn
 */
struct slices {
	int nr, nr_events, nr_units;
	uint64_t step_ns, first_step_ns, last_step_ns;
	uint64_t time_ns[SLICES_READS];
	struct sample *at[SLICES_READS], *memory;
	const uint64_t *rotation_ns;
};

/** slices__init() - allocate memory for all reads; slices__free() releases it. */
void slices__init(struct slices *s, int nr_events, int nr_units, const struct slice_options *opts);
void slices__free(struct slices *s);
/** slices__add() - add a read. Allocates nothing. */
void slices__add(struct slices *s, const struct counts *total);
/** slices__restart() - begin a new row at the latest read. It may be the first without slices. */
void slices__restart(struct slices *s);
/** slices__due_ns() - return when the next read is wanted, since the start. */
uint64_t slices__due_ns(const struct slices *s);

#endif
