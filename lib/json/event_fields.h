/* SPDX-License-Identifier: GPL-2.0-only */
/* Names of an element's fields, for event.c and event_terms.c. */
#ifndef TMA_JSON_EVENT_FIELDS_H
#define TMA_JSON_EVENT_FIELDS_H

#include "base/sb.h"
#include "json/event.h"

/* Fields of an element that the tables need. Each has a name here and a name in the JSON. */
#define FIELDS(X)								\
	/* Fields that become terms of the PMU, in this order. */			\
	X(ANY_THREAD, "AnyThread", .term = "any")				\
	X(PORT_MASK, "PortMask", .term = "ch_mask")				\
	X(COUNTER_MASK, "CounterMask", .term = "cmask")				\
	X(EDGE, "EdgeDetect", .term = "edge")					\
	X(FC_MASK, "FCMask", .term = "fc_mask")					\
	X(INVERT, "Invert", .term = "inv")					\
	X(SAMPLE_AFTER, "SampleAfterValue", .term = "period")			\
	X(UMASK, "UMask", .term = "umask")					\
	X(NODE_TYPE, "NodeType", .term = "type")				\
	X(RD_WR_MASK, "RdWrMask", .term = "rdwrmask")				\
	X(EN_ALL_CORES, "EnAllCores", .term = "enallcores")			\
	X(EN_ALL_SLICES, "EnAllSlices", .term = "enallslices")			\
	X(SLICE_ID, "SliceId", .term = "sliceid")				\
	X(THREAD_MASK, "ThreadMask", .term = "threadmask")			\
	/* Fields that are stored unchanged as texts, in this order. */		\
	X(METRIC, "MetricName", .text = TEXT_METRIC)				\
	X(COMPAT, "Compat", .text = TEXT_COMPAT)				\
	X(SCALE_UNIT, "ScaleUnit", .text = TEXT_SCALE_UNIT)			\
	X(COUNTER, "Counter", .text = TEXT_COUNTER)				\
	X(THRESHOLD, "MetricThreshold", .text = TEXT_THRESHOLD)			\
	X(GROUPS, "MetricGroup", .text = TEXT_GROUPS)				\
	X(NO_GROUP, "MetricgroupNoGroup", .text = TEXT_NO_GROUP)		\
	X(DEFAULT_GROUP, "DefaultMetricgroupName", .text = TEXT_DEFAULT_GROUP)	\
	/* Fields that are read one by one. */					\
	X(AGGREGATION, "AggregationMode")					\
	X(ARCH_STD, "ArchStdEvent")						\
	X(BRIEF, "BriefDescription")						\
	X(CONFIG_CODE, "ConfigCode")						\
	X(DATA_LA, "Data_LA")							\
	X(DEPRECATED, "Deprecated")						\
	X(ERRATA, "Errata")							\
	X(EVENT_CODE, "EventCode")						\
	X(EVENT_NAME, "EventName")						\
	X(EVENTID_CODE, "EventidCode")						\
	X(EXT_SEL, "ExtSel")							\
	X(FILTER, "Filter")							\
	X(CONSTRAINT, "MetricConstraint")					\
	X(EXPR, "MetricExpr")							\
	X(MSR_INDEX, "MSRIndex")						\
	X(MSR_VALUE, "MSRValue")						\
	X(PEBS, "PEBS")								\
	X(PER_PKG, "PerPkg")							\
	X(PUBLIC, "PublicDescription")						\
	/* Fields in the order of enum event_latency. */			\
	X(RETIRE_MIN, "RetirementLatencyMin")					\
	X(RETIRE_MEAN, "RetirementLatencyMean")					\
	X(RETIRE_MAX, "RetirementLatencyMax")					\
	X(TAKEN_ALONE, "TakenAlone")						\
	X(UNIT, "Unit")

enum field {
#define FIELD_NUMBER(id, ...) F_##id,
	FIELDS(FIELD_NUMBER)
#undef FIELD_NUMBER
	NR_FIELDS,
	NR_TERM_FIELDS = F_METRIC,
	END_OF_TEXT_FIELDS = F_AGGREGATION,
};

/**
 * struct json_field - a field of an element
 * @name: name of the field in the JSON
 * @term: the PMU's term, for fields below NR_TERM_FIELDS
 * @text: the text's number, for fields from NR_TERM_FIELDS to END_OF_TEXT_FIELDS
 */
struct json_field {
	const char *name, *term;
	enum event_text text;
};

/** json_fields - all fields */
extern const struct json_field json_fields[NR_FIELDS];

/**
 * json_event__encode() - encode an event as terms of its PMU
 * @json:  the values of the fields, NULL for missing fields
 * @name:  the event's name in lower case
 * @terms: set to the terms
 *
 * Return: 0 or -errno.
 */
int json_event__encode(const char *const *json, const char *name, struct sb *terms,
		       struct err *err);

#endif
