/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * How far off values are: in come the sums of a row and the slices of time it was counted in, out
 * of it comes half the width of the interval around each event and metric.
 */
#ifndef TMA_VERDICT_ERROR_H
#define TMA_VERDICT_ERROR_H

#include "aggregate/sums.h"
#include "verdict/estimate.h"
#include "verdict/turns.h"

/**
 * struct error_group - events counted together, which had the same turns
 * @events: their numbers; @columns: the program's columns that they go into
 * @of:     how they vary in each row; rates alone, where nobody asks for errors
 * @left:   the same of what estimates leave, which errors of metrics are made of; @of without them
 */
struct error_group {
	int nr;
	int *events, *columns;
	struct variation *of, *left;
};

/**
 * struct errors - half the widths of the intervals of a row's values
 * @leaders:   number of the group leader for each event
 * @units:     the units of each row
 * @estimates: what stands for counts of events that took turns; NULL: they are scaled by time
 * @usable:    the time at hand has slices, or none are needed
 * @squares:   squared half widths of the outputs, [output * nr_rows + row]
 * @slopes:    how each output moves with the events of one group, [member][output * nr_rows + row];
 *             @member_slopes: the same for one output
 * @column, @width: values of the event that is moved, and by how much it is, in each row
 * @less, @more: the outputs when it is moved down and up
 * @moved:     the @nr_moved outputs that the events of one group move; @is_moved: a flag for each
 */
struct errors {
	struct arena memory;
	struct sums *sums;
	int *leaders;
	struct error_group *groups;
	int nr_groups, largest;
	struct turn_units *units;
	struct estimates *estimates;
	bool usable;
	double *squares, *slopes, *member_slopes, *column, *width, *less, *more;
	int *moved, nr_moved;
	bool *is_moved;
};

/** struct error_term - by what (@slope) a value moves with each count of an event */
struct error_term {
	int event;
	double slope;
};

/**
 * errors__new() - memory for all groups
 * @sums: must outlive them
 * @leaders: the number of its group's leader for each event; taken over
 */
struct errors *errors__new(struct sums *sums, int *leaders);
/** errors__regroup() - begin anew with other groups; no row is under way. */
void errors__regroup(struct errors *x, int *leaders);
/** errors__free() - release it; NULL is allowed. */
void errors__free(struct errors *x);
/**
 * errors__measure() - the variation of the rates, once the sums of these counts stand
 * @is_interval: the row's time is in no other row, so that later rows learn from it
 * @estimates_alone: nobody asks for errors of this row
 */
void errors__measure(struct errors *x, const struct counts *counts, bool is_interval,
		     bool estimates_alone);
/** errors__propagate() - find the errors of all outputs, once the program's columns stand. */
void errors__propagate(struct errors *x);

/*
 * The next three return half the width of an interval: NAN where it is not known, also without
 * errors (NULL), and 0 where nothing took turns.
 */

/** error__of_terms() - the error of a value that moves with the sums of some events. */
double error__of_terms(const struct errors *x, int row, const struct error_term *terms, int nr);
/** error__of_event() - the error of an event as it is printed. */
double error__of_event(const struct errors *x, int event, int row);
/** error__of_metric() - the error of a metric as printed, made of the sums of all instances. */
double error__of_metric(const struct errors *x, const struct summed_metric *m, int row);
/**
 * error__may_be_under() - whether a metric over its threshold is so by no more than its error
 * @value, @error: as printed, with the scale @scale
 *
 * A metric whose error is not known may be. Any other is, if its threshold compares it with a
 * number that lies between its value and the end of its interval.
 */
bool error__may_be_under(const struct metric *m, double value, double error, double scale);
/** error__is_noise() - whether a difference of two values is no more than rounding makes of it. */
bool error__is_noise(double difference, double value);

#endif
