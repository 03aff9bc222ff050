/* SPDX-License-Identifier: GPL-2.0-only */
/* Thresholds in words. */
#ifndef TMA_METRICS_PHRASE_H
#define TMA_METRICS_PHRASE_H

struct expr;
struct metric_info;
struct sb;
struct tables;

/**
 * metrics__phrase() - append a threshold as the end of a sentence that begins "worth a look when"
 * @tables: what units the metrics named in it have
 * @metric: whose threshold it is
 * @e:      the threshold
 *
 * "it is above 10 %, its parent tma_memory_bound is above 20 % and tma_backend_bound is above 20 %".
 *
 * Return: 0; -ENOTSUP, @out being unchanged, for one that is more than comparisons with "and" and
 * "or" between them.
 */
int metrics__phrase(const struct tables *tables, const struct metric_info *metric,
		    const struct expr *e, struct sb *out);

#endif
