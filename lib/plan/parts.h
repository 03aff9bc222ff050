/* SPDX-License-Identifier: GPL-2.0-only */
/* The sub-expressions of a metric, and which of its events they use. */
#ifndef TMA_PLAN_PARTS_H
#define TMA_PLAN_PARTS_H

#include <stdbool.h>

#include "metrics/metrics.h"

struct expr;

/**
 * struct part - a sub-expression
 * @expr: the metric's value or threshold, or the value of a metric it refers to
 * @node: which of its nodes; the operands of a node are earlier ones
 */
struct part {
	const struct expr *expr;
	int node;
};

struct parts {
	struct part *at;
	int nr, cap;
};

/**
 * struct parts_walk - parts that are still to be looked at, of one metric
 * @todo: the next one is the last
 * @seen_refs: of each metric referred to, whether it was there; each comes once
 */
struct parts_walk {
	const struct metric *m;
	struct parts todo;
	bool *seen_refs;
};

/** part__root() - the whole of an expression. */
struct part part__root(const struct expr *expr);

/**
 * part__is_ratio() - whether its value is made of counts in a way that no sum of others is
 * @m: whose part it is
 *
 * A division, or what has no operands: a count, a constant.
 */
bool part__is_ratio(const struct metric *m, const struct part *part);

/** parts_walk__init() - nothing to look at yet. Return: 0 or -ENOMEM; free it in both cases. */
int parts_walk__init(struct parts_walk *w, const struct metric *m);
/** parts_walk__free() - release it. */
void parts_walk__free(struct parts_walk *w);
/** parts_walk__begin() - start again, with this part. Return: 0 or -ENOMEM. */
int parts_walk__begin(struct parts_walk *w, struct part part);
/** parts_walk__next() - the next part, in the order of the text. Return: whether there is one. */
bool parts_walk__next(struct parts_walk *w, struct part *out);
/** parts_walk__descend() - look at the operands of a part too. Return: 0 or -ENOMEM. */
int parts_walk__descend(struct parts_walk *w, const struct part *part);

/**
 * parts_walk__ids() - which of the metric's ids a part uses
 * @w:    is begun anew
 * @used: a flag for each of metric->ids[]
 *
 * Ids of branches that constants rule out are used only where they are among the metric's for
 * another reason. Return: 0 or -ENOMEM.
 */
int parts_walk__ids(struct parts_walk *w, struct part part, bool *used);

#endif
