/* SPDX-License-Identifier: GPL-2.0-only */
/* The TopDown trees of a report, and what is said of them (--verdict). */
#ifndef TMA_REPORT_VERDICTS_H
#define TMA_REPORT_VERDICTS_H

#include "report/internal.h"
#include "report/verdict.h"

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
 * @share:  (of the bucket judged last) least share of time of any of its events; NAN for none
 * @whole:  that is all there was: it was counted all of the time, or of a task's part of it there
 * @groups: groups its events are in, of those which took turns
 * @doubt:  why its error is not known
 * @same:   of each bucket, intervals in which it was the bottleneck or on the way to it
 */
struct verdict_metric {
	const struct shown_metric *shown;
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
 * @cgroup: index of the first event of its metrics, for what the cgroup is called
 * @metrics: of each node
 * @intervals: of each bucket, those with values of all metrics of the first level there is
 * @short_of:  those with some
 */
struct verdict_subject {
	const char *pmu, *modifier;
	const struct cgroup *cgroup;
	const struct pmu *core;
	int event;
	struct verdict_tree tree;
	struct verdict_metric *metrics;
	int *intervals, *short_of;
};

/**
 * struct verdicts
 * @leaders: numbers of groups, while those of a metric are counted
 * @squares: of errors of the program's outputs, by how much passes differ; @moved, @outputs: the
 *           program's columns and outputs when one pass is off
 * @path, @list: nodes, for whoever says something of them
 */
struct verdicts {
	struct verdict_subject *at;
	int nr;
	int *leaders, *path, *list;
	double *squares, *moved, *outputs;
};

/** verdicts__build() - after report__build(). Return: 0 or -ENOMEM. */
int verdicts__build(struct report *r);
void verdicts__free(struct report *r);
/** verdicts__add_row() - note the bottlenecks of an interval, at its values. Allocates nothing. */
void verdicts__add_row(struct report *r);
/** verdicts__measure_passes() - how far off outputs are, which are made of several passes. */
void verdicts__measure_passes(struct report *r);
/** verdicts__judge() - fill in a tree for a bucket. Return: how much of it was measured. */
enum verdict_extent verdicts__judge(struct report *r, struct verdict_subject *s, int bucket);
/** verdict_text__put() - append what is said of the tree judged last; in one line if @brief. */
void verdict_text__put(struct report *r, const struct verdict_subject *s, int bucket, bool brief,
		       struct sb *sb);
/** verdict_json__put() - append the members of an object. */
void verdict_json__put(struct report *r, const struct verdict_subject *s, int bucket,
		       struct sb *sb);
/** verdict__path() - the way to the bottleneck, into verdicts.path. Return: its length. */
int verdict__path(const struct report *r, const struct verdict_subject *s);
/** verdict__others() - what else is over its threshold, into verdicts.list. Return: how many. */
int verdict__others(const struct report *r, const struct verdict_subject *s, int path);
/**
 * verdict__uncertain() - what may be over it, into verdicts.list
 *
 * Where nothing is known of the error, and if @over, only what is over at its value. Return: how
 * many.
 */
int verdict__uncertain(const struct report *r, const struct verdict_subject *s, bool over);
/**
 * verdict__put_next() - append the options that measure the parts of a node; nothing without parts
 * @both: name the group of -M, too, and not the level alone
 */
void verdict__put_next(const struct verdict_subject *s, int node, bool both, struct sb *sb);
/** verdict__doubt() - why it is not known of a node that is uncertain. */
enum verdict_doubt verdict__doubt(const struct verdict_subject *s, int node);
/** verdict__why() - a doubt in words; verdict__remedy() - what to do about it. */
const char *verdict__why(enum verdict_doubt doubt);
const char *verdict__remedy(enum verdict_doubt doubt);

#endif
