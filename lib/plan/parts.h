/* SPDX-License-Identifier: GPL-2.0-only */
/* The sub-expressions of a metric, and the events that each of them uses. */
#ifndef TMA_PLAN_PARTS_H
#define TMA_PLAN_PARTS_H

#include <stdint.h>

#include "base/vec.h"
#include "metrics/program.h"

/**
 * struct parts_expr - an expression of a metric, and the ids that its parts use
 * @names: the result of metric__names()
 * @ids:   for each node, @words words with a bit for each id of the metric: whether the node uses
 *         the id
 * @seen:  the walk has visited the expression
 */
struct parts_expr {
	const struct expr *expr;
	const int *names;
	uint64_t *ids;
	bool seen;
};

/**
 * struct parts - the parts of a metric, and a walk over them
 * @exprs: its expressions, in the order of metric__expr()
 * @todo:  parts that are still to be visited; the last of them comes next
 */
struct parts {
	struct metric *m;
	struct parts_expr *exprs;
	int words;
	VEC(struct part) todo;
};

/** parts__init() - find out which ids the parts of a metric use; parts__free() frees the result. */
void parts__init(struct parts *p, struct metric *m);
/** parts__free() - free what parts__init() made. */
void parts__free(struct parts *p);

/** part__root() - get the part that is a whole expression. */
struct part part__root(const struct expr *expr);
/**
 * parts__is_ratio() - find out whether a part is a division, or has no operands (count, constant)
 *
 * All other parts are sums, products and the like.
 */
bool parts__is_ratio(const struct parts *p, struct part part);
/**
 * parts__ids() - list the metric's ids that a part uses
 * @ids: set to the indexes of these ids in metric->ids[], in ascending order
 *
 * An id in a branch that a constant rules out is not used.
 *
 * Return: number of ids.
 */
int parts__ids(const struct parts *p, struct part part, int *ids);

/** parts__begin() - begin a walk at the root of an expression. */
void parts__begin(struct parts *p, const struct expr *expr);
/** parts__next() - get the next part, in the order of the text. Return: false at the end. */
bool parts__next(struct parts *p, struct part *out);
/**
 * parts__descend() - make the walk visit a part's operands, too; each referenced metric is visited
 * only once.
 */
void parts__descend(struct parts *p, struct part part);

#endif
