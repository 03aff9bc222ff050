/* SPDX-License-Identifier: GPL-2.0-only */
/* The sub-expressions of a metric, and which of its events they use. */
#ifndef TMA_PLAN_PARTS_H
#define TMA_PLAN_PARTS_H

#include <stdint.h>

#include "base/vec.h"
#include "metrics/program.h"

/**
 * struct parts_expr - what is known of the parts of an expression
 * @names: what metric__names() says of it
 * @ids:   for each node a bit for each of the metric's ids, in @words words: whether it uses the id
 * @seen:  the walk has been there
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
 * @todo:  parts still to be looked at, of which the last is the next
 */
struct parts {
	struct metric *m;
	struct parts_expr *exprs;
	int words;
	VEC(struct part) todo;
};

/** parts__init() - find out which ids the parts of a metric use; parts__free() it. */
void parts__init(struct parts *p, struct metric *m);
/** parts__free() - release it. */
void parts__free(struct parts *p);

/** part__root() - the part that is the whole of an expression. */
struct part part__root(const struct expr *expr);
/**
 * parts__is_ratio() - whether a part is a division, or has no operands: a count, a constant
 *
 * Any other part is put together from such parts.
 */
bool parts__is_ratio(const struct parts *p, struct part part);
/**
 * parts__ids() - which of the metric's ids a part uses
 * @ids: set to their places in metric->ids[], in ascending order
 *
 * An id of a branch that a constant rules out is not used.
 *
 * Return: how many.
 */
int parts__ids(const struct parts *p, struct part part, int *ids);

/** parts__begin() - begin a walk from an expression downwards. */
void parts__begin(struct parts *p, const struct expr *expr);
/** parts__next() - the next part, in the order of the text. Return: whether there is one. */
bool parts__next(struct parts *p, struct part *out);
/** parts__descend() - visit a part's operands too, and each metric referred to once. */
void parts__descend(struct parts *p, struct part part);

#endif
