/* SPDX-License-Identifier: GPL-2.0-only */
/* The sub-expressions of a metric, and which of its events they use. */
#ifndef TMA_PLAN_PARTS_H
#define TMA_PLAN_PARTS_H

#include <stdint.h>

#include "base/vec.h"
#include "metrics/program.h"

/**
 * struct parts_expr - what is known of the parts of an expression
 * @names: of metric__names()
 * @ids:   of each node, which of the metric's ids it uses: a bit each, in @words words
 * @seen:  a walk has been there
 */
struct parts_expr {
	const struct expr *expr;
	const int *names;
	uint64_t *ids;
	bool seen;
};

/**
 * struct parts - the parts of a metric, and a walk over them
 * @exprs: of the metrics it refers to, as in @m->refs, and behind them its value and its threshold
 * @todo:  parts still to be looked at: the next one is the last
 */
struct parts {
	struct metric *m;
	struct parts_expr *exprs;
	int words;
	VEC(struct part) todo;
};

/** parts__init() - find out what the parts of a metric use; parts__free() it. */
void parts__init(struct parts *p, struct metric *m);
/** parts__free() - release it. */
void parts__free(struct parts *p);

/** part__root() - the whole of an expression. */
struct part part__root(const struct expr *expr);
/**
 * parts__is_ratio() - whether the value of a part is made of counts in a way no sum of others is
 *
 * A division, or what has no operands: a count, a constant.
 */
bool parts__is_ratio(const struct parts *p, struct part part);
/**
 * parts__ids() - which of the metric's ids a part uses
 * @ids: set to their places in metric->ids[], in ascending order
 *
 * Ids of branches that constants rule out are used only where they are among the metric's for
 * another reason.
 *
 * Return: how many.
 */
int parts__ids(const struct parts *p, struct part part, int *ids);

/** parts__begin() - walk from an expression downwards. */
void parts__begin(struct parts *p, const struct expr *expr);
/** parts__next() - the next part, in the order of the text. Return: whether there is one. */
bool parts__next(struct parts *p, struct part *out);
/** parts__descend() - walk over the operands of a part too; a metric referred to comes once. */
void parts__descend(struct parts *p, struct part part);

#endif
