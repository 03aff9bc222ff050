/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Find values of a TopDown tree that are impossible even with their errors: shares below 0 or above
 * 100 %, and children that do not add up to their parent. Causes are errata of CPUs, wrong formulas
 * and wrong counts. Pure calculation.
 */
#ifndef TMA_VERDICT_MISFIT_H
#define TMA_VERDICT_MISFIT_H

#include "grid/grid.h"

/*
 * Smaller deviations are rounding: registers have 255 steps, and counters are not read
 * simultaneously.
 */
#define TOLERATED_PERCENT 2

enum misfit_kind {
	MISFIT_BELOW, /* 0 */
	MISFIT_ABOVE, /* 100 % */
	MISFIT_PARTS, /* children do not add up to the parent */
};

/**
 * struct misfit - an impossible value, or an impossible sum of children
 * @node: number of the node with the impossible value, or of the parent of the children
 * @sum, @error: (MISFIT_PARTS) sum of the children, and sum of the errors of children and parent;
 *               for other kinds 0
 */
struct misfit {
	enum misfit_kind kind;
	int node;
	double sum, error;
};

/**
 * misfits__find() - find impossible values and sums in a tree
 * @nodes: nodes with printed values and errors; nodes without a value or with an unknown error are
 *         skipped
 * @found: room for 2 * @nr
 *
 * Children are added up only if they divide the same slots or uops completely. Most children do
 * not: cycles in which several things happened overlap. If a child was not measured, the sum of the
 * others may be too small. Return: number of misfits.
 */
int misfits__find(const struct grid_node *nodes, int nr, struct misfit *found);
/**
 * misfits__mark() - mark the nodes whose values are impossible (struct grid_node's @impossible)
 *
 * A wrong value makes its siblings doubtful if they are parts of one sum, such as the first level.
 * If children do not add up to their parent, all children are marked.
 */
void misfits__mark(struct grid_node *nodes, int nr, const struct misfit *found, int nr_found);
/** misfit__print() - append a sentence on a misfit: "tma_a -4.0 % +- 0.5 is below 0 %". */
void misfit__print(const struct misfit *m, const struct grid_node *nodes, struct sb *sb);

#endif
