/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Counts at times within a row. Of events that take turns they show how the rates varied from turn
 * to turn, which the counts at its two ends do not.
 */
#ifndef TMA_COUNT_SLICES_H
#define TMA_COUNT_SLICES_H

#include <stdbool.h>
#include <stdint.h>

struct counts;
struct sample;

#define SLICES_MAX 32
#define SLICES_READS (SLICES_MAX + 2) /* its start, and one too many before they are thinned out */

/**
 * struct slice_options - whether and how they are made
 * @step_ns: length of a slice; 0: none are made. Of a row that lasts longer than SLICES_MAX of
 *           these, every other read is dropped, and the length is twice as much from there on
 * @last_step_ns: what they grow to, twice as long in each row as in the one before, until a slice
 *           is as long as a row, and no more are made; 0: they do not grow
 * @of_run:  of the whole run too, beside those of each interval
 */
struct slice_options {
	uint64_t step_ns, last_step_ns;
	bool of_run;
};

/**
 * struct slices - reads within a row, in order
 * @nr:      how many, the row's start included; the last one is the latest there was. 0: there are
 *           none, and there will be none
 * @step_ns: the least time from each to the next, but for the last
 * @first_step_ns: that of the next row; @last_step_ns: what it grows to
 * @at:      counts since the start, at[read][event * nr_units + unit], all in @memory
 * @time_ns: of each, since the start
 * @rotation_ns: of each event: after what time all that take turns with it have had theirs
 */
struct slices {
	int nr, nr_events, nr_units;
	uint64_t step_ns, first_step_ns, last_step_ns;
	uint64_t time_ns[SLICES_READS];
	struct sample *at[SLICES_READS], *memory;
	const uint64_t *rotation_ns;
};

/** slices__init() - memory for all reads; slices__free() it. */
void slices__init(struct slices *s, int nr_events, int nr_units, const struct slice_options *opts);
void slices__free(struct slices *s);
/** slices__add() - take a read. Allocates nothing. */
void slices__add(struct slices *s, const struct counts *total);
/** slices__restart() - a new row begins at the latest read. It may be the first without slices. */
void slices__restart(struct slices *s);
/** slices__due_ns() - when the next read is wanted, since the start. */
uint64_t slices__due_ns(const struct slices *s);

#endif
