/* SPDX-License-Identifier: GPL-2.0-only */
/* Every event that can be named on this machine, for listing and for suggestions. */
#ifndef TMA_EVENTS_NAMES_H
#define TMA_EVENTS_NAMES_H

#include <stdbool.h>

struct events_scope;

/**
 * struct event_name - an event as it can be given to -e
 * @topic: kind of event or topic of the tables: "hardware", "software", "hardware cache", "tool",
 *         "kernel pmu", "floating point", "tracepoint"
 * @name:  text for -e, "cycles", "msr/tsc/", "inst_retired.any", "sched:sched_switch"
 * @alias: another name of it, or ""
 * @pmu:   PMU it counts on, or ""
 * @desc:  one line, or ""
 * @long_desc: more, or ""
 * @deprecated: the vendor wants another used
 */
struct event_name {
	const char *topic, *name, *alias, *pmu, *desc, *long_desc;
	bool deprecated;
};

/**
 * events__each() - visit every event this machine can name, topics standing together
 * @visit: called for each; what it is given lives until it returns; non-zero stops the walk
 * @arg:   handed to @visit
 *
 * Return: 0, what @visit returned, or -errno.
 */
int events__each(const struct events_scope *scope,
		 int (*visit)(void *arg, const struct event_name *name), void *arg);

#endif
