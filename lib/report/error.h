/* SPDX-License-Identifier: GPL-2.0-only */
/* How far off values are, and what is made of them (--error). */
#ifndef TMA_REPORT_ERROR_H
#define TMA_REPORT_ERROR_H

#include "report/internal.h"
#include "report/turns.h"

/**
 * struct error_group - events counted together, which had the same turns
 * @events: as numbers; @columns: of the program, into which they go
 * @of:     their variation in each bucket
 */
struct error_group {
	int nr;
	int *events, *columns;
	struct variation *of;
};

/**
 * struct errors - half the widths of the intervals of a row's values
 * @leaders:   of each event, its group's
 * @units:     of each bucket
 * @usable:    the row has slices
 * @squares:   of the outputs, [output * nr_buckets + bucket]
 * @slopes:    of one group's events: [member][output * nr_buckets + bucket]; @member_slopes: of
 *             one output
 * @column, @width: of the event which is moved: its values, and by how much in each bucket
 * @less, @more: the outputs then
 */
struct errors {
	int *leaders;
	struct error_group *groups;
	int nr_groups, largest;
	struct turn_units *units;
	bool usable;
	double *squares, *slopes, *member_slopes, *column, *width, *less, *more;
};

/**
 * struct error_term - an event, and by what a value moves with each count of it
 */
struct error_term {
	int event;
	double slope;
};

/** errors__build() - after the other memory of the report. Return: 0 or -ENOMEM. */
int errors__build(struct report *r);
void errors__free(struct report *r);
/** errors__measure() - the variation of the rates, from the slices of these counts. */
void errors__measure(struct report *r, const struct counts *counts);
/** errors__propagate() - to all outputs of the program, once its inputs stand. */
void errors__propagate(struct report *r);
/**
 * error__of_sums() - of what moves with the sums of some events
 *
 * Return: half the width of the interval; 0 where nothing took turns, NAN where it is not known.
 */
double error__of_sums(const struct report *r, int bucket, const struct error_term *terms, int nr);
/** error__of_event() - of an event as it is printed; error__of_metric() - of a metric. */
double error__of_event(const struct report *r, int event, int bucket);
double error__of_metric(const struct report *r, const struct shown_metric *m, int bucket);
/**
 * error__may_be_under() - whether a metric over its threshold is so by no more than its error
 *
 * One whose error is not known may be. Of others,
 * it is when the threshold compares it with a number, and the end of the interval does not pass.
 */
bool error__may_be_under(const struct metric *m, const struct figure *f, double scale);

#endif
