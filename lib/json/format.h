/* SPDX-License-Identifier: GPL-2.0-only */
/* Tables lie in memory like this (see pmu-events/README.md); gen-tables and build.c make them. */
#ifndef TMA_JSON_FORMAT_H
#define TMA_JSON_FORMAT_H

#include <stdint.h>

/*
 * All strings stand once in one block, with their NULs, and are named by their offset; offset 0 is
 * the empty string. Records stand once, too: a model has lists of record numbers.
 */

/* table_event.flags has these bits. */
#define TABLE_EVENT_PER_PKG 0x1
#define TABLE_EVENT_DEPRECATED 0x2
#define TABLE_EVENT_TAKEN_ALONE 0x4
#define TABLE_EVENT_GOES_ON 0x8 /* long_desc is what follows desc; in what is built in alone */

/* table_metric.flags has these parts. */
#define TABLE_METRIC_CONSTRAINT 0x7 /* holds an enum metric_constraint */
#define TABLE_METRIC_PER_CHIP 0x8
#define TABLE_METRIC_PER_CORE 0x10
#define TABLE_METRIC_GOES_ON 0x20 /* as TABLE_EVENT_GOES_ON */

/* table_model.flags has this bit. */
#define TABLE_MODEL_SYS 0x1 /* of system PMUs, which are told by their identifier, not by the CPU */

/* Seldom different values (PMUs, topics, counters ...) are numbers in tables of their own. */
struct table_event {
	uint32_t name, terms, desc, long_desc;
	uint16_t pmu, topic, compat; /* in words[] */
	uint16_t counter;	     /* in counters[] */
	uint16_t scale;		     /* in scales[] */
	uint16_t latency;	     /* in latencies[] */
	uint16_t flags;
};

struct table_metric {
	uint32_t name, expr, threshold, groups, desc, long_desc;
	uint16_t pmu, compat, no_group, default_group; /* in words[] */
	uint16_t scale;				       /* in scales[] */
	uint16_t flags;
};

/*
 * A ScaleUnit is kept as a whole, with the part behind the number (in the same string), and the
 * number.
 */
struct table_scale {
	uint32_t text, unit;
	double scale;
};

/* A Counter field is kept with its meaning, see struct event_info. */
struct table_counter {
	uint32_t text;
	uint64_t mask;
};

/* A retire latency is in cycles. */
struct table_latency {
	double min, mean, max;
};

/**
 * struct table_pmu_counters - how many counters a kind of PMU has
 * @pmu:     in words[]
 * @guessed: there are so many at least: nobody says how many there are
 */
struct table_pmu_counters {
	uint16_t pmu;
	uint16_t general, fixed;
	uint16_t guessed;
};

struct table_group {
	uint32_t name, desc;
};

/* A range is a part of a list in which all records have the same PMU. */
struct table_range {
	uint32_t first, nr;
	uint32_t pmu; /* in words[] */
};

/* A span is a part of one of the arrays of struct table_data. */
struct table_span {
	uint32_t first, nr;
};

/**
 * struct table_model - the lists of one model
 * @hash:          of the files it was made from, see tree__hash()
 * @name:          its folder
 * @events:        part of event_list[], by (pmu, name)
 * @metrics:       part of metric_list[], by (pmu, name)
 * @by_name:       part of metric_by_name[], as long as @metrics
 * @event_ranges:  part of ranges[]; a range's first is counted from events.first
 * @metric_ranges: part of ranges[]; counted from metrics.first, and as well from by_name.first
 * @groups:        part of group_list[], by name without case
 * @counters:      part of pmu_counters[]
 */
struct table_model {
	uint64_t hash;
	uint32_t name, flags;
	struct table_span events, metrics, by_name, event_ranges, metric_ranges, groups, counters;
};

#define TABLE_MAP_NO_MODEL \
	UINT32_MAX /* of a row for CPUs that later rows mean and are wrong about */

struct table_map {
	uint32_t pattern, version;
	uint32_t model;
};

/* struct table_data has these arrays, here with the types of their elements. */
#define TABLE_ARRAYS(X)                            \
	X(uint32_t, words)                         \
	X(struct table_event, events)              \
	X(struct table_metric, metrics)            \
	X(struct table_scale, scales)              \
	X(struct table_counter, counters)          \
	X(struct table_latency, latencies)         \
	X(struct table_pmu_counters, pmu_counters) \
	X(struct table_group, groups)              \
	X(struct table_range, ranges)              \
	X(uint32_t, event_list)                    \
	X(uint32_t, metric_list)                   \
	X(uint32_t, metric_by_name)                \
	X(uint32_t, group_list)                    \
	X(struct table_model, models)              \
	X(struct table_map, map)

/**
 * struct table_data - the tables of one architecture
 * @nr_strings: bytes
 * @metric_by_name: within each range of metrics their places counted from metrics.first, by name
 *                  without case and then by place; the metrics themselves stand as perf has
 *                  them, capitals before small letters
 * @std_events, @std_metrics: parts of event_list[] and metric_list[]: the standard ones of the
 *         architecture, which elements name by ArchStdEvent
 *
 * Each array has its number of elements beside it: @events has @nr_events.
 */
struct table_data {
	const char *arch, *strings;
	uint32_t nr_strings;
#define TABLE_ARRAY(type, name) \
	const type *name;       \
	uint32_t nr_##name;
	TABLE_ARRAYS(TABLE_ARRAY)
#undef TABLE_ARRAY
	struct table_span std_events, std_metrics;
};

/*
 * The tables that are built in, one for each architecture, end with NULL; gen-tables writes them.
 */
extern const struct table_data *const table_archs[];
/* Models of metrics made of events that kernels name in sysfs, for no architecture (overlay/sysfs).
 */
extern const struct table_data table_data_sysfs;

#endif
