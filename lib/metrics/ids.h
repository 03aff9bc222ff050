/* SPDX-License-Identifier: GPL-2.0-only */
/* Find the events that an expression needs on this machine. */
#ifndef TMA_METRICS_IDS_H
#define TMA_METRICS_IDS_H

#include "metrics/idset.h"
#include "metrics/literal.h"

struct expr_node;

/**
 * ids__collect() - collect the ids whose counts an expression needs
 * @scope, @literals: give the values of constants on this machine
 * @e: the expression; node->taken is set where a constant chooses an operand
 *
 * Parts that constants rule out need no ids: the branch not taken of an if, 0 & x, x / 0. The
 * rules, and through them the order of the ids, are perf 6.12's: an operator with two constant
 * operands is a constant, but min and max never are; a sign keeps a constant one.
 *
 * Return: the ids, which are strings of @e; NULL when it needs none.
 */
struct idset *ids__collect(const struct metrics_scope *scope, struct literals *literals,
			   struct expr *e);

/**
 * ids__leaf_value() - find the value of a node without operands before anything is counted
 *
 * strcmp_cpuid_str() is 1 if a pattern of mapfile.csv matches the CPU id, which may be unknown.
 *
 * Return: a number; NaN if it is not known or must be counted.
 */
double ids__leaf_value(const struct metrics_scope *scope, struct literals *literals,
		       const struct expr_node *node);

#endif
