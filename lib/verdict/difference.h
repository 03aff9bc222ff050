/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Find how two series of runs differ, and how certain that is. The input is the values of each run;
 * the output is the difference of the means, its interval, and a word for it. Pure calculation.
 */
#ifndef TMA_VERDICT_DIFFERENCE_H
#define TMA_VERDICT_DIFFERENCE_H

#include <stdbool.h>

/**
 * struct series - the values of one quantity, one for each run, in the order of the runs
 * @errors: sum of the known errors of values: half widths of 90 % intervals
 * @nr_errors: number of values whose error is known
 * @grain: step of the values, set by the caller, 0 if they have none: a few equal values are then
 *         still uncertain by a rounding error
 *
 * The caller frees it by series__free().
 */
struct series {
	double *at;
	int nr, cap;
	double errors, grain;
	int nr_errors;
};

/**
 * series__add() - add the value of a run
 * @error: half the width of its 90 % interval; 0 or NAN if unknown
 */
void series__add(struct series *s, double value, double error);
#define SERIES_INTERVALS 8 /* fewer intervals than these become one value */

/**
 * series__add_parts() - add the values of intervals, as the means of parts of equal length
 *
 * At most ten parts, each of at least two intervals; the last part has the remainder. Fewer than
 * SERIES_INTERVALS become one part. NAN is skipped.
 */
void series__add_parts(struct series *s, const double *at, int nr);
/** series__set_spread() - set the standard error of an only value that is a mean, in % of it. */
void series__set_spread(struct series *s, double percent);
double series__mean(const struct series *s);
/** series__spread() - compute the standard deviation of values; 0 for fewer than two. */
double series__spread(const struct series *s);
/**
 * series__outliers() - count values far from the others: by more than 3.5 standard deviations, as
 * estimated from the median distance (Iglewicz and Hoaglin), and more than 1 % of the median
 */
int series__outliers(const struct series *s);
/**
 * series__drift() - find out whether values rise or fall from run to run
 *
 * Return: the change from the first to the last run, along the line of least squares; 0 if it is
 * not significant at 0.1 %.
 */
double series__drift(const struct series *s);
/** series__range() - find the least and the greatest value; NAN without any. */
void series__range(const struct series *s, double *min, double *max);
void series__free(struct series *s);

#define DIFFERENCE_MOST_NEEDED 100000 /* runs; also where more are needed */

/* The word for a difference. */
enum change {
	CHANGE_UNKNOWN, /* one side was not measured, or its error is unknown */
	CHANGE_MORE,
	CHANGE_LESS,
	CHANGE_NONE, /* it is certainly less than the margin */
	CHANGE_PROBABLY_MORE, /* its interval excludes 0, but that is not enough where many
			       * rows are judged */
	CHANGE_PROBABLY_LESS,
	CHANGE_UNDECIDED, /* its interval includes 0, and more than the margin */
};

/**
 * struct difference - the difference of two series, the second minus the first
 * @a, @b:  their means; NAN without values
 * @by:     the difference; @half: half the width of its 90 % interval, NAN if unknown
 * @se:     its standard error; @df: the degrees of freedom of @se
 * @p:      probability of a difference at least as large if there is none; NAN if unknown
 * @se_a, @se_b: standard errors of the means; NAN if unknown
 * @margin: a smaller difference does not matter; set by the caller
 * @runs:   number of runs of the series that has fewer
 * @needed: (CHANGE_UNDECIDED, CHANGE_PROBABLY_*) runs of each side that would probably decide it; 0
 *          if unknown
 */
struct difference {
	double a, b, by, half, se, df, p, se_a, se_b, margin;
	int runs, needed;
	enum change change;
};

/**
 * difference__measure() - compute all but @margin, @needed and @change
 *
 * Welch's t over the means of runs. The standard error is at least what follows from the errors of
 * single values: equal values are not exact if all were estimated in the same way.
 */
void difference__measure(const struct series *a, const struct series *b, struct difference *d);
/**
 * difference__ratio() - compute how many times as large the first mean is as the second
 * @half: set to half the width of its 90 % interval, from the errors of both (the delta method);
 *        NAN if unknown
 *
 * Return: NAN where the second mean is not above 0.
 */
double difference__ratio(const struct difference *d, double *half);
/**
 * differences__judge() - find the word for each of many
 * @d: measured, with margins
 *
 * More and less: Holm's method, which keeps the chance that any of these words is wrong
 * below 5 % for all differences together. None: the 90 % interval lies within the margin, which is
 * the test of two one-sided hypotheses at 5 % (Schuirmann), for each difference alone; it has
 * precedence over the others.
 */
void differences__judge(struct difference **d, int nr);

/* Whether a difference is beyond a limit. */
enum beyond {
	BEYOND_NO,
	BEYOND_UNCERTAIN,
	BEYOND_YES,
};

/**
 * difference__beyond() - find out whether two means differ by more than a limit
 * @above:    test whether the second mean is above the first by more than the limit; else below
 * @limit:    in the unit of the values; @relative: as a share of the first mean
 * @tests:    how many such tests the run makes: all its answers are right in 99.9 % of runs, as
 *            a gate tests often, and each false alarm costs trust
 */
enum beyond difference__beyond(const struct series *a, const struct series *b, bool above,
			       double limit, bool relative, int tests);

/** student__both_tails() - compute the probability that |t| is at least this; @df: degrees of
 * freedom.
 */
double student__both_tails(double t, double df);
/** student__limit() - compute the t beyond which both tails have this probability together. */
double student__limit(double p, double df);

#endif
