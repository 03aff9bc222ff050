/* SPDX-License-Identifier: GPL-2.0-only */
/* Find a part of a threshold that can never hold, or that must always hold, and the reason. */
#ifndef TMA_LINT_THRESHOLD_H
#define TMA_LINT_THRESHOLD_H

#include "lint/graph.h"

struct sb;

enum threshold_verdict {
	THRESHOLD_DEPENDS, /* the outcome depends on the counts, as it should */
	THRESHOLD_NEVER,
	THRESHOLD_ALWAYS,
};

/**
 * struct threshold_place - a part of a threshold whose outcome is known
 * @node:  node of the part in the expression
 * @other: node of another part that the part contradicts; -1 if its outcome does not depend on
 *         another part
 */
struct threshold_place {
	enum threshold_verdict verdict;
	int node, other;
};

/* A node whose range an assumption has narrowed; @before: its range before that. */
struct changed {
	int node;
	struct range before;
};

/**
 * struct solver - memory for questions about a graph; zeroed at first, except @graph
 * @graph: the graph; may grow between questions
 * @ranges: ranges of the graph's nodes under the present assumptions; between questions equal to
 *          the ranges in the graph
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
 * @places: nodes of the threshold in the solver's graph, from graph__add()
 * @out:    set to the first part that was found, or to THRESHOLD_DEPENDS
 *
 * The operands of | and of & are checked, and all pairs of operands of &. A result is certain, but
 * another part may have such an outcome without being found.
 */
void threshold__judge(struct solver *s, const struct expr *e, const int *places,
		      struct threshold_place *out);

/**
 * threshold__explain() - append the reason, "'tma_x' is never above 1" or "it contradicts 'tma_x >
 * 0.2'"
 * @text: text of the threshold
 */
void threshold__explain(const struct solver *s, const struct expr *e, const int *places,
			const char *text, const struct threshold_place *place, struct sb *sb);

#endif
