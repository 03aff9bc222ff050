/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The files of "tma explain" share this. A name that the user typed comes in; facts about the thing
 * of that name go out. The functions below put each fact once, and print it as text or as JSON.
 */
#ifndef TMA_CMD_EXPLAIN_H
#define TMA_CMD_EXPLAIN_H

#include "base/vec.h"
#include "cmd.h"
#include "run/host.h"
#include "events/events.h"
#include "metrics/metrics.h"
#include "output.h"
#include "tables/tables.h"

struct event_name;

/**
 * struct explain - an explanation under way
 * @cputype: the only core PMU to consider, or NULL
 * @name:    name of the thing that is explained
 * @json:    print JSON instead of text
 * @found:   number of things explained so far
 * @words:   text of a fact, which the next explain__words() prints and clears
 * @names:   list of names, not owned, which the next explain__names() prints and clears
 */
struct explain {
	struct host host;
	struct events_scope events;
	struct metrics_scope metrics;
	struct output out;
	const char *cputype, *name;
	bool json;
	int found;
	struct sb words;
	VEC(const char *) names;
};

/* Functions that print facts, in explain.c. */

/**
 * explain__begin() - begin to explain a thing
 * @what: "metric", "event", "metric group"
 * @pmu:  name of the thing's PMU, or ""
 */
void explain__begin(struct explain *x, const char *what, const char *name, const char *pmu);
/** explain__end() - end the explanation of a thing. */
void explain__end(struct explain *x);
/** explain__desc() - put the description, as a paragraph of its own in text; nothing for "". */
void explain__desc(struct explain *x, const char *desc, const char *long_desc, bool goes_on);
/**
 * explain__text() - put a fact; nothing for ""
 * @title: title of the fact in text; NULL to print the fact only in JSON
 * @key: key of the fact in JSON
 */
void explain__text(struct explain *x, const char *title, const char *key, const char *text);
/** explain__words() - put the text in @words as a fact. */
void explain__words(struct explain *x, const char *title, const char *key);
/** explain__lines() - put a fact of several lines, which follow below the title. */
void explain__lines(struct explain *x, const char *title, const char *key, const char *text);
/** explain__names() - put the list in @names; nothing for an empty one. */
void explain__names(struct explain *x, const char *title, const char *key);
/** explain__width() - get the number of columns that explain__lines() has for a line. */
int explain__width(const struct explain *x);

/**
 * explain__list() - begin a list of items that have several facts each; @words follows the title
 */
void explain__list(struct explain *x, const char *title, const char *key);
void explain__item(struct explain *x);
/**
 * explain__part() - put a fact of an item
 * @text_form: the form in text, with '%' for the fact ("counters %"); NULL to print it only in JSON
 */
void explain__part(struct explain *x, const char *key, const char *text_form, const char *text);
/** explain__part_words() - put the text in @words as a fact of an item. */
void explain__part_words(struct explain *x, const char *key, const char *text_form);
void explain__end_item(struct explain *x);
void explain__end_list(struct explain *x);

/**
 * explain__origin() - if there are several tables, put the one that a thing comes from
 * @layer: the number of the table, see tables__layer()
 */
void explain__origin(struct explain *x, int layer);
/**
 * explain__unit() - put the unit, and the factor that the value is multiplied by
 * @is_set: the tables have a scale and unit
 * @of:     the value that is multiplied, as text
 */
void explain__unit(struct explain *x, bool is_set, double scale, const char *unit, const char *of);
/**
 * explain__measure() - put the command that counts a thing
 * @system_wide: the command counts on all CPUs; else it counts another command
 * @option:      option of tma stat, such as "-M"
 * @quote:       quotation mark around the name, or ""
 */
void explain__measure(struct explain *x, bool system_wide, const char *option, const char *quote,
		      const char *name);

/* Functions that find the facts, in metric.c and event.c. */

/**
 * explain__metrics() - explain the metrics and groups of the name that was asked for, if any exist.
 */
void explain__metrics(struct explain *x);
/** explain__events() - explain the events of the name that was asked for, if any exist. */
void explain__events(struct explain *x);

/** explain__counters() - append which counters an event may use; nothing if this is unknown. */
void explain__counters(const struct event_info *info, struct sb *out);

#endif
