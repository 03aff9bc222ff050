/* SPDX-License-Identifier: GPL-2.0-only */
/* The TopDown trees of the metrics that are counted, shared by the files of lib/verdict. */
#ifndef TMA_VERDICT_TREES_H
#define TMA_VERDICT_TREES_H

#include "verdict/phases.h"
#include "verdict/tree.h"
#include "verdict/verdicts.h"

/* Why it is unknown whether a metric is over its threshold. */
enum verdict_doubt {
	DOUBT_NONE,
	DOUBT_STEPS,	 /* a step of the hardware's register reaches across the threshold */
	DOUBT_ERROR,	 /* its error is known, and reaches across the threshold */
	DOUBT_FEW_TURNS, /* an event had too few turns */
	DOUBT_NO_READS,	 /* events were multiplexed, and not read within the row */
	DOUBT_ROTATED,	 /* tma itself multiplexed the events */
	DOUBT_ELSEWHERE, /* multiplexed on cores where the task was only a part of the time */
	DOUBT_RUNS,	 /* it is made of several runs of the command, which differ too much */
	DOUBT_PASSES,	 /* it is made of several runs, and how much they differ is unknown */
	DOUBT_LATENCY,	 /* it is made of a retire latency */
	DOUBT_NR,
};

/* How much of a tree has values. */
enum verdict_extent {
	EXTENT_NONE,
	EXTENT_SOME,
	EXTENT_TOP, /* its first level, at least */
};

/**
 * struct verdict_metric - the metric of a tree's node
 * @parts_level: level of its children in the tables, 0 without any; @nr_parts: how many of them are
 *          one level below it
 * @share:  (in the row judged last) smallest share of time of its events; NAN without any
 * @whole:  it was counted all the time, or all the time that a task was on that type of core
 * @groups: how many multiplexed groups its events are in
 * @of_fields: it is made of fields of a register, which have steps
 * @doubt:  why its error is unknown
 * @same:   for each row, the number of intervals in which it was on the path to the bottleneck
 */
struct verdict_metric {
	const struct summed_metric *summed;
	int parts_level, nr_parts;
	double share;
	bool whole, of_fields;
	int groups;
	enum verdict_doubt doubt;
	int *same;
};

/**
 * verdict_metric__scale() - return the factor that turns a node's value into %
 *
 * A metric without a unit in its table is a fraction.
 */
static inline double verdict_metric__scale(const struct verdict_metric *m)
{
	bool has_unit = m->summed->metric->metric->info.scale_unit;

	return has_unit ? m->summed->scale : 100 * m->summed->scale;
}

/**
 * struct verdict_subject - a tree: the metrics of a core type in a cgroup, with the same modifiers
 * @pmu:  name in the tables; @core: its core PMU on a hybrid machine; else NULL
 * @metrics: the metric of each node
 * @deepest: the deepest level of a node
 * @intervals: for each row, the number of intervals with values of all metrics of the first level
 * @short_of:  for each row, the number of intervals with only some
 * @phases: the tree's values in each interval, if it is counted in one place alone; the first level
 *          comes before the others; @row_values: room for one interval
 */
struct verdict_subject {
	const char *pmu, *modifier;
	const struct cgroup *cgroup;
	const struct pmu *core;
	struct verdict_tree tree;
	struct verdict_metric *metrics;
	int deepest;
	int *intervals, *short_of;
	struct phases phases;
	double *row_values;
};

/**
 * struct verdicts - all trees
 * @leaders: scratch list of the groups of a metric, to count them
 * @squares: squared errors of the program's outputs, from the difference between passes
 * @moved, @outputs: the program's columns and outputs when one pass is moved
 */
struct verdicts {
	struct arena memory;
	struct sums *sums;
	const struct errors *errors;
	struct verdict_subject *at;
	int nr;
	int *leaders;
	double *squares, *moved, *outputs;
};

/**
 * verdicts__bound() - compute the greatest possible speedup without a share of slots or cycles
 * @value: of the share, as printed, in @unit
 *
 * Return: 1/(1 - x); NAN if it is not a percentage between 0 and 100.
 */
double verdicts__bound(double value, const char *unit);
/** verdicts__measure_passes() - find the errors of outputs that are made of several passes. */
void verdicts__measure_passes(struct verdicts *v);
/** verdicts__add_to_phases() - add the values of the row judged last, with a whole first level. */
void verdicts__add_to_phases(struct verdicts *v, struct verdict_subject *s);
/** verdicts__tell_phases() - put the run's phases into a verdict; overwrites the tree's values. */
void verdicts__tell_phases(struct verdict_subject *s, struct grid_verdict *to);
/** verdicts__judge() - judge a tree by the values of a row. Return: how much of it was measured. */
enum verdict_extent verdicts__judge(struct verdicts *v, struct verdict_subject *s, int row);
/**
 * verdicts__list_missing() - list the metrics of the first level that have no value, and what they
 * lack. Return: the text, which the caller frees.
 */
char *verdicts__list_missing(const struct verdicts *v, const struct verdict_subject *s, int row);
/** verdicts__tell_lacking() - note which part, counter or literal a tree without values lacks. */
void verdicts__tell_lacking(struct grid_verdict *to, const struct verdicts *v,
			    const struct verdict_subject *s);

#endif
