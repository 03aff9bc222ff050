/* SPDX-License-Identifier: GPL-2.0-only */
/* What the JSON of the kernel's pmu-events knows: fields and what becomes of them. */
#ifndef TMA_JSON_FIELDS_H
#define TMA_JSON_FIELDS_H

#include "json/event.h"

/* Fields of an element which the tables need. */
enum field {
	/* They become terms of the PMU, in this order. */
	F_ANY_THREAD,
	F_PORT_MASK,
	F_COUNTER_MASK,
	F_EDGE,
	F_FC_MASK,
	F_INVERT,
	F_SAMPLE_AFTER,
	F_UMASK,
	F_NODE_TYPE,
	F_RD_WR_MASK,
	F_EN_ALL_CORES,
	F_EN_ALL_SLICES,
	F_SLICE_ID,
	F_THREAD_MASK,
	NR_TERM_FIELDS,
	/* They become texts as they are, which are stored in this order. */
	F_METRIC = NR_TERM_FIELDS,
	F_COMPAT,
	F_SCALE_UNIT,
	F_COUNTER,
	F_THRESHOLD,
	F_GROUPS,
	F_NO_GROUP,
	F_DEFAULT_GROUP,
	END_OF_TEXT_FIELDS,
	/* They are looked at one by one. */
	F_AGGREGATION = END_OF_TEXT_FIELDS,
	F_ARCH_STD,
	F_BRIEF,
	F_CONFIG_CODE,
	F_DATA_LA,
	F_DEPRECATED,
	F_ERRATA,
	F_EVENT_CODE,
	F_EVENT_NAME,
	F_EVENTID_CODE,
	F_EXT_SEL,
	F_FILTER,
	F_CONSTRAINT,
	F_EXPR,
	F_MSR_INDEX,
	F_MSR_VALUE,
	F_PEBS,
	F_PER_PKG,
	F_PUBLIC,
	/* As in enum event_latency. */
	F_RETIRE_MIN,
	F_RETIRE_MEAN,
	F_RETIRE_MAX,
	F_TAKEN_ALONE,
	F_UNIT,
	NR_FIELDS,
};

/**
 * struct field_info - a field
 * @name: in the JSON
 * @term: of the PMU, for those below NR_TERM_FIELDS
 * @text: which it is, for those from there to END_OF_TEXT_FIELDS
 */
struct field_info {
	const char *name, *term;
	enum event_text text;
};
extern const struct field_info fields[NR_FIELDS];
/* Fields which vendors write and the tables do not need; NULL at the end. */
extern const char *const fields_unused[];

/**
 * json_event__encode() - the PMU terms of an event
 * @json:  its fields, NULL for those it has not
 * @name:  in lower case, or ""
 * @terms: emptied before
 *
 * Return: 0; -EINVAL with the field and why.
 */
int json_event__encode(const char *const *json, const char *name, struct sb *terms,
		       struct err *err);

#endif
