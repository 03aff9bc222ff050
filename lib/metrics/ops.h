/* SPDX-License-Identifier: GPL-2.0-only */
/* The operations of a program; only the compiler and the evaluator know them. */
#ifndef TMA_METRICS_OPS_H
#define TMA_METRICS_OPS_H

#include "metrics/expr.h"
#include "metrics/literal.h"
#include "metrics/program.h"

/* Beside the operators of enum expr_op: where values come from. */
enum {
	OP_CONST = EXPR_NUMBER,
	OP_COLUMN = EXPR_ID,		    /* at[0] is the column */
	OP_SOURCES = EXPR_SOURCE_COUNT,	    /* at[0] is the column */
	OP_ROW = EXPR_LITERAL,		    /* at[0] is the enum row_count */
};

/**
 * struct op - an operation
 * @op:   OP_* or an operator
 * @at:   operands, numbers of earlier operations; the column
 * @number: (OP_CONST) the value; (OP_ROW) that of the whole machine
 */
struct op {
	int op;
	int at[3];
	double number;
};

/**
 * struct program
 * @at, @nr:  operations in an order that can be evaluated
 * @outputs:  operation of each output
 * @slots:    operation numbers by hash, -1 when empty; @nr_slots is a power of two
 * @scratch:  rows of values: one row of @reserved doubles for each operation that needs one
 * @values:   for each operation, its row
 * @row_counts: of program__set_rows()
 * @missing:  laid out as @scratch: the value would come of a count that is missing
 */
struct program {
	const struct metrics_scope *scope;
	struct literals literals;
	struct op *at;
	int nr, cap;
	int *outputs;
	int nr_outputs;
	int *slots;
	int nr_slots;
	int reserved;
	double *scratch;
	const double **values, *row_counts;
	bool *missing;
};

/**
 * ops__add() - the number of an operation, which is added when it is not there yet
 *
 * An operator over constants becomes a constant.
 */
int ops__add(struct program *p, int op, int a, int b, int c);
/** ops__row_count() - the number of a literal which is another in each row. */
int ops__row_count(struct program *p, enum row_count count, double machine);
/** ops__constant() - the number of a constant. */
int ops__constant(struct program *p, double number);

#endif
