/* SPDX-License-Identifier: GPL-2.0-only */
/* The parts of a program: program.c makes it from metrics, and eval.c evaluates it. */
#ifndef TMA_METRICS_OPS_H
#define TMA_METRICS_OPS_H

#include "metrics/expr_op.h"
#include "metrics/literal.h"
#include "metrics/program.h"

/* Operations that take a value from outside; all others are operators of enum expr_op. */
enum {
	OP_CONST = EXPR_NUMBER,
	OP_COLUMN = EXPR_ID,		    /* at[0] is the column */
	OP_SOURCES = EXPR_SOURCE_COUNT,	    /* at[0] is the column */
	OP_ROW = EXPR_LITERAL,		    /* at[0] is the enum row_count */
};

/**
 * struct op - an operation
 * @op:   OP_* or an operator
 * @at:   the operands, which are numbers of earlier operations; for OP_* see there
 * @number: (OP_CONST) the value; (OP_ROW) the value for the whole machine
 */
struct op {
	int op;
	int at[3];
	double number;
};

/**
 * struct moves - the operations that depend on a column
 * @ops:     the operations, in the order of their numbers; none if no metric uses it
 * @outputs: the outputs among them
 */
struct moves {
	int *ops, nr_ops;
	int *outputs, nr_outputs;
};

/**
 * struct program - metrics as operations
 * @at, @nr:  the operations, in an order in which they can be evaluated
 * @outputs:  for each output the number of its operation
 * @slots:    numbers of operations by hash, -1 where empty; @nr_slots is a power of two
 * @scratch:  a row of @reserved doubles for each operation that needs one
 * @values:   for each operation its row
 * @row_counts: argument of the last program__set_rows()
 * @missing:  flags laid out as @scratch, set if the value depends on a count that is missing;
 *            @any_missing: any is set
 * @moves:    for each of @nr_moves columns the operations that depend on it
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
	bool *missing, any_missing;
	struct moves *moves;
	int nr_moves;
};

/** moves__free() - release what program__find_moves() has found. */
void moves__free(struct program *p);

#endif
