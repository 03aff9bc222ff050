/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The files of "tma list" share this. Words of the command line come in: kinds, patterns, options.
 * The events and metrics that match go one by one to a struct list_writer, which prints them in its
 * form.
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
 * @text:  the word; @glob: the pattern with wildcards that it means, or NULL to search for it
 *         anywhere
 * @found: something matched
 */
struct list_pattern {
	const char *text;
	char *glob;
	bool found;
};

/**
 * struct list_metric - a metric in one of its groups
 * @info:   of the table
 * @group:  name of the group; the metric's own where it is in none
 * @pmu:    the PMU it is of, as the user knows it
 * @absence: what this machine lacks to measure it ("no PMU uncore_irp", or ""); NULL when nothing,
 *           and where the form does not print it
 */
struct list_metric {
	struct metric_info info;
	const char *group, *pmu;
	const char *absence;
};

/**
 * struct list - a listing under way
 * @write:    the form
 * @patterns: of the user; empty to list all
 * @kinds:    a bit for each kind of event; @metrics, @groups: list those too
 * @unit:     --unit; @cputype: --cputype; NULL when not given
 * @instances: list each instance of an uncore unit by itself
 * @elsewhere: the machine has none of the core PMUs that the tables are of
 * @dry:      only find out what patterns match
 * @compat7:  --compat=7
 * @topic:    the last one whose heading was printed
 * @group:    the last metric group, likewise; @last: the last metric's name and PMU
 * @desc:     a description while it is printed
 * @seen:     names that were printed, for forms that print each once
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
 * @event:   @available: this machine can count it
 * @all:     this form always has deprecated events and instances of units
 * @details: it has encodings
 * @only_available: it has names for programs that count what they read
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
/** list__metrics() - list the metrics or metric groups likewise. */
void list__metrics(struct list *l);

#endif
