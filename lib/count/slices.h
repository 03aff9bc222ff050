/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Counts at times within a row. They show how the rates of multiplexed events varied from turn to
 * turn, which the counts at the ends of the row do not show.
 */
#ifndef TMA_COUNT_SLICES_H
#define TMA_COUNT_SLICES_H

#include <stdbool.h>
#include <stdint.h>

struct counts;
struct sample;

#define SLICES_MAX 32
#define SLICES_READS (SLICES_MAX + 2) /* reads of SLICES_MAX slices, the row's start, and a read
				       * before half of them are dropped */

/**
 * struct slice_options - whether and how slices are made
 * @step_ns: length of a slice; 0: no slices. If a row has more than SLICES_MAX slices, every other
 *           read is dropped, and from then on slices are twice as long
 * @last_step_ns: slices become twice as long with each row, up to this length; no more slices are
 *           made once they are as long as a row. 0: the length does not change
 * @of_run:  also make slices of the whole run
 */
struct slice_options {
	uint64_t step_ns, last_step_ns;
	bool of_run;
};

/**
 * struct slices - reads within a row, in order
 * @nr:      number of reads, including the row's start; 0: no slices, now or later
 * @step_ns: the least time from each read to the next, except before the last
 * @first_step_ns: @step_ns at the start of the next row; @last_step_ns: the limit that it grows to
 * @at:      counts since the start, at[read][event * nr_units + unit], all in @memory
 * @time_ns: time of each read, since the start
 * @rotation_ns: for each event, the time in which it and all events that multiplex with it have had
 *               a turn
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
/** slices__add() - add a read. Nothing is allocated. */
void slices__add(struct slices *s, const struct counts *total);
/**
 * slices__restart() - begin a new row at the latest read. The new row may be the first without
 * slices.
 */
void slices__restart(struct slices *s);
/** slices__due_ns() - return the time of the next read, since the start. */
uint64_t slices__due_ns(const struct slices *s);

#endif
