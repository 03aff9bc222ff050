/* SPDX-License-Identifier: GPL-2.0-only */
/* The parts of a program: program.c makes it from metrics, and eval.c evaluates it. */
#ifndef TMA_METRICS_OPS_H
#define TMA_METRICS_OPS_H

#include "metrics/expr_op.h"
#include "metrics/literal.h"
#include "metrics/program.h"

/* Operations that take a value from outside. All other operations are operators of enum expr_op. */
enum {
	OP_CONST = EXPR_NUMBER,
	OP_COLUMN = EXPR_ID,		    /* at[0] is the number of the column */
	OP_SOURCES = EXPR_SOURCE_COUNT,	    /* at[0] is the number of the column */
	OP_ROW = EXPR_LITERAL,		    /* at[0] is the enum row_count */
};

/**
 * struct op - an operation
 * @op:   kind of the operation: OP_* or an operator
 * @at:   the operands, which are numbers of earlier operations; the constants OP_* describe others
 * @number: (OP_CONST) the value; (OP_ROW) the value for the whole machine
 */
struct op {
	int op;
	int at[3];
	double number;
};

/**
 * struct moves - the operations that depend on a column
 * @ops:     the operations, sorted by number; empty if no metric uses the column
 * @outputs: numbers of the outputs that depend on the column
 */
struct moves {
	int *ops, nr_ops;
	int *outputs, nr_outputs;
};

/**
 * struct program - metrics that were compiled into operations
 * @at, @nr:  the operations, in an order in which they can be evaluated
 * @outputs:  for each output, the number of its operation
 * @slots:    hash table with numbers of operations; -1 in an empty slot; @nr_slots: number of
 *            slots, a power of two
 * @scratch:  memory for the rows of each operation's values, @reserved doubles for each operation
 * @values:   for each operation, its values
 * @row_counts: argument of the last call of program__set_rows()
 * @missing:  flags, in the order of @scratch, that are set if the value depends on a missing count;
 *            @any_missing: some flag is set
 * @moves:    for each of @nr_moves columns, the operations that depend on it
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

/** moves__free() - release the results of program__find_moves(). */
void moves__free(struct program *p);

#endif
