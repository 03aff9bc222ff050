/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Compile metrics into a program that computes the values of all metrics for any number of rows.
 * The counts of their events are in columns that the caller numbers. A value that several metrics
 * share is computed once.
 */
#ifndef TMA_METRICS_PROGRAM_H
#define TMA_METRICS_PROGRAM_H

#include "metrics/metrics.h"

struct program;

/* Literals whose values are smaller if a row is only a part of the machine. */
enum row_count {
	ROW_PACKAGES, /* #num_packages */
	ROW_DIES,     /* #num_dies */
	ROW_CORES,    /* #num_cores of the row's dies */
	ROW_CPUS,     /* #num_cpus_online */
	ROW_COUNT_NR,
};

/**
 * struct part - a sub-expression of a metric
 * @expr: the value or threshold of the metric, or the value of a metric that it refers to
 * @node: number of the node at the part's root; operands, and everything that they refer to, belong
 *        to the part
 */
struct part {
	const struct expr *expr;
	int node;
};

/** program__new() - make an empty program; @scope must outlive it. */
struct program *program__new(const struct metrics_scope *scope);
/** program__free() - release a program; NULL is allowed. */
void program__free(struct program *p);

/**
 * program__add() - compile one metric into a program
 * @metric:  the metric, whose value and threshold are compiled
 * @columns: for each of metric->ids[], the input column with its counts; -1 if there is no column
 *           (the count is NaN). As many entries follow for each of @parts
 * @parts:   sub-expressions with columns of their own; if one contains another, the outer one
 *           decides
 * @value:   set to the output number of the value
 * @threshold: set to the output number of the threshold; -1 if there is no threshold
 *
 * Metrics that @metric refers to are compiled with the same columns, as if their text were in place
 * of their name. Expressions are not rearranged: results are the same doubles as in perf 6.12.
 *
 * Return: 0, or -ELOOP for a metric that refers to itself.
 */
int program__add(struct program *p, struct metric *metric, const int *columns,
		 const struct part *parts, int nr_parts, int *value, int *threshold,
		 struct err *err);

/**
 * struct other_value - the value of a metric that a threshold names
 * @name: name of the metric, as in the tables
 * @output: number of its output in the program, before its ScaleUnit is applied
 */
struct other_value {
	const char *name;
	int output;
};

/**
 * program__add_threshold() - compile only the threshold of a metric, with values of other metrics
 * @metric, @columns, @parts, @nr_parts: as for program__add()
 * @others: values for names in the threshold that are neither events nor references of the metric
 *
 * Return: the number of the output; -ELOOP as program__add().
 */
int program__add_threshold(struct program *p, struct metric *metric, const int *columns,
			   const struct part *parts, int nr_parts,
			   const struct other_value *others, int nr_others, struct err *err);

/**
 * program__add_whole() - find the denominator that metrics share, and make it an output
 * @values: output numbers of metrics with one denominator, which are a level of the TopDown tree
 *
 * The denominator is the operation that most of the metrics divide by. If there are several such
 * operations, the one nearest to the metrics' values is chosen. Intel's tables have "retiring / (fe
 * + bad + retiring + be)" and "retiring / (5 * cycles)", AMD's have "d_ratio(ops, 6 * cycles)".
 *
 * Return: number of the output; -1 if no division by a count is found.
 */
int program__add_whole(struct program *p, const int *values, int nr);
/** program__has_factor() - find out whether an output is a product with a constant (5 * cycles). */
bool program__has_factor(const struct program *p, int output);

/**
 * program__outputs() - count the outputs; program__nodes() - count the operations, shared ones
 * once.
 */
int program__outputs(const struct program *p);
int program__nodes(const struct program *p);

/** program__uses() - find out whether an output depends on an input column, in any branch. */
bool program__uses(const struct program *p, int output, int column);
/**
 * program__uses_any() - find out whether an output depends on any of the marked columns among the
 * first @nr.
 */
bool program__uses_any(const struct program *p, int output, const bool *columns, int nr);

/**
 * program__eval() - compute all outputs for a number of rows
 * @rows:    number of rows (CPUs, cores, ...), at most the number in the last program__reserve()
 * @in:      estimated counts, in[column * rows + row], not multiplied by event->scale; NaN for a
 *           missing count (not supported, not counted). The caller converts duration_time,
 *           user_time and system_time to seconds
 * @sources: values of source_count(), sources[column * rows + row]: the number of boxes of a
 *           package whose counts were added up (boxes with the same event->first), averaged over
 *           the packages of the row; 0 for an event that is not supported. NULL: all are 1
 * @out:     results, out[output * rows + row], before the metric's ScaleUnit is applied
 *
 * A value that depends on a missing count is NaN, even after min(), max() or an "if". (In perf, the
 * count of an event that never ran is 0, and min(NaN, x) is x.) A missing count has no effect in a
 * branch that is not chosen, on one side of & or | if the other side decides, or if a constant
 * cancels it: x in 0 & x, 1 | x, x / 0 and d_ratio(x, 0). has_event() has the value that it had
 * when the ids were collected. (In perf, an event that only has_event() names does not exist at
 * this point.)
 *
 * Nothing is allocated after program__reserve().
 */
void program__eval(struct program *p, int rows, const double *in, const double *sources,
		   double *out);
/**
 * program__find_moves() - find the operations that depend on each column; call this after the last
 * program__add().
 */
void program__find_moves(struct program *p);
/**
 * program__eval_moved() - compute again the outputs that depend on a column that has changed
 * @column: number of the column in @in of the last program__eval(); other columns must be unchanged
 * @rows:   as in program__eval()
 * @out:    as in program__eval(); only the outputs that depend on the column are written
 * @outputs: set to the numbers of these outputs, in memory of the program
 *
 * program__find_moves() must have been called. Return: number of outputs that depend on the column.
 */
int program__eval_moved(struct program *p, int column, int rows, double *out, const int **outputs);
/** program__has_rows() - find out whether a value depends on the counts of program__set_rows(). */
bool program__has_rows(const struct program *p);
/**
 * program__packages() - get the machine's number of packages if a metric uses it, otherwise NAN.
 */
double program__packages(const struct program *p);
/**
 * program__set_rows() - set the numbers of packages, cores ... of each row for the next
 * program__eval()
 * @counts: the numbers, counts[row_count * rows + row]; kept until the next call. NULL, the
 *          default: every row is the whole machine, as perf always assumes
 */
void program__set_rows(struct program *p, const double *counts);
/**
 * program__reserve() - allocate memory for up to @rows rows; call this after the last
 * program__add().
 */
void program__reserve(struct program *p, int rows);

#endif
