/* SPDX-License-Identifier: GPL-2.0-only */
/* Programs evaluated: operation by operation, each over all rows. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "metrics/ops.h"

int program__reserve(struct program *p, int rows)
{
	const double **values = malloc((p->nr + 1) * sizeof(*values));
	double *scratch = malloc(((size_t)p->nr * rows + 1) * sizeof(*scratch));

	if (!values || !scratch) {
		free(values);
		free(scratch);
		return -ENOMEM;
	}
	free(p->values);
	free(p->scratch);
	p->values = values;
	p->scratch = scratch;
	p->reserved = rows;
	for (int i = 0; i < p->nr; i++) {
		values[i] = scratch + (size_t)i * rows;
		for (int row = 0; p->at[i].op == OP_CONST && row < rows; row++)
			scratch[(size_t)i * rows + row] = p->at[i].number;
	}
	return 0;
}

static void eval_sources(const int *sources, int rows, double *to)
{
	for (int row = 0; row < rows; row++)
		to[row] = sources ? sources[row] : 1;
}

static void eval_operator(enum expr_op op, const double *a, const double *b, const double *c,
			  int rows, double *to)
{
	for (int row = 0; row < rows; row++)
		to[row] = expr_op__apply(op, a[row], b[row], c[row]);
}

void program__eval(struct program *p, int rows, const double *in, const int *sources, double *out)
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
		else
			eval_operator(op->op, p->values[op->at[0]], p->values[op->at[1]],
				      p->values[op->at[2]], rows, to);
	}
	for (int i = 0; i < p->nr_outputs; i++)
		memcpy(out + (size_t)i * rows, p->values[p->outputs[i]], rows * sizeof(*out));
}
