/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What values of a TopDown tree say that cannot be, even within their errors: a share of less than
 * nothing or of more than all, and children that do not add up to their parent. It is an erratum of
 * the CPU or a wrong formula, or something was counted wrongly. Pure calculation.
 */
#ifndef TMA_VERDICT_MISFIT_H
#define TMA_VERDICT_MISFIT_H

#include "grid/grid.h"

/* Less than this is rounding, of registers with 255 steps and of reads that are not at one time. */
#define TOLERATED_PERCENT 2

enum misfit_kind {
	MISFIT_BELOW, /* 0 */
	MISFIT_ABOVE, /* 100 % */
	MISFIT_PARTS, /* children add up to something else */
};

/**
 * struct misfit - something that cannot be
 * @node: what is so much, or whose children are
 * @sum, @error: of the children, and the errors of all, added up; of one value 0
 */
struct misfit {
	enum misfit_kind kind;
	int node;
	double sum, error;
};

/**
 * misfits__find() - find what does not fit in the nodes of a tree
 * @nodes: with values and errors as printed; what has no value, or an unknown error, says nothing
 * @found: room for 2 * @nr
 *
 * Children are added up where they are all the parts there are, of the same slots or uops. Of most
 * nodes they are not: cycles in which several things were so overlap. Where one child was not
 * measured the others may come to less. Return: how many there are.
 */
int misfits__find(const struct grid_node *nodes, int nr, struct misfit *found);
/**
 * misfits__mark() - mark the nodes that cannot be (struct grid_node's @impossible)
 *
 * A value that cannot be is wrong, and so perhaps are those beside it which are parts of the same
 * sum, of the first level always; where children do not come to their parent, all of them.
 */
void misfits__mark(struct grid_node *nodes, int nr, const struct misfit *found, int nr_found);
/** misfit__print() - append the sentence that says so: "tma_a -4.0 % +- 0.5 is below 0 %". */
void misfit__print(const struct misfit *m, const struct grid_node *nodes, struct sb *sb);

#endif
