/* SPDX-License-Identifier: GPL-2.0-only */
/* What the files of verdicts share: the TopDown trees of the metrics that are counted. */
#ifndef TMA_VERDICT_TREES_H
#define TMA_VERDICT_TREES_H

#include "verdict/tree.h"
#include "verdict/verdicts.h"

/* Why it is not known on which side of its threshold a metric is. */
enum verdict_doubt {
	DOUBT_NONE,
	DOUBT_ERROR,	 /* its error is known, and reaches the threshold */
	DOUBT_FEW_TURNS, /* an event had too few turns to tell */
	DOUBT_NO_READS,	 /* events took turns, and there are no reads in between */
	DOUBT_ROTATED,	 /* it was tma that let them take turns */
	DOUBT_ELSEWHERE, /* they did so on cores on which the task was for a part of the time */
	DOUBT_RUNS,	 /* made of several runs of the command, which differ by that much */
	DOUBT_PASSES,	 /* and nothing tells how much they differ */
	DOUBT_LATENCY,	 /* made of a retire latency */
	DOUBT_NR,
};

/* How much of a tree has values. */
enum verdict_extent {
	EXTENT_NONE,
	EXTENT_SOME,
	EXTENT_TOP, /* its first level, at least */
};

/**
 * struct verdict_metric - what a node of a tree stands for
 * @parts_level: level of its parts in the tables; 0 when it has none
 * @share:  (of the row judged last) least share of time of any of its events; NAN for none
 * @whole:  that is all there was: it was counted all of the time, or of a task's part of it there
 * @groups: groups its events are in, of those which took turns
 * @doubt:  why its error is not known
 * @same:   of each row, intervals in which it was the bottleneck or on the way to it
 */
struct verdict_metric {
	const struct summed_metric *summed;
	int parts_level;
	double share;
	bool whole;
	int groups;
	enum verdict_doubt doubt;
	int *same;
};

/**
 * struct verdict_subject - a tree: the metrics of a core type in a cgroup, with the same modifiers
 * @pmu:  name in the tables; @core: on a hybrid machine, its core PMU; else NULL
 * @metrics: of each node
 * @intervals: of each row, those with values of all metrics of the first level there is
 * @short_of:  those with some
 */
struct verdict_subject {
	const char *pmu, *modifier;
	const struct cgroup *cgroup;
	const struct pmu *core;
	struct verdict_tree tree;
	struct verdict_metric *metrics;
	int *intervals, *short_of;
};

/**
 * struct verdicts - all trees
 * @leaders: numbers of groups, while those of a metric are counted
 * @squares: of errors of the program's outputs, by how much passes differ; @moved, @outputs: the
 *           program's columns and outputs when one pass is off
 */
struct verdicts {
	struct arena memory;
	struct sums *sums;
	const struct errors *errors;
	struct verdicts_options opts;
	struct verdict_subject *at;
	int nr;
	int *leaders;
	double *squares, *moved, *outputs;
};

/** verdicts__measure_passes() - how far off outputs are, which are made of several passes. */
void verdicts__measure_passes(struct verdicts *v);
/** verdicts__judge() - fill in a tree for a row. Return: how much of it was measured. */
enum verdict_extent verdicts__judge(struct verdicts *v, struct verdict_subject *s, int row);

#endif
