/* SPDX-License-Identifier: GPL-2.0-only */
/* The form of tables in memory (see pmu-events/README.md), which gen-tables and build.c make. */
#ifndef TMA_JSON_FORMAT_H
#define TMA_JSON_FORMAT_H

#include <stdint.h>

/*
 * All strings are stored once, with their NULs, in one block, and referenced by offset; offset 0 is
 * the empty string. Records are stored once, too: each model has lists of indices of records.
 */

/* Bits of table_event.flags. */
#define TABLE_EVENT_PER_PKG 0x1
#define TABLE_EVENT_DEPRECATED 0x2
#define TABLE_EVENT_TAKEN_ALONE 0x4
#define TABLE_EVENT_GOES_ON 0x8 /* in built-in tables: long_desc continues desc */

/* Parts of table_metric.flags. */
#define TABLE_METRIC_CONSTRAINT 0x7 /* an enum metric_constraint */
#define TABLE_METRIC_PER_CHIP 0x8
#define TABLE_METRIC_PER_CORE 0x10
#define TABLE_METRIC_GOES_ON 0x20 /* as TABLE_EVENT_GOES_ON */

/* A bit of table_model.flags. */
#define TABLE_MODEL_SYS 0x1 /* the model has system PMUs, whatever the CPU is */

/*
 * An event. Values that repeat often (PMUs, topics, counters ...) are indices of separate tables.
 */
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

/* A ScaleUnit: the whole text (@text), its unit (the end of the same string) and its number. */
struct table_scale {
	uint32_t text, unit;
	double scale;
};

/* A Counter field and its meaning, see struct event_info. */
struct table_counter {
	uint32_t text;
	uint64_t mask;
};

/* Retire latencies, in cycles. */
struct table_latency {
	double min, mean, max;
};

/**
 * struct table_pmu_counters - how many counters a kind of PMU has
 * @pmu:     index in words[]
 * @guessed: the numbers are lower limits, since the files do not have them
 */
struct table_pmu_counters {
	uint16_t pmu;
	uint16_t general, fixed;
	uint16_t guessed;
};

struct table_group {
	uint32_t name, desc;
};

/* A range: a part of a list whose records all have the same PMU. */
struct table_range {
	uint32_t first, nr;
	uint32_t pmu; /* in words[] */
};

/* A span: a part of one of the arrays of struct table_data. */
struct table_span {
	uint32_t first, nr;
};

/**
 * struct table_model - the lists of one model
 * @hash:          hash of the model's files, see tree__hash()
 * @name:          name of the model's folder
 * @events:        part of event_list[], sorted by PMU and name
 * @metrics:       part of metric_list[], sorted by PMU and name
 * @by_name:       part of metric_by_name[], as long as @metrics
 * @event_ranges:  part of ranges[]; a range's first is relative to events.first
 * @metric_ranges: part of ranges[]; a range's first is relative to metrics.first and by_name.first
 * @groups:        part of group_list[], sorted by name without case
 * @counters:      part of pmu_counters[]
 */
struct table_model {
	uint64_t hash;
	uint32_t name, flags;
	struct table_span events, metrics, by_name, event_ranges, metric_ranges, groups, counters;
};

#define TABLE_MAP_NO_MODEL \
	UINT32_MAX /* a row of CPUs that a later row would match wrongly */

struct table_map {
	uint32_t pattern, version;
	uint32_t model;
};

/* Arrays of struct table_data, with the types of their elements. */
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
 * @nr_strings: number of bytes of all strings
 * @metric_by_name: for each range of metrics, their indices relative to metrics.first, sorted by
 *                  name without case and then by index; the metrics themselves are sorted as in
 *                  perf, capital letters first
 * @std_events, @std_metrics: the architecture's standard events and metrics, which elements name in
 *            ArchStdEvent; parts of event_list[] and metric_list[]
 *
 * The number of elements of each array is a member: @nr_events for @events.
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

/* The built-in tables, one for each architecture, ended by NULL; gen-tables writes them. */
extern const struct table_data *const table_archs[];
/* Metrics of events that kernels have in sysfs, for any architecture (overlay/sysfs). */
extern const struct table_data table_data_sysfs;

#endif
