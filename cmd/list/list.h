/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The files of "tma list" share this. The words of the command line are kinds, patterns and
 * options. Each event and metric that they ask for is passed to a struct list_writer, which prints
 * it in one of the forms.
 */
#ifndef TMA_CMD_LIST_H
#define TMA_CMD_LIST_H

#include "base/vec.h"
#include "cmd.h"
#include "run/host.h"
#include "events/events.h"
#include "events/names.h"
#include "output.h"
#include "tables/tables.h"

struct strmap;

/**
 * struct list_pattern - a word of the command line that does not name a kind
 * @text:  the word
 * @glob:  the pattern with wildcards that the word means; NULL to search for the word in all names
 * @found: a name matched
 */
struct list_pattern {
	const char *text;
	char *glob;
	bool found;
};

/**
 * struct list_metric - a metric in one of its groups
 * @info:   entry of the tables
 * @group:  name of the group; name of the metric if it is not in a group
 * @pmu:    name of the metric's PMU, as users know it
 * @absence: what this machine lacks to measure the metric ("no PMU uncore_irp"; "" if this has no
 *           name); NULL if nothing is missing, or the form does not print it
 */
struct list_metric {
	struct metric_info info;
	const char *group, *pmu;
	const char *absence;
};

/**
 * struct list - a listing under way
 * @write:    the form
 * @patterns: patterns of the user; empty to list everything
 * @kinds:    a bit for each kind of event that is listed
 * @metrics:  list metrics
 * @groups:   list metric groups
 * @unit:     argument of --unit, or NULL
 * @cputype:  argument of --cputype, or NULL
 * @instances: list each instance of an uncore unit by itself
 * @elsewhere: the tables are for core PMUs that this machine does not have
 * @dry:      print nothing: only find out which patterns match
 * @compat7:  --compat=7 was given
 * @topic:    topic whose heading was printed last
 * @group:    group whose heading was printed last
 * @last:     name and PMU of the metric that was printed last
 * @desc:     description that is being printed
 * @seen:     names that were printed, for forms that print each name once
 */
struct list {
	struct host host;
	struct events_scope events;
	struct output out;
	const struct list_writer *write;
	VEC(struct list_pattern) patterns;
	unsigned int kinds;
	bool metrics, groups, sdt;
	const char *unit, *cputype;
	bool no_desc, long_desc, details, deprecated;
	bool instances, elsewhere, dry, compat7;
	int found;
	struct sb topic, group, last, desc;
	struct strmap *seen;
};

/**
 * struct list_writer - a form of the listing
 * @event:   print an event; @available: this machine can count it
 * @metric:  print a metric
 * @all:     the form always has deprecated events and all instances of units
 * @details: the form has encodings
 * @only_available: the form has only names that this machine can count, for programs
 */
struct list_writer {
	void (*event)(struct list *l, const struct event_name *e, bool available);
	void (*metric)(struct list *l, const struct list_metric *m);
	bool all, details, only_available;
};

extern const struct list_writer list_text, list_json, list_raw, list_names;

/** list__wants_unit() - find out whether --unit and --cputype allow a PMU; NULL for no PMU. */
bool list__wants_unit(const struct list *l, struct pmu *on);
/** list__names() - find out whether a pattern matches a name, or there are no patterns. */
bool list__names(const struct list *l, const char *name);
/** list__events() - list the events that patterns, --unit and --cputype ask for. */
void list__events(struct list *l);
/**
 * list__metrics() - list the metrics or metric groups that patterns, --unit and --cputype ask for.
 */
void list__metrics(struct list *l);

#endif
