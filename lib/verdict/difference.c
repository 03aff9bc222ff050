// SPDX-License-Identifier: GPL-2.0-only
/* Compute how two series of runs differ. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/vec.h"
#include "base/xalloc.h"
#include "verdict/difference.h"

#define NORMAL_90 1.645	    /* half widths of 90 % intervals, in standard deviations */
#define FAMILY_ERROR 0.05   /* chance that any "more" or "less" of a run is wrong */
#define GATE_ERROR 0.001     /* chance that any limit of a run is wrongly reported as passed */
#define INTERVAL_ERROR 0.10 /* chance that a value is outside its interval, on either side */
#define FAR 3.5		    /* a value with a score above this is an outlier */
#define FAR_SHARE 0.01	    /* of the median */
#define SCORE 0.6745	    /* median distance of normal values from the mean, in deviations */
#define DRIFT_ERROR 0.001
#define POWER_90 1.282 /* one-sided normal quantile for a decision in nine of ten cases */
#define ROUNDING 1e-12
#define MOST_PARTS 10
#define MANY 1e9 /* degrees of freedom of a standard error that counts as exact */

/* --- Student's t --------------------------------------------------------------------------- */

/*
 * Evaluate the continued fraction of the incomplete beta function, by Lentz's method (Abramowitz
 * and Stegun, 26.5.8).
 */
static double beta_fraction(double x, double a, double b)
{
	const double tiny = 1e-300;
	double c = 1, d = 1 - (a + b) * x / (a + 1), h;

	d = 1 / (fabs(d) < tiny ? tiny : d);
	h = d;
	for (int m = 1; m < 500; m++) {
		double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
		double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
		double factor;

		d = 1 + even * d;
		c = 1 + even / c;
		d = 1 / (fabs(d) < tiny ? tiny : d);
		c = fabs(c) < tiny ? tiny : c;
		h *= d * c;
		d = 1 + odd * d;
		c = 1 + odd / c;
		d = 1 / (fabs(d) < tiny ? tiny : d);
		c = fabs(c) < tiny ? tiny : c;
		factor = d * c;
		h *= factor;
		if (fabs(factor - 1) < 1e-12)
			break;
	}
	return h;
}

static double incomplete_beta(double x, double a, double b)
{
	double front;

	if (x <= 0 || x >= 1)
		return x <= 0 ? 0 : 1;
	front = exp(lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(x) + b * log1p(-x));
	if (x < (a + 1) / (a + b + 2))
		return front * beta_fraction(x, a, b) / a;
	return 1 - front * beta_fraction(1 - x, b, a) / b;
}

double student__both_tails(double t, double df)
{
	if (isinf(t))
		return 0;
	if (df > 1e6)
		return erfc(fabs(t) / sqrt(2));
	return incomplete_beta(df / (df + t * t), df / 2, 0.5);
}

double student__limit(double p, double df)
{
	double low = 0, high = 1;

	while (student__both_tails(high, df) > p)
		high *= 2;
	for (int i = 0; i < 80; i++) {
		double middle = (low + high) / 2;

		if (student__both_tails(middle, df) > p)
			low = middle;
		else
			high = middle;
	}
	return high;
}

/* --- Series -------------------------------------------------------------------------------- */

void series__add(struct series *s, double value, double error)
{
	if (isnan(value))
		return;
	vec__push(s, value);
	if (isnan(error) || error <= 0)
		return;
	s->errors += error;
	s->nr_errors++;
}

/* Return: the mean of the known values; NAN without known values. */
static double mean_of_known(const double *at, int nr)
{
	double sum = 0;
	int known = 0;

	for (int i = 0; i < nr; i++) {
		sum += isnan(at[i]) ? 0 : at[i];
		known += !isnan(at[i]);
	}
	return known ? sum / known : NAN;
}

void series__add_parts(struct series *s, const double *at, int nr)
{
	int parts = nr / 2 < MOST_PARTS ? nr / 2 : MOST_PARTS;

	if (nr < SERIES_INTERVALS)
		parts = nr > 0;
	for (int part = 0; part < parts; part++) {
		int from = part * (nr / parts);
		int to = part + 1 < parts ? from + nr / parts : nr;

		series__add(s, mean_of_known(at + from, to - from), 0);
	}
}

void series__set_spread(struct series *s, double percent)
{
	if (s->nr != 1 || isnan(percent))
		return;
	s->errors = NORMAL_90 * percent / 100 * fabs(s->at[0]);
	s->nr_errors = 1;
}

double series__mean(const struct series *s)
{
	double sum = 0;

	for (int i = 0; i < s->nr; i++)
		sum += s->at[i];
	return s->nr ? sum / s->nr : NAN;
}

static double variance(const struct series *s)
{
	double mean = series__mean(s), sum = 0;

	for (int i = 0; i < s->nr; i++)
		sum += (s->at[i] - mean) * (s->at[i] - mean);
	return s->nr > 1 ? sum / (s->nr - 1) : 0;
}

double series__spread(const struct series *s)
{
	return sqrt(variance(s));
}

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static double median(double *values, int nr)
{
	qsort(values, nr, sizeof(*values), by_value);
	return nr % 2 ? values[nr / 2] : (values[nr / 2 - 1] + values[nr / 2]) / 2;
}

int series__outliers(const struct series *s)
{
	double *values, middle, distance;
	int nr = 0;

	/* With fewer values it is unclear which of them is far off. */
	if (s->nr < 5)
		return 0;
	values = xcalloc(s->nr, sizeof(*values));
	memcpy(values, s->at, s->nr * sizeof(*values));
	middle = median(values, s->nr);
	for (int i = 0; i < s->nr; i++)
		values[i] = fabs(s->at[i] - middle);
	distance = median(values, s->nr);
	for (int i = 0; i < s->nr; i++) {
		double from = fabs(s->at[i] - middle);

		nr += SCORE * from > FAR * distance && from > FAR_SHARE * fabs(middle);
	}
	free(values);
	return nr;
}

double series__drift(const struct series *s)
{
	double mean = series__mean(s), middle = (s->nr - 1) / 2.0, xx = 0, xy = 0, rest = 0;
	double slope, error;

	if (s->nr < 5)
		return 0;
	for (int i = 0; i < s->nr; i++) {
		xx += (i - middle) * (i - middle);
		xy += (i - middle) * (s->at[i] - mean);
	}
	slope = xy / xx;
	for (int i = 0; i < s->nr; i++) {
		double off = s->at[i] - mean - slope * (i - middle);

		rest += off * off;
	}
	error = sqrt(rest / (s->nr - 2) / xx);
	if (fabs(slope) <= error * student__limit(DRIFT_ERROR, s->nr - 2))
		return 0;
	return slope * (s->nr - 1);
}

void series__range(const struct series *s, double *min, double *max)
{
	*min = *max = NAN;
	for (int i = 0; i < s->nr; i++) {
		*min = fmin(*min, s->at[i]);
		*max = fmax(*max, s->at[i]);
	}
}

void series__free(struct series *s)
{
	vec__free(s);
}

/* --- Differences --------------------------------------------------------------------------- */

/*
 * Return: the variance of a series' mean. It is at least what follows from the errors of the
 * values, and if the means @differ also what follows from rounding, whose errors are uniform. NAN
 * if unknown.
 */
static double squared_error(const struct series *s, bool differ)
{
	double own = s->nr_errors ? s->errors / s->nr_errors / NORMAL_90 : 0;
	double single = fmax(variance(s), own * own);

	if (differ)
		single = fmax(single, s->grain * s->grain / 12);
	return s->nr > 1 || s->nr_errors ? single / s->nr : NAN;
}

/* The standard error of a single value counts as exact. */
static double freedom(const struct series *s)
{
	return s->nr > 1 ? s->nr - 1 : MANY;
}

/*
 * Return: the standard error of b - factor * a. @df: receives the degrees of freedom (Welch,
 * Satterthwaite)
 */
static double standard_error(const struct series *a, const struct series *b, double factor,
			     double *df)
{
	bool differ = series__mean(a) != series__mean(b);
	double va = factor * factor * squared_error(a, differ), vb = squared_error(b, differ);

	*df = freedom(a) + freedom(b);
	if (va + vb > 0)
		*df = (va + vb) * (va + vb) / (va * va / freedom(a) + vb * vb / freedom(b));
	return sqrt(va + vb);
}

static double tails(double by, double se, double df)
{
	if (isnan(se))
		return NAN;
	if (se > 0)
		return student__both_tails(by / se, df);
	return by ? 0 : 1;
}

/*
 * Return: @small, or 0 if it is a rounding error: sums of the same values may differ in the last
 * digit.
 */
static double rounded(double small, double of)
{
	return fabs(small) < ROUNDING * fabs(of) ? 0 : small;
}

void difference__measure(const struct series *a, const struct series *b, struct difference *d)
{
	d->a = series__mean(a);
	d->b = series__mean(b);
	d->by = d->b - d->a;
	d->runs = a->nr < b->nr ? a->nr : b->nr;
	d->se = d->runs ? standard_error(a, b, 1, &d->df) : NAN;
	d->by = rounded(d->by, d->a);
	d->se = rounded(d->se, d->a);
	d->p = tails(d->by, d->se, d->df);
	d->se_a = sqrt(squared_error(a, true));
	d->se_b = sqrt(squared_error(b, true));
	d->half = isnan(d->se) ? NAN : d->se * student__limit(INTERVAL_ERROR, d->df);
}

double difference__ratio(const struct difference *d, double *half)
{
	double ratio = d->b > 0 ? d->a / d->b : NAN;
	double a = d->se_a / d->a, b = d->se_b / d->b;

	*half = d->a > 0 ? ratio * hypot(a, b) * student__limit(INTERVAL_ERROR, d->df) : NAN;
	return ratio;
}

/*
 * Return: the number of runs that decide in nine of ten cases, if the true difference is as
 * observed: either that there is a difference, or that it is below the margin, whichever needs
 * fewer runs.
 */
static int runs_needed(const struct difference *d, double level)
{
	double single = d->se * sqrt(d->runs), room = d->margin - fabs(d->by), z, n = INFINITY;

	z = student__limit(level, MANY) + POWER_90;
	if (d->by)
		n = pow(z * single / d->by, 2) + 1;
	z = NORMAL_90 + POWER_90;
	if (room > 0)
		n = fmin(n, pow(z * single / room, 2) + 1);
	n = fmax(ceil(n), d->runs + 1);
	return n < DIFFERENCE_MOST_NEEDED ? n : DIFFERENCE_MOST_NEEDED;
}

/* Return: a word for an uncertain difference: an interval that excludes 0 is a probable change. */
static enum change uncertain(const struct difference *d)
{
	if (fabs(d->by) <= d->half)
		return CHANGE_UNDECIDED;
	return d->by > 0 ? CHANGE_PROBABLY_MORE : CHANGE_PROBABLY_LESS;
}

static int by_p(const void *a, const void *b)
{
	const struct difference *x = *(struct difference *const *)a;
	const struct difference *y = *(struct difference *const *)b;

	return (x->p > y->p) - (x->p < y->p);
}

void differences__judge(struct difference **d, int nr)
{
	struct difference **known = xcalloc(nr + 1, sizeof(*known));
	int nr_known = 0;
	bool holds = true;

	for (int i = 0; i < nr; i++) {
		d[i]->change = CHANGE_UNKNOWN;
		d[i]->needed = 0;
		if (!isnan(d[i]->p))
			known[nr_known++] = d[i];
	}
	qsort(known, nr_known, sizeof(*known), by_p);
	for (int i = 0; i < nr_known; i++) {
		double level = FAMILY_ERROR / (nr_known - i);
		struct difference *one = known[i];

		holds &= one->p <= level;
		if (fabs(one->by) + one->half <= one->margin) {
			one->change = CHANGE_NONE;
		} else if (holds) {
			one->change = one->by > 0 ? CHANGE_MORE : CHANGE_LESS;
		} else {
			one->change = uncertain(one);
			one->needed = one->runs > 1 ? runs_needed(one, FAMILY_ERROR / nr_known) : 0;
		}
	}
	free(known);
}

enum beyond difference__beyond(const struct series *a, const struct series *b, bool above,
			       double limit, bool relative, int tests)
{
	double factor = relative ? 1 + limit : 1, df = 0, se, by, p;

	if (!a->nr || !b->nr)
		return BEYOND_UNCERTAIN;
	se = standard_error(a, b, factor, &df);
	by = series__mean(b) - factor * series__mean(a) - (relative ? 0 : limit);
	by = rounded(by, series__mean(a));
	se = rounded(se, series__mean(a));
	p = tails(by, se, df);
	/* The test is one-sided and @p is two-sided: compare with twice the level. */
	if (isnan(p) || (se > 0 && p > 2 * GATE_ERROR / tests))
		return BEYOND_UNCERTAIN;
	return (above ? by > 0 : by < 0) ? BEYOND_YES : BEYOND_NO;
}
