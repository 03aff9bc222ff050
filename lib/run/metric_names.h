/* SPDX-License-Identifier: GPL-2.0-only */
/* The text of a -M comes in: names of metrics, and metrics that are defined on the spot. */
#ifndef TMA_RUN_METRIC_NAMES_H
#define TMA_RUN_METRIC_NAMES_H

struct err;
struct host_options;
struct sb;

/**
 * metric_names__add() - take up the text of a -M
 * @names: names are appended to, after a comma: those in the text, and of what it defines
 * @host:  has the definitions for as long as the process lives; and knows the metrics that need no
 *         tables if the text names one
 * @text:  items between commas: names of metrics and groups, and 'name = expression', in which a
 *         comma in brackets or between two @ ends nothing
 *
 * Return: 0 or -EINVAL.
 */
int metric_names__add(struct sb *names, struct host_options *host, const char *text,
		      struct err *err);

#endif
