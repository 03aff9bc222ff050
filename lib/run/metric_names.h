/* SPDX-License-Identifier: GPL-2.0-only */
/* Parse the text of -M. The output is names of metrics, and the metrics that the text defines. */
#ifndef TMA_RUN_METRIC_NAMES_H
#define TMA_RUN_METRIC_NAMES_H

struct err;
struct host_options;
struct sb;

/**
 * metric_names__add() - parse the text of one -M
 * @names: the names in the text, including metrics that the text defines, are appended, each after
 *         a comma
 * @host:  receives the definitions, which are never freed. If the text names a metric that needs no
 *         tables, it also gets these metrics
 * @text:  items separated by commas: names of metrics and groups, and 'name = expression'. A comma
 *         in brackets or between two @ does not separate
 *
 * Return: 0 or -EINVAL.
 */
int metric_names__add(struct sb *names, struct host_options *host, const char *text,
		      struct err *err);

#endif
