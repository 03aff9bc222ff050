/* SPDX-License-Identifier: GPL-2.0-only */
/* Find the events that an expression needs on this machine. */
#ifndef TMA_METRICS_IDS_H
#define TMA_METRICS_IDS_H

#include "metrics/idset.h"
#include "metrics/literal.h"

struct expr_node;

/**
 * ids__collect() - collect the ids whose counts an expression needs
 * @scope, @literals: have the values of constants on this machine
 * @e: the expression; node->taken is set if a constant chooses an operand of an "if"
 *
 * Parts that constants rule out need no ids: x in 0 & x and x / 0, and the branch of an "if" that
 * is not chosen. The rules, which also decide the order of the ids, are those of perf 6.12: an
 * operator with two constant operands is a constant, except min and max. A constant with a sign is
 * a constant.
 *
 * Return: the ids, which are strings of @e; NULL if @e needs no ids.
 */
struct idset *ids__collect(const struct metrics_scope *scope, struct literals *literals,
			   struct expr *e);

/**
 * ids__leaf_value() - find the value of a node without operands before anything is counted
 *
 * strcmp_cpuid_str() is 1 if a pattern of mapfile.csv matches the CPU id. The CPU id may be
 * unknown.
 *
 * Return: the value; NaN if it is not known or must be counted.
 */
double ids__leaf_value(const struct metrics_scope *scope, struct literals *literals,
		       const struct expr_node *node);

#endif
