// SPDX-License-Identifier: GPL-2.0-only
/* Find the denominator that the formulas of metrics of a TopDown level have in common. */
#include <stdlib.h>

#include "base/xalloc.h"
#include "metrics/ops.h"

/**
 * struct vote - the votes for an operation to be the denominator
 * @nr:   number of values that divide by the operation
 * @depth: number of operations before it in a walk down from the first of these values
 */
struct vote {
	int nr, depth;
};

/**
 * struct whole_walk - a walk through the operations that a value depends on
 * @queue: operations in the order in which they were met; @met: for each operation, whether it was
 *         met
 * @voted: for each operation, whether the value has voted for it
 */
struct whole_walk {
	int *queue, nr;
	bool *met, *voted;
};

static void meet(struct whole_walk *w, int op)
{
	if (w->met[op])
		return;
	w->met[op] = true;
	w->queue[w->nr++] = op;
}

static int operands(const struct op *op)
{
	return !expr_op__is_operator(op->op) ? 0 : op->op == EXPR_IF ? 3 : 2;
}

static bool divides(const struct op *op)
{
	return op->op == EXPR_DIV || op->op == EXPR_D_RATIO;
}

static void vote(const struct program *p, int value, struct whole_walk *w, struct vote *votes)
{
	w->nr = 0;
	for (int i = 0; i < p->nr; i++)
		w->met[i] = w->voted[i] = false;
	meet(w, value);
	for (int i = 0; i < w->nr; i++) {
		const struct op *op = &p->at[w->queue[i]];
		int by = op->at[1];

		for (int k = 0; k < operands(op); k++)
			meet(w, op->at[k]);
		if (!divides(op) || p->at[by].op == OP_CONST || w->voted[by])
			continue;
		w->voted[by] = true;
		if (!votes[by].nr++)
			votes[by].depth = i;
	}
}

static int elect(const struct vote *votes, int nr)
{
	int best = -1;

	for (int i = 0; i < nr; i++)
		if (votes[i].nr &&
		    (best < 0 || votes[i].nr > votes[best].nr ||
		     (votes[i].nr == votes[best].nr && votes[i].depth < votes[best].depth)))
			best = i;
	return best;
}

int program__add_whole(struct program *p, const int *values, int nr)
{
	struct whole_walk w = {
		.queue = xcalloc(p->nr + 1, sizeof(*w.queue)),
		.met = xcalloc(p->nr + 1, sizeof(*w.met)),
		.voted = xcalloc(p->nr + 1, sizeof(*w.voted)),
	};
	struct vote *votes = xcalloc(p->nr + 1, sizeof(*votes));
	int whole;

	for (int i = 0; i < nr; i++)
		vote(p, p->outputs[values[i]], &w, votes);
	whole = elect(votes, p->nr);
	free(votes);
	free(w.voted);
	free(w.met);
	free(w.queue);
	if (whole < 0)
		return -1;
	p->outputs = xreallocarray(p->outputs, p->nr_outputs + 1, sizeof(*p->outputs));
	p->outputs[p->nr_outputs] = whole;
	return p->nr_outputs++;
}

bool program__has_factor(const struct program *p, int output)
{
	const struct op *op = &p->at[p->outputs[output]];

	return op->op == EXPR_MUL &&
	       (p->at[op->at[0]].op == OP_CONST || p->at[op->at[1]].op == OP_CONST);
}
