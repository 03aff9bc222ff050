/* SPDX-License-Identifier: GPL-2.0-only */
/* An expression comes in; the events that it needs on this machine come out. */
#ifndef TMA_METRICS_IDS_H
#define TMA_METRICS_IDS_H

#include "metrics/idset.h"
#include "metrics/literal.h"

struct expr_node;

/**
 * ids__collect() - collect the ids whose counts an expression needs
 * @scope, @literals: what constants are on this machine
 * @e: the expression, whose nodes are told which operand a constant chooses
 *
 * What constants decide leaves no ids: the branch not taken of an if, 0 & x, x / 0. The rules, and
 * through them the order of the ids, are perf 6.12's: an operator with two constant operands
 * is a constant, but min and max never are; a sign keeps a constant one.
 *
 * Return: the ids, which are strings of @e; NULL when it needs none.
 */
struct idset *ids__collect(const struct metrics_scope *scope, struct literals *literals,
			   struct expr *e);

/**
 * ids__leaf_value() - what a node without operands is on this machine before anything is counted
 *
 * strcmp_cpuid_str() is whether a pattern of mapfile.csv matches the CPU id, which may be unknown.
 *
 * Return: a number; NaN where it is not known, or counted.
 */
double ids__leaf_value(const struct metrics_scope *scope, struct literals *literals,
		       const struct expr_node *node);

#endif
