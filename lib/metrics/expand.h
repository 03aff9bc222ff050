/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Replace the literals, constants and metric names in an expression by their values on this
 * machine.
 */
#ifndef TMA_METRICS_EXPAND_H
#define TMA_METRICS_EXPAND_H

#include <stdbool.h>

struct err;
struct expr;
struct metrics_scope;

/**
 * expr__expand() - replace all parts of an expression that are known on this machine
 * @pmu:  PMU of the metrics that names may refer to; NULL: all names stay unchanged
 * @e:    the expression, which is not changed
 * @out:  set on success; expr__free() frees it
 *
 * Literals are replaced by their values, and has_event() and strcmp_cpuid_str() by 1 or 0. An "if"
 * whose condition is known is replaced by the chosen branch, operators on constants by the result,
 * and x * 1 and x / 1 by x. For any counts, the value is equal to that of @e.
 *
 * With @pmu, names of metrics are replaced by the metrics' expanded formulas. If a metric is used
 * twice, both uses share its nodes: use expr__width() before printing.
 *
 * Return: 0; -EINVAL or -E2BIG for a formula that cannot be read; -ELOOP if a formula refers to
 * itself; -E2BIG for references deeper than RESOLVE_MAX_DEPTH.
 */
int expr__expand(const struct metrics_scope *scope, const char *pmu, const struct expr *e,
		 struct expr **out, struct err *err);

#endif
