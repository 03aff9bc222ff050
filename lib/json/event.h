/* SPDX-License-Identifier: GPL-2.0-only */
/* Decode elements of the kernel's JSON files into PMU terms, texts and flags. */
#ifndef TMA_JSON_EVENT_H
#define TMA_JSON_EVENT_H

#include <stdint.h>

#include "formula/json_expr.h"

struct json_object;
struct strmap;
struct tree;

/* Texts of an element. */
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

/* Flags of an element; format.h has the values of the last two. */
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
 * struct json_event - an element: an event, a metric or both
 * @text:    offsets in the pool; 0 for texts that the JSON lacks
 * @flag:    values of flags; 0 for flags that the JSON lacks
 * @latency: retire latencies in cycles, measured by the vendor; 0 if the JSON lacks them
 */
struct json_event {
	uint32_t text[NR_TEXTS];
	uint8_t flag[NR_FLAGS];
	double latency[NR_LATENCIES];
};

/**
 * struct event_reader - state for reading elements
 * @std:     map from a standard event's name in lower case to its index in @std_events
 * @fields:  map from the name of each known field to its number
 * @scratch, @extra: buffers for texts
 */
struct event_reader {
	struct strmap *std, *fields;
	VEC(struct json_event) std_events;
	struct json_expr expr;
	struct sb scratch, extra;
};

/** event_reader__init() - prepare for reading. */
void event_reader__init(struct event_reader *reader);
/** event_reader__free() - release the contents of a reader. */
void event_reader__free(struct event_reader *reader);

/**
 * json_event__read() - decode one element
 * @tree:  tree with the reader. If the tree is tolerant, an unknown word in a field is not an
 *         error: the metric's events are not grouped, or the metric is not aggregated
 * @json:  a JSON object whose values are strings
 * @topic: text for TEXT_TOPIC
 * @event: set on success
 *
 * Return: 0, or -EINVAL with the field and the reason.
 */
int json_event__read(struct tree *tree, struct json_object *json, const char *topic,
		     struct json_event *event, struct err *err);

/** tree__add_std() - add an element to the standard events. */
void tree__add_std(struct tree *tree, const struct json_event *event);

/** tree__find_std() - add a standard event from tree_options.std, if these tables have it. */
void tree__find_std(struct tree *tree, const char *name);

/** json_event__unit_to_pmu() - append the name of the PMU of a Unit; NULL means the core. */
void json_event__unit_to_pmu(const char *unit, struct sb *sb);

/**
 * counter__mask() - parse the counters that a Counter field names
 * @text: "0,1,2,3", "Fixed counter 1", "FIXED" (the only fixed counter of an uncore unit)
 *
 * Return: bits 0-31 for general counters, bits 32-63 for fixed counters; 0 for other texts.
 */
uint64_t counter__mask(const char *text);

#endif
