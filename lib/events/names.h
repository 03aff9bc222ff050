/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A walk over every event that can be named on a machine, for listing: in come a scope and the
 * kinds that are wanted, out of it comes a struct event_name for each.
 */
#ifndef TMA_EVENTS_NAMES_H
#define TMA_EVENTS_NAMES_H

#include <stdbool.h>
#include <stdint.h>

struct event_info;
struct events_scope;
struct pmu;
struct sb;

enum name_kind {
	NAME_KIND_HARDWARE,
	NAME_KIND_SOFTWARE,
	NAME_KIND_TOOL, /* the program itself counts it */
	NAME_KIND_CACHE,
	NAME_KIND_PMU,	      /* of sysfs and of the tables */
	NAME_KIND_GAUGE,      /* a value in a file: hwmon, drm */
	NAME_KIND_RAW,	      /* a form to write any other event of a PMU, no event itself */
	NAME_KIND_BREAKPOINT, /* likewise */
	NAME_KIND_TRACEPOINT,
	NAME_KIND_NR,
};

/**
 * struct event_name - an event as it can be given to -e; texts are "" when there is nothing to say
 * @kind:  its kind
 * @topic: heading of its own, "tool", "cache", "floating point", or ""
 * @name:  text for -e, "cycles", "msr/tsc/", "inst_retired.any", "sched:sched_switch"
 * @alias: another text for it
 * @pmu:   PMU it counts on, by its name in the tables where it comes from there ("uncore_cha")
 * @desc:  one line
 * @long_desc: more; with @goes_on what follows @desc (tables__put_desc())
 * @terms: its encoding as terms of @pmu; set only when details were asked for
 * @unit, @scale: a count is multiplied with @scale and is in @unit then; set as @terms is
 * @deprecated: the vendor wants another used
 * @newer: (TOOL) perf 6.12 does not list it
 * @type, @config: (HARDWARE, SOFTWARE, CACHE) for perf_event_attr
 * @on: the PMU, or the first of several instances; NULL when it is of none
 * @info: of the tables, or NULL
 */
struct event_name {
	enum name_kind kind;
	const char *topic, *name, *alias, *pmu, *desc, *long_desc, *terms, *unit;
	double scale;
	bool deprecated, newer, goes_on;
	uint32_t type;
	uint64_t config;
	struct pmu *on;
	const struct event_info *info;
};

/* The start of an initialiser of struct event_name, for all that is not said behind it. */
#define EVENT_NAME_INIT                                                                            \
	.topic = "", .name = "", .alias = "", .pmu = "", .desc = "", .long_desc = "", .terms = "", \
	.unit = "", .scale = 1.0

/**
 * struct event_names - a walk over the names
 * @kinds:     a bit (1 << NAME_KIND_*) for each kind to be visited
 * @instances: each instance of an uncore unit by itself, instead of the unit by its common name
 * @details:   terms, scale and unit are wanted: sysfs is read for them
 * @visit:     called for each; what it is given lives until it returns
 * @arg:       handed to @visit
 * @absent:    events of the tables whose PMU this machine does not have, too: they have no @on
 */
struct event_names {
	unsigned int kinds;
	bool instances, details;
	void (*visit)(void *arg, const struct event_name *name);
	void *arg;
	bool absent;
};

/** events__each() - visit events this machine can name: kinds in their order, topics together. */
void events__each(const struct events_scope *scope, const struct event_names *walk);
/**
 * event_name__fits() - whether the PMU's formats can hold the event of the tables
 *
 * It is false for an event whose PMU is not there, and true for one that is not of the tables.
 * events__parse() is asked only where a look at the terms leaves a doubt.
 */
bool event_name__fits(const struct events_scope *scope, const struct event_name *name);
/**
 * events__print_terms() - append terms with their numbers in hexadecimal, as perf list shows them
 * @terms: "event=0xd1,umask=0x20,period=100003"
 */
void events__print_terms(const char *terms, struct sb *out);

#endif
