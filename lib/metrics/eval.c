// SPDX-License-Identifier: GPL-2.0-only
/* Operations are evaluated one after another, each for all rows. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "metrics/ops.h"

void program__reserve(struct program *p, int rows)
{
	size_t cells;

	/* A later call with fewer rows may use this memory. */
	rows = rows > p->reserved ? rows : p->reserved;
	cells = (size_t)p->nr * rows;
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

static inline void eval_operator(const struct program *p, const struct op *op, int rows, double *to)
{
	const double *a = p->values[op->at[0]], *b = p->values[op->at[1]];
	const double *c = p->values[op->at[2]];

	for (int row = 0; row < rows; row++)
		to[row] = expr_op__apply(op->op, a[row], b[row], c[row]);
}

/* Return: whether a count is missing. */
static inline bool find_missing_counts(const double *column, int rows, bool *missing)
{
	bool some = false;

	for (int row = 0; row < rows; row++)
		some |= missing[row] = isnan(column[row]);
	return some;
}

/* Find out whether missing operands make the value of "if", "&" or "|" missing. */
static bool is_missing(const struct program *p, const struct op *op, bool a, bool b, bool c,
		       int row)
{
	if (op->op == EXPR_IF)
		return b || (expr_op__is_zero(p->values[op->at[1]][row]) ? c : a);
	return (a && (b || !expr_op__decides(op->op, p->values[op->at[1]][row]))) ||
	       (b && (a || !expr_op__decides(op->op, p->values[op->at[0]][row])));
}

static inline void find_missing(const struct program *p, int i, int rows, size_t reserved)
{
	const struct op *op = &p->at[i];
	const bool *a = p->missing + op->at[0] * reserved, *b = p->missing + op->at[1] * reserved;
	const bool *c = p->missing + op->at[2] * reserved;
	bool *to = p->missing + i * reserved;

	for (int row = 0; row < rows; row++) {
		to[row] = a[row] | b[row] | c[row];
		if (to[row] && (op->op == EXPR_IF || op->op == EXPR_AND || op->op == EXPR_OR))
			to[row] = is_missing(p, op, a[row], b[row], c[row], row);
	}
}

static void eval_sources(const double *sources, int rows, double *to)
{
	for (int row = 0; row < rows; row++)
		to[row] = sources ? sources[row] : 1;
}

static void eval_row_count(const struct program *p, const struct op *op, int rows, double *to)
{
	for (int row = 0; row < rows; row++)
		to[row] = p->row_counts ? p->row_counts[op->at[0] * rows + row] : op->number;
}

/*
 * Compute the values of all operations. Missing counts are only traced from the first missing count
 * on. Return: whether there is one.
 */
static inline bool eval_values(struct program *p, int rows, size_t reserved, const double *in,
			      const double *sources)
{
	const struct op *op = p->at;
	double *to = p->scratch;
	bool some_missing = false;

	for (int i = 0, nr = p->nr; i < nr; i++, op++, to += reserved) {
		size_t column = (size_t)op->at[0] * rows;

		if (expr_op__is_operator(op->op)) {
			eval_operator(p, op, rows, to);
			if (some_missing)
				find_missing(p, i, rows, reserved);
		} else if (op->op == OP_COLUMN) {
			p->values[i] = in + column;
			some_missing |= find_missing_counts(in + column, rows,
							    p->missing + i * reserved);
		} else if (op->op == OP_SOURCES) {
			eval_sources(sources ? sources + column : NULL, rows, to);
		} else if (op->op == OP_ROW) {
			eval_row_count(p, op, rows, to);
		}
	}
	return some_missing;
}

static inline void put_out(const struct program *p, int output, int rows, double *out)
{
	const double *value = p->values[p->outputs[output]];
	const bool *lost = p->missing + (size_t)p->outputs[output] * p->reserved;

	out += (size_t)output * rows;
	for (int row = 0; row < rows; row++)
		out[row] = p->any_missing && lost[row] ? NAN : value[row];
}

/*
 * This copy for one row is compiled separately, with everything that it calls, as most grids have
 * one row.
 */
__attribute__((flatten, noinline)) static bool eval_row(struct program *p, const double *in,
							const double *sources)
{
	return eval_values(p, 1, 1, in, sources);
}

void program__eval(struct program *p, int rows, const double *in, const double *sources,
		   double *out)
{
	/* Counts that were missing in the last call may be present in this one. */
	if (p->any_missing)
		memset(p->missing, 0, (size_t)p->nr * p->reserved * sizeof(*p->missing));
	p->any_missing = rows == 1 && p->reserved == 1
				 ? eval_row(p, in, sources)
				 : eval_values(p, rows, p->reserved, in, sources);
	for (int i = 0; i < p->nr_outputs; i++)
		put_out(p, i, rows, out);
}

/* --- The operations that depend on a column --------------------------------------------------- */

void moves__free(struct program *p)
{
	for (int i = 0; i < p->nr_moves; i++) {
		free(p->moves[i].ops);
		free(p->moves[i].outputs);
	}
	free(p->moves);
	p->moves = NULL;
	p->nr_moves = 0;
}

/**
 * struct users - for each operation, the operations that it is an operand of
 * @at:    all lists in one array; the list of an operation begins at at[first[operation]]
 */
struct users {
	int *at, *first;
};

static void users__init(struct users *users, const struct program *p)
{
	int *next = xcalloc(p->nr + 2, sizeof(*next));

	for (int i = 0; i < p->nr; i++)
		for (int k = 0; k < 3 && expr_op__is_operator(p->at[i].op); k++)
			next[p->at[i].at[k] + 2]++;
	for (int i = 2; i < p->nr + 2; i++)
		next[i] += next[i - 1];
	users->at = xmalloc((next[p->nr + 1] + 1) * sizeof(*users->at));
	for (int i = 0; i < p->nr; i++)
		for (int k = 0; k < 3 && expr_op__is_operator(p->at[i].op); k++)
			users->at[next[p->at[i].at[k] + 1]++] = i;
	users->first = next;
}

static int by_number(const void *a, const void *b)
{
	return *(const int *)a - *(const int *)b;
}

static void find_moves(const struct program *p, const struct users *users, int column,
		       struct moves *m)
{
	bool *met = xcalloc(p->nr, sizeof(*met));

	m->ops = xmalloc(p->nr * sizeof(*m->ops));
	m->outputs = xmalloc((p->nr_outputs + 1) * sizeof(*m->outputs));
	m->ops[m->nr_ops++] = column;
	for (int i = 0; i < m->nr_ops; i++)
		for (int k = users->first[m->ops[i]]; k < users->first[m->ops[i] + 1]; k++) {
			if (!met[users->at[k]])
				m->ops[m->nr_ops++] = users->at[k];
			met[users->at[k]] = true;
		}
	met[column] = true;
	qsort(m->ops, m->nr_ops, sizeof(*m->ops), by_number);
	for (int i = 0; i < p->nr_outputs; i++)
		if (met[p->outputs[i]])
			m->outputs[m->nr_outputs++] = i;
	m->ops = xreallocarray(m->ops, m->nr_ops, sizeof(*m->ops));
	m->outputs = xreallocarray(m->outputs, m->nr_outputs + 1, sizeof(*m->outputs));
	free(met);
}

void program__find_moves(struct program *p)
{
	struct users users;

	moves__free(p);
	for (int i = 0; i < p->nr; i++)
		if (p->at[i].op == OP_COLUMN && p->at[i].at[0] >= p->nr_moves)
			p->nr_moves = p->at[i].at[0] + 1;
	p->moves = xcalloc(p->nr_moves + 1, sizeof(*p->moves));
	users__init(&users, p);
	for (int i = 0; i < p->nr; i++)
		if (p->at[i].op == OP_COLUMN)
			find_moves(p, &users, i, &p->moves[p->at[i].at[0]]);
	free(users.at);
	free(users.first);
}

static void eval_again(struct program *p, int i, int rows)
{
	const struct op *op = &p->at[i];
	size_t at = (size_t)i * p->reserved;

	if (op->op != OP_COLUMN)
		eval_operator(p, op, rows, p->scratch + at);
	if (!p->any_missing)
		return;
	if (op->op == OP_COLUMN)
		find_missing_counts(p->values[i], rows, p->missing + at);
	else
		find_missing(p, i, rows, p->reserved);
}

int program__eval_moved(struct program *p, int column, int rows, double *out, const int **outputs)
{
	const struct moves *m;

	if (column >= p->nr_moves)
		return 0;
	m = &p->moves[column];
	for (int i = 0; i < m->nr_ops; i++)
		eval_again(p, m->ops[i], rows);
	for (int i = 0; i < m->nr_outputs; i++)
		put_out(p, m->outputs[i], rows, out);
	*outputs = m->outputs;
	return m->nr_outputs;
}
