/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Metrics come in, with the columns in which their events' counts will stand; a program goes out,
 * which computes the values of all of them for any number of rows. What several of them have in
 * common is computed once.
 */
#ifndef TMA_METRICS_PROGRAM_H
#define TMA_METRICS_PROGRAM_H

#include "metrics/metrics.h"

struct program;

/* Literals which are smaller where a row is of a part of the machine. */
enum row_count {
	ROW_PACKAGES, /* #num_packages */
	ROW_DIES,     /* #num_dies */
	ROW_CORES,    /* #num_cores, those of the row's dies */
	ROW_CPUS,     /* #num_cpus_online */
	ROW_COUNT_NR,
};

/**
 * struct part - a sub-expression of a metric
 * @expr: the metric's value or threshold, or the value of a metric it refers to
 * @node: the number of a node, whose operands belong to the part, with all that they refer to
 */
struct part {
	const struct expr *expr;
	int node;
};

/** program__new() - an empty program. @scope must outlive it. */
struct program *program__new(const struct metrics_scope *scope);
/** program__free() - release it; NULL is allowed. */
void program__free(struct program *p);

/**
 * program__add() - compile one metric into it
 * @metric:  its value and threshold
 * @columns: for each of metric->ids[] the input column that carries its counts, -1 when there is
 *           none (NaN); behind them, those of each part in turn
 * @parts:   sub-expressions that are counted apart; where one is inside another, the outer one
 *           decides
 * @value:   set to the output number of the value
 * @threshold: set to the output number of the threshold, -1 when there is none
 *
 * Metrics referred to are compiled over the same columns, as they would be if their text stood
 * there. No expression is rearranged: results are the doubles that perf 6.12 gets.
 *
 * Return: 0, or -ELOOP for one that refers to itself.
 */
int program__add(struct program *p, struct metric *metric, const int *columns,
		 const struct part *parts, int nr_parts, int *value, int *threshold,
		 struct err *err);

/**
 * struct other_value - the value of a metric that a threshold names
 * @name: as the tables have it; @output: where the program has its value, before its ScaleUnit
 */
struct other_value {
	const char *name;
	int output;
};

/**
 * program__add_threshold() - compile a metric's threshold alone, with values of other metrics
 * @metric, @columns, @parts, @nr_parts: as for program__add()
 * @others: stand for names that the metric has neither an event nor a reference for
 *
 * Return: the number of the output; -ELOOP as program__add().
 */
int program__add_threshold(struct program *p, struct metric *metric, const int *columns,
			   const struct part *parts, int nr_parts,
			   const struct other_value *others, int nr_others, struct err *err);

/**
 * program__add_whole() - find what metrics are shares of, and make an output of it
 * @values: numbers of the outputs of metrics that are shares of the same: a level of the TopDown
 *          tree
 *
 * It is what most of them divide by, and of several that as many divide by the one that stands
 * nearest to the value. Intel's tables have "retiring / (fe + bad + retiring + be)" and
 * "retiring / (5 * cycles)", AMD's "d_ratio(ops, 6 * cycles)".
 *
 * Return: the number of the output; -1 where nothing is divided by a count.
 */
int program__add_whole(struct program *p, const int *values, int nr);
/** program__has_factor() - whether an output is a product with a constant: "5 * cycles". */
bool program__has_factor(const struct program *p, int output);

/** program__outputs() - how many outputs; program__nodes() - operations after sharing. */
int program__outputs(const struct program *p);
int program__nodes(const struct program *p);

/** program__uses() - whether an output is made of an input column, in whatever branch. */
bool program__uses(const struct program *p, int output, int column);
/** program__uses_any() - the same for those of the first @nr columns that are marked. */
bool program__uses_any(const struct program *p, int output, const bool *columns, int nr);

/**
 * program__eval() - evaluate everything for a number of rows at once
 * @rows:    how many buckets (CPUs, cores, ...), at most what program__reserve() was called with
 * @in:      in[column * rows + row]: estimated counts, not multiplied by event->scale; NaN for a
 *           count that is missing (not supported, not counted). duration_time, user_time and
 *           system_time are in seconds here: the caller converts
 * @sources: sources[column * rows + row], for source_count(): of how many boxes of a package counts
 *           were added up (those with the same event->first), in the mean of the packages that the
 *           row is of; 0 for an event that is not supported; or NULL for 1
 * @out:     out[output * rows + row], before the ScaleUnit of the metric
 *
 * What would come of a missing count is NaN, whatever min(), max() or an if could make of it. (perf
 * takes 0 for an event that never ran, and lets min(NaN, x) be x.) A branch not taken, or the
 * other side of a decided & or |, may be missing; and so may what a constant leaves without
 * effect: x in 0 & x, 1 | x, x / 0 and d_ratio(x, 0). has_event() is what it was when the ids were
 * collected. (For perf, an event that nothing else needs does not exist when it evaluates.)
 *
 * No allocation after program__reserve().
 */
void program__eval(struct program *p, int rows, const double *in, const double *sources,
		   double *out);
/** program__find_moves() - find what is made of each column, after the last program__add(). */
void program__find_moves(struct program *p);
/**
 * program__eval_moved() - evaluate what is made of one column, which has changed
 * @column: of the @in of the last program__eval(), whose other columns are as they were
 * @rows:   as there
 * @out:    as there; only the outputs that are made of the column are written
 * @outputs: set to their numbers; the program keeps them
 *
 * program__find_moves() must have been called. Return: how many outputs are made of the column.
 */
int program__eval_moved(struct program *p, int column, int rows, double *out, const int **outputs);
/** program__has_rows() - whether a metric is made of what a row is of, as below. */
bool program__has_rows(const struct program *p);
/** program__packages() - how many packages the machine has where a metric asks for it; else NAN. */
double program__packages(const struct program *p);
/**
 * program__set_rows() - of what the rows of the next program__eval() are
 * @counts: counts[row_count * rows + row]; kept until the next call. NULL, as it is before: every
 *          row is of the whole machine, which perf takes all rows for
 */
void program__set_rows(struct program *p, const double *counts);
/** program__reserve() - scratch memory for up to @rows rows, after the last program__add(). */
void program__reserve(struct program *p, int rows);

#endif
