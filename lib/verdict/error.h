/* SPDX-License-Identifier: GPL-2.0-only */
/* How far off values are, and what is made of them. */
#ifndef TMA_VERDICT_ERROR_H
#define TMA_VERDICT_ERROR_H

#include "aggregate/sums.h"
#include "verdict/turns.h"

/**
 * struct error_group - events counted together, which had the same turns
 * @events: as numbers; @columns: of the program, into which they go
 * @of:     their variation in each row
 */
struct error_group {
	int nr;
	int *events, *columns;
	struct variation *of;
};

/**
 * struct errors - half the widths of the intervals of a row's values
 * @leaders:   of each event, its group's
 * @units:     of each row
 * @assumes:   there never are slices: it is assumed how rates vary (variation__assume())
 * @usable:    the time at hand has slices, or none are needed
 * @squares:   of the outputs, [output * nr_rows + row]
 * @slopes:    of one group's events: [member][output * nr_rows + row]; @member_slopes: of one
 *             output
 * @column, @width: of the event which is moved: its values, and by how much in each row
 * @less, @more: the outputs then
 */
struct errors {
	struct arena memory;
	struct sums *sums;
	int *leaders;
	struct error_group *groups;
	int nr_groups, largest;
	struct turn_units *units;
	bool assumes, usable;
	double *squares, *slopes, *member_slopes, *column, *width, *less, *more;
};

/** struct error_term - an event, and by what a value moves with each count of it */
struct error_term {
	int event;
	double slope;
};

/**
 * errors__new() - memory for all groups
 * @sums: must outlive them
 * @leaders: of each event, the number of its group's leader; taken over
 * @assumes: the counts come without slices
 */
struct errors *errors__new(struct sums *sums, int *leaders, bool assumes);
/** errors__free() - release it; NULL is allowed. */
void errors__free(struct errors *x);
/** errors__measure() - the variation of the rates, once the sums of these counts stand. */
void errors__measure(struct errors *x, const struct counts *counts);
/** errors__propagate() - to all outputs of the program, once its columns stand. */
void errors__propagate(struct errors *x);

/*
 * Of all below: NAN where it is not known, also without errors (NULL), and 0 where nothing took
 * turns.
 */

/** error__of_terms() - of what moves with the sums of some events. */
double error__of_terms(const struct errors *x, int row, const struct error_term *terms, int nr);
/** error__of_event() - of an event as it is printed. */
double error__of_event(const struct errors *x, int event, int row);
/** error__of_metric() - of a metric as it is printed, made of the sums of all instances. */
double error__of_metric(const struct errors *x, const struct summed_metric *m, int row);
/**
 * error__may_be_under() - whether a metric over its threshold is so by no more than its error
 * @value, @error: as printed, with the scale @scale
 *
 * One whose error is not known may be. Of others, it is when the threshold compares it with a
 * number, and the end of the interval does not pass.
 */
bool error__may_be_under(const struct metric *m, double value, double error, double scale);
/** error__is_noise() - whether a difference of two values is no more than rounding makes of it. */
bool error__is_noise(double difference, double value);

#endif
