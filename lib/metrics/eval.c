// SPDX-License-Identifier: GPL-2.0-only
/* Programs evaluated: operation by operation, each over all rows. */
#include <math.h>
#include <stdlib.h>

#include "base/xalloc.h"
#include "metrics/ops.h"

void program__reserve(struct program *p, int rows)
{
	size_t cells = (size_t)p->nr * rows;

	p->values = xreallocarray(p->values, p->nr + 1, sizeof(*p->values));
	p->scratch = xreallocarray(p->scratch, cells + 1, sizeof(*p->scratch));
	free(p->missing);
	p->missing = xcalloc(cells + 1, sizeof(*p->missing));
	p->reserved = rows;
	for (int i = 0; i < p->nr; i++) {
		double *row = p->scratch + (size_t)i * rows;

		p->values[i] = row;
		for (int k = 0; p->at[i].op == OP_CONST && k < rows; k++)
			row[k] = p->at[i].number;
	}
}

void program__set_rows(struct program *p, const double *counts)
{
	p->row_counts = counts;
}

static void eval_sources(const int *sources, int rows, double *to)
{
	for (int row = 0; row < rows; row++)
		to[row] = sources ? sources[row] : 1;
}

static void eval_row_count(const struct program *p, const struct op *op, int rows, double *to)
{
	for (int row = 0; row < rows; row++)
		to[row] = p->row_counts ? p->row_counts[op->at[0] * rows + row] : op->number;
}

static void eval_operator(enum expr_op op, const double *a, const double *b, const double *c,
			  int rows, double *to)
{
	for (int row = 0; row < rows; row++)
		to[row] = expr_op__apply(op, a[row], b[row], c[row]);
}

static void eval_values(struct program *p, int rows, const double *in, const int *sources)
{
	for (int i = 0; i < p->nr; i++) {
		const struct op *op = &p->at[i];
		double *to = p->scratch + (size_t)i * p->reserved;
		size_t column = (size_t)op->at[0] * rows;

		if (op->op == OP_CONST)
			continue;
		if (op->op == OP_COLUMN)
			p->values[i] = in + column;
		else if (op->op == OP_SOURCES)
			eval_sources(sources ? sources + column : NULL, rows, to);
		else if (op->op == OP_ROW)
			eval_row_count(p, op, rows, to);
		else
			eval_operator(op->op, p->values[op->at[0]], p->values[op->at[1]],
				      p->values[op->at[2]], rows, to);
	}
}

static bool any_missing(const struct program *p, int rows)
{
	for (int i = 0; i < p->nr; i++)
		for (int row = 0; p->at[i].op == OP_COLUMN && row < rows; row++)
			if (isnan(p->values[i][row]))
				return true;
	return false;
}

static bool is_missing(const struct program *p, const struct op *op, int row)
{
	const bool *missing = p->missing + row;
	bool a = missing[(size_t)op->at[0] * p->reserved];
	bool b = missing[(size_t)op->at[1] * p->reserved];
	bool c = missing[(size_t)op->at[2] * p->reserved];

	switch (op->op) {
	case EXPR_IF:
		return b || (fpclassify(p->values[op->at[1]][row]) == FP_ZERO ? c : a);
	case EXPR_AND:
	case EXPR_OR:
		return (a && (b || !expr_op__decides(op->op, p->values[op->at[1]][row]))) ||
		       (b && (a || !expr_op__decides(op->op, p->values[op->at[0]][row])));
	default:
		return a || b || c;
	}
}

static void find_missing(struct program *p, int rows)
{
	for (int i = 0; i < p->nr; i++) {
		const struct op *op = &p->at[i];
		bool *to = p->missing + (size_t)i * p->reserved;

		for (int row = 0; row < rows; row++) {
			if (op->op == OP_COLUMN)
				to[row] = isnan(p->values[i][row]);
			else if (expr_op__is_operator(op->op))
				to[row] = is_missing(p, op, row);
		}
	}
}

void program__eval(struct program *p, int rows, const double *in, const int *sources, double *out)
{
	bool missing;

	eval_values(p, rows, in, sources);
	missing = any_missing(p, rows);
	if (missing)
		find_missing(p, rows);
	for (int i = 0; i < p->nr_outputs; i++) {
		const double *value = p->values[p->outputs[i]];
		const bool *lost = p->missing + (size_t)p->outputs[i] * p->reserved;

		for (int row = 0; row < rows; row++)
			*out++ = missing && lost[row] ? NAN : value[row];
	}
}
