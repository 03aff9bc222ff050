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
	DOUBT_ERROR,	 /* the error is known, and reaches across the threshold */
	DOUBT_FEW_TURNS, /* an event had too few turns */
	DOUBT_NO_READS,	 /* events were multiplexed, and not read within the row */
	DOUBT_ROTATED,	 /* tma itself multiplexed the events */
	DOUBT_ELSEWHERE, /* events were multiplexed, and the task was elsewhere for a while */
	DOUBT_RUNS,	 /* events were counted in several runs, which differ too much */
	DOUBT_PASSES,	 /* events were counted in several runs, whose differences are unknown */
	DOUBT_LATENCY,	 /* the value is computed from a retire latency */
	DOUBT_NR,
};

/* How much of a tree has values. */
enum verdict_extent {
	EXTENT_NONE,
	EXTENT_SOME,
	EXTENT_TOP, /* at least the first level */
};

/**
 * struct verdict_metric - the metric of a node of a tree
 * @parts_level: level of the metric's children in the tables, 0 without children; @nr_parts: number
 *          of children one level below it
 * @share:  (in the row judged last) smallest share of time of the metric's events; NAN without
 *          events
 * @whole:  it was counted all the time, or whenever the task was on its type of core
 * @groups: number of multiplexed groups that its events are in
 * @of_fields: it is computed from fields of a register, which have steps
 * @doubt:  why the error is unknown
 * @same:   for each row, the number of intervals in which the metric was on the path to the
 *          bottleneck
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
 * A metric without a unit in the tables is a fraction.
 */
static inline double verdict_metric__scale(const struct verdict_metric *m)
{
	bool has_unit = m->summed->metric->metric->info.scale_unit;

	return has_unit ? m->summed->scale : 100 * m->summed->scale;
}

/**
 * struct verdict_subject - a tree: the metrics of a core type in a cgroup, with the same modifiers
 * @pmu:  name of the PMU in the tables; @core: the core PMU on a hybrid machine; else NULL
 * @metrics: the metric of each node
 * @deepest: level of the deepest node
 * @intervals: for each row, the number of intervals with the whole first level
 * @short_of:  for each row, the number of intervals with only a part of the first level
 * @phases: if rows have only one place, the tree's values in each interval, beginning with the
 *          first level; @row_values: memory for one interval
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
 * @leaders: memory for counting the groups of a metric
 * @squares: squared errors of the program's outputs, from the difference between passes
 * @moved, @outputs: the program's columns and outputs, with the counts of one pass changed
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
 * @value: the printed share, in @unit
 *
 * Return: 1/(1 - share); NAN if the value is not a percentage between 0 and 100.
 */
double verdicts__bound(double value, const char *unit);
/** verdicts__measure_passes() - find the errors of outputs that several passes contribute to. */
void verdicts__measure_passes(struct verdicts *v);
/**
 * verdicts__add_to_phases() - add the values of the row judged last, which has a whole first level.
 */
void verdicts__add_to_phases(struct verdicts *v, struct verdict_subject *s);
/**
 * verdicts__tell_phases() - put the run's phases into a verdict; this overwrites the tree's values.
 */
void verdicts__tell_phases(struct verdict_subject *s, struct grid_verdict *to);
/**
 * verdicts__judge() - judge a tree by the values of a row. Return: how much of the tree was
 * measured.
 */
enum verdict_extent verdicts__judge(struct verdicts *v, struct verdict_subject *s, int row);
/**
 * verdicts__list_missing() - list the metrics of the first level without a value, and what each
 * lacks. Return: a text that the caller frees.
 */
char *verdicts__list_missing(const struct verdicts *v, const struct verdict_subject *s, int row);
/** verdicts__tell_lacking() - note which part, counter or literal a tree without values lacks. */
void verdicts__tell_lacking(struct grid_verdict *to, const struct verdicts *v,
			    const struct verdict_subject *s);

#endif
