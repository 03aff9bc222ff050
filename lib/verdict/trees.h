/* SPDX-License-Identifier: GPL-2.0-only */
/* The TopDown trees of the metrics that are counted, shared by the files of lib/verdict. */
#ifndef TMA_VERDICT_TREES_H
#define TMA_VERDICT_TREES_H

#include "verdict/phases.h"
#include "verdict/tree.h"
#include "verdict/verdicts.h"

/* Why it is not known on which side of its threshold a metric is. */
enum verdict_doubt {
	DOUBT_NONE,
	DOUBT_STEPS,	 /* the hardware tells it in steps, one of which reaches the threshold */
	DOUBT_ERROR,	 /* its error is known, and reaches the threshold */
	DOUBT_FEW_TURNS, /* an event had too few turns to tell */
	DOUBT_NO_READS,	 /* events took turns, and there are no reads in between */
	DOUBT_ROTATED,	 /* it was tma that let events take turns */
	DOUBT_ELSEWHERE, /* events took turns on cores where the task was a part of the time */
	DOUBT_RUNS,	 /* it is made of several runs of the command, which differ by that much */
	DOUBT_PASSES,	 /* it is, and nothing tells how much they differ */
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
 * struct verdict_metric - the metric that a node of a tree stands for
 * @parts_level: level of its parts in the tables; 0 when it has none; @nr_parts: how many are one
 *          level below it
 * @share:  (in the row judged last) least share of time of any of its events; NAN for none
 * @whole:  it was counted all of the time, or all of the part a task had on that type of core
 * @groups: how many groups that took turns its events are in
 * @of_fields: it is made of fields of a register, which tell shares in steps
 * @doubt:  why its error is not known
 * @same:   in how many intervals of each row it was the bottleneck or on the way to it
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
 * verdict_metric__scale() - what a node's value is multiplied with to be in percent
 *
 * A share whose table gives it no unit is a part of one.
 */
static inline double verdict_metric__scale(const struct verdict_metric *m)
{
	bool has_unit = m->summed->metric->metric->info.scale_unit;

	return has_unit ? m->summed->scale : 100 * m->summed->scale;
}

/**
 * struct verdict_subject - a tree: the metrics of a core type in a cgroup, with the same modifiers
 * @pmu:  name in the tables; @core: on a hybrid machine, its core PMU; else NULL
 * @metrics: the metric of each node
 * @deepest: level of a node
 * @intervals: how many intervals of each row have values of all metrics of the first level
 * @short_of:  how many have some
 * @phases: rows of what is counted in one place alone, of all that the tree has, the first level
 *          before the others; @row_values: room for one
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
 * @leaders: numbers of the groups of a metric, while they are counted
 * @squares: squared errors of the program's outputs, from how much passes differ
 * @moved, @outputs: the program's columns and outputs when one pass is off
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
 * verdicts__bound() - how many times as fast it is at most without a share of all slots or cycles
 * @value: of the share, as printed, in @unit
 *
 * Return: 1/(1 - x); NAN for what is not a percentage between 0 and 100.
 */
double verdicts__bound(double value, const char *unit);
/** verdicts__measure_passes() - find how far off outputs are that are made of several passes. */
void verdicts__measure_passes(struct verdicts *v);
/** verdicts__add_to_phases() - take the values of a row that was judged, all of the first level. */
void verdicts__add_to_phases(struct verdicts *v, struct verdict_subject *s);
/** verdicts__tell_phases() - put the phases of the run into a verdict; the tree's values change. */
void verdicts__tell_phases(struct verdict_subject *s, struct grid_verdict *to);
/** verdicts__judge() - fill in a tree for a row. Return: how much of it was measured. */
enum verdict_extent verdicts__judge(struct verdicts *v, struct verdict_subject *s, int row);
/**
 * verdicts__list_missing() - list the metrics of the first level that have no value, and what they
 * lack. Return: words, which the caller frees.
 */
char *verdicts__list_missing(const struct verdicts *v, const struct verdict_subject *s, int row);
/** verdicts__tell_lacking() - say which part, counter or literal a tree without values lacks. */
void verdicts__tell_lacking(struct grid_verdict *to, const struct verdicts *v,
			    const struct verdict_subject *s);

#endif
