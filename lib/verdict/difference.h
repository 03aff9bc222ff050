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
 * @errors: sum of the known errors of values, which are half widths of 90 % intervals
 * @nr_errors: number of values whose error is known
 * @grain: step of the values, set by the caller; 0 without steps. With steps, even equal values
 *         have a rounding error
 *
 * The caller calls series__free().
 */
struct series {
	double *at;
	int nr, cap;
	double errors, grain;
	int nr_errors;
};

/**
 * series__add() - add the value of a run
 * @error: half the width of the value's 90 % interval; 0 or NAN if unknown
 */
void series__add(struct series *s, double value, double error);
#define SERIES_INTERVALS 8 /* fewer intervals than this become one value */

/**
 * series__add_parts() - add the values of intervals, combined to the means of parts of equal length
 *
 * There are at most ten parts, each of at least two intervals; the last part has the remainder.
 * Fewer than SERIES_INTERVALS values become one part. Values of NAN are skipped.
 */
void series__add_parts(struct series *s, const double *at, int nr);
/**
 * series__set_spread() - set the standard error of the only value, which is a mean, in % of the
 * value.
 */
void series__set_spread(struct series *s, double percent);
double series__mean(const struct series *s);
/** series__spread() - compute the standard deviation of values; 0 for fewer than two. */
double series__spread(const struct series *s);
/**
 * series__outliers() - count values that are far from the median: by more than 3.5 standard
 * deviations, which are estimated from the median distance (Iglewicz and Hoaglin), and by more than
 * 1 % of the median
 */
int series__outliers(const struct series *s);
/**
 * series__drift() - find out whether values rise or fall from run to run
 *
 * Return: the change from the first to the last run along the line of least squares; 0 if the
 * change is not significant at 0.1 %.
 */
double series__drift(const struct series *s);
/** series__range() - find the least and the greatest value; NAN without any. */
void series__range(const struct series *s, double *min, double *max);
void series__free(struct series *s);

#define DIFFERENCE_MOST_NEEDED 100000 /* upper limit of difference.needed, in runs */

/* The word for a difference. */
enum change {
	CHANGE_UNKNOWN, /* one side has no value, or an unknown error */
	CHANGE_MORE,
	CHANGE_LESS,
	CHANGE_NONE, /* the difference is certainly less than the margin */
	CHANGE_PROBABLY_MORE, /* the interval excludes 0, but not surely enough among many rows */
	CHANGE_PROBABLY_LESS,
	CHANGE_UNDECIDED, /* the interval includes 0, and reaches beyond the margin */
};

/**
 * struct difference - the difference of two series, the second minus the first
 * @a, @b:  means of the series; NAN without values
 * @by:     the difference; @half: half the width of the difference's 90 % interval, NAN if unknown
 * @se:     standard error of @by; @df: degrees of freedom of @se
 * @p:      probability of a difference as large as @by if the true means are equal; NAN if unknown
 * @se_a, @se_b: standard errors of @a and @b; NAN if unknown
 * @margin: a smaller difference does not matter; set by the caller
 * @runs:   number of runs of the shorter series
 * @needed: (CHANGE_UNDECIDED, CHANGE_PROBABLY_*) number of runs of each side that would probably
 *          decide; 0 if unknown
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
 * difference__ratio() - compute the first mean divided by the second
 * @half: set to half the width of the ratio's 90 % interval, from the errors of both means (the
 *        delta method); NAN if unknown
 *
 * Return: the ratio; NAN if the second mean is not above 0.
 */
double difference__ratio(const struct difference *d, double *half);
/**
 * differences__judge() - find a word for each of many differences
 * @d: differences that were measured, with their margins
 *
 * "More" and "less" follow Holm's method: for all differences together, the chance that any such
 * word is wrong is below 5 %. "None" has precedence. It means that the 90 % interval lies within
 * the margin: two one-sided tests at 5 % (Schuirmann) for each difference by itself.
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
 * @above:    test whether the second mean is above the first by more than the limit; false: below
 * @limit:    limit in the unit of the values, or if @relative as a share of the first mean
 * @tests:    number of such tests in a run. All answers of a run are right in 99.9 % of runs, since
 *            a gate tests often, and each false alarm costs trust
 */
enum beyond difference__beyond(const struct series *a, const struct series *b, bool above,
			       double limit, bool relative, int tests);

/**
 * student__both_tails() - compute the probability that |t| is at least @t; @df: degrees of freedom.
 */
double student__both_tails(double t, double df);
/** student__limit() - compute the t beyond which both tails together have probability @p. */
double student__limit(double p, double df);

#endif
