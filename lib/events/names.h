/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A walk over every event that can be named on a machine, to list them: from a scope and the kinds
 * wanted it makes a struct event_name for each.
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
	NAME_KIND_PMU,	      /* in sysfs or in the tables */
	NAME_KIND_GAUGE,      /* a value in a file: hwmon, drm */
	NAME_KIND_RAW,	      /* not an event but a form to write any other event of a PMU */
	NAME_KIND_BREAKPOINT, /* likewise */
	NAME_KIND_TRACEPOINT,
	NAME_KIND_NR,
};

/**
 * struct event_name - an event as it can be given to -e; texts are "" where there is none
 * @kind:  its kind
 * @topic: heading of its own, "tool", "cache", "floating point", or ""
 * @name:  text for -e, "cycles", "msr/tsc/", "inst_retired.any", "sched:sched_switch"
 * @alias: another text for it
 * @pmu:   PMU it counts on, by its name in the tables if it comes from there ("uncore_cha")
 * @desc:  description in one line
 * @long_desc: more; with @goes_on the part that follows @desc (tables__put_desc())
 * @terms: its encoding as terms of @pmu; set only when details were asked for
 * @unit, @scale: a count is printed multiplied by @scale, in @unit; set if @terms is
 * @deprecated: the vendor recommends another event
 * @newer: (TOOL) perf 6.12 does not list it
 * @type, @config: (HARDWARE, SOFTWARE, CACHE) for perf_event_attr
 * @on: the PMU, or the first of several instances; NULL if it has none
 * @info: its entry in the tables, or NULL
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

/* The start of an initialiser of struct event_name, with defaults that later members override. */
#define EVENT_NAME_INIT                                                                            \
	.topic = "", .name = "", .alias = "", .pmu = "", .desc = "", .long_desc = "", .terms = "", \
	.unit = "", .scale = 1.0

/**
 * struct event_names - a walk over the names
 * @kinds:     a bit (1 << NAME_KIND_*) for each kind to be visited
 * @instances: visit each instance of an uncore unit, instead of the unit by its common name
 * @details:   terms, scale and unit are wanted: sysfs is read for them
 * @visit:     called for each; its argument is valid until it returns
 * @arg:       handed to @visit
 * @absent:    also visit events of the tables whose PMU this machine does not have: @on is NULL
 */
struct event_names {
	unsigned int kinds;
	bool instances, details;
	void (*visit)(void *arg, const struct event_name *name);
	void *arg;
	bool absent;
};

/** events__each() - visit events that can be named here: by kind, then by topic. */
void events__each(const struct events_scope *scope, const struct event_names *walk);
/**
 * event_name__fits() - find out whether the PMU's formats can hold an event of the tables
 *
 * It is false if the machine does not have the PMU, and true for an event that is not in the
 * tables. events__parse() is only called if the terms alone leave a doubt, as it is slow.
 */
bool event_name__fits(const struct events_scope *scope, const struct event_name *name);
/**
 * events__print_terms() - append terms with their numbers in hexadecimal, as perf list shows them
 * @terms: "event=0xd1,umask=0x20,period=100003"
 */
void events__print_terms(const char *terms, struct sb *out);

#endif
