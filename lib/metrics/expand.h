/* SPDX-License-Identifier: GPL-2.0-only */
/* What an expression comes to on this machine. */
#ifndef TMA_METRICS_EXPAND_H
#define TMA_METRICS_EXPAND_H

#include <stdbool.h>

struct err;
struct expr;
struct metrics_scope;

/**
 * expr__expand() - an expression with what is known of this machine put in
 * @pmu:  PMU whose metrics names may refer to; NULL leaves all names as they are
 * @e:    the expression, which is not changed
 * @out:  set on success; expr__free() it
 *
 * Literals become their values, has_event() and strcmp_cpuid_str() 1 or 0; of an if whose condition
 * is known the branch that is taken is left, of operators on constants the result; x * 1 and x / 1
 * are x. The value is the same as that of @e, whatever the counts.
 *
 * With @pmu, names of metrics are replaced by what their own formulas come to. The tree of one
 * that is used twice stands there once: use expr__width() before printing it.
 *
 * Return: 0; -EINVAL or -E2BIG for a formula that cannot be read; -ELOOP when one refers to itself;
 * -E2BIG for references deeper than RESOLVE_MAX_DEPTH.
 */
int expr__expand(const struct metrics_scope *scope, const char *pmu, const struct expr *e,
		 struct expr **out, struct err *err);

#endif
