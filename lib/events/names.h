/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A walk over all events that can be named on a machine, to list them. Given a scope and kinds of
 * events, it makes a struct event_name for each event.
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
	NAME_KIND_TOOL, /* an event that the program itself counts */
	NAME_KIND_CACHE,
	NAME_KIND_PMU,	      /* an event in sysfs or in the tables */
	NAME_KIND_GAUGE,      /* a value in a file: hwmon, drm */
	NAME_KIND_RAW,	      /* a form in which any other event of a PMU can be written */
	NAME_KIND_BREAKPOINT, /* likewise */
	NAME_KIND_TRACEPOINT,
	NAME_KIND_NR,
};

/**
 * struct event_name - an event that can be named in -e; missing texts are ""
 * @kind:  kind of the event
 * @topic: heading in lists, "tool", "cache", "floating point", or ""
 * @name:  text for -e, "cycles", "msr/tsc/", "inst_retired.any", "sched:sched_switch"
 * @alias: another text for -e
 * @pmu:   PMU that counts the event; for an event of the tables, the PMU's name in the tables
 *         ("uncore_cha")
 * @desc:  description in one line
 * @long_desc: longer description; with @goes_on the text that continues @desc (tables__put_desc())
 * @terms: encoding as terms of @pmu; set only if details were requested
 * @unit, @scale: a count is printed multiplied by @scale, in @unit; set if @terms is set
 * @deprecated: the vendor recommends another event
 * @newer: (TOOL) perf 6.12 does not list the event
 * @type, @config: (HARDWARE, SOFTWARE, CACHE) values for perf_event_attr
 * @on: the PMU, or the first of several instances; NULL if there is no PMU
 * @info: entry in the tables, or NULL
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

/* The start of an initialiser of struct event_name; later members may override its defaults. */
#define EVENT_NAME_INIT                                                                            \
	.topic = "", .name = "", .alias = "", .pmu = "", .desc = "", .long_desc = "", .terms = "", \
	.unit = "", .scale = 1.0

/**
 * struct event_names - a walk over the names
 * @kinds:     bits (1 << NAME_KIND_*) of the kinds to visit
 * @instances: visit each instance of an uncore unit, instead of the unit by its common name
 * @details:   set terms, scale and unit, for which sysfs is read
 * @visit:     called for each event; its argument is valid until it returns
 * @arg:       passed to @visit
 * @absent:    also visit events of the tables whose PMU this machine does not have: @on is NULL
 */
struct event_names {
	unsigned int kinds;
	bool instances, details;
	void (*visit)(void *arg, const struct event_name *name);
	void *arg;
	bool absent;
};

/** events__each() - visit the events that can be named here, by kind, then by topic. */
void events__each(const struct events_scope *scope, const struct event_names *walk);
/**
 * event_name__fits() - find out whether the PMU's formats can hold an event of the tables
 *
 * Return: false if the machine does not have the PMU; true for an event that is not in the tables.
 * As events__parse() is slow, it is called only if the terms do not decide.
 */
bool event_name__fits(const struct events_scope *scope, const struct event_name *name);
/**
 * events__print_terms() - append terms with their numbers in hexadecimal, as perf list shows them
 * @terms: "event=0xd1,umask=0x20,period=100003"
 */
void events__print_terms(const char *terms, struct sb *out);

#endif
