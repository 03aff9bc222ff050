/* SPDX-License-Identifier: GPL-2.0-only */
/* The text of a -M comes in; names of metrics go out, and metrics that the text defines. */
#ifndef TMA_RUN_METRIC_NAMES_H
#define TMA_RUN_METRIC_NAMES_H

struct err;
struct host_options;
struct sb;

/**
 * metric_names__add() - parse the text of a -M
 * @names: the names in the text are appended, after a comma, including those that it defines
 * @host:  gets the definitions, for as long as the process lives; also the metrics that do not need
 *         tables, if the text names one
 * @text:  items separated by commas: names of metrics and groups, and 'name = expression', in which
 *         a comma in brackets or between two @ does not separate
 *
 * Return: 0 or -EINVAL.
 */
int metric_names__add(struct sb *names, struct host_options *host, const char *text,
		      struct err *err);

#endif
