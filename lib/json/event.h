/* SPDX-License-Identifier: GPL-2.0-only */
/* An element of an events file comes in, as JSON; PMU terms, texts and flags come out. */
#ifndef TMA_JSON_EVENT_H
#define TMA_JSON_EVENT_H

#include <stdint.h>

#include "formula/json_expr.h"

struct json_object;
struct strmap;
struct tree;

/* An element has these texts in the tables. */
enum event_text {
	TEXT_NAME,
	TEXT_METRIC,
	TEXT_PMU,
	TEXT_TOPIC,
	TEXT_TERMS,
	TEXT_DESC,
	TEXT_LONG_DESC,
	TEXT_COMPAT,
	TEXT_SCALE_UNIT,
	TEXT_COUNTER,
	TEXT_EXPR,
	TEXT_THRESHOLD,
	TEXT_GROUPS,
	TEXT_NO_GROUP,
	TEXT_DEFAULT_GROUP,
	NR_TEXTS,
};

/* An element has these flags; the values of the last two are numbered as in format.h. */
enum event_flag {
	FLAG_PER_PKG,
	FLAG_DEPRECATED,
	FLAG_TAKEN_ALONE,
	FLAG_CONSTRAINT,
	FLAG_AGGREGATION,
	NR_FLAGS,
};

enum event_latency { VENDOR_MIN, VENDOR_MEAN, VENDOR_MAX, NR_LATENCIES };

/**
 * struct json_event - an element, an event or a metric or both
 * @text:    offsets in the pool, 0 where the JSON has none
 * @flag:    values of flags, 0 where the JSON has none
 * @latency: retire latency in cycles as the vendor measured it, 0 where the JSON has none
 */
struct json_event {
	uint32_t text[NR_TEXTS];
	uint8_t flag[NR_FLAGS];
	double latency[NR_LATENCIES];
};

/**
 * struct event_reader - what reading elements needs
 * @std:     lower-case name of a standard event to its index in @std_events
 * @fields:  name of each known field to its number
 * @scratch, @extra: texts being put together
 */
struct event_reader {
	struct strmap *std, *fields;
	VEC(struct json_event) std_events;
	struct json_expr expr;
	struct sb scratch, extra;
};

/** event_reader__init() - prepare for reading. */
void event_reader__init(struct event_reader *reader);
/** event_reader__free() - release what it holds. */
void event_reader__free(struct event_reader *reader);

/**
 * json_event__read() - decode one element
 * @tree:  whose reader it is. Where it is tolerant, an unknown word in a field is no error: the
 *         metric is then one whose events are not grouped, or is not aggregated
 * @json:  a JSON object whose values are strings
 * @topic: words for TEXT_TOPIC
 * @event: set on success
 *
 * Return: 0, or -EINVAL with the field and why.
 */
int json_event__read(struct tree *tree, struct json_object *json, const char *topic,
		     struct json_event *event, struct err *err);

/** tree__add_std() - make an element known as a standard event. */
void tree__add_std(struct tree *tree, const struct json_event *event);

/** tree__find_std() - make a standard event known that tree_options.std has, if they have it. */
void tree__find_std(struct tree *tree, const char *name);

/** json_event__unit_to_pmu() - append the PMU name which a Unit stands for; NULL is the core. */
void json_event__unit_to_pmu(const char *unit, struct sb *sb);

/**
 * counter__mask() - tell the counters which a Counter field names
 * @text: "0,1,2,3", "Fixed counter 1", "FIXED" (the only fixed one of an uncore unit)
 *
 * Return: bits 0-31 general counters, bits 32-63 fixed ones; 0 when the text says something else.
 */
uint64_t counter__mask(const char *text);

#endif
