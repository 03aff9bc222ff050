/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * How two series of runs differ, and how certain that is. In come the values of each run; out go
 * the difference of their means, its interval, and a word for it. Pure calculation.
 */
#ifndef TMA_VERDICT_DIFFERENCE_H
#define TMA_VERDICT_DIFFERENCE_H

#include <stdbool.h>

/**
 * struct series - the values of one quantity, one for each run, in the order of the runs
 * @errors: sum of the errors that were known of single values: half widths of 90 % intervals
 * @nr_errors: of how many values an error was known
 * @grain: values are whole numbers of it, so that a few which are the same are not exact for that;
 *         0 for none; the caller sets it
 *
 * series__free() it.
 */
struct series {
	double *at;
	int nr, cap;
	double errors, grain;
	int nr_errors;
};

/**
 * series__add() - add the value of a run
 * @error: half the width of its 90 % interval; 0 or NAN where it is not known
 */
void series__add(struct series *s, double value, double error);
#define SERIES_INTERVALS 8 /* at least, that are taken as several values */

/**
 * series__add_parts() - add the values of intervals, as the means of parts of equal length
 *
 * At most ten parts, of two intervals or more: what is left over ends the last one. Less than
 * SERIES_INTERVALS are one part. NAN is left out.
 */
void series__add_parts(struct series *s, const double *at, int nr);
/** series__set_spread() - the only value is a mean, whose standard error is a share of it. */
void series__set_spread(struct series *s, double percent);
double series__mean(const struct series *s);
/** series__spread() - the standard deviation of single values; 0 for less than two. */
double series__spread(const struct series *s);
/**
 * series__outliers() - count values far from the others: more than 3.5 times the deviation that the
 * median of all distances says (Iglewicz and Hoaglin), and by more than 1 % of the median
 */
int series__outliers(const struct series *s);
/**
 * series__drift() - find out whether values rise or fall from run to run
 *
 * Return: by how much from the first to the last run, along the line that fits best; 0 where that
 * is not certain, with one error in a thousand.
 */
double series__drift(const struct series *s);
/** series__range() - find the least and the greatest value; NAN for none. */
void series__range(const struct series *s, double *min, double *max);
void series__free(struct series *s);

#define DIFFERENCE_MOST_NEEDED 100000 /* runs, which stand for any number of them from there */

/* This is said of a difference. */
enum change {
	CHANGE_UNKNOWN, /* one of both was not measured, or nothing is known of its error */
	CHANGE_MORE,
	CHANGE_LESS,
	CHANGE_NONE, /* it is certainly less than the margin */
	CHANGE_PROBABLY_MORE, /* its interval has no 0 in it, but for one of many rows that is not
			       * enough */
	CHANGE_PROBABLY_LESS,
	CHANGE_UNDECIDED, /* its interval has 0 in it, and more than the margin */
};

/**
 * struct difference - of two series, the second less the first
 * @a, @b:  their means; NAN without values
 * @by:     the difference; @half: half the width of its 90 % interval, NAN where it is not known
 * @se:     its standard error; @df: degrees of freedom of that
 * @p:      how probable a difference at least as large is where there is none; NAN when not known
 * @se_a, @se_b: standard errors of the means; NAN when not known
 * @margin: a difference below it does not matter; set by the caller
 * @runs:   of the series that has fewer
 * @needed: (CHANGE_UNDECIDED, CHANGE_PROBABLY_*) runs of each that would probably decide it; 0 when
 *          that is not known
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
 * single values: runs that are alike since all estimate in the same way are not exact for that.
 */
void difference__measure(const struct series *a, const struct series *b, struct difference *d);
/**
 * difference__ratio() - tell how many times as much the first mean is as the second
 * @half: set to half the width of its 90 % interval, by what the errors of both come to (the delta
 *        method); NAN when not known
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
 * the test of two one-sided hypotheses at 5 % (Schuirmann), of each difference alone; it goes
 * before the others.
 */
void differences__judge(struct difference **d, int nr);

/* It is known of a limit whether a difference is beyond it. */
enum beyond {
	BEYOND_NO,
	BEYOND_UNCERTAIN,
	BEYOND_YES,
};

/**
 * difference__beyond() - tell whether the second mean is beyond the first by more than a limit
 * @above:    more than the limit is asked for; else less
 * @limit:    in the unit of the values; @relative: as a share of the first mean
 * @tests:    how many such questions are asked: all answers of one run are right in 99.9 %, as
 *            a gate asks many times, and each false alarm costs trust
 */
enum beyond difference__beyond(const struct series *a, const struct series *b, bool above,
			       double limit, bool relative, int tests);

/** student__both_tails() - the probability that |t| is at least this, with @df degrees of freedom.
 */
double student__both_tails(double t, double df);
/** student__limit() - the t whose both tails have this probability. */
double student__limit(double p, double df);

#endif
