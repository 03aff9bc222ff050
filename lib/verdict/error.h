/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Find how far off values may be: the input is the sums of a row and the slices of its time, the
 * output is half the width of the interval around each event and metric.
 */
#ifndef TMA_VERDICT_ERROR_H
#define TMA_VERDICT_ERROR_H

#include "aggregate/sums.h"
#include "verdict/estimate.h"
#include "verdict/turns.h"

/**
 * struct error_group - events counted together, which had the same turns
 * @events: their numbers; @columns: the program's columns that they go into
 * @of:     how their rates vary in each row; only the rates, if no errors are asked for
 * @left:   the same for the part that estimates do not explain, from which errors of metrics
 *          follow; equal to @of if there are no estimates
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
 * @estimates: estimates of the counts of multiplexed events; NULL: they are scaled by time
 * @usable:  the current time has slices, or needs none
 * @squares:   squared half widths of the outputs, [output * nr_rows + row]
 * @slopes:    how each output moves with the events of one group, [member][output * nr_rows + row];
 *             @member_slopes: the same for one output
 * @column, @width: values of the event that is moved, and by how much it is moved, in each row
 * @less, @more: the outputs when it is moved down and up
 * @moved:     the @nr_moved outputs that depend on the events of one group; @is_moved: flag of each
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

/** struct error_term - @slope: change of a value per count of an event */
struct error_term {
	int event;
	double slope;
};

/**
 * errors__new() - allocate memory for all groups
 * @sums: must outlive them
 * @leaders: the number of its group's leader for each event; taken over
 */
struct errors *errors__new(struct sums *sums, int *leaders);
/** errors__regroup() - start again with other groups; call it only between rows. */
void errors__regroup(struct errors *x, int *leaders);
/** errors__free() - release it; NULL is allowed. */
void errors__free(struct errors *x);
/**
 * errors__measure() - measure the variation of the rates, after the sums of these counts were made
 * @is_interval: the row's time is not in any other row, so that later rows can use its variation
 * @estimates_alone: errors of this row are not needed
 */
void errors__measure(struct errors *x, const struct counts *counts, bool is_interval,
		     bool estimates_alone);
/** errors__propagate() - find the errors of all outputs, after the program's columns were set. */
void errors__propagate(struct errors *x);

/*
 * The next three return half the width of an interval: NAN if it is unknown or there are no errors
 * (NULL), and 0 if nothing was multiplexed.
 */

/** error__of_terms() - compute the error of a value that moves with the sums of some events. */
double error__of_terms(const struct errors *x, int row, const struct error_term *terms, int nr);
/** error__of_event() - compute the error of an event as it is printed. */
double error__of_event(const struct errors *x, int event, int row);
/** error__of_metric() - compute the error of a metric as printed, from sums of all instances. */
double error__of_metric(const struct errors *x, const struct summed_metric *m, int row);
/**
 * error__may_be_under() - find out whether a metric is over its threshold by no more than its error
 * @value, @error: as printed, with the scale @scale
 *
 * True for a metric whose error is unknown, and for one whose threshold compares it with a number
 * between its value and the end of its interval.
 */
bool error__may_be_under(const struct metric *m, double value, double error, double scale);
/** error__is_noise() - find out whether a difference of two values is within rounding errors. */
bool error__is_noise(double difference, double value);

#endif
