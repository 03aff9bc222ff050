/* SPDX-License-Identifier: GPL-2.0-only */
/* What became of a sum, and why, in words: one table for all writers. */
#ifndef TMA_REPORT_REASON_H
#define TMA_REPORT_REASON_H

#include "report/own.h"

/** sum__at() - an event in a bucket. */
const struct sum *sum__at(const struct report *r, int event, int bucket);
/** sum__percent() - share of the time it was enabled; NAN where it never was. */
double sum__percent(const struct sum *s);
/** reason__status() - what became of a sum. */
enum cell_status reason__status(const struct report *r, const struct sum *s);
/**
 * reason__of() - why a sum has that status, in words
 *
 * Return: NULL for CELL_COUNTED. Lives as long as the report.
 */
const char *reason__of(const struct report *r, int event, int bucket, enum cell_status status);
/**
 * reason__of_part() - why a number is of a part of the time: events took turns, or a task was
 * elsewhere, or both
 * @pmu: the core PMU it is of, if it is; @percent: of the time
 */
const char *reason__of_part(const struct report *r, const struct pmu *pmu, int bucket,
			    double percent);

#endif
