/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Find how far off values may be. The input is the sums of a row and the slices of the row's time;
 * the output is half the width of the confidence interval of each event and metric.
 */
#ifndef TMA_VERDICT_ERROR_H
#define TMA_VERDICT_ERROR_H

#include "aggregate/sums.h"
#include "verdict/estimate.h"
#include "verdict/turns.h"

/**
 * struct error_group - events counted together, which had the same turns
 * @events: numbers of the events; @columns: columns of the program for these events
 * @of:     how the events' rates vary in each row; only the rates if errors are not needed
 * @left:   how the part of the rates varies that estimates do not explain, for errors of metrics.
 *          Without estimates equal to @of
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
 * @estimates: estimates of the counts of multiplexed events; NULL if counts are scaled by time
 * @usable:  the current row has slices, or needs no slices
 * @squares:   squared half widths of the outputs, [output * nr_rows + row]
 * @slopes:    how much each output changes per count of each event of one group, [member][output *
 *             nr_rows + row]; @member_slopes: such slopes of one output
 * @column, @width: in each row, the value of the event whose influence is tried, and by how much it
 *             is changed
 * @less, @more: the outputs for values of this event that are lower and higher by @width
 * @moved:     the outputs that depend on the events of one group; @is_moved: whether an output is
 *             in @moved
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
 * @sums: must outlive the errors
 * @leaders: for each event the number of its group's leader; errors__free() frees the list
 */
struct errors *errors__new(struct sums *sums, int *leaders);
/** errors__regroup() - start again with other groups, between two rows. */
void errors__regroup(struct errors *x, int *leaders);
/** errors__free() - release errors; NULL is allowed. */
void errors__free(struct errors *x);
/**
 * errors__measure() - measure how rates vary; the sums of these counts must be made
 * @is_interval: the row's time is not in any other row: later rows can use its variation
 * @estimates_alone: only estimates of this row are needed, not errors
 */
void errors__measure(struct errors *x, const struct counts *counts, bool is_interval,
		     bool estimates_alone);
/** errors__propagate() - find the errors of all outputs; the program's columns must be set. */
void errors__propagate(struct errors *x);

/*
 * The next three functions return half the width of a confidence interval: 0 if nothing was
 * multiplexed; NAN if unknown, or if @x is NULL.
 */

/** error__of_terms() - compute the error of a value that depends on the sums of some events. */
double error__of_terms(const struct errors *x, int row, const struct error_term *terms, int nr);
/** error__of_event() - compute the error of an event's printed value. */
double error__of_event(const struct errors *x, int event, int row);
/**
 * error__of_metric() - compute the error of a metric's printed value, computed from all instances.
 */
double error__of_metric(const struct errors *x, const struct summed_metric *m, int row);
/**
 * error__may_be_under() - find out whether a metric may in truth be under its threshold, given its
 * error
 * @value, @error: printed values; @scale: factor from the formula's result to @value
 *
 * Return: true if the error is unknown, or if the threshold compares the metric with a number
 * between the value and the end of its interval.
 */
bool error__may_be_under(const struct metric *m, double value, double error, double scale);
/** error__is_noise() - find out whether a difference of two values is within rounding errors. */
bool error__is_noise(double difference, double value);

#endif
