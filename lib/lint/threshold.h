/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A threshold comes in; a part of it that can never or must always hold comes out, with the reason.
 */
#ifndef TMA_LINT_THRESHOLD_H
#define TMA_LINT_THRESHOLD_H

#include "lint/graph.h"

struct sb;

enum threshold_verdict {
	THRESHOLD_DEPENDS, /* it depends on the counts, as it should */
	THRESHOLD_NEVER,
	THRESHOLD_ALWAYS,
};

/**
 * struct threshold_place - a part of a threshold of which something is known
 * @node:  the part, a node of the expression
 * @other: a part with which it can never hold together; -1 when it cannot for itself
 */
struct threshold_place {
	enum threshold_verdict verdict;
	int node, other;
};

/* An assumption has narrowed the range of a node, which was @before. */
struct changed {
	int node;
	struct range before;
};

/**
 * struct solver - the memory of one question after another about a graph
 * @graph: may grow between them; zeroed but for this
 * @ranges: what the graph's nodes can be if what was assumed holds; as in the graph between
 * questions
 */
struct solver {
	const struct graph *graph;
	VEC(struct range) ranges;
	VEC(struct changed) changed;
	VEC(int) todo;
	int branches, steps, total;
};

/** solver__free() - release the solver's memory. */
void solver__free(struct solver *s);

/**
 * threshold__judge() - find a part of a threshold whose outcome does not depend on the counts
 * @e:      the threshold
 * @places: its nodes in the solver's graph, from graph__add()
 * @out:    set to the first such part, or to THRESHOLD_DEPENDS
 *
 * The parts looked at are the operands of | and of &, and the pairs of operands of &. What is said
 * is certain; what is not said may still be so.
 */
void threshold__judge(struct solver *s, const struct expr *e, const int *places,
		      struct threshold_place *out);

/**
 * threshold__explain() - append why, "'tma_x' is never above 1" or "it contradicts 'tma_x > 0.2'"
 * @text: of the threshold
 */
void threshold__explain(const struct solver *s, const struct expr *e, const int *places,
			const char *text, const struct threshold_place *place, struct sb *sb);

#endif
