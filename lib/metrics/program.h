/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Compile metrics into a program which computes the values of all of them for any number of rows.
 * Their events' counts are in columns that the caller numbers. Values that several metrics have in
 * common are computed once.
 */
#ifndef TMA_METRICS_PROGRAM_H
#define TMA_METRICS_PROGRAM_H

#include "metrics/metrics.h"

struct program;

/* Literals which are smaller if a row is only a part of the machine. */
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

/** program__new() - make an empty program. @scope must outlive it. */
struct program *program__new(const struct metrics_scope *scope);
/** program__free() - release it; NULL is allowed. */
void program__free(struct program *p);

/**
 * program__add() - compile one metric into a program
 * @metric:  its value and threshold are compiled
 * @columns: for each of metric->ids[] the input column with its counts, -1 if there is none (NaN);
 *           after them, those of each part in turn
 * @parts:   sub-expressions with columns of their own; where one is inside another, the outer one
 *           decides
 * @value:   set to the output number of the value
 * @threshold: set to the output number of the threshold, -1 if there is none
 *
 * Metrics referred to are compiled over the same columns, as if their text were in place of their
 * name. No expression is rearranged: results are the doubles that perf 6.12 gets.
 *
 * Return: 0, or -ELOOP for one that refers to itself.
 */
int program__add(struct program *p, struct metric *metric, const int *columns,
		 const struct part *parts, int nr_parts, int *value, int *threshold,
		 struct err *err);

/**
 * struct other_value - the value of a metric that a threshold names
 * @name: as the tables spell it; @output: its output in the program, before its ScaleUnit
 */
struct other_value {
	const char *name;
	int output;
};

/**
 * program__add_threshold() - compile a metric's threshold alone, with values of other metrics
 * @metric, @columns, @parts, @nr_parts: as for program__add()
 * @others: values for names that are neither an event nor a reference of the metric
 *
 * Return: the number of the output; -ELOOP as program__add().
 */
int program__add_threshold(struct program *p, struct metric *metric, const int *columns,
			   const struct part *parts, int nr_parts,
			   const struct other_value *others, int nr_others, struct err *err);

/**
 * program__add_whole() - find the denominator that metrics share, and make an output of it
 * @values: numbers of the outputs of metrics with the same denominator: a level of the TopDown
 *          tree
 *
 * It is the operation that most of them divide by; of several with as many divisions, the one
 * nearest to the value. Intel's tables have "retiring / (fe + bad + retiring + be)" and
 * "retiring / (5 * cycles)", AMD's "d_ratio(ops, 6 * cycles)".
 *
 * Return: the number of the output; -1 if no division by a count is found.
 */
int program__add_whole(struct program *p, const int *values, int nr);
/** program__has_factor() - find out whether an output is a product with a constant (5 * cycles). */
bool program__has_factor(const struct program *p, int output);

/** program__outputs() - count the outputs; program__nodes() - count operations after sharing. */
int program__outputs(const struct program *p);
int program__nodes(const struct program *p);

/** program__uses() - find out whether an output depends on an input column, in any branch. */
bool program__uses(const struct program *p, int output, int column);
/** program__uses_any() - find out whether it depends on any of the first @nr columns marked. */
bool program__uses_any(const struct program *p, int output, const bool *columns, int nr);

/**
 * program__eval() - evaluate everything for a number of rows at once
 * @rows:    how many rows (CPUs, cores, ...), at most those that program__reserve() was called for
 * @in:      in[column * rows + row]: estimated counts, not multiplied by event->scale; NaN for a
 *           count that is missing (not supported, not counted). duration_time, user_time and
 *           system_time are in seconds here: the caller converts
 * @sources: sources[column * rows + row], for source_count(): from how many boxes of a package
 *           counts were added up (those with the same event->first), averaged over the packages of
 *           the row; 0 for an event that is not supported; or NULL for 1
 * @out:     out[output * rows + row], before the ScaleUnit of the metric
 *
 * A value that depends on a missing count is NaN, whatever min(), max() or an if would make of it.
 * (perf takes 0 for an event that never ran, and lets min(NaN, x) be x.) Counts may be missing in a
 * branch not taken, in the other side of a decided & or |, and where a constant leaves them without
 * effect: x in 0 & x, 1 | x, x / 0 and d_ratio(x, 0). has_event() is what it was when the ids were
 * collected. (For perf, an event that only has_event() names does not exist then.)
 *
 * Nothing is allocated after program__reserve().
 */
void program__eval(struct program *p, int rows, const double *in, const double *sources,
		   double *out);
/** program__find_moves() - find what depends on each column, after the last program__add(). */
void program__find_moves(struct program *p);
/**
 * program__eval_moved() - evaluate again what depends on one column, which has changed
 * @column: its number in @in of the last program__eval(); the other columns must be unchanged
 * @rows:   as in program__eval()
 * @out:    as in program__eval(); only the outputs that depend on the column are written
 * @outputs: set to their numbers; the program keeps them
 *
 * program__find_moves() must have been called. Return: how many outputs depend on the column.
 */
int program__eval_moved(struct program *p, int column, int rows, double *out, const int **outputs);
/** program__has_rows() - find out whether a value depends on the counts of program__set_rows(). */
bool program__has_rows(const struct program *p);
/** program__packages() - get the machine's number of packages if a metric uses it; else NAN. */
double program__packages(const struct program *p);
/**
 * program__set_rows() - set how many packages, cores ... each row of the next program__eval() has
 * @counts: counts[row_count * rows + row]; kept until the next call. NULL, the default: every row
 *          is the whole machine, as perf assumes for all rows
 */
void program__set_rows(struct program *p, const double *counts);
/** program__reserve() - scratch memory for up to @rows rows, after the last program__add(). */
void program__reserve(struct program *p, int rows);

#endif
