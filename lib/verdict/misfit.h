/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Find values of a TopDown tree that are impossible even within their errors: a share below 0 or
 * above 100 %, and children that do not add up to their parent. The cause is an erratum of the CPU,
 * a wrong formula, or a wrong count. Pure calculation.
 */
#ifndef TMA_VERDICT_MISFIT_H
#define TMA_VERDICT_MISFIT_H

#include "grid/grid.h"

/* Less is rounding: registers have 255 steps, and counters are not read at the same time. */
#define TOLERATED_PERCENT 2

enum misfit_kind {
	MISFIT_BELOW, /* 0 */
	MISFIT_ABOVE, /* 100 % */
	MISFIT_PARTS, /* children add up to something else */
};

/**
 * struct misfit - something impossible
 * @node: number of the node with the impossible value, or of the parent
 * @sum, @error: (MISFIT_PARTS) sum of the children, and of their and the parent's errors; else 0
 */
struct misfit {
	enum misfit_kind kind;
	int node;
	double sum, error;
};

/**
 * misfits__find() - find what does not fit in the nodes of a tree
 * @nodes: with values and errors as printed; nodes without a value or a known error are skipped
 * @found: room for 2 * @nr
 *
 * Children are added up only where they are a complete division of the same slots or uops. Most
 * nodes are not: cycles in which several things happened overlap. If a child was not measured, the
 * others may come to less. Return: how many were found.
 */
int misfits__find(const struct grid_node *nodes, int nr, struct misfit *found);
/**
 * misfits__mark() - mark the nodes whose values are impossible (struct grid_node's @impossible)
 *
 * A wrong value makes its siblings doubtful if they are parts of one sum, as the first level always
 * is; if children do not add up to their parent, all of them are marked.
 */
void misfits__mark(struct grid_node *nodes, int nr, const struct misfit *found, int nr_found);
/** misfit__print() - append the sentence about it: "tma_a -4.0 % +- 0.5 is below 0 %". */
void misfit__print(const struct misfit *m, const struct grid_node *nodes, struct sb *sb);

#endif
