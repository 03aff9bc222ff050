/* SPDX-License-Identifier: GPL-2.0-only */
/* Which events an expression needs on this machine. */
#ifndef TMA_METRICS_IDS_H
#define TMA_METRICS_IDS_H

#include "metrics/idset.h"
#include "metrics/literal.h"

struct expr;
struct metrics_scope;

/**
 * ids__collect() - the ids whose counts an expression needs
 * @scope, @literals: what constants are on this machine
 * @e:   the expression; the ids in @out are its strings
 * @out: set on success, to NULL when it needs none
 *
 * What constants decide leaves no ids: the branch not taken of an if, 0 & x, x / 0. The rules, and
 * through them the order of the ids, are perf 6.12's: an operator with two constant operands
 * is a constant, but min and max never are; a sign keeps a constant one.
 *
 * Return: 0 or -ENOMEM.
 */
int ids__collect(const struct metrics_scope *scope, struct literals *literals, const struct expr *e,
		 struct idset **out);

/**
 * ids__cpuid_matches() - strcmp_cpuid_str(): whether a pattern of mapfile.csv matches the CPU id
 *
 * Return: 1 or 0; NaN when the CPU id is unknown.
 */
double ids__cpuid_matches(const struct metrics_scope *scope, const char *pattern);

#endif
